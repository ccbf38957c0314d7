//! What a thread was at, as a tree: what is inside of what.

use super::recording::Trace;
use super::spans::Span;
use super::what::What;
use crate::core::event::Kind;
use crate::core::track::Track;

/// A span, and the spans directly inside of it, by time.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) what: What,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) around: Option<usize>,
    pub(super) inside: Vec<usize>,
}

/// What one thread did.
#[derive(Debug)]
pub(super) struct Thread {
    /// By the time at which they begin, the outer before the inner.
    pub(super) nodes: Vec<Node>,
    pub(super) outermost: Vec<usize>,
}

impl Thread {
    pub(super) fn of(trace: &Trace, track: &Track) -> Thread {
        let thread = Thread::nested(trace.spans(track));
        let Some((from, to)) = thread.unseen_job(trace, track) else {
            return thread;
        };
        let mut spans = trace.spans(track);
        let what = What::Visit;
        let at = spans.partition_point(|span| span.from < from);
        let depth = 0;
        let job = Span {
            what,
            from,
            to,
            depth,
        };
        spans.insert(at, job);
        Thread::nested(spans)
    }

    fn nested(spans: Vec<Span>) -> Thread {
        let mut nodes: Vec<Node> = Vec::with_capacity(spans.len());
        let (mut outermost, mut around) = (Vec::new(), Vec::<usize>::new());
        for (at, span) in spans.iter().enumerate() {
            span.keep_outer(&mut around, |&outer| spans[outer]);
            let outer = around.last().copied();
            match outer {
                Some(outer) => nodes[outer].inside.push(at),
                None => outermost.push(at),
            }
            around.push(at);
            nodes.push(Node {
                what: span.what,
                from: span.from,
                to: span.to,
                around: outer,
                inside: Vec::new(),
            });
        }
        Thread { nodes, outermost }
    }

    /// A recording that begins and ends inside a job does not see the job. When that was, if calls, joins or waits show that there was one.
    fn unseen_job(&self, trace: &Trace, track: &Track) -> Option<(u64, u64)> {
        let outermost = || self.outermost.iter().map(|&at| &self.nodes[at]);
        let ends = |what| {
            matches!(
                what,
                What::Job(_) | What::Visit | What::Search | What::Sleep
            )
        };
        let shows = outermost().filter(|node| !ends(node.what));
        let offers = track.events.iter().filter_map(|event| {
            let at = event.ticks.saturating_sub(trace.begin);
            let offers = matches!(event.kind, Kind::Promote | Kind::Spawn);
            (offers && self.at(at).is_none()).then_some((at, at))
        });
        let all = shows.map(|node| (node.from, node.to)).chain(offers);
        let (first, last) = all.fold((u64::MAX, 0), |(first, last), (from, to)| {
            (first.min(from), last.max(to))
        });
        if track.of.desk == 0 || first > last {
            return None;
        }
        let before = outermost().filter(|node| ends(node.what) && node.to <= first);
        let after = outermost().filter(|node| ends(node.what) && node.from >= last);
        let from = before.map(|node| node.to).max().unwrap_or(0);
        let to = after.map(|node| node.from).min().unwrap_or(trace.ticks);
        Some((from, to))
    }

    /// The innermost node at a time.
    pub(super) fn at(&self, time: u64) -> Option<usize> {
        let next = self.nodes.partition_point(|node| node.from <= time);
        let mut at = next.checked_sub(1);
        while let Some(node) = at
            && self.nodes[node].to <= time
        {
            at = self.nodes[node].around;
        }
        at
    }

    /// The call of which a job is a part, if it is one.
    pub(super) fn part_of(&self, job: usize) -> Option<u64> {
        let node = &self.nodes[job];
        let first = node.inside.first().map(|&at| self.nodes[at].what);
        match (node.what, first) {
            (What::Job(_), Some(What::Piece { call, .. })) => Some(call),
            _ => None,
        }
    }
}

impl Node {
    pub(super) fn ticks(&self) -> u64 {
        self.to - self.from
    }

    /// Whether what is inside belongs to something else, if to anything: jobs, and time in which there was nothing to do.
    pub(super) fn is_apart(&self) -> bool {
        matches!(
            self.what,
            What::Job(_) | What::Visit | What::Wait(_) | What::Search | What::Sleep
        )
    }
}
