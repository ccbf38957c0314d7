//! Criterion's clock for the cases of a family.

use std::time::Duration;

use ::criterion::{BenchmarkId, Criterion};

use crate::{
    case::{Contest, Setting, Suite},
    families::Family,
    measure::Pools,
};

/// Runs a family as a program of `cargo bench`, on the threads of the global pools.
pub fn run(family: &Family) {
    let mut criterion = Criterion::default().configure_from_args();
    let setting = Setting::new(filch::current_num_threads(), 1_000_000);
    let mut visit = |contest: Contest<'_>| {
        let mut group = criterion.benchmark_group(format!("{}: {}", family.name, contest.name));
        if contest.pools == Pools::Asleep {
            group.sample_size(10);
        }
        for mut contender in contest.contenders {
            let id = match contest.threads == setting.threads {
                true => BenchmarkId::new(contender.name, contest.n),
                false => BenchmarkId::new(contender.name, format!("{} threads", contest.threads)),
            };
            group.bench_function(id, |b| {
                b.iter_custom(|calls| match contest.pools {
                    Pools::Awake => Duration::from_nanos(contender.read(calls) as u64),
                    Pools::Asleep => (0..calls)
                        .map(|_| {
                            std::thread::sleep(Duration::from_millis(5));
                            Duration::from_nanos(contender.read(1) as u64)
                        })
                        .sum(),
                })
            });
        }
        group.finish();
    };
    (family.cases)(&mut Suite {
        setting: &setting,
        visit: &mut visit,
    });
    criterion.final_summary();
}
