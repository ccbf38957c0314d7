//! Panics on their way from the thread where they happened to the thread that asked for the work.

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::panicking;

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send + 'static>;

/// Runs `f`, catching a panic.
///
/// Unwind safety is asserted: every caller re-raises the payload before any code can look at what the panic left behind.
pub(crate) fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Payload> {
    catch_unwind(AssertUnwindSafe(f))
}

pub(crate) use std::panic::resume_unwind as resume;

/// Runs `f` while another panic is on its way: the first one counts. If dropping what `f` panicked with panics in its turn, that is leaked.
#[cold]
#[inline(never)]
pub(crate) fn quietly(f: &mut dyn FnMut()) {
    if let Err(second) = catch(f) {
        mem::forget(catch(|| drop(second)));
    }
}

/// Drops `value`, and forgets a panic of its destructor: another panic is on its way, or no caller is left to get it.
#[inline]
pub(crate) fn drop_quietly<T>(value: T) {
    // Where there is nothing to drop, a call would cost every join three instructions.
    if mem::needs_drop::<T>() {
        let mut value = Some(value);
        quietly(&mut || drop(value.take()));
    }
}

/// A value that is [dropped quietly](drop_quietly) if a panic comes before it is taken out.
pub(crate) struct Held<T>(Option<T>);

impl<T> Held<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Held(Some(value))
    }

    #[inline(always)]
    pub(crate) fn take(mut self) -> T {
        self.0.take().expect("it was not taken before")
    }
}

impl<T> Drop for Held<T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            drop_quietly(value);
        }
    }
}

/// Says whether this thread has begun to panic since this was made. It may be made by a destructor that runs during an older panic, which does not count. If
/// another panic begins then, it says no anyway, for a thread can ask whether it panics, but not how often.
#[derive(Clone, Copy)]
pub(crate) struct NewPanic {
    was_panicking: bool,
}

impl NewPanic {
    #[inline]
    pub(crate) fn now() -> Self {
        NewPanic {
            was_panicking: panicking(),
        }
    }

    #[inline]
    pub(crate) fn has_begun(self) -> bool {
        panicking() && !self.was_panicking
    }
}

/// Aborts the process if dropped: for stretches of code that must not unwind.
pub(crate) struct AbortOnDrop(pub(crate) &'static str);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        eprintln!("filch: {}; aborting", self.0);
        std::process::abort();
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_panic_is_new_if_it_began_later() {
        /// What one that was made before the panic says in it, and one that is made in it.
        struct Ask<'a>(NewPanic, &'a Cell<[bool; 2]>);
        impl Drop for Ask<'_> {
            fn drop(&mut self) {
                self.1
                    .set([self.0, NewPanic::now()].map(NewPanic::has_begun));
            }
        }
        for (panics, says) in [(false, [false, false]), (true, [true, false])] {
            let said = Cell::new([true; 2]);
            let ask = Ask(NewPanic::now(), &said);
            let outcome = catch(|| {
                let _ask = ask;
                if panics {
                    resume(Box::new(()));
                }
            });
            assert_eq!((outcome.is_err(), said.get()), (panics, says));
        }
    }
}
