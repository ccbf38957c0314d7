//! Opening the queue that a place on the command line names.

use std::error::Error;

use filch_queue::{Limits, Queue};

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

pub fn open(place: &str, name: &str, limits: Limits) -> Outcome<Queue> {
    if place.contains("://") {
        return server(place, name, limits);
    }
    file(place, limits)
}

/// As `open`, but a queue that is not there is a slip of the pen, not a wish for an empty one.
pub fn open_old(place: &str, name: &str) -> Outcome<Queue> {
    if place.contains("://") {
        if !is_on_server(place, name)? {
            return Err(format!(
                "{place} has no queue {name:?}: name another by --name, or make it by `filch-queue --queue {place} --name {name} init`"
            )
            .into());
        }
    } else if !std::path::Path::new(place).exists() {
        return Err(format!(
            "{place} is not there: name another by --queue, or make it by `filch-queue --queue {place} init`"
        )
        .into());
    }
    // What it says is done stays done.
    let limits = Limits {
        survive_power_loss: true,
        ..Limits::default()
    };
    open(place, name, limits)
}

#[cfg(feature = "jetstream")]
pub fn server(place: &str, name: &str, limits: Limits) -> Outcome<Queue> {
    Ok(Queue::jetstream(
        place,
        filch_queue::Auth::from_env()?,
        name,
        limits,
    )?)
}

#[cfg(feature = "jetstream")]
fn is_on_server(place: &str, name: &str) -> Outcome<bool> {
    Ok(Queue::is_on_server(
        place,
        filch_queue::Auth::from_env()?,
        name,
    )?)
}

/// To say no here would hide the reason.
#[cfg(not(feature = "jetstream"))]
fn is_on_server(_: &str, _: &str) -> Outcome<bool> {
    Ok(true)
}

#[cfg(not(feature = "jetstream"))]
pub fn server(_: &str, _: &str, _: Limits) -> Outcome<Queue> {
    Err(
        "this filch-queue was built without the feature jetstream: add `--features jetstream`"
            .into(),
    )
}

#[cfg(feature = "local")]
pub fn file(place: &str, limits: Limits) -> Outcome<Queue> {
    Ok(Queue::local(place, limits)?)
}

#[cfg(not(feature = "local"))]
pub fn file(_: &str, _: Limits) -> Outcome<Queue> {
    Err("this filch-queue was built without the feature local: add `--features local`".into())
}
