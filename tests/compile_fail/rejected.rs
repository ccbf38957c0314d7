//! What must not compile: programs that share, send or borrow what they must not, and programs that ask for lengths that are not known.

#![allow(unused)]

use filch::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

// Items of a map must be `Send`.
fn map_to_what_stays() {
    let map = (0..10).into_par_iter().map(Rc::new); //~ E0277: cannot be sent between threads
}

// An `Rc` does not go to another thread.
fn an_rc_is_captured() {
    let x = Rc::new(1);
    (0..10).into_par_iter().for_each(|_| assert_eq!(*x, 1)); //~ E0277: cannot be shared between threads
}

// A `Cell` is not shared.
fn a_cell_is_captured() {
    let x = Cell::new(1);
    (0..10).into_par_iter().for_each(|i| x.set(i)); //~ E0277: cannot be shared between threads
}

// A `RefCell` is not shared.
fn a_ref_cell_is_captured() {
    let x = RefCell::new(1);
    (0..10).into_par_iter().for_each(|i| *x.borrow_mut() += i); //~ E0277: cannot be shared between threads
}

// A slice of what is not `Sync` has no `par_iter`.
fn par_iter_of_cells() {
    [Cell::new(1)].par_iter().count(); //~ E0599: `par_iter`
}

// A slice of what is not `Send` has no `par_iter_mut`.
fn par_iter_mut_of_rcs() {
    [Rc::new(1)].par_iter_mut().count(); //~ E0599: `par_iter_mut`
}

// A vector of what is not `Send` is not consumed in parallel.
fn a_vector_of_rcs() {
    vec![Rc::new(1)].into_par_iter().count(); //~ E0599: `into_par_iter`
}

// Closures of `join` are sent: their captures must be `Send`.
fn join_captures_an_rc() {
    let x = Rc::new(1);
    filch::join(|| drop(x), || ()); //~ E0277: cannot be sent between threads
}

// Closures of `join` do not share a `Cell`.
fn join_shares_a_cell() {
    let x = Cell::new(1);
    filch::join(|| x.set(2), || x.set(3)); //~ E0277: cannot be shared between threads
}

// Results of `join` must be `Send`.
fn join_returns_an_rc() {
    filch::join(|| Rc::new(1), || ()); //~ E0277: cannot be sent between threads
}

// Results of `install` must be `Send`.
fn install_returns_an_rc() {
    let pool = filch::ThreadPoolBuilder::new().build().unwrap();
    pool.install(|| Rc::new(1)); //~ E0277: cannot be sent between threads
}

// What `spawn` runs must be `Send`.
fn spawn_captures_an_rc() {
    let x = Rc::new(1);
    filch::spawn(move || drop(x)); //~ E0277: cannot be sent between threads
}

// A `Scope` spawns only what is `Send`.
fn scope_captures_an_rc() {
    let x = Rc::new(1);
    filch::scope(|s| s.spawn(move |_| drop(x))); //~ E0277: cannot be sent between threads
}

// `map_with` clones and sends its value.
fn map_with_an_rc() {
    let map = (0..10).into_par_iter().map_with(Rc::new(1), |_, i| i); //~ E0277: cannot be sent between threads
}

// `par_bridge` sends the iterator.
fn par_bridge_of_an_rc() {
    let x = Rc::new(1);
    (0..10).map(move |i| i + *x).par_bridge().count(); //~ E0277: cannot be sent between threads
}

// `zip` needs to know where the items are.
fn zip_of_a_filter() {
    let v = || (0..10).into_par_iter();
    let zip = v().zip(v().filter(|_| true)); //~ E0277: IndexedParallelIterator` is not satisfied
}

// `zip_eq` too.
fn zip_eq_of_a_flat_map() {
    let v = || (0..10).into_par_iter();
    let zip = v().zip_eq(v().flat_map_iter(|i| 0..i)); //~ E0277: IndexedParallelIterator` is not satisfied
}

// A tuple too.
fn a_tuple_of_a_filter() {
    let v = || (0..10).into_par_iter();
    (v(), v().filter(|_| true)).into_par_iter().count(); //~ E0599: `into_par_iter`
}

// `interleave` too.
fn interleave_of_a_filter() {
    let v = || (0..10).into_par_iter();
    let both = v().interleave(v().filter(|_| true)); //~ E0277: IndexedParallelIterator` is not satisfied
}

// A filtered iterator has no positions.
fn enumerate_of_a_filter() {
    (0..10).into_par_iter().filter(|_| true).enumerate().count(); //~ E0599: `enumerate`
}

// A filtered iterator is not turned around.
fn rev_of_a_filter() {
    (0..10).into_par_iter().filter(|_| true).rev().count(); //~ E0599: `rev`
}

// A filtered iterator has no length.
fn length_of_a_filter() {
    fn indexed(_: impl IndexedParallelIterator) {}
    indexed((0..10).into_par_iter().filter_map(Some)); //~ E0277: IndexedParallelIterator` is not satisfied
}

// A filtered iterator is not collected by position.
fn collect_into_of_a_filter() {
    let mut v = vec![];
    (0..10).into_par_iter().filter_map(Some).collect_into_vec(&mut v); //~ E0599: `collect_into_vec`
}

// Nor are characters.
fn collect_into_of_chars() {
    let mut v = vec![];
    "abc".par_chars().collect_into_vec(&mut v); //~ E0599: `collect_into_vec`
}

// A range of `u64` has no length in `usize`.
fn enumerate_of_long_numbers() {
    (0..10u64).into_par_iter().enumerate().count(); //~ E0599: `enumerate`
}

// `find_map_any` wants an option.
fn find_map_without_an_option() {
    (0..10).into_par_iter().find_map_any(|i| i); //~ E0308: mismatched types
}

// `sum` adds what can be added.
fn sum_of_text() {
    let n: i32 = ["a"].par_iter().sum(); //~ E0277: `i32` cannot be made by summing
}

// A collection holds what it can hold.
fn collect_of_numbers_as_text() {
    let v: Vec<String> = (0..10).into_par_iter().collect(); //~ E0277: FromParallelIterator<{integer}>` is not satisfied
}

// A scope's job that is spawned twice must own what it uses.
fn scope_job_borrows_a_counter() {
    filch::scope(|s| {
        for i in 0..3 {
            s.spawn(|_| println!("{i}")); //~ E0373: it borrows `i`
        }
    });
}

// A detached job must own what it uses.
fn spawn_borrows() {
    let x = 1;
    filch::spawn(|| println!("{x}")); //~ E0373: it borrows `x`
}

// In a `scope_fifo` too.
fn scope_fifo_borrows() {
    filch::scope_fifo(|s| {
        let x = 1;
        s.spawn_fifo(|_| println!("{x}")); //~ E0373: it borrows `x`
    });
}

// The halves of a `join` do not borrow one vector mutably.
fn join_borrows_twice() {
    let mut v = vec![1];
    filch::join(|| v.push(2), || v.push(3)); //~ E0499: `v` as mutable more than once
}

// Nor a part of one while the other has the whole.
fn join_borrows_part_and_whole() {
    fn sort(v: &mut [u32]) {
        let (low, _high) = v.split_at_mut(1);
        filch::join(|| sort(low), || sort(v)); //~ E0500: unique access to `*v`
    }
}

// Nor through a reference to it.
fn join_borrows_through_a_reference() {
    fn sort(v: &mut [u32]) {
        filch::join(|| sort(v), || sort(v)); //~ E0524: unique access to `*v` at the same time
    }
}

// Nor reads one what the other writes.
fn join_reads_what_is_written() {
    let mut v = vec![1];
    filch::join(|| v.push(2), || println!("{}", v.len())); //~ E0502: cannot borrow `v` as immutable
}

// A closure of `for_each` does not write to what it borrows.
fn for_each_writes() {
    let mut sum = 0;
    (0..10).into_par_iter().for_each(|i| sum += i); //~ E0594: cannot assign to `sum`
}

// Nor pushes to it.
fn for_each_pushes() {
    let mut v = vec![];
    (0..10).into_par_iter().for_each(|i| v.push(i)); //~ E0596: cannot borrow `v` as mutable
}

// What a scope's job borrows outlives the scope.
fn scope_job_outlives() {
    filch::scope(|s| {
        let x = 1;
        let y = &x; //~ E0597: `x` does not live long enough
        s.spawn(move |_| println!("{y}"));
    });
}

// What is iterated is not dropped meanwhile.
fn join_drops_what_is_iterated() {
    let v = vec![1];
    let i = v.par_iter();
    drop(v); //~ E0505: cannot move out of `v` because it is borrowed
    i.count();
}
