//! What was measured, as a line of a table.

use crate::measure::Pair;

/// One contender at one length of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub machine: String,
    pub cores: usize,
    pub date: String,
    pub family: String,
    pub case: String,
    pub n: usize,
    pub threads: usize,
    pub contender: String,
    pub version: String,
    /// `ns`, `allocations` or `bytes`.
    pub unit: String,
    pub reading: Pair,
    /// To the first contender, which is sequential code.
    pub ratio: Pair,
}

impl Point {
    /// The point as a line of the table.
    pub fn line(&self) -> String {
        let Point {
            machine,
            cores,
            date,
            family,
            case,
            n,
            threads,
            contender,
            version,
            unit,
            reading,
            ratio,
        } = self;
        // The only fields with commas.
        let (case, contender) = (case.replace(',', ";"), contender.replace(',', ";"));
        let (min, median) = (reading.min, reading.median);
        format!(
            "{machine},{cores},{date},{family},{case},{n},{threads},{contender},{version},{unit},{min:.1},{median:.1},{:.4},{:.4}",
            ratio.min, ratio.median
        )
    }

    pub fn parse(line: &str) -> Option<Point> {
        let mut fields = line.split(',');
        let mut text = || fields.next().map(str::to_string);
        let point = Point {
            machine: text()?,
            cores: text()?.parse().ok()?,
            date: text()?,
            family: text()?,
            case: text()?.replace(';', ","),
            n: text()?.parse().ok()?,
            threads: text()?.parse().ok()?,
            contender: text()?.replace(';', ","),
            version: text()?,
            unit: text()?,
            reading: Pair {
                min: text()?.parse().ok()?,
                median: text()?.parse().ok()?,
            },
            ratio: Pair {
                min: text()?.parse().ok()?,
                median: text()?.parse().ok()?,
            },
        };
        Some(point)
    }

    /// Whether the other one is of the same length of the same case.
    pub fn meets(&self, other: &Point) -> bool {
        let key = |p: &Point| {
            (
                p.family.clone(),
                p.case.clone(),
                p.unit.clone(),
                p.n,
                p.threads,
            )
        };
        key(self) == key(other)
    }
}
