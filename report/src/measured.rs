//! Work and span in the documentation of the algorithms: what `docs/benchmarks/work_span.tsv` says, which the example `work_span` writes.
//!
//! A mark is a line of a doc comment, `<!-- measured: CASE -->`; the line after it is written here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

type Fault = Box<dyn std::error::Error>;

/// Where the figures are.
const TABLE: &str = "docs/benchmarks/work_span.tsv";
const MARK: &str = "<!-- measured: ";

/// What was measured of one case.
pub struct Case {
    is_algorithm: bool,
    name: String,
    /// What it was measured on.
    of: String,
    /// Work, and span as the iterators cut, in nanoseconds.
    times: [f64; 2],
}

/// All cases that were measured.
pub fn read(root: &Path) -> Result<Vec<Case>, Fault> {
    parse(&fs::read_to_string(root.join(TABLE))?)
}

fn parse(table: &str) -> Result<Vec<Case>, Fault> {
    let mut lines = table.lines();
    let head: Vec<_> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let at = head.iter().position(|&column| column == name);
        at.ok_or_else(|| format!("{TABLE} has no column `{name}`"))
    };
    let [kind, case, of, work, span] = [
        column("kind")?,
        column("case")?,
        column("of")?,
        column("work")?,
        column("span as cut")?,
    ];
    lines
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            if fields.len() != head.len() {
                return Err(format!("{TABLE}: {} fields in `{line}`", fields.len()).into());
            }
            Ok(Case {
                is_algorithm: fields[kind] == "algorithm",
                name: fields[case].into(),
                of: fields[of].into(),
                times: [fields[work].parse()?, fields[span].parse()?],
            })
        })
        .collect()
}

impl Case {
    fn sentence(&self) -> String {
        let [work, span] = self.times;
        let name = self.name.split(',').next().unwrap_or_default();
        format!(
            "Measured, `{name}` of {}: work {}, span {}, so up to {} threads can be of use.",
            self.of,
            time(work),
            time(span),
            rounded((work / span.max(1.0)).max(1.0)),
        )
    }
}

/// A time with two digits.
fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{} ns", rounded(ns)),
        ..1e6 => format!("{} µs", rounded(ns / 1e3)),
        ..1e9 => format!("{} ms", rounded(ns / 1e6)),
        _ => format!("{} s", rounded(ns / 1e9)),
    }
}

/// A number with two digits that count.
fn rounded(x: f64) -> String {
    match x {
        ..9.95 => format!("{x:.1}"),
        ..99.5 => format!("{x:.0}"),
        _ => {
            let unit = 10f64.powi(x.log10() as i32 - 1);
            format!("{:.0}", (x / unit).round() * unit)
        }
    }
}

/// The text of a source file with the lines after all marks written anew, and the cases that it has marks of.
fn fill(text: &str, cases: &[Case]) -> Result<(String, Vec<String>), String> {
    let (mut filled, mut marked) = (String::with_capacity(text.len()), Vec::new());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        filled += line;
        let Some((before, after)) = line.split_once(MARK) else {
            continue;
        };
        let name = after.trim_end().trim_end_matches("-->").trim();
        let case = cases
            .iter()
            .find(|case| case.name == name)
            .ok_or_else(|| format!("no case `{name}` was measured"))?;
        // The line of before.
        lines.next();
        filled += &format!("{before}{}\n", case.sentence());
        marked.push(name.to_owned());
    }
    Ok((filled, marked))
}

/// All source files of the crate.
fn sources(root: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![root.join("src")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.retain(|path| path.extension().is_some_and(|end| end == "rs"));
    files.sort();
    Ok(files)
}

/// Calls `change` with each source file that is not as the figures are, and what it should be. Returns what is wrong with the marks themselves.
fn each(
    root: &Path,
    cases: &[Case],
    mut change: impl FnMut(&Path, String) -> io::Result<()>,
) -> Result<Vec<String>, Fault> {
    let (mut faults, mut all) = (Vec::new(), BTreeSet::new());
    for path in sources(root)? {
        let text = fs::read_to_string(&path)?;
        match fill(&text, cases) {
            Ok((filled, marked)) => {
                all.extend(marked);
                if filled != text {
                    change(&path, filled)?;
                }
            }
            Err(why) => faults.push(format!("{}: {why}, see {TABLE}", path.display())),
        }
    }
    let missing = cases
        .iter()
        .filter(|case| case.is_algorithm && !all.contains(&case.name));
    faults.extend(missing.map(|case| {
        format!(
            "{TABLE}: no documentation says what `{}` takes: it needs a mark in `src`",
            case.name
        )
    }));
    Ok(faults)
}

/// Writes the figures into the documentation.
pub fn write(root: &Path, cases: &[Case]) -> Result<(), Fault> {
    let faults = each(root, cases, |path, text| fs::write(path, text))?;
    match faults.is_empty() {
        true => Ok(()),
        false => Err(faults.join("\n").into()),
    }
}

/// What is wrong with the figures in the documentation, a line each.
pub fn faults(root: &Path, cases: &[Case]) -> Result<Vec<String>, Fault> {
    let mut stale = Vec::new();
    let mut faults = each(root, cases, |path, _| {
        stale.push(format!(
            "{}: work and span are not those of {TABLE}; `cargo run --release -p report -- --draw` writes them",
            path.display()
        ));
        Ok(())
    })?;
    faults.append(&mut stale);
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "kind\tcase\tof\twork\tspan\tspan as cut\n\
        algorithm\ttop_k, k = 3\t1,000 numbers\t1234567\t5\t12345\n\
        chain\tmap\tall\t99\t1\t99\n";

    #[test]
    fn marks_are_filled_and_stay() {
        let cases = parse(TEXT).unwrap();
        let text = "//! One.\n//!\n//! <!-- measured: top_k, k = 3 -->\n//! Old.\nfn f() {}\n";
        let (filled, marked) = fill(text, &cases).unwrap();
        assert_eq!(
            filled,
            "//! One.\n//!\n//! <!-- measured: top_k, k = 3 -->\n//! Measured, `top_k` of 1,000 numbers: work 1.2 ms, span 12 µs, so up to 100 threads can be of use.\nfn f() {}\n"
        );
        assert_eq!(marked, ["top_k, k = 3"]);
        assert_eq!(fill(&filled, &cases).unwrap().0, filled);
        assert_eq!(
            fill("/// <!-- measured: x -->\n", &cases).unwrap_err(),
            "no case `x` was measured"
        );
    }

    #[test]
    fn numbers_have_two_digits() {
        let all = [1.0, 9.94, 9.96, 12.4, 99.4, 99.6, 123.0, 1250.0].map(rounded);
        assert_eq!(all, ["1.0", "9.9", "10", "12", "99", "100", "120", "1300"]);
        assert_eq!(time(99.0), "99 ns");
        assert_eq!(time(2.5e9), "2.5 s");
    }
}
