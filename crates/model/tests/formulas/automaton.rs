//! A random game graph with labels.

use foregone_model::{
    Agent, Atom, Game, Guide, Notation, OffTurn, Outcome, Reach, Rng, Scale, TextError, Turn,
};

/// A random automaton: for every state who is on turn, or who has won, and the moves of all agents.
pub(crate) struct Automaton {
    pub(crate) names: Vec<String>,
    pub(crate) off_turn: OffTurn,
    pub(crate) states: Vec<State>,
}

pub(crate) struct State {
    /// Who has won, if the state is final: an agent, or nobody.
    pub(crate) over: Option<Option<u8>>,
    pub(crate) turn: u8,
    pub(crate) labels: u8,
    pub(crate) next: Vec<Vec<u16>>,
}

impl Automaton {
    /// States whose moves go to later ones. Who is on turn has a move; others may have none.
    pub(crate) fn random(agents: u8, count: u16, rng: &mut Rng) -> Automaton {
        let off_turn = [OffTurn::Moves, OffTurn::Passes][rng.below(2) as usize];
        let states = (0..count)
            .map(|at| {
                let last = at + 1 == count;
                let over = last || (at > 0 && rng.below(3) == 0);
                let winner = rng.below(u32::from(agents) + 1) as u8;
                let turn = rng.below(u32::from(agents)) as u8;
                let mut moves = |agent: u8| {
                    let least = u32::from(agent == turn);
                    let many = if over { 0 } else { least + rng.below(3) };
                    let later = u32::from(count - at - 1);
                    (0..many).map(|_| at + 1 + rng.below(later) as u16).collect()
                };
                let next = (0..agents).map(&mut moves).collect();
                let over = over.then_some(Some(winner).filter(|&w| w < agents));
                State { over, turn, labels: rng.below(4) as u8, next }
            })
            .collect();
        let names = (0..agents).map(|a| format!("agent{a}")).collect();
        Automaton { names, off_turn, states }
    }

    /// Two agents with these names, nothing to play.
    pub(crate) fn called(names: &[&str]) -> Automaton {
        let next = vec![Vec::new(); names.len()];
        let over = State { over: Some(None), turn: 0, labels: 0, next };
        let names = names.iter().map(|&n| n.to_owned()).collect();
        Automaton { names, off_turn: OffTurn::Moves, states: vec![over] }
    }

    pub(crate) fn at(&self, s: u16) -> &State {
        &self.states[usize::from(s)]
    }

    /// Whether an agent can have won by so many moves, everybody helping, in any order that the
    /// rules and formulas allow.
    pub(crate) fn within(&self, s: u16, agent: Agent, own: u32, others: u32) -> bool {
        let state = self.at(s);
        if let Some(winner) = state.over {
            return winner == Some(agent.0);
        }
        (0..self.agents()).any(|mover| {
            let off = self.off_turn == OffTurn::Passes && mover != state.turn;
            let own_move = mover == agent.0;
            let left = if own_move { own > 0 } else { others > 0 };
            let (own, others) =
                (own.saturating_sub(own_move.into()), others.saturating_sub((!own_move).into()));
            let next = &state.next[usize::from(mover)];
            !off && left && next.iter().any(|&t| self.within(t, agent, own, others))
        })
    }
}

impl Game for Automaton {
    type State = u16;
    type Move = u8;

    fn scale(&self) -> Scale {
        let mut names: Vec<String> = (1..self.agents()).map(|a| format!("won{a}")).collect();
        names.extend(["nobody".to_owned(), "won0".to_owned()]);
        Scale::words(names)
    }

    fn start(&self) -> u16 {
        0
    }

    fn turn(&self, s: &u16) -> Turn {
        let state = self.at(*s);
        if state.over.is_some() { Turn::Over } else { Turn::Agent(Agent(state.turn)) }
    }

    fn moves(&self, s: &u16, agent: Agent, out: &mut Vec<u8>) {
        assert!(self.at(*s).over.is_none(), "moves are asked of a state that is over");
        out.extend(0..self.at(*s).next[usize::from(agent.0)].len() as u8);
    }

    fn play(&self, s: &mut u16, agent: Agent, m: u8) {
        *s = self.at(*s).next[usize::from(agent.0)][usize::from(m)];
    }

    fn outcome(&self, s: &u16) -> Outcome {
        let nobody = u16::from(self.agents()) - 1;
        match self.at(*s).over.expect("the outcome of a state that is not over") {
            Some(0) => Outcome(nobody + 1),
            Some(a) => Outcome(u16::from(a) - 1),
            None => Outcome(nobody),
        }
    }

    fn agents(&self) -> u8 {
        self.names.len() as u8
    }

    fn off_turn(&self) -> OffTurn {
        self.off_turn
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        let of = if agent.0 == 0 { self.agents() } else { agent.0 - 1 };
        outcome.0 == u16::from(of)
    }

    fn holds(&self, s: &u16, atom: Atom) -> bool {
        self.at(*s).labels >> atom.0 & 1 == 1
    }
}

impl Guide for Automaton {
    type Packed = u16;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &u16) -> u16 {
        *s
    }

    /// All that can be known, and nothing is known of a state that is over.
    fn out_of_reach(&self, s: &u16, end: Reach) -> Option<&'static str> {
        assert!(self.at(*s).over.is_none(), "knowledge is asked of a state that is over");
        (!self.within(*s, end.agent, end.own, end.others)).then_some("exactly")
    }
}

impl Notation for Automaton {
    fn name(&self) -> String {
        "automaton".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["agent0", "others"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        &self.names[usize::from(agent.0)]
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[("p", ""), ("q(1)", ""), ("stone(X)", "")]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        ["p", "q(1)"].iter().position(|a| *a == text).map(|i| Atom(i as u32))
    }

    fn write_move(&self, _s: &u16, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &u16, text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, s: &u16, out: &mut String) {
        out.push_str(&s.to_string());
    }

    fn read_position(&self, text: &str) -> Result<u16, TextError> {
        text.parse().map_err(|_| TextError::new("no state", 0..text.len()))
    }

    fn draw(&self, s: &u16) -> String {
        format!("{s}\n")
    }
}
