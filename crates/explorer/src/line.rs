//! A line of a certificate: what it says, before the rules are asked.

/// What a claim of a proof in turn says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says<'t> {
    /// It is over as claimed.
    Over,
    /// The prover plays this.
    Plays(&'t [u8]),
    /// So many blocks follow.
    Replies(u64),
    /// It is the claim with this label.
    Same(u64),
    /// Knowledge, for a reason.
    Known(&'t [u8]),
    /// The last block below `? N`: these words answer all moves that have none.
    Others(&'t [u8]),
}

/// A line of a proof in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClaimLine<'t> {
    /// The move that the block answers.
    pub(crate) by: Option<&'t [u8]>,
    pub(crate) label: Option<u64>,
    pub(crate) says: Says<'t>,
}

/// Reads a line. `answers` says whether it is the first one of a block below `? N`.
#[inline]
pub(crate) fn read(line: &[u8], answers: bool) -> Result<ClaimLine<'_>, &'static str> {
    let (mut by, mut label, mut rest) = (None, None, line);
    if answers {
        let colon = line.iter().position(|&b| b == b':');
        let colon = colon.filter(|&at| line.get(at + 1) == Some(&b' '));
        let colon = colon.ok_or("expected `MOVE: …`, an answer")?;
        by = Some(&line[..colon]);
        rest = &line[colon + 2..];
        if by == Some(b"*") && matches!(rest, [b'b', b'y', b' ', ..] | [b'a', b's', b' ', ..]) {
            return Ok(ClaimLine { by, label, says: Says::Others(rest) });
        }
    }
    if let Some(text) = rest.strip_prefix(b"#").or(rest.strip_prefix(b"@")) {
        let end = text.iter().position(|&b| b == b' ').unwrap_or(text.len());
        label = Some(number(&text[..end]).ok_or("expected a number behind `#`")?);
        rest = text.get(end + 1..).unwrap_or_default();
    }
    let says = match rest {
        b"." => Says::Over,
        [b'!', b' ', played @ ..] => Says::Plays(played),
        [b'?', b' ', count @ ..] => match number(count) {
            Some(count) if count > 0 => Says::Replies(count),
            _ => return Err("expected the number of moves behind `?`"),
        },
        [b'=', b' ', k @ ..] => Says::Same(number(k).ok_or("expected a number behind `=`")?),
        [b'b', b'y', b' ', words @ ..] => Says::Known(words),
        _ => return Err("expected `.`, `! MOVE`, `? N`, `= K` or `by RULE REASON`"),
    };
    Ok(ClaimLine { by, label, says })
}

/// A number as the format writes it: digits, no sign, no leading zero.
#[inline]
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    if text.is_empty() || (text[0] == b'0' && text.len() > 1) {
        return None;
    }
    let digit = |sum: u64, &b: &u8| {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 { None } else { sum.checked_mul(10)?.checked_add(u64::from(digit)) }
    };
    text.iter().try_fold(0, digit)
}

/// A line `SAYS @ POSITION`; nothing if it is no such line.
pub(crate) fn keyed(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.windows(3).position(|w| w == b" @ ")?;
    Some((&line[..at], &line[at + 3..]))
}

/// The number of claims that a line `end CLAIMS CHECKSUM` states.
pub(crate) fn end(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(b"end ")?;
    number(&rest[..rest.iter().position(|&b| b == b' ')?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_checker_reads_them() {
        let plain = |text| read(text, false).unwrap();
        assert_eq!(plain(b".").says, Says::Over);
        assert_eq!(plain(b"#12 ! a1").label, Some(12));
        assert_eq!(plain(b"#12 ! a1").says, Says::Plays(b"a1"));
        assert_eq!(plain(b"by rule a: b #3 x").says, Says::Known(b"rule a: b #3 x"));
        let answer = read(b"b2: #0 = 7", true).unwrap();
        assert_eq!((answer.by, answer.label), (Some(&b"b2"[..]), Some(0)));
        assert_eq!(answer.says, Says::Same(7));
        let marked = read(b"b2: @3 ? 2", true).unwrap();
        assert_eq!((marked.label, marked.says), (Some(3), Says::Replies(2)));
        assert_eq!(read(b"*: as 3", true).unwrap().says, Says::Others(b"as 3"));
        assert_eq!(read(b"*: by rule x", true).unwrap().says, Says::Others(b"by rule x"));
        assert_eq!(read(b"*: ! a1", true).unwrap().by, Some(&b"*"[..]));
        for wrong in [&b""[..], b"! ", b"?", b"? 0", b"? 01", b"= x", b"#7", b"# .", b"by", b". "] {
            let empty = wrong == b"! ";
            assert_eq!(read(wrong, false).is_err(), !empty, "{wrong:?}");
        }
        for wrong in [&b"."[..], b"a:.", b"a :.", b":"] {
            assert!(read(wrong, true).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn numbers_have_no_zeros_in_front_and_fit() {
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        for wrong in [&b""[..], b"00", b"-1", b"+1", b"18446744073709551616", b"1 "] {
            assert_eq!(number(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_position_may_hold_the_sign_of_places_again() {
        assert_eq!(keyed(b"1 2 @ a @ b"), Some((&b"1 2"[..], &b"a @ b"[..])));
        assert_eq!(keyed(b"end 3 0123"), None);
        assert_eq!(end(b"end 3 0123"), Some(3));
    }
}
