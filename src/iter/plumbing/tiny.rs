//! Calls that were always over before another thread could help: one fold, three readings of the clock (seldom four), and little else.
//!
//! What is remembered of a call site is a hint, so even such a call is checked: after its first item, and in the middle. If the items
//! are suddenly expensive, the driver takes over from there.

use super::grain::{Grain, LINE, aligned};
use super::lane::Expensive;
use super::probe::Before;
use super::site::Site;
use super::steps::{After, Steps};
use crate::core::clock;
use crate::core::worker::Worker;

/// What calling the fold once more adds to what is measured, in nanoseconds: a loop of a hundred cheap items takes not much longer.
const CALL: u64 = 12;

/// In about one of this many calls the second half is timed too. Otherwise it could always be expensive without being noticed.
const UNSEEN: u32 = 16;

/// Folds `len` items that should cost `rate` ticks each, to the end unless they turn out expensive.
pub(super) fn fold_tiny(
    worker: Worker<'_>,
    (site, rate): (Site, f64),
    len: usize,
    fold: &mut dyn Steps,
) -> Option<Expensive> {
    let grain = Grain::get();
    let half = aligned(0, len / 2);
    let start = clock::ticks();
    let (mut mark, mut marked, mut folded) = (start, 0, 0);
    let (mut stop, mut looks) = (1, 0);
    loop {
        // It need not have stopped there: a line of text weighs as many items as it has bytes. But whatever the producer says, each look is
        // further on than the one before.
        folded = fold_some(fold, stop - folded, len)?.max(stop);
        let now = clock::ticks();
        looks += 1;
        let (items, spent) = (folded - marked, now.saturating_sub(mark));
        let total = now.saturating_sub(start);
        let is_expensive = !grain.is_as_expected(spent, items, rate);
        // After a pause the first item finds its code and data out of the cache, and says nothing about the others.
        let cold = marked == 0 && grain.may_be_cold(spent);
        let early = grain.is_too_little_to_tell(total);
        if is_expensive && !cold && !early {
            let before = Before::of(marked);
            return Some(Expensive {
                before,
                items,
                spent,
            });
        }
        if folded >= half {
            worker.answer_if_asked();
            if worker.draw(&worker.own().driver.tiny, UNSEEN) {
                break;
            }
            site.confirm(without(looks, total), folded, rate, grain);
            return rest_of(folded, len, fold);
        }
        (mark, marked) = (now, folded);
        stop = match is_expensive {
            true if early => half.min(folded.saturating_mul(4)),
            true => folded + 1,
            false => half,
        };
        if !is_expensive && folded < LINE && half > 128 * LINE {
            // The fold stands in the middle of a cache line; a few more items, not timed, get it to the next line.
            folded = fold_some(fold, LINE - folded, len)?.max(LINE);
        }
        stop = stop.max(folded + 1);
    }
    let expensive = rest_of(folded, len, fold);
    if expensive.is_none() {
        let total = clock::ticks().saturating_sub(start);
        let spent = without(looks + 1, total);
        // Upward only: the fold may have been stopped before the end.
        if spent as f64 > rate * len as f64 {
            site.confirm(spent, len.max(folded), rate, grain);
        }
    }
    expensive
}

/// The same for what has no length, and had `likely` items the last time. Now it may have any number: what goes on beyond twice as many is for the driver.
pub(super) fn fold_short(
    worker: Worker<'_>,
    (site, rate): (Site, f64),
    likely: usize,
    fold: &mut dyn Steps,
) -> Option<Expensive> {
    let grain = Grain::get();
    let half = (likely / 2).max(1);
    let start = clock::ticks();
    let (mut mark, mut folded, mut looks, mut stop) = (start, 0, 0, 1);
    while folded < half {
        let items = stop - folded;
        match fold.fold_some(items) {
            After::GoesOn(_) => folded = stop,
            After::Full(_) => return None,
            After::AtEnd => {
                // Less than there was the last time.
                site.count(stop);
                return None;
            }
        }
        let now = clock::ticks();
        looks += 1;
        let spent = now.saturating_sub(mark);
        let is_expensive = !grain.is_as_expected(spent, items, rate);
        let cold = looks == 1 && grain.may_be_cold(spent);
        let early = grain.is_too_little_to_tell(now.saturating_sub(start));
        if is_expensive && !cold && !early {
            let before = Before::of(folded - items);
            return Some(Expensive {
                before,
                items,
                spent,
            });
        }
        mark = now;
        stop = match is_expensive {
            true => half.min(folded.saturating_mul(2)),
            false => half,
        };
        stop = stop.max(folded + 1);
    }
    worker.answer_if_asked();
    let spent = without(looks, mark.saturating_sub(start));
    site.confirm(spent, folded, rate, grain);
    let items = likely.saturating_mul(2);
    let after = fold.fold_some(items);
    if matches!(after, After::AtEnd) && !worker.draw(&worker.own().driver.tiny, UNSEEN) {
        return None;
    }
    let spent = clock::ticks().saturating_sub(mark);
    match after {
        After::GoesOn(_) => {
            return Some(Expensive {
                before: Before::of(folded),
                items,
                spent,
            });
        }
        After::Full(_) => (),
        // How many that were, only the time tells.
        After::AtEnd => site.count(folded + ((spent as f64 / rate) as usize).min(items)),
    }
    None
}

/// Folds what is left of `len` items after the first `folded`, without a look.
#[inline]
fn rest_of(folded: usize, len: usize, fold: &mut dyn Steps) -> Option<Expensive> {
    // A producer need not take all items that it is asked for.
    fold_some(fold, usize::MAX - folded, len).map(|folded| Expensive {
        before: Before::of(folded.saturating_sub(1)),
        items: 1,
        spent: 0,
    })
}

/// Folds `n` more items. Returns how many of `len` are folded, or 0 if that is unknown; `None` if no item is left, or wanted.
#[inline]
fn fold_some(fold: &mut dyn Steps, n: usize, len: usize) -> Option<usize> {
    match fold.fold_some(n) {
        After::GoesOn(left) => Some(len.saturating_sub(left)),
        After::Full(_) | After::AtEnd => None,
    }
}

/// The `total` ticks without the cost of so many looks.
#[inline]
fn without(looks: u64, total: u64) -> u64 {
    let look = clock::reading() + Grain::get().ticks(CALL) as u64;
    total.saturating_sub(looks * look)
}

#[cfg(test)]
mod tests {
    use super::super::lane::Lane;
    use super::super::steps::{Cut, Front, Rest, UNKNOWN};
    use super::*;
    use std::time::Duration;

    const LEN: usize = 100;

    /// Folds what it is asked for by the function.
    struct Asked<F>(F);

    impl<F: FnMut(usize) -> After> Steps for Asked<F> {
        fn fold_some(&mut self, n: usize) -> After {
            self.0(n)
        }

        fn begin(&mut self) {}

        fn rest(&mut self) -> Option<Rest> {
            unreachable!("only the driver asks")
        }

        fn cut(&mut self, _: &Lane<'_>, _: Option<Front>) -> Cut {
            unreachable!("only the driver cuts")
        }

        fn drive_cut(&mut self, _: &Lane<'_>) {
            unreachable!("the fold can be cut while it runs")
        }

        fn complete(&mut self) {}

        fn clear(&mut self) {}
    }

    /// Only the first half of such a call is looked at. Otherwise expensive items that are always in the second half would never be shared.
    #[test]
    fn an_expensive_second_half_becomes_known() {
        let pool = crate::ThreadPoolBuilder::new().num_threads(2).build();
        pool.unwrap().install(|| {
            let worker = Worker::current().expect("inside a pool");
            let site = Site::of(an_expensive_second_half_becomes_known as *const ());
            site.learn(1.0);
            let mut most = 0f64;
            for _ in 0..8 * UNSEEN {
                let mut folded = 0;
                let mut expensive_end = Asked(|n: usize| {
                    folded = n.saturating_add(folded).min(LEN);
                    if folded < LEN {
                        return After::GoesOn(LEN - folded);
                    }
                    std::thread::sleep(Duration::from_millis(1));
                    After::AtEnd
                });
                fold_tiny(worker, (site, 1.0), LEN, &mut expensive_end);
                most = most.max(site.rate());
            }
            let least = Grain::get().ticks(1_000_000) / LEN as f64;
            assert!(most >= least / 2.0, "{most}");
        });
    }

    /// So slow that items at this rate are never expensive, on a busy machine either.
    const SLOW: f64 = 1e12;

    /// What is asked for when `run` folds `len` items, and whether there is a rest for the driver. The `slow`th step takes long; `known` says whether the fold
    /// knows how many items are left.
    fn asked(
        (len, known): (usize, bool),
        slow: Option<usize>,
        run: impl FnOnce(&mut dyn Steps) -> Option<Expensive>,
    ) -> (Vec<usize>, bool) {
        let (mut asked, mut left) = (Vec::new(), len);
        let mut steps = Asked(|n: usize| {
            if slow == Some(asked.len()) {
                std::thread::sleep(Duration::from_millis(1));
            }
            asked.push(n);
            left = left.saturating_sub(n);
            match left {
                0 => After::AtEnd,
                _ => After::GoesOn(if known { left } else { UNKNOWN }),
            }
        });
        let rest = run(&mut steps).is_some();
        (asked, rest)
    }

    /// A call goes to its middle at once; if it is long, by way of the next line of memory. A step that takes long ends it, but for the last one.
    #[test]
    fn a_call_that_turns_expensive_is_left_to_the_driver() {
        let pool = crate::ThreadPoolBuilder::new().num_threads(2).build();
        pool.unwrap().install(|| {
            let worker = Worker::current().expect("inside a pool");
            let site = Site::of(a_call_that_turns_expensive_is_left_to_the_driver as *const ());
            let call = |rate, len, slow| {
                let run = |fold: &mut dyn Steps| fold_tiny(worker, (site, rate), len, fold);
                asked((len, true), slow, run)
            };
            let rest = |folded: usize| usize::MAX - folded;
            assert_eq!(call(SLOW, LEN, None), (vec![1, 49, rest(50)], false));
            assert_eq!(call(SLOW, 2, None), (vec![1, rest(1)], false));
            let long = vec![1, 15, 4976, rest(4992)];
            assert_eq!(call(SLOW, 10_000, None), (long, false));
            let walk = |rate, slow| {
                let run = |fold: &mut dyn Steps| fold_short(worker, (site, rate), LEN, fold);
                asked((LEN, false), slow, run)
            };
            // A millisecond is more than twice what half of the items take.
            let rate = Grain::get().ticks(5000);
            for slow in [0, 1] {
                for (steps, rest) in [call(rate, LEN, Some(slow)), walk(rate, Some(slow))] {
                    // The step before may have been slow as well.
                    assert!(rest && steps.len() <= slow + 1, "{steps:?}");
                }
            }
            assert_eq!(walk(SLOW, Some(2)), (vec![1, 49, 200], false));
        });
    }

    /// A walk of `len` items, where `likely` were expected. What it was asked for, and whether there is a rest for the driver.
    fn walk(worker: Worker<'_>, site: Site, (likely, len): (usize, usize)) -> (Vec<usize>, bool) {
        asked((len, false), None, |fold| {
            fold_short(worker, (site, SLOW), likely, fold)
        })
    }

    /// It goes to the middle at once. What is much longer than the last time is left to the driver, and what is shorter is remembered.
    #[test]
    fn a_short_walk_is_soon_at_its_middle() {
        let pool = crate::ThreadPoolBuilder::new().num_threads(2).build();
        pool.unwrap().install(|| {
            let worker = Worker::current().expect("inside a pool");
            let site = Site::of(a_short_walk_is_soon_at_its_middle as *const ());
            let walk = |len| walk(worker, site, (100, len));
            assert_eq!(walk(100), (vec![1, 49, 200], false));
            assert_eq!(walk(250), (vec![1, 49, 200], false));
            assert_eq!(walk(251), (vec![1, 49, 200], true));
            site.learn(1.0);
            site.count(100);
            assert_eq!(walk(7), (vec![1, 49], false));
            assert_eq!(site.items(), 50);
        });
    }
}
