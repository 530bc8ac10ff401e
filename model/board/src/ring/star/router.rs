// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wavelength table of the router (AWG-1, AWG-2).

use thiserror::Error;

/// Input ports, and output ports (thesis 2.2.2).
pub const PORTS: u8 = 32;
/// Wavelength from input port 1 to output port 1 (thesis, Table 1).
pub const WAVELENGTH_0: u16 = 56;
/// From one channel to the next.
pub const STEP: u16 = 2;
/// Channels of a laser: one for each output port.
pub const CHANNELS: u16 = PORTS as u16;
/// Free spectral range: a wavelength and one higher by this leave by the same port.
pub const FSR: u16 = STEP * CHANNELS;
/// The largest number that 52 + 2·(input + output) gives.
pub const LAST: u16 = 180;

/// Error in a port or a wavelength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RouterError {
    /// There is no such port.
    #[error("{side} port: expected 1 to 32, found {found}")]
    Port {
        /// `input` or `output`.
        side: &'static str,
        /// The port that was asked for.
        found: u8,
    },
    /// No channel has this wavelength.
    #[error("wavelength: expected an even number from 56 to 180, found {0}")]
    Wavelength(u16),
}

/// A cyclic 32 × 32 arrayed waveguide grating.
///
/// Table 1 of the thesis gives 52 + 2·(input + output), which for 32 ports runs from 56 to 180: 63
/// wavelengths. In a cyclic grating two wavelengths that are a free spectral range apart take the same way.
/// With 32 channels of 2 that range is 64, so 32 wavelengths, 56 to 118, reach every port from every other,
/// and a laser needs no more. [`Router::wavelength`] gives those; [`Router::output`] takes all 63.
///
/// ```
/// use awgstar_board::ring::star::Router;
/// let router = Router;
/// assert_eq!(router.wavelength(2, 1), Ok(58));
/// assert_eq!(router.output(3, 64), Ok(3));
/// // The table says 180; 116 is a free spectral range below and takes the same way.
/// assert_eq!(router.wavelength(32, 32), Ok(116));
/// assert_eq!(router.output(32, 180), Ok(32));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Router;

impl Router {
    /// The wavelength that leads from a port to a port, 56 to 118.
    ///
    /// # Errors
    /// If there is no such port.
    pub fn wavelength(self, input: u8, output: u8) -> Result<u16, RouterError> {
        let sum = port("input", input)? + port("output", output)?;
        Ok(WAVELENGTH_0 + STEP * (sum % CHANNELS))
    }

    /// The channel in the form of the thesis' Table 1, which does not fold it into the router's range: 56 to 180.
    ///
    /// # Errors
    /// If there is no such port.
    pub fn published(self, input: u8, output: u8) -> Result<u16, RouterError> {
        Ok(WAVELENGTH_0 + STEP * (port("input", input)? + port("output", output)?))
    }

    /// The port by which light leaves that enters at `input`.
    ///
    /// # Errors
    /// If there is no such port or channel.
    pub fn output(self, input: u8, wavelength: u16) -> Result<u8, RouterError> {
        let input = port("input", input)?;
        if !(WAVELENGTH_0..=LAST).contains(&wavelength) || !wavelength.is_multiple_of(STEP) {
            return Err(RouterError::Wavelength(wavelength));
        }
        let channel = (wavelength - WAVELENGTH_0) / STEP;
        Ok(1 + ((channel + CHANNELS - input) % CHANNELS).to_le_bytes()[0])
    }
}

/// A port, counted from 0.
fn port(side: &'static str, found: u8) -> Result<u16, RouterError> {
    if (1..=PORTS).contains(&found) {
        Ok(u16::from(found) - 1)
    } else {
        Err(RouterError::Port { side, found })
    }
}
