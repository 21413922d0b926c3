//! The strategy of a certificate, as moves of positions.

use std::collections::HashMap;

use foregone_model::certificate::{
    ByReason, CheckError, Header, MAGIC, Reader, check, check_expected,
};
use foregone_model::{Agent, Game, Notation, Side};

use crate::error::Error;

/// What somebody plays, as far as a certificate says it.
pub(super) struct Script<G: Game> {
    moves: HashMap<G::State, G::Move>,
}

impl<G: Notation> Script<G> {
    /// The strategy of the first certificate of a text that is one of opponents of this agent. All
    /// before it are replayed, too.
    pub(super) fn read(game: &G, text: &str, max: Agent) -> Result<Script<G>, Error> {
        let mut strangers = Vec::new();
        for text in certificates(text) {
            let (header, prover, of) = replayed(game, text)?;
            let own = of == game.agent_name(max);
            // Who proves against others is their opponent; of two players, each is the other's.
            let opponents = match prover {
                Side::Min => own,
                Side::Max => !own && game.agents() == 2,
            };
            if !opponents {
                strangers.push(header.prover);
                continue;
            }
            let lines = text.lines().skip_while(|line| !line.is_empty()).skip(1);
            let mut script = Script { moves: HashMap::new() };
            let followed = match &header.expected {
                Some(_) => script.positions(game, lines),
                None => script.tree(game, &header, lines),
            };
            let lost = || Error::input("the certificate of the opponent can't be followed");
            return followed.map(|()| script).ok_or_else(lost);
        }
        let asked = game.agent_name(max);
        Err(match strangers.first() {
            None => Error::input("the certificate of the opponent is empty"),
            Some(whom) => Error::input(format!(
                "the certificate has a strategy of {whom}, and none against {asked}"
            ))
            .help("`--for` asks for another player"),
        })
    }

    /// What is played in a position.
    pub(super) fn get(&self, s: &G::State) -> Option<G::Move> {
        self.moves.get(s).copied()
    }

    /// Lines that name their positions.
    fn positions<'t>(&mut self, game: &G, lines: impl Iterator<Item = &'t str>) -> Option<()> {
        for line in lines {
            let Some((says, place)) = line.split_once(" @ ") else { break };
            let says = says.split(" = ").next().unwrap_or(says);
            if let Some(m) = says.strip_prefix("! ") {
                let s = game.read_position(place).ok()?;
                let m = game.parse_move(&s, m)?;
                self.moves.insert(s, m);
            }
        }
        Some(())
    }

    /// Lines in pre-order, which were replayed already.
    fn tree<'t>(
        &mut self,
        game: &G,
        header: &Header,
        mut lines: impl Iterator<Item = &'t str>,
    ) -> Option<()> {
        // Positions whose line comes next, or that so many answers follow.
        let mut todo = vec![(game.read_position(&header.position).ok()?, None)];
        while let Some((s, answers)) = todo.pop() {
            let mut state = s;
            let mut text = match answers {
                Some(0) => continue,
                _ => lines.next()?,
            };
            if let Some(left) = answers {
                let (m, rest) = text.split_once(": ")?;
                text = rest;
                let mut next = state.clone();
                let m = game.parse_move(&state, m)?;
                game.play(&mut next, game.turn(&state).mover()?, m);
                todo.push((state, Some(left - 1)));
                state = next;
            }
            if text.starts_with('#') {
                text = text.split_once(' ')?.1;
            }
            if let Some(m) = text.strip_prefix("! ") {
                let m = game.parse_move(&state, m)?;
                self.moves.insert(state.clone(), m);
                let agent = game.turn(&state).mover()?;
                game.play(&mut state, agent, m);
                todo.push((state, None));
            } else if let Some(count) = text.strip_prefix("? ") {
                todo.push((state, Some(count.parse::<u64>().ok()?)));
            }
        }
        Some(())
    }
}

/// The certificates of a text, one by one.
fn certificates(text: &str) -> Vec<&str> {
    let mut begins: Vec<usize> = text.match_indices(MAGIC).map(|(at, _)| at).collect();
    begins.retain(|&at| at == 0 || text[..at].ends_with('\n'));
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins.iter().zip(ends).map(|(&begin, end)| &text[begin..end]).collect()
}

/// The header of a certificate that was replayed, who proves, and who is Max.
fn replayed<G: Notation>(game: &G, text: &str) -> Result<(Header, Side, String), Error> {
    let wrong =
        |e: CheckError| Error::input(format!("the certificate of the opponent is refused: {e}"));
    let mut bytes = text.as_bytes();
    let mut reader = Reader::new(&mut bytes);
    let header = reader.header().map_err(wrong)?;
    let header = header.ok_or_else(|| Error::input("the certificate of the opponent is empty"))?;
    let (prover, of) = match &header.expected {
        Some(_) => {
            let proved = check_expected(game, &header, &mut reader).map_err(wrong)?;
            (proved.prover, proved.max)
        }
        None if header.formula.is_none() && header.mixed.is_none() && !header.scores => {
            let proved = check(game, &header, &mut reader, &mut ByReason).map_err(wrong)?;
            (proved.claim.prover, proved.max)
        }
        None => return Err(Error::input("the certificate of the opponent is not about the game")),
    };
    Ok((header, prover, of))
}
