//! Games with more than two outcomes, and games of one player: what is printed of them, and
//! whether the move that is named keeps the value.

use crate::cli::Scratch;
use crate::common::solve_args;
use clap::Parser;
use foregone::args::Cli;
use foregone::guidance::{Base, Guidance, SchemeChoice, all_guidances};
use foregone::job::{Job, Question};
use foregone::session;
use foregone_games::connect_four::ConnectFour;
use foregone_games::registry::{Visitor, with_game};
use foregone_model::{Game, Goal, Guide, Notation, Outcome, Rng, Side, Turn, certificate};
use foregone_search::drive::tree;
use foregone_search::scheme::Pn;
use foregone_search::{Init, Leaves, Limits, StopReason};
use serde_json::Value;

/// What a command prints, and its exit code.
fn said(words: &[&str]) -> (String, u8) {
    let cli = Cli::try_parse_from([&["foregone"], words].concat()).unwrap();
    let mut out = Vec::new();
    let code = foregone::run::run(cli, &mut out).unwrap_or_else(|f| panic!("{words:?}: {f}"));
    (String::from_utf8(out).unwrap(), code)
}

/// The line of an answer that says what was found.
fn headline(words: &[&str]) -> String {
    let (text, _) = said(&[&["solve"], words].concat());
    let name = words[0].split(':').next().unwrap();
    text.lines().find(|l| l.starts_with(name)).unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// Solves positions of a random play and plays the move that is named first.
struct BestMoves {
    words: &'static str,
    plies: u32,
    every_way: bool,
}

impl Visitor for BestMoves {
    type Output = u32;

    fn visit<G: Guide + Notation>(self, game: G) -> u32 {
        let job = Job::new(&game, &solve_args(self.words)).unwrap();
        let mut rng = Rng::new(3);
        let mut tried = 0;
        let mut s = job.start.clone();
        for ply in 0..=self.plies {
            let Turn::Agent(agent) = game.turn(&s) else {
                break;
            };
            let usual = [job.guidance].to_vec();
            let ways = if self.every_way { all_guidances(game.evaluates()) } else { usual };
            let solve = |s: &G::State, way| {
                let job = Job::unlimited(s.clone(), Question::Value, way);
                let answer = session::solve(&game, &job, false).unwrap();
                assert!(answer.solved() && answer.bounds.0 == answer.bounds.1);
                answer
            };
            let text = game.position_text(&s);
            for way in ways {
                let answer = solve(&s, way);
                let mut next = s.clone();
                let Some(&best) = answer.line.first() else { panic!("{text}: no move by {way:?}") };
                game.play(&mut next, agent, best);
                assert_eq!(
                    solve(&next, job.guidance).bounds,
                    answer.bounds,
                    "{} {text}: {} by {way:?}",
                    game.name(),
                    game.move_text(&s, best),
                );
                tried += 1;
            }
            if ply < self.plies {
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        tried
    }
}

#[test]
fn the_best_move_keeps_the_value() {
    // Positions, how many random moves on, and whether by every driver and scheme.
    let cases = [
        ("tic-tac-toe", 5, false),
        ("tic-tac-toe --position moves:b2,a1", 4, true),
        ("tic-tac-toe --position moves:a1,b2,c3", 3, true),
        ("connect-four:4x4", 8, false),
        ("connect-four:4x4 --position 12343211", 4, true),
        ("seki:3,3", 4, false),
        ("seki:1,1", 2, true),
        ("seki:1,2", 2, true),
        ("seki:2,2 --position moves:w1", 2, true),
        ("kalah:2,2", 4, true),
        ("kalah:2,3", 4, true),
        ("kalah:3,2", 6, false),
        ("woodpush:6,2", 4, false),
        ("woodpush:4,2", 3, true),
        ("othello:4x4", 3, false),
        ("othello:4x4 --position moves:a2,a3,a4,c1,d1,a1", 3, true),
        ("othello:4x4 --position moves:c4,b4,a4,d4,a2", 3, true),
        ("same-game:3x3,2,1", 2, true),
        ("same-game:4x4,3,1", 3, false),
        ("left-right:6", 3, true),
    ];
    let mut tried = 0;
    for (words, plies, every_way) in cases {
        let game = words.split(' ').next().unwrap();
        tried += with_game(game, BestMoves { words, plies, every_way }).unwrap();
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn scores_are_told_as_scores() {
    let cases: &[(&[&str], &str)] = &[
        (&["kalah:2,2"], "kalah:2,2, south to move: -2 for south."),
        // The ends of the scale are scores, too.
        (&["kalah:1,3"], "kalah:1,3, south to move: +6 for south."),
        (&["woodpush:4,1"], "woodpush:4,1, left to move: -4 for left."),
        (&["othello:2x2"], "othello:2x2, game over: 0 for black."),
        (&["kalah:1,3", "-q", "win"], "kalah:1,3, south to move: +6 for south."),
        (&["kalah:2,2", "-q", "win"], "kalah:2,2, south to move: south reaches at most +6."),
        (
            &["kalah:2,2", "-q", "at-least -2"],
            "kalah:2,2, south to move: south reaches at least -2.",
        ),
        // Other outcomes than numbers have winners.
        (&["seki:2,1"], "seki:2,1, black to move: black wins."),
        (&["seki:1,1"], "seki:1,1, black to move: a draw."),
    ];
    for (words, line) in cases {
        assert_eq!(headline(words), *line);
    }
}

#[test]
fn the_winner_of_a_score_has_its_sign() {
    // Words behind `solve`, question, value, winner.
    let cases = [
        ("kalah:2,2", "value", "-2", "north"),
        ("kalah:3,2", "value", "+4", "south"),
        ("kalah:1,1", "value", "0", ""),
        ("kalah:2,2", "at-least -2", "", ""),
        ("kalah:2,2", "at-least 0", "", "north"),
        ("kalah:3,2", "at-least +2", "", "south"),
        ("kalah:1,3", "at-least +6", "+6", "south"),
        ("othello:4x4", "value", "-8", "white"),
        ("left-right:5", "value", "5", ""),
        ("same-game:3x3,3,5", "value", "1", ""),
    ];
    for (game, question, value, winner) in cases {
        let (text, code) = said(&["solve", game, "--question", question, "--json"]);
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &json["question"]), (0, &Value::from(question)), "{game}");
        assert_eq!(json["value"].as_str().unwrap_or_default(), value, "{game} {question}");
        assert_eq!(json["winner"].as_str().unwrap_or_default(), winner, "{game} {question}");
    }
}

#[test]
fn numbers_of_a_typed_game_are_scores_too() {
    let scratch = Scratch::new();
    let solve = |outcomes: &str, end: &str| {
        let path = scratch.path().join("scores.game");
        let text = format!("outcomes {outcomes}\nmax s0 -> s1\nend s1 {end}\n");
        std::fs::write(&path, text).unwrap();
        let game = format!("explicit:{}", path.display());
        let line = headline(&[&game]);
        let json: Value = serde_json::from_str(&said(&["solve", &game, "--json"]).0).unwrap();
        let found = line.rsplit(": ").next().unwrap().to_owned();
        (found, json["winner"].as_str().unwrap_or("nobody").to_owned())
    };
    for (outcomes, end, found, winner) in [
        ("-1 0 1", "-1", "-1 for max.", "min"),
        ("-1 0 1", "0", "0 for max.", "nobody"),
        // Without a sign, the ends of the scale are all there is to go by.
        ("1 2 3", "1", "1 for max.", "min"),
        ("1 2 3", "3", "3 for max.", "max"),
        ("0 half 1", "1", "max wins.", "max"),
        ("0 half 1", "half", "half for max.", "nobody"),
    ] {
        assert_eq!(solve(outcomes, end), (found.to_owned(), winner.to_owned()), "{outcomes}");
    }
}

#[test]
fn one_player_is_told_of_points() {
    let cases: &[(&[&str], &str)] = &[
        (&["left-right:20"], "left-right:20: best score 20."),
        (&["same-game:4x4,3,1"], "same-game:4x4,3,1: best score 34."),
        (&["left-right:5", "-p", "3,2"], "left-right:5, game over: score 3."),
        (
            &["left-right:5", "-p", "1,1", "-q", "at-least 4"],
            "left-right:5: best score at least 4.",
        ),
        (&["left-right:5", "-p", "1,1", "-q", "win"], "left-right:5: best score at most 4."),
    ];
    for (words, line) in cases {
        assert_eq!(headline(words), *line);
    }
    let undecided = headline(&["same-game:8x8,5,1", "--nodes", "500"]);
    assert!(undecided.starts_with("same-game:8x8,5,1: undecided, between "), "{undecided}");
    assert!(undecided.ends_with(" points (stopped: nodes)."), "{undecided}");

    let (shown, _) = said(&["show", "left-right:5", "--position", "3,1"]);
    assert_eq!(shown, "3 left, 1 right, 1 to go\n\nposition: 3,1\n");
    let (shown, _) = said(&["show", "left-right:5", "--position", "3,2"]);
    assert_eq!(shown, "3 left, 2 right, 0 to go\n\nover: score 3\nposition: 3,2\n");
    let (games, _) = said(&["games", "left-right"]);
    assert!(games.contains("\nplayers: walker, alone\n"), "{games}");
    assert!(games.contains("\noutcomes for walker: 0 < 1 < 2 < … < 18 < 19 < 20\n"), "{games}");

    let scratch = Scratch::new();
    let file = scratch.path().join("proof.txt").display().to_string();
    said(&["solve", "left-right:5", "-p", "1,1", "--proof", &file]);
    let (proved, _) = said(&["verify", &file]);
    let lines: Vec<&str> = proved.lines().map(|l| l.split(" (").next().unwrap()).collect();
    // Bounds that were found on the way may stand before the last ones.
    assert_eq!(
        lines[lines.len() - 2..],
        [
            "proved: 1,1 in left-right:5: walker reaches at least 4",
            "proved: 1,1 in left-right:5: the score stays below 5",
        ]
    );
}

/// Proposition 22: where there are two outcomes, proof number search and its multization are the
/// same, node for node and line for line.
#[test]
fn multization_changes_nothing_where_there_are_two_outcomes() {
    struct Same;
    impl Visitor for Same {
        type Output = ();

        fn visit<G: Guide + Notation>(self, game: G) {
            for init in [Init::Constant, Init::Mobility] {
                for drive in [Guidance::Tree, Guidance::Dag] {
                    let solve = |scheme| {
                        let way = drive(scheme, init);
                        let job = Job::unlimited(game.start(), Question::Value, way);
                        let answer = session::solve(&game, &job, false).unwrap();
                        (answer.counts.nodes, answer.counts.expansions, answer.certificates)
                    };
                    let one = solve(SchemeChoice::Two(Base::Pn));
                    assert!(one.0 > 30, "{}", game.name());
                    assert_eq!(one, solve(SchemeChoice::Mo(Base::Pn)), "{}", game.name());
                }
            }
        }
    }
    for spec in ["domineering:5x5", "nogo:3x3", "hex:3", "nim:3,4,5", "atari-go:3x3"] {
        with_game(spec, Same).unwrap();
    }
}

/// A tree that is larger than its memory gives back what cannot matter any more, and still
/// proves what it says.
#[test]
fn a_tree_gives_memory_back() {
    let game = ConnectFour::<u64>::new(4, 4);
    let goal = Goal::within(&game, game.start(), (Outcome(0), Outcome(2)), Side::Min)
        .with_knowledge(false);
    let run = |bytes| {
        let mut leaves = Leaves::new(Init::Constant, 0);
        tree(&goal, &Pn, &mut leaves, Limits { nodes: u64::MAX, bytes }, &mut ())
    };
    let free = run(u64::MAX);
    let held = free.counts.nodes * 24;
    let tight = run(held / 4 * 3);
    assert_eq!((tight.stop, tight.bounds), (StopReason::Solved, free.bounds));
    // Nothing that mattered was lost: it is the same search.
    assert_eq!(tight.counts.nodes, free.counts.nodes);
    assert_eq!(tight.solutions.len(), 2);
    for solution in tight.solutions {
        let claim = goal.claim(solution.weak.prover, solution.at_least);
        let written = certificate::write(&game, &game.start(), claim, &solution.weak);
        let mut reader = certificate::Reader::new(written.text.as_bytes());
        let header = reader.header().unwrap().unwrap();
        let checked =
            certificate::check(&game, &header, &mut reader, &mut certificate::RulesOnly).unwrap();
        assert_eq!(checked.claim, claim);
    }
    assert_eq!(run(held / 50).stop, StopReason::Memory);
}

/// Long cycles, more than two outcomes, and a table: proofs do not go in circles.
#[test]
fn alphabeta_proves_scores_of_games_with_cycles() {
    for board in ["woodpush:10,3", "woodpush:9,4", "woodpush:13,2"] {
        for walk in ["null", "full"] {
            let (text, code) =
                said(&["solve", board, "--driver", "alphabeta", "--walk", walk, "--json"]);
            assert_eq!(code, 0, "{text}");
            assert!(text.contains("\"checked\":true"), "{text}");
        }
    }
}

/// The playouts until a search by random plays has the value, over some seeds.
fn playouts(words: &str) -> u64 {
    let once = |seed: u64| {
        let words = format!("solve {words} --driver tree --seed {seed} --no-knowledge --json");
        let (text, code) = said(&words.split_whitespace().collect::<Vec<_>>());
        assert_eq!(code, 0, "{text}");
        let json: Value = serde_json::from_str(&text).unwrap();
        json["playouts"].as_u64().unwrap_or_else(|| panic!("{text}"))
    };
    (0..8).map(once).sum()
}

/// Section 4.5 of the master thesis in small: bounds cut, a bias towards them helps, and so does
/// what is known of moves elsewhere.
#[test]
fn bounds_and_labels_save_random_plays() {
    let [plain, cuts, biased, rave] = ["--no-cuts", "", "--delta 10000", "--rave 1000"]
        .map(|options| playouts(&format!("seki:2,3 --scheme sbmcts {options}")));
    assert!(cuts < plain / 2, "{cuts} with cuts, {plain} without");
    assert!(biased < cuts, "{biased} with a bias, {cuts} without");
    assert!(rave < cuts, "{rave} with RAVE, {cuts} without");
}

/// A question left for another one too often is answered all the same: in a game with cycles what
/// was found below it may be forgotten each time.
#[test]
fn df_does_not_go_to_and_fro_between_questions() {
    let game = foregone_games::explicit::Explicit::read(
        "explicit:loops",
        "outcomes awful bad even good great\nendless bad\nmax a -> b c\nmax b -> a\nmax c -> a c\n\
         end d awful\n",
    )
    .unwrap();
    let guidance = Guidance::Df(SchemeChoice::Mo(Base::Pp), Init::Constant);
    let mut job = Job::unlimited(game.start(), Question::Value, guidance);
    job.budget.limits.nodes = 1_000_000;
    let answer = session::solve(&game, &job, false).unwrap();
    assert!(answer.solved());
    assert_eq!(game.scale().name(answer.bounds.0), "bad");
}
