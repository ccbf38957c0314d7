//! Subjects and names on the server.

use std::fmt::Write;

use crate::id::{JobId, Lane};
use crate::record::Record;

/// The subjects of a queue.
pub(super) struct Names {
    queue: String,
}

/// A text as one token of a subject: what has a meaning there is written as `=` and two digits.
fn token(text: &str) -> String {
    let mut token = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b':') {
            token.push(byte as char);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(token, "={byte:02x}");
        }
    }
    if token.is_empty() {
        "=".to_owned()
    } else {
        token
    }
}

fn text(token: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'=' if token.len() == 1 => {}
            b'=' => {
                let digits = [rest.next()?, rest.next()?];
                bytes.push(u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?);
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

impl Names {
    pub fn new(queue: &str) -> Self {
        Names {
            queue: queue.to_owned(),
        }
    }

    pub fn stream(&self, what: &str) -> String {
        format!("FQ_{}_{what}", self.queue)
    }

    pub fn lane_stream(&self, lane: Lane) -> String {
        self.stream(&lane.to_string().to_uppercase())
    }

    pub fn lane(&self, lane: Lane) -> String {
        format!("fq.{}.job.{lane}.>", self.queue)
    }

    pub fn kind(&self, lane: Lane, class: &str, kind: &str) -> String {
        format!(
            "fq.{}.job.{lane}.{}.{}.*",
            self.queue,
            token(class),
            token(kind)
        )
    }

    /// A consumer's name must hold even less than a token, and be short.
    pub fn consumer(&self, class: &str, kind: &str) -> String {
        let hash =
            xxhash_rust::xxh3::xxh3_128(format!("{}.{}", token(class), token(kind)).as_bytes());
        format!("w{hash:032x}")
    }

    pub fn job(&self, id: JobId, record: &Record) -> String {
        format!(
            "fq.{}.job.{}.{}.{}.{id}",
            self.queue,
            record.lane,
            token(&record.class),
            token(&record.kind)
        )
    }

    pub fn state(&self, id: JobId) -> String {
        format!("fq.{}.st.{id}", self.queue)
    }

    pub fn part(&self, id: JobId) -> String {
        format!("fq.{}.part.{id}", self.queue)
    }

    pub fn dead(&self, id: JobId) -> String {
        format!("fq.{}.dead.{id}", self.queue)
    }

    pub fn worker(&self, name: &str) -> String {
        format!("fq.{}.worker.{}", self.queue, token(name))
    }

    pub fn bell(&self, class: &str) -> String {
        format!("fq.{}.bell.{}", self.queue, token(class))
    }

    pub fn all(&self, what: &str) -> String {
        format!("fq.{}.{what}.*", self.queue)
    }

    /// The job that a subject ends with.
    pub fn id_of(subject: &str) -> Option<JobId> {
        subject.rsplit('.').next()?.parse().ok()
    }

    /// The worker that a subject ends with.
    pub fn worker_of(subject: &str) -> Option<String> {
        text(subject.rsplit('.').next()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_hold_no_wild_cards_and_come_back() {
        for original in [
            "count/1",
            "a.b",
            "*",
            ">",
            "a b",
            "=",
            "",
            "\u{e4}",
            "map:words/1",
        ] {
            let token = token(original);
            assert!(
                !token.is_empty() && !token.contains(['.', '*', '>', ' ']),
                "{token}"
            );
            assert_eq!(text(&token).as_deref(), Some(original));
        }
        assert_eq!(text("=f"), None);
        assert_eq!(text("=zz"), None);
    }
}
