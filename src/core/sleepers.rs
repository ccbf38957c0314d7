//! Which threads of a pool sleep, and what each waits for: the lists from which a waker takes the thread that it wakes.
//!
//! A waker takes a thread off its list, under the lock, and then [wakes](super::desk::WakeUp) it. A thread may also take itself off. So each
//! sleeper is woken once, and a waker never looks at threads that do not sleep. This file does not know which thread may run, nor which jobs there are.
//!
//! ```text
//!   a worker looked for work in vain            -> parked
//!   a thread waits, and would run anything      -> unbound
//!   a thread waits, and runs one root, or two   -> bound
//!   a thread was called, and no right was free  -> wanting, first come, first served
//! ```
//!
//! The number of rights that are held back is here as well, because it changes under the same lock: see [`active`](super::active).

use super::bit_set::BitSet;
use super::desk::{Desk, WakeUp};
use super::root::{KINDS, Root};
use super::sorted_map::SortedMap;
use crate::sync::{AtomicU32, Mutex, MutexGuard, Ordering, lock, planted};
use crossbeam_utils::CachePadded;
use std::array;
use std::collections::VecDeque;
use std::iter;

/// The lists, and counts that cost no lock.
pub(crate) struct Sleepers {
    lists: CachePadded<Mutex<Lists>>,
    /// In a line of their own: a thread looks at them between two jobs, while others lock the lists.
    counts: CachePadded<Hints>,
    /// How often the lists were locked.
    #[cfg(test)]
    pub(crate) times: std::sync::atomic::AtomicUsize,
}

/// Written with the lists locked, and only where they change.
struct Hints {
    /// How many threads sleep bound to a root; one that is bound to two counts twice.
    bound: AtomicU32,
    /// How many of those there are for each kind of root.
    bound_to: [AtomicU32; KINDS],
    /// How many wait for a right, and how many rights are still to be held back.
    wanting: AtomicU32,
    /// How many threads of other pools are to be called.
    callers: AtomicU32,
}

/// The lists, while they are locked.
pub(crate) struct Locked<'a> {
    lists: MutexGuard<'a, Lists>,
    counts: &'a Hints,
}

struct Lists {
    /// The workers that sleep for want of work.
    parked: BitSet,
    /// Threads that sleep inside a wait, by their desks' names.
    waiters: Vec<Option<Waiter>>,
    /// How many waiters there are.
    in_waits: usize,
    /// Waiters that may run anything, by the names of their desks. They are workers; in a pool without threads, guests.
    unbound: BitSet,
    /// Waiters that may run only work of one root or two, by root and by the name of the desk.
    bound: SortedMap<(Root, usize), ()>,
    /// The entry of `bound` that was the last to be woken to make up for a missed wake-up.
    turn: (Root, usize),
    /// Threads that wait for a right, by their desks, and whether each is late: then it also wants a number to spare.
    wanting: VecDeque<(DeskPtr, bool)>,
    /// Threads of other pools that wait for isolated work in this one, with the root of that work.
    callers: VecDeque<(Root, DeskPtr)>,
    /// Workers that stand in for a thread of another pool: by number, with the desk there.
    away: SortedMap<usize, DeskPtr>,
    /// How many rights are held back.
    held_back: usize,
    /// How many more are to be held back, as soon as they are put down.
    surplus: usize,
    /// The pool has stopped, or did once: no right is held back any more.
    wide: bool,
}

/// A pointer to a desk of the pool, or, for callers, of another pool.
#[derive(Clone, Copy, PartialEq, Eq)]
struct DeskPtr(*const Desk);

// SAFETY: desks are Sync; `get` says why they are alive.
unsafe impl Send for DeskPtr {}

/// A thread that sleeps inside a wait.
#[derive(Clone, Copy)]
pub(crate) struct Waiter {
    desk: DeskPtr,
    /// The root whose work it would run; none if it would run anything.
    pub(crate) bound: Option<Root>,
    /// Another root whose work it would run.
    pub(crate) also: Option<Root>,
    /// The thread needs no right when its wait is over.
    pub(crate) leaves: bool,
    /// The thread has not put its right down yet.
    pub(crate) holds: bool,
}

impl Waiter {
    /// Whether the thread goes on when it is called, also if there is no right for it: it may hold a lock for which all wait that have rights.
    pub(crate) fn goes_on(&self) -> bool {
        self.bound.is_some_and(Root::is_isolated) && !planted!("spare")
    }
}

/// The thread that a waker took off the lists.
#[derive(Clone, Copy)]
pub(crate) enum Sleeper<'a> {
    /// The worker of this number, asleep for want of work.
    Worker(usize),
    /// A thread asleep inside a wait.
    Waiter(&'a Desk),
}

impl Sleepers {
    pub(crate) fn new() -> Self {
        Sleepers {
            lists: CachePadded::new(Mutex::new(Lists {
                parked: BitSet::default(),
                waiters: Vec::new(),
                in_waits: 0,
                unbound: BitSet::default(),
                bound: SortedMap::new(),
                turn: (Root::NONE, 0),
                wanting: VecDeque::new(),
                callers: VecDeque::new(),
                away: SortedMap::new(),
                held_back: 0,
                surplus: 0,
                wide: false,
            })),
            counts: CachePadded::new(Hints {
                bound: AtomicU32::new(0),
                bound_to: array::from_fn(|_| AtomicU32::new(0)),
                wanting: AtomicU32::new(0),
                callers: AtomicU32::new(0),
            }),
            #[cfg(test)]
            times: Default::default(),
        }
    }

    pub(crate) fn lock(&self) -> Locked<'_> {
        #[cfg(test)]
        self.times.fetch_add(1, Ordering::Relaxed);
        Locked {
            lists: lock(&self.lists),
            counts: &self.counts,
        }
    }

    /// Whether a thread that sleeps runs work of one root only. A hint.
    pub(crate) fn any_bound(&self) -> bool {
        self.counts.bound.load(Ordering::Relaxed) > 0
    }

    /// Whether a thread that sleeps may be one that runs work of `root` only. A hint.
    #[inline]
    pub(crate) fn any_bound_to(&self, root: Root) -> bool {
        let bound_to = |root: Root| self.counts.bound_to[root.kind()].load(Ordering::Relaxed) > 0;
        root != Root::NONE && self.any_bound() && root.and_above().any(bound_to)
    }

    /// Whether threads of other pools may have to be called. A hint.
    #[inline]
    pub(crate) fn any_callers(&self) -> bool {
        self.counts.callers.load(Ordering::Relaxed) > 0
    }

    /// Whether a thread waits for a right, or one is to be held back. A hint.
    #[inline]
    pub(crate) fn any_wanting(&self) -> bool {
        self.counts.wanting.load(Ordering::Relaxed) > 0
    }
}

impl<'a> Locked<'a> {
    // Workers that look in vain.

    pub(crate) fn park(&mut self, worker: usize) {
        self.lists.parked.insert(worker);
    }

    /// Takes this worker off the list. False: it was not there, so it has been called.
    pub(crate) fn unpark(&mut self, worker: usize) -> bool {
        self.lists.parked.remove(worker)
    }

    pub(crate) fn first_parked(&self) -> Option<usize> {
        self.lists.parked.first()
    }

    // Threads inside waits.

    /// `desk` is about to sleep inside a wait, and would run work of `bound` or anything. `leaves`: when that is over, it goes on without a right.
    pub(crate) fn lie_down(&mut self, desk: &Desk, bound: Option<Root>, leaves: bool) {
        let waiter = Waiter {
            desk: DeskPtr(desk),
            bound,
            also: None,
            leaves,
            holds: true,
        };
        let (lists, id) = (&mut *self.lists, desk.id());
        if lists.waiters.len() <= id {
            lists.waiters.resize(id + 1, None);
        }
        lists.waiters[id] = Some(waiter);
        lists.in_waits += 1;
        match bound {
            None => lists.unbound.insert(id),
            Some(root) => self.bind(root, id),
        }
        self.publish();
    }

    /// The thread at `desk` would run work of `root`, too; unless it has been called already.
    pub(crate) fn bind_also(&mut self, desk: &Desk, root: Root) {
        let Some(waiter) = self.waiter_at(desk) else {
            return;
        };
        let bound = waiter.bound;
        if bound != Some(root) {
            waiter.also = Some(root);
            // An unbound thread is found for any work.
            if bound.is_some() {
                self.bind(root, desk.id());
                self.publish();
            }
        }
    }

    fn bind(&mut self, root: Root, id: usize) {
        self.lists.bound.entry((root, id), || ());
        self.bound_to(root, 1);
    }

    /// The thread at `desk`, if it sleeps inside a wait.
    pub(crate) fn waiter_at(&mut self, desk: &Desk) -> Option<&mut Waiter> {
        self.lists.waiters.get_mut(desk.id())?.as_mut()
    }

    /// Takes a waiter off the lists, if it is there.
    pub(crate) fn get_up(&mut self, desk: &Desk) -> Option<Waiter> {
        let (lists, id) = (&mut *self.lists, desk.id());
        let waiter = lists.waiters.get_mut(id)?.take()?;
        lists.in_waits -= 1;
        match waiter.bound {
            None => _ = lists.unbound.remove(id),
            Some(root) => {
                for root in iter::once(root).chain(waiter.also) {
                    self.lists.bound.remove((root, id));
                    self.bound_to(root, -1);
                }
            }
        }
        self.publish();
        Some(waiter)
    }

    /// Calls the thread at `desk`, if it sleeps in a wait and [goes on](Waiter::goes_on) without a right. `wake_up`, which gives it none, says why. Its bell has to be
    /// rung after that.
    pub(crate) fn call_to_go_on(&mut self, desk: &Desk, wake_up: WakeUp) -> bool {
        let goes_on = self.waiter_at(desk).is_some_and(|waiter| waiter.goes_on());
        if goes_on {
            self.get_up(desk);
            desk.mark_woken(wake_up);
        }
        goes_on
    }

    /// A waiter that would run work of `root`, but not of any root, and [goes on](Waiter::goes_on) without a right.
    pub(crate) fn first_that_goes_on(&self, root: Root) -> Option<&'a Desk> {
        let lists = &*self.lists;
        root.and_above().find_map(|root| {
            let bound = lists
                .bound
                .from((root, 0))
                .take_while(|&(of, _)| of == root);
            let mut waiters = bound.filter_map(|(_, id)| lists.waiters[id]);
            let waiter = waiters.find(Waiter::goes_on)?;
            Some(waiter.desk.get())
        })
    }

    /// A waiter that would run work of `root`, but not of any root.
    pub(crate) fn first_bound(&self, root: Root) -> Option<&'a Desk> {
        root.and_above().find_map(|root| {
            let (of, id) = self.lists.bound.from((root, 0)).next()?;
            (of == root).then(|| self.waiter(id))?
        })
    }

    /// A waiter that would run anything.
    pub(crate) fn first_unbound(&self) -> Option<&'a Desk> {
        self.waiter(self.lists.unbound.first()?)
    }

    fn waiter(&self, id: usize) -> Option<&'a Desk> {
        Some(self.lists.waiters[id]?.desk.get())
    }

    /// The bound waiters whose turn it is, at most `most` of them: for each, a root of its own. Only waiters with a root for which there may be work, as `has` says,
    /// get a turn. Also says whether there are more of those.
    pub(crate) fn bound_in_turn(
        &mut self,
        most: usize,
        mut has: impl FnMut(Root) -> bool,
    ) -> (Vec<Root>, bool) {
        let lists = &mut *self.lists;
        let mut turns: Vec<(Root, usize)> = Vec::new();
        let mut more = false;
        for (root, id) in lists.bound.after(lists.turn) {
            // A waiter may be there with two roots.
            let is_new = turns.iter().all(|turn| turn.1 != id);
            if is_new && has(root) {
                more = turns.len() == most;
                if more {
                    break;
                }
                turns.push((root, id));
            }
        }
        if let Some(&last) = turns.last() {
            lists.turn = last;
        }
        (turns.into_iter().map(|(root, _)| root).collect(), more)
    }

    // Threads that want a right.

    pub(crate) fn want(&mut self, desk: &Desk) {
        self.lists.wanting.push_back((DeskPtr(desk), false));
        self.publish();
    }

    /// The same, and it is the next to get one.
    pub(crate) fn want_first(&mut self, desk: &Desk) {
        self.lists.wanting.push_front((DeskPtr(desk), false));
        self.publish();
    }

    /// The thread that has wanted a right for longest.
    pub(crate) fn first_wanting(&self) -> Option<&'a Desk> {
        self.lists.wanting.front().map(|(desk, _)| desk.get())
    }

    /// Takes the thread whose turn it is off the list.
    pub(crate) fn remove_first_wanting(&mut self) {
        self.lists.wanting.pop_front();
        self.publish();
    }

    /// The thread at `desk` wants a right no more.
    pub(crate) fn remove_wanting(&mut self, desk: &Desk) {
        self.lists
            .wanting
            .retain(|(other, _)| *other != DeskPtr(desk));
        self.publish();
    }

    /// The thread at `desk`, which wants a right, is late.
    pub(crate) fn be_late(&mut self, desk: &Desk) {
        let mut wanting = self.lists.wanting.iter_mut();
        let entry = wanting.find(|(other, _)| *other == DeskPtr(desk));
        entry.expect("it is in the queue").1 = true;
    }

    #[cfg(test)]
    pub(crate) fn any_late(&self) -> bool {
        self.lists.wanting.iter().any(|&(_, is_late)| is_late)
    }

    /// Takes the first thread that is late off the list.
    pub(crate) fn take_late(&mut self) -> Option<&'a Desk> {
        let wanting = &mut self.lists.wanting;
        let at = wanting.iter().position(|&(_, is_late)| is_late)?;
        let (desk, _) = wanting.remove(at)?;
        self.publish();
        Some(desk.get())
    }

    // Threads of other pools.

    /// The thread at `desk` waits for this pool, in a call whose root is `root`.
    pub(crate) fn add_caller(&mut self, root: Root, desk: &Desk) {
        self.lists.callers.push_back((root, DeskPtr(desk)));
        self.publish();
    }

    /// The thread at `desk` waits for this pool no more.
    pub(crate) fn remove_caller(&mut self, root: Root, desk: &Desk) {
        let callers = &mut self.lists.callers;
        let at = callers.iter().position(|&one| one == (root, DeskPtr(desk)));
        callers.swap_remove_back(at.expect("it was added"));
        self.publish();
    }

    /// How many callers there are.
    pub(crate) fn callers(&self) -> usize {
        self.lists.callers.len()
    }

    /// The first of the next `most` callers for whose root there is work, as `has` says. This caller and those before it go to the end of the line; the number says how
    /// many went. The desk is alive as long as the lists are locked.
    pub(crate) fn next_caller(
        &mut self,
        most: usize,
        has: &mut dyn FnMut(Root) -> bool,
    ) -> Option<(usize, Root, &'a Desk)> {
        let callers = &mut self.lists.callers;
        let at = callers.iter().take(most).position(|&(root, _)| has(root))?;
        callers.rotate_left(at + 1);
        callers
            .back()
            .map(|&(root, desk)| (at + 1, root, desk.get()))
    }

    /// Worker `number` is at `desk`, in another pool; or at its own again. Gives where it was before.
    pub(crate) fn set_away(&mut self, number: usize, desk: Option<&Desk>) -> Option<&'a Desk> {
        let away = &mut self.lists.away;
        let before = away.get_mut(number).map(|desk| desk.get());
        match desk {
            Some(desk) => *away.entry(number, || DeskPtr(desk)) = DeskPtr(desk),
            None => away.remove(number),
        }
        before
    }

    /// Where worker `number` is, if that is in another pool. The desk is alive as long as the lists are locked.
    pub(crate) fn away(&mut self, number: usize) -> Option<&'a Desk> {
        self.lists.away.get_mut(number).map(|desk| desk.get())
    }

    // Rights that are held back.

    /// From now on no right is held back: later calls of [`set_held_back`](Self::set_held_back) change nothing.
    pub(crate) fn widen(&mut self) {
        self.lists.wide = true;
    }

    /// From now on `most` rights are to be held back. If more are held back already, returns how many too many; the caller has to free those.
    pub(crate) fn set_held_back(&mut self, most: usize) -> usize {
        let lists = &mut *self.lists;
        let most = if lists.wide { 0 } else { most };
        lists.surplus = most.saturating_sub(lists.held_back);
        let more = lists.held_back.saturating_sub(most);
        lists.held_back -= more;
        self.publish();
        more
    }

    /// Whether rights are still to be held back.
    pub(crate) fn has_surplus(&self) -> bool {
        self.lists.surplus > 0
    }

    /// The caller has just held back one of the surplus.
    pub(crate) fn count_held_back(&mut self) {
        self.lists.held_back += 1;
        self.lists.surplus -= 1;
        self.publish();
    }

    /// How many rights are held back, or will be.
    pub(crate) fn held_back(&self) -> usize {
        self.lists.held_back + self.lists.surplus
    }

    /// How many are parked, inside waits, and without a right: for people.
    pub(crate) fn counts(&self) -> [usize; 3] {
        let lists = &self.lists;
        [lists.parked.len(), lists.in_waits, lists.wanting.len()]
    }

    /// Adds `more` to the count of sleepers that are bound to roots of `root`'s kind. Every writer has the lock, so a load and a store are enough.
    fn bound_to(&self, root: Root, more: i32) {
        let count = &self.counts.bound_to[root.kind()];
        let now = count.load(Ordering::Relaxed).wrapping_add_signed(more);
        count.store(now, Ordering::Relaxed);
    }

    fn publish(&self) {
        set(&self.counts.bound, self.lists.bound.len());
        let wanting = self.lists.wanting.len() + self.lists.surplus;
        set(&self.counts.wanting, wanting);
        set(&self.counts.callers, self.lists.callers.len());
    }
}

/// Writes a count if it changes: all that look at it would have to fetch the line again.
fn set(count: &AtomicU32, now: usize) {
    if count.load(Ordering::Relaxed) != now as u32 {
        count.store(now as u32, Ordering::Relaxed);
    }
}

impl DeskPtr {
    fn get<'a>(self) -> &'a Desk {
        // SAFETY: a desk lives as long as its pool. That is the pool whose lists these are, which the caller of [`Sleepers::lock`] keeps; or, in `callers` and
        // `away`, that of a thread which takes its entry out again, with the lists locked, while a frame of it still keeps the desk.
        unsafe { &*self.0 }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::pool::{Handlers, Pool};
    use std::ptr;

    /// The lists, and desks of four workers.
    fn with_desks(test: impl Fn(&Sleepers, [&Desk; 4])) {
        let pool = Pool::new(4, 0, Handlers::default(), true, false);
        let desks = [0, 1, 2, 3].map(|at| pool.seats[at].own_desk());
        test(&Sleepers::new(), desks);
    }

    fn is(found: Option<&Desk>, desk: &Desk) -> bool {
        found.is_some_and(|found| ptr::eq(found, desk))
    }

    #[test]
    fn who_lies_down_is_found_until_it_gets_up() {
        let (one, other) = (Root::isolated(1), Root::isolated(2));
        assert_ne!(one.kind(), other.kind());
        with_desks(|sleepers, [a, b, c, _]| {
            let mut lists = sleepers.lock();
            assert!(lists.first_unbound().is_none() && lists.waiter_at(c).is_none());
            assert!(lists.get_up(c).is_none());
            lists.lie_down(c, None, true);
            lists.lie_down(a, Some(one), false);
            lists.lie_down(b, Some(one), false);
            assert!(is(lists.first_unbound(), c) && is(lists.first_bound(one), a));
            assert!(lists.first_bound(other).is_none() && lists.first_bound(Root::NONE).is_none());
            assert_eq!(lists.counts(), [0, 3, 0]);
            assert!(sleepers.any_bound() && sleepers.any_bound_to(one));
            assert!(!sleepers.any_bound_to(other) && !sleepers.any_bound_to(Root::NONE));

            let waiter = lists.waiter_at(c).unwrap();
            assert!(waiter.leaves && waiter.holds && waiter.bound.is_none());
            waiter.holds = false;
            let waiter = lists.get_up(c).unwrap();
            assert!(!waiter.holds && lists.get_up(c).is_none() && lists.first_unbound().is_none());
            assert_eq!(lists.get_up(a).unwrap().bound, Some(one));
            assert!(is(lists.first_bound(one), b) && sleepers.any_bound());
            assert!(sleepers.any_bound_to(one));
            assert!(!lists.get_up(b).unwrap().leaves);
            assert!(lists.first_bound(one).is_none());
            assert!(!sleepers.any_bound() && !sleepers.any_bound_to(one));
            assert_eq!(lists.counts(), [0, 0, 0]);
        });
    }

    #[test]
    fn who_is_bound_to_two_roots_is_found_by_either_until_it_gets_up() {
        let (one, other) = (Root::isolated(1), Root::isolated(2));
        with_desks(|sleepers, [a, b, c, d]| {
            let mut lists = sleepers.lock();
            lists.lie_down(a, Some(one), false);
            lists.bind_also(a, other);
            assert!(is(lists.first_bound(one), a) && is(lists.first_bound(other), a));
            assert!(sleepers.any_bound_to(one) && sleepers.any_bound_to(other));
            assert!(lists.get_up(a).is_some());
            // Twice the same, anything at all, and one that has been called already.
            lists.lie_down(b, Some(one), false);
            lists.bind_also(b, one);
            lists.lie_down(c, None, false);
            lists.bind_also(c, other);
            lists.bind_also(d, other);
            assert!(is(lists.first_bound(one), b) && lists.first_bound(other).is_none());
            assert!(lists.get_up(b).is_some() && lists.get_up(c).is_some());
            assert!(lists.first_bound(one).is_none() && lists.first_bound(other).is_none());
            assert!(!sleepers.any_bound_to(one) && !sleepers.any_bound_to(other));
            assert_eq!(lists.counts(), [0, 0, 0]);
        });
    }

    #[test]
    fn nobody_sleeps_at_first() {
        let sleepers = Sleepers::new();
        assert!(!sleepers.any_bound() && !sleepers.any_wanting() && !sleepers.any_callers());
        assert!((0..99).all(|at| !sleepers.any_bound_to(Root::isolated(at))));
    }

    #[test]
    fn bound_waiters_take_turns() {
        with_desks(|sleepers, desks| {
            let mut lists = sleepers.lock();
            let any = |_| true;
            assert_eq!(lists.bound_in_turn(2, any), (vec![], false));
            for (desk, at) in desks.into_iter().zip(1..) {
                lists.lie_down(desk, Some(Root::isolated(at / 2)), false);
            }
            let roots = |at: &[u64]| at.iter().map(|&at| Root::isolated(at)).collect::<Vec<_>>();
            assert_eq!(lists.bound_in_turn(3, any), (roots(&[0, 1, 1]), true));
            assert_eq!(lists.bound_in_turn(3, any), (roots(&[2, 0, 1]), true));
            assert_eq!(lists.bound_in_turn(1, any), (roots(&[1]), true));
            assert_eq!(lists.bound_in_turn(4, any), (roots(&[2, 0, 1, 1]), false));
            assert_eq!(lists.bound_in_turn(9, any).0.len(), 4);
            assert_eq!(lists.bound_in_turn(0, any), (vec![], true));
            // Only those for which there may be work.
            let one = |root| root == Root::isolated(2);
            assert_eq!(lists.bound_in_turn(1, one), (roots(&[2]), false));
            assert_eq!(lists.bound_in_turn(0, one), (vec![], true));
            assert_eq!(lists.bound_in_turn(2, |_| false), (vec![], false));
        });
    }

    #[test]
    fn a_waiter_with_two_roots_has_one_turn() {
        with_desks(|sleepers, [a, b, ..]| {
            let mut lists = sleepers.lock();
            let [one, other] = [1, 2].map(Root::isolated);
            lists.lie_down(a, Some(one), false);
            lists.bind_also(a, other);
            assert_eq!(lists.bound_in_turn(1, |_| true), (vec![one], false));
            lists.lie_down(b, Some(other), false);
            assert_eq!(lists.bound_in_turn(2, |_| true).0.len(), 2);
            assert!(lists.bound_in_turn(1, |_| true).1);
        });
    }

    #[test]
    fn who_wants_a_right_and_who_looks_in_vain_is_called_first_come_first_served() {
        with_desks(|sleepers, [a, b, ..]| {
            let mut lists = sleepers.lock();
            assert!(!sleepers.any_wanting());
            lists.want(b);
            lists.want(a);
            assert!(is(lists.first_wanting(), b) && sleepers.any_wanting());
            lists.remove_first_wanting();
            assert!(is(lists.first_wanting(), a) && sleepers.any_wanting());
            assert_eq!(lists.counts(), [0, 0, 1]);
            lists.want_first(b);
            assert!(is(lists.first_wanting(), b) && lists.take_late().is_none());
            lists.be_late(a);
            assert!(is(lists.take_late(), a) && lists.take_late().is_none());
            assert_eq!(lists.counts(), [0, 0, 1]);
            lists.remove_wanting(b);
            assert!(lists.first_wanting().is_none() && !sleepers.any_wanting());

            lists.park(3);
            lists.park(1);
            assert_eq!((lists.first_parked(), lists.counts()), (Some(1), [2, 0, 0]));
            assert!(lists.unpark(1) && !lists.unpark(1) && !lists.unpark(2));
            assert_eq!(lists.first_parked(), Some(3));
        });
    }

    #[test]
    fn callers_go_to_the_end_of_the_line() {
        with_desks(|sleepers, desks| {
            let mut lists = sleepers.lock();
            for (desk, at) in desks.into_iter().zip(0..) {
                lists.add_caller(Root::isolated(at), desk);
            }
            assert!(sleepers.any_callers() && lists.callers() == 4);
            let mut next = |most, wanted: &[u64]| {
                let mut has = |root| wanted.iter().any(|&at| Root::isolated(at) == root);
                let (looked_at, root, desk) = lists.next_caller(most, &mut has)?;
                let number = desks.iter().position(|it| ptr::eq(*it, desk)).unwrap();
                assert!(root == Root::isolated(number as u64));
                Some((looked_at, number))
            };
            // 0 1 2 3
            assert_eq!(next(2, &[2, 3]), None);
            assert_eq!(next(2, &[1, 2, 3]), Some((2, 1)));
            // 2 3 0 1
            assert_eq!(next(4, &[0, 1, 2, 3]), Some((1, 2)));
            assert_eq!(next(4, &[1]), Some((3, 1)));
            // 2 3 0 1
            assert_eq!(next(1, &[0, 1, 2, 3]), Some((1, 2)));
            lists.remove_caller(Root::isolated(3), desks[3]);
            assert_eq!(lists.callers(), 3);
            for at in 0..3 {
                lists.remove_caller(Root::isolated(at), desks[at as usize]);
            }
            assert!(!sleepers.any_callers() && lists.callers() == 0);
        });
    }

    #[test]
    fn rights_are_held_back_one_by_one_until_the_pool_widens() {
        with_desks(|sleepers, _| {
            let mut lists = sleepers.lock();
            let state = |lists: &Locked<'_>| (lists.has_surplus(), lists.held_back());
            assert_eq!((lists.set_held_back(2), state(&lists)), (0, (true, 2)));
            assert!(sleepers.any_wanting());
            lists.count_held_back();
            assert_eq!(state(&lists), (true, 2));
            lists.count_held_back();
            assert_eq!(state(&lists), (false, 2));
            assert!(!sleepers.any_wanting());
            // One more than before; and then fewer.
            assert_eq!((lists.set_held_back(3), state(&lists)), (0, (true, 3)));
            assert_eq!((lists.set_held_back(1), state(&lists)), (1, (false, 1)));
            assert!(!sleepers.any_wanting());
            lists.widen();
            assert_eq!((lists.set_held_back(3), state(&lists)), (1, (false, 0)));
        });
    }

    #[test]
    fn who_is_away_is_found() {
        with_desks(|sleepers, [a, b, ..]| {
            let mut lists = sleepers.lock();
            assert!(lists.away(1).is_none() && lists.set_away(1, None).is_none());
            assert!(lists.set_away(1, Some(a)).is_none() && is(lists.away(1), a));
            assert!(is(lists.set_away(1, Some(b)), a) && is(lists.away(1), b));
            assert!(lists.away(0).is_none());
            assert!(is(lists.set_away(1, None), b) && lists.away(1).is_none());
        });
    }
}
