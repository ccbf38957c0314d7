//! The page: the figures in words and tables.

use std::fmt::Write;

use suite::{
    families::{self, Family},
    measure::Pair,
    real,
};

use crate::{
    apart::{RIVALS, Rival},
    points::Point,
    verdict::{self, Contest, cases, contests, pays_from},
};

const BEGIN: &str = "\
# Benchmarks

Every point is one case at one length. Its contenders take turns in one process, after all have given the same result once; times are divided
by those of sequential code, so **lower is better and 1 is a plain loop**. Figures are *minimum / median* over the turns: best time over best
time, and the median of the ratios. In the pictures, lines join the medians, and a faint band reaches from there to the minimum. Global pools
are called from a thread outside them, as most programs do, unless a case says otherwise.
";

const REPEAT: &str = "\
## To repeat it

```sh
cargo run --release -p report                    # all of it: less than ten minutes on two cores
cargo run --release -p report -- --quick         # a glance: less than a minute
cargo run --release -p report -- --only sort     # one family; the rest of the table stays
cargo run --release -p report -- --apart         # only the rivals with processes of their own; the rest of the table stays
cargo run --release -p report -- --draw          # the page and the pictures from results.csv
cargo run -p report -- --check                   # whether README, guide and this page say what results.csv says
cargo bench --bench sort                         # many more kinds of one family
```

The machine should have nothing else to do: a few per cent of other load in the wrong place double a median. Each family is
`benches/src/families/*.rs`, which `cargo bench --bench FAMILY` measures with criterion too; but `sort`, `scan_pack`, `group` and `trees` are
programs of their own, with more cases, whose contenders take turns as here, and `memory` counts. Criterion's figures for these four families
come from `cargo bench --bench algorithms`. All the figures, with machine, versions and dates, are in [`results.csv`](results.csv).
";

/// The page for these points.
pub fn page(points: &[Point]) -> String {
    let mut page = BEGIN.to_string();
    let mut add = |text: &str| {
        page.push('\n');
        page.push_str(text);
    };
    add(&circumstances(points));
    add(&format!("**{}**\n", verdict::summary(points)));
    add(REPEAT);
    add(&losses(points));
    for family in families::ALL {
        if !cases(points, family).is_empty() {
            add(&section(points, family));
        }
    }
    page
}

/// The different values of a field, with commas between them.
fn all_of(points: &[Point], field: impl Fn(&Point) -> String) -> String {
    let mut all: Vec<String> = Vec::new();
    for point in points {
        let value = field(point);
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all.join(", ")
}

fn circumstances(points: &[Point]) -> String {
    let pooled: Vec<Point> = points
        .iter()
        .filter(|p| p.family != families::scaling.name)
        .cloned()
        .collect();
    format!(
        "Measured on {} with {} cores, pools of {} threads, on {}. Versions: {}. Text is {}. {}\n",
        all_of(points, |p| p.machine.clone()),
        all_of(points, |p| p.cores.to_string()),
        all_of(&pooled, |p| p.threads.to_string()),
        all_of(points, |p| p.date.clone()),
        all_of(points, |p| p.version.clone()),
        real::text().source,
        of_rivals_apart(points),
    )
}

/// Which rivals have processes of their own and why, and which of them were not measured.
fn of_rivals_apart(points: &[Point]) -> String {
    let names = RIVALS.map(|rival| rival.name).join(" and ");
    let mut text = format!(
        "{names} are measured in processes of their own, each against sequential code in the same process, and compared with filch by those ratios."
    );
    for Rival { name, reason } in RIVALS {
        write!(text, " {name} {reason}.").expect("a string takes all");
        if points.iter().all(|point| point.contender != name) {
            write!(
                text,
                " It could not be built or run here, so it was not measured."
            )
            .expect("a string takes all");
        }
    }
    text
}

pub fn pair(pair: Pair) -> String {
    let show = |x: f64| match x {
        x if x < 9.995 => format!("{x:.2}"),
        x if x < 99.95 => format!("{x:.1}"),
        x => thousands(x.round() as usize),
    };
    format!("{} / {}", show(pair.min), show(pair.median))
}

/// With commas.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e3 => format!("{t:.1} ns"),
        t if t < 1e6 => format!("{:.1} µs", t / 1e3),
        t => format!("{:.2} ms", t / 1e6),
    }
}

/// The rows that filch loses.
fn losses(points: &[Point]) -> String {
    let to_rivals = lost(points, |contest| contest.lost_to_rival());
    let to_sequential = lost(points, |contest| contest.lost_to_sequential("filch"));
    format!(
        "## Where filch loses\n\nTo a rival, by more than a tenth in the minimum and in the median; worst first:\n\n{to_rivals}\n\
         To sequential code, by more than a tenth and 100 ns in both; many of them are inputs for which nothing parallel pays:\n\n\
         <details><summary>the rows</summary>\n\n{to_sequential}\n</details>\n"
    )
}

/// A table of the contests that filch loses, worst first.
fn lost<'a>(points: &'a [Point], to: impl Fn(Contest<'a>) -> Option<&'a Point>) -> String {
    let mut lost: Vec<(f64, String)> = Vec::new();
    for contest in contests(points) {
        let Some((to, ours)) = to(contest).zip(contest.of("filch")) else {
            continue;
        };
        let row = format!(
            "| {} | {} | {} | {} | {} | {} {} |\n",
            to.family,
            to.case,
            length(contest),
            time(contest.any().reading.min),
            pair(ours.ratio),
            if to.contender == "std" {
                "sequential"
            } else {
                &to.contender
            },
            pair(to.ratio),
        );
        lost.push((ours.reading.median / contest.reading(to).median, row));
    }
    if lost.is_empty() {
        return "Nowhere, this time.\n".to_string();
    }
    lost.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut text =
        "| family | case | n | sequential | filch | loses to |\n|---|---|--:|--:|--:|--:|\n"
            .to_string();
    lost.iter().for_each(|(_, row)| text.push_str(row));
    text
}

/// The length, and the threads where they are not those of all others.
fn length(contest: Contest<'_>) -> String {
    let point = contest.any();
    match point.family == families::scaling.name {
        true if point.threads == 1 => format!("{}, 1 thread", thousands(point.n)),
        true => format!("{}, {} threads", thousands(point.n), point.threads),
        false => thousands(point.n),
    }
}

fn section(points: &[Point], family: &Family) -> String {
    let name = family.name;
    let mut text = format!(
        "## {name}: {}\n\n{}\n\n![{}]({name}.svg)\n\n",
        lower(family.question),
        family.shows,
        family.question
    );
    if name == families::fork_join.name {
        text.push_str("![instructions of a join above a plain call](instructions.svg)\n\n");
    }
    text.push_str(&what_it_shows(points, family));
    for timed in [true, false] {
        let of: Vec<Contest> = contests(points)
            .filter(|c| c.any().family == name && c.is_timed() == timed)
            .collect();
        if !of.is_empty() {
            text.push_str(&table(&of));
        }
    }
    text
}

/// `Text` as `text`, but not where a name begins.
fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

fn what_it_shows(points: &[Point], family: &Family) -> String {
    if family.name == families::memory.name {
        return "Counts, not ratios; the first column is sequential code.\n\n".to_string();
    }
    if family.name == families::scaling.name {
        let cores = all_of(points, |p| p.cores.to_string());
        return format!(
            "The picture shows speed-ups; there are {cores} cores, and more threads than that gain nothing.\n\n"
        );
    }
    let from = |case: &str, who: &str| match pays_from(points, family.name, case, who) {
        Some(n) => format!("from {} on", thousands(n)),
        None => "at no length measured".to_string(),
    };
    let mut text = format!(
        "From this length on, in {}, it is no slower than sequential code, by the median: ",
        family.n
    );
    let has_rayon = |case: &str| {
        points
            .iter()
            .any(|p| p.family == family.name && p.case == case && p.contender == "rayon")
    };
    let said: Vec<String> = cases(points, family)
        .into_iter()
        .map(|case| match has_rayon(case) {
            true => format!(
                "*{case}*: filch {}, rayon {}",
                from(case, "filch"),
                from(case, "rayon")
            ),
            false => format!("*{case}*: filch {}", from(case, "filch")),
        })
        .collect();
    text.push_str(&said.join("; "));
    text.push_str(".\n\n");
    text
}

/// All figures, folded away.
fn table(contests: &[Contest<'_>]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for point in contests.iter().flat_map(|contest| &contest.0[1..]) {
        if !names.contains(&point.contender.as_str()) {
            names.push(&point.contender);
        }
    }
    let mut text = format!(
        "<details><summary>figures</summary>\n\n| case | n | sequential | {} |\n",
        names.join(" | ")
    );
    writeln!(text, "|---|--:|--:|{}", "--:|".repeat(names.len())).expect("a string takes all");
    for &contest in contests {
        let std = contest.any();
        let (first, cell): (String, fn(&Point) -> String) = match std.unit.as_str() {
            "ns" => (time(std.reading.min), |point| pair(point.ratio)),
            _ => (count(std), count),
        };
        let unit = if contest.is_timed() {
            String::new()
        } else {
            format!(", {}", std.unit)
        };
        write!(
            text,
            "| {}{unit} | {} | {first} |",
            std.case,
            length(contest)
        )
        .expect("a string takes all");
        for name in &names {
            let cell = contest.of(name).map_or(String::new(), cell);
            write!(text, " {cell} |").expect("a string takes all");
        }
        text.push('\n');
    }
    text + "\n</details>\n"
}

fn count(point: &Point) -> String {
    thousands(point.reading.median.round() as usize)
}
