// SPDX-License-Identifier: MIT OR Apache-2.0
// smb: the Shared Memory Board: a ring node, the node's replica of the shared memory, a host port.
//
// Promises: what the host writes into its window gets into all replicas of the ring, and the
// signals it sends into the mailboxes they are meant for, in the order asked for.
//
// Latency: each module states its own.
//
// Here is the host port, AXI4-Lite. include/smb_core.vh has the board behind it, which smb_axi4 has, too.
//
// Requirements: those of smb_core.vh.
`include "awgstar.vh"
`default_nettype none

module smb #(
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
    parameter JOIN             = `AWG_JOIN              // 1: can join with the memory of the others
) (
    input  wire        clk,
    input  wire        rst,

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
    wire [MEM_ADDR_W-1:0] a_addr; // of host_window
    wire [31:0]           a_rdata;
    wire [MEM_ADDR_W-1:0] port_addr = a_addr;

    axil_port u_axil (
        .clk           (clk),
        .rst           (rst),
        .s_axi_awaddr  (s_axi_awaddr),
        .s_axi_awprot  (s_axi_awprot),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_awready (s_axi_awready),
        .s_axi_wdata   (s_axi_wdata),
        .s_axi_wstrb   (s_axi_wstrb),
        .s_axi_wvalid  (s_axi_wvalid),
        .s_axi_wready  (s_axi_wready),
        .s_axi_bresp   (s_axi_bresp),
        .s_axi_bvalid  (s_axi_bvalid),
        .s_axi_bready  (s_axi_bready),
        .s_axi_araddr  (s_axi_araddr),
        .s_axi_arprot  (s_axi_arprot),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_arready (s_axi_arready),
        .s_axi_rdata   (s_axi_rdata),
        .s_axi_rresp   (s_axi_rresp),
        .s_axi_rvalid  (s_axi_rvalid),
        .s_axi_rready  (s_axi_rready),
        .req_valid     (req_valid),
        .req_write     (req_write),
        .req_addr      (req_addr),
        .req_wdata     (req_wdata),
        .req_wstrb     (req_wstrb),
        .rsp_valid     (rsp_valid),
        .rsp_error     (rsp_error),
        .rsp_rdata     (rsp_rdata)
    );

    `include "smb_core.vh"
endmodule

`default_nettype wire
