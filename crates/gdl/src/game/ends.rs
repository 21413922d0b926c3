//! What the goals of an end mean: an outcome of the scale.
//!
//! GDL's goals are numbers from 0 to 100, and nothing says that 50 is a draw. Who wins follows from
//! comparing the roles: ends of 100 to 50 and of 50 to 100 are a win and a loss. Where each of win,
//! draw and loss stands for one pair of goals, these are the outcomes; otherwise the goals are. Where
//! every role wants its own goals, an outcome is a goal for each, written `100/0/50`.

use std::cmp::Ordering;

use foregone_model::{Outcome, Scale};

use super::{Stakes, text};

/// The outcomes of a rulesheet for certain stakes.
#[derive(Debug)]
pub(super) struct Ends {
    scale: Scale,
    /// Whether Max is ahead in each; nothing where every role has a goal of its own.
    ahead: Vec<Ordering>,
    /// The outcome of each goal of Max, in the order of goals.
    of_goal: Vec<(i32, Outcome)>,
    /// What each role gets in each outcome, where every role has a goal of its own.
    scores: Vec<Vec<i32>>,
    /// Whether those are the goals; otherwise they say who gets most.
    goals: bool,
}

/// A rulesheet with more ways to give every role a goal is asked who gets most.
const MOST_VECTORS: usize = 4096;

impl Ends {
    /// `goals` are those that the rules name for each role.
    pub(super) fn new(stakes: Stakes, roles: &[String], goals: &[Vec<i32>]) -> Ends {
        match stakes {
            Stakes::All => Ends::of_each(goals).unwrap_or_else(|| Ends::sets(roles)),
            Stakes::One(role) => Ends::goals_of_one(&goals[role]),
            Stakes::Two(role, sum) => {
                let others = &goals[1 - role];
                let possible = goals[role].iter().copied();
                let possible: Vec<i32> =
                    possible.filter(|&g| others.binary_search(&(sum - g)).is_ok()).collect();
                Ends::words(&possible, sum).unwrap_or_else(|| Ends::points(possible, sum))
            }
        }
    }

    /// Whether every role can have a goal of its own in an outcome, or there would be too many.
    pub(super) fn tell_goals_apart(goals: &[Vec<i32>]) -> bool {
        let all = goals.iter().try_fold(1usize, |all, own| all.checked_mul(own.len()));
        all.is_some_and(|all| (2..=MOST_VECTORS).contains(&all))
    }

    /// A goal for every role, in all ways; more for the first role is higher.
    fn of_each(goals: &[Vec<i32>]) -> Option<Ends> {
        if !Ends::tell_goals_apart(goals) {
            return None;
        }
        let mut scores: Vec<Vec<i32>> = vec![Vec::new()];
        for own in goals {
            let longer = |start: &Vec<i32>| {
                let start = start.clone();
                own.iter().map(move |&goal| [&start[..], &[goal]].concat())
            };
            scores = scores.iter().flat_map(longer).collect();
        }
        let name = |goals: &Vec<i32>| {
            goals.iter().map(i32::to_string).collect::<Vec<_>>().join(text::BESIDE)
        };
        let scale = Scale::words(scores.iter().map(name).collect());
        Some(Ends { scale, ahead: Vec::new(), of_goal: Vec::new(), scores, goals: true })
    }

    /// Every set of roles, those who get most; the first role's wins are the higher half.
    fn sets(roles: &[String]) -> Ends {
        let name = |set: usize| {
            let members = (0..roles.len()).filter(|r| set >> (roles.len() - 1 - r) & 1 == 1);
            let names: Vec<&str> = members.map(|r| roles[r].as_str()).collect();
            if names.is_empty() { text::NOBODY.to_owned() } else { names.join(text::TOGETHER) }
        };
        let names = (0..1 << roles.len()).map(name).collect();
        let has = |set: usize| (0..roles.len()).rev().map(move |r| (set >> r & 1) as i32);
        let scores = (0..1 << roles.len()).map(|set| has(set).collect()).collect();
        let scale = Scale::words(names);
        Ends { scale, ahead: Vec::new(), of_goal: Vec::new(), scores, goals: false }
    }

    /// The goals of one role. There is nobody to compare it with, or several: it has won with all
    /// that there is to get, and the others with nothing.
    fn goals_of_one(goals: &[i32]) -> Ends {
        let ahead = |goal: i32| match goal {
            100 => Ordering::Greater,
            0 => Ordering::Less,
            _ => Ordering::Equal,
        };
        Ends::numbers(goals.to_vec(), ahead)
    }

    /// The goals of one of two roles that share a sum.
    fn points(goals: Vec<i32>, sum: i32) -> Ends {
        Ends::numbers(goals, |goal| goal.cmp(&(sum - goal)))
    }

    fn numbers(mut goals: Vec<i32>, ahead: impl Fn(i32) -> Ordering) -> Ends {
        // A scale has two outcomes at least, and final states outside of it break the rules.
        goals.extend([0, 100]);
        goals.sort_unstable();
        goals.dedup();
        Ends {
            scale: Scale::numbers(goals.iter().map(|&g| i64::from(g)).collect()),
            ahead: goals.iter().map(|&g| ahead(g)).collect(),
            of_goal: goals.iter().zip(0..).map(|(&g, n)| (g, Outcome(n))).collect(),
            scores: Vec::new(),
            goals: true,
        }
    }

    /// Win, draw and loss, if each stands for one goal at most.
    fn words(goals: &[i32], sum: i32) -> Option<Ends> {
        let compared: Vec<Ordering> = goals.iter().map(|&g| g.cmp(&(sum - g))).collect();
        // More of the sum is better, so equal words stand side by side.
        if goals.is_empty() || compared.windows(2).any(|w| w[0] == w[1]) {
            return None;
        }
        let ahead = match compared.contains(&Ordering::Equal) {
            true => vec![Ordering::Less, Ordering::Equal, Ordering::Greater],
            false => vec![Ordering::Less, Ordering::Greater],
        };
        let scale = if ahead.len() == 3 { Scale::three() } else { Scale::two() };
        let place = |word: &Ordering| ahead.iter().position(|a| a == word).unwrap_or(0);
        let of_goal = goals.iter().zip(&compared);
        let of_goal = of_goal.map(|(&g, word)| (g, Outcome(place(word) as u16))).collect();
        Some(Ends { scale, ahead, of_goal, scores: Vec::new(), goals: true })
    }

    /// The outcomes.
    pub(super) fn scale(&self) -> &Scale {
        &self.scale
    }

    /// Whether Max is ahead in an outcome.
    pub(super) fn ahead(&self, outcome: Outcome) -> Option<Ordering> {
        self.ahead.get(usize::from(outcome.0)).copied()
    }

    /// What a role gets in an outcome, where every role has a goal of its own.
    pub(super) fn score(&self, outcome: Outcome, role: usize) -> i32 {
        self.scores[usize::from(outcome.0)][role]
    }

    /// Whether a role gets most in an outcome, and something, where every role has a goal of its own.
    pub(super) fn gets_most(&self, outcome: Outcome, role: usize) -> bool {
        let scores = &self.scores[usize::from(outcome.0)];
        scores[role] > 0 && scores.iter().max() == Some(&scores[role])
    }

    /// The outcome of an end; the error says what is wrong with its goals.
    pub(super) fn outcome(&self, stakes: Stakes, goals: &[i32]) -> Result<Outcome, String> {
        if let Some(goal) = goals.iter().find(|g| !(0..=100).contains(*g)) {
            return Err(format!("some final state has the goal {goal}, not one from 0 to 100"));
        }
        let goal = match stakes {
            Stakes::One(role) => goals[role],
            Stakes::Two(role, sum) => {
                if goals.iter().sum::<i32>() != sum {
                    return Err(
                        "the goals do not add up to the same total in every final state".to_owned()
                    );
                }
                goals[role]
            }
            Stakes::All if self.goals => {
                let place = self.scores.binary_search_by(|own| own.as_slice().cmp(goals));
                let unknown = |_| {
                    let goals: Vec<String> = goals.iter().map(i32::to_string).collect();
                    let goals = goals.join(text::BESIDE);
                    format!("some final state has the goals {goals}, one of which no rule names")
                };
                return place.map(|place| Outcome(place as u16)).map_err(unknown);
            }
            Stakes::All => {
                let most = goals.iter().max().copied().unwrap_or(0);
                let winners = goals.iter().enumerate().filter(|(_, g)| **g == most && most > 0);
                return Ok(Outcome(winners.map(|(n, _)| 1 << (goals.len() - 1 - n)).sum()));
            }
        };
        match self.of_goal.binary_search_by_key(&goal, |o| o.0) {
            Ok(place) => Ok(self.of_goal[place].1),
            Err(_) => Err(format!("some final state has the goal {goal}, which no rule names")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(ends: &Ends) -> String {
        ends.scale().names().collect::<Vec<_>>().join(" ")
    }

    fn names(sum: i32, goals: [&[i32]; 2]) -> String {
        let goals = goals.map(<[i32]>::to_vec);
        joined(&Ends::new(Stakes::Two(0, sum), &[], &goals))
    }

    #[test]
    fn words_follow_from_comparing_the_roles() {
        let both = |sum, goals| names(sum, [goals, goals]);
        assert_eq!(both(100, &[0, 100]), "loss win");
        assert_eq!(both(100, &[0, 50, 100]), "loss draw win");
        // Of 100 to 50 and 50 to 100 neither is a draw; 0 cannot be.
        assert_eq!(both(150, &[0, 50, 100]), "loss win");
        assert_eq!(both(150, &[50, 75, 100]), "loss draw win");
        assert_eq!(both(200, &[0, 100]), "loss draw win");
        assert_eq!(both(100, &[0, 25, 75, 100]), "0 25 75 100");
        // Two ways to lose.
        assert_eq!(names(100, [&[10, 20], &[80, 90]]), "0 10 20 100");
        assert_eq!(names(100, [&[10, 80], &[20, 90]]), "loss win");
    }

    #[test]
    fn outcomes_are_those_of_the_roles() {
        let stakes = Stakes::Two(1, 150);
        let ends = Ends::new(stakes, &[], &[vec![50, 75, 100], vec![50, 75, 100]]);
        let outcome = |goals: [i32; 2]| {
            let found = ends.outcome(stakes, &goals).unwrap();
            (ends.scale().name(found), ends.ahead(found).unwrap())
        };
        assert_eq!(outcome([100, 50]), ("loss", Ordering::Less));
        assert_eq!(outcome([75, 75]), ("draw", Ordering::Equal));
        assert_eq!(outcome([50, 100]), ("win", Ordering::Greater));
        for (goals, said) in [([100, 0], "add up"), ([150, 0], "goal 150"), ([80, 70], "no rule")] {
            assert!(ends.outcome(stakes, &goals).unwrap_err().contains(said), "{goals:?}");
        }
    }

    #[test]
    fn every_role_has_a_goal_of_its_own() {
        let roles = ["a", "b", "c"].map(str::to_owned);
        let goals = [vec![0, 50, 100], vec![0, 100], vec![20, 30]];
        let ends = Ends::new(Stakes::All, &roles, &goals);
        assert_eq!(ends.scale().names().count(), 12);
        let outcome = ends.outcome(Stakes::All, &[50, 100, 20]).unwrap();
        assert_eq!(ends.scale().name(outcome), "50/100/20");
        assert_eq!([0, 1, 2].map(|role| ends.score(outcome, role)), [50, 100, 20]);
        assert_eq!([0, 1, 2].map(|role| ends.gets_most(outcome, role)), [false, true, false]);
        assert!((0..11).all(|o| ends.score(Outcome(o), 0) <= ends.score(Outcome(o + 1), 0)));
        let error = ends.outcome(Stakes::All, &[50, 50, 20]).unwrap_err();
        assert!(error.contains("50/50/20"), "{error}");
        // Where that would be too many outcomes, it is who gets most.
        let any: Vec<i32> = (0..=100).collect();
        let ends = Ends::new(Stakes::All, &roles, &[any.clone(), any.clone(), any]);
        assert_eq!(joined(&ends), "nobody c b b+c a a+c a+b a+b+c");
        let outcome = ends.outcome(Stakes::All, &[70, 30, 70]).unwrap();
        assert_eq!(ends.scale().name(outcome), "a+c");
        assert_eq!([0, 1, 2].map(|role| ends.score(outcome, role)), [1, 0, 1]);
        assert_eq!([0, 1, 2].map(|role| ends.gets_most(outcome, role)), [true, false, true]);
        let outcome = ends.outcome(Stakes::All, &[0, 0, 0]).unwrap();
        assert_eq!((ends.scale().name(outcome), ends.gets_most(outcome, 0)), ("nobody", false));
    }

    #[test]
    fn one_role_wins_with_all_that_there_is() {
        let ends = Ends::new(Stakes::One(0), &[], &[vec![60, 100]]);
        assert_eq!(joined(&ends), "0 60 100");
        let ahead = |goal: i32| ends.ahead(ends.outcome(Stakes::One(0), &[goal]).unwrap());
        assert_eq!(ahead(60), Some(Ordering::Equal));
        assert_eq!(ahead(100), Some(Ordering::Greater));
    }
}
