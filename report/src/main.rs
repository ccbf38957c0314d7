//! Measures filch beside sequential std, rayon and the best rival of each family, and writes `docs/benchmarks`.
//!
//! ```text
//! cargo run --release -p report -- [--quick] [--threads N] [--only FAMILY]... [--apart | --draw | --check | --against FILE]
//! ```
//!
//! Some figures go into README and guide, and some pictures into the guide. A full run takes less than ten minutes on two cores, a `--quick` one less than a minute. `--only` measures
//! one family and keeps the rest of `results.csv`, `--apart` the rivals that have processes of their own. `--draw` measures nothing and writes texts and pictures from it. `--check` measures and writes nothing: it fails if a figure in the
//! page, README or guide is not that of `results.csv`, or has no source; or if work and span in the documentation of an algorithm are not those of
//! `work_span.tsv`, which the example of that name measures. `--against` measures nothing either: it lists the rows that are worse than in another `results.csv`.

mod against;
mod apart;
mod figures;
mod measured;
mod page;
mod pictures;
mod points;
mod run;
mod verdict;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use lexopt::{Arg, ValueExt};
use suite::families::{self, Family};

#[global_allocator]
static ALLOCATOR: suite::allocations::Counting = suite::allocations::Counting;

const USAGE: &str = "usage: report [--quick] [--threads N] [--only FAMILY]... [--apart | --draw | --check | --against FILE]";

/// Families whose pictures are in chapters of the guide. A book has all its files in its own folder.
const IN_THE_GUIDE: [Family; 4] = [
    families::sort,
    families::scan_pack,
    families::group,
    families::trees,
];

struct Options {
    threads: usize,
    quick: bool,
    apart: bool,
    draw: bool,
    check: bool,
    against: Option<PathBuf>,
    only: Vec<&'static Family>,
}

fn parse() -> Result<Options, lexopt::Error> {
    let mut options = Options {
        threads: suite::machine::cores(),
        quick: false,
        apart: false,
        draw: false,
        check: false,
        against: None,
        only: Vec::new(),
    };
    let mut args = lexopt::Parser::from_env();
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("threads") => {
                options.threads = args.value()?.parse_with(|text| match text.parse() {
                    Ok(0) | Err(_) => Err("a number above 0 is needed"),
                    Ok(threads) => Ok(threads),
                })?;
            }
            Arg::Long("quick") => options.quick = true,
            Arg::Long("apart") => options.apart = true,
            Arg::Long("draw") => options.draw = true,
            Arg::Long("check") => options.check = true,
            Arg::Long("against") => options.against = Some(args.value()?.into()),
            Arg::Long("only") => {
                let name = args.value()?.string()?;
                let family = families::ALL.iter().find(|family| family.name == name);
                let names: Vec<&str> = families::ALL.iter().map(|family| family.name).collect();
                options.only.push(
                    family.ok_or_else(|| {
                        format!("no family {name}; there are {}", names.join(", "))
                    })?,
                );
            }
            _ => return Err(arg.unexpected()),
        }
    }
    if options.only.is_empty() {
        options.only = families::ALL.iter().collect();
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match parse() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match work(&options) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn work(options: &Options) -> Result<String, Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this package is in the repository");
    let folder = root.join("docs/benchmarks");
    fs::create_dir_all(&folder)?;
    let table = folder.join("results.csv");
    let mut points = points::read(&table)?;
    if options.check {
        return check(root, &points);
    }
    if let Some(before) = &options.against {
        fs::metadata(before).map_err(|error| format!("{}: {error}", before.display()))?;
        return Ok(against::against(&points::read(before)?, &points));
    }
    if !options.draw {
        points.retain(|point| {
            let measured = options
                .only
                .iter()
                .any(|family| family.name == point.family);
            !measured || options.apart && !apart::is_apart(&point.contender)
        });
        if !options.apart {
            points.extend(run::run(&options.only, options.threads, options.quick));
        }
        let settings = (&options.only[..], options.threads, options.quick);
        for fault in apart::add(root, settings, &mut points) {
            eprintln!("{fault}");
        }
        let place = |name: &str| families::ALL.iter().position(|family| family.name == name);
        // Families no longer measured go.
        points.retain(|point| place(&point.family).is_some());
        points.sort_by_key(|point| place(&point.family));
        points::write(&table, &points)?;
        // The table has rounded numbers, and what is drawn has to agree with it.
        points = points::read(&table)?;
    }
    pictures::draw(&folder, &points, &root.join("benches/instructions.tsv"))?;
    for family in IN_THE_GUIDE {
        let picture = format!("{}.svg", family.name);
        let shown = root.join("docs/guide/src/img").join(&picture);
        if folder.join(&picture).exists() {
            fs::copy(folder.join(&picture), shown)?;
        }
    }
    fs::write(folder.join("README.md"), page::page(&points))?;
    measured::write(root, &measured::read(root)?)?;
    for (name, text) in figures::texts(root)? {
        fs::write(root.join(name), figures::fill(&text, &points)?)?;
    }
    Ok(verdict::summary(&points))
}

/// Fails with a line for each figure that is not that of the results.
fn check(root: &Path, points: &[points::Point]) -> Result<String, Box<dyn std::error::Error>> {
    let mut faults = figures::faults(root, points)?;
    faults.append(&mut measured::faults(root, &measured::read(root)?)?);
    // But for the line that says which text was on the machine.
    let lines = |text: &str| -> Vec<String> {
        let kept = text
            .lines()
            .filter(|line| !line.starts_with("Measured on "));
        kept.map(str::to_string).collect()
    };
    let page = fs::read_to_string(root.join("docs/benchmarks/README.md"))?;
    if lines(&page) != lines(&page::page(points)) {
        faults.push("docs/benchmarks/README.md is not the page of results.csv; `cargo run --release -p report -- --draw` writes it".into());
    }
    match faults.is_empty() {
        true => Ok(
            "every figure in README, guide and the documentation of algorithms has its source"
                .to_string(),
        ),
        false => Err(faults.join("\n").into()),
    }
}
