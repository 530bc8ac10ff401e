//! The keys as serde reads them.

use crate::scenario::file::{OneOrMany, title};
use serde::Deserialize;
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;

type Number = Spanned<i64>;
type Text = Spanned<String>;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct File {
    #[serde(default, deserialize_with = "title")]
    pub(super) title: String,
    pub(super) boards: Number,
    pub(super) cycles: Number,
    pub(super) tokens: Option<Number>,
    pub(super) timeout: Option<Number>,
    pub(super) period: Option<Number>,
    pub(super) combine: Option<Number>,
    pub(super) fibre_m: Option<Spanned<OneOrMany>>,
    #[serde(default)]
    pub(super) seed: u64,
    pub(super) noise: Option<Spanned<f64>>,
    pub(super) calm: Option<Number>,
    pub(super) may_differ: Option<Spanned<bool>>,
    #[serde(default)]
    pub(super) groups: BTreeMap<Text, Vec<Number>>,
    #[serde(default)]
    pub(super) board: Vec<SetUp>,
    #[serde(default)]
    pub(super) host: Vec<Host>,
    pub(super) primitives: Option<Spanned<Primitives>>,
    #[serde(default)]
    pub(super) program: Vec<Program>,
    #[serde(default)]
    pub(super) fault: Vec<Fault>,
    #[serde(default)]
    pub(super) cut: Vec<Cut>,
    #[serde(default)]
    pub(super) dead: Vec<Dead>,
    #[serde(default)]
    pub(super) slow: Vec<Slow>,
    #[serde(default)]
    pub(super) reset: Vec<Reset>,
    pub(super) router: Option<Spanned<Router>>,
    #[serde(default)]
    pub(super) lost: Vec<Lost>,
}

/// The AWG router that the boards are on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Router {
    pub(super) wavelengths: Option<Spanned<Vec<Number>>>,
    pub(super) detect_us: Option<Spanned<f64>>,
    pub(super) command_us: Option<Spanned<f64>>,
    pub(super) tune_us: Option<Spanned<f64>>,
}

/// A board that is lost to the ring.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lost {
    pub(super) board: Number,
    pub(super) at: Number,
    pub(super) what: Text,
    pub(super) until: Option<Number>,
}

/// A board that is set up in another way than the others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetUp {
    pub(super) board: Number,
    pub(super) node_id: Option<Number>,
    pub(super) prefix: Option<Number>,
    pub(super) tokens: Option<Number>,
    pub(super) timeout: Option<Number>,
    pub(super) period: Option<Number>,
    pub(super) combine: Option<Number>,
    pub(super) at: Option<Number>,
}

/// What a host does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Host {
    pub(super) board: Number,
    pub(super) at: Option<Number>,
    pub(super) times: Option<Number>,
    #[serde(rename = "do")]
    pub(super) acts: Vec<Spanned<Act>>,
}

/// One thing it does: one of the keys that say what, and those that go with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    pub(super) at: Option<Number>,
    pub(super) write: Option<Number>,
    pub(super) read: Option<Number>,
    pub(super) register: Option<Text>,
    pub(super) flush: Option<Spanned<bool>>,
    pub(super) signal: Option<Text>,
    pub(super) wait: Option<Number>,
    pub(super) until: Option<Text>,
    pub(super) receive: Option<Number>,
    pub(super) hex: Option<Text>,
    pub(super) text: Option<Text>,
    pub(super) bytes: Option<Number>,
    pub(super) value: Option<Number>,
    pub(super) addr: Option<Number>,
    pub(super) limit: Option<Number>,
    pub(super) order: Option<Text>,
    pub(super) to: Option<Number>,
    pub(super) group: Option<Number>,
    pub(super) c_st: Option<Number>,
    pub(super) send_node: Option<Number>,
    pub(super) tag: Option<Number>,
    pub(super) lock_number: Option<Number>,
    pub(super) page_number: Option<Number>,
    pub(super) epoch: Option<Number>,
}

/// The firmware of locks and barriers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Primitives {
    pub(super) lock: Option<Text>,
    pub(super) barrier: Option<Text>,
    pub(super) order: Option<Text>,
    pub(super) variant: Option<Text>,
    pub(super) patience: Option<Number>,
}

/// A program that runs on boards.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    pub(super) board: Spanned<Which>,
    pub(super) at: Option<Number>,
    pub(super) times: Option<Number>,
    pub(super) slow: Option<Number>,
    #[serde(rename = "do")]
    pub(super) steps: Vec<Spanned<Step>>,
}

/// Boards.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Which {
    One(i64),
    Many(Vec<i64>),
    Named(String),
}

/// A step of a program: one of the keys that say what, and those that go with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) lock: Option<Number>,
    pub(super) unlock: Option<Number>,
    pub(super) barrier: Option<Spanned<bool>>,
    pub(super) work: Option<Number>,
    pub(super) write: Option<Number>,
    pub(super) read: Option<Number>,
    pub(super) add: Option<Number>,
    pub(super) repeat: Option<Number>,
    pub(super) value: Option<Number>,
    pub(super) expect: Option<Number>,
    pub(super) each: Option<Number>,
    #[serde(rename = "do")]
    pub(super) steps: Option<Vec<Spanned<Step>>>,
}

impl Step {
    /// Every key that is there, with its place.
    pub(super) fn keys(&self) -> Vec<(&'static str, Range<usize>)> {
        let number = |name, value: &Option<Number>| Some((name, value.as_ref()?.span()));
        let inner = self.steps.as_ref().map(|steps| {
            let first = steps.first().map_or(0..0, Spanned::span);
            ("do", first)
        });
        [
            number("lock", &self.lock),
            number("unlock", &self.unlock),
            self.barrier.as_ref().map(|b| ("barrier", b.span())),
            number("work", &self.work),
            number("write", &self.write),
            number("read", &self.read),
            number("add", &self.add),
            number("repeat", &self.repeat),
            number("value", &self.value),
            number("expect", &self.expect),
            number("each", &self.each),
            inner,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// What happens to a frame.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault {
    pub(super) link: Number,
    pub(super) frame: Option<u64>,
    pub(super) from: Option<Number>,
    pub(super) kind: Option<Text>,
    pub(super) source: Option<Number>,
    pub(super) times: Option<Number>,
    pub(super) bit: Option<Number>,
    pub(super) words: Option<Number>,
    #[serde(default)]
    pub(super) lose: bool,
    #[serde(default)]
    pub(super) twice: bool,
}

/// A link over which nothing comes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cut {
    pub(super) link: Number,
    pub(super) from: Number,
    pub(super) until: Option<Number>,
}

/// A board that dies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dead {
    pub(super) board: Number,
    pub(super) at: Number,
}

/// A board that is slow.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slow {
    pub(super) board: Number,
    pub(super) cycles: Number,
    pub(super) from: Option<Number>,
    pub(super) until: Option<Number>,
}

/// A board that is reset.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reset {
    pub(super) board: Number,
    pub(super) at: Number,
    pub(super) cycles: Option<Number>,
}
