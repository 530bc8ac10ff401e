// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring that wavelengths make (AWG-3).

use super::router::{PORTS, Router, RouterError};
use thiserror::Error;

/// The tunable laser of a node; its receiver is at the output port of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmitter {
    /// Input port of the router.
    pub port: u8,
    /// Wavelength number that the laser is tuned to.
    pub wavelength: u16,
}

/// Error of wavelengths that do not make one ring. Ports are those of the router.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// A port or a wavelength that does not exist.
    #[error("transmitter {index}: {error}")]
    Router {
        /// Index of the transmitter in the list.
        index: usize,
        /// Error in its port or wavelength.
        error: RouterError,
    },
    /// Two transmitters at one port.
    #[error("port {0}: expected one transmitter, found two")]
    Twice(u8),
    /// No node receives at the port.
    #[error("port {from} sends to port {to}: expected a node there, found none")]
    NoReceiver {
        /// Port of the transmitter.
        from: u8,
        /// Port at which its light leaves the router.
        to: u8,
    },
    /// Light of two lasers at one receiver.
    #[error("ports {} and {} both send to port {to}", from[0], from[1])]
    Collision {
        /// Ports of the transmitters.
        from: [u8; 2],
        /// Port at which their light leaves the router.
        to: u8,
    },
    /// More than one ring.
    #[error("expected one ring, found {}: ports {}", rings.len(), text(rings))]
    Rings {
        /// The ports of each, in its order, from the lowest on.
        rings: Vec<Vec<u8>>,
    },
}

fn text(rings: &[Vec<u8>]) -> String {
    let ring =
        |ring: &Vec<u8>| ring.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ");
    rings.iter().map(ring).collect::<Vec<_>>().join("; ")
}

/// The ports in the order in which a frame passes them, from the lowest on.
///
/// # Errors
/// If the wavelengths do not make one ring of all transmitters.
pub fn ring_order(transmitters: &[Transmitter]) -> Result<Vec<u8>, OrderError> {
    let mut to = [None; PORTS as usize + 1];
    let mut from = [None; PORTS as usize + 1];
    for (index, t) in transmitters.iter().enumerate() {
        let output = Router.output(t.port, t.wavelength);
        let output = output.map_err(|error| OrderError::Router { index, error })?;
        if to[usize::from(t.port)].replace(output).is_some() {
            return Err(OrderError::Twice(t.port));
        }
    }
    for t in transmitters {
        let Some(output) = to[usize::from(t.port)] else { continue };
        if to[usize::from(output)].is_none() {
            return Err(OrderError::NoReceiver { from: t.port, to: output });
        }
        if let Some(other) = from[usize::from(output)].replace(t.port) {
            return Err(OrderError::Collision { from: [other, t.port], to: output });
        }
    }
    // What is left is a permutation: it falls into cycles.
    let mut rings: Vec<Vec<u8>> = Vec::new();
    let mut seen = [false; PORTS as usize + 1];
    for start in (1..=PORTS).filter(|&p| to[usize::from(p)].is_some()) {
        let (mut ring, mut at) = (Vec::new(), start);
        while !std::mem::replace(&mut seen[usize::from(at)], true) {
            ring.push(at);
            at = to[usize::from(at)].unwrap_or(start);
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    match rings.len() {
        0 => Ok(Vec::new()),
        1 => Ok(rings.remove(0)),
        _ => Err(OrderError::Rings { rings }),
    }
}

/// The wavelengths that make a ring of these ports, in this order.
///
/// # Errors
/// If a port does not exist or is listed twice.
pub fn wavelengths(ports: &[u8]) -> Result<Vec<Transmitter>, OrderError> {
    let next = ports.iter().cycle().skip(1);
    let transmitter = |(index, (&port, &to)): (usize, (&u8, &u8))| {
        let wavelength = Router.wavelength(port, to);
        let wavelength = wavelength.map_err(|error| OrderError::Router { index, error })?;
        Ok(Transmitter { port, wavelength })
    };
    let all: Vec<Transmitter> =
        ports.iter().zip(next).enumerate().map(transmitter).collect::<Result<_, OrderError>>()?;
    ring_order(&all)?;
    Ok(all)
}
