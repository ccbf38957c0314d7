//! Contenders that take turns, and the ratios of their times.

use std::{
    hint::black_box,
    thread,
    time::{Duration, Instant},
};

pub struct Bench {
    pub threads: usize,
    /// The longest input.
    pub longest: usize,
    pub rounds: usize,
    pub csv: bool,
    /// Parts of the names of the rows to run; none means all.
    pub rows: Vec<String>,
}

/// A name, and what it does with an input of its own.
pub type Contender<'a, T> = (&'a str, &'a dyn Fn(&mut Vec<T>));

impl Bench {
    /// The lengths to measure at, up to `most`.
    pub fn lengths(&self, most: usize) -> impl Iterator<Item = usize> {
        let most = most.min(self.longest);
        [100, 1_000, 10_000, 100_000, 200_000, 1_000_000, 10_000_000]
            .into_iter()
            .filter(move |&n| n <= most)
    }

    pub fn wants(&self, name: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|part| name.contains(part.as_str()))
    }

    /// Measures one row. The first contender is what the others are compared with.
    pub fn row<T: Clone>(&self, name: &str, input: &[T], contenders: &[Contender<T>]) {
        // Enough copies that the clock's resolution does not matter.
        let copies = (2_000 / input.len().max(1)).max(1);
        let mut times = vec![Vec::new(); contenders.len()];
        let mut work = times.clone();
        let rounds = self
            .rounds
            .max(self.rounds * 100_000 / input.len().max(2_000));
        for round in 0..rounds {
            for turn in 0..contenders.len() {
                // Forwards and backwards, each contender first by turns.
                let turn = if round % 2 == 0 {
                    turn
                } else {
                    contenders.len() - 1 - turn
                };
                let mut inputs = vec![input.to_vec(); copies];
                // Long enough for the threads of the contender before to go to sleep.
                thread::sleep(Duration::from_micros(300));
                let (start, work_before) = (Instant::now(), processor_time());
                for input in &mut inputs {
                    contenders[turn].1(black_box(input));
                }
                times[turn].push(start.elapsed().as_secs_f64() / copies as f64);
                work[turn].push((processor_time() - work_before) / copies as f64);
                black_box(inputs);
            }
        }
        for readings in times.iter_mut().chain(&mut work) {
            readings.sort_by(f64::total_cmp);
        }
        let least = |i: usize| times[i][0];
        let median = |i: usize| times[i][times[i].len() / 2];
        if self.csv {
            for (i, (contender, _)) in contenders.iter().enumerate() {
                println!(
                    "{name},{},{},{contender},{:.1},{:.1},{:.1}",
                    input.len(),
                    self.threads,
                    least(i) * 1e9,
                    median(i) * 1e9,
                    work[i][0] * 1e9,
                );
            }
            return;
        }
        print!("{name:<28} {:>9} {:>11.1} us", input.len(), least(0) * 1e6);
        for (i, (contender, _)) in contenders.iter().enumerate().skip(1) {
            let (a, b) = (least(i) / least(0), median(i) / median(0));
            let work = work[i][0] / work[0][0];
            print!("  {contender} {a:.2} ({b:.2}, work {work:.2})");
        }
        println!();
    }
}

/// Seconds that all threads of this process have run for.
#[cfg(unix)]
fn processor_time() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a place for the result, for the time of the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn processor_time() -> f64 {
    f64::NAN
}
