//! Figures in prose: written between marks from the results, and checked everywhere else.
//!
//! A text says what it wants between two marks, and gets it:
//!
//! ```text
//! <!-- figures: collect / filter into Vec / 1000000; sort / u64, stable / 1000000 = a stable sort; worst -->
//! (a table, which this file writes)
//! <!-- /figures -->
//! ```
//!
//! `worst` is the row that filch loses by most to a rival; `summary` alone is the summary in words. What follows ` = ` is the name of the row, but the worst names itself.
//!
//! Outside of such marks, and of code, a figure (a number with a decimal point or a unit) needs a line in `figures.tsv`: file, figure, the file that has it too, and the words that it
//! has. So a constant that changes in the code fails in the text.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{
    page::{pair, thousands, time},
    points::Point,
    verdict::{self, Contest, contests},
};

type Fault = Box<dyn std::error::Error>;

const OPEN: &str = "<!-- figures: ";
const CLOSE: &str = "<!-- /figures -->";
const TABLE: &str = "report/figures.tsv";
/// Where a figure in prose may come from, besides the results: what the program is made of, and what `.ci` compares with each build.
const SOURCES: [&str; 8] = [
    "src/",
    "tests/",
    "compat/",
    "queue/src/",
    "Cargo.toml",
    "benches/instructions.tsv",
    "docs/benchmarks/results.csv",
    "-",
];
const UNITS: [&str; 12] = [
    "ns",
    "µs",
    "us",
    "ms",
    "s",
    "KiB",
    "MiB",
    "GiB",
    "%",
    "instructions",
    "times",
    "bytes",
];

/// README and guide: path in the repository, and text.
pub fn texts(root: &Path) -> Result<Vec<(String, String)>, Fault> {
    let mut names = vec!["README.md".to_string()];
    for entry in fs::read_dir(root.join("docs/guide/src"))? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        if name.ends_with(".md") {
            names.push(format!("docs/guide/src/{name}"));
        }
    }
    names.sort();
    let read = |name: String| Ok((name.clone(), fs::read_to_string(root.join(&name))?));
    names.into_iter().map(read).collect()
}

/// The text with all that is between marks written anew.
pub fn fill(text: &str, points: &[Point]) -> Result<String, Fault> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (wish, after) = after
            .split_once(" -->\n")
            .ok_or("a mark that does not end")?;
        let (_, after) = after
            .split_once(CLOSE)
            .ok_or_else(|| format!("nothing closes the mark of {wish}"))?;
        let granted = grant(wish, points)?;
        filled.push_str(&format!("{before}{OPEN}{wish} -->\n{granted}{CLOSE}"));
        rest = after;
    }
    Ok(filled + rest)
}

fn grant(wish: &str, points: &[Point]) -> Result<String, Fault> {
    if wish == "summary" {
        return Ok(verdict::summary(points) + "\n");
    }
    let mut text = "| | n | sequential | filch | rayon | best other |\n|---|--:|--:|--:|--:|--:|\n"
        .to_string();
    for row in wish.split("; ") {
        let (place, name) = match row.split_once(" = ") {
            Some((place, name)) => (place, Some(name)),
            None => (row, None),
        };
        let contest = match place {
            "worst" => worst(points).ok_or("filch loses nowhere, so there is no worst row")?,
            place => find(place, points).ok_or_else(|| {
                format!("{place} is not in the results; a row is `family / case / n`")
            })?,
        };
        // Which row is the worst changes with the results, and so does its name.
        let own = format!(
            "the worst loss: {}, {}",
            contest.any().family,
            contest.any().case
        );
        let name = if place == "worst" {
            Some(own.as_str())
        } else {
            name
        };
        text.push_str(&line(contest, name));
    }
    Ok(text)
}

/// The row that filch loses by most to a rival.
fn worst(points: &[Point]) -> Option<Contest<'_>> {
    let factor = |contest: &Contest| {
        let (own, rival) = (contest.of("filch")?, contest.lost_to_rival()?);
        Some(own.reading.median / contest.reading(rival).median)
    };
    let lost = contests(points).filter_map(|contest| Some((factor(&contest)?, contest)));
    Some(lost.max_by(|a, b| a.0.total_cmp(&b.0))?.1)
}

fn find<'a>(place: &str, points: &'a [Point]) -> Option<Contest<'a>> {
    let mut parts = place.split(" / ");
    let (family, case) = (parts.next()?, parts.next()?);
    let n: usize = parts.next()?.parse().ok()?;
    let mut found = contests(points).filter(|contest| {
        let point = contest.any();
        point.family == family && point.case == case && point.n == n && contest.is_timed()
    });
    found.next()
}

fn line(contest: Contest<'_>, name: Option<&str>) -> String {
    let point = contest.any();
    let cell = |point: Option<&Point>| point.map_or(String::new(), |point| pair(point.ratio));
    let others = contest.rivals().filter(|rival| rival.contender != "rayon");
    let best = others.min_by(|a, b| {
        contest
            .reading(a)
            .median
            .total_cmp(&contest.reading(b).median)
    });
    let best = best.map_or(String::new(), |rival| {
        format!("{} {}", rival.contender, pair(rival.ratio))
    });
    format!(
        "| {} | {} | {} | {} | {} | {best} |\n",
        name.unwrap_or(&point.case),
        thousands(point.n),
        time(point.reading.min),
        cell(contest.of("filch")),
        cell(contest.of("rayon")),
    )
}

/// What is wrong with the figures of README and guide, a line each.
pub fn faults(root: &Path, points: &[Point]) -> Result<Vec<String>, Fault> {
    let mut faults = Vec::new();
    let run = |p: &Point| (p.machine.clone(), p.cores, p.date.clone());
    let runs: BTreeSet<_> = points.iter().map(run).collect();
    if runs.len() != 1 {
        faults.push(format!(
            "the results are not of one machine and one day: {runs:?}"
        ));
    }
    let table = fs::read_to_string(root.join(TABLE))?;
    let known: Vec<Known> = table
        .lines()
        .skip(1)
        .map(Known::parse)
        .collect::<Result<_, _>>()?;
    let texts = texts(root)?;
    for (name, text) in &texts {
        if fill(text, points)? != *text {
            faults.push(format!(
                "{name}: the figures between marks are not those of docs/benchmarks/results.csv; `cargo run --release -p report -- --draw` writes them"
            ));
        }
        for (line, figure) in figures(text) {
            if !known
                .iter()
                .any(|it| it.file == name && it.figure == figure)
            {
                faults.push(format!(
                    "{name}:{line}: where is {figure} from? A measured figure goes between marks; anything else needs a line in {TABLE}"
                ));
            }
        }
    }
    for it in &known {
        let used = texts.iter().any(|(name, text)| {
            name == it.file && figures(text).iter().any(|(_, figure)| figure == it.figure)
        });
        if !used {
            faults.push(format!(
                "{TABLE}: {} is no longer in {}",
                it.figure, it.file
            ));
        }
        if !SOURCES.iter().any(|source| it.source.starts_with(source)) {
            faults.push(format!("{TABLE}: {} is no source of figures", it.source));
        } else if it.source != "-" {
            let source = fs::read_to_string(root.join(it.source))
                .map_err(|error| format!("{TABLE}: {}: {error}", it.source))?;
            if !source.contains(&it.words) {
                faults.push(format!(
                    "{TABLE}: {} is said in {} for the sake of `{}` in {}, and that is not there",
                    it.figure, it.file, it.words, it.source
                ));
            }
        }
    }
    Ok(faults)
}

/// A line of the table of sources. The source `-` is a figure that is no measurement and no constant: an example, or arithmetic; its words say what.
struct Known<'a> {
    file: &'a str,
    figure: &'a str,
    source: &'a str,
    words: String,
}

impl<'a> Known<'a> {
    fn parse(line: &'a str) -> Result<Self, Fault> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, figure, source, words] = fields[..] else {
            return Err(format!("{TABLE} has a line without four fields: {line}").into());
        };
        if words.is_empty() {
            return Err(format!("{TABLE}: {figure} of {file} has no words").into());
        }
        let words = words.replace("\\t", "\t");
        Ok(Known {
            file,
            figure,
            source,
            words,
        })
    }
}

/// The figures of a text outside of code, comments, links and marks, with their lines, counted from 1.
fn figures(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut in_code, mut between_marks) = (false, false);
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if line.starts_with(OPEN) {
            between_marks = true;
        } else if line.starts_with(CLOSE) {
            between_marks = false;
        }
        if !in_code && !between_marks {
            let words = words(line);
            found.extend(
                in_words(&words)
                    .into_iter()
                    .map(|figure| (index + 1, figure)),
            );
        }
    }
    found
}

/// The words of a line, without code between backticks and targets of links.
fn words(line: &str) -> Vec<String> {
    if line.starts_with('[') && line.contains("]: ") {
        return Vec::new();
    }
    let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let mut plain = String::new();
    let mut parts = outside.split("](");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        plain.push(' ');
        plain.push_str(part.split_once(')').map_or("", |(_, behind)| behind));
    }
    let bare = |word: &str| {
        let edge = |c: char| !c.is_alphanumeric() && c != '%';
        word.trim_matches(edge).to_string()
    };
    plain.split_whitespace().map(bare).collect()
}

fn in_words(words: &[String]) -> Vec<String> {
    let is_number = |word: &str| {
        let digits = word
            .chars()
            .all(|c| c.is_ascii_digit() || c == ',' || c == '.');
        digits && word.starts_with(|c: char| c.is_ascii_digit())
    };
    let unit = |at: usize| words.get(at).filter(|word| UNITS.contains(&word.as_str()));
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let number = word.strip_suffix('%').unwrap_or(word);
        if !is_number(number) {
            continue;
        }
        let range = words
            .get(at + 1)
            .is_some_and(|word| word == "to" || word == "and" || word == "or");
        // "100 to 180 ns" is two figures in nanoseconds.
        let of_range = unit(at + 3).filter(|_| range && is_number(&words[at + 2]));
        if let Some(unit) = unit(at + 1).or(of_range) {
            found.push(format!("{word} {unit}"));
        } else if number.contains('.') || word.ends_with('%') {
            found.push(word.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use suite::measure::Pair;

    fn point(case: &str, contender: &str, time: f64) -> Point {
        let reading = Pair {
            min: time,
            median: time,
        };
        let ratio = Pair {
            min: time / 10.0,
            median: time / 10.0,
        };
        Point {
            machine: "a processor".into(),
            cores: 2,
            date: "2026-01-31".into(),
            family: "sort".into(),
            case: case.into(),
            n: 1000,
            threads: 2,
            contender: contender.into(),
            version: "1".into(),
            unit: "ns".into(),
            reading,
            ratio,
        }
    }

    fn points() -> Vec<Point> {
        let won = [
            ("std", 10.0),
            ("filch", 5.0),
            ("rayon", 20.0),
            ("chili", 30.0),
        ];
        let lost = [
            ("std", 10.0),
            ("filch", 50.0),
            ("rayon", 60.0),
            ("chili", 20.0),
        ];
        let of = |case: &'static str| move |(who, time): (&str, f64)| point(case, who, time);
        won.into_iter()
            .map(of("won"))
            .chain(lost.into_iter().map(of("lost")))
            .collect()
    }

    #[test]
    fn marks_are_filled_and_stay() {
        let text = "before\n<!-- figures: sort / won / 1000 = a name; worst -->\nold\n<!-- /figures -->\nafter";
        let filled = fill(text, &points()).unwrap();
        assert!(filled.contains(
            "| a name | 1,000 | 10.0 ns | 0.50 / 0.50 | 2.00 / 2.00 | chili 3.00 / 3.00 |"
        ));
        assert!(filled.contains(
            "| the worst loss: sort, lost | 1,000 | 10.0 ns | 5.00 / 5.00 | 6.00 / 6.00 | chili 2.00 / 2.00 |"
        ));
        assert!(
            filled.starts_with("before\n")
                && filled.ends_with("\nafter")
                && !filled.contains("old")
        );
        assert_eq!(fill(&filled, &points()).unwrap(), filled);
    }

    #[test]
    fn what_is_not_in_the_results_is_an_error() {
        let text = "<!-- figures: sort / won / 7 -->\n<!-- /figures -->";
        let error = fill(text, &points()).unwrap_err().to_string();
        assert!(
            error.contains("sort / won / 7 is not in the results"),
            "{error}"
        );
    }

    #[test]
    fn figures_are_found_outside_of_code() {
        let text = "It takes 100 to 180 ns, or **1.5** of that (2 %), not `3.5`.\n```\n7.5 ms\n```\n\
                    <!-- figures: worst -->\n| 9.5 |\n<!-- /figures -->\n[see](page-1.5.md) 3 things in 1,000 bytes";
        let found: Vec<(usize, String)> = figures(text);
        let expected = [
            (1, "100 ns"),
            (1, "180 ns"),
            (1, "1.5"),
            (1, "2 %"),
            (8, "1,000 bytes"),
        ];
        assert_eq!(
            found,
            expected.map(|(line, figure)| (line, figure.to_string()))
        );
    }
}
