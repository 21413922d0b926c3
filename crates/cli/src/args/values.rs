//! Times, counts and bytes as people write them.

use std::time::Duration;

/// `60s`, `1h30m` and the like; a plain number counts seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    if text.starts_with('-') {
        return Err("a time must be at least 0".to_owned());
    }
    let (mut seconds, mut rest) = (0.0, text);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_alphabetic()).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(digits);
        let letters = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(letters);
        let Ok(number) = number.parse::<f64>() else {
            return Err(format!("`{text}` is not a time such as 500ms, 60s, 10m or 1h30m"));
        };
        seconds += number
            * match unit {
                "ms" => 0.001,
                "s" | "sec" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86_400.0,
                "" if rest == text => 1.0,
                "" => return Err(format!("`{number}` has no unit, expected ms, s, m, h or d")),
                _ => return Err(format!("`{unit}` is not a unit of time: ms, s, m, h or d")),
            };
        rest = behind;
    }
    match text.is_empty() || seconds >= LONGEST {
        true => Err(format!("`{text}` is not a time such as 500ms, 60s, 10m or 1h30m")),
        false => Ok(Duration::from_secs_f64(seconds)),
    }
}

/// Nobody waits for so many seconds: about thirty years.
const LONGEST: f64 = 1e9;

/// `10M`, `1e6` and the like: thousands.
pub fn count(text: &str) -> Result<u64, String> {
    scaled(text, 1000)
}

/// `4G` and the like: in powers of 1024, as memory is counted.
pub fn bytes(text: &str) -> Result<u64, String> {
    let small = text.to_ascii_lowercase();
    let plain = small.strip_suffix("ib").or_else(|| small.strip_suffix('b')).unwrap_or(&small);
    scaled(plain, 1024).map_err(|message| message.replace(plain, text))
}

fn scaled(text: &str, base: u64) -> Result<u64, String> {
    let number = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = &text[number.len()..];
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" => 1,
        "k" => base,
        "m" => base.pow(2),
        "g" => base.pow(3),
        "t" => base.pow(4),
        _ if number.is_empty() => return Err(format!("`{text}` is not a number")),
        _ => return Err(format!("`{unit}` is not a unit: k, M, G or T")),
    };
    match number.parse::<f64>().map(|n| n * scale as f64) {
        Ok(n) if n < 0.0 => Err("it must be at least 0".to_owned()),
        Ok(n) if n >= 9e18 => Err(format!("`{text}` is too large a number")),
        Ok(n) if n.fract() == 0.0 => Ok(n as u64),
        Ok(_) => Err(format!("`{text}` is not a whole number")),
        Err(_) => Err(format!("`{text}` is not a number such as 500k, 10M or 1e6")),
    }
}

/// A whole number from `LEAST` to `MOST`.
pub fn whole<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    match text.parse::<i128>() {
        Ok(n) if n < i128::from(LEAST) => Err(format!("it must be at least {LEAST}")),
        Ok(n) if n > i128::from(MOST) => Err(format!("it must be at most {MOST}")),
        Ok(n) => u32::try_from(n).map_err(|e| e.to_string()),
        Err(_) => Err(format!("`{text}` is not a whole number")),
    }
}

/// The number of a port.
pub fn port(text: &str) -> Result<u16, String> {
    whole::<0, 65_535>(text).and_then(|n| u16::try_from(n).map_err(|e| e.to_string()))
}

/// A whole number.
pub fn seed(text: &str) -> Result<u64, String> {
    match text.parse::<i128>() {
        Ok(n) if n < 0 => Err("it must be at least 0".to_owned()),
        Ok(n) => u64::try_from(n).map_err(|_| format!("it must be at most {}", u64::MAX)),
        Err(_) => Err(format!("`{text}` is not a whole number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("0", 0.0),
            ("90", 90.0),
            ("1.5", 1.5),
            ("500ms", 0.5),
            ("10m", 600.0),
            ("1h30m", 5400.0),
            ("1h30m5s", 5405.0),
            ("1.5h", 5400.0),
            ("2d", 172_800.0),
        ] {
            assert_eq!(duration(text).map(|t| t.as_secs_f64()), Ok(seconds), "{text}");
        }
        for (text, message) in [
            ("-3", "a time must be at least 0"),
            ("-3s", "a time must be at least 0"),
            ("", "`` is not a time such as"),
            ("s", "`s` is not a time such as"),
            ("1h30", "`30` has no unit"),
            ("10 parsecs", "`10 parsecs` is not a time"),
            ("10parsecs", "`parsecs` is not a unit of time"),
            ("1e99s", "`e` is not a unit of time"),
            ("9999999999", "`9999999999` is not a time"),
        ] {
            let error = duration(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }

    #[test]
    fn counts_are_whole() {
        for (text, n) in [
            ("0", 0),
            ("7", 7),
            ("1e6", 1_000_000),
            ("10M", 10_000_000),
            ("10m", 10_000_000),
            ("1.5k", 1500),
        ] {
            assert_eq!(count(text), Ok(n), "{text}");
        }
        for (text, n) in [("1k", 1 << 10), ("4G", 4 << 30), ("4GB", 4 << 30), ("4gib", 4 << 30)] {
            assert_eq!(bytes(text), Ok(n), "{text}");
        }
        for (text, message) in [
            ("-3", "it must be at least 0"),
            ("1.5", "`1.5` is not a whole number"),
            ("inf", "`inf` is not a number"),
            ("many", "`many` is not a number"),
            ("3x", "`x` is not a unit"),
            ("1e30", "`1e30` is too large"),
        ] {
            let error = count(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        assert_eq!(whole::<1, 9>("0"), Err("it must be at least 1".to_owned()));
        assert_eq!(whole::<1, 9>("-3"), Err("it must be at least 1".to_owned()));
        assert_eq!(whole::<1, 9>("10"), Err("it must be at most 9".to_owned()));
        assert_eq!(whole::<1, 9>("9"), Ok(9));
    }
}

/// When it is shown how far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressWhen {
    /// A live line on a terminal, unless the answer is for a program; a line a minute elsewhere.
    Auto,
    /// The same, whoever the answer is for.
    Always,
    /// Not at all.
    Never,
    /// A line each so often.
    Every(Duration),
}

/// `auto`, `always`, `never` or a time.
pub fn progress(text: &str) -> Result<ProgressWhen, String> {
    match text {
        "auto" => Ok(ProgressWhen::Auto),
        "always" => Ok(ProgressWhen::Always),
        "never" => Ok(ProgressWhen::Never),
        time => match duration(time) {
            Ok(time) => Ok(ProgressWhen::Every(time)),
            Err(_) => Err("expected auto, always, never or a time such as 10s".to_owned()),
        },
    }
}
