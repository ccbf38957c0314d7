//! Where the time of a program went: records a run and writes it as a page for a browser, or for Perfetto.
//!
//! ```text
//! cargo run --release --features trace --example timeline                # timeline.html
//! cargo run --release --features trace --example timeline -- run.json   # for Perfetto and chrome://tracing
//! cargo run --release --features trace --example timeline -- run.html 4 # with four threads
//! ```
//!
//! The program has a bit of everything: loops that are shared well, a loop whose expensive items sit at one end, short calls that are not worth sharing,
//! one that its author forbade to cut, and serial code between them. What the page says of each is printed, too.

use filch::prelude::*;
use filch::trace::{Scalability, Trace, measure, record};
use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::{env, process};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "timeline.html".into());
    let write: fn(&Trace, &Scalability, File) -> std::io::Result<()> = match path.rsplit_once('.') {
        Some((_, "html")) => |trace, measured, file| trace.write_html_with(measured, file),
        Some((_, "json")) => |trace, _, file| trace.write_chrome(file),
        Some((_, "filch")) => |trace, _, file| trace.write_raw(file),
        _ => {
            eprintln!("timeline: the name must end in .html, .json or .filch: {path}");
            process::exit(2);
        }
    };
    let threads = args.next().map_or(Ok(0), |n| n.parse())?;
    let pool = filch::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;

    let (sums, trace) = record(|| pool.install(program));
    assert_eq!(sums, expected());
    // On one thread: what more threads could do.
    let (_, measured) = measure(program);
    println!("{}", trace.explain());
    println!("{measured}");
    write(&trace, &measured, File::create(&path)?)?;
    println!("{path}");
    Ok(())
}

const ITEMS: u32 = 40_000;

/// Something that takes about `rounds` nanoseconds.
fn cost(item: u32, rounds: u64) -> u64 {
    (0..rounds).fold(item.into(), |x: u64, _| {
        black_box(x ^ (x << 7)).rotate_left(9)
    }) & 0xFF
}

/// What is recorded.
fn program() -> [u64; 4] {
    let even = filch::region("even", || {
        (0..ITEMS).into_par_iter().map(|i| cost(i, 500)).sum()
    });
    let serial: u64 = filch::region("serial", || (0..ITEMS / 8).map(|i| cost(i, 500)).sum());
    let skewed: u64 = filch::region("skewed", || {
        let all = (0..ITEMS).into_par_iter();
        all.map(|i| cost(i, if i < ITEMS / 100 { 20_000 } else { 50 }))
            .sum()
    });
    let short = filch::region("short", || {
        let call = |i: u32| {
            (i..i + 20)
                .into_par_iter()
                .map(|i| cost(i, 20))
                .sum::<u64>()
        };
        (0..ITEMS / 8).map(call).sum()
    });
    let whole: u64 = filch::region("whole", || {
        let all = (0..ITEMS / 8).into_par_iter().with_min_len(ITEMS as usize);
        all.map(|i| cost(i, 500)).sum()
    });
    assert_eq!(serial, whole);
    [even, serial, skewed, short]
}

/// The same, by plain loops.
fn expected() -> [u64; 4] {
    let even = (0..ITEMS).map(|i| cost(i, 500)).sum();
    let serial = (0..ITEMS / 8).map(|i| cost(i, 500)).sum();
    let skewed = (0..ITEMS)
        .map(|i| cost(i, if i < ITEMS / 100 { 20_000 } else { 50 }))
        .sum();
    let short = (0..ITEMS / 8)
        .flat_map(|i| i..i + 20)
        .map(|i| cost(i, 20))
        .sum();
    [even, serial, skewed, short]
}
