//! `foregone match`: two players, many games, and how much stronger one of them is.

use std::fmt::Write as _;

use foregone::Error;
use foregone::play::{Match, MatchAnswer, MatchEvent, Points};
use foregone::text::{counted, grouped};
use serde_json::json;

use crate::args::MatchArgs;
use crate::commands::{has_folder, open};
use crate::ggp;
use crate::program::Program;
use crate::report::write_file;
use crate::signals;

/// Runs the command.
pub(crate) fn run(program: &mut Program<'_>, args: &MatchArgs) -> Result<u8, Error> {
    args.save.as_deref().map_or(Ok(()), has_folder)?;
    let game = open(program, &args.game)?;
    let spec = Match {
        game: args.game.clone(),
        position: args.position.clone(),
        players: [args.player.clone(), args.foe.clone()],
        games: args.games,
        budget: args.budget.budget(),
        opening: args.openings,
        seed: args.seed,
        threads: args.threads,
    };
    let mut screen = program.observer(args.json);
    let (clock, began) = (program.engine.clock(), program.engine.clock().now());
    let mut watch = |event: MatchEvent<'_>| {
        if screen.due(clock.now().saturating_sub(began)) {
            let points = f64::from(event.halves) / 2.0;
            let (first, played) = (&args.player, event.played);
            screen.show(format!("{played} of {} games, {points} points for {first}", args.games));
        }
    };
    let answer =
        program.engine.play_match_on(&game, &spec, &ggp::seat, &mut watch, &program.cancel)?;
    screen.clear();
    if let Some(path) = &args.save {
        let texts: String = answer.games.iter().map(|game| game.text.as_str()).collect();
        write_file(path, &texts)?;
    }
    let text = match args.json {
        true => json!(answer).to_string() + "\n",
        false => text(&answer, args),
    };
    program.say(&text);
    Ok(if answer.interrupted { signals::exit_code() } else { 0 })
}

/// The result in words.
fn text(answer: &MatchAnswer, args: &MatchArgs) -> String {
    let [first, second] = &answer.players;
    let played = answer.games.len() as u64;
    let mut out = format!("{}: {first} against {second}, {}", answer.game, counted(played, "game"));
    if answer.interrupted {
        let _ = write!(out, " of {}", args.games);
    }
    out.push('\n');
    let results = [
        counted(answer.wins.into(), "win"),
        counted(answer.draws.into(), "draw"),
        match answer.losses {
            1 => "1 loss".to_owned(),
            losses => format!("{} losses", grouped(losses.into())),
        },
    ];
    let _ = writeln!(out, "  result   {}", results.join(", "));
    if played > 0 {
        let (score, error) = (100.0 * answer.score, 100.0 * answer.score_error);
        let _ = writeln!(out, "  score    {score:.1} % of the points, standard error {error:.1} %");
        let _ = writeln!(out, "  Elo      {}", elo(answer));
    }
    let forfeited = |points| {
        let forfeits = answer.games.iter().filter(|g| g.end.contains(" forfeits as "));
        forfeits.filter(|game| game.result == points).count() as u64
    };
    for (player, points) in [(first, Points::Loss), (second, Points::Win)] {
        let lost = forfeited(points);
        if lost > 0 {
            let why = answer.games.iter().find(|g| g.end.contains(" forfeits as "));
            let why = why.map_or("", |game| game.end.as_str());
            let _ = writeln!(out, "  forfeits {player} lost {} so: {why}", counted(lost, "game"));
        }
    }
    if let Some(path) = &args.save {
        let _ = writeln!(out, "  games    written to {}", path.display());
    }
    out
}

/// The difference of strength in words.
fn elo(answer: &MatchAnswer) -> String {
    let Some(elo) = answer.elo else {
        return "no number: one player has all points".to_owned();
    };
    let bound = |bound: Option<f64>, open: &str| match bound {
        Some(bound) => format!("{bound:+.0}"),
        None => open.to_owned(),
    };
    format!(
        "{:+.0}, with 95 % between {} and {}",
        elo.difference,
        bound(elo.low, "-∞"),
        bound(elo.high, "+∞")
    )
}
