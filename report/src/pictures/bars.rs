//! Bars for what is counted.

use std::{collections::BTreeMap, path::Path};

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{
    Area, Drawn, HEAD, WIDTH, page,
    style::{Contender, GRID, INK, text},
};
use crate::{page::thousands, points::Point};

const BAR: i32 = 20;
const GAP: i32 = 22;
/// Room for names, left of the bars.
const NAMES: i32 = 190;

/// Groups of horizontal bars with their values; the greatest fills `width`.
struct Bars<'b, 'a> {
    root: &'b Area<'a>,
    left: i32,
    top: i32,
    width: i32,
    show: fn(f64) -> String,
}

impl Bars<'_, '_> {
    /// Draws the groups one below the other: a name, and the bars of it.
    fn draw(&self, groups: &[(String, Vec<(&Contender, f64)>)]) -> Drawn {
        let bars = groups.iter().flat_map(|(_, bars)| bars);
        let most = bars.map(|&(_, value)| value).fold(1.0, f64::max);
        let middle = Pos::new(HPos::Right, VPos::Center);
        let mut y = self.top;
        for (name, bars) in groups {
            let height = bars.len() as i32 * BAR;
            let style = text(16, &INK).pos(middle);
            self.root
                .draw_text(name, &style, (self.left - 12, y + height / 2))?;
            self.root.draw(&PathElement::new(
                vec![(self.left, y - 4), (self.left, y + height + 4)],
                GRID.stroke_width(2),
            ))?;
            for &(contender, value) in bars {
                let end = self.left + (value / most * f64::from(self.width)).round() as i32;
                let bar = [(self.left, y + 2), (end.max(self.left + 1), y + BAR - 2)];
                self.root
                    .draw(&Rectangle::new(bar, contender.colour.filled()))?;
                let style = text(15, &INK).pos(Pos::new(HPos::Left, VPos::Center));
                self.root
                    .draw_text(&(self.show)(value), &style, (end + 8, y + BAR / 2))?;
                y += BAR;
            }
            y += GAP;
        }
        Ok(())
    }
}

/// How high so many bars in so many groups are.
fn height(groups: &[(String, Vec<(&Contender, f64)>)]) -> i32 {
    let bars: usize = groups.iter().map(|(_, bars)| bars.len()).sum();
    bars as i32 * BAR + groups.len() as i32 * GAP
}

/// What a join costs above a plain call.
pub fn instructions(path: &Path, counts: &BTreeMap<String, f64>) -> Drawn {
    let contenders = Contender::of(["filch", "rayon", "chili"].into_iter());
    let of = |case: &str| {
        let bars = contenders.iter().filter_map(|contender| {
            let value = counts.get(&format!("{case}, {}", contender.name))?;
            Some((contender, *value))
        });
        bars.collect::<Vec<_>>()
    };
    let groups = vec![("a join".to_string(), of("join"))];
    let root =
        SVGBackend::new(path, (WIDTH, HEAD + height(&groups) as u32 + 20)).into_drawing_area();
    page(
        &root,
        (
            "Instructions of a join above a plain call (one thread, callgrind)",
            "lower is better",
        ),
        &contenders,
        1,
        1,
    )?;
    let bars = Bars {
        root: &root,
        left: NAMES / 2,
        top: HEAD as i32 + 8,
        width: WIDTH as i32 - NAMES / 2 - 90,
        show: |x| format!("{x:.1}"),
    };
    bars.draw(&groups)?;
    root.present()?;
    Ok(())
}

/// Allocations on the left, the most bytes held at once on the right.
pub fn memory(
    path: &Path,
    title: &str,
    points: &[&Point],
    cases: &[&str],
    contenders: &[Contender],
) -> Drawn {
    let of = |unit: &str| -> Vec<(String, Vec<(&Contender, f64)>)> {
        let group = |case: &&str| {
            let bars = contenders.iter().filter_map(|contender| {
                let mut points = points.iter().filter(|p| p.unit == unit && p.case == *case);
                let own = points.find(|point| contender.is(&point.contender))?;
                Some((contender, own.reading.median))
            });
            (case.to_string(), bars.collect())
        };
        cases.iter().map(group).collect()
    };
    let (allocations, bytes) = (of("allocations"), of("bytes"));
    let root =
        SVGBackend::new(path, (WIDTH, HEAD + height(&allocations) as u32 + 60)).into_drawing_area();
    page(&root, (title, "lower is better"), contenders, 1, 1)?;
    let half = (WIDTH as i32 - NAMES) / 2;
    let top = HEAD as i32 + 44;
    let columns = [
        (
            NAMES,
            "allocations",
            allocations,
            (|x| thousands(x.round() as usize)) as fn(f64) -> String,
        ),
        (NAMES + half, "most MiB held at once", bytes, |x| {
            format!("{:.1}", x / 1048576.0)
        }),
    ];
    for (left, name, groups, show) in columns {
        root.draw_text(name, &text(18, &INK), (left, HEAD as i32 + 6))?;
        let unnamed =
            |(name, bars): (String, _)| (if left == NAMES { name } else { String::new() }, bars);
        let groups: Vec<_> = groups.into_iter().map(unnamed).collect();
        let bars = Bars {
            root: &root,
            left,
            top,
            width: half - 110,
            show,
        };
        bars.draw(&groups)?;
    }
    root.present()?;
    Ok(())
}
