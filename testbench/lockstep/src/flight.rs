// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on the links of the nodes, gathered word by word.

use crate::divergence::InFlight;
use crate::run::Snapshot;
use awgstar_stimulus::shape::{Shape, value};

const PLACES: [&str; 2] = ["link in", "link out"];

#[derive(Clone, Debug, Default)]
struct Flight {
    bytes: Vec<u8>,
    whole: bool,
}

/// The last frame on each link of each node, as the model has it.
#[derive(Clone, Debug)]
pub struct Flights {
    nodes: Vec<[Flight; 2]>,
    at: [[usize; 4]; 2],
}

impl Flights {
    /// No frame so far.
    #[must_use]
    pub fn new(shape: &Shape, nodes: usize) -> Self {
        let find = |mut words: Box<dyn Iterator<Item = (&'static str, usize, usize)>>,
                    name: String| {
            words.find(|(n, ..)| *n == name).map_or(0, |(_, _, at)| at)
        };
        let at = |input: bool| {
            ["tdata", "tkeep", "tvalid", "tlast"].map(|port| {
                if input {
                    find(Box::new(shape.input_words()), format!("s_axis_{port}"))
                } else {
                    find(Box::new(shape.output_words()), format!("m_axis_{port}"))
                }
            })
        };
        Flights { nodes: vec![<[Flight; 2]>::default(); nodes], at: [at(true), at(false)] }
    }

    /// One cycle of a node.
    pub fn see(&mut self, node: usize, shot: &Snapshot) {
        let images = [&shot.inputs, &shot.model[0]];
        for ((flight, image), [data, keep, valid, last]) in
            self.nodes[node].iter_mut().zip(images).zip(self.at)
        {
            if image[valid] == 0 {
                continue;
            }
            if flight.whole {
                *flight = Flight::default();
            }
            let count = value(image, keep, 4).count_ones() as usize;
            flight.bytes.extend(&image[data].to_le_bytes()[..count]);
            flight.whole = image[last] != 0;
        }
    }

    /// All of them.
    #[must_use]
    pub fn list(&self) -> Vec<InFlight> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .flat_map(|(node, pair)| {
                pair.iter().zip(PLACES).filter(|(f, _)| !f.bytes.is_empty()).map(
                    move |(f, place)| InFlight {
                        node,
                        place,
                        bytes: f.bytes.clone(),
                        whole: f.whole,
                    },
                )
            })
            .collect()
    }
}
