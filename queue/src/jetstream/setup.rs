//! Making a queue's streams.

use std::sync::{Arc, Mutex};

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};

use super::auth::Auth;
use super::blobs::{KEPT, ObjectBlobs};
use super::link::{Link, REMEMBERED, Written};
use super::names::Names;
use super::{JetStream, clock};
use crate::error::Error;
use crate::id::Lane;
use crate::opts::{LaneLimits, Limits};

/// The server's number for a stream that is not there.
const NO_STREAM: &str = "10059";

impl JetStream {
    /// Whether there is a queue of this name. It makes none.
    pub fn exists(url: &str, auth: &Auth, name: &str) -> Result<bool, Error> {
        let names = names_of(name)?;
        let link = Link::open(url, auth)?;
        let state = names.stream("STATE");
        let asked = link.again("looking for the queue", || async {
            match link.context.get_stream(&state).await {
                Ok(_) => Ok(true),
                Err(error) if error.to_string().contains(NO_STREAM) => Ok(false),
                Err(error) => Err(error),
            }
        });
        link.handle.block_on(asked)
    }

    pub fn open(url: &str, auth: &Auth, name: &str, limits: Limits) -> Result<Arc<Self>, Error> {
        let names = names_of(name)?;
        let link = Arc::new(Link::open(url, auth)?);
        let handle = link.handle.clone();
        handle.block_on(async {
            let [high, normal, low] =
                Lane::ALL.map(|lane| lane_config(&names, lane, &limits.lanes[lane.index()]));
            let lanes = [
                make(&link, high).await?,
                make(&link, normal).await?,
                make(&link, low).await?,
            ];
            let keeping = |what: &str, subjects: Vec<String>, each: i64| Config {
                name: names.stream(what),
                subjects,
                max_messages_per_subject: each,
                max_age: KEPT,
                duplicate_window: REMEMBERED,
                allow_direct: true,
                ..Config::default()
            };
            let state = keeping(
                "STATE",
                vec![names.all("st"), names.all("worker"), names.all("clock")],
                1,
            );
            let state = make(&link, state).await?;
            let events = make(&link, keeping("PART", vec![names.all("part")], -1)).await?;
            let events = Arc::new(events);
            let dead = make(&link, keeping("DEAD", vec![names.all("dead")], 1)).await?;
            let ahead = measure_clock(&link, &state, &names).await?;
            Ok(Arc::new(JetStream {
                blobs: ObjectBlobs::new(link.clone(), names.stream("BLOB")),
                link,
                names,
                limits,
                ahead,
                lanes,
                state,
                events,
                dead,
                sources: Mutex::default(),
                empty: Default::default(),
                bell: Arc::default(),
                buckets: Mutex::default(),
            }))
        })
    }

    /// Takes the streams away, and with them all there is.
    pub(super) async fn erase_all(&self) -> Result<(), Error> {
        let lanes = Lane::ALL.map(|lane| self.names.lane_stream(lane));
        let others = ["STATE", "PART", "DEAD"].map(|what| self.names.stream(what));
        let blobs = format!("OBJ_{}", self.names.stream("BLOB"));
        for name in lanes.into_iter().chain(others).chain([blobs]) {
            self.link
                .again("taking a stream away", || async {
                    match self.link.context.delete_stream(&name).await {
                        // What was not made is gone already.
                        Err(error) if error.to_string().contains(NO_STREAM) => Ok(()),
                        other => other.map(drop),
                    }
                })
                .await?;
        }
        Ok(())
    }
}

fn names_of(name: &str) -> Result<Names, Error> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        return Err(Error::new(format!(
            "{name:?} cannot name a queue on a server: use up to 64 letters, digits, '-' and '_'"
        )));
    }
    Ok(Names::new(name))
}

/// A lane takes one message a job, and refuses what is beyond its limits rather than drop what it has.
fn lane_config(names: &Names, lane: Lane, limits: &LaneLimits) -> Config {
    // What no number can hold is no limit, which the server calls -1.
    let most = |limit: u64| i64::try_from(limit).unwrap_or(-1);
    Config {
        name: names.lane_stream(lane),
        subjects: vec![names.lane(lane)],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        duplicate_window: REMEMBERED,
        discard_new_per_subject: true,
        max_messages_per_subject: 1,
        max_messages: most(limits.max_jobs),
        max_bytes: most(limits.max_bytes),
        ..Config::default()
    }
}

async fn make(link: &Link, config: Config) -> Result<Stream, Error> {
    let what = format!("the stream {}", config.name);
    let made = link.again(&what, || async {
        link.context.get_or_create_stream(config.clone()).await
    });
    made.await.map_err(|error| {
        let text = error.to_string();
        if text.contains("jetstream unavailable") || text.contains("jetstream not enabled") {
            Error::new(format!(
                "{text}: start the server with JetStream, as by `nats-server -js`"
            ))
        } else {
            error
        }
    })
}

/// How far the server's clock is ahead of this process's, in milliseconds; off by half the time that a message takes at most.
async fn measure_clock(link: &Link, state: &Stream, names: &Names) -> Result<i64, Error> {
    let subject = names
        .all("clock")
        .replace('*', &format!("{:016x}", crate::id::random()));
    let before = clock::now();
    let Written::At(_) = link.write(&subject, "?".into(), None).await? else {
        return Err(Error::new(
            "the server takes no message into the queue's state: its stream is full or sealed",
        ));
    };
    let after = clock::now();
    let written = link.last(state, &subject).await?.ok_or_else(|| {
        Error::new("the server forgot a message at once: its stream of states keeps nothing")
    })?;
    link.again("a purge", || async {
        state.purge().filter(subject.clone()).await
    })
    .await?;
    let there = i64::try_from(written.time.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX);
    let here = i64::try_from(before / 2 + after / 2).unwrap_or(i64::MAX);
    Ok(there.saturating_sub(here))
}
