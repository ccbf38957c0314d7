//! Do all threads share the work where the cost sits in a few of the items?

fn main() {
    suite::criterion::run(&suite::families::irregular);
}
