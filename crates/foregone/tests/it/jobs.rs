//! Jobs, answers and events as data: their texts and their JSON.

use std::time::Duration;

use foregone::formula::Algorithm;
use foregone::search::{DriverSpec, Init, SchemeSpec};
use foregone::{
    Answer, Budget, Cancel, Engine, Event, Finished, Job, Outcomes, Proof, Question, Solver, Stop,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::common::{formula, job, joint, run, turn};

/// Texts that people, files or programs might bring.
fn texts() -> impl Strategy<Value = String> {
    let odd = [
        "",
        " ",
        "start",
        "a b",
        "\"",
        "\"quoted\"",
        "é ☃ 𝄞",
        "x=y",
        "nodes=3",
        "\n\t\r",
        "\\n",
        "\0",
        "\u{a0}",
        "\u{2028}",
        "\u{feff}",
        "moves:a1,b2",
        "..",
        "a..",
        "...b",
        "[\"a\",\"b\"]",
        "yes",
    ];
    prop_oneof![select(odd.to_vec()).prop_map(str::to_owned), any::<String>()]
}

fn questions() -> impl Strategy<Value = Question> {
    prop_oneof![
        Just(Question::Value),
        Just(Question::Win),
        Just(Question::Nash),
        texts().prop_map(Question::AtLeast),
        texts().prop_map(Question::Formula),
    ]
}

/// Values that are written as these words.
fn read<T: std::str::FromStr<Err: std::fmt::Debug> + Clone + std::fmt::Debug + 'static>(
    words: &[&str],
    more: Vec<T>,
) -> impl Strategy<Value = Option<T>> + use<T> {
    let all = words.iter().map(|word| word.parse().unwrap()).chain(more).collect::<Vec<T>>();
    prop::option::of(select(all))
}

fn schemes() -> impl Strategy<Value = Option<SchemeSpec>> {
    let words =
        ["mcts(exploration=0.4)", "mo(mcts(exploration=2))", "sbmcts(gamma=0.5,delta=7,cuts=no)"];
    read(&words, SchemeSpec::all())
}

fn drivers() -> impl Strategy<Value = Option<DriverSpec>> {
    let words = [
        "alphabeta(order=montecarlo,walk=deepen,plays=100)",
        "alphabeta(order=history)",
        "lambda(order=2,zones=no)",
        "squared(inner=pp)",
        "squared(inner=mcts(exploration=0.1))",
    ];
    read(&words, DriverSpec::ALL.to_vec())
}

fn solvers() -> impl Strategy<Value = Option<Solver>> {
    let words = [
        "bi(tree)",
        "do(tree)",
        "smab(tree,skip=2,cells=lexicographic)",
        "smab(skip=0)",
        "star2(tree)",
        "mcms(samples=3,by=expectimax,plies=7)",
        "maxn(prune=no)",
    ];
    read(&words, Solver::all())
}

fn algorithms() -> impl Strategy<Value = Option<Algorithm>> {
    let words = [
        "alphabeta",
        "dfps",
        "pnps",
        "pnps(lambda)",
        "mcps",
        "mps",
        "dfmps",
        "ppps",
        "dfpn",
        "pn2",
        "mps(cost=depth)",
        "dfmps(cost=atoms,atom=2,moves=1/3)",
        "mps(moves=0)",
    ];
    read(&words, Vec::new())
}

fn budgets() -> impl Strategy<Value = Budget> {
    let amount = || prop::option::of(any::<u64>());
    // A number of seconds tells nanoseconds apart for a month.
    let time = prop::option::of((0..3_000_000u64, 0..1_000_000_000u32));
    ((amount(), amount()), amount(), time, amount(), 1..=u32::MAX).prop_map(
        |((nodes, inner_nodes), memory, time, playouts, threads)| {
            let time = time.map(|(seconds, nanos)| Duration::new(seconds, nanos));
            Budget { nodes, memory, time, playouts, threads, inner_nodes }
        },
    )
}

fn random_jobs() -> impl Strategy<Value = Job> {
    let words = (
        texts(),
        texts(),
        questions(),
        prop::option::of(texts()),
        texts(),
        prop::option::of([texts(), texts()]),
        (prop::option::of(texts()), texts(), prop::option::of(texts()), prop::option::of(texts())),
    );
    let guidance = (schemes(), drivers(), read(&[], Init::ALL.to_vec()), solvers(), algorithms());
    let outcomes = select(vec![Outcomes::Dichotomic, Outcomes::Iterative, Outcomes::Doubling]);
    let proof = select(vec![Proof::IfCheap, Proof::Never, Proof::Always, Proof::Drawn]);
    let rest = (outcomes, budgets(), any::<u64>(), any::<[bool; 7]>(), any::<u32>(), proof);
    (words, guidance, rest).prop_map(|(words, guidance, rest)| {
        let (game, position, question, player, definitions, window, opponents) = words;
        let (opponent, opponent_proof, contempt, tables) = opponents;
        let (scheme, driver, leaves, solver, algorithm) = guidance;
        let (outcomes, budget, seed, yes, tries, proof) = rest;
        let [all, moves, set_play, variations, knowledge, symmetry, cover] = yes;
        Job {
            game,
            position,
            question,
            player,
            definitions,
            all,
            moves,
            tries,
            set_play,
            variations,
            scheme,
            driver,
            leaves,
            solver,
            opponent,
            opponent_proof,
            contempt,
            algorithm,
            outcomes,
            window,
            budget,
            seed,
            knowledge,
            tables,
            symmetry,
            cover,
            proof,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_job_is_read_back_from_its_text(job in random_jobs()) {
        let text = job.to_string();
        let again = text.parse::<Job>();
        prop_assert_eq!(again.as_ref(), Ok(&job), "{}", text);
    }

    #[test]
    fn a_job_survives_json(job in random_jobs()) {
        let text = serde_json::to_string(&job).unwrap();
        prop_assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job, "{}", text);
    }

    #[test]
    fn the_seconds_of_an_answer_survive_json(
        seconds in 0.0..1e9f64,
        root in texts(),
        move_text in texts(),
    ) {
        let mut finished = run(&job("nim:1"));
        if let Answer::Turn(answer) = &mut finished.answer {
            answer.seconds = seconds;
            answer.line = vec![move_text.clone()];
        }
        survives(&finished);
        let progress = foregone::Progress { seconds, root, ..foregone::Progress::default() };
        survives(&Event::Progress(progress));
    }
}

/// Asserts that a value comes back from its JSON.
fn survives<T>(value: &T)
where
    T: serde::Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn a_job_says_only_what_is_not_usual() {
    for text in [
        "nim",
        "domineering:4x4 scheme=pn driver=dag nodes=10000",
        "chess position=\"8/8/8/8/8/8/8/K1k5 w - - 0 1\" question=\"formula <A> w\" all=yes",
        "nim player=\"\" time=0.5 threads=3 knowledge=no symmetry=no proof=never",
        "\"\" question=\"at-least +6\" window=-6..+6",
    ] {
        assert_eq!(job(text).to_string(), text);
    }
    assert_eq!(job("  nim   nodes=3  "), job("nim nodes=3"));
    assert_eq!(job("nim nodes=\"3\""), job("nim nodes=3"));
    // What JSON leaves out is usual, too.
    let sparse: Job = serde_json::from_str(r#"{"game":"nim","budget":{"nodes":3}}"#).unwrap();
    assert_eq!(sparse, job("nim nodes=3"));
}

#[test]
fn wrong_keys_and_values_are_named() {
    let wrong = |text: &str| text.parse::<Job>().expect_err(text);
    let unknown = wrong("nim nodez=3");
    assert!(unknown.message.contains("`nodez`"), "{unknown}");
    assert_eq!(unknown.help.as_deref(), Some("did you mean `nodes`?"));
    for (key, value) in [
        ("question", "wins"),
        ("all", "true"),
        ("scheme", "pm"),
        ("driver", "dog"),
        ("leaves", "three"),
        ("solver", "smob"),
        ("algorithm", "dfs"),
        ("outcomes", "doubled"),
        ("window", "loss-win"),
        ("nodes", "-3"),
        ("nodes", "1k"),
        ("memory", "1.5"),
        ("time", "-1"),
        ("time", "1e300"),
        ("time", "nan"),
        ("playouts", ""),
        ("threads", "0"),
        ("seed", "18446744073709551616"),
        ("knowledge", "maybe"),
        ("symmetry", "1"),
        ("proof", "sometimes"),
    ] {
        let text = format!("nim {key}={}", if value.is_empty() { "\"\"" } else { value });
        let error = wrong(&text);
        assert!(error.message.contains(&format!("`{value}`")), "{text}: {error}");
        let place = error.place.unwrap_or_else(|| panic!("{text}: no place"));
        assert_eq!((place.name.as_str(), place.text.as_str()), (key, value), "{text}");
    }
    for text in ["nim nodes", "nim nodes=3 nodes", "nim position=\"a", "\"nim"] {
        assert!(wrong(text).place.is_some(), "{text}");
    }
    for (text, part) in [
        (r#"{"gime":"nim"}"#, "`gime`"),
        (r#"{"budget":{"nodez":3}}"#, "`nodez`"),
        (r#"{"scheme":"pm"}"#, "`pm`"),
        (r#"{"question":"wins"}"#, "`wins`"),
        (r#"{"proof":"sometimes"}"#, "`sometimes`"),
        (r#"{"outcomes":"doubled"}"#, "`doubled`"),
        (r#"{"budget":{"time":-1}}"#, "negative"),
        (r#"{"seed":"seven"}"#, "seven"),
        (r#"{"window":["loss"]}"#, "length 1"),
    ] {
        let error = serde_json::from_str::<Job>(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Answers of all kinds, by real runs, with their events.
fn answers() -> Vec<(Finished, Vec<Event>)> {
    [
        "tic-tac-toe",
        "tic-tac-toe player=o",
        "kalah:2,2 question=\"at-least 0\" proof=drawn",
        "domineering:4x4 question=win scheme=pn",
        "connect-four:6x7 nodes=3000 driver=dag scheme=pn",
        "hex:3 question=\"formula omega(3)\"",
        "hex:3 question=\"formula omega(1)\" all=yes proof=never",
        "chess position=\"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\" question=\"formula #2\" all=yes",
        "chess question=\"formula #2\" nodes=10",
        "goofspiel:4",
        "rock-paper-scissors",
        "goofspiel:4 solver=smab",
        "goofspiel:4 solver=maxmin",
        "goofspiel:8 solver=bi(tree) nodes=2000",
        "nim:1,2 question=nash",
    ]
    .map(|text| {
        let mut events = Vec::new();
        let mut keep = |event: &Event| events.push(event.clone());
        let finished = Engine::default().run(&job(text), &mut keep, &Cancel::new());
        (finished.unwrap_or_else(|e| panic!("{text}: {e}")), events)
    })
    .to_vec()
}

#[test]
fn answers_and_events_survive_json() {
    let answers = answers();
    let kinds = |is: fn(&Answer) -> bool| answers.iter().filter(|(f, _)| is(&f.answer)).count();
    assert_eq!(kinds(|answer| matches!(answer, Answer::Turn(_))), 5);
    assert_eq!(kinds(|answer| matches!(answer, Answer::Formula(_))), 4);
    assert_eq!(kinds(|answer| matches!(answer, Answer::Joint(_))), 6);
    for (finished, events) in &answers {
        survives(&finished.answer);
        survives(finished);
        assert!(events.len() >= 2);
        events.iter().for_each(survives);
    }
    let mixed = |(finished, _): &&(Finished, _)| match &finished.answer {
        Answer::Joint(answer) => answer.strategies[0].0.len() > 2,
        Answer::Turn(_) | Answer::Formula(_) | Answer::Expected(_) | Answer::Many(_) => false,
    };
    assert!(answers.iter().any(|one| mixed(&one)), "no strategy whose order matters");
    let drawn = answers.iter().filter(|(finished, _)| finished.drawings.is_some()).count();
    assert_eq!(drawn, 1);
    use Stop::{Interrupted, Memory, Nodes, Orders, Solved, Time};
    for stop in [Solved, Nodes, Memory, Time, Interrupted, Orders] {
        assert_eq!(serde_json::to_value(stop).unwrap(), stop.word());
        survives(&Event::Done { stop });
    }
    let event = serde_json::to_value(Event::ProofChecked { claims: 3 }).unwrap();
    assert_eq!(event, serde_json::json!({"event": "proof-checked", "claims": 3}));
}

/// The keys of a JSON object, in the order in which they stand.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Keys;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

/// The keys of an answer and of its proof.
fn keys(answer: &Answer) -> (String, String) {
    let text = serde_json::to_string(answer).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let proof = serde_json::to_string(&answer.proof()).unwrap();
    let of = |text: &str| serde_json::from_str::<Keys>(text).unwrap().0.join(" ");
    (of(&text), if value["proof"].is_null() { String::new() } else { of(&proof) })
}

/// Scripts rely on these names.
#[test]
fn the_keys_of_answers_are_a_contract() {
    const PROOF: &str = "file claims known by_reason recomputed proved checked";
    const TURN: &str = "scheme driver status value winner bounds holds best_move line line_end \
                        expansions nodes playouts seconds peak_bytes seed stop proof";
    let (found, proof) = keys(&run(&job("tic-tac-toe")).answer);
    assert_eq!(found, format!("game position question {TURN}"));
    assert_eq!(proof, PROOF);
    let (found, proof) = keys(&run(&job("tic-tac-toe player=o proof=never")).answer);
    assert_eq!(found, format!("game position question player {TURN}"));
    assert_eq!(proof, "");
    let (found, _) = keys(&run(&job("tic-tac-toe moves=yes")).answer);
    let with_moves = TURN.replace("line_end", "line_end moves");
    assert_eq!(found, format!("game position question {with_moves}"));

    const FORMULA: &str = "line nodes queries cost seconds peak_bytes stop proof";
    let (found, proof) = keys(&run(&job("hex:3 question=\"formula omega(3)\"")).answer);
    assert_eq!(found, format!("game position formula as algorithm status holds {FORMULA}"));
    assert_eq!(proof, PROOF);
    let all = run(&job("hex:3 question=\"formula <A> w\" all=yes"));
    let (found, _) = keys(&all.answer);
    let keys_too = "game position formula as algorithm status holds keys problem";
    assert_eq!(found, format!("{keys_too} {FORMULA}"));
    assert_eq!(formula(&all).keys.as_deref(), Some(&[][..]));

    let nash = run(&job("goofspiel:4"));
    let (found, proof) = keys(&nash.answer);
    assert_eq!(
        found,
        "game position question scheme driver status value winner bounds holds approximation error \
         strategies best_move line expansions nodes playouts lp_calls pure seconds peak_bytes seed \
         stop proof"
    );
    assert_eq!(proof, "file claims by_side known by_reason recomputed proved checked");
    let value = serde_json::to_value(&joint(&nash).strategies).unwrap();
    assert!(value[0].is_object() && value[1].is_object(), "{value}");
}

/// The words of the contract, beside the keys.
#[test]
fn answers_have_the_words_of_the_contract() {
    let solved = serde_json::to_value(&run(&job("nim:1,2,3")).answer).unwrap();
    assert_eq!((&solved["status"], &solved["stop"]), (&"solved".into(), &"solved".into()));
    assert_eq!((&solved["value"], &solved["winner"]), (&"loss".into(), &"second".into()));
    assert_eq!(solved["bounds"], serde_json::json!(["loss", "loss"]));
    assert_eq!((&solved["question"], &solved["holds"]), (&"value".into(), &Value::Null));
    assert_eq!(solved["proof"]["checked"], true);
    let early = run(&job("connect-four:6x7 nodes=1000 scheme=pn driver=dag"));
    let answer = turn(&early);
    let early = serde_json::to_value(answer).unwrap();
    assert_eq!((&early["status"], &early["stop"]), (&"undecided".into(), &"nodes".into()));
    assert_eq!(early["bounds"], serde_json::json!(["loss", "win"]));
    assert_eq!((&early["value"], &early["proof"]), (&Value::Null, &Value::Null));
}
