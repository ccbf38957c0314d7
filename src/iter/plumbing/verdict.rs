//! Whether to cut, and why or why not.

/// Why a loop was cut, or was not: what came of the question whether to cut what is left of it.
///
/// The first six are reasons to cut, the others reasons to go on.
///
/// ```
/// # #[cfg(feature = "trace")]
/// # {
/// use filch::trace::Reason;
/// assert!(Reason::Wanted.is_cut() && !Reason::TooLittle.is_cut());
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum Verdict {
    // Cut.
    /// Nothing is known of what items cost.
    Blind,
    /// The rest is large.
    Large,
    /// Another thread wants work, or should be woken for it.
    Wanted,
    /// Expensive items are looked for.
    Hunt,
    /// A test said so.
    Forced,
    /// A piece may not be longer.
    MaxLen,
    // Keep.
    /// A part would be shorter than a piece may be.
    MinLen,
    /// The pool has one thread.
    OneThread,
    /// So many cuts of what has no length are under way.
    TooDeep,
    /// The rest costs too little to be handed over.
    TooLittle,
    /// The rest costs less than what was lost by sharing such calls before.
    SharingLost,
    /// What a cut costs each item is too much for what an item takes.
    CutTooExpensive,
    /// All threads are at work.
    NobodyFree,
    /// Threads sleep, and what there is to do is too little to wake one.
    NotWorthWaking,
    /// What was offered before is still there.
    AlreadyOffering,
    /// A test said so.
    Told,
}

impl Verdict {
    /// Whether it is a reason to cut.
    ///
    /// ```
    /// # #[cfg(feature = "trace")]
    /// assert!(filch::trace::Reason::Large.is_cut());
    /// ```
    #[inline]
    pub fn is_cut(self) -> bool {
        self as u8 <= Verdict::MaxLen as u8
    }
}

#[cfg(feature = "trace")]
impl Verdict {
    /// All of them, in their order.
    pub(crate) const ALL: [Verdict; 16] = [
        Verdict::Blind,
        Verdict::Large,
        Verdict::Wanted,
        Verdict::Hunt,
        Verdict::Forced,
        Verdict::MaxLen,
        Verdict::MinLen,
        Verdict::OneThread,
        Verdict::TooDeep,
        Verdict::TooLittle,
        Verdict::SharingLost,
        Verdict::CutTooExpensive,
        Verdict::NobodyFree,
        Verdict::NotWorthWaking,
        Verdict::AlreadyOffering,
        Verdict::Told,
    ];
}
