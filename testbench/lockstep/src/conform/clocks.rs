// SPDX-License-Identifier: MIT OR Apache-2.0
//! Suites of the modules with more than one clock.

use crate::campaign;
use crate::conform::machine::{CYCLES, Suite};
use awgstar::rtl::{Parameters, RingGateway, RingLink, SmbLink};
use awgstar_simulator::SimError;
use awgstar_stimulus as stimulus;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::vectors::gateway as golden;
use awgstar_stimulus::{gateway, link};
use proptest::strategy::ValueTree;

/// All that it is about is about a line with every fault.
const LINK: [&str; 10] =
    ["COD-1", "COD-2", "COD-3", "COD-4", "COD-6", "COD-7", "COD-8", "COD-9", "CDC-1", "CDC-2"];

fn owned(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|&id| id.to_owned()).collect()
}

impl Suite for RingLink {
    const FAMILIES: &'static [&'static str] = &["COD"];
    const VECTORS: &'static [&'static str] = &[];

    fn directed(_: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        link::directed()
    }

    fn sized(_: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        link::sized()
    }

    fn random(seed: u64, number: usize, _: &Parameters) -> Result<stimulus::Case<Self>, SimError> {
        Ok(campaign::case(&link::link(CYCLES), seed, number)?.current())
    }

    fn about(_: &stimulus::Case<Self>) -> Vec<String> {
        owned(&LINK)
    }
}

/// What the end of the line and the crossing of the host add; the rest of the board has the suite of `smb`.
impl Suite for SmbLink {
    const FAMILIES: &'static [&'static str] = &["CDC"];
    const VECTORS: &'static [&'static str] = &[];

    fn directed(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        link::directed_boards(parameters)
    }

    fn sized(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        link::sized_boards(parameters)
    }

    fn random(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<stimulus::Case<Self>, SimError> {
        Ok(campaign::case(&link::board(*parameters, CYCLES), seed, number)?.current())
    }

    fn about(_: &stimulus::Case<Self>) -> Vec<String> {
        owned(&["CDC-1", "CDC-2", "CDC-3", "LNK-5"])
    }
}

/// What joins its two boards; each of them has the suite of `smb`.
impl Suite for RingGateway {
    const FAMILIES: &'static [&'static str] = &["GWY"];
    const VECTORS: &'static [&'static str] = &[golden::FOLDER];

    fn directed(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        gateway::directed(parameters)
    }

    fn sized(_: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        Vec::new()
    }

    fn random(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<stimulus::Case<Self>, SimError> {
        Ok(campaign::case(&gateway::random(*parameters, CYCLES), seed, number)?.current())
    }

    fn about(_: &stimulus::Case<Self>) -> Vec<String> {
        owned(&["GWY-2", "GWY-4", "GWY-5", "GWY-6", "GWY-7", "CDC-2"])
    }
}
