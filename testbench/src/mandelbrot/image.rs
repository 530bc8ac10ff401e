//! The picture as a file.

use awgstar::lambda::mandelbrot::{DISPLAY, Picture};

/// What is shown of the picture, 900 × 900 points at most, as PNG with a byte of grey for each.
///
/// # Errors
/// What the library says.
pub fn png(picture: &Picture) -> Result<Vec<u8>, String> {
    let shown = picture.thinned(DISPLAY);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, shown.size(), shown.size());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
    writer.write_image_data(&shown.shades()).map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())?;
    Ok(bytes)
}
