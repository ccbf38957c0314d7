//! The pictures: a panel for each case of a family, a line for each contender.

mod bars;
mod curves;
mod style;

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use suite::families;

use crate::{points::Point, verdict::cases};
use style::Contender;

pub type Drawn = Result<(), Box<dyn Error>>;
pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Width of every picture; a page of a forge is about as wide.
const WIDTH: u32 = 1000;
/// Height of title and legend.
const HEAD: u32 = 84;
const PANEL: u32 = 330;

/// Draws the families that there are points of, and the instructions of a join.
pub fn draw(folder: &Path, points: &[Point], instructions: &Path) -> Drawn {
    for family in families::ALL {
        let of: Vec<&Point> = points
            .iter()
            .filter(|point| point.family == family.name)
            .collect();
        let cases = cases(points, family);
        if cases.is_empty() {
            continue;
        }
        let path = folder.join(format!("{}.svg", family.name));
        let contenders = Contender::of(of.iter().map(|point| point.contender.as_str()));
        if family.name == families::memory.name {
            bars::memory(&path, family.question, &of, &cases, &contenders)?;
        } else if family.name == families::scaling.name {
            curves::speed_up(&path, family.question, &of, &cases, &contenders)?;
        } else {
            curves::ratios(&path, family, &of, &cases, &contenders)?;
        }
    }
    if let Ok(table) = fs::read_to_string(instructions) {
        bars::instructions(&folder.join("instructions.svg"), &counts(&table))?;
    }
    Ok(())
}

/// The instructions by name, from `benches/instructions.tsv`.
fn counts(table: &str) -> BTreeMap<String, f64> {
    let rows = table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter_map(|row| Some((row.first()?.to_string(), row.get(1)?.parse().ok()?)))
        .collect()
}

/// Paints background, title and legend, and returns the panels, `columns` in a row.
fn page<'a>(
    root: &Area<'a>,
    (title, note): (&str, &str),
    contenders: &[Contender],
    panels: usize,
    columns: usize,
) -> Result<Vec<Area<'a>>, Box<dyn Error>> {
    // A background of its own, for pages that are dark.
    root.fill(&WHITE)?;
    root.draw_text(title, &style::text(22, &style::INK), (24, 16))?;
    let right = style::text(15, &style::INK).pos(Pos::new(HPos::Right, VPos::Top));
    root.draw_text(note, &right, (WIDTH as i32 - 22, 53))?;
    let mut x = 24;
    for contender in contenders {
        contender.sample(root, (x, 60))?;
        root.draw_text(&contender.name, &style::text(17, &style::INK), (x + 40, 53))?;
        x += 40 + style::width(&contender.name, 17) + 28;
    }
    let (_, rest) = root.split_vertically(HEAD);
    Ok(rest.split_evenly((panels.div_ceil(columns), columns)))
}
