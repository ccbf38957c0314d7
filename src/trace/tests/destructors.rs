//! Tests: parallel calls in destructors of threads that end, when the thread's own meter or desk is gone.

use super::alone;
use crate::join;
use crate::prelude::*;
use crate::trace::measure;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A parallel call in a destructor of a thread that ends, whose own meter is gone by then, while another thread is metered.
#[test]
fn a_destructor_may_run_a_parallel_call() {
    struct Late(Cell<bool>);
    impl Drop for Late {
        fn drop(&mut self) {
            let (a, b) = join(|| 1, || 2);
            let sum: u32 = (0..1000u32).into_par_iter().sum();
            assert_eq!((a, b, sum), (1, 2, 499_500));
            RAN.fetch_add(1, Ordering::Relaxed);
        }
    }
    thread_local! {
        static FIRST: Late = const { Late(Cell::new(false)) };
        static LAST: Late = const { Late(Cell::new(false)) };
    }
    static RAN: AtomicUsize = AtomicUsize::new(0);
    let _alone = alone();
    let other = || {
        FIRST.with(|late| late.0.set(true));
        assert_eq!(join(|| 3, || 4), (3, 4));
        LAST.with(|late| late.0.set(true));
    };
    measure(|| std::thread::spawn(other).join().unwrap());
    // The closure ran twice, once metered, with two destructors each: one of these comes after that of the meter.
    assert_eq!(RAN.load(Ordering::Relaxed), 4);
}
