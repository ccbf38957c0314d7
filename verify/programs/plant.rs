//! Bugs that the interpreter imitates on demand, so that the check itself is checked: each has to be found, by its own message.

/// A bug to imitate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    /// The right half of a join does not run.
    LostHalf,
    /// One item of an iterator is not computed.
    LostItem,
    /// One item of an iterator is computed twice.
    DoubledItem,
    /// One thing is never dropped.
    LostDrop,
    /// One thing is dropped twice.
    DoubledDrop,
    /// The panic of a join does not come out.
    LostPanic,
    /// Of the two panics of a join the right one comes out.
    LeftLoses,
    /// A thread is left behind.
    LeakedThread,
    /// Memory is left behind.
    LeakedMemory,
}

impl Plant {
    /// All of them.
    pub const ALL: [Plant; 9] = [
        Plant::LostHalf,
        Plant::LostItem,
        Plant::DoubledItem,
        Plant::LostDrop,
        Plant::DoubledDrop,
        Plant::LostPanic,
        Plant::LeftLoses,
        Plant::LeakedThread,
        Plant::LeakedMemory,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Plant::LostHalf => "lost-half",
            Plant::LostItem => "lost-item",
            Plant::DoubledItem => "doubled-item",
            Plant::LostDrop => "lost-drop",
            Plant::DoubledDrop => "doubled-drop",
            Plant::LostPanic => "lost-panic",
            Plant::LeftLoses => "left-loses",
            Plant::LeakedThread => "leaked-thread",
            Plant::LeakedMemory => "leaked-memory",
        }
    }

    /// What has to be in one of the messages.
    pub fn message(self) -> &'static str {
        match self {
            Plant::LostHalf => "times, and has to run",
            Plant::LostItem => "was counted 0 times",
            Plant::DoubledItem => "was counted 2 times",
            Plant::LostDrop | Plant::DoubledDrop => "tokens were made",
            Plant::LostPanic => "returned, but has to panic",
            Plant::LeftLoses => "came out instead of one of",
            Plant::LeakedThread => "threads after the round",
            Plant::LeakedMemory => "bytes are in use after the round",
        }
    }
}
