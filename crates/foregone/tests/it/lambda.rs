//! Wins by threats: the search beside the definition in so many words, with zones and without.

use std::collections::HashMap;

use foregone::games::atari_go::AtariGo;
use foregone::games::erased::{AnyState, Erased};
use foregone::games::go_capture::GoCapture;
use foregone::games::gomoku::Gomoku;
use foregone::games::hex::Hex;
use foregone::games::tic_tac_toe::TicTacToe;
use foregone::games::y::Y;
use foregone::model::certificate::{self, Reader, RulesOnly};
use foregone::model::{Game, Goal, Look, Notation, Outcome, Rng, Side, Space, Turn};
use foregone::search::drive::{Find, Order, OrderBy, Threats, Walk, alphabeta, lambda_told};
use foregone::search::{Limits, Report, StopReason};

/// The definition, in so many words.
struct Slow<'g> {
    goal: Goal<'g, Erased>,
    attacker: Side,
    /// By state, whether the attacker moves out of turn, order, and moves of the attacker left.
    known: HashMap<(AnyState, bool, u32, u32), bool>,
}

/// So many moves of the attacker are tried where positions can come up again.
const DEEP: u32 = 9;

impl Slow<'_> {
    fn steps(&self, s: &AnyState, side: Side) -> Vec<AnyState> {
        let mut steps = Vec::new();
        self.goal.steps(s, side, &mut steps);
        let next = |step| {
            let mut next = s.clone();
            self.goal.take(&mut next, side, step);
            next
        };
        steps.into_iter().map(next).collect()
    }

    /// Whether the attacker, who moves, wins with this order.
    fn wins(&mut self, s: &AnyState, off: bool, order: u32, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let key = (s.clone(), off, order, depth);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let below = if self.goal.repeats() { depth - 1 } else { depth };
        let moves = self.steps(s, self.attacker);
        let wins = moves.iter().any(|q| match self.goal.look(q) {
            Look::Over(o) => self.has_won(o),
            Look::Choice(side) => {
                side != self.attacker
                    && order > 0
                    && self.wins(q, true, order - 1, below)
                    && self.holds(q, order, below)
            }
        });
        self.known.insert(key, wins);
        wins
    }

    /// Whether the attacker wins after every reply.
    fn holds(&mut self, q: &AnyState, order: u32, depth: u32) -> bool {
        let replies = self.steps(q, self.attacker.other());
        replies.iter().all(|t| match self.goal.look(t) {
            Look::Over(o) => self.has_won(o),
            Look::Choice(side) => side == self.attacker && self.wins(t, false, order, depth),
        })
    }

    fn has_won(&self, o: Outcome) -> bool {
        (o == Outcome::WIN) == (self.attacker == Side::Max)
    }
}

/// Who wins by threats of up to this order, by the definition.
fn slowly(goal: &Goal<'_, Erased>, order: u32) -> Option<Side> {
    let root = goal.root();
    let Look::Choice(mover) = goal.look_at_root(&root) else { panic!("it is over") };
    let mut slow = [Side::Max, Side::Min].map(|attacker| Slow {
        goal: goal.clone(),
        attacker,
        known: HashMap::new(),
    });
    for n in 0..=order {
        for attacker in [mover, mover.other()] {
            let slow = &mut slow[attacker.index()];
            let wins = match attacker == mover {
                true => slow.wins(&root, false, n, DEEP),
                false => slow.holds(&root, n, DEEP),
            };
            if wins {
                return Some(attacker);
            }
        }
    }
    None
}

fn by_threats(goal: &Goal<'_, Erased>, order: u32, zones: bool) -> Report<<Erased as Game>::Move> {
    let threats = Threats { order, zones };
    let (report, failures) = lambda_told(goal, threats, Limits::NONE, u64::MAX, &mut ());
    // The law of zones: what is left out never refutes anything.
    assert_eq!(failures, 0, "{:?} {}", goal.game(), goal.game().position_text(&goal.root()));
    report
}

/// Replays the certificate of a report, and says who wins.
fn proved(
    game: &Erased,
    goal: &Goal<'_, Erased>,
    report: &Report<<Erased as Game>::Move>,
) -> Option<Side> {
    let Some(value) = report.value() else {
        assert_eq!((report.stop, report.solutions.len()), (StopReason::Orders, 0));
        assert_eq!(report.bounds, (Outcome::LOSS, Outcome::WIN));
        return None;
    };
    let winner = if value == Outcome::WIN { Side::Max } else { Side::Min };
    let [solution] = &report.solutions[..] else { panic!("{report:?}") };
    assert_eq!((report.stop, solution.weak.prover), (StopReason::Solved, winner));
    let claim = goal.claim(winner, solution.at_least);
    let text = certificate::write(game, &goal.root(), claim, &solution.weak).text;
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header().unwrap().unwrap();
    certificate::check(game, &header, &mut reader, &mut RulesOnly)
        .unwrap_or_else(|e| panic!("{}: {e}", game.position_text(&goal.root())));
    Some(winner)
}

/// Who wins, by a search that knows nothing of threats.
fn truly(goal: &Goal<'_, Erased>) -> Side {
    let order = Order { by: OrderBy::Game, walk: Walk::Null, seed: 0, find: Find::One, threads: 1 };
    let report = alphabeta(goal, order, Limits::NONE, 0, &mut ());
    match report.value() {
        Some(Outcome::WIN) => Side::Max,
        Some(_) => Side::Min,
        None => panic!("{report:?}"),
    }
}

/// A position after some random moves that is not over.
fn position(game: &Erased, (least, most): (u32, u32), rng: &mut Rng) -> AnyState {
    loop {
        let mut s = game.start();
        for _ in 0..least + rng.below(most - least + 1) {
            let Turn::Agent(agent) = game.turn(&s) else { break };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
        }
        if game.turn(&s) != Turn::Over {
            return s;
        }
    }
}

/// Compares the search with the definition from random positions, and says how often somebody wins.
fn compare(game: &Erased, moves: (u32, u32), order: u32, positions: u32) -> u32 {
    let mut rng = Rng::new(u64::from(moves.1) + 1);
    let mut won = 0;
    for _ in 0..positions {
        let s = position(game, moves, &mut rng);
        let best = game.scale().best();
        let at_least = Outcome(1 + rng.below(u32::from(best.0)) as u16);
        let goal = Goal::new(game, s.clone(), at_least, Side::Min).with_knowledge(false);
        let place = format!("{game:?} {} at least {at_least:?}", game.position_text(&s));
        let mut before = None;
        for n in 0..=order {
            let expected = slowly(&goal, n);
            let zones = proved(game, &goal, &by_threats(&goal, n, true));
            let plain = proved(game, &goal, &by_threats(&goal, n, false));
            assert_eq!((zones, plain), (expected, expected), "{place}, order {n}");
            assert!(before.is_none() || before == expected, "{place}, order {n}");
            if before.is_none() && expected.is_some() {
                assert_eq!(expected, Some(truly(&goal)), "{place}, order {n}");
            }
            before = expected;
        }
        won += u32::from(before.is_some());
    }
    assert!(won > 0, "{game:?}: none of {positions} won up to order {order}");
    won
}

#[test]
fn lines_are_won_as_the_definition_says() {
    assert!(compare(&Erased::new(TicTacToe::new()), (0, 6), 3, 500) > 200);
    assert!(compare(&Erased::new(Gomoku::<u64>::new(4, 3)), (4, 8), 3, 300) > 200);
    assert!(compare(&Erased::new(Gomoku::<u64>::new(4, 4)), (8, 13), 3, 300) > 20);
    assert!(compare(&Erased::new(Gomoku::<u64>::new(5, 4)), (13, 18), 2, 300) > 100);
}

#[test]
fn connections_are_won_as_the_definition_says() {
    assert!(compare(&Erased::new(Hex::<u64>::new(3)), (0, 5), 3, 300) > 200);
    assert!(compare(&Erased::new(Hex::<u64>::new(4)), (5, 10), 2, 250) > 150);
    assert!(compare(&Erased::new(Y::<u64>::new(4)), (1, 6), 3, 250) > 150);
}

#[test]
fn captures_are_won_as_the_definition_says() {
    assert!(compare(&Erased::new(AtariGo::<u64>::new(3, 3)), (0, 5), 3, 400) > 200);
    assert!(compare(&Erased::new(AtariGo::<u64>::new(4, 4)), (3, 10), 2, 250) > 120);
    for hunted in [Side::Min, Side::Max] {
        let game = Erased::new(GoCapture::<u64>::new(5, 5, 3, hunted));
        assert!(compare(&game, (0, 6), 3, 300) > 100);
    }
}
