//! Renders `hdl/crc32.v`: the CRC-32 step for one word as explicit XOR equations (CRC-1).
//!
//! The equations come from running the bit-serial register on symbols: every register bit is a set
//! of input bits, held as a mask. A loop in Verilog would say the same but cost tens of times more
//! in simulation and synthesis.

use super::limits::CRC32_POLY_REFLECTED;
use core::fmt::Write;

/// For `bytes` data bytes: mask over {`tdata`, `crc_in`} (64 bits) for each bit of `crc_out`.
#[must_use]
pub fn masks(bytes: usize) -> [u64; 32] {
    let mut register: [u64; 32] = core::array::from_fn(|i| 1u64 << i);
    for bit in 0..bytes * 8 {
        let feedback = register[0] ^ (1u64 << (32 + bit));
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
    for bytes in 1..=4 {
        let _ = writeln!(
            out,
            "    // {bytes} byte{}",
            if bytes == 1 { "" } else { "s" }
        );
        for (i, mask) in masks(bytes).iter().enumerate() {
            let _ = writeln!(out, "    assign crc_{bytes}[{i}] = ^(x & 64'h{mask:016X});");
        }
        out.push('\n');
    }
    out.push_str(TAIL);
    out
}

const HEAD: &str = "\
// Generated from the polynomial by `cargo run -- contract generate`. Do not edit.
//
// CRC-32 of IEEE 802.3, one link word per step (CRC-1, CRC-2).
//
// Combinational: `crc_out` is the register after the bytes of `tdata` that `tkeep` marks, lowest
// lane first (tdata[7:0] is the first byte on the link). The register is reflected (bit 31 is the
// coefficient of x^0) and not complemented; it starts as `AWG_CRC32_INIT and holds
// `AWG_CRC32_RESIDUE after a frame with a good FCS. The FCS is its complement, least significant
// byte first. A `tkeep` that is not contiguous from lane 0 leaves the register as it is.
`default_nettype none

module crc32 (
    input  wire [31:0] crc_in,
    input  wire [31:0] tdata,
    input  wire [3:0]  tkeep,
    output reg  [31:0] crc_out
);
    wire [63:0] x = {tdata, crc_in};
    wire [31:0] crc_1;
    wire [31:0] crc_2;
    wire [31:0] crc_3;
    wire [31:0] crc_4;

";

const TAIL: &str = "    \
    always @* begin
        case (tkeep)
            4'b0001: crc_out = crc_1;
            4'b0011: crc_out = crc_2;
            4'b0111: crc_out = crc_3;
            4'b1111: crc_out = crc_4;
            default: crc_out = crc_in;
        endcase
    end
endmodule

`default_nettype wire
";
