//! A reason: why the rest of a loop is cut, or is not. The driver acts on it, and recordings count it.

/// Defines [`Reason`], and lists all of them.
macro_rules! reasons {
    ($(#[$of_enum:meta])* pub enum Reason { $($(#[$doc:meta])* $Name:ident,)* }) => {
        $(#[$of_enum])*
        pub enum Reason {
            $($(#[$doc])* $Name,)*
        }

        #[cfg(feature = "trace")]
        impl Reason {
            /// All of them, in their order.
            pub(crate) const ALL: [Reason; [$(Reason::$Name),*].len()] = [$(Reason::$Name),*];
        }
    };
}

reasons! {
    /// Why a loop was cut, or was not: the answer to the question whether to cut the rest of it.
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
    pub enum Reason {
        // Cut.
        /// The cost of items is unknown.
        Blind,
        /// The rest is large.
        Large,
        /// Another thread wants work, or should be woken for it.
        Wanted,
        /// Expensive items are looked for.
        Hunt,
        /// A test decided to cut.
        Forced,
        /// A piece must not be longer.
        MaxLen,
        // Keep.
        /// A part would be shorter than a piece may be.
        MinLen,
        /// The pool has one thread.
        OneThread,
        /// Too many cuts of pieces without a length are nested.
        TooDeep,
        /// The rest costs too little to be offered.
        TooLittle,
        /// The rest costs less than was lost by sharing such calls before.
        SharingLost,
        /// The cost that a cut adds to each item is too much compared with the cost of the item.
        CutTooExpensive,
        /// All threads have work.
        NoThreadFree,
        /// Threads sleep, and the remaining work is too little to wake one.
        NotWorthWaking,
        /// An earlier offer has not been taken yet.
        AlreadyOffering,
        /// A test decided not to cut.
        ForcedWhole,
    }
}

impl Reason {
    /// Whether it is a reason to cut.
    ///
    /// ```
    /// # #[cfg(feature = "trace")]
    /// assert!(filch::trace::Reason::Large.is_cut());
    /// ```
    #[inline]
    pub fn is_cut(self) -> bool {
        self as u8 <= Reason::MaxLen as u8
    }
}
