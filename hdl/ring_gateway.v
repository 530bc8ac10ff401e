// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_gateway: two boards on two rings with clocks that have nothing to do with each other; what is
// written in a window of one ring is written on the other, too.
//
// Promises: a word of a window that is in a frame which has returned good to its source is written once
// by the board of the other ring, in order (GWY-1, GWY-5, GWY-6). No word finds the store full:
// a_ev_lost and b_ev_lost stay low.
//
// Latency: each module states its own.
//
// Only wires. Both resets must be high together for 3 cycles of the slower clock.
//
// Requirements: GWY-1, GWY-2, GWY-5, GWY-6, CDC-2.
`include "awgstar.vh"
`default_nettype none

module ring_gateway #(
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
    parameter WINDOWS          = 4                      // windows of each ring
) (
    input  wire                         a_clk,
    input  wire                         a_rst,

    input  wire [31:0]                  a_axi_awaddr,
    input  wire [2:0]                   a_axi_awprot,
    input  wire                         a_axi_awvalid,
    output wire                         a_axi_awready,

    input  wire [31:0]                  a_axi_wdata,
    input  wire [3:0]                   a_axi_wstrb,
    input  wire                         a_axi_wvalid,
    output wire                         a_axi_wready,

    output wire [1:0]                   a_axi_bresp,
    output wire                         a_axi_bvalid,
    input  wire                         a_axi_bready,

    input  wire [31:0]                  a_axi_araddr,
    input  wire [2:0]                   a_axi_arprot,
    input  wire                         a_axi_arvalid,
    output wire                         a_axi_arready,

    output wire [31:0]                  a_axi_rdata,
    output wire [1:0]                   a_axi_rresp,
    output wire                         a_axi_rvalid,
    input  wire                         a_axi_rready,

    input  wire [31:0]                  a_in_tdata,
    input  wire [3:0]                   a_in_tkeep,
    input  wire                         a_in_tvalid,
    input  wire                         a_in_tlast,
    input  wire                         a_in_tuser,

    output wire [31:0]                  a_out_tdata,
    output wire [3:0]                   a_out_tkeep,
    output wire                         a_out_tvalid,
    output wire                         a_out_tlast,
    output wire                         a_out_tuser,

    output wire                         a_irq,

    input  wire [WINDOWS-1:0]           a_cfg_valid,
    input  wire [26*WINDOWS-1:0]        a_cfg_first,
    input  wire [26*WINDOWS-1:0]        a_cfg_last,
    input  wire [26*WINDOWS-1:0]        a_cfg_offset,
    input  wire [15:0]                  a_cfg_wait,

    output wire                         a_ev_cut,
    output wire                         a_ev_range,
    output wire                         a_ev_lost,

    input  wire                         b_clk,
    input  wire                         b_rst,

    input  wire [31:0]                  b_axi_awaddr,
    input  wire [2:0]                   b_axi_awprot,
    input  wire                         b_axi_awvalid,
    output wire                         b_axi_awready,

    input  wire [31:0]                  b_axi_wdata,
    input  wire [3:0]                   b_axi_wstrb,
    input  wire                         b_axi_wvalid,
    output wire                         b_axi_wready,

    output wire [1:0]                   b_axi_bresp,
    output wire                         b_axi_bvalid,
    input  wire                         b_axi_bready,

    input  wire [31:0]                  b_axi_araddr,
    input  wire [2:0]                   b_axi_arprot,
    input  wire                         b_axi_arvalid,
    output wire                         b_axi_arready,

    output wire [31:0]                  b_axi_rdata,
    output wire [1:0]                   b_axi_rresp,
    output wire                         b_axi_rvalid,
    input  wire                         b_axi_rready,

    input  wire [31:0]                  b_in_tdata,
    input  wire [3:0]                   b_in_tkeep,
    input  wire                         b_in_tvalid,
    input  wire                         b_in_tlast,
    input  wire                         b_in_tuser,

    output wire [31:0]                  b_out_tdata,
    output wire [3:0]                   b_out_tkeep,
    output wire                         b_out_tvalid,
    output wire                         b_out_tlast,
    output wire                         b_out_tuser,

    output wire                         b_irq,

    input  wire [WINDOWS-1:0]           b_cfg_valid,
    input  wire [26*WINDOWS-1:0]        b_cfg_first,
    input  wire [26*WINDOWS-1:0]        b_cfg_last,
    input  wire [26*WINDOWS-1:0]        b_cfg_offset,
    input  wire [15:0]                  b_cfg_wait,

    output wire                         b_ev_cut,
    output wire                         b_ev_range,
    output wire                         b_ev_lost
);
    // ---- Wires ----

    wire [31:0]           a_tdata; // link after the gate
    wire [3:0]            a_tkeep;
    wire                  a_tvalid;
    wire                  a_tlast;
    wire                  a_tuser;
    wire [47:0]           a_mac;
    wire                  a_valid; // a word for the other ring
    wire [63:0]           a_word;
    wire [10:0]       a_free;
    wire                  a_due; // a word of the other ring
    wire                  a_ready;
    wire [63:0]           a_far;
    wire [10:0]       a_words;

    wire [31:0]           b_tdata; // link after the gate
    wire [3:0]            b_tkeep;
    wire                  b_tvalid;
    wire                  b_tlast;
    wire                  b_tuser;
    wire [47:0]           b_mac;
    wire                  b_valid; // a word for the other ring
    wire [63:0]           b_word;
    wire [10:0]       b_free;
    wire                  b_due; // a word of the other ring
    wire                  b_ready;
    wire [63:0]           b_far;
    wire [10:0]       b_words;

    // ---- Ring a ----

    window_gate #(
        .WINDOWS          (WINDOWS),
        .RX_ADDR_W        (RX_ADDR_W),
        .RX_HEADER_ADDR_W (RX_HEADER_ADDR_W)
    ) u_a_gate (
        .clk           (a_clk),
        .rst           (a_rst),
        .cfg_mac       (a_mac),
        .cfg_valid     (a_cfg_valid),
        .cfg_first     (a_cfg_first),
        .cfg_last      (a_cfg_last),
        .cfg_wait      (a_cfg_wait),
        .free          (a_free),
        .s_axis_tdata  (a_in_tdata),
        .s_axis_tkeep  (a_in_tkeep),
        .s_axis_tvalid (a_in_tvalid),
        .s_axis_tlast  (a_in_tlast),
        .s_axis_tuser  (a_in_tuser),
        .m_axis_tdata  (a_tdata),
        .m_axis_tkeep  (a_tkeep),
        .m_axis_tvalid (a_tvalid),
        .m_axis_tlast  (a_tlast),
        .m_axis_tuser  (a_tuser),
        .ev_cut        (a_ev_cut)
    );

    smb_reflect #(
        .MEM_ADDR_W       (MEM_ADDR_W),
        .TX_ADDR_W        (TX_ADDR_W),
        .TX_FRAME_W       (TX_FRAME_W),
        .SIGNAL_W         (SIGNAL_W),
        .MAIL_W           (MAIL_W),
        .BUFFER_ADDR_W    (BUFFER_ADDR_W),
        .RX_ADDR_W        (RX_ADDR_W),
        .RX_HEADER_ADDR_W (RX_HEADER_ADDR_W),
        .TOKEN_RUN        (TOKEN_RUN),
        .OWN_IDLE         (OWN_IDLE),
        .ENGINE_NODE_W    (ENGINE_NODE_W),
        .WINDOWS          (WINDOWS)
    ) u_a_board (
        .clk           (a_clk),
        .rst           (a_rst),
        .s_axi_awaddr  (a_axi_awaddr),
        .s_axi_awprot  (a_axi_awprot),
        .s_axi_awvalid (a_axi_awvalid),
        .s_axi_awready (a_axi_awready),
        .s_axi_wdata   (a_axi_wdata),
        .s_axi_wstrb   (a_axi_wstrb),
        .s_axi_wvalid  (a_axi_wvalid),
        .s_axi_wready  (a_axi_wready),
        .s_axi_bresp   (a_axi_bresp),
        .s_axi_bvalid  (a_axi_bvalid),
        .s_axi_bready  (a_axi_bready),
        .s_axi_araddr  (a_axi_araddr),
        .s_axi_arprot  (a_axi_arprot),
        .s_axi_arvalid (a_axi_arvalid),
        .s_axi_arready (a_axi_arready),
        .s_axi_rdata   (a_axi_rdata),
        .s_axi_rresp   (a_axi_rresp),
        .s_axi_rvalid  (a_axi_rvalid),
        .s_axi_rready  (a_axi_rready),
        .s_axis_tdata  (a_tdata),
        .s_axis_tkeep  (a_tkeep),
        .s_axis_tvalid (a_tvalid),
        .s_axis_tlast  (a_tlast),
        .s_axis_tuser  (a_tuser),
        .m_axis_tdata  (a_out_tdata),
        .m_axis_tkeep  (a_out_tkeep),
        .m_axis_tvalid (a_out_tvalid),
        .m_axis_tlast  (a_out_tlast),
        .m_axis_tuser  (a_out_tuser),
        .irq           (a_irq),
        .cfg_valid     (a_cfg_valid),
        .cfg_first     (a_cfg_first),
        .cfg_last      (a_cfg_last),
        .cfg_offset    (a_cfg_offset),
        .mac           (a_mac),
        .m_valid       (a_valid),
        .m_word        (a_word),
        .ev_range      (a_ev_range),
        .s_valid       (a_due),
        .s_ready       (a_ready),
        .s_word        (a_far)
    );

    clock_crossing #(
        .WIDTH  (64),
        .ADDR_W (10)
    ) u_a_store (
        .wr_clk   (a_clk),
        .wr_rst   (a_rst),
        .wr_valid (a_valid),
        .wr_data  (a_word),
        .wr_free  (a_free),
        .rd_clk   (b_clk),
        .rd_rst   (b_rst),
        .rd_ready (b_ready),
        .rd_data  (b_far),
        .rd_words (b_words)
    );

    assign a_due     = a_words != 11'd0;
    assign a_ev_lost = a_valid && a_free == 11'd0;

    // ---- Ring b ----

    window_gate #(
        .WINDOWS          (WINDOWS),
        .RX_ADDR_W        (RX_ADDR_W),
        .RX_HEADER_ADDR_W (RX_HEADER_ADDR_W)
    ) u_b_gate (
        .clk           (b_clk),
        .rst           (b_rst),
        .cfg_mac       (b_mac),
        .cfg_valid     (b_cfg_valid),
        .cfg_first     (b_cfg_first),
        .cfg_last      (b_cfg_last),
        .cfg_wait      (b_cfg_wait),
        .free          (b_free),
        .s_axis_tdata  (b_in_tdata),
        .s_axis_tkeep  (b_in_tkeep),
        .s_axis_tvalid (b_in_tvalid),
        .s_axis_tlast  (b_in_tlast),
        .s_axis_tuser  (b_in_tuser),
        .m_axis_tdata  (b_tdata),
        .m_axis_tkeep  (b_tkeep),
        .m_axis_tvalid (b_tvalid),
        .m_axis_tlast  (b_tlast),
        .m_axis_tuser  (b_tuser),
        .ev_cut        (b_ev_cut)
    );

    smb_reflect #(
        .MEM_ADDR_W       (MEM_ADDR_W),
        .TX_ADDR_W        (TX_ADDR_W),
        .TX_FRAME_W       (TX_FRAME_W),
        .SIGNAL_W         (SIGNAL_W),
        .MAIL_W           (MAIL_W),
        .BUFFER_ADDR_W    (BUFFER_ADDR_W),
        .RX_ADDR_W        (RX_ADDR_W),
        .RX_HEADER_ADDR_W (RX_HEADER_ADDR_W),
        .TOKEN_RUN        (TOKEN_RUN),
        .OWN_IDLE         (OWN_IDLE),
        .ENGINE_NODE_W    (ENGINE_NODE_W),
        .WINDOWS          (WINDOWS)
    ) u_b_board (
        .clk           (b_clk),
        .rst           (b_rst),
        .s_axi_awaddr  (b_axi_awaddr),
        .s_axi_awprot  (b_axi_awprot),
        .s_axi_awvalid (b_axi_awvalid),
        .s_axi_awready (b_axi_awready),
        .s_axi_wdata   (b_axi_wdata),
        .s_axi_wstrb   (b_axi_wstrb),
        .s_axi_wvalid  (b_axi_wvalid),
        .s_axi_wready  (b_axi_wready),
        .s_axi_bresp   (b_axi_bresp),
        .s_axi_bvalid  (b_axi_bvalid),
        .s_axi_bready  (b_axi_bready),
        .s_axi_araddr  (b_axi_araddr),
        .s_axi_arprot  (b_axi_arprot),
        .s_axi_arvalid (b_axi_arvalid),
        .s_axi_arready (b_axi_arready),
        .s_axi_rdata   (b_axi_rdata),
        .s_axi_rresp   (b_axi_rresp),
        .s_axi_rvalid  (b_axi_rvalid),
        .s_axi_rready  (b_axi_rready),
        .s_axis_tdata  (b_tdata),
        .s_axis_tkeep  (b_tkeep),
        .s_axis_tvalid (b_tvalid),
        .s_axis_tlast  (b_tlast),
        .s_axis_tuser  (b_tuser),
        .m_axis_tdata  (b_out_tdata),
        .m_axis_tkeep  (b_out_tkeep),
        .m_axis_tvalid (b_out_tvalid),
        .m_axis_tlast  (b_out_tlast),
        .m_axis_tuser  (b_out_tuser),
        .irq           (b_irq),
        .cfg_valid     (b_cfg_valid),
        .cfg_first     (b_cfg_first),
        .cfg_last      (b_cfg_last),
        .cfg_offset    (b_cfg_offset),
        .mac           (b_mac),
        .m_valid       (b_valid),
        .m_word        (b_word),
        .ev_range      (b_ev_range),
        .s_valid       (b_due),
        .s_ready       (b_ready),
        .s_word        (b_far)
    );

    clock_crossing #(
        .WIDTH  (64),
        .ADDR_W (10)
    ) u_b_store (
        .wr_clk   (b_clk),
        .wr_rst   (b_rst),
        .wr_valid (b_valid),
        .wr_data  (b_word),
        .wr_free  (b_free),
        .rd_clk   (a_clk),
        .rd_rst   (a_rst),
        .rd_ready (a_ready),
        .rd_data  (a_far),
        .rd_words (a_words)
    );

    assign b_due     = b_words != 11'd0;
    assign b_ev_lost = b_valid && b_free == 11'd0;
endmodule

`default_nettype wire
