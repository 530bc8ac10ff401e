// SPDX-License-Identifier: MIT OR Apache-2.0
//! The keys of a scenario file: one set of tables for every system. Every key is optional here;
//! [`Source`](super::source::Source) checks which ones a system takes.

use awgstar_stimulus::echo;
use serde::Deserialize;
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;

/// Keys of a table with their places.
pub(super) type Keys = Vec<(&'static str, Range<usize>)>;
/// An array of tables or of inline tables.
type Tables<T> = Vec<Spanned<T>>;
/// Members of each multicast group, by its number.
pub(super) type Groups = BTreeMap<Spanned<String>, Spanned<Which>>;

/// A table of a file.
pub(super) trait Table {
    /// The keys that are there.
    fn keys(&self) -> Keys;
}

/// Declares tables whose keys are all optional.
macro_rules! tables {
    ($($(#[doc = $doc:literal])* $name:ident { $($type:ty: $($key:ident)+;)+ })+) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name { $($(pub(super) $key: Option<Spanned<$type>>,)+)+ }

        impl Table for $name {
            fn keys(&self) -> Keys {
                let place = |key: &'static str, place: Option<Range<usize>>| {
                    Some((key.trim_start_matches("r#"), place?))
                };
                let all = [$($(place(stringify!($key), self.$key.as_ref().map(Spanned::span)),)+)+];
                all.into_iter().flatten().collect()
            }
        }

        #[cfg(feature = "command")]
        impl super::schema::Described for $name {
            fn schema() -> serde_json::Value {
                serde_json::json!({ "$ref": concat!("#/definitions/", stringify!($name)) })
            }
        }
    )+

    /// Every table: its name, what it is, and its keys with the schemas of their types.
    #[cfg(feature = "command")]
    pub(super) fn described() -> Vec<super::schema::Description> {
        use super::schema::{Described, Description};
        vec![$(Description {
            name: stringify!($name),
            doc: [$($doc),*].concat().trim().to_owned(),
            keys: vec![$($((
                stringify!($key).trim_start_matches("r#"),
                <$type as Described>::schema(),
            ),)+)+],
        },)+]
    }
    };
}

tables! {
    /// A file.
    File {
        String: system title forwarding processing machine read writes;
        i64: nodes cycles seed tokens timeout period combine calm;
        i64: processing_ns visit_bytes new_token_ns limit_ns;
        i64: memory_bytes page_bytes pages room size limit iteration_ps point_ns master_percent;
        f64: noise;
        bool: may_differ;
        OneOrMany: fibre_m;
        [f64; 2]: re im;
        Tables<i64>: show;
        Groups: groups;
        Primitives: primitives;
        Pci: pci;
        Router: router;
        Tables<Board>: board;
        Tables<Program>: program;
        Tables<Fault>: fault;
        Tables<Cut>: cut;
        Tables<Dead>: dead;
        Tables<Slow>: slow;
        Tables<Reset>: reset;
        Tables<Lost>: lost;
        Tables<Saturate>: saturate;
        Tables<Random>: random;
    }
    /// What hosts do, one act after the other.
    Program {
        Which: nodes;
        i64: at times slow;
        Tables<Act>: r#do;
    }
    /// An act of a host: one key that says what it does, and those that go with it.
    Act {
        i64: at write read add compute receive lock unlock access repeat;
        String: register signal until;
        bool: flush barrier;
        Tables<Act>: r#do;
        String: hex text order;
        i64: bytes value by each expect addr limit to group c_st;
        i64: send_node tag lock_number page_number epoch;
        bool: dma;
    }
    /// What happens to frames on a link.
    Fault {
        i64: link frame from source times bit words;
        String: kind;
        bool: lose twice;
    }
    /// Locks and barriers.
    Primitives {
        String: lock barrier order variant;
        i64: retry_timeout locks;
        Tables<String>: without;
    }
    /// How hosts of generation 1 reach their boards.
    Pci {
        i64: pointer_write pointer_read dma_write dma_read dma_setup_ns interrupt_ns poll_ns;
    }
    /// The AWG router of a ring of boards.
    Router {
        Tables<i64>: wavelengths;
        f64: detect_us command_us tune_us;
    }
    /// Boards that are set up in another way than the others.
    Board {
        Which: nodes;
        i64: node_id prefix tokens timeout period combine at;
    }
    /// A link over which nothing comes.
    Cut { i64: link from until; }
    /// Boards that fail.
    Dead { Which: nodes; i64: at; }
    /// Boards whose frames are late.
    Slow { Which: nodes; i64: cycles from until; }
    /// Boards that are reset.
    Reset { Which: nodes; i64: at cycles; }
    /// Boards that the router loses.
    Lost { Which: nodes; String: what; i64: at until; }
    /// Nodes that always have data to send.
    Saturate { Which: nodes; i64: bytes; }
    /// Nodes that send at random.
    Random { Which: nodes; i64: from until every bytes_max; f64: signals; }
}

impl File {
    /// The title as it is shown: one line, without control characters.
    pub(super) fn title(&self) -> String {
        let title = self.title.as_ref().map_or("", |title| title.get_ref());
        echo::printable(title).into_owned()
    }
}

/// One number for all, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub(super) enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

/// Nodes: `2`, `[0, 1]` or `"all"`.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, a list of numbers or \"all\"")]
pub(super) enum Which {
    One(i64),
    Many(Vec<i64>),
    Named(String),
}
