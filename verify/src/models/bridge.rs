//! Threads share the source of a `par_bridge`: one at a time calls its `next`, each item is folded once, and nobody waits for ever, though the source may wait
//! for an item. Loom's condition variables never time out, so a thread that is not woken hangs.

use super::{Event, check, pool};
use crate::core::pool::Pool;
use crate::core::worker::Worker;
use crate::iter::par_bridge::Run;
use crate::iter::plumbing::Folder;
use loom::thread::{self, JoinHandle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// So many numbers. Before one of them, and before the end, the source may wait for the answer to an earlier one.
struct Numbers {
    next: usize,
    len: usize,
    waits: Option<(usize, Event)>,
}

impl Iterator for Numbers {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let number = self.next;
        self.next += 1;
        assert!(number <= self.len, "the source was asked after its end");
        if let Some((before, answer)) = &self.waits
            && *before == number
        {
            answer.wait();
        }
        (number < self.len).then_some(number)
    }
}

/// Answers each item, which may come once.
struct Answering<'a> {
    answers: &'a [Event],
    /// Std's, since no thread waits for it.
    seen: &'a [AtomicBool],
}

impl Folder<usize> for Answering<'_> {
    fn consume(self, number: usize) -> Self {
        assert!(!self.seen[number].swap(true, Relaxed), "an item came twice");
        self.answers[number].happen();
        self
    }

    fn full(&self) -> bool {
        false
    }
}

/// A run under way.
struct Scene {
    pool: Arc<Pool>,
    run: Run<Numbers>,
    answers: Vec<Event>,
    seen: Vec<AtomicBool>,
}

impl Scene {
    /// A run of `len` items, fetched by `batch`. `waits`: before which number the source waits, and for the answer to which.
    fn new(threads: usize, len: usize, batch: usize, waits: Option<(usize, usize)>) -> Arc<Scene> {
        loom::stop_exploring();
        let answers: Vec<_> = (0..len).map(|_| Event::new()).collect();
        let waits = waits.map(|(before, answer)| (before, answers[answer].clone()));
        let pool = pool(threads);
        let source = Numbers {
            next: 0,
            len,
            waits,
        };
        let run = Run::new(source, batch);
        loom::explore();
        let seen = (0..len).map(|_| AtomicBool::new(false)).collect();
        Arc::new(Scene {
            pool,
            run,
            answers,
            seen,
        })
    }

    /// Works at the desk of this number.
    fn at(&self, index: usize, body: impl FnOnce()) {
        // SAFETY: each thread of a model has a number of its own, and the scene keeps the pool.
        let sitting = unsafe { Worker::sit(self.pool.seats[index].own_desk(), index) };
        body();
        drop(sitting);
    }

    /// Another thread that does so.
    fn beside(self: &Arc<Self>, index: usize, body: fn(&Scene)) -> JoinHandle<()> {
        let scene = Arc::clone(self);
        thread::spawn(move || scene.at(index, || body(&scene)))
    }

    fn fold(&self) {
        let (answers, seen) = (&self.answers, &self.seen);
        self.run.fold(Answering { answers, seen });
    }

    /// All items were folded.
    fn assert_all_answered(&self) {
        self.answers.iter().for_each(Event::wait);
    }
}

#[test]
fn two_threads_share_a_source() {
    check("two threads share a source", 1, || {
        let scene = Scene::new(2, 2, 1, None);
        let other = scene.beside(1, Scene::fold);
        scene.at(0, || scene.fold());
        other.join().unwrap();
        scene.assert_all_answered();
    });
}

/// The source waits for the item that was fetched before.
#[test]
fn source_waits_for_an_item() {
    check("a source waits for an item", 1, || {
        let scene = Scene::new(2, 2, 2, Some((1, 0)));
        let other = scene.beside(1, Scene::fold);
        scene.at(0, || scene.fold());
        other.join().unwrap();
        scene.assert_all_answered();
    });
}
