// SPDX-License-Identifier: MIT OR Apache-2.0
// sync_engine: locks and barriers in the board, without its host's firmware.
//
// Promises: boards with the engine and boards with the firmware of the ring queue lock and the ring
// barrier work together on one ring (ENG-1, ENG-4). Without the engine (NODE_W = 0) nothing is taken,
// sent or answered here, and messages pass as they are (ENG-9).
//
// Latency: each module states its own.
//
// Only wires here.
//
// Requirements: ENG-1, ENG-4, ENG-6, ENG-7, ENG-8, ENG-9.
`include "awgstar.vh"
`default_nettype none

module sync_engine #(
    parameter NODE_W = `AWG_ENGINE_NODE_W // Node_IDs below 2^n take part; 0: no engine
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        reg_valid,
    input  wire        reg_write,
    input  wire [10:0] reg_addr,
    input  wire [31:0] reg_wdata,
    input  wire [3:0]  reg_wstrb,
    output wire        reg_done,
    output wire        reg_error,
    output wire [31:0] reg_rdata,

    input  wire        enable,
    input  wire [7:0]  cfg_node_id,

    input  wire [2:0]  s_token,
    input  wire [4:0]  s_c_st,
    input  wire        s_we,
    input  wire [3:0]  s_index,
    input  wire [31:0] s_data,
    input  wire        s_commit,
    output wire        s_full,

    output wire        m_we,
    output wire [3:0]  m_index,
    output wire [31:0] m_data,
    output wire        m_commit,
    input  wire        m_full,
    output wire        ev_mail_full,

    input  wire [7:0]  mark,
    output wire        flush,

    output wire        e_valid,
    output wire [1:0]  e_order,
    output wire [7:0]  e_mark,
    output wire [4:0]  e_c_st,
    output wire [7:0]  e_node_id,
    output wire [79:0] e_data,
    input  wire        e_done,

    output wire        irq
);
    generate if (NODE_W < 0 || NODE_W > 8) begin : g_check
        sync_engine_NODE_W_must_be_0_to_8 u_error ();
    end endgenerate

    // ---- Wires, by the instance that drives them ----

    // u_regs
    wire [15:0] cfg_locks;
    wire [7:0]  cfg_barriers;
    wire [15:0] cfg_first;
    wire [1:0]  cfg_pass_order;
    wire [1:0]  cfg_arrival_order;
    wire        tick;
    wire        member_we;
    wire [5:0]  member_addr;
    wire [31:0] member_data;
    wire        lock_valid;
    wire        lock_release;
    wire [3:0]  lock_number;
    wire        arrive_valid;
    wire [2:0]  arrive_number;

    // u_router
    wire        l_msg_valid;
    wire        b_msg_valid;
    wire [1:0]  msg_kind;
    wire [3:0]  msg_number;
    wire [7:0]  msg_source;
    wire [7:0]  msg_node;
    wire [15:0] msg_tag;
    wire [15:0] msg_epoch;

    // u_lock
    wire        l_msg_ready;
    wire        lock_done;
    wire        lock_error;
    wire        l_valid;
    wire [1:0]  l_order;
    wire [4:0]  l_c_st;
    wire [7:0]  l_node_id;
    wire [79:0] l_data;
    wire [15:0] held;
    wire [15:0] asking;
    wire [15:0] owned;
    wire        ev_acquired;
    wire        l_ready;

    // u_barrier
    wire        b_msg_ready;
    wire        arrive_done;
    wire        arrive_error;
    wire        b_valid;
    wire [1:0]  b_order;
    wire [4:0]  b_c_st;
    wire [7:0]  b_node_id;
    wire [79:0] b_data;
    wire [7:0]  waiting;
    wire        ev_passed;
    wire        b_ready;

    // u_mux
    wire        l_done;
    wire        b_done;

    wire ready = NODE_W != 0 && l_ready && b_ready;

    // ---- Modules ----

    engine_regs #(
        .NODE_W (NODE_W)
    ) u_regs (
        .clk               (clk),
        .rst               (rst),
        .reg_valid         (reg_valid),
        .reg_write         (reg_write),
        .reg_addr          (reg_addr),
        .reg_wdata         (reg_wdata),
        .reg_wstrb         (reg_wstrb),
        .reg_done          (reg_done),
        .reg_error         (reg_error),
        .reg_rdata         (reg_rdata),
        .enable            (enable),
        .ready             (ready),
        .cfg_locks         (cfg_locks),
        .cfg_barriers      (cfg_barriers),
        .cfg_first         (cfg_first),
        .cfg_pass_order    (cfg_pass_order),
        .cfg_arrival_order (cfg_arrival_order),
        .tick              (tick),
        .member_we         (member_we),
        .member_addr       (member_addr),
        .member_data       (member_data),
        .lock_valid        (lock_valid),
        .lock_release      (lock_release),
        .lock_number       (lock_number),
        .lock_done         (lock_done),
        .lock_error        (lock_error),
        .arrive_valid      (arrive_valid),
        .arrive_number     (arrive_number),
        .arrive_done       (arrive_done),
        .arrive_error      (arrive_error),
        .held              (held),
        .asking            (asking),
        .owned             (owned),
        .waiting           (waiting),
        .ev_acquired       (ev_acquired),
        .ev_passed         (ev_passed),
        .irq               (irq)
    );

    engine_router #(
        .NODE_W (NODE_W)
    ) u_router (
        .clk          (clk),
        .rst          (rst),
        .ready        (ready),
        .cfg_locks    (cfg_locks),
        .cfg_barriers (cfg_barriers),
        .s_token      (s_token),
        .s_c_st       (s_c_st),
        .s_we         (s_we),
        .s_index      (s_index),
        .s_data       (s_data),
        .s_commit     (s_commit),
        .s_full       (s_full),
        .m_we         (m_we),
        .m_index      (m_index),
        .m_data       (m_data),
        .m_commit     (m_commit),
        .m_full       (m_full),
        .ev_mail_full (ev_mail_full),
        .l_msg_valid  (l_msg_valid),
        .l_msg_ready  (l_msg_ready),
        .b_msg_valid  (b_msg_valid),
        .b_msg_ready  (b_msg_ready),
        .msg_kind     (msg_kind),
        .msg_number   (msg_number),
        .msg_source   (msg_source),
        .msg_node     (msg_node),
        .msg_tag      (msg_tag),
        .msg_epoch    (msg_epoch)
    );

    lock_engine #(
        .NODE_W (NODE_W)
    ) u_lock (
        .clk         (clk),
        .rst         (rst),
        .enable      (enable),
        .cfg_node_id (cfg_node_id),
        .cfg_first   (cfg_first),
        .cfg_order   (cfg_pass_order),
        .tick        (tick),
        .msg_valid   (l_msg_valid),
        .msg_ready   (l_msg_ready),
        .msg_kind    (msg_kind),
        .msg_number  (msg_number),
        .msg_node    (msg_node),
        .msg_tag     (msg_tag),
        .msg_epoch   (msg_epoch),
        .cmd_valid   (lock_valid),
        .cmd_release (lock_release),
        .cmd_number  (lock_number),
        .cmd_done    (lock_done),
        .cmd_error   (lock_error),
        .out_valid   (l_valid),
        .out_order   (l_order),
        .out_c_st    (l_c_st),
        .out_node_id (l_node_id),
        .out_data    (l_data),
        .out_done    (l_done),
        .held        (held),
        .asking      (asking),
        .right       (owned),
        .ev_acquired (ev_acquired),
        .ready       (l_ready)
    );

    barrier_engine #(
        .NODE_W (NODE_W)
    ) u_barrier (
        .clk         (clk),
        .rst         (rst),
        .enable      (enable),
        .cfg_node_id (cfg_node_id),
        .cfg_order   (cfg_arrival_order),
        .tick        (tick),
        .member_we   (member_we),
        .member_addr (member_addr),
        .member_data (member_data),
        .msg_valid   (b_msg_valid),
        .msg_ready   (b_msg_ready),
        .msg_number  (msg_number[2:0]),
        .msg_source  (msg_source),
        .msg_node    (msg_node),
        .msg_tag     (msg_tag),
        .cmd_valid   (arrive_valid),
        .cmd_number  (arrive_number),
        .cmd_done    (arrive_done),
        .cmd_error   (arrive_error),
        .out_valid   (b_valid),
        .out_order   (b_order),
        .out_c_st    (b_c_st),
        .out_node_id (b_node_id),
        .out_data    (b_data),
        .out_done    (b_done),
        .waiting     (waiting),
        .ev_passed   (ev_passed),
        .ready       (b_ready)
    );

    engine_mux u_mux (
        .clk       (clk),
        .rst       (rst),
        .l_valid   (l_valid),
        .l_order   (l_order),
        .l_c_st    (l_c_st),
        .l_node_id (l_node_id),
        .l_data    (l_data),
        .l_done    (l_done),
        .b_valid   (b_valid),
        .b_order   (b_order),
        .b_c_st    (b_c_st),
        .b_node_id (b_node_id),
        .b_data    (b_data),
        .b_done    (b_done),
        .mark      (mark),
        .flush     (flush),
        .m_valid   (e_valid),
        .m_order   (e_order),
        .m_mark    (e_mark),
        .m_c_st    (e_c_st),
        .m_node_id (e_node_id),
        .m_data    (e_data),
        .m_done    (e_done)
    );
endmodule

`default_nettype wire
