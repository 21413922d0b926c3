//! `foregone serve` in a program that was built without it.

use foregone::Error;

use crate::Program;
use crate::args::ServeArgs;

/// Says so.
pub(crate) fn run(_: &mut Program<'_>, _: &ServeArgs) -> Result<u8, Error> {
    Err(Error::input("this program was built without `serve`")
        .help("build it with the feature `serve`, which is on by default"))
}
