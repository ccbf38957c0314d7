//! The driver: producers are cut, blocks are folded, thieves take what was cut.
//!
//! ```text
//! drive(piece, folder):
//!   loop
//!     if the rest is worth it (`Lane::wants_cut`):
//!        split the rest in half, with a consumer for the right half split off the live folder
//!        fork(right half, left = drive(left half, folder)):
//!           kept:   the folder goes on into the right half; no reduction, no new folder
//!           taken:  reduce the two results; done
//!     fold a block; look at the clock, at the thieves' requests, and whether the folder is full
//! ```
//!
//! So without thieves the whole input is one sequential fold with one folder, and a running fold can be cut at any look. A new folder is
//! born only when a thread takes a piece, or where `with_max_len` or a foreign consumer demands that pieces are cut before they are folded.

use super::force::forced;
use super::grain::{Grain, Site};
use super::lane::{Lane, Run};
use super::piece::{Piece, reduce};
use super::traits::{Consumer, Folder, Reducer, UnindexedConsumer};
use crate::core::fork::{Forked, fork};
use crate::core::guest::in_pool;
use crate::core::worker::Worker;

/// A fold that goes on, or its result.
pub enum Folded<F, R> {
    /// It can take more items.
    Live(F),
    /// It had to be closed: another thread took its right part, and this is the result of all.
    Closed(R),
}

impl<F, R> Folded<F, R> {
    #[inline]
    fn finish<Item>(self) -> R
    where
        F: Folder<Item, Result = R>,
    {
        match self {
            Folded::Live(folder) => folder.complete(),
            Folded::Closed(result) => result,
        }
    }
}

/// Drives a piece to a consumer, in a pool.
pub(super) fn run<Pc, C>(piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    in_pool(move |worker, _| run_on(worker, piece, consumer))
}

#[inline]
fn run_on<Pc, C>(worker: Worker<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let site = Site::of(run_on::<Pc, C> as *const ());
    let grain = Grain::get();
    let prior = site.rate();
    let live = consumer.splits_live() && piece.can_pause();
    if is_trusted(worker, &piece, prior, grain) {
        return piece.fold_all(consumer.into_folder()).complete();
    }
    let run = Run::new(
        worker,
        site,
        prior,
        grain,
        piece.len(),
        consumer.splits_dearly(),
    );
    let lane = Lane::new(worker, &run, (0.0, run.prior));
    let before = worker.own().driving.replace(forced(worker).is_none());
    let result = drive_whole(&lane, live, piece, consumer);
    worker.own().driving.set(before);
    run.learn(&lane);
    result
}

/// As [`run_on`], into a fold that is under way on this thread.
#[inline]
pub(super) fn run_into<Pc, C, M>(
    piece: Pc,
    folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: UnindexedConsumer<Pc::Item>,
    M: Fn() -> C,
{
    let Some(worker) = Worker::current() else {
        // Somebody folds outside any pool: then so do we.
        return Folded::Live(piece.fold_all(folder));
    };
    let site = Site::of(run_into::<Pc, C, M> as *const ());
    let grain = Grain::get();
    let prior = site.rate();
    if !piece.is_bounded() && is_trusted(worker, &piece, prior, grain) {
        return Folded::Live(piece.fold_all(folder));
    }
    run_into_measured(worker, site, piece, folder, more)
}

#[inline(never)]
fn run_into_measured<Pc, C, M>(
    worker: Worker<'_>,
    site: Site,
    piece: Pc,
    folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: UnindexedConsumer<Pc::Item>,
    M: Fn() -> C,
{
    let consumer = more();
    let live = consumer.splits_live() && piece.can_pause();
    if !live || piece.is_bounded() {
        // Folds of this piece are to be counted by themselves.
        let left = folder.complete();
        let reducer = consumer.to_reducer();
        let right = run_on(worker, piece, consumer);
        return Folded::Closed(reducer.reduce(left, right));
    }
    let run = Run::new(
        worker,
        site,
        site.rate(),
        Grain::get(),
        piece.len(),
        consumer.splits_dearly(),
    );
    let lane = Lane::new(worker, &run, (0.0, run.prior));
    let folded = drive::<Pc, C>(&lane, piece, folder);
    run.learn(&lane);
    folded
}

/// Inside another run, work that was always next to nothing is done without a look: the outer run looks often enough, and a nested loop
/// of ten items cannot pay for reading a clock. One in many is looked at all the same, so that the memory cannot go stale.
#[inline]
fn is_trusted<Pc, C>(worker: Worker<'_>, piece: &Pc, prior: f64, grain: Grain) -> bool
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let own = worker.own();
    let Some(len) = piece.len() else { return false };
    if !own.driving.get()
        || prior == 0.0
        || len > piece.max_len()
        || !grain.is_nothing(prior * len as f64)
    {
        return false;
    }
    let unseen = own.unseen.get() + 1;
    own.unseen.set(unseen % 64);
    unseen < 64
}

/// Drives a piece whose consumer was not begun.
fn drive_whole<Pc, C>(lane: &Lane<'_>, live: bool, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if live && piece.len().is_none_or(|len| len <= piece.max_len()) {
        let mut folder = consumer.into_folder();
        if let Some(len) = piece.len() {
            C::expect(&mut folder, len);
        }
        return drive::<Pc, C>(lane, piece, folder).finish();
    }
    drive_cut(lane, live, piece, consumer, lane.run.threads.ilog2() + 3)
}

/// Drives a piece that must be cut before it is folded: its consumer cannot split a running fold, its producer cannot stop amid one, or it is
/// longer than a folder may see. `depth` bounds how often a piece of unknown weight is cut.
fn drive_cut<Pc, C>(lane: &Lane<'_>, live: bool, piece: Pc, consumer: C, depth: u32) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let forced = piece.len().is_some_and(|len| len > piece.max_len());
    if !forced && live {
        return drive_whole(lane, live, piece, consumer);
    }
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let from_right = consumer.drives_from_right();
    let wanted = match piece.len() {
        // From the right, what to begin with is far away: cut down to something small to measure.
        Some(len) if from_right && lane.best_rate() == 0.0 => len > 64,
        // This is the only chance to cut, whatever it costs.
        Some(len) => lane.wants_cut(len, piece.min_len(), 0),
        None => depth > 0,
    };
    if !forced && !wanted {
        return lane
            .fold_rest::<Pc, C>(piece, consumer.into_folder())
            .complete();
    }
    let (left, right, at) = match piece.cut() {
        Ok(parts) => parts,
        Err(whole) => {
            return lane
                .fold_rest::<Pc, C>(whole, consumer.into_folder())
                .complete();
        }
    };
    let (left_consumer, right_consumer, reducer) = Pc::cut_consumer(consumer, at);
    let (left, right) = ((left, left_consumer), (right, right_consumer));
    let depth = depth.saturating_sub(1);
    if from_right {
        let (right, left) = cut_both(lane, live, right, left, depth);
        reduce(reducer, left, right)
    } else {
        let (left, right) = cut_both(lane, live, left, right, depth);
        reduce(reducer, left, right)
    }
}

/// Drives the first part here, and offers the second.
fn cut_both<Pc, C>(
    lane: &Lane<'_>,
    live: bool,
    first: (Pc, C),
    second: (Pc, C),
    depth: u32,
) -> (C::Result, C::Result)
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    lane.offer(second.0.len().map(|len| len.saturating_mul(2)));
    let run = lane.run;
    let rates = lane.rates();
    let (first, second) = fork(
        lane.worker,
        false,
        second,
        move |(piece, consumer)| {
            run.taken(rates, |lane| {
                // A piece that moved to another thread shows that there is demand: cut it afresh.
                drive_cut(lane, live, piece, consumer, run.threads.ilog2() + 1)
            })
        },
        || drive_cut(lane, live, first.0, first.1, depth),
    );
    let second = match second {
        Forked::Kept((piece, consumer)) => {
            lane.worker.seat().counters.kept.bump();
            drive_cut(lane, live, piece, consumer, depth)
        }
        Forked::Taken(result) => {
            lane.after_wait();
            result
        }
    };
    (first, second)
}

/// Drives a piece into a live folder; see the top of this file.
fn drive<Pc, C>(
    lane: &Lane<'_>,
    mut piece: Pc,
    mut folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let mut halved = false;
    loop {
        if folder.full() {
            return Folded::Live(folder);
        }
        let len = piece.len();
        let rest = len.unwrap_or(usize::MAX);
        if lane.wants_cut(rest, piece.min_len(), piece.cut_cost()) {
            match piece.cut() {
                Ok((left, right, at)) => {
                    match drive_both::<Pc, C>(lane, left, folder, right, at) {
                        Both::GoOn(right, live) => (piece, folder) = (right, live),
                        Both::Done(result) => return Folded::Closed(result),
                    }
                    continue;
                }
                Err(whole) => piece = whole,
            }
        }
        let rate = lane.best_rate();
        let trusted = lane.is_trusted();
        let block = match len {
            // Nothing was measured yet: one item tells whether what we remember still holds.
            _ if lane.last.get() == 0 => 1,
            Some(rest) => lane
                .run
                .grain
                .block(rest, rate, lane.last.get(), trusted, halved),
            None => lane
                .run
                .grain
                .block(usize::MAX, rate, lane.last.get(), false, halved),
        };
        let all = block >= rest && halved && lane.run.grain.is_tiny(rest as f64 * rate);
        halved = lane.last.get() != 0;
        let left;
        (folder, left) = piece.fold_some(folder, block);
        if all {
            lane.assume(rest, rate);
        } else {
            // A piece that weighs other things than items may fold more than it was asked to.
            let folded = len.map_or(block, |len| {
                len - left.as_ref().and_then(Pc::len).unwrap_or(0).min(len)
            });
            lane.look(folded.max(1));
        }
        match left {
            Some(left) => piece = left,
            None => return Folded::Live(folder),
        }
    }
}

enum Both<Pc, F, R> {
    /// The right half is still to be done, by the same folder.
    GoOn(Pc, F),
    Done(R),
}

/// Offers the right half and drives the left.
fn drive_both<Pc, C>(
    lane: &Lane<'_>,
    left: Pc,
    mut folder: C::Folder,
    right: Pc,
    at: usize,
) -> Both<Pc, C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let (right_consumer, reducer) = C::split_folder(&mut folder, at);
    lane.offer(right.len().map(|len| len.saturating_mul(2)));
    let run = lane.run;
    let rates = lane.rates();
    let (left, right) = fork(
        lane.worker,
        false,
        (right, right_consumer),
        move |(right, consumer)| run.taken(rates, |lane| drive_whole(lane, true, right, consumer)),
        || drive::<Pc, C>(lane, left, folder),
    );
    match (left, right) {
        (Folded::Live(mut folder), Forked::Kept((right, consumer))) => {
            lane.worker.seat().counters.kept.bump();
            C::rejoin_folder(&mut folder, consumer);
            Both::GoOn(right, folder)
        }
        // Only if a younger offer was taken and this one handed back: the older is stolen first.
        (Folded::Closed(left), Forked::Kept((right, consumer))) => {
            lane.worker.seat().counters.kept.bump();
            let right = drive_whole(lane, true, right, consumer);
            Both::Done(reduce(reducer, left, right))
        }
        (left, Forked::Taken(right)) => {
            lane.after_wait();
            Both::Done(reduce(reducer, left.finish(), right))
        }
    }
}
