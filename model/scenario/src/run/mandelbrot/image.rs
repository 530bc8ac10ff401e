// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picture as a file.

use awgstar_thesis::mandelbrot::{DISPLAY, Picture, SHADES_OF_OCTAVE};

/// Colours of counts: doublings of the count plus one, red, green and blue. Each is lighter than the one
/// before; they follow viridis, a map whose lightness grows evenly, and most counts are small.
const COLOURS: [(u64, [u8; 3]); 9] = [
    (0, [68, 1, 84]),
    (1, [71, 39, 120]),
    (2, [62, 73, 137]),
    (3, [49, 104, 142]),
    (4, [38, 130, 142]),
    (5, [53, 183, 121]),
    (7, [144, 215, 67]),
    (10, [253, 231, 37]),
    (22, [255, 255, 225]),
];

/// Colours of [`Picture::shades`]: black in the set, then a palette with straight lines between them.
#[must_use]
pub fn palette() -> [[u8; 3]; 256] {
    let mut palette = [[0; 3]; 256];
    for (shade, colour) in (0..).zip(&mut palette[1..]) {
        for pair in COLOURS.windows(2) {
            let (from, to) = (SHADES_OF_OCTAVE * pair[0].0, SHADES_OF_OCTAVE * pair[1].0);
            if (from..to).contains(&shade) {
                *colour = between(pair[0].1, pair[1].1, shade - from, to - from);
            }
        }
    }
    palette
}

/// The colour at `part` of `whole` from `a` to `b`.
fn between(a: [u8; 3], b: [u8; 3], part: u64, whole: u64) -> [u8; 3] {
    let mut colour = a;
    for ((channel, from), to) in colour.iter_mut().zip(a).zip(b) {
        let mixed = u64::from(from) * (whole - part) + u64::from(to) * part;
        *channel = (mixed / whole).to_le_bytes()[0];
    }
    colour
}

/// Renders the picture, 900 × 900 points at most, as PNG with a colour of [`palette`] for each.
///
/// # Errors
/// The message of the library.
pub fn png(picture: &Picture) -> Result<Vec<u8>, String> {
    let shown = picture.thinned(DISPLAY);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, shown.size(), shown.size());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette().as_flattened().to_vec());
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
    writer.write_image_data(&shown.shades()).map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())?;
    Ok(bytes)
}
