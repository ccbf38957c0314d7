//! Are programs that people write first faster than their loops, and than on rayon?

fn main() {
    suite::criterion::run(&suite::families::programs);
}
