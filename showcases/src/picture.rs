//! Draws a table of ratios: for each case a row, with a dot for wall time and a square for processor time.

use std::fmt::Write as _;

const ROW: f64 = 22.0;
const TOP: f64 = 70.0;
const LEFT: f64 = 250.0;
const WIDTH: f64 = 900.0;
/// Ratios at the two ends of the axis, which is logarithmic.
const ENDS: [f64; 2] = [0.125, 1.5];
const TICKS: [f64; 6] = [0.125, 0.25, 0.5, 0.75, 1.0, 1.25];
const WALL: &str = "#0072b2";
const PROCESSOR: &str = "#d55e00";

/// A case: the least and the median wall time, and the processor time, each with filch over rayon.
#[derive(Debug, PartialEq)]
struct Row {
    name: String,
    wall: [f64; 2],
    processor: f64,
}

/// The picture of the tables in `text`: those that this program writes, and the one in the README, which has the ratios alone.
pub fn picture(text: &str) -> String {
    let rows = rows(text);
    let bottom = TOP + ROW * rows.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {h}\" width=\"{WIDTH}\" height=\"{h}\" font-family=\"sans-serif\" \
         font-size=\"13\" fill=\"#222\">\n<title>Programs with filch over the same with rayon</title>\n\
         <rect width=\"{WIDTH}\" height=\"{h}\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"15\">Times with filch, divided by those with rayon: left of 1 filch is faster</text>\n",
        h = bottom + 34.0
    );
    for (at, mark, text) in [
        (LEFT, median(LEFT, 44.0), "wall time, median"),
        (LEFT + 160.0, least(LEFT + 160.0, 44.0), "wall time, least"),
        (
            LEFT + 310.0,
            processor(LEFT + 310.0, 44.0),
            "processor time of all threads",
        ),
    ] {
        put(
            &mut out,
            format_args!("{mark}<text x=\"{}\" y=\"49\">{text}</text>", at + 12.0),
        );
    }
    for tick in TICKS {
        let (at, color) = (x(tick), if tick == 1.0 { "#222" } else { "#ddd" });
        put(
            &mut out,
            format_args!(
                "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"{color}\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                bottom + 18.0
            ),
        );
    }
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (i as f64 + 0.5);
        let [from, to] = row.wall.map(x);
        put(
            &mut out,
            format_args!(
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><path d=\"M{from:.1} {y:.1}H{to:.1}\" stroke=\"{WALL}\" \
                 stroke-opacity=\"0.4\" stroke-width=\"3\"/>{}{}{}",
                LEFT - 14.0,
                y + 4.5,
                row.name,
                processor(x(row.processor), y),
                least(from, y),
                median(to, y)
            ),
        );
    }
    out + "</svg>\n"
}

fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("a string takes all");
}

fn median(x: f64, y: f64) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{WALL}\"/>")
}

fn least(x: f64, y: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#fff\" stroke=\"{WALL}\" stroke-width=\"2\"/>"
    )
}

fn processor(x: f64, y: f64) -> String {
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\" fill=\"{PROCESSOR}\"/>",
        x - 4.5,
        y - 4.5
    )
}

/// Where a ratio is on the axis; those beyond an end are at the end.
fn x(ratio: f64) -> f64 {
    let [from, to] = ENDS;
    LEFT + (ratio.clamp(from, to) / from).ln() / (to / from).ln() * (WIDTH - LEFT - 30.0)
}

fn rows(text: &str) -> Vec<Row> {
    let mut program = "";
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            program = heading.split(':').next().unwrap_or("");
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (wall, processor) = match cells[..] {
            [_, wall, processor] => (wall, processor),
            [_, _, _, wall, _, _, processor] => (wall, processor),
            _ => continue,
        };
        let numbers = wall
            .split('/')
            .chain([processor])
            .map(|it| it.trim().parse());
        let Ok(Ok([least, median, processor])) = numbers
            .collect::<Result<Vec<f64>, _>>()
            .map(<[f64; 3]>::try_from)
        else {
            continue;
        };
        let name = match program {
            "" => cells[0].to_owned(),
            _ => format!("{program}, {}", cells[0]),
        };
        rows.push(Row {
            name,
            wall: [least, median],
            processor,
        });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_tables_are_read() {
        let row = |name: &str| Row {
            name: name.to_owned(),
            wall: [0.5, 0.6],
            processor: 0.7,
        };
        let short = "| | wall | processor |\n|---|---|---|\n| faer, LU | 0.50 / 0.60 | 0.70 |\n";
        assert_eq!(rows(short), [row("faer, LU")]);
        let long =
            "### faer: linear algebra\n\n| LU | 2 / 2 | 1 / 1.2 | 0.50 / 0.60 | 10 | 7 | 0.70 |\n";
        assert_eq!(rows(long), [row("faer, LU")]);
    }

    #[test]
    fn the_picture_shows_the_readme_s_tables() {
        let shown = include_str!("../measured.svg");
        assert_eq!(picture(include_str!("../README.md")), shown);
    }

    #[test]
    fn ratios_beyond_the_axis_are_at_its_end() {
        assert_eq!(x(0.01), LEFT);
        assert_eq!(x(9.0), x(1.5));
        assert!(x(0.5) < x(1.0));
    }
}
