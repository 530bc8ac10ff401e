// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `hdl/include/awgstar.vh`.
//!
//! Macros rather than localparams: a module that includes the file uses only some of them, and an
//! unused macro is no lint warning in any of the three tools.

use super::{
    BoardCounter, Check, Counter, DATA_HDR_BITS, EngineInterrupt, FrameKind, HDR_BITS, HDR_FIELDS,
    Interrupt, JoinCommand, JoinInterrupt, LEN_BITS, Order, SIGNAL_HDR_BITS, Signal, Token,
    TxClass, TxStatus, board, fsm::FSMS, limits, node,
};
use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt::Write;

/// The text of `hdl/include/awgstar.vh`.
#[must_use]
pub fn header() -> String {
    let mut out = String::from(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // Generated from the contract (model/frame/src/contract) by `cargo run -- contract generate`.\n\
         // Do not edit: `cargo run -- contract check` and the tests fail on drift.\n\
         `ifndef AWGSTAR_VH\n`define AWGSTAR_VH\n",
    );
    section(&mut out, "Lengths in bytes (FRM-3)");
    for (name, value) in [
        ("HEADER_BYTES", limits::HEADER_BYTES),
        ("FCS_BYTES", limits::FCS_BYTES),
        ("DATA_MIN", limits::DATA_MIN),
        ("DATA_MAX", limits::DATA_MAX),
        ("FRAME_MIN", limits::FRAME_MIN),
        ("FRAME_MAX", limits::FRAME_MAX),
        ("SHORT_COUNT_INDEX", limits::SHORT_COUNT_INDEX),
        ("IDLE_WORDS_MIN", limits::IDLE_WORDS_MIN),
    ] {
        define(&mut out, name, &format!("11'd{value}"));
    }
    section(&mut out, "CRC-32 register values (FCS-1, FCS-2)");
    define(&mut out, "CRC32_INIT", &format!("32'h{:08X}", limits::CRC32_INIT));
    define(&mut out, "CRC32_RESIDUE", &format!("32'h{:08X}", limits::CRC32_RESIDUE));
    for (bytes, residue) in limits::CRC32_FILLED.iter().enumerate().skip(1) {
        define(&mut out, &format!("CRC32_FILLED_{bytes}"), &format!("32'h{residue:08X}"));
    }
    section(
        &mut out,
        "Header bundle, ports ..._hdr (FRM-1): width of all, from TOKEN on, from Act_Seq on; place of each field",
    );
    define(&mut out, "HDR_W", &HDR_BITS.to_string());
    define(&mut out, "SIGNAL_HDR_W", &SIGNAL_HDR_BITS.to_string());
    define(&mut out, "DATA_HDR_W", &DATA_HDR_BITS.to_string());
    define(&mut out, "LEN_W", &LEN_BITS.to_string());
    for field in HDR_FIELDS {
        let name = format!("HDR_{}", field.name.to_uppercase());
        define(&mut out, &name, &format!("{}:{}", field.low + field.bits - 1, field.low));
    }
    section(&mut out, "TOKEN (FRM-4)");
    for t in Token::ALL {
        define(
            &mut out,
            &format!("TOKEN_{}", t.name().to_uppercase()),
            &format!("3'b{:03b}", t.code()),
        );
    }
    section(&mut out, "C.ST of a data token (FRM-6)");
    define(&mut out, "C_ST_DATA_FULL", &format!("5'b{:05b}", limits::C_ST_DATA_FULL));
    define(&mut out, "C_ST_DATA_SHORT", &format!("5'b{:05b}", limits::C_ST_DATA_SHORT));
    section(&mut out, "C.ST of signals; TOKEN in the comment (SIG-1)");
    for &s in Signal::ALL {
        let value = format!("5'b{:05b} // TOKEN {:03b}", s.c_st(), s.token().code());
        define(&mut out, &format!("C_ST_{}", s.name().to_uppercase()), &value);
    }
    section(&mut out, "Verdict of frame_rx, m_hdr_check (RX-4)");
    for c in Check::ALL {
        define(
            &mut out,
            &format!("CHECK_{}", c.name().to_uppercase()),
            &format!("4'd{}", c.code()),
        );
    }
    section(&mut out, "Verdict of frame_tx, status_error (TX-6)");
    for c in TxStatus::ALL {
        define(&mut out, &format!("TX_{}", c.name().to_uppercase()), &format!("3'd{}", c.code()));
    }
    ring_node(&mut out);
    smb(&mut out);
    section(&mut out, "State encodings");
    for fsm in FSMS {
        for (state, code) in fsm.states {
            let name = format!("{}_{}", fsm.module, state).to_uppercase();
            define(&mut out, &name, &format!("{}'d{code}", fsm.bits));
        }
    }
    out.push_str("\n`endif\n");
    out
}

fn ring_node(out: &mut String) {
    section(out, "Ring node: default parameters (NODE-9, NODE-12, NODE-17)");
    define(out, "BUFFER_ADDR_W", &node::BUFFER_ADDR_W.to_string());
    define(out, "RX_ADDR_W", &node::RX_ADDR_W.to_string());
    define(out, "RX_HEADER_ADDR_W", &node::RX_HEADER_ADDR_W.to_string());
    define(out, "INSERT_MARGIN", &format!("10'd{}", node::INSERT_MARGIN));
    define(out, "TOKEN_RUN", &node::TOKEN_RUN.to_string());
    define(out, "PENDING_W", &node::PENDING_W.to_string());
    section(out, "Word of the insertion buffer: {tuser, tlast, bytes mod 4, tdata} (NODE-8)");
    define(out, "BUFFER_WORD_W", &node::BUFFER_WORD_W.to_string());
    define(out, "BUFFER_IDLE", &format!("36'h{:09X}", node::BUFFER_IDLE));
    define(out, "BUFFER_ABORT", &format!("36'h{:09X}", node::BUFFER_ABORT));
    section(out, "What a frame is to the node it arrives at (NODE-3)");
    for k in FrameKind::ALL {
        define(out, &format!("KIND_{}", k.name().to_uppercase()), &format!("2'd{}", k.code()));
    }
    section(out, "What the transmitter sends (NODE-11)");
    for c in TxClass::ALL {
        define(out, &format!("CLASS_{}", c.name().to_uppercase()), &format!("2'd{}", c.code()));
    }
    section(out, "Counters: address and bit of events (NODE-20)");
    for c in Counter::ALL {
        define(out, &format!("COUNT_{}", c.name().to_uppercase()), &format!("4'd{}", c.code()));
    }
}

fn smb(out: &mut String) {
    section(out, "Board: default parameters (WRT-1, ACK-1, SND-1, RCV-5)");
    define(out, "MEM_ADDR_W", &board::MEM_ADDR_W.to_string());
    define(out, "TX_ADDR_W", &board::TX_ADDR_W.to_string());
    define(out, "TX_FRAME_W", &board::TX_FRAME_W.to_string());
    define(out, "SIGNAL_W", &board::SIGNAL_W.to_string());
    define(out, "MAIL_W", &board::MAIL_W.to_string());
    define(out, "AXI_ID_W", &board::AXI_ID_W.to_string());
    define(out, "ENGINE_NODE_W", &board::ENGINE_NODE_W.to_string());
    define(out, "JOIN", &board::JOIN.to_string());
    define(out, "RETRY_LIMIT", &format!("4'd{}", board::RETRY_LIMIT));
    define(out, "SIGNAL_MAX", &format!("6'd{}", board::SIGNAL_MAX));
    section(out, "C.ST of link control, TOKEN 110 (MON-1)");
    for c in board::CONTROLS {
        let name = format!("C_ST_CONTROL_{}", c.name.to_uppercase());
        define(out, &name, &format!("5'b{:05b}", c.c_st));
    }
    section(out, "Order of a signal against data (SND-2)");
    for o in Order::ALL {
        define(out, &format!("ORDER_{}", o.name().to_uppercase()), &format!("2'd{}", o.code()));
    }
    section(out, "Counters of the board: bit of events (HST-7)");
    for c in BoardCounter::ALL {
        define(out, &format!("BOARD_COUNT_{}", c.name().to_uppercase()), &c.code().to_string());
    }
    section(out, "Interrupts: bit of IRQ_STATUS (IRQ-1)");
    define(out, "IRQS", &Interrupt::ALL.len().to_string());
    for i in Interrupt::ALL {
        define(out, &format!("IRQ_{}", i.name().to_uppercase()), &i.code().to_string());
    }
    section(out, "Registers of the host port: byte address / 4, value after reset (HST-3)");
    registers(out, board::REGISTERS);
    section(out, "A board that can join: commands, interrupts (JOIN-6)");
    for c in JoinCommand::ALL {
        define(out, &format!("JOIN_{}", c.name().to_uppercase()), &format!("2'd{}", c.code()));
    }
    define(out, "JOIN_IRQS", &JoinInterrupt::ALL.len().to_string());
    for i in JoinInterrupt::ALL {
        define(out, &format!("JOIN_IRQ_{}", i.name().to_uppercase()), &i.code().to_string());
    }
    section(out, "Its registers: byte address / 4 modulo 2^9, value after reset (JOIN-6)");
    registers(out, board::JOIN_REGISTERS);
    section(out, "Lock and barrier engine: interrupts");
    define(out, "ENGINE_IRQS", &EngineInterrupt::ALL.len().to_string());
    for i in EngineInterrupt::ALL {
        define(out, &format!("ENGINE_IRQ_{}", i.name().to_uppercase()), &i.code().to_string());
    }
    section(out, "Registers of the engine: byte address / 4 modulo 2^9, value after reset (ENG-7)");
    registers(out, board::ENGINE_REGISTERS);
}

fn registers(out: &mut String, registers: &[board::Register]) {
    for r in registers {
        define(out, &format!("REG_{}", r.name), &format!("9'd{}", r.offset.word() % 512));
        define(out, &format!("RESET_{}", r.name), &format!("32'h{:08X}", r.reset));
    }
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n// {title}\n");
}

fn define(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "`define AWG_{name:<32} {value}");
}
