//! A recorded program on any number of workers, as a table.

use sim::{Choices, Costs, Replay, Seen, run};
use std::path::Path;
use std::time::Duration;

/// For how many workers a recording is run again, if nothing else is asked for.
const WORKERS: [usize; 4] = [1, 2, 8, 64];
/// The most that make sense.
const MOST: usize = 1024;
/// Each run has its chances; the median of so many is told.
const SEEDS: u64 = 5;

/// What `--replay` prints; `arguments` are what comes after it.
pub fn replay(arguments: &[&str]) -> Result<String, String> {
    let (file, workers) = match *arguments {
        [file] => (file, WORKERS.to_vec()),
        [file, "--workers", list] => (file, numbers(list)?),
        _ => {
            return Err(format!(
                "usage: sim --replay FILE.filch [--workers 1,2,8,64], not {}",
                arguments.join(" ")
            ));
        }
    };
    Ok(text(&sim::read(Path::new(file))?, &workers))
}

fn numbers(list: &str) -> Result<Vec<usize>, String> {
    let number = |text: &str| match text.trim().parse() {
        Ok(number @ 1..=MOST) => Ok(number),
        _ => Err(format!(
            "--workers: {text:?} is no number of workers from 1 to {MOST}"
        )),
    };
    list.split(',').map(number).collect()
}

fn text(replay: &Replay, workers: &[usize]) -> String {
    let Replay {
        workload,
        bounds,
        seen,
    } = replay;
    let (work, chain) = (workload.work(), workload.chain());
    let mut text = format!(
        "{bounds}\nReplayed: {}; work {}, longest chain {}.\n\n",
        told(seen),
        time(work),
        time(chain)
    );
    text += "workers       time  over the ideal  processor over work  times as fast  the recording's bounds\n";
    for &workers in workers {
        let runs = (1..=SEEDS).map(|seed| {
            run(
                workload,
                workers,
                &Choices::SHIPPED,
                &Costs::default(),
                seed,
            )
        });
        let mut runs: Vec<_> = runs.collect();
        runs.sort_by_key(|outcome| outcome.time);
        let outcome = runs[SEEDS as usize / 2];
        let (least, most) = bounds.predicted(workers);
        let ideal = workload.ideal(workers);
        let over = |a: u64, b: f64| a as f64 / b.max(1.0);
        text += &format!(
            "{workers:7} {:>10} {:15.2} {:20.2} {:14.1}  {least:.1} to {most:.1}\n",
            time(outcome.time),
            over(outcome.time, ideal),
            over(outcome.processor(), work as f64),
            over(work, outcome.time as f64),
        );
    }
    text + &unknown(seen, work)
}

/// What was found in the recording.
fn told(seen: &Seen) -> String {
    format!(
        "{} recorded; {} with {} items; {} that another thread could run; serial code {}",
        time(seen.elapsed),
        count(seen.loops, "loop"),
        seen.items,
        count(seen.forks, "side"),
        time(seen.serial),
    )
}

/// What a replay cannot know.
fn unknown(seen: &Seen, work: u64) -> String {
    let mut text = String::from(
        "\nNot known: joins that no thread took, which are serial code here; memory, caches and shared cores, so an item takes as long on any worker and beside any others; \
         what items of one block (about 10 µs) take one by one; least and greatest lengths of pieces; locks; whether serial code was work or a wait.\n",
    );
    if seen.nested > 0 {
        text += &format!(
            "Inside items of other calls: {}, which are not cut here.\n",
            count(seen.nested, "call")
        );
    }
    if seen.left_out * 50 > work {
        text += &format!(
            "Left out: {} inside of calls, but not on their items.\n",
            time(seen.left_out)
        );
    }
    text
}

fn count(count: usize, of: &str) -> String {
    match count {
        1 => format!("1 {of}"),
        _ => format!("{count} {of}s"),
    }
}

fn time(ns: u64) -> String {
    format!("{:.3?}", Duration::from_nanos(ns))
}
