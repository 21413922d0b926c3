//! Values of moves: against the positions behind them, solved alone, and against brute force.

use foregone::games::explicit::Explicit;
use foregone::model::{Game, Notation, Outcome, Rng, Turn, Typed};
use foregone::search::all_guidances;
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::{AnyGame, Engine, Job, LineEnd, MoveAnswer, Question, TurnAnswer};

use crate::common::{accepted, guided, in_turn, job, root, run, run_on, turn};
use crate::random_games::{MANY, random_graph};

/// The value of a position by trying everything, and in how many moves the game is over if the
/// side that wins hurries and the other one resists.
fn brute<G: Game>(game: &G, s: &G::State) -> (Outcome, u32) {
    let Turn::Agent(agent) = game.turn(s) else { return (game.outcome(s), 0) };
    let best = game.scale().best();
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let values = moves.iter().map(|&m| {
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        let (value, moves) = brute(game, &next);
        (value, moves + 1)
    });
    let wins = |value: Outcome| if agent.0 == 0 { value == best } else { value == Outcome(0) };
    // Higher is better for who moves: a win soon, a loss late.
    let rank = |&(value, moves): &(Outcome, u32)| {
        let value_for = i64::from(value.0) * if agent.0 == 0 { 1 } else { -1 };
        (value_for, if wins(value) { -i64::from(moves) } else { i64::from(moves) })
    };
    values.max_by_key(rank).unwrap()
}

fn moves_of(answer: &TurnAnswer) -> &[MoveAnswer] {
    answer.moves.as_deref().expect("values of moves were asked for")
}

#[test]
fn values_and_distances_are_those_of_brute_force() {
    let cases = [
        ("tic-tac-toe", "moves:a1"),
        ("tic-tac-toe", "moves:b2,a2,c1"),
        ("nim:3,2,2", "start"),
        ("connect-four:3x3", "start"),
        ("domineering:3x3", "start"),
        ("othello:2x4", "start"),
        ("kalah:2,2", "start"),
        ("woodpush:5,2", "start"),
    ];
    let mut distances = 0;
    for (name, position) in cases {
        let game = in_turn(name);
        let s = game.read_position_or_moves(position).unwrap();
        let mut asked = Job::new(name).at(position);
        asked.moves = true;
        let finished = run(&asked);
        let answer = turn(&finished);
        let Turn::Agent(agent) = game.turn(&s) else { panic!("{name}") };
        let mut legal = Vec::new();
        game.moves(&s, agent, &mut legal);
        assert_eq!(moves_of(answer).len(), legal.len(), "{name}");
        for (m, told) in legal.iter().zip(moves_of(answer)) {
            let mut next = s.clone();
            game.play(&mut next, agent, *m);
            let (value, moves) = brute(&game, &next);
            let place = format!("{name} {position} {told:?}");
            assert_eq!(told.text, game.move_text(&s, *m));
            assert_eq!(
                told.value.as_deref(),
                game.scale().names().nth(usize::from(value.0)),
                "{place}"
            );
            assert_eq!(told.best, Some(answer.value == told.value), "{place}");
            assert!(told.proved, "{place}");
            if let Some(distance) = told.distance {
                assert_eq!(distance, moves + 1, "{place}");
                distances += 1;
            }
        }
        assert!(accepted(&Engine::default(), &finished.certificate), "{name}");
    }
    assert!(distances > 20, "{distances}");
}

#[test]
fn values_of_moves_are_right_by_every_driver_and_scheme() {
    let mut rng = Rng::new(11);
    for number in 0..120 {
        let cyclic = number % 2 == 0;
        let text = random_graph(&mut rng, cyclic, MANY);
        let game = Explicit::read("explicit:random", &text).unwrap();
        let any = AnyGame::in_turn(game.clone());
        let Turn::Agent(agent) = game.turn(&game.start()) else { continue };
        let strong: Vec<_> = (1..MANY.len() as u16)
            .map(|o| StrongSolution::of(&game, game.start(), Outcome(o), 1000).unwrap())
            .collect();
        let mut legal = Vec::new();
        game.moves(&game.start(), agent, &mut legal);
        for guidance in all_guidances(false) {
            let job = Job { moves: true, seed: number, ..Job::default() };
            let finished = run_on(&any, &guided(job, guidance)).unwrap();
            let answer = turn(&finished);
            for (m, told) in legal.iter().zip(moves_of(answer)) {
                let mut next = game.start();
                game.play(&mut next, agent, *m);
                let verdicts: Vec<_> =
                    strong.iter().map(|solution| solution.verdict(&next).unwrap()).collect();
                let expected = match verdicts.contains(&Verdict::Undetermined) {
                    true => "undetermined",
                    false => MANY[verdicts.iter().filter(|&&v| v == Verdict::Won).count()],
                };
                assert_eq!(told.value.as_deref(), Some(expected), "{guidance}: {told:?}\n{text}");
                assert!(told.proved || expected == "undetermined", "{guidance}: {told:?}\n{text}");
            }
        }
    }
}

#[test]
fn a_question_is_asked_behind_every_move() {
    let finished = run(&job("connect-four:4x4 question=win position=moves:2 moves=yes"));
    let answer = turn(&finished);
    assert_eq!(answer.holds, Some(false));
    // Yellow holds the draw by some moves; behind each it is known whether Red wins.
    for told in moves_of(answer) {
        let red_wins = told.bounds[0] == "win";
        assert!(red_wins || told.bounds[1] == "draw", "{told:?}");
        assert_eq!(told.best, Some(!red_wins), "{told:?}");
    }
}

#[test]
fn out_of_budget_moves_are_undecided() {
    let whole = run(&job("connect-four:4x5 moves=yes"));
    let alone = run(&job("connect-four:4x5"));
    let nodes = turn(&alone).nodes + 200;
    assert!(turn(&whole).nodes > nodes);
    let finished = run(&job(&format!("connect-four:4x5 moves=yes nodes={nodes}")));
    let answer = turn(&finished);
    assert!(answer.solved());
    let undecided = moves_of(answer).iter().filter(|told| told.value.is_none());
    let bounds: Vec<_> = undecided.map(|told| told.bounds.clone()).collect();
    assert!(!bounds.is_empty());
    // Nothing is better than the best move.
    assert!(
        bounds.iter().all(|b| b[0] == "loss" && Some(&b[1]) == answer.value.as_ref()),
        "{bounds:?}"
    );
    // And where nothing is solved, nothing is said.
    let finished = run(&job("connect-four moves=yes nodes=100"));
    assert!(moves_of(turn(&finished)).iter().all(|told| told.value.is_none() && !told.proved));
    assert_eq!(turn(&finished).line_end, LineEnd::Undecided);
}

#[test]
fn moves_are_for_games_in_turn() {
    let path = root().join("examples/rock-paper-scissors.csv");
    let words = format!("matrix:{} moves=yes", path.display());
    let refused = Engine::default().run(&job(&words), &mut (), &foregone::Cancel::new());
    assert!(refused.unwrap_err().to_string().contains("`moves` does not go with"));
    let over = run(&job("tic-tac-toe moves=yes position=moves:a1,b1,a2,b2,a3"));
    assert_eq!(moves_of(turn(&over)), []);
    let asked = job("nim:1,2 moves=yes").ask(Question::Formula("omega(2)".to_owned()));
    assert!(Engine::default().run(&asked, &mut (), &foregone::Cancel::new()).is_err());
}
