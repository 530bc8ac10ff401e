// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links whose frames are recorded.

use awgstar::ring::boards::{Aim, Cut, Slow};

/// The link from a node to the next one.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// Name of the interface.
    pub(crate) name: String,
    pub(crate) description: String,
    /// Where the light goes, at the start of the run.
    pub(crate) aim: Aim,
    /// Interface of the frames that arrive at the node.
    pub(crate) receiver: usize,
    /// Times in which the link is cut at its end.
    pub(crate) cuts: Vec<Cut>,
    /// Times in which frames are late.
    pub(crate) slow: Vec<Slow>,
}

impl Link {
    /// The links of a ring through nodes in this order, with these delays, which nothing disturbs.
    pub(crate) fn ring(
        order: &[usize],
        delay: impl Fn(usize, usize) -> u32,
        name: impl Fn(usize, usize) -> (String, String),
    ) -> Vec<Link> {
        let place = |node| order.iter().position(|one| *one == node).unwrap_or(0);
        let link = |from: usize| {
            let to = order[(place(from) + 1) % order.len()];
            let receiver = order[(place(from) + order.len() - 1) % order.len()];
            let (name, description) = name(from, to);
            let aim = Aim { to, delay: delay(from, to) };
            Link { name, description, aim, receiver, cuts: Vec::new(), slow: Vec::new() }
        };
        (0..order.len()).map(link).collect()
    }

    /// The links of a ring without a router; `what` is at their ends.
    pub(crate) fn fibres(what: &str, fibre: &[u32], metres: &[f64]) -> Vec<Link> {
        let order: Vec<usize> = (0..fibre.len()).collect();
        let name = |from: usize, to: usize| {
            let text = format!("{what} {from} to {what} {to}, {} m of fibre", metres[from]);
            (format!("link {from}"), text)
        };
        Link::ring(&order, |from, _| fibre[from], name)
    }
}
