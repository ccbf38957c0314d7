//! What do 2, 4 and 8 threads gain over one?

fn main() {
    suite::criterion::run(&suite::families::scaling);
}
