// SPDX-License-Identifier: MIT OR Apache-2.0
//! z² − c (EVA-1).

/// The part of the plane that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Real parts of c, from the left edge to the right.
    pub re: [f64; 2],
    /// Imaginary parts of c, from the upper edge to the lower.
    pub im: [f64; 2],
}

impl Default for View {
    /// The whole set: with z² − c it is the mirror image of the usual one. The program of the
    /// thesis sets the range in a separate window; the thesis prints no numbers.
    fn default() -> Self {
        View { re: [-0.75, 2.25], im: [-1.5, 1.5] }
    }
}

impl View {
    /// c of column `x` and row `y` of a picture of `size` × `size`.
    #[must_use]
    pub fn point(&self, x: u32, y: u32, size: u32) -> [f64; 2] {
        let at = |[from, to]: [f64; 2], k: u32| from + (to - from) * f64::from(k) / f64::from(size);
        [at(self.re, x), at(self.im, y)]
    }
}

/// Steps of z ← z² − c from z = 0 until |z| > 2, `limit` at most.
///
/// Additions and multiplications of IEEE 754 doubles only, in this order: the same everywhere.
/// An orbit that meets an earlier value of z, bit for bit, repeats itself and never leaves: its steps up to
/// `limit` are counted without being computed.
///
/// ```
/// use awgstar_thesis::mandelbrot::iterations;
/// assert_eq!(iterations([0.0, 0.0], 50), 50); // stays at 0
/// assert_eq!(iterations([1.0, 0.0], 50), 50); // 0, −1, 0, −1 …
/// assert_eq!(iterations([-1.0, 0.0], 50), 3); // 1, 2, 5
/// ```
#[must_use]
pub fn iterations([re, im]: [f64; 2], limit: u32) -> u32 {
    let (mut x, mut y) = (0.0_f64, 0.0_f64);
    let bits = |x: f64, y: f64| (x.to_bits(), y.to_bits());
    let mut earlier = bits(x, y);
    for step in 0..limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return step;
        }
        (x, y) = (xx - yy - re, 2.0 * x * y - im);
        if bits(x, y) == earlier {
            return limit;
        }
        // A later value each time the number of steps has doubled: every cycle is met in the end.
        if step.is_power_of_two() {
            earlier = bits(x, y);
        }
    }
    limit
}
