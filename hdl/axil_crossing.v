// SPDX-License-Identifier: MIT OR Apache-2.0
// axil_crossing: AXI4-Lite from the clock of a host (s_clk) into the clock of a board (m_clk).
//
// Promises: every access that the host begins gets to the board once, and every answer of the board gets
// to the host once; each of the five channels keeps its order (CDC-3). A channel that is not
// taken on one side holds back the other side when its four words are full.
//
// Latency: a word of a channel is valid on the other side after the second edge of that clock behind
// the edge that took it, or the third. So an access costs 4 to 6 edges more than without.
//
// s_rst and m_rst must be high together for 3 cycles of the slower clock; either may end first.
//
// Requirements: CDC-3.
`default_nettype none

module axil_crossing (
    input  wire        s_clk,         // of the host
    input  wire        s_rst,

    input  wire [31:0] s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,

    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,

    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,

    input  wire [31:0] s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,

    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,

    input  wire        m_clk,         // of the board
    input  wire        m_rst,

    output wire [31:0] m_axi_awaddr,
    output wire [2:0]  m_axi_awprot,
    output wire        m_axi_awvalid,
    input  wire        m_axi_awready,

    output wire [31:0] m_axi_wdata,
    output wire [3:0]  m_axi_wstrb,
    output wire        m_axi_wvalid,
    input  wire        m_axi_wready,

    input  wire [1:0]  m_axi_bresp,
    input  wire        m_axi_bvalid,
    output wire        m_axi_bready,

    output wire [31:0] m_axi_araddr,
    output wire [2:0]  m_axi_arprot,
    output wire        m_axi_arvalid,
    input  wire        m_axi_arready,

    input  wire [31:0] m_axi_rdata,
    input  wire [1:0]  m_axi_rresp,
    input  wire        m_axi_rvalid,
    output wire        m_axi_rready
);
    wire [2:0] aw_free;
    wire [2:0] aw_words;
    wire [2:0] w_free;
    wire [2:0] w_words;
    wire [2:0] b_free;
    wire [2:0] b_words;
    wire [2:0] ar_free;
    wire [2:0] ar_words;
    wire [2:0] r_free;
    wire [2:0] r_words;

    // A word offered in reset would be taken and lost.
    assign s_axi_awready = aw_free != 3'd0 && !s_rst;
    assign s_axi_wready  = w_free != 3'd0 && !s_rst;
    assign s_axi_arready = ar_free != 3'd0 && !s_rst;
    assign m_axi_bready  = b_free != 3'd0 && !m_rst;
    assign m_axi_rready  = r_free != 3'd0 && !m_rst;

    assign m_axi_awvalid = aw_words != 3'd0;
    assign m_axi_wvalid  = w_words != 3'd0;
    assign s_axi_bvalid  = b_words != 3'd0;
    assign m_axi_arvalid = ar_words != 3'd0;
    assign s_axi_rvalid  = r_words != 3'd0;

    // ---- To the board ----

    clock_crossing #(
        .WIDTH  (35),
        .ADDR_W (2)
    ) u_aw (
        .wr_clk   (s_clk),
        .wr_rst   (s_rst),
        .wr_valid (s_axi_awvalid),
        .wr_data  ({s_axi_awprot, s_axi_awaddr}),
        .wr_free  (aw_free),
        .rd_clk   (m_clk),
        .rd_rst   (m_rst),
        .rd_ready (m_axi_awready),
        .rd_data  ({m_axi_awprot, m_axi_awaddr}),
        .rd_words (aw_words)
    );

    clock_crossing #(
        .WIDTH  (36),
        .ADDR_W (2)
    ) u_w (
        .wr_clk   (s_clk),
        .wr_rst   (s_rst),
        .wr_valid (s_axi_wvalid),
        .wr_data  ({s_axi_wstrb, s_axi_wdata}),
        .wr_free  (w_free),
        .rd_clk   (m_clk),
        .rd_rst   (m_rst),
        .rd_ready (m_axi_wready),
        .rd_data  ({m_axi_wstrb, m_axi_wdata}),
        .rd_words (w_words)
    );

    clock_crossing #(
        .WIDTH  (35),
        .ADDR_W (2)
    ) u_ar (
        .wr_clk   (s_clk),
        .wr_rst   (s_rst),
        .wr_valid (s_axi_arvalid),
        .wr_data  ({s_axi_arprot, s_axi_araddr}),
        .wr_free  (ar_free),
        .rd_clk   (m_clk),
        .rd_rst   (m_rst),
        .rd_ready (m_axi_arready),
        .rd_data  ({m_axi_arprot, m_axi_araddr}),
        .rd_words (ar_words)
    );

    // ---- To the host ----

    clock_crossing #(
        .WIDTH  (2),
        .ADDR_W (2)
    ) u_b (
        .wr_clk   (m_clk),
        .wr_rst   (m_rst),
        .wr_valid (m_axi_bvalid),
        .wr_data  (m_axi_bresp),
        .wr_free  (b_free),
        .rd_clk   (s_clk),
        .rd_rst   (s_rst),
        .rd_ready (s_axi_bready),
        .rd_data  (s_axi_bresp),
        .rd_words (b_words)
    );

    clock_crossing #(
        .WIDTH  (34),
        .ADDR_W (2)
    ) u_r (
        .wr_clk   (m_clk),
        .wr_rst   (m_rst),
        .wr_valid (m_axi_rvalid),
        .wr_data  ({m_axi_rresp, m_axi_rdata}),
        .wr_free  (r_free),
        .rd_clk   (s_clk),
        .rd_rst   (s_rst),
        .rd_ready (s_axi_rready),
        .rd_data  ({s_axi_rresp, s_axi_rdata}),
        .rd_words (r_words)
    );
endmodule

`default_nettype wire
