//! Makes pictures smaller: tries several filters of each, at the same time.

use oxipng::{BitDepth, ColorType, Options, RawImage};

fn main() {
    for (name, side, repeats) in [
        ("64 x 64 pixels", 64, 100),
        ("256 x 256 pixels", 256, 10),
        ("1,024 x 1,024 pixels", 1024, 2),
    ] {
        let pixels = picture(side);
        stopwatch::measure(name, repeats, || {
            let (rgb, depth) = (
                ColorType::RGB {
                    transparent_color: None,
                },
                BitDepth::Eight,
            );
            let image = RawImage::new(side, side, rgb, depth, pixels.clone()).expect("a picture");
            let png = image.create_optimized_png(&Options::from_preset(2));
            png.expect("a smaller picture").len() as u64
        });
    }
}

/// Rings of three colours with some noise.
fn picture(side: u32) -> Vec<u8> {
    let of_pixel = |i: u32| {
        let (x, y) = (i64::from(i % side), i64::from(i / side));
        let distance = (x * x + y * y) / 64;
        let noise = stopwatch::scrambled(u64::from(i)) % 4;
        [1, 3, 7].map(|colour| (distance * colour) as u8 ^ noise as u8)
    };
    (0..side * side).flat_map(of_pixel).collect()
}
