//! A queue in a file, for the processes of one machine: SQLite with a write-ahead log.
//!
//! Every step of the [`ledger`](crate::ledger) is an `IMMEDIATE` transaction, so steps of all processes come one after the other. A process that is killed in the
//! middle of a step leaves none of it: the system lets go of its locks, and the next reader of the log stops before what was not committed.
//!
//! Waiting is by `data_version`, a counter in shared memory that changes when another process commits. Asking for it takes no lock on the file.

mod blobs;
mod flush;
mod rows;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::broker::Blobs;
use crate::error::Error;
use crate::planted::planted;
use crate::store::{Rows, Store};
use blobs::FileBlobs;
use flush::{Flush, Flusher};
use rows::SqlRows;

/// Says in the file's head that it is a queue of this crate.
const APPLICATION: i32 = 0x0F11C401;
/// The layout of the tables. Another one gets another number.
const LAYOUT: i32 = 3;
/// How often the file is looked at while nothing happens: half of what a job may wait for an idle worker.
const LOOK: Duration = Duration::from_millis(4);
/// How long a step waits for those of other processes. Steps take microseconds, or a disk's flush; a machine that needs longer is not alive.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct LocalStore {
    connection: Mutex<Connection>,
    /// Writes by this process, which `data_version` does not count.
    written: AtomicU64,
    waiting: Mutex<()>,
    changed: Condvar,
    blobs: FileBlobs,
    /// If what is acknowledged is to survive a loss of power: what waits for the disk, and its thread.
    flusher: Option<(Arc<Flusher>, Option<JoinHandle<()>>)>,
}

pub(crate) fn failed(error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            return Error::new("it is no queue, nor any database: give another path");
        }
        Some(ErrorCode::ReadOnly) => {
            return Error::new("it cannot be written: ask its owner, or work as its owner");
        }
        Some(ErrorCode::DiskFull) => {
            return Error::new("its disk is full: make room, and try again");
        }
        _ => {}
    }
    Error::new(format!("the queue's file: {error}"))
}

impl LocalStore {
    pub fn open(path: &Path, survive_power_loss: bool) -> Result<Self, Error> {
        let at = |error: std::io::Error| Error::new(format!("{}: {error}", path.display()));
        create(path).map_err(at)?;
        // SQLite puts its log beside what a link leads to, and so go the blobs and the look for a network.
        let path = path.canonicalize().map_err(at)?;
        let mut store = Self::open_file(&path)?;
        if survive_power_loss {
            let flush = flush::of_log(&path);
            let flush = flush.map_err(|error| Error::new(format!("{}: {error}", path.display())));
            store.flush_by(flush?)?;
        }
        Ok(store)
    }

    /// From now on, what is acknowledged is kept by this.
    fn flush_by(&mut self, flush: Flush) -> Result<(), Error> {
        let flusher = Arc::new(Flusher::new(flush));
        // What is there already may be on its way to the disk.
        flusher.wrote();
        let run = flusher.clone();
        let thread = thread::Builder::new()
            .name("filch-q-flush".into())
            .spawn(move || run.run())
            .map_err(|error| Error::new(format!("the thread for the disk: {error}")))?;
        self.flusher = Some((flusher, Some(thread)));
        Ok(())
    }

    fn open_file(path: &Path) -> Result<Self, Error> {
        let at = |error: &dyn std::fmt::Display| Error::new(format!("{}: {error}", path.display()));
        refuse_network(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        // SQLite does not say which of the two it is.
        let mut connection = Connection::open_with_flags(path, flags)
            .map_err(|_| at(&"it cannot be opened: give a file, as a user who may write it"))?;
        // Not SQLite's own handler, which sleeps for up to 100 ms while steps take microseconds.
        connection
            .busy_handler(Some(|tries: i32| {
                thread::sleep(Duration::from_micros(500));
                Duration::from_micros(500) * tries.unsigned_abs() < PATIENCE
            }))
            .map_err(|error| at(&error))?;
        prepare(&mut connection).map_err(|error| at(&error))?;
        let mut blobs = path.as_os_str().to_owned();
        blobs.push(".blobs");
        Ok(LocalStore {
            connection: Mutex::new(connection),
            written: AtomicU64::new(0),
            waiting: Mutex::new(()),
            changed: Condvar::new(),
            blobs: FileBlobs::new(blobs.into()),
            flusher: None,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A step that panicked was rolled back by the drop of its transaction.
        self.connection
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    fn step<T>(
        &self,
        behavior: TransactionBehavior,
        change: &mut impl FnMut(&mut dyn Rows) -> Result<T, Error>,
    ) -> Result<(T, bool), Error> {
        let mut connection = self.lock();
        let before = connection.total_changes();
        let transaction = connection
            .transaction_with_behavior(behavior)
            .map_err(failed)?;
        let result = change(&mut SqlRows::new(&transaction))?;
        transaction.commit().map_err(failed)?;
        let changed = connection.total_changes() != before;
        if let Some((flusher, _)) = self.flusher.as_ref().filter(|_| changed) {
            flusher.wrote();
        }
        Ok((result, changed))
    }

    /// SQLite's number of what other connections have written.
    fn others(&self) -> Result<u32, Error> {
        self.lock()
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut ask| ask.query_row([], |row| row.get(0)))
            .map_err(failed)
    }
}

/// Makes the file, if it is not there, readable by its owner only; SQLite gives its companions the same rights.
///
/// A file that is there is not opened: to close it would take away the locks that this process holds on it by other connections, and then another
/// process could delete the log that they write.
fn create(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        other => other.map(drop),
    }
}

/// Memory that is shared through a network file system is not shared: two machines would both write.
fn refuse_network(path: &Path) -> Result<(), Error> {
    let (Ok(mounts), Ok(path)) = (
        std::fs::read_to_string("/proc/self/mountinfo"),
        path.canonicalize(),
    ) else {
        return Ok(());
    };
    match mount_of(&mounts, &path) {
        Some(kind) if is_network(&kind) => Err(Error::new(format!(
            "{} lies on {kind}, where locks do not hold between machines: use a local disk, or a NATS server",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// The kind of file system a path lies on, from the text of `mountinfo`.
fn mount_of(mounts: &str, path: &Path) -> Option<String> {
    let parsed = mounts.lines().filter_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        // Only spaces and their like are escaped.
        let at = place.split(' ').nth(4)?.replace("\\040", " ");
        Some((at, kind.split(' ').next()?.to_owned()))
    });
    // The last of the deepest: a mount hides those below it.
    parsed
        .filter(|(at, _)| path.starts_with(at))
        .max_by_key(|(at, _)| at.len())
        .map(|(_, kind)| kind)
}

fn is_network(kind: &str) -> bool {
    const KINDS: [&str; 24] = [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "glusterfs",
        "lustre",
        "ncpfs",
        "fuse.sshfs",
        "fuse.glusterfs",
        // Other machines, or what a virtual machine shares with its host.
        "nfs3",
        "smb",
        "coda",
        "beegfs",
        "orangefs",
        "gpfs",
        "virtiofs",
        "vboxsf",
        "fuse.s3fs",
        "fuse.rclone",
        "fuse.ceph",
    ];
    KINDS.contains(&kind)
}

/// Sets the file up, or checks that it is set up. Several processes may do so at once.
fn prepare(connection: &mut Connection) -> Result<(), Error> {
    let begun = Instant::now();
    // SQLite does not wait for this change of mode, as two that wait for it would wait for each other.
    while let Err(error) = connection.pragma_update(None, "journal_mode", "WAL") {
        if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) || begun.elapsed() > PATIENCE
        {
            return Err(failed(error));
        }
        thread::sleep(Duration::from_millis(1));
    }
    connection
        .pragma_update(None, "synchronous", "NORMAL")
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    // Each checkpoint waits for the disk twice. So it comes after 16 MiB of log rather than 4.
    connection
        .pragma_update(None, "wal_autocheckpoint", 4000)
        .map_err(failed)?;
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)?;
    let read = |name| {
        transaction
            .pragma_query_value(None, name, |row| row.get::<_, i32>(0))
            .map_err(failed)
    };
    match (read("application_id")?, read("user_version")?) {
        (0, 0) => {
            let tables: i64 = transaction
                .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
                .map_err(failed)?;
            if tables != 0 {
                return Err(Error::new(
                    "it is a database of something else: give another path",
                ));
            }
            transaction.execute_batch(rows::TABLES).map_err(failed)?;
            transaction
                .pragma_update(None, "application_id", APPLICATION)
                .map_err(failed)?;
            transaction
                .pragma_update(None, "user_version", LAYOUT)
                .map_err(failed)?;
        }
        (APPLICATION, LAYOUT) => {}
        (APPLICATION, layout) => {
            return Err(Error::new(format!(
                "its layout is {layout}, and this version of filch-queue writes {LAYOUT}: use a new file"
            )));
        }
        _ => {
            return Err(Error::new(
                "it is a database of something else: give another path",
            ));
        }
    }
    transaction.commit().map_err(failed)
}

impl Store for LocalStore {
    fn write<T>(&self, change: impl FnMut(&mut dyn Rows) -> Result<T, Error>) -> Result<T, Error> {
        let result = self.write_soon(change)?;
        self.keep()?;
        Ok(result)
    }

    fn write_soon<T>(
        &self,
        mut change: impl FnMut(&mut dyn Rows) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some((flusher, _)) = &self.flusher {
            flusher.check()?;
        }
        let (result, written) = self.step(TransactionBehavior::Immediate, &mut change)?;
        if written {
            // Under the lock, so that it does not fall between a waiter's look and its sleep.
            let waiting = self
                .waiting
                .lock()
                .unwrap_or_else(|poison| poison.into_inner());
            self.written.fetch_add(1, Ordering::Relaxed);
            drop(waiting);
            self.changed.notify_all();
        }
        Ok(result)
    }

    fn read<T>(&self, mut look: impl FnMut(&mut dyn Rows) -> Result<T, Error>) -> Result<T, Error> {
        self.step(TransactionBehavior::Deferred, &mut look)
            .map(|(result, _)| result)
    }

    fn keep(&self) -> Result<(), Error> {
        match &self.flusher {
            Some((flusher, _)) if !planted!("disk") => flusher.keep(self.others()?),
            _ => Ok(()),
        }
    }

    fn mark(&self) -> u64 {
        let written = self.written.load(Ordering::Relaxed);
        // A file that cannot be asked is looked at again at once; what looks then says what is wrong.
        written << 32 | u64::from(self.others().unwrap_or(0))
    }

    fn wait(&self, mark: u64, most: Duration) {
        let end = Instant::now().checked_add(most);
        while self.mark() == mark {
            let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return;
            }
            let waiting = self
                .waiting
                .lock()
                .unwrap_or_else(|poison| poison.into_inner());
            if self.written.load(Ordering::Relaxed) & u64::from(u32::MAX) != mark >> 32 {
                return;
            }
            drop(self.changed.wait_timeout(waiting, left.min(LOOK)));
        }
    }

    fn blobs(&self) -> &dyn Blobs {
        &self.blobs
    }
}

impl Drop for LocalStore {
    fn drop(&mut self) {
        if let Some((flusher, thread)) = &mut self.flusher {
            flusher.stop();
            // It has nothing to tell that a call would not have told.
            let _ = thread.take().map(JoinHandle::join);
        }
    }
}

#[cfg(test)]
mod tests;
