// SPDX-License-Identifier: MIT OR Apache-2.0
// numbered_sink: the scoreboard of a node: takes what arrives, and counts per run what is good, what
// is missing (numbers of a source that did not come), what came again, and what is not what was sent.
`default_nettype none

module numbered_sink #(
    parameter LONGEST = 0,
    parameter NODES   = 2  // 2 to 8
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        s_hdr_valid,
    output wire        s_hdr_ready,
    input  wire [7:0]  s_hdr_node_id,
    input  wire [7:0]  s_hdr_packet_cnt,
    input  wire [31:0] s_hdr_seq,
    input  wire [10:0] s_hdr_len,

    input  wire [31:0] s_axis_tdata,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire        s_axis_tlast,

    output reg  [31:0] good,
    output reg  [31:0] missing,
    output reg  [31:0] again,
    output reg  [31:0] wrong
);
    `include "numbered.vh"

    reg [31:0] next [0:7]; // number that is due, of each source
    reg        busy_q;
    reg        fresh_q; // the frame under way is not one that came again
    reg        bad_q;
    reg [7:0]  node_q;
    reg [31:0] seq_q;
    reg [10:0] left_q;
    reg [7:0]  beat_q;
    integer    k;

    wire [31:0] mask     = left_q >= 11'd4 ? 32'hFFFFFFFF
                                           : ~(32'hFFFFFFFF << {left_q[1:0], 3'd0});
    wire        mismatch = |((s_axis_tdata ^ mixed(seq_q, node_q, beat_q)) & mask);
    wire [31:0] due      = s_hdr_node_id < NODES[7:0] ? next[s_hdr_node_id[2:0]] : 32'd0;

    assign s_hdr_ready   = !busy_q;
    assign s_axis_tready = busy_q;

    always @(posedge clk) begin
        if (s_hdr_valid && s_hdr_ready) begin
            busy_q  <= 1'b1;
            node_q  <= s_hdr_node_id;
            seq_q   <= s_hdr_seq;
            left_q  <= s_hdr_len;
            beat_q  <= 8'd0;
            fresh_q <= s_hdr_seq >= due;
            bad_q   <= s_hdr_node_id >= NODES[7:0] || s_hdr_packet_cnt != s_hdr_seq[7:0]
                    || s_hdr_len != length_of(s_hdr_seq, s_hdr_node_id);
            if (s_hdr_seq >= due && s_hdr_node_id < NODES[7:0]) begin
                missing <= missing + (s_hdr_seq - due);
                next[s_hdr_node_id[2:0]] <= s_hdr_seq + 32'd1;
            end else begin
                again <= again + 32'd1;
            end
        end
        if (s_axis_tvalid && s_axis_tready) begin
            beat_q <= beat_q + 8'd1;
            left_q <= left_q < 11'd4 ? 11'd0 : left_q - 11'd4;
            bad_q  <= bad_q || mismatch;
            if (s_axis_tlast) begin
                busy_q <= 1'b0;
                if (bad_q || mismatch || left_q > 11'd4) wrong <= wrong + 32'd1;
                else if (fresh_q)                        good  <= good + 32'd1;
            end
        end
        if (rst) begin
            busy_q  <= 1'b0;
            good    <= 32'd0;
            missing <= 32'd0;
            again   <= 32'd0;
            wrong   <= 32'd0;
            for (k = 0; k < 8; k = k + 1) next[k] <= 32'd0;
        end
    end
endmodule

`default_nettype wire
