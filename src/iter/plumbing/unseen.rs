//! Nested calls that were always cheap. They run without a reading of the clock, and yet it is noticed when they become expensive.
//!
//! A loop of ten cheap items inside another loop takes less time than a reading of the clock. So if its call site is remembered as cheap,
//! the clock is not read. But what is remembered is only a hint: the items may have become expensive since. So there is an allowance, from
//! which the remembered cost of each such call is taken. When it is spent, after many calls, the clock is read once. If the calls took as
//! long as expected, nothing more is done. If much more time has passed, the next few calls are measured: one for each grain of time, as
//! long as that takes no more than a hundredth of the time that has passed.

use super::grain::Grain;
use super::site::Site;
use crate::core::clock;
use crate::core::worker::Worker;

/// How much remembered work there is between two readings of the clock, in nanoseconds: about 50 times what a reading takes.
const ALLOWANCE: u64 = 1000;
/// What a nested call takes from the allowance at the least, in ticks. Otherwise there could be any number of calls with next to no items.
const LEAST: f64 = 16.0;
/// A negative allowance counts the looks that are due: this many ticks below zero for each, but the last one.
const LOOK: f64 = 1024.0;
/// The most looks that can be due, however long it was: as many call sites as may take turns.
const MOST: u32 = 64;
/// One reading of the clock in about this many is followed by a look although nothing seems to be wrong, so that what is remembered stays up to date.
const DRAWN: u32 = 16;
/// The same in a pool of one thread, for a call that is not nested: one call in about this many gets a look.
const DRAWN_ALONE: u32 = 64;

/// The clock was not read when this iterator began.
pub(super) const UNREAD: u64 = 0;

/// Whether to do a call without a look, because it is nested in another one and was always next to nothing. Pays for the call from the allowance; if that is spent, the
/// call has a look. If it is true, [`after_nothing`] has to follow.
#[inline]
pub(super) fn skip_look(worker: Worker<'_>, site: Site, len: usize) -> bool {
    let own = &worker.own().driver;
    if !own.driving.get() {
        return false;
    }
    let Some(cost) = site.nothing(len) else {
        return false;
    };
    let left = own.allowance.get();
    let is_blind = left > 0.0;
    own.allowance.set(match is_blind {
        true => left - cost - LEAST,
        false => left + LOOK,
    });
    if !is_blind {
        own.due.set(true);
    }
    is_blind
}

/// A call was done without a look.
#[inline]
pub(super) fn after_nothing(worker: Worker<'_>) {
    if worker.own().driver.allowance.get() <= 0.0 {
        read(worker);
    }
}

/// The allowance is spent: gives a new one, unless so much time went by that looks are due.
#[cold]
#[inline(never)]
fn read(worker: Worker<'_>) {
    let own = &worker.own().driver;
    let now = clock::ticks();
    let before = own.read_at.replace(now);
    // By chance between a half and three halves, or of calls that take turns always the same one might be met.
    let part = (worker.random() >> 40) as f64 / (1u64 << 24) as f64;
    own.allowance
        .set(Grain::get().ticks(ALLOWANCE) * (0.5 + part));
    if worker.draw(&own.until_drawn, DRAWN) {
        own.allowance.set(0.0);
    }
    if before != UNREAD {
        owe_looks(worker, now.saturating_sub(before));
    }
}

/// So many ticks went by without a look: nested calls get one for each grain.
pub(super) fn owe_looks(worker: Worker<'_>, passed: u64) {
    let looks = (passed as f64 / Grain::get().grain()) as u32;
    if let Some(others) = looks.min(MOST).checked_sub(1) {
        worker.own().driver.allowance.set(-LOOK * f64::from(others));
    }
}

/// Whether to do a call without a look in a pool of one thread, because the work should be over soon. Draws: one such call in about [`DRAWN_ALONE`] has a look. Not
/// for work that can be stopped, because a look is what stops it, nor for work that was never run, at a rate of 0.
#[inline]
pub(super) fn skip_look_alone(worker: Worker<'_>, rate: f64, len: usize) -> bool {
    let own = &worker.own().driver;
    worker.pool().num_threads() == 1
        && Grain::get().is_a_block(rate * len as f64)
        && !own.due.replace(false)
        && !worker.draw(&own.until_drawn, DRAWN_ALONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadPoolBuilder;

    const LEN: usize = 100;

    /// In a pool of two threads, with a site of `ns` a call; `body` gets what one grain of time is.
    fn nested(ns: u64, function: *const (), body: impl FnOnce(Worker<'_>, Site, u64) + Send) {
        let pool = ThreadPoolBuilder::new().num_threads(2).build();
        let function = function as usize;
        pool.expect("threads").install(|| {
            let worker = Worker::current().expect("inside a pool");
            let (site, grain) = (
                Site::of(std::ptr::without_provenance(function)),
                Grain::get(),
            );
            site.learn(grain.ticks(ns) / LEN as f64);
            worker.own().driver.driving.set(true);
            worker.own().driver.read_at.set(UNREAD);
            body(worker, site, grain.grain() as u64);
            worker.own().driver.driving.set(false);
        });
    }

    /// Whether the next call gets a look.
    fn is_looked_at(worker: Worker<'_>, site: Site) -> bool {
        let is_blind = skip_look(worker, site, LEN);
        if is_blind {
            after_nothing(worker);
        }
        !is_blind
    }

    /// How many of so many calls in a row get a look.
    fn looks(worker: Worker<'_>, site: Site, calls: usize) -> usize {
        (0..calls).filter(|_| is_looked_at(worker, site)).count()
    }

    /// After one call that took long, at most as many go by without a look as the allowance is for.
    #[test]
    fn time_that_went_by_is_paid_back_in_looks() {
        let here = time_that_went_by_is_paid_back_in_looks as *const ();
        nested(200, here, |worker, site, grain| {
            let own = &worker.own().driver;
            for _ in 0..100 {
                looks(worker, site, 100);
                while own.allowance.get() <= 0.0 {
                    looks(worker, site, 1);
                }
                let now = clock::ticks();
                own.read_at.set(now.saturating_sub(10 * grain).max(2));
                let until = (0..).find(|_| is_looked_at(worker, site));
                assert!(until.expect("a look") <= 1 + (3 * ALLOWANCE / 2 / 200) as usize);
                assert!(looks(worker, site, 9) == 9, "one for each grain");
            }
        });
    }

    /// A long block of the loop outside is seen at its end, and the next nested call is measured.
    #[test]
    fn a_long_block_outside_makes_looks_due() {
        let here = a_long_block_outside_makes_looks_due as *const ();
        nested(1, here, |worker, site, grain| {
            looks(worker, site, 1000);
            owe_looks(worker, grain / 2);
            owe_looks(worker, 3 * grain + grain / 2);
            assert_eq!(looks(worker, site, 3), 3);
            owe_looks(worker, u64::MAX / 2);
            assert_eq!(looks(worker, site, MOST as usize), MOST as usize);
        });
    }

    /// Calls that take what they should are seldom looked at, and yet some are.
    #[test]
    fn cheap_calls_are_seldom_looked_at() {
        for ns in [1, 14, 400] {
            let here = cheap_calls_are_seldom_looked_at as *const ();
            nested(ns, here, |worker, site, _| {
                const CALLS: usize = 10_000;
                // Until nothing is due.
                while worker.own().driver.allowance.get() <= 0.0 {
                    looks(worker, site, 1);
                }
                let mut seen = 0;
                for _ in 0..CALLS {
                    // As if no time had passed.
                    worker.own().driver.read_at.set(UNREAD);
                    seen += looks(worker, site, 1);
                }
                assert!((1..CALLS / 8).contains(&seen), "{seen} looks at {ns} ns");
            });
        }
    }
}
