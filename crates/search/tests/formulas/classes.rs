//! Classes of formulas against those of the paper, and Propositions 31 to 33.

use super::*;

/// The classes as the paper has them (its Definitions 4, 5 and 8 to 12), where `a` is A's turn
/// and `b` that of others.
pub(crate) const PAPER: &str = "
    def WSa(0) = w; def WSa(n) = w | (!l & <A> WSb(n-1));
    def WSb(0) = w; def WSb(n) = w | (!l & [B] WSa(n-1));
    def La(0) = w; def La(n) = w | (!l & <A>(w | (<A> w & Lb(n-1))));
    def Lb(0) = w; def Lb(n) = w | (!l & [B] La(n-1));
    def LSa(0, n) = w; def LSa(d, 0) = w;
    def LSa(d, n) = w | <A>(!l & LSa(d-1, n-1) & LSb(d, n-1));
    def LSb(0, n) = w; def LSb(d, 0) = w; def LSb(d, n) = w | [B](!l & LSa(d, n-1));
    def APSa(0) = w; def APSa(n) = w | <A>(!l & APSa(n-1) & APSb(n-1));
    def APSb(0) = w; def APSb(n) = w | [B](!l & APSa(n-1));
    def PTa(n) = w | <A>(!l & path(n) & PTb(n));
    def PTb(0) = w; def PTb(n) = w | (!l & [B] PTa(n-1));
    def BRSa(0) = w; def BRSa(n) = w | <A>(!l & BRSb(n-1));
    def BRSb(0) = w; def BRSb(n) = w | [B*](!l & BRSa(n-1));
    def PAa(0) = w; def PAa(n) = w | <A>(!l & PAb(n-1, 1));
    def PAb(0, i) = w; def PAb(n, i) when i < k = w | [B(i)](!l & PAb(n-1, i+1));
    def PAb(n, i) = w | [B(i)](!l & PAa(n-1));
";

thread_local! {
    /// Formulas that were read before: reading takes longer than asking.
    static READ: RefCell<HashMap<(u8, String), Formula>> = RefCell::default();
}

/// Whether a formula holds in a state, by the definition.
pub(crate) fn holds<G: Notation>(game: &G, s: &G::State, text: &str) -> bool {
    READ.with_borrow_mut(|read| {
        let f = read.entry((game.agents(), text.to_owned())).or_insert_with(|| formula(game, text));
        satisfies(game, f, s, f.root)
    })
}

#[test]
fn the_classes_of_the_thesis_agree_with_those_of_the_paper() {
    let mut rng = Rng::new(3);
    let mut seen = [0u32; 2];
    for round in 0..300 {
        let game = Automaton::random(2 + (round % 3) as u8, 7, 4, &mut rng);
        let mut agree = |thesis: String, paper: String| {
            let truth = holds(&game, &0, &thesis);
            seen[usize::from(truth)] += 1;
            assert_eq!(truth, holds(&game, &0, &paper), "{thesis} and {paper}, round {round}");
        };
        for n in 1..=3u32 {
            let depth = 2 * n - 1;
            agree(format!("omega({n})"), format!("WSa({depth})"));
            agree(format!("ladder({depth})"), format!("La({depth})"));
            agree(format!("PT({n})"), format!("PTa({})", n - 1));
            agree(format!("beta({n})"), format!("BRSa({depth})"));
            for d in 0..=3 {
                agree(format!("lambda({d}, {depth})"), format!("LSa({d}, {depth})"));
            }
            // A ladder is a λ-tree of order 2: that of order 1 asks for the win itself.
            agree(format!("ladder({depth})"), format!("lambda(2, {depth})"));
            agree(
                format!("gagnant({n})"),
                format!("<A> w | <A>(gagnant({}) & [B] gagnant({}))", n - 1, n - 1),
            );
        }
        for n in 1..=6 {
            agree(format!("PA({n})"), format!("PAa({n})"));
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

/// A Maker-Breaker game: agents take points in turn; agent 0 wants all points of one of the sets.
/// A move is never bad for who makes it, so there is no zugzwang.
struct Maker {
    points: u32,
    agents: u8,
    sets: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Taken {
    own: u8,
    others: u8,
    turn: u8,
}

impl Maker {
    fn random(agents: u8, rng: &mut Rng) -> Maker {
        let points = 4 + rng.below(3);
        let sets = (0..2 + rng.below(4))
            .map(|_| {
                let size = 1 + rng.below(3);
                (0..size).fold(0, |set, _| set | 1 << rng.below(points))
            })
            .collect();
        Maker { points, agents, sets }
    }

    fn free(&self, s: &Taken) -> u8 {
        ((1u16 << self.points) - 1) as u8 & !(s.own | s.others)
    }
}

impl Game for Maker {
    type State = Taken;
    type Move = u8;

    fn start(&self) -> Taken {
        Taken { own: 0, others: 0, turn: 0 }
    }

    fn turn(&self, s: &Taken) -> Turn {
        let won = self.sets.iter().any(|set| set & !s.own == 0);
        if won || self.free(s) == 0 { Turn::Over } else { Turn::Agent(Agent(s.turn)) }
    }

    fn moves(&self, s: &Taken, _agent: Agent, out: &mut Vec<u8>) {
        let free = self.free(s);
        out.extend((0..8).filter(|p| free >> p & 1 == 1));
    }

    fn play(&self, s: &mut Taken, agent: Agent, m: u8) {
        if agent.0 == 0 {
            s.own |= 1 << m;
        } else {
            s.others |= 1 << m;
        }
        s.turn = (agent.0 + 1) % self.agents;
    }

    fn outcome(&self, s: &Taken) -> Outcome {
        if self.sets.iter().any(|set| set & !s.own == 0) { Outcome::WIN } else { Outcome::LOSS }
    }

    fn agents(&self) -> u8 {
        self.agents
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }
}

impl Guide for Maker {
    type Packed = Taken;
    const PACKS_TURN: bool = true;

    fn pack(&self, s: &Taken) -> Taken {
        *s
    }
}

impl Notation for Maker {
    fn name(&self) -> String {
        "maker".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["maker", "breakers"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        ["maker", "breaker1", "breaker2"][usize::from(agent.0)]
    }

    fn write_move(&self, _s: &Taken, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &Taken, text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, s: &Taken, out: &mut String) {
        out.push_str(&format!("{}/{}/{}", s.own, s.others, s.turn));
    }

    fn read_position(&self, text: &str) -> Result<Taken, TextError> {
        Err(TextError::new("no position", 0..text.len()))
    }

    fn draw(&self, _s: &Taken) -> String {
        String::new()
    }
}

impl Maker {
    /// All states in which as many points are taken by either side as the formulas may ask for.
    fn states(&self) -> Vec<Taken> {
        let all = 1u16 << self.points;
        let mut states = Vec::new();
        for own in 0..all {
            for others in (0..all).filter(|o| o & own == 0) {
                states.push(Taken { own: own as u8, others: others as u8, turn: 0 });
            }
        }
        states
    }
}

/// Proposition 31 holds in every game: each of the three classes has ω as its consequence.
#[test]
fn proposition_31_threats_are_winning_strategies() {
    let mut rng = Rng::new(31);
    let mut premises = 0;
    for _ in 0..300 {
        let game = Automaton::random(2, 7, 4, &mut rng);
        for n in 1..=3 {
            let omega = holds(&game, &0, &format!("omega({n})"));
            let mut implies = |text: String| {
                let premise = holds(&game, &0, &text);
                premises += u32::from(premise);
                assert!(!premise || omega, "{text}");
            };
            implies(format!("APS({n})"));
            implies(format!("PT({n})"));
            for d in 0..=3 {
                implies(format!("lambda({d}, {})", 2 * n - 1));
            }
        }
    }
    assert!(premises > 300, "{premises}");
}

/// Proposition 32: without zugzwang, ω has the same consequences as APS and PT.
#[test]
fn proposition_32_without_zugzwang_strategies_are_threats() {
    let mut rng = Rng::new(32);
    let mut premises = 0;
    for _ in 0..20 {
        let game = Maker::random(2, &mut rng);
        for s in game.states() {
            for n in 1..=3 {
                assert!(!holds(&game, &s, &format!("zugzwang(omega({n}))")), "{s:?}");
                if holds(&game, &s, &format!("omega({n})")) {
                    premises += 1;
                    assert!(holds(&game, &s, &format!("APS({n})")), "{s:?}");
                    assert!(holds(&game, &s, &format!("PT({n})")), "{s:?}");
                    // In such games only A's own moves win, and the paper's APS counts them twice.
                    assert!(holds(&game, &s, &format!("APSa({})", 2 * n - 1)), "{s:?}");
                }
            }
        }
    }
    assert!(premises > 500, "{premises}");
}

/// There are games with zugzwang in which a strategy is no threat: the proposition needs its
/// condition.
#[test]
fn with_zugzwang_a_strategy_need_not_be_a_threat() {
    let mut rng = Rng::new(32);
    let (mut zugzwang, mut apart) = (0, 0);
    for _ in 0..500 {
        let game = Automaton::random(2, 5, 4, &mut rng);
        zugzwang += u32::from(holds(&game, &0, "zugzwang(omega(1))"));
        apart += u32::from(holds(&game, &0, "omega(2) & !APS(2)"));
    }
    assert!(zugzwang > 10 && apart > 10, "{zugzwang} {apart}");
}

/// Proposition 33: without zugzwang, a paranoid win is a best-reply win.
#[test]
fn proposition_33_paranoid_wins_are_best_reply_wins() {
    let mut rng = Rng::new(33);
    let mut premises = 0;
    for _ in 0..8 {
        let game = Maker::random(3, &mut rng);
        for s in game.states() {
            for n in 1..=2u32 {
                for i in 0..=3 * n {
                    for j in 0..3 {
                        let free = !holds(&game, &s, &format!("zugzwang(PA({i}, {j}))"));
                        assert!(free || j > 0, "{s:?} {i} {j}");
                    }
                }
                if holds(&game, &s, &format!("PA({})", 3 * n)) {
                    premises += 1;
                    assert!(holds(&game, &s, &format!("beta({n})")), "{s:?} {n}");
                }
            }
        }
    }
    assert!(premises > 100, "{premises}");
}
