//! What does a spawned task cost?

fn main() {
    suite::criterion::run(&suite::families::spawn);
}
