//! How far the work at a table is: a small file beside its cells.

use std::fs;
use std::path::{Path, PathBuf};

use foregone_games::erased::Erased;
use foregone_model::Notation;
use foregone_search::retrograde::Stage;
use foregone_tables::Width;

use super::{Folder, io_error};
use crate::error::Error;

/// How far the work at a class is: a small file beside the cells.
pub(super) struct Journal {
    folder: Folder,
    /// The class.
    pub(super) class: String,
    /// What the work is about: another game, other rules or another size make it useless.
    about: String,
    /// Whether there was one.
    pub(super) begun: bool,
    plane: usize,
    width: Width,
    /// The stage that was reached last.
    pub(super) stage: Stage,
}

impl Journal {
    const ENDING: &'static str = "journal";

    /// What is noted of a class, or that nothing was done.
    pub(super) fn open(folder: &Folder, game: &Erased, class: &str, size: u64) -> Journal {
        let about = format!(
            "foregone build 1\ngame {}\nrules {}\nclass {class}\nsize {size}\n",
            game.name(),
            game.rules()
        );
        let mut journal = Journal {
            folder: folder.clone(),
            class: class.to_owned(),
            about,
            begun: false,
            plane: 0,
            width: Width::One,
            stage: Stage::Looking(0),
        };
        let text = fs::read_to_string(folder.work(class, Self::ENDING)).unwrap_or_default();
        let noted = text.strip_prefix(journal.about.as_str()).and_then(noted);
        if let Some((plane, width, stage)) = noted {
            (journal.begun, journal.plane, journal.width, journal.stage) =
                (true, plane, width, stage);
        }
        journal
    }

    /// Where the work at a plane is taken up.
    pub(super) fn of_plane(&self, plane: usize) -> (Stage, Width) {
        match plane.cmp(&self.plane) {
            std::cmp::Ordering::Less => (Stage::Done, self.finished_width(plane)),
            std::cmp::Ordering::Equal => (self.stage, self.width),
            std::cmp::Ordering::Greater => (Stage::Looking(0), Width::One),
        }
    }

    /// The width of a plane that is done.
    fn finished_width(&self, plane: usize) -> Width {
        match self.work(plane, Width::Two).exists() {
            true => Width::Two,
            false => Width::One,
        }
    }

    /// The file of the cells of a plane.
    pub(super) fn work(&self, plane: usize, width: Width) -> PathBuf {
        let bytes = if width == Width::One { 1 } else { 2 };
        self.folder.work(&self.class, &format!("plane{plane}.{bytes}.work"))
    }

    /// Notes how far the work is.
    pub(super) fn write(&mut self, plane: usize, width: Width, stage: Stage) -> Result<(), Error> {
        let words = match stage {
            Stage::Looking(at) => format!("looking {at}"),
            Stage::Deciding { gain, distance } => format!("deciding {gain} {distance}"),
            Stage::Closing => "closing".to_owned(),
            Stage::Done => "done".to_owned(),
        };
        let bytes = if width == Width::One { 1 } else { 2 };
        let text = format!("{}plane {plane}\nwidth {bytes}\nstage {words}\n", self.about);
        (self.plane, self.width, self.stage) = (plane, width, stage);
        let path = self.folder.work(&self.class, Self::ENDING);
        let new = self.folder.work(&self.class, "journal.new");
        let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &path));
        written.map_err(|e| io_error(&path, "written", &e))
    }

    /// Nothing of the work is needed any more.
    pub(super) fn remove(&self, planes: usize) {
        remove(&self.folder.work(&self.class, Self::ENDING));
        for plane in 0..planes {
            remove(&self.work(plane, Width::One));
            remove(&self.work(plane, Width::Two));
        }
    }
}

/// Removes a file that is of no use; one that stays does no harm.
pub(super) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

/// What the last lines of a journal say; nothing if they make no sense.
fn noted(lines: &str) -> Option<(usize, Width, Stage)> {
    let mut lines = lines.lines();
    let plane = lines.next()?.strip_prefix("plane ")?.parse().ok()?;
    let width = match lines.next()?.strip_prefix("width ")? {
        "1" => Width::One,
        "2" => Width::Two,
        _ => return None,
    };
    let words: Vec<&str> = lines.next()?.strip_prefix("stage ")?.split(' ').collect();
    let stage = match words[..] {
        ["looking", at] => Stage::Looking(at.parse().ok()?),
        ["deciding", gain, distance] => {
            Stage::Deciding { gain: gain.parse().ok()?, distance: distance.parse().ok()? }
        }
        ["closing"] => Stage::Closing,
        ["done"] => Stage::Done,
        _ => return None,
    };
    Some((plane, width, stage))
}
