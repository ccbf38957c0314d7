//! Tests that reach into the store: kinds of file systems, and a disk that can be held up.

use std::sync::mpsc;

use serde::{Deserialize, Serialize};

use super::*;
use crate::ledger::Ledger;
use crate::record::Record;
use crate::{Cx, Fail, Job, Limits, Opts, Queue, Worker};

#[test]
fn network_file_systems_are_told_from_others() {
    let mounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
                  30 22 0:25 / /mnt/two\\040words rw - nfs4 host:/x rw\n\
                  31 30 8:2 / /mnt/two\\040words/disk rw - xfs /dev/sdb rw\n";
    let kind = |path: &str| mount_of(mounts, Path::new(path)).unwrap();
    assert_eq!(kind("/home/q.db"), "ext4");
    assert_eq!(kind("/mnt/two words/q.db"), "nfs4");
    assert_eq!(kind("/mnt/two words/disk/q.db"), "xfs");
    assert!(
        is_network("nfs4") && !is_network("ext4") && !is_network("tmpfs") && !is_network("overlay")
    );
}

/// A disk that keeps nothing while it is closed.
#[derive(Default)]
struct Disk {
    closed: Mutex<bool>,
    opened: Condvar,
}

impl Disk {
    fn set(&self, closed: bool) {
        *self.closed.lock().unwrap() = closed;
        self.opened.notify_all();
    }

    fn flush(&self) -> std::io::Result<()> {
        let closed = self.closed.lock().unwrap();
        drop(self.opened.wait_while(closed, |closed| *closed).unwrap());
        Ok(())
    }

    /// Does this while it is closed.
    fn closed_for(&self, what: impl FnOnce()) {
        struct Open<'a>(&'a Disk);
        impl Drop for Open<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        self.set(true);
        let _open = Open(self);
        what();
    }
}

/// Where what happens is sent.
static SAID: Mutex<Option<mpsc::Sender<&'static str>>> = Mutex::new(None);

fn say(what: &'static str) {
    SAID.lock().unwrap().as_ref().unwrap().send(what).unwrap();
}

/// Asks for its fence, or does not.
#[derive(Serialize, Deserialize)]
struct Fenced(bool);

impl Job for Fenced {
    const KIND: &'static str = "fenced/1";
    type Out = ();
    fn run(&self, cx: &Cx) -> Result<(), Fail> {
        say("begun");
        if self.0 {
            cx.fence();
            say("told its fence");
        } else {
            say("went on");
        }
        Ok(())
    }
}

#[test]
fn a_job_begins_before_the_disk_has_its_claim_and_what_is_told_waits_for_it() {
    const LONG: Duration = Duration::from_secs(60);
    let file = std::env::temp_dir().join(format!("filch-queue-flush-{}.db", std::process::id()));
    let disk = Arc::<Disk>::default();
    create(&file).unwrap();
    let mut store = LocalStore::open_file(&file).unwrap();
    let of_store = disk.clone();
    store.flush_by(Box::new(move || of_store.flush())).unwrap();
    let (sender, said) = mpsc::channel();
    *SAID.lock().unwrap() = Some(sender);
    let limits = Limits::default();
    let queue = Queue::on("flush", Arc::new(Ledger { store, limits }));
    let next = || said.recv_timeout(LONG).unwrap();
    // While the disk is closed, only what waits for no disk comes, in this order.
    let comes = |what: &str| match next() {
        said if said == what => {}
        said => panic!("{said}, and not kept"),
    };
    // What waits for the disk is never said while it is closed, however long one listens.
    let silent = || {
        if let Ok(what) = said.recv_timeout(Duration::from_millis(100)) {
            panic!("{what}, and not kept");
        }
    };
    let shared = &queue;
    let worker = || Worker::new(shared).accept::<Fenced>().run();

    for fenced in [true, false] {
        let mut running = None;
        thread::scope(|scope| {
            disk.closed_for(|| {
                scope.spawn(move || {
                    shared.submit(&Fenced(fenced), Opts::default()).unwrap();
                    say("accepted");
                });
                running = Some(worker());
                comes("begun");
                if !fenced {
                    comes("went on");
                }
                silent();
            });
            let mut rest = vec![next()];
            if fenced {
                rest.push(next());
                rest.sort();
                assert_eq!(rest, ["accepted", "told its fence"]);
            } else {
                assert_eq!(rest, ["accepted"]);
            }
        });
        running.unwrap().drain(LONG);
    }

    let id = queue.submit(&Fenced(false), Opts::default()).unwrap().id();
    let mut running = None;
    thread::scope(|scope| {
        disk.closed_for(|| {
            running = Some(worker());
            comes("begun");
            comes("went on");
            scope.spawn(move || {
                shared.ticket::<()>(id).wait(LONG).unwrap();
                say("result told");
            });
            // The log has the result, as a store sees that waits for no disk.
            let look = LocalStore::open_file(&file).unwrap();
            let settled = |record: Record| record.state.is_settled();
            let is_settled = || look.read(|rows| Ok(rows.get(id)?.is_some_and(settled)));
            while !is_settled().unwrap() {
                thread::yield_now();
            }
            silent();
        });
        assert_eq!(next(), "result told");
    });
    running.unwrap().drain(LONG);
    drop(queue);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
}
