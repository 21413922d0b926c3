//! What a session is asked and what it finds out, with everything read that a job says in words.

use std::time::Duration;

use foregone_model::{Agent, Guide, Notation, Outcome};
use foregone_search::report::Counts;
use foregone_search::{DriverSpec, Guidance, StopReason};

use crate::answer::{LineEnd, ProofSummary};
use crate::certify::ProofTexts;
use crate::draw::Halves;
use crate::error::Error;
use crate::job::{Budget, Job, Outcomes, Proof};
use crate::line::Strategy;
use crate::observe::Context;
use crate::scale::Ranking;

/// What to ask of a game, with everything read that a job says in words.
#[derive(Clone, Debug)]
pub(crate) struct Task<S> {
    pub(crate) start: S,
    /// Whether Max reaches this outcome; nothing: which one Max reaches.
    pub(crate) at_least: Option<Outcome>,
    /// Who is Max. Outcomes here are ranks for that agent.
    pub(crate) max: Agent,
    pub(crate) window: Option<(Outcome, Outcome)>,
    /// Whether one search tells more than two outcomes apart.
    pub(crate) many_outcomes: bool,
    pub(crate) outcomes: Outcomes,
    pub(crate) budget: Budget,
    pub(crate) knowledge: bool,
    pub(crate) symmetry: bool,
    pub(crate) proof: Proof,
    pub(crate) cover: bool,
    /// Whether there is to be a line.
    pub(crate) wants_line: bool,
    /// Whether searches may go on with a line where the proof ends before the game.
    pub(crate) extends_line: bool,
    /// Whether the strategies are handed over instead of a line that they make.
    pub(crate) keeps_strategies: bool,
    /// Whether more is asked of a search than its report says. Then one that was done before a
    /// checkpoint is made anew.
    pub(crate) asks_more: bool,
}

/// What was found out about a position.
pub(crate) struct Findings<M> {
    /// Why the search stopped.
    pub(crate) stop: StopReason,
    /// When the job began.
    began: Duration,
    /// The outcomes between which the value lies, both included.
    pub(crate) bounds: (Outcome, Outcome),
    /// Neither side can force anything, and the rules give endless play no outcome.
    pub(crate) undetermined: bool,
    /// What both sides play, or would play.
    pub(crate) line: Vec<M>,
    /// How the line ends.
    pub(crate) line_end: LineEnd,
    /// What Max and Min do to reach what is claimed for them, where that is handed over.
    pub(crate) strategies: [Option<Strategy<M>>; 2],
    /// All first moves, or all plays, that were asked for.
    pub(crate) found: Vec<Vec<M>>,
    /// Whether those are all.
    pub(crate) found_all: bool,
    /// What the cheapest proof costs, where that was asked.
    pub(crate) cost: Option<u64>,
    /// The proof, if it is to be drawn.
    pub(crate) solution: Option<Halves<M>>,
    pub(crate) counts: Counts,
    pub(crate) time: Duration,
    pub(crate) check_time: Duration,
    /// The certificates, one behind the other, each of them replayed.
    pub(crate) certificates: ProofTexts,
    /// What there is to say of them.
    pub(crate) summary: ProofSummary,
    /// Whether every part of the answer has its certificate. A driver that forgets may find that
    /// making one takes too long.
    pub(crate) proved: bool,
}

impl<M> Findings<M> {
    pub(crate) fn new(part: Part) -> Findings<M> {
        Findings {
            stop: StopReason::Solved,
            began: part.began,
            bounds: part.bounds,
            undetermined: false,
            line: Vec::new(),
            line_end: LineEnd::Undecided,
            strategies: [None, None],
            found: Vec::new(),
            found_all: true,
            cost: None,
            solution: None,
            counts: Counts::default(),
            time: Duration::ZERO,
            check_time: Duration::ZERO,
            certificates: ProofTexts::default(),
            summary: ProofSummary::default(),
            proved: true,
        }
    }

    /// What comes next in the same job.
    pub(crate) fn part(&self) -> Part {
        Part { began: self.began, before: self.counts, bounds: self.bounds }
    }

    /// Takes over what another part of the job took and proved, but not why that one stopped.
    pub(crate) fn add(&mut self, other: &mut Findings<M>) {
        self.counts.expansions += other.counts.expansions;
        self.counts.nodes += other.counts.nodes;
        self.counts.playouts += other.counts.playouts;
        self.counts.peak_bytes = self.counts.peak_bytes.max(other.counts.peak_bytes);
        (self.time, self.check_time) = (other.time, self.check_time + other.check_time);
        if let Some(proof) = other.proof() {
            self.summary.claims += proof.claims;
            self.summary.connections += proof.connections;
            self.summary.parts += proof.parts;
            self.summary.by_reason += proof.by_reason;
            self.summary.recomputed += proof.recomputed;
            self.summary.known += proof.known;
            self.summary.proved &= proof.proved;
            for name in proof.recomputed_names {
                if !self.summary.recomputed_names.contains(&name) {
                    self.summary.recomputed_names.push(name);
                }
            }
            self.certificates.append(other.certificate());
        }
    }

    /// Whether the question is answered.
    pub(crate) fn solved(&self) -> bool {
        self.stop == StopReason::Solved
    }

    /// The proof in numbers, if there is one.
    pub(crate) fn proof(&self) -> Option<ProofSummary> {
        (self.solved() && self.proved).then(|| self.summary.clone())
    }

    /// The text of the proof, if there is one.
    pub(crate) fn certificate(&mut self) -> ProofTexts {
        match self.solved() && self.proved {
            true => std::mem::take(&mut self.certificates),
            false => ProofTexts::default(),
        }
    }
}

impl<S> Task<S> {
    pub(crate) fn new<G: Guide + Notation<State = S>>(
        game: &G,
        job: &Job,
        guidance: Guidance,
        ranking: &Ranking,
        max: Agent,
    ) -> Result<Task<S>, Error> {
        use foregone_model::Typed;
        let start = game
            .read_position_or_moves(&job.position)
            .map_err(|e| Error::text("position", &job.position, e))?;
        let outcome = |name: &String| {
            let missing = || Error::input(format!("{} has no outcome `{name}`", game.name()));
            ranking.find(name).ok_or_else(missing)
        };
        let window = match &job.window {
            None => None,
            Some([low, high]) => Some((outcome(low)?, outcome(high)?)),
        };
        if window.is_some_and(|(low, high)| low >= high) {
            return Err(Error::input("the window has no inside"));
        }
        if window.is_some() && !guidance.many_outcomes() {
            let message = "a window is for searches that tell all outcomes apart";
            return Err(Error::input(message).help("such as scheme=mo(pn) or driver=alphabeta"));
        }
        Ok(Task {
            start,
            at_least: ranking.read_question(&game.name(), &job.question)?,
            max,
            window,
            many_outcomes: guidance.many_outcomes(),
            outcomes: job.outcomes,
            budget: job.budget,
            // Threats are looked for by the rules alone: what is known would hide which moves win.
            knowledge: job.knowledge && !matches!(guidance.driver(), DriverSpec::Lambda(_)),
            symmetry: job.symmetry,
            proof: job.proof,
            cover: job.cover,
            wants_line: true,
            extends_line: true,
            keeps_strategies: false,
            asks_more: false,
        })
    }
}

/// What part of a job a task is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// When the job began.
    pub(crate) began: Duration,
    /// What earlier parts did.
    pub(crate) before: Counts,
    /// The outcomes between which the value is known to lie.
    pub(crate) bounds: (Outcome, Outcome),
}

impl Part {
    /// All of it.
    pub(crate) fn whole<G: Notation>(
        game: &G,
        task: &Task<G::State>,
        context: &Context<'_>,
    ) -> Part {
        let best = Ranking::new(game, task.max).best();
        let (began, before) = (context.clock.now(), Counts::default());
        Part { began, before, bounds: (Outcome(0), best) }
    }
}
