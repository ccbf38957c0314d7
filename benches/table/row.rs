//! One line of the table, described by a chain of calls.

use std::{hint::black_box, rc::Rc, time::Instant};

use suite::measure::{self, Contender, Pair, Pools};

use crate::{
    measure::{Bench, Meter, Place},
    report,
};

/// What a cell shows.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    /// The time over that of plain std, times this factor.
    Ratio(f64),
    /// The time above that of plain std over this number, in nanoseconds.
    Above(f64),
    /// The reading itself.
    Count,
}

/// One line of the table: the same result, computed by several contenders.
pub struct Row<'a, R> {
    bench: &'a Bench,
    name: String,
    unit: Unit,
    meter: Meter,
    place: Place,
    pools: Pools,
    must_beat_std: bool,
    goal: Option<Pair>,
    expected: Option<R>,
    contenders: Vec<Contender<'a>>,
    /// The share of the machine that others used during the measurement.
    others: f64,
}

/// The share of the machine that others may take from the row's threads; beyond
/// it the row is noisy.
const NOISY: f64 = 0.1;

impl Bench {
    /// A new row; its contenders follow.
    pub fn row<'a, R>(&'a self, name: impl Into<String>) -> Row<'a, R> {
        Row {
            bench: self,
            name: name.into(),
            unit: Unit::Ratio(1.0),
            meter: Meter::Time,
            place: Place::Outside,
            pools: Pools::Awake,
            must_beat_std: true,
            goal: None,
            expected: None,
            contenders: Vec::new(),
            others: 0.0,
        }
    }
}

impl<'a, R: PartialEq + 'a> Row<'a, R> {
    /// Calls our crate and rayon from `place`, which the name then tells.
    pub fn place(mut self, place: Place) -> Self {
        self.place = place;
        self.name.push_str(match place {
            Place::Outside => ", outside",
            Place::Inside => ", inside",
        });
        self
    }

    /// Whether the command line selects the row; asked once it has its name.
    fn wanted(&self) -> bool {
        let name = self.name.to_lowercase();
        let rows = &self.bench.rows;
        rows.is_empty() || rows.iter().any(|row| name.contains(row))
    }

    /// Shows nanoseconds above plain std, for each of `parts` parts of a call.
    pub fn above_std(mut self, parts: u64) -> Self {
        self.unit = Unit::Above(parts as f64);
        self
    }

    /// Shows the time over plain std's shared by so many threads.
    pub fn over_ideal(mut self, threads: usize) -> Self {
        self.unit = Unit::Ratio(threads as f64);
        self
    }

    /// Counts allocations instead of time.
    pub fn allocations(mut self) -> Self {
        (self.meter, self.unit) = (Meter::Allocations, Unit::Count);
        self
    }

    /// Counts bytes asked for over `result` bytes instead of time.
    pub fn bytes_over(mut self, result: u64) -> Self {
        (self.meter, self.unit) = (Meter::Bytes(result), Unit::Count);
        self
    }

    /// Lets all pools fall asleep before each call.
    pub fn asleep(mut self) -> Self {
        self.pools = Pools::Asleep;
        self
    }

    /// The row is about overhead, so being slower than plain std is no loss.
    pub fn overhead(mut self) -> Self {
        self.must_beat_std = false;
        self
    }

    /// What ours should reach on two threads, at its best and at the median.
    pub fn goal(mut self, min: f64, median: f64) -> Self {
        self.goal = (self.bench.threads == 2).then_some(Pair { min, median });
        self
    }

    /// Plain std, the measure of the others; its result is what they must give. It runs on a thread of the same kind as the others, because
    /// allocators are slower with large blocks on any thread but the first.
    pub fn std(mut self, mut f: impl FnMut() -> R + Send + 'a) -> Self {
        if self.wanted() {
            self.expected = Some(f());
            let (bench, meter, place) = (self.bench, self.meter, self.place);
            self.push("std", move |calls| match place {
                Place::Outside => meter.read(calls, &mut f),
                Place::Inside => bench.rayon.install(|| meter.read(calls, &mut f)),
            });
        }
        self
    }

    /// Our crate and rayon, as `twice!` makes them.
    pub fn par(
        mut self,
        (mut ours, mut rayon): (impl FnMut() -> R + Send + 'a, impl FnMut() -> R + Send + 'a),
    ) -> Self {
        if self.wanted() {
            self.check("filch", ours());
            self.check("rayon", rayon());
            let (bench, meter, place) = (self.bench, self.meter, self.place);
            self.push("filch", move |calls| match place {
                Place::Outside => meter.read(calls, &mut ours),
                Place::Inside => bench.ours.install(|| meter.read(calls, &mut ours)),
            });
            self.push("rayon", move |calls| match place {
                Place::Outside => meter.read(calls, &mut rayon),
                Place::Inside => bench.rayon.install(|| meter.read(calls, &mut rayon)),
            });
        }
        self
    }

    /// chili, in one scope for a whole batch.
    pub fn chili(mut self, mut f: impl FnMut(&mut chili::Scope<'_>) -> R + 'a) -> Self {
        if self.wanted() {
            let (bench, meter) = (self.bench, self.meter);
            self.check("chili", f(&mut bench.chili.scope()));
            self.push("chili", move |calls| {
                let mut scope = bench.chili.scope();
                meter.read(calls, || f(&mut scope))
            });
        }
        self
    }

    /// chili, with a scope for each call, as from outside.
    pub fn chili_outside(mut self, mut f: impl FnMut(&mut chili::Scope<'_>) -> R + 'a) -> Self {
        if self.wanted() {
            let (bench, meter) = (self.bench, self.meter);
            self.check("chili", f(&mut bench.chili.scope()));
            self.push("chili", move |calls| {
                meter.read(calls, || f(&mut bench.chili.scope()))
            });
        }
        self
    }

    /// orx-parallel.
    pub fn orx(mut self, mut f: impl FnMut() -> R + 'a) -> Self {
        if self.wanted() {
            self.check("orx", f());
            let meter = self.meter;
            self.push("orx", move |calls| meter.read(calls, &mut f));
        }
        self
    }

    /// Like [`Row::std`] and [`Row::par`], with an input made anew, off the
    /// clock, for each call.
    pub fn each_with<S: 'a>(
        mut self,
        input: impl Fn() -> S + 'a,
        std: impl Fn(S) -> R + 'a,
        (ours, rayon): (impl Fn(S) -> R + 'a, impl Fn(S) -> R + 'a),
    ) -> Self {
        if self.wanted() {
            self.expected = Some(std(input()));
            self.check("filch", ours(input()));
            self.check("rayon", rayon(input()));
            let input = Rc::new(input);
            let mut push = |name, f: Box<dyn Fn(S) -> R + 'a>| {
                let input = input.clone();
                self.push(name, move |calls| {
                    let one = |_| {
                        let input = input();
                        let start = Instant::now();
                        let result = black_box(f(input));
                        let time = start.elapsed().as_nanos() as f64;
                        drop(result);
                        time
                    };
                    (0..calls).map(one).sum()
                });
            };
            push("std", Box::new(std));
            push("filch", Box::new(ours));
            push("rayon", Box::new(rayon));
        }
        self
    }

    fn push(&mut self, name: &'static str, batch: impl FnMut(u64) -> f64 + 'a) {
        self.contenders.push(Contender::new(name, batch));
    }

    fn check(&self, who: &str, result: R) {
        assert!(
            self.expected.as_ref() == Some(&result),
            "{}: {who} computes something else",
            self.name
        );
    }

    /// Measures the row and prints it.
    pub fn run(mut self) {
        if self.wanted() {
            let others = (self.bench).measure(&mut self.contenders, self.meter, self.pools);
            self.others = others.unwrap_or(0.0);
            self.print();
        }
    }

    fn samples(&self, name: &str) -> Option<&[f64]> {
        let found = self.contenders.iter().find(|other| other.name == name)?;
        Some(&found.samples)
    }

    /// Best over best, and the median over rounds, of `f(contender, base)`.
    fn compare(&self, name: &str, base: &str, f: impl Fn(f64, f64) -> f64) -> Option<Pair> {
        let (own, base) = (self.samples(name)?, self.samples(base)?);
        Some(Pair::compare(own, base, f))
    }

    fn print(&self) {
        let shown = |name| {
            self.compare(name, "std", |own, std| match self.unit {
                Unit::Ratio(factor) => own / std * factor,
                Unit::Above(parts) => (own - std) / parts,
                Unit::Count => own,
            })
        };
        let cell = |name| shown(name).map_or(String::new(), report::cell);
        let cells = ["filch", "rayon", "chili", "orx"].map(cell);
        let std = measure::min(self.samples("std").unwrap_or_default());
        let std = if self.unit == Unit::Count {
            cell("std")
        } else {
            report::time(std)
        };

        let mut remarks: Vec<String> = Vec::new();
        if let Some((goal, ours)) = self.goal.zip(shown("filch")) {
            remarks.extend(report::remark_above(ours, goal, "misses its goal"));
        }
        if self.unit != Unit::Count {
            const NEVER: Pair = Pair {
                min: 0.0,
                median: 0.0,
            };
            if self.must_beat_std {
                let lost = self.compare("filch", "std", |own, std| own - (1.1 * std + 100.0));
                remarks.extend(
                    lost.and_then(|lost| report::remark_above(lost, NEVER, "slower than std")),
                );
            }
            let lost = self.compare("filch", "rayon", |own, rayon| own - 1.05 * rayon);
            remarks.extend(lost.and_then(|lost| report::remark_above(lost, NEVER, "behind rayon")));
        }
        let goal = self
            .goal
            .map_or(String::new(), |goal| match goal.min == goal.median {
                true => goal.min.to_string(),
                false => format!("{}/{}", goal.min, goal.median),
            });
        let lost = !remarks.is_empty();
        let noisy = self.others > self.bench.spare() + NOISY;
        if noisy {
            remarks.push(format!("noisy: others {:.0} %", self.others * 100.0));
        }
        let remark = remarks.join(", ");
        let line = self.bench.format.line(
            &self.name,
            &std,
            &cells.each_ref().map(String::as_str),
            &goal,
            &remark,
        );
        println!("{line}");
        if lost {
            let doubtful = noisy || remarks.iter().all(|remark| remark.ends_with('?'));
            let mark = if doubtful {
                report::DOUBTFUL
            } else {
                report::LOSING
            };
            let [ours, rayon, ..] = cells;
            println!(
                "{mark}{}: {remark} (filch {ours}, rayon {rayon})",
                self.name
            );
        }
    }
}
