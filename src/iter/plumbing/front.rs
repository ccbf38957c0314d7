//! Driving from the front, for ends to which what lies behind a hit is needless: a thread that looks for work gets what comes next.
//!
//! Halves send it to the middle, where all it does is waste if the hit comes before. So a stretch is cut off in front, the rest is offered,
//! and whoever takes the rest does the same with it: the threads leapfrog. The stretches grow with what is before them, so that there are
//! few, and nobody begins further back than some two or three times as far as the front.
//!
//! Nobody waits between two stretches. With rounds, shared one after the other, all wait at the end of each for the slowest, which may have
//! lost its processor.

use super::drive::{Folded, begin, drive};
use super::lane::Lane;
use super::piece::{Piece, reduce};
use super::traits::{Consumer, Folder};
use crate::core::fork::{Forked, fork};

/// The shortest stretch, in nanoseconds: to take what follows it should cost little beside.
const STRETCH: u64 = 100_000;

/// The first stretch where nothing is known of the cost, in items.
const SAMPLE: usize = 64;

/// Drives a piece into a live folder from its front; `done` items are before it.
pub(super) fn drive_front<Pc, C>(
    lane: &Lane<'_>,
    mut piece: Pc,
    mut folder: C::Folder,
    mut done: usize,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    loop {
        if folder.full() {
            return Folded::Live(folder);
        }
        let (at, least) = (stretch(lane, done), piece.min_len());
        let at = at.max(least);
        let cuts = |len: usize| len / 2 >= at && lane.wants_cut(len, least, 0);
        let cut = match piece.len() {
            Some(len) if cuts(len) => piece.cut_at(at),
            _ => Err(piece),
        };
        let (now, rest) = match cut {
            Ok(parts) => parts,
            Err(whole) => return drive::<Pc, C>(lane, whole, folder),
        };
        let (consumer, reducer) = C::split_folder(&mut folder, at);
        done += at;
        let rest = (rest, consumer);
        let now = || lane.inside_cut(Some(at), || drive::<Pc, C>(lane, now, folder));
        match offering(lane, rest, done, now) {
            (Folded::Live(live), Forked::Kept((rest, consumer))) => {
                (piece, folder) = (rest, live);
                C::rejoin_folder(&mut folder, consumer);
            }
            (Folded::Closed(left), Forked::Kept((rest, consumer))) => {
                let right = drive_next(lane, rest, consumer, done);
                return Folded::Closed(reduce(reducer, left, right));
            }
            (left, Forked::Taken(right)) => {
                return Folded::Closed(reduce(reducer, left.finish(), right));
            }
        }
    }
}

/// As [`drive_front`], with a consumer that was not begun.
pub(super) fn drive_next<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C, done: usize) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let folder = begin::<Pc, C>(&piece, consumer);
    drive_front::<Pc, C>(lane, piece, folder, done).finish()
}

/// Runs `now` while the rest is on offer.
#[inline(never)]
#[allow(clippy::type_complexity)]
fn offering<Pc, C, R>(
    lane: &Lane<'_>,
    rest: (Pc, C),
    done: usize,
    now: impl FnOnce() -> R,
) -> (R, Forked<(Pc, C), C::Result>)
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let len = rest.0.len();
    lane.offer(len);
    let (run, rates) = (lane.run, lane.rates(len));
    let (now, rest) = fork(
        lane.worker,
        false,
        rest,
        move |(piece, consumer)| {
            Lane::taken(run, rates, |lane| drive_next(lane, piece, consumer, done))
        },
        now,
    );
    lane.after_fork(matches!(rest, Forked::Taken(_)));
    (now, rest)
}

/// How many items the next stretch has, after `done` ones: a thread's share of as many again.
fn stretch(lane: &Lane<'_>, done: usize) -> usize {
    let run = lane.run;
    let least = match lane.best_rate() {
        0.0 => SAMPLE,
        rate => (run.grain.ticks(STRETCH) / rate) as usize,
    };
    least.max(done / run.threads)
}
