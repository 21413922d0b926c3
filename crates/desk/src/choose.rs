//! A move chosen by the machine, as strong as one wants it.

use foregone::model::number::read_number;
use foregone::model::{Fraction, Game, Rng, Turn};
use foregone::play::{Course, MoveBudget, Player, sit};
use foregone::{Answer, Cancel, Context, Engine, Error, Finished, Job, Opened, Solver, Strategy};
use serde::Deserialize;

use crate::Desk;
use crate::failure::Failure;
use crate::games::{Open, Texts};
use crate::view::Where;
use crate::work::{Chosen, Hearing};

/// How strong an opponent is.
pub(crate) struct Level {
    pub(crate) word: &'static str,
    pub(crate) about: &'static str,
    /// Random plays before a move; nothing for levels that use their time instead.
    playouts: Option<u64>,
}

/// The levels, the weakest first.
pub(crate) const LEVELS: [Level; 6] = [
    Level { word: "random", about: "any legal move", playouts: Some(0) },
    Level { word: "beginner", about: "judges by 20 random plays", playouts: Some(20) },
    Level { word: "casual", about: "judges by 200 random plays", playouts: Some(200) },
    Level { word: "club", about: "judges by 3,000 random plays", playouts: Some(3000) },
    Level {
        word: "strong",
        about: "the strongest player here, within the time of a move",
        playouts: None,
    },
    Level {
        word: "perfect",
        about: "plays by a proof where one is found in time, else like strong",
        playouts: None,
    },
];

/// A request for a move.
#[derive(Clone, Debug, Deserialize)]
pub struct Choose {
    game: String,
    #[serde(default)]
    files: Texts,
    position: String,
    #[serde(default)]
    moves: Vec<String>,
    level: String,
    /// Of joint moves: for whom.
    #[serde(default)]
    player: Option<String>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    seed: u64,
}

/// Seconds for a move where nothing is said, and at most.
const USUAL_SECONDS: f64 = 1.0;
const MOST_SECONDS: f64 = 30.0;

impl Desk {
    /// Chooses a move.
    pub(crate) fn choose(
        &self,
        request: Choose,
        hearing: &mut Hearing<'_>,
        cancel: &Cancel,
    ) -> Result<Chosen, Failure> {
        let at = Where {
            game: request.game,
            files: request.files,
            position: request.position,
            moves: request.moves,
        };
        at.check()?;
        let level = LEVELS.iter().find(|level| level.word == request.level);
        let level = level.ok_or_else(|| {
            let words = LEVELS.map(|level| level.word).join(", ");
            Failure::input(format!("`{}` is not a level", request.level)).help(words)
        })?;
        let token = cancel.clone();
        let open = self.open(&at.game, &at.files, move || token.is_cancelled())?;
        let position = open.game.after(&at.position, &at.moves)?;
        let most = MOST_SECONDS.min(self.limits.seconds);
        // A perfect move may need the time twice: for a proof, and for a judgement.
        let seconds = request.seconds.unwrap_or(USUAL_SECONDS).clamp(0.01, most) / 2.0;
        let mut chooser = Chooser {
            engine: hearing.engine(&at.files),
            open,
            position,
            level,
            seconds,
            seed: request.seed,
            hearing,
            cancel,
            bytes: self.limits.bytes,
        };
        match chooser.open.game.opened() {
            Opened::Joint(_) => chooser.joint(request.player.as_deref()),
            Opened::InTurn(_) => chooser.in_turn(),
        }
    }
}

struct Chooser<'a, 'h> {
    engine: Engine,
    open: Open,
    position: String,
    level: &'static Level,
    seconds: f64,
    seed: u64,
    hearing: &'a mut Hearing<'h>,
    cancel: &'a Cancel,
    bytes: u64,
}

impl Chooser<'_, '_> {
    /// A search for the value of the position, within the time of a move.
    fn solve(&mut self, solver: Option<Solver>) -> Result<Finished, Error> {
        let mut job = Job { solver, ..Job::new(self.open.game.name()).at(&self.position) };
        job.budget.time = Some(std::time::Duration::from_secs_f64(self.seconds));
        job.budget.memory = Some(self.bytes);
        job.seed = self.seed;
        self.engine.run_on(&self.open.game, &job, self.hearing, self.cancel)
    }

    fn in_turn(&mut self) -> Result<Chosen, Failure> {
        let game = foregone::play::in_turn(&self.open.game)?.clone();
        let course = Course::new(game.clone(), &self.position)?;
        match course.turn() {
            Turn::Over => return Err(Failure::input("the game is over")),
            Turn::Chance => return Err(Failure::input("chance is to move")),
            Turn::Agent(_) => {}
        }
        let mut note = String::new();
        if self.level.word == "perfect" {
            match self.perfect(game.agents() > 2) {
                Ok(Some(chosen)) => return Ok(chosen),
                Ok(None) => note = "not solved in time: played by judgement".to_owned(),
                Err(_) => note = "no search here solves this: played by judgement".to_owned(),
            }
        }
        let player = match self.level.playouts {
            Some(0) => Player::Random,
            Some(n) => format!("uct(playouts={n})").parse()?,
            None => Player::Default,
        };
        let budget = MoveBudget {
            time: Some(std::time::Duration::from_secs_f64(self.seconds)),
            playouts: None,
            nodes: None,
            memory: Some(self.bytes),
        };
        let mut seat = sit(&player, &game, course.state(), self.seed)?;
        let mut context = Context::new(self.engine.clock(), &mut *self.hearing, self.cancel);
        let choice = seat.choose(&budget, &mut context)?;
        let text = course.moves().get(choice.number).cloned().unwrap_or_default();
        let san = Some(course.usual_text(choice.number)).filter(|san| *san != text);
        Ok(Chosen { text, san, known: choice.known, expects: choice.expects, note })
    }

    /// The move of an answer, if the position is solved in time.
    fn perfect(&mut self, many: bool) -> Result<Option<Chosen>, Error> {
        let solver = Solver::all().into_iter().find(|s| many && s.word() == "maxn");
        let finished = self.solve(solver)?;
        let answer = &finished.answer;
        let proved = answer.proof().is_some_and(|proof| proof.proved);
        let (best, winner) = match answer {
            Answer::Turn(answer) => (answer.best_move.clone(), answer.winner.clone()),
            Answer::Expected(answer) => (answer.best_move.clone(), None),
            Answer::Many(answer) => (answer.best_move.clone(), None),
            Answer::Joint(_) | Answer::Formula(_) => (None, None),
        };
        let Some(text) = best.filter(|_| answer.solved()) else { return Ok(None) };
        let plies = self.open.game.plies(&self.position, std::slice::from_ref(&text));
        let san = plies.into_iter().next().and_then(|ply| ply.san);
        let known = proved
            .then(|| foregone::play::Known { value: answer.value().map(str::to_owned), winner });
        let note = if proved { "proved" } else { "solved, without a proof" };
        Ok(Some(Chosen { text, san, known, expects: None, note: note.to_owned() }))
    }

    /// One player's part of a joint move.
    fn joint(&mut self, player: Option<&str>) -> Result<Chosen, Failure> {
        let shown = self.open.game.show(&self.position)?;
        if shown.over.is_some() {
            return Err(Failure::input("the game is over"));
        }
        let side = player.map_or(Some(0), |name| shown.players.iter().position(|p| p == name));
        let side = side.filter(|&side| side < 2).ok_or_else(|| {
            Failure::input("it is not said for whom to move").help(shown.players.join(", "))
        })?;
        let mut rng = Rng::new(self.seed);
        let legal = &shown.moves[side];
        let any = legal[rng.below_wide(legal.len() as u64) as usize].clone();
        let by_chance =
            |note: String| Chosen { text: any, san: None, known: None, expects: None, note };
        if self.level.playouts == Some(0) {
            return Ok(by_chance(String::new()));
        }
        let finished = self.solve(None)?;
        let Answer::Joint(answer) = &finished.answer else {
            return Ok(by_chance("not solved: played at random".to_owned()));
        };
        match drawn(&answer.strategies[side], &mut rng) {
            Some(text) if answer.value.is_some() => Ok(Chosen {
                text,
                san: None,
                known: None,
                expects: None,
                note: "drawn from the mixed strategy".to_owned(),
            }),
            _ => Ok(by_chance("not solved in time: played at random".to_owned())),
        }
    }
}

/// A move of a mixed strategy, as often as it says.
fn drawn(Strategy(strategy): &Strategy, rng: &mut Rng) -> Option<String> {
    const PARTS: u64 = 1 << 40;
    let mut left = rng.below_wide(PARTS) as f64 / PARTS as f64;
    for (text, often) in strategy {
        left -= read_number(often).ok()?.as_f64();
        if left < 0.0 {
            return Some(text.clone());
        }
    }
    // Rounding may leave a little: the last move that is played at all.
    strategy.iter().rev().find(|(_, often)| often != "0").map(|(text, _)| text.clone())
}
