//! Certificates: weak solutions written down so that anybody can replay them.
//!
//! A certificate is text, one claim a line, in pre-order. The goals are those of a good proof
//! format (easy to emit, compact, quick to validate, able to express every technique), and one
//! of ours: a person can follow it with a board at hand. `docs/certificates.md` specifies it.
//!
//! ```text
//! foregone certificate 2
//! game nim:1,2
//! rules 1
//! position 1,2 first
//! claim first at-least win
//!
//! ! 2-1             the prover takes one from the second heap …
//! ? 2               … and whatever the opponent does (two moves) …
//! 1-1: ! 2-1        … the prover answers it
//! .                 and the game is over as claimed
//! 2-1: ! 1-1
//! .
//! end 6 0123456789abcdef
//! ```
//!
//! Each line speaks of one state:
//!
//! | line | meaning |
//! |---|---|
//! | `.` | the state is final and its outcome meets the claim |
//! | `! MOVE` | the prover is to move and plays MOVE; the next line speaks of the state after it |
//! | `? N` | the opponent, or chance, is to move and has N moves; N blocks follow, each beginning `MOVE:` |
//! | `*: by RULE REASON` | instead of the last of these blocks: knowledge answers all moves that are left |
//! | `*: as K` | the same: the block of `@K` is replayed behind each of them |
//! | `= K` | the state is that of the line labelled `#K` |
//! | `by RULE REASON` | static knowledge of this name says that the claim holds, for this reason |
//! | `by connection WORDS` | a connection, verified by `connection.rs`, wins here |
//! | `by parts WORDS` | the position is a sum that is won part by part, verified by `sums/` |
//! | `#K` before any of these | names the line, so that `= K` can refer to it later |
//! | `@K` instead of it | also keeps the text of its block, so that it can be replayed |
//!
//! The last line holds the number of claims and a checksum of all bytes before it, so that a
//! damaged or truncated file is told from a wrong proof.
//!
//! **Loops.** A reference may only name a claim whose block is complete, so the order of the
//! file is a rank that falls along every step, and a loop cannot prove itself. Only where the
//! rules give endless play an outcome that meets the claim, or where the claim says `or-endless`,
//! may a reference name a claim that is still open: there every closed set of claims is a proof.

mod check;
pub(crate) use check::UNTOLD_CHANCE;
mod expected;
mod kept;
mod many;
mod mixed;
mod reader;

pub use check::{
    Beyond, ByReason, OTHERS, Proved, RulesOnly, Standing, check, check_formula, formula_of,
};
pub use expected::{Expected, LEAST_LEAK, ProvedExpected, Worth, check_expected};
pub use many::{ProvedScores, check_scores, scores_of};
pub use mixed::{
    Arithmetic, Exact, FINEST, MOST_WEIGHT, Numbers, ProvedMixed, Rounded, check_mixed, response,
};
pub use reader::{CheckError, Header, Reader, shown};

/// The first line of a certificate.
pub const MAGIC: &str = "foregone certificate 2";

/// The line by which the header of a certificate says that its claim is every agent's score by max^n,
/// and how ties are broken: of equally good moves the first one in the order of the rules.
pub const SCORES: &str = "scores first-best";

/// FNV-1a: tells a damaged file from a wrong proof. It guards against accidents, not against
/// forgers: a forged certificate is caught by replaying it.
#[derive(Clone, Copy, Debug)]
pub struct Checksum(pub u64);

impl Checksum {
    /// The sum of nothing.
    pub const EMPTY: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    /// Adds bytes to the sum.
    pub fn add(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
