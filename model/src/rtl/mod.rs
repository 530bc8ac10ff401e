//! Cycle-accurate model of the Verilog: one file per module of `hdl/`, with the same ports,
//! registers and states (LCK-2). `docs/node.md` says what each register does.
//!
//! Every module has `Inputs`, `Outputs` and a struct of its registers with two functions:
//! `outputs(&self, &Inputs) -> Outputs`, what stands on the ports just before the clock edge, and
//! `clock(&mut self, &Inputs)`, the edge itself, synchronous reset included.

pub mod crc32;
pub mod frame_rx;
pub mod frame_tx;
pub mod insert_buffer;
pub mod node_counters;
pub mod order_gate;
pub mod ring_egress;
pub mod ring_ingress;
pub mod ring_node;
pub mod rx_buffer;
pub mod rx_filter;
pub mod state;
pub mod tx_arbiter;
pub mod tx_mux;

pub use crc32::Crc32;
pub use frame_rx::FrameRx;
pub use frame_tx::FrameTx;
pub use insert_buffer::InsertBuffer;
pub use node_counters::NodeCounters;
pub use order_gate::OrderGate;
pub use ring_egress::RingEgress;
pub use ring_ingress::RingIngress;
pub use ring_node::RingNode;
pub use rx_buffer::RxBuffer;
pub use rx_filter::RxFilter;
pub use tx_arbiter::TxArbiter;
pub use tx_mux::TxMux;
