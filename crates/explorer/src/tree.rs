//! Proofs in turn, of games and of formulas: lines in pre-order.

use foregone_games::erased::AnyState;
use foregone_proof::certificate::{OTHERS, shown};
use foregone_proof::{Agent, Claim, Outcome, Side, Turn, Viewpoint};

use crate::book::Question;
use crate::data::{BookError, Child, Found, Node, NodeKind, Part};
use crate::look::{Line, Look, Resolved, Spot, Stands, cut, no_move, read_line};
use crate::part::Sketch;
use crate::subject::Subject;
use crate::text::Cursor;
use crate::words;

/// The word of paths for all moves that one line covers.
const OTHER_MOVES: &str = "*";

/// How many lines are gone through between two questions whether to go on.
const TICK: u32 = 1024;

/// A certificate in turn, with its game.
pub(crate) struct Tree<'q, G: Subject> {
    question: &'q Question<'q>,
    game: &'q G,
    view: Viewpoint,
    claim: Claim,
    start: G::State,
}

/// Where a path leads.
enum Place {
    /// To this line.
    At(Spot),
    /// To a position that the proof does not need, for this reason.
    NotCovered(String),
    /// To where the index has to come first.
    Pending,
}

/// What a line claims, in the words of the rules.
enum Claimed<M> {
    Over,
    Known,
    Plays(M),
    Replies(usize),
}

impl<'q, G: Subject> Tree<'q, G> {
    pub(crate) fn new(question: &'q Question<'q>, game: &'q G) -> Result<Tree<'q, G>, BookError> {
        let header = &question.header;
        let wrong = |problem: String| BookError::Input(format!("the header is wrong: {problem}"));
        let start = game.read_position(&header.position);
        let start = start
            .map_err(|e| wrong(format!("the position can't be read: {}", shown(&e.message))))?;
        let written = game.position_text(&start);
        if written != header.position {
            return Err(wrong(format!("the position is written `{}`", shown(&written))));
        }
        let max = match &header.max {
            None => Agent::FIRST,
            Some(name) => {
                let mut agents = (1..game.agents()).map(Agent);
                let found = agents.find(|&agent| game.agent_name(agent) == name);
                found.ok_or_else(|| wrong(format!("`{}` is not an agent here", shown(name))))?
            }
        };
        let prover = if header.relation == "at-least" { Side::Max } else { Side::Min };
        let players = match &header.max {
            None => game.players(),
            Some(name) => [name.as_str(), OTHERS],
        };
        if header.prover != players[prover.index()] {
            return Err(wrong(format!("`{}` does not claim this", shown(&header.prover))));
        }
        let view = Viewpoint::new(game, max);
        let named = game.scale().find(&header.outcome).map(|o| view.rank(o));
        let Some(at_least) = named.filter(|&o| o > Outcome(0)) else {
            let outcome = shown(&header.outcome);
            return Err(wrong(format!("`{outcome}` is not an outcome that can be claimed here")));
        };
        let claim = Claim { max, prover, at_least, or_endless: header.or_endless };
        Ok(Tree { question, game, view, claim, start })
    }

    fn root(&self) -> Place {
        Place::At(Spot { offset: self.question.body, answers: false })
    }

    /// A legal move of who is to move.
    fn legal(&self, s: &G::State, word: &str) -> Result<(Agent, G::Move), BookError> {
        let agent = self.game.turn(s).mover().ok_or_else(|| no_move(word, true))?;
        let mut moves = Vec::new();
        self.game.moves(s, agent, &mut moves);
        let m = self.game.parse_move(s, word).filter(|m| moves.contains(m));
        Ok((agent, m.ok_or_else(|| no_move(word, false))?))
    }

    /// The position behind a path, and what stands there.
    fn walk(&self, look: &mut Look<'_>, path: &[String]) -> Result<(G::State, Place), BookError> {
        let (mut s, mut place) = (self.start.clone(), self.root());
        for word in path {
            if word == OTHER_MOVES && self.game.parse_move(&s, word).is_none() {
                place = match place {
                    Place::At(spot) => self.others(look, &s, spot)?,
                    other => other,
                };
                continue;
            }
            let (agent, m) = self.legal(&s, word)?;
            if let Place::At(spot) = place {
                place = match look.resolve(spot)? {
                    None => Place::Pending,
                    Some(Resolved { line, .. }) => self.step(look, &s, &line, word, m)?,
                };
            }
            self.game.play(&mut s, agent, m);
        }
        Ok((s, place))
    }

    /// What one line says of all moves that have no block.
    fn others(&self, look: &mut Look<'_>, s: &G::State, at: Spot) -> Result<Place, BookError> {
        let Some(Resolved { line, .. }) = look.resolve(at)? else { return Ok(Place::Pending) };
        let Claimed::Replies(count) = self.claimed(s, &line)? else {
            return Err(no_move(OTHER_MOVES, false));
        };
        let mut spot = Spot { offset: line.next, answers: true };
        for _ in 0..count {
            if let Stands::Others(words) = look.read(spot)?.stands {
                return Ok(Place::NotCovered(words::others(&words)));
            }
            match look.block(spot, false)? {
                Some(block) => spot.offset = block.end,
                None => return Ok(Place::Pending),
            }
        }
        Err(no_move(OTHER_MOVES, false))
    }

    /// Where a move leads from a line.
    fn step(
        &self,
        look: &mut Look<'_>,
        s: &G::State,
        line: &Line,
        word: &str,
        m: G::Move,
    ) -> Result<Place, BookError> {
        match self.claimed(s, line)? {
            Claimed::Plays(played) if played == m => {
                Ok(Place::At(Spot { offset: line.next, answers: false }))
            }
            Claimed::Plays(played) => {
                let chooser = self.game.chooser(s).unwrap_or_default();
                let deed = self.game.deed(s, played);
                Ok(Place::NotCovered(format!(
                    "the proof does not need this: {chooser} {deed} there"
                )))
            }
            Claimed::Known => {
                let why = "the proof does not need this: what came before is known".to_owned();
                Ok(Place::NotCovered(why))
            }
            Claimed::Over => Err(no_move(word, true)),
            Claimed::Replies(count) => {
                let mut spot = Spot { offset: line.next, answers: true };
                for _ in 0..count {
                    let answer = look.read(spot)?;
                    if let Stands::Others(words) = &answer.stands {
                        return Ok(Place::NotCovered(words::others(words)));
                    }
                    if answer.by == word || self.game.parse_move(s, &answer.by) == Some(m) {
                        return Ok(Place::At(spot));
                    }
                    match look.block(spot, false)? {
                        Some(block) => spot.offset = block.end,
                        None => return Ok(Place::Pending),
                    }
                }
                let problem = format!("no block below this line answers `{}`", shown(word));
                Err(BookError::at(line.spot.offset, problem))
            }
        }
    }

    /// What a line claims of a position, if it fits the rules. It is no reference.
    fn claimed(&self, s: &G::State, line: &Line) -> Result<Claimed<G::Move>, BookError> {
        let fail = |problem: String| Err(BookError::at(line.spot.offset, problem));
        let turn = self.game.turn(s);
        let own = match (turn, &line.stands) {
            (Turn::Over, Stands::Over) => {
                let outcome = self.game.outcome(s);
                return match self.claim.met_by(self.view.rank(outcome)) {
                    true => Ok(Claimed::Over),
                    false => {
                        let name = shown(self.game.scale().name(outcome));
                        fail(format!("the game ends in a {name} here, against the claim"))
                    }
                };
            }
            (_, Stands::Over) => return fail("the game is not over here".to_owned()),
            (Turn::Over, _) => return fail("the game is over here, nobody moves".to_owned()),
            (_, Stands::Known { .. }) => return Ok(Claimed::Known),
            (Turn::Agent(agent), _) => self.view.side(agent) == self.claim.prover,
            (Turn::Chance, _) => false,
        };
        let agent = turn.mover().unwrap_or(Agent::CHANCE);
        let mut moves = Vec::new();
        self.game.moves(s, agent, &mut moves);
        match &line.stands {
            Stands::Plays(_) if turn == Turn::Chance => fail("chance is to move here".to_owned()),
            Stands::Plays(_) if !own => fail("the other side is to move here".to_owned()),
            Stands::Replies(_) if own => fail("the other side is to move here".to_owned()),
            Stands::Plays(name) => {
                match self.game.parse_move(s, name).filter(|m| moves.contains(m)) {
                    Some(m) => Ok(Claimed::Plays(m)),
                    None => fail(format!("`{}` is not a legal move here", shown(name))),
                }
            }
            Stands::Replies(count) if *count == moves.len() as u64 => {
                Ok(Claimed::Replies(moves.len()))
            }
            _ => fail(format!("expected `? {}`, as many as there are moves", moves.len())),
        }
    }

    /// What stands at the end of a path.
    pub(crate) fn node(
        &self,
        path: &[String],
        from: usize,
        most: usize,
    ) -> Result<Node, BookError> {
        let index = self.question.book.index();
        let text = self.question.book.text();
        let mut look = Look::new(&index, self.question.certificate, text);
        let (s, place) = self.walk(&mut look, path)?;
        let found = match &place {
            Place::At(spot) => look.resolve(*spot)?,
            Place::NotCovered(_) | Place::Pending => None,
        };
        let mut node = self.bare(&s, from);
        match (found, place) {
            (Some(found), _) => self.fill(&mut look, &s, &found, &mut node, most)?,
            (None, Place::NotCovered(why)) => node.sentence = why,
            (None, _) => {
                node.pending = !index.ended();
                node.sentence = words::not_read(&index);
            }
        }
        Ok(node)
    }

    /// A position of which nothing is said.
    fn bare(&self, s: &G::State, from: usize) -> Node {
        Node {
            line: None,
            offset: self.question.body,
            text: String::new(),
            kind: NodeKind::NotCovered,
            to_move: self.game.chooser(s),
            sentence: String::new(),
            subformula: self.game.subformula(s),
            rule: None,
            reason: None,
            label: None,
            same_as: None,
            size: None,
            bound: None,
            view: self.game.view(s),
            children: Vec::new(),
            children_total: 0,
            from,
            pending: false,
        }
    }

    fn fill(
        &self,
        look: &mut Look<'_>,
        s: &G::State,
        found: &Resolved,
        node: &mut Node,
        most: usize,
    ) -> Result<(), BookError> {
        let Resolved { line, same_as } = found;
        let claimed = self.claimed(s, line)?;
        node.line = look.line_number(line.spot.offset)?;
        node.offset = line.spot.offset;
        node.text = cut(&line.text);
        node.kind = line.stands.kind();
        (node.label, node.same_as) = (line.label, *same_as);
        if let Stands::Known { rule, reason } = &line.stands {
            node.rule = Some(cut(rule));
            node.reason = (!reason.is_empty()).then(|| cut(reason));
        }
        node.size = look.block(line.spot, true)?.map(|block| block.claims);
        node.sentence = self.sentence(s, &claimed, line);
        if same_as.is_some() {
            let place = node.line.map_or_else(String::new, |line| format!(" as line {line}"));
            node.sentence = format!("the same position{place}: {}", node.sentence);
        }
        let spot = Spot { offset: line.next, answers: matches!(claimed, Claimed::Replies(_)) };
        match claimed {
            Claimed::Over | Claimed::Known => {}
            Claimed::Plays(m) => {
                node.children_total = 1;
                if node.from == 0 && most > 0 {
                    node.children.push(self.child(look, s, m, spot)?);
                }
            }
            Claimed::Replies(count) => {
                node.children_total = count;
                node.pending =
                    !self.replies(look, s, spot, count, node, most)? && !look.index.ended();
            }
        }
        Ok(())
    }

    /// Lists answers; whether the index has come to all of them.
    fn replies(
        &self,
        look: &mut Look<'_>,
        s: &G::State,
        mut spot: Spot,
        count: usize,
        node: &mut Node,
        most: usize,
    ) -> Result<bool, BookError> {
        let end = node.from.saturating_add(most).min(count);
        let mut answered = Vec::new();
        for number in 0..end {
            let answer = look.read(spot)?;
            if let Stands::Others(words) = &answer.stands {
                node.children_total = number + 1;
                if number >= node.from {
                    node.children.push(all_others(&answer, words));
                }
                return Ok(true);
            }
            let illegal = || {
                let name = shown(&answer.by);
                BookError::at(spot.offset, format!("`{name}` is not a legal move here"))
            };
            // What is not listed need not be checked here: all legal moves for each would take long.
            let listed = number >= node.from;
            let m = match listed {
                true => self.legal(s, &answer.by).map_err(|_| illegal())?.1,
                false => self.game.parse_move(s, &answer.by).ok_or_else(illegal)?,
            };
            answered.push(m);
            if listed {
                node.children.push(self.child(look, s, m, spot)?);
            }
            if number + 1 < end {
                match look.block(spot, false)? {
                    Some(block) => spot.offset = block.end,
                    None => {
                        self.list_rest(s, &answered, end, node);
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Lists the moves whose answers the index has not come to, in the order of the rules, which nearly
    /// always is that of the file.
    fn list_rest(&self, s: &G::State, answered: &[G::Move], end: usize, node: &mut Node) {
        let (mut moves, first) = (Vec::new(), node.from.max(answered.len()));
        if let Some(agent) = self.game.turn(s).mover() {
            self.game.moves(s, agent, &mut moves);
        }
        moves.retain(|m| !answered.contains(m));
        let wanted = first - answered.len()..end - answered.len();
        for &m in moves.get(wanted).unwrap_or_default() {
            node.children.push(Child {
                played: self.game.move_text(s, m),
                san: self.game.san(s, m),
                kind: None,
                answer: None,
                answer_san: None,
                size: None,
                weight: None,
                same_as: None,
            });
        }
    }

    /// The way on by this move, to the line at this place.
    fn child(
        &self,
        look: &mut Look<'_>,
        s: &G::State,
        m: G::Move,
        spot: Spot,
    ) -> Result<Child, BookError> {
        let line = look.read(spot)?;
        let mut next = s.clone();
        if let Some(agent) = self.game.turn(s).mover() {
            self.game.play(&mut next, agent, m);
        }
        let (mut answer, mut answer_san, mut same_as) = (None, None, None);
        match &line.stands {
            Stands::Plays(name) => {
                answer_san =
                    self.legal(&next, name).ok().and_then(|(_, m)| self.game.san(&next, m));
                answer = Some(cut(name));
            }
            Stands::Same(k) => same_as = Some(*k),
            _ => {}
        }
        Ok(Child {
            played: self.game.move_text(s, m),
            san: self.game.san(s, m),
            kind: Some(line.stands.kind()),
            answer,
            answer_san,
            size: look.block(spot, true)?.map(|block| block.claims),
            weight: None,
            same_as,
        })
    }

    fn sentence(&self, s: &G::State, claimed: &Claimed<G::Move>, line: &Line) -> String {
        let header = &self.question.header;
        let chooser = self.game.chooser(s).unwrap_or_default();
        match (claimed, &line.stands) {
            (Claimed::Over, _) => words::ended(self.game, header, self.game.outcome(s)),
            (Claimed::Known, Stands::Known { rule, reason }) => {
                let reason = match reason.as_str() {
                    "" => String::new(),
                    reason => format!(", for the reason {}", shown(reason)),
                };
                format!("known by {}{reason}", shown(rule))
            }
            (Claimed::Known, _) => "known".to_owned(),
            (Claimed::Plays(m), _) => {
                let goal = words::goal(self.game, header, self.claim);
                format!("{chooser} {}, {goal}", self.game.deed(s, *m))
            }
            (Claimed::Replies(count), _) => {
                let each = if *count == 1 { "it is answered" } else { "each is answered" };
                format!("{chooser} has {}, {each}", words::moves(*count))
            }
        }
    }

    /// Looks for a position in the block at the end of a path.
    pub(crate) fn find(
        &self,
        path: &[String],
        position: &str,
        goes_on: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Found, BookError> {
        if let Some(label) = label_in(position) {
            return self.labelled(label);
        }
        let wanted = self.game.position(position);
        let wanted =
            wanted.map_err(|e| BookError::Input(format!("the position can't be read: {e}")))?;
        let text = self.question.book.text();
        let (s, first, end) = {
            let index = self.question.book.index();
            let mut look = Look::new(&index, self.question.certificate, text);
            let (s, place) = self.walk(&mut look, path)?;
            if self.game.is_at(&s, &wanted) {
                return Ok(Found { path: Some(path.to_vec()), share: 1.0 });
            }
            let spot = match place {
                Place::At(spot) => look.resolve(spot)?.map(|found| found.line.spot),
                Place::NotCovered(_) => return Ok(Found { path: None, share: 1.0 }),
                Place::Pending => None,
            };
            let spot = spot.ok_or(BookError::NotYet)?;
            let section_end = index.sections.get(self.question.certificate).and_then(|s| s.end);
            let section_end = section_end.map_or(text.len(), |(end, _)| end);
            (s, spot, look.block(spot, false)?.map_or(section_end, |block| block.end))
        };
        let mut search = Search { tree: self, wanted, frames: Vec::new(), trail: path.to_vec() };
        search.run(s, first, end, goes_on)
    }

    /// The way to the line with a label: down through the blocks that it lies in.
    fn labelled(&self, label: u64) -> Result<Found, BookError> {
        let (book, certificate) = (self.question.book, self.question.certificate);
        let index = book.index();
        let mut look = Look::new(&index, certificate, book.text());
        let Some((target, _)) = look.label(label)? else {
            return match index.ended() {
                true => Err(BookError::Input(format!("there is no claim #{label}"))),
                false => Err(BookError::NotYet),
            };
        };
        let (mut s, mut path) = (self.start.clone(), Vec::new());
        let mut spot = Spot { offset: self.question.body, answers: false };
        while spot.offset != target {
            let line = look.read(spot)?;
            let lost = || BookError::at(line.spot.offset, format!("claim #{label} is not below"));
            let (name, next) = match &line.stands {
                Stands::Plays(name) => (name.clone(), Spot { offset: line.next, answers: false }),
                Stands::Replies(count) => {
                    let mut next = Spot { offset: line.next, answers: true };
                    for _ in 1..*count {
                        if matches!(look.read(next)?.stands, Stands::Others(_)) {
                            return Err(lost());
                        }
                        let block = look.block(next, false)?.ok_or(BookError::NotYet)?;
                        if target < block.end {
                            break;
                        }
                        next.offset = block.end;
                    }
                    (look.read(next)?.by, next)
                }
                _ => return Err(lost()),
            };
            if next.offset > target {
                return Err(lost());
            }
            let (agent, m) = self.legal(&s, &name)?;
            path.push(self.game.move_text(&s, m));
            self.game.play(&mut s, agent, m);
            spot = next;
        }
        Ok(Found { path: Some(path), share: 1.0 })
    }

    /// The upper part of the block at the end of a path.
    pub(crate) fn part(&self, path: &[String], depth: u32, most: usize) -> Result<Part, BookError> {
        let index = self.question.book.index();
        let mut look = Look::new(&index, self.question.certificate, self.question.book.text());
        let (s, place) = self.walk(&mut look, path)?;
        let mut sketch = Sketch::new(depth, most);
        let spot = match place {
            Place::At(spot) => spot,
            Place::NotCovered(why) => return Err(BookError::Input(why)),
            Place::Pending => return Err(BookError::NotYet),
        };
        let top = look.resolve(spot)?.ok_or(BookError::NotYet)?.line.spot;
        let claims = look.block(top, true)?.ok_or(BookError::NotYet)?.claims;
        let mut todo = vec![(s.clone(), top, None, 0, String::new())];
        while let Some((s, spot, parent, depth, text)) = todo.pop() {
            if sketch.is_full(depth) {
                let block = look.block(spot, true)?.ok_or(BookError::NotYet)?;
                sketch.cut(parent, depth, text, block.claims);
                continue;
            }
            let line = look.read(spot)?;
            if let Stands::Same(_) = line.stands {
                let found = look.resolve(spot)?.ok_or(BookError::NotYet)?.line.spot;
                let block = look.block(found, false)?;
                let again = block.is_none_or(|block| block.end > spot.offset);
                sketch.reference(parent, depth, text, again);
                continue;
            }
            let claimed = self.claimed(&s, &line)?;
            let number = sketch.claim(parent, depth, text, line.stands.kind());
            let mut others = None;
            let mut after = |spot: Spot, name: &str| {
                let (agent, m) = self.legal(&s, name).map_err(|_| {
                    let name = shown(name);
                    BookError::at(spot.offset, format!("`{name}` is not a legal move here"))
                })?;
                let (mut next, text) = (s.clone(), self.game.move_text(&s, m));
                self.game.play(&mut next, agent, m);
                todo.push((next, spot, Some(number), depth + 1, text));
                Ok::<(), BookError>(())
            };
            match (&line.stands, claimed) {
                (Stands::Plays(name), _) => {
                    after(Spot { offset: line.next, answers: false }, name)?;
                }
                (_, Claimed::Replies(count)) => {
                    let mut spots = Vec::new();
                    let mut spot = Spot { offset: line.next, answers: true };
                    for _ in 0..count {
                        let answer = look.read(spot)?;
                        if matches!(answer.stands, Stands::Others(_)) {
                            others = Some(answer.stands.kind());
                            break;
                        }
                        spots.push((spot, answer.by));
                        spot.offset = look.block(spot, false)?.ok_or(BookError::NotYet)?.end;
                    }
                    for (spot, by) in spots.into_iter().rev() {
                        after(spot, &by)?;
                    }
                }
                _ => {}
            }
            if let Some(kind) = others {
                let (parent, depth, text) = (Some(number), depth + 1, "other moves".to_owned());
                match sketch.is_full(depth) {
                    true => sketch.cut(parent, depth, text, 1),
                    false => drop(sketch.claim(parent, depth, text, kind)),
                }
            }
        }
        Ok(Part {
            proves: words::claims_that(&self.question.header),
            of_max: self.claim.prover == Side::Max,
            position: self.game.draw(&s),
            claims,
            nodes: sketch.nodes,
        })
    }
}

/// A walk over a block in the order of the file.
struct Search<'t, 'q, G: Subject> {
    tree: &'t Tree<'q, G>,
    wanted: AnyState,
    /// The positions whose answers are still to come, how many, and how many moves lead there.
    frames: Vec<(G::State, u64, usize)>,
    /// The moves that lead to the line.
    trail: Vec<String>,
}

impl<G: Subject> Search<'_, '_, G> {
    fn run(
        &mut self,
        start: G::State,
        first: Spot,
        end: u64,
        goes_on: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Found, BookError> {
        let mut cursor = Cursor::streaming(self.tree.question.book.text(), first.offset);
        let length = end.saturating_sub(first.offset).max(1) as f64;
        // The first line may answer a move; that one leads to the start.
        let mut next = Some((start, self.trail.len(), first.answers));
        let mut lines = 0u32;
        loop {
            lines = lines.wrapping_add(1);
            let share = (cursor.offset() - first.offset) as f64 / length;
            if lines.is_multiple_of(TICK) && !goes_on(share.min(1.0)) {
                return Ok(Found { path: None, share: share.min(1.0) });
            }
            let (s, depth, line) = match next.take() {
                Some((s, depth, answers)) => (s, depth, read_line(&mut cursor, answers)?),
                None => match self.answer(&mut cursor)? {
                    Some(answer) => answer,
                    None => return Ok(Found { path: None, share: 1.0 }),
                },
            };
            if self.tree.game.is_at(&s, &self.wanted) {
                self.trail.truncate(depth);
                return Ok(Found { path: Some(self.trail.clone()), share: share.min(1.0) });
            }
            match &line.stands {
                Stands::Plays(name) => {
                    let (after, text) = self.play(&s, name, line.spot.offset)?;
                    self.trail.truncate(depth);
                    self.trail.push(text);
                    next = Some((after, depth + 1, false));
                }
                Stands::Replies(count) => self.frames.push((s, *count, depth)),
                _ => {}
            }
        }
    }

    /// The next line, which answers a move.
    fn answer(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<(G::State, usize, Line)>, BookError> {
        let (s, depth, line) = loop {
            while self.frames.pop_if(|(_, left, _)| *left == 0).is_some() {}
            let Some((s, left, depth)) = self.frames.last_mut() else { return Ok(None) };
            let line = read_line(cursor, true)?;
            // What is covered has no lines of its own to look at.
            if matches!(line.stands, Stands::Others(_)) {
                *left = 0;
                continue;
            }
            *left -= 1;
            break (s.clone(), *depth, line);
        };
        let (after, text) = self.play(&s, &line.by, line.spot.offset)?;
        self.trail.truncate(depth);
        self.trail.push(text);
        Ok(Some((after, depth + 1, line)))
    }

    fn play(&self, s: &G::State, name: &str, offset: u64) -> Result<(G::State, String), BookError> {
        let played = self.tree.legal(s, name);
        let (agent, m) = played.map_err(|e| BookError::at(offset, e.to_string()))?;
        let mut after = s.clone();
        self.tree.game.play(&mut after, agent, m);
        Ok((after, self.tree.game.move_text(s, m)))
    }
}

/// The way on by all moves that have no block.
fn all_others(line: &Line, words: &str) -> Child {
    Child {
        played: OTHER_MOVES.to_owned(),
        san: Some("all other moves".to_owned()),
        kind: Some(line.stands.kind()),
        answer: None,
        answer_san: None,
        size: Some(1),
        weight: None,
        same_as: words.strip_prefix("as ").and_then(|label| label.parse().ok()),
    }
}

/// The label that is looked for, where it is one: `#17`. No game writes a position so.
fn label_in(wanted: &str) -> Option<u64> {
    wanted.strip_prefix('#').and_then(|label| label.parse().ok())
}
