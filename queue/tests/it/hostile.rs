//! A submitter may write anything into its lane: rubbish, lies, and more than is allowed.

use std::time::Duration;

use filch_queue::record::{Record, State};
use filch_queue::{Auth, JobId, Limits, Queue, Worker};

use super::jobs::*;
use super::support::Server;

const LONG: Duration = Duration::from_secs(60);

fn publish(url: &str, subject: String, payload: Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(url).await.unwrap());
        let sent = context.publish(subject, payload.into()).await.unwrap();
        sent.await.unwrap();
    });
}

#[test]
fn hostile_messages_are_dropped_and_the_worker_goes_on() {
    let Some(server) = Server::start() else {
        return;
    };
    let queue =
        Queue::jetstream(&server.url(), Auth::default(), "hostile", Limits::default()).unwrap();
    let subject = |kind: &str, id: &str| format!("fq.hostile.job.normal.cpu.{kind}.{id}");
    let id = |n: u32| format!("{n:032x}");
    for (n, rubbish) in [vec![], vec![0xff; 40], vec![0; 400_000]]
        .into_iter()
        .enumerate()
    {
        publish(&server.url(), subject("square/1", &id(n as u32)), rubbish);
    }
    publish(&server.url(), subject("square/1", "no-job"), vec![1, 2, 3]);
    // A job of a kind and class of its own choice, under a subject that this worker takes.
    let ticket = queue.submit(&Square(3), opts()).unwrap();
    let honest: Record = queue.broker().get(ticket.id()).unwrap().unwrap();
    let forged = |n: u32, record: Record| {
        let bytes = postcard::to_stdvec(&(record, 0u64, vec![9u8])).unwrap();
        publish(&server.url(), subject("square/1", &id(n)), bytes);
        id(n).parse::<JobId>().unwrap()
    };
    let forgeries = [
        forged(
            10,
            Record {
                kind: "large/1".into(),
                ..honest.clone()
            },
        ),
        forged(
            11,
            Record {
                class: "gpu".into(),
                ..honest.clone()
            },
        ),
    ];
    // One that says it is done already is taken as what it can be: submitted.
    let boasting = forged(
        12,
        Record {
            state: State::Done(filch_queue::record::Output::Inline(vec![7])),
            ..honest.clone()
        },
    );
    let worker = Worker::new(&queue)
        .accept::<Square>()
        .accept::<Large>()
        .run();
    assert_eq!(ticket.wait(LONG), Ok(9));
    let begun = std::time::Instant::now();
    while queue.depth().unwrap().open() > 0 {
        assert!(begun.elapsed() < LONG, "{:?}", queue.depth());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(queue.ticket::<u64>(boasting).wait(LONG), Ok(81));
    for id in forgeries {
        assert_eq!(queue.broker().get(id).unwrap(), None);
    }
    assert_eq!(worker.drain(LONG).done, 2);
}
