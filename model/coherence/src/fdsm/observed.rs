// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of all nodes together.

use super::{Held, Node};
use crate::check::{Observed, Property};
use crate::memory::Pages;

impl Observed for Node {
    fn wrong(nodes: &[(&Self, &Pages)], latest: &[u8], rest: bool) -> Option<Property> {
        let differ = |(one, _): &(&Node, &Pages)| {
            nodes.iter().any(|(other, _)| one.epoch == other.epoch && one.map != other.map)
        };
        if nodes.iter().any(differ) {
            return Some(Property::Map);
        }
        let (first, _) = nodes.first().filter(|_| rest)?;
        for (range, held) in first.map.runs(0..latest.len()) {
            for (node, memory) in nodes {
                let old = range.clone().any(|at| memory.byte(at) != latest[at]);
                match held {
                    Held::By { owner, .. } if *owner == node.me && old => {
                        return Some(Property::Lost);
                    }
                    Held::By { holders, .. } if !holders.contains(&node.me) => {}
                    _ if old => return Some(Property::Held),
                    _ => {}
                }
            }
        }
        None
    }
}
