//! The lines of regions on the timeline: names of parts of the program, and when they ran.

use super::super::what::What;
use super::super::xml::XmlText;
use super::Page;
use std::cmp::Reverse;
use std::io::{self, Write};

/// Names of regions, at most.
const REGIONS: usize = 200;
/// Lines of them, at most.
const LINES: usize = 3;
/// The height of a line.
pub(super) const HEIGHT: f64 = 18.0;

/// Regions that do not overlap: from, to, and the name.
pub(super) type Line = Vec<(u64, u64, String)>;

impl Page<'_> {
    /// The regions that are long enough to be seen, of all threads, in lines without overlap.
    pub(super) fn regions(&self) -> Vec<Line> {
        let spans = self.summary.spans.iter().flatten();
        let mut regions: Vec<_> = spans
            .filter_map(|span| match span.what {
                What::Region(name) => Some((span.from, span.to, name)),
                _ => None,
            })
            .filter(|(from, to, _)| to - from > self.trace.ticks / 600)
            .collect();
        regions.sort_by_key(|&(from, to, name)| (from, Reverse(to), name));
        regions.truncate(REGIONS);
        let mut lines: Vec<Line> = Vec::new();
        for (from, to, name) in regions {
            let region = (from, to, self.trace.region_name(name).to_owned());
            let free = |line: &&mut Line| line.last().is_none_or(|last| last.1 <= from);
            if let Some(line) = lines.iter_mut().find(free) {
                line.push(region);
            } else if lines.len() < LINES {
                lines.push(vec![region]);
            }
        }
        lines
    }

    /// Names of parts of the program, from `top` on, above what the threads did meanwhile.
    pub(super) fn region_lines(
        &self,
        w: &mut dyn Write,
        lines: &[Line],
        top: f64,
    ) -> io::Result<()> {
        for (line, regions) in lines.iter().enumerate() {
            let y = top + HEIGHT * line as f64;
            if line == 0 {
                let text = y + 12.0;
                writeln!(
                    w,
                    "<text class=\"soft\" x=\"0\" y=\"{text:.1}\">regions</text>"
                )?;
            }
            for (from, to, name) in regions {
                let (x, label, time) = (self.x(*from), XmlText(name), self.time(to - from));
                let width = (self.x(*to) - x).max(0.4);
                writeln!(
                    w,
                    "<rect class=\"region\" x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{:.1}\"><title>{label}: {time}</title></rect>",
                    HEIGHT - 2.0
                )?;
                if width > 6.5 * name.chars().count() as f64 + 8.0 {
                    let (x, text) = (x + 4.0, y + 12.0);
                    writeln!(w, "<text x=\"{x:.1}\" y=\"{text:.1}\">{label}</text>")?;
                }
            }
        }
        Ok(())
    }
}
