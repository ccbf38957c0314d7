//! A recording as one page: no script, nothing from elsewhere, well-formed XML. What it shows is computed in [`summary`](super::summary) and
//! [`explain`](super::explain).

mod histograms;
mod region_lines;
mod speedup;
mod tables;
#[cfg(test)]
mod tests;
mod timeline;
mod verdict;

use super::explain::Explain;
use super::figures::{grouped, ns};
use super::recording::Trace;
use super::scalability::Scalability;
use super::summary::Summary;
use super::xml::XmlText;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How many sites have a color of their own.
const COLORS: usize = 8;

/// No time at all, for people.
const NOTHING: &str = "0 ns";

/// What all parts of a page need.
struct Page<'a> {
    trace: &'a Trace,
    summary: &'a Summary,
    explain: &'a Explain,
    measured: Option<&'a Scalability>,
    /// The colors of the sites that took longest, by the sites' keys.
    colors: BTreeMap<u32, usize>,
}

impl Trace {
    /// Writes the recording as a page for a browser: one file, with pictures, without a script, that loads nothing from elsewhere.
    ///
    /// It begins with a sentence that says where the time went. Then come a bound for the speed-up with more threads; what each thread did
    /// and when, with an arrow for each steal and the names of [regions](crate::region); a table of call sites, and why each was or was not
    /// cut; histograms; and how many events were lost. Each thread has at most 2,000 shapes, and shorter events are drawn as a strip. So
    /// the page has at most about 300 KB for each thread.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (_, trace) = filch::trace::record(|| (0..100_000u32).into_par_iter().map(|i| i ^ 1).max());
    /// let mut page = Vec::new();
    /// trace.write_html(&mut page).unwrap();
    /// assert!(page.starts_with(b"<!DOCTYPE html>"));
    /// ```
    ///
    /// # Errors
    ///
    /// When `w` fails. Then a part was written.
    pub fn write_html(&self, w: impl Write) -> io::Result<()> {
        self.write_page(w, None, None)
    }

    /// The same page, with work, span and the predicted speed-ups that [`measure`](super::measure) found for what was recorded. Without them, the page has a bound
    /// from the recording alone.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use filch::trace;
    /// let program = || (0..100_000u32).into_par_iter().map(|i| i ^ 1).max();
    /// let (_, measured) = trace::measure(program);
    /// let (_, recorded) = trace::record(program);
    /// let mut page = Vec::new();
    /// recorded.write_html_with(&measured, &mut page).unwrap();
    /// assert!(String::from_utf8(page).unwrap().contains("burdened parallelism"));
    /// ```
    ///
    /// # Errors
    ///
    /// When `w` fails. Then a part was written.
    pub fn write_html_with(&self, measured: &Scalability, w: impl Write) -> io::Result<()> {
        self.write_page(w, None, Some(measured))
    }

    /// The page, with a report in front, if there is one.
    pub(super) fn write_page(
        &self,
        w: impl Write,
        report: Option<&str>,
        measured: Option<&Scalability>,
    ) -> io::Result<()> {
        let (summary, explain) = (Summary::of(self), self.explain());
        let by_time = self.sites_by_time().into_iter().take(COLORS);
        Page {
            trace: self,
            summary: &summary,
            explain: &explain,
            measured,
            colors: by_time
                .enumerate()
                .map(|(color, key)| (key, color))
                .collect(),
        }
        .write(&mut io::BufWriter::new(w), report)
    }
}

impl Page<'_> {
    fn write(&self, w: &mut dyn Write, report: Option<&str>) -> io::Result<()> {
        let style = include_str!("style.css");
        writeln!(
            w,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>filch: where the time went</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>"
        )?;
        self.header(w)?;
        if let Some(report) = report {
            let report = XmlText(report);
            writeln!(
                w,
                "<h2>What was seen</h2>\n<div class=\"card\"><pre>{report}</pre></div>"
            )?;
        }
        self.timeline(w)?;
        self.sites(w)?;
        self.speedup(w)?;
        self.threads(w)?;
        self.histograms(w)?;
        self.footer(w)?;
        writeln!(w, "</main>\n</body>\n</html>")?;
        w.flush()
    }

    fn header(&self, w: &mut dyn Write) -> io::Result<()> {
        let (verdict, also) = (self.verdict(), self.details());
        writeln!(
            w,
            "<header>\n<p class=\"brand\">filch · recorded</p>\n<h1>{}</h1>",
            XmlText(&verdict)
        )?;
        writeln!(w, "<p class=\"also\">{}</p>\n</header>", XmlText(&also))?;
        let (trace, summary) = (self.trace, self.summary);
        let average = summary.work as f64 / summary.elapsed.max(1) as f64;
        let steals = summary.sums.iter().map(|sum| sum.steals).sum::<u64>();
        let tiles = [
            (self.time(trace.ticks), "from begin to end", trace.ticks),
            (
                self.time(summary.work),
                "of work, over all threads",
                summary.work,
            ),
            (format!("{average:.2}"), "threads at work, on average", 0),
            (
                summary.threads.to_string(),
                "threads in the pools that worked",
                summary.threads,
            ),
            (grouped(steals), "jobs taken from other threads", steals),
            (
                grouped(self.explain.lost),
                "events lost, at least",
                self.explain.lost,
            ),
        ];
        writeln!(w, "<div class=\"tiles\">")?;
        for (figure, what, value) in tiles {
            writeln!(
                w,
                "<div class=\"tile\" data-value=\"{value}\"><b>{figure}</b><span>{what}</span></div>"
            )?;
        }
        writeln!(w, "</div>")
    }

    fn footer(&self, w: &mut dyn Write) -> io::Result<()> {
        let Explain { lost, left_out, .. } = *self.explain;
        writeln!(w, "<footer>")?;
        if lost > 0 {
            writeln!(
                w,
                "<p>At least {} events were overwritten by later ones: what is drawn, and times of single calls, are of what was kept. The counts for call sites are whole.</p>",
                grouped(lost)
            )?;
        }
        if left_out > 0 {
            writeln!(
                w,
                "<p>There were more call sites than a thread has room for: {} times one was left out.</p>",
                grouped(left_out)
            )?;
        }
        writeln!(
            w,
            "<p>A recording sees what is public: loops, jobs that were offered or spawned, steals, wake-ups. A join that no thread took is part of the job around it. Memory bandwidth, caches and threads that share a core are not seen.</p>\n</footer>"
        )
    }

    /// So many ticks, for people.
    fn time(&self, ticks: u64) -> String {
        ns(self.trace.ns(ticks))
    }

    /// The class with the color of a site.
    fn class(&self, site: Option<u32>) -> &'static str {
        const CLASSES: [&str; COLORS] = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];
        let color = site.and_then(|site| self.colors.get(&site));
        color.map_or("busy", |&color| CLASSES[color])
    }
}
