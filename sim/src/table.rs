//! The table: workloads by workers by policies.

use filch::prelude::*;
use sim::{Choices, Costs, IRREGULAR, named, names, run, sized};

/// For how many workers.
pub const WORKERS: [usize; 5] = [1, 2, 8, 64, 256];

/// How many seeds each figure is the mean of.
const SEEDS: u64 = 5;

/// What a policy made of a workload.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Time over the ideal.
    pub time: f64,
    /// Processor time over work.
    pub processor: f64,
}

/// A workload, and for each policy a cell for each number of workers.
pub struct Block {
    pub name: &'static str,
    pub rows: Vec<(&'static str, Vec<Cell>)>,
}

/// All of it.
pub fn table(costs: &Costs) -> Vec<Block> {
    let policies = Choices::all();
    let block = |name| {
        let columns: Vec<Vec<Cell>> = WORKERS
            .into_par_iter()
            .map(|workers| column(name, workers, &policies, costs))
            .collect();
        let row = |at: usize| columns.iter().map(|column| column[at]).collect();
        let rows = policies.iter().enumerate();
        Block {
            name,
            rows: rows.map(|(at, (policy, _))| (*policy, row(at))).collect(),
        }
    };
    names().into_iter().map(block).collect()
}

/// What each policy makes of a workload on so many workers.
fn column(name: &str, workers: usize, policies: &[(&str, Choices)], costs: &Costs) -> Vec<Cell> {
    let workload = named(name, workers);
    let (work, ideal) = (workload.work() as f64, workload.ideal(workers));
    let cell = |(_, choices): &(&str, Choices)| {
        let runs = (1..=SEEDS).map(|seed| run(&workload, workers, choices, costs, seed));
        let all = runs.fold((0, 0), |(time, processor), outcome| {
            (time + outcome.time, processor + outcome.processor())
        });
        Cell {
            time: all.0 as f64 / SEEDS as f64 / ideal,
            processor: all.1 as f64 / SEEDS as f64 / work,
        }
    };
    policies.par_iter().map(cell).collect()
}

/// The table as text.
pub fn text(blocks: &[Block]) -> String {
    let mut text = String::from("time / ideal, processor time / work; mean of 5 seeds\n");
    for block in blocks {
        let head = WORKERS.map(|workers| format!("{workers:>13}"));
        text += &format!("\n{:<22}{}\n", block.name, head.concat());
        for (policy, cells) in &block.rows {
            let cell = |cell: &Cell| format!("{:>8.2} {:.2}", cell.time, cell.processor);
            let cells: String = cells.iter().map(cell).collect();
            text += &format!("  {policy:<20}{cells}\n");
        }
    }
    text
}

/// What is asked of a pool of 64 workers, and which rows miss it; and the means by which policies can be compared.
pub fn verdict(blocks: &[Block]) -> String {
    let at = WORKERS.iter().position(|&workers| workers == 64);
    let at = at.expect("the table has 64 workers");
    let most = 1.3;
    let mut text = String::from("\nWith 64 workers, as shipped:\n");
    let mut missed = 0;
    for block in blocks {
        let cell = block.rows[0].1[at];
        let irregular = IRREGULAR.contains(&block.name) && cell.time > most;
        let regions = block.name.starts_with("regions") && cell.processor > most;
        if irregular {
            text += &format!(
                "  missed: {}: {:.3} of the ideal time, asked are {most}\n",
                block.name, cell.time
            );
        }
        if regions {
            text += &format!(
                "  missed: {}: {:.3} of the work in processor time, asked are {most}\n",
                block.name, cell.processor
            );
        }
        missed += usize::from(irregular) + usize::from(regions);
    }
    text += &format!("  {missed} missed\n\n");
    text += "Mean of all workloads with 64 workers (time, processor time):\n";
    for (row, (policy, _)) in blocks[0].rows.iter().enumerate() {
        let Cell { time, processor } = mean(blocks, row, at);
        text += &format!("  {policy:<20}{time:.2} {processor:.2}\n");
    }
    text
}

/// The irregular workloads with ten times the work, on 64 workers: what it costs to begin and to end a call weighs less then.
pub fn larger(costs: &Costs) -> String {
    let mut text = String::from("\nTime / ideal with 64 workers, and ten times the work:\n");
    for (policy, choices) in [
        ("as shipped", Choices::SHIPPED),
        ("as before", Choices::BEFORE),
    ] {
        text += &format!("  {policy:<14}");
        for name in IRREGULAR {
            let workload = sized(name, 64, 10);
            let time = |seed| run(&workload, 64, &choices, costs, seed).time;
            let mean = (1..=SEEDS).map(time).sum::<u64>() as f64 / SEEDS as f64;
            text += &format!("{name} {:.2}  ", mean / workload.ideal(64));
        }
        text = text.trim_end().to_string() + "\n";
    }
    text
}

/// The geometric means over all workloads.
pub fn mean(blocks: &[Block], row: usize, at: usize) -> Cell {
    let cells = blocks.iter().map(|block| block.rows[row].1[at]);
    let count = blocks.len() as f64;
    let sum = cells.fold((0.0, 0.0), |(time, processor), cell| {
        (time + cell.time.ln(), processor + cell.processor.ln())
    });
    Cell {
        time: (sum.0 / count).exp(),
        processor: (sum.1 / count).exp(),
    }
}
