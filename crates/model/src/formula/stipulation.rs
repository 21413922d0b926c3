//! Stipulations of chess problems, as problemists write them: `#3`, `h#2.5`, `s#2`, `ser-h#7`.
//!
//! The formula of each is a class of the library. Popeye's conventions hold: who is to move in the
//! position begins; shorter solutions count; in a series only the last move gives check.

use std::fmt;

/// How both sides play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// The side to move wants the end, the other side does not.
    Direct,
    /// Both want it: the side to move is the one that is mated. With half a move more, the other way
    /// round.
    Help,
    /// The side to move forces the other side to mate it.
    Selfmate,
    /// The same, and both sides must mate wherever they can by one move.
    Reflex,
    /// Both help, until the side to move can force the other side to mate it by its next move.
    HelpSelf,
}

/// What a chess problem asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stipulation {
    /// Whether one side makes all its moves in a row, and the other at most one at the end.
    pub series: bool,
    /// How both sides play.
    pub play: Play,
    /// Whether the end is a stalemate instead of a mate.
    pub stalemate: bool,
    /// How many moves there are.
    pub moves: u32,
    /// Whether there is half a move more, at the beginning, by the other side.
    pub half: bool,
}

/// The signs before `#` and `=`, the longer ones first.
const PLAYS: [(&str, Play); 5] = [
    ("hs", Play::HelpSelf),
    ("h", Play::Help),
    ("s", Play::Selfmate),
    ("r", Play::Reflex),
    ("", Play::Direct),
];

impl Stipulation {
    /// Reads a stipulation, if the text is one. Blanks and capital letters do not matter.
    pub fn read(text: &str) -> Option<Stipulation> {
        let text: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let (series, rest) = match text.strip_prefix("ser-") {
            Some(rest) => (true, rest),
            None => (false, text.as_str()),
        };
        let (&(_, play), rest) = PLAYS.iter().find_map(|p| Some((p, rest.strip_prefix(p.0)?)))?;
        let stalemate = rest.starts_with('=');
        let number = rest.strip_prefix(['#', '='])?;
        let half = [".5", ",5", "½"].iter().find_map(|half| number.strip_suffix(half));
        let digits = half.unwrap_or(number);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let found = Stipulation {
            series,
            play,
            stalemate,
            moves: digits.parse().ok()?,
            half: half.is_some(),
        };
        found.is_known().then_some(found)
    }

    fn is_known(&self) -> bool {
        let helps = matches!(self.play, Play::Help | Play::HelpSelf) && !self.series;
        let ends_in_stalemate =
            !self.series && matches!(self.play, Play::Direct | Play::Help | Play::Selfmate);
        (helps || !self.half)
            && (ends_in_stalemate || !self.stalemate)
            && !(self.series && self.play == Play::HelpSelf)
            && (self.moves > 0 || self.play != Play::HelpSelf)
    }

    /// The formula in the language. A is the side that mates or stalemates, whoever begins.
    pub fn formula(&self) -> String {
        let class = match (self.series, self.play, self.stalemate) {
            (false, Play::Direct, false) => "omega",
            (false, Play::Help, false) => "helpmate",
            (false, Play::Selfmate, false) => "selfmate",
            (false, Play::Reflex, _) => "reflex",
            (_, Play::HelpSelf, _) => "helpself",
            (false, Play::Direct, true) => "drawn",
            (false, Play::Help, true) => "helpdraw",
            (false, Play::Selfmate, true) => "selfdraw",
            (true, Play::Direct, _) => "series",
            (true, Play::Help, _) => "serhelp",
            (true, Play::Selfmate, _) => "serself",
            (true, Play::Reflex, _) => "serreflex",
        };
        let whole = format!("{class}({})", self.moves);
        match (self.series, self.half, self.play) {
            // In a series the other side may be without a move, but not who begins.
            (true, ..) => format!("!stalemate & {whole}"),
            (_, true, Play::HelpSelf) => format!("!over & [A] w | <A>{whole}"),
            (_, true, _) => format!("<A>{whole}"),
            (_, false, _) => whole,
        }
    }

    /// Whether solutions are lines of play, not first moves: both sides help, or one moves alone.
    pub fn has_lines(&self) -> bool {
        self.series || matches!(self.play, Play::Help | Play::HelpSelf)
    }

    /// Whether the end is forced on the other side: then a line is over as soon as it is.
    pub fn is_forced(&self) -> bool {
        !matches!(self.play, Play::Direct | Play::Help)
    }

    /// Whether the side that begins is known by the number of moves alone: problemists then leave it
    /// out, and positions may be written down with the wrong one.
    pub fn begins_with_help(&self) -> bool {
        !self.series && self.has_lines()
    }

    /// What can be done, or cannot, in words: `mover` is the side to move.
    pub fn in_words(&self, mover: &str, other: &str, can: bool) -> String {
        let (n, end) = (self.moves, if self.stalemate { "stalemate" } else { "mate" });
        let half = if self.half { ".5" } else { "" };
        let moves =
            if n == 1 && !self.half { "1 move".to_owned() } else { format!("{n}{half} moves") };
        let can = if can { "can" } else { "cannot" };
        let victim = if self.half { other } else { mover };
        match (self.series, self.play) {
            (false, Play::Direct) => format!("{mover} {can} force {end} within {moves}"),
            (false, Play::Help) => format!(
                "{mover} begins, and both sides together {can} have {victim} {end}d within {moves}"
            ),
            (false, Play::Selfmate) => {
                format!("{mover} {can} force {other} to {end} within {moves}")
            }
            (false, Play::Reflex) => format!(
                "{mover} {can} bring {other} to mate within {moves}, where who can mate must"
            ),
            (_, Play::HelpSelf) => {
                let forced = if self.half { mover } else { other };
                format!(
                    "{mover} begins, and both sides together {can} force {forced} to mate within \
                     {moves}"
                )
            }
            (true, Play::Direct) => format!("{mover} {can} mate by {moves} in a row"),
            (true, Play::Help) => {
                format!("{other} {can} mate after {moves} of {mover} in a row")
            }
            (true, Play::Selfmate) => {
                format!("{mover} {can} force {other} to mate by {moves} in a row")
            }
            (true, Play::Reflex) => {
                format!("{mover} {can} bring {other} to mate by {moves} in a row, who then must")
            }
        }
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let series = if self.series { "ser-" } else { "" };
        let play = PLAYS.iter().find(|p| p.1 == self.play).map_or("", |p| p.0);
        let end = if self.stalemate { '=' } else { '#' };
        let half = if self.half { ".5" } else { "" };
        write!(f, "{series}{play}{end}{}{half}", self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_are_read_as_problemists_write_them() {
        for (text, shown, formula) in [
            ("#3", "#3", "omega(3)"),
            ("# 2", "#2", "omega(2)"),
            ("h#2", "h#2", "helpmate(2)"),
            (" H#2,5\n", "h#2.5", "<A>helpmate(2)"),
            ("h# 2½", "h#2.5", "<A>helpmate(2)"),
            ("s#03", "s#3", "selfmate(3)"),
            ("r#2", "r#2", "reflex(2)"),
            ("hs#3", "hs#3", "helpself(3)"),
            ("hs#2.5", "hs#2.5", "!over & [A] w | <A>helpself(2)"),
            ("=2", "=2", "drawn(2)"),
            ("h=2", "h=2", "helpdraw(2)"),
            ("h=2.5", "h=2.5", "<A>helpdraw(2)"),
            ("s=2", "s=2", "selfdraw(2)"),
            ("ser-#5", "ser-#5", "!stalemate & series(5)"),
            ("ser-h#5", "ser-h#5", "!stalemate & serhelp(5)"),
            ("Ser-s#5", "ser-s#5", "!stalemate & serself(5)"),
            ("ser-r#5", "ser-r#5", "!stalemate & serreflex(5)"),
        ] {
            let read = Stipulation::read(text);
            assert_eq!(read.map(|s| s.to_string()).as_deref(), Some(shown), "{text}");
            assert_eq!(read.map(|s| s.formula()).as_deref(), Some(formula), "{text}");
        }
        for text in [
            "",
            "#",
            "#x",
            "#+2",
            "#-1",
            "#2.5",
            "s#2.5",
            "r=2",
            "hs=2",
            "hs#0",
            "ser-hs#2",
            "h#",
            "#2 3x",
            "ser-h#2.5",
            "ser-=2",
            "x#2",
            "omega(2)",
            "#4294967296",
        ] {
            assert_eq!(Stipulation::read(text), None, "{text}");
        }
    }
}
