//! Runs chains, and says on standard output what became of each.
//!
//! The lines are for the program that made the chains: `begin NAME`, `fail NAME: what`, `done NAME runs R failed F`, `taken PIECES`. A chain that hangs or
//! ends the process is the last one that began.

use crate::closures::{Boom, counting_booms};
use crate::cost::{self, Cost};
use crate::data::Data;
use crate::judge::Promise;
use crate::setting::{Setting, pieces_taken, pool, settings};
use crate::token::live;
use crate::watch::Watch;
use filch::iter::plumbing::{Cuts, force_cuts};
use std::any::Any;
use std::io::{Write, stdout};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A chain in both forms.
pub struct Chain {
    /// What it is called in reports.
    pub name: &'static str,
    /// On filch.
    pub by_filch: fn(usize, &Data) -> Vec<u64>,
    /// On std's iterators.
    pub by_std: fn(usize, &Data) -> Vec<u64>,
    /// What is promised of the result.
    pub promise: Promise,
    /// About how many items come of one of the source.
    pub growth: usize,
    /// Whether each item is computed, so that a planned panic must arrive.
    pub eager: bool,
    /// Which settings come first, see [`settings`].
    pub turn: usize,
}

/// A chain that failed so often is not run any more.
const ENOUGH: usize = 20;

/// Runs all of them, for so many rounds; `--from K` leaves out the first K, `--rounds R` says how many.
pub fn main(chains: &[Chain]) {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.map_or(default, |at| {
            arguments[at + 1].parse().expect("it is a number")
        })
    };
    filch::ThreadPoolBuilder::new()
        .num_threads(2)
        .build_global()
        .expect("nothing ran before");
    std::panic::set_hook(Box::new(|_| ()));
    let (data, watch) = (Data::default(), Watch::start());
    for chain in &chains[option("--from", 0)..] {
        say(&format!("begin {}", chain.name));
        let (mut runs, mut failed) = (0, 0);
        for later in 0..option("--rounds", 1) {
            let settings = settings(chain.growth, chain.turn + later);
            round(chain, &settings, &data, &watch, &mut runs, &mut failed);
        }
        say(&format!("done {} runs {runs} failed {failed}", chain.name));
    }
    watch.stop();
    say(&format!("taken {}", pieces_taken()));
}

/// Runs a chain once under each setting.
fn round(
    chain: &Chain,
    settings: &[Setting],
    data: &Data,
    watch: &Watch,
    runs: &mut usize,
    failed: &mut usize,
) {
    for of_length in settings.chunk_by(|a, b| a.n == b.n) {
        cost::set(Cost::None);
        watch.begin(format!("{} on std's iterators", chain.name));
        let (want, booms) = counting_booms(|| (chain.by_std)(of_length[0].n, data));
        for &setting in of_length {
            if *failed >= ENOUGH {
                return;
            }
            *runs += 1;
            watch.begin(format!("{} with {setting}", chain.name));
            if let Some(breach) = run(chain, data, setting, &want, booms) {
                *failed += 1;
                if *failed <= 3 {
                    say(&format!("fail {} with {setting}: {breach}", chain.name));
                }
            }
        }
    }
}

/// Runs a chain once. Returns what is wrong, if anything.
fn run(chain: &Chain, data: &Data, setting: Setting, want: &[u64], booms: usize) -> Option<String> {
    let before = live();
    cost::set(setting.cost);
    told(setting, setting.cuts);
    let result = catch_unwind(AssertUnwindSafe(|| match setting.threads {
        0 => (chain.by_filch)(setting.n, data),
        threads => pool(threads).install(|| (chain.by_filch)(setting.n, data)),
    }));
    told(setting, Cuts::Adaptive);
    let left = live() - before;
    match result {
        _ if left > 0 => Some(format!("{left} items were never dropped")),
        _ if left < 0 => Some(format!("{} items were dropped twice", -left)),
        Ok(_) if booms > 0 && chain.eager => Some(format!("none of {booms} panics arrived")),
        Ok(got) => chain.promise.breach(&got, want),
        Err(payload) if payload.is::<Boom>() && booms == 0 && chain.eager => {
            Some("a planned panic that no item has".into())
        }
        Err(payload) if payload.is::<Boom>() => None,
        Err(payload) => Some(format!("panic: {}", message(&*payload))),
    }
}

/// Makes the pool of a setting cut so.
fn told(setting: Setting, cuts: Cuts) {
    match setting.threads {
        0 => force_cuts(cuts),
        threads => pool(threads).force_cuts(cuts),
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("something else than a text")
}

/// Says a line at once, so that it is not lost with the process.
fn say(line: &str) {
    let mut out = stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .expect("standard output is open");
}
