// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mask of the output bits that have a meaning in a cycle (CNF-2).
//!
//! The ports of a channel begin with the same letters, and one of them ends in `valid`: while it is
//! low the others have no meaning. If one is called `good`, the rest has a meaning only while it is
//! high (NODE-18). Lanes of `data` that `keep` leaves out are don't-care (LNK-2).

use crate::shape::{ones, value};
use awgstar::rtl::state::Signal;

/// Name, width and first word in the image.
struct Placed {
    name: &'static str,
    bits: usize,
    at: usize,
}

/// Conditions under which one output has a meaning.
struct Guard {
    signal: Placed,
    /// These must be 1.
    high: Vec<Placed>,
    /// Lanes that count.
    keep: Option<Placed>,
}

/// Conditions under which each output has a meaning.
pub struct Meaning(Vec<Guard>);

fn placed(outputs: &[Signal]) -> Vec<Placed> {
    let mut at = 0;
    let place = |s: &Signal| {
        at += s.words();
        Placed { name: s.name, bits: s.bits, at: at - s.words() }
    };
    outputs.iter().map(place).collect()
}

/// The bits of `care` in bytes of which all that matters is known. In four states what cancels is X
/// all the same (`a ^ a`), so a known bit among unknown ones of an FCS may well be X.
fn whole_bytes(known: u32, care: u32) -> u32 {
    let bytes = (0..4).map(|i| care & 0xff << (8 * i));
    bytes.filter(|byte| known & byte == *byte).sum()
}

impl Meaning {
    /// By the names of the outputs.
    #[must_use]
    pub fn of(outputs: &[Signal]) -> Self {
        let find = |name: &str| placed(outputs).into_iter().find(|p| p.name == name);
        let guard = |signal: Placed| {
            let stems = outputs.iter().filter_map(|o| o.name.strip_suffix("valid"));
            let name = signal.name;
            let own = stems.filter(|stem| name.starts_with(stem) && name[stem.len()..] != *"valid");
            let Some(stem) = own.max_by_key(|stem| stem.len()) else {
                return Guard { signal, high: Vec::new(), keep: None };
            };
            let of = |end: &str| find(&format!("{stem}{end}"));
            let good = of("good").filter(|g| g.name != name);
            let keep = of("keep").filter(|_| name[stem.len()..] == *"data");
            Guard { signal, high: of("valid").into_iter().chain(good).collect(), keep }
        };
        Meaning(placed(outputs).into_iter().map(guard).collect())
    }

    /// The bits of `known` that have a meaning when the outputs are those of `image`. A bit that
    /// depends on an unknown bit is unknown, and so is a byte with such a bit.
    #[must_use]
    pub fn mask(&self, image: &[u32], known: &[u32]) -> Vec<u32> {
        let mut mask = known.to_vec();
        for Guard { signal, high, keep } in &self.0 {
            let is = |p: &Placed| value(image, p.at, p.bits) & value(known, p.at, p.bits);
            let mut care = if high.iter().all(|p| is(p) == 1) { ones(signal.bits) } else { 0 };
            if let Some(keep) = keep {
                let lane = signal.bits / keep.bits;
                let kept = (0..keep.bits).filter(|i| is(keep) >> i & 1 == 1);
                care &= kept.fold(0, |m, i| m | ones(lane) << (i * lane));
            }
            for (i, word) in
                mask[signal.at..signal.at + signal.bits.div_ceil(32)].iter_mut().enumerate()
            {
                let care = (care >> (32 * i) & 0xffff_ffff) as u32;
                *word = whole_bytes(*word, care);
            }
        }
        mask
    }

    /// Order of the outputs for reports: a `valid` port comes before the ports that depend on it,
    /// because a wrong `valid` is the cause of a difference on those.
    #[must_use]
    pub fn causes_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|&i| self.0[i].high.len());
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::Link;
    use awgstar::rtl::{ring_node, state::Ports};

    fn cared(set: impl FnOnce(&mut ring_node::Outputs)) -> Vec<&'static str> {
        let mut outputs = ring_node::Outputs::default();
        set(&mut outputs);
        let mut image = vec![0; ring_node::Outputs::WORDS];
        outputs.pack(&mut image);
        let known = vec![u32::MAX; image.len()];
        let mask = Meaning::of(ring_node::Outputs::PORTS).mask(&image, &known);
        let all = placed(ring_node::Outputs::PORTS).into_iter();
        all.filter(|p| value(&mask, p.at, p.bits) & ones(p.bits) != 0).map(|p| p.name).collect()
    }

    #[test]
    fn silence_means_nothing() {
        let all = cared(|_| ());
        for name in
            ["m_axis_tdata", "m_rx_hdr_mac", "m_rx_axis_tlast", "m_ret_good", "m_sent_class"]
        {
            assert!(!all.contains(&name), "{name}");
        }
        for name in ["m_axis_tvalid", "s_data_hdr_ready", "count_data", "held", "token_seen"] {
            assert!(all.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_bad_return_says_only_that() {
        let bad = cared(|o| o.m_ret_valid = true);
        assert!(bad.contains(&"m_ret_good") && !bad.contains(&"m_ret_token"));
        let good = cared(|o| (o.m_ret_valid, o.m_ret_good) = (true, true));
        assert!(good.contains(&"m_ret_token"));
    }

    #[test]
    fn a_byte_with_an_unknown_bit_is_unknown() {
        assert_eq!(whole_bytes(0xffff_ffff, 0x00ff_03ff), 0x00ff_03ff);
        assert_eq!(whole_bytes(0xff7f_fdff, 0xffff_ffff), 0xff00_00ff);
        assert_eq!(whole_bytes(0x0000_0040, 0xffff_ffff), 0);
    }

    #[test]
    fn lanes_left_out_mean_nothing() {
        let outputs = ring_node::Outputs {
            m_axis: Link { tvalid: true, tkeep: 0b0011, ..Link::default() },
            ..ring_node::Outputs::default()
        };
        let mut image = vec![0; ring_node::Outputs::WORDS];
        outputs.pack(&mut image);
        let known = vec![u32::MAX; image.len()];
        let mask = Meaning::of(ring_node::Outputs::PORTS).mask(&image, &known);
        assert_eq!(mask[0], 0x0000_ffff);
        let unknown = vec![0; image.len()];
        let mask = Meaning::of(ring_node::Outputs::PORTS).mask(&image, &unknown);
        assert!(mask.iter().all(|w| *w == 0));
    }
}
