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
use super::grain::{Grain, IMPATIENT, Site};
use super::piece::{Indexed, Piece, Unindexed, reduce};
use super::traits::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, UnindexedProducer,
};
use crate::core::clock;
use crate::core::fork::{Forked, fork};
use crate::core::guest::in_pool;
use crate::core::worker::Worker;
use crate::iter::IndexedParallelIterator;
use crate::sync::{AtomicU64, AtomicUsize, Ordering};
use std::cell::Cell;

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

/// Feeds an indexed parallel iterator to a consumer: what [`drive`](IndexedParallelIterator::drive) usually is.
///
/// ```
/// use filch::iter::plumbing::{Consumer, bridge};
/// use filch::prelude::*;
/// # fn drive<C: Consumer<u32>>(consumer: C) -> C::Result {
/// bridge((0..10u32).into_par_iter(), consumer)
/// # }
/// ```
pub fn bridge<I, C>(par_iter: I, consumer: C) -> C::Result
where
    I: IndexedParallelIterator,
    C: Consumer<I::Item>,
{
    struct Callback<C> {
        len: usize,
        consumer: C,
    }

    impl<C: Consumer<Item>, Item> ProducerCallback<Item> for Callback<C> {
        type Output = C::Result;

        #[inline]
        fn callback<P: Producer<Item = Item>>(self, producer: P) -> C::Result {
            bridge_producer_consumer(self.len, producer, self.consumer)
        }
    }

    let len = par_iter.len();
    par_iter.with_producer(Callback { len, consumer })
}

/// Feeds `len` items of a producer to a consumer, in as many pieces as it is worth.
///
/// Work: one fold over all items, and one reduction a piece that another thread took.
pub fn bridge_producer_consumer<P, C>(len: usize, producer: P, consumer: C) -> C::Result
where
    P: Producer,
    C: Consumer<P::Item>,
{
    run(Indexed { producer, len }, consumer)
}

/// Feeds a producer of unknown length to a consumer, in as many pieces as it is worth.
pub fn bridge_unindexed<P, C>(producer: P, consumer: C) -> C::Result
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
{
    run(Unindexed(producer), consumer)
}

/// Feeds an indexed parallel iterator into a running fold: what [`drive_into`](crate::iter::ParallelIterator::drive_into) usually is. Not in
/// rayon.
///
/// `more` makes a consumer for what follows the fold's items so far.
pub fn bridge_into<I, C, M>(
    par_iter: I,
    folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    I: IndexedParallelIterator,
    C: UnindexedConsumer<I::Item>,
    M: Fn() -> C,
{
    struct Callback<'m, F, M> {
        len: usize,
        folder: F,
        more: &'m M,
    }

    impl<Item, C, M> ProducerCallback<Item> for Callback<'_, C::Folder, M>
    where
        C: UnindexedConsumer<Item>,
        M: Fn() -> C,
    {
        type Output = Folded<C::Folder, C::Result>;

        #[inline]
        fn callback<P: Producer<Item = Item>>(self, producer: P) -> Self::Output {
            let len = self.len;
            run_into(Indexed { producer, len }, self.folder, self.more)
        }
    }

    let len = par_iter.len();
    par_iter.with_producer(Callback { len, folder, more })
}

/// Feeds a producer of unknown length into a running fold. Not in rayon.
pub fn bridge_unindexed_into<P, C, M>(
    producer: P,
    folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
    M: Fn() -> C,
{
    run_into(Unindexed(producer), folder, more)
}

/// What all threads that take part in one call share. Lives in the frame of the call.
struct Run {
    site: Site,
    /// What an item cost at this site the last time; 0 if unknown.
    prior: f64,
    grain: Grain,
    threads: usize,
    /// The length of the whole input, or 0 if unknown.
    total: usize,
    /// Pieces are cut only when somebody asks.
    dear: bool,
    /// What the pieces that were taken by other threads cost.
    busy: AtomicU64,
    folded: AtomicUsize,
}

/// One thread's part in a run.
struct Lane<'r> {
    worker: Worker<'r>,
    run: &'r Run,
    /// The last reading of the clock.
    mark: Cell<u64>,
    /// The rate of the last block; 0 before the first.
    rate: Cell<f64>,
    /// What is remembered, halved at each block that shows less: a memory that turns out wrong must not rule the whole run.
    prior: Cell<f64>,
    /// The size of the last block.
    last: Cell<usize>,
    busy: Cell<u64>,
    folded: Cell<usize>,
}

fn run<Pc, C>(piece: Pc, consumer: C) -> C::Result
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
fn run_into<Pc, C, M>(piece: Pc, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
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

impl Run {
    #[inline]
    fn new(
        worker: Worker<'_>,
        site: Site,
        prior: f64,
        grain: Grain,
        len: Option<usize>,
        dear: bool,
    ) -> Run {
        Run {
            site,
            prior,
            grain,
            threads: worker.pool().num_threads(),
            total: len.unwrap_or(0),
            dear,
            busy: AtomicU64::new(0),
            folded: AtomicUsize::new(0),
        }
    }

    /// Drives a piece that was taken as a job, on this thread.
    fn taken<R>(&self, rates: (f64, f64), drive: impl FnOnce(&Lane<'_>) -> R) -> R {
        let worker = Worker::current().expect("jobs run on seats");
        worker.seat().counters.pieces.bump();
        let lane = Lane::new(worker, self, rates);
        let before = worker.own().driving.replace(forced(worker).is_none());
        let result = drive(&lane);
        worker.own().driving.set(before);
        self.busy.fetch_add(lane.busy.get(), Ordering::Relaxed);
        self.folded.fetch_add(lane.folded.get(), Ordering::Relaxed);
        result
    }

    /// Remembers what an item cost, over all threads.
    #[inline]
    fn learn(&self, root: &Lane<'_>) {
        let (mut busy, mut folded) = (root.busy.get(), root.folded.get());
        // Both are 0 unless pieces were taken; the forks that waited for those made them visible.
        folded += self.folded.load(Ordering::Relaxed);
        busy += self.busy.load(Ordering::Relaxed);
        if folded > 0 {
            self.site.learn((busy as f64).max(0.5) / folded as f64);
        }
    }
}

impl<'r> Lane<'r> {
    #[inline]
    fn new(worker: Worker<'r>, run: &'r Run, (rate, prior): (f64, f64)) -> Lane<'r> {
        Lane {
            worker,
            run,
            mark: Cell::new(clock::ticks()),
            rate: Cell::new(rate),
            prior: Cell::new(prior),
            last: Cell::new(0),
            busy: Cell::new(0),
            folded: Cell::new(0),
        }
    }

    /// What an item costs, to our best knowledge; 0 if there is none.
    #[inline]
    fn best_rate(&self) -> f64 {
        self.rate.get().max(self.prior.get())
    }

    /// What a thread that takes a piece begins with.
    fn rates(&self) -> (f64, f64) {
        (self.rate.get(), self.prior.get())
    }

    /// Whether what was measured agrees with what is remembered.
    #[inline]
    fn is_trusted(&self) -> bool {
        let prior = self.prior.get();
        prior > 0.0 && self.last.get() > 0 && self.rate.get() <= 2.0 * prior
    }

    /// Whether a rest of `rest` items should be cut in two now, if a cut costs each item `extra` nanoseconds.
    #[inline]
    fn wants_cut(&self, rest: usize, min_len: usize, extra: u32) -> bool {
        let run = self.run;
        if rest / 2 < min_len {
            return false;
        }
        if let Some(cut) = forced(self.worker) {
            return cut;
        }
        if run.threads == 1 {
            return false;
        }
        let rate = self.best_rate();
        if rate == 0.0 {
            // A site that was never run.
            return !run.dear && self.wants_blind_cut(rest);
        }
        let cost = rest as f64 * rate;
        if !run.grain.is_shareable(cost) || !run.grain.repays(rate, extra) {
            return false;
        }
        let dear = run.grain.is_dear(rate, extra);
        if rest < usize::MAX && run.grain.is_large(cost) && !run.dear && !dear {
            return true;
        }
        self.is_wanted(dear && run.grain.is_worth_waking(cost))
    }

    /// Whether to cut where nothing is known about the cost: like rayon, once. Without a length, one offer at a time.
    fn wants_blind_cut(&self, rest: usize) -> bool {
        if rest == usize::MAX {
            return self.offers_nothing();
        }
        rest >= 2 * (self.run.total / (4 * self.run.threads)).max(1)
    }

    /// Whether somebody would take a piece now: a thread looks for work and finds nothing here, or one sleeps and should be woken, because
    /// the rest alone is `worth_waking` or we have been alone for so long.
    fn is_wanted(&self, worth_waking: bool) -> bool {
        let counts = self.worker.pool().idle.counts();
        if counts.searching() > 0 {
            return self.offers_nothing();
        }
        counts.asleep() > 0 && (self.is_out_of_patience() || worth_waking && self.offers_nothing())
    }

    fn is_out_of_patience(&self) -> bool {
        let own = self.worker.own();
        let grain = self.run.grain;
        grain.is_out_of_patience(own.debt.get(), own.patience.get())
    }

    fn offers_nothing(&self) -> bool {
        let deque = &self.worker.own().deque;
        deque.is_public_empty() && !deque.has_private()
    }

    /// Half of `rest` items is about to be offered: wakes somebody for it if nobody is awake and it is worth it.
    fn offer(&self, rest: Option<usize>) {
        let (worker, run) = (self.worker, self.run);
        worker.seat().counters.offered.bump();
        let counts = worker.pool().idle.counts();
        if counts.searching() > 0 || counts.asleep() == 0 {
            return;
        }
        let rate = self.best_rate();
        let cost = rest.map_or(f64::MAX, |rest| rest as f64 * rate);
        let worth_it = rate == 0.0 || run.grain.is_worth_waking(cost);
        if !worth_it && !self.is_out_of_patience() {
            return;
        }
        let own = worker.own();
        own.debt.set(0);
        if !worth_it {
            // In vain, until somebody takes something.
            own.patience.set((own.patience.get() * 2).min(IMPATIENT));
        }
        worker.pool().wake_one(own.root.get());
    }

    /// The look between blocks: `block` items were folded since the last one.
    #[inline]
    fn look(&self, block: usize) {
        let now = clock::ticks();
        let spent = now.saturating_sub(self.mark.replace(now));
        let rate = self.run.grain.rate(spent, block);
        self.rate.set(rate);
        let prior = self.prior.get();
        if rate < prior {
            self.prior.set(rate.max(0.5 * prior));
        }
        self.count(block, spent);
        self.worker.serve();
    }

    /// `block` items were folded, which is so little that it was not timed.
    #[inline]
    fn assume(&self, block: usize, rate: f64) {
        self.count(block, (block as f64 * rate) as u64);
    }

    #[inline]
    fn count(&self, block: usize, spent: u64) {
        self.last.set(block);
        self.busy.set(self.busy.get() + spent);
        self.folded.set(self.folded.get() + block);
        let debt = &self.worker.own().debt;
        debt.set(debt.get() + spent);
    }

    /// Time went by in which nothing was folded here.
    fn after_wait(&self) {
        self.worker.seat().counters.taken.bump();
        let own = self.worker.own();
        own.debt.set(0);
        own.patience.set(1);
        self.mark.set(clock::ticks());
    }

    /// Folds all of a piece that will not be cut any more.
    fn fold_rest<Pc, C>(&self, piece: Pc, folder: C::Folder) -> C::Folder
    where
        Pc: Piece<C>,
        C: Consumer<Pc::Item>,
    {
        let len = piece.len().unwrap_or(1).max(1);
        let folder = piece.fold_all(folder);
        self.look(len);
        folder
    }
}
