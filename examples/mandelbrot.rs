//! The Mandelbrot set as a picture: rows of very unequal cost, each written by whichever thread is free.
//!
//! `cargo run --release --example mandelbrot -- [width] [file.png]`

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, error::Error};

use filch::prelude::*;
use indicatif::ProgressBar;

/// Points that have not escaped by then are taken for members of the set.
const LIMIT: u32 = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let width: usize = args.next().map_or(900, |n| {
        n.parse().expect("usage: mandelbrot [width] [file.png]")
    });
    let path = args.next().map_or_else(
        || env::temp_dir().join("filch-mandelbrot.png"),
        PathBuf::from,
    );
    assert!(width > 0, "a picture is at least 1 pixel wide");
    let height = (width * 2 / 3).max(1);

    // Shows itself on a terminal only.
    let bar = ProgressBar::new(2 * height as u64);
    let mut expected = vec![0; 3 * width * height];
    let ((), one) = timed(|| {
        expected
            .chunks_mut(3 * width)
            .enumerate()
            .for_each(|(y, row)| paint(row, y, height, &bar));
    });
    let mut image = vec![0; 3 * width * height];
    let ((), all) = timed(|| {
        image
            .par_chunks_mut(3 * width) // a row
            .enumerate()
            .for_each(|(y, row)| paint(row, y, height, &bar));
    });
    bar.finish_and_clear();

    assert!(image == expected, "the two pictures differ");
    write_png(&path, width, height, &image)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!("{width} x {height} pixels in {}", path.display());
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    Ok(())
}

/// Fills one row of RGB pixels.
fn paint(row: &mut [u8], y: usize, height: usize, bar: &ProgressBar) {
    let step = 2.5 / height as f64;
    let im = y as f64 * step - 1.25;
    for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
        let re = x as f64 * step - 2.5;
        pixel.copy_from_slice(&colour(escape_time(re, im)));
    }
    bar.inc(1);
}

/// After how many steps of z² + c the point has gone far away, if it does; with a fraction, so that colours change smoothly.
fn escape_time(re: f64, im: f64) -> Option<f64> {
    let (mut x, mut y) = (0.0, 0.0);
    let steps = (0..LIMIT).find(|_| {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        x * x + y * y > 1e4
    })?;
    Some(f64::from(steps) + 3.0 - f64::hypot(x, y).log2().log2())
}

/// Blue far away, bright in between, black at the border and inside.
fn colour(escape_time: Option<f64>) -> [u8; 3] {
    let Some(steps) = escape_time else {
        return [0; 3];
    };
    let t = (steps.max(1.5).ln() / f64::from(LIMIT).ln()).min(1.0);
    let bump =
        |scale: f64, a: i32, b: i32| (scale * t.powi(a) * (1.0 - t).powi(b)).min(255.0) as u8;
    [
        bump(9.0 * 255.0, 3, 1),
        bump(15.0 * 255.0, 2, 2),
        bump(8.5 * 255.0, 1, 3),
    ]
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
