//! What there is: the games, and the ways to search them.

use std::fmt::Write;

use clap::{CommandFactory, ValueEnum};
use foregone::games::registry::{Entry, find};
use foregone::{Description, Error, Solver, suggest};
use foregone_search::{DriverSpec, Init, SchemeSpec};

use crate::args::{AlgorithmWord, Cli, Listed, SchemeArg};
use crate::commands::open;
use crate::program::Program;

/// Lists the games, or tells more about one.
pub(crate) fn games(program: &mut Program<'_>, spec: Option<&str>) -> Result<u8, Error> {
    let all: Vec<Entry> = program.engine.games().to_vec();
    let Some(spec) = spec else {
        let width = all.iter().map(|g| g.name.len()).max().unwrap_or(0);
        for game in all {
            program.say(&format!("{:<width$}  {}\n", game.name, game.rules));
            if !game.options.is_empty() {
                program.say(&format!("{:width$}    options: {}\n", "", game.options));
            }
        }
        return Ok(0);
    };
    let entry = find(&all, spec).map_err(|e| Error::game(spec, e.into()))?;
    let options = if entry.options.is_empty() { "none" } else { entry.options };
    let mut text = format!("{}: {}\noptions: {options}\n", entry.name, entry.rules);
    if !entry.knowledge.is_empty() {
        let _ = writeln!(text, "static knowledge: {}", entry.knowledge.join(", "));
    }
    match entry.file.filter(|_| !spec.contains(':')) {
        Some(form) => {
            let (name, ending) = (entry.name, form.ending);
            let _ = writeln!(text, "\n{}\n\nAn example, my{ending}:\n", form.about);
            form.example.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
            let _ = writeln!(text, "\nforegone solve {name}:my{ending}");
        }
        None => {
            let description = open(program, spec)?.describe();
            text.push_str(&match description.joint {
                true => describe_joint(&description),
                false => describe(&description),
            });
        }
    }
    program.say(&text);
    Ok(0)
}

/// A list of words with what they mean.
fn words(out: &mut String, title: &str, list: &[(String, String)]) {
    let width = list.iter().map(|(word, _)| word.len()).max().unwrap_or(0);
    let _ = writeln!(out, "{title}:");
    for (word, about) in list {
        let _ = writeln!(out, "  {word:<width$}  {about}");
    }
    out.push('\n');
}

fn algorithms() -> Vec<(String, String)> {
    let values = AlgorithmWord::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let help = |v: &clap::builder::PossibleValue| v.get_help().map(ToString::to_string);
    values.map(|v| (v.get_name().to_owned(), help(&v).unwrap_or_default())).collect()
}

/// The words of schemes and drivers.
pub(crate) fn scheme_words() -> Vec<String> {
    let (schemes, drivers) = (SchemeArg::listed(), DriverSpec::listed());
    schemes.into_iter().chain(drivers).map(|(word, _)| word).collect()
}

/// A title, and which solvers stand below it.
type Titled = (&'static str, fn(Solver) -> bool);

/// The kinds of solvers beside schemes for players who move in turn.
const SOLVERS: [Titled; 3] = [
    ("Schemes for joint moves (--scheme)", |solver| matches!(solver, Solver::Joint(_))),
    ("Schemes for chance (--scheme)", |solver| matches!(solver, Solver::Expected(_))),
    ("Schemes for many players (--scheme)", |solver| matches!(solver, Solver::Many(_))),
];

/// Lists schemes, drivers and their options, or tells more about one of them.
pub(crate) fn schemes(program: &mut Program<'_>, name: Option<&str>) -> Result<u8, Error> {
    let (schemes, drivers) = (SchemeArg::listed(), DriverSpec::listed());
    let turn = SchemeSpec::all().len();
    let Some(name) = name else {
        let mut text = String::new();
        words(&mut text, "Schemes for players who move in turn (--scheme)", &schemes[..turn]);
        for (title, kind) in SOLVERS {
            let of_kind = Solver::all().into_iter().filter(|&solver| kind(solver));
            let all: Vec<&str> = of_kind.map(Solver::word).collect();
            let some = schemes[turn..].iter().filter(|(word, _)| all.contains(&word.as_str()));
            words(&mut text, title, &some.cloned().collect::<Vec<_>>());
        }
        words(&mut text, "Drivers (--driver)", &drivers);
        words(&mut text, "Values of new leaves (--init)", &Init::listed());
        words(&mut text, "Algorithms for formulas (check --algorithm)", &algorithms());
        words(&mut text, "Options of schemes and drivers, for solve", &tuning());
        text.push_str(
            "A scheme may have its options in brackets: --scheme 'mcts(exploration=0.4)'.\n",
        );
        program.say(&text);
        return Ok(0);
    };
    let all = schemes.into_iter().map(|one| ("scheme", one));
    let mut all = all.chain(drivers.into_iter().map(|one| ("driver", one)));
    let Some((what, (word, about))) = all.find(|(_, (w, _))| w.eq_ignore_ascii_case(name)) else {
        return Err(Error::input(format!("there is no scheme and no driver called `{name}`"))
            .at("name", name, 0..name.len())
            .help(suggest(name, &scheme_words()).unwrap_or_default()));
    };
    let mut text = format!("{word}, a {what}: {about}\n");
    if let Ok(spec) = word.parse::<SchemeSpec>() {
        let leaves: Vec<String> = spec.leaves().iter().map(ToString::to_string).collect();
        let takes = DriverSpec::ALL.into_iter().filter(|driver| driver.takes(spec));
        let takes: Vec<&str> = takes.map(DriverSpec::word).collect();
        let _ = writeln!(text, "drivers: {}\nleaves: {}", takes.join(", "), leaves.join(", "));
    }
    if let Ok(driver) = word.parse::<DriverSpec>() {
        let takes = SchemeSpec::all().into_iter().filter(|&scheme| driver.takes(scheme));
        let takes: Vec<String> = takes.map(SchemeSpec::word).collect();
        let takes = if takes.is_empty() { "none".to_owned() } else { takes.join(", ") };
        let _ = writeln!(text, "schemes: {takes}");
    }
    let base = word.trim_start_matches("mo(").trim_end_matches(')');
    let own: Vec<(String, String)> =
        tuning().into_iter().filter(|(_, help)| help.contains(base)).collect();
    if !own.is_empty() {
        words(&mut text, "options of solve", &own);
    }
    program.say(&(text.trim_end().to_owned() + "\n"));
    Ok(0)
}

/// The options of `solve` that its help leaves out: those of schemes and drivers.
fn tuning() -> Vec<(String, String)> {
    let command = Cli::command();
    let solve = command.find_subcommand("solve");
    let hidden = solve.into_iter().flat_map(clap::Command::get_arguments);
    let mut list = Vec::new();
    for argument in hidden.filter(|argument| argument.is_hide_set()) {
        let long = argument.get_long().unwrap_or_default();
        let takes = argument.get_action().takes_values();
        let values = argument.get_possible_values();
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let value = match argument.get_value_names() {
            Some([name, ..]) if takes => format!(" {name}"),
            _ => String::new(),
        };
        list.push((format!("--{long}{value}"), help));
        // Schemes and leaves have been listed above.
        let listed = matches!(long, "inner" | "init") || !takes;
        for value in values.iter().filter(|_| !listed) {
            let about = value.get_help().map(ToString::to_string).unwrap_or_default();
            list.push((format!("  {}", value.get_name()), about));
        }
    }
    list
}

/// A list of moves, of which the first are shown.
fn first_moves(moves: &[String]) -> String {
    let shown: Vec<&str> = moves.iter().take(8).map(String::as_str).collect();
    format!("{}{}", shown.join(" "), if moves.len() > shown.len() { " …" } else { "" })
}

/// Players, outcomes, the start and the propositions of a game in turn.
fn describe(game: &Description) -> String {
    let start = &game.start;
    let max = &start.players[0];
    let players = match start.one_player {
        true => format!("{max}, alone"),
        _ if start.own_scores => {
            let names = start.players.join(", ");
            format!(
                "{names}; solve asks what {max} can do against all others, and with --scheme maxn \
                 what each gets"
            )
        }
        _ if start.against_others() => format!("{max} against all others"),
        false => format!("{max} (Max, moves first), {} (Min)", start.players[1]),
    };
    let mut outcomes: Vec<&str> = game.outcomes.iter().map(String::as_str).collect();
    if outcomes.len() > 8 {
        outcomes.splice(3..outcomes.len() - 3, ["…"]);
    }
    let moves = match &start.moves[0] {
        none if none.is_empty() => "none, it is over".to_owned(),
        moves => first_moves(moves),
    };
    let mut out = format!(
        "players: {players}\noutcomes for {max}: {}\nstart of {}: {}\nfirst moves: {moves}\n{}",
        outcomes.join(" < "),
        start.game,
        start.position,
        start.drawing,
    );
    if game.chance {
        out.push_str("there is chance: solve tells what one gets on average\n");
        return out;
    }
    out.push_str("\npropositions for formulas (foregone check):\n");
    let common = [
        ("w", "it is over, and A has won"),
        ("l", "it is over, and A has not won"),
        ("draw", "it is over, and nobody has won"),
        ("over", "it is over"),
        ("turn(AGENT)", "it is the agent's turn"),
        ("won(AGENT)", "it is over, and the agent has won"),
        ("atleast(OUTCOME)", "it is over with at least this outcome for the first player"),
    ];
    let own = game.atoms.iter().map(|(form, meaning)| (form.as_str(), meaning.as_str()));
    for (form, meaning) in common.into_iter().chain(own) {
        out.push_str(&format!("  {form:<18} {meaning}\n"));
    }
    out.push_str(match game.moves_off_turn {
        true => "an agent that a formula asks to move out of turn moves as usual\n",
        false => "an agent that a formula asks to move out of turn passes\n",
    });
    out
}

/// Players, payoffs and the start of a game with joint moves.
fn describe_joint(game: &Description) -> String {
    let start = &game.start;
    let [max, min] = [&start.players[0], &start.players[1]];
    let mut out = format!(
        "players: {max} (Max) and {min} (Min), at the same time\n\
         payoffs for {max}: {} to {}\nstart of {}: {}\n",
        game.outcomes[0], game.outcomes[1], start.game, start.position,
    );
    for (player, moves) in start.players.iter().zip(&start.moves) {
        out.push_str(&format!("first moves of {player}: {}\n", first_moves(moves)));
    }
    out + &start.drawing
}
