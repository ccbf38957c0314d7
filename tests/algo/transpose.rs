//! Transposes, element by element.

use crate::support::{Ledger, Place, Token, same_everywhere};
use filch::ext::*;

fn naive<T: Copy>(v: &[T], rows: usize, columns: usize) -> Vec<T> {
    let column = |c: usize| (0..rows).map(move |r| v[r * columns + c]);
    (0..columns).flat_map(column).collect()
}

#[test]
fn of_every_shape() {
    let sizes = [0, 1, 2, 15, 16, 17, 31, 33, 100, 257];
    for rows in sizes {
        for columns in sizes {
            let v: Vec<usize> = (0..rows * columns).collect();
            let want = naive(&v, rows, columns);
            assert_eq!(v.par_transpose(rows, columns), want, "{rows} by {columns}");
        }
    }
    for (rows, columns) in [
        (20_000, 3),
        (3, 20_000),
        (1, 9000),
        (5000, 260),
        (4096, 2),
        (4097, 17),
        (600, 700),
    ] {
        let v: Vec<u32> = (0..rows as u32 * columns as u32).collect();
        let want = naive(&v, rows, columns);
        same_everywhere(|| v.par_transpose(rows, columns) == want, || true);
    }
}

#[test]
fn in_place() {
    for size in [0, 1, 2, 3, 31, 32, 33, 64, 65, 100, 200, 301] {
        let v: Vec<usize> = (0..size * size).collect();
        let want = naive(&v, size, size);
        same_everywhere(
            || {
                let mut v = v.clone();
                v.par_transpose_in_place(size);
                v == want
            },
            || true,
        );
    }
}

#[test]
fn nothing_is_lost_or_doubled() {
    const SIZE: usize = 90;
    let ledger = Ledger::new(SIZE * SIZE);
    let mut v = ledger.tokens();
    Place::Pool(3).run(|| v.par_transpose_in_place(SIZE));
    ledger.assert_each_live(1);
    let id = |i: usize| i % SIZE * SIZE + i / SIZE;
    assert!(v.iter().map(Token::id).eq((0..SIZE * SIZE).map(id)));
    drop(v);
    ledger.assert_all_gone();
}

#[test]
fn nothing_much() {
    assert_eq!([(); 6].par_transpose(2, 3).len(), 6);
    [(); 10_000].par_transpose_in_place(100);
    assert_eq!([0; 0].par_transpose(0, 5), []);
}

#[test]
#[should_panic(expected = "5 elements are no matrix of 2 by 3")]
fn of_a_wrong_shape() {
    [0; 5].par_transpose(2, 3);
}

#[test]
#[should_panic(expected = "5 elements are no matrix of 2 by 2")]
fn of_a_wrong_size() {
    [0; 5].par_transpose_in_place(2);
}

#[test]
#[should_panic(expected = "are no matrix")]
fn of_a_shape_that_overflows() {
    [0; 0].par_transpose(usize::MAX, 2);
}
