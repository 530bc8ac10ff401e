// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_node: one node of the ring: passes frames on, sends its own, strips them when they return.
//
// Promises: every frame goes round once and whole (NODE-1); the insertion buffer never overflows
// (NODE-9) and no token is lost or made (NODE-13), whatever the link brings.
//
// Latency: first word of a frame on s_axis in cycle t, on m_axis in cycle t + 4 when nothing is in
// its way (NODE-2).
//
// Only wires: a register belongs to the module whose rule it follows.
//
// Requirements: NODE-1, NODE-2, NODE-8, NODE-10, NODE-13, NODE-14, NODE-15, NODE-17, NODE-18,
// NODE-19, NODE-20, NODE-21, NODE-22, NODE-23, NODE-24.
`include "awgstar.vh"
`default_nettype none

module ring_node #(
    parameter BUFFER_ADDR_W    = `AWG_BUFFER_ADDR_W,    // insertion buffer: 2^n words
    parameter RX_ADDR_W        = `AWG_RX_ADDR_W,        // receive buffer: 2^n beats
    parameter RX_HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W, // receive buffer: 2^n headers
    parameter TOKEN_RUN        = `AWG_TOKEN_RUN,        // data frames before a free token
    parameter OWN_IDLE         = 1                      // idle words before an own frame, 1 or 2
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [47:0] cfg_mac,
    input  wire [7:0]  cfg_node_id,
    input  wire [15:0] cfg_groups,
    input  wire        cfg_monitor,
    input  wire        issue,
    input  wire        discard,

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

    input  wire        s_data_hdr_valid,
    output wire        s_data_hdr_ready,
    input  wire [3:0]  s_data_hdr_act_seq,
    input  wire [7:0]  s_data_hdr_packet_cnt,
    input  wire [31:0] s_data_hdr_addr,
    input  wire [10:0] s_data_hdr_len,

    input  wire [31:0] s_data_axis_tdata,
    input  wire [3:0]  s_data_axis_tkeep,
    input  wire        s_data_axis_tvalid,
    output wire        s_data_axis_tready,
    input  wire        s_data_axis_tlast,

    input  wire        s_signal_hdr_valid,
    output wire        s_signal_hdr_ready,
    input  wire [2:0]  s_signal_hdr_token,
    input  wire [4:0]  s_signal_hdr_c_st,
    input  wire [7:0]  s_signal_hdr_node_id,
    input  wire [3:0]  s_signal_hdr_multi_g,
    input  wire [3:0]  s_signal_hdr_act_seq,
    input  wire [7:0]  s_signal_hdr_packet_cnt,
    input  wire [31:0] s_signal_hdr_addr,
    input  wire [10:0] s_signal_hdr_len,

    input  wire [31:0] s_signal_axis_tdata,
    input  wire [3:0]  s_signal_axis_tkeep,
    input  wire        s_signal_axis_tvalid,
    output wire        s_signal_axis_tready,
    input  wire        s_signal_axis_tlast,

    output wire        m_rx_hdr_valid,
    input  wire        m_rx_hdr_ready,
    output wire [47:0] m_rx_hdr_mac,
    output wire [2:0]  m_rx_hdr_token,
    output wire [4:0]  m_rx_hdr_c_st,
    output wire [7:0]  m_rx_hdr_node_id,
    output wire [3:0]  m_rx_hdr_multi_g,
    output wire [3:0]  m_rx_hdr_act_seq,
    output wire [7:0]  m_rx_hdr_packet_cnt,
    output wire [31:0] m_rx_hdr_addr,
    output wire [10:0] m_rx_hdr_len,

    output wire [31:0] m_rx_axis_tdata,
    output wire [3:0]  m_rx_axis_tkeep,
    output wire        m_rx_axis_tvalid,
    input  wire        m_rx_axis_tready,
    output wire        m_rx_axis_tlast,

    output wire        m_ret_valid,
    output wire        m_ret_good,
    output wire [2:0]  m_ret_token,
    output wire [4:0]  m_ret_c_st,
    output wire [7:0]  m_ret_packet_cnt,

    output wire        m_sent_valid,
    output wire [1:0]  m_sent_class,
    output wire [2:0]  m_sent_error,

    input  wire [3:0]  count_addr,
    output wire [31:0] count_data,
    output wire [7:0]  held,

    output wire        token_seen,
    output wire        buffered,
    output wire        ev_orphan,
    output wire        ev_discarded
);
    localparam WORDS_W = BUFFER_ADDR_W + 1;

    // ---- Link in, insertion buffer ----

    wire [31:0]                   link_tdata;
    wire [3:0]                    link_tkeep;
    wire                          link_tvalid;
    wire                          link_tlast;
    wire                          link_tuser;
    wire                          wr_valid;
    wire [`AWG_BUFFER_WORD_W-1:0] wr_word;
    wire                          rd_ready;
    wire [`AWG_BUFFER_WORD_W-1:0] rd_word;
    wire [WORDS_W-1:0]            words;
    wire                          some;
    wire                          token_in;
    wire                          free_passed;
    wire                          take_free;
    wire [1:0]                    kind;
    wire                          ev_passed;
    wire                          ev_taken;
    wire                          ev_reserved;
    wire                          ev_cut;
    wire                          ev_dropped;

    ring_ingress u_ingress (
        .clk           (clk),
        .rst           (rst),
        .s_axis_tdata  (s_axis_tdata),
        .s_axis_tkeep  (s_axis_tkeep),
        .s_axis_tvalid (s_axis_tvalid),
        .s_axis_tlast  (s_axis_tlast),
        .s_axis_tuser  (s_axis_tuser),
        .cfg_mac       (cfg_mac),
        .cfg_monitor   (cfg_monitor),
        .take_free     (take_free),
        .link_tdata    (link_tdata),
        .link_tkeep    (link_tkeep),
        .link_tvalid   (link_tvalid),
        .link_tlast    (link_tlast),
        .link_tuser    (link_tuser),
        .wr_valid      (wr_valid),
        .wr_word       (wr_word),
        .token_in      (token_in),
        .free_passed   (free_passed),
        .token_seen    (token_seen),
        .kind          (kind),
        .ev_passed     (ev_passed),
        .ev_taken      (ev_taken),
        .ev_reserved   (ev_reserved),
        .ev_cut        (ev_cut),
        .ev_dropped    (ev_dropped),
        .ev_orphan     (ev_orphan)
    );

    insert_buffer #(
        .ADDR_W (BUFFER_ADDR_W)
    ) u_buffer (
        .clk      (clk),
        .rst      (rst),
        .wr_valid (wr_valid),
        .wr_word  (wr_word),
        .rd_ready (rd_ready),
        .rd_word  (rd_word),
        .words    (words),
        .some     (some)
    );

    assign buffered = some; // NODE-24

    // ---- Receive side ----

    wire [31:0]           rx_tdata;
    wire [3:0]            rx_tkeep;
    wire                  rx_tvalid;
    wire                  rx_tlast;
    wire                  v_valid;
    wire                  v_good;
    wire [3:0]            v_check;
    wire [`AWG_HDR_W-1:0] v_hdr;
    wire                  deliver;
    wire                  ev_returned_good;
    wire                  ev_returned_bad;
    wire                  ev_bad_fcs;
    wire                  ev_bad_other;
    wire                  ev_delivered;
    wire                  ev_overflow;

    wire        unused_drop;    // the verdict says the same
    wire        unused_monitor; // the ingress looks at M itself

    frame_rx u_frame_rx (
        .clk              (clk),
        .rst              (rst),
        .s_axis_tdata     (link_tdata),
        .s_axis_tkeep     (link_tkeep),
        .s_axis_tvalid    (link_tvalid),
        .s_axis_tlast     (link_tlast),
        .s_axis_tuser     (link_tuser),
        .m_axis_tdata     (rx_tdata),
        .m_axis_tkeep     (rx_tkeep),
        .m_axis_tvalid    (rx_tvalid),
        .m_axis_tlast     (rx_tlast),
        .m_axis_tuser     (unused_drop),
        .m_hdr_valid      (v_valid),
        .m_hdr_good       (v_good),
        .m_hdr_check      (v_check),
        .m_hdr_monitor    (unused_monitor),
        .m_hdr_mac        (v_hdr[`AWG_HDR_MAC]),
        .m_hdr_token      (v_hdr[`AWG_HDR_TOKEN]),
        .m_hdr_c_st       (v_hdr[`AWG_HDR_C_ST]),
        .m_hdr_node_id    (v_hdr[`AWG_HDR_NODE_ID]),
        .m_hdr_multi_g    (v_hdr[`AWG_HDR_MULTI_G]),
        .m_hdr_act_seq    (v_hdr[`AWG_HDR_ACT_SEQ]),
        .m_hdr_packet_cnt (v_hdr[`AWG_HDR_PACKET_CNT]),
        .m_hdr_addr       (v_hdr[`AWG_HDR_ADDR]),
        .m_hdr_len        (v_hdr[`AWG_HDR_LEN])
    );

    rx_filter u_filter (
        .clk              (clk),
        .rst              (rst),
        .kind             (kind),
        .hdr_valid        (v_valid),
        .hdr_good         (v_good),
        .hdr_check        (v_check),
        .hdr              (v_hdr),
        .cfg_node_id      (cfg_node_id),
        .cfg_groups       (cfg_groups),
        .deliver          (deliver),
        .m_ret_valid      (m_ret_valid),
        .m_ret_good       (m_ret_good),
        .m_ret_token      (m_ret_token),
        .m_ret_c_st       (m_ret_c_st),
        .m_ret_packet_cnt (m_ret_packet_cnt),
        .ev_returned_good (ev_returned_good),
        .ev_returned_bad  (ev_returned_bad),
        .ev_bad_fcs       (ev_bad_fcs),
        .ev_bad_other     (ev_bad_other)
    );

    rx_buffer #(
        .ADDR_W        (RX_ADDR_W),
        .HEADER_ADDR_W (RX_HEADER_ADDR_W)
    ) u_rx_buffer (
        .clk              (clk),
        .rst              (rst),
        .s_axis_tdata     (rx_tdata),
        .s_axis_tkeep     (rx_tkeep),
        .s_axis_tvalid    (rx_tvalid),
        .s_axis_tlast     (rx_tlast),
        .verdict          (v_valid),
        .deliver          (deliver),
        .hdr              (v_hdr),
        .m_hdr_valid      (m_rx_hdr_valid),
        .m_hdr_ready      (m_rx_hdr_ready),
        .m_hdr            ({m_rx_hdr_mac, m_rx_hdr_token, m_rx_hdr_c_st, m_rx_hdr_node_id,
                            m_rx_hdr_multi_g, m_rx_hdr_act_seq, m_rx_hdr_packet_cnt, m_rx_hdr_addr,
                            m_rx_hdr_len}),
        .m_axis_tdata     (m_rx_axis_tdata),
        .m_axis_tkeep     (m_rx_axis_tkeep),
        .m_axis_tvalid    (m_rx_axis_tvalid),
        .m_axis_tready    (m_rx_axis_tready),
        .m_axis_tlast     (m_rx_axis_tlast),
        .ev_delivered     (ev_delivered),
        .ev_overflow      (ev_overflow)
    );

    // ---- Requests: order and turns ----

    wire       data_pending;
    wire       signal_pending;
    wire       data_open;
    wire       signal_open;
    wire       boundary;
    wire       tx_ready;
    wire       pick_data;
    wire       pick_signal;
    wire       grant_data;
    wire       grant_signal;
    wire       grant_free;
    wire [8:0] grant_cycles;
    wire       ev_token_overflow;

    wire pop = rd_ready && some;

    order_gate #(
        .WORDS_W (WORDS_W)
    ) u_data_gate (
        .clk   (clk),
        .rst   (rst),
        .req   (s_data_hdr_valid),
        .grant (grant_data),
        .words (words),
        .pop     (pop),
        .pending (data_pending),
        .open    (data_open)
    );

    order_gate #(
        .WORDS_W (WORDS_W)
    ) u_signal_gate (
        .clk   (clk),
        .rst   (rst),
        .req   (s_signal_hdr_valid),
        .grant (grant_signal),
        .words (words),
        .pop     (pop),
        .pending (signal_pending),
        .open    (signal_open)
    );

    // NODE-14: the token of a data frame that was refused was not spent.
    wire refused = m_sent_valid && m_sent_class == `AWG_CLASS_DATA
                && (m_sent_error == `AWG_TX_TOKEN || m_sent_error == `AWG_TX_LENGTH);

    tx_arbiter #(
        .WORDS_W   (WORDS_W),
        .TOKEN_RUN (TOKEN_RUN)
    ) u_arbiter (
        .clk               (clk),
        .rst               (rst),
        .token_in          (token_in),
        .free_passed       (free_passed),
        .issue             (issue),
        .discard           (discard),
        .refused           (refused),
        .data_valid        (s_data_hdr_valid),
        .data_len          (s_data_hdr_len),
        .data_pending      (data_pending),
        .data_open         (data_open),
        .signal_valid      (s_signal_hdr_valid),
        .signal_len        (s_signal_hdr_len),
        .signal_pending    (signal_pending),
        .signal_open       (signal_open),
        .boundary          (boundary),
        .tx_ready          (tx_ready),
        .words             (words),
        .push              (wr_valid),
        .pop               (pop),
        .take_free         (take_free),
        .pick_data         (pick_data),
        .pick_signal       (pick_signal),
        .grant_data        (grant_data),
        .grant_signal      (grant_signal),
        .grant_free        (grant_free),
        .grant_cycles      (grant_cycles),
        .held              (held),
        .ev_token_overflow (ev_token_overflow),
        .ev_discarded      (ev_discarded)
    );

    assign s_data_hdr_ready   = grant_data;
    assign s_signal_hdr_ready = grant_signal;

    // ---- Transmitter, link out ----

    wire                  hdr_valid;
    wire [`AWG_HDR_W-1:0] hdr;
    wire [31:0]           pay_tdata;
    wire [3:0]            pay_tkeep;
    wire                  pay_tvalid;
    wire                  pay_tready;
    wire                  pay_tlast;
    wire [31:0]           tx_tdata;
    wire [3:0]            tx_tkeep;
    wire                  tx_tvalid;
    wire                  tx_tlast;
    wire                  tx_tuser;

    tx_mux u_mux (
        .clk                     (clk),
        .rst                     (rst),
        .pick_data               (pick_data),
        .pick_signal             (pick_signal),
        .grant_data              (grant_data),
        .grant_signal            (grant_signal),
        .grant_free              (grant_free),
        .cfg_mac                 (cfg_mac),
        .cfg_node_id             (cfg_node_id),
        .s_data_hdr              ({s_data_hdr_act_seq, s_data_hdr_packet_cnt, s_data_hdr_addr,
                                   s_data_hdr_len}),
        .s_data_axis_tdata       (s_data_axis_tdata),
        .s_data_axis_tkeep       (s_data_axis_tkeep),
        .s_data_axis_tvalid      (s_data_axis_tvalid),
        .s_data_axis_tready      (s_data_axis_tready),
        .s_data_axis_tlast       (s_data_axis_tlast),
        .s_signal_hdr            ({s_signal_hdr_token, s_signal_hdr_c_st, s_signal_hdr_node_id,
                                   s_signal_hdr_multi_g, s_signal_hdr_act_seq,
                                   s_signal_hdr_packet_cnt, s_signal_hdr_addr, s_signal_hdr_len}),
        .s_signal_axis_tdata     (s_signal_axis_tdata),
        .s_signal_axis_tkeep     (s_signal_axis_tkeep),
        .s_signal_axis_tvalid    (s_signal_axis_tvalid),
        .s_signal_axis_tready    (s_signal_axis_tready),
        .s_signal_axis_tlast     (s_signal_axis_tlast),
        .m_hdr_valid             (hdr_valid),
        .m_hdr                   (hdr),
        .m_axis_tdata            (pay_tdata),
        .m_axis_tkeep            (pay_tkeep),
        .m_axis_tvalid           (pay_tvalid),
        .m_axis_tready           (pay_tready),
        .m_axis_tlast            (pay_tlast),
        .tx_class                (m_sent_class)
    );

    frame_tx u_frame_tx (
        .clk              (clk),
        .rst              (rst),
        .s_hdr_valid      (hdr_valid),
        .s_hdr_ready      (tx_ready),
        .s_hdr_mac        (hdr[`AWG_HDR_MAC]),
        .s_hdr_token      (hdr[`AWG_HDR_TOKEN]),
        .s_hdr_c_st       (hdr[`AWG_HDR_C_ST]),
        .s_hdr_node_id    (hdr[`AWG_HDR_NODE_ID]),
        .s_hdr_multi_g    (hdr[`AWG_HDR_MULTI_G]),
        .s_hdr_act_seq    (hdr[`AWG_HDR_ACT_SEQ]),
        .s_hdr_packet_cnt (hdr[`AWG_HDR_PACKET_CNT]),
        .s_hdr_addr       (hdr[`AWG_HDR_ADDR]),
        .s_hdr_len        (hdr[`AWG_HDR_LEN]),
        .s_axis_tdata     (pay_tdata),
        .s_axis_tkeep     (pay_tkeep),
        .s_axis_tvalid    (pay_tvalid),
        .s_axis_tready    (pay_tready),
        .s_axis_tlast     (pay_tlast),
        .m_axis_tdata     (tx_tdata),
        .m_axis_tkeep     (tx_tkeep),
        .m_axis_tvalid    (tx_tvalid),
        .m_axis_tlast     (tx_tlast),
        .m_axis_tuser     (tx_tuser),
        .status_valid     (m_sent_valid),
        .status_error     (m_sent_error)
    );

    ring_egress #(.OWN_IDLE(OWN_IDLE)) u_egress (
        .clk           (clk),
        .rst           (rst),
        .rd_word       (rd_word),
        .some          (some),
        .rd_ready      (rd_ready),
        .grant         (hdr_valid),
        .grant_cycles  (grant_cycles),
        .tx_tdata      (tx_tdata),
        .tx_tkeep      (tx_tkeep),
        .tx_tvalid     (tx_tvalid),
        .tx_tlast      (tx_tlast),
        .tx_tuser      (tx_tuser),
        .boundary      (boundary),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tkeep  (m_axis_tkeep),
        .m_axis_tvalid (m_axis_tvalid),
        .m_axis_tlast  (m_axis_tlast),
        .m_axis_tuser  (m_axis_tuser)
    );

    // ---- Events (NODE-20) ----

    wire [15:0] events;

    assign events[`AWG_COUNT_PASSED]        = ev_passed;
    assign events[`AWG_COUNT_RETURNED_GOOD] = ev_returned_good;
    assign events[`AWG_COUNT_RETURNED_BAD]  = ev_returned_bad;
    assign events[`AWG_COUNT_TOKEN_TAKEN]   = ev_taken;
    assign events[`AWG_COUNT_RESERVED]      = ev_reserved;
    assign events[`AWG_COUNT_CUT]           = ev_cut;
    assign events[`AWG_COUNT_DROPPED]       = ev_dropped;
    assign events[`AWG_COUNT_DELIVERED]     = ev_delivered;
    assign events[`AWG_COUNT_BAD_FCS]       = ev_bad_fcs;
    assign events[`AWG_COUNT_BAD_OTHER]     = ev_bad_other;
    assign events[`AWG_COUNT_RX_OVERFLOW]   = ev_overflow;
    assign events[`AWG_COUNT_DATA_SENT]     = grant_data;
    assign events[`AWG_COUNT_SIGNAL_SENT]   = grant_signal;
    assign events[`AWG_COUNT_FREE_SENT]     = grant_free;
    assign events[`AWG_COUNT_TX_ERROR]      = m_sent_valid && m_sent_error != `AWG_TX_OK;
    assign events[`AWG_COUNT_TOKEN_OVERFLOW] = ev_token_overflow;

    node_counters u_counters (
        .clk    (clk),
        .rst    (rst),
        .events (events),
        .addr   (count_addr),
        .data   (count_data)
    );
endmodule

`default_nettype wire
