use std::collections::HashMap;

use foregone_model::{Known, OwnFound, Rng, sums};

use super::*;
use crate::normal_play_testing::{laws, random_positions};

fn try_open(spec: &str) -> Result<Erased, GameError> {
    let files = Files::from_memory::<&str, &str>([]);
    crate::registry::open(&files, spec)?.require_in_turn(spec)
}

fn opened(spec: &str) -> Erased {
    try_open(spec).unwrap()
}

#[test]
fn sums_are_named_by_their_parts() {
    let game = opened("domineering:2x2 + nim:3,4 + {1|-1} + -1/2");
    assert_eq!(game.name(), "domineering:2x2 + nim:3,4 + value:{1|-1} + value:-1/2");
    assert_eq!(game.position_text(&game.start()), "../.. + 3,4 + {1|-1} + -1/2 left");
    let s = game.read_position("../.. + - + 1 + - right").unwrap();
    let mut moves = Vec::new();
    game.moves(&s, Agent(1), &mut moves);
    let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&s, m)).collect();
    assert_eq!(texts, ["1.a1b1", "1.a2b2"]);
    assert_eq!(game.draw(&game.read_position("- + - + - + - left").unwrap()), "nothing is left\n");
}

#[test]
fn what_is_not_a_sum_is_refused_where_it_is_wrong() {
    for (spec, at, words) in [
        ("nim:3 + hexx:3", 8..12, "there is no game called `hexx`"),
        ("nim:3 + hex:3", 8..13, "not a game under normal play"),
        ("nim:3 + {1|", 8..11, "`{1|` is not a value"),
        ("nim:3 + ", 8..8, "a part of the sum is missing"),
        ("nim:3 + *1", 8..10, "is not a value"),
    ] {
        match try_open(spec) {
            Err(GameError::Spec(e)) => {
                assert!(e.message.contains(words), "{spec}: {}", e.message);
                assert_eq!(e.span, at, "{spec}");
            }
            other => panic!("{spec}: {other:?}"),
        }
    }
    let game = opened("nim:3 + domineering:2x2");
    for text in ["3 left", "3 + ../.. + 1 left", "3 + ../.", "4 + ../.. first", "300 + ../.. left"]
    {
        let error = game.read_position(text).unwrap_err();
        assert!(error.span.end <= text.len(), "{text}: {:?}", error.span);
    }
}

#[test]
fn sums_and_values_keep_the_laws() {
    let rng = &mut Rng::new(1);
    let sum = Sum::new(vec![
        opened("domineering:2x3"),
        opened("nim:2,1"),
        opened("value:{1,*|-1}"),
        opened("domineering:2x3"),
    ]);
    laws(&sum, &random_positions(&sum, 20, rng));
    for text in ["0", "-3", "5/8", "*4", "{0|{0|-2}}", "{1|-1}", "{*,0|*}"] {
        let game = Written::new(value::read(text).unwrap());
        laws(&game, &random_positions(&game, 5, rng));
        assert_eq!(game.name(), format!("value:{text}").replace("{*,0|*}", "{0,*|*}"));
    }
}

/// Who wins by brute force: whether the side to move does.
struct Brute<'g> {
    game: &'g Erased,
    known: HashMap<AnyState, bool>,
}

impl Brute<'_> {
    fn wins(&mut self, s: &AnyState) -> bool {
        if let Some(&wins) = self.known.get(s) {
            return wins;
        }
        let Turn::Agent(agent) = self.game.turn(s) else { return false };
        let mut moves = Vec::new();
        self.game.moves(s, agent, &mut moves);
        let wins = moves.into_iter().any(|m| {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            !self.wins(&next)
        });
        self.known.insert(s.clone(), wins);
        wins
    }
}

/// Random positions of a sum, either side to move.
fn positions(game: &Erased, most: usize, rng: &mut Rng) -> Vec<AnyState> {
    let mut out = Vec::new();
    while out.len() < most {
        let mut s = game.start();
        loop {
            let side = [Side::Max, Side::Min][rng.below(2) as usize];
            s = game.parts().unwrap().with_turn(&s, side);
            if game.turn(&s) == Turn::Over {
                break;
            }
            out.push(s.clone());
            let mut moves = Vec::new();
            game.moves(&s, side.agent(), &mut moves);
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, side.agent(), m);
        }
    }
    out.truncate(most);
    out
}

/// Checks what is found by parts against brute force, and that the words show it; hands out the words.
fn agrees(spec: &str, most: usize) -> Vec<(AnyState, String)> {
    let game = opened(spec);
    let mut brute = Brute { game: &game, known: HashMap::new() };
    let summand = game.summand().unwrap();
    let mut all = Vec::new();
    for s in positions(&game, most, &mut Rng::new(5)) {
        let text = game.position_text(&s);
        let wins = brute.wins(&s);
        let found = game.search_own(&s, &mut |_| true).unwrap();
        let mover = Side::of(game.turn(&s).mover().unwrap());
        let lost = match found {
            OwnFound::Won(m) => {
                assert!(wins, "{spec}, {text}");
                let mut next = s.clone();
                game.play(&mut next, mover.agent(), m);
                assert!(!brute.wins(&next), "{spec}, {text}: {}", game.move_text(&s, m));
                if game.turn(&next) == Turn::Over {
                    continue;
                }
                next
            }
            OwnFound::Lost => {
                assert!(!wins, "{spec}, {text}");
                s
            }
            OwnFound::Open => panic!("{spec}, {text}"),
        };
        let loser = Side::of(game.turn(&lost).mover().unwrap());
        let known = game.known(&lost).unwrap();
        let expected = if loser == Side::Max { Known::lost } else { Known::won };
        assert_eq!(known, expected(sums::RULE), "{text}");
        let mut words = String::new();
        let claim = foregone_model::Claim {
            max: Agent::FIRST,
            prover: loser.other(),
            at_least: Outcome(1),
            or_endless: false,
        };
        game.reason(&lost, claim, &mut words);
        let shown = sums::shows(&game, summand, &lost, loser.other(), &words);
        assert_eq!(shown, Ok(()), "{spec}, {}: {words}", game.position_text(&lost));
        all.push((lost, words));
    }
    all
}

#[test]
fn parts_agree_with_brute_force() {
    agrees("nim:3,4,5", 100);
    // Equal boards, whose words name no fact.
    agrees("domineering:2x2 + domineering:2x2", 20);
    agrees("domineering:3x4 + 0", 150);
    agrees("domineering:2x5 + domineering:3x2", 60);
    agrees("domineering:2x3 + nim:2,3 + {1|-1}", 60);
    agrees("{2|-1} + {3|0} + {0|{0|-2}} + {1|*} + -3/2", 100);
    agrees("{3|{2|0}} + {{2|1}|-3} + {5|-5} + {1|-1} + {0|*}", 150);
    agrees("{5|-5} + {4|-4} + {3|-3} + {2|-2} + {1|-1} + *2 + {0|{0|*}}", 100);
}

#[test]
fn words_show_nothing_else() {
    let spec = "domineering:2x3 + {1|-1} + {0|*} + *2";
    let game = opened(spec);
    let all = agrees(spec, 80);
    let mut brute = Brute { game: &game, known: HashMap::new() };
    let rng = &mut Rng::new(3);
    let summand = game.summand().unwrap();
    let (mut refused, mut other) = (0, 0);
    for (s, words) in &all {
        let loser = Side::of(game.turn(s).mover().unwrap());
        for _ in 0..20 {
            let damaged = damage(words, rng);
            match sums::shows(&game, summand, s, loser.other(), &damaged) {
                Ok(()) => {}
                Err(_) => refused += 1,
            }
        }
        // The words of another position, for either side.
        for (s, _) in &all {
            let Turn::Agent(agent) = game.turn(s) else { continue };
            let prover = Side::of(agent).other();
            if sums::shows(&game, summand, s, prover, words).is_ok() {
                assert!(!brute.wins(s), "{}: {words}", game.position_text(s));
                other += 1;
            }
        }
    }
    assert!(refused > 500 && other >= all.len(), "{refused} {other}");
}

/// One word changed, taken away or put twice.
fn damage(words: &str, rng: &mut Rng) -> String {
    let mut list: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let at = rng.below(list.len() as u32) as usize;
    match rng.below(4) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at].clone()),
        2 => {
            let from = rng.below(list.len() as u32) as usize;
            list[at] = list[from].clone();
        }
        _ => {
            let to = rng.below(list.len() as u32) as usize;
            list.swap(at, to);
        }
    }
    list.join(" ")
}

#[test]
fn plays_of_thousands_of_moves_fit_the_stack() {
    for spec in
        ["10000 + -10000", "100000 + -100000 + nim:1,2,3", "10000 + {|-10000}", "nim:3 + 99999"]
    {
        let game = opened(spec);
        let found = game.search_own(&game.start(), &mut |_| true);
        assert!(found.is_none() || found != Some(OwnFound::Open), "{spec}");
    }
}

#[test]
fn words_are_a_limited_amount_of_work() {
    let game = opened("nim:1 + 1");
    let (s, summand) = (game.start(), game.summand().unwrap());
    let value = format!("{{{}|}}", (1..3000).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    let words = format!("~ ={value} ; = {}", vec!["1"; 3000].join(" "));
    let problem = sums::shows(&game, summand, &s, Side::Min, &words).unwrap_err();
    assert!(problem.contains("too much work") || problem.contains("no answer"), "{problem}");
    let problem = sums::shows(&game, summand, &s, Side::Max, &words).unwrap_err();
    assert!(problem.contains("too much work"), "{problem}");
}
