//! Why a site was shared or was not, in words.

use super::Reason;
use super::explain::SiteReport;
use super::figures::{ns, times};
use super::recording::{SiteRow, Trace};
use crate::core::row::columns::NOTHING;
use crate::iter::plumbing::LIMITS;

/// About what a call takes besides its items, in nanoseconds: the guide's chapter "Is it worth it?" has more of it.
const CALL: f64 = 100.0;
/// What short calls take together is told from this many nanoseconds on.
const SEEN: f64 = 1e6;

impl Trace {
    /// The reason in words.
    pub(super) fn why(&self, report: &SiteReport, site: &SiteRow) -> String {
        let calls = report.calls.max(1);
        let call = report.time.as_nanos() as f64 / calls as f64;
        let [tiny, share, wake] = LIMITS.map(|ns| ns as f64);
        let items = report.items as f64 / calls as f64;
        let cost = format!("{items:.0} items take {}", ns(call));
        let cut = times(report.cuts);
        let cut = match report.taken {
            0 => format!("cut {cut}"),
            1 => format!("cut {cut}; another thread took one of the pieces"),
            taken => format!("cut {cut}; other threads took {taken} of the pieces"),
        };
        let asked = |reason| {
            report
                .reasons
                .iter()
                .find(|&&(r, _)| r == reason)
                .map_or(0, |r| r.1)
        };
        let mut why = match report.refusal() {
            _ if in_single_items(report) => {
                format!("{cut}; each piece is a single item, and an item is never cut")
            }
            _ if is_shared(report) => cut,
            _ if site.row.0[NOTHING] > calls / 2 => format!(
                "{cost}, next to nothing: {} such calls inside other loops were counted, and many more were made",
                site.row.0[NOTHING]
            ),
            None if report.cuts > 0 => cut,
            None => "it was never asked whether to cut".into(),
            Some(Reason::TooLittle) => {
                let limit = if report.tiny > report.driven {
                    tiny
                } else {
                    share
                };
                let calls = calls as f64 * CALL;
                match call < limit {
                    true if calls > call.max(SEEN) && limit == tiny => format!(
                        "{cost}, below {}; besides, the calls themselves take about {}",
                        ns(limit),
                        ns(calls)
                    ),
                    true => format!("{cost}, below {}", ns(limit)),
                    false => format!(
                        "what was left took too little, {}: below {}; {cost}",
                        times(asked(Reason::TooLittle)),
                        ns(limit)
                    ),
                }
            }
            Some(Reason::SharingLost) => match site.alone_and_shared {
                Some([alone, shared]) => format!(
                    "alone {}, shared {}",
                    ns(alone / self.per_ns),
                    ns(shared / self.per_ns)
                ),
                None => format!("{cost}; such calls run alone first, to learn what that takes"),
            },
            Some(Reason::OneThread) => "the pool has one thread".into(),
            Some(Reason::MinLen) => match Few::of(report) {
                Some(few) => few.in_words().into(),
                None => format!(
                    "a piece would be shorter than with_min_len allows; a call has {items:.0} items"
                ),
            },
            Some(Reason::TooDeep) => {
                "too many cuts of pieces without a length were under way, one inside the other"
                    .into()
            }
            Some(Reason::CutTooExpensive) => format!(
                "a cut costs too much for items that take {} each",
                ns(report.ns_per_item())
            ),
            Some(Reason::NoThreadFree) => format!(
                "all threads were at work, {}",
                times(asked(Reason::NoThreadFree))
            ),
            Some(Reason::NotWorthWaking) => format!(
                "the other threads slept, and what was left took less than the {} that a wake-up should be worth; {cost}",
                ns(wake)
            ),
            Some(Reason::AlreadyOffering) => format!(
                "what was offered before still lay there, {}",
                times(asked(Reason::AlreadyOffering))
            ),
            Some(Reason::ForcedWhole) => "a test decided so".into(),
            Some(reason) => unreachable!("{reason:?} is no reason to go on"),
        };
        if report.taken > 0 && !is_shared(report) {
            why += &match report.taken {
                1 => "; all the same, another thread took a piece".into(),
                taken => format!("; all the same, other threads took {taken} pieces"),
            };
        }
        if report.cuts > 0 && report.taken == 0 {
            why += &match report.cuts {
                1 => "; no thread took the piece that was offered".into(),
                cuts => format!("; no thread took the {cuts} pieces that were offered"),
            };
        }
        if report.overwritten > 0 {
            why += &format!(
                "; its memory was overwritten {} by another site",
                times(report.overwritten)
            );
        }
        why
    }
}

/// Whether other threads took parts of a site's calls, and most calls are not too short for that, nor done alone because sharing lost.
pub(super) fn is_shared(report: &SiteReport) -> bool {
    let lost = report.refusal() == Some(Reason::SharingLost) && report.taken < report.calls / 2;
    report.taken > 0 && (report.tiny + report.unseen) <= report.calls / 2 && !lost
}

/// Whether a site was shared so far that single items are left, and they are long.
pub(super) fn in_single_items(report: &SiteReport) -> bool {
    let [_, _, wake] = LIMITS.map(|ns| ns as f64);
    let parts = report.cuts.saturating_add(report.calls);
    is_shared(report)
        && report.items > report.calls
        && parts >= report.items
        && report.ns_per_item() > wake
}

/// How few items the calls of a site have, if that alone is why they are not cut, or not cut on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Few {
    None,
    One,
    /// They were cut into single items.
    Two,
}

impl Few {
    pub(super) fn of(report: &SiteReport) -> Option<Few> {
        match (report.items, report.cuts) {
            (0, _) => Some(Few::None),
            (items, 0) if items <= report.calls => Some(Few::One),
            (items, 1..) if items <= 2 * report.calls => Some(Few::Two),
            _ => None,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Few::None => "a call has no items",
            Few::One => "a call has one item, and an item is never cut",
            Few::Two => "a call has two items at most, and an item is never cut",
        }
    }
}
