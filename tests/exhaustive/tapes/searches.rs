//! Ends that may stop early.

use super::{cases, ids, numbers, stepped};
use filch::prelude::*;

cases! {
    find_any(5): |v, s| ids(v.into_par_iter().find_any(|t| { s.step(); t.id() == 2 })); |n| (2..n.clamp(2, 3)).collect();
    find_any_of_many(5): |v, s| vec![v.into_par_iter().find_any(|t| { s.step(); t.id() > 0 }).is_some().into()]; |n| vec![(n > 1).into()];
    find_first(5): |v, s| ids(v.into_par_iter().find_first(|t| { s.step(); t.id() > 0 })); |n| (0..n).find(|&i| i > 0).into_iter().collect();
    find_first_unindexed(5): |v, s| ids(stepped(v, s).filter(|t| t.id() != 1).find_first(|t| { s.step(); t.id() > 0 }));
        |n| (0..n).find(|&i| i > 1).into_iter().collect();
    find_first_of_flat(5): |v, s| numbers(v, s).flat_map(|i| [i, i + 10]).find_first(|&i| i > 9).into_iter().collect();
        |n| (10..10 + n.min(1)).collect();
    find_last(5): |v, s| ids(v.into_par_iter().find_last(|t| { s.step(); t.id() < 3 })); |n| (0..n).rfind(|&i| i < 3).into_iter().collect();
    find_last_unindexed(5): |v, s| ids(stepped(v, s).filter(|t| t.id() != 2).find_last(|t| { s.step(); t.id() < 3 }));
        |n| (0..n).rfind(|&i| i < 2).into_iter().collect();
    find_map_any(5): |v, s| ids(v.into_par_iter().find_map_any(|t| { s.step(); (t.id() == 2).then_some(t) })); |n| (2..n.clamp(2, 3)).collect();
    find_map_first(5): |v, s| ids(v.into_par_iter().find_map_first(|t| { s.step(); (t.id() > 0).then_some(t) }));
        |n| (0..n).find(|&i| i > 0).into_iter().collect();
    find_map_last(5): |v, s| ids(v.into_par_iter().find_map_last(|t| { s.step(); (t.id() < 3).then_some(t) }));
        |n| (0..n).rfind(|&i| i < 3).into_iter().collect();
    any(5): |v, s| vec![v.into_par_iter().any(|t| { s.step(); t.id() == 3 }).into()]; |n| vec![(n > 3).into()];
    all(5): |v, s| vec![v.into_par_iter().all(|t| { s.step(); t.id() != 3 }).into()]; |n| vec![(n <= 3).into()];
    position_any(5): |v, s| v.into_par_iter().position_any(|t| { s.step(); t.id() == 2 }).into_iter().collect(); |n| (2..n.clamp(2, 3)).collect();
    position_first(5): |v, s| v.into_par_iter().position_first(|t| { s.step(); t.id() > 1 }).into_iter().collect();
        |n| (0..n).position(|i| i > 1).into_iter().collect();
    position_last(5): |v, s| v.into_par_iter().position_last(|t| { s.step(); t.id() < 3 }).into_iter().collect();
        |n| (0..n).rposition(|i| i < 3).into_iter().collect();
}
