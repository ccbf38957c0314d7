//! In which regions of the program each call site was called.

use super::recording::Trace;
use super::spans::Span;
use super::what::What;
use std::collections::{BTreeMap, BTreeSet};

/// How many regions are named.
const MOST: usize = 3;

/// ` in parse, sort`: where a site was called, if that is known.
pub(super) fn within<'a>(regions: impl Iterator<Item = &'a str> + Clone) -> String {
    let named: Vec<_> = regions.clone().take(MOST).collect();
    match named[..] {
        [] => String::new(),
        _ => {
            let more = if regions.count() > MOST { ", ..." } else { "" };
            format!(" in {}{more}", named.join(", "))
        }
    }
}

/// The innermost region around the calls of each site: on the same thread, or else one of a thread outside at that time.
pub(super) fn regions(trace: &Trace, spans: &[Vec<Span>]) -> BTreeMap<u32, BTreeSet<u64>> {
    let mut regions: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    let name = |span: &Span| match span.what {
        What::Region(name) => Some((span.from, span.to, name)),
        _ => None,
    };
    let outside = trace.tracks.iter().position(|track| track.of.desk == 0);
    let outside: Vec<_> = outside
        .map(|track| spans[track].iter().filter_map(name).collect())
        .unwrap_or_default();
    for spans in spans {
        let mut around: Vec<(u64, u64, u64)> = Vec::new();
        // Begun already, and not over yet.
        let (mut next, mut elsewhere): (_, Vec<(u64, u64, u64)>) = (outside.iter(), Vec::new());
        for span in spans {
            around.retain(|&(_, to, _)| to > span.from);
            around.extend(name(span));
            let (What::Call { site, .. } | What::Rest { site, .. }) = span.what else {
                continue;
            };
            while let Some(&region) = next.as_slice().first()
                && region.0 <= span.from
            {
                elsewhere.push(region);
                next.next();
            }
            elsewhere.retain(|&(_, to, _)| to > span.from);
            if let Some(&(_, _, region)) = around.last().or(elsewhere.last()) {
                regions.entry(site).or_default().insert(region);
            }
        }
    }
    regions
}
