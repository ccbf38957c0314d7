//! Blurs a picture: rows first and then columns, each pass with all threads.
//!
//! `cargo run --release --example blur -- [width] [file.png]`
//!
//! Three box blurs in a row look like a Gaussian one, and a box blur costs the same for any radius: the sum under a box that moves on by one
//! pixel gains one and loses one.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, error::Error};

use filch::prelude::*;

type Pixel = [u8; 3];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let width: usize = args.next().map_or(1_200, |n| {
        n.parse().expect("usage: blur [width] [file.png]")
    });
    let path = args
        .next()
        .map_or_else(|| env::temp_dir().join("filch-blur.png"), PathBuf::from);
    let (width, height) = (width.max(8), (width * 2 / 3).max(8));
    let radius = width / 60 + 1;

    let picture = draw(width, height);
    let (expected, one) = timed(|| blurred(&picture, width, radius, sequential));
    let (found, all) = timed(|| blurred(&picture, width, radius, parallel));

    assert!(found == expected, "the two pictures differ");
    check_average(&picture, &found);
    // The picture as it was above the blurred one.
    let both: Vec<u8> = picture.iter().chain(&found).copied().flatten().collect();
    write_png(&path, width, 2 * height, &both)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!(
        "{width} x {height} pixels, radius {radius}, in {}",
        path.display()
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    Ok(())
}

/// Turns rows into blurred columns: `to` has the shape of `from` on its side.
type Pass = fn(from: &[Pixel], width: usize, radius: usize, to: &mut [Pixel]);

fn blurred(picture: &[Pixel], width: usize, radius: usize, pass: Pass) -> Vec<Pixel> {
    let height = picture.len() / width;
    let (mut here, mut there) = (picture.to_vec(), picture.to_vec());
    for _ in 0..3 {
        pass(&here, width, radius, &mut there);
        pass(&there, height, radius, &mut here);
    }
    here
}

fn sequential(from: &[Pixel], width: usize, radius: usize, to: &mut [Pixel]) {
    let height = from.len() / width;
    for (x, column) in to.chunks_mut(height).enumerate() {
        blur_column(from, width, x, radius, column);
    }
}

/// Each item is a row of the output, which one thread writes; all threads read the input.
fn parallel(from: &[Pixel], width: usize, radius: usize, to: &mut [Pixel]) {
    let height = from.len() / width;
    to.par_chunks_mut(height)
        .enumerate()
        .for_each(|(x, column)| blur_column(from, width, x, radius, column));
}

/// Averages column `x` of `from` over a moving box. Beyond its ends the column goes on with its last pixels.
fn blur_column(from: &[Pixel], width: usize, x: usize, radius: usize, to: &mut [Pixel]) {
    let last = to.len() - 1;
    let pixel = |y: usize| from[y.min(last) * width + x].map(u32::from);
    let size = 2 * radius as u32 + 1;
    // The box around the first pixel: `radius` copies of it, itself, and what follows.
    let mut sum = pixel(0).map(|value| value * (radius as u32 + 1));
    for y in 1..=radius {
        let value = pixel(y);
        (0..3).for_each(|c| sum[c] += value[c]);
    }
    for (y, out) in to.iter_mut().enumerate() {
        *out = sum.map(|sum| ((sum + size / 2) / size) as u8);
        let (gained, lost) = (pixel(y + radius + 1), pixel(y.saturating_sub(radius)));
        (0..3).for_each(|c| sum[c] = sum[c] + gained[c] - lost[c]);
    }
}

/// Blurring moves light and makes none; only at the edges some is lost or found.
fn check_average(before: &[Pixel], after: &[Pixel]) {
    let average = |picture: &[Pixel]| {
        let sum: u64 = picture
            .par_iter()
            .flatten_iter()
            .map(|&c| u64::from(c))
            .sum();
        sum as f64 / (3 * picture.len()) as f64
    };
    let (before, after) = (average(before), average(after));
    assert!(
        (before - after).abs() < 5.0,
        "the blur changed the brightness from {before} to {after}"
    );
}

/// Coloured discs on a chequered ground.
fn draw(width: usize, height: usize) -> Vec<Pixel> {
    let discs: [(f64, f64, f64, Pixel); 4] = [
        (0.30, 0.30, 0.22, [214, 69, 65]),
        (0.75, 0.25, 0.15, [52, 120, 197]),
        (1.15, 0.40, 0.25, [244, 190, 60]),
        (0.65, 0.50, 0.12, [60, 160, 110]),
    ];
    (0..width * height)
        .into_par_iter()
        .map(|i| {
            let (x, y) = (i % width, i / width);
            let (u, v) = (x as f64 / height as f64, y as f64 / height as f64);
            let covers =
                |&&(cx, cy, radius, _): &&(f64, f64, f64, Pixel)| (u - cx).hypot(v - cy) < radius;
            match discs.iter().rfind(covers) {
                Some(&(.., colour)) => colour,
                None if (x / (width / 8) + y / (width / 8)).is_multiple_of(2) => [245; 3],
                None => [40; 3],
            }
        })
        .collect()
}

fn write_png(path: &Path, width: usize, height: usize, rgb: &[u8]) -> Result<(), Box<dyn Error>> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, width.try_into()?, height.try_into()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(())
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
