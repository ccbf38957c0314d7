//! What others see on the server: headers of jobs, and bells.

use std::time::Duration;

use filch_queue::{Auth, Cx, Fail, Job, Lane, Limits, Opts, Queue, Worker};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use super::jobs::{Square, opts};
use super::support::Server;

const LONG: Duration = Duration::from_secs(60);
const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn open(server: &Server) -> Queue {
    Queue::jetstream(&server.url(), Auth::default(), "seen", Limits::default()).unwrap()
}

fn alone<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work)
}

#[test]
fn the_message_of_a_job_says_what_it_is() {
    let Some(server) = Server::start() else {
        return;
    };
    let queue = open(&server);
    let all = Opts {
        key: Some("seven".into()),
        deadline: Some(Duration::from_secs(3600)),
        attempts: 3,
        traceparent: Some(TRACE.into()),
        ..opts()
    };
    queue.submit(&Square(7), all).unwrap();
    // No header holds the end of a line, and no key may add one.
    let odd = Opts {
        key: Some("seven\r\nFq-Attempts: 9".into()),
        lane: Lane::Low,
        ..opts()
    };
    queue.submit(&Square(8), odd).unwrap();
    alone(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let context = async_nats::jetstream::new(client);
        let first = async |stream: &str| {
            let stream = context.get_stream(stream).await.unwrap();
            stream.get_raw_message(1).await.unwrap().headers
        };
        let headers = first("FQ_seen_NORMAL").await;
        let header = |name: &str| headers.get(name).map(|value| value.as_str());
        assert_eq!(header("Fq-Key"), Some("seven"));
        assert_eq!(header("Fq-Attempts"), Some("3"));
        assert_eq!(header("traceparent"), Some(TRACE));
        let deadline: u64 = header("Fq-Deadline").unwrap().parse().unwrap();
        let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as u64;
        assert!((now..now + 3_700_000).contains(&deadline), "{deadline}");
        let headers = first("FQ_seen_LOW").await;
        assert!(headers.get("Fq-Key").is_none() && headers.get("Fq-Deadline").is_none());
        assert_eq!(headers.get("Fq-Attempts").unwrap().as_str(), "5");
    });
}

/// Its class is not every worker's.
#[derive(Serialize, Deserialize)]
struct Drawn;

impl Job for Drawn {
    const KIND: &'static str = "drawn/1";
    const CLASS: &'static str = "gpu";
    type Out = Option<String>;
    fn run(&self, cx: &Cx) -> Result<Option<String>, Fail> {
        Ok(cx.traceparent().map(str::to_owned))
    }
}

#[test]
fn a_job_rings_the_bell_of_its_class_and_an_idle_worker_comes() {
    let Some(server) = Server::start() else {
        return;
    };
    let (queue, elsewhere) = (open(&server), open(&server));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut bells = runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let bells = client.subscribe("fq.seen.bell.*").await.unwrap();
        client.flush().await.unwrap();
        bells
    });
    queue.submit(&Square(1), opts()).unwrap();
    queue.submit(&Drawn, opts()).unwrap();
    runtime.block_on(async {
        for class in ["cpu", "gpu"] {
            let ring = tokio::time::timeout(LONG, bells.next()).await.unwrap();
            assert_eq!(&*ring.unwrap().subject, format!("fq.seen.bell.{class}"));
        }
    });
    let worker = Worker::new(&elsewhere).accept::<Drawn>().classes(&["gpu"]);
    let worker = worker.run();
    let traced = Opts {
        traceparent: Some(TRACE.into()),
        ..opts()
    };
    for _ in 0..20 {
        let ticket = queue.submit(&Drawn, traced.clone()).unwrap();
        assert_eq!(ticket.wait(LONG).unwrap().as_deref(), Some(TRACE));
    }
    worker.drain(LONG);
}

#[test]
fn a_queue_that_is_erased_is_gone() {
    let Some(server) = Server::start() else {
        return;
    };
    let queue = open(&server);
    queue.submit(&Square(1), opts()).unwrap();
    queue.broker().erase().unwrap();
    queue.broker().erase().unwrap();
    assert_eq!(open(&server).depth().unwrap().open(), 0);
}
