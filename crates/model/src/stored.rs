//! States and moves as plain bytes, for checkpoints.
//!
//! A search that is to outlive its process writes down what it holds. A type says by one line which
//! parts it is made of (`stored!`), and a game by another one that its types can be
//! written so (`stored_by_parts!`). What is read back may have been forged, so
//! reading never panics: it finds a value, or nothing.

use foregone_proof::formula::Id;
use foregone_proof::{Agent, Outcome, Side};

use crate::solution::Line;

/// A value that can be written as bytes and read again.
pub trait Stored: Sized {
    /// Appends the bytes.
    fn store(&self, out: &mut Vec<u8>);

    /// Takes a value from the front. Nothing if the bytes are not those of a value.
    fn restore(from: &mut &[u8]) -> Option<Self>;
}

/// Takes so many bytes from the front.
#[inline]
pub fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, rest) = from.split_first_chunk::<N>()?;
    *from = rest;
    Some(*bytes)
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Stored for $number {
            #[inline]
            fn store(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn restore(from: &mut &[u8]) -> Option<$number> {
                take(from).map(<$number>::from_le_bytes)
            }
        })+
    };
}

numbers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, f32, f64);

impl Stored for usize {
    #[inline]
    fn store(&self, out: &mut Vec<u8>) {
        (*self as u64).store(out);
    }

    #[inline]
    fn restore(from: &mut &[u8]) -> Option<usize> {
        usize::try_from(u64::restore(from)?).ok()
    }
}

impl Stored for () {
    #[inline]
    fn store(&self, _out: &mut Vec<u8>) {}

    #[inline]
    fn restore(_from: &mut &[u8]) -> Option<()> {
        Some(())
    }
}

impl Stored for bool {
    #[inline]
    fn store(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    #[inline]
    fn restore(from: &mut &[u8]) -> Option<bool> {
        match u8::restore(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Stored> Stored for Option<T> {
    #[inline]
    fn store(&self, out: &mut Vec<u8>) {
        self.is_some().store(out);
        if let Some(value) = self {
            value.store(out);
        }
    }

    #[inline]
    fn restore(from: &mut &[u8]) -> Option<Option<T>> {
        match bool::restore(from)? {
            true => T::restore(from).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    #[inline]
    fn store(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.store(out));
    }

    #[inline]
    fn restore(from: &mut &[u8]) -> Option<[T; N]> {
        let parts: [Option<T>; N] = std::array::from_fn(|_| T::restore(from));
        match parts.iter().all(Option::is_some) {
            true => Some(parts.map(|part| part.expect("all of them are there"))),
            false => None,
        }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.len() as u64).store(out);
        self.iter().for_each(|value| value.store(out));
    }

    fn restore(from: &mut &[u8]) -> Option<Vec<T>> {
        let length = usize::restore(from)?;
        // A length may be forged: no room is made before the values are there.
        let mut all = Vec::new();
        for _ in 0..length {
            if from.is_empty() && size_of::<T>() > 0 {
                return None;
            }
            all.push(T::restore(from)?);
        }
        Some(all)
    }
}

impl<T: Stored> Stored for Box<[T]> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.len() as u64).store(out);
        self.iter().for_each(|value| value.store(out));
    }

    fn restore(from: &mut &[u8]) -> Option<Box<[T]>> {
        Vec::restore(from).map(Vec::into_boxed_slice)
    }
}

macro_rules! tuples {
    ($(($($part:ident $at:tt),+))+) => {
        $(impl<$($part: Stored),+> Stored for ($($part,)+) {
            #[inline]
            fn store(&self, out: &mut Vec<u8>) {
                $(self.$at.store(out);)+
            }

            #[inline]
            fn restore(from: &mut &[u8]) -> Option<($($part,)+)> {
                Some(($($part::restore(from)?,)+))
            }
        })+
    };
}

tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3));

impl Stored for Side {
    #[inline]
    fn store(&self, out: &mut Vec<u8>) {
        out.push(self.index() as u8);
    }

    #[inline]
    fn restore(from: &mut &[u8]) -> Option<Side> {
        Some(if bool::restore(from)? { Side::Min } else { Side::Max })
    }
}

/// Says of which parts a type is made, so that it can be stored: the fields of a struct, the parts of
/// a tuple by names of one's choice, or the variants of an enum.
///
/// ```
/// # use foregone_model::stored;
/// # use foregone_model::stored::Stored;
/// struct State { left: u32, second: bool }
/// stored!(State { left, second });
///
/// struct Card(u8);
/// stored!(Card(number));
///
/// #[derive(Debug, PartialEq)]
/// enum Act { Pass, Slide(u8), Drop { kind: u8, to: u8 } }
/// stored!(enum Act { Pass, Slide(from), Drop { kind, to } });
///
/// let mut bytes = Vec::new();
/// Act::Drop { kind: 1, to: 7 }.store(&mut bytes);
/// assert_eq!(Act::restore(&mut &bytes[..]), Some(Act::Drop { kind: 1, to: 7 }));
/// ```
#[macro_export]
macro_rules! stored {
    (enum $name:ident {
        $($variant:ident $(($($part:ident),+))? $({$($field:ident),+})?),+ $(,)?
    }) => {
        impl $crate::stored::Stored for $name {
            #[inline]
            fn store(&self, out: &mut Vec<u8>) {
                enum Tag { $($variant),+ }
                match self {
                    $($name::$variant $(($($part),+))? $({$($field),+})? => {
                        out.push(Tag::$variant as u8);
                        $($($crate::stored::Stored::store($part, out);)+)?
                        $($($crate::stored::Stored::store($field, out);)+)?
                    })+
                }
            }

            #[inline]
            fn restore(from: &mut &[u8]) -> Option<Self> {
                enum Tag { $($variant),+ }
                let tag = <u8 as $crate::stored::Stored>::restore(from)?;
                $(if tag == Tag::$variant as u8 {
                    $($(let $part = $crate::stored::Stored::restore(from)?;)+)?
                    $($(let $field = $crate::stored::Stored::restore(from)?;)+)?
                    return Some($name::$variant $(($($part),+))? $({$($field),+})?);
                })+
                None
            }
        }
    };
    ($name:ident $(<$word:ident: $bound:path>)? { $($field:ident),+ $(,)? }) => {
        impl $(<$word: $bound>)? $crate::stored::Stored for $name $(<$word>)? {
            #[inline]
            fn store(&self, out: &mut Vec<u8>) {
                $($crate::stored::Stored::store(&self.$field, out);)+
            }

            #[inline]
            fn restore(from: &mut &[u8]) -> Option<Self> {
                $(let $field = $crate::stored::Stored::restore(from)?;)+
                Some($name { $($field),+ })
            }
        }
    };
    ($name:ident($($part:ident),+)) => {
        impl $crate::stored::Stored for $name {
            #[inline]
            fn store(&self, out: &mut Vec<u8>) {
                let $name($($part),+) = self;
                $($crate::stored::Stored::store($part, out);)+
            }

            #[inline]
            fn restore(from: &mut &[u8]) -> Option<Self> {
                $(let $part = $crate::stored::Stored::restore(from)?;)+
                Some($name($($part),+))
            }
        }
    };
}

stored!(Outcome(number));
stored!(Agent(number));
stored!(Id(number));

/// Stands in the implementation of [`Guide`](crate::Guide) for a game whose states, moves and packed
/// states are [`Stored`]: then its searches can be kept in checkpoints. With `if stored` inside, all
/// but [`Guide::stores`](crate::Guide::stores), for a game that says so itself.
#[macro_export]
macro_rules! stored_by_parts {
    () => {
        fn stores(&self) -> bool {
            true
        }

        $crate::stored_by_parts!(if stored);
    };
    (if stored) => {
        #[inline]
        fn store_state(&self, s: &Self::State, out: &mut Vec<u8>) {
            $crate::stored::Stored::store(s, out);
        }

        #[inline]
        fn restore_state(&self, from: &mut &[u8]) -> Option<Self::State> {
            $crate::stored::Stored::restore(from)
        }

        #[inline]
        fn store_move(&self, m: Self::Move, out: &mut Vec<u8>) {
            $crate::stored::Stored::store(&m, out);
        }

        #[inline]
        fn restore_move(&self, from: &mut &[u8]) -> Option<Self::Move> {
            $crate::stored::Stored::restore(from)
        }

        #[inline]
        fn store_packed(&self, p: &Self::Packed, out: &mut Vec<u8>) {
            $crate::stored::Stored::store(p, out);
        }

        #[inline]
        fn restore_packed(&self, from: &mut &[u8]) -> Option<Self::Packed> {
            $crate::stored::Stored::restore(from)
        }
    };
}

/// Appends a line of a solution, its move written by `store`.
#[inline]
pub fn store_line<M: Copy>(line: &Line<M>, store: impl FnOnce(M, &mut Vec<u8>), out: &mut Vec<u8>) {
    match *line {
        Line::Over => out.push(0),
        Line::Repeats => out.push(1),
        Line::Plays(m) => {
            out.push(2);
            store(m, out);
        }
        Line::Replies(n) => {
            out.push(3);
            n.store(out);
        }
        Line::Same(n) => {
            out.push(4);
            n.store(out);
        }
    }
}

/// Takes a line of a solution from the front, its move read by `restore`.
#[inline]
pub fn restore_line<M>(
    from: &mut &[u8],
    restore: impl FnOnce(&mut &[u8]) -> Option<M>,
) -> Option<Line<M>> {
    Some(match u8::restore(from)? {
        0 => Line::Over,
        1 => Line::Repeats,
        2 => Line::Plays(restore(from)?),
        3 => Line::Replies(u32::restore(from)?),
        4 => Line::Same(u32::restore(from)?),
        _ => return None,
    })
}
