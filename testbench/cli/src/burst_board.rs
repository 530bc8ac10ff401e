// SPDX-License-Identifier: MIT OR Apache-2.0
//! `hdl/smb_axi4.v`: the board of `hdl/smb.v` with `axi4_port` in the place of `axil_port`.
//!
//! The blocks and the signals between them are the same text, so it is written once.

/// The board whose host port is exchanged.
const BOARD: &str = include_str!("../../../hdl/smb.v");

const HEAD: &str = "\
// SPDX-License-Identifier: MIT OR Apache-2.0
// smb_axi4: the Shared Memory Board with an AXI4 host port; all else is as in smb.
//
// Promises: as smb, and one host that writes bursts fills the line (AXI-7).
//
// Latency: each module states its own.
//
// Generated from smb.v by `awgstar contract generate`: the same blocks and signals, with axi4_port in
// the place of axil_port. Change smb.v.
//
// Requirements: AXI-1, AXI-7,";

const PORTS: &str = "    input  wire [AXI_ID_W-1:0] s_axi_awid,
    input  wire [31:0] s_axi_awaddr,
    input  wire [7:0]  s_axi_awlen,
    input  wire [2:0]  s_axi_awsize,
    input  wire [1:0]  s_axi_awburst,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,

    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wlast,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,

    output wire [AXI_ID_W-1:0] s_axi_bid,
    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,

    input  wire [AXI_ID_W-1:0] s_axi_arid,
    input  wire [31:0] s_axi_araddr,
    input  wire [7:0]  s_axi_arlen,
    input  wire [2:0]  s_axi_arsize,
    input  wire [1:0]  s_axi_arburst,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,

    output wire [AXI_ID_W-1:0] s_axi_rid,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rlast,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
";

/// Ports of `axi4_port` in the order of its declaration, and the signals that they are connected to.
const CONNECTIONS: [&str; 42] = [
    "clk",
    "rst",
    "s_axi_awid",
    "s_axi_awaddr",
    "s_axi_awlen",
    "s_axi_awsize",
    "s_axi_awburst",
    "s_axi_awvalid",
    "s_axi_awready",
    "s_axi_wdata",
    "s_axi_wstrb",
    "s_axi_wlast",
    "s_axi_wvalid",
    "s_axi_wready",
    "s_axi_bid",
    "s_axi_bresp",
    "s_axi_bvalid",
    "s_axi_bready",
    "s_axi_arid",
    "s_axi_araddr",
    "s_axi_arlen",
    "s_axi_arsize",
    "s_axi_arburst",
    "s_axi_arvalid",
    "s_axi_arready",
    "s_axi_rid",
    "s_axi_rdata",
    "s_axi_rresp",
    "s_axi_rlast",
    "s_axi_rvalid",
    "s_axi_rready",
    "req_valid",
    "req_write",
    "req_addr",
    "req_wdata",
    "req_wstrb",
    "rsp_valid",
    "rsp_error",
    "rsp_rdata",
    "mem_read",
    "mem_addr",
    "mem_rdata",
];

/// A text of `hdl/smb.v` by which a change finds its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "hdl/smb.v: expected once, found {found} times, the text {anchor:?} that smb_axi4.v is made with"
)]
pub(crate) struct AnchorError {
    anchor: String,
    found: usize,
}

/// The text before and after the only `anchor`.
fn split<'a>(text: &'a str, anchor: &str) -> Result<(&'a str, &'a str), AnchorError> {
    match text.matches(anchor).count() {
        1 => Ok(text.split_once(anchor).unwrap_or((text, ""))),
        found => Err(AnchorError { anchor: anchor.to_owned(), found }),
    }
}

/// The text with `new` in place of the only `old`.
fn exchanged(text: &str, old: &str, new: &str) -> Result<String, AnchorError> {
    let (before, after) = split(text, old)?;
    Ok([before, new, after].concat())
}

/// The text between the only `from` and the only `to`, exclusive of `to`, is replaced.
fn replaced(text: &str, from: &str, to: &str, new: &str) -> Result<String, AnchorError> {
    let (before, rest) = split(text, from)?;
    let (_, after) = split(rest, to)?;
    Ok([before, new, to, after].concat())
}

/// The module.
pub(crate) fn module() -> Result<String, AnchorError> {
    of(BOARD)
}

/// The module for the board `board`.
fn of(board: &str) -> Result<String, AnchorError> {
    let mut ports: Vec<String> = Vec::new();
    for name in CONNECTIONS {
        let signal = match name {
            "mem_read" => "word_read",
            "mem_addr" => "word_addr",
            "mem_rdata" => "a_rdata",
            name => name,
        };
        ports.push(format!("        .{name:<13} ({signal})"));
    }
    let instance = format!(
        "    axi4_port #(\n        .MEM_ADDR_W (MEM_ADDR_W),\n        .AXI_ID_W   (AXI_ID_W)\n    ) u_axi4 (\n{}\n    );\n\n",
        ports.join(",\n")
    );
    let text = replaced(board, "// SPDX", " HST-2,", HEAD)?;
    let text = exchanged(&text, "module smb #(", "module smb_axi4 #(")?;
    let text = exchanged(
        &text,
        "ENGINE_NODE_W    = `AWG_ENGINE_NODE_W     // lock and barrier engine; 0: none\n)",
        "ENGINE_NODE_W    = `AWG_ENGINE_NODE_W,    // lock and barrier engine; 0: none\n    \
         parameter AXI_ID_W         = `AWG_AXI_ID_W          // bits of an ID\n)",
    )?;
    let text = replaced(
        &text,
        "    input  wire [31:0] s_axi_awaddr,",
        "\n    input  wire [31:0] s_axis_tdata",
        PORTS,
    )?;
    let text = replaced(&text, "    axil_port u_axil (", "    host_regs #(", &instance)?;
    // Words that the port reads itself.
    let declared = "    wire [3:0]                   req_wstrb;\n";
    let more = "    wire                         word_read;\n    wire [MEM_ADDR_W-1:0]        word_addr;\n";
    let text = exchanged(&text, declared, &[declared, more].concat())?;
    let addr = "        .a_addr  (word_read ? word_addr : a_addr),";
    let text = exchanged(&text, "        .a_addr  (a_addr),", addr)?;
    // The names of its checks, and of the host port in its comments.
    for anchor in ["            smb_", "// u_axil"] {
        if !text.contains(anchor) {
            return Err(AnchorError { anchor: anchor.to_owned(), found: 0 });
        }
    }
    Ok(text.replace("            smb_", "            smb_axi4_").replace("// u_axil", "// u_axi4"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without one of the texts that the changes look for, the Verilog was cut short or left as it was.
    #[test]
    fn a_board_without_a_place_to_change_is_an_error() {
        assert_eq!(of(BOARD), module());
        assert!(module().is_ok_and(|text| text.ends_with("`default_nettype wire\n")));
        for anchor in [
            "// SPDX",
            " HST-2,",
            "module smb #(",
            "ENGINE_NODE_W    = `AWG_ENGINE_NODE_W     // lock and barrier engine; 0: none\n)",
            "    input  wire [31:0] s_axi_awaddr,",
            "\n    input  wire [31:0] s_axis_tdata",
            "    axil_port u_axil (",
            "    host_regs #(",
            "    wire [3:0]                   req_wstrb;\n",
            "        .a_addr  (a_addr),",
            "            smb_",
            "// u_axil",
        ] {
            let error = of(&BOARD.replace(anchor, "?")).expect_err(anchor);
            assert_eq!(error, AnchorError { anchor: anchor.to_owned(), found: 0 });
        }
        let twice = BOARD.replace("    host_regs #(", "    host_regs #(\n    host_regs #(");
        let error = of(&twice).expect_err("twice").to_string();
        assert!(error.contains("found 2 times") && error.contains("host_regs #("), "{error}");
    }
}
