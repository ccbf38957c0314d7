//! Reading files into memory.
//!
//! All files share one buffer, in which each has its place from the start: that takes one allocation
//! rather than one a file, and no more memory than the limit allows, even if files grow meanwhile.

use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::path::PathBuf;

use filch::prelude::*;

use super::progress::Progress;
use super::walk::{Found, Unreadable};

/// A file that was read.
pub struct Content<'a> {
    pub path: PathBuf,
    pub bytes: &'a [u8],
}

/// Reads one file after the other.
///
/// # Panics
///
/// If `buffer` is shorter than the files together.
pub fn sequential<'a>(
    files: Vec<Found>,
    buffer: &'a mut [u8],
    progress: &Progress,
) -> Vec<Result<Content<'a>, Unreadable>> {
    places(files, buffer)
        .into_iter()
        .map(|(file, place)| read(file, place, progress))
        .collect()
}

/// Reads as many files at once as there are threads.
///
/// # Panics
///
/// If `buffer` is shorter than the files together.
pub fn parallel<'a>(
    files: Vec<Found>,
    buffer: &'a mut [u8],
    progress: &Progress,
) -> Vec<Result<Content<'a>, Unreadable>> {
    places(files, buffer)
        .into_par_iter()
        .map(|(file, place)| read(file, place, progress))
        .collect()
}

/// Gives each file a part of the buffer.
fn places(files: Vec<Found>, mut buffer: &mut [u8]) -> Vec<(Found, &mut [u8])> {
    files
        .into_iter()
        .map(|file| {
            let (place, rest) = mem::take(&mut buffer).split_at_mut(file.size as usize);
            buffer = rest;
            (file, place)
        })
        .collect()
}

fn read<'a>(
    file: Found,
    place: &'a mut [u8],
    progress: &Progress,
) -> Result<Content<'a>, Unreadable> {
    let result = File::open(&file.path).and_then(|opened| fill(opened, place));
    progress.advance(file.size);
    match result {
        Ok(length) => Ok(Content {
            path: file.path,
            bytes: &place[..length],
        }),
        Err(error) => Err(Unreadable::new(file.path, &error)),
    }
}

/// Reads until the place is full or the file ends, which it may do early if it was cut meanwhile.
fn fill(mut file: File, place: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < place.len() {
        match file.read(&mut place[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
