//! Destructors that panic: of closures that calls got, and of what those returned. In each call one panic comes first; that is the one which counts.

use crate::child::{child, work};
use filch::ext::*;
use filch::{ThreadPool, ThreadPoolBuilder, isolate, join, join_context};
use filch::{in_place_scope, in_place_scope_fifo, scope, scope_fifo};
use std::panic::{catch_unwind, panic_any, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::yield_now;

/// Something whose destructor panics, and says what it was.
struct Sharp(&'static str);

impl Drop for Sharp {
    fn drop(&mut self) {
        panic_any(self.0);
    }
}

/// A closure that keeps something sharp until it is dropped.
fn closure() -> impl FnOnce() + Send {
    let sharp = Sharp("closure");
    move || _ = &sharp
}

/// The same for a share of a broadcast. `panics`: the shares panic.
fn share(panics: bool) -> impl Fn() + Send + Sync {
    let sharp = Sharp("closure");
    move || {
        _ = &sharp;
        if panics {
            panic_any("share");
        }
    }
}

/// Waits for a while until `taken` is set: a thread may come, or not.
fn wait_a_little(taken: &AtomicBool) {
    for _ in 0..1000 {
        if taken.load(SeqCst) {
            return;
        }
        yield_now();
    }
}

/// A call, its name, and the panic that comes out of it.
type Call = (&'static str, fn(), &'static str);

const CALLS: [Call; 22] = [
    ("isolate", || isolate(closure()), "closure"),
    (
        "join, on the left",
        || _ = join(closure(), || ()),
        "closure",
    ),
    (
        "join, on the right",
        || _ = join(|| (), closure()),
        "closure",
    ),
    (
        "join, on both sides",
        || _ = join(closure(), closure()),
        "closure",
    ),
    (
        "join, a result on the left",
        || {
            let taken = AtomicBool::new(false);
            let left = || {
                wait_a_little(&taken);
                Sharp("result")
            };
            let right = || {
                taken.store(true, SeqCst);
                panic_any("right");
            };
            let (left, ()) = join(left, right);
            std::mem::forget(left);
        },
        "right",
    ),
    (
        "join, a result on the right",
        || {
            let taken = AtomicBool::new(false);
            let left = || {
                wait_a_little(&taken);
                panic_any("left");
            };
            let right = || {
                taken.store(true, SeqCst);
                Sharp("result")
            };
            let ((), right) = join(left, right);
            std::mem::forget(right);
        },
        "left",
    ),
    (
        "join_context, a result on the left",
        || {
            let (left, ()) = join_context(|_| Sharp("result"), |_| panic_any("right"));
            std::mem::forget(left);
        },
        "right",
    ),
    (
        "scope",
        || {
            let call = closure();
            scope(move |_| call());
        },
        "closure",
    ),
    (
        "in_place_scope",
        || {
            let call = closure();
            in_place_scope(move |_| call());
        },
        "closure",
    ),
    ("job of scope", || scope(|s| job(s)), "closure"),
    ("job of in_place_scope", || in_place_scope(job), "closure"),
    (
        "job of scope_fifo",
        || scope_fifo(|s| job_in_order(s)),
        "closure",
    ),
    (
        "job of in_place_scope_fifo",
        || in_place_scope_fifo(job_in_order),
        "closure",
    ),
    (
        "job of limited_scope",
        || {
            limited_scope(1, |s| {
                let call = closure();
                s.spawn(move |_| call());
            })
        },
        "closure",
    ),
    (
        "broadcast in a scope",
        || scope(|s| shares(s, false)),
        "closure",
    ),
    (
        "broadcast in a scope, shares that panic",
        || scope(|s| shares(s, true)),
        "share",
    ),
    (
        "broadcast",
        || {
            let share = share(false);
            filch::broadcast(move |_| share());
        },
        "closure",
    ),
    (
        "broadcast, shares that panic",
        || {
            let share = share(true);
            filch::broadcast(move |_| share());
        },
        "share",
    ),
    (
        "broadcast, results",
        || {
            let share = share(false);
            let call = move |_: filch::BroadcastContext<'_>| {
                share();
                Sharp("result")
            };
            filch::broadcast(call)
                .into_iter()
                .for_each(std::mem::forget);
        },
        "closure",
    ),
    ("handle", || result_of(spawn_handle(closure())), "closure"),
    (
        "handle, result",
        || drop(spawn_handle(|| Sharp("result")).join()),
        "result",
    ),
    (
        "handle, cancelled",
        || {
            if let Err(has_begun) = spawn_handle(closure()).cancel() {
                result_of(has_begun);
            }
        },
        "closure",
    ),
];

fn job<'scope>(scope: &filch::Scope<'scope>) {
    let call = closure();
    scope.spawn(move |_| call());
}

fn job_in_order<'scope>(scope: &filch::ScopeFifo<'scope>) {
    let call = closure();
    scope.spawn_fifo(move |_| call());
}

fn shares<'scope>(scope: &filch::Scope<'scope>, panic: bool) {
    let share = share(panic);
    scope.spawn_broadcast(move |_, _| share());
}

fn result_of(job: JobHandle<()>) {
    job.join().unwrap_or_else(|payload| resume_unwind(payload));
}

/// Starts a job whose handle is gone before it goes on to `func`.
fn without_handle<T: Send + 'static>(func: impl FnOnce() -> T + Send + 'static) {
    let is_gone = Arc::new(AtomicBool::new(false));
    let may_go_on = Arc::clone(&is_gone);
    drop(spawn_handle(move || {
        while !may_go_on.load(SeqCst) {
            yield_now();
        }
        func()
    }));
    is_gone.store(true, SeqCst);
}

/// A call that nobody waits for, its name, and what the panic handler gets.
type Detached = (&'static str, fn(), &'static [&'static str]);

const DETACHED: [Detached; 8] = [
    ("spawn", || filch::spawn(closure()), &["closure"]),
    ("spawn_fifo", || filch::spawn_fifo(closure()), &["closure"]),
    (
        "spawn_broadcast",
        || {
            let share = share(false);
            filch::spawn_broadcast(move |_| share());
        },
        &["closure"],
    ),
    (
        "spawn_broadcast, a share that panics",
        || {
            let share = share(true);
            filch::spawn_broadcast(move |context| match context.index() {
                0 => share(),
                _ => _ = &share,
            });
        },
        &["closure", "share"],
    ),
    ("handle", || without_handle(closure()), &["closure"]),
    (
        "handle, result",
        || without_handle(|| Sharp("result")),
        &["result"],
    ),
    (
        "queue",
        || JobQueue::current().spawn(Priority::Low, closure()),
        &["closure"],
    ),
    (
        "queue, result",
        || {
            let queue = JobQueue::current();
            let pushed = queue.try_spawn(Priority::Low, || Sharp("result"));
            assert!(pushed.is_ok());
        },
        &["result"],
    ),
];

/// What the panic handler got.
static HANDLED: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn builder(threads: usize) -> ThreadPoolBuilder {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.panic_handler(|payload| {
        let what = payload.downcast_ref().copied();
        HANDLED.lock().unwrap().push(what.unwrap_or("another one"));
    })
}

/// Runs `call`, and says with what it panicked.
fn panic_of(call: fn()) -> Option<&'static str> {
    let payload = catch_unwind(call).err()?;
    Some(*payload.downcast().expect("it says what it was"))
}

/// What panic comes out of a call in a pool, or outside of all. If the process ends, the last line says in which.
fn panic_in(place: Option<&ThreadPool>, name: &str, call: fn()) -> Option<&'static str> {
    let threads = place.map(|pool| pool.current_num_threads());
    eprintln!("{name}, in {threads:?}");
    match place {
        None => panic_of(call),
        Some(pool) => pool.install(|| panic_of(call)),
    }
}

// 233: each call outside, and in pools of one thread and of three.
#[test]
fn destructors_of_closures_and_results_that_panic() {
    child(3, || {
        std::panic::set_hook(Box::new(|info| {
            if info.payload().is::<String>() {
                eprintln!("{info}");
            }
        }));
        builder(3).build_global().unwrap();
        let pools = [1, 3].map(|threads| builder(threads).build().unwrap());
        let places = || std::iter::once(None).chain(pools.iter().map(Some));
        for _ in 0..5 {
            for (name, call, expected) in CALLS {
                for place in places() {
                    let panic = panic_in(place, name, call);
                    assert_eq!(panic, Some(expected), "{name}");
                }
            }
            for (name, call, expected) in DETACHED {
                for place in places() {
                    let panic = panic_in(place, name, call);
                    assert_eq!(panic, None, "{name}");
                    while HANDLED.lock().unwrap().len() < expected.len() {
                        yield_now();
                    }
                    let mut handled = std::mem::take(&mut *HANDLED.lock().unwrap());
                    handled.sort_unstable();
                    assert_eq!(handled, expected, "{name}");
                }
            }
        }
        work();
    })
    .is_well();
}
