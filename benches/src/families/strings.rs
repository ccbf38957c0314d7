use std::hint::black_box;

use orx_parallel::{IterIntoParIter as _, Par as _};

use crate::{
    case::{Case, Suite},
    real, twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    // A text is ten megabytes long.
    for n in setting.lengths(10_000_000).skip(1) {
        let text = real::prefix(n);
        Case::new("lines", n)
            .by("std", || black_box(text).lines().count())
            .par(twice!(|| black_box(text).par_lines().count()))
            .by("orx", || {
                let lines = black_box(text).lines().iter_into_par();
                lines.num_threads(setting.threads).count()
            })
            .put(suite);
        Case::new("words, the longest", n)
            .by("std", || {
                black_box(text).split_whitespace().map(str::len).max()
            })
            .par(twice!(|| black_box(text)
                .par_split_whitespace()
                .map(str::len)
                .max()))
            .by("orx", || {
                let words = black_box(text).split_whitespace().iter_into_par();
                words.num_threads(setting.threads).map(str::len).max()
            })
            .put(suite);
        Case::new("characters that are upper case", n)
            .by("std", || {
                black_box(text).chars().filter(|c| c.is_uppercase()).count()
            })
            .par(twice!(|| black_box(text)
                .par_chars()
                .filter(|c| c.is_uppercase())
                .count()))
            .put(suite);
    }
}
