//! The first sentences of the page: where the time went.

use super::super::figures::percent;
use super::Page;

/// From which share of the possible on a program keeps its threads busy, in percent.
const GOOD: f64 = 90.0;
/// Below which share of the time that threads worked it is said that they had no processor, in percent. What runs outside of pools counts as theirs, so the share is
/// an upper bound.
const STARVED: f64 = 80.0;

impl Page<'_> {
    /// How many threads worked on average, and what most of the lost time was.
    pub(super) fn verdict(&self) -> String {
        let (summary, elapsed) = (self.summary, self.summary.elapsed);
        let took = match summary.known {
            0 => self.time(elapsed),
            _ => format!("the last {}", self.time(elapsed)),
        };
        if summary.work == 0 {
            return format!(
                "In {took} no thread of a pool did anything: what ran was not parallel."
            );
        }
        let (threads, possible) = (summary.threads, summary.threads.saturating_mul(elapsed));
        let share = percent(summary.work, possible);
        let average = summary.work as f64 / elapsed.max(1) as f64;
        let had = self.had_a_processor();
        let had = had.map(|had| format!(", but had a processor for {had:.0} % of that at most"));
        if threads <= 1 {
            let begin = format!("The pool has one thread, which worked for {share:.0} % of {took}");
            return begin + &had.unwrap_or_default() + ".";
        }
        let begin = format!("On average {average:.1} of {threads} threads worked, over {took}");
        if let Some(had) = &had
            && share >= GOOD
        {
            return begin + had + ".";
        }
        let begin = begin + &had.unwrap_or_default();
        if share >= GOOD {
            return begin + ": there is little to gain.";
        }
        let of_time = |ticks| format!("{:.0} % of the time", percent(ticks, elapsed));
        // What was lost, in thread-time.
        let none = summary.worked(0).saturating_mul(threads);
        let one = summary.worked(1).saturating_mul(threads - 1);
        let all = possible.saturating_sub(summary.work);
        let some = all.saturating_sub(none).saturating_sub(one);
        let loss = if none >= one && none >= some {
            format!(
                "For {} none of them had anything to do",
                of_time(summary.worked(0))
            )
        } else if one >= some {
            format!("For {} only one of them worked", of_time(summary.worked(1)))
        } else {
            let few = summary.working.range(1..threads).map(|(_, ticks)| ticks);
            format!("For {} only some of them worked", of_time(few.sum()))
        };
        format!("{begin}. {loss}.")
    }

    /// What that was, and what more threads could do at best.
    pub(super) fn details(&self) -> String {
        let (summary, elapsed) = (self.summary, self.summary.elapsed);
        if summary.work == 0 {
            return "Only what runs in a pool is recorded.".into();
        }
        let mut text = String::new();
        if self.had_a_processor().is_some() {
            text += "A thread counts as working also while it waits for a processor that another program has, or within its work for input, a lock or memory. ";
        }
        if percent(summary.worked(0), elapsed) >= 10.0 {
            text += "Where no thread of a pool worked, the program ran code that is not parallel, or waited. ";
        }
        if percent(summary.worked(1), elapsed) >= 10.0 && summary.threads > 1 {
            text += &format!("Where one worked alone, it was mostly {}. ", self.alone());
        }
        if let Some(measured) = self.measured {
            return text + &measured.to_string();
        }
        // With more threads, only the time can be shorter in which all those of a pool worked.
        let rest = summary.spare();
        let factor = elapsed as f64 / rest.max(1) as f64;
        let at_best = match factor < 20.0 {
            true => format!("at most {factor:.1} times as fast"),
            false => "many times as fast, as far as this recording can tell".into(),
        };
        let all = match (summary.pools, summary.threads) {
            (2.., _) => "All threads of a pool".to_owned(),
            (_, 1) => "The thread".into(),
            (_, 2) => "Both threads".into(),
            (_, threads) => format!("All {threads} threads"),
        };
        text += &format!(
            "{all} worked for {:.0} % of the time. More threads would not shorten the rest, {}. So with any number of threads, each with a processor of its own, this run would be {at_best}.",
            percent(summary.full, elapsed),
            self.time(rest),
        );
        text
    }

    /// The share of their work for which threads had a processor, in percent, at most; none, if it was most of it or is not known.
    fn had_a_processor(&self) -> Option<f64> {
        let summary = self.summary;
        let processor = self.trace.processor.filter(|_| summary.known == 0)?;
        let share = 100.0 * processor.as_nanos() as f64 / self.trace.ns(summary.work.max(1));
        (share < STARVED).then_some(share)
    }

    /// At what the only thread that worked was for most of that time.
    fn alone(&self) -> String {
        let longest = self.summary.alone.iter().max_by_key(|&(_, ticks)| ticks);
        let Some((Some(site), _)) = longest else {
            return "outside any loop: in a job, or in the caller's own code".into();
        };
        let row = self.trace.sites.iter().find(|row| row.key == *site);
        let report = row.map(|row| self.trace.report(row, Vec::new()));
        let name = self.trace.site_name(*site) + &self.regions_of(*site);
        match report {
            Some(report) if report.taken == 0 => format!("at {name} ({})", report.why),
            _ => format!("at {name}"),
        }
    }
}
