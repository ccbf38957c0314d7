//! What may be sent to other threads, and shared with them, is what may in rayon: iterators if their parts may.

use filch::iter::*;
use filch::*;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

/// Whether a type has a trait. An associated constant of the type itself goes before the trait's, if its bounds hold.
macro_rules! has {
    ($type:ty: $bound:path) => {{
        struct Asked<T: ?Sized>(PhantomData<T>);
        #[allow(dead_code)] // where it does
        trait Otherwise {
            const YES: bool = false;
        }
        impl<T: ?Sized> Otherwise for Asked<T> {}
        #[allow(dead_code)] // where the bound does not hold
        impl<T: ?Sized + $bound> Asked<T> {
            const YES: bool = true;
        }
        <Asked<$type>>::YES
    }};
}

/// Each type that is not both `Send` and `Sync`, or not neither of them.
macro_rules! other_than {
    ($expected:literal: $($type:ty,)*) => {{
        let mut others = Vec::new();
        $(if (has!($type: Send), has!($type: Sync)) != ($expected, $expected) {
            others.push(stringify!($type));
        })*
        others
    }};
}

/// Each type that is not both `UnwindSafe` and `RefUnwindSafe`.
macro_rules! unsafe_of {
    ($($type:ty,)*) => {{
        let mut others = Vec::new();
        $(if !has!($type: UnwindSafe) || !has!($type: RefUnwindSafe) {
            others.push(stringify!($type));
        })*
        others
    }};
}

type Base = range::Iter<u32>;
type Good = fn();
/// Whatever holds one of these stays where it is.
type Bad = Rc<()>;

#[test]
fn the_check_knows_both() {
    assert!(has!(Good: Send) && has!(Good: Sync));
    assert!(!has!(Bad: Send) && !has!(Bad: Sync));
    assert!(has!(std::cell::Cell<u8>: Send) && !has!(std::cell::Cell<u8>: Sync));
}

#[test]
fn the_core() {
    let none: [&str; 0] = [];
    let not_both = other_than!(true: ThreadPool, ThreadPoolBuildError, Scope<'static>, ScopeFifo<'static>, Yield, ext::CancelToken, Stats,);
    assert_eq!(not_both, none);
    // These belong to the thread that got them; a builder may hold handlers that do.
    let not_neither = other_than!(false: ThreadPoolBuilder, FnContext, BroadcastContext<'static>,);
    assert_eq!(not_neither, none);
}

/// A panic that was caught leaves pools as good as before, and everything else as its parts.
#[test]
fn unwind_safety() {
    let none: [&str; 0] = [];
    let not_both = unsafe_of!(
        ThreadPool, Stats, Yield, ext::CancelToken, ThreadBuilder, FnContext, Base, Map<Base, Good>, Filter<Base, Good>, Fold<Base, Good, Good>,
        Zip<Base, Base>, vec::IntoIter<u8>, slice::Iter<'static, u8>, WalkTree<u8, Good>, Split<u8, Good>, collections::hash_map::IntoIter<u8, u8>,
        IterBridge<std::ops::Range<u8>>, MultiZip<(Base, Base)>,
    );
    assert_eq!(not_both, none);
    let exclusive = has!(slice::IterMut<'static, u8>: UnwindSafe);
    let shared = has!(Map<Base, &'static std::cell::Cell<u8>>: UnwindSafe);
    assert!(!exclusive && !shared);
}

#[test]
fn adaptors_whose_parts_may_go() {
    let others = other_than!(true:
        Map<Base, Good>, Filter<Base, Good>, FilterMap<Base, Good>, FlatMap<Base, Good>, FlatMapIter<Base, Good>, Flatten<Base>, FlattenIter<Base>,
        Inspect<Base, Good>, Update<Base, Good>, Positions<Base, Good>, MapWith<Base, u8, Good>, MapInit<Base, Good, Good>, Fold<Base, Good, Good>,
        TryFold<Base, Option<u8>, Good, Good>, FoldWith<Base, u8, Good>, Zip<Base, Base>, ZipEq<Base, Base>, Chain<Base, Base>, Interleave<Base, Base>,
        InterleaveShortest<Base, Base>, Intersperse<Base>, Enumerate<Base>, Rev<Base>, Skip<Base>, Take<Base>, StepBy<Base>, Chunks<Base>, MinLen<Base>,
        MaxLen<Base>, PanicFuse<Base>, WhileSome<Base>, SkipAny<Base>, TakeAny<Base>, TakeAnyWhile<Base, Good>, SkipAnyWhile<Base, Good>,
        FoldChunks<Base, Good, Good>, FoldChunksWith<Base, u8, Good>, Copied<slice::Iter<'static, u8>>, Cloned<slice::Iter<'static, u8>>,
    );
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn adaptors_whose_parts_must_stay() {
    let others = other_than!(false:
        Map<Base, Bad>, Filter<Base, Bad>, FilterMap<Base, Bad>, FlatMap<Base, Bad>, FlatMapIter<Base, Bad>, Inspect<Base, Bad>, Update<Base, Bad>,
        Positions<Base, Bad>, MapWith<Base, Bad, Good>, MapWith<Base, u8, Bad>, MapInit<Base, Bad, Good>, MapInit<Base, Good, Bad>,
        Fold<Base, Bad, Good>, Fold<Base, Good, Bad>, FoldWith<Base, Bad, Good>, TakeAnyWhile<Base, Bad>, SkipAnyWhile<Base, Bad>,
        FoldChunks<Base, Bad, Good>, FoldChunksWith<Base, Bad, Good>, Split<u8, Bad>, WalkTree<u8, Bad>, WalkTreePrefix<u8, Bad>,
        WalkTreePostfix<u8, Bad>, slice::Split<'static, u8, Bad>, slice::ChunkBy<'static, u8, Bad>,
    );
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn sources() {
    let others = other_than!(true:
        Empty<u8>, Once<u8>, Repeat<u8>, RepeatN<u8>, IterBridge<std::ops::Range<u8>>, Split<u8, Good>, WalkTree<u8, Good>, WalkTreePostfix<u8, Good>,
        MultiZip<(Base, Base)>, Either<Base, Base>, slice::Iter<'static, u8>, slice::IterMut<'static, u8>, slice::Chunks<'static, u8>,
        slice::ChunksMut<'static, u8>, slice::Windows<'static, u8>, slice::ChunkByMut<'static, u8, Good>, vec::IntoIter<u8>, vec::Drain<'static, u8>,
        array::IntoIter<u8, 3>, range::Iter<u64>, range_inclusive::Iter<u64>, option::IntoIter<u8>, option::Iter<'static, u8>, result::IntoIter<u8>,
        str::Chars<'static>, str::Split<'static, char>, string::Drain<'static>, collections::hash_map::IntoIter<u8, u8>,
        collections::hash_map::Iter<'static, u8, u8>, collections::hash_map::IterMut<'static, u8, u8>, collections::hash_map::Drain<'static, u8, u8>,
        collections::hash_set::Drain<'static, u8>, collections::btree_map::IntoIter<u8, u8>, collections::btree_map::Iter<'static, u8, u8>,
        collections::vec_deque::IntoIter<u8>, collections::vec_deque::Drain<'static, u8>, collections::binary_heap::IntoIter<u8>,
        collections::binary_heap::Drain<'static, u8>, collections::linked_list::IntoIter<u8>,
    );
    assert!(others.is_empty(), "{others:?}");
}

/// Not even where the items may be sent: to share the iterator is to share the items.
#[test]
fn items_that_must_not_be_shared() {
    type Item = std::cell::Cell<u8>;
    assert!(has!(vec::IntoIter<Item>: Send) && !has!(vec::IntoIter<Item>: Sync));
    assert!(
        has!(slice::IterMut<'static, Item>: Send) && !has!(slice::IterMut<'static, Item>: Sync)
    );
    assert!(has!(Once<Item>: Send) && !has!(Once<Item>: Sync));
    assert!(has!(Empty<Item>: Send) && !has!(Empty<Item>: Sync));
}
