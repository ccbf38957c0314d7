//! An adaptor that is not driven does nothing, and the compiler says so.

#![allow(dead_code)]
#![deny(unused_must_use)]

use filch::ext::*;
use filch::prelude::*;

/// Kept, all of them compile: nothing else is wrong with those below.
fn kept() {
    let token = CancelToken::new();
    let v = || vec![1].into_par_iter();
    let _ = v().by_exponential_blocks();
    let _ = v().by_uniform_blocks(2);
    let _ = v().chain(v());
    let _ = v().chunks(2);
    let _ = [1].par_iter().cloned();
    let _ = [1].par_iter().copied();
    let _ = v().enumerate();
    let _ = v().filter(|_| true);
    let _ = v().filter_map(Some);
    let _ = v().flat_map(|_| v());
    let _ = v().flat_map_iter(|_| 0..1);
    let _ = v().map(|_| v()).flatten();
    let _ = v().map(|_| 0..1).flatten_iter();
    let _ = v().fold(|| 0, |a, b| a + b);
    let _ = v().fold_chunks(2, || 0, |a, b| a + b);
    let _ = v().fold_chunks_with(2, 0, |a, b| a + b);
    let _ = v().fold_with(0, |a, b| a + b);
    let _ = v().inspect(|_| ());
    let _ = v().interleave(v());
    let _ = v().interleave_shortest(v());
    let _ = v().intersperse(0);
    let _ = v().map(|i| i);
    let _ = v().map_init(|| 0, |_, i| i);
    let _ = v().map_with(0, |_, i| i);
    let _ = v().panic_fuse();
    let _ = v().positions(|_| true);
    let _ = v().rev();
    let _ = v().skip(1);
    let _ = v().skip_any(1);
    let _ = v().skip_any_while(|_| true);
    let _ = v().step_by(2);
    let _ = v().take(1);
    let _ = v().take_any(1);
    let _ = v().take_any_while(|_| true);
    let _ = v().try_fold(|| 0, i32::checked_add);
    let _ = v().try_fold_with(0, i32::checked_add);
    let _ = v().update(|_| ());
    let _ = v().map(Some).while_some();
    let _ = v().with_max_len(1);
    let _ = v().with_min_len(1);
    let _ = v().zip(v());
    let _ = v().zip_eq(v());
    let _ = v().by_key(|i| i % 2);
    let _ = v().by_key(|i| i % 2).first_seen();
    let _ = v().scan_inclusive(|a, b| a + b);
    let _ = v().scan_exclusive(0, |a, b| a + b);
    let _ = v().array_chunks::<2>();
    let _ = [1, 2].par_array_chunks::<2>();
    let _ = [1, 2].par_array_chunks_mut::<2>();
    let _ = (0..9).par_bridge_ordered();
    let _ = v().cancellable(&token);
    let _ = v().take_while(|_| true);
    let _ = v().map_while(Some);
    let _ = v().skip_while(|_| true);
    let _ = v().reproducible();
    let _ = v().using(|| 0);
    let _ = v().using(|| 0).map(|_, i| i);
    let _ = v().using(|| 0).filter_map(|_, i| Some(i));
}

fn dropped() {
    let token = CancelToken::new();
    let v = || vec![1].into_par_iter();
    v().by_exponential_blocks(); //~ unused_must_use: unused `ExponentialBlocks`
    v().by_uniform_blocks(2); //~ unused_must_use: unused `UniformBlocks`
    v().chain(v()); //~ unused_must_use: unused `Chain`
    v().chunks(2); //~ unused_must_use: unused `Chunks`
    [1].par_iter().cloned(); //~ unused_must_use: unused `Cloned`
    [1].par_iter().copied(); //~ unused_must_use: unused `Copied`
    v().enumerate(); //~ unused_must_use: unused `Enumerate`
    v().filter(|_| true); //~ unused_must_use: unused `Filter`
    v().filter_map(Some); //~ unused_must_use: unused `FilterMap`
    v().flat_map(|_| v()); //~ unused_must_use: unused `FlatMap`
    v().flat_map_iter(|_| 0..1); //~ unused_must_use: unused `FlatMapIter`
    v().map(|_| v()).flatten(); //~ unused_must_use: unused `Flatten`
    v().map(|_| 0..1).flatten_iter(); //~ unused_must_use: unused `FlattenIter`
    v().fold(|| 0, |a, b| a + b); //~ unused_must_use: unused `Fold`
    v().fold_chunks(2, || 0, |a, b| a + b); //~ unused_must_use: unused `FoldChunks`
    v().fold_chunks_with(2, 0, |a, b| a + b); //~ unused_must_use: unused `FoldChunksWith`
    v().fold_with(0, |a, b| a + b); //~ unused_must_use: unused `FoldWith`
    v().inspect(|_| ()); //~ unused_must_use: unused `Inspect`
    v().interleave(v()); //~ unused_must_use: unused `Interleave`
    v().interleave_shortest(v()); //~ unused_must_use: unused `InterleaveShortest`
    v().intersperse(0); //~ unused_must_use: unused `Intersperse`
    v().map(|i| i); //~ unused_must_use: unused `Map`
    v().map_init(|| 0, |_, i| i); //~ unused_must_use: unused `MapInit`
    v().map_with(0, |_, i| i); //~ unused_must_use: unused `MapWith`
    v().panic_fuse(); //~ unused_must_use: unused `PanicFuse`
    v().positions(|_| true); //~ unused_must_use: unused `Positions`
    v().rev(); //~ unused_must_use: unused `Rev`
    v().skip(1); //~ unused_must_use: unused `Skip`
    v().skip_any(1); //~ unused_must_use: unused `SkipAny`
    v().skip_any_while(|_| true); //~ unused_must_use: unused `SkipAnyWhile`
    v().step_by(2); //~ unused_must_use: unused `StepBy`
    v().take(1); //~ unused_must_use: unused `Take`
    v().take_any(1); //~ unused_must_use: unused `TakeAny`
    v().take_any_while(|_| true); //~ unused_must_use: unused `TakeAnyWhile`
    v().try_fold(|| 0, i32::checked_add); //~ unused_must_use: unused `TryFold`
    v().try_fold_with(0, i32::checked_add); //~ unused_must_use: unused `TryFoldWith`
    v().update(|_| ()); //~ unused_must_use: unused `Update`
    v().map(Some).while_some(); //~ unused_must_use: unused `WhileSome`
    v().with_max_len(1); //~ unused_must_use: unused `MaxLen`
    v().with_min_len(1); //~ unused_must_use: unused `MinLen`
    v().zip(v()); //~ unused_must_use: unused `Zip`
    v().zip_eq(v()); //~ unused_must_use: unused `ZipEq`
    v().by_key(|i| i % 2); //~ unused_must_use: unused `ByKey`
    v().by_key(|i| i % 2).first_seen(); //~ unused_must_use: unused `FirstSeen`
    v().scan_inclusive(|a, b| a + b); //~ unused_must_use: unused `ScanInclusive`
    v().scan_exclusive(0, |a, b| a + b); //~ unused_must_use: unused `ScanExclusive`
    v().array_chunks::<2>(); //~ unused_must_use: unused `ArrayChunks`
    [1, 2].par_array_chunks::<2>(); //~ unused_must_use: unused `SliceArrayChunks`
    [1, 2].par_array_chunks_mut::<2>(); //~ unused_must_use: unused `SliceArrayChunksMut`
    (0..9).par_bridge_ordered(); //~ unused_must_use: unused `OrderedBridge`
    v().cancellable(&token); //~ unused_must_use: unused `Cancellable`
    v().take_while(|_| true); //~ unused_must_use: unused `TakeWhile`
    v().map_while(Some); //~ unused_must_use: unused `MapWhile`
    v().skip_while(|_| true); //~ unused_must_use: unused `SkipWhile`
    v().progress(|_| ()); //~ unused_must_use: unused `Progress`
    v().reproducible(); //~ unused_must_use: unused `Reproducible`
    v().using(|| 0); //~ unused_must_use: unused `Using`
    v().using(|| 0).map(|_, i| i); //~ unused_must_use: unused `UsingMap`
    v().using(|| 0).filter_map(|_, i| Some(i)); //~ unused_must_use: unused `UsingFilterMap`
    filch::algo::pipeline(0..9).stage(1, |i| i); //~ unused_must_use: unused `Pipeline`
    filch::ext::spawn_handle(|| ()); //~ unused_must_use: unused `JobHandle`
    // With the feature `trace`: a `Flight` that is dropped at once.
}
