//! Players of the GGP protocol at the table: what a game manager tells them, and what they answer.
//!
//! A player is asked for a move in every state, its turn or not, and told what all roles did. Here
//! that is made up for when its turn comes.

use std::time::Duration;

use foregone::games::erased::{AnyState, Erased};
use foregone::model::{Agent, Game, Notation};
use foregone::play::{Choice, MoveBudget, Player, Seat, sit};
use foregone::{Context, Error, plain};
use foregone_gdl::{Machine, Program, Sheet, State, move_word};
use foregone_player::Client;

/// How much longer than its clock one waits for a player.
const PATIENCE: Duration = Duration::from_secs(5);
/// The role that is chance.
const RANDOM: &str = "random";

/// Seats any player, those on a network as well.
pub(crate) fn seat<'g>(
    player: &Player,
    game: &'g Erased,
    start: &AnyState,
    seed: u64,
) -> Result<Box<dyn Seat + 'g>, Error> {
    match player {
        Player::Ggp(address) => Ok(Box::new(GgpSeat::new(address, game, start, seed)?)),
        _ => sit(player, game, start, seed),
    }
}

struct GgpSeat<'g> {
    client: Client,
    address: String,
    game: &'g Erased,
    state: AnyState,
    rules: String,
    machine: Machine,
    place: State,
    /// What all roles did, a message's worth a state.
    history: Vec<String>,
    /// The matches that it plays, one for each role that it was asked to move for.
    matches: Vec<OneRole>,
    seed: u64,
}

struct OneRole {
    id: String,
    role: String,
    /// How many states it was asked about.
    asked: usize,
}

impl<'g> GgpSeat<'g> {
    fn new(
        address: &str,
        game: &'g Erased,
        start: &AnyState,
        seed: u64,
    ) -> Result<GgpSeat<'g>, Error> {
        let Some(sheet) = game.get::<Sheet>() else {
            let message = format!("ggp:{address} plays rulesheets only, not {}", game.name());
            return Err(Error::input(message).help("play a gdl:FILE.kif"));
        };
        if start != &game.start() {
            let message = format!("ggp:{address} begins at the start of a game only");
            return Err(Error::input(message));
        }
        let unreadable = |e: &dyn std::fmt::Display| Error::input(format!("the rulesheet: {e}"));
        let program = Program::read(sheet.text()).map_err(|e| unreadable(&e))?;
        let mut machine = Machine::new(&program, None).map_err(|e| unreadable(&e))?;
        let place = machine.initial().map_err(|e| unreadable(&e))?;
        // Managers send rules on one line, without comments.
        let rules: Vec<&str> =
            sheet.text().lines().map(|l| l.split(';').next().unwrap_or_default()).collect();
        Ok(GgpSeat {
            client: Client::new(address),
            address: address.to_owned(),
            game,
            state: start.clone(),
            rules: rules.join(" "),
            machine,
            place,
            history: Vec::new(),
            matches: Vec::new(),
            seed,
        })
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        Error::input(format!("ggp:{} can't be asked: {}", self.address, plain(error)))
    }

    /// The match in which it plays a role; it begins with the first question.
    fn play_role(&mut self, role: &str, clock: u64) -> Result<usize, Error> {
        if let Some(at) = self.matches.iter().position(|m| m.role == role) {
            return Ok(at);
        }
        let id = format!("foregone.{:016x}.{role}", self.seed);
        let message = format!("( START {id} {role} ({}) {clock} {clock} )", self.rules);
        let wait = Duration::from_secs(clock) + PATIENCE;
        self.client.send(&message, wait).map_err(|e| self.failed(&e))?;
        self.matches.push(OneRole { id, role: role.to_owned(), asked: 0 });
        Ok(self.matches.len() - 1)
    }
}

impl Seat for GgpSeat<'_> {
    fn choose(&mut self, budget: &MoveBudget, context: &mut Context<'_>) -> Result<Choice, Error> {
        let Some(agent) = self.game.turn(&self.state).mover() else { return Ok(Choice::of(0)) };
        // Clocks are whole seconds.
        let time = budget.time.unwrap_or(Duration::from_secs(1));
        let clock = (time.as_secs_f64().ceil() as u64).max(1);
        let role = self.game.agent_name(agent).to_owned();
        let at = self.play_role(&role, clock)?;
        let mut answer = String::new();
        while self.matches[at].asked <= self.history.len() {
            if context.cancel.is_cancelled() {
                return Ok(Choice::of(0));
            }
            let OneRole { id, asked, .. } = &self.matches[at];
            let last = asked.checked_sub(1).map_or("NIL", |last| self.history[last].as_str());
            let message = format!("( PLAY {id} {last} )");
            let wait = Duration::from_secs(clock) + PATIENCE;
            answer = self.client.send(&message, wait).map_err(|e| self.failed(&e))?;
            self.matches[at].asked += 1;
        }
        let mut moves = Vec::new();
        self.game.moves(&self.state, agent, &mut moves);
        let illegal = || Error::input(format!("`{answer}` is not a legal move for {role}"));
        let chosen = self.machine.read(&answer.to_lowercase()).map_err(|_| illegal())?;
        let word = move_word(&self.machine.show(chosen));
        let number = moves.iter().position(|&m| self.game.move_text(&self.state, m) == word);
        number.map(Choice::of).ok_or_else(illegal)
    }

    fn follow(&mut self, number: usize) {
        let Some(agent) = self.game.turn(&self.state).mover() else { return };
        let mut moves = Vec::new();
        self.game.moves(&self.state, agent, &mut moves);
        let text = self.game.move_text(&self.state, moves[number]);
        let role = if agent == Agent::CHANCE { RANDOM } else { self.game.agent_name(agent) };
        // Every other role has one move: it waits.
        let Ok(view) = self.machine.view(&self.place) else { return };
        let made =
            view.legal.iter().zip(self.machine.roles().to_vec()).filter_map(|(legal, name)| {
                let is = |m: &&foregone_gdl::Move| {
                    name != role || move_word(&self.machine.show(**m)) == text
                };
                legal.iter().find(is).copied()
            });
        let made: Vec<foregone_gdl::Move> = made.collect();
        let texts: Vec<String> = made.iter().map(|&m| self.machine.show(m)).collect();
        self.history.push(format!("({})", texts.join(" ")));
        if let Ok(next) = self.machine.next(&self.place, &made) {
            self.place = next;
        }
        self.game.play(&mut self.state, agent, moves[number]);
    }
}

impl Drop for GgpSeat<'_> {
    /// Ends its matches, so that it is free for the next one.
    fn drop(&mut self) {
        for OneRole { id, asked, .. } in &self.matches {
            let over = self.game.turn(&self.state).mover().is_none();
            let message = match self.history.last().filter(|_| over && *asked >= self.history.len())
            {
                Some(last) => format!("( STOP {id} {last} )"),
                None => format!("( ABORT {id} )"),
            };
            // Who does not answer any more has ended, too.
            let _ = self.client.send(&message, PATIENCE);
        }
    }
}
