//! What does a sequential iterator cost as the source of a parallel loop?

fn main() {
    suite::criterion::run(&suite::families::bridge);
}
