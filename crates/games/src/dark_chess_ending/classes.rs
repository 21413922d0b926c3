//! Classes of endings: materials whose pieces take each other in the same way share one.

use std::collections::HashMap;
use std::sync::LazyLock;

use foregone_model::Class;

use crate::dark_chess::pieces::{FIRST_PIECE, KINDS, LETTERS, SET, jumps, takes};
use crate::material::{Canonical, Interactions, Material};

/// How many pieces an ending in a table may have.
pub(super) const MOST: u32 = 5;

/// How many pieces of each kind each colour has, Red first, the lowest rank first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pieces(pub [[u8; KINDS]; 2]);

/// An edge to what is taken by a step, and to what is taken by a jump.
const STEP: u8 = 1;
const JUMP: u8 = 2;

/// How a piece interacts with one of the other colour, by their kinds.
fn edge(own: usize, other: usize) -> u8 {
    match (jumps(own as u32), takes(own as u32, other as u32)) {
        (true, _) => JUMP,
        (false, true) => STEP,
        (false, false) => 0,
    }
}

/// The graph of elements, each of a colour and a kind.
fn graph(elements: &[(usize, usize)], labels: Vec<u8>) -> Interactions {
    let mut graph = Interactions::new(labels);
    for (a, &(own, kind)) in elements.iter().enumerate() {
        for (b, &(other, taken)) in elements.iter().enumerate() {
            if own != other {
                graph.connect(a, b, edge(kind, taken));
            }
        }
    }
    graph
}

/// An element for each piece, Red's first, and the lowest rank first.
impl Material for Pieces {
    fn interactions(&self) -> Interactions {
        let elements = self.elements();
        graph(&elements, elements.iter().map(|&(colour, _)| colour as u8).collect())
    }
}

/// The same pieces with one element for all of a kind, which says how many they are. This tells more
/// materials apart.
#[derive(Clone, Copy, Debug)]
pub struct ByKind<'p>(pub &'p Pieces);

impl Material for ByKind<'_> {
    fn interactions(&self) -> Interactions {
        let mut elements = self.0.elements();
        elements.dedup();
        let label = |&(colour, kind): &(usize, usize)| colour as u8 | self.0.0[colour][kind] << 1;
        graph(&elements, elements.iter().map(label).collect())
    }
}

impl Pieces {
    /// The colour and the kind of each piece.
    fn elements(&self) -> Vec<(usize, usize)> {
        let of = |colour: usize| {
            let counts = (0..KINDS).zip(self.0[colour]);
            counts.flat_map(move |(kind, count)| (0..count).map(move |_| (colour, kind)))
        };
        of(0).chain(of(1)).collect()
    }

    /// All materials of so many pieces, at least one of each colour, none with more than a set has. Those
    /// in which Red has more come first, and then higher ranks.
    pub fn all(pieces: u32) -> Vec<Pieces> {
        let sides: Vec<Vec<[u8; KINDS]>> = (0..pieces).map(side_of).collect();
        let mut out = Vec::new();
        for black in 1..pieces {
            let red = pieces - black;
            for r in &sides[red as usize] {
                out.extend(sides[black as usize].iter().map(|&b| Pieces([*r, b])));
            }
        }
        out
    }

    /// How many pieces there are of each colour.
    pub fn counts(&self) -> [u32; 2] {
        self.0.map(|side| side.iter().map(|&count| u32::from(count)).sum())
    }

    /// How many pieces of each kind there are, in no order.
    pub fn multiplicities(&self) -> impl Iterator<Item = u8> + use<> {
        self.0.into_iter().flatten()
    }

    pub(super) fn swapped(&self) -> Pieces {
        Pieces([self.0[1], self.0[0]])
    }

    /// A number for each material: four bits for what each code of a cell stands for.
    pub(super) fn key(&self) -> u64 {
        let counts = self.0.iter().flatten().zip(0..);
        counts.fold(0, |key, (&count, at)| key | u64::from(count) << (4 * at))
    }

    /// `KPvkp`.
    pub(super) fn name(&self) -> String {
        let letters = |counts: &[u8; KINDS]| {
            let all = LETTERS.iter().zip(counts).rev();
            all.map(|(letter, &count)| letter.to_string().repeat(count.into())).collect::<String>()
        };
        let [red, black] = self.0;
        format!("{}v{}", letters(&red), letters(&black).to_lowercase())
    }
}

/// All ways to choose so many pieces from one side's set, higher ranks first.
fn side_of(pieces: u32) -> Vec<[u8; KINDS]> {
    fn add(kind: usize, left: u32, chosen: &mut [u8; KINDS], out: &mut Vec<[u8; KINDS]>) {
        for count in (0..=SET[kind].min(left)).rev() {
            chosen[kind] = count as u8;
            match kind {
                0 if count == left => out.push(*chosen),
                0 => {}
                _ => add(kind - 1, left - count, chosen, out),
            }
        }
        chosen[kind] = 0;
    }
    let mut out = Vec::new();
    add(KINDS - 1, pieces, &mut [0; KINDS], &mut out);
    out
}

/// Pieces that can change places, as one field of a number.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// 0 for Red, 1 for Black.
    pub(super) colour: usize,
    /// The kinds of the pieces, in the order of their cells.
    pub(super) kinds: Vec<usize>,
}

/// A class: one material that stands for all that have the same graph, colours exchanged or not.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) class: Class,
    pub(super) material: Pieces,
    /// The fields of numbers, the ones with few pieces first.
    pub(super) fields: Vec<Field>,
    /// Whether exchanging colours leads to the same class: then Red is always to move in the table.
    pub(super) dual: bool,
}

/// All ways to see a material as the one of its class, colours exchanged or not: for each field of the class a
/// set of what cells hold here, a bit for each code.
#[derive(Clone, Debug, Default)]
pub(super) struct Views(pub(super) Vec<Vec<u16>>);

/// Where a material stands.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// The place of its class in [`Classes::shapes`].
    pub(super) shape: usize,
    /// How its pieces are those of the class, without and with colours exchanged. Either may be
    /// impossible.
    pub(super) views: [Views; 2],
}

/// All classes, and where each material stands.
pub(super) struct Classes {
    pub(super) shapes: Vec<Shape>,
    seats: HashMap<u64, Seat>,
}

/// The classes are the same on all boards.
pub(super) static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::new);

impl Classes {
    fn new() -> Classes {
        let mut classes = Classes { shapes: Vec::new(), seats: HashMap::new() };
        // The class of each form, and whether colours are exchanged.
        let mut forms: HashMap<Vec<u8>, (usize, usize)> = HashMap::new();
        for pieces in 2..=MOST {
            for material in Pieces::all(pieces) {
                let as_is = material.canonical();
                let swapped = material.swapped().canonical();
                let (shape, flip) = match forms.get(&as_is.form) {
                    Some(&known) => known,
                    None => {
                        let shape = classes.shapes.len();
                        let dual = as_is.form == swapped.form;
                        classes.shapes.push(Shape::new(material, &as_is, dual));
                        forms.insert(swapped.form.clone(), (shape, 1));
                        forms.insert(as_is.form.clone(), (shape, 0));
                        (shape, 0)
                    }
                };
                let mut views = [Views::default(), Views::default()];
                let either = [(0, &as_is), (1, &swapped)];
                let dual = classes.shapes[shape].dual;
                for (flipped, canonical) in either.into_iter().filter(|e| dual || e.0 == flip) {
                    views[flipped] = Views::new(&material, flipped, canonical);
                }
                classes.seats.insert(material.key(), Seat { shape, views });
            }
        }
        classes
    }

    /// The class of a number.
    pub(super) fn shape(&self, class: Class) -> Option<&Shape> {
        let seat = self.seats.get(&class.0)?;
        Some(&self.shapes[seat.shape]).filter(|shape| shape.class == class)
    }

    /// Where the material of a class stands.
    pub(super) fn seat_of(&self, shape: &Shape) -> &Seat {
        &self.seats[&shape.class.0]
    }

    /// Where a material stands, by its number ([`Pieces::key`]).
    #[inline]
    pub(super) fn seat(&self, key: u64) -> Option<&Seat> {
        self.seats.get(&key)
    }
}

/// The groups of a canonical form in the order of fields, those with few pieces first.
fn field_order(canonical: &Canonical) -> Vec<usize> {
    let mut order: Vec<usize> = (0..canonical.groups.len()).collect();
    order.sort_by_key(|&group| canonical.groups[group].len());
    order
}

impl Shape {
    fn new(material: Pieces, canonical: &Canonical, dual: bool) -> Shape {
        let elements = material.elements();
        let field = |group: usize| {
            let members = canonical.groups[group].iter().map(|&element| elements[element]);
            let (colours, kinds): (Vec<usize>, Vec<usize>) = members.unzip();
            Field { colour: colours[0], kinds }
        };
        let fields = field_order(canonical).into_iter().map(field).collect();
        Shape { class: Class(material.key()), material, fields, dual }
    }

    /// Whether a piece of one field can take one of another one.
    pub(super) fn takes(&self, own: usize, other: usize) -> bool {
        self.steps(own, other) || self.jumps(own, other)
    }

    /// Whether it takes it by a step.
    pub(super) fn steps(&self, own: usize, other: usize) -> bool {
        self.edge(own, other) == STEP
    }

    /// Whether it takes it by a jump.
    pub(super) fn jumps(&self, own: usize, other: usize) -> bool {
        self.edge(own, other) == JUMP
    }

    fn edge(&self, own: usize, other: usize) -> u8 {
        let [own, other] = [own, other].map(|field| &self.fields[field]);
        if own.colour == other.colour { 0 } else { edge(own.kinds[0], other.kinds[0]) }
    }

    /// The material without one piece of a field.
    pub(super) fn without(&self, field: usize) -> Pieces {
        let Field { colour, kinds } = &self.fields[field];
        let mut material = self.material;
        material.0[*colour][kinds[0]] -= 1;
        material
    }

    /// What cells hold that have a piece of this field, a bit for each code.
    pub(super) fn codes(&self, field: usize) -> u16 {
        let Field { colour, kinds } = &self.fields[field];
        kinds.iter().fold(0, |codes, &kind| codes | 1 << super::code(*colour, kind))
    }
}

impl Views {
    /// Those of a material whose canonical form, with colours exchanged if `flipped`, this is.
    fn new(material: &Pieces, flipped: usize, canonical: &Canonical) -> Views {
        let seen = if flipped == 1 { material.swapped() } else { *material };
        let elements = seen.elements();
        let codes = |group: usize| {
            let members = canonical.groups[group].iter().map(|&element| elements[element]);
            members
                .fold(0, |codes, (colour, kind)| codes | 1 << super::code(colour ^ flipped, kind))
        };
        let fields = field_order(canonical);
        let view = |order: &Vec<usize>| fields.iter().map(|&at| codes(order[at])).collect();
        Views(canonical.orders.iter().map(view).collect())
    }
}

/// Of finished positions there is one in the tables: a soldier of Red, and nothing of Black.
pub(super) fn finished() -> Pieces {
    let mut counts = [[0; KINDS]; 2];
    counts[0][0] = 1;
    Pieces(counts)
}

/// What cells hold, as a place in the numbers of materials.
#[inline]
pub(super) fn key_of_code(code: u32) -> u64 {
    1 << (4 * (code - FIRST_PIECE))
}
