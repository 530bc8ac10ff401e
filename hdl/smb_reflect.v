// SPDX-License-Identifier: MIT OR Apache-2.0
// smb_reflect: a board of a gateway: gives what other boards write in its windows, and writes what comes
// from the other ring.
//
// Promises: as smb; each word of a window leaves once, in order (GWY-5), and each word that comes is
// written once, in order, beside the accesses of the host (GWY-6, GWY-7).
//
// Latency: each module states its own.
//
// Here are the host port and both sides of the gateway. include/smb_core.vh has all other blocks.
//
// Requirements: GWY-5, GWY-6, GWY-7, and those of smb_core.vh.
`include "awgstar.vh"
`default_nettype none

module smb_reflect #(
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
    parameter WINDOWS          = 4                      // windows of this ring
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

    output wire        irq,

    input  wire [WINDOWS-1:0]    cfg_valid,
    input  wire [26*WINDOWS-1:0] cfg_first,  // each in steps of 64 bytes
    input  wire [26*WINDOWS-1:0] cfg_last,
    input  wire [26*WINDOWS-1:0] cfg_offset,

    output wire [47:0]           mac,        // as in the node

    output wire                  m_valid,
    output wire [63:0]           m_word,     // address, strobes, data
    output wire                  ev_range,

    input  wire                  s_valid,
    output wire                  s_ready,
    input  wire [63:0]           s_word
);
    localparam JOIN = 0; // a gateway's boards have no way to join yet

    // Requests of the host
    wire                  h_valid;
    wire                  h_write;
    wire [31:0]           h_addr;
    wire [31:0]           h_wdata;
    wire [3:0]            h_wstrb;
    wire                  h_done;
    wire                  h_error;
    wire [31:0]           h_rdata;

    // The request of the host or of a word, and its answer
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
        .req_valid     (h_valid),
        .req_write     (h_write),
        .req_addr      (h_addr),
        .req_wdata     (h_wdata),
        .req_wstrb     (h_wstrb),
        .rsp_valid     (h_done),
        .rsp_error     (h_error),
        .rsp_rdata     (h_rdata)
    );

    window_inject u_inject (
        .clk       (clk),
        .rst       (rst),
        .s_valid   (s_valid),
        .s_ready   (s_ready),
        .s_word    (s_word),
        .h_valid   (h_valid),
        .h_write   (h_write),
        .h_addr    (h_addr),
        .h_wdata   (h_wdata),
        .h_wstrb   (h_wstrb),
        .h_done    (h_done),
        .h_error   (h_error),
        .h_rdata   (h_rdata),
        .req_valid (req_valid),
        .req_write (req_write),
        .req_addr  (req_addr),
        .req_wdata (req_wdata),
        .req_wstrb (req_wstrb),
        .rsp_valid (rsp_valid),
        .rsp_error (rsp_error),
        .rsp_rdata (rsp_rdata)
    );

    `include "smb_core.vh"

    window_tap #(
        .MEM_ADDR_W (MEM_ADDR_W),
        .WINDOWS    (WINDOWS)
    ) u_tap (
        .clk        (clk),
        .rst        (rst),
        .cfg_valid  (cfg_valid),
        .cfg_first  (cfg_first),
        .cfg_last   (cfg_last),
        .cfg_offset (cfg_offset),
        .mem_addr   (b_addr),
        .mem_we     (b_we),
        .mem_wdata  (b_wdata),
        .m_valid    (m_valid),
        .m_word     (m_word),
        .ev_range   (ev_range)
    );

    assign mac = node_mac;
endmodule

`default_nettype wire
