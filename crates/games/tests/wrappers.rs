//! The law of wrappers: a game behind a wrapper answers every question as it does itself.
//!
//! A method that a wrapper forgets falls back to the trait's default, without a word from the
//! compiler. So every method of the traits is looked for in the wrapper's text, and a game that
//! answers nothing by default is asked through the wrappers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use foregone_games::erased::Erased;
use foregone_games::erased_joint::ErasedJoint;
use foregone_model::formula::{Check, Language, Step, read};
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Atom, Claim, Effort, Endless, Game, Guide, Joint, JointNotation, Known, Net, Notation,
    OffTurn, Outcome, OwnFound, OwnSearch, Reach, Rng, Rules, Scale, Sequential, Side, TextError,
    Turn, Zone,
};

/// A game none of whose answers is the default: count up to six by one or two.
#[derive(Clone)]
struct Odd {
    endless: Endless,
    /// Whether it says that it has chance.
    chance: bool,
}

const SOME: Claim =
    Claim { max: Agent::FIRST, prover: Side::Min, at_least: Outcome(2), or_endless: false };
const FAR: Reach = Reach { agent: Agent(1), own: 3, others: 4, helped: true };

impl Game for Odd {
    type State = u8;
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::numbers(vec![-7, 0, 3])
    }

    fn endless(&self) -> Endless {
        self.endless
    }

    fn endless_from(&self, s: &u8) -> Endless {
        Endless::Scores(Outcome(u16::from(*s % 2)))
    }

    fn start(&self) -> u8 {
        1
    }

    fn turn(&self, s: &u8) -> Turn {
        if *s >= 6 { Turn::Over } else { Turn::Agent(Agent(*s % 2)) }
    }

    fn moves(&self, _s: &u8, _agent: Agent, out: &mut Vec<u8>) {
        out.extend([1, 2]);
    }

    fn play(&self, s: &mut u8, _agent: Agent, m: u8) {
        *s += m;
    }

    fn outcome(&self, s: &u8) -> Outcome {
        Outcome(u16::from(*s % 3))
    }

    fn has_chance(&self) -> bool {
        self.chance
    }

    fn weight(&self, s: &u8, m: u8) -> u64 {
        u64::from(*s) * 10 + u64::from(m)
    }

    fn agents(&self) -> u8 {
        2
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        i64::from(outcome.0) * 10 + i64::from(agent.0)
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        outcome == Outcome(1) && agent == Agent(1)
    }

    fn holds(&self, s: &u8, atom: Atom) -> bool {
        u32::from(*s) == atom.0
    }

    fn rules_violation(&self) -> Option<String> {
        Some("odd".to_owned())
    }

    fn confirms(&self, s: &u8, claim: Claim, rule: &str, reason: &str) -> bool {
        (*s, claim, rule, reason) == (3, SOME, "rule", "reason")
    }

    fn confirms_out_of_reach(&self, s: &u8, end: Reach, rule: &str, reason: &str) -> bool {
        // Even where the game is over: who asks must look first.
        *s > 2 && end.agent == Agent(1) && (rule, reason) == ("far", "away")
    }

    fn net(&self, s: &u8, side: Side) -> Option<Net> {
        let cells = (0..*s).map(|cell| format!("c{cell}")).collect();
        (side == Side::Min).then(|| Net::new(cells, 2))
    }
}

impl Guide for Odd {
    type Packed = u8;

    foregone_model::stored_by_parts!();

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &u8) -> u8 {
        *s
    }

    fn known(&self, s: &u8) -> Option<Known> {
        (*s == 3).then_some(Known { at_least: Outcome(1), at_most: Outcome(1), by: "rule" })
    }

    fn out_of_reach(&self, s: &u8, end: Reach) -> Option<&'static str> {
        (*s > 2 && end.agent == Agent(1)).then_some("far")
    }

    fn reason(&self, s: &u8, _claim: Claim, out: &mut String) {
        out.push_str(&format!("reason {s}"));
    }

    fn reason_out_of_reach(&self, s: &u8, _end: Reach, out: &mut String) {
        out.push_str(&format!("away {s}"));
    }

    fn reason_for_others(&self, s: &u8, _claim: Claim, out: &mut String) -> bool {
        out.push_str(&format!("others {s}"));
        *s > 2
    }

    fn leaves_out(&self) -> bool {
        true
    }

    fn on_cells(&self) -> bool {
        true
    }

    fn own_search(&self) -> Option<OwnSearch> {
        Some(OwnSearch::Threats)
    }

    fn prefers_own_search(&self) -> bool {
        false
    }

    fn search_own(&self, s: &u8, goes_on: &mut dyn FnMut(Effort) -> bool) -> Option<OwnFound<u8>> {
        let goes_on = goes_on(Effort { positions: u64::from(*s), bytes: 7 });
        Some(if goes_on { OwnFound::Won(2) } else { OwnFound::Lost })
    }

    fn mobility(&self, s: &u8, agent: Agent) -> u32 {
        u32::from(*s) * 10 + u32::from(agent.0)
    }

    fn evaluate(&self, s: &u8) -> Option<f64> {
        Some(f64::from(*s) / 8.0)
    }

    fn evaluates(&self) -> bool {
        true
    }

    fn prefers_evaluation(&self) -> bool {
        true
    }

    fn canonical(&self, s: &u8) -> u8 {
        *s / 2
    }

    fn order(&self, _s: &u8, _agent: Agent, moves: &mut [u8]) {
        moves.reverse();
    }

    fn in_order(&self, _s: &u8, _agent: Agent, out: &mut Vec<u8>) {
        out.extend([2, 1]);
    }

    fn promising(&self, _s: &u8, _agent: Agent, out: &mut Vec<u8>) {
        out.push(2);
    }

    fn finishing(&self, _s: &u8, _agent: Agent, out: &mut Vec<u8>) {
        out.push(1);
    }

    fn threatening(&self, _s: &u8, _agent: Agent, order: u32, out: &mut Vec<u8>) {
        out.push(1 + (order % 2) as u8);
    }

    fn touched(&self, s: &u8, agent: Agent, m: u8) -> Option<Zone> {
        Some(Zone::of([*s, agent.0 + 100, m + 200].map(u32::from)))
    }

    fn counters(&self, s: &u8, agent: Agent, moves: u32) -> Zone {
        Zone::of([u32::from(*s), u32::from(agent.0) + 100, moves + 200])
    }

    fn move_class(&self, s: &u8, _agent: Agent, m: u8) -> Option<u16> {
        Some(u16::from(*s) * 10 + u16::from(m))
    }

    fn usual_text(&self, s: &u8, agent: Agent, m: u8) -> Option<String> {
        Some(format!("{s}{}{m}", agent.0))
    }

    fn every_move_ends(&self, s: &u8) -> bool {
        *s == 5
    }

    fn shape(&self, s: &u8) -> u32 {
        u32::from(*s) + 7
    }

    fn forced(&self, s: &u8, _agent: Agent) -> Option<u8> {
        (*s == 5).then_some(1)
    }

    fn playout_told(
        &self,
        s: u8,
        rng: &mut Rng,
        told: &mut foregone_model::guide::Told<'_, u8, u8>,
    ) -> Option<Outcome> {
        told(&(s + 1), Agent(1), 7);
        self.playout(s, rng)
    }

    fn playout(&self, s: u8, rng: &mut Rng) -> Option<Outcome> {
        Some(Outcome(u16::from(s) + rng.below(1) as u16))
    }
}

impl Notation for Odd {
    fn name(&self) -> String {
        "odd".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["left", "right"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        ["links", "rechts"][usize::from(agent.0)]
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[("at(N)", "the count is N")]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        text.strip_prefix("at(")?.strip_suffix(')')?.parse().ok().map(Atom)
    }

    fn one_player(&self) -> bool {
        true
    }

    fn write_move(&self, _s: &u8, m: u8, out: &mut String) {
        out.push_str(&format!("+{m}"));
    }

    fn parse_move(&self, _s: &u8, text: &str) -> Option<u8> {
        text.strip_prefix('+')?.parse().ok()
    }

    fn parse_typed(&self, _s: &u8, text: &str) -> Option<u8> {
        (text == "two").then_some(2)
    }

    fn write_move_of(&self, _s: &u8, agent: Agent, m: u8, out: &mut String) {
        out.push_str(&format!("{}+{m}", agent.0));
    }

    fn parse_move_of(&self, s: &u8, agent: Agent, text: &str) -> Option<u8> {
        self.parse_move(s, text.strip_prefix(&agent.0.to_string())?)
    }

    fn question(&self) -> Option<(String, String)> {
        Some(("why".to_owned(), "not".to_owned()))
    }

    fn write_position(&self, s: &u8, out: &mut String) {
        out.push_str(&s.to_string());
    }

    fn read_position(&self, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new("odd position", 0..text.len()))
    }

    fn draw(&self, s: &u8) -> String {
        format!("<{s}>\n")
    }

    fn rules(&self) -> Rules {
        Rules { version: 3, digest: Some("feed".to_owned()) }
    }

    fn independent_rules(&self) -> Option<Odd> {
        Some(self.clone())
    }
}

/// The names of the methods between two places of a text.
fn methods<'t>(text: &'t str, from: &str, to: &str) -> Vec<&'t str> {
    let start = text.find(from).unwrap_or_else(|| panic!("{from} is there"));
    let end = text[start..].find(to).map_or(text.len(), |n| start + n);
    let lines = text[start..end].lines().filter_map(|l| l.trim_start().strip_prefix("fn "));
    lines.map(|l| l.split(['(', '<']).next().unwrap()).collect()
}

/// Methods that are made of others, and that no wrapper needs.
const MADE_OF_OTHERS: [&str; 4] =
    ["move_text", "position_text", "read_move", "read_position_or_moves"];

#[test]
fn wrappers_name_every_method() {
    let game = include_str!("../../proof/src/game.rs");
    let notation = include_str!("../../proof/src/notation.rs");
    let guide = include_str!("../../model/src/guide.rs");
    let joint = include_str!("../../proof/src/joint.rs");
    let erased = include_str!("../src/erased.rs");
    let check = include_str!("../../proof/src/formula/check.rs");
    let check_guide = include_str!("../../model/src/formula/guide.rs");
    let sequential = include_str!("../../model/src/sequential.rs");
    let in_trait = |text, name: &str| methods(text, &format!("pub trait {name}"), "\n}");
    // A formula is never endless and has its own two agents and outcomes; what it does not ask of
    // the game stands behind it. Bounds of joint moves are not those of games in turn.
    let formula_has_its_own = [
        "scale",
        "endless_from",
        "has_chance",
        "weight",
        "agents",
        "off_turn",
        "score",
        "won",
        "holds",
        "confirms_out_of_reach",
        "net",
        "agent_name",
        "atoms",
        "read_atom",
        "one_player",
        "parse_typed",
        "write_move_of",
        "parse_move_of",
        "independent_rules",
        "summand",
    ];
    let formula_is_not_guided_by = [
        "out_of_reach",
        "reason_out_of_reach",
        "reason_for_others",
        "leaves_out",
        "on_cells",
        "own_search",
        "prefers_own_search",
        "search_own",
        "table_move",
        "has_tables",
        "evaluate",
        "evaluates",
        "prefers_evaluation",
        "character",
        "canonical",
        "move_class",
        "in_order",
        "finishing",
        "threatening",
        "touched",
        "counters",
        "forced",
        "playout_told",
    ];
    for (methods, wrapper, start, except) in [
        (in_trait(game, "Game"), erased, "impl Game for Erased", &[][..]),
        (in_trait(guide, "Guide"), erased, "impl Guide for Erased", &[]),
        (in_trait(notation, "Notation"), erased, "impl Notation for Erased", &MADE_OF_OTHERS),
        (in_trait(game, "Game"), check, "Game for Check", &formula_has_its_own),
        (in_trait(guide, "Guide"), check_guide, "Guide for Check", &formula_is_not_guided_by),
        (
            in_trait(notation, "Notation"),
            check,
            "Notation for Check",
            &[&formula_has_its_own[..], &MADE_OF_OTHERS].concat(),
        ),
        (in_trait(joint, "Joint:"), sequential, "Joint for Sequential", &["unit", "bounds"]),
        (
            in_trait(joint, "JointNotation"),
            sequential,
            "JointNotation for Sequential",
            // Its proofs are proofs of the game itself.
            &["move_text", "position_text", "independent_rules"],
        ),
    ] {
        assert!(methods.len() > 4, "{start}: {methods:?}");
        let there = self::methods(wrapper, start, "\n}");
        for method in methods {
            let excepted = except.contains(&method);
            assert!(
                there.contains(&method) != excepted || excepted,
                "{start}: {method} is missing"
            );
        }
    }
}

#[test]
fn a_game_without_its_type_answers_as_the_game() {
    let odd = Odd { endless: Endless::Scores(Outcome(2)), chance: true };
    let game = Erased::new(odd.clone());
    assert_eq!(game.scale(), odd.scale());
    assert_eq!(game.endless(), odd.endless());
    assert_eq!(game.endless_from(&game.start()), odd.endless_from(&odd.start()));
    assert_eq!(game.off_turn(), odd.off_turn());
    assert_eq!((game.has_chance(), game.agents()), (odd.has_chance(), odd.agents()));
    assert_eq!(game.rules_violation(), odd.rules_violation());
    assert_eq!(game.rules(), odd.rules());
    assert_eq!(game.question(), odd.question());
    assert_eq!((game.name(), game.players()), (odd.name(), odd.players()));
    assert_eq!((game.atoms(), game.one_player()), (odd.atoms(), odd.one_player()));
    assert_eq!(game.read_atom("at(4)"), odd.read_atom("at(4)"));
    assert_eq!(game.evaluates(), odd.evaluates());
    assert_eq!(game.prefers_evaluation(), odd.prefers_evaluation());
    assert_eq!((game.leaves_out(), game.on_cells()), (odd.leaves_out(), odd.on_cells()));
    assert_eq!(game.own_search(), odd.own_search());
    assert_eq!(game.prefers_own_search(), odd.prefers_own_search());
    // Only games that are opened as such can be added.
    assert!(game.summand().is_none());
    assert!(game.independent_rules().is_some_and(|g| g.name() == "odd"));
    assert_eq!(game.stores(), odd.stores());
    for n in 1..=6 {
        let s = game.read_position(&n.to_string()).unwrap();
        let mut bytes = Vec::new();
        game.store_state(&s, &mut bytes);
        game.store_packed(&game.pack(&s), &mut bytes);
        game.store_move(game.parse_move(&s, "+2").unwrap(), &mut bytes);
        assert_eq!(bytes, [n, n, 2]);
        let from = &mut &bytes[..];
        assert_eq!(game.restore_state(from).as_ref(), Some(&s));
        assert_eq!(game.restore_packed(from), Some(game.pack(&s)));
        assert_eq!(game.restore_move(from), game.parse_move(&s, "+2"));
        for agent in [Agent(0), Agent(1)] {
            let listed = |list: &dyn Fn(&mut Vec<_>)| {
                let mut moves = Vec::new();
                list(&mut moves);
                moves.iter().map(|&m| game.move_text(&s, m)).collect::<Vec<_>>()
            };
            let plain = |list: &dyn Fn(&mut Vec<u8>)| {
                let mut moves = Vec::new();
                list(&mut moves);
                moves.iter().map(|&m| odd.move_text(&n, m)).collect::<Vec<_>>()
            };
            assert_eq!(listed(&|o| game.moves(&s, agent, o)), plain(&|o| odd.moves(&n, agent, o)));
            let [a, b] =
                [listed(&|o| game.in_order(&s, agent, o)), plain(&|o| odd.in_order(&n, agent, o))];
            assert_eq!(a, b);
            let [a, b] = [
                listed(&|o| game.promising(&s, agent, o)),
                plain(&|o| odd.promising(&n, agent, o)),
            ];
            assert_eq!(a, b);
            let [a, b] = [
                listed(&|o| game.finishing(&s, agent, o)),
                plain(&|o| odd.finishing(&n, agent, o)),
            ];
            assert_eq!(a, b);
            let [a, b] = [
                listed(&|o| game.threatening(&s, agent, 2, o)),
                plain(&|o| odd.threatening(&n, agent, 2, o)),
            ];
            assert_eq!(a, b);
            let m = game.parse_move(&s, "+2").unwrap();
            assert_eq!(game.touched(&s, agent, m), odd.touched(&n, agent, 2));
            assert_eq!(game.counters(&s, agent, 3), odd.counters(&n, agent, 3));
            let mut sorted = Vec::new();
            game.moves(&s, agent, &mut sorted);
            game.order(&s, agent, &mut sorted);
            let sorted: Vec<_> = sorted.iter().map(|&m| game.move_text(&s, m)).collect();
            assert_eq!(sorted, ["+2", "+1"]);
            let m = game.parse_move(&s, "+2").unwrap();
            assert_eq!(game.weight(&s, m), odd.weight(&n, 2));
            assert_eq!(game.parse_typed(&s, "two"), Some(m));
            let mut text = String::new();
            game.write_move_of(&s, agent, m, &mut text);
            assert_eq!(text, format!("{}+2", agent.0));
            assert_eq!(game.parse_move_of(&s, agent, &text), Some(m));
            assert_eq!(game.move_class(&s, agent, m), odd.move_class(&n, agent, 2));
            assert_eq!(game.usual_text(&s, agent, m), odd.usual_text(&n, agent, 2));
            let forced = game.forced(&s, agent).map(|m| game.move_text(&s, m));
            assert_eq!(forced, odd.forced(&n, agent).map(|m| odd.move_text(&n, m)));
            assert_eq!(game.mobility(&s, agent), odd.mobility(&n, agent));
            assert_eq!(game.agent_name(agent), odd.agent_name(agent));
            assert_eq!(game.won(Outcome(1), agent), odd.won(Outcome(1), agent));
            assert_eq!(game.score(Outcome(2), agent), odd.score(Outcome(2), agent));
        }
        assert_eq!(game.turn(&s), odd.turn(&n));
        assert_eq!(game.outcome(&s), odd.outcome(&n));
        assert_eq!(game.holds(&s, Atom(4)), odd.holds(&n, Atom(4)));
        let yes = |claim| game.confirms(&s, claim, "rule", "reason");
        assert_eq!(yes(SOME), odd.confirms(&n, SOME, "rule", "reason"));
        let away = game.confirms_out_of_reach(&s, FAR, "far", "away");
        assert_eq!(away, odd.confirms_out_of_reach(&n, FAR, "far", "away"));
        for side in [Side::Max, Side::Min] {
            assert_eq!(game.net(&s, side), odd.net(&n, side));
        }
        assert_eq!(game.known(&s), odd.known(&n));
        assert_eq!(game.out_of_reach(&s, FAR), odd.out_of_reach(&n, FAR));
        let [mut a, mut b] = [String::new(), String::new()];
        game.reason(&s, SOME, &mut a);
        game.reason_out_of_reach(&s, FAR, &mut a);
        odd.reason(&n, SOME, &mut b);
        odd.reason_out_of_reach(&n, FAR, &mut b);
        let [others, there] =
            [game.reason_for_others(&s, SOME, &mut a), odd.reason_for_others(&n, SOME, &mut b)];
        assert_eq!((a, others), (b, there));
        assert_eq!(game.position_text(&game.canonical(&s)), odd.canonical(&n).to_string());
        assert_eq!(
            (game.every_move_ends(&s), game.shape(&s)),
            (odd.every_move_ends(&n), odd.shape(&n))
        );
        for limit in [3, 9] {
            let by = &mut |effort: Effort| effort.positions < limit && effort.bytes == 7;
            let found = match game.search_own(&s, by) {
                Some(OwnFound::Won(m)) => game.move_text(&s, m),
                found => format!("{found:?}"),
            };
            let there = match odd.search_own(&n, by) {
                Some(OwnFound::Won(m)) => odd.move_text(&n, m),
                found => format!("{found:?}"),
            };
            assert_eq!(found, there);
        }
        assert_eq!(game.evaluate(&s), odd.evaluate(&n));
        assert_eq!(game.playout(s.clone(), &mut Rng::new(1)), odd.playout(n, &mut Rng::new(1)));
        let mut told = Vec::new();
        let outcome = game.playout_told(s.clone(), &mut Rng::new(1), &mut |s, agent, m| {
            told.push((game.position_text(s), agent, game.move_text(s, m)));
        });
        let mut directly = Vec::new();
        let there = odd.playout_told(n, &mut Rng::new(1), &mut |s, agent, m| {
            directly.push((odd.position_text(s), agent, odd.move_text(s, m)));
        });
        assert_eq!((outcome, told), (there, directly));
        assert_eq!(game.draw(&s), odd.draw(&n));
    }
}

/// The count as a row of cells, of which the last one is marked by a piece.
fn counted(s: u8) -> Scene {
    let mut scene = Scene::new();
    for n in 0..s {
        scene.square(format!("+{n}"), [f64::from(n), 0.0], Paint::Plain);
    }
    scene.piece(usize::from(s - 1), Glyph::Disc, Paint::Red);
    scene
}

#[test]
fn a_picture_is_the_same_without_the_type() {
    let odd = Odd { endless: Endless::Impossible, chance: false };
    let game = Erased::pictured(odd.clone(), |_, s| counted(*s));
    // Wrapped once more, and by the rules that check proofs.
    for game in [game.clone(), Erased::new(game.clone()), game.independent_rules().unwrap()] {
        for n in 1..=6u8 {
            let scene = game.scene(&game.read_position(&n.to_string()).unwrap());
            let plain = counted(n);
            assert_eq!((&scene.cells, &scene.pieces), (&plain.cells, &plain.pieces));
            // The legal moves of who is on turn are there, with the cells that they name.
            let moves: Vec<_> = scene
                .moves
                .iter()
                .map(|m| (m.player.as_str(), m.text.as_str(), m.cells.clone()))
                .collect();
            let cells = |m: usize| if m < usize::from(n) { vec![m] } else { Vec::new() };
            let player = ["links", "rechts"][usize::from(n % 2)];
            match n {
                6 => assert_eq!(moves, []),
                _ => assert_eq!(moves, [(player, "+1", cells(1)), (player, "+2", cells(2))]),
            }
        }
    }
    // A game that says nothing is pictured by its text.
    let game = Erased::new(odd);
    let scene = game.scene(&game.start());
    assert_eq!(scene.labels[0].text, "<1>");
    assert!(scene.cells.is_empty() && scene.labels[0].mono);
}

#[test]
fn a_picture_of_joint_moves_is_the_same_without_the_type() {
    let odd = Odd { endless: Endless::Impossible, chance: false };
    let joint = Sequential::new(odd).unwrap();
    let game = ErasedJoint::pictured(joint, |_, s| counted(*s));
    for game in [game.clone(), ErasedJoint::new(game)] {
        let scene = game.scene(&game.read_position("5").unwrap());
        assert_eq!(scene.cells, counted(5).cells);
        let moves: Vec<_> =
            scene.moves.iter().map(|m| (m.player.as_str(), m.text.as_str())).collect();
        assert_eq!(moves, [("left", "-"), ("right", "+1"), ("right", "+2")]);
        assert!(game.scene(&game.read_position("6").unwrap()).moves.is_empty());
    }
}

#[test]
fn a_formula_asks_the_game_only_while_it_goes_on() {
    let odd = Odd { endless: Endless::Impossible, chance: false };
    let formula = read(&Language::of(&odd), "w | <A>w", Agent(1)).unwrap();
    let check = Check::new(&odd, formula).step_by_step();
    assert_eq!(check.rules(), odd.rules());
    assert_eq!(check.rules_violation(), odd.rules_violation());
    let lost = Claim { at_least: Outcome::WIN, ..SOME };
    let point = check.ask(3);
    assert_eq!(check.known(&point), Some(Known::lost("far")));
    assert!(check.confirms(&point, lost, "far", "away"));
    assert!(!check.confirms(&point, Claim { prover: Side::Max, ..lost }, "far", "away"));
    let choice = check.ask(3);
    let mut at_choice = choice.clone();
    check.play(&mut at_choice, Agent(0), Step::Part(true));
    let step = Step::Move(2);
    // The agent is that of the formula, not the side of the evaluation game.
    let text = check.usual_text(&at_choice, Agent(0), step);
    assert_eq!(text, odd.usual_text(&3, Agent(1), 2));
    assert_eq!(check.usual_text(&choice, Agent(0), Step::Part(true)), None);
    // A has won here: the formula holds, whatever the game would say.
    let over = check.ask(7);
    assert_eq!(odd.turn(&7), Turn::Over);
    assert_eq!(check.known(&over), None);
    assert!(!check.confirms(&over, lost, "far", "away"));
}

#[test]
fn joint_moves_of_a_game_in_turn_keep_its_rules() {
    let odd = Odd { endless: Endless::Impossible, chance: false };
    let game = Sequential::new(odd.clone()).unwrap();
    assert!(Sequential::new(Odd { chance: true, ..odd.clone() }).is_none());
    assert_eq!(game.rules_violation(), odd.rules_violation());
    assert_eq!(game.rules(), odd.rules());
    assert_eq!((game.name(), game.players()), (odd.name(), odd.players()));
    assert_eq!(game.range(), (-7, 3));
    assert_eq!((game.payoff(&6), game.payoff(&7), game.payoff(&5)), (Some(-7), Some(0), None));
}
