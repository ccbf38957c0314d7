//! Three requests share a pool, and each line that is logged says to which one it belongs.
//!
//! ```text
//! cargo run -p filch-tracing --example request          # the lines of the requests
//! cargo run -p filch-tracing --example request -- all   # also which thread ran what, and what was stolen
//! ```

use filch::ThreadPoolBuilder;
use filch::prelude::*;
use filch_tracing::{Spans, enter_worker, exit_worker};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use tracing::{Level, info, info_span};

/// Keeps a copy of what it prints.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        io::stdout().write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Counts the primes of each part; a part logs what it found.
fn serve(request: u32) -> usize {
    let _span = info_span!("request", id = request).entered();
    let is_prime = |n: &u32| {
        *n > 1
            && (2..)
                .take_while(|d| d * d <= *n)
                .all(|d| !n.is_multiple_of(d))
    };
    let parts = (0..8u32).into_par_iter().with_max_len(1).map(|part| {
        let begin = request * 80_000 + part * 10_000;
        let primes = (begin..begin + 10_000).filter(is_prime).count();
        info!(request, begin, primes, "part");
        primes
    });
    parts.sum()
}

fn main() {
    let all = std::env::args().nth(1).is_some_and(|word| word == "all");
    let lines = Lines::default();
    let kept = lines.clone();
    tracing_subscriber::fmt()
        .with_max_level(if all { Level::TRACE } else { Level::INFO })
        .with_ansi(false)
        .without_time()
        .with_writer(move || lines.clone())
        .init();
    let pool = ThreadPoolBuilder::new()
        .num_threads(2)
        .start_handler(enter_worker)
        .exit_handler(exit_worker)
        .follow(Spans::new())
        .build()
        .unwrap();
    let primes: Vec<usize> = thread::scope(|outside| {
        let pool = &pool;
        let requests = [0, 1, 2].map(|id| outside.spawn(move || pool.install(|| serve(id))));
        requests
            .into_iter()
            .map(|request| request.join().unwrap())
            .collect()
    });
    pool.shutdown();
    assert_eq!(primes.iter().sum::<usize>(), 21_221); // below 240,000

    let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    let parts: Vec<&str> = text.lines().filter(|line| line.contains("part ")).collect();
    assert_eq!(parts.len(), 3 * 8);
    for line in parts {
        let id = line
            .split("request=")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .unwrap();
        assert!(line.contains(&format!("request{{id={id}}}")), "{line}");
    }
    println!("{primes:?} primes, and each line is in the span of its request");
}
