//! Advice for a loop that was not cut: the reason in two words, and a sentence on what to do.

use super::Reason;
use super::explain::SiteReport;
use super::why::{Few, in_single_items, is_shared};

/// What might be done about long items.
const INSIDE: &str = "What is inside of it can be shared, if it is a parallel call itself.";

/// What is said of a site in a few words.
pub(super) struct Advice {
    /// The class of the tag on the page: `cut`, if the site was shared, or `kept`.
    pub(super) class: &'static str,
    /// `shared`, or why not.
    pub(super) tag: &'static str,
    /// What might be done; empty, if there is nothing to say.
    pub(super) todo: &'static str,
}

impl Advice {
    pub(super) fn of(site: &SiteReport) -> Advice {
        if is_shared(site) {
            let todo = if in_single_items(site) { INSIDE } else { "" };
            return Advice {
                class: "cut",
                tag: "shared",
                todo,
            };
        }
        let (tag, todo) = match site.refusal() {
            None if site.cuts > 0 => (
                "no thread took a part",
                "The other threads were at work, or asleep and not worth a wake-up.",
            ),
            None => ("not asked", ""),
            Some(reason) => match Few::of(site).filter(|_| reason == Reason::MinLen) {
                Some(Few::None) => ("no items", ""),
                Some(Few::One) => ("one item", INSIDE),
                Some(Few::Two) => ("two items", INSIDE),
                None => (in_words(reason), advice(reason)),
            },
        };
        Advice {
            class: "kept",
            tag,
            todo,
        }
    }
}

/// A reason in two words, or so.
pub(super) fn in_words(reason: Reason) -> &'static str {
    match reason {
        Reason::Blind => "nothing known yet",
        Reason::Large => "large",
        Reason::Wanted => "wanted by another thread",
        Reason::Hunt => "hunt for expensive items",
        Reason::Forced | Reason::ForcedWhole => "told by a test",
        Reason::MaxLen => "greatest length",
        Reason::MinLen => "least length",
        Reason::OneThread => "one thread",
        Reason::TooDeep => "too deep",
        Reason::TooLittle => "too little",
        Reason::SharingLost => "sharing lost",
        Reason::CutTooExpensive => "cut too expensive",
        Reason::NoThreadFree => "no thread free",
        Reason::NotWorthWaking => "not worth waking",
        Reason::AlreadyOffering => "already offering",
    }
}

/// What might be done about a reason. The guide's chapter "Why is it slow?" has more.
fn advice(reason: Reason) -> &'static str {
    match reason {
        Reason::MinLen => "Remove with_min_len, or make it smaller.",
        Reason::OneThread => {
            "Give the pool more threads: see FILCH_NUM_THREADS, and what the container allows."
        }
        Reason::TooDeep => "Collect first, or iterate over something that has a length.",
        Reason::TooLittle => "Make the loop around it parallel, or put many short calls into one.",
        Reason::SharingLost => {
            "Items may share a lock, a cache line or the memory's bandwidth: fold for each thread, and reduce."
        }
        Reason::CutTooExpensive => "Iterate over a slice or a range, which are cheap to cut.",
        Reason::NoThreadFree => "That is good: all threads had work already.",
        Reason::NotWorthWaking => {
            "One parallel call around many short ones keeps the threads awake."
        }
        Reason::AlreadyOffering => {
            "That is good, if the other threads had work; else the machine has fewer free processors than threads."
        }
        _ => "",
    }
}
