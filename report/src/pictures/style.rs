//! Colours, marks and letters: the same for a contender everywhere.

use plotters::prelude::*;
use plotters::style::TextStyle;

use super::{Area, Drawn};

/// For text and axes.
pub const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
pub const GRID: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);

/// Okabe and Ito's colours, which differ for all kinds of eyes, and marks that differ without colour. Contenders that share a colour never
/// meet in one picture.
const LOOKS: [(&str, RGBColor, Mark); 13] = [
    ("std", INK, Mark::None),
    ("filch", RGBColor(0x00, 0x72, 0xB2), Mark::Disc),
    ("filch, collect", RGBColor(0x56, 0xB4, 0xE9), Mark::Disc),
    ("rayon", RGBColor(0xD5, 0x5E, 0x00), Mark::Triangle),
    ("chili", RGBColor(0x00, 0x9E, 0x73), Mark::Square),
    ("orx", RGBColor(0xCC, 0x79, 0xA7), Mark::Square),
    ("paralight", RGBColor(0xE6, 0x9F, 0x00), Mark::Cross),
    ("forte", RGBColor(0xE6, 0x9F, 0x00), Mark::Cross),
    ("forkunion", RGBColor(0x56, 0xB4, 0xE9), Mark::Ring),
    ("glidesort", RGBColor(0x00, 0x9E, 0x73), Mark::Cross),
    ("rdst", RGBColor(0xCC, 0x79, 0xA7), Mark::Triangle),
    ("voracious", RGBColor(0xE6, 0x9F, 0x00), Mark::Square),
    ("dashmap", RGBColor(0x00, 0x9E, 0x73), Mark::Square),
];
const OTHER: (RGBColor, Mark) = (RGBColor(0xCC, 0x79, 0xA7), Mark::Cross);

#[derive(Clone, Copy, PartialEq)]
pub enum Mark {
    None,
    Disc,
    Ring,
    Triangle,
    Square,
    Cross,
}

/// How a contender looks.
pub struct Contender {
    pub name: String,
    pub colour: RGBColor,
    mark: Mark,
    /// Of its line.
    pub breadth: u32,
}

impl Contender {
    /// Those of these names, each once, in the order of the legend.
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Contender> {
        let mut found: Vec<&str> = Vec::new();
        for name in names {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        let place = |name: &str| {
            LOOKS
                .iter()
                .position(|look| look.0 == name)
                .unwrap_or(LOOKS.len())
        };
        found.sort_by_key(|name| place(name));
        found.into_iter().map(Contender::named).collect()
    }

    pub fn named(name: &str) -> Contender {
        let look = LOOKS.iter().find(|look| look.0 == name);
        let (colour, mark) = look.map_or(OTHER, |&(_, colour, mark)| (colour, mark));
        Contender {
            name: if name == "std" { "sequential" } else { name }.to_string(),
            colour,
            mark,
            breadth: if name == "filch" { 4 } else { 2 },
        }
    }

    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.name == "sequential" && name == "std"
    }

    /// A mark at a place on the whole picture.
    pub fn mark(&self, root: &Area<'_>, (x, y): (i32, i32)) -> Drawn {
        let fill = self.colour.filled();
        match self.mark {
            Mark::None => {}
            Mark::Disc => root.draw(&Circle::new((x, y), 6, fill))?,
            Mark::Ring => root.draw(&Circle::new((x, y), 6, self.colour.stroke_width(3)))?,
            Mark::Triangle => root.draw(&TriangleMarker::new((x, y), 7, fill))?,
            Mark::Square => root.draw(&Rectangle::new([(x - 5, y - 5), (x + 5, y + 5)], fill))?,
            Mark::Cross => root.draw(&Cross::new((x, y), 6, self.colour.stroke_width(3)))?,
        }
        Ok(())
    }

    /// A line through places on the whole picture, with marks.
    pub fn line(&self, root: &Area<'_>, places: &[(i32, i32)]) -> Drawn {
        root.draw(&PathElement::new(
            places.to_vec(),
            self.colour.stroke_width(self.breadth),
        ))?;
        places.iter().try_for_each(|&place| self.mark(root, place))
    }

    /// What is left of its name in the legend.
    pub fn sample(&self, root: &Area<'_>, (x, y): (i32, i32)) -> Drawn {
        root.draw(&PathElement::new(
            vec![(x, y), (x + 32, y)],
            self.colour.stroke_width(self.breadth),
        ))?;
        self.mark(root, (x + 16, y))
    }
}

pub fn text(size: u32, colour: &RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour.to_rgba())
}

/// About how wide a text is: only the browser that shows it knows.
pub fn width(text: &str, size: u32) -> i32 {
    (text.chars().count() as f64 * f64::from(size) * 0.56) as i32
}

/// A count in few letters.
pub fn short(n: f64) -> String {
    match n {
        n if n >= 1e6 => format!("{}M", n / 1e6),
        n if n >= 1e3 => format!("{}k", n / 1e3),
        n => format!("{n}"),
    }
}
