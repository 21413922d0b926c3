//! Comparisons of searches.

use foregone::compare::{Comparison, Cross, compare};
use foregone::{Cancel, Engine, ErrorKind, Event, Job, Proof, Status, Stop, Work};

use crate::common::root;
use crate::liar::liar;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn cross(games: &str, schemes: &str, drivers: &str) -> Cross {
    let job = Job { proof: Proof::Never, ..Job::default() };
    let subjects = words(games).into_iter().map(|game| (game, "start".to_owned())).collect();
    Cross { subjects, schemes: words(schemes), drivers: words(drivers), job, ..Cross::default() }
}

fn run(cross: &Cross) -> Comparison {
    compare(&Engine::default(), cross, 1, &mut (), &Cancel::new()).unwrap()
}

#[test]
fn everything_is_crossed_with_everything_that_goes_with_it() {
    let made = run(&cross("tic-tac-toe goofspiel:3", "pn mcts bi", "dag df alphabeta"));
    let rows: Vec<String> =
        made.rows.iter().map(|row| format!("{}: {}", row.game, row.search())).collect();
    // Drivers without a scheme are searched by once.
    let expected = [
        "tic-tac-toe: pn + dag",
        "tic-tac-toe: pn + df",
        "tic-tac-toe: alphabeta",
        "tic-tac-toe: mcts + dag",
        "goofspiel:3: bi + dag",
    ];
    assert_eq!(rows, expected);
    // What does not go together is told once, whatever the games.
    let misfits: Vec<&str> = made.misfits.iter().map(|m| m.search.as_str()).collect();
    assert!(misfits.contains(&"mcts + df"), "{misfits:?}");
    let again = run(&cross("tic-tac-toe nim:1,2 hex:2", "pn mcts", "dag df"));
    assert_eq!(again.misfits.len(), 1, "{:?}", again.misfits);
    assert!(made.rows.iter().all(|row| row.solved == 1 && row.runs == 1));
    assert_eq!((made.contradictions.len(), made.interrupted), (0, false));
}

#[test]
fn a_row_has_the_medians_of_its_runs() {
    let mut asked = cross("atari-go:3x3", "mcts", "tree");
    (asked.seeds, asked.repeat) = (vec![3, 1, 2], 2);
    let made = run(&asked);
    assert_eq!((made.runs.len(), made.rows.len()), (6, 1));
    let seeds: Vec<(u64, u32)> = made.runs.iter().map(|r| (r.seed, r.repetition)).collect();
    assert_eq!(seeds, [(3, 1), (3, 2), (1, 1), (1, 2), (2, 1), (2, 2)]);
    let mut nodes: Vec<u64> = made.runs.iter().map(|run| run.nodes).collect();
    // The same seed counts the same, another one does not.
    assert!(nodes.chunks(2).all(|pair| pair[0] == pair[1]), "{nodes:?}");
    nodes.sort_unstable();
    assert!(nodes[0] < nodes[5], "{nodes:?}");
    let row = &made.rows[0];
    assert_eq!(row.nodes.value, (nodes[2] + nodes[3]) as f64 / 2.0);
    assert!(!row.nodes.at_least);
}

#[test]
fn what_was_stopped_would_have_taken_more() {
    let mut asked = cross("atari-go:4x4", "pn", "tree");
    asked.job.budget.nodes = Some(1000);
    let row = run(&asked).rows.remove(0);
    assert_eq!((row.solved, row.stop, row.value), (0, Some(Stop::Nodes), None));
    assert_eq!(row.bounds, ["loss", "win"]);
    assert!(row.nodes.at_least && row.nodes.value >= 1000.0);
    // Of two runs one of which ended, the median is not known.
    let mut asked = cross("atari-go:3x3", "mcts", "tree");
    asked.seeds = vec![1, 2];
    let nodes: Vec<u64> = run(&asked).runs.iter().map(|run| run.nodes).collect();
    let (few, many) = (nodes[0].min(nodes[1]), nodes[0].max(nodes[1]));
    asked.job.budget.nodes = Some((few + many) / 2);
    let row = run(&asked).rows.remove(0);
    assert_eq!((row.solved, row.runs), (1, 2));
    assert!(row.nodes.at_least && row.nodes.value == few as f64, "{row:?}");
}

#[test]
fn searches_that_contradict_each_other_are_told() {
    let engine = Engine::default().with_games([liar()]);
    let asked = cross("liar", "pn", "alphabeta tree");
    let made = compare(&engine, &asked, 1, &mut (), &Cancel::new()).unwrap();
    let values: Vec<_> = made.rows.iter().map(|row| row.value.as_deref()).collect();
    assert_eq!(values, [Some("loss"), Some("win")]);
    let [told] = &made.contradictions[..] else { panic!("{:?}", made.contradictions) };
    assert!(told.contains("alphabeta (seed 0) says loss"), "{told}");
    assert!(told.contains("pn + tree (seed 0) says win"), "{told}");
    // One search has nobody to contradict it, but its proof is refused.
    let mut asked = cross("liar", "", "alphabeta");
    asked.job.proof = Proof::Always;
    let made = compare(&engine, &asked, 1, &mut (), &Cancel::new()).unwrap();
    let [told] = &made.contradictions[..] else { panic!("{:?}", made.contradictions) };
    assert!(told.contains("refused") && made.rows.is_empty(), "{told}");
}

/// What a newcomer is told to try instead is solved within some million nodes: seconds.
#[test]
fn every_quick_example_is_quick() {
    let engine = Engine::default();
    let mut quick = 0;
    for entry in engine.games() {
        let Some(example) = engine.quick_example(entry.name) else { continue };
        assert_eq!(example.split(':').next(), Some(entry.name));
        let mut job = Job { proof: Proof::Never, ..Job::new(example) };
        job.budget.nodes = Some(20_000_000);
        let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
        assert!(finished.answer.solved(), "{example} is not solved");
        quick += 1;
    }
    assert!(quick >= 20, "{quick}");
    // Others have none: their files, or a game that has no smaller board.
    assert_eq!(engine.quick_example("connect-four:9x9"), Some("connect-four:5x5"));
    assert_eq!(engine.quick_example("chess"), None);
    assert_eq!(engine.quick_example("gdl:x.kif"), None);
}

#[test]
fn threads_change_nothing_but_times() {
    let games = format!("tic-tac-toe nim:3,4 gdl:{}/rulesheets/nim.kif", root().display());
    let asked = cross(&games, "pn pp", "dag tree");
    let one = run(&asked);
    let three = compare(&Engine::default(), &asked, 3, &mut (), &Cancel::new()).unwrap();
    let lasting = |made: &Comparison| {
        let run = |r: &foregone::compare::Run| {
            (r.game.clone(), r.scheme.clone(), r.driver.clone(), r.value.clone(), r.nodes)
        };
        made.runs.iter().map(run).collect::<Vec<_>>()
    };
    assert_eq!(one.runs.len(), 12);
    assert_eq!(lasting(&one), lasting(&three));
}

#[test]
fn a_comparison_can_be_ended_between_searches() {
    let cancel = Cancel::new();
    let mut heard = Vec::new();
    let mut observer = |event: &Event| {
        if let Event::Working { work: Work::Comparing, done, share, .. } = event {
            heard.push((*done, *share));
            if *done == 2 {
                cancel.cancel();
            }
        }
    };
    let asked = cross("nim:1,2 nim:2,3 nim:3,4 nim:4,5", "pn", "dag");
    let made = compare(&Engine::default(), &asked, 1, &mut observer, &cancel).unwrap();
    assert!(made.interrupted);
    assert_eq!(made.rows.len(), 2);
    assert_eq!(heard[..3], [(0, 0.0), (1, 0.25), (2, 0.5)]);
    assert!(made.runs.iter().all(|run| run.status == Status::Solved));
}

#[test]
fn words_that_mean_nothing_are_refused() {
    for (schemes, drivers, word) in [("pm", "", "pm"), ("", "dfz", "dfz")] {
        let asked = cross("nim:1", schemes, drivers);
        let error = compare(&Engine::default(), &asked, 1, &mut (), &Cancel::new()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Input);
        assert!(error.to_string().contains(word), "{error}");
    }
    let mut asked = cross("nim:1", "", "");
    asked.subjects[0].1 = "moves:9".to_owned();
    assert!(compare(&Engine::default(), &asked, 1, &mut (), &Cancel::new()).is_err());
}

#[test]
fn a_comparison_is_plain_data() {
    let asked = cross("nim:1,2", "pn", "dag");
    let text = serde_json::to_string(&asked).unwrap();
    assert_eq!(serde_json::from_str::<Cross>(&text).unwrap(), asked);
    let made = run(&asked);
    let text = serde_json::to_string(&made).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), made);
}
