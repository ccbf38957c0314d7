//! How many requests a claim sends to a server, counted on the way; and which kind has its turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use filch_queue::broker::{Ask, Broker, Lease, NewJob, Outcome};
use filch_queue::record::Output;
use filch_queue::{Aging, Auth, JobId, Lane, Limits, Opts, Queue};

use super::proxy::{Fault, Proxy};
use super::support::Server;

/// What clients have sent to the server.
#[derive(Clone, Default)]
struct Sent(Arc<Mutex<BTreeMap<&'static str, u32>>>);

impl Sent {
    fn note(&self, head: &str) {
        let subject = head.split(' ').nth(1).unwrap_or_default();
        let what = match subject {
            _ if subject.starts_with("$JS.API.CONSUMER.MSG.NEXT.") => "pull",
            _ if subject.starts_with("$JS.API.STREAM.INFO.") => "lane",
            _ if subject.contains(".st.") => "record",
            // Events may wait for what follows; acknowledgements, bells and the heart tell nothing of a claim.
            _ => return,
        };
        *self.0.lock().unwrap().entry(what).or_default() += 1;
    }

    /// Pulls, questions about a lane, and reads and writes of records since the last call.
    fn take(&self) -> [u32; 3] {
        let sent = std::mem::take(&mut *self.0.lock().unwrap());
        ["pull", "lane", "record"].map(|what| sent.get(what).copied().unwrap_or(0))
    }
}

fn open(url: &str) -> Queue {
    Queue::jetstream(url, Auth::default(), "asked", Limits::default()).unwrap()
}

fn ask(kinds: &[&str]) -> Ask {
    Ask {
        kinds: kinds.iter().map(|&kind| kind.to_owned()).collect(),
        classes: vec!["cpu".into()],
        lease: Duration::from_secs(600),
        aging: Arc::new(Aging::new(Aging::DEFAULT)),
        turns: Arc::default(),
    }
}

fn submit(broker: &dyn Broker, lane: Lane, kind: &str, count: u32) {
    let job = |number| NewJob {
        id: JobId::of_key("asked", kind, &format!("{lane:?} {number}")),
        kind: kind.into(),
        class: "cpu".into(),
        body: Vec::new(),
        opts: Opts {
            lane,
            ..Opts::default()
        },
    };
    let jobs: Vec<NewJob> = (0..count).map(job).collect();
    for answer in broker.submit(&jobs) {
        answer.unwrap();
    }
}

fn claim(broker: &dyn Broker, ask: &Ask) -> Option<Lease> {
    broker.claim(ask, 1, Duration::ZERO).unwrap().pop()
}

fn done() -> Outcome {
    Outcome::Done(Output::Inline(Vec::new()))
}

#[test]
fn a_busy_lane_is_asked_once_and_an_empty_one_twice() {
    let Some(server) = Server::start() else {
        return;
    };
    let (sent, queue) = (Sent::default(), open(&server.url()));
    let noted = sent.clone();
    let proxy = Proxy::new(server.port(), move |to_server, head| {
        if to_server {
            noted.note(head);
        }
        Fault::Pass
    });
    let through = open(&proxy.url());
    let (broker, few, many) = (
        through.broker(),
        ask(&["a", "b"]),
        ask(&["a", "b", "c", "d", "e"]),
    );
    // Makes the consumers of all kinds, as the lanes do not say that they are empty.
    for lane in Lane::ALL {
        submit(queue.broker(), lane, "other", 1);
    }
    assert!(claim(broker, &many).is_none());
    sent.take();
    // All five kinds of each lane, as there is a message, and it may be of any.
    assert!(claim(broker, &many).is_none());
    assert_eq!(sent.take(), [15, 3, 0]);
    let other = ask(&["other"]);
    while let Some(lease) = claim(queue.broker(), &other) {
        queue.broker().settle(&lease, done()).unwrap();
    }
    // Nothing anywhere: of many kinds one is asked, and then the lane. Two kinds are asked both, which takes no more.
    assert!(claim(broker, &many).is_none());
    assert_eq!(sent.take(), [3, 3, 0]);
    assert!(claim(broker, &few).is_none());
    assert_eq!(sent.take(), [6, 0, 0]);

    submit(queue.broker(), Lane::High, "a", 20);
    let mut lease = claim(broker, &many).unwrap();
    // One pull, and the record that says whose it is now.
    assert_eq!(sent.take(), [1, 0, 1]);
    for _ in 0..7 {
        let (settled, next) = broker.exchange(&lease, done(), &many);
        settled.unwrap();
        lease = next.unwrap().pop().unwrap();
        assert_eq!(sent.take(), [1, 0, 2]);
    }
    // The lower lanes were passed over eight times, and the turn of "a" is over: the four others are asked before it, and the lane once.
    let next = claim(broker, &many).unwrap();
    assert_eq!((&*next.record.kind, sent.take()), ("a", [2 + 5, 2 + 1, 1]));
    // And "a" is first again.
    let next = claim(broker, &many).unwrap();
    assert_eq!((&*next.record.kind, sent.take()), ("a", [1, 0, 1]));
}

#[test]
fn two_who_ask_on_one_connection_have_turns_of_their_own() {
    let Some(server) = Server::start() else {
        return;
    };
    let queue = open(&server.url());
    let broker = queue.broker();
    for kind in ["a", "b", "c"] {
        submit(broker, Lane::Normal, kind, 48);
    }
    let askers = [ask(&["a", "b"]), ask(&["b", "c"])];
    let mut given = [String::new(), String::new()];
    for _ in 0..32 {
        for (ask, given) in askers.iter().zip(&mut given) {
            *given += &claim(broker, ask).unwrap().record.kind;
        }
    }
    let turns = |first: &str, second: &str| (first.repeat(8) + &second.repeat(8)).repeat(2);
    assert_eq!(given, [turns("a", "b"), turns("b", "c")]);
}

#[test]
fn two_who_ask_on_one_connection_give_each_lane_its_share() {
    let Some(server) = Server::start() else {
        return;
    };
    let queue = open(&server.url());
    let broker = queue.broker();
    for lane in [Lane::High, Lane::Low] {
        submit(broker, lane, "a", 40);
        submit(broker, lane, "b", 40);
    }
    let askers = [ask(&["a", "b"]), ask(&["b", "a"])];
    let mut given = [const { Vec::new() }; 2];
    for _ in 0..27 {
        for (ask, given) in askers.iter().zip(&mut given) {
            given.push(claim(broker, ask).unwrap().record.lane);
        }
    }
    let round = [[Lane::High; 8].as_slice(), &[Lane::Low]].concat();
    assert_eq!(given, [round.repeat(3), round.repeat(3)]);
}
