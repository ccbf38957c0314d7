//! What is recorded of loops with the feature `trace`: calls, pieces, blocks and reasons. See [`Kind`] for what an event carries.

use super::super::call::Call;
use super::super::lane::Lane;
use super::super::reason::Reason;
use super::super::site::Site;
use super::super::way::Way;
use crate::core::clock;
use crate::core::event::Kind;
use crate::core::recorder::{DeskRecorder, is_armed};
use crate::core::row::columns;
use crate::core::worker::Worker;
use crate::sync::planted;
use std::cell::Cell;

/// The longest time for which blocks are combined into one event, in nanoseconds.
const LONGEST: u64 = 1_000_000;

/// The most items, and ticks since its end, that an event of blocks can hold.
const MANY: u64 = (1 << 40) - 1;
const LATE: u64 = (1 << 24) - 1;

/// One call, as the recorder knows it.
#[derive(Clone, Copy)]
pub(in super::super) struct CallProbe {
    /// The name of the call; 0 if it is not recorded.
    call: u64,
    site: u32,
}

/// One thread's part in a call, as the recorder knows it.
pub(in super::super) struct LaneProbe {
    call: CallProbe,
    /// The place of the next item.
    at: Cell<At>,
    /// Where the next offer begins.
    offered: Cell<At>,
    /// Blocks that were not written yet: when they began, how many they are, how many items there are, and the rate of the first of them.
    from: Cell<u64>,
    blocks: Cell<u64>,
    items: Cell<usize>,
    rate: Cell<f64>,
    /// The end of the last block.
    mark: Cell<u64>,
    reason: Cell<Reason>,
    /// How far the recorder was written when this call was last named there.
    named_at: Cell<u64>,
}

/// A place among the items of a call, if it is known.
pub(in super::super) type At = Option<usize>;

/// How many items of a call come before some.
#[derive(Clone, Copy)]
pub(in super::super) struct Before(usize);

impl Before {
    pub(in super::super) fn of(items: usize) -> Before {
        Before(items)
    }
}

fn recorder<'a>(worker: Worker<'a>) -> &'a DeskRecorder {
    worker.desk().probe.recorder.get()
}

/// A call of `site` begins, and is looked at in this way.
#[inline]
pub(in super::super) fn call(
    worker: Worker<'_>,
    site: Site,
    way: &Way,
    len: Option<usize>,
    names: impl Fn() -> [&'static str; 2],
) {
    if is_armed() {
        add_call(worker, site, way, len, &names);
    }
}

#[cold]
fn add_call(
    worker: Worker<'_>,
    site: Site,
    way: &Way,
    len: Option<usize>,
    names: &dyn Fn() -> [&'static str; 2],
) {
    let nested = worker.own().driver.driving.get();
    let nothing = nested && len.is_some_and(|len| site.nothing(len).is_some());
    let column = match way {
        _ if nothing => columns::NOTHING,
        Way::Lone | Way::Blind => columns::BLIND,
        Way::Tiny(_) => columns::TINY,
        Way::Driven => columns::DRIVEN,
    };
    let mut more = vec![(columns::CALLS, 1), (column, 1)];
    if let (Way::Lone | Way::Blind, Some(len)) = (way, len) {
        more.extend(estimated(len, site.rate()));
    }
    if !matches!(way, Way::Driven) {
        let reason = match way {
            Way::Lone => Reason::MinLen,
            Way::Blind => Reason::OneThread,
            _ => Reason::TooLittle,
        };
        more.push((columns::REASONS + reason as usize, 1));
    }
    recorder(worker).rows.add(site.key(), Some(names), &more);
}

/// A call that should be short. Its items are counted when it ends, also by a panic.
///
/// A search that ends early counts as whole. Where the length is unknown, and the call did not turn out expensive, it has as many items as the last time.
pub(in super::super) struct ShortCall<'w> {
    worker: Worker<'w>,
    site: Site,
    rate: f64,
    items: usize,
    /// Whether the recording has its begin.
    is_recorded: bool,
}

impl<'w> ShortCall<'w> {
    /// Before the first item. `items`: how many there are, or were the last time.
    #[inline]
    pub(in super::super) fn new(
        worker: Worker<'w>,
        (site, rate): (Site, f64),
        items: usize,
    ) -> ShortCall<'w> {
        ShortCall {
            worker,
            site,
            rate,
            items,
            is_recorded: is_armed(),
        }
    }

    /// The call turned out expensive: the driver goes on, and counts the rest.
    #[inline]
    pub(in super::super) fn ends_here(mut self, before: Before) {
        self.items = before.0;
    }
}

impl Drop for ShortCall<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.is_recorded {
            let more = estimated(self.items, self.rate);
            add(self.worker, self.site.key(), &more);
        }
    }
}

/// The items of a call, or of its begin, and their time, which was not measured: each should take `rate` ticks.
fn estimated(items: usize, rate: f64) -> [(usize, u64); 2] {
    let ticks = (items as f64 * rate) as u64;
    [(columns::ITEMS, items as u64), (columns::TICKS, ticks)]
}

/// The place where `site` is remembered held another site, `before`.
pub(in super::super) fn overwritten(site: Site, before: u32) {
    if is_armed()
        && before != 0
        && before != site.key()
        && let Some(worker) = Worker::current()
    {
        add(worker, site.key(), &[(columns::OVERWRITTEN, 1)]);
    }
}

#[cold]
fn add(worker: Worker<'_>, site: u32, more: &[(usize, u64)]) {
    recorder(worker).rows.add(site, None, more);
}

impl CallProbe {
    #[inline]
    pub(in super::super) fn new(
        worker: Worker<'_>,
        site: Site,
        len: Option<usize>,
        prior: f64,
    ) -> CallProbe {
        let mut probe = CallProbe {
            call: 0,
            site: site.key(),
        };
        if is_armed() {
            probe.begin(worker, len, prior);
        }
        probe
    }

    #[cold]
    fn begin(&mut self, worker: Worker<'_>, len: Option<usize>, prior: f64) {
        let recorder = recorder(worker);
        self.call = recorder.new_call();
        let prior = ((prior / clock::per_ns()) as f32).to_bits();
        let number = u64::from(self.site) | u64::from(prior) << 32;
        let len = len.map_or(u64::MAX, |len| len as u64);
        recorder.write((Kind::Call, 0), number, Some([len, self.call]));
    }

    /// The call is over, with the number of items and ticks of all threads.
    #[inline]
    pub(in super::super) fn end(&self, worker: Worker<'_>, items: usize, ticks: u64) {
        if self.call != 0 {
            self.write_end(worker, items, ticks);
        }
    }

    #[cold]
    fn write_end(&self, worker: Worker<'_>, items: usize, ticks: u64) {
        let more = Some([items as u64, ticks]);
        recorder(worker).write((Kind::CallEnd, 0), self.call, more);
        let sums = [(columns::ITEMS, items as u64), (columns::TICKS, ticks)];
        add(worker, self.site, &sums);
    }
}

impl LaneProbe {
    /// The recorder's view of a thread that begins now, at `mark`.
    #[inline]
    pub(in super::super) fn new(call: &Call, mark: u64) -> LaneProbe {
        LaneProbe {
            call: call.probe,
            at: Cell::new(Some(0)),
            offered: Cell::new(None),
            from: Cell::new(mark),
            blocks: Cell::new(0),
            items: Cell::new(0),
            rate: Cell::new(0.0),
            mark: Cell::new(mark),
            reason: Cell::new(Reason::Blind),
            named_at: Cell::new(0),
        }
    }

    fn is_on(&self) -> bool {
        self.call.call != 0
    }
}

impl Lane<'_> {
    /// A piece of `len` items begins here, at item `at` of the call.
    pub(in super::super) fn note_piece(&self, len: Option<usize>, at: At) {
        self.probe.at.set(at);
        if self.probe.is_on() {
            let numbers = [len, at].map(|n| n.map_or(u64::MAX, |n| n as u64));
            // Its first block began when the lane did.
            let now = self.mark.get();
            recorder(self.worker).write_at(
                now,
                (Kind::Piece, 0),
                self.probe.call.call,
                Some(numbers),
            );
        }
    }

    /// The piece ends.
    pub(in super::super) fn note_end(&self) {
        if self.probe.is_on() {
            self.write_blocks();
            recorder(self.worker).write((Kind::PieceEnd, 0), self.probe.call.call, None);
        }
    }

    /// This thread has folded what it began with, and does something else now.
    pub(in super::super) fn note_rest(&self) {
        if self.probe.is_on() {
            self.write_blocks();
        }
    }

    /// `items` were folded, up to the last look.
    #[inline]
    pub(in super::super) fn note_items(&self, items: usize) {
        if self.probe.is_on() {
            self.add_items(items);
        }
    }

    #[cold]
    fn add_items(&self, items: usize) {
        let (probe, end) = (&self.probe, self.mark.get());
        if planted!("look") && end == probe.mark.get() {
            return;
        }
        let rate = end.saturating_sub(probe.mark.get()) as f64 / items.max(1) as f64;
        let (low, high) = (probe.rate.get() / 1.5, probe.rate.get() * 1.5);
        if probe.items.get() > 0 && !(low..=high).contains(&rate) {
            self.write_blocks();
        }
        if probe.items.get() == 0 {
            probe.rate.set(rate);
        }
        // Without a look since the last time, it goes on.
        if end > probe.mark.replace(end.max(probe.mark.get())) {
            probe.blocks.set(probe.blocks.get() + 1);
        }
        probe.items.set(probe.items.get().saturating_add(items));
        let long = end.saturating_sub(probe.from.get()) as f64 > LONGEST as f64 * clock::per_ns();
        if long {
            self.write_blocks();
        }
    }

    /// Writes the blocks that were folded since the last time.
    #[cold]
    fn write_blocks(&self) {
        let probe = &self.probe;
        let (items, end) = (probe.items.replace(0), probe.mark.get());
        let (from, blocks) = (probe.from.replace(end), probe.blocks.replace(0));
        if items == 0 {
            return;
        }
        let at = probe.at.get();
        probe.at.set(at.map(|at| at.saturating_add(items)));
        let ticks = end.saturating_sub(from);
        let sums = [
            (columns::BLOCKS, blocks),
            (columns::BLOCK_ITEMS, items as u64),
            (columns::BLOCK_TICKS, ticks),
        ];
        add(self.worker, probe.call.site, &sums);
        let more = Some([ticks, at.map_or(u64::MAX, |at| at as u64)]);
        // How long ago it ended.
        let now = clock::ticks().max(end);
        let ago = (now - end).min(LATE);
        let number = (items as u64).min(MANY) | ago << 40;
        let recorder = recorder(self.worker);
        recorder.write_at(now, (Kind::Blocks, 0), number, more);
        // So that every event that is kept can be assigned to its call.
        if recorder.is_far_from(&probe.named_at) {
            let CallProbe { call, site } = probe.call;
            recorder.write_at(now, (Kind::Still, 0), call, Some([site.into(), 0]));
        }
    }

    /// The places of the items from here on are unknown.
    pub(in super::super) fn note_unplaced(&self) {
        self.probe.at.set(None);
    }

    /// The driver asked whether to cut.
    #[inline]
    pub(in super::super) fn note_reason(&self, reason: Reason) -> Reason {
        if self.probe.is_on() {
            self.probe.reason.set(reason);
            let column = columns::REASONS + reason as usize;
            add(self.worker, self.probe.call.site, &[(column, 1)]);
        }
        reason
    }

    /// A part of `len` items is offered.
    #[inline]
    pub(in super::super) fn note_cut(&self, len: Option<usize>) {
        if self.probe.is_on() {
            self.write_blocks();
            let reason = self.probe.reason.get() as u8;
            let len = len.map_or(u64::MAX, |len| len as u64);
            recorder(self.worker).write((Kind::Cut, reason), len, None);
            add(self.worker, self.probe.call.site, &[(columns::CUTS, 1)]);
        }
    }

    /// The offer came back, or was `taken`.
    #[inline]
    pub(in super::super) fn note_back(&self, taken: bool) {
        if self.probe.is_on() {
            self.write_blocks();
            recorder(self.worker).write((Kind::Back, taken.into()), 0, None);
            let column = if taken { columns::TAKEN } else { columns::KEPT };
            add(self.worker, self.probe.call.site, &[(column, 1)]);
            self.probe.mark.set(self.mark.get());
            self.probe.from.set(self.mark.get());
        }
    }

    /// The rest was cut after `left` items. Returns where the part begins that is driven here, and where the offered part begins. The offered
    /// part is the left one if `from_right`.
    #[inline]
    pub(in super::super) fn note_parts(
        &self,
        left: impl FnOnce() -> Option<usize>,
        from_right: bool,
    ) -> [At; 2] {
        if !self.probe.is_on() {
            return [None; 2];
        }
        self.write_blocks();
        let begin = self.probe.at.get();
        let second = begin.zip(left());
        let second = second.and_then(|(begin, left)| begin.checked_add(left));
        let [here, offered] = match from_right {
            true => [second, begin],
            false => [begin, second],
        };
        self.probe.offered.set(offered);
        [here, offered]
    }

    /// Where the offered part begins.
    pub(in super::super) fn offered_at(&self) -> At {
        self.probe.offered.get()
    }

    /// The next item is at `at`.
    #[inline]
    pub(in super::super) fn go_to(&self, at: At) {
        if self.probe.is_on() {
            self.write_blocks();
            self.probe.at.set(at);
        }
    }
}
