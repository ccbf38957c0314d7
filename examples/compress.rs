//! Writes a compressed file on all threads: blocks are compressed at once, and written in their order.
//!
//! `cargo run --release --example compress -- [MiB] [file]`
//!
//! `.map(compress).with_ordered_iter(..)` is a pipeline with a bound: the file is written while later blocks are compressed, and no more
//! than so many of them wait in memory. A gzip file may have several parts one after the other, so each block is such a part, as in pigz.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, process};

use filch::ext::*;
use filch::prelude::*;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;

/// Large enough to compress well, and small enough that there are many.
const BLOCK: usize = 128 << 10;
/// How many compressed blocks may wait until it is their turn.
const WAITING: usize = 64;

fn main() -> io::Result<()> {
    let usage = "usage: compress [MiB] [file]";
    let size: usize = env::args().nth(1).map_or(32, |n| n.parse().expect(usage));
    assert!(size > 0, "at least 1 MiB");
    let named = env::args().nth(2).map(PathBuf::from);
    let path = named
        .clone()
        .unwrap_or_else(|| env::temp_dir().join(format!("filch-compress-{}.gz", process::id())));

    let data: Vec<u8> = text(size << 20);
    let blocks = data.len().div_ceil(BLOCK) as u64;
    // Shows itself on a terminal only.
    let bar = ProgressBar::new(2 * blocks);
    let (written, one) = timed(|| sequential(&data, &path, &bar));
    let expected = (written?, unpacked(&path)?);
    let (written, all) = timed(|| parallel(&data, &path, &bar));
    let found = (written?, unpacked(&path)?);
    bar.finish_and_clear();
    if named.is_none() {
        std::fs::remove_file(&path)?;
    }

    assert!(found == expected, "the two ways disagree");
    assert!(found.1 == data, "something else comes out than went in");
    println!(
        "{} bytes in {blocks} blocks, compressed to {}",
        data.len(),
        found.0
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    Ok(())
}

/// Returns how many bytes were written.
fn sequential(data: &[u8], path: &Path, bar: &ProgressBar) -> io::Result<u64> {
    let mut file = File::create(path)?;
    for block in data.chunks(BLOCK) {
        file.write_all(&compressed(block)?)?;
        bar.inc(1);
    }
    Ok(file.metadata()?.len())
}

fn parallel(data: &[u8], path: &Path, bar: &ProgressBar) -> io::Result<u64> {
    let mut file = File::create(path)?;
    data.par_chunks(BLOCK)
        .map(compressed)
        .with_ordered_iter(WAITING, |blocks| {
            // On this thread, in order. An error ends the loop, and with it the compression.
            for block in blocks {
                file.write_all(&block?)?;
                bar.inc(1);
            }
            io::Result::Ok(())
        })?;
    Ok(file.metadata()?.len())
}

fn compressed(block: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(block)?;
    encoder.finish()
}

fn unpacked(path: &Path) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    MultiGzDecoder::new(BufReader::new(File::open(path)?)).read_to_end(&mut data)?;
    Ok(data)
}

/// A text that can be compressed: numbers that are written out.
fn text(bytes: usize) -> Vec<u8> {
    let mut text: Vec<u8> = (0..bytes as u64 / 8)
        .into_par_iter()
        .flat_map_iter(|i| {
            let random = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
            format!("{random} of {i}\n").into_bytes()
        })
        .collect();
    text.truncate(bytes);
    text
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
