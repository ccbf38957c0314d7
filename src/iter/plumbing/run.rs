//! The entries to the driver. How often a call reads the clock depends on what the last call at the same site cost.
//!
//! | what is known or remembered of the call | what is done |
//! |---|---|
//! | it cannot be cut: it has one item, or none | one fold, no look at the clock, and nothing is remembered |
//! | it takes next to no time, and is inside another call | one fold, no look at the clock ([`unseen`](super::unseen)) |
//! | it is too short for another thread to help | one fold with two looks ([`tiny`](super::tiny)) |
//! | it is short, and the pool has one thread | one fold, no look at the clock |
//! | it is longer, or was never run before | the driver ([`drive`](super::drive)) |

use super::drive::drive;
use super::folded::Folded;
use super::force::is_forced;
use super::lane::Lane;
use super::piece::Piece;
use super::piece_fold::PieceFold;
use super::plan::Facts;
use super::probe;
use super::restore::Restore;
use super::site::Site;
use super::steps::{Steps, UNKNOWN};
use super::tiny::{fold_short, fold_tiny};
use super::traits::{Consumer, Folder, Reducer, UnindexedConsumer};
use super::unseen::{UNREAD, after_nothing, skip_look, skip_look_alone};
use super::way::Way;
use crate::core::guest::bring_in;
use crate::core::worker::Worker;
use std::any::type_name;

/// Drives a piece to a consumer, in a pool.
#[inline(always)]
pub(super) fn run<Pc: Piece<C>, C: Consumer<Pc::Item>>(piece: Pc, consumer: C) -> C::Result {
    match Worker::current() {
        Some(worker) => run_on(worker, piece, consumer),
        None => bring_in(|worker, _| run_looking(worker, piece, consumer)),
    }
}

#[inline(always)]
fn run_on<Pc, C>(worker: Worker<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if let Some(len) = piece.len()
        && len <= piece.max_len()
        && skip_look(worker, site::<Pc, C>(), len)
    {
        let result = fold_at_once(piece, consumer);
        after_nothing(worker);
        return result;
    }
    run_looking(worker, piece, consumer)
}

/// The place in the program that drives such pieces to such consumers.
#[inline]
fn site<Pc: Piece<C>, C: Consumer<Pc::Item>>() -> Site {
    Site::of(run_looking::<Pc, C> as *const ())
}

/// The names of the types of a call.
fn names<Pc, C>() -> [&'static str; 2] {
    [type_name::<Pc>(), type_name::<C>()]
}

/// Looks at the clock: seldom, if that was enough the last time.
#[inline(never)]
fn run_looking<Pc, C>(worker: Worker<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let (at, len) = (site::<Pc, C>(), piece.len());
    if len.is_some_and(|len| len <= 1) {
        // Loops in the item are not nested in anything: it is they that are looked at.
        probe::call(worker, at, &Way::Lone, len, names::<Pc, C>);
        return fold_at_once(piece, consumer);
    }
    let mut facts = Facts::of::<Pc, C>(&piece);
    let way = Way::of(worker, at, &mut facts);
    probe::call(worker, at, &way, facts.len, names::<Pc, C>);
    if matches!(way, Way::Blind) {
        let _driving = begin_unread(worker);
        return fold_at_once(piece, consumer);
    }
    let mut fold = PieceFold::new(piece, consumer);
    look(worker, (at, way), &facts, &mut fold);
    fold.result()
}

/// Folds all items, without a look.
#[inline]
fn fold_at_once<Pc: Piece<C>, C: Consumer<Pc::Item>>(piece: Pc, consumer: C) -> C::Result {
    let mut folder = consumer.into_folder();
    C::expect(&mut folder, piece.len().unwrap_or(UNKNOWN), piece.min_len());
    if !folder.full() {
        folder = piece.fold_all(folder);
    }
    folder.complete()
}

/// Does a whole call, looking at it as closely as `way` says.
fn look(worker: Worker<'_>, (site, way): (Site, Way), facts: &Facts, fold: &mut dyn Steps) {
    match way {
        Way::Tiny(rate) => {
            let _driving = begin_unread(worker);
            let noted =
                probe::ShortCall::new(worker, (site, rate), facts.len.unwrap_or(facts.likely));
            fold.begin();
            let expensive = match facts.len {
                Some(len) => fold_tiny(worker, (site, rate), len, fold),
                None => fold_short(worker, (site, rate), facts.likely, fold),
            };
            if let Some(expensive) = expensive {
                noted.ends_here(expensive.before);
                let rest = &mut |lane: &Lane<'_>| drive(lane, fold, None);
                Lane::go_on(worker, (site, rate), facts.len, expensive, rest);
            }
            fold.complete();
        }
        _ => Lane::begin(worker, site, facts.len, facts.expensive, &mut |lane| {
            if facts.live && facts.in_one {
                // An iterator without a length may still have many items before the first hit.
                let from_front = facts.from_front && facts.len.is_some();
                fold.begin();
                drive(lane, fold, from_front.then_some(0));
                fold.complete();
            } else {
                fold.drive_cut(lane);
            }
        }),
    }
}

/// As [`run_on`], into a fold that is running on this thread, and that can be split while it runs.
#[inline]
pub(super) fn run_into<Pc, C>(piece: Pc, mut folder: C::Folder) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: UnindexedConsumer<Pc::Item>,
{
    if folder.full() {
        return Folded::Live(folder);
    }
    let least = piece.min_len();
    if least > 1 {
        C::expect(&mut folder, usize::MAX, least);
    }
    let Some(worker) = Worker::current() else {
        // The fold runs outside any pool, and so does this part of it.
        return Folded::Live(piece.fold_all(folder));
    };
    let site = Site::of(run_into_measured::<Pc, C> as *const ());
    if let Some(len) = piece.len()
        && !piece.is_bounded()
        && skip_look(worker, site, len)
    {
        let folder = piece.fold_all(folder);
        after_nothing(worker);
        return Folded::Live(folder);
    }
    run_into_measured(worker, site, piece, folder)
}

#[inline(never)]
fn run_into_measured<Pc, C>(
    worker: Worker<'_>,
    site: Site,
    piece: Pc,
    folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: UnindexedConsumer<Pc::Item>,
{
    if const { !Pc::LIVE } || piece.is_bounded() {
        return apart::<C, _>(folder, |consumer| run_on(worker, piece, consumer));
    }
    let (len, rate) = (piece.len(), site.rate());
    if len.is_some_and(|len| len <= 1) && !folder.full() {
        return Folded::Live(piece.fold_all(folder));
    }
    if let Some(len) = len
        && rate > 0.0
        && skip_look_alone(worker, rate, len)
        && !C::STOPS_EARLY
        && worker.own().driver.driving.get()
    {
        return Folded::Live(piece.fold_all(folder));
    }
    probe::call(worker, site, &Way::Driven, len, names::<Pc, C>);
    let mut fold = PieceFold::under_way(piece, folder);
    Lane::begin(worker, site, len, C::SPLIT_IS_EXPENSIVE, &mut |lane| {
        drive(lane, &mut fold, None)
    });
    fold.end()
}

/// Ends a running fold, for items that must not go into it, and combines its result with theirs. `drive` is given a consumer that is split
/// off the fold, so it stands right behind the items that the fold has seen.
#[inline]
pub(crate) fn apart<C, T>(
    mut folder: C::Folder,
    drive: impl FnOnce(C) -> C::Result,
) -> Folded<C::Folder, C::Result>
where
    C: Consumer<T>,
{
    let (right, reducer) = C::split_folder(&mut folder, 0);
    C::make_way(&mut folder);
    let left = folder.complete();
    Folded::Closed(reducer.reduce(left, drive(right)))
}

/// Until the value is dropped, loops on this thread are nested in a call that has not read the clock.
#[inline]
fn begin_unread(worker: Worker<'_>) -> Restore<'_, bool> {
    let own = &worker.own().driver;
    let driving = Restore::after(&own.driving, true);
    if !driving.before() {
        own.read_at.set(UNREAD);
    }
    driving
}

/// Until the value is dropped, loops on this thread count as nested in a call: what was always next to nothing is done without a look.
///
/// For an adaptor that drives several parts one after the other, and is no call itself.
#[inline]
pub(crate) fn begin_parts(worker: Worker<'_>) -> Restore<'_, bool> {
    Restore::after(&worker.own().driver.driving, !is_forced(worker))
}

#[cfg(test)]
mod tests {
    use super::super::indexed::Indexed;
    use super::super::traits::Producer;
    use super::*;
    use crate::ThreadPoolBuilder;
    use crate::driver::Driver;
    use crate::iter::sinks::for_each::ForEach;
    use crate::iter::sinks::plain::{PlainConsumer, consumer};
    use crate::prelude::*;
    use std::hint::black_box;
    use std::iter::{RepeatN, repeat_n};
    use std::time::{Duration, Instant};

    const LEN: usize = 50;
    const CALLS: usize = 1000;

    /// A cheap call, all at one site.
    fn call() {
        let items = (0..LEN).into_par_iter();
        assert_eq!(items.map(black_box).sum::<usize>(), LEN * (LEN - 1) / 2);
    }

    /// Calls `body` as often with what the driver keeps, as if nested in a call.
    fn nested(threads: usize, mut body: impl FnMut(&Driver) + Send) {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let worker = Worker::current().expect("inside a pool");
            let own = &worker.own().driver;
            let _driving = Restore::after(&own.driving, true);
            (0..CALLS).for_each(|_| body(own));
        })
    }

    /// So many units, of which a folder may see `most`.
    struct Units {
        len: usize,
        most: usize,
    }

    impl Producer for Units {
        type Item = ();
        type IntoIter = RepeatN<()>;

        fn into_iter(self) -> RepeatN<()> {
            repeat_n((), self.len)
        }

        fn max_len(&self) -> usize {
            self.most
        }

        fn split_at(self, at: usize) -> (Self, Self) {
            let part = |len| Units { len, ..self };
            (part(at), part(self.len - at))
        }
    }

    /// A fold goes on into an inner iterator that always was next to nothing, but not into one with a bound.
    #[test]
    fn a_bound_holds_where_others_were_next_to_nothing() {
        type Sink<'e> = PlainConsumer<'e, ForEach<fn(())>, ()>;
        let end = ForEach::<fn(())>(|()| ());
        let into = |most| {
            let producer = Units { len: 4, most };
            let folder = Sink::into_folder(consumer(&end));
            run_into::<_, Sink<'_>>(Indexed { producer, len: 4 }, folder)
        };
        let site = Site::of(run_into_measured::<Indexed<Units>, Sink<'_>> as *const ());
        nested(2, |own| {
            site.learn(1e-3);
            own.allowance.set(f64::MAX);
            assert!(matches!(into(3), Folded::Closed(())));
            assert!(matches!(into(usize::MAX), Folded::Live(_)));
        });
    }

    /// What has one item cannot be cut, so nothing is measured or learned; and loops in the item are nested in no run that would look for them.
    #[test]
    fn a_lone_item_is_folded_at_once() {
        let pool = ThreadPoolBuilder::new().num_threads(2).build();
        pool.expect("threads").install(|| {
            let own = || &Worker::current().expect("inside a pool").own().driver;
            own().read_at.set(UNREAD);
            for items in [0, 1, 2] {
                let nested = (0..items).into_par_iter().filter(|_| own().driving.get());
                assert_eq!(nested.count(), if items > 1 { items } else { 0 });
                assert_eq!(own().read_at.get() == UNREAD, items < 2);
            }
        })
    }

    /// A fold that wants no item gets none, also where there is only one.
    #[test]
    fn a_lone_item_is_left_if_nobody_wants_it() {
        let items = (0..1).into_par_iter();
        let wanted = items
            .inspect(|_| panic!("nobody wants it"))
            .filter(|_| true);
        assert_eq!(wanted.take_any(0).count(), 0);
    }

    /// A nested call that looks must leave it to its neighbours when the clock was last read for them: or what they take is never seen.
    #[test]
    fn a_nested_call_does_not_forget_when_the_clock_was_read() {
        const BEFORE: u64 = UNREAD + 7;
        for threads in [1, 2] {
            let mut kept = 0;
            // On a busy machine calls take long, and those that do are driven.
            for _ in 0..1000 {
                nested(threads, |own| {
                    own.read_at.set(BEFORE);
                    own.allowance.set(0.0);
                    call();
                    let after = own.read_at.get();
                    assert_ne!(after, UNREAD, "{threads} threads");
                    kept += usize::from(after == BEFORE);
                });
                if kept > 0 {
                    break;
                }
            }
            // A driven call reads the clock for them. Under a sanitizer, all calls take too long.
            let mut quickest = Duration::MAX;
            nested(threads, |_| {
                let start = Instant::now();
                call();
                quickest = quickest.min(start.elapsed());
            });
            let slow = quickest > Duration::from_micros(2);
            assert!(kept > 0 || slow, "no call was tiny, {threads} threads");
        }
    }
}
