//! Battles from beginning to end, and tournaments of them (section 5.5.2).

use std::ops::{AddAssign, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foregone_model::{Rng, Side, TextError};

use crate::abcd::Searcher;
use crate::evaluate::ltd;
use crate::scenario::Scenario;
use crate::script::Script;
use crate::settings::Settings;
use crate::state::{Move, State};
use crate::words::look_up;

/// The moves, of both sides together, after which a battle is halted and judged by LTD.
pub const MAX_ACTIONS: u32 = 500;

/// Who fights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A script.
    Script(Script),
    /// A search; a best response to a script if its settings name one.
    Abcd(Box<Settings>),
}

/// The name of the player that searches.
const ABCD: &str = "abcd";

impl Player {
    /// The names of all players, as a user types them.
    pub fn names() -> Vec<&'static str> {
        Script::ALL.iter().map(|s| s.name()).chain([ABCD]).collect()
    }

    /// The player of this name, with the default settings if it is a search. `span` is where the
    /// word stands.
    pub fn named(word: &str, span: Range<usize>) -> Result<Player, TextError> {
        let name = look_up("player", word, span, &Player::names(), |n| n)?;
        Ok(match Script::ALL.into_iter().find(|s| s.name() == name) {
            Some(script) => Player::Script(script),
            None => Player::Abcd(Box::default()),
        })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Player::Script(script) => script.name(),
            Player::Abcd(_) => ABCD,
        }
    }
}

/// What the searches of a side have done in a battle or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many decisions they have made.
    pub decisions: u64,
    /// The nodes of all decisions.
    pub nodes: u64,
    /// The playouts of all decisions.
    pub playouts: u64,
    /// The sum of the depths reached.
    pub depths: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.decisions += other.decisions;
        self.nodes += other.nodes;
        self.playouts += other.playouts;
        self.depths += other.depths;
    }
}

/// A state and what the sides did in it; nothing for a side that could not act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The state.
    pub state: State,
    /// The moves of Max and Min.
    pub moves: [Option<Move>; 2],
}

/// A battle as it went.
#[derive(Clone, Debug)]
pub struct Record {
    /// Every state in which somebody acted.
    pub moments: Vec<Moment>,
    /// The state in which it ended.
    pub end: State,
    /// How many moves the sides made together.
    pub actions: u32,
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// What searching took.
    pub effort: [Effort; 2],
    /// The time that all decisions of a side took.
    pub time: [Duration; 2],
    /// The time of a side's slowest decision.
    pub slowest: [Duration; 2],
}

impl Record {
    /// Whether it was halted with both sides alive.
    pub fn halted(&self) -> bool {
        !self.end.over()
    }
}

/// Two players, ready to fight one battle after the other.
#[derive(Clone, Debug)]
pub struct Battle {
    players: [Fighter; 2],
}

#[derive(Clone, Debug)]
enum Fighter {
    Script(Script),
    Abcd(Box<Searcher>),
}

impl Battle {
    /// Max and Min.
    pub fn new(players: [&Player; 2]) -> Battle {
        let fighter = |player: &Player| match player {
            Player::Script(script) => Fighter::Script(*script),
            Player::Abcd(settings) => {
                Fighter::Abcd(Box::new(Searcher::new(settings.as_ref().clone())))
            }
        };
        Battle { players: players.map(fighter) }
    }

    /// Fights to the end. What happened in battles before has no influence.
    pub fn fight(&mut self, scenario: &Scenario) -> Record {
        let mut seeds = Rng::new(scenario.seed);
        let mut rngs = [Rng::new(seeds.bits()), Rng::new(seeds.bits())];
        for fighter in &mut self.players {
            if let Fighter::Abcd(searcher) = fighter {
                searcher.forget();
            }
        }
        let mut record = Record {
            moments: Vec::new(),
            end: scenario.start,
            actions: 0,
            winner: None,
            effort: [Effort::default(); 2],
            time: [Duration::ZERO; 2],
            slowest: [Duration::ZERO; 2],
        };
        let mut s = scenario.start;
        while !s.over() && record.actions < MAX_ACTIONS {
            // Both choose in the same state, neither knowing what the other does.
            let mut moves = [None; 2];
            for side in [Side::Max, Side::Min] {
                if s.can_act(side) {
                    let m = self.choose(&s, side, &mut rngs[side.index()], &mut record);
                    moves[side.index()] = Some(m);
                    record.actions += 1;
                }
            }
            record.moments.push(Moment { state: s, moves });
            s.play([moves[0].as_ref(), moves[1].as_ref()]);
        }
        record.end = s;
        record.winner = match ltd(&s) {
            0 => None,
            value if value > 0 => Some(Side::Max),
            _ => Some(Side::Min),
        };
        record
    }

    fn choose(&mut self, s: &State, side: Side, rng: &mut Rng, record: &mut Record) -> Move {
        let i = side.index();
        match &mut self.players[i] {
            Fighter::Script(script) => script.choose(s, side, rng),
            Fighter::Abcd(searcher) => {
                let start = Instant::now();
                let decision = searcher.decide(s, side);
                let time = start.elapsed();
                record.time[i] += time;
                record.slowest[i] = record.slowest[i].max(time);
                record.effort[i] += Effort {
                    decisions: 1,
                    nodes: decision.nodes,
                    playouts: decision.playouts,
                    depths: u64::from(decision.depth),
                };
                decision.orders
            }
        }
    }
}

/// What came of a tournament, seen from the first player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The winner of each battle, in the order of the scenarios.
    pub winners: Vec<Option<Side>>,
    /// What the searches of both players did.
    pub effort: [Effort; 2],
    /// The time that all decisions of each player took, and the slowest one.
    pub time: [Duration; 2],
    /// The time of each player's slowest decision.
    pub slowest: [Duration; 2],
}

impl Tally {
    /// The battles that the first player won.
    pub fn wins(&self) -> usize {
        self.winners.iter().filter(|&&w| w == Some(Side::Max)).count()
    }

    /// The battles that nobody won.
    pub fn draws(&self) -> usize {
        self.winners.iter().filter(|w| w.is_none()).count()
    }

    /// The score r = (wins + draws / 2) / n of the first player; one half if there was no battle.
    pub fn score(&self) -> f64 {
        match self.winners.len() {
            0 => 0.5,
            n => (self.wins() as f64 + self.draws() as f64 / 2.0) / n as f64,
        }
    }
}

/// Lets two players, as Max and Min, fight all scenarios on some threads. With limits on nodes
/// instead of time the result does not depend on the number of threads. With limits on time,
/// more threads than cores take time from each other's searches.
pub fn tournament(scenarios: &[Scenario], players: [&Player; 2], threads: usize) -> Tally {
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally { winners: vec![None; scenarios.len()], ..Tally::default() });
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, scenarios.len().max(1)) {
            scope.spawn(|| {
                let mut battle = Battle::new(players);
                while let Some((i, scenario)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    scenarios.get(i).map(|s| (i, s))
                } {
                    let record = battle.fight(scenario);
                    // A thread that panicked has already ended the tournament.
                    let mut tally = tally.lock().unwrap_or_else(|e| e.into_inner());
                    tally.winners[i] = record.winner;
                    for side in 0..2 {
                        tally.effort[side] += record.effort[side];
                        tally.time[side] += record.time[side];
                        tally.slowest[side] = tally.slowest[side].max(record.slowest[side]);
                    }
                }
            });
        }
    });
    tally.into_inner().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use foregone_model::Side;

    use super::{Battle, MAX_ACTIONS, Player, tournament};
    use crate::scenario::Scenario;
    use crate::script::Script;
    use crate::settings::{Policy, Settings};
    use crate::state::{Action, MAX_UNITS};

    fn abcd(nodes: u64, policy: Policy, against: Option<Script>) -> Player {
        let nodes = Some(nodes);
        Player::Abcd(Box::new(Settings {
            time: None,
            nodes,
            policy,
            against,
            ..Settings::default()
        }))
    }

    #[test]
    fn scripts_draw_against_themselves() {
        for script in Script::ALL.into_iter().skip(1) {
            let player = Player::Script(script);
            let tally = tournament(&Scenario::balanced(60, 3), [&player, &player], 1);
            assert_eq!((tally.draws(), tally.score()), (60, 0.5), "{script:?}");
        }
    }

    #[test]
    fn battles_keep_the_rules() {
        for (i, scenario) in Scenario::balanced(100, 4).iter().enumerate() {
            let players = [i, i / 7].map(|k| Player::Script(Script::ALL[k % Script::ALL.len()]));
            let record = Battle::new(players.each_ref()).fight(scenario);
            assert!(record.actions <= MAX_ACTIONS + 1);
            assert_eq!(record.halted(), record.actions >= MAX_ACTIONS && !record.end.over());
            let after = record.moments.iter().skip(1).map(|m| m.state).chain([record.end]);
            for (moment, next) in record.moments.iter().zip(after) {
                let s = moment.state;
                assert!(next.time > s.time || next.over());
                assert!(moment.moves.iter().any(Option::is_some));
                for side in [Side::Max, Side::Min] {
                    let m = moment.moves[side.index()];
                    assert_eq!(m.is_some(), s.can_act(side));
                    assert!(m.is_none_or(|m| s.is_legal(side, &m)));
                    for k in 0..MAX_UNITS {
                        let (u, v) = (s.unit(side, k), next.unit(side, k));
                        assert!(0 <= v.hit_points && v.hit_points <= u.hit_points);
                        assert!(v.attack_at >= v.move_at);
                        if u.hit_points == 0 {
                            assert!(m.is_none_or(|m| m[k] == Action::Idle));
                            assert_eq!(u, v, "the dead stay");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn battles_repeat() {
        let scenarios = Scenario::balanced(8, 9);
        let player = abcd(60, Policy::RandomOnce, None);
        let other = Player::Script(Script::Random);
        let mut battle = Battle::new([&player, &other]);
        for scenario in &scenarios {
            let (a, b) = (battle.fight(scenario), battle.fight(scenario));
            assert_eq!((a.moments, a.end, a.effort), (b.moments, b.end, b.effort));
        }
        // And do not depend on what the searcher did before, or on the number of threads.
        let one = tournament(&scenarios, [&player, &other], 1);
        let three = tournament(&scenarios, [&player, &other], 3);
        assert_eq!((one.winners, one.effort), (three.winners, three.effort));
    }

    #[test]
    fn search_beats_scripts() {
        let scenarios = Scenario::balanced(16, 12);
        for script in Script::ALL {
            let foe = Player::Script(script);
            for against in [None, Some(script)] {
                let player = abcd(40, Policy::Alternate, against);
                let score = tournament(&scenarios, [&player, &foe], 2).score();
                assert!(score > 0.7, "{script:?} {against:?}: {score}");
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for name in Player::names() {
            assert_eq!(Player::named(name, 0..0).map(|p| p.name()), Ok(name));
        }
        let wrong = Player::named("abdc", 1..5).unwrap_err();
        assert_eq!((wrong.span, wrong.choices.len()), (1..5, 8));
    }
}
