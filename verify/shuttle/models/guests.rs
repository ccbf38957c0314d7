//! Callers from outside, which take rights of the global pool.

use crate::{Seats, check, check_without_thieves, fib, global, stop_global};
use shuttle::sync::mpsc::channel;
use shuttle::thread;
use std::sync::Arc;

/// A caller on its own thread.
fn caller(n: u64, seats: &Arc<Seats>) -> thread::JoinHandle<u64> {
    let seats = Arc::clone(seats);
    thread::spawn(move || fib(n, &seats))
}

#[test]
fn more_callers_than_rights() {
    check(|| {
        let threads = global(2);
        let seats = Arc::new(Seats::new(2));
        let (one, two) = (caller(3, &seats), caller(2, &seats));
        assert_eq!(fib(3, &seats), 2);
        assert_eq!(one.join().unwrap() + two.join().unwrap(), 3);
        stop_global(threads);
    });
}

/// A job comes in while guests come and go. Only the pool's threads may run it.
#[test]
fn jobs_from_outside_beside_guests() {
    check(|| {
        let threads = global(2);
        let seats = Arc::new(Seats::new(2));
        let other = caller(2, &seats);
        let (sender, receiver) = channel();
        let to_two = sender.clone();
        filch::spawn(move || sender.send(()).unwrap());
        fib(2, &seats);
        filch::spawn(move || to_two.send(()).unwrap());
        assert_eq!((receiver.recv(), receiver.recv()), (Ok(()), Ok(())));
        other.join().unwrap();
        stop_global(threads);
    });
}

/// A guest has the only right when the job comes in; when it puts that down it has to see to the job.
#[test]
fn job_from_outside_behind_the_only_right() {
    check_without_thieves(|| {
        let threads = global(1);
        let seats = Arc::new(Seats::new(1));
        let other = caller(2, &seats);
        let (sender, receiver) = channel();
        filch::spawn(move || sender.send(()).unwrap());
        assert_eq!(receiver.recv(), Ok(()));
        other.join().unwrap();
        stop_global(threads);
    });
}

#[test]
fn broadcast_ends_the_time_of_guests() {
    check(|| {
        let threads = global(2);
        let seats = Arc::new(Seats::new(2));
        let other = caller(2, &seats);
        let indices = filch::broadcast(|context| {
            seats.occupy();
            context.index()
        });
        assert_eq!(indices, [0, 1]);
        assert_eq!(fib(2, &seats), 1);
        other.join().unwrap();
        stop_global(threads);
    });
}
