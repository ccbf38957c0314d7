//! The ways into the driver: how closely a call is looked at depends on what the last one at its site cost.
//!
//! | what is remembered | what is done |
//! |---|---|
//! | next to nothing, inside another run | one fold without a look ([`run_on`]) |
//! | too little for anybody to help | one fold with two looks ([`tiny`](super::tiny)) |
//! | that it is soon over, and nobody else is in the pool | one fold without a look |
//! | more, or nothing at all | the driver ([`drive`](super::drive)) |

use super::drive::{Folded, drive, drive_whole};
use super::force::forced;
use super::front::drive_next;
use super::grain::Grain;
use super::lane::Lane;
use super::piece::Piece;
use super::restore::Restore;
use super::site::Site;
use super::tiny::fold_tiny;
use super::traits::{Consumer, Folder, Reducer, UnindexedConsumer};
use crate::core::guest::from_outside;
use crate::core::worker::Worker;

/// Drives a piece to a consumer, in a pool.
#[inline]
pub(super) fn run<Pc, C>(piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    match Worker::current() {
        Some(worker) => run_on(worker, piece, consumer),
        None => from_outside(|worker, _| run_looking(worker, piece, consumer)),
    }
}

#[inline]
fn run_on<Pc, C>(worker: Worker<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if let Some(len) = piece.len()
        && is_nothing_new(worker, site::<Pc, C>(), len)
        && len <= piece.max_len()
    {
        return piece.fold_all(consumer.into_folder()).complete();
    }
    run_looking(worker, piece, consumer)
}

/// The place in the program that drives such pieces to such consumers.
#[inline]
fn site<Pc, C>() -> Site
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    Site::of(run_measured::<Pc, C> as *const ())
}

/// How closely to look.
enum Plan {
    /// Not at all.
    Blind,
    /// With two looks, at items that should cost so much each.
    Tiny(f64),
    /// As the driver does.
    Driven,
}

impl Plan {
    /// What to do with `len` items, if they may all go to one folder; `stops` says whether they can be stopped, `live` whether the fold can be
    /// cut while it runs.
    fn of(worker: Worker<'_>, site: Site, len: Option<usize>, stops: bool, live: bool) -> Plan {
        let (rate, Some(len)) = (site.rate(), len) else {
            return Plan::Driven;
        };
        if rate == 0.0 || forced(worker).is_some() {
            Plan::Driven
        } else if !stops && is_alone(worker, rate, len) {
            Plan::Blind
        } else if live && Grain::get().is_tiny(rate * len as f64) {
            Plan::Tiny(rate)
        } else {
            Plan::Driven
        }
    }
}

/// Runs with looks at the clock: few of them, if that was enough the last time.
#[inline(never)]
fn run_looking<Pc, C>(worker: Worker<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let site = site::<Pc, C>();
    let mut len = piece.len();
    if const { Pc::BOUNDED } && len.is_some_and(|len| len > piece.max_len()) {
        len = None;
    }
    let plan = Plan::of(worker, site, len, consumer.stops_early(), Pc::LIVE);
    if matches!(plan, Plan::Driven) {
        return run_measured(worker, piece, consumer);
    }
    let len = len.unwrap_or_default();
    let _driving = Restore::after(&worker.own().driving, true);
    let mut folder = consumer.into_folder();
    C::expect(&mut folder, len, piece.min_len());
    match plan {
        Plan::Tiny(rate) if const { Pc::LIVE } => {
            run_tiny::<Pc, C>(worker, (site, rate), piece, len, folder)
        }
        _ => piece.fold_all(folder).complete(),
    }
}

/// Runs what should be over before anybody could help.
fn run_tiny<Pc, C>(
    worker: Worker<'_>,
    (site, prior): (Site, f64),
    piece: Pc,
    len: usize,
    folder: C::Folder,
) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let (mut rest, mut folder) = (Some(piece), Some(folder));
    let dear = fold_tiny(worker, (site, prior), len, &mut |items| {
        let (Some(piece), Some(so_far)) = (rest.take(), folder.take()) else {
            return None;
        };
        let (so_far, left) = piece.fold_some(so_far, items);
        rest = left.filter(|_| !so_far.full());
        folder = Some(so_far);
        rest.as_ref().map(Piece::len)
    });
    let folder = folder.expect("a fold gives its folder back");
    match (rest, dear) {
        (Some(rest), Some(dear)) => Lane::go_on(worker, (site, prior), len, dear, |lane| {
            drive::<Pc, C>(lane, rest, folder).finish()
        }),
        // Nothing is left, or nothing is wanted any more.
        _ => folder.complete(),
    }
}

#[inline(never)]
fn run_measured<Pc, C>(worker: Worker<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let (dear, len) = (consumer.splits_dearly(), piece.len());
    Lane::root(worker, site::<Pc, C>(), len, dear, |lane| {
        if const { Pc::LIVE && C::FRONT_FIRST } && len.is_some_and(|len| len <= piece.max_len()) {
            return drive_next(lane, piece, consumer, 0);
        }
        drive_whole(lane, piece, consumer, lane.run.depth() + 2)
    })
}

/// As [`run_on`], into a fold that is under way on this thread.
#[inline]
pub(super) fn run_into<Pc, C, M>(
    piece: Pc,
    mut folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: UnindexedConsumer<Pc::Item>,
    M: Fn() -> C,
{
    let least = piece.min_len();
    if least > 1 {
        C::expect(&mut folder, usize::MAX, least);
    }
    let Some(worker) = Worker::current() else {
        // Somebody folds outside any pool: then so do we.
        return Folded::Live(piece.fold_all(folder));
    };
    let site = Site::of(run_into_measured::<Pc, C, M> as *const ());
    if let Some(len) = piece.len()
        && is_nothing_new(worker, site, len)
        && !piece.is_bounded()
    {
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
    if const { !Pc::LIVE } || piece.is_bounded() {
        // Folds of this piece are to be counted by themselves.
        let left = folder.complete();
        let reducer = consumer.to_reducer();
        let right = run_on(worker, piece, consumer);
        return Folded::Closed(reducer.reduce(left, right));
    }
    if let Some(len) = piece.len()
        && is_alone(worker, site.rate(), len)
        && !consumer.stops_early()
        && worker.own().driving.get()
    {
        return Folded::Live(piece.fold_all(folder));
    }
    let dear = consumer.splits_dearly();
    Lane::root(worker, site, piece.len(), dear, |lane| {
        drive::<Pc, C>(lane, piece, folder)
    })
}

/// Inside another run, work that was always next to nothing is done without a look: the outer run looks often enough, and a nested loop
/// of ten items cannot pay for reading a clock.
#[inline]
fn is_nothing_new(worker: Worker<'_>, site: Site, len: usize) -> bool {
    if !worker.own().driving.get() || !site.is_nothing(len) {
        return false;
    }
    let due = is_due(worker);
    if due && worker.pool().num_threads() == 1 {
        // Nor is it to be passed over as the only one in the pool.
        worker.own().due.set(true);
    }
    !due
}

/// Whether a look could change nothing: there is no other thread, and the work should be over soon. It must not be work that can be stopped,
/// which is looked at for that.
#[inline]
fn is_alone(worker: Worker<'_>, rate: f64, len: usize) -> bool {
    worker.pool().num_threads() == 1
        && rate > 0.0
        && Grain::get().is_a_block(rate * len as f64)
        && !worker.own().due.replace(false)
        && !is_due(worker)
}

/// Whether work that could do without a look is looked at all the same: one in many is, so that the memory cannot go stale.
#[inline]
fn is_due(worker: Worker<'_>) -> bool {
    worker.is_drawn(&worker.own().unseen, 64)
}
