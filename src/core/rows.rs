//! The table of a desk in a recording: a [row](super::row) of counts for each call site.

use super::histogram;
use super::row::{COLUMNS, Row};
use crate::sync::{AtomicBool, AtomicU64, Mutex, OnceLock, Ordering, lock};
use std::collections::BTreeMap;

/// What sites are called, by their keys.
static NAMES: Mutex<BTreeMap<u32, [&'static str; 2]>> = Mutex::new(BTreeMap::new());

/// The names of a site's piece and consumer.
pub(crate) fn name_of(site: u32) -> [&'static str; 2] {
    lock(&NAMES).get(&site).copied().unwrap_or(["?", "?"])
}

/// How many sites there is room for at a desk. What is beyond is left out.
pub(crate) const ROWS: usize = 512;

/// The sites that ran at one desk. Written by the thread at it.
#[derive(Default)]
pub(crate) struct Rows {
    rows: OnceLock<Box<[AtomicRow]>>,
    /// How often there was no row.
    pub(crate) left_out: AtomicU64,
}

struct AtomicRow {
    /// The key of the site, plus one; 0 if the row is free.
    site: AtomicU64,
    /// Whether its name was told.
    named: AtomicBool,
    columns: [AtomicU64; COLUMNS],
}

impl Rows {
    /// Adds to columns of a site's row. `names` are the names of its piece and consumer, if they are known here; they are asked for once.
    pub(crate) fn add(
        &self,
        site: u32,
        names: Option<&dyn Fn() -> [&'static str; 2]>,
        more: &[(usize, u64)],
    ) {
        let rows = self.rows.get_or_init(|| {
            let row = |_| AtomicRow {
                site: AtomicU64::new(0),
                named: AtomicBool::new(false),
                columns: std::array::from_fn(|_| AtomicU64::new(0)),
            };
            (0..ROWS).map(row).collect()
        });
        let key = u64::from(site) + 1;
        let first = site as usize % ROWS;
        for at in (first..ROWS).chain(0..first) {
            let row = &rows[at];
            let of = row.site.load(Ordering::Relaxed);
            if of != 0 && of != key {
                continue;
            }
            if let Some(names) = names
                && !row.named.load(Ordering::Relaxed)
            {
                lock(&NAMES).insert(site, names());
                row.named.store(true, Ordering::Relaxed);
            }
            if of == 0 {
                // After its name.
                row.site.store(key, Ordering::Release);
            }
            for &(column, more) in more {
                histogram::add(&row.columns[column], more);
            }
            return;
        }
        histogram::add(&self.left_out, 1);
    }

    pub(crate) fn read(&self) -> Vec<(u32, Row)> {
        let rows = self.rows.get().map(|rows| &**rows).unwrap_or_default();
        let taken = rows.iter().filter_map(|row| {
            let site = row.site.load(Ordering::Acquire).checked_sub(1)?;
            let columns = row.columns.each_ref();
            Some((
                site as u32,
                Row(columns.map(|column| column.load(Ordering::Relaxed))),
            ))
        });
        taken.collect()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::row::columns::{CALLS, ITEMS};
    use std::cell::Cell;

    /// As many sites as there is room for have a row each, wherever they begin to look for one. What is beyond is counted.
    #[test]
    fn each_site_has_a_row_of_its_own_while_there_is_room() {
        let room = ROWS as u32;
        for site in [|nth| nth, |nth| 3 * ROWS as u32 - 1 + nth * ROWS as u32] {
            let (rows, asked) = (Rows::default(), Cell::new(0));
            let names = || {
                asked.set(asked.get() + 1);
                ["piece", "consumer"]
            };
            for _ in 0..2 {
                for nth in 0..room + 3 {
                    let site: u32 = site(nth);
                    rows.add(site, Some(&names), &[(CALLS, 1), (ITEMS, site.into())]);
                }
            }
            let mut read = rows.read();
            read.sort_unstable_by_key(|&(site, _)| site);
            assert!(read.iter().map(|&(site, _)| site).eq((0..room).map(site)));
            for (site, row) in read {
                assert_eq!([row.0[CALLS], row.0[ITEMS]], [2, 2 * u64::from(site)]);
                assert_eq!(name_of(site), ["piece", "consumer"]);
            }
            assert_eq!(asked.get(), room);
            assert_eq!(rows.left_out.load(Ordering::Relaxed), 6);
        }
    }
}
