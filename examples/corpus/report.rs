//! Printing what was found.

use std::io::{self, Write};
use std::path::Path;

use super::compare::{Comparison, ROUNDS};
use super::duplicates::wasted;
use super::input::Root;
use super::pipeline::{Mode, Stage, Summary, Times};
use super::units::{bytes, count, millis, per_second};

/// Lists on standard error what could not be read.
pub fn unreadable(err: &mut dyn Write, summary: &Summary) {
    for failure in &summary.unreadable {
        // A report without its warnings is better than none.
        let _ = writeln!(
            err,
            "corpus: cannot read '{}': {}",
            failure.path.display(),
            failure.reason
        );
    }
}

/// Says what was read.
pub fn input(out: &mut dyn Write, roots: &[Root], summary: &Summary) -> io::Result<()> {
    let paths: Vec<String> = roots
        .iter()
        .map(|root| root.path.display().to_string())
        .collect();
    writeln!(out, "Input: {}", paths.join(", "))?;
    writeln!(
        out,
        "{} files of {}; {} unreadable",
        count(summary.files.len() as u64),
        bytes(summary.bytes),
        count(summary.unreadable.len() as u64),
    )?;
    let left_out = &summary.left_out;
    if left_out.files > 0 {
        writeln!(
            out,
            "{} more files of {} left out: raise --max-bytes to take them in",
            count(left_out.files),
            bytes(left_out.bytes),
        )?;
    }
    Ok(())
}

/// Prints the lists: at most `top` lines each.
pub fn results(
    out: &mut dyn Write,
    roots: &[Root],
    summary: &Summary,
    top: usize,
) -> io::Result<()> {
    largest(out, roots, summary, top)?;
    words(out, summary, top)?;
    duplicates(out, roots, summary, top)?;
    histogram(out, summary)?;
    directories(out, roots, summary, top)?;
    kinds(out, summary, top)
}

fn largest(out: &mut dyn Write, roots: &[Root], summary: &Summary, top: usize) -> io::Result<()> {
    writeln!(out, "\nLargest files")?;
    for file in summary.files.iter().take(top) {
        writeln!(
            out,
            "{:>12}  {}",
            bytes(file.size),
            shown(roots, &file.path)
        )?;
    }
    Ok(())
}

fn words(out: &mut dyn Write, summary: &Summary, top: usize) -> io::Result<()> {
    let total = summary.words.iter().map(|(_, times)| times).sum();
    let different = summary.words.len() as u64;
    writeln!(
        out,
        "\nMost frequent of {} words, {} different",
        count(total),
        count(different)
    )?;
    for (word, times) in summary.words.iter().take(top) {
        writeln!(out, "{:>12}  {word}", count(*times))?;
    }
    Ok(())
}

fn duplicates(
    out: &mut dyn Write,
    roots: &[Root],
    summary: &Summary,
    top: usize,
) -> io::Result<()> {
    let size = |group: &[usize]| group.first().map_or(0, |&first| summary.files[first].size);
    let waste = |group: &[usize]| wasted(size(group), group.len());
    let copies: usize = summary.duplicates.iter().map(|group| group.len() - 1).sum();
    let total = summary.duplicates.iter().map(|group| waste(group)).sum();
    writeln!(
        out,
        "\nDuplicates: {} files are copies of {} others and take {}",
        count(copies as u64),
        count(summary.duplicates.len() as u64),
        bytes(total),
    )?;
    for group in summary.duplicates.iter().take(top) {
        writeln!(
            out,
            "{:>12}  {} files of {}",
            bytes(waste(group)),
            group.len(),
            bytes(size(group))
        )?;
        const NAMED: usize = 3;
        for &file in group.iter().take(NAMED) {
            writeln!(
                out,
                "{:>12}  {}",
                "",
                shown(roots, &summary.files[file].path)
            )?;
        }
        if group.len() > NAMED {
            writeln!(out, "{:>12}  and {} more", "", group.len() - NAMED)?;
        }
    }
    Ok(())
}

fn histogram(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    writeln!(out, "\nSizes")?;
    const WIDTH: u64 = 40;
    let most = summary
        .histogram
        .rows()
        .map(|(_, bucket)| bucket.files)
        .max()
        .unwrap_or(0);
    for (limit, bucket) in summary.histogram.rows() {
        // A row with any files gets a bar.
        let bar = (bucket.files * WIDTH).div_ceil(most.max(1)) as usize;
        let (files, size) = (count(bucket.files), bytes(bucket.bytes));
        let line = format!(
            "  below {:>9} {files:>9} files {size:>10}  {:#<bar$}",
            bytes(limit),
            ""
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn directories(
    out: &mut dyn Write,
    roots: &[Root],
    summary: &Summary,
    top: usize,
) -> io::Result<()> {
    writeln!(out, "\nLargest directories, with all below")?;
    for directory in summary.directories.iter().take(top) {
        let (size, files) = (bytes(directory.bytes), count(directory.files));
        let path = match shown(roots, &directory.path) {
            path if path.is_empty() => ".".to_owned(),
            path => path,
        };
        writeln!(out, "{size:>12}  {files:>9} files  {path}")?;
    }
    Ok(())
}

fn kinds(out: &mut dyn Write, summary: &Summary, top: usize) -> io::Result<()> {
    writeln!(
        out,
        "\nKinds: {} different ends of names",
        count(summary.kinds.len() as u64)
    )?;
    for kind in summary.kinds.iter().take(top) {
        let name = match &*kind.extension {
            "" => "(none)",
            extension => extension,
        };
        writeln!(out, "{:>12}  {name}", count(kind.files as u64))?;
    }
    Ok(())
}

/// What a stage goes through: bytes of content, and files. `None` of what it does not look at: a rate of that would say nothing.
fn work(stage: Stage, summary: &Summary) -> (Option<u64>, Option<u64>) {
    let files = summary.files.len() as u64;
    match stage {
        // Also of files that are not read later.
        Stage::Walk | Stage::Choose => {
            let unreadable = summary.unreadable.len() as u64;
            (None, Some(files + summary.left_out.files + unreadable))
        }
        Stage::Read | Stage::Words => (Some(summary.bytes), Some(files)),
        // It sorts words.
        Stage::Rank => (None, None),
        // Duplicates are looked for among files of the same size, so most of the content is not read again.
        Stage::Duplicates | Stage::Sizes | Stage::Directories | Stage::Kinds => (None, Some(files)),
    }
}

/// Prints the time of each stage, and how much it got through.
pub fn speed(out: &mut dyn Write, summary: &Summary, times: &Times, mode: &str) -> io::Result<()> {
    writeln!(out, "\nTimes ({mode})")?;
    writeln!(
        out,
        "  {:<12} {:>12} {:>14} {:>14}",
        "stage", "time", "bytes/s", "files/s"
    )?;
    let stages = Stage::ALL
        .into_iter()
        .map(|stage| (stage.name(), times.of(stage), work(stage, summary)));
    let all = (Some(summary.bytes), Some(summary.files.len() as u64));
    for (name, time, (read, files)) in stages.chain([("total", times.total(), all)]) {
        let rate = |amount: Option<u64>, shown: fn(u64) -> String| {
            amount
                .and_then(|amount| per_second(amount, time))
                .map_or_else(|| "-".to_owned(), shown)
        };
        writeln!(
            out,
            "  {name:<12} {:>12} {:>14} {:>14}",
            millis(time),
            rate(read, bytes),
            rate(files, count),
        )?;
    }
    Ok(())
}

/// Prints the speed-up of each stage.
pub fn comparison(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    writeln!(
        out,
        "\nBoth versions agree on {} files, {} different words and {} groups of duplicates.",
        count(comparison.summary.files.len() as u64),
        count(comparison.summary.words.len() as u64),
        count(comparison.summary.duplicates.len() as u64),
    )?;
    writeln!(
        out,
        "Best of {ROUNDS} rounds, and the speed-up of the median ones:\n"
    )?;
    let threads = Mode::Parallel.to_string();
    writeln!(
        out,
        "  {:<12} {:>12} {threads:>12} {:>10} {:>10}",
        "stage", "sequential", "speed-up", "median"
    )?;
    for row in comparison.rows() {
        writeln!(
            out,
            "  {:<12} {:>12} {:>12} {:>10.2} {:>10.2}",
            row.name,
            millis(row.sequential),
            millis(row.parallel),
            row.speed_up,
            row.median_speed_up,
        )?;
    }
    Ok(())
}

/// A path as the report shows it: from the root on, if there is only one.
fn shown(roots: &[Root], path: &Path) -> String {
    let relative = match roots {
        [root] if root.is_dir => path.strip_prefix(&root.path).unwrap_or(path),
        _ => path,
    };
    relative.display().to_string()
}
