//! Moves of the opponent that one line of a certificate covers: `*: by RULE REASON`.

use std::sync::atomic::{AtomicU32, Ordering};

use foregone_model::certificate::{
    ByReason, CheckError, Checksum, Proved, Reader, RulesOnly, check, write,
};
use foregone_model::{
    Agent, Claim, Game, Goal, Guide, Known, Notation, Outcome, Side, TextError, Turn,
};
use foregone_search::drive::{Find, Order, OrderBy, Walk, alphabeta, dag, df, tree};
use foregone_search::scheme::Pn;
use foregone_search::{Init, Leaves, Limits, Report};

/// Min goes along a ledge, so many steps. Every move but 0 slips, and then Max can push, and win.
/// Who has gone all the way has lost all the same: Max wins whatever happens.
struct Ledge {
    /// How many ways there are to slip.
    slips: u8,
    /// Whether the guide says that proofs need not look at slips.
    leaves_out: bool,
    /// How often knowledge was asked about a slip.
    asked: AtomicU32,
}

/// How many steps are to go, who is to move, and by which move Min has slipped.
type State = (u8, u8, Option<u8>);

impl Game for Ledge {
    type State = State;
    type Move = u8;

    fn start(&self) -> State {
        (3, 1, None)
    }

    fn turn(&self, s: &State) -> Turn {
        if s.0 == 0 { Turn::Over } else { Turn::Agent(Agent(s.1)) }
    }

    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        match s {
            (_, 1, _) => out.extend(0..=self.slips),
            (_, _, Some(_)) => out.extend([0, 1]),
            _ => out.push(0),
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        *s = match (agent.0, s.2, m) {
            (1, _, 0) => (s.0, 0, None),
            (1, _, slip) => (s.0, 0, Some(slip)),
            (_, Some(_), 1) => (0, 1, None),
            _ => (s.0 - 1, 1, None),
        };
    }

    fn outcome(&self, _s: &State) -> Outcome {
        Outcome::WIN
    }

    fn confirms(&self, s: &State, claim: Claim, rule: &str, reason: &str) -> bool {
        let fits = |slip: u8| reason == "any" || reason == slip.to_string();
        claim.prover == Side::Max && rule == "slip" && s.2.is_some_and(fits)
    }
}

impl Guide for Ledge {
    type Packed = State;

    fn pack(&self, s: &State) -> State {
        *s
    }

    fn known(&self, s: &State) -> Option<Known> {
        s.2?;
        self.asked.fetch_add(1, Ordering::Relaxed);
        Some(Known::won("slip"))
    }

    fn reason(&self, s: &State, _claim: Claim, out: &mut String) {
        out.extend(s.2.map(|slip| slip.to_string()));
    }

    fn reason_for_others(&self, s: &State, claim: Claim, out: &mut String) -> bool {
        assert_eq!((s.1, claim.prover), (1, Side::Max));
        out.push_str("slip any ");
        true
    }

    fn promising(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        if agent.0 == 1 { out.push(0) } else { self.moves(s, agent, out) }
    }

    fn leaves_out(&self) -> bool {
        self.leaves_out
    }
}

impl Notation for Ledge {
    fn name(&self) -> String {
        format!("ledge:{}", self.slips)
    }

    fn players(&self) -> [&str; 2] {
        ["pusher", "walker"]
    }

    fn write_move(&self, _: &State, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _: &State, text: &str) -> Option<u8> {
        text.parse().ok().filter(|m: &u8| m.to_string() == text)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&s.0.to_string());
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let steps = text.parse().map_err(|_| TextError::new("not a number", 0..text.len()))?;
        Ok((steps, 1, None))
    }
}

fn search(game: &Ledge, way: &str) -> Report<u8> {
    let goal = Goal::new(game, game.start(), Outcome::WIN, Side::Min);
    let limits = Limits { nodes: u64::MAX, bytes: 1 << 28 };
    let leaves = &mut Leaves::new(Init::One, 0);
    let (by, walk, find) = (OrderBy::Game, Walk::Full, Find::One);
    let order = Order { by, walk, seed: 0, find, threads: 1 };
    match way {
        "tree" => tree(&goal, &Pn, leaves, limits, &mut ()),
        "dag" => dag(&goal, &Pn, leaves, limits, &mut ()),
        "df" => df(&goal, &Pn, leaves, limits, 0, &mut ()),
        _ => alphabeta(&goal, order, limits, 0, &mut ()),
    }
}

fn certificate(slips: u8, leaves_out: bool, way: &str) -> (String, u32) {
    let game = Ledge { slips, leaves_out, asked: AtomicU32::new(0) };
    let report = search(&game, way);
    let [solution] = &report.solutions[..] else { panic!("{way}: no proof") };
    let claim = Goal::new(&game, game.start(), Outcome::WIN, Side::Min)
        .claim(solution.weak.prover, solution.at_least);
    let text = write(&game, &game.start(), claim, &solution.weak).text;
    (text, game.asked.into_inner())
}

fn checked(text: &str, by_reason: bool) -> Result<Proved, CheckError> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.ok_or(CheckError::new(1, "nothing"))?;
    let slips = header.game.strip_prefix("ledge:").and_then(|n| n.parse().ok()).unwrap_or(0);
    let game = Ledge { slips, leaves_out: true, asked: AtomicU32::new(0) };
    match by_reason {
        true => check(&game, &header, &mut reader, &mut ByReason),
        false => check(&game, &header, &mut reader, &mut RulesOnly),
    }
}

/// A certificate with other claims, whose count and checksum are right.
fn sealed(text: &str, claims: &[&str]) -> String {
    let mut sealed = text[..text.find("\n\n").map_or(0, |n| n + 2)].to_owned();
    for claim in claims {
        sealed.push_str(claim);
        sealed.push('\n');
    }
    let mut sum = Checksum::EMPTY;
    sum.add(sealed.as_bytes());
    format!("{sealed}end {} {:016x}\n", claims.len(), sum.0)
}

#[test]
fn one_line_covers_what_is_not_worth_trying() {
    for way in ["alphabeta", "df", "tree", "dag"] {
        let (text, asked) = certificate(5, true, way);
        assert_eq!(text.matches("*: by slip any\n").count(), 3, "{way}\n{text}");
        let proved = checked(&text, true).unwrap();
        // Three times: all replies, the step and its answer, all slips; and the end.
        assert_eq!((proved.claims, proved.by_reason), (10, 3), "{way}");
        assert!(checked(&text, false).is_err_and(|e| e.problem.contains("not accepted")));
        // Nothing but searches that try all moves ever asks about slips.
        assert_eq!(asked > 0, !["alphabeta", "df"].contains(&way), "{way}");
    }
}

#[test]
fn a_game_that_does_not_say_so_has_a_line_for_each_move() {
    for way in ["alphabeta", "df", "tree", "dag"] {
        let (text, asked) = certificate(5, false, way);
        assert!(!text.contains('*') && asked >= 15, "{way}\n{text}");
        assert_eq!(checked(&text, true).unwrap().by_reason, 15);
    }
    // One move is worth no line about all others.
    let (text, _) = certificate(1, true, "alphabeta");
    assert!(!text.contains('*'), "{text}");
    assert_eq!(checked(&text, true).unwrap().by_reason, 3);
}

#[test]
fn a_line_about_all_other_moves_is_the_last_one_and_true_of_all_of_them() {
    let (text, _) = certificate(2, true, "alphabeta");
    let all = ["? 3", "0: ! 0", "? 3", "0: ! 0", "? 3", "0: ! 0", "."];
    let others = "*: by slip any";
    let whole = [&all[..], &[others; 3]].concat();
    assert_eq!(sealed(&text, &whole), text);
    // A move that is named needs no covering, and is answered as ever.
    let named = [&all[..], &[others, "2: by slip 2", others, others]].concat();
    assert!(checked(&sealed(&text, &named), true).is_ok());
    let named = [&all[..], &["2: ! 1", ".", "1: by slip any", others, others]].concat();
    assert!(checked(&sealed(&text, &named), true).is_ok());
    let covers_nothing = [&named[..], &[others]].concat();
    assert!(checked(&sealed(&text, &covers_nothing), true).is_err());
    for (at, line, problem) in [
        // Not the last one: the step is among those that it speaks of.
        (1, others, "not accepted"),
        (7, "*: by slip", "not accepted"),
        (7, "*: by slip 1", "not accepted"),
        (7, "*: by fall any", "not accepted"),
        (7, "*: ! 1", "not a move"),
        (7, "*: .", "not a move"),
        (7, "*: as 1", "there is no claim #1"),
        (7, "*:by slip any", "an answer"),
        (7, "*", "an answer"),
        (0, others, "expected"),
    ] {
        let mut changed = whole.clone();
        changed[at] = line;
        let refused = checked(&sealed(&text, &changed), true).unwrap_err();
        assert!(refused.problem.contains(problem), "{at} {line}: {refused}");
        assert_eq!(refused.line, at as u64 + 7, "{line}");
    }
    // Twice.
    let twice = [&all[..], &[others; 4]].concat();
    assert!(checked(&sealed(&text, &twice), true).is_err());
}
