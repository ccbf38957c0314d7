//! A progress bar, or nothing.

use std::borrow::Cow;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how far a stage has come, if it is told to.
pub struct Progress {
    /// `None` rather than a hidden bar, which would still count and look at the clock.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar on standard error if `shown`, and else nothing.
    pub fn new(shown: bool) -> Progress {
        let style = || ProgressStyle::with_template("{msg:<12} {wide_bar} {percent:>3} %").ok();
        let bar = shown.then(|| match style() {
            Some(style) => ProgressBar::new(0).with_style(style),
            None => ProgressBar::new(0),
        });
        Progress { bar }
    }

    /// Begins a stage of `length` units of work.
    pub fn start(&self, stage: impl Into<Cow<'static, str>>, length: u64) {
        if let Some(bar) = &self.bar {
            bar.set_message(stage);
            bar.set_length(length);
            bar.set_position(0);
            bar.tick();
        }
    }

    /// Notes that some units of work are done; may be called by many threads.
    pub fn advance(&self, units: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(units);
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
