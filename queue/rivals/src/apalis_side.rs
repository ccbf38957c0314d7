//! apalis-sqlite.

use std::path::Path;
use std::task::{Context, Poll};
use std::time::Duration;

use apalis::prelude::*;
use apalis_sqlite::{Config, SqliteConnectOptions, SqlitePool, SqlitePoolOptions, SqliteStorage};
use tokio::runtime::Runtime;

use super::{Failure, Side, began};

const QUEUE: &str = "rivals";

pub struct Theirs {
    runtime: Runtime,
    pool: SqlitePool,
}

fn options(file: &Path, full: bool) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .pragma("journal_mode", "WAL")
        .pragma("synchronous", if full { "FULL" } else { "NORMAL" })
        .busy_timeout(Duration::from_secs(60))
}

impl Theirs {
    /// Makes the tables, too.
    pub fn open(file: &Path, full: bool) -> Result<Self, Failure> {
        Self::connect(file, full, true)
    }

    /// Only the submitter makes the tables. A worker that did so, too, would run `PRAGMA optimize` while others write, which SQLite refuses with "database is locked"
    /// however long it may wait: it is a reader that wants to write, after another has written.
    fn connect(file: &Path, full: bool, make: bool) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let pool = runtime.block_on(async {
            if make {
                let pool = SqlitePool::connect_with(options(file, full)).await?;
                SqliteStorage::setup(&pool).await?;
                // Its own setting was made on this pool's connection.
                pool.close().await;
            }
            let connect = SqlitePoolOptions::new().max_connections(4);
            Ok::<_, Failure>(connect.connect_with(options(file, full)).await?)
        })?;
        Ok(Theirs { runtime, pool })
    }

    fn storage(&self, batch: usize) -> SqliteStorage<u64> {
        let config = Config::default().queue(QUEUE).batch_size(batch);
        SqliteStorage::new(&self.pool).with_config(config)
    }
}

impl Side for Theirs {
    fn submit(&self, jobs: u64) -> Result<(), Failure> {
        let mut storage = self.storage(10);
        self.runtime
            .block_on(storage.push_bulk((0..jobs).collect()))
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    fn done(&self) -> Result<u64, Failure> {
        let count = sqlx::query_scalar("SELECT count(*) FROM Jobs WHERE status = 'Done'");
        let count: i64 = self.runtime.block_on(count.fetch_one(&self.pool))?;
        Ok(count.unsigned_abs())
    }
}

/// Wakes the worker now and then, as apalis' own `IntervalStrategy` does, but for one thing: when its time is up, theirs (apalis-core 1.0.0) makes a new timer and does not register a waker for it. If a
/// look for jobs has just come back without any, the worker sleeps until its heartbeat, for up to 30 s.
struct Every(tokio::time::Interval);

impl PollStrategy for Every {
    fn poll_drive(&mut self, cx: &mut Context<'_>, _: &PollSnapshot) -> Poll<Option<()>> {
        let mut due = Poll::Pending;
        while self.0.poll_tick(cx).is_ready() {
            due = Poll::Ready(Some(()));
        }
        due
    }
}

async fn nothing(_: u64) -> Result<(), BoxDynError> {
    began::tell();
    Ok(())
}

pub fn work(
    file: &Path,
    full: bool,
    batch: usize,
    interval: Option<Duration>,
) -> Result<(), Failure> {
    let side = Theirs::connect(file, full, false)?;
    let worker = WorkerBuilder::new(format!("worker-{}-{batch}-{full}", std::process::id()));
    let storage = side.storage(batch);
    match interval {
        None => {
            let worker = worker.backend(storage).build(nothing);
            side.runtime.block_on(worker.run())?;
        }
        Some(interval) => {
            side.runtime.block_on(async {
                let every = Every(tokio::time::interval(interval));
                let worker = worker.backend(storage.poll_with_strategy(every));
                worker.build(nothing).run().await
            })?;
        }
    }
    Ok(())
}
