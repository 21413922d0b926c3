//! Tables of whole games: against brute force, verified, damaged, and asked by searches.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use foregone::games::erased::Erased;
use foregone::model::{Endless, Game, Notation, Outcome, Rng, Turn};
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::tables::{self, BuildAnswer, BuildSettings, Tables};
use foregone::{
    AnyGame, Cancel, Context, Engine, Error, ErrorKind, Job, Opened, Proof, Question, Trust,
};
use foregone_tables::{Cells, Header, Loaded, TableFile};

/// A folder that is removed when the test is done.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("foregone-tables-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        Folder(std::env::temp_dir().join(name))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn open(spec: &str) -> AnyGame {
    Engine::default().open(spec).unwrap()
}

pub(crate) fn erased(game: &AnyGame) -> &Erased {
    match game.opened() {
        Opened::InTurn(game) => game,
        Opened::Joint(_) => panic!("players move in turn"),
    }
}

fn in_context<T>(work: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let engine = Engine::default();
    work(&mut Context::new(engine.clock(), &mut (), &Cancel::new()))
}

pub(crate) fn build(game: &AnyGame, class: &str, dir: &Path) -> Result<BuildAnswer, Error> {
    let settings = BuildSettings {
        dir: dir.to_owned(),
        threads: 2,
        memory: 1 << 30,
        every: Duration::from_secs(5),
    };
    in_context(|context| tables::build(game, class, &settings, context))
}

pub(crate) fn verify(game: &AnyGame, class: &str, dir: &Path) -> Result<u64, Error> {
    let answer = in_context(|context| tables::check(game, dir, class, 2, 1 << 30, context))?;
    assert!(answer.complete);
    Ok(answer.tables.iter().map(|table| table.positions).sum())
}

/// All positions that can be reached.
fn reachable(game: &Erased) -> Vec<<Erased as Game>::State> {
    let mut seen = std::collections::HashSet::from([game.start()]);
    let mut states = vec![game.start()];
    let mut at = 0;
    while at < states.len() {
        let s = states[at].clone();
        at += 1;
        let Turn::Agent(agent) = game.turn(&s) else { continue };
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        for m in moves {
            let mut next = s.clone();
            game.play(&mut next, agent, m);
            if seen.insert(next.clone()) {
                states.push(next);
            }
        }
    }
    states
}

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const RULESHEETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesheets");

#[test]
fn tables_of_small_games_are_what_brute_force_finds() {
    let explicit = |file: &str| format!("explicit:{EXAMPLES}/{file}");
    let mut games: Vec<String> = [
        "tic-tac-toe",
        "race:100,10",
        "race:100,10,misere",
        "nim:1,3,5",
        "seki:2,2",
        "woodpush:6,2",
        "connect-four:3x3",
        "hex:3",
        "domineering:3x3",
        "breakthrough:4x3",
        "kalah:2,2",
        "kalah:3,1",
        "awari:2,1",
        "awari:1,4",
        "awari:2,1,takes-all",
        "awari:2,1,forbidden",
        "left-right:5",
    ]
    .map(str::to_owned)
    .to_vec();
    let sheets = ["race-20-3", "cyclic-ring", "chomp"];
    games.extend(sheets.map(|sheet| format!("gdl:{RULESHEETS}/{sheet}.kif")));
    games.extend(["figure-2-1a.game", "figure-2-1b.game", "figure-2-2.game"].map(explicit));
    games.extend(["loop-draws.game", "loop-wins.game"].map(explicit));
    let mut positions = 0;
    for spec in games {
        let (folder, game) = (Folder::new(), open(&spec));
        let built = build(&game, "", folder.path()).unwrap_or_else(|e| panic!("{spec}: {e}"));
        assert!(built.complete, "{spec}");
        verify(&game, "", folder.path()).unwrap_or_else(|e| panic!("{spec}: {e}"));
        let game = erased(&game);
        let tables = Tables::open(game, folder.path(), true).unwrap().unwrap();
        let scale = game.scale();
        let words = scale.scores().is_none();
        for s in reachable(game) {
            positions += 1;
            let worth = tables.worth(&s).unwrap().unwrap_or_else(|| panic!("{spec} {s:?}"));
            for at_least in (1..=scale.best().0).map(Outcome) {
                let strong = StrongSolution::of(game, s.clone(), at_least, 1_000_000).unwrap();
                let verdict = strong.verdict(&s).unwrap();
                let says = match (worth.least >= at_least, worth.most < at_least) {
                    (true, _) => Verdict::Won,
                    (_, true) => Verdict::Lost,
                    (false, false) => Verdict::Undetermined,
                };
                let text = game.position_text(&s);
                assert_eq!(says, verdict, "{spec} {text} {at_least:?} {worth:?}");
                let ends = [scale.best(), Outcome(0)].contains(&worth.least);
                let edge = match worth.least == scale.best() {
                    true => at_least == scale.best(),
                    false => at_least.0 == 1,
                };
                // What endless play is worth, too, has no distance.
                let open = game.endless() == Endless::Scores(worth.least);
                if words && ends && edge && !open && worth.least == worth.most {
                    assert_eq!(worth.moves, strong.distance(&s), "{spec} {text} {worth:?}");
                }
            }
            if game.endless() == Endless::Impossible {
                assert_eq!(worth.least, worth.most);
            }
            // The best move keeps what the position is worth.
            if let Some((m, best)) = tables.moves(&s).unwrap().unwrap().first() {
                assert_eq!((best.least, best.most), (worth.least, worth.most), "{spec} {m:?}");
            }
        }
    }
    assert!(positions > 10_000, "{positions}");
}

/// All rows of so many pits that hold so many seeds.
fn rows(pits: usize, seeds: u32) -> Vec<Vec<u32>> {
    if pits == 0 {
        return if seeds == 0 { vec![Vec::new()] } else { Vec::new() };
    }
    let with = |first: u32| {
        let rest = rows(pits - 1, seeds - first).into_iter();
        rest.map(move |row| [vec![first], row].concat())
    };
    (0..=seeds).flat_map(with).collect()
}

/// A position of two rows with nothing captured, as it is typed.
fn typed(row: &[u32], south: bool) -> String {
    let half = |row: &[u32]| row.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let (left, right) = row.split_at(row.len() / 2);
    let mover = if south { "south" } else { "north" };
    format!("{}+0/{}+0 {mover}", half(left), half(right))
}

/// What South captures less what North does, of all positions of up to so many seeds by the text of
/// their rows: those of fewer seeds first, as many times over the others as anything changes. What is
/// captured on the way counts for itself, and nothing at all is what endless play is worth.
fn awari_by_brute_force(game: &Erased, pits: usize, most: u32) -> HashMap<String, i64> {
    let scale = game.scale();
    let rows_and_captured = |s: &_| {
        let text = game.position_text(s);
        let (rows, mover) = text.split_once(' ').unwrap();
        let halves: Vec<(&str, i64)> = rows
            .split('/')
            .map(|half| half.split_once('+').unwrap())
            .map(|(row, store)| (row, store.parse().unwrap()))
            .collect();
        let key = format!("{}+0/{}+0 {mover}", halves[0].0, halves[1].0);
        (key, halves[0].1 - halves[1].1)
    };
    let mut values: HashMap<String, i64> = HashMap::new();
    for seeds in 0..=most {
        let mut moves_of = Vec::new();
        for row in rows(2 * pits, seeds) {
            for south in [true, false] {
                let text = typed(&row, south);
                let s = game.read_position(&text).unwrap();
                let Turn::Agent(agent) = game.turn(&s) else {
                    values.insert(text, scale.score(game.outcome(&s)).unwrap());
                    continue;
                };
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                let after = moves.into_iter().map(|m| {
                    let mut next = s.clone();
                    game.play(&mut next, agent, m);
                    rows_and_captured(&next)
                });
                moves_of.push((text.clone(), south, after.collect::<Vec<(String, i64)>>()));
                values.insert(text, 0);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (text, south, after) in &moves_of {
                let worth = after.iter().map(|(text, captured)| values[text] + captured);
                let best = if *south { worth.max() } else { worth.min() }.unwrap();
                changed |= values.insert(text.clone(), best) != Some(best);
            }
        }
    }
    values
}

#[test]
fn tables_of_awari_are_what_brute_force_finds() {
    let (mut positions, mut even) = (0, 0);
    for (spec, pits, most) in [
        ("awari:1,4", 1, 8),
        ("awari:2,2", 2, 8),
        ("awari:2,2,takes-all", 2, 8),
        ("awari:2,2,forbidden", 2, 8),
        ("awari:3,2", 3, 7),
        ("awari:3,2,takes-all", 3, 6),
        ("awari:3,2,forbidden", 3, 6),
        ("awari:4,1", 4, 5),
        ("awari:6,1", 6, 3),
    ] {
        let (folder, game) = (Folder::new(), open(spec));
        assert!(build(&game, &most.to_string(), folder.path()).unwrap().complete, "{spec}");
        let verified = verify(&game, &most.to_string(), folder.path());
        verified.unwrap_or_else(|e| panic!("{spec}: {e}"));
        let game = erased(&game);
        let scale = game.scale();
        let tables = Tables::open(game, folder.path(), true).unwrap().unwrap();
        let values = awari_by_brute_force(game, pits, most);
        for (text, value) in &values {
            positions += 1;
            let s = game.read_position(text).unwrap();
            let worth = tables.worth(&s).unwrap().unwrap_or_else(|| panic!("{spec} {text}"));
            let found = [worth.least, worth.most].map(|o| scale.score(o));
            assert_eq!(found, [Some(*value); 2], "{spec} {text} {worth:?}");
            even += u32::from(*value == 0 && game.turn(&s) != Turn::Over);
            // Seeds that were captured count, if there is room for them.
            let more = text.replacen("+0/", "+1/", 1);
            if let Ok(s) = game.read_position(&more)
                && let Some(worth) = tables.worth(&s).unwrap()
            {
                assert_eq!(scale.score(worth.least), Some(value + 1), "{spec} {more}");
            }
        }
    }
    assert!(positions > 10_000 && even > 500, "{positions} {even}");
}

#[test]
fn the_lists_of_race_are_those_of_the_slides() {
    for (spec, lost) in [
        ("race:100,10", (0..9).map(|n| 1 + 11 * n).collect::<Vec<u32>>()),
        ("race:100,10,misere", (0..10).map(|n| 11 * n).collect()),
    ] {
        let (folder, game) = (Folder::new(), open(spec));
        build(&game, "", folder.path()).unwrap();
        // Some totals come up with one of the two players to move only.
        let lost_for_mover = |total: &u32| {
            let [first, second] = ["first", "second"]
                .map(|who| tables::probe(&game, folder.path(), &format!("{total} {who}")).ok());
            let found = [first.map(|p| p.value == "loss"), second.map(|p| p.value == "win")];
            let found: Vec<bool> = found.into_iter().flatten().collect();
            assert!(!found.is_empty(), "{spec} {total}");
            assert!(found.iter().all(|&lost| lost == found[0]), "{spec} {total}");
            found[0]
        };
        let found: Vec<u32> = (0..100).filter(lost_for_mover).collect();
        assert_eq!(found, lost, "{spec}");
    }
}

/// A table whose cell of this number is changed, written anew, so that all its checksums are right.
pub(crate) fn with_changed_cell(path: &Path, index: u64, change: impl Fn(u16) -> u16) {
    written_anew(path, |_, cells| cells[index as usize] = change(cells[index as usize]));
}

/// A table with two cells exchanged, written anew: as many of each value as before.
pub(crate) fn with_exchanged_cells(path: &Path) {
    written_anew(path, |_, cells| {
        let other = cells.iter().rposition(|cell| *cell != cells[0]).unwrap();
        cells.swap(0, other);
    });
}

/// A table that says something else of itself, written anew.
pub(crate) fn with_header(path: &Path, change: impl Fn(&mut Header)) {
    written_anew(path, |header, _| change(header));
}

fn written_anew(path: &Path, change: impl Fn(&mut Header, &mut [u16])) {
    let file = TableFile::open(path).unwrap();
    let mut header = file.header().clone();
    let mut cells: Vec<u16> = match file.load(0).unwrap() {
        Loaded::One(cells) => cells.into_iter().map(u16::from).collect(),
        Loaded::Two(cells) => cells,
    };
    change(&mut header, &mut cells);
    let narrow: Vec<std::sync::atomic::AtomicU8> =
        cells.iter().map(|&cell| (cell as u8).into()).collect();
    let texts: Vec<String> = match header.texts {
        true => (0..header.size).map(|index| file.text(index).unwrap()).collect(),
        false => Vec::new(),
    };
    let mut texts = texts.into_iter();
    let texts = header.texts.then_some(&mut texts as &mut dyn Iterator<Item = String>);
    let planes = [Cells::One(&narrow)];
    foregone_tables::write(path, &header, &planes, texts, &mut |_| true).unwrap().unwrap();
}

#[test]
fn a_table_with_one_value_changed_is_refused() {
    let mut rng = Rng::new(4);
    for (spec, class, file) in
        [("tic-tac-toe", "", "tic-tac-toe/reachable.table"), ("chess", "KRK", "chess/KRK.table")]
    {
        let (folder, game) = (Folder::new(), open(spec));
        build(&game, class, folder.path()).unwrap();
        let path = folder.path().join(file);
        let whole = fs::read(&path).unwrap();
        let size = TableFile::open(&path).unwrap().header().size;
        for round in 0..10 {
            let index = u64::from(rng.below(size as u32));
            with_changed_cell(&path, index, |cell| match round % 3 {
                0 => cell ^ 1,
                1 => cell + 2,
                _ => {
                    if cell == 1 {
                        4
                    } else {
                        1
                    }
                }
            });
            match verify(&game, class, folder.path()) {
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Proof, "{error}");
                    let name = path.display().to_string();
                    assert!(error.message.starts_with(&name), "{error}");
                }
                Ok(_) => panic!("{spec}: a wrong entry at {index} was accepted"),
            }
            fs::write(&path, &whole).unwrap();
        }
        verify(&game, class, folder.path()).unwrap();
    }
}

#[test]
fn damaged_and_foreign_files_are_refused_by_name() {
    let (folder, game) = (Folder::new(), open("nim:1,2"));
    build(&game, "", folder.path()).unwrap();
    let path = folder.path().join("nim_1,2/reachable.table");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).unwrap();
        let error = verify(&game, "", folder.path()).unwrap_err();
        assert!(error.message.contains("reachable.table"), "byte {at}: {error}");
    }
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(verify(&game, "", folder.path()).is_err());
    fs::write(&path, &whole).unwrap();
    verify(&game, "", folder.path()).unwrap();
    // A table of another game in its place.
    let other = open("nim:2,2");
    build(&other, "", folder.path()).unwrap();
    fs::copy(folder.path().join("nim_2,2/reachable.table"), &path).unwrap();
    let error = tables::probe(&game, folder.path(), "start").unwrap_err();
    assert!(error.message.contains("a table of the game nim:2,2"), "{error}");
}

/// What is noted of work whose cells are gone, or are not those of this class, is not believed.
#[test]
fn work_without_its_cells_begins_anew() {
    let (folder, game) = (Folder::new(), open("chess"));
    build(&game, "KRK", folder.path()).unwrap();
    let in_folder = |name: &str| folder.path().join("chess").join(name);
    let whole = fs::read(in_folder("KRK.table")).unwrap();
    let size = TableFile::open(&in_folder("KRK.table")).unwrap().header().size;
    let rules = erased(&game).rules();
    for stage in ["looking 4096", "deciding 1 7", "done"] {
        for cells in [None, Some(1000)] {
            fs::remove_file(in_folder("KRK.table")).unwrap();
            let noted = format!(
                "foregone build 1\ngame chess\nrules {rules}\nclass KRK\nsize {size}\nplane 0\nwidth 1\n\
                 stage {stage}\n"
            );
            fs::write(in_folder("KRK.journal"), noted).unwrap();
            if let Some(cells) = cells {
                fs::write(in_folder("KRK.plane0.1.work"), vec![7; cells]).unwrap();
            }
            let built = build(&game, "KRK", folder.path()).unwrap();
            assert!(built.tables[1].resumed, "{stage}");
            assert!(fs::read(in_folder("KRK.table")).unwrap() == whole, "{stage} {cells:?}");
        }
    }
}

#[test]
fn chess_endings_have_the_longest_wins_that_are_known() {
    let (folder, game) = (Folder::new(), open("chess"));
    build(&game, "3", folder.path()).unwrap();
    verify(&game, "3", folder.path()).unwrap();
    // Plies of the loser's longest defence are twice the moves of the mate.
    for (class, moves) in [("KQK", 10), ("KRK", 16)] {
        let info = tables::info(&game, folder.path(), class).unwrap();
        assert_eq!(info.longest.as_ref().unwrap().distance, 2 * moves, "{class}");
        assert_eq!(info.longest.unwrap().line.len() as u32, 2 * moves, "{class}");
    }
    // White to move, Black to move: as other generators of such tables count.
    // White is stalemated in two positions of KPK.
    for (class, white, black, white_over) in [
        ("KQK", [0, 0, 18_081], [0, 2_896, 25_160], [0, 0, 0]),
        ("KRK", [0, 0, 21_959], [0, 2_796, 25_260], [0, 0, 0]),
        ("KPK", [0, 19_184, 62_480], [0, 35_210, 48_802], [0, 2, 0]),
    ] {
        let info = tables::info(&game, folder.path(), class).unwrap();
        let total: u64 = white.iter().chain(&black).sum();
        assert_eq!(info.positions, total, "{class}");
        let count = |to_move: Option<&str>, name: &str| {
            let share = info.shares.iter().find(|share| share.to_move.as_deref() == to_move);
            let found = share.and_then(|share| share.outcomes.iter().find(|(o, _)| o == name));
            found.map_or(0, |&(_, count)| count)
        };
        for (at, name) in ["loss", "draw", "win"].into_iter().enumerate() {
            // Positions that are over have no mover.
            assert_eq!(count(Some("white"), name) + white_over[at], white[at], "{class} {name}");
            let of_black = count(Some("black"), name) + count(None, name) - white_over[at];
            assert_eq!(of_black, black[at], "{class} {name}");
        }
    }
}

#[test]
fn probing_agrees_with_searches_for_mate() {
    let (folder, game) = (Folder::new(), open("chess"));
    build(&game, "KRK", folder.path()).unwrap();
    let engine = Engine::default();
    let tables = Tables::open(erased(&game), folder.path(), true).unwrap().unwrap();
    let numbering = erased(&game).tables().unwrap();
    let class = *numbering.wanted("KRK").unwrap().last().unwrap();
    let mut rng = Rng::new(8);
    let mut compared = 0;
    while compared < 12 {
        let index = rng.below_wide(numbering.size(class));
        let Some(s) = numbering.position(class, index) else { continue };
        let worth = tables.worth(&s).unwrap().unwrap();
        let white_moves = erased(&game).turn(&s) == Turn::Agent(foregone::model::Agent::FIRST);
        let Some(moves) = worth.moves.filter(|&moves| white_moves && moves <= 5) else { continue };
        let fen = erased(&game).position_text(&s);
        compared += 1;
        for mate_in in [moves.div_ceil(2) - 1, moves.div_ceil(2)] {
            if mate_in == 0 {
                continue;
            }
            let question = Question::Formula(format!("#{mate_in}"));
            let job = Job::new("chess").at(fen.clone()).ask(question);
            let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
            let foregone::Answer::Formula(answer) = &finished.answer else { panic!("a formula") };
            assert_eq!(answer.holds, Some(mate_in == moves.div_ceil(2)), "{fen} {moves} {mate_in}");
        }
    }
}

#[test]
fn searches_ask_tables_and_prove_without_them() {
    let folder = Folder::new();
    let chess = open("chess");
    build(&chess, "KQK", folder.path()).unwrap();
    build(&chess, "KPK", folder.path()).unwrap();
    let tic_tac_toe = open("tic-tac-toe");
    build(&tic_tac_toe, "", folder.path()).unwrap();
    let engine = Engine::default();
    let dir = folder.path().display().to_string();
    for (spec, position, value) in [
        // In the table itself.
        ("chess", "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", "win"),
        ("chess", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "draw"),
        // One capture away from it.
        ("chess", "8/8/8/8/8/2k5/1q6/KQ6 w - - 0 1", "win"),
        ("chess", "k7/8/8/8/8/8/1r6/K6n w - - 0 1", "draw"),
        ("chess", "k7/8/1K6/8/8/8/6q1/7Q w - - 0 1", "win"),
        ("tic-tac-toe", "start", "draw"),
        ("tic-tac-toe", "moves:b2,b1", "win"),
    ] {
        for driver in ["driver=dag", "driver=df", "driver=alphabeta", "driver=tree", "scheme=mcts"]
        {
            let job = Job {
                tables: Some(dir.clone()),
                proof: Proof::Always,
                ..format!("{spec} {driver}").parse::<Job>().unwrap().at(position)
            };
            let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
            // Two plies are seen at most: tables know the rest.
            assert!(finished.answer.nodes() < 500, "{spec} {position} {driver}");
            assert_eq!(finished.answer.value(), Some(value), "{spec} {position} {driver}");
            let strict = &mut Trust { rules_only: true, ..Trust::default() };
            let replayed = engine.verify(&mut finished.certificate.as_bytes(), strict);
            assert!(!replayed.unwrap().is_empty(), "{spec} {position} {driver}");
            assert!(!finished.certificate.contains("by table"), "{spec} {position}");
        }
    }
    // Without knowledge, tables are not asked, either.
    let job = Job { tables: Some("nowhere".to_owned()), knowledge: false, ..Job::new("nim:1,2") };
    assert!(engine.run(&job, &mut (), &Cancel::new()).is_ok());
    let job = Job { tables: Some("nowhere".to_owned()), ..Job::new("nim:1,2") };
    let error = engine.run(&job, &mut (), &Cancel::new()).unwrap_err();
    assert_eq!(error.message, "there is no folder nowhere with tables");
}

#[test]
fn tables_that_are_there_stay_and_games_without_tables_say_why() {
    let (folder, game) = (Folder::new(), open("nim:2,3"));
    let first = build(&game, "", folder.path()).unwrap();
    assert!(first.tables[0].seconds.is_some());
    let again = build(&game, "", folder.path()).unwrap();
    assert_eq!(again.tables[0].seconds, None);
    assert_eq!(again.tables[0].positions, reachable(erased(&game)).len() as u64);
    for (spec, class, problem) in [
        ("pig:10", "", "chance moves"),
        ("rock-paper-scissors", "", "at the same time"),
        ("domineering-three:2x2x2", "", "more than two play"),
        ("nim:2,3", "KQK", "have no classes"),
        ("chess", "KXK", "KXK"),
    ] {
        let error = build(&open(spec), class, folder.path()).unwrap_err();
        let said = error.message.contains(problem) || format!("{error:?}").contains(problem);
        assert!(said, "{spec} {class}: {error:?}");
    }
    // Too small a memory is told before anything is written.
    let settings = BuildSettings {
        dir: folder.path().to_owned(),
        threads: 1,
        memory: 10_000,
        every: Duration::ZERO,
    };
    let built = in_context(|context| tables::build(&open("tic-tac-toe"), "", &settings, context));
    let error = built.unwrap_err();
    assert!(error.message.contains("more positions than fit"), "{error}");
}

/// What the tables of a game say of positions with any pieces is what a search without tables finds.
fn says_what_a_search_finds(game: &Erased, dir: &Path, texts: impl Iterator<Item = String>) -> u32 {
    let tables = Tables::open(game, dir, true).unwrap().unwrap();
    let mut looked_up = 0;
    for text in texts {
        let Ok(s) = game.read_position(&text) else { continue };
        looked_up += 1;
        let worth = tables.worth(&s).unwrap().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(worth.least, worth.most, "{text}");
        for at_least in [1, 2].map(Outcome) {
            let strong = StrongSolution::of(game, s.clone(), at_least, 1_000_000).unwrap();
            let won = strong.verdict(&s).unwrap() == Verdict::Won;
            assert_eq!(worth.least >= at_least, won, "{text} {worth:?}");
            let forced = Outcome(if won { 2 } else { 0 });
            if worth.least == forced && (at_least == Outcome(2)) == won {
                assert_eq!(worth.moves, strong.distance(&s), "{text} {worth:?}");
            }
        }
    }
    looked_up
}

#[test]
fn endings_of_dark_chess_are_looked_up_for_all_materials() {
    let (folder, game) = (Folder::new(), open("dark-chess-ending:2x3"));
    build(&game, "3", folder.path()).unwrap();
    verify(&game, "3", folder.path()).unwrap();
    let mut rng = Rng::new(1);
    let texts = (0..1500).map(|_| {
        let mut cells = ['.'; 6];
        for _ in 0..3 {
            let letters = ["PCHREAK", "pchreak"][rng.below(2) as usize];
            let letter = letters.as_bytes()[rng.below(7) as usize];
            cells[rng.below(6) as usize] = letter.into();
        }
        let [top, bottom] = [0, 3].map(|at| cells[at..at + 3].iter().collect::<String>());
        format!("{top}/{bottom} {}", ["red", "black"][rng.below(2) as usize])
    });
    let texts: Vec<String> = texts.collect();
    let looked_up = says_what_a_search_finds(erased(&game), folder.path(), texts.into_iter());
    assert!(looked_up > 1200, "{looked_up}");
}

#[test]
fn dominoes_are_looked_up_for_all_deals() {
    let (folder, game) = (Folder::new(), open("dominoes:4,2,1,draw"));
    build(&game, "2", folder.path()).unwrap();
    verify(&game, "2", folder.path()).unwrap();
    let mut rng = Rng::new(2);
    let texts: Vec<String> = (0..3000)
        .map(|_| {
            let mut bone = || {
                let (a, b) = (rng.below(5), rng.below(5));
                (a.min(b), a.max(b))
            };
            let mut hand = || {
                let mut hand = [bone(), bone()];
                hand.sort_unstable();
                let texts = hand.map(|(a, b)| format!("{a}-{b}"));
                if hand[0] == hand[1] { texts[0].clone() } else { texts.join(",") }
            };
            let hands = format!("{} {}", hand(), hand());
            let (a, b) = bone();
            format!("{hands} {a}|{b} {}", ["first", "second"][rng.below(2) as usize])
        })
        .collect();
    let looked_up = says_what_a_search_finds(erased(&game), folder.path(), texts.into_iter());
    assert!(looked_up > 1500, "{looked_up}");
    // Where pips count they cannot be renamed: the positions of the deal are listed.
    let pips = open("dominoes:4,2,1");
    let built = build(&pips, "", folder.path()).unwrap();
    assert_eq!(built.tables[0].class, "reachable");
}

#[test]
fn materials_are_counted_for_two_games() {
    let counted = tables::material("dark-chess", 4).unwrap();
    assert_eq!(counted.rows.iter().map(|row| row.elements).collect::<Vec<_>>(), [2, 3, 4]);
    let factors: Vec<String> = counted
        .rows
        .iter()
        .flat_map(|row| &row.relations)
        .map(|relation| format!("{:.3}", relation.factor))
        .collect();
    assert_eq!(factors, ["6.125", "6.125", "8.842", "10.500", "9.977", "14.021"]);
    let bones = tables::material("dominoes", 6).unwrap();
    let of = |at: usize| {
        let relations = bones.rows.iter().map(move |row| row.relations[at]);
        relations.map(|r| (r.sound, format!("{:.2}", r.factor))).collect::<Vec<_>>()
    };
    let factors = |sound: bool, all: [&str; 4]| all.map(|factor| (sound, factor.to_owned()));
    assert_eq!(of(0), factors(false, ["230.09", "552.58", "1021.93", "1534.77"]));
    assert_eq!(of(1), factors(true, ["216.00", "524.16", "978.33", "1494.75"]));
    for (game, elements) in [("chess", 3), ("dark-chess", 1), ("dominoes", 2), ("dominoes", 7)] {
        assert_eq!(tables::material(game, elements).unwrap_err().kind, ErrorKind::Input, "{game}");
    }
}
