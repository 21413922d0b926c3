//! Outcomes and agents in words: what a job names, and what an answer says.

use foregone_model::certificate::{OTHERS, scores_of};
use foregone_model::{Agent, Game, Notation, Outcome, Side, Viewpoint};

use crate::error::{Error, suggest};
use crate::job::Question;

/// Whether every player has a score of its own: more than two play, or what one gets the other need
/// not lose.
pub(crate) fn own_scores<G: Notation>(game: &G) -> bool {
    if game.agents() != 2 || game.one_player() {
        return game.agents() > 2;
    }
    let scale = game.scale();
    // The usual score of a number is the number, and its negative.
    if scale.scores().is_some() {
        return false;
    }
    let sum = |o| scores_of(game, o).into_iter().map(i128::from).sum::<i128>();
    (1..=scale.best().0).any(|o| sum(Outcome(o)) != sum(Outcome(0)))
}

/// Whether outcomes are named by the scores of all agents, as in `100/0/50`.
pub(crate) fn named_by_scores<G: Game>(game: &G) -> bool {
    let named = |(o, name): (u16, &str)| {
        let scores: Vec<String> = scores_of(game, Outcome(o)).iter().map(i64::to_string).collect();
        scores.join("/") == name
    };
    game.agents() > 1 && (0..).zip(game.scale().names()).all(named)
}

/// The outcomes of a game as they rank for Max, whoever that is.
pub(crate) struct Ranking {
    /// The names of each rank, the worst first. Outcomes that are the same to Max stand together.
    names: Vec<Vec<String>>,
    /// Max's score in each rank, where outcomes are named by scores.
    scores: Option<Vec<i64>>,
    numbers: Option<Vec<i64>>,
    /// Whether every player has a score of its own.
    own_scores: bool,
    max: Agent,
    /// From this rank on, Max has won.
    win: Outcome,
    /// Who has won, with each rank: the agents that have in all of its outcomes.
    winners: Vec<Vec<Agent>>,
}

impl Ranking {
    pub(crate) fn new<G: Notation>(game: &G, max: Agent) -> Ranking {
        let (scale, view) = (game.scale(), Viewpoint::new(game, max));
        let mut names: Vec<Vec<String>> = Vec::new();
        let mut scores: Vec<i64> = Vec::new();
        for (place, name) in scale.names().enumerate() {
            let outcome = Outcome(place as u16);
            let rank = usize::from(view.rank(outcome).0);
            let ranks = names.len().max(rank + 1);
            names.resize(ranks, Vec::new());
            scores.resize(ranks, 0);
            names[rank].push(name.to_owned());
            scores[rank] = game.score(outcome, max);
        }
        let scores = named_by_scores(game).then_some(scores);
        let own_scores = own_scores(game);
        let first = max == Agent::FIRST;
        let numbers = scale.scores().filter(|_| first).map(<[i64]>::to_vec);
        // Of two players whose first is Max, the ends of the scale tell who wins.
        let mut winners = vec![(0..game.agents()).map(Agent).collect::<Vec<Agent>>(); names.len()];
        if !first || own_scores {
            for place in 0..scale.names().count() as u16 {
                let rank = usize::from(view.rank(Outcome(place)).0);
                winners[rank].retain(|&agent| game.won(Outcome(place), agent));
            }
        }
        // Of several players more than one may win, and then the end of the scale is not what a
        // win is. A best score is a score like others.
        let best = names.len() - 1;
        let won = |rank: &usize| winners[*rank].contains(&max);
        let win = match own_scores && scale.scores().is_none() && won(&best) {
            true => (0..=best).rev().take_while(won).last().unwrap_or(best),
            false => best,
        };
        let win = Outcome(win.max(1) as u16);
        Ranking { names, scores, numbers, own_scores, max, win, winners }
    }

    /// The best outcome for Max.
    pub(crate) fn best(&self) -> Outcome {
        Outcome(self.names.len() as u16 - 1)
    }

    /// The name of a rank: that of its outcomes, or where these are named by scores that of Max.
    pub(crate) fn name(&self, rank: Outcome) -> String {
        let rank = usize::from(rank.0);
        match &self.scores {
            Some(scores) => scores[rank].to_string(),
            None => self.names[rank].join(" or "),
        }
    }

    /// The names of all ranks, the worst first.
    pub(crate) fn all_names(&self) -> Vec<String> {
        (0..=self.best().0).map(|rank| self.name(Outcome(rank))).collect()
    }

    /// The rank of the outcome of this name.
    pub(crate) fn find(&self, name: &str) -> Option<Outcome> {
        let mut ranks = (0..=self.best().0).map(Outcome);
        ranks.find(|&rank| {
            self.name(rank) == name || self.names[usize::from(rank.0)].iter().any(|n| n == name)
        })
    }

    /// The outcome that a question asks about; nothing where it asks for the value.
    pub(crate) fn read_question(
        &self,
        game: &str,
        question: &Question,
    ) -> Result<Option<Outcome>, Error> {
        let claimable = || match &self.scores {
            Some(_) => self.all_names().split_off(1),
            None => self.names.iter().skip(1).flatten().cloned().collect(),
        };
        match question {
            Question::Value => Ok(None),
            Question::Win => Ok(Some(self.win)),
            Question::AtLeast(word) => {
                let text = question.to_string();
                let fault = |message: String| {
                    Error::input(message)
                        .at("question", &text, text.len() - word.len()..text.len())
                        .help(suggest(word, &claimable()).unwrap_or_default())
                };
                match self.find(word) {
                    Some(Outcome(0)) if self.max != Agent::FIRST => {
                        Err(fault(format!("`{word}` is the worst outcome for this player")))
                    }
                    Some(Outcome(0)) => Err(fault(format!("everybody reaches at least {word}"))),
                    Some(outcome) => Ok(Some(outcome)),
                    None => Err(fault(format!("{game} has no outcome `{word}`"))),
                }
            }
            Question::Nash | Question::Formula(_) => {
                Err(Error::input(format!("`{question}` is not asked of a game in turn as it is")))
            }
        }
    }

    /// A question in the words in which it is asked.
    pub(crate) fn question_text(&self, at_least: Option<Outcome>) -> String {
        match at_least {
            None => Question::Value,
            Some(o) if o == self.win && self.numbers.is_none() && self.scores.is_none() => {
                Question::Win
            }
            Some(o) => Question::AtLeast(self.name(o)),
        }
        .to_string()
    }

    /// The winner's name, where the value lies between these bounds. Scores that can be negative
    /// have a winner by their sign; otherwise it is whoever is known to reach the end of the scale
    /// on their side. Who plays alone wins nothing, and several who play together are not one winner.
    pub(crate) fn winner<G: Notation>(
        &self,
        game: &G,
        (low, high): (Outcome, Outcome),
    ) -> Option<String> {
        if game.one_player() {
            return None;
        }
        if self.max != Agent::FIRST || self.own_scores {
            let ranks = &self.winners[usize::from(low.0)..=usize::from(high.0)];
            let sure = |agent: &&Agent| ranks.iter().all(|winners| winners == &[**agent]);
            let winner = self.winners[usize::from(low.0)].iter().find(sure);
            return winner.map(|&agent| game.agent_name(agent).to_owned());
        }
        let sign = |numbers: &[i64], o: Outcome| numbers[usize::from(o.0)].signum();
        let (max, min) = match &self.numbers {
            Some(n) if n[0] < 0 => (sign(n, low) > 0, sign(n, high) < 0),
            _ => (low == self.best(), high == Outcome(0)),
        };
        let side = match (max, min) {
            (true, _) => Side::Max,
            (_, true) => Side::Min,
            _ => return None,
        };
        Some(game.players()[side.index()]).filter(|name| *name != OTHERS).map(str::to_owned)
    }
}

/// The agent of this name; `option` says where the name stands.
pub(crate) fn agent_called<G: Notation>(
    game: &G,
    name: &str,
    option: &str,
) -> Result<Agent, Error> {
    let names: Vec<String> =
        (0..game.agents()).map(|a| game.agent_name(Agent(a)).to_owned()).collect();
    match names.iter().position(|n| n.eq_ignore_ascii_case(name)) {
        Some(i) => Ok(Agent(i as u8)),
        None => Err(Error::input(format!("`{name}` does not play {}", game.name()))
            .at(option, name, 0..name.len())
            .help(suggest(name, &names).unwrap_or_default())),
    }
}
