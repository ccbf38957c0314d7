//! Thirty parallel chains of common kinds, each in a function of its own, as a program of some size has them.

use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub id: u32,
    pub customer: u64,
    pub price: f64,
    pub words: Vec<String>,
}

pub fn sum(v: &[u64]) -> u64 {
    v.par_iter().sum()
}
pub fn sum_of_squares(v: &[f64]) -> f64 {
    v.par_iter().map(|x| x * x).sum()
}
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.par_iter().zip(b).map(|(x, y)| x * y).sum()
}
pub fn product_of_range(n: u64) -> u64 {
    (1..n).into_par_iter().filter(|i| i % 3 == 0).product()
}
pub fn revenue(v: &[Order]) -> f64 {
    v.par_iter()
        .filter(|o| o.id % 2 == 0)
        .map(|o| o.price)
        .sum()
}
pub fn count(v: &[Order]) -> usize {
    v.par_iter().filter(|o| o.price > 10.0).count()
}
pub fn longest(v: &[Order]) -> Option<&Order> {
    v.par_iter().max_by_key(|o| o.words.len())
}
pub fn most_expensive(v: &[Order]) -> Option<&Order> {
    v.par_iter().max_by(|a, b| a.price.total_cmp(&b.price))
}
pub fn min(v: &[i32]) -> Option<i32> {
    v.par_iter().copied().min()
}
pub fn any(v: &[Order]) -> bool {
    v.par_iter().any(|o| o.words.is_empty())
}
pub fn all(v: &[u32]) -> bool {
    v.par_iter().all(|&x| x < 100)
}
pub fn find_any(v: &[String]) -> Option<&String> {
    v.par_iter().find_any(|s| s.starts_with('x'))
}
pub fn find_first(v: &[Order]) -> Option<&Order> {
    v.par_iter().find_first(|o| o.customer == 7)
}
pub fn position(v: &[u64]) -> Option<usize> {
    v.par_iter().position_first(|&x| x == 17)
}
pub fn collect(v: &[u32]) -> Vec<u64> {
    v.par_iter().map(|&x| u64::from(x) * 3).collect()
}
pub fn collect_filter(v: &[Order]) -> Vec<u32> {
    v.par_iter()
        .filter(|o| o.price < 3.0)
        .map(|o| o.id)
        .collect()
}
pub fn words(v: &[Order]) -> Vec<&str> {
    v.par_iter()
        .flat_map_iter(|o| o.words.iter().map(String::as_str))
        .collect()
}
pub fn parse(v: &[String]) -> Result<Vec<i64>, std::num::ParseIntError> {
    v.par_iter().map(|s| s.parse::<i64>()).collect()
}
pub fn by_id(v: Vec<Order>) -> HashMap<u32, Order> {
    v.into_par_iter().map(|o| (o.id, o)).collect()
}
pub fn distinct(v: &[Order]) -> HashSet<u64> {
    v.par_iter().map(|o| o.customer).collect()
}
pub fn sorted_map(v: &[Order]) -> BTreeMap<u64, u32> {
    v.par_iter().map(|o| (o.customer, o.id)).collect()
}
pub fn frequencies(v: &[String]) -> HashMap<char, usize> {
    v.par_iter()
        .fold(HashMap::new, |mut map, s| {
            for c in s.chars() {
                *map.entry(c).or_insert(0) += 1;
            }
            map
        })
        .reduce(HashMap::new, |mut a, b| {
            for (c, n) in b {
                *a.entry(c).or_insert(0) += n;
            }
            a
        })
}
pub fn scale(v: &mut [f32], by: f32) {
    v.par_iter_mut().for_each(|x| *x *= by)
}
pub fn rows(v: &mut [f64], width: usize) {
    v.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            *cell += (x * y) as f64;
        }
    })
}
pub fn split(v: &[i64]) -> (Vec<i64>, Vec<i64>) {
    v.par_iter().copied().partition(|x| *x > 0)
}
pub fn both(a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    a.par_iter().chain(b).copied().partition(|x| x % 2 == 0)
}
pub fn ids_and_prices(v: &[Order]) -> (Vec<u32>, Vec<f64>) {
    v.par_iter().map(|o| (o.id, o.price)).unzip()
}
pub fn sort(v: &mut [u64]) {
    v.par_sort_unstable()
}
pub fn sort_orders(v: &mut Vec<Order>) {
    v.par_sort_by(|a, b| a.price.total_cmp(&b.price))
}
pub fn longest_line(text: &str) -> usize {
    text.par_lines()
        .map(|l| l.split_whitespace().count())
        .max()
        .unwrap_or(0)
}

fn main() {
    let mut orders: Vec<Order> = (0..1000)
        .map(|i| Order {
            id: i,
            customer: u64::from(i % 10),
            price: f64::from(i),
            words: vec![i.to_string()],
        })
        .collect();
    let strings: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
    let u64s: Vec<u64> = (0..1000).collect();
    let u32s: Vec<u32> = (0..1000).collect();
    let i64s: Vec<i64> = (-500..500).collect();
    let i32s: Vec<i32> = (-500..500).collect();
    let mut f32s: Vec<f32> = vec![1.0; 1000];
    let mut f64s: Vec<f64> = vec![1.0; 1000];
    println!(
        "{:?}",
        (
            sum(&u64s),
            sum_of_squares(&f64s),
            dot(&f32s, &f32s),
            product_of_range(20),
            revenue(&orders),
            count(&orders)
        )
    );
    println!(
        "{:?}",
        (
            longest(&orders),
            most_expensive(&orders),
            min(&i32s),
            any(&orders),
            all(&u32s),
            find_any(&strings),
            find_first(&orders),
            position(&u64s)
        )
    );
    println!(
        "{:?}",
        (
            collect(&u32s).len(),
            collect_filter(&orders).len(),
            words(&orders).len(),
            parse(&strings),
            by_id(orders.clone()).len(),
            distinct(&orders).len(),
            sorted_map(&orders).len()
        )
    );
    println!("{:?}", frequencies(&strings).len());
    scale(&mut f32s, 2.0);
    rows(&mut f64s, 10);
    println!(
        "{:?}",
        (
            split(&i64s).0.len(),
            both(&u64s, &u64s).0.len(),
            ids_and_prices(&orders).1.len()
        )
    );
    let mut shuffled = u64s.clone();
    shuffled.reverse();
    sort(&mut shuffled);
    sort_orders(&mut orders);
    println!("{}", longest_line(&strings.join(" \n")));
}
