// SPDX-License-Identifier: MIT OR Apache-2.0
//! The systems that a file can describe, and the keys of each.

/// The systems that a file can describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    NodeRing,
    BoardRing,
    Generation1,
    Mandelbrot,
    Paging,
    Cluster,
    Rings,
    Clusters,
}

impl System {
    /// Keys of a file of the system, next to `system` and `title`.
    pub(super) fn keys(self) -> &'static str {
        match self {
            System::NodeRing => {
                "nodes cycles tokens fibre_m seed groups program saturate random fault"
            }
            System::BoardRing => {
                "nodes cycles memory_bytes tokens timeout period combine fibre_m seed noise calm may_differ groups \
                 primitives board program fault cut dead slow reset router lost"
            }
            System::Generation1 => {
                "nodes fibre_m processing_ns processing forwarding visit_bytes new_token_ns \
                 primitives limit_ns pci program fault show"
            }
            System::Mandelbrot => {
                "size nodes limit machine read writes re im iteration_ps point_ns master_percent"
            }
            System::Cluster => "nodes per_computer memory_bytes limit_ns costs primitives",
            System::Rings => {
                "rings nodes memory_bytes tokens timeout period combine fibre_m seed noise calm groups primitives \
                 board fault cut dead slow far_words request_timeout between restart standby \
                 window cache"
            }
            System::Clusters => "clusters nodes memory_bytes limit_ns steps primitives",
            System::Paging => "nodes page_bytes pages room fibre_m noise seed program",
        }
    }
}

/// Every value of the key `system`.
pub(super) const SYSTEMS: [(&str, System); 8] = [
    ("node-ring", System::NodeRing),
    ("board-ring", System::BoardRing),
    ("generation-1", System::Generation1),
    ("cluster", System::Cluster),
    ("rings", System::Rings),
    ("clusters", System::Clusters),
    ("mandelbrot", System::Mandelbrot),
    ("paging", System::Paging),
];
