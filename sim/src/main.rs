//! Prints the table of workloads by policies, and draws it.

mod table;

use sim::Costs;

fn main() {
    let costs = Costs::default();
    let blocks = table::table(&costs);
    print!("{}{}", table::text(&blocks), table::verdict(&blocks));
}
