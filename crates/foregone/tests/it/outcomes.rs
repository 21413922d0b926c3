//! Games with more than two outcomes, and games of one player: whether the move that is named keeps
//! the value, who wins a score, and what schemes for many outcomes save.

use foregone::games::connect_four::ConnectFour;
use foregone::games::explicit::Explicit;
use foregone::model::{Game, Goal, Guide, Notation, Outcome, Rng, Side, Typed, certificate};
use foregone::search::drive::tree;
use foregone::search::scheme::Pn;
use foregone::search::{
    DriverSpec, Guidance, Init, Leaves, Limits, SchemeSpec, StopReason, all_guidances,
};
use foregone::{AnyGame, Job, TurnAnswer, pick};

use crate::common::{guided, in_turn, job, run, run_on, shared, turn};

/// Solves positions of a random play and plays the move that is named first. How many there were.
fn best_moves(words: &str, plies: u32, every_way: bool) -> u32 {
    let job = job(words);
    let game = in_turn(&job.game);
    let any = shared(&game);
    let usual = pick(&game, &job).unwrap();
    let solve = |text: &str, way: Guidance| -> TurnAnswer {
        let finished = run_on(&any, &guided(Job::default().at(text), way)).unwrap();
        let answer = turn(&finished);
        assert!(finished.answer.solved() && answer.value.is_some(), "{words}: {text} by {way}");
        answer.clone()
    };
    let mut rng = Rng::new(3);
    let mut tried = 0;
    let mut s = game.read_position_or_moves(&job.position).unwrap();
    for ply in 0..=plies {
        let Some(agent) = game.turn(&s).mover() else {
            break;
        };
        let ways = if every_way { all_guidances(game.evaluates()) } else { vec![usual] };
        let text = game.position_text(&s);
        for way in ways {
            let answer = solve(&text, way);
            let mut next = s.clone();
            let Some(best) = &answer.best_move else { panic!("{text}: no move by {way}") };
            assert_eq!(answer.line.first(), Some(best));
            game.play(&mut next, agent, game.read_move(&s, best).unwrap());
            let after = solve(&game.position_text(&next), usual);
            assert_eq!(after.bounds, answer.bounds, "{} {text}: {best} by {way}", game.name());
            tried += 1;
        }
        if ply < plies {
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    tried
}

#[test]
fn the_best_move_keeps_the_value() {
    // Positions, how many random moves on, and whether by every driver and scheme.
    let cases = [
        ("tic-tac-toe", 5, false),
        ("tic-tac-toe position=moves:b2,a1", 4, true),
        ("tic-tac-toe position=moves:a1,b2,c3", 3, true),
        ("connect-four:4x4", 8, false),
        ("connect-four:4x4 position=12343211", 4, true),
        ("seki:3,3", 4, false),
        ("seki:1,1", 2, true),
        ("seki:1,2", 2, true),
        ("seki:2,2 position=moves:w1", 2, true),
        ("kalah:2,2", 4, true),
        ("kalah:2,3", 4, true),
        ("kalah:3,2", 6, false),
        ("woodpush:6,2", 4, false),
        ("woodpush:4,2", 3, true),
        ("othello:4x4", 3, false),
        ("othello:4x4 position=moves:a2,a3,a4,c1,d1,a1", 3, true),
        ("othello:4x4 position=moves:c4,b4,a4,d4,a2", 3, true),
        ("same-game:3x3,2,1", 2, true),
        ("same-game:4x4,3,1", 3, false),
        ("left-right:6", 3, true),
    ];
    let mut tried = 0;
    for (words, plies, every_way) in cases {
        tried += best_moves(words, plies, every_way);
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn the_winner_of_a_score_has_its_sign() {
    // Game, question, value, winner.
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
        let finished = run(&Job::new(game).ask(question.parse().unwrap()));
        let answer = turn(&finished);
        assert!(finished.answer.solved());
        assert_eq!(answer.question, question, "{game}");
        assert_eq!(answer.value.as_deref().unwrap_or_default(), value, "{game} {question}");
        assert_eq!(answer.winner.as_deref().unwrap_or_default(), winner, "{game} {question}");
    }
}

/// Proposition 22: where there are two outcomes, proof number search and its multization are the
/// same, node for node and line for line.
#[test]
fn multization_changes_nothing_where_there_are_two_outcomes() {
    for spec in ["domineering:5x5", "nogo:3x3", "breakthrough:4x3", "nim:3,4,5", "atari-go:3x3"] {
        for leaves in [Init::One, Init::Mobility] {
            for driver in [DriverSpec::Tree, DriverSpec::Dag] {
                let solve = |scheme| {
                    let way = Guidance::new(driver, Some(scheme), Some(leaves)).unwrap();
                    let finished = run(&guided(Job::new(spec), way));
                    let answer = turn(&finished);
                    (answer.nodes, answer.expansions, finished.certificate.clone())
                };
                let one = solve(SchemeSpec::new(Pn));
                assert!(one.0 > 30, "{spec}");
                assert_eq!(one, solve(SchemeSpec::mo(Pn)), "{spec}");
            }
        }
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
        let mut leaves = Leaves::new(Init::One, 0);
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
            let finished = run(&job(&format!("{board} driver=alphabeta(walk={walk})")));
            assert!(finished.answer.solved(), "{board} {walk}");
            assert!(finished.answer.proof().is_some_and(|proof| proof.checked), "{board} {walk}");
        }
    }
}

/// The playouts until a search by random plays has the value, over some seeds.
fn playouts(scheme: &str) -> u64 {
    let once = |seed: u64| {
        let words = format!("seki:2,3 scheme={scheme} driver=tree seed={seed} knowledge=no");
        let finished = run(&job(&words));
        assert!(finished.answer.solved(), "{words}");
        turn(&finished).playouts
    };
    (0..8).map(once).sum()
}

/// Section 4.5 of the master thesis in small: bounds cut, a bias towards them helps, and so does
/// what is known of moves elsewhere.
#[test]
fn bounds_and_labels_save_random_plays() {
    let schemes = ["sbmcts(cuts=no)", "sbmcts", "sbmcts(delta=10000)", "sbmcts(rave=1000)"];
    let [plain, cuts, biased, rave] = schemes.map(playouts);
    assert!(cuts < plain / 2, "{cuts} with cuts, {plain} without");
    assert!(biased < cuts, "{biased} with a bias, {cuts} without");
    assert!(rave < cuts, "{rave} with RAVE, {cuts} without");
}

/// A question left for another one too often is answered all the same: in a game with cycles what
/// was found below it may be forgotten each time.
#[test]
fn df_does_not_go_to_and_fro_between_questions() {
    let game = Explicit::read(
        "explicit:loops",
        "outcomes awful bad even good great\nendless bad\nmax a -> b c\nmax b -> a\nmax c -> a c\n\
         end d awful\n",
    )
    .unwrap();
    let job = job("loops driver=df scheme=mo(pp) leaves=half nodes=1000000");
    let finished = run_on(&AnyGame::in_turn(game), &job).unwrap();
    assert_eq!(finished.answer.value(), Some("bad"));
}
