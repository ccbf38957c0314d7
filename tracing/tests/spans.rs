//! What is logged in work that moved is in the span of the thread that gave it away.

use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use filch_tracing::{Spans, enter_worker, exit_worker};
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Mutex, MutexGuard, PoisonError};
use std::thread;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::subscriber::NoSubscriber;
use tracing::{Event, Level, Span, Subscriber, debug, info, info_span};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

/// What a subscriber saw.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Log>>);

#[derive(Default)]
struct Log {
    /// Each event: its name, fields, and the spans it is in, the innermost first.
    events: Vec<(String, String, Vec<String>)>,
    open: BTreeSet<u64>,
    opened: usize,
}

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0 += &format!("{field}={value:?};");
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Seen {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut text = Text(format!("{}:", attributes.metadata().name()));
        attributes.record(&mut text);
        context.span(id).unwrap().extensions_mut().insert(text);
        let mut log = self.0.lock().unwrap();
        log.opened += 1;
        assert!(log.open.insert(id.into_u64()));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut text = Text(String::new());
        event.record(&mut text);
        let of = |span: tracing_subscriber::registry::SpanRef<'_, S>| {
            span.extensions().get::<Text>().unwrap().0.clone()
        };
        let scope = context.event_scope(event);
        let spans = scope.into_iter().flatten().map(of).collect();
        let name = event.metadata().name().to_owned();
        self.0.lock().unwrap().events.push((name, text.0, spans));
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        assert!(self.0.lock().unwrap().open.remove(&id.into_u64()));
    }
}

impl Seen {
    /// Runs `f` with a subscriber for this thread only, which sees what `level` lets through.
    fn while_at(level: Level, f: impl FnOnce()) -> Log {
        let seen = Seen::default();
        let layer = seen.clone().with_filter(LevelFilter::from_level(level));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), f);
        let log = std::mem::take(&mut *seen.0.lock().unwrap());
        assert!(log.open.is_empty(), "spans that were not closed");
        log
    }
}

impl Log {
    /// The events of the tests, not of the pool.
    fn ours(&self) -> impl Iterator<Item = &(String, String, Vec<String>)> {
        let ours = |name: &str| !name.starts_with("rayon::");
        self.events.iter().filter(move |event| ours(&event.0))
    }

    fn named(&self, name: &str) -> Vec<&(String, String, Vec<String>)> {
        self.events.iter().filter(|event| event.0 == name).collect()
    }
}

/// What a callsite is worth is cached for the whole process, and worked out anew with each subscriber that comes or goes. So one test at a time.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    let builder = builder.panic_handler(|_| ()).follow(Spans::new());
    builder.build().unwrap()
}

#[test]
fn a_stolen_half_is_in_the_callers_span() {
    let _turn = turn();
    for level in [Level::INFO, Level::DEBUG, Level::TRACE] {
        let log = Seen::while_at(level, || {
            let pool = pool(2);
            let _request = info_span!("request", id = 7).entered();
            let threads = pool.install(|| {
                let both = Barrier::new(2);
                let half = |name| {
                    both.wait(); // so the right half is stolen
                    info!(name);
                    thread::current().id()
                };
                let (left, right) = filch::join(|| half("left"), || half("right"));
                [left, right]
            });
            assert_ne!(threads[0], threads[1]);
        });
        assert_eq!(log.ours().count(), 2);
        for (_, _, spans) in log.ours() {
            assert_eq!(
                spans.last().map(String::as_str),
                Some("request:id=7;"),
                "{level}: {:?}",
                log.events
            );
            let jobs = spans
                .iter()
                .filter(|span| span.starts_with("rayon::job_execute:"));
            assert_eq!(jobs.count() > 0, level >= Level::DEBUG, "{spans:?}");
        }
        let stolen = log.named("rayon::job_stolen");
        assert_eq!(stolen.len(), usize::from(level == Level::TRACE));
        assert!(stolen.iter().all(|event| event.1.contains("victim=")));
    }
}

/// Requests that share threads, each nested in itself.
#[test]
fn each_request_has_its_own_events() {
    let _turn = turn();
    for threads in [1, 2, 3, 8] {
        for level in [Level::INFO, Level::DEBUG, Level::TRACE] {
            let log = Seen::while_at(level, || {
                let pool = pool(threads);
                let dispatch = tracing::dispatcher::get_default(tracing::Dispatch::clone);
                thread::scope(|outside| {
                    for request in 0..3u64 {
                        let (pool, dispatch) = (&pool, &dispatch);
                        outside.spawn(move || {
                            tracing::dispatcher::with_default(dispatch, || one(pool, request));
                        });
                    }
                });
                pool.shutdown();
            });
            assert_eq!(log.ours().count(), 3 * (60 + 2 * 10 + 10 + threads));
            for (_, text, spans) in log.ours() {
                let of = spans.last().unwrap();
                assert!(
                    text.contains(&of.replace("request:", "")),
                    "{text} in {spans:?}"
                );
                let requests = spans.iter().filter(|span| span.starts_with("request:"));
                assert!(requests.clone().all(|span| span == of), "{spans:?}");
            }
        }
    }
}

fn one(pool: &ThreadPool, id: u64) {
    info_span!("request", id).in_scope(|| {
        pool.install(|| {
            (0..6).into_par_iter().with_max_len(1).for_each(|_| {
                (0..10)
                    .into_par_iter()
                    .with_max_len(1)
                    .for_each(|_| info!(id));
            });
        });
        pool.scope(|s| {
            for _ in 0..10 {
                s.spawn(move |s| {
                    info!(id);
                    s.spawn(move |_| info!(id));
                });
            }
        });
        for _ in 0..10 {
            pool.spawn(move || info!(id));
        }
        pool.broadcast(|_| info!(id));
    });
}

/// Of the requests, 0 is in no span.
#[test]
fn jobs_on_top_of_each_others_waits_are_in_their_own_spans() {
    let _turn = turn();
    for requests in [&[1, 0][..], &[0, 1], &[1, 2, 1], &[1, 2, 1, 0, 2, 2, 1]] {
        for level in [Level::INFO, Level::DEBUG, Level::TRACE] {
            for is_unseen in [false, true] {
                let log = Seen::while_at(level, || {
                    let pool = pool(1);
                    let spans = [1, 2u64].map(|id| info_span!("request", id));
                    on_top(&pool, &spans, requests, is_unseen);
                    pool.shutdown();
                });
                assert_eq!(log.ours().count(), 2 * requests.len());
                assert_own_spans(&log);
            }
        }
    }
}

/// Each event is in the span of the request that it names, and in no other request's.
fn assert_own_spans(log: &Log) {
    for (_, text, spans) in log.ours() {
        let own = spans.iter().filter(|span| span.starts_with("request:"));
        let own: String = own.map(|span| span.replace("request:", "")).collect();
        assert_eq!(text.replace("id=0;", ""), own, "{spans:?}");
    }
}

/// A subscriber gives a span of its own the id that the thread's span has with another one.
#[test]
fn a_span_with_the_id_of_the_workers_is_left() {
    let _turn = turn();
    let log = Seen::while_at(Level::INFO, || {
        // Its thread alone keeps it: no later test is to see it.
        let workers = tracing::Dispatch::new(tracing_subscriber::registry());
        let workers = Mutex::new(Some(workers));
        let enter = move |index| {
            let workers = workers.lock().unwrap().take().unwrap();
            tracing::dispatcher::with_default(&workers, || {
                // So that there are spans before and after the one that has its id.
                let _before = [(); 4].map(|()| info_span!("before"));
                enter_worker(index);
            });
        };
        let builder = ThreadPoolBuilder::new().num_threads(1).follow(Spans::new());
        let builder = builder.start_handler(enter).exit_handler(exit_worker);
        let pool = builder.build().unwrap();
        pool.install(|| {
            let _request = [(); 8].map(|()| info_span!("request", id = 1).entered());
            on_top(&pool, &[], &[0], false);
        });
        pool.shutdown();
    });
    assert_eq!(log.ours().count(), 2);
    assert_own_spans(&log);
}

/// A job of the first request, on the only thread of `pool`, and one of each other on top of the wait of the one before, which may be `unseen`.
fn on_top(pool: &ThreadPool, spans: &[Span], requests: &[usize], unseen: bool) {
    let [request, others @ ..] = requests else {
        return;
    };
    let span = request
        .checked_sub(1)
        .map_or(Span::none(), |at| spans[at].clone());
    let job = || {
        info!(id = request);
        on_top(pool, spans, others, unseen);
        info!(id = request);
    };
    let dispatch = &tracing::dispatcher::get_default(tracing::Dispatch::clone);
    let span = &span;
    thread::scope(|outside| {
        let call = move || span.in_scope(|| pool.install(job));
        let done = outside.spawn(move || tracing::dispatcher::with_default(dispatch, call));
        let wait = || {
            while !done.is_finished() {
                // The only thread runs the other job here.
                _ = filch::yield_now();
            }
        };
        match unseen {
            true => tracing::subscriber::with_default(NoSubscriber::new(), wait),
            false => wait(),
        }
    });
}

#[test]
fn jobs_that_panic_leave_no_span_behind() {
    let _turn = turn();
    for level in [Level::INFO, Level::TRACE] {
        let log = Seen::while_at(level, || {
            let pool = pool(2);
            info_span!("request").in_scope(|| {
                let both = Barrier::new(2);
                let half = || {
                    both.wait();
                    std::panic::resume_unwind(Box::new("no"))
                };
                let call = AssertUnwindSafe(|| pool.join(half, half));
                assert!(catch_unwind(call).is_err());
            });
            // Nothing goes with these: this thread has no subscriber.
            tracing::subscriber::with_default(NoSubscriber::new(), || {
                let free = pool.broadcast(|_| Span::current().is_none());
                assert_eq!(free, [true, true]);
            });
            pool.shutdown();
        });
        assert!(log.opened >= 1);
    }
}

#[test]
fn events_have_rayons_names() {
    let _turn = turn();
    let log = Seen::while_at(Level::TRACE, || {
        let pool = pool(2);
        pool.install(|| {
            let both = Barrier::new(2);
            filch::join(|| _ = both.wait(), || _ = both.wait());
        });
        pool.shutdown();
        enter_worker(3);
        debug!("at work");
        exit_worker(3);
    });
    assert_eq!(log.named("rayon::job_injected").len(), 1);
    assert_eq!(log.named("rayon::job_stolen").len(), 1);
    let active = log.named("rayon::thread_active").len();
    assert_eq!(active, 2);
    assert_eq!(log.named("rayon::thread_idle").len(), active);
    let at_work: Vec<_> = log.ours().collect();
    assert_eq!(at_work[0].2, ["rayon::worker_thread:worker=3;"]);
}

#[test]
fn without_a_subscriber_nothing_is_kept() {
    let _turn = turn();
    let pool = pool(3);
    let sum: u32 = pool.install(|| (0..1000u32).into_par_iter().with_max_len(3).sum());
    assert_eq!(sum, 499_500);
}
