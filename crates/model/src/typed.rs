//! What a person types: moves, and positions as lists of moves. Certificates hold neither, so none
//! of this is needed to believe one.

use foregone_proof::{JointNotation, Notation, Side, TextError};

/// The error for a text that is not a legal move here; `is_move` says whether it is one elsewhere.
fn illegal_move(
    text: &str,
    is_move: bool,
    player: &str,
    game: &str,
    choices: Vec<String>,
) -> TextError {
    let message = match is_move {
        true => format!("`{text}` is not a legal move for {player} here"),
        false
            if text.contains(' ')
                && text.split(' ').all(|word| choices.iter().any(|c| c == word)) =>
        {
            "moves are written with commas between them".to_owned()
        }
        false => format!("`{text}` is not a move of {game}"),
    };
    TextError::new(message, 0..text.len()).with_choices(choices)
}

/// What a person types of a game in turn.
pub trait Typed: Notation {
    /// Reads a legal move of who is to move, be it chance.
    fn read_move(&self, s: &Self::State, text: &str) -> Result<Self::Move, TextError> {
        let Some(agent) = self.turn(s).mover() else {
            return Err(TextError::new(
                format!("the game is over, `{text}` can't be played"),
                0..text.len(),
            ));
        };
        let mut moves = Vec::new();
        self.moves(s, agent, &mut moves);
        match self.parse_typed(s, text) {
            Some(m) if moves.contains(&m) => Ok(m),
            parsed => {
                let choices = moves.iter().map(|&m| self.move_text(s, m)).collect();
                let (player, name) = (self.agent_name(agent), self.name());
                Err(illegal_move(text, parsed.is_some(), player, &name, choices))
            }
        }
    }

    /// Reads a position in either form: the game's own text, or `moves:a,b,…` from the start.
    fn read_position_or_moves(&self, text: &str) -> Result<Self::State, TextError> {
        if text == "start" {
            return Ok(self.start());
        }
        let Some(list) = text.strip_prefix("moves:") else {
            return self.read_position(text);
        };
        let mut s = self.start();
        let mut offset = text.len() - list.len();
        for word in list.split(',') {
            let lead = word.len() - word.trim_start().len();
            let name = word.trim();
            if !(name.is_empty() && list.trim().is_empty()) {
                let m = self.read_move(&s, name).map_err(|e| e.shifted(offset + lead))?;
                if let Some(agent) = self.turn(&s).mover() {
                    self.play(&mut s, agent, m);
                }
            }
            offset += word.len() + 1;
        }
        Ok(s)
    }
}

impl<G: Notation> Typed for G {}

/// What a person types of a game with joint moves.
pub trait JointTyped: JointNotation {
    /// Reads a legal move of a side.
    fn read_move(&self, s: &Self::State, side: Side, text: &str) -> Result<Self::Move, TextError> {
        let mut moves = Vec::new();
        self.moves(s, side, &mut moves);
        match self.parse_move(s, side, text) {
            Some(m) if moves.contains(&m) => Ok(m),
            parsed => {
                let choices = moves.iter().map(|&m| self.move_text(s, side, m)).collect();
                let (player, name) = (self.players()[side.index()], self.name());
                Err(illegal_move(text, parsed.is_some(), player, &name, choices))
            }
        }
    }

    /// Reads a position in either form: the game's own text, or `moves:6/1,5/4` from the start,
    /// Max's move before Min's. Where one of
    /// them has a single move, as who waits has, the other one's is enough.
    fn read_position_or_moves(&self, text: &str) -> Result<Self::State, TextError> {
        if text == "start" {
            return Ok(self.start());
        }
        let Some(list) = text.strip_prefix("moves:") else {
            return self.read_position(text);
        };
        let mut s = self.start();
        let mut at = text.len() - list.len();
        for word in list.split(',').filter(|_| !list.trim().is_empty()) {
            let (max, min) = self.read_pair(&s, word).map_err(|e| e.shifted(at))?;
            self.play(&mut s, max, min);
            at += word.len() + 1;
        }
        Ok(s)
    }

    /// Reads a pair of legal moves, `6/1`: Max's move before Min's. Where one of them has a single move,
    /// the other one's is enough.
    fn read_pair(
        &self,
        s: &Self::State,
        word: &str,
    ) -> Result<(Self::Move, Self::Move), TextError> {
        let span = 0..word.len();
        if self.payoff(s).is_some() {
            let message = format!("the game is over, `{word}` can't be played");
            return Err(TextError::new(message, span));
        }
        let read = |side, text: &str, at: usize| {
            let lead = text.len() - text.trim_start().len();
            self.read_move(s, side, text.trim()).map_err(|e| e.shifted(at + lead))
        };
        Ok(match (word.split_once('/'), self.who_chooses(s)) {
            (Some((max, min)), _) => {
                (read(Side::Max, max, 0)?, read(Side::Min, min, max.len() + 1)?)
            }
            (None, (Some(max), None)) => (max, read(Side::Min, word, 0)?),
            (None, (None, Some(min))) => (read(Side::Max, word, 0)?, min),
            (None, (Some(max), Some(min))) => match read(Side::Max, word, 0) {
                Ok(max) => (max, min),
                Err(_) => (max, read(Side::Min, word, 0)?),
            },
            (None, (None, None)) => {
                let [first, second] = self.players();
                let message = format!(
                    "`{word}` is not a pair of moves, expected MOVE/MOVE: {first}'s, then {second}'s"
                );
                return Err(TextError::new(message, span));
            }
        })
    }

    /// The only move of Max and of Min, where they have one and no choice.
    fn who_chooses(&self, s: &Self::State) -> (Option<Self::Move>, Option<Self::Move>) {
        let only = |side| {
            let mut moves = Vec::new();
            self.moves(s, side, &mut moves);
            if let [only] = moves[..] { Some(only) } else { None }
        };
        (only(Side::Max), only(Side::Min))
    }
}

impl<J: JointNotation> JointTyped for J {}
