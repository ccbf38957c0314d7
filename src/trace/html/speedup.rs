//! The chart of the page of what more threads would do: by work and span, if they were measured, else by a bound from the recording.

use super::super::chart::chart;
use super::super::figures::ns;
use super::super::xml::XmlText;
use super::Page;
use std::io::{self, Write};
use std::time::Duration;

/// How many threads the chart goes up to.
const THREADS: usize = 64;

/// The least and the most speed-up with so many threads.
type Curve<'a> = Box<dyn Fn(usize) -> (f64, f64) + 'a>;

impl Page<'_> {
    pub(super) fn speedup(&self, w: &mut dyn Write) -> io::Result<()> {
        let (figures, hint, curve): (_, _, Curve<'_>) = match self.measured {
            Some(measured) => {
                let [work, span, rules, burdened] = [
                    measured.work(),
                    measured.span(),
                    measured.span_of_rules(),
                    measured.burdened_span(),
                ];
                let burdened_parallelism = work.as_secs_f64() / burdened.as_secs_f64().max(1e-9);
                let figures = vec![
                    ("work: on one thread", time(work), work.as_nanos()),
                    ("span: the longest chain", time(span), span.as_nanos()),
                    ("span, as filch cuts", time(rules), rules.as_nanos()),
                    ("the same, with steals", time(burdened), burdened.as_nanos()),
                    ("parallelism", measured.parallelism_in_words(), 0),
                    (
                        "burdened parallelism",
                        format!("{burdened_parallelism:.1}"),
                        0,
                    ),
                ];
                let rough = match measured.is_rough() {
                    true => {
                        " Times are rough: the meter took more than half as long as what it measured."
                    }
                    false => "",
                };
                let hint = format!(
                    "Work and span were measured on one thread. The upper line is the least of the number of threads and the parallelism; the lower one counts what steals and wake-ups cost.{rough}"
                );
                (
                    figures,
                    hint,
                    Box::new(|threads| measured.predicted(threads)),
                )
            }
            None if self.summary.threads < 2 || self.summary.work == 0 => return Ok(()),
            None => {
                let bounds = self.trace.bounds(self.summary);
                let figures = vec![
                    (
                        "work: over all threads",
                        self.time(self.summary.work),
                        self.summary.work.into(),
                    ),
                    (
                        match self.summary.pools {
                            0 | 1 => "not all threads at work",
                            _ => "a thread to spare in each pool",
                        },
                        self.time(self.summary.spare()),
                        self.summary.spare().into(),
                    ),
                    ("parallelism", bounds.parallelism_in_words(), 0),
                ];
                let hint = "Bounds, from this run alone. The upper line: the time in which not all threads worked stands for the longest chain; joins that no thread took are not seen, and while no thread of a pool worked, one outside may have. The lower line: what was seen, which more threads do not make slower. trace::measure measures work and span themselves.".to_owned();
                let curve = move |threads: usize| bounds.predicted(threads);
                (figures, hint, Box::new(curve))
            }
        };
        writeln!(
            w,
            "<h2>What more threads would do</h2>\n<p class=\"hint\">{}</p>\n<div class=\"card speed\">\n<table class=\"facts\"><tbody class=\"plain\">",
            XmlText(&hint)
        )?;
        for (what, figure, value) in figures {
            writeln!(
                w,
                "<tr><td>{what}</td><td class=\"n\"><b data-value=\"{value}\">{figure}</b></td></tr>"
            )?;
        }
        let title = match self.measured {
            Some(_) => "predicted speed-up",
            None => "predicted speed-up, bounds (≥ and ≤)",
        };
        // Inside of a page it needs no name for its kind of XML.
        let picture = chart(title, THREADS, curve);
        let begin = picture.find(" viewBox").unwrap_or(0);
        writeln!(w, "</tbody></table>\n<svg{}</div>", &picture[begin..])
    }
}

fn time(time: Duration) -> String {
    ns(time.as_nanos() as f64)
}
