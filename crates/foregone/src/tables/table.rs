//! One table: its file, what its cells mean, and the cells, once they are needed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

use foregone_games::erased::{AnyTabled, Erased};
use foregone_model::cell::Layout;
use foregone_model::table::Window;
use foregone_model::{Class, Outcome};
use foregone_search::retrograde::{self, Finished};
use foregone_tables::{Cells, FileError, Loaded, TableFile, WorkFile};

use super::{Folder, layouts, open_file, unreadable};
use crate::error::Error;

/// The table of a class.
pub(super) struct Table {
    /// The class.
    pub(super) class: Class,
    /// The file.
    pub(super) file: TableFile,
    /// What the cells mean, a window each.
    pub(super) planes: Vec<(Window, Layout)>,
    /// What is open is worth, by each window.
    pub(super) opens: Vec<Option<Outcome>>,
    /// Whether the cells are too many for memory.
    mapped: bool,
    loaded: OnceLock<Vec<Plane>>,
}

/// The cells of a plane.
pub(super) enum Plane {
    /// In memory.
    Loaded(Loaded),
    /// In a file that is mapped into memory.
    Mapped(WorkFile),
}

impl Plane {
    /// A cell.
    #[inline]
    pub(super) fn get(&self, index: u64) -> u16 {
        match self {
            Plane::Loaded(cells) => cells.get(index),
            Plane::Mapped(file) => match file.cells() {
                Cells::One(cells) => cells[index as usize].load(Relaxed).into(),
                Cells::Two(cells) => cells[index as usize].load(Relaxed),
            },
        }
    }

    /// The same, for who builds another table.
    pub(super) fn finished(&self) -> Finished<'_> {
        match self {
            Plane::Loaded(Loaded::One(cells)) => Finished::One(cells),
            Plane::Loaded(Loaded::Two(cells)) => Finished::Two(cells),
            Plane::Mapped(file) => Finished::Shared(match file.cells() {
                Cells::One(cells) => retrograde::Cells::One(cells),
                Cells::Two(cells) => retrograde::Cells::Two(cells),
            }),
        }
    }
}

impl Table {
    /// Opens the table of a class, if it is one of this game, by these rules and as it is numbered now.
    pub(super) fn open(
        game: &Erased,
        folder: &Folder,
        tabled: &dyn AnyTabled,
        class: Class,
    ) -> Result<Table, Error> {
        let name = tabled.class_name(class);
        folder.has_table(game, &name)?;
        Table::in_file(game, &folder.table(&name), tabled, class)
    }

    /// The same in a file of any name.
    pub(super) fn in_file(
        game: &Erased,
        path: &Path,
        tabled: &dyn AnyTabled,
        class: Class,
    ) -> Result<Table, Error> {
        let file = open_file(path, game, &tabled.class_name(class))?;
        let planes = layouts(game, tabled, class);
        let windows = planes.iter().map(|(window, _)| window);
        let opens = windows.clone().map(|&w| tabled.open_value(class, w)).collect();
        let windows: Vec<(u16, u16)> = windows.map(|w| (w.low.0, w.high.0)).collect();
        if file.header().planes != windows || file.header().size != tabled.size(class) {
            let path = path.display();
            let message = format!("{path} was made by another numbering: build it again");
            return Err(Error::input(message));
        }
        Ok(Table { class, file, planes, opens, mapped: false, loaded: OnceLock::new() })
    }

    /// How many numbers the class has.
    pub(super) fn size(&self) -> u64 {
        self.file.header().size
    }

    /// The same, mapped from files if its cells take more bytes than this.
    pub(super) fn within(self, memory: u64) -> Table {
        Table { mapped: self.bytes() > memory, ..self }
    }

    /// All cells, a plane each. They are read when they are asked for first.
    pub(super) fn cells(&self) -> Result<&[Plane], Error> {
        self.load().map_err(unreadable)
    }

    /// The same, with the error of the file.
    pub(super) fn load(&self) -> Result<&[Plane], FileError> {
        if self.loaded.get().is_none() {
            let planes = 0..self.planes.len();
            let loaded = planes.map(|plane| self.read(plane)).collect::<Result<_, _>>();
            // Another thread may have been quicker with the same.
            let _ = self.loaded.set(loaded?);
        }
        Ok(self.loaded.get().map_or(&[], Vec::as_slice))
    }

    fn read(&self, plane: usize) -> Result<Plane, FileError> {
        if !self.mapped {
            return self.file.load(plane).map(Plane::Loaded);
        }
        let path = self.file.path().with_extension(format!("{}.{plane}.cells", std::process::id()));
        let file = self.file.unpack(plane, &path)?;
        // What is mapped stays until it is not needed any more; where a file in use can't be removed, it
        // is left behind.
        let _ = std::fs::remove_file(&path);
        Ok(Plane::Mapped(file))
    }

    /// How many bytes all cells take in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.size() * self.file.header().width.bytes() * self.planes.len() as u64
    }
}

/// Tables that are open. Those that are not needed any more make room for others, and cells that do not fit
/// into memory are mapped from files.
pub(super) struct Shelf<'a> {
    game: &'a Erased,
    folder: &'a Folder,
    memory: u64,
    tables: HashMap<Class, Arc<Table>>,
}

impl<'a> Shelf<'a> {
    /// A shelf for the tables of a folder, with about so many bytes for their cells.
    pub(super) fn new(game: &'a Erased, folder: &'a Folder, memory: u64) -> Shelf<'a> {
        Shelf { game, folder, memory, tables: HashMap::new() }
    }

    /// The tables of these classes.
    pub(super) fn get(
        &mut self,
        tabled: &dyn AnyTabled,
        classes: &[Class],
    ) -> Result<Vec<Arc<Table>>, Error> {
        if self.tables.values().map(|table| table.bytes()).sum::<u64>() > self.memory {
            self.tables.retain(|class, _| classes.contains(class));
        }
        let used: u64 = self.tables.values().filter(|t| !t.mapped).map(|t| t.bytes()).sum();
        let mut left = self.memory.saturating_sub(used);
        let mut found = Vec::new();
        for &class in classes {
            let table = match self.tables.get(&class) {
                Some(table) => Arc::clone(table),
                None => {
                    let table = Table::open(self.game, self.folder, tabled, class)?.within(left);
                    if !table.mapped {
                        left -= table.bytes();
                    }
                    let table = Arc::new(table);
                    self.tables.insert(class, Arc::clone(&table));
                    table
                }
            };
            found.push(table);
        }
        Ok(found)
    }
}
