//! The games that a proof in turn speaks of: a game, or a game under a formula.

use foregone_games::erased::{AnyState, Erased};
use foregone_model::formula::Text as _;
use foregone_model::{Agent, Guide, Notation, Turn};
use foregone_proof::Game;
use foregone_proof::formula::{Check, Node, Point, Step};

use crate::data::View;

/// So many characters of a subformula are shown, about.
const ROOM: usize = 300;

/// What is asked of such a game beyond its rules.
pub(crate) trait Subject: Guide + Notation {
    /// The position to look at.
    fn view(&self, s: &Self::State) -> View;

    /// The subformula that is asked.
    fn subformula(&self, s: &Self::State) -> Option<String>;

    /// The name of who moves or chooses.
    fn chooser(&self, s: &Self::State) -> Option<String>;

    /// What choosing this means, in words: `plays Qe7`.
    fn deed(&self, s: &Self::State, m: Self::Move) -> String;

    /// Whether this is the position, whatever is asked of it.
    fn is_at(&self, s: &Self::State, position: &AnyState) -> bool;

    /// A position in the game's own text.
    fn position(&self, text: &str) -> Result<AnyState, String>;

    /// A move as people write it, where that is something else.
    fn san(&self, s: &Self::State, m: Self::Move) -> Option<String> {
        self.usual_text(s, self.turn(s).mover()?, m)
    }
}

fn view(game: &Erased, s: &AnyState) -> View {
    let (mut to_move, mut over, mut moves) = (None, None, Vec::new());
    match game.turn(s) {
        Turn::Over => over = Some(game.scale().name(game.outcome(s)).to_owned()),
        Turn::Agent(agent) => {
            game.moves(s, agent, &mut moves);
            to_move = (!game.one_player()).then(|| game.agent_name(agent).to_owned());
        }
        Turn::Chance => game.moves(s, Agent::CHANCE, &mut moves),
    }
    let agent = game.turn(s).mover().unwrap_or(Agent::FIRST);
    View {
        position: game.position_text(s),
        to_move,
        over,
        usual: moves.iter().map(|&m| game.usual_text(s, agent, m)).collect(),
        moves: vec![moves.iter().map(|&m| game.move_text(s, m)).collect()],
        scene: game.scene(s),
    }
}

impl Subject for Erased {
    fn view(&self, s: &AnyState) -> View {
        view(self, s)
    }

    fn subformula(&self, _s: &AnyState) -> Option<String> {
        None
    }

    fn chooser(&self, s: &AnyState) -> Option<String> {
        self.turn(s).mover().map(|agent| self.agent_name(agent).to_owned())
    }

    fn deed(&self, s: &AnyState, m: Self::Move) -> String {
        format!("plays {}", self.san(s, m).unwrap_or_else(|| self.move_text(s, m)))
    }

    fn is_at(&self, s: &AnyState, position: &AnyState) -> bool {
        s == position
    }

    fn position(&self, text: &str) -> Result<AnyState, String> {
        self.read_position(text).map_err(|e| e.message)
    }
}

impl Subject for Check<'_, Erased> {
    fn view(&self, s: &Point<AnyState>) -> View {
        view(self.game(), &s.state)
    }

    fn subformula(&self, s: &Point<AnyState>) -> Option<String> {
        Some(self.formula().text(s.asked, false, ROOM))
    }

    fn chooser(&self, s: &Point<AnyState>) -> Option<String> {
        let side = self.turn(s).mover().map(|agent| self.agent_name(agent))?;
        Some(match self.formula().node(s.asked) {
            Node::Box(agent, _) | Node::Diamond(agent, _) => {
                self.game().agent_name(agent).to_owned()
            }
            _ => side.to_owned(),
        })
    }

    fn deed(&self, s: &Point<AnyState>, m: Step<foregone_games::erased::AnyMove>) -> String {
        match m {
            Step::Part(second) => {
                format!("takes the {} part", if second { "second" } else { "first" })
            }
            Step::Pass => "stays".to_owned(),
            Step::Move(_) => {
                format!("plays {}", self.san(s, m).unwrap_or_else(|| self.move_text(s, m)))
            }
        }
    }

    fn is_at(&self, s: &Point<AnyState>, position: &AnyState) -> bool {
        s.state == *position
    }

    fn position(&self, text: &str) -> Result<AnyState, String> {
        self.game().read_position(text).map_err(|e| e.message)
    }
}
