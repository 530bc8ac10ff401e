// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on the links of the nodes, gathered word by word.

use crate::difference::InFlight;
use awgstar_stimulus::shape::Shape;

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
    /// Words of data, keep, valid and last in the image; none of a link that the machine does not have.
    at: [Option<[usize; 4]>; 2],
}

impl Flights {
    /// No frame so far.
    #[must_use]
    pub fn new(shape: &Shape, nodes: usize) -> Self {
        let inputs: Vec<_> = shape.input_words().collect();
        let outputs: Vec<_> = shape.output_words().collect();
        let at = [("s_axis", inputs), ("m_axis", outputs)].map(|(link, words)| {
            let word = |port: &str| {
                let name = format!("{link}_{port}");
                words.iter().find(|(n, ..)| *n == name).map(|(_, _, at)| *at)
            };
            Some([word("tdata")?, word("tkeep")?, word("tvalid")?, word("tlast")?])
        });
        Flights { nodes: vec![<[Flight; 2]>::default(); nodes], at }
    }

    /// One cycle of a node: images of its inputs and outputs.
    pub fn see(&mut self, node: usize, images: [&[u32]; 2]) {
        for ((flight, image), at) in self.nodes[node].iter_mut().zip(images).zip(self.at) {
            let Some([data, keep, valid, last]) = at else { continue };
            if image[valid] == 0 {
                continue;
            }
            if flight.whole {
                *flight = Flight::default();
            }
            let lanes = image[data].to_le_bytes().into_iter().enumerate();
            let kept = lanes.filter(|(lane, _)| image[keep] >> lane & 1 == 1);
            flight.bytes.extend(kept.map(|(_, byte)| byte));
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

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::{Parameters, RingNode, WriteCombiner, state::Ports as _};
    use awgstar_stimulus::machine::Machine;

    /// What is seen in a cycle in which every bit is 1.
    fn all_ones<M: Machine>() -> Vec<InFlight> {
        let shape = Shape::of::<M>(&Parameters::DEFAULT);
        let mut flights = Flights::new(&shape, 1);
        let ones = |words| vec![u32::MAX; words];
        flights.see(0, [&ones(M::Inputs::WORDS), &ones(M::Outputs::WORDS)]);
        flights.list()
    }

    /// A machine without links had frames of one byte there, and a first port of many ones was no keep.
    #[test]
    fn a_machine_without_a_link_has_no_frames() {
        assert!(all_ones::<WriteCombiner>().is_empty());
        let seen: Vec<_> =
            all_ones::<RingNode>().iter().map(|f| (f.place, f.bytes.len())).collect();
        assert_eq!(seen, [("link in", 4), ("link out", 4)]);
    }
}
