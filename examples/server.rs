//! A server whose connections wait on threads of their own, and whose work runs in a pool.
//!
//! `cargo run --release --example server -- [requests]`
//!
//! Waiting and computing are two things. A thread that waits for a socket costs next to nothing, and there may be many. What computes needs
//! a processor, and there are few: so it goes to one pool, whose size says how much of the machine requests get, however many come at once.
//! The example `tokio_server` does the same with tasks in place of threads.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, thread};

use filch::ThreadPool;
use filch::prelude::*;
use indicatif::ProgressBar;

/// Clients that ask at the same time.
const CLIENTS: u64 = 8;

fn main() -> io::Result<()> {
    let requests: u64 = env::args()
        .nth(1)
        .map_or(400, |n| n.parse().expect("usage: server [requests]"));
    let pool = filch::ThreadPoolBuilder::new()
        .thread_name(|i| format!("answers {i}"))
        .build()
        .expect("threads");
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = listener.local_addr()?;
    // Shows itself on a terminal only.
    let bar = ProgressBar::new(requests);

    let start = Instant::now();
    let slowest = thread::scope(|scope| {
        let server = scope.spawn(|| serve(&listener, &pool));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (bar, mine) = (&bar, (client..requests).step_by(CLIENTS as usize));
                scope.spawn(move || ask(address, mine, bar))
            })
            .collect();
        let times = clients.into_iter().map(|it| it.join().expect("a client"));
        let slowest = times
            .collect::<io::Result<Vec<Duration>>>()?
            .into_iter()
            .max();
        server.join().expect("the server")?;
        io::Result::Ok(slowest.unwrap_or_default())
    })?;
    let took = start.elapsed();
    bar.finish_and_clear();

    println!(
        "{requests} requests of {CLIENTS} clients, answered by {} threads in {took:.2?}, each within {slowest:.2?}",
        pool.current_num_threads()
    );
    Ok(())
}

/// Accepts all clients, and serves each until it hangs up.
fn serve(listener: &TcpListener, pool: &ThreadPool) -> io::Result<()> {
    thread::scope(|scope| {
        let connections: Vec<_> = listener
            .incoming()
            .take(CLIENTS as usize)
            .map(|stream| scope.spawn(|| connection(stream?, pool)))
            .collect();
        connections
            .into_iter()
            .try_for_each(|it| it.join().expect("a connection"))
    })
}

/// A number a line comes in, and an answer a line goes out.
fn connection(stream: TcpStream, pool: &ThreadPool) -> io::Result<()> {
    let mut out = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        let answer = match line?.parse() {
            Ok(limit) => answer(limit, pool).to_string(),
            Err(error) => format!("not a number: {error}"),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

/// Hands the work to the pool, and waits for the result. `pool.install(..)` would do the same in one call. With a channel, another thread than the
/// one that sent the job may wait for the result.
fn answer(limit: u64, pool: &ThreadPool) -> usize {
    let (sender, receiver) = mpsc::sync_channel(1);
    pool.spawn(move || {
        // If the client waits no more, the answer is lost, and that is right.
        let _ = sender.send(primes_below(limit));
    });
    receiver
        .recv()
        .expect("an answer, or a panic that ends the process")
}

/// Parallel itself: a large request uses all threads that are free.
fn primes_below(limit: u64) -> usize {
    (2..limit).into_par_iter().filter(|&n| is_prime(n)).count()
}

fn is_prime(n: u64) -> bool {
    (2..)
        .take_while(|d| d * d <= n)
        .all(|d| !n.is_multiple_of(d))
}

/// Sends the requests of one client, checks the answers, and returns how long the slowest took.
fn ask(
    address: SocketAddr,
    requests: impl Iterator<Item = u64>,
    bar: &ProgressBar,
) -> io::Result<Duration> {
    let mut out = TcpStream::connect(address)?;
    let mut answers = BufReader::new(out.try_clone()?).lines();
    let mut slowest = Duration::ZERO;
    for request in requests {
        // Some large ones among many small ones.
        let (limit, expected) = [
            (100, "25"),
            (1_000, "168"),
            (10_000, "1229"),
            (100_000, "9592"),
        ][if request % 16 == 15 {
            3
        } else {
            request as usize % 3
        }];
        let start = Instant::now();
        writeln!(out, "{limit}")?;
        let answer = answers.next().ok_or(io::ErrorKind::UnexpectedEof)??;
        slowest = slowest.max(start.elapsed());
        assert_eq!(answer, expected, "primes below {limit}");
        bar.inc(1);
    }
    Ok(slowest)
}
