//! Looks into a queue and tends it. `filch-queue --help` says how.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use filch_queue::conformance::{Backend, CHECKS, InMemory};
use filch_queue::{JobId, Limits, Queue};
use lexopt::prelude::*;

const USAGE: &str = "\
Usage: filch-queue [--queue PLACE] [--name NAME] COMMAND

PLACE is a file, or the URL of a NATS server (nats://host:4222, tls://host:4222);
without it, the environment's FILCH_QUEUE. NAME is the queue's name on a server
[default: default].

Commands:
  init                 make the queue, and print who needs which rights
  status [--watch]     what waits, runs and is dead, and which workers live
  status ID            how far a job is
  drain WORKER         ask a worker to finish and leave
  dead [ID]            the dead jobs and why; or all that is known of one
  requeue ID...        let dead jobs be tried again
  cancel ID            keep a job from starting, or ask it to stop
  conformance [PLACE]  check every promise, on new queues beside that file or on
                       that server, which are removed then; without a place, in
                       memory and in files of a temporary directory
";

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        // The reader has seen enough.
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("filch-queue: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<ExitCode> {
    let mut place = std::env::var("FILCH_QUEUE").ok();
    let mut name = "default".to_owned();
    let mut watch = false;
    let mut words = Vec::new();
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Short('h') | Long("help") => {
                write!(io::stdout(), "{USAGE}")?;
                return Ok(ExitCode::SUCCESS);
            }
            Long("queue") => place = Some(parser.value()?.string()?),
            Long("name") => name = parser.value()?.string()?,
            Long("watch") => watch = true,
            Value(word) => words.push(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let place = move || place.ok_or("which queue? give --queue or set FILCH_QUEUE");
    let out = &mut io::stdout();
    match words.as_slice() {
        ["init"] => init(out, &place()?, &name)?,
        ["status"] => loop {
            status(out, &open_old(&place.clone()()?, &name)?)?;
            if !watch {
                break;
            }
            std::thread::sleep(Duration::from_secs(1));
            writeln!(out)?;
        },
        ["status", id] => show(out, &open_old(&place()?, &name)?, id.parse()?)?,
        ["drain", worker] => {
            if !open_old(&place()?, &name)?.broker().drain(worker)? {
                return Err(format!(
                    "no worker {worker:?} was heard of: `filch-queue status` lists them"
                )
                .into());
            }
            writeln!(out, "{worker} was asked to leave")?;
        }
        ["dead"] => {
            for (id, record) in open_old(&place()?, &name)?.broker().dead(1000)? {
                if let filch_queue::record::State::Dead(why) = &record.state {
                    writeln!(out, "{id}  {}  {}", record.kind, why.escape_debug())?;
                }
            }
        }
        ["dead", id] => show(out, &open_old(&place()?, &name)?, id.parse()?)?,
        ["requeue", ids @ ..] if !ids.is_empty() => {
            let queue = open_old(&place()?, &name)?;
            for id in ids {
                if !queue.broker().requeue(id.parse()?)? {
                    return Err(format!(
                        "{id} is not dead: `filch-queue dead` lists those that are"
                    )
                    .into());
                }
                writeln!(out, "{id} waits again")?;
            }
        }
        ["cancel", id] => {
            let id: JobId = id.parse()?;
            match open_old(&place()?, &name)?.broker().cancel(id)? {
                filch_queue::Cancelled::BeforeStart => writeln!(out, "{id} will not be started")?,
                filch_queue::Cancelled::Requested => {
                    writeln!(out, "{id} is asked to stop, and is not tried again")?
                }
                filch_queue::Cancelled::TooLate => {
                    return Err(format!("{id} is settled, or not known").into());
                }
            }
        }
        ["conformance"] => match place() {
            Ok(place) => return conformance(out, &place),
            Err(_) => return conformance_here(out),
        },
        ["conformance", place] => return conformance(out, place),
        [] => return Err(format!("which command?\n\n{USAGE}").into()),
        other => return Err(format!("{:?} is no command\n\n{USAGE}", other.join(" ")).into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn open(place: &str, name: &str, limits: Limits) -> Outcome<Queue> {
    if place.contains("://") {
        return server(place, name, limits);
    }
    file(place, limits)
}

/// As `open`, but a file that is not there is a slip of the pen, not a wish for an empty queue.
fn open_old(place: &str, name: &str) -> Outcome<Queue> {
    if !place.contains("://") && !std::path::Path::new(place).exists() {
        return Err(format!("{place} is not there: `filch-queue init` makes it").into());
    }
    open(place, name, Limits::default())
}

#[cfg(feature = "jetstream")]
fn server(place: &str, name: &str, limits: Limits) -> Outcome<Queue> {
    Ok(Queue::jetstream(
        place,
        filch_queue::Auth::from_env()?,
        name,
        limits,
    )?)
}

#[cfg(not(feature = "jetstream"))]
fn server(_: &str, _: &str, _: Limits) -> Outcome<Queue> {
    Err(
        "this filch-queue was built without the feature jetstream: add `--features jetstream`"
            .into(),
    )
}

#[cfg(feature = "local")]
fn file(place: &str, limits: Limits) -> Outcome<Queue> {
    Ok(Queue::local(place, limits)?)
}

#[cfg(not(feature = "local"))]
fn file(_: &str, _: Limits) -> Outcome<Queue> {
    Err("this filch-queue was built without the feature local: add `--features local`".into())
}

fn init(out: &mut dyn Write, place: &str, name: &str) -> Outcome {
    let queue = open(place, name, Limits::default())?;
    // Makes the place of blobs, too, which others may not have the right to.
    queue.broker().blobs().get("none")?;
    writeln!(out, "{place} is ready")?;
    if !place.contains("://") {
        writeln!(
            out,
            "Its owner may submit, work and tend it; others may not even read it."
        )?;
        return Ok(());
    }
    let streams = |what: &[&str], subjects: &[&str]| -> Vec<String> {
        let of = |stream: &str| -> Vec<String> {
            let stream = match stream {
                "BLOB" => format!("OBJ_FQ_{name}_BLOB"),
                stream => format!("FQ_{name}_{stream}"),
            };
            let full = |subject: &&str| subject.replace('@', &stream);
            subjects.iter().map(full).collect()
        };
        what.iter().flat_map(|stream| of(stream)).collect()
    };
    let lanes = ["HIGH", "NORMAL", "LOW"];
    let all = ["HIGH", "NORMAL", "LOW", "STATE", "PART", "DEAD", "BLOB"];
    let own = |ends: &[&str]| -> Vec<String> {
        ends.iter().map(|end| format!("fq.{name}.{end}")).collect()
    };
    let submitter = [
        own(&["job.>", "st.*", "part.*", "dead.*", "clock.*", "bell.*"]),
        streams(
            &all,
            &[
                "$JS.API.STREAM.INFO.@",
                "$JS.API.STREAM.MSG.GET.@",
                "$JS.API.DIRECT.GET.@",
                "$JS.API.DIRECT.GET.@.>",
            ],
        ),
        streams(&["STATE", "PART", "DEAD"], &["$JS.API.STREAM.PURGE.@"]),
        // A blob is read by a consumer of the reader's own.
        streams(
            &["BLOB"],
            &[
                "$JS.API.CONSUMER.CREATE.@",
                "$JS.API.CONSUMER.CREATE.@.>",
                "$JS.API.CONSUMER.DELETE.@.*",
            ],
        ),
    ]
    .concat();
    let worker = [
        own(&["worker.*"]),
        streams(
            &lanes,
            &[
                "$JS.API.CONSUMER.INFO.@.*",
                "$JS.API.CONSUMER.LIST.@",
                "$JS.API.CONSUMER.CREATE.@.>",
                "$JS.API.CONSUMER.DURABLE.CREATE.@.*",
                "$JS.API.CONSUMER.MSG.NEXT.@.*",
                "$JS.ACK.@.>",
            ],
        ),
        vec![format!("$O.FQ_{name}_BLOB.>")],
        streams(&["BLOB"], &["$JS.API.STREAM.PURGE.@"]),
    ]
    .concat();
    let everyone = [vec!["_INBOX.>".to_owned()], own(&["bell.*"])].concat();
    let lines = [
        ("Everyone subscribes to", everyone),
        ("A submitter publishes to", submitter),
        (
            "A worker publishes to all that a submitter does, and to",
            worker,
        ),
    ];
    for (who, subjects) in lines {
        writeln!(out, "\n{who}")?;
        subjects
            .iter()
            .try_for_each(|subject| writeln!(out, "  {subject}"))?;
    }
    write!(
        out,
        "
Administrators alone make streams: only they need $JS.API.STREAM.CREATE.*.
Submitters and workers can write records, and so forge results: one queue and one
account a tenant.
"
    )?;
    Ok(())
}

fn status(out: &mut dyn Write, queue: &Queue) -> Outcome {
    writeln!(out, "{}", queue.depth()?)?;
    for of in queue.broker().kinds()? {
        let (lane, kind) = (of.lane.to_string(), of.kind.escape_debug());
        writeln!(
            out,
            "{lane:<7} {:>7}  {:>7}  {:>7}  {kind}, the oldest {:.1} s",
            of.queued,
            of.delayed,
            of.leased,
            of.oldest.as_secs_f64()
        )?;
    }
    for seen in queue.broker().workers()? {
        let leaving = if seen.drain { ", asked to leave" } else { "" };
        writeln!(
            out,
            "worker {}, heard of {:.1} s ago{leaving}",
            seen.name,
            seen.ago.as_secs_f64()
        )?;
    }
    Ok(())
}

fn show(out: &mut dyn Write, queue: &Queue, id: JobId) -> Outcome {
    let record = queue
        .broker()
        .get(id)?
        .ok_or_else(|| format!("{id} is not known, or no longer"))?;
    writeln!(
        out,
        "{id}\nkind     {}\nclass    {}\nlane     {}",
        record.kind, record.class, record.lane
    )?;
    writeln!(
        out,
        "state    {:?}\nattempt  {} of {}\nbody     {} bytes",
        record.state, record.attempt, record.allowed, record.len
    )?;
    for event in queue
        .ticket::<()>(id)
        .subscribe(0)
        .until_settled(Duration::ZERO)?
    {
        match event {
            filch_queue::Happening::Part(bytes) => {
                writeln!(out, "         part of {} bytes", bytes.len())?
            }
            other => writeln!(out, "         {other:?}")?,
        }
    }
    Ok(())
}

/// Queues in one place, for `conformance`: files of a directory of their own, or names on a server.
struct Fresh {
    place: Place,
    opened: Mutex<BTreeMap<String, Queue>>,
}

enum Place {
    Directory(PathBuf),
    Server(String),
}

impl Fresh {
    fn new(place: &str) -> Outcome<Self> {
        let place = if place.contains("://") {
            Place::Server(place.to_owned())
        } else {
            let directory = format!("{place}.conformance-{}", std::process::id());
            std::fs::create_dir(&directory).map_err(|error| format!("{directory}: {error}"))?;
            Place::Directory(directory.into())
        };
        Ok(Fresh {
            place,
            opened: Mutex::default(),
        })
    }

    /// Leaves the place as it was.
    fn remove(&self) -> Outcome {
        match &self.place {
            Place::Directory(directory) => std::fs::remove_dir_all(directory)
                .map_err(|error| format!("{}: {error}", directory.display()).into()),
            Place::Server(_) => {
                let opened = std::mem::take(&mut *self.opened());
                for queue in opened.into_values() {
                    queue.broker().erase()?;
                }
                Ok(())
            }
        }
    }

    fn opened(&self) -> MutexGuard<'_, BTreeMap<String, Queue>> {
        self.opened
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }
}

impl Backend for Fresh {
    fn open(&self, name: &str, limits: Limits) -> Queue {
        let opened = match &self.place {
            Place::Directory(directory) => file(&directory.join(name).to_string_lossy(), limits),
            Place::Server(url) => server(url, name, limits),
        };
        let queue = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Place::Server(_) = self.place {
            self.opened()
                .entry(name.to_owned())
                .or_insert_with(|| queue.clone());
        }
        queue
    }
}

fn conformance(out: &mut dyn Write, place: &str) -> Outcome<ExitCode> {
    let fresh = Fresh::new(place)?;
    let checked = check(out, &fresh);
    fresh.remove()?;
    checked
}

fn conformance_here(out: &mut dyn Write) -> Outcome<ExitCode> {
    writeln!(out, "in memory")?;
    let memory = check(out, &InMemory::default())?;
    if cfg!(not(feature = "local")) {
        return Ok(memory);
    }
    let place = std::env::temp_dir().join("filch-queue");
    writeln!(out, "\nin files of {}", std::env::temp_dir().display())?;
    let files = conformance(out, &place.to_string_lossy())?;
    Ok(if memory == ExitCode::SUCCESS {
        files
    } else {
        memory
    })
}

fn check(out: &mut dyn Write, backend: &dyn Backend) -> Outcome<ExitCode> {
    let failed = filch_queue::conformance::run(backend, |name, well| {
        // Nobody is left to tell when the output is closed; the exit code tells all the same.
        let _ = writeln!(out, "{}  {name}", if well { "ok    " } else { "FAILED" });
    });
    let all = CHECKS.len();
    writeln!(out, "{} of {all} promises kept", all - failed.len())?;
    Ok(if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
