//! What the borrow checker knows of iterators lets through what it lets through of rayon's.

use filch::prelude::*;
use filch::{collections as of, iter, slice, vec};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};

/// The first of each pair is declared before the text, and dropped after it.
#[test]
#[allow(clippy::needless_late_init)] // where it is declared is what is tested
fn iterators_may_outlive_what_their_items_borrow() {
    let (array, vec, deque, heap, list);
    let (map, set, tree_map, tree_set);
    let (once, option, chunks, pieces);
    let text = String::from("text");
    let item = text.as_str();
    array = [item].into_par_iter();
    vec = vec![item].into_par_iter().map(str::len);
    deque = VecDeque::from([item]).into_par_iter();
    heap = BinaryHeap::from([item]).into_par_iter();
    list = LinkedList::from([item]).into_par_iter();
    map = HashMap::from([(item, item)]).into_par_iter();
    set = HashSet::from([item]).into_par_iter();
    tree_map = BTreeMap::from([(item, item)]).into_par_iter();
    tree_set = BTreeSet::from([item]).into_par_iter();
    once = iter::once(item).chain(iter::repeat_n(item, 2));
    option = Some(item).into_par_iter().zip(vec![item]);
    chunks = vec![item].into_par_iter().chunks(1);
    pieces = text.par_split(' ');
    // They are used through references, so that they are still there at the end.
    assert_eq!(
        (array.len(), vec.len(), deque.len(), heap.len()),
        (1, 1, 1, 1)
    );
    let all = (&list, &map, &set, &tree_map, &tree_set, &once, &option);
    assert_eq!(all.5.opt_len(), Some(3));
    assert_eq!((chunks.len(), pieces.opt_len()), (1, None));
}

/// Both lifetimes of a type of iterators can be shortened.
macro_rules! can_be_shortened {
    ($($alias:item)*) => {
        $({
            $alias
            fn shortened<'short, 'long: 'short>(iter: Of<'long>) -> Of<'short> {
                iter
            }
            let _ = shortened;
        })*
    };
}

#[test]
fn iterators_serve_for_a_shorter_lifetime() {
    can_be_shortened! {
        type Of<'a> = slice::Iter<'a, &'a u8>;
        type Of<'a> = slice::Chunks<'a, &'a u8>;
        type Of<'a> = slice::Windows<'a, &'a u8>;
        type Of<'a> = slice::Split<'a, &'a u8, &'a u8>;
        type Of<'a> = slice::ChunkBy<'a, &'a u8, &'a u8>;
        type Of<'a> = vec::IntoIter<&'a u8>;
        type Of<'a> = of::hash_map::Iter<'a, &'a u8, &'a u8>;
        type Of<'a> = of::hash_map::IntoIter<&'a u8, &'a u8>;
        type Of<'a> = of::btree_map::Iter<'a, &'a u8, &'a u8>;
        type Of<'a> = of::btree_map::IntoIter<&'a u8, &'a u8>;
        type Of<'a> = of::btree_set::IntoIter<&'a u8>;
        type Of<'a> = of::linked_list::Iter<'a, &'a u8>;
        type Of<'a> = of::vec_deque::Iter<'a, &'a u8>;
        type Of<'a> = of::binary_heap::Iter<'a, &'a u8>;
        type Of<'a> = iter::Map<slice::Iter<'a, u8>, &'a u8>;
        type Of<'a> = iter::MultiZip<(slice::Iter<'a, u8>, vec::IntoIter<&'a u8>)>;
        type Of<'a> = iter::FoldWith<slice::Iter<'a, u8>, &'a u8, &'a u8>;
        type Of<'a> = iter::WalkTree<&'a u8, &'a u8>;
    }
}
