//! The table of what was measured, in a file.

use std::{fs, io, path::Path};

pub use suite::point::Point;

const HEADER: &str = "machine,cores,date,family,case,n,threads,contender,version,unit,min,median,ratio_min,ratio_median";

/// The points of a file; none if there is no file yet.
pub fn read(path: &Path) -> io::Result<Vec<Point>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let wrong = |line: &str| {
        io::Error::other(format!(
            "{} has a line that is not a point: {line}",
            path.display()
        ))
    };
    let lines = text.lines().skip(1);
    lines
        .map(|line| Point::parse(line).ok_or_else(|| wrong(line)))
        .collect()
}

pub fn write(path: &Path, points: &[Point]) -> io::Result<()> {
    let lines = points.iter().map(Point::line);
    let all: Vec<String> = std::iter::once(HEADER.to_string()).chain(lines).collect();
    fs::write(path, all.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use suite::measure::Pair;

    #[test]
    fn a_point_reads_as_it_was_written() {
        let point = Point {
            machine: "a processor".into(),
            cores: 2,
            date: "2026-01-31".into(),
            family: "sort".into(),
            case: "u64, stable".into(),
            n: 1_000_000,
            threads: 2,
            contender: "filch, collect".into(),
            version: "filch 0.1.0".into(),
            unit: "ns".into(),
            reading: Pair {
                min: 1.5,
                median: 2.5,
            },
            ratio: Pair {
                min: 0.5,
                median: 0.75,
            },
        };
        assert_eq!(Point::parse(&point.line()), Some(point));
    }
}
