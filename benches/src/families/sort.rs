use std::rc::Rc;

use filch::ext::ParallelRadixSort as _;
use rdst::RadixSort as _;
use voracious_radix_sort::RadixSort as _;

use crate::{
    case::{Case, Suite},
    inputs::{numbers, random},
    real, twice,
};

/// Fresh copies of `data`.
fn copies<'a, T: Clone>(data: &'a [T]) -> Rc<dyn Fn() -> Vec<T> + 'a> {
    Rc::new(|| data.to_vec())
}

/// A sort that gives its vector back.
fn sorting<T>(sort: impl Fn(&mut Vec<T>)) -> impl Fn(Vec<T>) -> Vec<T> {
    move |mut data| {
        sort(&mut data);
        data
    }
}

pub fn cases(suite: &mut Suite<'_>) {
    let threads = suite.setting.threads;
    let words: Vec<&str> = real::text().text.split_whitespace().collect();
    for n in suite.setting.lengths(1_000_000) {
        let data = &random(n)[..];
        let input = &copies(data);
        let (ours, rayon) = twice!(sorting(|v: &mut Vec<u64>| v.par_sort()));
        Case::new("u64, stable", n)
            .with("std", input, sorting(|v| v.sort()))
            .with("filch", input, ours)
            .with("rayon", input, rayon)
            .with("glidesort", input, sorting(|v| glidesort::sort(v)))
            .put(suite);
        let (ours, rayon) = twice!(sorting(|v: &mut Vec<u64>| v.par_sort_unstable()));
        Case::new("u64, unstable", n)
            .with("std", input, sorting(|v| v.sort_unstable()))
            .with("filch", input, ours)
            .with("rayon", input, rayon)
            .put(suite);
        Case::new("u64, by radix", n)
            .with("std", input, sorting(|v| v.sort_unstable()))
            .with("filch", input, sorting(|v| v.par_radix_sort()))
            .with("rdst", input, sorting(|v| v.radix_sort_unstable()))
            .with(
                "voracious",
                input,
                sorting(move |v| v.voracious_mt_sort(threads)),
            )
            .put(suite);
        // Drawn from all over the text, in which the same words follow each other.
        let drawn: Vec<&str> = numbers(n)
            .iter()
            .map(|&x| words[x as usize % words.len()])
            .collect();
        let input = &copies(&drawn);
        let (ours, rayon) = twice!(sorting(|v: &mut Vec<&str>| v.par_sort()));
        Case::new("words, stable", n)
            .with("std", input, sorting(|v| v.sort()))
            .with("filch", input, ours)
            .with("rayon", input, rayon)
            .with("glidesort", input, sorting(|v| glidesort::sort(v)))
            .put(suite);
    }
}
