//! Where filch wins, and where it loses.

use suite::{families, measure::Pair};

use crate::points::Point;

/// How much slower counts, and below which time above sequential code nothing does.
const MARGIN: f64 = 1.1;
const NANOSECONDS: f64 = 100.0;

/// All contenders at one length of one case; the first is sequential code.
#[derive(Clone, Copy)]
pub struct Contest<'a>(pub &'a [Point]);

/// The contests in the order of the points.
pub fn contests(points: &[Point]) -> impl Iterator<Item = Contest<'_>> {
    let key = |p: &Point| {
        (
            p.family.clone(),
            p.case.clone(),
            p.unit.clone(),
            p.n,
            p.threads,
        )
    };
    points.chunk_by(move |a, b| key(a) == key(b)).map(Contest)
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

    /// Whom filch loses to most, if to anyone, at its best and at the median: to sequential code by more than a tenth and 100 ns, to a rival
    /// by more than a tenth.
    pub fn lost_to(self) -> Option<&'a Point> {
        let ours = self.of("filch").filter(|_| self.is_timed())?;
        let slower = |by: &Pair, floor: f64| {
            let slower = |own: f64, other: f64| own > MARGIN * other + floor;
            slower(ours.reading.min, by.min) && slower(ours.reading.median, by.median)
        };
        let std = self.0[..1]
            .iter()
            .filter(|std| slower(&std.reading, NANOSECONDS));
        let rivals = self.rivals().filter(|rival| slower(&rival.reading, 0.0));
        std.chain(rivals)
            .min_by(|a, b| a.reading.median.total_cmp(&b.reading.median))
    }
}

/// Where filch stands, in one sentence.
pub fn summary(points: &[Point]) -> String {
    let timed: Vec<Contest> = contests(points)
        .filter(|contest| contest.is_timed())
        .collect();
    let count =
        |good: &dyn Fn(&Contest) -> bool| timed.iter().filter(|contest| good(contest)).count();
    let lost = count(&|contest| contest.lost_to().is_some());
    let median = |contest: &Contest, name| contest.of(name).map(|point| point.reading.median);
    let rayon = count(&|contest| median(contest, "rayon").is_some());
    let before_rayon = count(&|contest| {
        let pair = median(contest, "filch").zip(median(contest, "rayon"));
        pair.is_some_and(|(ours, rayon)| ours < rayon)
    });
    format!(
        "Of {} points (a case at one length), filch is more than a tenth slower than sequential code or a rival in {lost}; at the median it is \
         faster than rayon in {before_rayon} of the {rayon} where rayon has the like.",
        timed.len()
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
