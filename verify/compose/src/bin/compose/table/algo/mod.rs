//! Ends that collect the items and hand them to a function of `filch::algo`, on the same pool as the chain.

use crate::row::Row;

/// What is done with the items `v`: by filch, by std.
macro_rules! of {
    ($name:literal, $takes:expr, $by_filch:expr, $by_std:expr) => {
        of!($name, $takes, "", $by_filch, $by_std)
    };
    // With what is done before in both forms.
    ($name:literal, $takes:expr, $before:expr, $by_filch:expr, $by_std:expr) => {
        $crate::row::row(
            $name,
            concat!(
                "{ use filch::algo; let mut v = {p}.collect::<Vec<_>>(); ",
                $before,
                $by_filch,
                " }"
            ),
        )
        .std(concat!(
            "{ let mut v = {p}.all_items(); ",
            $before,
            $by_std,
            " }"
        ))
        .takes($takes)
        .by_order()
        .weight(1)
    };
}

/// Many equal neighbours.
macro_rules! repeats {
    () => {
        "v.iter_mut().for_each(|x| *x %= 3); "
    };
}

/// Two sorted sets, with much in common.
macro_rules! two_sets {
    () => {
        "v.sort(); v.dedup(); let mut w: Vec<u64> = v.iter().copied().filter(|x| keep(x, {s})).chain([5, 1 << 40]).collect(); w.sort(); w.dedup(); "
    };
}

/// The same on std, as sets `a` and `b`.
macro_rules! as_sets {
    ($operation:literal) => {
        concat!("let (a, b): (BTreeSet<u64>, BTreeSet<u64>) = (v.into_iter().collect(), w.into_iter().collect()); ", $operation)
    };
}

/// The items in two parts, of which the first has up to `{b}`; each is sorted by the numbers modulo 50.
macro_rules! two_parts {
    () => {
        "let mid = v.len().min({b}); v[..mid].sort_by_key(|x| x % 50); v[mid..].sort_by_key(|x| x % 50); "
    };
}

mod elements;
mod order;

/// All of these ends.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    order::ROWS.iter().chain(elements::ROWS)
}
