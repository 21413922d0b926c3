//! A position as a page shows it.

use foregone::model::Scene;
use foregone::problem::Ply;
use foregone::{Job, Opened, Shown};
use serde::{Deserialize, Serialize};

use crate::Desk;
use crate::failure::Failure;
use crate::games::{Open, Texts};

/// A position: a base, and moves from there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Where {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) files: Texts,
    pub(crate) position: String,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// All that a page needs to show a position.
#[derive(Serialize)]
pub(crate) struct View {
    game: String,
    position: String,
    history: Vec<Ply>,
    shown: Shown,
    scene: Scene,
    usual: Vec<Option<String>>,
    joint: bool,
    chance: bool,
    outcomes: Vec<String>,
    atoms: Vec<(String, String)>,
    warnings: Vec<String>,
    usually: Usually,
}

/// What is picked where nothing is said.
#[derive(Serialize)]
struct Usually {
    scheme: Option<String>,
    driver: Option<String>,
}

/// Moves of one play that are taken: more would be played anew for each request.
const MOST_MOVES: usize = 2000;
/// Legal moves of a position that is shown, and pairs of joint moves.
const MOST_LEGAL: usize = 5000;
const MOST_PAIRS: usize = 20_000;
/// Letters of a position.
const LONGEST_POSITION: usize = 1 << 20;

impl Where {
    /// Refuses plays that are too long to be played for each request.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.moves.len() > MOST_MOVES || self.position.len() > LONGEST_POSITION {
            return Err(Failure::limit(format!("a play has at most {MOST_MOVES} moves here")));
        }
        Ok(())
    }
}

impl Desk {
    pub(crate) fn view(&self, at: &Where) -> Result<View, Failure> {
        at.check()?;
        let Open { game, about, warnings } = self.open(&at.game, &at.files, || false)?;
        let position = game.after(&at.position, &at.moves)?;
        let shown = game.show(&position)?;
        check_size(&shown)?;
        Ok(View {
            game: game.name(),
            history: game.plies(&at.position, &at.moves),
            scene: game.scene_after(&at.position, &at.moves)?,
            usual: game.usual_moves(&position)?,
            joint: about.joint,
            chance: about.chance,
            outcomes: about.outcomes.clone(),
            atoms: about.atoms.clone(),
            warnings: warnings.to_vec(),
            usually: usually(game.opened()),
            shown,
            position,
        })
    }
}

/// Refuses positions with more moves than a page can show: drawing them would take minutes.
pub(crate) fn check_size(shown: &Shown) -> Result<(), Failure> {
    let moves = shown.moves.iter().map(Vec::len).sum::<usize>();
    let pairs = shown.moves.iter().map(Vec::len).product::<usize>();
    let too_many = moves > MOST_LEGAL || (shown.moves.len() > 1 && pairs > MOST_PAIRS);
    match too_many {
        true => Err(Failure::limit(format!("there are {moves} moves here: too many to be shown"))
            .help("the command line takes positions of any size")),
        false => Ok(()),
    }
}

fn usually(game: &Opened) -> Usually {
    let guidance = match game {
        Opened::InTurn(game) if !foregone::model::Game::has_chance(game) => {
            foregone::pick(game, &Job::default()).ok()
        }
        _ => None,
    };
    Usually {
        scheme: guidance.and_then(|g| g.scheme()).map(|scheme| scheme.to_string()),
        driver: guidance.map(|g| g.driver().to_string()),
    }
}
