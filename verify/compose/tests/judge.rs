//! What a promise lets pass, and what it does not.

use compose::judge::{Check, Count, FAILED, Promise};

fn breaks(check: Check, count: Count, ordered: bool, got: &[u64], want: &[u64]) -> bool {
    let promise = Promise {
        check,
        count,
        ordered,
    };
    promise.breach(got, want).is_some()
}

#[test]
fn items_in_order_are_those_of_std() {
    let breaks = |got: &[u64]| breaks(Check::Items, Count::All, true, got, &[1, 2, 2, 3]);
    assert!(!breaks(&[1, 2, 2, 3]));
    assert!(breaks(&[1, 2, 3]) && breaks(&[2, 1, 2, 3]) && breaks(&[1, 2, 2, 3, 3]));
}

#[test]
fn items_without_order_are_as_many_of_each() {
    let breaks = |got: &[u64]| breaks(Check::Items, Count::All, false, got, &[1, 2, 2, 3]);
    assert!(!breaks(&[3, 2, 1, 2]));
    assert!(breaks(&[3, 2, 1, 1]) && breaks(&[3, 2, 1]));
}

#[test]
fn some_items_keep_their_order() {
    let breaks = |got: &[u64]| breaks(Check::Items, Count::Some, true, got, &[1, 2, 2, 3]);
    assert!(!breaks(&[]) && !breaks(&[2, 2]) && !breaks(&[1, 3]));
    assert!(breaks(&[3, 1]) && breaks(&[1, 1]) && breaks(&[4]));
}

#[test]
fn so_many_items_are_not_more_nor_fewer() {
    let taken = |got: &[u64]| breaks(Check::Items, Count::AtMost(2), true, got, &[1, 2, 3]);
    assert!(!taken(&[1, 3]) && taken(&[1]) && taken(&[1, 2, 3]));
    let left = |got: &[u64]| breaks(Check::Items, Count::Without(2), false, got, &[1, 2, 3]);
    assert!(!left(&[2]) && left(&[]) && left(&[4]));
}

#[test]
fn any_hit_is_one_of_the_hits() {
    let found = |count, got: &[u64], want: &[u64]| breaks(Check::OneOf, count, true, got, want);
    assert!(!found(Count::All, &[2], &[1, 2]) && !found(Count::All, &[], &[]));
    assert!(found(Count::All, &[], &[1, 2]) && found(Count::All, &[3], &[1, 2]));
    assert!(found(Count::All, &[1], &[]) && !found(Count::Some, &[], &[1]));
}

#[test]
fn any_failure_is_one_of_the_failures() {
    let failed = |got: &[u64], want: &[u64]| breaks(Check::Fails, Count::All, true, got, want);
    assert!(!failed(&[7, FAILED], &[5, 7, FAILED]));
    assert!(failed(&[6, FAILED], &[5, 7, FAILED]) && failed(&[], &[5, FAILED]));
    assert!(!failed(&[1, 2], &[1, 2]) && failed(&[1, FAILED], &[1, 2]));
}
