//! Pictures: every game has one, what is on it stands on it, it is XML, and some look as they did.

use std::collections::HashSet;

use crate::common::{boards, root};
use foregone::games::registry::Moves;
use foregone::model::Rng;
use foregone::model::scene::{Glyph, Mark, MoveMark, Quality, Scene, Shape};
use foregone::{AnyGame, Engine, Job, Shown};

/// A game of each name of the registry, on common boards and on odd ones.
fn games() -> Vec<String> {
    let engine = Engine::default();
    let joint = engine.games().iter().filter(|e| e.file.is_none() && e.moves == Moves::Joint);
    let mut games: Vec<String> = boards();
    games.extend(joint.map(|entry| entry.name.to_owned()));
    games.extend(
        ["oshi-zumo:3,0,1", "random-joint:1,20,2", "tron:1x2", "race:1000,3", "nim:0,200"]
            .map(str::to_owned),
    );
    let with_file = [
        ("explicit", "examples/loop-draws.game"),
        ("joint", "examples/example-11.joint"),
        ("matrix", "examples/inspection.csv"),
        ("gdl", "rulesheets/breakthrough-6x6.kif"),
        ("gdl", "rulesheets/rock-paper-scissors.kif"),
    ];
    games.extend(with_file.map(|(game, path)| format!("{game}:{}", root().join(path).display())));
    for entry in engine.games() {
        assert!(games.iter().any(|g| g.split(':').next() == Some(entry.name)), "{}", entry.name);
    }
    games
}

/// A position some random moves from the start, and what there is to say of it.
fn position_after(game: &AnyGame, moves: usize, rng: &mut Rng) -> (String, Shown) {
    let mut list: Vec<String> = Vec::new();
    loop {
        let position = match list.is_empty() {
            true => "start".to_owned(),
            false => format!("moves:{}", list.join(",")),
        };
        let shown = game.show(&position).unwrap();
        if list.len() == moves || shown.over.is_some() {
            return (position, shown);
        }
        let words: Vec<&str> = shown
            .moves
            .iter()
            .map(|side| side[rng.below(side.len() as u32) as usize].as_str())
            .collect();
        list.push(words.join("/"));
    }
}

/// The mistake that makes a text no document of XML, if there is one: tags that are not closed in
/// order, attributes without quotes or twice, characters that must be written in another way.
fn xml_mistake(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim_end();
    let mut roots = 0;
    while !rest.is_empty() {
        let (words, tag) = rest.split_once('<').unwrap_or((rest, ""));
        if let Some(mistake) = text_mistake(words) {
            return Some(mistake);
        }
        if tag.is_empty() {
            return Some(format!("`{words}` behind the end"));
        }
        let Some((tag, after)) = tag.split_once('>') else { return Some("no `>`".to_owned()) };
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Some(format!("</{name}> closes something else"));
            }
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        roots += usize::from(open.is_empty());
        let mut seen = HashSet::new();
        let mut left = attributes.trim();
        while !left.is_empty() {
            let (key, value) = left.split_once("=\"")?;
            let Some((value, behind)) = value.split_once('"') else {
                return Some(format!("`{key}` has no end"));
            };
            if !seen.insert(key) || key.is_empty() || key.contains(char::is_whitespace) {
                return Some(format!("`{key}` in <{name}>"));
            }
            if let Some(mistake) = text_mistake(value) {
                return Some(mistake);
            }
            left = behind.trim_start();
        }
        if !closed {
            open.push(name);
        }
    }
    (!open.is_empty() || roots != 1).then(|| format!("{open:?} is open, {roots} roots"))
}

fn text_mistake(text: &str) -> Option<String> {
    let known = ["&amp;", "&lt;", "&gt;", "&quot;"];
    for (at, c) in text.char_indices() {
        let fine = match c {
            '&' => known.iter().any(|entity| text[at..].starts_with(entity)),
            '<' | '>' => false,
            c => !c.is_control() || c == '\n',
        };
        if !fine {
            return Some(format!("{c:?} in {text:?}"));
        }
    }
    None
}

#[test]
fn the_check_of_xml_finds_mistakes() {
    assert_eq!(xml_mistake("<a b=\"1\"><c/>x &amp; y</a>\n"), None);
    for bad in [
        "<a>",
        "<a></b>",
        "<a/><a/>",
        "<a>&</a>",
        "<a>&nbsp;</a>",
        "<a b=\"1\" b=\"2\"/>",
        "<a b=\"<\"/>",
        "<a>\u{1}</a>",
        "words",
        "",
    ] {
        assert!(xml_mistake(bad).is_some(), "{bad:?}");
    }
}

/// What is on a picture stands on it, and the legal moves are those of the game.
fn check_scene(name: &str, scene: &Scene, shown: &Shown) {
    let names: HashSet<&str> = scene.cells.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names.len(), scene.cells.len(), "{name}: cells with the same name");
    assert!(!scene.cells.is_empty() || !scene.labels.is_empty(), "{name}: nothing is on it");
    for cell in &scene.cells {
        assert!(cell.outline.len() >= 3 && !cell.name.is_empty(), "{name}: {cell:?}");
        let inside = |axis: usize| {
            let side = cell.outline.iter().map(|p| p[axis]);
            let (least, most) =
                (side.clone().fold(f64::MAX, f64::min), side.fold(f64::MIN, f64::max));
            (least..=most).contains(&cell.at[axis]) && most - least > 0.05
        };
        assert!(inside(0) && inside(1), "{name}: {cell:?}");
    }
    for piece in &scene.pieces {
        assert!(piece.cell < scene.cells.len(), "{name}: {piece:?} stands on nothing");
    }
    let moves: Vec<&str> = scene.moves.iter().map(|m| m.text.as_str()).collect();
    for (player, legal) in shown.moves.iter().enumerate() {
        let player: &str = match shown.weights.is_empty() {
            true => shown.to_move.as_ref().unwrap_or(&shown.players[player]),
            false => "chance",
        };
        for text in legal {
            let found: Vec<_> =
                scene.moves.iter().filter(|m| m.player == player && m.text == *text).collect();
            assert_eq!(found.len(), 1, "{name}: {text} of {player} among {moves:?}");
            assert!(found[0].cells.iter().all(|&c| c < scene.cells.len()), "{name}: {found:?}");
        }
    }
    let legal: usize = shown.moves.iter().map(Vec::len).sum();
    assert_eq!(scene.moves.len(), legal, "{name}: {moves:?}");
}

/// Moves of these touch no cell: they are no place on the board, or the board has no place for them.
fn touches_nothing(game: &str, text: &str) -> bool {
    let name = game.split(':').next().unwrap_or_default();
    text == "pass"
        || name == "gdl"
        || (name == "random-joint" && text.parse::<u32>().is_ok_and(|m| m > 16))
        || (name == "race" && game.starts_with("race:1000"))
        // Jumps are named by their directions.
        || (name == "phutball" && !text.contains(|c: char| c.is_ascii_digit()))
}

#[test]
fn every_game_has_a_picture_of_every_position() {
    let engine = Engine::default();
    for spec in games() {
        let game = engine.open(&spec).unwrap();
        let mut rng = Rng::new(11);
        for moves in [0, 1, 2, 5, 9, 40] {
            let (position, shown) = position_after(&game, moves, &mut rng);
            let scene = game.scene(&position).unwrap();
            let name = format!("{spec} {position}");
            check_scene(&name, &scene, &shown);
            for m in &scene.moves {
                let nothing = m.cells.is_empty();
                assert!(!nothing || touches_nothing(&spec, &m.text), "{name}: {m:?}");
            }
            let svg = game.svg(&scene);
            assert_eq!(xml_mistake(&svg), None, "{name}: {svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}: {svg}");
            // A door sends it, and gets the same back.
            let json = serde_json::to_string(&scene).unwrap();
            assert_eq!(serde_json::from_str::<Scene>(&json).unwrap(), scene, "{name}");
        }
    }
}

#[test]
fn games_with_a_board_show_it() {
    // Only a rulesheet without coordinates and ends of typed games are pictured as text.
    let engine = Engine::default();
    for spec in games() {
        let scene = engine.open(&spec).unwrap().scene("start").unwrap();
        let text_only = scene.cells.is_empty();
        // A heap of nothing has no cells either.
        let plain = ["nim:0", "hanoi.kif", "nim.kif", "terms.kif", "rock-paper-scissors.kif"];
        let expected = plain.iter().any(|end| spec.ends_with(end));
        assert_eq!(text_only, expected, "{spec}");
    }
}

#[test]
fn the_last_move_is_marked() {
    let engine = Engine::default();
    let last = |spec: &str, position: &str| {
        let scene = engine.open(spec).unwrap().scene(position).unwrap();
        let mut names = Vec::new();
        for mark in &scene.marks {
            if let Mark::Last { cells } = mark {
                names.extend(cells.iter().map(|&c| scene.cells[c].name.clone()));
            }
        }
        names.join(" ")
    };
    for (spec, position, cells) in [
        ("tic-tac-toe", "start", ""),
        ("tic-tac-toe", "moves:", ""),
        ("tic-tac-toe", "moves:b2", "b2"),
        ("tic-tac-toe", "moves:b2, a1 ", "a1"),
        ("tic-tac-toe", ".../.x./... o", ""),
        // As a person types it.
        ("chess", "moves:e4,e5,Nf3", "g1 f3"),
        ("chess", "moves:e2e4,e7e5,g1f3,b8c6,f1c4,g8f6,e1g1", "e1 g1"),
        ("connect-four:4x4", "moves:2,2", "b2"),
        ("domineering:4x4", "moves:a1a2", "a1 a2"),
        ("same-game:4x4,3,1", "moves:a1", "a1 b1 c1 c2 d2 d3 d4"),
        ("nim:1,2,3", "moves:3-2", "3.2 3.3"),
        ("kalah:3,2", "moves:1", "south 1"),
        ("tron:3x3", "moves:right/left", "a3 b3 c1 b1"),
        ("matrix:examples/inspection.csv", "moves:1/2", "1/2 Max 1 Min 2"),
    ] {
        let spec = spec.replace("examples", &format!("{}/examples", root().display()));
        assert_eq!(last(&spec, position), cells, "{spec} {position}");
    }
    let game = engine.open("tic-tac-toe").unwrap();
    assert!(game.scene("moves:b2,b2").is_err());
}

#[test]
fn answers_are_marked_on_pictures() {
    let engine = Engine::default();
    let marks = |job: &str| {
        let job: Job = job.parse().unwrap();
        let game = engine.open(&job.game).unwrap();
        let finished = engine.run(&job, &mut (), &foregone::Cancel::new()).unwrap();
        let scene = game.scene_with(&job.position, &finished.answer).unwrap();
        assert_eq!(xml_mistake(&game.svg(&scene)), None);
        (scene, finished.answer)
    };
    // x wins at once: its move is marked as the best one.
    let (scene, _) = marks("tic-tac-toe position=\"xx./oo./... x\"");
    let best: Vec<&Mark> =
        scene.marks.iter().filter(|m| matches!(m, Mark::Value { best: true, .. })).collect();
    let (cells, text) = (vec![scene.named("c3").unwrap()], "1".to_owned());
    assert_eq!(best, [&Mark::Value { cells, text, quality: Quality::Good, best: true }]);
    assert!(scene.notes.contains(&"value for x: win".to_owned()), "{:?}", scene.notes);
    // A piece goes from cell to cell.
    let (scene, _) = marks("breakthrough:4x2 position=\"../wb/../.. white\"");
    let arrow = matches!(scene.marks[..], [Mark::Arrow { best: true, .. }, ..]);
    assert!(arrow, "{:?}", scene.marks);
    // What nobody knows is not called best.
    let (scene, answer) = marks("connect-four:6x7 nodes=1000 knowledge=no");
    assert!(!answer.solved());
    for mark in &scene.marks {
        assert!(matches!(mark, Mark::Value { quality: Quality::Neutral, best: false, .. }));
    }
    // Joint moves: how often each is played.
    let (scene, _) = marks("rock-paper-scissors");
    assert_eq!(values(&scene), ["1/3"; 6]);
    // What each move is worth to who makes it: o is Min, and its win is a loss of Max.
    let (scene, _) = marks("tic-tac-toe position=\"xx./oo./x.. o\" moves=yes");
    assert_eq!(values(&scene), ["loss", "loss", "win", "draw"], "{:?}", scene.moves);
    let best = scene.marks.iter().filter(|m| matches!(m, Mark::Value { best: true, .. }));
    assert_eq!(best.count(), 1);
}

/// The words that are written on cells.
fn values(scene: &Scene) -> Vec<&str> {
    let values = scene.marks.iter().filter_map(|mark| match mark {
        Mark::Value { text, .. } => Some(text.as_str()),
        _ => None,
    });
    values.collect()
}

#[test]
fn scenes_take_the_values_of_moves() {
    let game = Engine::default().open("connect-four:4x4").unwrap();
    let mut scene = game.scene("start").unwrap();
    let mark = |text: &str, label: &str, quality| MoveMark {
        player: None,
        text: text.to_owned(),
        label: label.to_owned(),
        quality,
        best: quality == Quality::Good,
    };
    scene.mark_moves(&[
        mark("1", "draw", Quality::Even),
        mark("2", "loss", Quality::Bad),
        mark("9", "win", Quality::Good),
    ]);
    assert_eq!(scene.marks.len(), 2);
    // What cannot be put on the board is not lost.
    assert!(scene.notes.contains(&"9: win".to_owned()), "{:?}", scene.notes);
    let svg = game.svg(&scene);
    for word in [">draw<", ">loss<", ">9: win<"] {
        assert!(svg.contains(word), "{word}: {svg}");
    }
}

#[test]
fn strange_names_do_not_break_pictures() {
    let mut scene = Scene::new();
    let cell = scene.square("<\"&'\u{1}>", [0.0, 0.0], foregone::model::scene::Paint::Plain);
    scene.piece(cell, Glyph::Word("<&>".to_owned()), foregone::model::scene::Paint::Ink);
    scene.notes.push("a < b && c > d \u{7}".to_owned());
    let svg = foregone::picture::svg(&scene, "<title>\u{ffff}");
    assert_eq!(xml_mistake(&svg), None, "{svg}");
    // Nothing at all is a picture, too.
    let svg = foregone::picture::svg(&Scene::new(), "");
    assert_eq!(xml_mistake(&svg), None, "{svg}");
}

#[test]
fn typed_graphs_are_cut_where_they_are_large() {
    let chain: String = (0..500).map(|n| format!("max s{n} -> s{}\n", n + 1)).collect();
    let text = format!("start s0\n{chain}end s500 win\n");
    let path = std::env::temp_dir().join(format!("foregone-{}-chain.game", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let scene = Engine::default()
        .open(&format!("explicit:{}", path.display()))
        .and_then(|game| game.scene("s7"));
    std::fs::remove_file(&path).unwrap();
    let scene = scene.unwrap();
    assert_eq!((scene.cells.len(), scene.cells[0].name.as_str()), (60, "s7"));
    assert!(scene.notes.contains(&"60 of 501 states".to_owned()), "{:?}", scene.notes);
    assert!(scene.shapes.iter().all(|s| matches!(s, Shape::Line { arrow: true, .. })));
}

/// A picture is as it was. `FOREGONE_WRITE_PICTURES=1` writes all of them again: then look at them.
fn kept(name: &str, svg: &str) {
    assert_eq!(xml_mistake(svg), None, "{name}: {svg}");
    let path = root().join(name);
    if std::env::var_os("FOREGONE_WRITE_PICTURES").is_some() {
        std::fs::write(&path, svg).unwrap();
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(before == svg, "{name} has changed: FOREGONE_WRITE_PICTURES=1 writes it, then look");
}

#[test]
fn pictures_look_as_they_did() {
    let engine = Engine::default();
    let figure = format!("explicit:{}/examples/figure-2-2.game", root().display());
    for (name, spec, position) in [
        ("chess.svg", "chess", "moves:e2e4,e7e5,g1f3"),
        ("connect-four.svg", "connect-four:6x7", "moves:4,4,3,5,4"),
        ("domineering-three.svg", "domineering-three:2x3x2", "moves:a1.1-a2.1,b1.1-c1.1"),
        ("explicit.svg", &figure, "start"),
        ("go-capture.svg", "go-capture:5x5", "...../..x../.xOo./..xo./..... black"),
        ("goofspiel.svg", "goofspiel:4", "moves:4/1"),
        ("havannah.svg", "havannah:4", "moves:d4,c3,e5"),
        ("hex.svg", "hex:5", "moves:c3,b4,d2"),
        ("kalah.svg", "kalah:6,4", "moves:1,2"),
        ("lines-of-action.svg", "lines-of-action:6", "moves:b1-b3,a2-c2"),
        ("nim.svg", "nim", "moves:4-3"),
        ("tic-tac-toe.svg", "tic-tac-toe", "moves:b2,a1"),
        ("y.svg", "y:4", "moves:b3"),
    ] {
        let game = engine.open(spec).unwrap();
        let scene = game.scene(position).unwrap();
        // The path of a file is that of this machine.
        let title = game.name().replace(&root().display().to_string(), "");
        let path = format!("crates/foregone/tests/pictures/{name}");
        kept(&path, &foregone::picture::svg(&scene, &title));
    }
}

#[test]
fn pictures_of_the_book_are_what_its_commands_draw() {
    let engine = Engine::default();
    let game = engine.open("hex:5").unwrap();
    kept("docs/images/hex.svg", &game.svg(&game.scene("moves:c3,b4,d2,b5").unwrap()));
    let job: Job = "connect-four:5x5 position=moves:3,3,2 moves=yes".parse().unwrap();
    let game = engine.open(&job.game).unwrap();
    let finished = engine.run(&job, &mut (), &foregone::Cancel::new()).unwrap();
    let scene = game.scene_with(&job.position, &finished.answer).unwrap();
    kept("docs/images/connect-four.svg", &game.svg(&scene));
}

/// The drawings of the proof of a job.
fn drawings(job: &str) -> foregone::Drawings {
    let job: Job = format!("{job} proof=drawn").parse().unwrap();
    let finished = Engine::default().run(&job, &mut (), &foregone::Cancel::new()).unwrap();
    finished.drawings.unwrap()
}

#[test]
fn both_halves_of_a_value_are_drawn() {
    let drawn = drawings("tic-tac-toe position=\"xox/.../... o\"");
    let proves: Vec<&str> = drawn.halves.iter().map(|half| half.proves.as_str()).collect();
    assert_eq!(proves.len(), 2, "{proves:?}");
    let tree = drawn.tree(None);
    let svg = drawn.svg();
    assert_eq!(xml_mistake(&svg), None, "{svg}");
    for half in &drawn.halves {
        assert!(tree.contains(&format!("{}:\n  ", half.proves)), "{tree}");
        assert!(svg.contains(&format!(">{}:<", half.proves)), "{svg}");
        assert!(drawn.dot().contains(&format!("label=\"{}\"", half.proves)));
    }
    assert_eq!(drawn.halves.iter().filter(|half| half.of_max).count(), 1);
    let path = "crates/foregone/tests/pictures/proof.svg";
    kept(path, &drawings("tic-tac-toe position=\"xo./.x./..o x\"").svg());
}

#[test]
fn proofs_are_cut_and_say_how_much_is_left_out() {
    let drawn = drawings("connect-four:4x5 question=\"at-least draw\" knowledge=no");
    let [half] = &drawn.halves[..] else { panic!("{:?}", drawn.halves.len()) };
    assert!(half.claims > 5000, "{}", half.claims);
    // What is kept and what is said to be cut make up the whole.
    let (mut kept, mut cut) = (0, 0);
    for node in &half.nodes {
        match node.kind {
            foregone::NodeKind::Cut(n) => cut += n,
            _ => kept += 1,
        }
    }
    assert_eq!(kept + cut, half.claims);
    let upto = |depth: u32| half.nodes.iter().filter(|n| n.depth <= depth).count() as u64;
    for depth in [1, 2, 3] {
        let tree = drawn.tree(Some(depth));
        let hidden = half.claims - upto(depth);
        let note = format!("… {hidden} of {} claims are not shown\n", half.claims);
        assert!(tree.ends_with(&note), "{depth}: {tree}");
    }
    let tree = drawn.tree(None);
    assert!(tree.lines().count() <= 202 && tree.contains(" claims are not shown"), "{tree}");
    let svg = drawn.svg();
    assert_eq!(xml_mistake(&svg), None);
    assert!(svg.contains(" claims are not shown") && svg.len() < 200_000, "{}", svg.len());
    assert!(drawn.dot().len() < 200_000);
}

#[test]
fn long_plays_are_drawn_without_a_deep_stack() {
    let drawn = drawings("race:3000,2");
    assert!(drawn.halves[0].nodes.iter().all(|node| node.depth <= 401));
    assert_eq!(xml_mistake(&drawn.svg()), None);
    assert!(drawn.tree(None).contains(" claims are not shown"));
}
