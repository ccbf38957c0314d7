//! A pool whose threads cannot be had.

use crate::support::{alone, within};
use filch::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;

/// The k-th thread fails, for each k: an error, and those before it end.
#[test]
fn the_kth_thread_fails() {
    within(60, || {
        for n in 1..9 {
            for k in 0..n {
                let mut handles = Vec::new();
                let (starts, exits) =
                    (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
                let (started, exited) = (starts.clone(), exits.clone());
                let outcome = ThreadPoolBuilder::new()
                    .num_threads(n)
                    .start_handler(move |_| _ = started.fetch_add(1, SeqCst))
                    .exit_handler(move |_| _ = exited.fetch_add(1, SeqCst))
                    .spawn_handler(|thread| {
                        if thread.index() == k {
                            return Err(io::Error::other("no more threads"));
                        }
                        handles.push(thread::spawn(|| thread.run()));
                        Ok(())
                    })
                    .build();
                let error = outcome.expect_err("an error");
                assert!(is_or_comes_from(&error, "no more threads"), "{error:?}");
                assert_eq!(handles.len(), k);
                handles
                    .into_iter()
                    .for_each(|handle| handle.join().unwrap());
                assert_eq!((starts.load(SeqCst), exits.load(SeqCst)), (k, k));
            }
        }
    });
}

/// A closure of the user's panics amid the build: the panic comes out, and the threads that were started end.
#[test]
fn a_closure_panics() {
    within(60, || {
        for (named, n) in [(true, 5), (false, 5), (true, 0), (false, 0)] {
            let ((started, starts), (exited, exits)) = (mpsc::channel(), mpsc::channel());
            let builder = ThreadPoolBuilder::new()
                .num_threads(8)
                .start_handler(move |i| started.send(i).unwrap())
                .exit_handler(move |i| exited.send(i).unwrap());
            let refuse = move |i| assert!(i < n, "no name for {i}");
            let outcome = catch_unwind(AssertUnwindSafe(|| match named {
                true => builder
                    .thread_name(move |i| {
                        refuse(i);
                        i.to_string()
                    })
                    .build(),
                false => builder
                    .spawn_handler(|thread| {
                        refuse(thread.index());
                        thread::spawn(|| thread.run());
                        Ok(())
                    })
                    .build(),
            }));
            let panic = outcome.map(drop).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&format!("no name for {n}")));
            // The channels end when the pool is freed with its handlers.
            assert_eq!((starts.iter().count(), exits.iter().count()), (n, n));
        }
    });
}

/// Its words are rayon's, also by the old method, and may be padded. How many threads there were is said as well.
#[test]
#[allow(deprecated)]
fn what_an_error_says() {
    within(60, || {
        // By its name LeakSanitizer knows that this pool is kept for good.
        fn use_current_thread() -> Result<ThreadPool, ThreadPoolBuildError> {
            let builder = ThreadPoolBuilder::new().num_threads(2);
            builder.use_current_thread().build()
        }
        let _pool = use_current_thread().unwrap();
        let error = use_current_thread().map(drop).unwrap_err();
        let says = "The current thread is already part of another thread pool.";
        assert_eq!(
            (error.to_string().as_str(), error.description()),
            (says, says)
        );
        assert_eq!(
            format!("{error:>60}|{error:.11}"),
            format!("{says:>60}|The current")
        );

        let started = |thread: filch::ThreadBuilder| match thread.index() {
            2 => Err(io::Error::other("no more threads")),
            _ => {
                thread::spawn(|| thread.run());
                Ok(())
            }
        };
        let builder = ThreadPoolBuilder::new().num_threads(4);
        let error = builder
            .spawn_handler(started)
            .build()
            .map(drop)
            .unwrap_err();
        let says = "only 2 of 4 threads could be started: no more threads";
        assert_eq!(error.to_string(), says);
        assert_eq!(error.source().unwrap().to_string(), "no more threads");
    });
}

fn is_or_comes_from(error: &dyn Error, text: &str) -> bool {
    error.to_string().contains(text)
        || format!("{error:?}").contains(text)
        || error
            .source()
            .is_some_and(|source| is_or_comes_from(source, text))
}

/// After a global pool that could not be built on request, the process still works.
#[test]
fn life_goes_on() {
    alone(2, 30, || {
        let refused = ThreadPoolBuilder::new()
            .num_threads(2)
            .spawn_handler(|_| Err(io::Error::other("no more threads")))
            .build();
        assert!(refused.is_err());
        assert_eq!(filch::join(|| 1, || 2), (1, 2));
    });
}

/// What a closure of the builder's asks of the global pool while that is being built cannot be had. It is told so, and does not wait for itself.
#[test]
fn closures_that_use_the_global_pool_while_it_is_built() {
    alone(2, 30, || {
        let built = std::panic::catch_unwind(|| {
            let name = |_| format!("one of {}", filch::current_num_threads());
            ThreadPoolBuilder::new().thread_name(name).build_global()
        });
        assert!(built.is_err_and(|payload| payload.is::<&str>()));

        let again = |_| {
            assert!(ThreadPoolBuilder::new().build_global().is_err());
            String::new()
        };
        let builder = ThreadPoolBuilder::new().num_threads(3);
        builder.thread_name(again).build_global().unwrap();
        assert_eq!(filch::current_num_threads(), 3);
    });
}
