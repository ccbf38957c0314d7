//! From events to spans: what a thread was doing, from when until when.

use super::recording::Trace;
use super::what::What;
use crate::core::event::Kind;
use crate::core::track::Track;
use std::cmp::Reverse;

/// Something that went on for some time, in ticks since the recording began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) what: What,
    pub(super) from: u64,
    pub(super) to: u64,
    /// How many others it is inside of.
    pub(super) depth: usize,
}

impl Span {
    pub(super) fn ticks(&self) -> u64 {
        self.to.saturating_sub(self.from)
    }

    /// Removes from `around`, a stack of spans that lie each inside the one below it, those that this span is not inside of. Spans come in the order
    /// of their begins.
    pub(super) fn keep_outer<T>(&self, around: &mut Vec<T>, span: impl Fn(&T) -> Span) {
        around.retain(|outer| {
            let end = span(outer).to;
            end > self.from || end == self.to
        });
        // Blocks follow one another. Those without a look at the clock take no time, so they only seem to lie in the block that ends or begins at the same time.
        let is_of_blocks = |what| matches!(what, What::Blocks { .. });
        if is_of_blocks(self.what)
            && around
                .last()
                .is_some_and(|last| is_of_blocks(span(last).what))
        {
            around.pop();
        }
    }
}

impl Trace {
    /// From when on all that a thread did is known.
    pub(super) fn known(&self, track: &Track) -> u64 {
        match track.events.first() {
            Some(first) if track.lost > 0 => first.ticks.saturating_sub(self.begin),
            _ => 0,
        }
    }

    /// The spans of each track.
    pub(super) fn all_spans(&self) -> Vec<Vec<Span>> {
        self.tracks.iter().map(|track| self.spans(track)).collect()
    }

    /// What the thread of a track was at, by the begin, the outer before the inner. A span that was under way at the begin or the end of the recording is
    /// cut off there. A span that a panic ended ends with the span around it.
    pub(super) fn spans(&self, track: &Track) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let span = |what, from, to| Span {
            what,
            from,
            to,
            depth: 0,
        };
        let known = self.known(track);
        for event in &track.events {
            let now = event.ticks.saturating_sub(self.begin);
            if event.kind == Kind::Still {
                if !open.iter().any(|&at| spans[at].what.is_of(event.number)) {
                    let from = open.last().map_or(known, |&at| spans[at].from);
                    let site = event.more[0] as u32;
                    let call = event.number;
                    open.push(spans.len());
                    spans.push(span(What::Rest { site, call }, from, self.ticks));
                }
            } else if let Some(what) = What::begun(event) {
                open.push(spans.len());
                spans.push(span(what, now, self.ticks));
            } else if let Some(end) = What::ended(event) {
                match open.iter().rposition(|&at| spans[at].what.is_ended_by(end)) {
                    Some(at) => open.drain(at..).for_each(|inner| spans[inner].to = now),
                    // It was under way when the recording, or what is left of it, began.
                    None if open.is_empty() => spans.push(span(end, known, now)),
                    None => {}
                }
            } else if event.kind == Kind::Blocks {
                let [ticks, at] = event.more;
                let (items, ago) = event.blocks();
                let to = now.saturating_sub(ago);
                spans.push(span(
                    What::Blocks { items, at },
                    to.saturating_sub(ticks),
                    to,
                ));
            }
        }
        spans.sort_by_key(|span| (span.from, Reverse(span.to)));
        let mut around: Vec<Span> = Vec::new();
        for span in &mut spans {
            span.keep_outer(&mut around, |outer| *outer);
            span.depth = around.len();
            around.push(*span);
        }
        spans
    }
}
