//! Players: their texts, perfect play against brute force, matches and their numbers, records.

use std::collections::HashMap;

use foregone::games::erased::{AnyState, Erased};
use foregone::model::guide::Guide;
use foregone::model::{Agent, Game, Notation, Outcome, Side, TextError, Turn};
use foregone::play::{
    Choice, Course, Elo, Match, MatchAnswer, MoveBudget, Player, Points, Seat, Seating, in_turn,
    sit, written,
};
use foregone::{AnyGame, Cancel, Context, Engine, Error, NoClock};

use crate::common;

fn playouts(n: u64) -> MoveBudget {
    MoveBudget { playouts: Some(n), ..MoveBudget::default() }
}

fn choose(seat: &mut dyn Seat, budget: &MoveBudget) -> Choice {
    let cancel = Cancel::new();
    let nobody = &mut ();
    let mut context = Context::new(&NoClock, nobody, &cancel);
    seat.choose(budget, &mut context).unwrap()
}

fn played(spec: &Match) -> MatchAnswer {
    Engine::default().play_match(spec, &sit, &mut |_| {}, &Cancel::new()).unwrap()
}

#[test]
fn players_are_what_their_texts_say() {
    for text in [
        "default",
        "random",
        "search",
        "alphabeta",
        "dag pn",
        "tree sbmcts(cuts=no) playout knowledge=no symmetry=no",
        "uct",
        "uct(exploration=0.5,rave=300,playouts=10000,prove=0.25,by=alphabeta,keep=no)",
        "ucd(0,1,2,playouts=100)",
        "ucd(inf,0,0)",
        "update-all",
        "estimate",
        "estimate(depth=4,prove=0.5)",
        "ggp:localhost:9147",
    ] {
        let player: Player = text.parse().unwrap_or_else(|e: Error| panic!("{text}: {e}"));
        assert_eq!(player.to_string(), text);
        let json = serde_json::to_string(&player).unwrap();
        assert_eq!(serde_json::from_str::<Player>(&json).unwrap(), player);
    }
    // Words stand in any order.
    assert_eq!("pn  dag".parse::<Player>().unwrap().to_string(), "dag pn");
    for (text, message, help) in [
        ("", "a player has a name", "one of"),
        ("randon", "`randon` is not a player", "`random`"),
        ("dag pn pp", "`pp` is a second scheme", ""),
        ("dag tree", "`tree` is a second driver", ""),
        ("dag mcts(exploratoin=1)", "`exploratoin` is not an option here", "exploration="),
        ("uct(rve=3)", "`rve` is not an option here", "rave="),
        ("uct(rave=3", "has a bracket that is not closed", ""),
        ("uct(prove=2)", "`2` is not a number from 0 to 1", ""),
        ("uct(playouts=many)", "`many` is not a number of playouts", ""),
        ("estimate(rave=3)", "`rave=3` is not an option of `estimate`", ""),
        ("estimate(depth=0)", "`0` is not a number of moves", ""),
        ("ggp:localhost", "`localhost` is not the address of a player", "HOST:PORT"),
        ("ggp::80", "`:80` is not the address of a player", ""),
    ] {
        let error = text.parse::<Player>().unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.help.unwrap_or_default().contains(help), "{text}");
    }
}

/// The value of a state by the rules alone, as a rank for the first agent.
fn brute_force(game: &Erased, s: &AnyState, known: &mut HashMap<AnyState, Outcome>) -> Outcome {
    if let Some(&value) = known.get(s) {
        return value;
    }
    let value = match game.turn(s) {
        Turn::Over => game.outcome(s),
        turn => {
            let agent = turn.mover().unwrap();
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            let values = moves.into_iter().map(|m| {
                let mut next = s.clone();
                game.play(&mut next, agent, m);
                brute_force(game, &next, known)
            });
            if Side::of(agent) == Side::Max { values.max() } else { values.min() }.unwrap()
        }
    };
    known.insert(s.clone(), value);
    value
}

/// Lets a player play one side against every play of the other one, and holds it to the value.
struct Exhaustive<'g> {
    game: &'g Erased,
    player: Player,
    budget: MoveBudget,
    side: Side,
    value: Outcome,
    plays: u32,
}

impl Exhaustive<'_> {
    fn all(&mut self, path: &mut Vec<usize>) {
        // A seat cannot go back: it sits down again for every play.
        let mut course = Course::new(self.game.clone(), "start").unwrap();
        let mut seat = sit(&self.player, self.game, course.start(), 1).unwrap();
        for &number in path.iter() {
            if self.is_own(&course) {
                assert_eq!(choose(&mut *seat, &self.budget).number, number, "not deterministic");
            }
            course.play(number);
            seat.follow(number);
        }
        if let Some(outcome) = course.outcome() {
            let kept = match self.side {
                Side::Max => outcome >= self.value,
                Side::Min => outcome <= self.value,
            };
            let moves: Vec<&str> = course.made().iter().map(|m| m.text.as_str()).collect();
            assert!(kept, "{} as {:?} in {}: {moves:?}", self.player, self.side, self.game.name());
            self.plays += 1;
            return;
        }
        let numbers = match self.is_own(&course) {
            true => vec![choose(&mut *seat, &self.budget).number],
            false => (0..course.moves().len()).collect(),
        };
        for number in numbers {
            path.push(number);
            self.all(path);
            path.pop();
        }
    }

    fn is_own(&self, course: &Course) -> bool {
        course.turn().mover().is_some_and(|agent| Side::of(agent) == self.side)
    }
}

#[test]
fn what_can_be_solved_is_played_perfectly_against_every_defence() {
    for (spec, player, budget) in [
        ("nim:1,2,3", "default", 400),
        ("nim:2,3", "dag pn", 10_000),
        ("tic-tac-toe", "default", 40_000),
        ("tic-tac-toe", "alphabeta", 1_000_000),
        ("tic-tac-toe", "dag pn", 1_000_000),
        ("hex:3", "default", 40_000),
        ("domineering:3x4", "default", 40_000),
        ("domineering:4x3", "uct(prove=0.5)", 40_000),
        ("connect-four:2x4", "estimate(prove=0.5)", 100_000),
        ("othello:4x4", "default", 100_000),
        ("breakthrough:4x3", "default", 40_000),
    ] {
        let game = common::in_turn(spec);
        let value = brute_force(&game, &game.start(), &mut HashMap::new());
        for side in [Side::Max, Side::Min] {
            let (player, budget) = (player.parse().unwrap(), playouts(budget));
            let mut all = Exhaustive { game: &game, player, budget, side, value, plays: 0 };
            all.all(&mut Vec::new());
            assert!(all.plays > 0, "{spec}");
        }
    }
}

#[test]
fn a_forced_win_is_said_when_it_is_proved_and_only_then() {
    let game = common::in_turn("atari-go:3x3");
    let start = game.start();
    let known = |player: &str, budget: u64| {
        let mut seat = sit(&player.parse().unwrap(), &game, &start, 0).unwrap();
        choose(&mut *seat, &playouts(budget)).known
    };
    let black = known("default", 40_000).unwrap();
    assert_eq!(black.winner.as_deref(), Some("black"));
    assert_eq!(known("dag pn", 100_000), Some(black));
    // One who plays at random knows nothing, nor does one without a proof, though it may be right.
    assert_eq!(known("random", 40_000), None);
    assert_eq!(known("uct", 40_000), None);
    assert_eq!(known("dag pn", 3), None);
}

#[test]
fn a_mistake_of_the_other_side_is_seen() {
    // Tic-tac-toe is drawn. After a1 b1 x wins, and a proof of a draw is not enough any more.
    let game = common::in_turn("tic-tac-toe");
    for player in ["default", "dag pn"] {
        let mut course = Course::new(game.clone(), "start").unwrap();
        let mut seat = sit(&player.parse().unwrap(), &game, course.start(), 0).unwrap();
        let first = choose(&mut *seat, &playouts(100_000));
        assert_eq!(first.known.unwrap().value.as_deref(), Some("draw"));
        for text in ["a1", "b1"] {
            let number = course.read(text).unwrap();
            course.play(number);
            seat.follow(number);
        }
        let second = choose(&mut *seat, &playouts(100_000));
        assert_eq!(second.known.unwrap().winner.as_deref(), Some("x"), "{player}");
    }
}

#[test]
fn better_players_win_matches() {
    for (game, strong, weak, games, least) in [
        ("connect-four:6x7", "uct(playouts=300)", "random", 10, 0.9),
        ("havannah:4", "default", "uct(playouts=10)", 10, 0.7),
        ("breakthrough:6x6", "estimate(depth=3)", "random", 10, 0.9),
        ("othello:6x6", "estimate(depth=3)", "random", 10, 0.8),
        ("connect-four:6x7", "estimate(depth=4)", "random", 10, 0.9),
    ] {
        let players = [strong, weak].map(|player| player.parse().unwrap());
        let (game, budget) = (game.to_owned(), playouts(500));
        let answer =
            played(&Match { game, players, games, budget, opening: 2, ..Match::default() });
        assert!(answer.score >= least, "{strong} against {weak}: {}", answer.score);
    }
}

#[test]
fn a_match_is_the_same_by_any_number_of_threads() {
    for (game, first, second) in [
        ("tic-tac-toe", "random", "uct"),
        ("connect-four:4x5", "default", "uct(rave=50)"),
        ("chinese-checkers:1,3", "uct", "random"),
    ] {
        let match_by = |threads, seed| {
            let players = [first, second].map(|player| player.parse().unwrap());
            let (game, budget) = (game.to_owned(), playouts(60));
            played(&Match {
                game,
                players,
                games: 9,
                budget,
                opening: 2,
                seed,
                threads,
                ..Match::default()
            })
        };
        let alone = match_by(1, 7);
        assert_eq!(alone, match_by(3, 7), "{game}");
        assert_eq!(alone, match_by(16, 7), "{game}");
        assert_ne!(alone.games, match_by(1, 8).games, "{game}");
        let moves = |round: usize| alone.games[round].moves[..2].to_vec();
        // Both games of a pair have the same opening, and pairs have different ones.
        for pair in 0..4 {
            assert_eq!(moves(2 * pair), moves(2 * pair + 1), "{game}");
        }
        assert!((1..4).any(|pair| moves(0) != moves(2 * pair)), "{game}");
    }
}

#[test]
fn sides_are_balanced() {
    let answer = |game: &str| {
        let players = [Player::Random, Player::Random];
        played(&Match { game: game.to_owned(), players, games: 12, ..Match::default() })
    };
    for game in ["tic-tac-toe", "chinese-checkers:1,3"] {
        let games = answer(game).games;
        let agents = games[0].seats.len();
        for agent in 0..agents {
            let first = games.iter().filter(|game| game.seats[agent] == 0).count();
            assert_eq!(first, 6, "{game}");
        }
        for pair in games.chunks(2) {
            assert!((0..agents).all(|agent| pair[0].seats[agent] != pair[1].seats[agent]));
        }
    }
}

#[test]
fn elo_and_errors_are_those_of_a_calculation_by_hand() {
    // 3 points of 4 are 400 log10(3), and games of 1, 1, 1, 0 have a variance of 3/16.
    let elo = Elo::of(0.75, 0.0).unwrap();
    assert!((elo.difference - 190.848_5).abs() < 1e-3, "{elo:?}");
    assert_eq!((elo.low, elo.high), (Some(elo.difference), Some(elo.difference)));
    let wide = Elo::of(0.5, 0.1).unwrap();
    assert_eq!(wide.difference, 0.0);
    // 0.5 + 1.96 / 10 is a score of 0.696, which is 143.9 points.
    assert!((wide.high.unwrap() - 143.9).abs() < 0.1, "{wide:?}");
    assert!((wide.low.unwrap() + 143.9).abs() < 0.1, "{wide:?}");
    assert_eq!(Elo::of(0.9, 0.1).unwrap().high, None);
    assert_eq!((Elo::of(1.0, 0.0), Elo::of(0.0, 0.0)), (None, None));

    let players = ["alphabeta", "random"].map(|player| player.parse().unwrap());
    let answer =
        played(&Match { game: "nim:1,2,4".to_owned(), players, games: 4, ..Match::default() });
    // The first player to move wins, and who proves never lets go: at least the two games it begins.
    assert!(answer.wins >= 2 && answer.draws == 0, "{answer:?}");
    assert_eq!(answer.wins + answer.losses, 4);
    let score = f64::from(answer.wins) / 4.0;
    assert_eq!(answer.score, score);
    assert!((answer.score_error - (score * (1.0 - score) / 4.0).sqrt()).abs() < 1e-12);
}

/// Answers what it was told to.
struct Stubborn(Result<usize, String>);

impl Seat for Stubborn {
    fn choose(&mut self, _: &MoveBudget, _: &mut Context<'_>) -> Result<Choice, Error> {
        self.0.clone().map(Choice::of).map_err(Error::input)
    }

    fn follow(&mut self, _number: usize) {}
}

#[test]
fn players_from_outside_forfeit_what_they_cannot_play() {
    for (answer, why) in [
        (Ok(1000), "ggp:a:1 forfeits as o: an illegal move"),
        (Err("it hung up".to_owned()), "ggp:a:1 forfeits as o: it hung up"),
    ] {
        let seating: &Seating<'_> = &|player, game, start, seed| match player {
            Player::Ggp(_) => Ok(Box::new(Stubborn(answer.clone()))),
            _ => sit(player, game, start, seed),
        };
        let players = [Player::Random, Player::Ggp("a:1".to_owned())];
        let spec = Match { game: "tic-tac-toe".to_owned(), players, games: 2, ..Match::default() };
        let engine = Engine::default();
        let answer = engine.play_match(&spec, seating, &mut |_| {}, &Cancel::new()).unwrap();
        assert_eq!((answer.wins, answer.losses), (2, 0));
        assert_eq!(answer.games[0].end, why);
        assert_eq!(answer.games[0].moves.len(), 1);
        assert_eq!(answer.games[1].moves.len(), 0);
        // One of the library must not fail: that is an error of the whole match.
        let broken: &Seating<'_> = &|_, _, _, _| Ok(Box::new(Stubborn(Err("broken".to_owned()))));
        let error = engine.play_match(&spec, broken, &mut |_| {}, &Cancel::new());
        match error {
            Err(error) => assert_eq!(error.message, "broken"),
            Ok(answer) => assert_eq!(answer.games[1].result, Points::Win, "it moved first"),
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused_by_name() {
    let refused = |game: &str, first: &str, second: &str| {
        let players = [first, second].map(|player| player.parse().unwrap());
        let spec =
            Match { game: game.to_owned(), players, budget: playouts(10), ..Match::default() };
        let error = Engine::default().play_match(&spec, &sit, &mut |_| {}, &Cancel::new());
        error.unwrap_err().message
    };
    assert!(refused("goofspiel:4", "random", "random").contains("move at the same time"));
    assert!(refused("same-game", "random", "random").contains("has one player"));
    assert!(refused("nim", "random", "ggp:x:1").contains("on a network"));
    assert!(refused("nim", "estimate", "random").contains("evaluate positions"));
    assert!(refused("woodpush:6,2", "ucd(0,1,2)", "random").contains("takes no cycles"));
    let game = AnyGame::from(Engine::default().open("goofspiel:4").unwrap().opened().clone());
    assert!(in_turn(&game).unwrap_err().message.starts_with("in goofspiel:4 both players"));
}

#[test]
fn a_cancelled_match_counts_the_games_that_ended() {
    let cancel = Cancel::new();
    let players = [Player::Random, Player::Random];
    let spec = Match { game: "tic-tac-toe".to_owned(), players, games: 100, ..Match::default() };
    let watch = &mut |event: foregone::play::MatchEvent<'_>| {
        if event.played == 3 {
            cancel.cancel();
        }
    };
    let answer = Engine::default().play_match(&spec, &sit, watch, &cancel).unwrap();
    assert!(answer.interrupted);
    assert_eq!(answer.games.len(), 3);
}

#[test]
fn one_player_and_several_are_played() {
    let budget = playouts(200);
    for spec in ["same-game", "left-right:6", "chinese-checkers:1,3"] {
        let game = common::in_turn(spec);
        let mut course = Course::new(game.clone(), "start").unwrap();
        let mut seat = sit(&Player::Default, &game, course.start(), 0).unwrap();
        for _ in 0..4 {
            let choice = choose(&mut *seat, &budget);
            assert!(course.play(choice.number), "{spec}");
            seat.follow(choice.number);
        }
    }
}

/// A die is rolled, and then the player says whether it was high: a game of chance and one guess.
#[derive(Clone, Debug)]
struct Guess;

impl Game for Guess {
    /// The roll and the guess, 0 for none.
    type State = (u8, u8);
    type Move = u8;

    fn start(&self) -> (u8, u8) {
        (0, 0)
    }

    fn turn(&self, s: &(u8, u8)) -> Turn {
        match s {
            (0, _) => Turn::Chance,
            (_, 0) => Turn::Agent(Agent(0)),
            _ => Turn::Over,
        }
    }

    fn moves(&self, _s: &(u8, u8), agent: Agent, out: &mut Vec<u8>) {
        out.extend(if agent == Agent::CHANCE { 1..=6 } else { 1..=2 });
    }

    fn play(&self, s: &mut (u8, u8), agent: Agent, m: u8) {
        if agent == Agent::CHANCE { s.0 = m } else { s.1 = m }
    }

    fn outcome(&self, s: &(u8, u8)) -> Outcome {
        if (s.0 > 3) == (s.1 == 2) { Outcome::WIN } else { Outcome::LOSS }
    }

    fn has_chance(&self) -> bool {
        true
    }
}

foregone::unguided!(Guess);

impl Notation for Guess {
    fn name(&self) -> String {
        "guess".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["one", "other"]
    }

    fn write_move(&self, _s: &(u8, u8), m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &(u8, u8), text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, s: &(u8, u8), out: &mut String) {
        out.push_str(&format!("{}-{}", s.0, s.1));
    }

    fn read_position(&self, text: &str) -> Result<(u8, u8), TextError> {
        let wrong = || TextError::new("a position is ROLL-GUESS", 0..text.len());
        let (roll, guess) = text.split_once('-').ok_or_else(wrong)?;
        Ok((roll.parse().map_err(|_| wrong())?, guess.parse().map_err(|_| wrong())?))
    }
}

#[test]
fn chance_moves_by_the_seed_and_players_see_it() {
    let game = AnyGame::in_turn(Guess);
    let spec = |seed| Match {
        players: [Player::Default, Player::Random],
        games: 40,
        budget: playouts(50),
        seed,
        ..Match::default()
    };
    let played = |seed| {
        let engine = Engine::default();
        engine.play_match_on(&game, &spec(seed), &sit, &mut |_| {}, &Cancel::new()).unwrap()
    };
    let answer = played(1);
    assert_eq!(answer, played(1));
    // Who sees the die guesses right, always; both games of a pair have the same roll.
    for pair in answer.games.chunks(2) {
        assert_eq!(pair[0].moves[0], pair[1].moves[0]);
        assert_eq!(pair[0].result, Points::Win, "{pair:?}");
    }
    let rolls: std::collections::BTreeSet<&str> =
        answer.games.iter().map(|game| game.moves[0].as_str()).collect();
    assert!(rolls.len() > 3, "{rolls:?}");
}

#[test]
fn plays_go_back_and_moves_are_read_as_people_write_them() {
    let mut course = Course::new(common::in_turn("chess"), "start").unwrap();
    for text in ["e4", "e7e5", "Nf3"] {
        let number = course.read(text).unwrap();
        assert!(course.play(number));
    }
    let usual: Vec<_> = course.made().iter().map(|m| m.usual.clone().unwrap()).collect();
    assert_eq!(usual, ["e4", "e5", "Nf3"]);
    let error = course.read("Nf9").unwrap_err();
    assert!(error.message.contains("`Nf9` is not a move of chess"), "{error}");
    assert!(course.undo() && course.undo() && course.undo() && !course.undo());
    assert_eq!(course.state(), course.start());
    assert!(!course.play(1000));
}

#[test]
fn records_are_what_other_programs_read() {
    let played = |spec: &str, position: &str, moves: &[&str]| {
        let mut course = Course::new(common::in_turn(spec), position).unwrap();
        for text in moves {
            let number = course.read(text).unwrap();
            course.play(number);
        }
        let players = vec!["a \"b\"".to_owned(), "c]d".to_owned()];
        let result = foregone::play::Ending::Won(Agent(0));
        let end = "over".to_owned();
        written(&course, &foregone::play::Meta { round: 3, players, end, result })
    };
    let pgn = played("chess", "start", &["f4", "e5", "g4", "Qh4"]);
    assert!(pgn.contains("[White \"a \\\"b\\\"\"]\n"), "{pgn}");
    assert!(pgn.ends_with("[Result \"1-0\"]\n\n1. f4 e5 2. g4 Qh4# {over} 1-0\n\n"), "{pgn}");
    let fen = "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1";
    let pgn = played("chess", fen, &["Kd8", "O-O-O"]);
    assert!(pgn.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{pgn}");
    assert!(pgn.contains("\n1... Kd8 2. O-O-O+ {over}"), "{pgn}");
    // Go counts rows from the top; Hex writes points as people do.
    let sgf = played("nogo:3x4", "start", &["a1", "d3"]);
    assert!(sgf.contains("GM[1]") && sgf.contains("SZ[4:3]") && sgf.contains("PW[c\\]d]"), "{sgf}");
    assert!(sgf.contains(";B[ac];W[da])"), "{sgf}");
    let sgf = played("hex:5", "start", &["a1", "e4"]);
    assert!(
        sgf.contains("GM[11]") && sgf.contains("SZ[5]") && sgf.ends_with(";B[a1];W[e4])\n\n"),
        "{sgf}"
    );
    // A list of moves is a position.
    let list = played("domineering:3x3", "start", &["a1a2", "b1c1"]);
    assert!(list.contains("moves    a1a2,b1c1\n"), "{list}");
    assert!(Course::new(common::in_turn("domineering:3x3"), "moves:a1a2,b1c1").is_ok());
}

#[test]
fn estimates_look_ahead() {
    // Three in a row that are open on one side: one move ahead is enough to win or to prevent it.
    let game = common::in_turn("connect-four:6x7");
    assert!(game.evaluates() && !game.prefers_evaluation());
    for (position, best) in [("moves:4,1,4,1,4", "4"), ("moves:4,1,4,1,4,2", "4")] {
        let course = Course::new(game.clone(), position).unwrap();
        let mut seat =
            sit(&"estimate(depth=3)".parse().unwrap(), &game, course.state(), 0).unwrap();
        let choice = choose(&mut *seat, &MoveBudget::default());
        assert_eq!(course.moves()[choice.number], best, "{position}");
    }
}
