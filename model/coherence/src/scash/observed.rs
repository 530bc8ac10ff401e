// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of all nodes together.

use super::Node;
use crate::check::{Observed, Property};
use crate::memory::{Memory, Pages};

impl Observed for Node {
    fn wrong(nodes: &[(&Self, &Pages)], latest: &[u8], rest: bool) -> Option<Property> {
        let old = |(node, memory): &(&Node, &Pages)| {
            let at_home = |page: &usize| node.home(*page) == Some(node.me);
            let mut own = (0..node.shape.pages()).filter(at_home);
            own.any(|page| memory.page(page) != &latest[node.shape.page(page)])
        };
        (rest && nodes.iter().any(old)).then_some(Property::Lost)
    }
}
