// SPDX-License-Identifier: MIT OR Apache-2.0
// smb_link: a whole board for a ring of boards with clocks of their own: smb, the crossing from the clock
// of its host, and its end of the line.
//
// Promises: as smb, for a host whose clock has nothing to do with that of the board, on a ring whose
// boards have clocks within 200 ppm of each other (LNK-5, LNK-6).
//
// Latency: that of axil_crossing in front of smb, that of ring_link after it. irq goes through a register of
// clk and two of the host's clock.
//
// rst is synchronous to clk and must be high for 8 cycles of the slowest clock, while all clocks run.
// Until it has ended in its own clock, the host's accesses wait. host_clear gives up what the host has under way.
//
// Wires, and the register of irq.
//
// Requirements: CDC-1, CDC-3, CDC-4, CDC-6, LNK-5.
`include "awgstar.vh"
`default_nettype none

module smb_link #(
    parameter MEM_ADDR_W       = `AWG_MEM_ADDR_W,       // shared memory: 2^n words
    parameter TX_ADDR_W        = `AWG_TX_ADDR_W,        // words of data not yet acknowledged
    parameter TX_FRAME_W       = `AWG_TX_FRAME_W,       // frames of it
    parameter SIGNAL_W         = `AWG_SIGNAL_W,         // signals not yet acknowledged
    parameter MAIL_W           = `AWG_MAIL_W,           // messages in the mailbox
    parameter BUFFER_ADDR_W    = `AWG_BUFFER_ADDR_W,    // insertion buffer: 2^n words
    parameter RX_ADDR_W        = `AWG_RX_ADDR_W,        // receive buffer: 2^n beats
    parameter RX_HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W, // receive buffer: 2^n headers
    parameter TOKEN_RUN        = `AWG_TOKEN_RUN,        // data frames before a free token
    parameter ENGINE_NODE_W    = `AWG_ENGINE_NODE_W,    // lock and barrier engine; 0: none
    parameter JOIN             = `AWG_JOIN,             // 1: can join with the memory of the others
    parameter ELASTIC_ADDR_W   = 6                      // elastic buffer: 2^n words
) (
    input  wire                    host_clk,
    input  wire                    host_clear,    // host_clk: the host is in reset, the board is not

    input  wire [31:0]             s_axi_awaddr,
    input  wire [2:0]              s_axi_awprot,
    input  wire                    s_axi_awvalid,
    output wire                    s_axi_awready,

    input  wire [31:0]             s_axi_wdata,
    input  wire [3:0]              s_axi_wstrb,
    input  wire                    s_axi_wvalid,
    output wire                    s_axi_wready,

    output wire [1:0]              s_axi_bresp,
    output wire                    s_axi_bvalid,
    input  wire                    s_axi_bready,

    input  wire [31:0]             s_axi_araddr,
    input  wire [2:0]              s_axi_arprot,
    input  wire                    s_axi_arvalid,
    output wire                    s_axi_arready,

    output wire [31:0]             s_axi_rdata,
    output wire [1:0]              s_axi_rresp,
    output wire                    s_axi_rvalid,
    input  wire                    s_axi_rready,

    output wire                    irq,           // host_clk

    input  wire                    clk,           // of the board and of what it sends
    input  wire                    rst,

    output wire                    up,            // words are understood
    output wire [ELASTIC_ADDR_W:0] words,         // that wait in the elastic buffer
    output wire                    ev_underrun,

    output wire [39:0]             tx_code,       // bit 0 first

    input  wire                    rx_clk,        // recovered from the line
    input  wire                    rx_los,        // loss of signal
    input  wire [39:0]             rx_code,       // in any place, bit 0 first
    output wire                    rx_ev_bad,     // rx_clk: a word with a wrong code
    output wire                    rx_ev_broken,  // rx_clk: a frame broke on the line
    output wire                    rx_ev_overflow // rx_clk: a frame found no room
);
    // ---- Wires, by the instance that drives them ----

    // u_host_rst
    wire        host_rst;

    // u_host
    wire [31:0] axi_awaddr;
    wire [2:0]  axi_awprot;
    wire        axi_awvalid;
    wire [31:0] axi_wdata;
    wire [3:0]  axi_wstrb;
    wire        axi_wvalid;
    wire        axi_bready;
    wire [31:0] axi_araddr;
    wire [2:0]  axi_arprot;
    wire        axi_arvalid;
    wire        axi_rready;

    // u_board
    wire        axi_awready;
    wire        axi_wready;
    wire [1:0]  axi_bresp;
    wire        axi_bvalid;
    wire        axi_arready;
    wire [31:0] axi_rdata;
    wire [1:0]  axi_rresp;
    wire        axi_rvalid;
    wire [31:0] tx_tdata;
    wire [3:0]  tx_tkeep;
    wire        tx_tvalid;
    wire        tx_tlast;
    wire        tx_tuser;
    wire        board_irq;
    reg         irq_q;  // board_irq is logic, and goes to another clock

    // u_link
    wire [31:0] rx_tdata;
    wire [3:0]  rx_tkeep;
    wire        rx_tvalid;
    wire        rx_tlast;
    wire        rx_tuser;

    // ---- Host ----

    synchronizer u_host_rst (
        .clk (host_clk),
        .rst (1'b0),
        .d   (rst),
        .q   (host_rst)
    );

    always @(posedge clk) begin
        irq_q <= board_irq;
        if (rst) irq_q <= 1'b0;
    end

    synchronizer u_irq (
        .clk (host_clk),
        .rst (host_rst),
        .d   (irq_q),
        .q   (irq)
    );

    axil_crossing u_host (
        .s_clk         (host_clk),
        .s_rst         (host_rst),
        .s_clear       (host_clear),
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
        .m_clk         (clk),
        .m_rst         (rst),
        .m_axi_awaddr  (axi_awaddr),
        .m_axi_awprot  (axi_awprot),
        .m_axi_awvalid (axi_awvalid),
        .m_axi_awready (axi_awready),
        .m_axi_wdata   (axi_wdata),
        .m_axi_wstrb   (axi_wstrb),
        .m_axi_wvalid  (axi_wvalid),
        .m_axi_wready  (axi_wready),
        .m_axi_bresp   (axi_bresp),
        .m_axi_bvalid  (axi_bvalid),
        .m_axi_bready  (axi_bready),
        .m_axi_araddr  (axi_araddr),
        .m_axi_arprot  (axi_arprot),
        .m_axi_arvalid (axi_arvalid),
        .m_axi_arready (axi_arready),
        .m_axi_rdata   (axi_rdata),
        .m_axi_rresp   (axi_rresp),
        .m_axi_rvalid  (axi_rvalid),
        .m_axi_rready  (axi_rready)
    );

    // ---- Board ----

    smb #(
        .MEM_ADDR_W       (MEM_ADDR_W),
        .TX_ADDR_W        (TX_ADDR_W),
        .TX_FRAME_W       (TX_FRAME_W),
        .SIGNAL_W         (SIGNAL_W),
        .MAIL_W           (MAIL_W),
        .BUFFER_ADDR_W    (BUFFER_ADDR_W),
        .RX_ADDR_W        (RX_ADDR_W),
        .RX_HEADER_ADDR_W (RX_HEADER_ADDR_W),
        .TOKEN_RUN        (TOKEN_RUN),
        .OWN_IDLE         (2), // LNK-5
        .ENGINE_NODE_W    (ENGINE_NODE_W),
        .JOIN             (JOIN)
    ) u_board (
        .clk           (clk),
        .rst           (rst),
        .s_axi_awaddr  (axi_awaddr),
        .s_axi_awprot  (axi_awprot),
        .s_axi_awvalid (axi_awvalid),
        .s_axi_awready (axi_awready),
        .s_axi_wdata   (axi_wdata),
        .s_axi_wstrb   (axi_wstrb),
        .s_axi_wvalid  (axi_wvalid),
        .s_axi_wready  (axi_wready),
        .s_axi_bresp   (axi_bresp),
        .s_axi_bvalid  (axi_bvalid),
        .s_axi_bready  (axi_bready),
        .s_axi_araddr  (axi_araddr),
        .s_axi_arprot  (axi_arprot),
        .s_axi_arvalid (axi_arvalid),
        .s_axi_arready (axi_arready),
        .s_axi_rdata   (axi_rdata),
        .s_axi_rresp   (axi_rresp),
        .s_axi_rvalid  (axi_rvalid),
        .s_axi_rready  (axi_rready),
        .s_axis_tdata  (rx_tdata),
        .s_axis_tkeep  (rx_tkeep),
        .s_axis_tvalid (rx_tvalid),
        .s_axis_tlast  (rx_tlast),
        .s_axis_tuser  (rx_tuser),
        .m_axis_tdata  (tx_tdata),
        .m_axis_tkeep  (tx_tkeep),
        .m_axis_tvalid (tx_tvalid),
        .m_axis_tlast  (tx_tlast),
        .m_axis_tuser  (tx_tuser),
        .irq           (board_irq)
    );

    // ---- Line ----

    ring_link #(
        .ELASTIC_ADDR_W (ELASTIC_ADDR_W)
    ) u_link (
        .clk            (clk),
        .rst            (rst),
        .s_axis_tdata   (tx_tdata),
        .s_axis_tkeep   (tx_tkeep),
        .s_axis_tvalid  (tx_tvalid),
        .s_axis_tlast   (tx_tlast),
        .s_axis_tuser   (tx_tuser),
        .m_axis_tdata   (rx_tdata),
        .m_axis_tkeep   (rx_tkeep),
        .m_axis_tvalid  (rx_tvalid),
        .m_axis_tlast   (rx_tlast),
        .m_axis_tuser   (rx_tuser),
        .up             (up),
        .words          (words),
        .ev_underrun    (ev_underrun),
        .tx_code        (tx_code),
        .rx_clk         (rx_clk),
        .rx_los         (rx_los),
        .rx_code        (rx_code),
        .rx_ev_bad      (rx_ev_bad),
        .rx_ev_broken   (rx_ev_broken),
        .rx_ev_overflow (rx_ev_overflow)
    );
endmodule

`default_nettype wire
