//! Outcomes that are scores: their names, and their places on a scale.

use foregone_model::{Outcome, Scale};

/// Scores from `-most` to `most` for Max, in steps of `step`, which divides `most`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores {
    pub(crate) most: i32,
    pub(crate) step: i32,
}

impl Scores {
    /// The scale: `-2`, `-1`, `0`, `+1`, `+2`.
    pub(crate) fn scale(self) -> Scale {
        let scores = (-self.most..=self.most).step_by(self.step as usize);
        Scale::spelled(scores.map(|score| (i64::from(score), signed(score))).collect())
    }

    /// The place of a score on the scale.
    #[inline]
    pub(crate) fn outcome(self, score: i32) -> Outcome {
        Outcome(((score + self.most) / self.step) as u16)
    }
}

fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// The scale of a game in which points are only won: `0`, `1`, … up to `most`, at least 1.
pub(crate) fn points(most: u32) -> Scale {
    Scale::numbers((0..=i64::from(most)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stand_at_their_places() {
        let (scores, even) = (Scores { most: 3, step: 1 }, Scores { most: 4, step: 2 });
        let names = |scale: Scale| scale.names().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names(scores.scale()), ["-3", "-2", "-1", "0", "+1", "+2", "+3"]);
        assert_eq!(names(even.scale()), ["-4", "-2", "0", "+2", "+4"]);
        assert_eq!(names(points(2)), ["0", "1", "2"]);
        for (scores, score, name) in [(scores, -3, "-3"), (scores, 2, "+2"), (even, 2, "+2")] {
            assert_eq!(scores.scale().name(scores.outcome(score)), name);
        }
    }
}
