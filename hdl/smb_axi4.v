// SPDX-License-Identifier: MIT OR Apache-2.0
// smb_axi4: the Shared Memory Board with an AXI4 host port; all else is as in smb.
//
// Promises: as smb, and one host that writes bursts fills the line (AXI-7).
//
// Latency: each module states its own.
//
// Here is the host port, AXI4. include/smb_core.vh has the board behind it, which smb has, too. The port
// reads words of the memory itself, at the memory's port of host_window.
//
// Requirements: AXI-1, AXI-7, and those of smb_core.vh.
`include "awgstar.vh"
`default_nettype none

module smb_axi4 #(
    parameter MEM_ADDR_W       = `AWG_MEM_ADDR_W,       // shared memory: 2^n words
    parameter TX_ADDR_W        = `AWG_TX_ADDR_W,        // words of data not yet acknowledged
    parameter TX_FRAME_W       = `AWG_TX_FRAME_W,       // frames of it
    parameter SIGNAL_W         = `AWG_SIGNAL_W,         // signals not yet acknowledged
    parameter MAIL_W           = `AWG_MAIL_W,           // messages in the mailbox
    parameter BUFFER_ADDR_W    = `AWG_BUFFER_ADDR_W,    // insertion buffer: 2^n words
    parameter RX_ADDR_W        = `AWG_RX_ADDR_W,        // receive buffer: 2^n beats
    parameter RX_HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W, // receive buffer: 2^n headers
    parameter TOKEN_RUN        = `AWG_TOKEN_RUN,        // data frames before a free token
    parameter OWN_IDLE         = 1,                     // idle words before an own frame, 1 or 2
    parameter ENGINE_NODE_W    = `AWG_ENGINE_NODE_W,    // lock and barrier engine; 0: none
    parameter JOIN             = `AWG_JOIN,             // 1: can join with the memory of the others
    parameter AXI_ID_W         = `AWG_AXI_ID_W          // bits of an ID
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [AXI_ID_W-1:0] s_axi_awid,
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

    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tuser,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    output wire        m_axis_tuser,

    output wire        irq
);

    // The request of the host and its answer
    wire                  req_valid;
    wire                  req_write;
    wire [31:0]           req_addr;
    wire [31:0]           req_wdata;
    wire [3:0]            req_wstrb;
    wire                  rsp_valid;
    wire                  rsp_error;
    wire [31:0]           rsp_rdata;

    // Port A of the memory
    wire                  word_read;
    wire [MEM_ADDR_W-1:0] word_addr; // of the host port
    wire [MEM_ADDR_W-1:0] a_addr;    // of host_window
    wire [31:0]           a_rdata;
    wire [MEM_ADDR_W-1:0] port_addr = word_read ? word_addr : a_addr;

    axi4_port #(
        .MEM_ADDR_W (MEM_ADDR_W),
        .AXI_ID_W   (AXI_ID_W)
    ) u_axi4 (
        .clk           (clk),
        .rst           (rst),
        .s_axi_awid    (s_axi_awid),
        .s_axi_awaddr  (s_axi_awaddr),
        .s_axi_awlen   (s_axi_awlen),
        .s_axi_awsize  (s_axi_awsize),
        .s_axi_awburst (s_axi_awburst),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_awready (s_axi_awready),
        .s_axi_wdata   (s_axi_wdata),
        .s_axi_wstrb   (s_axi_wstrb),
        .s_axi_wlast   (s_axi_wlast),
        .s_axi_wvalid  (s_axi_wvalid),
        .s_axi_wready  (s_axi_wready),
        .s_axi_bid     (s_axi_bid),
        .s_axi_bresp   (s_axi_bresp),
        .s_axi_bvalid  (s_axi_bvalid),
        .s_axi_bready  (s_axi_bready),
        .s_axi_arid    (s_axi_arid),
        .s_axi_araddr  (s_axi_araddr),
        .s_axi_arlen   (s_axi_arlen),
        .s_axi_arsize  (s_axi_arsize),
        .s_axi_arburst (s_axi_arburst),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_arready (s_axi_arready),
        .s_axi_rid     (s_axi_rid),
        .s_axi_rdata   (s_axi_rdata),
        .s_axi_rresp   (s_axi_rresp),
        .s_axi_rlast   (s_axi_rlast),
        .s_axi_rvalid  (s_axi_rvalid),
        .s_axi_rready  (s_axi_rready),
        .req_valid     (req_valid),
        .req_write     (req_write),
        .req_addr      (req_addr),
        .req_wdata     (req_wdata),
        .req_wstrb     (req_wstrb),
        .rsp_valid     (rsp_valid),
        .rsp_error     (rsp_error),
        .rsp_rdata     (rsp_rdata),
        .mem_read      (word_read),
        .mem_addr      (word_addr),
        .mem_rdata     (a_rdata)
    );

    `include "smb_core.vh"
endmodule

`default_nettype wire
