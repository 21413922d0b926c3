//! The requests of a page, as a page sends them.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::sync::Arc;

use foregone::{Cancel, SystemClock};
use foregone_desk::{Desk, Limits, Listener, More, Work, WorkEvent};
use serde_json::{Value, json};

fn desk() -> Desk {
    Desk::new(SystemClock::new(), Limits::default())
}

/// Keeps what it hears, and gives more so often as it has.
struct Ears {
    heard: Vec<Value>,
    more: Vec<More>,
}

impl Listener for Ears {
    fn event(&mut self, event: WorkEvent) {
        self.heard.push(serde_json::to_value(&event).unwrap());
    }

    fn more(&mut self) -> Option<More> {
        self.more.pop()
    }
}

fn heard_with(desk: &Desk, work: Value, more: Vec<More>) -> Vec<Value> {
    let work: Work = serde_json::from_value(work).unwrap();
    let mut ears = Ears { heard: Vec::new(), more };
    desk.work(work, &mut ears, &Cancel::new());
    ears.heard
}

fn heard(desk: &Desk, work: Value) -> Vec<Value> {
    heard_with(desk, work, Vec::new())
}

fn last(desk: &Desk, work: Value) -> Value {
    heard(desk, work).pop().unwrap()
}

fn ask(desk: &Desk, name: &str, body: Value) -> Value {
    let answer = desk.answer(name, &body.to_string());
    let answer = answer.unwrap_or_else(|failure| panic!("{name} {body}: {failure:?}"));
    serde_json::from_str(&answer).unwrap()
}

fn refusal(desk: &Desk, name: &str, body: Value) -> Value {
    let failure = desk.answer(name, &body.to_string()).unwrap_err();
    serde_json::to_value(&failure).unwrap()
}

#[test]
fn every_game_of_the_list_has_a_view() {
    let desk = desk();
    let games = ask(&desk, "games", json!({}));
    let mut seen = 0;
    for game in games.as_array().unwrap() {
        for example in game["examples"].as_array().unwrap() {
            let view = ask(&desk, "view", json!({ "game": example, "position": "start" }));
            let scene = &view["scene"];
            let drawn = scene["cells"].as_array().unwrap().len()
                + scene["labels"].as_array().unwrap().len();
            assert!(drawn > 0, "{example} has an empty picture");
            let legal: usize = view["shown"]["moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|side| side.as_array().unwrap().len())
                .sum();
            assert_eq!(scene["moves"].as_array().unwrap().len(), legal, "{example}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen} games were drawn");
}

#[test]
fn moves_are_played_from_a_position_and_the_last_one_is_marked() {
    let desk = desk();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let view = ask(&desk, "view", json!({ "game": "chess", "position": fen, "moves": ["e2e4"] }));
    assert_eq!(view["history"], json!([{ "move": "e2e4", "san": "e4" }]));
    assert_eq!(view["shown"]["to_move"], "black");
    assert!(view["position"].as_str().unwrap().starts_with("4k3/8/8/8/4P3/8/8/4K3 b"));
    assert_eq!(view["usual"].as_array().unwrap()[0].as_str().map(str::len), Some(3));
    let marks = view["scene"]["marks"].as_array().unwrap();
    assert!(marks.iter().any(|mark| mark["kind"] == "last"), "{marks:?}");
    let joint = json!({ "game": "goofspiel:3", "position": "start", "moves": ["3/1"] });
    assert_eq!(ask(&desk, "view", joint)["joint"], true);
    let wrong = json!({ "game": "chess", "position": fen, "moves": ["e2e5"] });
    let failure = refusal(&desk, "view", wrong);
    assert_eq!((&failure["kind"], &failure["place"]["word"]), (&json!("input"), &json!("e2e5")));
}

#[test]
fn rules_come_with_the_request_and_from_nowhere_else() {
    let desk = desk();
    let about = ask(&desk, "games", json!({}));
    let explicit = about.as_array().unwrap().iter().find(|g| g["name"] == "explicit").unwrap();
    let example = explicit["file"]["example"].as_str().unwrap();
    let files_of = |text: &str| json!({ "mine.game": text });
    let at =
        json!({ "game": "explicit:mine.game", "position": "start", "files": files_of(example) });
    assert!(!ask(&desk, "view", at)["scene"]["cells"].as_array().unwrap().is_empty());
    for path in ["/etc/passwd", "Cargo.toml", "../Cargo.toml"] {
        let at = json!({ "game": format!("explicit:{path}"), "position": "start" });
        let failure = refusal(&desk, "view", at);
        assert!(failure["message"].as_str().unwrap().contains("no such file"), "{failure}");
    }
    let job = json!({ "game": "chess", "tables": "/tmp" });
    let end = last(&desk, json!({ "work": "solve", "job": job }));
    assert_eq!(end["event"], "failed");
    assert!(end["failure"]["message"].as_str().unwrap().contains("folder"), "{end}");
}

#[test]
fn a_question_tells_values_as_they_come_and_keeps_its_proof() {
    let desk = desk();
    let job = json!({ "game": "tic-tac-toe", "position": "moves:b2,a1", "moves": true });
    let events = heard(&desk, json!({ "work": "solve", "job": job }));
    assert_eq!(events[0]["event"], "started");
    let valued: Vec<&Value> = events.iter().filter(|e| e["event"] == "move-valued").collect();
    assert_eq!(valued.len(), 7);
    let end = events.last().unwrap();
    assert_eq!((&end["event"], &end["answer"]["value"]), (&json!("solved"), &json!("draw")));
    for (early, late) in valued.iter().zip(end["answer"]["moves"].as_array().unwrap()) {
        assert_eq!(
            (&early["value"]["move"], &early["value"]["value"]),
            (&late["move"], &late["value"])
        );
    }
    assert!(end["text"].as_str().unwrap().starts_with("tic-tac-toe, x to move: a draw"));
    assert_eq!(end["scene"]["marks"].as_array().unwrap().len(), 7 + 1, "{}", end["scene"]["marks"]);

    let proof = &end["proof"]["proof"];
    let book = desk.book(proof.as_str().unwrap()).unwrap();
    while !book.index_more(1 << 20).unwrap() {}
    let outline = ask(&desk, "outline", json!({ "proof": proof }));
    assert_eq!(outline["indexed"], 1.0);
    let node = ask(&desk, "node", json!({ "proof": proof, "certificate": 0, "path": [] }));
    assert_eq!(node["view"]["position"], end["answer"]["position"]);
    let first = &node["children"][0]["move"];
    let below = ask(&desk, "node", json!({ "proof": proof, "certificate": 0, "path": [first] }));
    assert!(below["line"].as_u64() > node["line"].as_u64());
    let there = json!({ "proof": proof, "certificate": 0, "path": [], "position": below["view"]["position"] });
    assert_eq!(ask(&desk, "find", there)["path"], json!([first]));
    for (format, sign) in [("text", "\n"), ("dot", "digraph"), ("svg", "<svg")] {
        let place = json!({ "proof": proof, "certificate": 0, "path": [first], "format": format, "depth": 3 });
        let text = ask(&desk, "export", place)["text"].as_str().unwrap().to_owned();
        assert!(text.contains(sign), "{format}: {text}");
    }
}

#[test]
fn a_right_certificate_is_verified_and_a_damaged_one_is_refused() {
    let desk = desk();
    let job = json!({ "game": "domineering:4x4", "knowledge": false });
    let end = last(&desk, json!({ "work": "solve", "job": job }));
    let proof = end["proof"]["proof"].as_str().unwrap();
    let text = desk.text_of(proof).unwrap();
    let mut bytes = vec![0; text.len() as usize];
    text.read_at(0, &mut bytes).unwrap();
    let right = last(&desk, json!({ "work": "verify", "proof": proof, "strict": true }));
    assert_eq!(right["event"], "verified", "{right}");
    assert!(right["sentences"][0].as_str().unwrap().starts_with("proved: "));
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let kept = desk.keep(Arc::new(damaged)).unwrap();
        let end = last(&desk, json!({ "work": "verify", "proof": kept.proof }));
        assert_eq!(end["event"], "refused", "byte {at}: {end}");
        refused += 1;
    }
    assert!(refused > 10);
    let gone = last(&desk, json!({ "work": "verify", "proof": "99999" }));
    assert_eq!(gone["failure"]["kind"], "gone");
}

#[test]
fn a_search_that_used_its_budget_waits_and_goes_on() {
    let desk = desk();
    let job = json!({
        "game": "connect-four:6x7", "scheme": "pn", "driver": "tree", "budget": { "time": 0.3 },
    });
    let more = vec![More { seconds: 0.3, bytes: 0 }];
    let events = heard_with(&desk, json!({ "work": "solve", "job": job }), more);
    let words: Vec<&str> = events.iter().filter_map(|e| e["event"].as_str()).collect();
    let own: Vec<&str> =
        words.iter().copied().filter(|w| !["progress", "working"].contains(w)).collect();
    assert_eq!(own, ["started", "paused", "resumed", "paused", "done", "solved"]);
    let nodes = |at: usize| -> u64 {
        let before = &events[..at];
        let progress = before.iter().rev().find(|e| e["event"] == "progress").unwrap();
        progress["nodes"].as_u64().unwrap()
    };
    let pauses: Vec<usize> = (0..events.len()).filter(|&i| words[i] == "paused").collect();
    assert!(nodes(pauses[1]) > nodes(pauses[0]), "it went on where it stood");
    let end = events.last().unwrap();
    assert_eq!(
        (&end["answer"]["status"], &end["answer"]["stop"]),
        (&json!("undecided"), &json!("interrupted"))
    );
}

#[test]
fn the_machine_moves_at_every_level_and_perfectly_at_the_last() {
    let desk = desk();
    let words = ask(&desk, "words", json!({}));
    let levels = words["levels"].as_array().unwrap();
    for level in levels {
        let choose = json!({
            "work": "choose", "game": "tic-tac-toe", "position": "moves:a1,b2,b1", "level": level["word"],
            "seconds": 0.3,
        });
        let end = last(&desk, choose);
        assert_eq!(end["event"], "chosen", "{end}");
        if level == levels.last().unwrap() {
            assert_eq!((&end["move"], &end["note"]), (&json!("c1"), &json!("proved")));
        }
    }
    let positions = [
        ("goofspiel:4", "start"),
        ("pig:20", "moves:3"),
        ("chinese-checkers:1,3", "start"),
        ("same-game", "start"),
        ("chess", "start"),
    ];
    for (game, position) in positions {
        let choose = json!({
            "work": "choose", "game": game, "position": position, "level": "perfect",
            "seconds": 0.2,
        });
        let end = last(&desk, choose);
        assert_eq!(end["event"], "chosen", "{game}: {end}");
        let view = ask(&desk, "view", json!({ "game": game, "position": position }));
        let legal = view["shown"]["moves"][0].as_array().unwrap().clone();
        assert!(legal.contains(&end["move"]), "{game}: {end}");
    }
}

#[test]
fn comparisons_and_values_of_many_positions() {
    let desk = desk();
    let cross = json!({
        "subjects": [["tic-tac-toe", "start"]], "schemes": ["pn", "pp"], "drivers": ["dag", "dfs"],
    });
    let end = last(&desk, json!({ "work": "compare", "cross": cross }));
    assert_eq!(end["event"], "compared", "{end}");
    let rows = end["comparison"]["rows"].as_array().unwrap();
    assert!(rows.len() >= 2 && rows.iter().all(|row| row["value"] == "draw"), "{rows:?}");
    assert!(end["comparison"]["contradictions"].as_array().unwrap().is_empty());
    let many: Vec<u64> = (0..1000).collect();
    let cross = json!({ "subjects": [["tic-tac-toe", "start"]], "schemes": ["pn"], "seeds": many });
    let end = last(&desk, json!({ "work": "compare", "cross": cross }));
    assert_eq!(end["failure"]["kind"], "limit");
    let positions = ["1,2 first", "1,1 first"];
    let events =
        heard(&desk, json!({ "work": "values", "game": "nim:1,2", "positions": positions }));
    let values: Vec<&Value> =
        events.iter().filter(|e| e["event"] == "valued").map(|e| &e["value"]).collect();
    assert_eq!(values, [&json!("win"), &json!("loss")]);
    assert_eq!(events.last().unwrap()["event"], "all-valued");
}

#[test]
fn a_problem_is_printed_as_problemists_do() {
    let desk = desk();
    let job = json!({
        "game": "chess", "position": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "question": "formula #2",
        "all": true, "variations": true,
    });
    let end = last(&desk, json!({ "work": "solve", "job": job }));
    let text = end["text"].as_str().unwrap();
    assert!(text.contains("1.Ra6! zugzwang") && text.contains("2.b7#"), "{text}");
    assert_eq!(end["answer"]["problem"]["keys"][0]["san"], "Ra6");
}

#[test]
fn old_proofs_make_room_and_large_ones_are_refused() {
    let limits = Limits { certificate: 100, all_certificates: 250, ..Limits::default() };
    let desk = Desk::new(SystemClock::new(), limits);
    let keep = |bytes: usize| desk.keep(Arc::new(vec![b'x'; bytes]));
    assert_eq!(serde_json::to_value(keep(101).unwrap_err()).unwrap()["kind"], "limit");
    let names: Vec<String> = (0..3).map(|_| keep(100).unwrap().proof).collect();
    assert!(desk.text_of(&names[0]).is_err());
    assert!(desk.text_of(&names[1]).is_ok());
    assert!(desk.text_of(&names[2]).is_ok());
}

#[test]
fn requests_that_make_no_sense_are_refused_by_name() {
    let desk = desk();
    let cases = [
        ("view", json!({})),
        ("view", json!({ "game": "tictactoe", "position": "start" })),
        ("view", json!({ "game": "tic-tac-toe", "position": "nonsense" })),
        ("view", json!({ "game": "tic-tac-toe", "position": "start", "move": "a1" })),
        ("node", json!({ "proof": "1", "certificate": 0, "path": [] })),
        ("nothing", json!({})),
    ];
    for (name, body) in cases {
        let failure = refusal(&desk, name, body);
        assert!(!failure["message"].as_str().unwrap().is_empty());
    }
    let failure = refusal(&desk, "view", json!({ "game": "tictactoe", "position": "start" }));
    assert_eq!(failure["help"], "did you mean `tic-tac-toe`?");
}

#[test]
fn what_is_too_large_to_be_shown_is_refused_at_once() {
    let desk = desk();
    let graph = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("e{i}")).collect();
        let ends: String = names.iter().map(|name| format!("end {name} win\n")).collect();
        format!("start s0\nmax s0 -> {}\n{ends}", names.join(" "))
    };
    let at = |n: usize| json!({ "game": "explicit:a.game", "position": "start", "files": { "a.game": graph(n) } });
    assert_eq!(ask(&desk, "view", at(3000))["scene"]["moves"].as_array().unwrap().len(), 3000);
    assert_eq!(refusal(&desk, "view", at(60_000))["kind"], "limit");
    let row = vec!["1"; 300].join(",");
    let matrix = vec![row.as_str(); 300].join("\n");
    let at = json!({ "game": "matrix:a.csv", "position": "start", "files": { "a.csv": matrix } });
    assert_eq!(refusal(&desk, "view", at)["kind"], "limit");
    let kept = desk.keep(Arc::new("foregone certificate 2\n".to_owned())).unwrap();
    let far = json!({ "proof": kept.proof, "certificate": 0, "path": vec!["a"; 5001] });
    assert_eq!(refusal(&desk, "node", far)["kind"], "limit");
}

#[test]
fn many_searches_end_with_the_time_of_one() {
    let limits = Limits { seconds: 0.5, pauses: false, ..Limits::default() };
    let desk = Desk::new(SystemClock::new(), limits);
    let began = std::time::Instant::now();
    let seeds: Vec<u64> = (0..200).collect();
    let cross = json!({
        "subjects": [["connect-four:6x7", "start"]], "schemes": ["mcts"], "drivers": ["tree"], "seeds": seeds,
    });
    let end = last(&desk, json!({ "work": "compare", "cross": cross }));
    assert_eq!(end["comparison"]["interrupted"], true, "{end}");
    let positions = vec!["start"; 200];
    let values = json!({ "work": "values", "game": "connect-four:6x7", "positions": positions });
    assert_eq!(last(&desk, values)["failure"]["kind"], "limit");
    assert!(began.elapsed().as_secs() < 60);
}
