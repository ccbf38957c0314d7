//! The trace format of Chrome, which Perfetto reads, too. Names are those of rayon's pull request 1282, where it has one.

use super::labels::thread_name;
use super::recording::Trace;
use super::spans::Span;
use super::what::What;
use crate::core::event::{Kind, OUTSIDE};
use crate::core::track::{Identity, Track};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{self, Write};

/// Writes a list of objects, one a line.
struct JsonList<W> {
    to: W,
    any: bool,
}

impl<W: Write> JsonList<W> {
    fn object(&mut self, fields: std::fmt::Arguments<'_>) -> io::Result<()> {
        let before = if std::mem::replace(&mut self.any, true) {
            ",\n"
        } else {
            "\n"
        };
        write!(self.to, "{before}{{{fields}}}")
    }
}

impl Trace {
    /// Writes the recording as JSON, for [Perfetto](https://ui.perfetto.dev) and `chrome://tracing`.
    ///
    /// A process for each pool, a track for each thread; arrows for steals and wake-ups; as counters, how many threads search and
    /// sleep, and how many jobs are public, which means that other threads may take them. About 120 bytes for each event.
    ///
    /// ```
    /// let ((), trace) = filch::trace::record(|| drop(filch::join(|| 1, || 2)));
    /// let mut json = Vec::new();
    /// trace.write_chrome(&mut json).unwrap();
    /// assert!(json.starts_with(b"{\"displayTimeUnit\":\"ns\""));
    /// ```
    ///
    /// # Errors
    ///
    /// When `w` fails. Then a part was written.
    #[doc(alias("perfetto", "catapult"))]
    pub fn write_chrome(&self, w: impl Write) -> io::Result<()> {
        let mut list = JsonList {
            to: io::BufWriter::new(w),
            any: false,
        };
        write!(list.to, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        self.write_names(&mut list)?;
        let [steals, wakes] = self.arrows();
        let stolen: BTreeSet<_> = steals.iter().map(|arrow| (arrow.to.0, arrow.job)).collect();
        for (at, track) in self.tracks.iter().enumerate() {
            let spans = self.spans(track);
            let is_stolen = |job| stolen.contains(&(at, Some(job)));
            for span in &spans {
                self.write_span(&mut list, track, span, &is_stolen)?;
            }
            self.write_active(&mut list, track, &spans)?;
            self.write_instants(&mut list, track)?;
        }
        for (number, arrow) in steals.iter().chain(&wakes).enumerate() {
            let name = if arrow.job.is_some() { "steal" } else { "wake" };
            // Readers drop an arrow that does not begin in a span, and of threads outside of pools only the regions are known.
            let (from, ticks) = arrow.from;
            let outside = &self.tracks[from];
            if outside.of.desk == 0 {
                let at_least_a_ns = ticks.saturating_add(self.per_ns.ceil() as u64);
                let what = if arrow.job.is_some() {
                    "inject"
                } else {
                    "wake"
                };
                self.write_one(&mut list, outside, what, (ticks, at_least_a_ns), "")?;
            }
            for (phase, (track, ticks)) in [("s", arrow.from), ("f\",\"bp\":\"e", arrow.to)] {
                let (at, time) = (place(&self.tracks[track]), self.us(ticks));
                list.object(format_args!(
                    "\"name\":\"{name}\",\"cat\":\"{name}\",\"ph\":\"{phase}\",\"id\":{number},{at},\"ts\":{time}"
                ))?;
            }
        }
        self.write_counters(&mut list)?;
        writeln!(list.to, "\n]}}")?;
        list.to.flush()
    }

    fn write_names<W: Write>(&self, list: &mut JsonList<W>) -> io::Result<()> {
        let mut pools = BTreeSet::new();
        for track in &self.tracks {
            let (pid, tid) = ids(track.of);
            if pools.insert(pid) {
                let name = match pid {
                    0 => "no pool".to_owned(),
                    _ => format!("filch pool {}", track.of.pool),
                };
                list.object(format_args!(
                    "\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{pid},\"args\":{{\"name\":\"{name}\"}}"
                ))?;
            }
            let name = thread_name(track.of);
            list.object(format_args!(
                "\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{pid},\"tid\":{tid},\"args\":{{\"name\":\"{name}\"}}"
            ))?;
            if track.of.worker.is_some() {
                self.write_one(list, track, "worker_thread", (0, self.ticks), "")?;
            }
        }
        Ok(())
    }

    fn write_one<W: Write>(
        &self,
        list: &mut JsonList<W>,
        track: &Track,
        name: impl Display,
        (from, to): (u64, u64),
        args: impl Display,
    ) -> io::Result<()> {
        let (at, from, ticks) = (
            place(track),
            self.us(from),
            self.us(to.saturating_sub(from)),
        );
        list.object(format_args!(
            "\"name\":\"{name}\",\"cat\":\"filch\",\"ph\":\"X\",{at},\"ts\":{from},\"dur\":{ticks},\"args\":{{{args}}}"
        ))
    }

    fn write_span<W: Write>(
        &self,
        list: &mut JsonList<W>,
        track: &Track,
        span: &Span,
        is_stolen: &dyn Fn(u64) -> bool,
    ) -> io::Result<()> {
        let time = (span.from, span.to);
        match span.what {
            What::Job(job) => {
                let stolen = is_stolen(job);
                self.write_one(
                    list,
                    track,
                    "job_execute",
                    time,
                    format_args!("\"stolen\":{stolen}"),
                )
            }
            What::Visit => self.write_one(list, track, "caller", time, ""),
            What::Call { site, len, .. } => {
                let name = escape(&self.site_name(site));
                self.write_one(
                    list,
                    track,
                    name,
                    time,
                    format_args!("\"items\":{}", known(len)),
                )
            }
            What::Rest { site, .. } => {
                self.write_one(list, track, escape(&self.site_name(site)), time, "")
            }
            What::Piece { len, at, .. } => {
                let args = format!("\"items\":{},\"first\":{}", known(len), known(at));
                self.write_one(list, track, "piece", time, args)
            }
            What::Blocks { items, at } => {
                let args = format!("\"items\":{items},\"first\":{}", known(at));
                self.write_one(list, track, "fold", time, args)
            }
            What::Search => self.write_one(list, track, "idle", time, ""),
            What::Sleep => self.write_one(list, track, "sleep", time, ""),
            What::Wait(_) => self.write_one(list, track, "wait", time, ""),
            What::Region(name) => {
                let name = escape(self.region_name(name));
                self.write_one(list, track, name, time, "")
            }
        }
    }

    /// What a worker does between two times at which it has nothing to do.
    fn write_active<W: Write>(
        &self,
        list: &mut JsonList<W>,
        track: &Track,
        spans: &[Span],
    ) -> io::Result<()> {
        if track.of.worker.is_none() {
            return Ok(());
        }
        let mut from = 0;
        let idle = spans
            .iter()
            .filter(|span| span.depth == 0 && span.what.is_idle());
        for span in idle {
            if span.from > from {
                self.write_one(list, track, "active", (from, span.from), "")?;
            }
            from = span.to;
        }
        if from < self.ticks {
            self.write_one(list, track, "active", (from, self.ticks), "")?;
        }
        Ok(())
    }

    fn write_instants<W: Write>(&self, list: &mut JsonList<W>, track: &Track) -> io::Result<()> {
        for event in &track.events {
            let name = match event.kind {
                Kind::Inject => "inject",
                Kind::Take if event.taken().1 == OUTSIDE => "injected",
                Kind::Take => "stolen",
                Kind::Handed => "handed_back",
                _ => continue,
            };
            let (at, time) = (
                place(track),
                self.us(event.ticks.saturating_sub(self.begin)),
            );
            list.object(format_args!(
                "\"name\":\"{name}\",\"cat\":\"filch\",\"ph\":\"i\",\"s\":\"t\",{at},\"ts\":{time}"
            ))?;
        }
        Ok(())
    }

    /// How many threads of each pool search and sleep, and how many jobs lie there for others.
    fn write_counters<W: Write>(&self, list: &mut JsonList<W>) -> io::Result<()> {
        let mut changes: BTreeMap<(u64, u64), [i64; 2]> = BTreeMap::new();
        for track in &self.tracks {
            let (pid, _) = ids(track.of);
            for span in self.spans(track) {
                let which = match span.what {
                    What::Search => 0,
                    What::Sleep => 1,
                    _ => continue,
                };
                changes.entry((pid, span.from)).or_default()[which] += 1;
                changes.entry((pid, span.to)).or_default()[which] -= 1;
            }
        }
        self.write_sums(list, "threads", ["searching", "asleep"], &changes)?;
        let mut changes: BTreeMap<(u64, u64), [i64; 1]> = BTreeMap::new();
        for offer in self.offers() {
            let (pid, _) = ids(self.tracks[offer.track].of);
            changes.entry((pid, offer.from)).or_default()[0] += 1;
            changes.entry((pid, offer.to)).or_default()[0] -= 1;
        }
        self.write_sums(list, "jobs", ["public"], &changes)
    }

    /// Writes what `changes`, by process and time, add up to.
    fn write_sums<W: Write, const N: usize>(
        &self,
        list: &mut JsonList<W>,
        name: &str,
        what: [&str; N],
        changes: &BTreeMap<(u64, u64), [i64; N]>,
    ) -> io::Result<()> {
        let mut now: BTreeMap<u64, [i64; N]> = BTreeMap::new();
        for (&(pid, ticks), change) in changes {
            let sums = now.entry(pid).or_insert([0; N]);
            sums.iter_mut().zip(change).for_each(|(a, b)| *a += b);
            let counts: Vec<_> = what
                .iter()
                .zip(sums)
                .map(|(what, sum)| format!("\"{what}\":{sum}"))
                .collect();
            let (time, counts) = (self.us(ticks), counts.join(","));
            list.object(format_args!(
                "\"name\":\"{name}\",\"ph\":\"C\",\"pid\":{pid},\"ts\":{time},\"args\":{{{counts}}}"
            ))?;
        }
        Ok(())
    }

    /// So many ticks in microseconds, as JSON.
    fn us(&self, ticks: u64) -> String {
        format!("{:.3}", self.ns(ticks) / 1e3)
    }
}

/// The numbers of a thread's process and track.
fn ids(of: Identity) -> (u64, u64) {
    match of.desk {
        0 => (0, 0),
        // A file may say anything.
        desk => (of.pool.saturating_add(1), desk),
    }
}

fn place(track: &Track) -> String {
    let (pid, tid) = ids(track.of);
    format!("\"pid\":{pid},\"tid\":{tid}")
}

/// A number that may be unknown, as JSON.
fn known(number: u64) -> String {
    match number {
        u64::MAX => "null".into(),
        number => number.to_string(),
    }
}

/// The inside of a string in JSON.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped += &format!("\\u{:04x}", c as u32),
            c => escaped.push(c),
        }
    }
    escaped
}
