//! Tables of sales: groups with aggregates, sorts by two columns, joins, and filters with new columns, of long tables and of short ones.

use polars::prelude::*;
use stopwatch::scrambled;

/// A question to a table of sales and a table of shops.
type Question = fn(LazyFrame, LazyFrame) -> LazyFrame;

const QUESTIONS: [(&str, Question); 4] = [
    ("group", group),
    ("sort", sort),
    ("join", join),
    ("filter", filter),
];

fn main() {
    for (size, rows, repeats) in [
        ("1,000 rows", 1_000, 400),
        ("30,000 rows", 30_000, 60),
        ("1,000,000 rows", 1_000_000, 4),
    ] {
        let (sales, shops) = (sales(rows), shops(rows / 20));
        for (name, question) in QUESTIONS {
            let ask = || {
                let answer = question(sales.clone().lazy(), shops.clone().lazy());
                answer.collect().expect("an answer")
            };
            let all = digest(&ask());
            stopwatch::measure(&format!("{name}, {size}"), repeats, || {
                all.wrapping_add(ask().height() as u64)
            });
        }
    }
}

/// For each shop how many pieces it sold, the highest price, and more.
fn group(sales: LazyFrame, _: LazyFrame) -> LazyFrame {
    sales.group_by([col("shop")]).agg([
        col("pieces").sum(),
        col("pieces").mean().alias("mean"),
        col("price").max(),
        len().alias("sales"),
    ])
}

/// By shop, and by price in it; with the place of each row.
fn sort(sales: LazyFrame, _: LazyFrame) -> LazyFrame {
    let by = SortMultipleOptions::default().with_order_descending_multi([false, true]);
    sales
        .sort(["shop", "price"], by)
        .with_row_index("place", None)
}

/// What is known of the shop, at each sale in one of them.
fn join(sales: LazyFrame, shops: LazyFrame) -> LazyFrame {
    let on = [col("shop")];
    sales.join(shops, &on, &on, JoinArgs::new(JoinType::Inner))
}

/// The sales of a few cheap pieces, and what was paid.
fn filter(sales: LazyFrame, _: LazyFrame) -> LazyFrame {
    let few = col("pieces").lt(lit(50));
    let cheap = col("price").lt(lit(1i64 << 35));
    sales
        .filter(few.and(cheap))
        .with_columns([(col("pieces") * col("price")).alias("paid")])
}

fn sales(rows: u64) -> DataFrame {
    let shops = rows / 10;
    df!(
        "shop" => numbers(rows, 1, |it| it % shops),
        "pieces" => numbers(rows, 2, |it| it % 100),
        // Hardly two of a shop are equal, so that a sort has no choice.
        "price" => numbers(rows, 3, |it| it >> 28),
    )
    .expect("columns of one length")
}

/// Half of the shops.
fn shops(rows: u64) -> DataFrame {
    df!(
        "shop" => (0..rows as i64).map(|it| 2 * it).collect::<Vec<_>>(),
        "size" => numbers(rows, 4, |it| it % 1_000),
        "town" => numbers(rows, 5, |it| it % 50),
    )
    .expect("columns of one length")
}

fn numbers(rows: u64, column: u64, of: impl Fn(u64) -> u64) -> Vec<i64> {
    (0..rows)
        .map(|row| of(scrambled(row << 3 | column)) as i64)
        .collect()
}

/// A number for all rows of a table, whatever their order: groups and joins have none.
fn digest(table: &DataFrame) -> u64 {
    let mut rows = vec![0u64; table.height()];
    for column in table.columns() {
        let numbers = column.cast(&DataType::Float64).expect("numbers");
        let numbers = numbers.f64().expect("numbers");
        for (row, number) in rows.iter_mut().zip(numbers.iter()) {
            *row = scrambled(*row ^ number.expect("no nulls").to_bits());
        }
    }
    rows.into_iter().fold(0, u64::wrapping_add)
}
