//! Inputs that are made to deceive: formulas on positions of which knowledge might say too much,
//! mixed strategies with odd weights, scales in odd orders, rulesheets with odd goals and roles.
//! `fuzz.rs` runs these, for as long as it is told to.

use crate::common::{in_turn, run_on, turn};
use crate::inputs::{Fuzz, Trying};
use crate::seal::seal;
use foregone::games::chess::Chess;
use foregone::games::erased::Erased;
use foregone::games::explicit::Explicit;
use foregone::games::files::Files;
use foregone::games::matrix::MatrixGame;
use foregone::model::certificate::{self, ByReason, Reader, check_formula, check_mixed};
use foregone::model::formula::{Check, Formula, Id, Language, Node, Proposition, Reading};
use foregone::model::{
    Agent, Game, Goal, Guide, Joint, JointNotation, Notation, OffTurn, Outcome, Ratio, Side, Turn,
};
use foregone::search::Limits;
use foregone::search::drive::{Find, Order, OrderBy, Walk, alphabeta};
use foregone::{Engine, Job, NoClock, Question};

/// The moves of an agent as section 4.5 has them; nothing is a pass.
fn moves<G: Game>(game: &G, s: &G::State, agent: Agent, a: Agent) -> Vec<Option<G::Move>> {
    let turn = match game.turn(s) {
        Turn::Over => {
            let passes = agent != a && !game.won(game.outcome(s), a);
            return if passes { vec![None] } else { Vec::new() };
        }
        Turn::Agent(turn) => turn,
        Turn::Chance => panic!("formulas are not asked of games with chance"),
    };
    if turn != agent && game.off_turn() == OffTurn::Passes {
        return vec![None];
    }
    let mut list = Vec::new();
    game.moves(s, agent, &mut list);
    match turn != agent && list.is_empty() {
        true => vec![None],
        false => list.into_iter().map(Some).collect(),
    }
}

fn literal<G: Game>(game: &G, s: &G::State, p: Proposition) -> bool {
    let turn = game.turn(s);
    let over = turn == Turn::Over;
    match p {
        Proposition::Game(atom) => game.holds(s, atom),
        Proposition::Won(a) => over && game.won(game.outcome(s), a),
        Proposition::Lost(a) => over && !game.won(game.outcome(s), a),
        Proposition::Draw => over && (0..2).all(|a| !game.won(game.outcome(s), Agent(a))),
        Proposition::Over => over,
        Proposition::Turn(a) => turn == Turn::Agent(a),
        Proposition::AtLeast(o) => over && game.outcome(s) >= o,
    }
}

/// Definition 23, with the moves of section 4.5: as plain as can be. Nothing once it took too long.
fn satisfies<G: Game>(game: &G, f: &Formula, s: &G::State, id: Id, left: &mut u32) -> Option<bool> {
    *left = left.checked_sub(1)?;
    Some(match f.node(id) {
        Node::Constant(value) | Node::Stuck(_, value) => value,
        Node::Literal(p, positive) => literal(game, s, p) == positive,
        Node::And(a, b) => satisfies(game, f, s, a, left)? && satisfies(game, f, s, b, left)?,
        Node::Or(a, b) => satisfies(game, f, s, a, left)? || satisfies(game, f, s, b, left)?,
        Node::Box(agent, g) | Node::Diamond(agent, g) => {
            let all = matches!(f.node(id), Node::Box(..));
            for m in moves(game, s, agent, f.protagonist) {
                let mut next = s.clone();
                if let Some(m) = m {
                    game.play(&mut next, agent, m);
                }
                if satisfies(game, f, &next, g, left)? != all {
                    return Some(!all);
                }
            }
            all
        }
    })
}

/// A position of chess with few men, often near the edge where mates are.
fn random_fen(fuzz: &mut Fuzz) -> String {
    let mut board = [[' '; 8]; 8];
    let near = fuzz.below(64);
    let mut place = |fuzz: &mut Fuzz, piece: char| {
        let spread = 1 + fuzz.below(5);
        let at = |fuzz: &mut Fuzz, c: usize| {
            (c + fuzz.below(2 * spread + 1)).saturating_sub(spread).min(7)
        };
        let (row, col) = (at(fuzz, near / 8), at(fuzz, near % 8));
        let pawn = piece.eq_ignore_ascii_case(&'p') && (row == 0 || row == 7);
        if board[row][col] == ' ' && !pawn {
            board[row][col] = piece;
        }
    };
    place(fuzz, 'k');
    place(fuzz, 'K');
    for _ in 0..1 + fuzz.below(5) {
        let piece = *fuzz.pick(&['Q', 'R', 'R', 'B', 'N', 'P', 'q', 'r', 'b', 'n', 'p', 'p']);
        place(fuzz, piece);
    }
    let rows = board.iter().map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for &c in row.iter().chain(&['.']) {
            if c == ' ' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(c);
        }
        text.trim_end_matches('.').to_owned()
    });
    format!("{} {} - - 0 1", rows.collect::<Vec<_>>().join("/"), fuzz.pick(&["w", "b"]))
}

const FORMULAS: [&str; 18] = [
    "omega(1)",
    "omega(2)",
    "ladder(3)",
    "PT(2)",
    "APS(2)",
    "lambda(2, 2)",
    "lambda(1, 1)",
    "helpmate(1)",
    "helpmate(2)",
    "selfmate(1)",
    "path(2)",
    "w | <A>w",
    "!w & <B><A>w",
    "[B](w | <A>w)",
    "zugzwang(omega(1))",
    "<A>[B]<A>w",
    "[A]!w",
    "<B>[A]<A>w | <A>draw",
];

/// A position a few random moves away from the start, or any typed one of chess.
fn random_state<G: Notation>(game: &G, fuzz: &mut Fuzz) -> Option<G::State> {
    if game.name() == "chess" {
        return game.read_position(&random_fen(fuzz)).ok();
    }
    let mut s = game.start();
    for _ in 0..fuzz.below(12) {
        let Some(agent) = game.turn(&s).mover() else { break };
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        let m = *fuzz.pick(&moves);
        game.play(&mut s, agent, m);
    }
    Some(s)
}

/// Formulas with and without knowledge, against the definition, and their certificates.
pub(crate) fn formulas_on_positions(fuzz: &mut Fuzz) {
    let games = ["hex:3", "tic-tac-toe", "connect-four:4x4", "domineering:3x3"];
    let games: Vec<Erased> = games.iter().map(|spec| in_turn(spec)).collect();
    let chess = Chess::new();
    while fuzz.goes_on() {
        match fuzz.one_in(3) {
            true => {
                let game = games[fuzz.below(games.len())].clone();
                one_formula(&game, fuzz);
            }
            false => one_formula(&chess, fuzz),
        }
    }
}

fn one_formula<G: Guide + Notation>(game: &G, fuzz: &mut Fuzz) {
    fuzz.tried += 1;
    let Some(state) = random_state(game, fuzz) else { return };
    let text = *fuzz.pick(&FORMULAS);
    let what = format!("{text} on {} in {}", game.position_text(&state), game.name());
    let trying = Trying { what: &what, input: b"" };
    let protagonist = Some(Agent(fuzz.below(2) as u8));
    let reading = Reading { text, definitions: "", protagonist, turn: Agent(0) };
    let formula = reading.read(&Language::of(game)).unwrap();
    let mut check = Check::new(game, formula);
    if fuzz.one_in(4) {
        check = check.step_by_step();
    }
    let f = check.formula();
    let Some(truth) = satisfies(game, f, &state, f.root, &mut 200_000) else { return };
    let start = check.ask(state.clone());
    for knowledge in [true, false] {
        let goal =
            Goal::new(&check, start.clone(), Outcome::WIN, Side::Min).with_knowledge(knowledge);
        let order =
            Order { by: OrderBy::Game, walk: Walk::Null, seed: 0, find: Find::One, threads: 1 };
        let report = alphabeta(&goal, order, Limits::NONE, u64::MAX, &mut ());
        let expected = if truth { Outcome::WIN } else { Outcome::LOSS };
        assert_eq!(report.value(), Some(expected), "{what}, knowledge {knowledge}");
        let solution = &report.solutions[0];
        let claim = goal.claim(solution.weak.prover, solution.at_least);
        let written = certificate::write(&check, &start, claim, &solution.weak);
        let mut reader = Reader::new(written.text.as_bytes());
        let header = reader.header().unwrap().unwrap();
        let proved = check_formula(game, &header, &mut reader, &mut ByReason)
            .unwrap_or_else(|e| panic!("{what}: {e}\n{}", written.text));
        assert_eq!(proved.claim, claim, "{what}");
        fuzz.taken += 1;
    }
    // The opposite claim about the position itself, by knowledge alone.
    let (prover, relation) = if truth { ("falsifier", "below") } else { ("verifier", "at-least") };
    let (formula, agent) = check.question().unwrap();
    let rule = *fuzz.pick(&["mate-reach", "safe-moves", "threats 1", "threats", "follow-up", "."]);
    let rule = if rule == "." { rule.to_owned() } else { format!("by {rule}") };
    let lie = format!(
        "foregone certificate 2\ngame {}\nrules {}\nformula {formula}\nas {agent}\nposition {}\n\
         claim {prover} {relation} win\n\n{rule}",
        game.name(),
        game.rules(),
        game.position_text(&state),
    );
    let lie = seal(&lie.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut reader = Reader::new(lie.as_bytes());
    let header = reader.header().unwrap().unwrap();
    assert!(check_formula(game, &header, &mut reader, &mut ByReason).is_err(), "{what}: {lie}");
    drop(trying);
}

/// Strategies for small matrices with any weights: what is accepted is what sums show.
pub(crate) fn mixed_strategies(fuzz: &mut Fuzz) {
    while fuzz.goes_on() {
        fuzz.tried += 1;
        let (rows, columns) = (1 + fuzz.below(3), 1 + fuzz.below(3));
        let cells: Vec<Vec<i64>> =
            (0..rows).map(|_| (0..columns).map(|_| fuzz.below(9) as i64 - 4).collect()).collect();
        let lines =
            cells.iter().map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(","));
        let text = lines.collect::<Vec<_>>().join("\n") + "\n";
        let game = MatrixGame::read("matrix:fuzz", &text).unwrap();
        let weights: Vec<i64> = (0..rows).map(|_| fuzz.below(5) as i64).collect();
        let sum: i64 = weights.iter().sum();
        // What Max gets at least, times the sum of the weights.
        let worst =
            (0..columns).map(|j| (0..rows).map(|i| weights[i] * cells[i][j]).sum::<i64>()).min();
        let (num, den) = (fuzz.below(41) as i64 - 20, 1 + fuzz.below(6) as i64);
        let claim = Ratio::from_parts_signed(num.into(), den.into());
        let arithmetic = *fuzz.pick(&["exact", "0", "3", "60"]);
        let mix: Vec<String> = (0..rows)
            .filter(|&i| weights[i] > 0 || fuzz.one_in(20))
            .map(|i| format!("{} {}", i + 1, weights[i]))
            .collect();
        let start = game.position_text(&Joint::start(&game));
        let lines = format!(
            "foregone certificate 2\ngame matrix:fuzz\nrules {}\nmixed {arithmetic}\nposition {start}\n\
             claim {} at-least {claim}\n\n{} @ {start}",
            game.rules(),
            game.players()[0],
            mix.join(" "),
        );
        let sealed = seal(&lines.lines().map(str::to_owned).collect::<Vec<_>>());
        let trying = Trying { what: &text, input: sealed.as_bytes() };
        let mut reader = Reader::new(sealed.as_bytes());
        let header = reader.header().unwrap().unwrap();
        let accepted = check_mixed(&game, &header, &mut reader).is_ok();
        let holds = sum > 0 && worst.is_some_and(|w| w * den >= num * sum);
        assert!(holds || !accepted, "{sealed}\n{text}");
        // Exact sums accept every true claim that is well written.
        let plain = mix.len() == weights.iter().filter(|&&w| w > 0).count() && sum > 0;
        assert!(accepted || !(holds && plain && arithmetic == "exact"), "{sealed}\n{text}");
        fuzz.taken += u64::from(accepted);
        drop(trying);
    }
}

/// A game whose file has this text.
fn typed(spec: &str, text: &str) -> Result<foregone::AnyGame, foregone::Error> {
    let file = spec.split_once(':').map_or("", |(_, file)| file);
    Engine::new(Files::from_memory([(file, text)]), NoClock).open(spec)
}

/// Outcomes in any order, numbers and words: refused, or one meaning for all searches.
pub(crate) fn scales_of_graphs(fuzz: &mut Fuzz) {
    let pool =
        ["-3", "0", "1", "5", "10", "loss", "draw", "win", "5a", "-0", "07", "+1", "or-endless"];
    while fuzz.goes_on() {
        fuzz.tried += 1;
        let mut names: Vec<&str> = Vec::new();
        for _ in 0..2 + fuzz.below(3) {
            let name = *fuzz.pick(&pool);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut text = format!("outcomes {}\nmax a -> b c\nmin b -> d e\n", names.join(" "));
        for state in ["c", "d", "e"] {
            text += &format!("end {state} {}\n", fuzz.pick(&names));
        }
        let trying = Trying { what: "a scale", input: text.as_bytes() };
        if let Ok(game) = Explicit::read("explicit:scale", &text) {
            fuzz.taken += 1;
            let any = typed("explicit:scale", &text).unwrap();
            let by_turns = run_on(&any, &Job::default()).unwrap();
            let answer = turn(&by_turns);
            assert!(answer.proof.as_ref().is_some_and(|p| p.checked && p.recomputed == 0));
            let name = answer.value.as_deref().unwrap();
            let by_joint = run_on(&any, &Job::default().ask(Question::Nash)).unwrap();
            let scale = game.scale();
            if let Some(score) = scale.score(scale.find(name).unwrap()) {
                assert_eq!(name.trim_start_matches('+'), score.to_string());
                assert_eq!(by_joint.answer.value(), Some(score.to_string().as_str()), "{text}");
            }
        }
        drop(trying);
    }
}

/// The value of a rulesheet, if it can be solved.
fn value_of_sheet(text: &str) -> Option<String> {
    let finished = run_on(&typed("gdl:sheet.kif", text).ok()?, &Job::default()).ok()?;
    let answer = turn(&finished);
    assert!(finished.answer.solved());
    assert!(answer.proof.as_ref().is_some_and(|p| p.checked && p.recomputed == 0));
    answer.value.clone()
}

/// Rulesheets in which the first role chooses an end, with any goals and names of roles.
pub(crate) fn goals_and_roles(fuzz: &mut Fuzz) {
    let names =
        ["a", "b", "a+b", "others", "nobody", "x", "o", "stays", "1st", "draw", "@", "a:b", "max"];
    while fuzz.goes_on() {
        fuzz.tried += 1;
        let (first, second) = (*fuzz.pick(&names), *fuzz.pick(&names));
        if first == second {
            // One role, who need not end the game.
            continue;
        }
        let sum = *fuzz.pick(&[100, 100, 150, 50, 0, 120]);
        let goals: Vec<i64> = (0..1 + fuzz.below(4)).map(|_| 5 * fuzz.below(21) as i64).collect();
        let mut text =
            format!("(role {first}) (role {second}) (init (at start))\n(legal {second} noop)\n");
        for (i, &goal) in goals.iter().enumerate() {
            text += &format!(
                "(<= (legal {first} (go {i})) (true (at start)))\n\
                 (<= (next (at {i})) (does {first} (go {i})))\n(<= terminal (true (at {i})))\n\
                 (<= (goal {first} {goal}) (true (at {i})))\n\
                 (<= (goal {second} {}) (true (at {i})))\n",
                sum - goal
            );
        }
        let trying = Trying { what: "a rulesheet", input: text.as_bytes() };
        if let Some(value) = value_of_sheet(&text) {
            fuzz.taken += 1;
            let best = goals.iter().copied().max().unwrap();
            let word = match (2 * best).cmp(&sum) {
                std::cmp::Ordering::Greater => "win",
                std::cmp::Ordering::Equal => "draw",
                std::cmp::Ordering::Less => "loss",
            };
            match value.parse::<i64>() {
                Ok(number) => assert_eq!(number, best, "{text}"),
                Err(_) => assert_eq!(value, word, "{text}"),
            }
        }
        drop(trying);
    }
}
