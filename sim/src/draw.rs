//! The table as a picture: policies by workloads for 64 workers.

use crate::table::{Block, Cell, WORKERS};
use std::fmt::Write;

const LEFT: usize = 150;
const TOP: usize = 66;
const WIDE: usize = 80;
const HIGH: usize = 20;

/// Time, then processor time. Green is the ideal, yellow 1.3 of it, red twice as much.
pub fn draw(blocks: &[Block]) -> String {
    let at = WORKERS.iter().position(|&workers| workers == 64);
    let at = at.expect("the table has 64 workers");
    let rows = blocks[0].rows.len();
    let (width, height) = (LEFT + WIDE * blocks.len() + 4, TOP + HIGH * rows + 4);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"8\" y=\"18\" font-size=\"14\">Simulated, 64 workers: time / ideal, processor time / work</text>\n\
         <text x=\"8\" y=\"36\" fill=\"#555\">mean of 5 seeds; each half is green at 1.0, yellow at 1.3, red from 2.0 on</text>\n"
    );
    let mut put = |text: std::fmt::Arguments| svg.write_fmt(text).expect("text takes all");
    for (column, block) in blocks.iter().enumerate() {
        let x = LEFT + WIDE * column + WIDE / 2;
        let y = TOP - 8;
        let name = block.name;
        put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>\n"
        ));
    }
    for (row, (policy, _)) in blocks[0].rows.iter().enumerate() {
        let y = TOP + HIGH * row;
        let base = y + 14;
        put(format_args!(
            "<text x=\"8\" y=\"{base}\">{policy}</text>\n<g text-anchor=\"middle\">\n"
        ));
        for (column, block) in blocks.iter().enumerate() {
            let Cell { time, processor } = block.rows[row].1[at];
            for (half, figure) in [time, processor].into_iter().enumerate() {
                let wide = WIDE / 2;
                let (x, fill) = (LEFT + WIDE * column + wide * half, colour(figure));
                let (wide, high, middle) = (wide - half, HIGH - 1, x + wide / 2);
                put(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\"/>\
                     <text x=\"{middle}\" y=\"{base}\">{figure:.2}</text>\n"
                ));
            }
        }
        put(format_args!("</g>\n"));
    }
    svg += "</svg>\n";
    svg
}

fn colour(figure: f64) -> String {
    let stops = [
        (1.0, [176, 224, 176]),
        (1.3, [250, 236, 160]),
        (2.0, [244, 160, 150]),
    ];
    let figure = figure.clamp(1.0, 2.0);
    let (from, to) = if figure < 1.3 {
        (stops[0], stops[1])
    } else {
        (stops[1], stops[2])
    };
    let part = (figure - from.0) / (to.0 - from.0);
    let mix = |at: usize| {
        let (a, b) = (f64::from(from.1[at]), f64::from(to.1[at]));
        (a + (b - a) * part) as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}
