//! A tokio server that hands its work to a pool: one thread waits for all sockets, and the threads of the pool compute.
//!
//! `cargo run --release --example tokio_server -- [requests]`
//!
//! Each connection is a task. Work that takes long must not run in a task: the thread of the runtime would serve no other connection meanwhile.
//! So it goes to a `JobQueue`, and the task awaits the handle. If too many jobs wait already, the client is told so at once.

use std::env;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use filch::ext::*;
use filch::prelude::*;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Clients that ask at the same time.
const CLIENTS: u64 = 8;
/// Jobs that may wait. If all clients ask at once, and few threads compute, some are sent away.
const WAITING: usize = 5;

type Failure = Box<dyn Error + Send + Sync>;

/// How many requests were answered, and how many were sent away.
#[derive(Default)]
struct Tally {
    answered: u64,
    refused: u64,
}

fn main() -> Result<(), Failure> {
    let requests: u64 = env::args()
        .nth(1)
        .map_or(400, |n| n.parse().expect("usage: tokio_server [requests]"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let tally = runtime.block_on(run(requests))?;
    assert_eq!(tally.answered + tally.refused, requests);
    assert!(
        tally.answered > 0 || requests == 0,
        "the first one finds no other"
    );
    println!(
        "{requests} requests of {CLIENTS} clients: {} answered, {} sent away; one thread for all sockets, {} to compute",
        tally.answered,
        tally.refused,
        filch::current_num_threads()
    );
    Ok(())
}

/// Serves all clients, and adds up what they saw.
async fn run(requests: u64) -> Result<Tally, Failure> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let queue = Arc::new(JobQueue::current().limit(WAITING));
    let server = tokio::spawn(async move {
        for _ in 0..CLIENTS {
            let (stream, _) = listener.accept().await?;
            tokio::spawn(connection(stream, Arc::clone(&queue)));
        }
        Ok::<(), Failure>(())
    });
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| tokio::spawn(ask(address, client, requests)))
        .collect();
    let mut total = Tally::default();
    for client in clients {
        let tally = client.await??;
        total.answered += tally.answered;
        total.refused += tally.refused;
    }
    server.await??;
    Ok(total)
}

/// A number a line comes in, and an answer a line goes out.
async fn connection(stream: TcpStream, queue: Arc<JobQueue>) -> Result<(), Failure> {
    let (input, mut output) = stream.into_split();
    let mut lines = BufReader::new(input).lines();
    while let Some(line) = lines.next_line().await? {
        let answer = match line.parse() {
            Ok(limit) => answer(limit, &queue).await,
            Err(error) => format!("400 {error}"),
        };
        output.write_all(format!("{answer}\n").as_bytes()).await?;
    }
    Ok(())
}

async fn answer(limit: u64, queue: &JobQueue) -> String {
    // A short answer should not wait for the long ones.
    let priority = if limit > 10_000 {
        Priority::Low
    } else {
        Priority::High
    };
    match queue.try_spawn_handle(priority, move || primes_below(limit)) {
        Ok(job) => match job.await {
            Ok(primes) => format!("200 {primes}"),
            Err(_) => "500 the job panicked".to_owned(),
        },
        Err(full) => format!("503 {full}"),
    }
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

/// Sends every `CLIENTS`th request, from the `client`th on, and checks the answers.
async fn ask(address: SocketAddr, client: u64, requests: u64) -> Result<Tally, Failure> {
    let (input, mut output) = TcpStream::connect(address).await?.into_split();
    let mut answers = BufReader::new(input).lines();
    let mut tally = Tally::default();
    for request in (client..requests).step_by(CLIENTS as usize) {
        let (limit, primes) = match request % 16 {
            15 => (100_000, "200 9592"),
            n if n % 2 == 0 => (1_000, "200 168"),
            _ => (10_000, "200 1229"),
        };
        output.write_all(format!("{limit}\n").as_bytes()).await?;
        let answer = answers.next_line().await?.ok_or("the server hung up")?;
        if answer.starts_with("503 ") {
            tally.refused += 1;
        } else {
            assert_eq!(answer, primes, "primes below {limit}");
            tally.answered += 1;
        }
    }
    Ok(tally)
}
