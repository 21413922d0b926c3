//! Matches: two players, many games, every opening played from both sides.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;

use foregone_games::erased::{AnyState, Erased};
use foregone_model::{Agent, Endless, Game, Notation, Outcome, Rng, Turn};
use serde::{Deserialize, Serialize};

use super::course::Course;
use super::player::Player;
use super::record::{Ending, Meta, written};
use super::seat::{MoveBudget, Seat, Seating, in_turn};
use crate::engine::Engine;
use crate::error::Error;
use crate::game::AnyGame;
use crate::observe::{Cancel, Clock, Context};
use crate::scale::own_scores;

/// Plays are cut after so many moves, and count as the rules say of endless play, or as drawn.
const LONGEST: usize = 1000;
/// How often another opening is tried when one ends the game.
const TRIES: u32 = 100;
/// Games at the same time.
const MAX_THREADS: u32 = if cfg!(target_family = "wasm") { 1 } else { 1024 };

/// Who plays whom, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Match {
    /// The game: `name` or `name:options`.
    pub game: String,
    /// Where games begin: the game's own text, `start`, or `moves:a1,b2,…`.
    pub position: String,
    /// The players.
    pub players: [Player; 2],
    /// How many games.
    pub games: u32,
    /// What each move may take.
    pub budget: MoveBudget,
    /// So many moves at the beginning of each game are random: the same in two games, in which the
    /// players have changed their sides.
    pub opening: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// Games at the same time. They change nothing but how long it takes, where moves have no time.
    pub threads: u32,
}

impl Default for Match {
    fn default() -> Match {
        Match {
            game: String::new(),
            position: "start".to_owned(),
            players: [Player::Default, Player::Random],
            games: 2,
            budget: MoveBudget::default(),
            opening: 0,
            seed: 0,
            threads: 1,
        }
    }
}

/// What became of a game for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Points {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number, from 1.
    pub round: u32,
    /// For each agent of the game which player made its moves, 0 or 1.
    pub seats: Vec<usize>,
    /// The moves, those of chance among them.
    pub moves: Vec<String>,
    /// What became of it for the first player.
    pub result: Points,
    /// How it ended, in words.
    pub end: String,
    /// The game as text: PGN, SGF or a list.
    #[serde(skip)]
    pub text: String,
}

/// How much stronger the first player is, on the scale of A. Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    /// The difference that the score means.
    pub difference: f64,
    /// It lies between these two with a probability of 95 %. A score of nothing, or of everything,
    /// has no number.
    pub low: Option<f64>,
    /// See `low`.
    pub high: Option<f64>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchAnswer {
    /// The game, in full.
    pub game: String,
    /// The players.
    pub players: [Player; 2],
    /// Games that the first player won.
    pub wins: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Games that the second player won.
    pub losses: u32,
    /// The share of the points that the first player has, from 0 to 1.
    pub score: f64,
    /// The standard error of that.
    pub score_error: f64,
    /// The difference of strength, unless the score is nothing or everything.
    pub elo: Option<Elo>,
    /// Whether it was ended before all games were played.
    pub interrupted: bool,
    /// The seed.
    pub seed: u64,
    /// The games.
    pub games: Vec<GameRecord>,
}

/// Something that happened in a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchEvent<'a> {
    /// A game that was played. They come as they end.
    pub record: &'a GameRecord,
    /// How many were played so far.
    pub played: u32,
    /// The points of the first player so far, in halves.
    pub halves: u32,
}

/// Hears of a match while it is played.
pub type MatchWatch<'a> = dyn FnMut(MatchEvent<'_>) + 'a;

impl Engine {
    /// Plays a match. Games that are going on when it is cancelled do not count.
    pub fn play_match(
        &self,
        spec: &Match,
        seating: &Seating<'_>,
        watch: &mut MatchWatch<'_>,
        cancel: &Cancel,
    ) -> Result<MatchAnswer, Error> {
        let game = self.open(&spec.game)?;
        self.play_match_on(&game, spec, seating, watch, cancel)
    }

    /// The same in a game that is open already, whatever game is named.
    pub fn play_match_on(
        &self,
        game: &AnyGame,
        spec: &Match,
        seating: &Seating<'_>,
        watch: &mut MatchWatch<'_>,
        cancel: &Cancel,
    ) -> Result<MatchAnswer, Error> {
        let game = in_turn(game)?;
        if game.one_player() {
            let message = format!("{} has one player, and a match takes two", game.name());
            return Err(Error::input(message));
        }
        if !(1..=MAX_THREADS).contains(&spec.threads) {
            let message = format!("a match has 1 to {MAX_THREADS} threads, not {}", spec.threads);
            return Err(Error::input(message));
        }
        let start = Course::new(game.clone(), &spec.position)?;
        if start.turn() == Turn::Over {
            return Err(Error::input("the game is over in this position: nobody can play on"));
        }
        let arena = Arena { spec, game, start, seating, clock: self.clock(), cancel };
        let games = arena.all(watch)?;
        Ok(arena.answer(games))
    }
}

/// What games of a match have in common.
struct Arena<'a> {
    spec: &'a Match,
    game: &'a Erased,
    start: Course,
    seating: &'a Seating<'a>,
    clock: &'a dyn Clock,
    cancel: &'a Cancel,
}

/// A game that was played, or nothing where the match was ended.
type Played = Result<Option<GameRecord>, Error>;

impl Arena<'_> {
    /// All games, in their order.
    fn all(&self, watch: &mut MatchWatch<'_>) -> Result<Vec<GameRecord>, Error> {
        let (next, (tell, hear)) = (AtomicU32::new(0), mpsc::channel::<Played>());
        let work = |tell: mpsc::Sender<Played>| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.spec.games || self.cancel.is_cancelled() {
                    return;
                }
                let played = self.play(number);
                let failed = played.is_err();
                if tell.send(played).is_err() || failed {
                    // Nobody hears of further games, or they would fail, too.
                    next.store(self.spec.games, Ordering::Relaxed);
                    return;
                }
            }
        };
        let mut games = Vec::new();
        let mut halves = 0;
        let mut note = |played: Played| -> Result<(), Error> {
            if let Some(record) = played? {
                halves += record.result as u32;
                let played = games.len() as u32 + 1;
                watch(MatchEvent { record: &record, played, halves });
                games.push(record);
            }
            Ok(())
        };
        if self.spec.threads == 1 {
            for number in 0..self.spec.games {
                if self.cancel.is_cancelled() {
                    break;
                }
                note(self.play(number))?;
            }
        } else {
            std::thread::scope(|scope| {
                for _ in 0..self.spec.threads.min(self.spec.games) {
                    let tell = tell.clone();
                    scope.spawn(|| work(tell));
                }
                drop(tell);
                hear.into_iter().try_for_each(&mut note)
            })?;
        }
        games.sort_by_key(|record: &GameRecord| record.round);
        Ok(games)
    }

    /// Who makes the moves of which agent: games come in pairs, and the second of a pair has the other
    /// player everywhere. Of several agents another one is alone in each pair.
    fn seats(&self, number: u32) -> Vec<usize> {
        let agents = u32::from(self.game.agents());
        let alone = if agents == 2 { 0 } else { (number / 2) % agents };
        let second = number % 2 == 1;
        (0..agents).map(|agent| usize::from((agent != alone) != second)).collect()
    }

    /// The beginning of a game, and what chance does in it from there on.
    fn opening(&self, number: u32) -> (Course, Rng) {
        let pair = u64::from(number / 2);
        let mut rng = Rng::new(Rng::new(self.spec.seed ^ (pair << 32)).bits());
        for tried in 0..TRIES {
            // Where openings end the game, shorter ones are tried.
            let length = self.spec.opening.saturating_sub(tried / 10);
            let mut course = self.start.clone();
            for _ in 0..length {
                let number = course.draw(&mut rng);
                let moves = course.moves().len() as u32;
                if moves == 0 {
                    break;
                }
                course.play(number.unwrap_or_else(|| rng.below(moves) as usize));
            }
            if course.turn() != Turn::Over {
                return (course, rng);
            }
        }
        (self.start.clone(), rng)
    }

    fn play(&self, number: u32) -> Played {
        let (mut course, mut rng) = self.opening(number);
        let owners = self.seats(number);
        let seed = self.spec.seed ^ (u64::from(number) << 32);
        let sit = |player: &Player| (self.seating)(player, self.game, course.start(), seed);
        let mut seats: [Box<dyn Seat + '_>; 2] =
            [sit(&self.spec.players[0])?, sit(&self.spec.players[1])?];
        // Who sits down hears of the opening, too.
        for made in course.made() {
            seats.iter_mut().for_each(|seat| seat.follow(made.number));
        }
        let (outcome, end) = loop {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let agent = match course.turn() {
                Turn::Over => {
                    let outcome = self.game.outcome(course.state());
                    break (Some(outcome), self.game.scale().name(outcome).to_owned());
                }
                _ if course.made().len() >= LONGEST => break self.cut(course.state()),
                Turn::Chance => {
                    let number = course.draw(&mut rng).unwrap_or(0);
                    course.play(number);
                    seats.iter_mut().for_each(|seat| seat.follow(number));
                    continue;
                }
                Turn::Agent(agent) => agent,
            };
            let owner = owners[usize::from(agent.0)];
            let nobody = &mut ();
            let mut context = Context::new(self.clock, nobody, self.cancel);
            let chosen = seats[owner].choose(&self.spec.budget, &mut context);
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let fault = match chosen {
                Ok(choice) if course.play(choice.number) => {
                    seats.iter_mut().for_each(|seat| seat.follow(choice.number));
                    continue;
                }
                Ok(_) => "an illegal move".to_owned(),
                // Only who is not ours may fail: what goes wrong here is to be known.
                Err(error) => match &self.spec.players[owner] {
                    Player::Ggp(_) => error.message,
                    _ => return Err(error),
                },
            };
            let loser = &self.spec.players[owner];
            let end = format!("{loser} forfeits as {}: {fault}", self.game.agent_name(agent));
            let result = if owner == 0 { Points::Loss } else { Points::Win };
            let winner = owners.iter().position(|&other| other != owner);
            let ending = winner.map_or(Ending::Draw, |agent| Ending::Won(Agent(agent as u8)));
            return Ok(Some(self.record(number, &course, owners, result, ending, end)));
        };
        let (result, ending) = self.points(outcome, &owners);
        Ok(Some(self.record(number, &course, owners, result, ending, end)))
    }

    /// What a play is worth that goes on for too long.
    fn cut(&self, s: &AnyState) -> (Option<Outcome>, String) {
        let cut = format!("cut after {LONGEST} moves");
        match self.game.endless_from(s) {
            Endless::Scores(outcome) => {
                (Some(outcome), format!("{}, {cut}", self.game.scale().name(outcome)))
            }
            Endless::Impossible | Endless::Undetermined => (None, format!("drawn, {cut}")),
        }
    }

    /// What an outcome is to the first player, and who won.
    fn points(&self, outcome: Option<Outcome>, owners: &[usize]) -> (Points, Ending) {
        let Some(outcome) = outcome else { return (Points::Draw, Ending::Draw) };
        let winners = winners(self.game, outcome);
        // The share of each player's agents that have won.
        let share = |player: usize| {
            let own = |agent: &&Agent| owners[usize::from(agent.0)] == player;
            let all = owners.iter().filter(|&&owner| owner == player).count().max(1);
            winners.iter().filter(own).count() as f64 / all as f64
        };
        let ending = match winners[..] {
            [only] => Ending::Won(only),
            _ => Ending::Draw,
        };
        let result = match share(0).total_cmp(&share(1)) {
            std::cmp::Ordering::Greater => Points::Win,
            std::cmp::Ordering::Equal => Points::Draw,
            std::cmp::Ordering::Less => Points::Loss,
        };
        (result, ending)
    }

    fn record(
        &self,
        number: u32,
        course: &Course,
        seats: Vec<usize>,
        result: Points,
        ending: Ending,
        end: String,
    ) -> GameRecord {
        let players = seats.iter().map(|&seat| self.spec.players[seat].to_string()).collect();
        let meta = Meta { round: number + 1, players, end: end.clone(), result: ending };
        GameRecord {
            round: number + 1,
            seats,
            moves: course.made().iter().map(|made| made.text.clone()).collect(),
            result,
            end,
            text: written(course, &meta),
        }
    }

    fn answer(&self, games: Vec<GameRecord>) -> MatchAnswer {
        let count = |points| games.iter().filter(|game| game.result == points).count() as u32;
        let [wins, draws, losses] = [Points::Win, Points::Draw, Points::Loss].map(count);
        let (score, score_error) = score_of(wins, draws, losses);
        MatchAnswer {
            game: self.game.name(),
            players: self.spec.players.clone(),
            wins,
            draws,
            losses,
            score,
            score_error,
            elo: Elo::of(score, score_error),
            interrupted: (games.len() as u32) < self.spec.games,
            seed: self.spec.seed,
            games,
        }
    }
}

/// Who has won with an outcome. Of scores that are never negative the better half is a win.
fn winners(game: &Erased, outcome: Outcome) -> Vec<Agent> {
    let scale = game.scale();
    if own_scores(game) {
        let agents: Vec<Agent> = (0..game.agents()).map(Agent).collect();
        let most = agents.iter().map(|&agent| game.score(outcome, agent)).max();
        let first = |agent: &Agent| Some(game.score(outcome, *agent)) == most;
        let winners: Vec<Agent> = agents.iter().copied().filter(first).collect();
        return if winners.len() == agents.len() { Vec::new() } else { winners };
    }
    // Of points that are never negative, more than half wins.
    if let Some([low, .., high]) = scale.scores()
        && *low >= 0
    {
        let twice = i128::from(scale.score(outcome).unwrap_or(0)) * 2;
        return match twice.cmp(&(i128::from(*low) + i128::from(*high))) {
            std::cmp::Ordering::Greater => vec![Agent(0)],
            std::cmp::Ordering::Less => vec![Agent(1)],
            std::cmp::Ordering::Equal => Vec::new(),
        };
    }
    (0..game.agents()).map(Agent).filter(|&agent| game.won(outcome, agent)).collect()
}

/// The share of the points, and its standard error over the games.
fn score_of(wins: u32, draws: u32, losses: u32) -> (f64, f64) {
    let games = f64::from(wins + draws + losses);
    if games == 0.0 {
        return (0.5, 0.5);
    }
    let score = (f64::from(wins) + f64::from(draws) / 2.0) / games;
    let squares = (f64::from(wins) + f64::from(draws) / 4.0) / games;
    (score, ((squares - score * score).max(0.0) / games).sqrt())
}

impl Elo {
    /// The difference that a score with its standard error means.
    pub fn of(score: f64, error: f64) -> Option<Elo> {
        // 95 % of a normal distribution lie within so many standard errors.
        const WIDE: f64 = 1.959_964;
        let difference = elo(score)?;
        Some(Elo { difference, low: elo(score - WIDE * error), high: elo(score + WIDE * error) })
    }
}

/// The difference of strength at which this score is expected.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}
