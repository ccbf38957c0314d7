//! Prints the table of workloads by policies, and draws it; or compares the simulator with the crate; or runs a recorded program again.

mod again;
mod calibrate;
mod draw;
mod table;

use sim::Costs;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let costs = Costs::default();
            let blocks = table::table(&costs);
            print!("{}{}", table::text(&blocks), table::verdict(&blocks));
            print!("{}", table::larger(&costs));
            let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/simulator.svg");
            if let Err(error) = std::fs::write(&picture, draw::draw(&blocks)) {
                eprintln!("docs/simulator.svg cannot be written: {error}");
                std::process::exit(1);
            }
        }
        ["--calibrate"] => print!("{}", calibrate::compare()),
        ["--replay", ref more @ ..] => match again::replay(more) {
            Ok(text) => print!("{text}"),
            Err(why) => {
                eprintln!("sim: {why}");
                std::process::exit(2);
            }
        },
        _ => {
            let arguments = arguments.join(" ");
            eprintln!(
                "usage: sim [--calibrate | --replay FILE.filch [--workers 1,2,8,64]], not {arguments}"
            );
            std::process::exit(2);
        }
    }
}
