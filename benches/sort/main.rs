//! How long do the sorts and their kin take, beside std's and all rivals'?
//!
//! ```text
//! cargo bench --bench sort -- [--threads N] [--max N] [--rounds N] [--csv] [part of a row's name]...
//! ```
//!
//! Contenders take turns in one process. Each row prints the least time of std, then for each contender the ratio of least times, that of
//! medians, and that of the least processor time of all threads together: on a machine with other things to do, half of the last, for two
//! threads, says more than the first two. With `--csv`: row, length, threads, contender, and the three figures in nanoseconds.

mod inputs;
mod measure;
mod rows;

use lexopt::{Arg, ValueExt};
use measure::Bench;

fn main() -> Result<(), lexopt::Error> {
    let mut bench = Bench {
        threads: 2,
        longest: 1_000_000,
        rounds: 15,
        csv: false,
        rows: Vec::new(),
    };
    let mut args = lexopt::Parser::from_env();
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("threads") => bench.threads = args.value()?.parse()?,
            Arg::Long("max") => bench.longest = args.value()?.parse()?,
            Arg::Long("rounds") => bench.rounds = args.value()?.parse()?,
            Arg::Long("csv") => bench.csv = true,
            Arg::Long("bench") => {}
            Arg::Value(part) => bench.rows.push(part.string()?),
            _ => return Err(arg.unexpected()),
        }
    }
    suite::ours::set_global(bench.threads);
    suite::rayon::set_global(bench.threads);
    rows::all(&bench);
    Ok(())
}
