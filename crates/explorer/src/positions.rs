//! What lines about positions say, by the rules: of games in turn, with chance or of many players, and
//! of joint moves.

use foregone_games::erased::{AnyMove, AnyState, Erased};
use foregone_games::erased_joint::ErasedJoint;
use foregone_proof::certificate::{Arithmetic, Header, Worth, shown};
use foregone_proof::ratio::{Big, Ratio, whole};
use foregone_proof::{Agent, Game, Joint, JointNotation, Notation, Side, Turn, Viewpoint};

use crate::data::{BookError, NodeKind, View};
use crate::line::number;
use crate::look::no_move;
use crate::subject::Subject;
use crate::words;

/// A weight has at most so many digits, as the checker reads them.
const MOST_DIGITS: usize = 200;

/// What a line says of its position.
pub(crate) struct Says {
    pub(crate) kind: NodeKind,
    pub(crate) sentence: String,
    pub(crate) bound: Option<String>,
    /// The ways on that the strategy covers. Of a move of the prover it is the first one.
    pub(crate) ways: Vec<Way>,
}

impl Says {
    pub(crate) fn covers(&self, word: &str) -> bool {
        self.ways.iter().any(|way| way.played == word)
    }
}

/// A way on.
pub(crate) struct Way {
    pub(crate) played: String,
    pub(crate) san: Option<String>,
    pub(crate) weight: Option<String>,
}

/// Games whose certificates speak of positions.
pub(crate) trait Positions {
    type State: Clone;
    /// What the header says, in the words of the game.
    type Setting;

    fn setting(&self, header: &Header) -> Result<Self::Setting, String>;
    fn of_max(&self, setting: &Self::Setting) -> bool;
    fn read(&self, text: &str) -> Result<Self::State, String>;
    fn text(&self, s: &Self::State) -> String;
    fn drawing(&self, s: &Self::State) -> String;
    /// The outcome, if it is over.
    fn over(&self, s: &Self::State) -> Option<String>;
    fn to_move(&self, s: &Self::State) -> Option<String>;
    fn view(&self, s: &Self::State) -> View;
    /// The position behind a legal move.
    fn play(&self, s: &Self::State, word: &str) -> Result<Self::State, BookError>;
    /// What the words before ` @ ` say of a position that is not over.
    fn says(&self, setting: &Self::Setting, s: &Self::State, words: &str) -> Result<Says, String>;
}

/// The setting of a game in turn.
pub(crate) struct InTurn {
    /// Where every player's score is claimed, there are no sides.
    scores: bool,
    view: Viewpoint,
    prover: Side,
    opponent_known: bool,
    /// Of bounds that stand in the file: a multiple of two to the minus this, and so many payoffs make
    /// a point.
    bounds: Option<(u32, i64)>,
}

/// A legal move, as it is written.
fn legal(game: &Erased, s: &AnyState, moves: &[AnyMove], name: &str) -> Result<AnyMove, String> {
    let m = game.parse_move(s, name).filter(|m| moves.contains(m));
    m.ok_or_else(|| format!("`{}` is not a legal move here", shown(name)))
}

fn way(game: &Erased, s: &AnyState, m: AnyMove, weight: Option<String>) -> Way {
    Way { played: game.move_text(s, m), san: game.san(s, m), weight }
}

/// Weights as fractions of their sum.
fn fractions(weights: &[Big]) -> Vec<Option<String>> {
    let sum: Big = weights.iter().fold(Big::ZERO, |sum, weight| sum + weight);
    let part = |weight: &Big| {
        let positive = sum > Big::ZERO;
        positive.then(|| short(&Ratio::from_parts_signed(weight.clone(), sum.clone())))
    };
    weights.iter().map(part).collect()
}

/// A fraction, or about what it is if that is too long to be read.
pub(crate) fn short(ratio: &Ratio) -> String {
    const READABLE: usize = 24;
    let text = ratio.to_string();
    if text.len() <= READABLE { text } else { format!("{:.6}", ratio.to_f64().value()) }
}

/// Pairs of a move and its weight, all with blanks between them.
fn weights<M: Copy + PartialEq>(
    text: &str,
    mut legal: impl FnMut(&str) -> Result<M, String>,
) -> Result<Vec<(M, Big)>, String> {
    let mut found: Vec<(M, Big)> = Vec::new();
    let mut words = text.split(' ');
    while let Some(word) = words.next() {
        let m = legal(word)?;
        if found.iter().any(|(other, _)| *other == m) {
            return Err(format!("`{}` has a weight already", shown(word)));
        }
        let plain = |text: &&str| text.len() <= MOST_DIGITS && !text.starts_with('0');
        let weight = words.next().filter(plain).and_then(whole);
        found.push((m, weight.ok_or("expected a weight above 0 behind the move")?));
    }
    Ok(found)
}

impl Positions for Erased {
    type State = AnyState;
    type Setting = InTurn;

    fn setting(&self, header: &Header) -> Result<InTurn, String> {
        let agent = match &header.max {
            None => Agent::FIRST,
            Some(name) => {
                let mut agents = (1..self.agents()).map(Agent);
                let found = agents.find(|&agent| self.agent_name(agent) == name);
                found.ok_or_else(|| format!("`{}` is not an agent here", shown(name)))?
            }
        };
        let bounds = match header.expected {
            Some(expected) if expected.leak.is_some() => {
                let worth = Worth::new(self, agent).ok_or("the scores are too large")?;
                let worth = match expected.draw {
                    None => worth,
                    Some(draw) => worth.with_draw(draw).ok_or("expected no `draw` here")?,
                };
                match expected.arithmetic {
                    Arithmetic::Rounded(bits) => Some((bits, worth.unit())),
                    Arithmetic::Exact => None,
                }
            }
            _ => None,
        };
        Ok(InTurn {
            scores: header.scores,
            view: Viewpoint::new(self, agent),
            prover: if header.relation == "at-most" { Side::Min } else { Side::Max },
            opponent_known: header.relation == "exactly",
            bounds,
        })
    }

    fn of_max(&self, setting: &InTurn) -> bool {
        setting.prover == Side::Max
    }

    fn read(&self, text: &str) -> Result<AnyState, String> {
        self.read_position(text).map_err(|e| e.message)
    }

    fn text(&self, s: &AnyState) -> String {
        self.position_text(s)
    }

    fn drawing(&self, s: &AnyState) -> String {
        self.draw(s)
    }

    fn over(&self, s: &AnyState) -> Option<String> {
        (self.turn(s) == Turn::Over).then(|| self.scale().name(self.outcome(s)).to_owned())
    }

    fn to_move(&self, s: &AnyState) -> Option<String> {
        self.chooser(s)
    }

    fn view(&self, s: &AnyState) -> View {
        Subject::view(self, s)
    }

    fn play(&self, s: &AnyState, word: &str) -> Result<AnyState, BookError> {
        let agent = self.turn(s).mover().ok_or_else(|| no_move(word, true))?;
        let mut moves = Vec::new();
        self.moves(s, agent, &mut moves);
        let m = legal(self, s, &moves, word).map_err(|_| no_move(word, false))?;
        let mut next = s.clone();
        Game::play(self, &mut next, agent, m);
        Ok(next)
    }

    fn says(&self, setting: &InTurn, s: &AnyState, text: &str) -> Result<Says, String> {
        let Some(agent) = self.turn(s).mover() else {
            return Err("the game is over here, nobody moves".to_owned());
        };
        let mut moves = Vec::new();
        self.moves(s, agent, &mut moves);
        let who = self.agent_name(agent);
        if setting.scores {
            let m = legal(self, s, &moves, text)?;
            let sentence = format!("{who} {}, the first of its best moves", self.deed(s, m));
            // The others are covered, too: they are shown to be no better.
            let others = moves.iter().copied().filter(|&other| other != m);
            let ways = std::iter::once(m).chain(others).map(|m| way(self, s, m, None)).collect();
            return Ok(Says { kind: NodeKind::Plays, sentence, bound: None, ways });
        }
        let (text, bound) = match setting.bounds {
            None => (text, None),
            Some((bits, unit)) => {
                let split = text.rsplit_once(" = ");
                let (text, bound) = split.ok_or("expected a bound, `= NUMBER @ POSITION`")?;
                (text, Some(points(bound, bits, unit)?))
            }
        };
        let own = agent != Agent::CHANCE && setting.view.side(agent) == setting.prover;
        let (sign, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (kind, sentence, ways) = match sign {
            "!" if own => {
                let m = legal(self, s, &moves, rest)?;
                let best = if setting.opponent_known { ", its best response" } else { "" };
                let mut listed = vec![m];
                if setting.opponent_known {
                    listed.extend(moves.iter().copied().filter(|&other| other != m));
                }
                let ways = listed.into_iter().map(|m| way(self, s, m, None)).collect();
                (NodeKind::Plays, format!("{who} {}{best}", self.deed(s, m)), ways)
            }
            "?" if !own && (agent == Agent::CHANCE || !setting.opponent_known) => {
                if number(rest.as_bytes()) != Some(moves.len() as u64) {
                    return Err(format!(
                        "expected `? {}`, as many as there are moves",
                        moves.len()
                    ));
                }
                all_moves(self, s, agent, &moves)
            }
            "~" if !own && agent != Agent::CHANCE && setting.opponent_known => {
                let listed = weights(rest, |name| legal(self, s, &moves, name))?;
                let parts = fractions(&listed.iter().map(|(_, w)| w.clone()).collect::<Vec<_>>());
                let ways = listed.iter().zip(parts).map(|((m, _), part)| way(self, s, *m, part));
                let sentence = format!("{who} plays as it is known to, one of {}", listed.len());
                (NodeKind::Opponent, sentence, ways.collect())
            }
            _ => return Err("this line does not fit who is to move here".to_owned()),
        };
        Ok(Says { kind, sentence, bound, ways })
    }
}

/// What a bound of the file is in points.
fn points(text: &str, bits: u32, unit: i64) -> Result<String, String> {
    let bound: i128 = text.parse().map_err(|_| "expected a whole number behind `=`".to_owned())?;
    let unit = Big::from(unit.max(1)) << bits.min(128) as usize;
    Ok(short(&Ratio::from_parts_signed(Big::from(bound), unit)))
}

/// All moves of the opponent, or all that chance may do with how likely it is.
fn all_moves(
    game: &Erased,
    s: &AnyState,
    agent: Agent,
    moves: &[AnyMove],
) -> (NodeKind, String, Vec<Way>) {
    let count = words::moves(moves.len());
    if agent != Agent::CHANCE {
        let ways = moves.iter().map(|&m| way(game, s, m, None)).collect();
        let sentence = format!("{} has {count}, the worst counts", game.agent_name(agent));
        return (NodeKind::Replies, sentence, ways);
    }
    let listed: Vec<Big> = moves.iter().map(|&m| Big::from(game.weight(s, m))).collect();
    let parts = fractions(&listed).into_iter();
    let ways = moves.iter().zip(parts).map(|(&m, part)| way(game, s, m, part)).collect();
    (NodeKind::Chance, format!("chance has {count}, their mean counts"), ways)
}

impl Positions for ErasedJoint {
    type State = AnyState;
    /// Whose strategy it is.
    type Setting = Side;

    fn setting(&self, header: &Header) -> Result<Side, String> {
        match self.players().iter().position(|player| *player == header.prover) {
            Some(0) => Ok(Side::Max),
            Some(_) => Ok(Side::Min),
            None => Err(format!("`{}` is not a player of this game", shown(&header.prover))),
        }
    }

    fn of_max(&self, prover: &Side) -> bool {
        *prover == Side::Max
    }

    fn read(&self, text: &str) -> Result<AnyState, String> {
        self.read_position(text).map_err(|e| e.message)
    }

    fn text(&self, s: &AnyState) -> String {
        self.position_text(s)
    }

    fn drawing(&self, s: &AnyState) -> String {
        self.draw(s)
    }

    fn over(&self, s: &AnyState) -> Option<String> {
        let points =
            |payoff| Ratio::from_parts_signed(Big::from(payoff), Big::from(self.unit().max(1)));
        self.payoff(s).map(|payoff| points(payoff).to_string())
    }

    fn to_move(&self, _s: &AnyState) -> Option<String> {
        None
    }

    fn view(&self, s: &AnyState) -> View {
        let over = Positions::over(self, s);
        let texts = |side: Side| {
            let mut moves = Vec::new();
            if over.is_none() {
                self.moves(s, side, &mut moves);
            }
            moves.iter().map(|&m| self.move_text(s, side, m)).collect::<Vec<_>>()
        };
        let moves = vec![texts(Side::Max), texts(Side::Min)];
        View {
            position: self.position_text(s),
            to_move: None,
            usual: vec![None; moves[0].len()],
            scene: self.scene(s),
            moves,
            over,
        }
    }

    fn play(&self, s: &AnyState, word: &str) -> Result<AnyState, BookError> {
        if self.payoff(s).is_some() {
            return Err(no_move(word, true));
        }
        let (max, min) = word.split_once('/').ok_or_else(|| no_move(word, false))?;
        let legal = |side: Side, name: &str| {
            let mut moves = Vec::new();
            self.moves(s, side, &mut moves);
            let m = self.parse_move(s, side, name).filter(|m| moves.contains(m));
            m.ok_or_else(|| no_move(word, false))
        };
        let (max, min) = (legal(Side::Max, max)?, legal(Side::Min, min)?);
        let mut next = s.clone();
        Joint::play(self, &mut next, max, min);
        Ok(next)
    }

    fn says(&self, prover: &Side, s: &AnyState, text: &str) -> Result<Says, String> {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        self.moves(s, *prover, &mut own);
        self.moves(s, prover.other(), &mut others);
        let mix = weights(text, |name| {
            let m = self.parse_move(s, *prover, name).filter(|m| own.contains(m));
            m.ok_or_else(|| format!("`{}` is not a legal move here", shown(name)))
        })?;
        let parts = fractions(&mix.iter().map(|(_, weight)| weight.clone()).collect::<Vec<_>>());
        let mut ways = Vec::with_capacity(mix.len().saturating_mul(others.len()));
        for ((m, _), part) in mix.iter().zip(&parts) {
            let mine = self.move_text(s, *prover, *m);
            for &other in &others {
                let theirs = self.move_text(s, prover.other(), other);
                let played = match prover {
                    Side::Max => format!("{mine}/{theirs}"),
                    Side::Min => format!("{theirs}/{mine}"),
                };
                ways.push(Way { played, san: None, weight: part.clone() });
            }
        }
        let who = self.players()[prover.index()];
        let sentence = match &mix[..] {
            [(m, _)] => format!("{who} plays {}", self.move_text(s, *prover, *m)),
            _ => {
                let part = |((m, _), part): (&(AnyMove, Big), &Option<String>)| {
                    let often = part.as_deref().unwrap_or("?");
                    format!("{} {often}", self.move_text(s, *prover, *m))
                };
                let mixed: Vec<String> = mix.iter().zip(&parts).take(8).map(part).collect();
                let more = if mix.len() > mixed.len() { ", …" } else { "" };
                format!("{who} mixes {}{more}", mixed.join(", "))
            }
        };
        Ok(Says { kind: NodeKind::Mixes, sentence, bound: None, ways })
    }
}
