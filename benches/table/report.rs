//! How a row looks, and when it is a losing one.

use suite::measure::Pair;

/// Begins a line that says that a row loses.
pub const LOSING: char = '\u{1}';

/// Begins a line that says that a row loses by its minimum or its median alone,
/// or that it is noisy.
pub const DOUBTFUL: char = '\u{2}';

#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    Text,
    Markdown,
}

impl Format {
    /// What stands above the rows for `threads` threads.
    pub fn header(self, threads: usize) -> String {
        let names = self.line("", "std", &["filch", "rayon", "chili", "orx"], "goal", "");
        let rule = match self {
            Format::Text => String::new(),
            Format::Markdown => "\n|---|---|---|---|---|---|---|---|".to_string(),
        };
        format!("\n## {threads} threads\n\n{names}{rule}")
    }

    pub fn line(
        self,
        name: &str,
        std: &str,
        cells: &[&str; 4],
        goal: &str,
        remark: &str,
    ) -> String {
        let [ours, rayon, chili, orx] = cells;
        match self {
            Format::Text => format!(
                "{name:<44} {std:>9} {ours:>13} {rayon:>13} {chili:>13} {orx:>13} {goal:>9}  {remark}"
            )
            .trim_end()
            .to_string(),
            Format::Markdown => {
                format!("| {name} | {std} | {ours} | {rayon} | {chili} | {orx} | {goal} | {remark} |")
            }
        }
    }
}

/// `minimum/median`, with about three digits each.
pub fn cell(pair: Pair) -> String {
    let digits = |x: f64| match x.abs() {
        x if x < 10.0 => 2,
        x if x < 100.0 => 1,
        _ => 0,
    };
    let show = |x: f64| format!("{x:.*}", digits(x));
    format!("{}/{}", show(pair.min), show(pair.median))
}

/// `text` if both numbers are above their limits, `text?` if one is.
pub fn remark_above(pair: Pair, limit: Pair, text: &str) -> Option<String> {
    match (pair.min > limit.min, pair.median > limit.median) {
        (true, true) => Some(text.to_string()),
        (false, false) => None,
        _ => Some(format!("{text}?")),
    }
}

/// A time in the unit that suits it.
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e3 => format!("{t:.1} ns"),
        t if t < 1e6 => format!("{:.1} us", t / 1e3),
        t => format!("{:.2} ms", t / 1e6),
    }
}
