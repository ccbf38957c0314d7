//! The connection: a thread of its own for the client, and calls that outlast a server's restart.

use std::future::Future;
use std::thread::{JoinHandle, current};
use std::time::{Duration, Instant};

use async_nats::jetstream::context::{Context, PublishError, PublishErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use async_nats::{Client, HeaderMap};
use bytes::Bytes;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::auth::Auth;
use crate::error::Error;
use crate::id::random;
use crate::opts::Backoff;

/// How long a call goes on while the server is away: a restart takes seconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long the server may take for an answer before it is asked again. Asking twice does no harm.
const ANSWER: Duration = Duration::from_secs(3);
/// How long the server knows the names of writes: longer than they are tried.
pub(super) const REMEMBERED: Duration = Duration::from_secs(60);

/// A connection, and the thread that drives it.
pub(super) struct Link {
    pub handle: Handle,
    pub client: Client,
    pub context: Context,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What became of a write that named the sequence it follows.
pub(super) enum Written {
    At(u64),
    /// Another write was there first.
    Conflict,
    /// The stream takes no more; the server's reason.
    Refused(String),
}

pub(super) fn failed(what: &str, error: impl std::fmt::Display) -> Error {
    Error::new(format!("the server: {what}: {error}"))
}

impl Link {
    pub fn open(url: &str, auth: &Auth) -> Result<Self, Error> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed("the thread for the connection", error))?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new()
            .name("filch-q-io".into())
            .spawn(move || {
                // Ends when the link is dropped, by word or by the end of the channel.
                let _ = runtime.block_on(stopped);
            });
        let thread = thread.map_err(|error| failed("the thread for the connection", error))?;
        let connected = handle.block_on(async {
            let options = auth
                .options(url)
                .await?
                .connection_timeout(Duration::from_secs(5))
                .request_timeout(Some(ANSWER));
            let client = options
                .connect(url)
                .await
                // No URL holds a password: those are refused.
                .map_err(|error| {
                    let server = if url.starts_with("tls:") { "nats-server with TLS" } else { "nats-server" };
                    Error::new(format!(
                        "cannot connect to {url}: {error}: is there a {server}, and may it be reached from here?"
                    ))
                })?;
            // Within the runtime: it starts a task of its own.
            let mut context = async_nats::jetstream::new(client.clone());
            context.set_timeout(ANSWER);
            Ok::<_, Error>((client, context))
        });
        match connected {
            Ok((client, context)) => Ok(Link {
                handle,
                client,
                context,
                stop: Some(stop),
                thread: Some(thread),
            }),
            Err(error) => {
                drop(stop);
                let _ = thread.join();
                Err(error)
            }
        }
    }

    /// Writes if the last message of the subject has this sequence; `None` writes in any case. Asks again while the server is away. All tries bear one name, by
    /// which the server knows a write that happened although its answer was lost.
    pub async fn write(
        &self,
        subject: &str,
        bytes: Bytes,
        after: Option<u64>,
    ) -> Result<Written, Error> {
        self.write_with(HeaderMap::new(), subject, bytes, after)
            .await
    }

    /// The same, with headers.
    pub async fn write_with(
        &self,
        headers: HeaderMap,
        subject: &str,
        bytes: Bytes,
        after: Option<u64>,
    ) -> Result<Written, Error> {
        let name = format!("{:016x}{:016x}", random(), random());
        let begun = Instant::now();
        let mut failures = 0;
        loop {
            let mut message = PublishMessage::build()
                .headers(headers.clone())
                .payload(bytes.clone())
                .message_id(&name);
            if let Some(after) = after {
                message = message.expected_last_subject_sequence(after);
            }
            let sent = match self.context.send_publish(subject.to_owned(), message).await {
                Ok(acknowledged) => acknowledged.await,
                Err(error) => Err(error),
            };
            match sent {
                Ok(ack) => return Ok(Written::At(ack.sequence)),
                Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                    return Ok(Written::Conflict);
                }
                Err(error) => match refusal(&error) {
                    Some(reason) => return Ok(Written::Refused(reason)),
                    None if begun.elapsed() > PATIENCE => return Err(failed("a write", error)),
                    None => pause(&mut failures).await,
                },
            }
        }
    }

    /// The last message of a subject.
    pub async fn last(
        &self,
        stream: &Stream,
        subject: &str,
    ) -> Result<Option<StreamMessage>, Error> {
        self.again("a read", || async {
            match stream.get_last_raw_message_by_subject(subject).await {
                Ok(message) => Ok(Some(message)),
                Err(error) if matches!(error.kind(), LastRawMessageErrorKind::NoMessageFound) => {
                    Ok(None)
                }
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Asks again while it fails, as long as a server may be away.
    pub async fn again<T, E: std::fmt::Display, F: Future<Output = Result<T, E>>>(
        &self,
        what: &str,
        ask: impl Fn() -> F,
    ) -> Result<T, Error> {
        let begun = Instant::now();
        let mut failures = 0;
        loop {
            match ask().await {
                Ok(value) => return Ok(value),
                Err(error) if begun.elapsed() > PATIENCE || is_final(&error.to_string()) => {
                    return Err(failed(what, error));
                }
                Err(_) => pause(&mut failures).await,
            }
        }
    }
}

/// The server's reason, if it looked at the write and does not want it.
fn refusal(error: &PublishError) -> Option<String> {
    match error.kind() {
        PublishErrorKind::Other => {
            std::error::Error::source(error).map(|source| source.to_string())
        }
        PublishErrorKind::MaxPayloadExceeded => Some(error.to_string()),
        _ => None,
    }
}

/// Whether the server looked at a request and refused it. That it is not ready (10008) passes.
fn is_final(error: &str) -> bool {
    error.contains("error code") && !error.contains("10008")
}

async fn pause(failures: &mut u32) {
    *failures += 1;
    let backoff = Backoff {
        first: Duration::from_millis(50),
        most: Duration::from_secs(1),
    };
    tokio::time::sleep(backoff.pause(*failures)).await;
}

impl Drop for Link {
    fn drop(&mut self) {
        drop(self.stop.take());
        let thread = self.thread.take();
        // The last share of the link may be dropped on that thread itself. It cannot wait for its own end, which comes anyway.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != current().id()) {
            // It only drives the connection, and has nothing to tell.
            let _ = thread.join();
        }
    }
}
