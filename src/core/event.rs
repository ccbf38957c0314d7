//! What can be recorded of a thread, one event at a time.

/// What happened. The comment says what the number is that goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// More of the event before it.
    More,
    /// A join job becomes public: its address.
    Promote,
    /// A job is spawned: its address.
    Spawn,
    /// A job comes from outside: its address.
    Inject,
    /// A job is taken out of another queue: its address, and above it the number of the seat, or [`OUTSIDE`].
    Take,
    /// A job is handed over to others: its address.
    Handed,
    /// A job begins: its address.
    Run,
    /// A job ends: its address.
    Done,
    /// The thread begins to look for work.
    Search,
    /// It looks no more.
    Found,
    /// It goes to sleep.
    Sleep,
    /// It was woken: the ticks since it was called.
    Up,
    /// It wakes another thread: the name of the desk of that thread.
    Wake,
    /// It waits: the address of the job that it waits for, or 0.
    Wait,
    /// It waits no more: the same.
    Waited,
    /// A call of a parallel iterator begins: the site, and what an item took the last time; then the length and the call.
    Call,
    /// It ends: the call; then items and ticks.
    CallEnd,
    /// A piece of a call begins on another thread: the call; then its length and first index.
    Piece,
    /// It ends: the call.
    PieceEnd,
    /// A piece is offered: its length. Why, in the small number.
    Cut,
    /// It came back, or was taken (then the small number is 1).
    Back,
    /// Blocks were folded: how many items, and from bit 40 the ticks since then; then ticks, and the first index.
    Blocks,
    /// A thread from outside sits down at the desk.
    Sit,
    /// It gets up.
    Rise,
    /// A region begins: its name.
    Region,
    /// It ends: its name.
    RegionEnd,
    /// A call or a piece goes on that began many events ago: the call; then the site.
    Still,
    /// A job that was offered came back to the thread that offered it: its address.
    Kept,
}

/// In the place of a seat's number: the job was not at any seat.
pub(crate) const OUTSIDE: u64 = 0xFFFF;

impl Kind {
    const ALL: [Kind; 28] = [
        Kind::More,
        Kind::Promote,
        Kind::Spawn,
        Kind::Inject,
        Kind::Take,
        Kind::Handed,
        Kind::Run,
        Kind::Done,
        Kind::Search,
        Kind::Found,
        Kind::Sleep,
        Kind::Up,
        Kind::Wake,
        Kind::Wait,
        Kind::Waited,
        Kind::Call,
        Kind::CallEnd,
        Kind::Piece,
        Kind::PieceEnd,
        Kind::Cut,
        Kind::Back,
        Kind::Blocks,
        Kind::Sit,
        Kind::Rise,
        Kind::Region,
        Kind::RegionEnd,
        Kind::Still,
        Kind::Kept,
    ];

    /// The kind of this number.
    #[allow(dead_code)] // without the feature `trace` nothing is read
    pub(crate) fn of(number: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(number)).copied()
    }
}
