//! The histograms of the page: how long things took, in powers of two.

use super::super::figures::{grouped, ns};
use super::super::quantile::Times;
use super::Page;
use std::collections::BTreeMap;
use std::io::{self, Write};

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 120.0;

impl Page<'_> {
    pub(super) fn histograms(&self, w: &mut dyn Write) -> io::Result<()> {
        writeln!(
            w,
            "<h2>How long things took</h2>\n<p class=\"hint\">A bar is twice as long a time as the one to its left; its height says how often.</p>\n<div class=\"charts\">"
        )?;
        for (name, times) in &self.summary.histograms {
            writeln!(w, "<div class=\"card\">\n<h3>{name}</h3>")?;
            match times.0.len() {
                0 => writeln!(w, "<p data-value=\"0\">none</p>")?,
                count => {
                    let [half, most] = [50, 99].map(|percent| self.time(times.quantile(percent)));
                    writeln!(
                        w,
                        "<p data-value=\"{count}\">{} · half within {half} · 99 of 100 within {most}</p>",
                        grouped(count as u64)
                    )?;
                    self.bars(w, times)?;
                }
            }
            writeln!(w, "</div>")?;
        }
        writeln!(w, "</div>")
    }

    fn bars(&self, w: &mut dyn Write, times: &Times) -> io::Result<()> {
        let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
        for &ticks in &times.0 {
            let bucket = self.trace.ns(ticks).max(1.0).log2().floor() as i32;
            *counts.entry(bucket).or_default() += 1;
        }
        let (first, last) = match (counts.first_key_value(), counts.last_key_value()) {
            (Some((&first, _)), Some((&last, _))) => (first, last.max(first + 7)),
            _ => return Ok(()),
        };
        let most = counts.values().copied().max().unwrap_or(1) as f64;
        let wide = WIDTH / f64::from(last - first + 1);
        let base = HEIGHT - 20.0;
        writeln!(
            w,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"histogram\">"
        )?;
        writeln!(w, "<path class=\"grid\" d=\"M0 {base}H{WIDTH}\"/>")?;
        let each = (54.0 / wide).ceil() as i32;
        for bucket in first..=last {
            let x = wide * f64::from(bucket - first);
            let from = ns(2f64.powi(bucket));
            if let Some(&count) = counts.get(&bucket) {
                let height = ((base - 4.0) * count as f64 / most).max(1.0);
                writeln!(
                    w,
                    "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"1\"><title>{count}: {from} to {}</title></rect>",
                    x + 1.0,
                    base - height,
                    wide - 2.0,
                    ns(2f64.powi(bucket + 1))
                )?;
            }
            if (bucket - first) % each == 0 && x + 46.0 < WIDTH {
                writeln!(
                    w,
                    "<text class=\"soft\" x=\"{x:.1}\" y=\"{:.1}\">{from}</text>",
                    HEIGHT - 6.0
                )?;
            }
        }
        writeln!(w, "</svg>")
    }
}
