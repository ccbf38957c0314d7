//! What does it cost to bring the results of many threads into one collection?

fn main() {
    suite::criterion::run(&suite::families::collect);
}
