//! The raw format of recordings, `.filch`: what is written in it can be read again.
//!
//! ```text
//!   "filch trace 4\n"  begin  ticks  ticks for a nanosecond (f64)  times at which a site was left out  events of threads that are gone
//!   processor time in nanoseconds, and one more; 0, if it is not known
//!   regions: number, then texts
//!   pools:   number, then number, threads, text
//!   sites:   number, then key, text, columns: number and values, what is remembered: 0, or 1 and two f64
//!   tracks:  number, then pool, desk, worker + 1, lost, slots: number and pairs of words
//! ```
//!
//! All numbers are u64, the lowest byte first; a text is its length and its bytes.

use super::recording::{PoolRow, SiteRow, Trace};
use crate::core::row::{COLUMNS, Row};
use crate::core::slots::{decode, encode};
use crate::core::track::{Identity, Track};
use std::io::{self, Read, Write};
use std::time::Duration;

/// How a recording begins; then come its version and a new line.
const MAGIC: &[u8; 12] = b"filch trace ";
/// It goes up with every change to what is written, also when there is a new kind of event, or another column.
const VERSION: u64 = 4;
/// The longest number of a version, in digits.
const DIGITS: usize = 6;

impl Trace {
    /// Writes the recording, for [`Trace::read_raw`]. It takes 16 to 32 bytes for each event.
    ///
    /// ```
    /// use filch::trace::{Trace, record};
    /// let ((), trace) = record(|| drop(filch::join(|| 1, || 2)));
    /// let mut file = Vec::new();
    /// trace.write_raw(&mut file).unwrap();
    /// assert_eq!(Trace::read_raw(&*file).unwrap(), trace);
    /// ```
    ///
    /// # Errors
    ///
    /// When `w` fails. Then a part was written.
    pub fn write_raw(&self, w: impl Write) -> io::Result<()> {
        let mut w = io::BufWriter::new(w);
        w.write_all(MAGIC)?;
        writeln!(w, "{VERSION}")?;
        let per_ns = self.per_ns.to_bits();
        let lost = [self.left_out, self.gone];
        put(&mut w, &[self.begin, self.ticks, per_ns])?;
        put(&mut w, &lost)?;
        let processor = self.processor.map_or(0, |time| time.as_nanos() as u64 + 1);
        put(&mut w, &[processor])?;
        put(&mut w, &[self.regions.len() as u64])?;
        for region in &self.regions {
            put_text(&mut w, region)?;
        }
        put(&mut w, &[self.pools.len() as u64])?;
        for pool in &self.pools {
            put(&mut w, &[pool.number, pool.threads])?;
            put_text(&mut w, &pool.name)?;
        }
        put(&mut w, &[self.sites.len() as u64])?;
        for site in &self.sites {
            put(&mut w, &[site.key.into()])?;
            put_text(&mut w, &site.name)?;
            put(&mut w, &[COLUMNS as u64])?;
            put(&mut w, &site.row.0)?;
            match site.alone_and_shared {
                None => put(&mut w, &[0])?,
                Some([a, b]) => put(&mut w, &[1, a.to_bits(), b.to_bits()])?,
            }
        }
        put(&mut w, &[self.tracks.len() as u64])?;
        for Track { of, events, lost } in &self.tracks {
            let worker = of.worker.map_or(0, |worker| worker + 1);
            put(
                &mut w,
                &[of.pool, of.desk, worker, *lost, 2 * events.len() as u64],
            )?;
            for event in events {
                for slot in encode(event) {
                    put(&mut w, &slot)?;
                }
            }
        }
        w.flush()
    }

    /// Reads what [`Trace::write_raw`] wrote.
    ///
    /// ```
    /// let error = filch::trace::Trace::read_raw(&b"something else"[..]).unwrap_err();
    /// assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    /// ```
    ///
    /// # Errors
    ///
    /// When `r` fails or ends too early, or what it has is no recording of this version.
    pub fn read_raw(r: impl Read) -> io::Result<Trace> {
        let r = &mut io::BufReader::new(r);
        let version = read_version(r)?;
        if version != VERSION {
            return Err(invalid(&format!(
                "this recording is of version {version}, and what reads it here knows version {VERSION}: read it with the filch that wrote it"
            )));
        }
        let [begin, ticks, per_ns, left_out, gone, processor] = get(r)?;
        let per_ns = f64::from_bits(per_ns);
        if !(per_ns > 0.0 && per_ns.is_finite()) || begin.checked_add(ticks).is_none() {
            return Err(invalid("the recording says that time does not pass"));
        }
        let regions = list(r, get_text)?;
        let pools = list(r, |r| {
            let [number, threads] = get(r)?;
            let name = get_text(r)?;
            Ok(PoolRow {
                number,
                threads,
                name,
            })
        })?;
        let sites = list(r, |r| {
            let [key] = get(r)?;
            let name = get_text(r)?;
            let columns = list(r, |r| get::<1>(r).map(|[value]| value))?;
            let row = columns
                .try_into()
                .map_err(|_| invalid("a site has too many columns, or too few"))?;
            let alone_and_shared = match get(r)? {
                [0] => None,
                _ => Some(get(r)?.map(f64::from_bits)),
            };
            Ok(SiteRow {
                key: key as u32,
                name,
                row: Row(row),
                alone_and_shared,
            })
        })?;
        let tracks = list(r, |r| {
            let [pool, desk, worker, lost] = get(r)?;
            let slots = list(r, get)?;
            Ok(Track {
                of: Identity {
                    pool,
                    desk,
                    worker: worker.checked_sub(1),
                },
                events: decode(&slots, begin + ticks),
                lost,
            })
        })?;
        Ok(Trace {
            tracks,
            sites,
            regions,
            pools,
            left_out,
            gone,
            begin,
            ticks,
            per_ns,
            processor: processor.checked_sub(1).map(Duration::from_nanos),
        })
    }
}

/// The version of a recording.
fn read_version(r: &mut impl Read) -> io::Result<u64> {
    let other = || invalid("this is no recording of filch");
    let mut head = Vec::new();
    r.take(MAGIC.len() as u64).read_to_end(&mut head)?;
    if head != MAGIC {
        return Err(other());
    }
    let mut digits = String::new();
    loop {
        let mut byte = [0];
        r.read_exact(&mut byte)?;
        match byte[0] {
            b'\n' => return digits.parse().map_err(|_| other()),
            digit if digit.is_ascii_digit() && digits.len() < DIGITS => {
                digits.push(digit.into());
            }
            _ => return Err(other()),
        }
    }
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("filch: {why}"))
}

fn put(w: &mut impl Write, numbers: &[u64]) -> io::Result<()> {
    numbers
        .iter()
        .try_for_each(|number| w.write_all(&number.to_le_bytes()))
}

fn put_text(w: &mut impl Write, text: &str) -> io::Result<()> {
    put(w, &[text.len() as u64])?;
    w.write_all(text.as_bytes())
}

fn get<const N: usize>(r: &mut impl Read) -> io::Result<[u64; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        let mut bytes = [0; 8];
        r.read_exact(&mut bytes)?;
        *number = u64::from_le_bytes(bytes);
    }
    Ok(numbers)
}

fn get_text(r: &mut impl Read) -> io::Result<String> {
    let [len] = get(r)?;
    let mut bytes = Vec::new();
    // By and by, for the length may be nonsense.
    if r.take(len).read_to_end(&mut bytes)? as u64 != len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    String::from_utf8(bytes).map_err(|_| invalid("a name is not UTF-8"))
}

/// A number, and so many of what `one` reads.
fn list<R: Read, T>(r: &mut R, mut one: impl FnMut(&mut R) -> io::Result<T>) -> io::Result<Vec<T>> {
    let [len] = get(r)?;
    // Not with room for all: the length may be nonsense.
    let mut all = Vec::new();
    for _ in 0..len {
        all.push(one(r)?);
    }
    Ok(all)
}
