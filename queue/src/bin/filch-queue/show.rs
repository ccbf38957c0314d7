//! `status` and `dead`: prints what a queue holds, how far a job is, and which jobs are dead.

use std::io::Write;
use std::time::Duration;

use filch_queue::record::State;
use filch_queue::{Happening, JobId, Queue};

use super::place::Outcome;

/// What waits, runs and is dead, and which workers live.
pub fn queue(out: &mut dyn Write, queue: &Queue) -> Outcome {
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

/// All that is known of a job.
pub fn job(out: &mut dyn Write, queue: &Queue, id: JobId) -> Outcome {
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
    // To the last: one that was dead may have been requeued.
    let mut events = queue.ticket::<()>(id).subscribe(0);
    while let Some(event) = events.next(Duration::ZERO)? {
        match event.what {
            Happening::Part(bytes) => writeln!(out, "         part of {} bytes", bytes.len())?,
            other => writeln!(out, "         {other:?}")?,
        }
    }
    Ok(())
}

/// The dead jobs, and why.
pub fn dead(out: &mut dyn Write, queue: &Queue) -> Outcome {
    for (id, record) in queue.broker().dead(1000)? {
        if let State::Dead(why) = &record.state {
            writeln!(out, "{id}  {}  {}", record.kind, why.escape_debug())?;
        }
    }
    Ok(())
}
