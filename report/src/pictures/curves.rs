//! Lines over the length of the input, or over the number of threads.

use std::path::Path;

use plotters::{
    coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter},
    prelude::*,
};
use suite::{families::Family, measure::Pair};

use super::{
    Area, Drawn, HEAD, PANEL, WIDTH, page,
    style::{Contender, GRID, INK, short, text},
};
use crate::points::Point;

/// A logarithmic axis with marks where we want them.
#[derive(Clone)]
struct Axis {
    name: String,
    marks: Vec<f64>,
    from: f64,
    to: f64,
    show: fn(f64) -> String,
}

impl Axis {
    /// Marks at these values, within `from` and `to`.
    fn new(name: &str, marks: &[f64], from: f64, to: f64, show: fn(f64) -> String) -> Axis {
        let marks = marks
            .iter()
            .copied()
            .filter(|mark| (from * 0.999..to * 1.001).contains(mark));
        Axis {
            name: name.to_string(),
            marks: marks.collect(),
            from,
            to,
            show,
        }
    }

    /// Over counts that span decades.
    fn of_counts(name: &str, counts: impl Iterator<Item = f64> + Clone) -> Axis {
        let from = counts.clone().fold(f64::INFINITY, f64::min);
        let to = counts.fold(1.0, f64::max);
        let decades: Vec<f64> = (0..10).map(|exponent| 10f64.powi(exponent)).collect();
        Axis::new(name, &decades, from * 0.8, to * 1.25, short)
    }

    /// Over ratios around 1.
    fn of_ratios(name: &str, ratios: impl Iterator<Item = f64> + Clone) -> Axis {
        let from = ratios.clone().fold(0.45, f64::min);
        let to = ratios.fold(2.2, f64::max);
        let fine = [
            0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0,
        ];
        let coarse = [0.01, 0.1, 0.5, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5];
        match to / from < 60.0 {
            true => Axis::new(name, &fine, from * 0.9, to * 1.15, |x| x.to_string()),
            false => Axis::new(name, &coarse, from * 0.8, to * 1.5, |x| {
                if x < 1e3 { x.to_string() } else { short(x) }
            }),
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let share = (value / self.from).ln() / (self.to / self.from).ln();
        low + (share * f64::from(high - low)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.from..self.to
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        (self.show)(*value)
    }
}

/// One contender's values, by x.
type Line = Vec<(f64, Pair)>;

/// Draws one panel: a frame, the line at `y = 1`, then the contenders, ours on top, each with a band from its best to its median.
fn panel(
    root: &Area<'_>,
    area: &Area<'_>,
    title: &str,
    (x, y): (&Axis, &Axis),
    lines: &[(&Contender, Line)],
) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .margin_left(12)
        .margin_right(22)
        .margin_bottom(10)
        .caption(title, text(18, &INK))
        .x_label_area_size(48)
        .y_label_area_size(62)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.stroke_width(1))
        .axis_style(INK.stroke_width(1))
        .label_style(text(15, &INK))
        .axis_desc_style(text(16, &INK))
        .x_desc(&x.name)
        .y_desc(&y.name)
        .x_labels(20)
        .y_labels(20)
        .draw()?;
    let place = |x: f64, y: f64| chart.backend_coord(&(x, y));
    let sequential = vec![place(x.from, 1.0), place(x.to, 1.0)];
    root.draw(&PathElement::new(sequential, INK.stroke_width(2)))?;
    for (contender, line) in lines.iter().rev() {
        let there = line.iter().map(|&(x, pair)| place(x, pair.min));
        let back = line.iter().rev().map(|&(x, pair)| place(x, pair.median));
        root.draw(&Polygon::new(
            there.chain(back).collect::<Vec<_>>(),
            contender.colour.mix(0.18),
        ))?;
        let medians: Vec<_> = line
            .iter()
            .map(|&(x, pair)| place(x, pair.median))
            .collect();
        contender.line(root, &medians)?;
    }
    Ok(())
}

/// A family's ratios to sequential code over the length.
pub fn ratios(
    path: &Path,
    family: &Family,
    points: &[&Point],
    cases: &[&str],
    contenders: &[Contender],
) -> Drawn {
    let rows = cases.len().div_ceil(2) as u32;
    let root = SVGBackend::new(path, (WIDTH, HEAD + rows * PANEL)).into_drawing_area();
    let panels = page(
        &root,
        (family.question, "lower is better"),
        contenders,
        cases.len(),
        2,
    )?;
    let both = |pair: Pair| [pair.min, pair.median];
    for (&case, area) in cases.iter().zip(&panels) {
        let of = points.iter().filter(|point| point.case == case);
        let x = Axis::of_counts(family.n, of.clone().map(|point| point.n as f64));
        let all = of.clone().flat_map(|point| both(point.ratio));
        let y = Axis::of_ratios("time / sequential", all);
        let lines: Vec<(&Contender, Line)> = contenders
            .iter()
            .filter(|contender| !contender.is("std"))
            .map(|contender| {
                let own = of.clone().filter(|point| contender.is(&point.contender));
                (
                    contender,
                    own.map(|point| (point.n as f64, point.ratio)).collect(),
                )
            })
            .collect();
        panel(&root, area, case, (&x, &y), &lines)?;
    }
    root.present()?;
    Ok(())
}

/// Speed-ups over the number of threads.
pub fn speed_up(
    path: &Path,
    title: &str,
    points: &[&Point],
    cases: &[&str],
    contenders: &[Contender],
) -> Drawn {
    let rows = cases.len().div_ceil(2) as u32;
    let root = SVGBackend::new(path, (WIDTH, HEAD + rows * PANEL)).into_drawing_area();
    let cores = points.iter().map(|point| point.cores).max().unwrap_or(1);
    let title = format!("{title} (on {cores} cores)");
    let panels = page(
        &root,
        (&title, "higher is better"),
        contenders,
        cases.len(),
        2,
    )?;
    let up = |pair: Pair| Pair {
        min: 1.0 / pair.min,
        median: 1.0 / pair.median,
    };
    let most = points.iter().map(|point| point.threads).max().unwrap_or(1) as f64;
    let x = Axis::new(
        "threads",
        &[1.0, 2.0, 4.0, 8.0, 16.0],
        0.9,
        most * 1.1,
        short,
    );
    let ups = points
        .iter()
        .flat_map(|point| [up(point.ratio).min, up(point.ratio).median]);
    let least = ups.clone().fold(0.9, f64::min);
    let greatest = ups.fold(cores as f64, f64::max);
    let marks = [
        0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0,
    ];
    let y = Axis::new(
        "sequential / time",
        &marks,
        least * 0.9,
        greatest * 1.15,
        |x| x.to_string(),
    );
    for (&case, area) in cases.iter().zip(&panels) {
        let of = points.iter().filter(|point| point.case == case);
        let lines: Vec<(&Contender, Line)> = contenders
            .iter()
            .filter(|contender| !contender.is("std"))
            .map(|contender| {
                let own = of.clone().filter(|point| contender.is(&point.contender));
                (
                    contender,
                    own.map(|point| (point.threads as f64, up(point.ratio)))
                        .collect(),
                )
            })
            .collect();
        panel(&root, area, case, (&x, &y), &lines)?;
    }
    root.present()?;
    Ok(())
}
