//! A chart of predicted speed-ups over numbers of threads, as SVG that stands alone.

use super::xml::XmlText;
use std::fmt::Write;

/// The size of the picture, and of the margins: left, top, right, bottom.
const SIZE: [f64; 2] = [640.0, 400.0];
const MARGINS: [f64; 4] = [56.0, 40.0, 24.0, 48.0];

/// One `svg` element: how many times faster a program gets with 1 to `threads` threads. `predicted` gives the least and the most for a number of threads;
/// `title` is plain text.
pub(super) fn chart(
    title: &str,
    threads: usize,
    predicted: impl Fn(usize) -> (f64, f64),
) -> String {
    let threads = threads.max(2);
    let points: Vec<_> = samples(threads)
        .into_iter()
        .map(|p| (p, predicted(p)))
        .collect();
    let most = points.iter().map(|&(_, (_, upper))| upper);
    let top = most.fold(1.0, f64::max) * 1.1;
    let [width, height] = SIZE;
    let [left, above, right, below] = MARGINS;
    let (wide, high) = (width - left - right, height - above - below);
    let x = |p: usize| left + wide * (p - 1) as f64 / (threads - 1) as f64;
    let y = |speed: f64| above + high * (1.0 - speed.min(top) / top);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"24\" font-size=\"14\">{title}</text>\n",
        title = XmlText(title)
    );
    let mut add = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(svg, "{line}");
    };
    for speed in marks(top) {
        let at = y(speed);
        add(format_args!(
            "<path d=\"M{left} {at:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{speed}</text>",
            left + wide,
            left - 6.0,
            at + 4.0
        ));
    }
    for p in marks(threads as f64)
        .into_iter()
        .map(|p| p as usize)
        .filter(|&p| p > 0)
    {
        add(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{p}</text>",
            x(p),
            above + high + 18.0
        ));
    }
    add(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">threads</text>\
         <text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {3:.1})\">times faster than one</text>",
        left + wide / 2.0,
        height - 10.0,
        above + high / 2.0,
        above + high / 2.0
    ));
    let line = |of: &dyn Fn((f64, f64)) -> f64| -> String {
        let at = points
            .iter()
            .map(|&(p, both)| format!("{:.1},{:.1}", x(p), y(of(both))));
        at.collect::<Vec<_>>().join(" ")
    };
    let (lower, upper) = (line(&|both| both.0), line(&|both| both.1));
    let back: Vec<_> = lower.split(' ').rev().collect();
    add(format_args!(
        "<polygon points=\"{upper} {}\" fill=\"#4a90d9\" fill-opacity=\"0.2\"/>",
        back.join(" ")
    ));
    add(format_args!(
        "<polyline points=\"{upper}\" fill=\"none\" stroke=\"#2b6cb0\" stroke-width=\"2\"><title>at most</title></polyline>"
    ));
    add(format_args!(
        "<polyline points=\"{lower}\" fill=\"none\" stroke=\"#dd6b20\" stroke-width=\"2\"><title>at least, as far as handing over costs time</title></polyline>"
    ));
    svg.push_str("</svg>\n");
    svg
}

/// Numbers of threads to draw: a few hundred at most.
fn samples(threads: usize) -> Vec<usize> {
    let step = threads.div_ceil(128);
    let mut all: Vec<_> = (1..threads).step_by(step).collect();
    all.push(threads);
    all
}

/// Round numbers from 0 to `top`, at most eleven.
fn marks(top: f64) -> Vec<f64> {
    let power = 10f64.powf((top / 10.0).log10().ceil());
    let steps = [0.1, 0.2, 0.5, 1.0].map(|part| part * power);
    let step = steps.into_iter().find(|step| top / step <= 10.0);
    let step = step.unwrap_or(power).max(1.0);
    (0..=(top / step) as usize)
        .map(|n| n as f64 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text is escaped, numbers are finite, and there is nothing to load or to run.
    #[test]
    fn charts_stand_alone() {
        for threads in [0, 1, 2, 64, 1024] {
            let svg = chart("a<b & \"c\"", threads, |p| (p as f64 / 2.0, p as f64));
            assert!(
                svg.contains("<title>a&lt;b &amp; &quot;c&quot;</title>"),
                "{svg}"
            );
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(!svg.contains("script") && !svg.contains("href"));
            assert_eq!(svg.matches('<').count(), svg.matches('>').count());
            assert!(svg.len() < 20_000);
        }
        assert_eq!(marks(1.1), [0.0, 1.0]);
        assert_eq!(marks(8.8).len(), 9);
        assert_eq!(marks(64.0), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
    }
}
