// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycle-accurate model of the Verilog: one file per module of `hdl/`, with the same ports,
//! registers and states (LCK-2). The pages of `docs/blocks` say what each register does.
//!
//! Every module has `Inputs`, `Outputs` and a struct of its registers with two functions:
//! `outputs(&self, &Inputs) -> Outputs` gives the output ports just before the clock edge, and
//! `clock(&mut self, &Inputs)` is the edge, synchronous reset included.

pub mod axi4_port;
pub mod axil_crossing;
pub mod axil_port;
pub mod clock_crossing;
pub mod code_8b10b;
pub mod crc32;
pub mod data_window;
pub mod dec_8b10b;
pub mod elastic_buffer;
pub mod enc_8b10b;
pub mod frame_rx;
pub mod frame_tx;
pub mod host_regs;
pub mod host_window;
pub mod insert_buffer;
pub mod link_control;
pub mod link_rx;
pub mod link_tx;
pub mod mail_box;
pub mod mem_writer;
pub mod node_counters;
pub mod order_gate;
pub mod parameters;
pub mod ring_egress;
pub mod ring_ingress;
pub mod ring_link;
pub mod ring_node;
pub mod rx_buffer;
pub mod rx_filter;
pub mod rx_sorter;
pub mod shared_memory;
pub mod signal_mux;
pub mod signal_sender;
pub mod smb;
pub mod smb_axi4;
pub mod state;
pub mod synchronizer;
pub mod tx_arbiter;
pub mod tx_mux;
pub mod word_aligner;
pub mod write_combiner;

pub use axi4_port::Axi4Port;
pub use axil_crossing::AxilCrossing;
pub use axil_port::AxilPort;
pub use clock_crossing::ClockCrossing;
pub use code_8b10b::Code8b10b;
pub use crc32::Crc32;
pub use data_window::DataWindow;
pub use dec_8b10b::Dec8b10b;
pub use elastic_buffer::ElasticBuffer;
pub use enc_8b10b::Enc8b10b;
pub use frame_rx::FrameRx;
pub use frame_tx::FrameTx;
pub use host_regs::HostRegs;
pub use host_window::HostWindow;
pub use insert_buffer::InsertBuffer;
pub use link_control::LinkControl;
pub use link_rx::LinkRx;
pub use link_tx::LinkTx;
pub use mail_box::Mailbox;
pub use mem_writer::MemWriter;
pub use node_counters::NodeCounters;
pub use order_gate::OrderGate;
pub use parameters::{ParameterError, Parameters};
pub use ring_egress::RingEgress;
pub use ring_ingress::RingIngress;
pub use ring_link::RingLink;
pub use ring_node::RingNode;
pub use rx_buffer::RxBuffer;
pub use rx_filter::RxFilter;
pub use rx_sorter::RxSorter;
pub use shared_memory::SharedMemory;
pub use signal_mux::SignalMux;
pub use signal_sender::SignalSender;
pub use smb::Smb;
pub use smb_axi4::SmbAxi4;
pub use tx_arbiter::TxArbiter;
pub use tx_mux::TxMux;
pub use word_aligner::WordAligner;
pub use write_combiner::WriteCombiner;
