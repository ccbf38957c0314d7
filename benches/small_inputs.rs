//! From how few cheap items on is a parallel loop no slower than a plain one?

fn main() {
    suite::criterion::run(&suite::families::small_inputs);
}
