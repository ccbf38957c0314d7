//! Does a chain of adaptors stay as fast as its loop?

fn main() {
    suite::criterion::run(&suite::families::chains);
}
