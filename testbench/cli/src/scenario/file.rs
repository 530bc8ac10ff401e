//! The keys of a scenario file as serde reads them.

use awgstar_stimulus::echo;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use toml::Spanned;

/// A title as it is shown: one line, without control characters.
pub(super) fn title<'de, D: Deserializer<'de>>(text: D) -> Result<String, D::Error> {
    String::deserialize(text).map(|title| echo::printable(&title).into_owned())
}

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default, deserialize_with = "title")]
    pub(super) title: String,
    pub(super) nodes: Spanned<i64>,
    pub(super) cycles: Spanned<i64>,
    pub(super) tokens: Option<Spanned<i64>>,
    pub(super) fibre_m: Option<Spanned<OneOrMany>>,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) groups: BTreeMap<Spanned<String>, Vec<Spanned<i64>>>,
    #[serde(default)]
    pub(super) write: Vec<Write>,
    #[serde(default)]
    pub(super) signal: Vec<Signal>,
    #[serde(default)]
    pub(super) saturate: Vec<Saturate>,
    #[serde(default)]
    pub(super) random: Vec<Random>,
    #[serde(default)]
    pub(super) fault: Vec<Fault>,
}

/// One number for all, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

/// A write to the shared memory: one data token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    pub(super) node: Spanned<i64>,
    pub(super) at: Option<Spanned<i64>>,
    pub(super) addr: Spanned<i64>,
    pub(super) hex: Option<Spanned<String>>,
    pub(super) text: Option<Spanned<String>>,
    pub(super) bytes: Option<Spanned<i64>>,
}

/// A signal: one of the thesis by its name, or any by its token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signal {
    pub(super) node: Spanned<i64>,
    pub(super) at: Option<Spanned<i64>>,
    pub(super) name: Option<Spanned<String>>,
    pub(super) token: Option<Spanned<String>>,
    pub(super) c_st: Option<Spanned<i64>>,
    pub(super) to: Option<Spanned<i64>>,
    pub(super) group: Option<Spanned<i64>>,
    pub(super) send_node: Option<Spanned<i64>>,
    pub(super) tag: Option<Spanned<i64>>,
    pub(super) lock_number: Option<Spanned<i64>>,
    pub(super) page_number: Option<Spanned<i64>>,
    pub(super) epoch: Option<Spanned<i64>>,
    pub(super) hex: Option<Spanned<String>>,
}

/// Nodes that always have data to send.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saturate {
    pub(super) nodes: Option<Vec<Spanned<i64>>>,
    pub(super) bytes: Spanned<i64>,
}

/// Random writes and signals.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Random {
    pub(super) nodes: Option<Vec<Spanned<i64>>>,
    pub(super) from: Option<Spanned<i64>>,
    pub(super) until: Spanned<i64>,
    pub(super) every: Spanned<i64>,
    pub(super) signals: Option<Spanned<f64>>,
    pub(super) bytes_max: Option<Spanned<i64>>,
}

/// What happens to one frame on one link.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault {
    pub(super) link: Spanned<i64>,
    pub(super) frame: u64,
    pub(super) bit: Option<Spanned<i64>>,
    pub(super) words: Option<Spanned<i64>>,
    #[serde(default)]
    pub(super) lose: bool,
    #[serde(default)]
    pub(super) twice: bool,
}
