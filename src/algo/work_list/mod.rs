//! Work lists: items whose processing makes new items, until none are left.
//!
//! | function | when |
//! |---|---|
//! | [`for_each_spawn`] | the order does not matter: graph searches, puzzles, crawlers, propagation to a fixed point |
//! | [`for_each_spawn_by_level`] | items of a lower level come before those of a higher one: rounds, priorities, shortest paths by buckets |
//! | [`scope`](crate::scope) | the jobs are of many kinds, and few: each costs an allocation |
//!
//! # What is guaranteed
//!
//! - Each item is given to the body once, the initial ones and those that were spawned.
//! - What was written before an item was spawned is visible to the body that gets it. By level, everything that was written on earlier
//!   levels is visible too.
//! - The call returns when the list is empty and no thread works on an item.
//! - The stack does not grow with the number of items, nor with the length of a chain of items that spawn one another.
//!
//! # Cost
//!
//! An item costs a push to and a pop from a vector of the thread that spawned it, and no allocation of its own. Another thread that has
//! nothing to do gets some of the oldest items of that vector (half of the initial ones). Work: the bodies. Span: the longest chain of
//! items of which each spawned the next; by level, one such chain for each level. Memory: the items that wait.
//!
//! # Measured
//!
//! <!-- measured: for_each_spawn -->
//! Measured, `for_each_spawn` of 1,000,000 items, each of which adds up to two: work 5.4 ms, span 5.5 µs, so up to 980 threads can be of use.
//!
//! <!-- measured: for_each_spawn_by_level -->
//! Measured, `for_each_spawn_by_level` of 1,000,000 items in as many levels as a balanced tree has: work 15 ms, span 67 µs, so up to 220 threads can be of use.

mod levels;
pub(super) mod list;

use super::pace::{LOOK, Pace, alone_or_shared};
use crate::core::clock;
use crate::iter::ParallelIterator;
use crate::iter::sources::pending::Pending;
use crate::iter::sources::shares::Shares;
use levels::Levels;
use list::WorkList;
use std::convert::Infallible;
use std::{fmt, mem};

/// Calls `body` for each of the `initial` items, and for each item that a call of `body` spawns, until there are no more.
///
/// Items are taken in no particular order; a thread takes its newest items first. An item may be spawned twice. If it must not be handled
/// twice, `body` has to mark the items that it has seen.
///
/// Work and span: as the [module](self) says. On one thread this is a loop over a stack.
///
/// ```
/// use filch::algo::for_each_spawn;
/// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
///
/// // Which numbers below 1000 come out of 1 by doubling and by adding 7?
/// let seen: Vec<AtomicBool> = (0..1000).map(|_| AtomicBool::new(false)).collect();
/// for_each_spawn([1usize], |n, list| {
///     if n < 1000 && !seen[n].swap(true, Relaxed) {
///         list.spawn(2 * n);
///         list.spawn(n + 7);
///     }
/// });
/// assert!(seen[22].load(Relaxed)); // 2 * (1 + 7) is 16, and 15 + 7 is 22
/// assert!(!seen[7].load(Relaxed)); // multiples of 7 stay among themselves
/// ```
///
/// # Panics
///
/// If `body` panics: with one such panic. Other threads may finish the items that they have. All items that are no longer given to `body` are dropped.
#[doc(alias("parallel_for_each", "feeder", "work_queue"))]
pub fn for_each_spawn<I, T, F>(initial: I, body: F)
where
    I: IntoIterator<Item = T>,
    T: Send,
    F: Fn(T, &mut Spawner<'_, T>) + Sync,
{
    let stack: Vec<T> = initial.into_iter().collect();
    let shares = Shares::of_siblings(stack.len());
    alone_or_shared(
        &mut (stack, shares),
        |(stack, shares), count, until| {
            // In a local variable, so that the loop keeps it in registers.
            let mut items = mem::take(stack);
            let mut least = items.len();
            for i in 1..=count {
                let Some(item) = items.pop() else { break };
                least = least.min(items.len());
                body(item, &mut Spawner(&mut items));
                if i.is_multiple_of(LOOK) && clock::ticks() > until {
                    break;
                }
            }
            shares.shrink(least);
            if count == 1 && least == 0 {
                *shares = Shares::of_siblings(items.len());
            }
            *stack = items;
            stack.is_empty()
        },
        |(stack, shares)| {
            let body = |item, stack: &mut Vec<T>, _: &mut Vec<Infallible>| {
                body(item, &mut Spawner(stack));
            };
            let rest = WorkList::resume(Pending::new(mem::take(stack)), *shares, &body);
            rest.for_each(|never| match never {});
        },
    );
}

/// Calls `body` for each of the `initial` items, and for each item that is spawned, level by level.
///
/// All items of a level come before those of the next. Levels are numbers, and the lowest comes first. Levels without items cost nothing. An
/// item that is spawned to a level that is over belongs to the current level. Within a level, items are taken in no particular order.
///
/// Work and span: as the [module](self) says, and O(log k) for an item of a later level, if `k` levels have items. All threads wait for
/// the last item of each level. So only a level with some microseconds of work is shared; the caller does shorter ones alone.
///
/// ```
/// use filch::algo::for_each_spawn_by_level;
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// // Distances on a small road map: (to, length) for each place, levels are distances.
/// let roads: [&[(usize, usize)]; 4] = [&[(1, 7), (2, 2)], &[(3, 1)], &[(1, 3), (3, 9)], &[]];
/// let nearest = [const { AtomicUsize::new(usize::MAX) }; 4];
/// for_each_spawn_by_level([(0, 0)], |place: usize, list| {
///     let here = list.level();
///     if nearest[place].fetch_min(here, Relaxed) > here {
///         for &(to, length) in roads[place] {
///             list.spawn(here + length, to);
///         }
///     }
/// });
/// assert_eq!(nearest.map(AtomicUsize::into_inner), [0, 5, 2, 6]);
/// ```
///
/// # Panics
///
/// As [`for_each_spawn`]; later levels are not begun.
#[doc(alias("priority_queue", "parallel_priority", "buckets"))]
pub fn for_each_spawn_by_level<I, T, F>(initial: I, body: F)
where
    I: IntoIterator<Item = (usize, T)>,
    T: Send,
    F: Fn(T, &mut LevelSpawner<'_, T>) + Sync,
{
    by_level(initial, |item, level, now, later| {
        body(item, &mut LevelSpawner { level, now, later });
    });
}

/// The same with levels that need not be numbers. The body gets an item and its level, and puts what it spawns to this level into the first vector, and the
/// rest, which is for later ones, into the second.
pub(super) fn by_level<L, I, T, F>(initial: I, body: F)
where
    L: Ord + Copy + Send + Sync,
    I: IntoIterator<Item = (L, T)>,
    T: Send,
    F: Fn(T, L, &mut Vec<T>, &mut Vec<(L, T)>) + Sync,
{
    let mut levels = Levels::default();
    for (level, item) in initial {
        levels.put(level, item);
    }
    let mut pace = Pace::new();
    let mut later = Vec::new();
    while let Some((level, mut now)) = levels.next() {
        pace.resume();
        while pace.alone(now.len()) > 0
            && let Some(item) = now.pop()
        {
            body(item, level, &mut now, &mut later);
            pace.after_alone(1);
            for (level, item) in later.drain(..) {
                levels.put(level, item);
            }
        }
        if now.is_empty() {
            levels.recycle(now);
        } else {
            let least = now.len();
            levels = levels.merge(share(level, now, &body));
            pace.after_shared(least);
        }
    }
}

/// Works on one level with all threads, and returns what is left for later ones.
fn share<L, T, F>(level: L, items: Vec<T>, body: &F) -> Levels<L, T>
where
    L: Ord + Copy + Send + Sync,
    T: Send,
    F: Fn(T, L, &mut Vec<T>, &mut Vec<(L, T)>) + Sync,
{
    let body = |item, now: &mut Vec<T>, later: &mut Vec<(L, T)>| body(item, level, now, later);
    WorkList::new(items, &body)
        .fold(Levels::default, |mut later, (level, item)| {
            later.put(level, item);
            later
        })
        .reduce(Levels::default, Levels::merge)
}

/// Where the body of [`for_each_spawn`] puts new items.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// let sum = AtomicU32::new(0);
/// filch::algo::for_each_spawn([4], |n: u32, list| {
///     sum.fetch_add(n, Relaxed);
///     if n > 1 {
///         list.spawn(n / 2);
///     }
/// });
/// assert_eq!(sum.into_inner(), 4 + 2 + 1);
/// ```
#[doc(alias("feeder"))]
pub struct Spawner<'a, T>(&'a mut Vec<T>);

impl<T> Spawner<'_, T> {
    /// Puts an item on the list. It costs a push to a vector.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    ///
    /// let items = AtomicUsize::new(0);
    /// filch::algo::for_each_spawn([3], |n: u32, list| {
    ///     items.fetch_add(1, Relaxed);
    ///     (0..n).for_each(|smaller| list.spawn(smaller));
    /// });
    /// assert_eq!(items.into_inner(), 8);
    /// ```
    #[inline]
    pub fn spawn(&mut self, item: T) {
        self.0.push(item);
    }
}

impl<T> Extend<T> for Spawner<'_, T> {
    /// Puts items on the list.
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.0.extend(items);
    }
}

impl<T> fmt::Debug for Spawner<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawner").finish_non_exhaustive()
    }
}

/// Where the body of [`for_each_spawn_by_level`] puts new items.
///
/// ```
/// use std::sync::Mutex;
///
/// let seen = Mutex::new(Vec::new());
/// filch::algo::for_each_spawn_by_level([(0, "start")], |item, list| {
///     seen.lock().unwrap().push((list.level(), item));
///     if list.level() == 0 {
///         list.spawn(2, "late");
///         list.spawn(1, "soon");
///     }
/// });
/// assert_eq!(seen.into_inner().unwrap(), [(0, "start"), (1, "soon"), (2, "late")]);
/// ```
pub struct LevelSpawner<'a, T> {
    level: usize,
    now: &'a mut Vec<T>,
    later: &'a mut Vec<(usize, T)>,
}

impl<T> LevelSpawner<'_, T> {
    /// The level of the current item.
    ///
    /// ```
    /// filch::algo::for_each_spawn_by_level([(7, "item")], |_, list| assert_eq!(list.level(), 7));
    /// ```
    #[inline]
    pub fn level(&self) -> usize {
        self.level
    }

    /// Puts an item on the list for `level`, or for the current level if that is higher.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// let order = Mutex::new(vec![]);
    /// filch::algo::for_each_spawn_by_level([(0, 'a')], |letter, list| {
    ///     order.lock().unwrap().push(letter);
    ///     if letter == 'a' {
    ///         list.spawn(5, 'c');
    ///         list.spawn(2, 'b');
    ///     }
    /// });
    /// assert_eq!(order.into_inner().unwrap(), ['a', 'b', 'c']);
    /// ```
    #[inline]
    pub fn spawn(&mut self, level: usize, item: T) {
        if level > self.level {
            self.later.push((level, item));
        } else {
            self.now.push(item);
        }
    }
}

impl<T> fmt::Debug for LevelSpawner<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LevelSpawner")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}
