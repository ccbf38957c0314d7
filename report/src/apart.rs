//! Rivals that need a process of their own: the packages in `benches/rivals`, which are built if there is a compiler for them.

use std::{path::Path, process::Command};

use suite::families::Family;

use crate::points::Point;

/// A rival by the name of its package and crate, and why it is not in the suite.
pub struct Rival {
    pub name: &'static str,
    pub reason: &'static str,
}

pub const RIVALS: [Rival; 2] = [
    Rival {
        name: "forte",
        reason: "needs a newer compiler than this crate",
    },
    Rival {
        name: "forkunion",
        reason: "needs a C++ compiler, and pins the thread that makes its pool, which threads started later inherit; its threads look for work all the time",
    },
];

/// Whether this contender has a process of its own.
pub fn is_apart(contender: &str) -> bool {
    RIVALS.iter().any(|rival| rival.name == contender)
}

/// Has all rivals measured that can be built here, and puts their points behind those of the others in the same contests. Returns a line for each rival that
/// was not measured.
pub fn add(
    root: &Path,
    (families, threads, quick): (&[&Family], usize, bool),
    points: &mut Vec<Point>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for rival in &RIVALS {
        let measured = measure(root, rival.name, families, threads, quick);
        if let Err(fault) = measured.and_then(|lines| merge(&lines, points)) {
            faults.push(format!("{} was not measured: {fault}", rival.name));
        }
    }
    faults
}

/// The lines that the rival prints.
fn measure(
    root: &Path,
    name: &str,
    families: &[&Family],
    threads: usize,
    quick: bool,
) -> Result<String, String> {
    let package =
        format!("--release --quiet --locked --manifest-path benches/rivals/{name}/Cargo.toml");
    let pace = if quick { "quick" } else { "full" };
    let families: Vec<_> = families.iter().map(|family| family.name).collect();
    let families = families.join(" ");
    let mut faults = Vec::new();
    // The compiler in use, or else a newer one.
    for cargo in ["cargo", "rustup run nightly cargo"] {
        match output(root, &format!("{cargo} build {package}")) {
            Ok(_) => {
                return output(
                    root,
                    &format!("{cargo} run {package} -- {threads} {pace} {families}"),
                );
            }
            Err(fault) => faults.push(fault),
        }
    }
    Err(faults.join("; with nightly: "))
}

/// What a command prints; if it fails, what it says about that.
fn output(root: &Path, command: &str) -> Result<String, String> {
    let (program, arguments) = command.split_once(' ').unwrap_or((command, ""));
    let output = Command::new(program)
        .args(arguments.split(' '))
        .current_dir(root)
        .output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let text = |bytes| String::from_utf8_lossy(bytes).trim().to_string();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr)),
    }
}

/// Puts the rival's points into the table. Its sequential code is named beside its version: the compiler may be another one.
fn merge(lines: &str, points: &mut Vec<Point>) -> Result<(), String> {
    let mut compiler = String::new();
    let mut own = Vec::new();
    for line in lines.lines() {
        let mut point = Point::parse(line).ok_or_else(|| format!("it printed `{line}`"))?;
        if point.contender == "std" {
            compiler = point.version;
            continue;
        }
        point.version = format!("{} with {compiler}", point.version);
        if !points.iter().any(|other| other.meets(&point)) {
            let Point {
                family, case, n, ..
            } = point;
            return Err(format!("no other has {family} / {case} / {n}"));
        }
        own.push(point);
    }
    for point in own {
        let behind = points
            .iter()
            .rposition(|other| other.meets(&point))
            .map_or(points.len(), |last| last + 1);
        points.insert(behind, point);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Contest, contests};

    const TABLE: &str = "m,2,2026-01-31,sort,a,10,2,std,rustc 1,ns,10.0,10.0,1.0000,1.0000
m,2,2026-01-31,sort,a,10,2,filch,filch 0,ns,5.0,5.0,0.5000,0.5000
m,2,2026-01-31,sort,b,10,2,std,rustc 1,ns,10.0,10.0,1.0000,1.0000";
    const RIVAL: &str = "m,2,2026-01-31,sort,a,10,2,std,rustc 2,ns,20.0,20.0,1.0000,1.0000
m,2,2026-01-31,sort,a,10,2,forte,forte 1,ns,8.0,8.0,0.4000,0.4000";

    fn table() -> Vec<Point> {
        TABLE.lines().filter_map(Point::parse).collect()
    }

    #[test]
    fn rows_go_into_the_contest_of_the_same_name() {
        let mut points = table();
        merge(RIVAL, &mut points).unwrap();
        let names: Vec<_> = points
            .iter()
            .map(|p| (p.case.as_str(), p.contender.as_str()))
            .collect();
        assert_eq!(
            names,
            [("a", "std"), ("a", "filch"), ("a", "forte"), ("b", "std")]
        );
        assert_eq!(points[2].version, "forte 1 with rustc 2");
        // It took longer than filch, but beside sequential code that was slower still.
        let lost = contests(&points).next().and_then(Contest::lost_to_rival);
        assert_eq!(lost, Some(&points[2]));
    }

    #[test]
    fn what_no_other_has_and_what_is_no_row_are_faults() {
        let mut points = table();
        assert!(
            merge(&RIVAL.replace(",10,", ",11,"), &mut points)
                .unwrap_err()
                .contains("sort / a / 11")
        );
        assert!(merge("a word", &mut points).unwrap_err().contains("a word"));
        assert_eq!(points, table());
    }

    #[test]
    fn a_program_that_is_not_there_is_a_fault() {
        let fault = output(Path::new("."), "no-such-compiler build").unwrap_err();
        assert!(fault.contains("no-such-compiler"), "{fault}");
    }
}
