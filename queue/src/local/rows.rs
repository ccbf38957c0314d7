//! The rows of a queue as tables.

use std::time::Duration;

use rusqlite::{OptionalExtension, Row, ToSql, Transaction, params, params_from_iter};

use super::failed;
use crate::broker::{Event, Happening, KindDepth, Seq};
use crate::error::Error;
use crate::id::{JobId, Lane};
use crate::record::{Phase, Record, State};
use crate::store::{LaneRow, Rows};

/// The indexes are partial, so that the many jobs that are settled and still kept cost nothing.
pub(crate) const TABLES: &str = "
CREATE TABLE jobs (
    ord INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL UNIQUE,
    lane INTEGER NOT NULL,
    phase INTEGER NOT NULL,
    kind TEXT NOT NULL,
    class TEXT NOT NULL,
    due INTEGER,
    dead INTEGER,
    record BLOB NOT NULL
);
CREATE INDEX ready ON jobs (lane, ord, kind, class) WHERE phase = 0;
CREATE INDEX open ON jobs (lane, phase) WHERE phase < 3;
CREATE INDEX due ON jobs (due) WHERE due IS NOT NULL;
CREATE INDEX dead ON jobs (dead) WHERE dead IS NOT NULL;
CREATE TABLE bodies (id BLOB PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE events (id BLOB NOT NULL, seq INTEGER NOT NULL, what BLOB NOT NULL, PRIMARY KEY (id, seq)) WITHOUT ROWID;
CREATE TABLE lanes (lane INTEGER PRIMARY KEY, jobs INTEGER NOT NULL, bytes INTEGER NOT NULL, bucket_at INTEGER NOT NULL, bucket INTEGER NOT NULL);
CREATE TABLE workers (name TEXT PRIMARY KEY, seen INTEGER NOT NULL, drain INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE numbers (last INTEGER NOT NULL);
INSERT INTO numbers VALUES (0);
INSERT INTO lanes VALUES (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0);
";

pub(crate) struct SqlRows<'a> {
    in_step: &'a Transaction<'a>,
}

/// SQLite's numbers have a sign. Times beyond it are never.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.unsigned_abs())
}

fn id_of(row: &Row<'_>) -> rusqlite::Result<JobId> {
    row.get(0).map(JobId)
}

fn encode<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(value).map_err(|error| Error::new(format!("cannot be encoded: {error}")))
}

fn decode<'de, T: serde::Deserialize<'de>>(id: JobId, bytes: &'de [u8]) -> Result<T, Error> {
    postcard::from_bytes(bytes)
        .map_err(|error| Error::new(format!("job {id} in the queue's file is damaged: {error}")))
}

impl<'a> SqlRows<'a> {
    pub fn new(in_step: &'a Transaction<'a>) -> Self {
        SqlRows { in_step }
    }

    fn run(&self, sql: &str, values: &[&dyn ToSql]) -> Result<usize, Error> {
        self.in_step
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values))
            .map_err(failed)
    }

    fn one<T>(
        &self,
        sql: &str,
        values: &[&dyn ToSql],
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        self.in_step
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(values, read).optional())
            .map_err(failed)
    }

    fn all<T>(
        &self,
        sql: &str,
        values: &[&dyn ToSql],
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        self.in_step
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(values, read)?.collect())
            .map_err(failed)
    }
}

impl Rows for SqlRows<'_> {
    fn get(&mut self, id: JobId) -> Result<Option<Record>, Error> {
        let bytes = self.one(
            "SELECT record FROM jobs WHERE id = ?1",
            params![id.0],
            |row| row.get::<_, Vec<u8>>(0),
        )?;
        bytes.map(|bytes| decode(id, &bytes)).transpose()
    }

    fn put(&mut self, id: JobId, record: &Record, now: u64) -> Result<(), Error> {
        let due = record.due(now).map(number);
        let dead = matches!(record.state, State::Dead(_)).then_some(number(record.changed));
        let (lane, phase, bytes) = (
            record.lane.index() as i64,
            record.phase(now) as i64,
            encode(record)?,
        );
        self.run(
            "INSERT INTO jobs (id, lane, phase, kind, class, due, dead, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (id) DO UPDATE SET phase = ?3, due = ?6, dead = ?7, record = ?8",
            params![id.0, lane, phase, record.kind, record.class, due, dead, bytes],
        )?;
        Ok(())
    }

    fn put_body(&mut self, id: JobId, body: &[u8]) -> Result<(), Error> {
        self.run(
            "INSERT OR REPLACE INTO bodies VALUES (?1, ?2)",
            params![id.0, body],
        )
        .map(drop)
    }

    fn body(&mut self, id: JobId) -> Result<Vec<u8>, Error> {
        let body = self.one(
            "SELECT body FROM bodies WHERE id = ?1",
            params![id.0],
            |row| row.get(0),
        )?;
        body.ok_or_else(|| {
            Error::new(format!(
                "job {id} has no body in the queue's file, which is damaged"
            ))
        })
    }

    fn forget_body(&mut self, id: JobId) -> Result<(), Error> {
        self.run("DELETE FROM bodies WHERE id = ?1", params![id.0])
            .map(drop)
    }

    fn forget(&mut self, id: JobId) -> Result<(), Error> {
        self.forget_body(id)?;
        self.run("DELETE FROM events WHERE id = ?1", params![id.0])?;
        self.run("DELETE FROM jobs WHERE id = ?1", params![id.0])
            .map(drop)
    }

    fn first_ready(
        &mut self,
        lane: Lane,
        kinds: &[String],
        classes: &[String],
    ) -> Result<Option<JobId>, Error> {
        if kinds.is_empty() || classes.is_empty() {
            return Ok(None);
        }
        let marks = |n: usize| vec!["?"; n].join(", ");
        let sql = format!(
            "SELECT id FROM jobs INDEXED BY ready WHERE phase = 0 AND lane = ? AND kind IN ({}) AND class IN ({}) ORDER BY ord LIMIT 1",
            marks(kinds.len()),
            marks(classes.len())
        );
        let lane = lane.index() as i64;
        let values = std::iter::once(&lane as &dyn ToSql)
            .chain(kinds.iter().chain(classes).map(|text| text as &dyn ToSql));
        let mut statement = self.in_step.prepare_cached(&sql).map_err(failed)?;
        statement
            .query_row(params_from_iter(values), id_of)
            .optional()
            .map_err(failed)
    }

    fn overdue(&mut self, now: u64, max: usize) -> Result<Vec<JobId>, Error> {
        self.all(
            "SELECT id FROM jobs WHERE due <= ?1 ORDER BY due LIMIT ?2",
            params![number(now), number(max as u64)],
            id_of,
        )
    }

    fn next_due(&mut self) -> Result<Option<u64>, Error> {
        self.one(
            "SELECT due FROM jobs WHERE due IS NOT NULL ORDER BY due LIMIT 1",
            &[],
            |row| natural(row, 0),
        )
    }

    fn lane(&mut self, lane: Lane) -> Result<LaneRow, Error> {
        let row = self.one(
            "SELECT jobs, bytes, bucket_at, bucket FROM lanes WHERE lane = ?1",
            params![lane.index() as i64],
            |row| {
                Ok(LaneRow {
                    jobs: natural(row, 0)?,
                    bytes: natural(row, 1)?,
                    bucket_at: natural(row, 2)?,
                    bucket: natural(row, 3)?,
                })
            },
        )?;
        row.ok_or_else(|| {
            Error::new(format!(
                "the queue's file has no lane {lane}, and is damaged"
            ))
        })
    }

    fn put_lane(&mut self, lane: Lane, row: LaneRow) -> Result<(), Error> {
        let values = params![
            lane.index() as i64,
            number(row.jobs),
            number(row.bytes),
            number(row.bucket_at),
            number(row.bucket)
        ];
        self.run(
            "UPDATE lanes SET jobs = ?2, bytes = ?3, bucket_at = ?4, bucket = ?5 WHERE lane = ?1",
            values,
        )
        .map(drop)
    }

    fn push_event(&mut self, id: JobId, what: &Happening) -> Result<(), Error> {
        self.run(
            "INSERT INTO events VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE id = ?1), ?2)",
            params![id.0, encode(what)?],
        )
        .map(drop)
    }

    fn events(&mut self, id: JobId, from: Seq) -> Result<Vec<Event>, Error> {
        let rows = self.all(
            "SELECT seq, what FROM events WHERE id = ?1 AND seq >= ?2 ORDER BY seq",
            params![id.0, number(from)],
            |row| Ok((natural(row, 0)?, row.get::<_, Vec<u8>>(1)?)),
        )?;
        rows.into_iter()
            .map(|(seq, what)| {
                Ok(Event {
                    seq,
                    what: decode(id, &what)?,
                })
            })
            .collect()
    }

    fn next_number(&mut self) -> Result<u64, Error> {
        let next = self.one(
            "UPDATE numbers SET last = last + 1 RETURNING last",
            &[],
            |row| natural(row, 0),
        )?;
        next.ok_or_else(|| Error::new("the queue's file has no numbers, and is damaged"))
    }

    fn counts(&mut self, lane: Lane) -> Result<[u64; 3], Error> {
        let mut counts = [0; 3];
        let sql = "SELECT phase, count(*) FROM jobs INDEXED BY open WHERE phase < 3 AND lane = ?1 GROUP BY phase";
        for (phase, count) in self.all(sql, params![lane.index() as i64], |row| {
            Ok((natural(row, 0)?, natural(row, 1)?))
        })? {
            if let Some(slot) = counts.get_mut(phase as usize) {
                *slot = count;
            }
        }
        Ok(counts)
    }

    fn kinds(&mut self, now: u64) -> Result<Vec<KindDepth>, Error> {
        // The index has the numbers; the record of the first of each group has its age.
        let groups = self.all(
            "SELECT lane, kind, phase, count(*), min(ord) FROM jobs WHERE phase < 3 GROUP BY lane, kind, phase ORDER BY lane, kind",
            &[],
            |row| {
                let lane = Lane::ALL[row.get::<_, i64>(0)?.clamp(0, 2) as usize];
                let ord: i64 = row.get(4)?;
                Ok((lane, row.get::<_, String>(1)?, natural(row, 2)?, natural(row, 3)?, ord))
            },
        )?;
        let mut kinds: Vec<KindDepth> = Vec::new();
        for (lane, kind, phase, count, first) in groups {
            let record = self.one(
                "SELECT id, record FROM jobs WHERE ord = ?1",
                params![first],
                |row| Ok((id_of(row)?, row.get::<_, Vec<u8>>(1)?)),
            )?;
            let Some((id, record)) = record else { continue };
            let record: Record = decode(id, &record)?;
            let oldest = Duration::from_millis(now.saturating_sub(record.submitted));
            if kinds
                .last()
                .is_none_or(|last| last.lane != lane || last.kind != kind)
            {
                kinds.push(KindDepth {
                    lane,
                    kind,
                    queued: 0,
                    delayed: 0,
                    leased: 0,
                    oldest,
                });
            }
            if let Some(last) = kinds.last_mut() {
                last.oldest = last.oldest.max(oldest);
                match phase {
                    0 => last.queued = count,
                    1 => last.delayed = count,
                    _ => last.leased = count,
                }
            }
        }
        Ok(kinds)
    }

    fn dead(&mut self, max: usize) -> Result<Vec<JobId>, Error> {
        self.all(
            "SELECT id FROM jobs WHERE dead IS NOT NULL ORDER BY dead LIMIT ?1",
            params![number(max as u64)],
            id_of,
        )
    }

    fn count_dead(&mut self) -> Result<u64, Error> {
        let count = self.one(
            "SELECT count(*) FROM jobs WHERE dead IS NOT NULL",
            &[],
            |row| natural(row, 0),
        )?;
        Ok(count.unwrap_or(0))
    }

    fn attend(&mut self, worker: &str, now: u64) -> Result<bool, Error> {
        let drain = self.one(
            "INSERT INTO workers VALUES (?1, ?2, 0) ON CONFLICT (name) DO UPDATE SET seen = ?2 RETURNING drain",
            params![worker, number(now)],
            |row| row.get(0),
        )?;
        // Names have the number of a process, so they would pile up.
        self.run(
            "DELETE FROM workers WHERE seen < ?1",
            params![number(now.saturating_sub(60_000))],
        )?;
        Ok(drain.unwrap_or(false))
    }

    fn drain(&mut self, worker: &str) -> Result<bool, Error> {
        Ok(self.run(
            "UPDATE workers SET drain = 1 WHERE name = ?1",
            params![worker],
        )? > 0)
    }

    fn workers(&mut self) -> Result<Vec<(String, u64, bool)>, Error> {
        self.all(
            "SELECT name, seen, drain FROM workers ORDER BY name",
            &[],
            |row| Ok((row.get(0)?, natural(row, 1)?, row.get(2)?)),
        )
    }
}

// The numbers of the phases are in the file.
const _: () =
    assert!(Phase::Ready as u8 == 0 && Phase::Running as u8 == 2 && Phase::Settled as u8 == 3);
