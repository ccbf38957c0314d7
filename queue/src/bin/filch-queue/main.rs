//! Looks into a queue and tends it. `filch-queue --help` says how.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use filch_queue::JobId;
use lexopt::prelude::*;

mod check;
mod init;
mod place;
mod show;

use place::{Outcome, open_old};

const USAGE: &str = "\
Usage: filch-queue [--queue PLACE] [--name NAME] COMMAND

PLACE is a file, or the URL of a NATS server (nats://host:4222, tls://host:4222);
without it, the environment's FILCH_QUEUE. NAME is the queue's name on a server
[default: default].

Commands:
  init                 make the queue, and print the rights that its users need
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
            other => {
                let error = other.unexpected();
                return Err(format!("{error}: `filch-queue --help` lists what there is").into());
            }
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if watch && words != ["status"] {
        return Err("--watch goes with `status`, without an ID".into());
    }
    let place = move || place.ok_or("which queue? give --queue or set FILCH_QUEUE");
    let out = &mut io::stdout();
    match words.as_slice() {
        ["init"] => init::init(out, &place()?, &name)?,
        ["status"] => loop {
            show::queue(out, &open_old(&place.clone()()?, &name)?)?;
            if !watch {
                break;
            }
            std::thread::sleep(Duration::from_secs(1));
            writeln!(out)?;
        },
        ["status", id] => show::job(out, &open_old(&place()?, &name)?, id.parse()?)?,
        ["drain", worker] => {
            if !open_old(&place()?, &name)?.broker().drain(worker)? {
                return Err(format!(
                    "no worker {worker:?} was heard of: `filch-queue status` lists them"
                )
                .into());
            }
            writeln!(out, "{worker} was asked to leave")?;
        }
        ["dead"] => show::dead(out, &open_old(&place()?, &name)?)?,
        ["dead", id] => show::job(out, &open_old(&place()?, &name)?, id.parse()?)?,
        ["requeue", ids @ ..] if !ids.is_empty() => {
            // All or none, if one is misspelt.
            let ids: Vec<JobId> = ids.iter().map(|id| id.parse()).collect::<Result<_, _>>()?;
            let queue = open_old(&place()?, &name)?;
            for id in ids {
                if !queue.broker().requeue(id)? {
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
                filch_queue::Cancelled::Requested => writeln!(
                    out,
                    "{id} is told to stop if it runs, and is not tried again"
                )?,
                filch_queue::Cancelled::TooLate => {
                    return Err(format!("{id} is settled, or not known").into());
                }
            }
        }
        ["conformance"] => match place() {
            Ok(place) => return check::place(out, &place),
            Err(_) => return check::here(out),
        },
        ["conformance", place] => return check::place(out, place),
        words => return Err(misused(words).into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with a command that cannot be run.
fn misused(words: &[&str]) -> String {
    let Some(command) = words.first() else {
        return "which command? `filch-queue --help` lists them".into();
    };
    let takes = match *command {
        "init" => "takes no more words",
        "status" | "dead" => "takes one ID, or none",
        "drain" => "takes the name of one WORKER: `filch-queue status` lists them",
        "requeue" => "takes the ID of at least one job: `filch-queue dead` lists the dead",
        "cancel" => "takes the ID of one job",
        "conformance" => "takes one PLACE, or none",
        _ => return format!("{command:?} is no command: `filch-queue --help` lists them"),
    };
    format!("{command} {takes}")
}
