//! The timeline of the page: what each thread did and when.

use super::super::figures::ns;
use super::super::labels::thread_name;
use super::super::states::{Period, ThreadState};
use super::super::xml::XmlText;
use super::Page;
use super::region_lines::{HEIGHT, Line};
use crate::core::track::Identity;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Shapes for each thread: single ones, and columns for what is shorter.
const SHAPES: usize = 1500;
const COLUMNS: usize = 500;
/// Arrows, at most.
const ARROWS: usize = 400;
/// Rows of threads, at most.
pub(super) const ROWS: usize = 256;

// The picture, in its own units.
const WIDTH: f64 = 1200.0;
const LEFT: f64 = 118.0;
const RIGHT: f64 = 12.0;
const ROW: f64 = 30.0;
const LANE: f64 = 22.0;
/// The height of the curve above the lanes, and where it begins.
const CURVE: f64 = 64.0;
const TOP: f64 = 14.0;

/// Where the rows of the picture are.
struct Layout {
    /// The lines of regions above the threads.
    regions: Vec<Line>,
    /// The track that a row is of, with its place from above.
    of: Vec<(usize, f64)>,
    /// Where tracks are, by their numbers.
    at: BTreeMap<usize, f64>,
    end: f64,
}

impl Page<'_> {
    pub(super) fn timeline(&self, w: &mut dyn Write) -> io::Result<()> {
        let rows = self.rows();
        let height = rows.end + 26.0;
        writeln!(
            w,
            "<h2>What each thread did</h2>\n<p class=\"hint\">Time runs to the right. The curve shows how many threads worked; below is a row for each thread. Point at a shape to read what it is.</p>\n<div class=\"card\">\n<div class=\"scroll\">\n<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"timeline\">\n<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path class=\"grid\" d=\"M0 0V6\"/></pattern></defs>"
        )?;
        self.axis(w, &rows)?;
        self.curve(w)?;
        self.region_lines(w, &rows.regions, TOP + CURVE + 14.0)?;
        for &(track, y) in &rows.of {
            self.row(w, track, y)?;
        }
        let drawn = self.arrows(w, &rows)?;
        writeln!(w, "</svg>\n</div>")?;
        self.legend(w, drawn)?;
        writeln!(w, "</div>")
    }

    /// Threads that did anything.
    fn rows(&self) -> Layout {
        let regions = self.regions();
        let mut y = TOP + CURVE + 18.0 + HEIGHT * regions.len() as f64;
        if !regions.is_empty() {
            y += 6.0;
        }
        let mut rows = Layout {
            regions,
            of: Vec::new(),
            at: BTreeMap::new(),
            end: 0.0,
        };
        for (track, states) in self.summary.states.iter().enumerate() {
            let any = !states.is_empty() || self.trace.tracks[track].lost > 0;
            if any && rows.of.len() < ROWS {
                rows.of.push((track, y));
                rows.at.insert(track, y);
                y += ROW;
            }
        }
        rows.end = y;
        rows
    }

    pub(super) fn x(&self, ticks: u64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * ticks as f64 / self.trace.ticks.max(1) as f64
    }

    /// Lines and times at round places.
    fn axis(&self, w: &mut dyn Write, rows: &Layout) -> io::Result<()> {
        let whole = self.trace.ns(self.trace.ticks).max(1.0);
        let step = round_step(whole / 8.0);
        let bottom = rows.end - 2.0;
        for at in 0..=(whole / step) as u32 {
            let time = f64::from(at) * step;
            let x = LEFT + (WIDTH - LEFT - RIGHT) * time / whole;
            let text = if at == 0 { "0".into() } else { ns(time) };
            let (class, y) = (
                if x > WIDTH - 40.0 {
                    "soft end"
                } else {
                    "soft mid"
                },
                bottom + 16.0,
            );
            writeln!(
                w,
                "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom:.1}\"/><text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
            )?;
        }
        Ok(())
    }

    /// How many threads worked.
    fn curve(&self, w: &mut dyn Write) -> io::Result<()> {
        let mut busy = vec![0.0; COLUMNS];
        let columns = Columns::new(self.trace.ticks);
        for period in self.summary.states.iter().flatten() {
            if let ThreadState::Busy(_) = period.state {
                columns.spread(period, |column, share| busy[column] += share);
            }
        }
        let most = busy
            .iter()
            .copied()
            .fold(1.0, f64::max)
            .max(self.summary.threads as f64);
        let (base, wide) = (TOP + CURVE, (WIDTH - LEFT - RIGHT) / COLUMNS as f64);
        let mut path = format!("M{LEFT} {base}");
        for (column, busy) in busy.iter().enumerate() {
            let (x, y) = (LEFT + wide * column as f64, base - CURVE * busy / most);
            let _ = write!(path, "L{x:.1} {y:.1}H{:.1}", x + wide);
        }
        let _ = write!(path, "V{base}Z");
        writeln!(w, "<path class=\"curve\" d=\"{path}\"/>")?;
        let threads = self.summary.threads;
        for (y, label) in [
            (base, "0".to_owned()),
            (base - CURVE * threads as f64 / most, threads.to_string()),
        ] {
            let (x, text) = (LEFT - 8.0, y + 4.0);
            writeln!(
                w,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/><text class=\"soft end\" x=\"{x:.1}\" y=\"{text:.1}\">{label}</text>",
                WIDTH - RIGHT
            )?;
        }
        let middle = base - CURVE / 2.0 + 4.0;
        writeln!(
            w,
            "<text class=\"soft\" x=\"0\" y=\"{middle:.1}\">threads at work</text>"
        )
    }

    /// What stands in front of a thread's row: with its pool, if there are several.
    fn label(&self, of: Identity) -> String {
        let rows = self.trace.tracks.iter().zip(&self.summary.states);
        let mut pools = rows.filter(|(track, states)| track.of.desk != 0 && !states.is_empty());
        if of.desk == 0 || pools.all(|(track, _)| track.of.pool == of.pool) {
            return thread_name(of);
        }
        let thread = match of.worker {
            Some(_) => thread_name(of),
            None => format!("caller {}", of.desk),
        };
        let pool = self.trace.pool_name(of);
        let short = pool
            .strip_prefix("the ")
            .and_then(|name| name.strip_suffix(" pool"));
        format!("{thread}, {}", short.unwrap_or(&pool))
    }

    /// What one thread did: the longest times as shapes of their own, the others as columns that are the higher the more of them there are.
    fn row(&self, w: &mut dyn Write, track: usize, y: f64) -> io::Result<()> {
        let of = self.trace.tracks[track].of;
        let name = thread_name(of);
        let label = self.label(of);
        let text = y + 15.0;
        writeln!(
            w,
            "<text x=\"0\" y=\"{text:.1}\">{}</text><rect class=\"lane\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{LANE}\" rx=\"2\"><title>{}</title></rect>",
            XmlText(&label),
            WIDTH - LEFT - RIGHT,
            XmlText(&format!("{name} of {}", self.trace.pool_name(of)))
        )?;
        // A thread that sleeps is drawn as the lane alone.
        let states = self.summary.states[track].iter();
        let mut shapes: Vec<_> = states
            .filter(|s| s.state != ThreadState::Sleep)
            .copied()
            .collect();
        shapes.sort_by_key(|period| Reverse(period.ticks()));
        // A shape that is narrower than this is seen better in a column.
        let least = self.trace.ticks / 2400;
        let wide = shapes.partition_point(|shape| shape.ticks() > least);
        let rest = shapes.split_off(wide.min(SHAPES));
        self.strip(w, &rest, y)?;
        let known = self.trace.known(&self.trace.tracks[track]);
        if known > 0 {
            let (width, time) = (self.x(known) - LEFT, self.time(known));
            writeln!(
                w,
                "<rect class=\"lost\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{LANE}\"><title>{time}, of which the events were overwritten</title></rect>"
            )?;
        }
        shapes.sort_by_key(|period| period.from);
        for shape in &shapes {
            let (x, class) = (self.x(shape.from), self.class_of(shape.state));
            let (width, time) = ((self.x(shape.to) - x).max(0.4), self.time(shape.ticks()));
            writeln!(
                w,
                "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{LANE}\"><title>{}: {time}</title></rect>",
                XmlText(&self.state_name(shape.state))
            )?;
        }
        Ok(())
    }

    fn strip(&self, w: &mut dyn Write, rest: &[Period], y: f64) -> io::Result<()> {
        let columns = Columns::new(self.trace.ticks);
        let mut shares: Vec<BTreeMap<ThreadState, f64>> = vec![BTreeMap::new(); COLUMNS];
        for period in rest {
            columns.spread(period, |column, share| {
                *shares[column].entry(period.state).or_default() += share;
            });
        }
        let wide = (WIDTH - LEFT - RIGHT) / COLUMNS as f64;
        for (column, shares) in shares.iter().enumerate() {
            let all: f64 = shares.values().sum();
            let most = shares.iter().max_by(|a, b| a.1.total_cmp(b.1));
            let Some((&state, _)) = most.filter(|_| all > 0.005) else {
                continue;
            };
            let (x, height) = (LEFT + wide * column as f64, (LANE * all.min(1.0)).max(0.5));
            let (class, top) = (self.class_of(state), y + LANE - height);
            writeln!(
                w,
                "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{top:.1}\" width=\"{wide:.2}\" height=\"{height:.1}\"><title>short times, most of them: {}</title></rect>",
                XmlText(&self.state_name(state))
            )?;
        }
        Ok(())
    }

    /// Steals, from the thread that offered the job to the thread that took it. Returns how many were drawn.
    fn arrows(&self, w: &mut dyn Write, rows: &Layout) -> io::Result<usize> {
        let steals = &self.summary.steals;
        let each = steals.len().div_ceil(ARROWS).max(1);
        let mut drawn = 0;
        for arrow in steals.iter().step_by(each) {
            let places = [arrow.from, arrow.to]
                .map(|(track, ticks)| Some((self.x(ticks), *rows.at.get(&track)?)));
            let [Some((x, from)), Some((to, y))] = places else {
                continue;
            };
            let (from, y) = match from < y {
                true => (from + LANE, y),
                false => (from, y + LANE),
            };
            let middle = (from + y) / 2.0;
            writeln!(
                w,
                "<path class=\"arrow\" d=\"M{x:.1} {from:.1}C{x:.1} {middle:.1} {to:.1} {middle:.1} {to:.1} {y:.1}\"/><circle class=\"tip\" cx=\"{to:.1}\" cy=\"{y:.1}\" r=\"1.6\"/>"
            )?;
            drawn += 1;
        }
        Ok(drawn)
    }

    fn legend(&self, w: &mut dyn Write, drawn: usize) -> io::Result<()> {
        writeln!(w, "<div class=\"legend\">")?;
        let mut colors: Vec<_> = self
            .colors
            .iter()
            .map(|(&site, &color)| (color, site))
            .collect();
        colors.sort_unstable();
        let sites = colors
            .into_iter()
            .map(|(_, site)| (self.class(Some(site)), self.trace.site_name(site)));
        let states = [
            ("busy", "other work"),
            ("wait", "waits for what another thread has"),
            ("search", "looks for work"),
            ("sleep", "sleeps"),
        ];
        for (class, name) in sites.chain(states.map(|(class, name)| (class, name.to_owned()))) {
            writeln!(
                w,
                "<span><i class=\"chip {class}\"></i>{}</span>",
                XmlText(&name)
            )?;
        }
        let steals = self.summary.steals.len();
        let which = match drawn == steals {
            true => "a steal".to_owned(),
            false => format!("a steal ({drawn} of {steals} are drawn)"),
        };
        let lost = |track| self.trace.known(track) > 0;
        if self.trace.tracks.iter().any(lost) {
            writeln!(w, "<span><i class=\"chip lost\"></i>overwritten</span>")?;
        }
        writeln!(
            w,
            "<span><i class=\"chip steal\"></i>{which}</span>\n</div>"
        )
    }

    fn class_of(&self, state: ThreadState) -> &'static str {
        match state {
            ThreadState::Busy(site) => self.class(site),
            ThreadState::Wait => "wait",
            ThreadState::Search => "search",
            ThreadState::Sleep => "sleep",
        }
    }

    pub(super) fn state_name(&self, state: ThreadState) -> String {
        match state {
            ThreadState::Busy(Some(site)) => self.trace.site_name(site),
            ThreadState::Busy(None) => "a job, or the caller's own code".into(),
            ThreadState::Wait => "waits".into(),
            ThreadState::Search => "looks for work".into(),
            ThreadState::Sleep => "sleeps".into(),
        }
    }
}

/// A share of the time each.
struct Columns(f64);

impl Columns {
    fn new(ticks: u64) -> Columns {
        Columns(ticks.max(1) as f64 / COLUMNS as f64)
    }

    /// Tells what part of each column a period takes.
    fn spread(&self, period: &Period, mut tell: impl FnMut(usize, f64)) {
        let (from, to) = (period.from as f64 / self.0, period.to as f64 / self.0);
        for column in from as usize..(to.ceil() as usize).min(COLUMNS) {
            let at = column as f64;
            tell(column, (to.min(at + 1.0) - from.max(at)).max(0.0));
        }
    }
}

/// A round number near `step`: 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
    round
        .into_iter()
        .find(|&round| round >= step)
        .unwrap_or(step)
}
