//! Parts of slices and of texts.

use crate::row::{Gives, Row, row};
use Gives::{Other, Slices};

pub static ROWS: &[Row] = &[
    row(
        "ParallelSlice::par_chunks",
        "d.numbers({n}).par_chunks({k})",
    )
    .std("d.numbers({n}).chunks({k})")
    .borrows()
    .gives(Slices("&[u64]")),
    row(
        "ParallelSlice::par_chunks_exact",
        "d.numbers({n}).par_chunks_exact({k})",
    )
    .std("d.numbers({n}).chunks_exact({k})")
    .borrows()
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSlice::par_rchunks",
        "d.numbers({n}).par_rchunks({k})",
    )
    .std("d.numbers({n}).rchunks({k})")
    .borrows()
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSlice::par_rchunks_exact",
        "d.numbers({n}).par_rchunks_exact({k})",
    )
    .std("d.numbers({n}).rchunks_exact({k})")
    .borrows()
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSlice::par_windows",
        "d.numbers({n}).par_windows({k})",
    )
    .std("d.numbers({n}).windows({k})")
    .borrows()
    .grows(3)
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSlice::par_array_windows",
        "d.numbers({n}).par_array_windows::<3>()",
    )
    .std("d.numbers({n}).windows(3).map(|w| <&[u64; 3]>::try_from(w).unwrap())")
    .borrows()
    .grows(3)
    .gives(Slices("&[u64; 3]"))
    .weight(2),
    row(
        "ParallelSlice::par_split",
        "d.numbers({n}).par_split(|x| !most(x, {s}, 5))",
    )
    .std("d.numbers({n}).split(|x| !most(x, {s}, 5))")
    .borrows()
    .loses()
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSlice::par_split_inclusive",
        "d.numbers({n}).par_split_inclusive(|x| !most(x, {s}, 5))",
    )
    .std("d.numbers({n}).split_inclusive(|x| !most(x, {s}, 5))")
    .borrows()
    .loses()
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSlice::par_chunk_by",
        "d.numbers({n}).par_chunk_by(|x, _| keep(x, {s}))",
    )
    .std("d.numbers({n}).chunk_by(|x, _| keep(x, {s}))")
    .borrows()
    .loses()
    .gives(Slices("&[u64]"))
    .weight(2),
    row(
        "ParallelSliceArrays::par_array_chunks",
        "d.numbers({n}).par_array_chunks::<3>()",
    )
    .std("d.numbers({n}).chunks_exact(3).map(|w| <&[u64; 3]>::try_from(w).unwrap())")
    .borrows()
    .gives(Slices("&[u64; 3]"))
    .ext(),
    row(
        "ParallelSliceArrays::par_array_chunks_mut",
        "{v}.par_array_chunks_mut::<3>()",
    )
    .std("{v}.chunks_exact_mut(3)")
    .variable("let mut {v} = numbers({n});")
    .gives(Other("&mut [u64; 3]"))
    .ext(),
    row(
        "ParallelSliceMut::par_chunks_mut",
        "{v}.par_chunks_mut({k})",
    )
    .std("{v}.chunks_mut({k})")
    .variable("let mut {v} = numbers({n});")
    .gives(Other("&mut [u64]"))
    .weight(2),
    row(
        "ParallelSliceMut::par_chunks_exact_mut",
        "{v}.par_chunks_exact_mut({k})",
    )
    .std("{v}.chunks_exact_mut({k})")
    .variable("let mut {v} = numbers({n});")
    .gives(Other("&mut [u64]"))
    .weight(2),
    row(
        "ParallelSliceMut::par_rchunks_mut",
        "{v}.par_rchunks_mut({k})",
    )
    .std("{v}.rchunks_mut({k})")
    .variable("let mut {v} = numbers({n});")
    .gives(Other("&mut [u64]"))
    .weight(2),
    row(
        "ParallelSliceMut::par_rchunks_exact_mut",
        "{v}.par_rchunks_exact_mut({k})",
    )
    .std("{v}.rchunks_exact_mut({k})")
    .variable("let mut {v} = numbers({n});")
    .gives(Other("&mut [u64]"))
    .weight(2),
    row(
        "ParallelSliceMut::par_split_mut",
        "{v}.par_split_mut(|x| !most(x, {s}, 5))",
    )
    .std("{v}.split_mut(|x| !most(x, {s}, 5))")
    .variable("let mut {v} = numbers({n});")
    .loses()
    .gives(Other("&mut [u64]"))
    .weight(2),
    row(
        "ParallelSliceMut::par_split_inclusive_mut",
        "{v}.par_split_inclusive_mut(|x| !most(x, {s}, 5))",
    )
    .std("{v}.split_inclusive_mut(|x| !most(x, {s}, 5))")
    .variable("let mut {v} = numbers({n});")
    .loses()
    .gives(Other("&mut [u64]"))
    .weight(2),
    row(
        "ParallelSliceMut::par_chunk_by_mut",
        "{v}.par_chunk_by_mut(|x, _| keep(x, {s}))",
    )
    .std("{v}.chunk_by_mut(|x, _| keep(x, {s}))")
    .variable("let mut {v} = numbers({n});")
    .loses()
    .gives(Other("&mut [u64]"))
    .weight(2),
    // texts
    row("ParallelString::par_chars", "d.text({n}).par_chars()")
        .std("d.text({n}).chars()")
        .borrows()
        .loses()
        .gives(Other("char")),
    row(
        "ParallelString::par_char_indices",
        "d.text({n}).par_char_indices()",
    )
    .std("d.text({n}).char_indices()")
    .borrows()
    .loses()
    .gives(Other("(usize, char)"))
    .weight(2),
    row("ParallelString::par_bytes", "d.text({n}).par_bytes()")
        .std("d.text({n}).bytes()")
        .borrows()
        .loses()
        .gives(Other("u8"))
        .weight(2),
    row(
        "ParallelString::par_encode_utf16",
        "d.text({n}).par_encode_utf16()",
    )
    .std("d.text({n}).encode_utf16()")
    .borrows()
    .loses()
    .gives(Other("u16"))
    .weight(2),
    row("ParallelString::par_split", "d.text({n}).par_split(',')")
        .std("d.text({n}).split(',')")
        .borrows()
        .loses()
        .gives(Other("&str")),
    row(
        "ParallelString::par_split_inclusive",
        "d.text({n}).par_split_inclusive([',', ' '])",
    )
    .std("d.text({n}).split_inclusive([',', ' '])")
    .borrows()
    .loses()
    .gives(Other("&str"))
    .weight(2),
    row(
        "ParallelString::par_split_terminator",
        "d.text({n}).par_split_terminator(',')",
    )
    .std("d.text({n}).split_terminator(',')")
    .borrows()
    .loses()
    .gives(Other("&str"))
    .weight(2),
    row("ParallelString::par_lines", "d.text({n}).par_lines()")
        .std("d.text({n}).lines()")
        .borrows()
        .loses()
        .gives(Other("&str"))
        .weight(2),
    row(
        "ParallelString::par_split_whitespace",
        "d.text({n}).par_split_whitespace()",
    )
    .std("d.text({n}).split_whitespace()")
    .borrows()
    .loses()
    .gives(Other("&str"))
    .weight(2),
    row(
        "ParallelString::par_split_ascii_whitespace",
        "d.text({n}).par_split_ascii_whitespace()",
    )
    .std("d.text({n}).split_ascii_whitespace()")
    .borrows()
    .loses()
    .gives(Other("&str"))
    .weight(2),
    row(
        "ParallelString::par_matches",
        "d.text({n}).par_matches(char::is_alphabetic)",
    )
    .std("d.text({n}).matches(char::is_alphabetic)")
    .borrows()
    .loses()
    .gives(Other("&str"))
    .weight(2),
    row(
        "ParallelString::par_match_indices",
        "d.text({n}).par_match_indices(',')",
    )
    .std("d.text({n}).match_indices(',')")
    .borrows()
    .loses()
    .gives(Other("(usize, &str)"))
    .weight(2),
];
