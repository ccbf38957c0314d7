//! `Trace::explain`: a table of loops, with what each cost, and why it was or was not cut.

use super::Reason;
use super::quantile::Times;
use super::recording::{SiteRow, Trace};
use super::regions::regions;
use super::what::What;
use crate::core::row::columns::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// A table of call sites: what each cost, and why it was or was not cut. [`Trace::explain`] makes it; printing it gives a table.
///
/// ```
/// use filch::prelude::*;
/// let (_, trace) = filch::trace::record(|| (0..100_000u32).into_par_iter().map(|i| i ^ 1).max());
/// let table = trace.explain();
/// println!("{table}");
/// assert_eq!((table.sites.len(), table.lost, table.left_out), (1, 0, 0));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explain {
    /// The sites, those that took longest first.
    pub sites: Vec<SiteReport>,
    /// How many events were lost, at least, so that quantiles are of the last calls only.
    pub lost: u64,
    /// How often a call was not counted, because there is room for 512 sites on each thread.
    pub left_out: u64,
}

/// What a call site did while it was recorded.
///
/// A call site is a chain of a parallel iterator, with all its types. Two places in the program are one site if their types are the same,
/// or if the linker merges their machine code.
///
/// ```
/// use filch::prelude::*;
/// let (_, trace) = filch::trace::record(|| (0..100_000u32).into_par_iter().map(|i| i ^ 1).max());
/// let site = &trace.explain().sites[0];
/// assert!(site.name.starts_with("range of u32 → map("), "{}", site.name);
/// assert_eq!((site.calls, site.items), (1, 100_000));
/// println!("{}", site.why);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SiteReport {
    /// The chain, from its source to its end.
    pub name: String,
    /// The names of the [regions](crate::region) in which it was called.
    pub regions: Vec<String>,
    /// Calls that were counted.
    pub calls: u64,
    /// Of `calls`, those that were folded without a look at the clock: short ones in a pool of one thread, and nested calls that cost next to
    /// nothing (of which only a few are counted).
    pub unseen: u64,
    /// Of `calls`, those that are too short to be shared. They have two looks at the clock.
    pub tiny: u64,
    /// Of `calls`, those that the driver ran, because they may be shared.
    pub driven: u64,
    /// Items of the calls that were counted.
    pub items: u64,
    /// What all calls took, over all threads.
    pub time: Duration,
    /// Blocks of driven calls. A block is the items that a thread folds from one look at the clock to the next.
    pub blocks: u64,
    /// How long a block takes on average: about 10 µs once the cost of an item is known, and more if one item takes more. Zero if there was none.
    pub grain: Duration,
    /// How many items a block has on average, rounded; 0 if there was none.
    pub grain_items: u64,
    /// Pieces that were offered.
    pub cuts: u64,
    /// Of these, taken by another thread.
    pub taken: u64,
    /// The median of the times from begin to end of driven calls; zero, if there were none.
    pub p50: Duration,
    /// The time that 99 of 100 driven calls take at most.
    pub p99: Duration,
    /// The answers to the question whether to cut, and how often each was given, the most frequent first.
    pub reasons: Vec<(Reason, u64)>,
    /// How often another site had overwritten what was remembered of this one.
    pub overwritten: u64,
    /// The reason in words, with its numbers.
    pub why: String,
}

impl SiteReport {
    /// What an item takes, in nanoseconds.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (_, trace) = filch::trace::record(|| (0..100_000u32).into_par_iter().map(|i| i ^ 1).max());
    /// assert!(trace.explain().sites[0].ns_per_item() > 0.0);
    /// ```
    pub fn ns_per_item(&self) -> f64 {
        self.time.as_nanos() as f64 / self.items.max(1) as f64
    }

    /// The most frequent reason not to cut.
    ///
    /// ```
    /// use filch::{prelude::*, trace::Reason};
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    /// let (_, trace) = filch::trace::record(|| pool.install(|| (0..100_000u32).into_par_iter().map(|i| i ^ 1).max()));
    /// assert_eq!(trace.explain().sites[0].refusal(), Some(Reason::OneThread));
    /// ```
    pub fn refusal(&self) -> Option<Reason> {
        let refusal = self.reasons.iter().find(|(reason, _)| !reason.is_cut());
        refusal.map(|&(reason, _)| reason)
    }
}

impl Trace {
    /// For each call site, what it cost and why it was or was not cut.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let data = vec![1u32; 300];
    /// let sum = || data.par_iter().sum::<u32>();
    /// let (_, trace) = filch::trace::record(|| (0..1000).map(|_| sum()).max());
    /// let explain = trace.explain();
    /// assert_eq!(explain.sites[0].calls, 1000);
    /// println!("{explain}");
    /// ```
    pub fn explain(&self) -> Explain {
        let mut times: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let spans = self.all_spans();
        for spans in &spans {
            for span in spans {
                if let What::Call { site, .. } = span.what {
                    times.entry(site).or_default().push(span.ticks());
                }
            }
        }
        let regions = regions(self, &spans);
        let rows: BTreeMap<_, _> = self.sites.iter().map(|site| (site.key, site)).collect();
        let sites = self
            .sites_by_time()
            .iter()
            .map(|key| {
                let mut report = self.report(rows[key], times.remove(key).unwrap_or_default());
                let regions = regions.get(key).into_iter().flatten();
                let names = regions.map(|&region| self.region_name(region).to_owned());
                report.regions = names.collect();
                report
            })
            .collect();
        Explain {
            sites,
            lost: self.lost(),
            left_out: self.left_out,
        }
    }

    /// The keys of the sites, those that took longest first.
    pub(super) fn sites_by_time(&self) -> Vec<u32> {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|site| (std::cmp::Reverse(site.row.0[TICKS]), site.key));
        sites.into_iter().map(|site| site.key).collect()
    }

    /// What is told of a site; `times` are those of its calls.
    pub(super) fn report(&self, site: &SiteRow, times: Vec<u64>) -> SiteReport {
        let column = |at: usize| site.row.0[at];
        let times = Times::of(times.into_iter());
        let quantile = |percent| self.duration(times.quantile(percent));
        let mut reasons: Vec<_> = Reason::ALL
            .iter()
            .map(|&reason| (reason, column(REASONS + reason as usize)))
            .filter(|&(_, count)| count > 0)
            .collect();
        reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason));
        let mut report = SiteReport {
            name: site.name.clone(),
            regions: Vec::new(),
            calls: column(CALLS),
            unseen: column(NOTHING) + column(BLIND),
            tiny: column(TINY),
            driven: column(DRIVEN),
            items: column(ITEMS),
            time: self.duration(column(TICKS)),
            blocks: column(BLOCKS),
            grain: self.duration(column(BLOCK_TICKS) / column(BLOCKS).max(1)),
            grain_items: mean(column(BLOCK_ITEMS), column(BLOCKS)),
            cuts: column(CUTS),
            taken: column(TAKEN),
            p50: quantile(50),
            p99: quantile(99),
            reasons,
            overwritten: column(OVERWRITTEN),
            why: String::new(),
        };
        report.why = self.why(&report, site);
        report
    }
}

/// The mean of `count` numbers, rounded; 0, if there are none.
fn mean(sum: u64, count: u64) -> u64 {
    match count {
        0 => 0,
        _ => sum.saturating_add(count / 2) / count,
    }
}
