//! The searches that formulas simulate (Definition 32).

use super::*;
use crate::classes::holds;

/// The protagonist.
const A: Agent = Agent(0);

/// The searches that formulas simulate (Definition 32), written out: their answers, and through
/// the automaton's log the states in their order.
struct Direct<'a>(&'a Automaton);

impl Direct<'_> {
    fn won(&self, s: u16) -> bool {
        literal(self.0, &s, Proposition::Won(A))
    }

    /// Tries the moves of an agent until one leads to `found`.
    fn any(&self, s: u16, agent: Agent, found: &mut dyn FnMut(u16) -> bool) -> bool {
        moves(self.0, &s, agent, A)
            .into_iter()
            .any(|m| found(m.map_or(s, |m| self.0.go(s, agent, m))))
    }

    fn all(&self, s: u16, agent: Agent, holds: &mut dyn FnMut(u16) -> bool) -> bool {
        !self.any(s, agent, &mut |t| !holds(t))
    }

    fn depth_first(&self, s: u16, n: u32) -> bool {
        self.won(s) || (n > 0 && self.any(s, A, &mut |t| self.depth_first(t, n - 1)))
    }

    fn alpha_beta(&self, s: u16, n: u32) -> bool {
        self.won(s)
            || match n {
                0 => false,
                1 => self.any(s, A, &mut |t| self.won(t)),
                _ => self
                    .any(s, A, &mut |t| self.all(t, Agent(1), &mut |u| self.alpha_beta(u, n - 1))),
            }
    }

    fn abstract_proof(&self, s: u16, n: u32) -> bool {
        self.won(s)
            || match n {
                0 => false,
                1 => self.any(s, A, &mut |t| self.won(t)),
                _ => self.any(s, A, &mut |t| {
                    self.abstract_proof(t, n - 1)
                        && self.all(t, Agent(1), &mut |u| self.abstract_proof(u, n - 1))
                }),
            }
    }

    fn lambda(&self, s: u16, d: u32, n: u32) -> bool {
        self.won(s)
            || match (d, n) {
                (0, _) | (_, 0) => false,
                (_, 1) => self.any(s, A, &mut |t| self.won(t)),
                _ => self.any(s, A, &mut |t| {
                    self.lambda(t, d - 1, n - 1)
                        && self.all(t, Agent(1), &mut |u| self.lambda(u, d, n - 2))
                }),
            }
    }

    fn paranoid(&self, s: u16, n: u32, i: u8) -> bool {
        match (n, i) {
            (0, _) => self.won(s),
            (_, 0) => self.won(s) || self.any(s, A, &mut |t| self.paranoid(t, n - 1, 1)),
            _ => {
                let next = (i + 1) % self.0.agents;
                self.all(s, Agent(i), &mut |t| self.paranoid(t, n - 1, next))
            }
        }
    }

    fn best_reply(&self, s: u16, n: u32) -> bool {
        self.won(s)
            || match n {
                0 => false,
                1 => self.any(s, A, &mut |t| self.won(t)),
                _ => self.any(s, A, &mut |t| {
                    (1..self.0.agents)
                        .all(|i| self.all(t, Agent(i), &mut |u| self.best_reply(u, n - 1)))
                }),
            }
    }
}

#[test]
fn depth_first_proof_search_simulates_the_known_searches() {
    let mut rng = Rng::new(32);
    let mut seen = [0u32; 2];
    for round in 0..300 {
        let game = Automaton::random(2 + (round % 2) as u8, 7, 4, &mut rng);
        let mut same = |text: String, search: &dyn Fn(&Direct<'_>) -> bool| {
            let check = Check::new(&game, formula(&game, &text));
            game.log();
            let direct = search(&Direct(&game));
            let expected = game.log();
            let goal = Goal::new(&check, check.ask(0), Outcome::WIN, Side::Min);
            let report = dfs(&goal, Limits::NONE, &mut ());
            assert_eq!(report.value() == Some(Outcome::WIN), direct, "{text}");
            assert_eq!(game.log(), expected, "{text}: the same states in the same order");
            seen[usize::from(direct)] += 1;
        };
        for n in 1..=3 {
            same(format!("path({n})"), &|d| d.depth_first(0, n));
            same(format!("omega({n})"), &|d| d.alpha_beta(0, n));
            same(format!("APS({n})"), &|d| d.abstract_proof(0, n));
            same(format!("PA({})", 2 * n), &|d| d.paranoid(0, 2 * n, 0));
            same(format!("beta({n})"), &|d| d.best_reply(0, n));
            for order in 1..=3 {
                let depth = 2 * n - 1;
                same(format!("lambda({order}, {depth})"), &|d| d.lambda(0, order, depth));
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

#[test]
fn proof_number_proof_search_on_omega_is_proof_number_search() {
    let mut rng = Rng::new(9);
    for round in 0..300 {
        // Six moves at most, so that three of A's and three of B's are the whole game. Nobody wins
        // as well as B: A has won or not.
        let game = Automaton::random(2, 6, 5, &mut rng);
        let plain = Goal::new(&game, 0, game.scale().best(), Side::Min);
        game.log();
        let searched = tree(&plain, &Pn, &mut Leaves::new(Init::One, 0), Limits::NONE, &mut ());
        let expected = game.log();
        let check = Check::new(&game, formula(&game, "omega(4)"));
        let goal = Goal::new(&check, check.ask(0), Outcome::WIN, Side::Min);
        let report = tree(&goal, &Pn, &mut Leaves::new(Init::One, 0), Limits::NONE, &mut ());
        assert_eq!(report.value(), searched.value(), "round {round}");
        let counted = |r: &Counts| (r.expansions, r.nodes);
        assert_eq!(counted(&report.counts), counted(&searched.counts), "round {round}");
        assert_eq!(game.log(), expected, "round {round}: the same states in the same order");
    }
}

#[test]
fn a_stalemate_does_not_prove_what_follows_all_moves() {
    // B has no moves where A has won; where nobody has, it passes for ever.
    let known = |over, next: [&[u16]; 2]| Known {
        over,
        turn: 0,
        labels: 0,
        next: next.iter().map(|n| n.to_vec()).collect(),
    };
    let states = vec![
        known(None, [&[1, 2], &[]]),
        known(Some(None), [&[], &[]]),
        known(Some(Some(0)), [&[], &[]]),
    ];
    let game = Automaton { agents: 2, states, played: Mutex::new(Vec::new()) };
    for (state, expected) in [(1, false), (2, true)] {
        let f = formula(&game, "[B] omega(3)");
        let check = Check::new(&game, f);
        let goal = Goal::new(&check, check.ask(state), Outcome::WIN, Side::Min);
        let report = dfs(&goal, Limits::NONE, &mut ());
        assert_eq!(report.value() == Some(Outcome::WIN), expected, "state {state}");
    }
    // A itself has no moves at all in a final state.
    assert!(!holds(&game, &1, "<A> true"));
    assert!(holds(&game, &1, "[A] false"));
    assert!(holds(&game, &1, "<B> l"));
    assert!(!holds(&game, &2, "<B> true"));
}
