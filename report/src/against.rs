//! What got better or worse since another table was measured.

use std::collections::HashMap;

use suite::measure::Pair;

use crate::points::Point;

/// How much has to change before it counts, in the minimum and in the median.
const MARGIN: f64 = 0.03;

/// A case at one length and on so many threads, and what was measured of it.
type Key<'a> = (&'a str, &'a str, usize, usize, &'a str);

fn key(point: &Point) -> Key<'_> {
    (
        &point.family,
        &point.case,
        point.n,
        point.threads,
        &point.unit,
    )
}

/// What was measured of a contender: its ratios to sequential code in the same process, and itself.
fn measured<'a>(points: &'a [Point], contender: &str) -> HashMap<Key<'a>, (Pair, Pair)> {
    let own = points.iter().filter(|point| point.contender == contender);
    own.map(|point| (key(point), (point.ratio, point.reading)))
        .collect()
}

/// A row that both tables have.
struct Row<'a> {
    key: Key<'a>,
    /// The ratio to sequential code, before and now.
    ratios: [Pair; 2],
    /// What the ratio is in multiples of the one before, and the reading.
    change: Pair,
    own_change: Pair,
}

fn change(before: Pair, now: Pair) -> Pair {
    Pair {
        min: now.min / before.min,
        median: now.median / before.median,
    }
}

fn is_worse(change: Pair) -> bool {
    change.min.min(change.median) > 1.0 + MARGIN
}

fn is_better(change: Pair) -> bool {
    change.min.max(change.median) < 1.0 - MARGIN
}

/// A table of the rows of filch that got worse beside sequential code, the worst first, and how many there are. Sequential code or the machine may have
/// changed instead. So beside each row is how much more time filch takes itself, and how rayon's row changed.
pub fn against(before: &[Point], now: &[Point]) -> String {
    let old = measured(before, "filch");
    let new = measured(now, "filch");
    let rayon = [measured(before, "rayon"), measured(now, "rayon")];
    // What has no time has no ratio.
    let usable = |pair: Pair| pair.min.is_normal() && pair.median.is_normal();
    let rows: Vec<Row<'_>> = new
        .iter()
        .filter_map(|(key, now)| Some((*key, *old.get(key)?, *now)))
        .filter(|(_, before, now)| usable(before.0) && usable(now.0))
        .map(|(key, before, now)| Row {
            key,
            ratios: [before.0, now.0],
            change: change(before.0, now.0),
            own_change: change(before.1, now.1),
        })
        .collect();
    let better = rows.iter().filter(|row| is_better(row.change)).count();
    let mut worse: Vec<&Row<'_>> = rows.iter().filter(|row| is_worse(row.change)).collect();
    worse.sort_by(|a, b| {
        let least = |row: &Row<'_>| row.change.min.min(row.change.median);
        least(b)
            .total_cmp(&least(a))
            .then_with(|| a.key.cmp(&b.key))
    });
    let slower = worse.iter().filter(|row| is_worse(row.own_change)).count();
    let mut text = String::from(
        "| family | case | n | threads | before | now | change | of filch's own time | of rayon's row |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in &worse {
        let (family, case, n, threads, _) = row.key;
        let [before, now] = row.ratios.map(two);
        let of_rayon = rayon[0].get(&row.key).zip(rayon[1].get(&row.key));
        let of_rayon = of_rayon.map(|(before, now)| two(change(before.0, now.0)));
        let (of_ratio, of_rayon) = (two(row.change), of_rayon.unwrap_or_default());
        let own = two(row.own_change);
        text += &format!(
            "| {family} | {case} | {n} | {threads} | {before} | {now} | {of_ratio} | {own} | {of_rayon} |\n"
        );
    }
    text + &format!(
        "\nOf {} rows that both have, {better} got better beside sequential code and {} worse, by more than {:.0} % in the minimum and in the median. {slower} of the latter take more time \
         themselves.",
        rows.len(),
        worse.len(),
        100.0 * MARGIN
    )
}

fn two(pair: Pair) -> String {
    format!("{:.2} / {:.2}", pair.min, pair.median)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(n: usize, contender: &str, reading: f64, min: f64, median: f64) -> Point {
        let line = format!(
            "m,2,2026-01-31,sort,words,{n},2,{contender},v 1,ns,{reading},{reading},{min},{median}"
        );
        Point::parse(&line).expect("a point")
    }

    #[test]
    fn only_rows_that_are_worse_in_both_are_listed_the_worst_first() {
        let before: Vec<Point> = (1..6).map(|n| point(n, "filch", 9.0, 0.5, 0.5)).collect();
        let now = [
            point(1, "filch", 12.0, 0.6, 0.7),
            point(2, "filch", 12.0, 0.6, 0.5),
            point(3, "filch", 6.0, 0.4, 0.4),
            point(4, "filch", 9.0, 1.0, 1.0),
            point(9, "filch", 99.0, 9.0, 9.0),
        ];
        let text = against(&before, &now);
        let rows: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| sort | words | 4 | 2 | 0.50 / 0.50 | 1.00 / 1.00 | 2.00 / 2.00 | 1.00 / 1.00 |  |",
                "| sort | words | 1 | 2 | 0.50 / 0.50 | 0.60 / 0.70 | 1.20 / 1.40 | 1.33 / 1.33 |  |",
                "",
                "Of 4 rows that both have, 1 got better beside sequential code and 2 worse, by more than 3 % in the minimum and in the median. 1 of the latter take more time themselves."
            ]
        );
    }
}
