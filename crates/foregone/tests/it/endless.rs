//! Games in which it depends on the position what endless play is worth: every driver and scheme
//! against brute force, with certificates, on random graphs and on Awari.

use foregone::model::{Agent, Endless, Game, Notation, Outcome, Rng, Scale, Side, TextError, Turn};
use foregone::search::all_guidances;
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::{AnyGame, Job, Outcomes, Question};

use crate::common::{bounds, guided, in_turn, line_is_true, run_on, shared, turn};

/// A random graph in layers: a move leads to the same layer or to a later one, and what endless play
/// is worth is said for each layer.
#[derive(Clone, Debug)]
struct Layers {
    /// The layer of each state, who moves, if anybody, where to, and the outcome of an end.
    states: Vec<(usize, Option<Side>, Vec<u8>, Outcome)>,
    endless: Vec<Outcome>,
    outcomes: u16,
}

foregone::unguided!(Layers);

impl Layers {
    fn new(rng: &mut Rng, outcomes: u16) -> Layers {
        let layers = 2 + rng.below(2) as usize;
        let mut layer_of: Vec<usize> = Vec::new();
        for layer in 0..layers {
            layer_of.extend(vec![layer; 1 + rng.below(4) as usize]);
        }
        // A few ends behind them.
        let choices = layer_of.len();
        layer_of.extend(vec![layers; 2]);
        let any = |rng: &mut Rng| Outcome(rng.below(outcomes.into()) as u16);
        let endless = (0..=layers).map(|_| any(rng)).collect();
        let state = |s: usize| {
            if s >= choices {
                return (layers, None, Vec::new(), any(rng));
            }
            let first = layer_of.iter().position(|&layer| layer == layer_of[s]).unwrap_or(s);
            let width = (layer_of.len() - first) as u32;
            let mut next: Vec<u8> =
                (0..1 + rng.below(3)).map(|_| (first as u32 + rng.below(width)) as u8).collect();
            next.sort_unstable();
            next.dedup();
            let side = [Side::Max, Side::Min][rng.below(2) as usize];
            (layer_of[s], Some(side), next, Outcome(0))
        };
        Layers { states: (0..layer_of.len()).map(state).collect(), endless, outcomes }
    }

    /// Whether Max reaches an outcome from each state: layer by layer, the last one first, as many
    /// times over a layer as anything changes.
    fn reached(&self, at_least: Outcome) -> Vec<bool> {
        let mut reached: Vec<bool> = self
            .states
            .iter()
            .map(|(layer, side, _, outcome)| match side {
                None => *outcome >= at_least,
                Some(_) => self.endless[*layer] >= at_least,
            })
            .collect();
        for layer in (0..self.endless.len()).rev() {
            let mut changed = true;
            while changed {
                changed = false;
                for (s, (own, side, next, _)) in self.states.iter().enumerate() {
                    let mut after = next.iter().map(|&n| reached[usize::from(n)]);
                    let now = match side {
                        Some(Side::Max) if *own == layer => after.any(|reached| reached),
                        Some(Side::Min) if *own == layer => after.all(|reached| reached),
                        _ => continue,
                    };
                    changed |= std::mem::replace(&mut reached[s], now) != now;
                }
            }
        }
        reached
    }
}

impl Game for Layers {
    type State = u8;
    type Move = u8;
    fn scale(&self) -> Scale {
        Scale::words((0..self.outcomes).map(|o| format!("end{o}")).collect())
    }
    fn endless(&self) -> Endless {
        Endless::Scores(self.endless[0])
    }
    fn endless_from(&self, s: &u8) -> Endless {
        Endless::Scores(self.endless[self.states[usize::from(*s)].0])
    }
    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, s: &u8) -> Turn {
        self.states[usize::from(*s)].1.map_or(Turn::Over, |side| Turn::Agent(side.agent()))
    }
    fn moves(&self, s: &u8, _: Agent, out: &mut Vec<u8>) {
        out.extend(&self.states[usize::from(*s)].2);
    }
    fn play(&self, s: &mut u8, _: Agent, m: u8) {
        *s = m;
    }
    fn outcome(&self, s: &u8) -> Outcome {
        self.states[usize::from(*s)].3
    }
}

impl Notation for Layers {
    fn name(&self) -> String {
        "layers".to_owned()
    }
    fn players(&self) -> [&str; 2] {
        ["max", "min"]
    }
    fn write_move(&self, _: &u8, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }
    fn parse_move(&self, _: &u8, text: &str) -> Option<u8> {
        text.parse().ok().filter(|m: &u8| m.to_string() == text)
    }
    fn write_position(&self, s: &u8, out: &mut String) {
        out.push_str(&s.to_string());
    }
    fn read_position(&self, text: &str) -> Result<u8, TextError> {
        let found = text.parse().ok().filter(|&s: &u8| usize::from(s) < self.states.len());
        found.ok_or_else(|| TextError::new("expected a number", 0..text.len()))
    }
}

/// The strong solution and every search say what brute force says. How often endless play of another
/// layer than that of the start decided.
fn agree(seed: u64, games: u32, outcomes: u16) -> [u32; 2] {
    let mut rng = Rng::new(seed);
    let mut seen = [0; 2];
    for number in 0..games {
        let game = Layers::new(&mut rng, outcomes);
        let reached: Vec<Vec<bool>> =
            (1..outcomes).map(|at_least| game.reached(Outcome(at_least))).collect();
        for (at_least, reached) in (1..).zip(&reached) {
            let strong = StrongSolution::of(&game, 0, Outcome(at_least), 1000).unwrap();
            for (s, &reached) in reached.iter().enumerate() {
                let expected = if reached { Verdict::Won } else { Verdict::Lost };
                if let Some(found) = strong.verdict(&(s as u8)) {
                    assert_eq!(found, expected, "{game:?} {s} at least {at_least}");
                    let varies = strong.distance(&(s as u8)).is_none();
                    seen[1] += u32::from(varies && reached != (game.endless[0].0 >= at_least));
                }
            }
        }
        let worth = |s: u8| reached.iter().filter(|reached| reached[usize::from(s)]).count() as u16;
        let value = Outcome(worth(0));
        let any = AnyGame::in_turn(game.clone());
        for guidance in all_guidances(false) {
            for ways in [Outcomes::Dichotomic, Outcomes::Iterative] {
                if ways != Outcomes::Dichotomic && (guidance.many_outcomes() || outcomes == 2) {
                    continue;
                }
                let job = Job { seed: u64::from(number), outcomes: ways, ..Job::default() };
                let job = if outcomes == 2 { job.ask(Question::Win) } else { job };
                let finished = run_on(&any, &guided(job, guidance));
                let finished = finished.unwrap_or_else(|e| panic!("{e} for {guidance} {game:?}"));
                let answer = turn(&finished);
                assert_eq!(bounds(&game, answer), (value, value), "{guidance} {game:?}");
                assert!(answer.proof.is_some(), "{guidance} proves nothing on {game:?}");
                let keeps = |s: &u8| assert_eq!(worth(*s), value.0, "{guidance} {game:?}");
                assert!(line_is_true(&game, answer, keeps), "{guidance} {game:?}");
            }
        }
        seen[0] += 1;
    }
    seen
}

#[test]
fn questions_of_graphs_in_layers_agree_with_brute_force() {
    let [games, varied] = agree(1, 600, 2);
    assert!(games == 600 && varied > 100, "{varied}");
}

#[test]
fn values_of_graphs_in_layers_agree_with_brute_force() {
    let [games, varied] = agree(2, 200, 5);
    assert!(games == 200 && varied > 100, "{varied}");
}

/// Values by `problems/oracle.py`.
#[test]
fn every_search_values_awari() {
    for (spec, position, value) in [
        ("awari:2,1", "start", "+2"),
        ("awari:2,1,takes-all", "start", "0"),
        ("awari:2,2,forbidden", "start", "+2"),
        ("awari:2,2,takes-all", "start", "+8"),
        ("awari:3,2", "1,0,1+0/0,2,0+3 north", "-5"),
        ("awari:2,2", "1,0+0/0,1+3 north", "-3"),
        ("awari:2,2", "1,1+2/1,0+0 north", "+1"),
        ("awari:2,2", "0,1+3/1,0+0 south", "+3"),
    ] {
        let game = shared(&in_turn(spec));
        for guidance in all_guidances(false) {
            let job = Job { position: position.to_owned(), ..Job::default() };
            let finished = run_on(&game, &guided(job, guidance));
            let finished = finished.unwrap_or_else(|e| panic!("{e} for {guidance} on {spec}"));
            assert_eq!(finished.answer.value(), Some(value), "{guidance} on {spec} {position}");
            let checked = finished.answer.proof().is_some_and(|proof| proof.checked);
            assert!(checked, "{guidance} proves nothing on {spec} {position}");
        }
    }
}
