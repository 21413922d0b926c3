//! Games with chance: what the searches of expected values take, and how fast they walk.

use std::time::Instant;

use foregone::games::einstein::Einstein;
use foregone::games::pig::Pig;
use foregone::model::{Agent, Game, Guide};
use foregone::search::Limits;
use foregone::search::chance::{Expectation, Walk, WalkOptions, walk};
use foregone::text::{grouped, short};
use foregone::{Answer, Error, ExpectedAnswer};

use super::{Bench, wrong};

/// Games whose value every search with a table finds.
const GAMES: &[&str] =
    &["random-chance:4,4,6,10,1", "einstein:3", "bear-off:2-1-1-1", "dice-race:5"];

/// The searches that are compared.
const SEARCHES: &[&str] = &[
    "expectimax(tree)",
    "star1(tree)",
    "star2(tree)",
    "expectimax",
    "star1",
    "star2",
    "bounds",
    "mcms(samples=4)",
    "mcms(samples=16)",
];

/// The nodes at which a search without a table is given up.
const MOST_NODES: u64 = 20_000_000;

impl Bench<'_, '_> {
    /// The searches of expected values side by side, and nodes a second.
    pub(super) fn chance(&mut self) -> Result<(), Error> {
        self.program.say("chance\n");
        for game in GAMES {
            self.searches(game)?;
        }
        for game in ["einstein:3", "einstein:4", "pig:100"] {
            let answer = self.expected(&format!("{game} solver=iterate"))?;
            let proof = answer.proof.as_ref().map_or(0, |proof| proof.claims);
            let value = answer.value.unwrap_or_default();
            self.program.say(&format!(
                "  {game:<24} value {:.10}  {:>10} nodes  {:>10} claims  {:.2} s\n",
                foregone::model::number::read_number(&value)
                    .map_or(0.0, |v| foregone::model::Fraction::as_f64(&v)),
                grouped(answer.nodes),
                grouped(proof),
                answer.seconds
            ));
        }
        let pig = Pig::new(100, 6);
        self.speed("pig:100", &pig, 9);
        let einstein = Einstein::new(5, 6);
        self.speed("einstein:5", &einstein, 5);
        Ok(())
    }

    fn searches(&mut self, game: &str) -> Result<(), Error> {
        let mut value: Option<f64> = None;
        for search in SEARCHES {
            let text = format!("{game} solver={search} proof=never nodes={MOST_NODES}");
            let answer = self.expected(&text)?;
            let found = answer.value.as_deref().map(|text| text.parse().unwrap_or(f64::NAN));
            let shown = match (found, answer.approximation) {
                (Some(found), _) => format!("{found:.9}"),
                (None, Some(about)) => format!("{about:.3} (about)"),
                (None, None) => "not found".to_owned(),
            };
            if let (Some(found), Some(value)) = (found, value)
                && (found - value).abs() > 1e-6
            {
                return Err(wrong(format!("{text}: {found}, and others find {value}")));
            }
            value = value.or(found);
            self.program.say(&format!(
                "  {game:<24} {search:<17} {:>12} nodes  {:>8.3} s  {shown}\n",
                grouped(answer.nodes),
                answer.seconds
            ));
        }
        Ok(())
    }

    fn expected(&self, text: &str) -> Result<ExpectedAnswer, Error> {
        match self.finish(&text.parse()?)?.answer {
            Answer::Expected(answer) => Ok(answer),
            _ => Err(wrong(format!("`{text}` is not about chance"))),
        }
    }

    /// Nodes a second of expectimax to a depth, as the peer does it.
    fn speed<G: Guide + Game>(&mut self, name: &str, game: &G, plies: u32) {
        let Some(of) = Expectation::new(game, Agent::FIRST) else { return };
        let options =
            WalkOptions { plies: Some(plies), ..WalkOptions::new(Walk::Expectimax, false) };
        let began = Instant::now();
        let report = walk(&of, &game.start(), options, Limits::NONE, &mut ());
        let seconds = began.elapsed().as_secs_f64();
        self.program.say(&format!(
            "  {name:<24} expectimax, {plies} moves ahead: {} nodes, {} a second\n",
            grouped(report.counts.nodes),
            short(report.counts.nodes as f64 / seconds)
        ));
    }
}
