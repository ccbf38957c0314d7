//! The client's side: submitting, waiting, watching.

use std::sync::Arc;

use crate::blob::Blob;
use crate::broker::{Broker, Depth, NewJob, Submitted};
use crate::error::{Error, SubmitError};
use crate::id::JobId;
use crate::job::Job;
use crate::ledger::Ledger;
use crate::mem::MemStore;
use crate::opts::{Limits, MAX_BODY, Opts};
use crate::stats::{Counters, Stats};
use crate::ticket::Ticket;

/// A handle to a queue. Clones are handles to the same one.
///
/// ```
/// use filch_queue::{Cx, Fail, Job, Limits, Opts, Queue, Worker};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Serialize, Deserialize)]
/// struct Square(u64);
/// impl Job for Square {
///     const KIND: &'static str = "square/1";
///     type Out = u64;
///     fn run(&self, _: &Cx) -> Result<u64, Fail> {
///         Ok(self.0 * self.0)
///     }
/// }
///
/// let queue = Queue::mem("squares", Limits::default());
/// let ticket = queue.submit(&Square(7), Opts::default()).unwrap();
/// Worker::new(&queue).accept::<Square>().run_until_empty();
/// assert_eq!(ticket.wait(Duration::from_secs(5)), Ok(49));
/// ```
#[derive(Clone)]
pub struct Queue {
    name: Arc<str>,
    pub(crate) broker: Arc<dyn Broker>,
    pub(crate) counters: Arc<Counters>,
}

impl Queue {
    /// A queue in memory, for the threads of this process. It ends with its last handle.
    pub fn mem(name: &str, limits: Limits) -> Self {
        Self::on(
            name,
            Arc::new(Ledger {
                store: MemStore::default(),
                limits,
            }),
        )
    }

    /// A queue in a file, for the processes of this machine. The file is made if it is not there. The queue's name is the file's.
    ///
    /// # Errors
    ///
    /// If the file cannot be used: no right to it, not a queue, or on a network file system, where locks between machines do not hold.
    ///
    /// ```
    /// use filch_queue::{Limits, Queue};
    /// let file = std::env::temp_dir().join(format!("filch-queue-doc-{}.db", std::process::id()));
    /// let queue = Queue::local(&file, Limits::default()).unwrap();
    /// assert_eq!(queue.depth().unwrap().open(), 0);
    /// # drop(queue);
    /// # for end in ["", "-wal", "-shm"] { let _ = std::fs::remove_file(format!("{}{end}", file.display())); }
    /// # let _ = std::fs::remove_dir_all(format!("{}.blobs", file.display()));
    /// ```
    #[cfg(feature = "local")]
    pub fn local(path: impl AsRef<std::path::Path>, limits: Limits) -> Result<Self, Error> {
        let path = path.as_ref();
        let store = crate::local::LocalStore::open(path, limits.survive_power_loss)?;
        // Not the whole path: it may be spelled in several ways, and the name goes into the ids of keyed jobs.
        let name = path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Self::on(&name, Arc::new(Ledger { store, limits })))
    }

    /// A queue on a NATS server with JetStream, for many machines. It is made if it is not there; then the limits are those given here.
    ///
    /// Off this machine, the connection has to be by TLS. Calls block, so make them from threads that may.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, has no JetStream, or refuses; if the URL holds a password, or the connection would be readable on its way.
    ///
    /// ```no_run
    /// use filch_queue::{Auth, Limits, Queue};
    /// let queue = Queue::jetstream("nats://localhost:4222", Auth::default(), "thumbnails", Limits::default()).unwrap();
    /// println!("{}", queue.depth().unwrap());
    /// ```
    #[cfg(feature = "jetstream")]
    pub fn jetstream(
        url: &str,
        auth: crate::jetstream::Auth,
        name: &str,
        limits: Limits,
    ) -> Result<Self, Error> {
        Ok(Self::on(
            name,
            Arc::new(crate::jetstream::JetStream::open(url, &auth, name, limits)?),
        ))
    }

    /// Whether a server has a queue of this name; none is made. For programs that only look, where a wrong name is a slip.
    ///
    /// # Errors
    ///
    /// As [`jetstream`](Self::jetstream).
    ///
    /// ```no_run
    /// use filch_queue::{Auth, Queue};
    /// assert!(Queue::is_on_server("nats://localhost:4222", Auth::default(), "thumbnails").unwrap());
    /// ```
    #[cfg(feature = "jetstream")]
    pub fn is_on_server(
        url: &str,
        auth: crate::jetstream::Auth,
        name: &str,
    ) -> Result<bool, Error> {
        crate::jetstream::JetStream::exists(url, &auth, name)
    }

    /// A queue on a backend of your own.
    pub fn on(name: &str, broker: Arc<dyn Broker>) -> Self {
        Queue {
            name: name.into(),
            broker,
            counters: Arc::default(),
        }
    }

    /// The backend.
    pub fn broker(&self) -> &dyn Broker {
        &*self.broker
    }

    /// Hands in a job. Once this has returned `Ok`, the job is kept; on a file or a server it outlives this process.
    ///
    /// Jobs that are submitted one by one cost a write each; [`submit_all`](Self::submit_all) needs one for many.
    ///
    /// # Errors
    ///
    /// [`SubmitError::Full`], if the lane's limit is reached: nothing waits in secret, so try again later or shed the load.
    pub fn submit<J: Job>(&self, job: &J, opts: Opts) -> Result<Ticket<J::Out>, SubmitError> {
        self.submit_all([(job, opts)]).remove(0)
    }

    /// Hands in many jobs at once, and says of each what became of it, in order.
    pub fn submit_all<'a, J: Job>(
        &self,
        jobs: impl IntoIterator<Item = (&'a J, Opts)>,
    ) -> Vec<Result<Ticket<J::Out>, SubmitError>> {
        let encoded: Vec<_> = jobs
            .into_iter()
            .map(|(job, opts)| self.encode(job, opts))
            .collect();
        let good: Vec<NewJob> = encoded
            .iter()
            .filter_map(|job| job.as_ref().ok().cloned())
            .collect();
        let mut answers = self.broker.submit(&good).into_iter();
        let results = encoded.into_iter().map(|job| {
            let job = job?;
            let answer = answers.next().unwrap_or_else(|| {
                Err(Error::new("the backend gave fewer answers than it got jobs").into())
            });
            self.counters.submitted(job.opts.lane, &job.kind, &answer);
            let (Submitted::New | Submitted::Known) = answer?;
            Ok(self.ticket(job.id))
        });
        results.collect()
    }

    fn encode<J: Job>(&self, job: &J, opts: Opts) -> Result<NewJob, SubmitError> {
        let body = postcard::to_stdvec(job)
            .map_err(|error| Error::new(format!("a {} cannot be encoded: {error}", J::KIND)))?;
        if body.len() > MAX_BODY {
            return Err(SubmitError::TooLarge {
                len: body.len(),
                max: MAX_BODY,
            });
        }
        if let Some(trace) = opts.traceparent.as_deref().filter(|trace| !is_trace(trace)) {
            return Err(Error::new(format!(
                "{trace:?} is no traceparent: give 00-<32 hexadecimal digits>-<16>-<2>"
            ))
            .into());
        }
        let id = match &opts.key {
            Some(key) => JobId::of_key(&self.name, J::KIND, key),
            None => JobId::random(),
        };
        Ok(NewJob {
            id,
            kind: J::KIND.to_owned(),
            class: J::CLASS.to_owned(),
            body,
            opts,
        })
    }

    /// A ticket for a job that was submitted before, by this process or another. Costs nothing, and says nothing about whether the job is there.
    pub fn ticket<O>(&self, id: JobId) -> Ticket<O> {
        Ticket::new(id, self.broker.clone())
    }

    /// The id that a job of this kind and key has, whether it was submitted or not.
    pub fn id_of<J: Job>(&self, key: &str) -> JobId {
        JobId::of_key(&self.name, J::KIND, key)
    }

    /// What the queue holds.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    pub fn depth(&self) -> Result<Depth, Error> {
        self.broker.depth()
    }

    /// The bytes of a blob, checked.
    ///
    /// # Errors
    ///
    /// If it is gone or damaged, or the backend fails.
    pub fn blob(&self, blob: &Blob) -> Result<Vec<u8>, Error> {
        blob.get(self.broker.blobs())
    }

    /// What went through this handle, and what the queue holds, in Prometheus' text format.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    ///
    /// ```
    /// use filch_queue::{Limits, Queue};
    /// let text = Queue::mem("q", Limits::default()).to_prometheus().unwrap();
    /// assert!(text.contains("# TYPE filch_queue_run_seconds histogram\n"));
    /// ```
    pub fn to_prometheus(&self) -> Result<String, Error> {
        let (depth, kinds) = (self.depth()?, self.broker.kinds()?);
        Ok(self.stats().to_prometheus(&depth, &kinds))
    }

    /// What went through this handle and its clones.
    pub fn stats(&self) -> Stats {
        self.counters.read()
    }
}

/// Whether a text is a `traceparent` of W3C's recommendation "Trace Context": four fields of small hexadecimal digits, and no name of only zeros.
fn is_trace(text: &str) -> bool {
    let fields: Vec<&str> = text.split('-').collect();
    let digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    let named = |field: &str| field.bytes().any(|byte| byte != b'0');
    let lengths = fields.iter().map(|field| field.len());
    lengths.eq([2, 32, 16, 2])
        && fields.iter().all(|field| field.bytes().all(digit))
        && fields[0] != "ff"
        && named(fields[1])
        && named(fields[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_told_from_other_texts() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert!(is_trace(good));
        for bad in [
            "",
            "00",
            &good[..54],
            &good.to_uppercase(),
            &good.replace("00-", "ff-"),
            &good.replace("b7ad6b7169203331", "0000000000000000"),
            &good.replace('-', "_"),
            &format!("{good}-00"),
            &good.replace("01", "0\n"),
        ] {
            assert!(!is_trace(bad), "{bad}");
        }
    }
}
