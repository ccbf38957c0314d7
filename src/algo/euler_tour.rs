//! Makes a rooted forest of edges: the parent of each node, its depth, its place in preorder, and how many nodes are below it.
//!
//! Each edge is taken as two *darts*, one for each direction. The tour of a tree goes along an edge, and then along the next edge around the
//! node where it arrived. Cut open at the root, the tour is a linked list, with the tour of the next tree behind it. Ranking the list gives
//! the place of each dart in it. Of the two darts of an edge, the one that comes first leads away from the root. (Tarjan and Vishkin, *An efficient parallel
//! biconnectivity algorithm*, 1985.)
//!
//! For *m* edges: work O((n + m) log m), because the edges are sorted by their nodes; all else is O(n + m). Span O((n + m) log m / p + log² m),
//! however deep the trees are. Memory beside the result: about four words for each edge (six from 2^31 nodes on), one for each node and four
//! for each tree.
//!
//! # Measured
//!
//! <!-- measured: euler_tour -->
//! Measured, `euler_tour` of a balanced tree of 1,000,000 nodes: work 76 ms, span 530 µs, so up to 140 threads can be of use.

use super::atomics::{Bits, numbers, plain};
use super::buffer::Buffer;
use super::components::par_components;
use super::list_rank::{NO_NEXT, rank_one_list};
use super::scan::{scan_exclusive, scan_exclusive_in_place};
use crate::algo::bfs::NO_PARENT;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use crate::slice::{ParallelSlice, ParallelSliceMut};
use crate::sync::{AtomicUsize, Ordering::Relaxed};

/// A forest whose trees have roots. Made by [`euler_tour`].
///
/// ```
/// let path = filch::algo::euler_tour(3, &[(2, 1), (1, 0)]);
/// assert_eq!(path.depths, [0, 1, 2]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rooted {
    /// The node above each node: [`NO_PARENT`] for roots.
    pub parents: Vec<usize>,
    /// How many edges lead from each node up to its root.
    pub depths: Vec<usize>,
    /// The place of each node in preorder: each tree after those with lesser roots, each node before those below it. The nodes below a node
    /// are at the places that follow its own.
    pub preorder: Vec<usize>,
    /// How many nodes there are in the tree below each node, itself included.
    pub sizes: Vec<usize>,
}

/// Computes for each of the nodes `0..n` of a forest its parent, its depth, its place in preorder, and the size of its subtree. The root of
/// a tree is its least node.
///
/// Edges are in any order, and lead both ways. In preorder, the children of the root come in the order of their edges. The children of
/// another node begin with the edge after the one to the parent, and go on in a circle. The result is the same on any number of threads.
/// See the [module](self) for the algorithm and what it costs. To get a forest of a graph, use
/// [`par_spanning_forest`](super::par_spanning_forest).
///
/// ```
/// use filch::algo::{NO_PARENT, euler_tour};
/// // 0 - 3 - 2   1 - 4
/// let forest = euler_tour(5, &[(0, 3), (4, 1), (3, 2)]);
/// assert_eq!(forest.parents, [NO_PARENT, NO_PARENT, 3, 0, 1]);
/// assert_eq!(forest.depths, [0, 0, 2, 1, 1]);
/// assert_eq!(forest.preorder, [0, 3, 2, 1, 4]);
/// assert_eq!(forest.sizes, [3, 2, 1, 2, 1]);
/// ```
///
/// # Panics
///
/// If a node is not below `n`, or if edges form a circle. An edge from a node to itself is a circle, and so are two edges between the same nodes.
#[doc(alias("root_tree", "preorder", "subtree_size", "depth"))]
#[inline]
pub fn euler_tour(n: usize, edges: &[(usize, usize)]) -> Rooted {
    let root_of = par_components(n, edges);
    let is_root = |node: &usize| root_of[*node] == *node;
    let roots: Vec<usize> = (0..n).into_par_iter().filter(is_root).collect();
    let (most, m) = (n - roots.len(), edges.len());
    assert!(
        m == most,
        "filch: {m} edges in {} trees of {n} nodes: one of them is in a circle",
        roots.len()
    );

    // Edge `e` there is `2 * e`, and back `2 * e + 1`.
    let ends = |dart: usize| match (dart % 2, edges[dart / 2]) {
        (0, ends) => ends,
        (_, (from, to)) => (to, from),
    };
    let (parents, depths) = (numbers(n, NO_PARENT), numbers(n, 0));
    // Until parents and depths are known, their memory has the first dart that leaves a node, and the last one that arrives at a root.
    let (first_dart, last_dart) = (&parents, &depths);
    let next = numbers(2 * m, NO_NEXT);
    let around = Around {
        first: first_dart,
        next: &next,
        last: last_dart,
    };
    match n <= 1 << 31 {
        true => around.link(ends, is_root, as_word, from_word),
        false => around.link(ends, is_root, |from, dart| (from, dart), |pair| pair),
    }
    // The tours of all trees that have edges, behind each other.
    let first = |root: usize| first_dart[root].load(Relaxed);
    let has_edges = |root: &usize| first(*root) != NO_PARENT;
    let heads: Vec<usize> = roots.par_iter().copied().filter(has_edges).collect();
    heads.par_windows(2).for_each(|pair| {
        next[last_dart[pair[0]].load(Relaxed)].store(first(pair[1]), Relaxed);
    });
    let next = plain(next);
    let ranked = heads.first().map(|&head| rank_one_list(&next, first(head)));
    let ranks = ranked.unwrap_or_default();
    drop(Buffer(next));

    let (preorder, sizes) = (numbers(n, 0), numbers(n, 1));
    // How many darts there are from the first one of this tree to the end of the list.
    let to_end = |head: &usize| ranks[first(*head)] + 1;
    heads.par_iter().enumerate().for_each(|(i, head)| {
        let tour = to_end(head) - heads.get(i + 1).map_or(0, to_end);
        sizes[*head].store(tour / 2 + 1, Relaxed);
    });
    // From here on they are parents and depths.
    heads.par_iter().for_each(|&head| {
        parents[head].store(NO_PARENT, Relaxed);
        depths[head].store(0, Relaxed);
    });
    let size = |&root: &usize| sizes[root].load(Relaxed);
    let (starts, _) = scan_exclusive(&roots.par_iter().map(size).collect::<Vec<_>>(), 0, add);
    // Until all others are known, the place of a root is the number of its tree.
    let number = |(i, root): (usize, &usize)| preorder[*root].store(i, Relaxed);
    roots.par_iter().enumerate().for_each(number);

    // Of each edge the dart that leads down, and where on the tour that is.
    let down = |edge: usize| 2 * edge + usize::from(ranks[2 * edge] < ranks[2 * edge + 1]);
    let at = |dart: usize| 2 * m - 1 - ranks[dart];
    let downs = Downs::new(2 * m, (0..m).into_par_iter().map(|edge| at(down(edge))));
    (0..m).into_par_iter().for_each(|edge| {
        let dart = down(edge);
        let ((from, to), at) = (ends(dart), at(dart));
        let downs = downs.up_to(at);
        parents[to].store(from, Relaxed);
        // Those of earlier trees went up as often as down.
        depths[to].store(2 * downs - (at + 1), Relaxed);
        preorder[to].store(downs + preorder[root_of[to]].load(Relaxed), Relaxed);
        sizes[to].store((ranks[dart] - ranks[dart ^ 1]).div_ceil(2), Relaxed);
    });
    let places = roots.par_iter().zip(&starts);
    places.for_each(|(&root, &start)| preorder[root].store(start, Relaxed));
    drop([Buffer(root_of), Buffer(ranks)]);
    let [parents, depths, preorder, sizes] = [parents, depths, preorder, sizes].map(plain);
    Rooted {
        parents,
        depths,
        preorder,
        sizes,
    }
}

fn add(a: &usize, b: &usize) -> usize {
    a + b
}

/// What follows what, around nodes.
struct Around<'a> {
    /// For each node the first dart that leaves it, if there is one.
    first: &'a [AtomicUsize],
    /// For each dart the one behind it on the tour; none behind the last one.
    next: &'a [AtomicUsize],
    /// For each root that has edges the last dart of its tour.
    last: &'a [AtomicUsize],
}

impl Around<'_> {
    /// Fills all of these. The darts are sorted by the nodes that they leave; for that, node and dart are packed.
    fn link<K: Copy + Ord + Send + Sync>(
        &self,
        ends: impl Fn(usize) -> (usize, usize) + Sync,
        is_root: impl Fn(&usize) -> bool + Sync,
        pack: impl Fn(usize, usize) -> K + Sync,
        unpack: impl Fn(K) -> (usize, usize) + Sync,
    ) {
        let Around { first, next, last } = self;
        let darts = (0..next.len()).into_par_iter();
        let packed = darts.map(|dart| pack(ends(dart).0, dart));
        let mut leaving = Buffer(packed.collect::<Vec<K>>());
        leaving.0.par_sort_unstable();
        let unpack = &unpack;
        let leaving_at = |i: usize| leaving.0.get(i).map(|&packed| unpack(packed));
        let all = || {
            leaving
                .0
                .par_iter()
                .map(move |&packed| unpack(packed))
                .enumerate()
        };
        all().for_each(|(i, (from, dart))| {
            let before = i.checked_sub(1).and_then(leaving_at);
            if before.is_none_or(|before| before.0 != from) {
                first[from].store(dart, Relaxed);
            }
        });
        all().for_each(|(i, (from, dart))| {
            let arrives = dart ^ 1;
            match leaving_at(i + 1) {
                Some((node, dart)) if node == from => next[arrives].store(dart, Relaxed),
                _ if is_root(&from) => last[from].store(arrives, Relaxed),
                _ => next[arrives].store(first[from].load(Relaxed), Relaxed),
            }
        });
    }
}

/// Node and dart in a word, which takes half of the time to sort.
fn as_word(from: usize, dart: usize) -> u64 {
    (from as u64) << 32 | dart as u64
}

fn from_word(word: u64) -> (usize, usize) {
    ((word >> 32) as usize, word as u32 as usize)
}

/// Which steps of a tour lead down: a bit for each, and for each word of them how many there are before it.
struct Downs {
    bits: Bits,
    before: Vec<usize>,
}

impl Downs {
    /// Of so many steps, those at `places`.
    fn new(steps: usize, places: impl ParallelIterator<Item = usize>) -> Self {
        let bits = Bits::new(steps);
        places.for_each(|at| _ = bits.set(at, false));
        let words = bits.words.par_iter();
        let ones = words.map(|word| word.load(Relaxed).count_ones() as usize);
        let mut before: Vec<usize> = ones.collect();
        scan_exclusive_in_place(&mut before, 0, add);
        Downs { bits, before }
    }

    /// How many there are up to a place, which counts, too.
    fn up_to(&self, at: usize) -> usize {
        let up_to = self.bits.words[at / 64].load(Relaxed) << (63 - at % 64);
        self.before[at / 64] + up_to.count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Around, NO_PARENT, as_word, from_word, numbers, plain};

    /// No other test has so many nodes that a node and a dart do not fit into a word.
    #[test]
    fn pairs_are_linked_as_words_are() {
        let edges = [(3, 1), (0, 3), (5, 2), (3, 6), (0, 7), (8, 0)];
        let ends = |dart: usize| match (dart % 2, edges[dart / 2]) {
            (0, ends) => ends,
            (_, (from, to)) => (to, from),
        };
        let is_root = |node: &usize| [0, 2, 4].contains(node);
        let linked = |in_words| {
            let [first, next, last] = [9, 12, 9].map(|n| numbers(n, NO_PARENT));
            let around = Around {
                first: &first,
                next: &next,
                last: &last,
            };
            match in_words {
                true => around.link(ends, is_root, as_word, from_word),
                false => around.link(ends, is_root, |from, dart| (from, dart), |pair| pair),
            }
            [first, next, last].map(plain)
        };
        assert_eq!(linked(true), linked(false));
        assert_eq!(linked(true)[1][..4], [1, 3, 6, 8]);
    }
}
