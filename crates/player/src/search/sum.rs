//! Whether the goals of two roles always add up to the same. Rules do not say so, but ends that
//! were seen do: what is supposed until one differs. Only bounds from above rest on it, and they
//! are kept in both readings, so nothing is lost when it turns out wrong.

use foregone_gdl::Tally;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sum {
    /// No end was seen yet.
    Unseen,
    /// All ends had this sum.
    Constant(f64),
    /// Two ends differed, or there are not two roles.
    Varies,
}

impl Sum {
    pub(super) fn new(roles: usize) -> Sum {
        if roles == 2 { Sum::Unseen } else { Sum::Varies }
    }

    pub(super) fn is_constant(self) -> bool {
        matches!(self, Sum::Constant(_))
    }

    /// Takes the goals of an end.
    pub(super) fn end(&mut self, goals: &[Option<i32>]) {
        let mut sum = Some(0);
        for goal in goals {
            sum = sum.zip(*goal).map(|(a, b)| a + b);
        }
        match sum {
            Some(sum) => self.note(f64::from(sum)),
            None => *self = Sum::Varies,
        }
    }

    /// Takes the result of random plays.
    pub(super) fn plays(&mut self, tally: &Tally) {
        self.note(tally.goals.iter().sum::<f64>() / tally.plays as f64);
    }

    fn note(&mut self, sum: f64) {
        *self = match *self {
            Sum::Unseen => Sum::Constant(sum),
            Sum::Constant(known) if known == sum => *self,
            _ => Sum::Varies,
        }
    }
}
