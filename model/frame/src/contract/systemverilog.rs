// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders the part of the `SystemVerilog` package `awgstar_pkg` that follows from the contract: types,
//! constants, and functions that pack and unpack frames.
//!
//! The functions keep to what Icarus 11 takes: no variable index into a member of a structure, no queue.

use super::{
    BoardCounter, Check, Counter, EngineInterrupt, FrameKind, Interrupt, JoinCommand,
    JoinInterrupt, LAYOUT, LEN_BITS, Order, Signal, Token, TxClass, TxStatus,
    board::{self, Access},
    fsm::FSMS,
    limits, node,
    registers::{all, items},
    signal::{PROCESS_C_ST, PROCESS_FIELDS},
};
use alloc::{
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::{Display, Write};

/// Width of the Data of a frame in the package.
pub const DATA_BITS: usize = 8 * limits::DATA_MAX;
/// Width of the bytes of a frame on the link in the package.
pub const LINE_BITS: usize = 8 * limits::FRAME_MAX;

/// Width of the header.
const HEADER_BITS: usize = 8 * limits::HEADER_BYTES;

/// The declarations of the package.
#[must_use]
pub fn declarations() -> String {
    let mut out = String::new();
    lengths(&mut out);
    section(
        &mut out,
        "Kinds, verdicts and events. A field of a frame or a port may hold other codes, too.",
    );
    enums(&mut out);
    frame(&mut out);
    section(&mut out, "Signals: {TOKEN, C.ST}");
    let signals = Signal::ALL.iter().map(|s| (s.name(), s.token().code() << 5 | s.c_st(), s.doc()));
    one(&mut out, "signal", "SIGNAL", 8, signals);
    out.push_str(
        "\n  // Values in the Data of signals: first byte and number of bytes, big-endian.\n",
    );
    let mut places = BTreeSet::new();
    for signal in Signal::ALL {
        places.extend(signal.fields().iter().map(|f| (f.offset, f.name, f.bytes)));
    }
    for (offset, name, bytes) in places {
        value(&mut out, &name.to_uppercase(), offset, bytes);
    }
    for f in PROCESS_FIELDS {
        value(&mut out, &format!("PROCESS_{}", f.name.to_uppercase()), f.offset, f.bytes);
    }
    section(&mut out, "Registers of the host port: byte addresses");
    registers(&mut out);
    section(&mut out, "States of the machines of each module");
    for fsm in FSMS {
        let states = fsm.states.iter().map(|&(state, code)| (state, code, ""));
        one(
            &mut out,
            &format!("{}_state", fsm.module),
            &fsm.module.to_uppercase(),
            fsm.bits,
            states,
        );
    }
    section(&mut out, "Functions");
    out.push_str(&functions());
    out
}

fn lengths(out: &mut String) {
    section(out, "Lengths in bytes, and parameters of the modules");
    for (name, value) in [
        ("HEADER_BYTES", limits::HEADER_BYTES),
        ("FCS_BYTES", limits::FCS_BYTES),
        ("DATA_MIN", limits::DATA_MIN),
        ("DATA_MAX", limits::DATA_MAX),
        ("FRAME_MIN", limits::FRAME_MIN),
        ("FRAME_MAX", limits::FRAME_MAX),
        ("SHORT_COUNT_INDEX", limits::SHORT_COUNT_INDEX),
        ("WORD_BYTES", limits::WORD_BYTES),
        ("IDLE_WORDS_MIN", limits::IDLE_WORDS_MIN),
        ("SIGNAL_MAX", board::SIGNAL_MAX),
        ("MEM_ADDR_W", board::MEM_ADDR_W),
        ("TX_ADDR_W", board::TX_ADDR_W),
        ("TX_FRAME_W", board::TX_FRAME_W),
        ("SIGNAL_W", board::SIGNAL_W),
        ("MAIL_W", board::MAIL_W),
        ("AXI_ID_W", board::AXI_ID_W),
        ("ENGINE_NODE_W", board::ENGINE_NODE_W),
        ("JOIN", board::JOIN),
        ("BUFFER_ADDR_W", node::BUFFER_ADDR_W),
        ("RX_ADDR_W", node::RX_ADDR_W),
        ("RX_HEADER_ADDR_W", node::RX_HEADER_ADDR_W),
        ("TOKEN_RUN", node::TOKEN_RUN),
    ] {
        number(out, name, value);
    }
    // The upper 40 bits, as in the contract.
    let _ = writeln!(
        out,
        "  // Upper 40 bits of the MAC of a board after reset; the lower 8 are Node_ID.\n  \
         localparam bit [39:0] AWG_MAC_PREFIX = 40'h{:010X};",
        board::MAC_PREFIX
    );
}

fn number(out: &mut String, name: &str, value: impl Display) {
    let _ = writeln!(out, "  localparam int {:<40} = {value};", format!("AWG_{name}"));
}

fn value(out: &mut String, name: &str, offset: usize, bytes: usize) {
    number(out, &format!("SIGNAL_DATA_{name}"), offset);
    number(out, &format!("SIGNAL_DATA_{name}_BYTES"), bytes);
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n  // ---- {title} ----\n\n");
}

/// An enumeration.
fn one<'a>(
    out: &mut String,
    name: &str,
    prefix: &str,
    bits: usize,
    all: impl Iterator<Item = (&'a str, u8, &'a str)>,
) {
    let lines: Vec<_> = all.collect();
    let _ = writeln!(out, "  typedef enum bit [{}:0] {{", bits - 1);
    for (at, (name, code, doc)) in lines.iter().enumerate() {
        let comma = if at + 1 < lines.len() { "," } else { "" };
        let comment = if doc.is_empty() { String::new() } else { format!(" // {}", plain(doc)) };
        let name = format!("AWG_{prefix}_{}", name.to_uppercase());
        let _ = writeln!(out, "    {name:<36} = {bits}'d{code}{comma}{comment}");
    }
    let _ = writeln!(out, "  }} awg_{name}_e;");
}

fn enums(out: &mut String) {
    macro_rules! all {
        ($type:ident) => {
            $type::ALL.iter().map(|one| (one.name(), one.code(), one.doc()))
        };
    }
    one(out, "token", "TOKEN", 3, all!(Token));
    one(out, "check", "CHECK", 4, all!(Check));
    one(out, "tx_status", "TX", 3, all!(TxStatus));
    one(out, "frame_kind", "KIND", 2, all!(FrameKind));
    one(out, "tx_class", "CLASS", 2, all!(TxClass));
    one(out, "counter", "COUNT", 4, all!(Counter));
    one(out, "board_counter", "BOARD_COUNT", 4, all!(BoardCounter));
    one(out, "irq", "IRQ", 4, all!(Interrupt));
    one(out, "engine_irq", "ENGINE_IRQ", 1, all!(EngineInterrupt));
    one(out, "join_irq", "JOIN_IRQ", 2, all!(JoinInterrupt));
    one(out, "join_command", "JOIN", 2, all!(JoinCommand));
    one(out, "order", "ORDER", 2, all!(Order));
    let controls = board::CONTROLS.iter().map(|c| (c.name, c.c_st, c.doc));
    one(out, "control", "C_ST_CONTROL", 5, controls);
    let codes = [
        ("data_full", limits::C_ST_DATA_FULL, "every Data byte is valid"),
        ("data_short", limits::C_ST_DATA_SHORT, "byte 45 of Data counts the valid bytes"),
        ("process", PROCESS_C_ST, "a signal between processes"),
    ];
    for (name, code, doc) in codes {
        let _ = writeln!(
            out,
            "  localparam bit [4:0] AWG_C_ST_{:<20} = 5'd{code}; // {doc}",
            name.to_uppercase()
        );
    }
}

fn frame(out: &mut String) {
    section(out, "Frames");
    out.push_str("  // Header in the order of the link: the first member is byte 0.\n  typedef struct packed {\n");
    for l in LAYOUT {
        let range = format!("[{}:0]", l.bits - 1);
        let _ =
            writeln!(out, "    bit {range:<7} {:<12} // {}", format!("{};", l.field.name()), l.doc);
    }
    let len = LEN_BITS - 1;
    let _ = writeln!(
        out,
        "  }} awg_header_t;\n\n  \
         // A frame: header and valid bytes. Byte i of Data is data[8*i +: 8].\n  \
         typedef struct packed {{\n    \
         awg_header_t header;\n    \
         bit [{len}:0]   len; // valid bytes of Data\n    \
         bit [{}:0] data;\n  \
         }} awg_frame_t;\n\n  \
         // The bytes of a frame on the link, MAC to FCS. Byte i is bytes[8*i +: 8]: lane i modulo 4 of word i / 4.\n  \
         typedef struct packed {{\n    \
         bit [{len}:0]   len; // bytes\n    \
         bit [{}:0] bytes;\n  \
         }} awg_line_t;\n\n  \
         // A word on the link.\n  \
         typedef struct packed {{\n    \
         bit [31:0] tdata;\n    bit [3:0]  tkeep;\n    bit        tvalid;\n    bit        tlast;\n    \
         bit        tuser;\n  \
         }} awg_word_t;",
        DATA_BITS - 1,
        LINE_BITS - 1
    );
}

fn registers(out: &mut String) {
    let every: Vec<_> = all().collect();
    out.push_str("  typedef enum bit [11:0] {\n");
    for (at, r) in every.iter().enumerate() {
        let comma = if at + 1 < every.len() { "," } else { "" };
        let name = format!("AWG_REG_{}", r.name);
        let _ = writeln!(
            out,
            "    {name:<28} = 12'h{:03X}{comma} // {}: {}",
            r.offset.0,
            r.access.name(),
            plain(r.doc)
        );
    }
    out.push_str("  } awg_reg_e;\n\n  // Byte address of the shared memory at the host port.\n");
    let _ = writeln!(
        out,
        "  localparam bit [31:0] AWG_WINDOW = 32'h{:08X};",
        1_u32 << board::WINDOW_BIT
    );
    out.push_str("\n  // Value after reset; registers of a row; shift and mask of each field.\n");
    for r in every {
        if r.access != Access::Wo {
            word(out, &format!("RESET_{}", r.name), r.reset);
        }
        if r.count > 1 {
            number(out, &format!("REG_{}_COUNT", r.name), r.count);
        }
        if !r.fields.is_empty() {
            for item in items(r) {
                let name = format!("{}_{}", r.name, item.name.to_uppercase());
                number(out, &format!("SHIFT_{name}"), item.bit);
                word(out, &format!("MASK_{name}"), item.mask());
            }
        }
    }
}

fn word(out: &mut String, name: &str, value: u32) {
    let _ =
        writeln!(out, "  localparam bit [31:0] {:<38} = 32'h{value:08X};", format!("AWG_{name}"));
}

/// Text without the marks of Markdown.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// The functions, with the numbers of the contract.
fn functions() -> String {
    let tokens: Vec<String> =
        Token::RESERVED.iter().map(|code| format!("header.token == 3'd{code}")).collect();
    let numbers = [
        ("@LEN@", (LEN_BITS - 1).to_string()),
        ("@DATA@", (DATA_BITS - 1).to_string()),
        ("@LINE@", (LINE_BITS - 1).to_string()),
        ("@LINE_BITS@", LINE_BITS.to_string()),
        ("@DATA_BITS@", DATA_BITS.to_string()),
        ("@HEADER@", (HEADER_BITS - 1).to_string()),
        ("@RESERVED@", tokens.join(" || ")),
        ("@POLY@", format!("32'h{:08X}", limits::CRC32_POLY_REFLECTED)),
        ("@INIT@", format!("32'h{:08X}", limits::CRC32_INIT)),
    ];
    numbers.iter().fold(FUNCTIONS.to_string(), |text, (name, value)| text.replace(name, value))
}

const FUNCTIONS: &str = "  \
  // A value of 1 to 4 bytes in the Data of a signal, big-endian.
  function automatic bit [31:0] awg_get(input bit [@DATA@:0] data, input int offset, input int bytes);
    bit [31:0] value;
    value = 32'd0;
    for (int i = 0; i < bytes; i = i + 1) value = {value[23:0], data[8*(offset + i) +: 8]};
    return value;
  endfunction

  // Data with such a value in it.
  function automatic bit [@DATA@:0] awg_put(input bit [@DATA@:0] data, input int offset, input int bytes,
                                          input bit [31:0] value);
    bit [@DATA@:0] changed;
    changed = data;
    for (int i = 0; i < bytes; i = i + 1) changed[8*(offset + i) +: 8] = value[8*(bytes - 1 - i) +: 8];
    return changed;
  endfunction

  // CRC-32 of the first `count` bytes: the FCS, whose least significant byte is sent first.
  function automatic bit [31:0] awg_fcs(input bit [@LINE@:0] bytes, input int count);
    bit [31:0] crc;
    crc = @INIT@;
    for (int i = 0; i < count; i = i + 1) begin
      crc = crc ^ {24'd0, bytes[8*i +: 8]};
      for (int k = 0; k < 8; k = k + 1) crc = crc[0] ? {1'b0, crc[31:1]} ^ @POLY@ : {1'b0, crc[31:1]};
    end
    return ~crc;
  endfunction

  // Verdict of the transmitter on a header and a number of valid bytes.
  function automatic awg_tx_status_e awg_check_header(input awg_header_t header, input bit [@LEN@:0] len);
    bit reserved;
    int least, most;
    reserved = @RESERVED@;
    least = header.token == AWG_TOKEN_DATA ? 1 : 0;
    most = header.token == AWG_TOKEN_FREE ? 0 : AWG_DATA_MAX;
    if (reserved) return AWG_TX_TOKEN;
    if (int'(len) < least || int'(len) > most) return AWG_TX_LENGTH;
    return AWG_TX_OK;
  endfunction

  // The bytes of a frame on the link, with pad, short count and FCS. C.ST of a data token follows from its length;
  // of a free token only MAC and Node_ID count. A header that awg_check_header refuses gives 0 bytes.
  function automatic awg_line_t awg_pack(input awg_frame_t frame);
    awg_header_t header;
    bit [@HEADER@:0] head;
    bit [@DATA@:0] data;
    bit [@LINE@:0] bytes;
    bit [31:0] fcs;
    bit short_data;
    int len, padded, body;
    header = frame.header;
    data = frame.data;
    bytes = @LINE_BITS@'d0;
    len = int'(frame.len);
    if (awg_check_header(header, frame.len) != AWG_TX_OK) begin
      awg_pack.len = '0;
      awg_pack.bytes = bytes;
      return awg_pack;
    end
    short_data = header.token == AWG_TOKEN_DATA && len < AWG_DATA_MIN;
    padded = len < AWG_DATA_MIN ? AWG_DATA_MIN : len;
    body = AWG_HEADER_BYTES + padded;
    if (header.token == AWG_TOKEN_DATA) header.c_st = short_data ? AWG_C_ST_DATA_SHORT : AWG_C_ST_DATA_FULL;
    if (header.token == AWG_TOKEN_FREE) begin
      header.c_st = '0;
      header.multi_g = '0;
      header.act_seq = '0;
      header.packet_cnt = '0;
      header.addr = '0;
    end
    head = header;
    for (int i = 0; i < AWG_HEADER_BYTES; i = i + 1)
      bytes[8*i +: 8] = head[8*(AWG_HEADER_BYTES - 1 - i) +: 8];
    for (int i = 0; i < len; i = i + 1)
      bytes[8*(AWG_HEADER_BYTES + i) +: 8] = data[8*i +: 8];
    if (short_data) bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8] = frame.len[7:0];
    fcs = awg_fcs(bytes, body);
    for (int i = 0; i < AWG_FCS_BYTES; i = i + 1) bytes[8*(body + i) +: 8] = fcs[8*i +: 8];
    awg_pack.len = 11'(body + AWG_FCS_BYTES);
    awg_pack.bytes = bytes;
    return awg_pack;
  endfunction

  // Verdict of the receiver on the bytes of a frame: the first check that fails. `abort` and `keep` are defects of
  // words, which bytes do not have.
  function automatic awg_check_e awg_check_line(input awg_line_t line);
    awg_header_t header;
    bit [@HEADER@:0] head;
    bit [@LINE@:0] bytes;
    bit [31:0] fcs;
    bit reserved;
    int len;
    bytes = line.bytes;
    len = int'(line.len);
    if (len < AWG_FRAME_MIN) return AWG_CHECK_RUNT;
    if (len > AWG_FRAME_MAX) return AWG_CHECK_LONG;
    for (int i = 0; i < AWG_FCS_BYTES; i = i + 1) fcs[8*i +: 8] = bytes[8*(len - AWG_FCS_BYTES + i) +: 8];
    if (awg_fcs(bytes, len - AWG_FCS_BYTES) != fcs) return AWG_CHECK_FCS;
    for (int i = 0; i < AWG_HEADER_BYTES; i = i + 1)
      head[8*(AWG_HEADER_BYTES - 1 - i) +: 8] = bytes[8*i +: 8];
    header = head;
    reserved = @RESERVED@;
    if (reserved) return AWG_CHECK_TOKEN;
    if (header.token == AWG_TOKEN_FREE && len != AWG_FRAME_MIN) return AWG_CHECK_LENGTH;
    if (header.token == AWG_TOKEN_DATA && header.c_st != AWG_C_ST_DATA_FULL) begin
      if (header.c_st != AWG_C_ST_DATA_SHORT) return AWG_CHECK_C_ST;
      if (len != AWG_FRAME_MIN) return AWG_CHECK_LENGTH;
      if (bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8] == 8'd0
          || int'(bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8]) > AWG_SHORT_COUNT_INDEX)
        return AWG_CHECK_SHORT_COUNT;
    end
    return AWG_CHECK_OK;
  endfunction

  // Header and valid bytes of a frame that awg_check_line finds good; valid bytes of another token than data and
  // free include the pad. Data beyond the valid bytes is 0. Of a frame that is not good only the header is taken.
  function automatic awg_frame_t awg_unpack(input awg_line_t line);
    awg_header_t header;
    bit [@HEADER@:0] head;
    bit [@LINE@:0] bytes;
    bit [@DATA@:0] data;
    int len;
    bytes = line.bytes;
    data = @DATA_BITS@'d0;
    for (int i = 0; i < AWG_HEADER_BYTES; i = i + 1)
      head[8*(AWG_HEADER_BYTES - 1 - i) +: 8] = bytes[8*i +: 8];
    header = head;
    len = int'(line.len) - AWG_HEADER_BYTES - AWG_FCS_BYTES;
    if (header.token == AWG_TOKEN_FREE) len = 0;
    if (header.token == AWG_TOKEN_DATA && header.c_st == AWG_C_ST_DATA_SHORT)
      len = int'(bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8]);
    if (awg_check_line(line) != AWG_CHECK_OK) len = 0;
    for (int i = 0; i < len; i = i + 1) data[8*i +: 8] = bytes[8*(AWG_HEADER_BYTES + i) +: 8];
    awg_unpack.header = header;
    awg_unpack.len = 11'(len);
    awg_unpack.data = data;
    return awg_unpack;
  endfunction

  // Words of the link that a number of bytes takes.
  function automatic int awg_words(input bit [@LEN@:0] len);
    return (int'(len) + AWG_WORD_BYTES - 1) / AWG_WORD_BYTES;
  endfunction

  // Word `index` of a frame on the link; tuser is 0.
  function automatic awg_word_t awg_word(input awg_line_t line, input int index);
    bit [@LINE@:0] bytes;
    bit [31:0] data;
    bit [3:0] keep;
    int left;
    bytes = line.bytes;
    left = int'(line.len) - AWG_WORD_BYTES * index;
    for (int i = 0; i < AWG_WORD_BYTES; i = i + 1) begin
      data[8*i +: 8] = i < left ? bytes[8*(AWG_WORD_BYTES*index + i) +: 8] : 8'd0;
      keep[i] = i < left;
    end
    awg_word.tdata = data;
    awg_word.tkeep = keep;
    awg_word.tvalid = left > 0;
    awg_word.tlast = left > 0 && left <= AWG_WORD_BYTES;
    awg_word.tuser = 1'b0;
    return awg_word;
  endfunction

  // The bytes of a frame with a word more at the end. More than AWG_FRAME_MAX bytes count and are dropped.
  function automatic awg_line_t awg_append(input awg_line_t line, input awg_word_t word);
    bit [@LINE@:0] bytes;
    bit [31:0] data;
    bit [3:0] keep;
    int len;
    bytes = line.bytes;
    data = word.tdata;
    keep = word.tkeep;
    len = int'(line.len);
    for (int i = 0; i < AWG_WORD_BYTES; i = i + 1)
      if (keep[i] && len < 2047) begin
        if (len < AWG_FRAME_MAX) bytes[8*len +: 8] = data[8*i +: 8];
        len = len + 1;
      end
    awg_append.len = 11'(len);
    awg_append.bytes = bytes;
    return awg_append;
  endfunction
";
