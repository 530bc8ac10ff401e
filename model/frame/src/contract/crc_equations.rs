// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `hdl/crc32.v`: the CRC-32 step for one word as explicit XOR equations (CRC-1).
//!
//! The equations come from running the bit-serial register on symbols: every register bit is a set
//! of input bits, held as a mask. A loop in Verilog would say the same but cost tens of times more
//! in simulation and synthesis.

use super::limits::CRC32_POLY_REFLECTED;
use alloc::string::String;
use core::fmt::Write;

/// For each bit of the register after 4 bytes, the bits of `y` that it is the XOR of, where `y` is
/// the register before XOR the 4 data bytes, first byte lowest.
#[must_use]
pub fn masks() -> [u32; 32] {
    let mut register: [u32; 32] = core::array::from_fn(|i| 1 << i);
    for _ in 0..32 {
        let feedback = register[0];
        register.rotate_left(1);
        register[31] = 0;
        for (i, taps) in register.iter_mut().enumerate() {
            if CRC32_POLY_REFLECTED >> i & 1 == 1 {
                *taps ^= feedback;
            }
        }
    }
    register
}

/// The text of `hdl/crc32.v`.
#[must_use]
pub fn module() -> String {
    let mut out = String::from(HEAD);
    for (i, mask) in masks().iter().enumerate() {
        let _ = writeln!(out, "    assign step[{i}] = ^(y & 32'h{mask:08X});");
    }
    out.push_str(TAIL);
    out
}

const HEAD: &str = "\
// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated from the polynomial by `cargo run -- contract generate`. Do not edit.
//
// CRC-32 of IEEE 802.3, one link word per step (CRC-1, CRC-2).
//
// Combinational: `crc_out` is the register after the bytes of `tdata` that `tkeep` marks, lowest
// lane first (tdata[7:0] is the first byte on the link). The register is reflected (bit 31 is the
// coefficient of x^0) and not complemented; it starts as `AWG_CRC32_INIT and holds
// `AWG_CRC32_RESIDUE after a frame with a good FCS. The FCS is its complement, least significant
// byte first. A `tkeep` that is not contiguous from lane 0 leaves the register as it is.
//
// One set of equations serves 1 to 4 bytes. Only the n low bytes of the register meet the n data
// bytes; shifted to the top they are the last of 4 bytes after zeros, which leave a register of
// zero as it is. The bytes above only move down.
`default_nettype none

module crc32 (
    input  wire [31:0] crc_in,
    input  wire [31:0] tdata,
    input  wire [3:0]  tkeep,
    output wire [31:0] crc_out
);
    wire [31:0] mixed = crc_in ^ tdata;
    reg  [31:0] y;
    reg  [31:0] rest;
    wire [31:0] step;

    always @* begin // CRC-2
        y    = 32'd0;
        rest = crc_in;
        case (tkeep)
            4'b0001: begin
                y    = {mixed[7:0], 24'd0};
                rest = {8'd0, crc_in[31:8]};
            end
            4'b0011: begin
                y    = {mixed[15:0], 16'd0};
                rest = {16'd0, crc_in[31:16]};
            end
            4'b0111: begin
                y    = {mixed[23:0], 8'd0};
                rest = {24'd0, crc_in[31:24]};
            end
            4'b1111: begin
                y    = mixed;
                rest = 32'd0;
            end
            default: ;
        endcase
    end

    // CRC-1
";

const TAIL: &str = "
    assign crc_out = step ^ rest;
endmodule

`default_nettype wire
";
