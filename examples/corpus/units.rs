//! Sizes and times as people write them.

use std::time::Duration;

const SUFFIXES: [char; 4] = ['K', 'M', 'G', 'T'];

/// Reads `4096`, `64M`, `64MiB` and the like; a suffix counts in powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at(digits);
    let suffix = suffix.to_ascii_uppercase();
    let letter = suffix
        .strip_suffix("IB")
        .or(suffix.strip_suffix('B'))
        .unwrap_or(&suffix);
    let power = match letter.chars().next() {
        None => 0,
        Some(first) if letter.len() == 1 => match SUFFIXES.iter().position(|&s| s == first) {
            Some(at) => at as u32 + 1,
            None => return Err(expected()),
        },
        Some(_) => return Err(expected()),
    };
    let number: u64 = number.parse().map_err(|_| expected())?;
    number
        .checked_mul(1024u64.pow(power))
        .ok_or_else(|| "more bytes than a computer counts; 16777215T is the most".to_owned())
}

fn expected() -> String {
    "expected a number of bytes, such as 4096, 64M or 2G".to_owned()
}

/// Writes a number of bytes in the largest unit that leaves a whole part.
pub fn bytes(number: u64) -> String {
    if number < 1024 {
        return format!("{number} B");
    }
    let mut value = number as f64;
    let mut unit = ' ';
    for suffix in SUFFIXES {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = suffix;
    }
    format!("{value:.1} {unit}iB")
}

/// Writes a count with its thousands apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a time in milliseconds.
pub fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// How much of `amount` a second has room for, if `amount` took `time`. `None` where that says nothing: if there is nothing, or the clock is too coarse to
/// see the work.
pub fn per_second(amount: u64, time: Duration) -> Option<u64> {
    let measured = amount > 0 && !time.is_zero();
    measured.then(|| (amount as f64 / time.as_secs_f64()) as u64)
}
