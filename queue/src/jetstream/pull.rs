//! Pulling messages from the server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::Message;
use async_nats::{StatusCode, Subscriber};
use futures_util::StreamExt;

use super::JetStream;
use super::claim::ON_ITS_WAY;
use super::link::failed;
use super::sweep::Empty;
use crate::broker::{Ask, Lease};
use crate::error::Error;
use crate::id::Lane;

/// How long a pull may take that does not wait for messages.
const PULL: Duration = Duration::from_secs(1);
/// Jobs that may be under a lease or put off at once, for each class and kind of a lane.
const MAX_PENDING: i64 = 10_000;

/// What jobs are pulled from, by lane, class and kind.
pub(super) type Sources = Mutex<HashMap<(Lane, String, String), Arc<Source>>>;

/// Where jobs of a lane, class and kind are pulled from.
pub(super) struct Source {
    /// Takes requests for the next message.
    subject: String,
    /// Where answers come in, for as many pulls at once as there were.
    inboxes: Mutex<Vec<Inbox>>,
    pub empty: Empty,
}

struct Inbox {
    subject: String,
    answers: Subscriber,
}

fn lock_of<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

impl JetStream {
    pub(super) fn each_source(&self, see: impl Fn(&Source)) {
        lock_of(&self.sources)
            .values()
            .for_each(|source| see(source));
    }

    /// The first job of a class and kind that may be started, and whether more messages wait behind it.
    pub(super) async fn pull(
        &self,
        ask: &Ask,
        lane: Lane,
        (class, kind): (&str, &str),
        source: &Source,
    ) -> Result<Option<(Lease, bool)>, Error> {
        loop {
            let message = match self.next_message(source).await {
                Ok(Some(message)) => message,
                Ok(None) => {
                    source.empty.note(true);
                    return Ok(None);
                }
                Err(error) => {
                    // It may be gone: made again, it delivers all again, and records sort that out.
                    lock_of(&self.sources).remove(&(lane, class.to_owned(), kind.to_owned()));
                    return Err(error);
                }
            };
            source.empty.note(false);
            let more = message.info().is_ok_and(|info| info.pending > 0);
            if let Some(lease) = self.claim_message(ask, lane, &message).await? {
                return Ok(Some((lease, more)));
            }
        }
    }

    /// A message, if one waits. Inboxes are kept, as each costs the server two words.
    async fn next_message(&self, source: &Source) -> Result<Option<Message>, Error> {
        let kept = lock_of(&source.inboxes).pop();
        let mut inbox = match kept {
            Some(inbox) => inbox,
            None => {
                let subject = self.link.client.new_inbox();
                let answers = self.link.client.subscribe(subject.clone()).await;
                Inbox {
                    answers: answers.map_err(|error| failed("a pull", error))?,
                    subject,
                }
            }
        };
        let (to, back) = (source.subject.clone(), inbox.subject.clone());
        let asked = self
            .link
            .client
            .publish_with_reply(to, back, r#"{"batch":1,"no_wait":true}"#.into())
            .await;
        asked.map_err(|error| failed("a pull", error))?;
        let Ok(answer) = tokio::time::timeout(PULL, inbox.answers.next()).await else {
            // A pull without an answer is one without a message: if there was one, it comes again. A late answer goes nowhere, with its inbox.
            return Ok(None);
        };
        let message = answer.ok_or_else(|| failed("a pull", "the connection is closed"))?;
        let status = message.status;
        let context = self.link.context.clone();
        match status {
            None => {}
            Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT) => {}
            Some(other) => return Err(failed("a pull", other)),
        }
        lock_of(&source.inboxes).push(inbox);
        Ok(status.is_none().then_some(Message { message, context }))
    }

    pub(super) async fn source(
        &self,
        lane: Lane,
        class: &str,
        kind: &str,
    ) -> Result<Arc<Source>, Error> {
        let key = (lane, class.to_owned(), kind.to_owned());
        if let Some(source) = lock_of(&self.sources).get(&key) {
            return Ok(source.clone());
        }
        let name = self.names.consumer(class, kind);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: self.names.kind(lane, class, kind),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ON_ITS_WAY,
            max_deliver: -1,
            max_ack_pending: MAX_PENDING,
            ..pull::Config::default()
        };
        let stream = &self.lanes[lane.index()];
        self.link
            .again("a consumer", || async {
                stream.get_or_create_consumer(&name, config.clone()).await
            })
            .await?;
        let stream = self.names.lane_stream(lane);
        let source = Arc::new(Source {
            subject: format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}"),
            inboxes: Mutex::default(),
            empty: Empty::default(),
        });
        lock_of(&self.sources).insert(key, source.clone());
        Ok(source)
    }
}
