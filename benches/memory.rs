//! How often is the allocator asked, and for how much at once?
//!
//! Prints for each case the number of allocations, then the most bytes held at once, of each contender.

use suite::{
    allocations::Counting,
    case::{Contest, Setting, Suite},
    families,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let setting = Setting::new(filch::current_num_threads(), 1_000_000);
    let mut visit = |contest: Contest<'_>| {
        let (name, unit) = (contest.name, contest.unit);
        print!("{:<34}", format!("{name}, {unit:?}").to_lowercase());
        for mut contender in contest.contenders {
            let reading = contender.read(1);
            print!("{:>8} {reading:<11}", contender.name);
        }
        println!();
    };
    (families::memory.cases)(&mut Suite {
        setting: &setting,
        visit: &mut visit,
    });
}
