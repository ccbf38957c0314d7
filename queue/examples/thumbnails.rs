//! Scales the PNG files of a directory down, in several processes.
//!
//! ```text
//! cargo run --release -p filch-queue --example thumbnails                       # on pictures of its own, three processes, no server
//! cargo run --release -p filch-queue --example thumbnails -- --kill ~/pictures  # and kills a worker on the way
//! cargo run --release -p filch-queue --features jetstream --example thumbnails -- --jetstream nats://localhost:4222
//! ```
//!
//! A job holds the names of two files rather than pixels. Its result is written aside and renamed, so an attempt that is killed leaves nothing half done, and
//! one that runs twice writes the same bytes.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};

use filch::prelude::*;
use filch_queue::{Cx, Fail, Job, Limits, Opts, Queue, Worker};
use lexopt::prelude::*;
use serde::{Deserialize, Serialize};

const USAGE: &str = "\
Usage: thumbnails [OPTIONS] [DIRECTORY]

Without a directory it draws pictures into one of its own.

Options:
  --processes N     worker processes [default: 3]
  --side N          pixels of the longer side [default: 128]
  --jetstream URL   a queue on a NATS server instead of a file
  --kill            kill the first worker in the middle of its work
  -h, --help        print this
";

/// Scale one picture.
#[derive(Serialize, Deserialize)]
struct Thumbnail {
    from: PathBuf,
    to: PathBuf,
    side: u32,
}

impl Job for Thumbnail {
    const KIND: &'static str = "thumbnail/1";
    /// Width and height.
    type Out = (u32, u32);

    fn run(&self, cx: &Cx) -> Result<(u32, u32), Fail> {
        // A job may come from a hostile submitter, so a worker writes only where thumbnails belong.
        let inside = self.to.parent().and_then(Path::file_name) == Some("thumbnails".as_ref());
        if !inside || self.to.extension() != Some("png".as_ref()) || self.side == 0 {
            return Err(Fail::Dead(format!(
                "{} is no place for a thumbnail of {} pixels",
                self.to.display(),
                self.side
            )));
        }
        let picture = Picture::read(&self.from).map_err(Fail::dead)?;
        let small = picture.scale(self.side);
        let aside = self.to.with_extension(format!("{}.part", cx.fence()));
        small
            .write(&aside)
            .and_then(|()| Ok(fs::rename(&aside, &self.to)?))
            .map_err(Fail::retry)?;
        Ok((small.width, small.height))
    }
}

struct Picture {
    width: u32,
    height: u32,
    color: png::ColorType,
    pixels: Vec<u8>,
}

impl Picture {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut pixels = vec![
            0;
            reader
                .output_buffer_size()
                .ok_or("the picture is too large")?
        ];
        let info = reader.next_frame(&mut pixels)?;
        pixels.truncate(info.buffer_size());
        Ok(Picture {
            width: info.width,
            height: info.height,
            color: info.color_type,
            pixels,
        })
    }

    fn write(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let mut encoder =
            png::Encoder::new(BufWriter::new(File::create(path)?), self.width, self.height);
        encoder.set_color(self.color);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.pixels)?;
        Ok(())
    }

    /// Each pixel is the mean of those it stands for. Rows in parallel.
    fn scale(&self, side: u32) -> Picture {
        let channels = self.color.samples();
        let longer = u64::from(self.width.max(self.height).max(1));
        let side = u64::from(side).min(longer);
        let shrink = |length: u32| (u64::from(length) * side).div_ceil(longer).max(1) as usize;
        let (width, height) = (shrink(self.width), shrink(self.height));
        let (old_width, old_height) = (self.width as usize, self.height as usize);
        let mut pixels = vec![0; width * height * channels];
        pixels
            .par_chunks_mut(width * channels)
            .enumerate()
            .for_each(|(y, row)| {
                let rows = y * old_height / height..((y + 1) * old_height).div_ceil(height);
                for (x, pixel) in row.chunks_mut(channels).enumerate() {
                    let columns = x * old_width / width..((x + 1) * old_width).div_ceil(width);
                    let count = (rows.len() * columns.len()) as u64;
                    for (channel, value) in pixel.iter_mut().enumerate() {
                        let sum: u64 = rows
                            .clone()
                            .flat_map(|y| {
                                columns
                                    .clone()
                                    .map(move |x| (y * old_width + x) * channels + channel)
                            })
                            .map(|at| u64::from(self.pixels[at]))
                            .sum();
                        *value = (sum / count) as u8;
                    }
                }
            });
        Picture {
            width: width as u32,
            height: height as u32,
            color: self.color,
            pixels,
        }
    }
}

struct Options {
    directory: Option<PathBuf>,
    processes: usize,
    side: u32,
    jetstream: Option<String>,
    kill: bool,
    /// Be a worker on this queue.
    worker: Option<String>,
}

fn main() -> ExitCode {
    match parse().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("thumbnails: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        directory: None,
        processes: 3,
        side: 128,
        jetstream: None,
        kill: false,
        worker: None,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Short('h') | Long("help") => {
                print!("{USAGE}");
                std::process::exit(0);
            }
            Long("processes") => options.processes = number("--processes", &parser.value()?)?,
            Long("side") => options.side = number("--side", &parser.value()?)?,
            Long("jetstream") => options.jetstream = Some(parser.value()?.string()?),
            Long("kill") => options.kill = true,
            Long("worker") => options.worker = Some(parser.value()?.string()?),
            Value(path) if options.directory.is_none() => options.directory = Some(path.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    if options.processes == 0 {
        return Err("--processes 0: no process would scale a picture, give at least 1".into());
    }
    if options.side == 0 {
        return Err("--side 0: a picture has at least 1 pixel".into());
    }
    Ok(options)
}

fn number<T: std::str::FromStr>(option: &str, value: &std::ffi::OsStr) -> Result<T, String> {
    let number = value.to_str().and_then(|value| value.parse().ok());
    number.ok_or_else(|| format!("{option} {}: give a number", value.display()))
}

fn open(place: &str) -> Result<Queue, Box<dyn Error>> {
    #[cfg(feature = "jetstream")]
    if place.contains("://") {
        return Ok(Queue::jetstream(
            place,
            filch_queue::Auth::default(),
            "thumbnails",
            Limits::default(),
        )?);
    }
    if place.contains("://") {
        return Err(
            "this was built without the feature jetstream: add `--features jetstream`".into(),
        );
    }
    Ok(Queue::local(place, Limits::default())?)
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    // Soon enough to see a killed worker's job come back.
    let lease = Duration::from_secs(2);
    if let Some(place) = &options.worker {
        Worker::new(&open(place)?)
            .accept::<Thumbnail>()
            .lease(lease)
            .run_until_empty();
        return Ok(());
    }
    let own = std::env::temp_dir().join(format!("filch-thumbnails-{}", std::process::id()));
    let directory = match &options.directory {
        Some(directory) => directory
            .canonicalize()
            .map_err(|error| format!("{}: {error}", directory.display()))?,
        None => {
            draw(&own)?;
            own.clone()
        }
    };
    let target = directory.join("thumbnails");
    fs::create_dir_all(&target)?;
    let place = match &options.jetstream {
        Some(url) => url.clone(),
        None => target
            .join("queue.db")
            .to_str()
            .ok_or("the directory's name is not UTF-8")?
            .to_owned(),
    };
    let result = work(options, &directory, &target, &place);
    if options.directory.is_none() {
        fs::remove_dir_all(&own)?;
    }
    result
}

fn work(
    options: &Options,
    directory: &Path,
    target: &Path,
    place: &str,
) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let queue = open(place)?;
    let mut jobs = Vec::new();
    for entry in fs::read_dir(directory)? {
        let from = entry?.path();
        if let (Some(name), true) = (from.file_name(), from.extension() == Some("png".as_ref())) {
            jobs.push(Thumbnail {
                to: target.join(name),
                from,
                side: options.side,
            });
        }
    }
    if jobs.is_empty() {
        return Err(format!("{} has no file that ends in .png", directory.display()).into());
    }
    let tickets: Vec<_> = queue
        .submit_all(jobs.iter().map(|job| (job, Opts::default())))
        .into_iter()
        .collect::<Result<_, _>>()?;
    let mut workers: Vec<Child> = (0..options.processes)
        .map(|_| {
            Command::new(std::env::current_exe()?)
                .args(["--worker", place])
                .spawn()
        })
        .collect::<Result<_, _>>()?;
    println!(
        "{} pictures, {} processes, {place}",
        jobs.len(),
        workers.len()
    );
    let mut failures = 0;
    for (i, (job, ticket)) in jobs.iter().zip(&tickets).enumerate() {
        if options.kill && i == jobs.len() / 3 {
            println!("killing process {}", workers[0].id());
            workers[0].kill()?;
        }
        match ticket.wait(Duration::from_secs(600)) {
            Ok((width, height)) => println!("{:>4} x {:<4} {}", width, height, job.to.display()),
            Err(error) => {
                failures += 1;
                println!("{}: {error}", job.from.display());
            }
        }
    }
    for worker in &mut workers {
        worker.wait()?;
    }
    let made = jobs.iter().filter(|job| job.to.exists()).count();
    println!(
        "{made} thumbnails in {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    if failures > 0 || made != jobs.len() {
        return Err(format!("{failures} of {} pictures could not be scaled", jobs.len()).into());
    }
    Ok(())
}

/// Pictures to work on: rings around a centre that wanders.
fn draw(directory: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    (0..24u32).into_par_iter().try_for_each(|number| {
        let (width, height) = (800 + 40 * number, 600);
        let mut pixels = vec![0; (width * height * 3) as usize];
        for (at, pixel) in (0..).zip(pixels.chunks_mut(3)) {
            let (x, y) = (at % width, at / width);
            let (dx, dy) = (x.abs_diff(30 * number), y.abs_diff(300));
            let ring = (dx * dx + dy * dy) / 997;
            pixel.copy_from_slice(&[ring as u8, (ring * 3) as u8, (x + y) as u8]);
        }
        let picture = Picture {
            width,
            height,
            color: png::ColorType::Rgb,
            pixels,
        };
        picture
            .write(&directory.join(format!("rings-{number:02}.png")))
            .map_err(|error| error.to_string())
    })?;
    Ok(())
}
