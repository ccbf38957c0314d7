//! What do parallel loops inside parallel loops cost?

fn main() {
    suite::criterion::run(&suite::families::nested);
}
