//! The command line, as a user would call it.

use std::process::{Command, Output};

use filch_queue::{Limits, Opts, Queue, Status, Worker};

use super::jobs::{Square, Stubborn, opts};
use super::support::Scratch;

fn call(place: &std::path::Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filch-queue"));
    command
        .env("FILCH_QUEUE", place)
        .args(args)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaint(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_queue_is_looked_into_and_tended() {
    let directory = Scratch::new();
    let file = directory.path().join("q.db");
    let absent = complaint(&call(&file, &["status"]));
    let how = format!("`filch-queue --queue {} init`", file.display());
    assert!(absent.contains(&how), "{absent}");
    assert!(text(&call(&file, &["init"])).contains("is ready"));
    let queue = Queue::local(&file, Limits::default()).unwrap();
    let waiting = queue.submit(&Square(3), opts()).unwrap();
    let dying = queue
        .submit(
            &Stubborn {
                until: 9,
                panics: false,
            },
            Opts {
                attempts: 1,
                ..opts()
            },
        )
        .unwrap();
    let worker = Worker::new(&queue).accept::<Stubborn>().name("w1").run();
    assert!(dying.wait(std::time::Duration::from_secs(60)).is_err());
    // Also before it has shown for the first time that it lives.
    while queue.broker().workers().unwrap().is_empty() {
        std::thread::yield_now();
    }
    let status = text(&call(&file, &["status"]));
    assert!(
        status.contains("normal        1        0        0"),
        "{status}"
    );
    assert!(
        status.contains("dead          1") && status.contains("worker w1"),
        "{status}"
    );
    let dead = text(&call(&file, &["dead"]));
    assert!(
        dead.contains(&dying.id().to_string())
            && dead.contains("stubborn/1  attempt 1, the last: planned"),
        "{dead}"
    );
    let one = text(&call(&file, &["dead", &dying.id().to_string()]));
    assert!(
        one.contains("attempt  1 of 1") && one.contains("Started"),
        "{one}"
    );
    assert!(text(&call(&file, &["drain", "w1"])).contains("asked to leave"));
    worker.wait();
    text(&call(&file, &["requeue", &dying.id().to_string()]));
    assert_eq!(dying.status().unwrap(), Status::Queued { attempts: 1 });
    text(&call(&file, &["cancel", &waiting.id().to_string()]));
    assert_eq!(waiting.status().unwrap(), Status::Cancelled);
    let said = text(&call(&file, &["cancel", &dying.id().to_string()]));
    assert!(said.contains("told to stop if it runs"), "{said}");
    // Its whole life.
    let one = text(&call(&file, &["status", &dying.id().to_string()]));
    let life: Vec<&str> = one.lines().skip(7).map(|line| line.trim()).collect();
    assert!(
        life.len() == 4 && life[0] == "Started" && life[2..] == ["Requeued", "Cancelled"],
        "{one}"
    );
    for (args, why) in [
        (&["cancel", &waiting.id().to_string()][..], "settled"),
        (&["requeue", &waiting.id().to_string()], "not dead"),
        (&["drain", "none"], "filch-queue status"),
        (&["cancel", "x"], "32 hexadecimal digits"),
        (&["requeue"], "the ID of at least one job"),
        (&["status", "--watch", "x"], "without an ID"),
        (&["frobnicate"], "no command"),
        (&["--frobnicate"], "filch-queue --help"),
        (&["--queue", "/", "status"], "give a file"),
        (&[], "which command"),
        (
            &["--queue", "ftp://x", "status"],
            if cfg!(feature = "jetstream") {
                "ftp"
            } else {
                "--features jetstream"
            },
        ),
    ] {
        let complaint = complaint(&call(&file, args));
        assert!(complaint.contains(why), "{args:?}: {complaint}");
    }
    assert!(text(&call(&file, &["--help"])).contains("Usage"));
}

#[cfg(feature = "jetstream")]
#[test]
fn secrets_and_open_lines_are_refused() {
    let secret = "nats://user:hunter2@localhost:4222";
    let said = complaint(&call("q".as_ref(), &["--queue", secret, "status"]));
    assert!(
        said.contains("must hold no name or password") && !said.contains("hunter2"),
        "{said}"
    );
    let said = complaint(&call(
        "q".as_ref(),
        &["--queue", "nats://192.0.2.1:4222", "status"],
    ));
    assert!(said.contains("without TLS"), "{said}");
    for nowhere in ["nats://", "nats://:4222", "nats://localhost:x"] {
        let said = complaint(&call("q".as_ref(), &["--queue", nowhere, "status"]));
        assert!(said.contains("no address of a server"), "{said}");
    }
    let other = std::env::temp_dir();
    let said = complaint(
        &Command::new(env!("CARGO_BIN_EXE_filch-queue"))
            .args(["--queue", other.to_str().unwrap(), "status"])
            .output()
            .unwrap(),
    );
    assert!(said.contains(other.to_str().unwrap()), "{said}");
}

#[cfg(unix)]
#[test]
fn a_file_is_its_owners_and_others_are_not_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Scratch::new();
    let file = directory.path().join("q.db");
    let queue = Queue::local(&file, Limits::default()).unwrap();
    queue.submit(&Square(1), opts()).unwrap();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(
            entry.metadata().unwrap().permissions().mode() & 0o777,
            0o600,
            "{:?}",
            entry.path()
        );
    }
    let notes = directory.path().join("notes.txt");
    std::fs::write(
        &notes,
        "not a database, and longer than the head of one\n".repeat(30),
    )
    .unwrap();
    assert!(Queue::local(&notes, Limits::default()).is_err());
    assert!(
        std::fs::read_to_string(&notes)
            .unwrap()
            .starts_with("not a database")
    );
}

/// A process that closes a file loses all its locks on it. A process that leaves the queue may then take itself for the last one, and remove the log that others write; SQLite before 3.51 does.
#[cfg(target_os = "linux")]
#[test]
fn a_second_handle_of_a_file_leaves_the_lock_of_the_first() {
    use std::os::unix::fs::MetadataExt;
    let directory = Scratch::new();
    let file = directory.path().join("q.db");
    let first = Queue::local(&file, Limits::default()).unwrap();
    // As other processes see it: a connection has a read lock on the 510 bytes behind the first GiB and two.
    let lock = format!(":{} 1073741826 ", file.metadata().unwrap().ino());
    let is_locked = || {
        let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
        locks.lines().any(|line| line.contains(&lock))
    };
    if !is_locked() {
        eprintln!("skipped: locks are not to be seen in /proc/locks here");
        return;
    }
    let second = Queue::local(&file, Limits::default()).unwrap();
    assert!(
        is_locked(),
        "the second handle took away the lock of the first"
    );
    drop(second);
    assert!(
        is_locked(),
        "the end of the second handle took away the lock of the first"
    );
    // A process that comes and goes leaves the log in its place.
    text(&call(&file, &["status"]));
    let id = first.submit(&Square(1), opts()).unwrap().id().to_string();
    assert!(text(&call(&file, &["status", &id])).contains("square/1"));
}

/// SQLite's log lies beside what a link leads to, and so do the blobs.
#[cfg(unix)]
#[test]
fn a_queue_behind_a_link_is_the_queue() {
    let (there, here) = (Scratch::new(), Scratch::new());
    let (file, link) = (there.path().join("q.db"), here.path().join("link.db"));
    let limits = Limits {
        survive_power_loss: true,
        ..Limits::default()
    };
    let queue = Queue::local(&file, limits).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let linked = Queue::local(&link, limits).unwrap();
    let ticket = linked.submit(&super::jobs::Large(1 << 20), opts()).unwrap();
    let worker = Worker::new(&queue).accept::<super::jobs::Large>().run();
    assert!(ticket.wait(std::time::Duration::from_secs(60)).is_ok());
    worker.drain(std::time::Duration::from_secs(60));
    assert_eq!(
        std::fs::read_dir(here.path()).unwrap().count(),
        1,
        "only the link"
    );
}

/// What `init` prints, given to a server as the rights of three users, is enough for each of them and no more.
#[cfg(feature = "jetstream")]
#[test]
fn the_rights_that_init_prints_suffice() {
    use filch_queue::Auth;
    let Some(open) = super::support::Server::start() else {
        return;
    };
    let printed = text(&call(open.url().as_ref(), &["--name", "t", "init"]));
    let group = |head: &str| -> Vec<String> {
        let lines = printed
            .lines()
            .skip_while(|line| !line.starts_with(head))
            .skip(1);
        let subjects = lines.take_while(|line| line.starts_with("  "));
        subjects.map(|line| format!("{:?}", line.trim())).collect()
    };
    let (hears, submits) = (group("Everyone"), group("A submitter"));
    let works = [submits.clone(), group("A worker")].concat();
    assert!(
        hears.len() == 2 && submits.len() > 5 && works.len() > submits.len(),
        "{printed}"
    );
    let directory = Scratch::new();
    let user = |name: &str, publish: &[String]| {
        let (publish, hears) = (publish.join(","), hears.join(","));
        format!(
            "{{user: {name}, password: x, permissions: {{publish: [{publish}], subscribe: [{hears}]}}}}"
        )
    };
    let (submitter, worker) = (user("s", &submits), user("w", &works));
    let config = directory.path().join("server.conf");
    let text = format!(
        "authorization {{ users: [ {{user: a, password: x}}, {submitter}, {worker} ] }}\nno_auth_user: ROLE\n"
    );
    // A connection without a password becomes the user `no_auth_user`. So each role has its turn, on the same store.
    // A wrong name makes no queue.
    for _ in 0..2 {
        let wrong = complaint(&call(open.url().as_ref(), &["--name", "tt", "status"]));
        assert!(wrong.contains("no queue \"tt\""), "{wrong}");
    }
    let right = call(open.url().as_ref(), &["--name", "t", "status"]);
    assert!(right.status.success());
    let mut server = open;
    for role in ["a", "s", "w", "s"] {
        std::fs::write(&config, text.replace("ROLE", role)).unwrap();
        server.start_again_with(&config);
        let queue = Queue::jetstream(&server.url(), Auth::default(), "t", Limits::default());
        let queue = queue.unwrap_or_else(|error| panic!("{role}: {error}"));
        let key = |key: &str| Opts {
            key: Some(key.into()),
            ..opts()
        };
        match role {
            "s" => {
                queue.submit(&Square(7), key("seven")).unwrap();
                let cancelled = queue.submit(&Square(8), key("eight")).unwrap();
                let _ = cancelled.cancel().unwrap();
            }
            "w" => {
                let worker = Worker::new(&queue)
                    .accept::<Square>()
                    .accept::<super::jobs::Large>();
                let worker = worker.run();
                let ticket = queue.ticket::<u64>(queue.id_of::<Square>("seven"));
                assert_eq!(ticket.wait(std::time::Duration::from_secs(60)), Ok(49));
                // Its result is a blob.
                queue
                    .submit(&super::jobs::Large(1 << 20), key("large"))
                    .unwrap();
                let large = queue.id_of::<super::jobs::Large>("large");
                let large = queue.ticket::<Vec<u8>>(large);
                assert!(large.wait(std::time::Duration::from_secs(60)).is_ok());
                worker.drain(std::time::Duration::from_secs(60));
            }
            _ => {}
        }
    }
    // Still as a submitter.
    let other = Queue::jetstream(&server.url(), Auth::default(), "u", Limits::default());
    assert!(other.is_err(), "a submitter made streams");
}

/// Whatever is checked leaves nothing behind, and says nothing of its own beside what it checked.
#[test]
fn conformance_leaves_a_place_as_it_was() {
    let directory = Scratch::new();
    let output = call(&directory.path().join("q.db"), &["conformance"]);
    let said = text(&output);
    assert!(
        said.ends_with("31 of 31 promises kept\n") && output.stderr.is_empty(),
        "{said}"
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[cfg(feature = "jetstream")]
#[test]
fn conformance_leaves_a_server_as_it_was() {
    let Some(server) = super::support::Server::start() else {
        return;
    };
    let output = call(server.url().as_ref(), &["conformance"]);
    let (said, complained) = (text(&output), String::from_utf8_lossy(&output.stderr));
    assert!(said.ends_with("31 of 31 promises kept\n"), "{said}");
    assert!(complained.is_empty(), "{complained}");
    assert_eq!(server.streams(), Vec::<String>::new());
}
