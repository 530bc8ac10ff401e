//! The keys as serde reads them.

use crate::scenario::file::{OneOrMany, title};
use serde::Deserialize;
use toml::Spanned;

type Number = Spanned<i64>;
type Text = Spanned<String>;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(rename = "system")]
    _system: String,
    #[serde(default, deserialize_with = "title")]
    pub(super) title: String,
    pub(super) nodes: Number,
    pub(super) fibre_m: Option<Spanned<OneOrMany>>,
    pub(super) processing_ns: Option<Number>,
    pub(super) processing: Option<Text>,
    pub(super) forwarding: Option<Text>,
    pub(super) visit_bytes: Option<Number>,
    pub(super) new_token_ns: Option<Number>,
    pub(super) primitives: Option<Text>,
    pub(super) without: Option<Vec<Text>>,
    pub(super) order: Option<Text>,
    pub(super) locks: Option<Number>,
    pub(super) limit_ns: Option<Number>,
    #[serde(default)]
    pub(super) host: Host,
    #[serde(default)]
    pub(super) program: Vec<Program>,
    #[serde(default)]
    pub(super) fault: Vec<Fault>,
    #[serde(default)]
    pub(super) show: Vec<Number>,
}

/// How hosts reach their boards.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Host {
    pub(super) pointer_write: Option<Number>,
    pub(super) pointer_read: Option<Number>,
    pub(super) dma_write: Option<Number>,
    pub(super) dma_read: Option<Number>,
    pub(super) dma_setup_ns: Option<Number>,
    pub(super) interrupt_ns: Option<Number>,
    pub(super) poll_ns: Option<Number>,
}

/// What processes do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    pub(super) nodes: Option<Vec<Number>>,
    pub(super) times: Option<Number>,
    #[serde(rename = "do")]
    pub(super) acts: Vec<Spanned<Act>>,
}

/// One thing: one of the keys that say what, and those that go with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    pub(super) compute: Option<Number>,
    pub(super) write: Option<Number>,
    pub(super) read: Option<Number>,
    pub(super) add: Option<Number>,
    pub(super) lock: Option<Number>,
    pub(super) unlock: Option<Number>,
    pub(super) barrier: Option<Spanned<bool>>,
    pub(super) sync: Option<Spanned<bool>>,
    pub(super) dma_wait: Option<Spanned<bool>>,
    pub(super) hex: Option<Text>,
    pub(super) bytes: Option<Number>,
    pub(super) by: Option<Number>,
    pub(super) dma: Option<Spanned<bool>>,
}

/// What goes wrong on a link.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault {
    pub(super) link: Number,
    pub(super) at: Option<Number>,
    pub(super) bit: Option<Number>,
    #[serde(default)]
    pub(super) lose: bool,
}
