//! `foregone combat`: small battles in real time, one with its picture or many for a score.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use foregone_combat::scenario::ARMY_TYPES;
use foregone_combat::{
    Army, Battle, Evaluation, Player, Policy, Record, Scenario, Script, Settings, Tally, tournament,
};
use foregone_model::{Side, TextError};
use serde_json::json;

use foregone::Error;
use foregone::text::{counted, short};

use crate::args::{CombatArgs, duration};
use crate::program::Program;
use crate::report::write_file;
use crate::signals;

pub mod picture;

/// The word for all scripts, one after the other.
const ALL: &str = "all";

/// How many battles a score is made of when nothing is said: as in the thesis.
pub const USUAL_BATTLES: u32 = 365;

/// Runs the command.
pub(crate) fn run(program: &mut Program<'_>, args: &CombatArgs) -> Result<u8, Error> {
    let many = args.battles.is_some() || args.foe == ALL;
    let one_only = [
        (args.army.is_some(), "--army"),
        (args.foe_army.is_some(), "--foe-army"),
        (args.frames.is_some(), "--frames"),
        (args.svg.is_some(), "--svg"),
    ];
    if let Some((_, option)) = one_only.iter().find(|(given, _)| *given && many) {
        return Err(Error::input(format!("`{option}` is for one battle, not for many"))
            .help("leave out `--battles`, and name one opponent"));
    }
    if many { score(program, args) } else { one(program, args) }
}

/// One battle, told and drawn.
fn one(program: &mut Program<'_>, args: &CombatArgs) -> Result<u8, Error> {
    let (max, min) = players(&args.player, &args.foe)?;
    let army = |text: &str| Army::parse(text).map_err(|e| Error::text("army", text, e));
    let own = args.army.as_deref().unwrap_or("2 marine, 2 zergling");
    let scenario = match &args.foe_army {
        None => Scenario::mirrored(&army(own)?, args.seed),
        Some(foe) => Scenario::opposed(&army(own)?, &army(foe)?, args.seed),
    };
    let scenario = scenario.map_err(|e| Error::input(format!("these armies can't fight: {e}")))?;
    let record = Battle::new([&max, &min]).fight(&scenario);
    let title = format!("{} against {}, {own}", args.player, args.foe);
    if let Some(path) = &args.svg {
        write_file(path, &picture::svg(&record, &title))?;
    }
    if args.json {
        let object = json!({
            "player": args.player, "foe": args.foe, "army": own, "foe_army": args.foe_army,
            "seed": args.seed, "winner": record.winner.map(|side| word(side, args)),
            "halted": record.halted(), "actions": record.actions,
            "seconds": f64::from(record.end.time) / FRAMES_A_SECOND,
            "left": [hit_points(&record, Side::Max), hit_points(&record, Side::Min)],
            "nodes": [record.effort[0].nodes, record.effort[1].nodes],
            "slowest_ms": record.slowest.map(milliseconds),
        });
        program.say(&(object.to_string() + "\n"));
        return Ok(0);
    }
    let (columns, rows) = (56, 12);
    let mut text = String::new();
    match args.frames {
        Some(every) => {
            for frame in picture::frames(&record, columns, rows, every.max(1)) {
                text.push_str(&frame);
                text.push('\n');
            }
        }
        None => {
            // The start and the end tell most of it.
            let frames = picture::frames(&record, columns, rows, u32::MAX);
            for frame in frames.iter().take(1).chain(frames.last().filter(|_| frames.len() > 1)) {
                text.push_str(frame);
                text.push('\n');
            }
        }
    }
    let won = match record.winner {
        Some(side) => format!("{} wins", word(side, args)),
        None => "a draw".to_owned(),
    };
    let halted = if record.halted() { ", halted and judged by LTD" } else { "" };
    let _ = writeln!(text, "{title}: {won}{halted}.");
    let time = f64::from(record.end.time) / FRAMES_A_SECOND;
    let moves = counted(record.actions as u64, "move");
    let _ = writeln!(text, "  battle   {time:.1} s, {moves}");
    for (side, name) in [(0, "MAX"), (1, "min")] {
        let effort = record.effort[side];
        if effort.decisions > 0 {
            let _ = writeln!(
                text,
                "  {name}      {}, {}, depth {:.1}, {} nodes/s, slowest {:.2} ms",
                counted(effort.decisions, "decision"),
                counted(effort.nodes, "node"),
                effort.depths as f64 / effort.decisions as f64,
                short(effort.nodes as f64 / record.time[side].as_secs_f64().max(1e-9)),
                milliseconds(record.slowest[side]),
            );
        }
    }
    if let Some(path) = &args.svg {
        let _ = writeln!(text, "  picture  written to {}", path.display());
    }
    program.say(&text);
    Ok(0)
}

/// Frames in a second of battle.
const FRAMES_A_SECOND: f64 = 24.0;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn hit_points(record: &Record, side: Side) -> i64 {
    record.end.living(side).map(|(_, unit)| i64::from(unit.hit_points)).sum()
}

/// The player on a side, as it was typed; where both are the same, its side as well.
fn word(side: Side, args: &CombatArgs) -> String {
    let own = if side == Side::Max { &args.player } else { &args.foe };
    if args.player == args.foe { format!("{own} ({side:?})") } else { own.clone() }
}

/// Many battles, for a score.
fn score(program: &mut Program<'_>, args: &CombatArgs) -> Result<u8, Error> {
    let battles = args.battles.unwrap_or(USUAL_BATTLES);
    let foes: Vec<String> = match args.foe == ALL {
        true => Script::ALL.iter().map(|script| script.name().to_owned()).collect(),
        false => vec![args.foe.clone()],
    };
    let mut scores = Vec::new();
    let mut objects = Vec::new();
    for foe in &foes {
        let tally = fight(program, &args.player, foe, battles, args.seed, args.threads)?;
        let (wins, draws) = (tally.wins(), tally.draws());
        let losses = tally.winners.len() - wins - draws;
        scores.push(tally.score());
        objects.push(json!({
            "foe": foe, "battles": tally.winners.len(), "wins": wins, "draws": draws, "losses": losses,
            "score": tally.score(), "slowest_ms": tally.slowest.map(milliseconds),
            "nodes": [tally.effort[0].nodes, tally.effort[1].nodes],
        }));
        if !args.json {
            let mut line = format!(
                "{} against {foe:<12} {:.3}  ({wins} won, {draws} drawn, {losses} lost)",
                args.player,
                tally.score()
            );
            let effort = tally.effort[0];
            if effort.decisions > 0 {
                let _ = write!(
                    line,
                    "  depth {:.1}, {} nodes/s, slowest {:.2} ms",
                    effort.depths as f64 / effort.decisions as f64,
                    short(effort.nodes as f64 / tally.time[0].as_secs_f64().max(1e-9)),
                    milliseconds(tally.slowest[0]),
                );
            }
            program.say(&(line + "\n"));
        }
        if program.cancel.is_cancelled() {
            return Ok(signals::exit_code());
        }
    }
    let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    if args.json {
        let object = json!({
            "player": args.player, "seed": args.seed, "average": mean, "against": objects,
        });
        program.say(&(object.to_string() + "\n"));
    } else if foes.len() > 1 {
        let battles = counted(battles.into(), "battle");
        program.say(&format!("average {mean:.3} of {battles} each\n"));
    }
    Ok(0)
}

/// Lets two players fight so many balanced battles. A terminal sees how far it is; Ctrl-C ends it
/// with fewer.
pub(crate) fn fight(
    program: &Program<'_>,
    player: &str,
    foe: &str,
    battles: u32,
    seed: u64,
    threads: u32,
) -> Result<Tally, Error> {
    let (max, min) = players(player, foe)?;
    let scenarios = Scenario::balanced(battles as usize, seed);
    let (clock, mut screen) = (Instant::now(), program.observer(false));
    let mut all = Tally::default();
    for some in scenarios.chunks(BATCH * threads as usize) {
        let tally = tournament(some, [&max, &min], threads as usize);
        all.winners.extend(&tally.winners);
        for side in 0..2 {
            all.effort[side] += tally.effort[side];
            all.time[side] += tally.time[side];
            all.slowest[side] = all.slowest[side].max(tally.slowest[side]);
        }
        if program.cancel.is_cancelled() {
            break;
        }
        if screen.due(clock.elapsed()) {
            let done = all.winners.len();
            screen.show(format!(
                "{player} against {foe}: {done} of {battles} battles, {:.2}",
                all.score()
            ));
        }
    }
    screen.clear();
    Ok(all)
}

/// How many battles a thread fights between two looks at the keyboard.
const BATCH: usize = 4;

/// Both players. One that knows the other's script is told which it is.
fn players(player: &str, foe: &str) -> Result<(Player, Player), Error> {
    let (mut max, knows_min) = read(player)?;
    let (mut min, knows_max) = read(foe)?;
    let tell = |who: &mut Player, text: &str, knows: bool, of: &Player| match (who, of) {
        (Player::Abcd(settings), Player::Script(script)) if knows => {
            settings.against = Some(*script);
            Ok(())
        }
        (_, Player::Abcd(_)) if knows => {
            Err(Error::input(format!("`{text}` knows what the other player does next"))
                .help("only a script is known before: name one as the other player"))
        }
        _ => Ok(()),
    };
    let (first, second) = (max.clone(), min.clone());
    tell(&mut max, player, knows_min, &second)?;
    tell(&mut min, foe, knows_max, &first)?;
    Ok((max, min))
}

/// A player as one types it: a script, or `abcd:WORD,WORD…`; and whether it knows the other's
/// script.
fn read(text: &str) -> Result<(Player, bool), Error> {
    let refuse = |e: TextError| Error::text("player", text, e);
    let (name, words) = match text.split_once(':') {
        Some((name, words)) => (name, Some(words)),
        None => (text, None),
    };
    let player = Player::named(name, 0..name.len()).map_err(refuse)?;
    let Some(words) = words else { return Ok((player, false)) };
    let Player::Abcd(mut settings) = player else {
        let error =
            TextError::new(format!("the script {name} has no settings"), name.len()..text.len());
        return Err(refuse(error));
    };
    let mut known = false;
    let mut at = name.len() + 1;
    for word in words.split(',') {
        setting(word, at, &mut settings, &mut known).map_err(refuse)?;
        at += word.len() + 1;
    }
    Ok((Player::Abcd(settings), known))
}

/// One setting of a search.
fn setting(
    word: &str,
    at: usize,
    settings: &mut Settings,
    known: &mut bool,
) -> Result<(), TextError> {
    let span = at..at + word.len();
    if let Ok(evaluation) = Evaluation::named(word, span.clone()) {
        settings.evaluation = evaluation;
    } else if let Ok(policy) = Policy::named(word, span.clone()) {
        settings.policy = policy;
    } else if word == "known" {
        *known = true;
    } else if let Some(nodes) = word.strip_suffix("nodes").and_then(|n| n.parse().ok()) {
        (settings.nodes, settings.time) = (Some(nodes), None);
    } else if let Some(depth) = word.strip_prefix("depth=").and_then(|n| n.parse().ok()) {
        settings.depth = Some(depth);
    } else if let (true, Ok(time)) = (word.ends_with('s'), duration(word)) {
        settings.time = Some(time);
    } else {
        let evaluations = Evaluation::ALL.iter().map(|e| e.name());
        let policies = Policy::ALL.iter().map(|p| p.name());
        let choices: Vec<&str> =
            evaluations.chain(policies).chain(["known", "5ms", "500nodes", "depth=3"]).collect();
        let message = format!("`{word}` is no setting, expected one of {}", choices.join(", "));
        let choices = choices.into_iter().map(str::to_owned).collect();
        return Err(TextError::new(message, span).with_choices(choices));
    }
    Ok(())
}

/// What armies the battles of a score are fought with, in words.
pub(crate) fn armies() -> String {
    ARMY_TYPES.join("; ")
}
