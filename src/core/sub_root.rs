//! Sub-roots: roots below other roots.
//!
//! A thread that waits for one call may have to run a job of another call on top of that wait: its share of a broadcast, say. The job gets a root of its own, so that
//! the thread runs nothing else of that other call while it waits inside the job. All the same the job is work of that call. What it sends back has to be run by
//! a thread that waits for that call, even if no other thread can: all of them may wait for a lock that this thread holds. So the new root is a *sub-root* of the
//! job's root, and a thread that waits for work of a root runs the work of all sub-roots below it as well.
//! An isolated call that is made inside another one has a sub-root for the same reason.
//!
//! A table of the process says which root is above a sub-root. It has no locks, so that a child after `fork` can use it, and room for a thousand sub-roots whose jobs run. A
//! sub-root for which there is no room is a root with none above it. So is one whose job is over, some time later: what it has spawned may be left.

use super::above::Above;
use super::fresh::{new_isolated_root, new_job_root};
use super::root::Root;
use crate::sync::{AtomicU64, Ordering};
use std::iter;

/// How many sub-roots of the process the table has room for.
const PLACES: u64 = 1024;

static TABLE: SubRoots = SubRoots::new();

/// Places for sub-roots.
struct SubRoots {
    places: [Above; PLACES as usize],
    /// There was no room: so many more sub-roots do without a look, unless one that has a place is over before that.
    full: AtomicU64,
}

impl SubRoots {
    const fn new() -> Self {
        SubRoots {
            places: [const { Above::nothing() }; PLACES as usize],
            full: AtomicU64::new(0),
        }
    }

    /// The only place where `sub_root` may be.
    fn place(&self, sub_root: Root) -> &Above {
        &self.places[(sub_root.count() % PLACES) as usize]
    }

    /// Puts a new sub-root of `above` here, under a name that `fresh` gives. None: there is no room.
    ///
    /// Names come one after the other, and so do the places of sub-roots that stay for long, such as those of a broadcast's shares. So it tries about all places. That takes
    /// long. So, as long as the table is full, only one sub-root of a thousand tries.
    fn put(&self, above: Root, fresh: impl Fn() -> Root) -> Option<Root> {
        // A hint: two threads may both write it.
        if let Some(fewer) = self.full.load(Ordering::Relaxed).checked_sub(1) {
            self.full.store(fewer, Ordering::Relaxed);
            return None;
        }
        let mut names = iter::repeat_with(|| fresh().as_sub_root(above)).take(PLACES as usize);
        let name = names.find(|&sub_root| self.place(sub_root).put(sub_root, above));
        if name.is_none() {
            self.full.store(PLACES, Ordering::Relaxed);
        }
        name
    }

    /// The job of `sub_root`, which was put here, is over.
    fn end(&self, sub_root: Root) {
        self.place(sub_root).end(sub_root);
        if self.full.load(Ordering::Relaxed) > 0 {
            self.full.store(0, Ordering::Relaxed);
        }
    }
}

/// A sub-root, as long as its job runs.
pub(super) struct SubRoot(Root);

impl SubRoot {
    /// A new sub-root of `above`, if that is isolated. It is the root of an isolated call or of a job with a handle.
    pub(super) fn new(above: Root, is_job: bool) -> SubRoot {
        let fresh = || match is_job {
            true => new_job_root(),
            false => new_isolated_root(),
        };
        // Only the names of isolated roots mean the same in all pools.
        if !above.is_isolated() {
            return SubRoot(fresh());
        }
        SubRoot(TABLE.put(above, fresh).unwrap_or_else(fresh))
    }

    /// A root for an isolated call that is made under `root`. If that is isolated, the call is a part of it.
    ///
    /// What a job with a handle spawns belongs to no call, but what an isolated call inside it spawns belongs to that call. So such a call is no part of the job.
    pub(super) fn of_call_inside(root: Root) -> SubRoot {
        match root.is_of_job() {
            true => SubRoot(new_isolated_root()),
            false => SubRoot::new(root, false),
        }
    }

    pub(super) fn root(&self) -> Root {
        self.0
    }
}

impl Drop for SubRoot {
    fn drop(&mut self) {
        if self.0.is_sub_root() {
            TABLE.end(self.0);
        }
    }
}

impl Root {
    /// The root above this sub-root.
    #[cold]
    fn look_up(self) -> Option<Root> {
        TABLE.place(self).of(self)
    }

    /// The root above it, if this is a sub-root whose place in the table no other one has taken. While its job runs none does.
    #[inline]
    fn above(self) -> Option<Root> {
        self.is_sub_root().then(|| self.look_up())?
    }

    /// This root, the root above it, and so on.
    #[inline]
    pub(super) fn and_above(self) -> impl Iterator<Item = Root> {
        iter::successors(Some(self), |root| root.above())
    }

    /// Whether a thread that waits for work of `call` runs work of this root.
    #[inline]
    pub(super) fn is_within(self, call: Root) -> bool {
        self == call || self.is_sub_root() && self.and_above().any(|root| root == call)
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_sub_root_is_within_all_roots_above_it() {
        let (call, other) = (new_isolated_root(), new_isolated_root());
        let sub_root = SubRoot::new(call, false);
        let job = SubRoot::new(sub_root.root(), true);
        assert!(sub_root.root().may_hold_a_lock() && job.root().is_job());
        let is_within =
            |root: Root| [call, sub_root.root(), job.root(), other].map(|of| root.is_within(of));
        assert_eq!(is_within(call), [true, false, false, false]);
        assert_eq!(is_within(sub_root.root()), [true, true, false, false]);
        assert_eq!(is_within(job.root()), [true, true, true, false]);
        assert_eq!(is_within(other), [false, false, false, true]);
        // What the jobs have spawned may be left when they are over.
        let below = job.root();
        drop((sub_root, job));
        assert!(below.is_within(call));
    }

    /// The name of a sub-root says whether a job with a handle is above it, also when its place in the table has gone to another one.
    #[test]
    fn a_sub_root_below_a_job_is_of_that_job() {
        let (call, job) = (new_isolated_root(), SubRoot::new(new_job_root(), false));
        let below = SubRoot::new(job.root(), false);
        let of_call = SubRoot::of_call_inside(call);
        assert!(of_call.root().is_within(call) && !of_call.root().is_of_job());
        let names = [job.root(), below.root()];
        assert!(names.iter().all(|name| name.is_of_job() && !name.is_job()));
        assert!(!SubRoot::of_call_inside(below.root()).root().is_sub_root());
        drop((below, job));
        while names.iter().any(|name| name.and_above().count() > 1) {
            drop(SubRoot::new(call, false));
        }
        assert!(names.iter().all(|name| name.is_of_job()));
    }

    #[test]
    fn what_descends_from_no_call_has_no_sub_root() {
        let sub_root = SubRoot::new(Root::NONE, true);
        assert!(sub_root.root().is_job() && !sub_root.root().is_sub_root());
        assert_eq!(sub_root.root().and_above().count(), 1);
    }

    /// A root that is no sub-root has no place in the table, and takes none from another one.
    #[test]
    fn a_root_without_a_place_leaves_the_places_of_others() {
        let call = new_isolated_root();
        let sub_root = SubRoot::new(call, false);
        for _ in 0..2 * PLACES {
            drop(SubRoot::new(Root::NONE, false));
        }
        assert!(sub_root.root().is_within(call));
    }

    /// With more sub-roots than there is room for, some have no place. When the others are over, there is room again.
    #[test]
    fn a_full_table_has_no_room_until_sub_roots_are_over() {
        let (table, call) = (SubRoots::new(), new_isolated_root());
        let put = || table.put(call, new_isolated_root);
        let sub_roots: Vec<_> = (0..PLACES + 50).filter_map(|_| put()).collect();
        // Other tests take names as well, so that not each place may come up.
        assert!((500..=PLACES as usize).contains(&sub_roots.len()));
        let above = |sub_root| table.place(sub_root).of(sub_root);
        assert!(sub_roots.iter().all(|&one| above(one) == Some(call)));
        sub_roots.iter().for_each(|&one| table.end(one));
        // What the jobs have spawned may be left when they are over.
        assert_eq!(above(sub_roots[0]), Some(call));
        for _ in 0..100 * PLACES {
            let next = put().expect("there is room");
            table.end(next);
            if above(sub_roots[0]).is_none() {
                return;
            }
        }
        panic!("no other one took its place");
    }

    /// In a full table only some look for room. When there is some, the next one looks.
    #[test]
    fn few_look_for_room_in_a_full_table() {
        let (table, call, looks) = (SubRoots::new(), new_isolated_root(), Cell::new(0));
        let put = || {
            table.put(call, || {
                looks.set(looks.get() + 1);
                new_isolated_root()
            })
        };
        let last = iter::from_fn(put).last().expect("it was empty");
        looks.set(0);
        assert!((0..PLACES).all(|_| put().is_none()));
        assert_eq!(looks.get(), 0);
        // The place of the last one has to come up. Other tests take names as well.
        table.end(last);
        assert!((0..100 * PLACES).any(|_| put().is_some()));
    }

    /// The places of sub-roots that came one after the other are next to each other. The next one that comes there goes on to a place that is free.
    #[test]
    fn sub_roots_that_stay_keep_no_other_one_from_a_place() {
        let (table, call) = (SubRoots::new(), new_isolated_root());
        let put = || table.put(call, new_isolated_root);
        // As many as a broadcast has shares.
        (0..64).for_each(|_| _ = put().expect("there is room"));
        for _ in 0..3 * PLACES {
            let next = put().expect("there is room");
            table.end(next);
        }
    }
}
