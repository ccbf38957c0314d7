//! Where filch wins, and where it loses.

use suite::{families, measure::Pair};

use crate::{apart::is_apart, points::Point};

/// How much slower counts, and below which time above sequential code nothing does.
const MARGIN: f64 = 1.1;
const NANOSECONDS: f64 = 100.0;

/// All contenders at one length of one case; the first is sequential code.
#[derive(Clone, Copy)]
pub struct Contest<'a>(pub &'a [Point]);

/// The contests in the order of the points.
pub fn contests(points: &[Point]) -> impl Iterator<Item = Contest<'_>> {
    points.chunk_by(|a, b| a.meets(b)).map(Contest)
}

impl<'a> Contest<'a> {
    /// What all its points have in common.
    pub fn any(self) -> &'a Point {
        &self.0[0]
    }

    pub fn is_timed(self) -> bool {
        self.any().unit == "ns"
    }

    pub fn of(self, contender: &str) -> Option<&'a Point> {
        self.0.iter().find(|point| point.contender == contender)
    }

    /// The rivals: all but sequential code and variants of filch.
    pub fn rivals(self) -> impl Iterator<Item = &'a Point> {
        let rest = self.0[1..].iter();
        rest.filter(|point| !point.contender.starts_with("filch"))
    }

    /// What was read of a contender; beside the sequential code here, if it has a process of its own.
    pub fn reading(self, point: &Point) -> Pair {
        if !is_apart(&point.contender) {
            return point.reading;
        }
        let std = self.any().reading;
        Pair {
            min: point.ratio.min * std.min,
            median: point.ratio.median * std.median,
        }
    }

    /// Sequential code, if a contender is slower by more than a tenth and 100 ns, at its best and at the median.
    pub fn lost_to_sequential(self, contender: &str) -> Option<&'a Point> {
        let own = self.of(contender).filter(|_| self.is_timed())?;
        Some(self.any()).filter(|std| slower(own.reading, std.reading, NANOSECONDS))
    }

    /// The fastest rival that is faster than filch by more than a tenth, at its best and at the median.
    pub fn lost_to_rival(self) -> Option<&'a Point> {
        let own = self.of("filch").filter(|_| self.is_timed())?;
        let faster = self
            .rivals()
            .filter(|rival| slower(own.reading, self.reading(rival), 0.0));
        faster.min_by(|a, b| self.reading(a).median.total_cmp(&self.reading(b).median))
    }
}

fn slower(own: Pair, other: Pair, floor: f64) -> bool {
    let slower = |own: f64, other: f64| own > MARGIN * other + floor;
    slower(own.min, other.min) && slower(own.median, other.median)
}

/// Where filch stands, in two sentences.
pub fn summary(points: &[Point]) -> String {
    let timed: Vec<Contest> = contests(points)
        .filter(|contest| contest.is_timed())
        .collect();
    let count = |of: &dyn Fn(&Contest) -> bool| timed.iter().filter(|contest| of(contest)).count();
    let (all, rivalled) = (
        timed.len(),
        count(&|contest| contest.rivals().next().is_some()),
    );
    let behind = count(&|contest| contest.lost_to_rival().is_some());
    let (ours, theirs) = ("filch", "rayon");
    let lost = |who| count(&|contest| contest.lost_to_sequential(who).is_some());
    let there = |who| count(&|contest| contest.of(who).is_some());
    format!(
        "The benchmarks have {all} points: a point is one program with one length of input. Of these, {rivalled} have rivals; in {} of these no rival is more than a tenth faster than filch. \
         filch is slower than sequential code, by more than a tenth and 100 ns, in {} of {} points, and rayon in {} of {}.",
        rivalled - behind,
        lost(ours),
        there(ours),
        lost(theirs),
        there(theirs),
    )
}

/// From which length on a contender is no slower than sequential code, at the median, at every length measured.
pub fn pays_from(points: &[Point], family: &str, case: &str, contender: &str) -> Option<usize> {
    let points = points
        .iter()
        .filter(|p| p.family == family && p.case == case && p.contender == contender);
    let mut from = None;
    for point in points {
        match point.ratio.median <= 1.0 {
            true => from = from.or(Some(point.n)),
            false => from = None,
        }
    }
    from
}

/// The cases of a family in their order, each once.
pub fn cases<'a>(points: &'a [Point], family: &families::Family) -> Vec<&'a str> {
    let mut cases = Vec::new();
    for point in points.iter().filter(|point| point.family == family.name) {
        if !cases.contains(&point.case.as_str()) {
            cases.push(&point.case);
        }
    }
    cases
}
