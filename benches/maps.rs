//! Do maps split as well as slices do?

fn main() {
    suite::criterion::run(&suite::families::maps);
}
