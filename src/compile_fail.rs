//! What must not compile, and why: examples that only `cargo test --doc` sees. On a nightly toolchain the error codes are checked too.

/// Sharing, sending and borrowing; lengths that nobody knows.
///
/// Items of a map must be `Send`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// (0..10).into_par_iter().map(std::rc::Rc::new).for_each(drop);
/// ```
///
/// An `Rc` does not go to another thread:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::rc::Rc::new(1);
/// (0..10).into_par_iter().for_each(|_| assert_eq!(*x, 1));
/// ```
///
/// A `Cell` is not shared:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::cell::Cell::new(1);
/// (0..10).into_par_iter().for_each(|i| x.set(i));
/// ```
///
/// A `RefCell` is not shared:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::cell::RefCell::new(1);
/// (0..10).into_par_iter().for_each(|i| *x.borrow_mut() += i);
/// ```
///
/// A slice of what is not `Sync` has no `par_iter`:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// [std::cell::Cell::new(1)].par_iter().count();
/// ```
///
/// A slice of what is not `Send` has no `par_iter_mut`:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// [std::rc::Rc::new(1)].par_iter_mut().count();
/// ```
///
/// A vector of what is not `Send` is not consumed in parallel:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// vec![std::rc::Rc::new(1)].into_par_iter().count();
/// ```
///
/// Closures of `join` are sent: their captures must be `Send`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::rc::Rc::new(1);
/// filch::join(|| drop(x), || ());
/// ```
///
/// Closures of `join` do not share a `Cell`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::cell::Cell::new(1);
/// filch::join(|| x.set(2), || x.set(3));
/// ```
///
/// Results of `join` must be `Send`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// filch::join(|| std::rc::Rc::new(1), || ());
/// ```
///
/// Results of `install` must be `Send`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// filch::ThreadPoolBuilder::new().build().unwrap().install(|| std::rc::Rc::new(1));
/// ```
///
/// What `spawn` runs must be `Send`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::rc::Rc::new(1);
/// filch::spawn(move || drop(x));
/// ```
///
/// A `Scope` spawns only what is `Send`:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::rc::Rc::new(1);
/// filch::scope(|s| s.spawn(move |_| drop(x)));
/// ```
///
/// `map_with` clones and sends its value:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// (0..10).into_par_iter().map_with(std::rc::Rc::new(1), |_, i| i).count();
/// ```
///
/// `par_bridge` sends the iterator:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let x = std::rc::Rc::new(1);
/// (0..10).map(move |i| i + *x).par_bridge().count();
/// ```
///
/// `zip` needs to know where the items are:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let v = || (0..10).into_par_iter();
/// v().zip(v().filter(|_| true)).count();
/// ```
///
/// `zip_eq` too:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let v = || (0..10).into_par_iter();
/// v().zip_eq(v().flat_map_iter(|i| 0..i)).count();
/// ```
///
/// A tuple too:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// let v = || (0..10).into_par_iter();
/// (v(), v().filter(|_| true)).into_par_iter().count();
/// ```
///
/// `interleave` too:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let v = || (0..10).into_par_iter();
/// v().interleave(v().filter(|_| true)).count();
/// ```
///
/// A filtered iterator has no positions:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// (0..10).into_par_iter().filter(|_| true).enumerate().count();
/// ```
///
/// A filtered iterator is not turned around:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// (0..10).into_par_iter().filter(|_| true).rev().count();
/// ```
///
/// A filtered iterator has no length:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// fn indexed(_: impl IndexedParallelIterator) {}
/// indexed((0..10).into_par_iter().filter_map(Some));
/// ```
///
/// A filtered iterator is not collected by position:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// let mut v = vec![];
/// (0..10).into_par_iter().filter_map(Some).collect_into_vec(&mut v);
/// ```
///
/// Nor are characters:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// let mut v = vec![];
/// "abc".par_chars().collect_into_vec(&mut v);
/// ```
///
/// A range of `u64` has no length in `usize`:
///
/// ```compile_fail,E0599
/// use filch::prelude::*;
/// (0..10u64).into_par_iter().enumerate().count();
/// ```
///
/// `find_map_any` wants an option:
///
/// ```compile_fail,E0308
/// use filch::prelude::*;
/// (0..10).into_par_iter().find_map_any(|i| i);
/// ```
///
/// `sum` adds what can be added:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let n: i32 = ["a"].par_iter().sum();
/// ```
///
/// A collection holds what it can hold:
///
/// ```compile_fail,E0277
/// use filch::prelude::*;
/// let v: Vec<String> = (0..10).into_par_iter().collect();
/// ```
///
/// A scope's job that is spawned twice must own what it uses:
///
/// ```compile_fail,E0373
/// use filch::prelude::*;
/// filch::scope(|s| {
///     for i in 0..3 {
///         s.spawn(|_| println!("{i}"));
///     }
/// });
/// ```
///
/// A detached job must own what it uses:
///
/// ```compile_fail,E0373
/// use filch::prelude::*;
/// let x = 1;
/// filch::spawn(|| println!("{x}"));
/// ```
///
/// In a `scope_fifo` too:
///
/// ```compile_fail,E0373
/// use filch::prelude::*;
/// filch::scope_fifo(|s| {
///     let x = 1;
///     s.spawn_fifo(|_| println!("{x}"));
/// });
/// ```
///
/// The halves of a `join` do not borrow one vector mutably:
///
/// ```compile_fail,E0499
/// use filch::prelude::*;
/// let mut v = vec![1];
/// filch::join(|| v.push(2), || v.push(3));
/// ```
///
/// Nor a part of one while the other has the whole:
///
/// ```compile_fail,E0500
/// use filch::prelude::*;
/// fn sort(v: &mut [u32]) {
///     let (low, _high) = v.split_at_mut(1);
///     filch::join(|| sort(low), || sort(v));
/// }
/// ```
///
/// Nor through a reference to it:
///
/// ```compile_fail,E0524
/// use filch::prelude::*;
/// fn sort(v: &mut [u32]) {
///     filch::join(|| sort(v), || sort(v));
/// }
/// ```
///
/// Nor reads one what the other writes:
///
/// ```compile_fail,E0502
/// use filch::prelude::*;
/// let mut v = vec![1];
/// filch::join(|| v.push(2), || println!("{}", v.len()));
/// ```
///
/// A closure of `for_each` does not write to what it borrows:
///
/// ```compile_fail,E0594
/// use filch::prelude::*;
/// let mut sum = 0;
/// (0..10).into_par_iter().for_each(|i| sum += i);
/// ```
///
/// Nor pushes to it:
///
/// ```compile_fail,E0596
/// use filch::prelude::*;
/// let mut v = vec![];
/// (0..10).into_par_iter().for_each(|i| v.push(i));
/// ```
///
/// What a scope's job borrows outlives the scope:
///
/// ```compile_fail,E0597
/// use filch::prelude::*;
/// filch::scope(|s| {
///     let x = 1;
///     let y = &x;
///     s.spawn(move |_| println!("{y}"));
/// });
/// ```
///
/// What is iterated is not dropped meanwhile:
///
/// ```compile_fail,E0505
/// use filch::prelude::*;
/// let v = vec![1];
/// let i = v.par_iter();
/// drop(v);
/// i.count();
/// ```
pub struct Rejected;

/// An adaptor that nobody drives does nothing, and the compiler says so.
///
/// Used, all of them compile, so it is for this that the examples below fail:
///
/// ```
/// #![deny(unused_must_use)]
/// use filch::prelude::*;
/// let v = || vec![1].into_par_iter();
/// let _ = v().by_exponential_blocks();
/// let _ = v().by_uniform_blocks(2);
/// let _ = v().chain(v());
/// let _ = v().chunks(2);
/// let _ = [1].par_iter().cloned();
/// let _ = [1].par_iter().copied();
/// let _ = v().enumerate();
/// let _ = v().filter(|_| true);
/// let _ = v().filter_map(Some);
/// let _ = v().flat_map(|_| v());
/// let _ = v().flat_map_iter(|_| 0..1);
/// let _ = v().map(|_| v()).flatten();
/// let _ = v().map(|_| 0..1).flatten_iter();
/// let _ = v().fold(|| 0, |a, b| a + b);
/// let _ = v().fold_chunks(2, || 0, |a, b| a + b);
/// let _ = v().fold_chunks_with(2, 0, |a, b| a + b);
/// let _ = v().fold_with(0, |a, b| a + b);
/// let _ = v().inspect(|_| ());
/// let _ = v().interleave(v());
/// let _ = v().interleave_shortest(v());
/// let _ = v().intersperse(0);
/// let _ = v().map(|i| i);
/// let _ = v().map_init(|| 0, |_, i| i);
/// let _ = v().map_with(0, |_, i| i);
/// let _ = v().panic_fuse();
/// let _ = v().positions(|_| true);
/// let _ = v().rev();
/// let _ = v().skip(1);
/// let _ = v().skip_any(1);
/// let _ = v().skip_any_while(|_| true);
/// let _ = v().step_by(2);
/// let _ = v().take(1);
/// let _ = v().take_any(1);
/// let _ = v().take_any_while(|_| true);
/// let _ = v().try_fold(|| 0, i32::checked_add);
/// let _ = v().try_fold_with(0, i32::checked_add);
/// let _ = v().update(|_| ());
/// let _ = v().map(Some).while_some();
/// let _ = v().with_max_len(1);
/// let _ = v().with_min_len(1);
/// let _ = v().zip(v());
/// let _ = v().zip_eq(v());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().by_exponential_blocks();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().by_uniform_blocks(2);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().chain(v());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().chunks(2);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// [1].par_iter().cloned();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// [1].par_iter().copied();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().enumerate();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().filter(|_| true);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().filter_map(Some);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().flat_map(|_| v());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().flat_map_iter(|_| 0..1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().map(|_| v()).flatten();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().map(|_| 0..1).flatten_iter();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().fold(|| 0, |a, b| a + b);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().fold_chunks(2, || 0, |a, b| a + b);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().fold_chunks_with(2, 0, |a, b| a + b);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().fold_with(0, |a, b| a + b);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().inspect(|_| ());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().interleave(v());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().interleave_shortest(v());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().intersperse(0);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().map(|i| i);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().map_init(|| 0, |_, i| i);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().map_with(0, |_, i| i);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().panic_fuse();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().positions(|_| true);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().rev();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().skip(1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().skip_any(1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().skip_any_while(|_| true);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().step_by(2);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().take(1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().take_any(1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().take_any_while(|_| true);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().try_fold(|| 0, i32::checked_add);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().try_fold_with(0, i32::checked_add);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().update(|_| ());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().map(Some).while_some();
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().with_max_len(1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().with_min_len(1);
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().zip(v());
/// ```
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use filch::prelude::*;
/// # let v = || vec![1].into_par_iter();
/// v().zip_eq(v());
/// ```
pub struct MustBeUsed;
