//! How long must two tasks be for a join to pay, and what if the pool sleeps?

fn main() {
    suite::criterion::run(&suite::families::latency);
}
