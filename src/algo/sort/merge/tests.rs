//! Merges against a sort, with comparators that panic and comparators that lie.

use super::{LEAF, RunMerge};
use crate::algo::sort::order::By;
use std::cell::Cell;
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Merges by a comparator that may panic, and returns what is in the gap after.
fn merge<F>(left: &[(u32, u32)], right: &[(u32, u32)], compare: F) -> (bool, Vec<(u32, u32)>)
where
    F: Fn(&(u32, u32), &(u32, u32)) -> Ordering + Sync,
{
    let mut gap = vec![(u32::MAX, u32::MAX); left.len() + right.len()];
    // SAFETY: three vectors of fitting lengths, apart from each other. The elements are `Copy`: that
    // they stay where they were, too, does no harm.
    let merge = unsafe {
        RunMerge::new(
            (left.as_ptr(), left.len()),
            (right.as_ptr(), right.len()),
            gap.as_mut_ptr(),
        )
    };
    let unwound = catch_unwind(AssertUnwindSafe(|| merge.run(1, &By(compare)))).is_err();
    (unwound, gap)
}

fn run(keys: impl Iterator<Item = u32>, first: u32) -> Vec<(u32, u32)> {
    let mut keys: Vec<u32> = keys.collect();
    keys.sort();
    keys.into_iter().zip(first..).collect()
}

#[test]
fn merges_stably_whatever_the_lengths() {
    let lengths = [0, 1, 2, 7, 40, 300, 5000, *LEAF.end() as u32 + 1];
    for (left_len, right_len) in lengths.iter().flat_map(|&a| lengths.map(|b| (a, b))) {
        for keys in [1, 2, 50, 1 << 20] {
            let left = run(
                (0..left_len).map(|i| i.wrapping_mul(2_654_435_761) % keys),
                0,
            );
            let right = run(
                (0..right_len).map(|i| i.wrapping_mul(40_503) % keys),
                left_len,
            );
            let (_, merged) = merge(&left, &right, |a, b| a.0.cmp(&b.0));
            let mut sorted = [left, right].concat();
            sorted.sort();
            assert_eq!(merged, sorted);
        }
    }
}

#[test]
fn keeps_every_element_when_a_comparison_panics() {
    let left = run((0..150).map(|i| i * 7 % 101), 0);
    let right = run((0..90).map(|i| i * 5 % 83), 150);
    let mut last = 0;
    for panics_at in 0.. {
        let calls = AtomicUsize::new(0);
        let (unwound, mut merged) = merge(&left, &right, |a, b| {
            if calls.fetch_add(1, Relaxed) == panics_at {
                resume_unwind(Box::new(()));
            }
            a.0.cmp(&b.0)
        });
        merged.sort_by_key(|x| x.1);
        assert!(merged.into_iter().map(|x| x.1).eq(0..240));
        if !unwound {
            break;
        }
        last = panics_at;
    }
    assert!(last > 100);
}

#[test]
fn keeps_every_element_whatever_the_comparator_answers() {
    thread_local!(static STATE: Cell<u32> = const { Cell::new(1) });
    let answers: [fn() -> Ordering; 5] = [
        || Ordering::Less,
        || Ordering::Greater,
        || Ordering::Equal,
        // The other way round each time: neither run has an element that comes first.
        || {
            STATE.set(STATE.get() ^ 1);
            [Ordering::Less, Ordering::Greater][STATE.get() as usize % 2]
        },
        || {
            STATE.set(
                STATE
                    .get()
                    .wrapping_mul(1_664_525)
                    .wrapping_add(1_013_904_223),
            );
            (STATE.get() >> 16 & 1).cmp(&(STATE.get() >> 17 & 1))
        },
    ];
    for answer in answers {
        for (left_len, right_len) in [(0, 5), (1, 1), (3, 400), (400, 3), (9000, 11_000)] {
            let (left, right) = (run(0..left_len, 0), run(0..right_len, left_len));
            let (_, mut merged) = merge(&left, &right, |_, _| answer());
            merged.sort_by_key(|x| x.1);
            assert!(merged.into_iter().map(|x| x.1).eq(0..left_len + right_len));
        }
    }
}
