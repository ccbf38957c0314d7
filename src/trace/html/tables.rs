//! The tables of the page: of loops, and of threads.

use super::super::advice::{Advice, in_words};
use super::super::explain::SiteReport;
use super::super::figures::{grouped, ns, percent};
use super::super::labels::thread_name;
use super::super::regions::within;
use super::super::xml::XmlText;
use super::timeline::ROWS;
use super::{NOTHING, Page};
use std::io::{self, Write};

/// How many sites are listed.
const SITES: usize = 100;

impl Page<'_> {
    pub(super) fn sites(&self, w: &mut dyn Write) -> io::Result<()> {
        writeln!(
            w,
            "<h2>The loops, and why each was or was not cut</h2>\n<p class=\"hint\">A row is a place in the program that drives a parallel iterator, known by the types of what it drives. Times are added up over all threads; those that took longest come first. A block is what a thread folds from one look at the clock to the next.</p>"
        )?;
        if self.explain.sites.is_empty() {
            return writeln!(w, "<div class=\"card\">There were none.</div>");
        }
        writeln!(
            w,
            "<div class=\"card scroll\">\n<table>\n<thead><tr><th>loop → end</th><th class=\"n\">time</th><th class=\"n\">calls</th><th class=\"n\">items</th><th class=\"n\">an item</th><th class=\"n\">a block</th><th class=\"n\">of items</th><th class=\"n\">cut</th><th class=\"n\">taken</th><th class=\"n\">p50</th><th class=\"n\">p99</th></tr></thead>\n<tbody>"
        )?;
        let keys = self.trace.sites_by_time();
        for (site, key) in self.explain.sites.iter().zip(keys).take(SITES) {
            self.site(w, site, key)?;
        }
        writeln!(w, "</tbody>\n</table>")?;
        let more = self.explain.sites.len().saturating_sub(SITES);
        if more > 0 {
            writeln!(w, "<p class=\"hint\">{more} more took less time.</p>")?;
        }
        writeln!(w, "</div>")
    }

    fn site(&self, w: &mut dyn Write, site: &SiteReport, key: u32) -> io::Result<()> {
        let color = self.class(Some(key));
        writeln!(
            w,
            "<tr class=\"first\"><td class=\"name\"><i class=\"chip {color}\"></i>{}<span class=\"in\">{}</span></td>",
            XmlText(&site.name),
            XmlText(&self.regions_of(key))
        )?;
        let figures = [
            (ns(site.time.as_nanos() as f64), site.time.as_nanos()),
            (grouped(site.calls), site.calls.into()),
            (grouped(site.items), site.items.into()),
            (ns(site.ns_per_item()), 0),
            (ns(site.grain.as_nanos() as f64), site.grain.as_nanos()),
            (grouped(site.grain_items), site.grain_items.into()),
            (grouped(site.cuts), site.cuts.into()),
            (grouped(site.taken), site.taken.into()),
            (ns(site.p50.as_nanos() as f64), site.p50.as_nanos()),
            (ns(site.p99.as_nanos() as f64), site.p99.as_nanos()),
        ];
        for (figure, value) in figures {
            let figure = if figure == NOTHING { "–" } else { &figure };
            write!(w, "<td class=\"n\" data-value=\"{value}\">{figure}</td>")?;
        }
        let Advice { class, tag, todo } = Advice::of(site);
        writeln!(
            w,
            "</tr>\n<tr class=\"why\"><td colspan=\"11\"><div class=\"say\"><span class=\"tag {class}\">{tag}</span>{} <span class=\"todo\">{todo}</span>",
            XmlText(&site.why)
        )?;
        if !site.reasons.is_empty() {
            let asked: u64 = site.reasons.iter().map(|(_, count)| count).sum();
            let all: Vec<_> = site
                .reasons
                .iter()
                .map(|(reason, count)| format!("{} {}", in_words(*reason), grouped(*count)))
                .collect();
            writeln!(
                w,
                "<details><summary>asked whether to cut {}</summary>{}</details>",
                if asked == 1 {
                    "once".into()
                } else {
                    grouped(asked) + " times"
                },
                all.join(" · ")
            )?;
        }
        writeln!(w, "</div></td></tr>")
    }

    /// Where a site was called, in regions.
    pub(super) fn regions_of(&self, key: u32) -> String {
        let regions = self.summary.regions.get(&key).into_iter().flatten();
        within(regions.map(|&region| self.trace.region_name(region)))
    }

    pub(super) fn threads(&self, w: &mut dyn Write) -> io::Result<()> {
        writeln!(
            w,
            "<h2>The threads</h2>\n<div class=\"card scroll\">\n<table>\n<thead><tr><th>thread</th><th>share of the time</th><th class=\"n\">worked</th><th class=\"n\">waited</th><th class=\"n\">looked for work</th><th class=\"n\">slept</th><th class=\"n\">jobs</th><th class=\"n\">taken from others</th><th class=\"n\">events lost</th></tr></thead>\n<tbody class=\"plain\">"
        )?;
        let threads = self.summary.sums.iter().zip(&self.trace.tracks);
        let threads = threads.filter(|(_, track)| track.of.desk != 0);
        let more = threads.clone().skip(ROWS).count();
        for (sum, track) in threads.take(ROWS) {
            writeln!(
                w,
                "<tr><td>{} <span class=\"todo\">of {}</span></td><td><div class=\"share\">",
                XmlText(&thread_name(track.of)),
                XmlText(&self.trace.pool_name(track.of))
            )?;
            for (class, ticks) in [
                ("bar s0", sum.busy),
                ("wait", sum.wait),
                ("search", sum.search),
            ] {
                let share = percent(ticks, self.trace.ticks);
                write!(w, "<i class=\"{class}\" style=\"width:{share:.2}%\"></i>")?;
            }
            writeln!(w, "</div></td>")?;
            for ticks in [sum.busy, sum.wait, sum.search, sum.sleep] {
                write!(
                    w,
                    "<td class=\"n\" data-value=\"{ticks}\">{}</td>",
                    self.time(ticks)
                )?;
            }
            for count in [sum.jobs, sum.steals, track.lost] {
                write!(
                    w,
                    "<td class=\"n\" data-value=\"{count}\">{}</td>",
                    grouped(count)
                )?;
            }
            writeln!(w, "</tr>")?;
        }
        writeln!(w, "</tbody>\n</table>")?;
        if more > 0 {
            writeln!(
                w,
                "<p class=\"hint\">{more} more threads are not shown.</p>"
            )?;
        }
        writeln!(w, "</div>")
    }
}
