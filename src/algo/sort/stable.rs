//! The stable sort: std's sort on leaves, then parallel merges.
//!
//! 1. A short slice, and any slice if there is but one thread, is std's.
//! 2. A slice that begins with a run of half its length and more keeps the run: the rest is sorted,
//!    and merged in place with a buffer for the rest alone.
//! 3. Any other slice is cut into leaves. Each is sorted by std with the comparator as it was
//!    given. Pairs of neighbours are merged, to and fro between the slice and one buffer of its
//!    length.
//!
//! Many short runs need nothing of their own: std finds them inside the leaves, and a merge moves
//! stretches that do not overlap in bulk.
//!
//! Work O(n log n), span O(n/p log n) for std's leaves and O(log³ n) for the merges above them;
//! memory for n elements, and std's own in each leaf.
//!
//! # A comparator that panics
//!
//! The buffer is allocated before anything moves. Both sides of a join end or unwind before the
//! payload travels on; then the slice holds every element once, in some order. The buffer is freed
//! as memory, and no element in it is dropped.

use super::in_place::merge_in_place;
use super::order::{Order, heap_sort, is_sorted_by_std};
use super::probe::Run;
use super::span::Span;
use super::{SHORT, both, current_num_threads, in_pool};
use std::mem::MaybeUninit;

/// Leaves for each thread. Every doubling costs a merge, which is as cheap as what it saves std on
/// random data, and dearer where few keys make std fast.
const LEAVES: usize = 2;

/// Longest leaf, in bytes: with std's buffer it should stay in the cache of the last level.
const LEAF_BYTES: usize = 8 << 20;

/// Shortest leaf, in elements.
const MIN_LEAF: usize = 2048;

/// From this size on, indices are sorted in place of elements, which then move once, not once a
/// level.
const LARGE: usize = 64;

pub(crate) fn sort<T: Send, O: Order<T>>(v: &mut [T], order: &O) {
    if v.len() <= SHORT || size_of::<T>() == 0 || current_num_threads() == 1 {
        return order.sort(v);
    }
    let run = Run::leading(v, order);
    if run.len() == v.len() {
        return run.ascend(v);
    }
    let room = if is_long(run, v.len()) {
        v.len() - run.len()
    } else {
        v.len()
    };
    in_pool(|| {
        let mut buffer = Vec::with_capacity(room);
        sort_after(run, v, buffer.spare_capacity_mut(), order);
    });
}

fn is_long(run: Run, len: usize) -> bool {
    run.len() >= len / 2
}

/// Sorts a slice that begins with `run`. The buffer is as long as what a long run leaves, or as the
/// slice.
fn sort_after<T, O>(run: Run, v: &mut [T], buffer: &mut [MaybeUninit<T>], order: &O)
where
    T: Send,
    O: Order<T>,
{
    if !is_long(run, v.len()) {
        return sort_leaves(
            v,
            buffer,
            levels::<T>(v.len(), current_num_threads()),
            order,
        );
    }
    run.ascend(v);
    let rest = &mut v[run.len()..];
    if rest.is_empty() {
        return;
    }
    // The rest is half of the slice or less, so a run kept in it in turn makes for half the work,
    // and so on: keeping runs costs O(n) in all.
    let next = Run::leading(rest, order);
    sort_after(next, rest, buffer, order);
    merge_in_place(v, run.len(), buffer, order);
}

/// Sorts a slice that is halved `levels` times.
///
/// No span is leaked on the way: those made from the first one are merged into it, or dropped when a
/// comparator unwinds. A join runs both sides, and drops what one returned if the other one panics.
fn sort_leaves<T, O>(v: &mut [T], buffer: &mut [MaybeUninit<T>], levels: u32, order: &O)
where
    T: Send,
    O: Order<T>,
{
    // SAFETY: no span is leaked, as said above; `sort` leaves what is zero-sized to std.
    let span = unsafe { Span::new(v, buffer) };
    sort_span(span, levels, order).go_home();
}

/// How often to halve a slice of `len` elements.
fn levels<T>(len: usize, threads: usize) -> u32 {
    let leaves = (LEAVES * threads).max(len.saturating_mul(size_of::<T>()) / LEAF_BYTES);
    let levels = leaves.next_power_of_two().ilog2();
    // A merge moves the elements to the other place, and so does the sort of large ones. One level
    // more, if need be, and they end up at home.
    let moves = levels + u32::from(size_of::<T>() >= LARGE);
    (levels + moves % 2).min((len / MIN_LEAF).max(1).ilog2())
}

fn sort_span<'a, T, O>(mut span: Span<'a, T>, levels: u32, order: &O) -> Span<'a, T>
where
    T: Send,
    O: Order<T>,
{
    if levels == 0 {
        sort_leaf(&mut span, order);
        return span;
    }
    let mid = span.len() / 2;
    let (left, right) = span.split_at(mid);
    let (left, right) = both(
        || sort_span(left, levels - 1, order),
        || sort_span(right, levels - 1, order),
    );
    left.merge(right, order)
}

fn sort_leaf<T, O: Order<T>>(span: &mut Span<'_, T>, order: &O) {
    let elements = span.elements();
    if size_of::<T>() < LARGE || u32::try_from(elements.len()).is_err() {
        return order.sort(span.elements_mut());
    }
    let mut indices: Vec<u32> = (0..elements.len() as u32).collect();
    let sorted = is_sorted_by_std(|| {
        indices.sort_by(|&a, &b| order.compare(&elements[a as usize], &elements[b as usize]));
    });
    if !sorted {
        return heap_sort(order, span.elements_mut());
    }
    // SAFETY: every index once. std keeps each of the numbers it sorts, whatever the comparator
    // answers.
    unsafe { span.permute(&indices) };
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::sort_leaves;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn sweep<T: Send>(element: impl Fn(usize) -> T, key: impl Fn(&T) -> usize + Sync) {
        const LEN: usize = 120;
        for levels in 0..=3 {
            for panics_at in 0.. {
                let mut v: Vec<T> = (0..LEN).map(|i| element(i * 7919 % LEN)).collect();
                let calls = AtomicUsize::new(0);
                let order = By(|a: &T, b: &T| {
                    if calls.fetch_add(1, Relaxed) == panics_at {
                        resume_unwind(Box::new(()));
                    }
                    (key(a) / 3).cmp(&(key(b) / 3))
                });
                let mut buffer = Vec::with_capacity(LEN);
                let buffer = buffer.spare_capacity_mut();
                let sort = AssertUnwindSafe(|| sort_leaves(&mut v, buffer, levels, &order));
                let unwound = catch_unwind(sort).is_err();
                if !unwound {
                    assert!(v.iter().map(|x| key(x) / 3).eq((0..LEN).map(|i| i / 3)));
                }
                v.sort_by_key(&key);
                assert!(v.iter().map(&key).eq(0..LEN));
                if !unwound {
                    assert!(panics_at > LEN);
                    break;
                }
            }
        }
    }

    #[test]
    fn keeps_every_element_when_any_comparison_panics() {
        sweep(|i| i.to_string(), |x| x.parse().unwrap());
    }

    #[test]
    fn keeps_every_large_element_when_any_comparison_panics() {
        sweep(
            |i| [const { None }; 8].map(|_: Option<()>| i.to_string()),
            |x| x[7].parse().unwrap(),
        );
    }
}
