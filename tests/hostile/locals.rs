//! Destructors of thread-locals that use the pool.

use crate::child::{child, work};
use filch::ThreadPoolBuilder;
use std::cell::RefCell;

struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        work();
    }
}

thread_local! {
    static LATE: RefCell<Option<Late>> = const { RefCell::new(None) };
}

fn set() {
    LATE.with(|late| *late.borrow_mut() = Some(Late));
}

// 39
#[test]
fn a_thread_local_of_any_thread() {
    child(3, || {
        for before in [false, true] {
            std::thread::spawn(move || {
                // Which of two thread-locals is destroyed first depends on which was used first.
                if before {
                    set();
                    work();
                } else {
                    work();
                    set();
                }
            })
            .join()
            .unwrap();
        }
    })
    .is_well();
}

#[test]
fn a_thread_local_of_a_thread_of_the_pool() {
    child(3, || {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.broadcast(|_| set());
        pool.install(work);
        pool.shutdown();
        work();
    })
    .is_well();
}
