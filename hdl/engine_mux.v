// SPDX-License-Identifier: MIT OR Apache-2.0
// engine_mux: signals of the lock and of the barrier engine, one after the other.
//
// Promises: a signal that was begun is offered until it has returned; the two take turns when both
// wait. A signal with an order closes the data frame under way and is marked with the first frame
// after it (SND-2, ENG-8).
//
// Latency: none with order none; else a signal that is offered in cycle t is offered to signal_sender in
// t + 1.
//
// Requirements: ENG-8, SND-2.
`include "awgstar.vh"
`default_nettype none

module engine_mux (
    input  wire        clk,
    input  wire        rst,

    input  wire        l_valid,
    input  wire [1:0]  l_order,
    input  wire [4:0]  l_c_st,
    input  wire [7:0]  l_node_id,
    input  wire [79:0] l_data,
    output wire        l_done,

    input  wire        b_valid,
    input  wire [1:0]  b_order,
    input  wire [4:0]  b_c_st,
    input  wire [7:0]  b_node_id,
    input  wire [79:0] b_data,
    output wire        b_done,

    input  wire [7:0]  mark,
    output wire        flush,

    output wire        m_valid,
    output wire [1:0]  m_order,
    output wire [7:0]  m_mark,
    output wire [4:0]  m_c_st,
    output wire [7:0]  m_node_id,
    output wire [79:0] m_data,
    input  wire        m_done
);
    reg       busy_q, busy_d; // a signal is offered
    reg       pick_q, pick_d; // 1: the barrier engine's; of the last one, if none is offered
    reg [7:0] mark_q, mark_d;

    wire       begins = !busy_q && (l_valid || b_valid);
    wire       pick   = busy_q ? pick_q : b_valid && !(l_valid && pick_q);
    wire [1:0] order  = pick ? b_order : l_order;
    wire       none   = order == `AWG_ORDER_NONE;

    always @* begin
        busy_d = busy_q;
        pick_d = pick_q;
        mark_d = mark_q;
        if (begins) begin
            busy_d = 1'b1;
            pick_d = pick;
            mark_d = mark;
        end else if (m_done) begin
            busy_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        busy_q <= busy_d;
        pick_q <= pick_d;
        mark_q <= mark_d;
        if (rst) begin
            busy_q <= 1'b0;
            pick_q <= 1'b0;
        end
    end

    // A mark is there a cycle later; without an order there is none.
    assign flush     = begins && !none;
    assign m_valid   = busy_q || (begins && none);
    assign m_order   = order;
    assign m_mark    = mark_q;
    assign m_c_st    = pick ? b_c_st : l_c_st;
    assign m_node_id = pick ? b_node_id : l_node_id;
    assign m_data    = pick ? b_data : l_data;
    assign l_done    = busy_q && m_done && !pick_q;
    assign b_done    = busy_q && m_done && pick_q;
endmodule

`default_nettype wire
