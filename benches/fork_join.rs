//! What does a join at every step of a recursion cost, and what does it gain?

fn main() {
    suite::criterion::run(&suite::families::fork_join);
}
