//! What rayon has deprecated does what it did.

#![allow(deprecated)]

use crate::support::{alone, within};
use filch::{Configuration, ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;

/// Every option gets to the pool.
#[test]
fn a_pool_from_a_configuration() {
    within(30, || {
        let (started, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (starts, ends) = (Arc::clone(&started), Arc::clone(&ended));
        let (caught, panics) = mpsc::channel();
        let config = Configuration::new()
            .num_threads(3)
            .thread_name(|i| format!("old-{i}"))
            .stack_size(1 << 20)
            .panic_handler(move |panic| caught.send(*panic.downcast::<&str>().unwrap()).unwrap())
            .start_handler(move |i| _ = starts.fetch_add(i + 1, SeqCst))
            .exit_handler(move |i| _ = ends.fetch_add(i + 1, SeqCst));
        let pool = ThreadPool::new(config).unwrap();
        let names = pool.broadcast(|_| thread::current().name().map(str::to_owned));
        assert_eq!(names, ["old-0", "old-1", "old-2"].map(|n| Some(n.into())));
        assert_eq!(started.load(SeqCst), 6);
        pool.spawn(|| panic!("no caller waits"));
        assert_eq!(panics.recv().unwrap(), "no caller waits");
        pool.shutdown();
        assert_eq!(ended.load(SeqCst), 6);
    });
}

#[test]
fn a_configuration_looks_like_its_builder() {
    let config = Configuration::default().num_threads(5).breadth_first();
    let builder = ThreadPoolBuilder::new().num_threads(5).breadth_first();
    assert_eq!(format!("{config:?}"), format!("{builder:?}"));
}

/// With `breadth_first` a thread takes its oldest spawned job first.
#[test]
fn breadth_first() {
    for breadth_first in [false, true] {
        let mut config = Configuration::new().num_threads(1);
        if breadth_first {
            config = config.breadth_first();
        }
        let pool = config.build().unwrap();
        let (send, order) = mpsc::channel();
        pool.scope(|scope| {
            for i in 0..10 {
                let send = send.clone();
                scope.spawn(move |_| send.send(i).unwrap());
            }
        });
        drop(send);
        let mut order: Vec<i32> = order.iter().collect();
        if !breadth_first {
            order.reverse();
        }
        assert!(order.into_iter().eq(0..10));
    }
}

#[test]
fn the_global_pool_from_a_configuration() {
    alone(2, 30, || {
        filch::initialize(Configuration::new().num_threads(5)).unwrap();
        assert_eq!(filch::current_num_threads(), 5);
        let again = filch::initialize(Configuration::new()).unwrap_err();
        assert_eq!(
            again.to_string(),
            "The global thread pool has already been initialized."
        );
        assert!(again.is::<filch::ThreadPoolBuildError>());
    });
}
