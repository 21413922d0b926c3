//! Tabled resolution: every question (a relation with some arguments given) is answered once, and
//! its answers are kept (Tamaki and Sato 1986). Questions that depend on each other are asked again
//! and again, from the first of them on, until none has a new answer; a negation is decided when
//! its question has all answers, which stratification promises.
//!
//! The machine keeps its own stack, because a rulesheet may count to a thousand by recursion.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Fault;
use super::plan::{Asks, Compiled, Pattern, Plan, Step};
use super::stored::Stored;
use super::terms::{Limit, Terms};
use crate::stop::StopCheck;

/// An argument that is not given; also a variable without a value.
const FREE: u32 = u32::MAX;

/// How far a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// To be asked (again).
    Asked,
    /// Being answered, by the frame at this height of the stack.
    Active(usize),
    /// Answered as far as possible before the frame at this height is.
    Open(usize),
    /// All answers are there.
    Complete,
}

/// A question and its answers so far.
#[derive(Debug)]
struct Table {
    predicate: usize,
    /// The given arguments; `FREE` for the others.
    key: Box<[u32]>,
    /// How many are free: an answer is a value for each.
    width: usize,
    count: usize,
    answers: Vec<u32>,
    seen: FxHashSet<Box<[u32]>>,
    status: Status,
}

/// A question by its level and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question(usize, usize);

/// Where the search for a literal's answers stands.
#[derive(Clone, Copy, Debug)]
enum Cursor {
    /// A test that was passed.
    Test,
    /// Rows of a stored relation: all, or those of a bucket of an index.
    Rows { id: usize, bucket: Option<(usize, usize)>, next: usize },
    /// Answers of a question.
    Answers { of: Question, next: usize },
}

/// A question that is being answered.
struct Frame {
    question: Question,
    plans: Arc<[Plan]>,
    rule: usize,
    running: bool,
    /// The literals that have an answer, with the length of the trail before it.
    cursors: Vec<(Cursor, usize)>,
    values: Vec<u32>,
    trail: Vec<u32>,
    /// The lowest frame whose unfinished answers were used.
    low: usize,
    /// How many answers there were in all when the rules were begun.
    answers_before: u64,
    open_before: usize,
}

enum Outcome {
    Finished,
    /// An answer to a question without free arguments: nothing can be added.
    Settled,
    Wants(Question),
}

/// The machine: stored relations, questions with their answers.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) terms: Terms,
    pub(crate) compiled: Compiled,
    stored: Vec<Stored>,
    tables: [Vec<Table>; 3],
    numbers: [FxHashMap<Box<[u32]>, usize>; 3],
    open: Vec<Question>,
    answers: u64,
    /// Steps of this question, of all questions, and how many one may take.
    steps: u64,
    pub(crate) total_steps: u64,
    pub(crate) limit: u64,
    pub(crate) stop: StopCheck,
    /// The size of what this question added, and of what all did since all was forgotten.
    made: u64,
    kept: u64,
    key: Vec<u32>,
}

/// A question and all that it asks may have one answer for so many steps that it may take; large
/// ones count more.
const STEPS_FOR_AN_ANSWER: u64 = 16;

impl Machine {
    pub(crate) fn new(terms: Terms, compiled: Compiled, limit: u64) -> Machine {
        let widths = compiled.widths.iter();
        let mut stored: Vec<Stored> = widths.map(|&width| Stored::new(width)).collect();
        for (id, row) in &compiled.facts {
            stored[*id].push(row.iter().copied());
        }
        let (open, key) = (Vec::new(), Vec::new());
        let (tables, numbers) = Default::default();
        let (answers, steps, total_steps, made, kept) = Default::default();
        Machine {
            terms,
            compiled,
            stored,
            tables,
            numbers,
            open,
            answers,
            steps,
            total_steps,
            limit,
            stop: StopCheck::NEVER,
            made,
            kept,
            key,
        }
    }

    pub(crate) fn store(&mut self, id: usize, row: impl IntoIterator<Item = u32>) {
        self.stored[id].push(row);
    }

    pub(crate) fn clear_stored(&mut self, id: usize) {
        self.stored[id].clear();
    }

    /// Forgets the answers of this level and above.
    pub(crate) fn forget(&mut self, level: usize) {
        for level in level..3 {
            self.tables[level].clear();
            self.numbers[level].clear();
        }
    }

    /// The answers to a question: values of the arguments that are not given.
    pub(crate) fn ask(
        &mut self,
        predicate: usize,
        args: &[Option<u32>],
    ) -> Result<Vec<Box<[u32]>>, Fault> {
        // What never changes is kept for all states, but not without end.
        if self.kept > self.limit / STEPS_FOR_AN_ANSWER {
            self.forget(0);
            self.kept = 0;
        }
        self.key.clear();
        self.key.extend(args.iter().map(|a| a.unwrap_or(FREE)));
        self.steps = 0;
        self.made = 0;
        let question = self.question(predicate);
        let answered = self.answer(question);
        self.total_steps += self.steps;
        self.kept += self.made;
        if let Err(fault) = answered {
            self.open.clear();
            self.forget(0);
            self.kept = 0;
            return Err(fault);
        }
        let table = self.table(question);
        Ok((0..table.count).map(|n| table.answer(n).into()).collect())
    }

    /// The rows of a stored relation.
    pub(crate) fn rows(&self, id: usize) -> impl Iterator<Item = &[u32]> {
        (0..self.stored[id].count).map(move |n| self.stored[id].row(n))
    }

    fn table(&self, question: Question) -> &Table {
        &self.tables[question.0][question.1]
    }

    fn status(&mut self, question: Question, status: Status) {
        self.tables[question.0][question.1].status = status;
    }

    /// The question about a relation whose given arguments are in `self.key`.
    fn question(&mut self, predicate: usize) -> Question {
        let level = self.compiled.predicates[predicate].level;
        self.key.push(predicate as u32);
        let known = self.numbers[level].get(self.key.as_slice()).copied();
        if let Some(number) = known {
            self.key.pop();
            return Question(level, number);
        }
        let number = self.tables[level].len();
        self.numbers[level].insert(self.key.as_slice().into(), number);
        self.key.pop();
        let key: Box<[u32]> = self.key.as_slice().into();
        let width = key.iter().filter(|&&k| k == FREE).count();
        let (count, answers, seen) = (0, Vec::new(), FxHashSet::default());
        let status = Status::Asked;
        self.made += 1 + key.len() as u64 / 8;
        self.tables[level].push(Table { predicate, key, width, count, answers, seen, status });
        let question = Question(level, number);
        if let Some(id) = self.compiled.predicates[predicate].facts {
            self.take_facts(question, id);
        }
        question
    }

    /// The ground facts of a relation that also has rules are its first answers.
    fn take_facts(&mut self, question: Question, id: usize) {
        let Machine { stored, tables, answers, made, .. } = self;
        let table = &mut tables[question.0][question.1];
        let columns = columns_of(&table.key);
        let index = stored[id].index(columns);
        let key: Vec<u32> = table.key.iter().take(64).copied().filter(|&k| k != FREE).collect();
        let stored = &stored[id];
        let index = &stored.indexes[index];
        let Some(&bucket) = index.buckets.get(key.as_slice()) else { return };
        for &n in &index.rows[bucket] {
            let row = stored.row(n as usize);
            if row.iter().zip(&table.key).all(|(&v, &k)| k == FREE || k == v) {
                let free = row.iter().zip(&table.key).filter(|&(_, &k)| k == FREE);
                let answer: Vec<u32> = free.map(|(&v, _)| v).collect();
                *answers += u64::from(table.add(&answer));
                *made += 1 + answer.len() as u64 / 8;
            }
        }
    }

    fn frame(&mut self, question: Question, height: usize) -> Frame {
        self.status(question, Status::Active(height));
        let table = &self.tables[question.0][question.1];
        let bound: Vec<bool> = table.key.iter().map(|&k| k != FREE).collect();
        let (plans, steps) = self.compiled.plans(table.predicate, &bound);
        self.steps += steps;
        Frame {
            question,
            plans,
            rule: 0,
            running: false,
            cursors: Vec::new(),
            values: Vec::new(),
            trail: Vec::new(),
            low: usize::MAX,
            answers_before: self.answers,
            open_before: self.open.len(),
        }
    }

    /// Finds all answers to a question.
    fn answer(&mut self, question: Question) -> Result<(), Fault> {
        if self.table(question).status == Status::Complete {
            return Ok(());
        }
        let mut frames = vec![self.frame(question, 0)];
        while let Some(mut frame) = frames.pop() {
            let height = frames.len();
            let settled =
                self.table(frame.question).width == 0 && self.table(frame.question).count > 0;
            let outcome = if settled { Outcome::Settled } else { self.run(&mut frame)? };
            match outcome {
                Outcome::Wants(other) => {
                    frames.push(frame);
                    let above = self.frame(other, height + 1);
                    frames.push(above);
                }
                Outcome::Settled => {
                    self.status(frame.question, Status::Complete);
                    // What was waiting for this question has to be asked again.
                    for waiting in self.open.split_off(frame.open_before) {
                        self.status(waiting, Status::Asked);
                    }
                }
                Outcome::Finished if frame.low < height => {
                    self.status(frame.question, Status::Open(frame.low));
                    self.open.push(frame.question);
                }
                Outcome::Finished => {
                    let members = self.open.split_off(frame.open_before);
                    let again = frame.low == height && self.answers != frame.answers_before;
                    for &member in &members {
                        self.status(member, if again { Status::Asked } else { Status::Complete });
                    }
                    if again {
                        frame.rule = 0;
                        frame.low = usize::MAX;
                        frame.answers_before = self.answers;
                        frames.push(frame);
                    } else {
                        self.status(frame.question, Status::Complete);
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts a step.
    fn step(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > self.limit {
            return Err(Fault::TooLong(self.limit));
        }
        let most = self.limit / STEPS_FOR_AN_ANSWER;
        if self.made > most {
            return Err(Fault::TooLarge(Limit::Answers(most)));
        }
        Ok(self.stop.check_at(self.steps)?)
    }

    /// Runs the rules of a question until another question must be answered first.
    fn run(&mut self, frame: &mut Frame) -> Result<Outcome, Fault> {
        let plans = frame.plans.clone();
        while let Some(plan) = plans.get(frame.rule) {
            self.step()?;
            if !frame.running && !self.begin(frame, plan) {
                frame.rule += 1;
                continue;
            }
            frame.running = true;
            // Step forward where nothing is tried yet, backward where all is tried.
            let mut forward = true;
            loop {
                self.step()?;
                if forward {
                    let Some(step) = plan.steps.get(frame.cursors.len()) else {
                        if self.conclude(frame, plan)? {
                            return Ok(Outcome::Settled);
                        }
                        forward = false;
                        continue;
                    };
                    match self.enter(frame, step)? {
                        Entered::Cursor(Cursor::Test) => {
                            frame.cursors.push((Cursor::Test, frame.trail.len()));
                            continue;
                        }
                        Entered::Cursor(cursor) => {
                            frame.cursors.push((cursor, frame.trail.len()));
                        }
                        Entered::Fails => {
                            forward = false;
                            continue;
                        }
                        Entered::Wants(other) => return Ok(Outcome::Wants(other)),
                    }
                }
                let Some((mut cursor, mark)) = frame.cursors.pop() else { break };
                let step = &plan.steps[frame.cursors.len()];
                forward = self.next_answer(frame, step, &mut cursor, mark)?;
                if forward {
                    frame.cursors.push((cursor, mark));
                }
            }
            frame.running = false;
            frame.rule += 1;
        }
        Ok(Outcome::Finished)
    }

    /// Gives the head's variables the values of the question; says whether they agree.
    fn begin(&self, frame: &mut Frame, plan: &Plan) -> bool {
        frame.cursors.clear();
        frame.trail.clear();
        frame.values.clear();
        frame.values.resize(plan.variables, FREE);
        let key = &self.table(frame.question).key;
        let Frame { values, trail, .. } = frame;
        plan.head
            .iter()
            .zip(key)
            .all(|(pattern, &k)| k == FREE || matches(&self.terms, pattern, k, values, trail))
    }

    /// Adds the answer that the values give; says whether it settles the question.
    fn conclude(&mut self, frame: &Frame, plan: &Plan) -> Result<bool, Fault> {
        let Machine { terms, tables, answers, made, .. } = self;
        let table = &mut tables[frame.question.0][frame.question.1];
        self.key.clear();
        for (pattern, &k) in plan.head.iter().zip(&table.key) {
            if k == FREE {
                match build(terms, pattern, &frame.values)? {
                    Some(value) => self.key.push(value),
                    None => return Err(Fault::Unsafe(plan.span.clone())),
                }
            }
        }
        if table.add(&self.key) {
            *answers += 1;
            *made += 1 + self.key.iter().map(|&t| terms.size(t)).sum::<usize>() as u64 / 8;
        }
        Ok(table.width == 0)
    }

    fn enter(&mut self, frame: &mut Frame, step: &Step) -> Result<Entered, Fault> {
        match step.asks {
            Asks::Distinct => {
                let left = build(&mut self.terms, &step.args[0], &frame.values)?;
                let right = build(&mut self.terms, &step.args[1], &frame.values)?;
                match (left, right) {
                    (Some(left), Some(right)) if left == right => Ok(Entered::Fails),
                    (Some(_), Some(_)) => Ok(Entered::Cursor(Cursor::Test)),
                    _ => Err(Fault::Unsafe(step.span.clone())),
                }
            }
            Asks::Stored(id) => {
                let columns = self.build_key(frame, step)?;
                let mut bucket = None;
                if columns != 0 {
                    let index = self.stored[id].index(columns);
                    self.key.truncate(64);
                    self.key.retain(|&k| k != FREE);
                    let index_ref = &self.stored[id].indexes[index];
                    let Some(&found) = index_ref.buckets.get(self.key.as_slice()) else {
                        return Ok(if step.negated { TEST } else { Entered::Fails });
                    };
                    bucket = Some((index, found));
                }
                self.negated(frame, step, Cursor::Rows { id, bucket, next: 0 })
            }
            Asks::Rules(predicate) => {
                self.build_key(frame, step)?;
                let question = self.question(predicate);
                match (self.table(question).status, step.negated) {
                    (Status::Asked, _) => return Ok(Entered::Wants(question)),
                    (Status::Complete, _) => {}
                    (_, true) => return Err(Fault::Unstratified(step.span.clone())),
                    (Status::Active(height) | Status::Open(height), false) => {
                        frame.low = frame.low.min(height);
                    }
                }
                self.negated(frame, step, Cursor::Answers { of: question, next: 0 })
            }
        }
    }

    /// The cursor, or for a negated literal whether the cursor has nothing to say.
    fn negated(
        &mut self,
        frame: &mut Frame,
        step: &Step,
        mut cursor: Cursor,
    ) -> Result<Entered, Fault> {
        if !step.negated {
            return Ok(Entered::Cursor(cursor));
        }
        let mark = frame.trail.len();
        let found = self.next_answer(frame, step, &mut cursor, mark)?;
        undo(frame, mark);
        Ok(if found { Entered::Fails } else { TEST })
    }

    /// Writes the arguments of a literal that have values to `self.key`, and says which have.
    fn build_key(&mut self, frame: &Frame, step: &Step) -> Result<u64, Fault> {
        self.key.clear();
        for pattern in &step.args {
            let value = build(&mut self.terms, pattern, &frame.values)?;
            self.key.push(value.unwrap_or(FREE));
        }
        Ok(columns_of(&self.key))
    }

    /// Moves to the next answer that agrees with the values; says whether there is one.
    fn next_answer(
        &mut self,
        frame: &mut Frame,
        step: &Step,
        cursor: &mut Cursor,
        mark: usize,
    ) -> Result<bool, Fault> {
        loop {
            undo(frame, mark);
            self.step()?;
            let Frame { values, trail, .. } = frame;
            let agrees = match cursor {
                Cursor::Test => return Ok(false),
                Cursor::Rows { id, bucket, next } => {
                    let stored = &self.stored[*id];
                    let row = match bucket {
                        None if *next < stored.count => *next,
                        None => return Ok(false),
                        Some((index, bucket)) => {
                            match stored.indexes[*index].rows[*bucket].get(*next) {
                                Some(&row) => row as usize,
                                None => return Ok(false),
                            }
                        }
                    };
                    *next += 1;
                    let mut pairs = step.args.iter().zip(stored.row(row));
                    pairs.all(|(pattern, &v)| matches(&self.terms, pattern, v, values, trail))
                }
                Cursor::Answers { of, next } => {
                    let table = self.table(*of);
                    if *next == table.count {
                        return Ok(false);
                    }
                    let mut answer = table.answer(*next).iter();
                    *next += 1;
                    step.args.iter().zip(&table.key).all(|(pattern, &k)| {
                        k != FREE
                            || answer
                                .next()
                                .is_some_and(|&v| matches(&self.terms, pattern, v, values, trail))
                    })
                }
            };
            if agrees {
                return Ok(true);
            }
        }
    }
}

enum Entered {
    Cursor(Cursor),
    Fails,
    Wants(Question),
}

/// A test that was passed.
const TEST: Entered = Entered::Cursor(Cursor::Test);

impl Table {
    fn answer(&self, n: usize) -> &[u32] {
        &self.answers[n * self.width..(n + 1) * self.width]
    }

    /// Adds an answer; says whether it is new.
    fn add(&mut self, answer: &[u32]) -> bool {
        if self.seen.contains(answer) {
            return false;
        }
        self.seen.insert(answer.into());
        self.answers.extend_from_slice(answer);
        self.count += 1;
        true
    }
}

/// Which of the first 64 arguments are given; the others are compared only.
fn columns_of(key: &[u32]) -> u64 {
    let given = key.iter().take(64).enumerate().filter(|&(_, &k)| k != FREE);
    given.fold(0, |columns, (n, _)| columns | 1 << n)
}

fn undo(frame: &mut Frame, mark: usize) {
    for variable in frame.trail.drain(mark..) {
        frame.values[variable as usize] = FREE;
    }
}

/// Gives the pattern's variables the values that make it this term; says whether it can be.
fn matches(
    terms: &Terms,
    pattern: &Pattern,
    term: u32,
    values: &mut [u32],
    trail: &mut Vec<u32>,
) -> bool {
    match pattern {
        Pattern::Ground(ground) => *ground == term,
        Pattern::Variable(v) => {
            let value = &mut values[*v as usize];
            if *value == FREE {
                *value = term;
                trail.push(*v);
            }
            *value == term
        }
        Pattern::Function(name, args) => {
            terms.name(term) == *name
                && terms.args(term).len() == args.len()
                && args
                    .iter()
                    .zip(terms.args(term))
                    .all(|(p, &t)| matches(terms, p, t, values, trail))
        }
    }
}

/// The term that a pattern is under these values; none if a variable has no value.
fn build(terms: &mut Terms, pattern: &Pattern, values: &[u32]) -> Result<Option<u32>, Fault> {
    match pattern {
        Pattern::Ground(ground) => Ok(Some(*ground)),
        Pattern::Variable(v) => Ok(Some(values[*v as usize]).filter(|&v| v != FREE)),
        Pattern::Function(name, args) => {
            let mut built = Vec::with_capacity(args.len());
            for arg in args {
                match build(terms, arg, values)? {
                    Some(value) => built.push(value),
                    None => return Ok(None),
                }
            }
            terms.make(*name, &built).map(Some).map_err(Fault::TooLarge)
        }
    }
}
