//! Times, counts and bytes as people write them.

use std::time::Duration;

/// `60s` and the like.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => {
            return Err(format!("`{unit}` is not a unit of time, expected ms, s, m or h"));
        }
    };
    match number.parse::<f64>() {
        Ok(n) if n >= 0.0 && n * scale < 1e9 => Ok(Duration::from_secs_f64(n * scale)),
        _ => Err(format!("`{number}` is not a number of seconds, minutes or hours")),
    }
}

/// `10M` and the like: thousands.
pub fn count(text: &str) -> Result<u64, String> {
    scaled(text, 1000)
}

/// `4G` and the like: in powers of 1024, as memory is counted.
pub fn bytes(text: &str) -> Result<u64, String> {
    let plain = text.strip_suffix("iB").or_else(|| text.strip_suffix('B')).unwrap_or(text);
    scaled(plain, 1024)
}

fn scaled(text: &str, base: u64) -> Result<u64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "" => 1,
        "k" | "K" => base,
        "M" => base.pow(2),
        "G" => base.pow(3),
        "T" => base.pow(4),
        _ => return Err(format!("`{unit}` is not a unit, expected k, M, G or T")),
    };
    match number.parse::<f64>() {
        Ok(n) if n >= 0.0 && n * (scale as f64) < 9e18 => Ok((n * scale as f64) as u64),
        _ => Err(format!("`{number}` is not a number")),
    }
}
