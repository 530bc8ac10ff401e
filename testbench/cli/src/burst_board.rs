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

/// The text between `from` and `to`, exclusive of `to`, is replaced.
fn replaced(text: &str, from: &str, to: &str, new: &str) -> String {
    let (before, rest) = text.split_once(from).unwrap_or((text, ""));
    let after = rest.split_once(to).map_or("", |(_, after)| after);
    [before, new, to, after].concat()
}

/// The module.
#[must_use]
pub(crate) fn module() -> String {
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
    let text = replaced(BOARD, "// SPDX", " HST-2,", HEAD);
    let text = text.replacen("module smb #(", "module smb_axi4 #(", 1).replacen(
        "ENGINE_NODE_W    = `AWG_ENGINE_NODE_W     //",
        "ENGINE_NODE_W    = `AWG_ENGINE_NODE_W,    //",
        1,
    );
    let text = text.replacen(
        "engine; 0: none\n)",
        "engine; 0: none\n    parameter       AXI_ID_W         = `AWG_AXI_ID_W          // bits of an ID\n)",
        1,
    );
    let text = replaced(
        &text,
        "    input  wire [31:0] s_axi_awaddr,",
        "\n    input  wire [31:0] s_axis_tdata",
        PORTS,
    );
    let text = replaced(&text, "    axil_port u_axil (", "    host_regs #(", &instance);
    // Words that the port reads itself.
    let declared = "    wire [3:0]                   req_wstrb;\n";
    let more = "    wire                         word_read;\n    wire [MEM_ADDR_W-1:0]        word_addr;\n";
    let text = text.replacen(declared, &[declared, more].concat(), 1).replacen(
        "        .a_addr  (a_addr),",
        "        .a_addr  (word_read ? word_addr : a_addr),",
        1,
    );
    text.replace("            smb_", "            smb_axi4_").replace("// u_axil", "// u_axi4")
}
