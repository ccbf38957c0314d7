//! The table of loops as text, for a terminal.

use super::advice::Advice;
use super::explain::{Explain, SiteReport};
use super::figures::ns;
use super::regions::within;
use crate::core::rows::ROWS;
use std::fmt;

/// The blocks of a site, in words.
fn grain(site: &SiteReport) -> String {
    let time = ns(site.grain.as_nanos() as f64);
    match (site.blocks, site.grain_items) {
        (0, _) => "no blocks".into(),
        (blocks, 1) => format!("{blocks} blocks of 1 item, {time}"),
        (blocks, items) => format!("{blocks} blocks of {items} items, {time}"),
    }
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sites.is_empty() && self.left_out == 0 {
            writeln!(f, "no parallel iterator was driven")?;
        }
        for site in &self.sites {
            let within = within(site.regions.iter().map(String::as_str));
            writeln!(f, "{}{within}", site.name)?;
            writeln!(
                f,
                "    {} calls, {} items, {} an item, {} in all; {}; {} cut, {} taken",
                site.calls,
                site.items,
                ns(site.ns_per_item()),
                ns(site.time.as_nanos() as f64),
                grain(site),
                site.cuts,
                site.taken
            )?;
            let todo = Advice::of(site).todo;
            let dot = if todo.is_empty() { "" } else { ". " };
            writeln!(f, "    {}{dot}{todo}", site.why)?;
        }
        if self.lost > 0 {
            writeln!(f, "at least {} events were lost", self.lost)?;
        }
        if self.left_out > 0 {
            let (room, times) = (ROWS, self.left_out);
            writeln!(
                f,
                "a thread has room for {room} sites: others were left out, {times} times"
            )?;
        }
        Ok(())
    }
}
