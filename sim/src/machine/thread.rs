//! A thread: its queues, and what lies on its stack.

use crate::driver::Block;
use crate::work::{Node, Tree};
use std::collections::VecDeque;

/// What a thread is about to do when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    /// What is on its stack, with a right.
    Running,
    /// A look for work, counted as a searcher, without a right.
    Looking,
    /// To take what it saw from this thread (or what came from outside), with a right. It may be counted as a searcher.
    Robbing {
        victim: Option<usize>,
        counted: bool,
    },
    /// To get up, called to look for work; a thread inside a wait has a right for it.
    Called,
    /// To get up and go on, with a right.
    GoesOn,
    /// Nothing: it sleeps.
    Asleep,
    /// Nothing: it sleeps until there is a right for it.
    WaitsForRight,
    /// Nothing any more: the caller, after its call.
    Gone,
}

/// What is on a stack.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// The steps of a call or of a fork's side, from this one.
    Steps { part: usize, at: usize },
    /// A part of a loop, with the block that was folded just now, and the time since the last look.
    Drive {
        lane: usize,
        from: usize,
        to: usize,
        halved: bool,
        block: Option<Block>,
        spent: u64,
    },
    /// A loop's left half was folded; its right one is on offer.
    AfterHalf {
        lane: usize,
        job: usize,
        halved: bool,
    },
    /// The loop's end, on the thread that began it or took a piece.
    EndLane { lane: usize },
    /// A place in a recursion.
    Node { tree: Tree, node: Node },
    /// What it does itself is done; the branches are to come.
    Fork { tree: Tree, left: Node, right: Node },
    /// The left branch is done; the right one is on offer.
    AfterLeft { job: usize },
    /// A wait for a job that another thread has.
    Wait { job: usize, lane: Option<usize> },
    /// The end of a job that was taken.
    EndJob { job: usize },
    /// The end of a request that came at this time.
    Answer { at: u64 },
}

/// What a job does.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A part of a loop, and the rates to begin with.
    Half {
        run: usize,
        from: usize,
        to: usize,
        rates: (f64, f64),
    },
    /// A branch of a recursion.
    Branch { tree: Tree, node: Node },
    /// The right side of a fork.
    Side { part: usize },
    /// A request.
    Call(usize),
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Private,
    Public,
    Taken,
    Done,
}

/// What a public job is worth, as in the crate's `deque`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Worth {
    /// A thread that is awake.
    Little,
    /// A wake-up by a thread that has just come and finds it.
    Much,
    /// A wake-up by its owner, as soon as it is public.
    Most,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) owner: usize,
    pub(super) thief: Option<usize>,
    pub(super) what: What,
    pub(super) place: Place,
}

#[derive(Debug)]
pub(super) struct Thread {
    pub(super) state: State,
    pub(super) stack: Vec<Frame>,
    pub(super) private: VecDeque<usize>,
    pub(super) public: VecDeque<usize>,
    /// A thief asks for work, or the thread offers some without being asked.
    pub(super) asked: bool,
    /// What is public is worth waking a thread.
    pub(super) loud: bool,
    /// How many more pushes go public at once.
    pub(super) eager: u32,
    /// How many jobs run here, one inside the wait of the other.
    pub(super) depth: u32,
    /// See the crate's desk: work not handed over because no other thread was awake, and how much of it there has to be to wake a thread.
    pub(super) debt: u64,
    pub(super) patience: u32,
    pub(super) relies: bool,
    /// What it offers next becomes public at once.
    pub(super) shows_offer: bool,
    /// It looks for something to do while it waits.
    pub(super) hungry: bool,
    /// How many looks in vain there were, and when the first was.
    pub(super) looks: u32,
    pub(super) since: u64,
}

impl Thread {
    pub(super) fn new() -> Thread {
        Thread {
            state: State::Asleep,
            stack: Vec::new(),
            private: VecDeque::new(),
            public: VecDeque::new(),
            asked: true,
            loud: false,
            eager: 0,
            depth: 0,
            debt: 0,
            patience: 1,
            relies: false,
            shows_offer: false,
            hungry: false,
            looks: 0,
            since: 0,
        }
    }
}
