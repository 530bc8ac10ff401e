// SPDX-License-Identifier: MIT OR Apache-2.0
// numbered_source: has a data frame waiting whenever `enable` is high, frame n with Addr n.
`default_nettype none

module numbered_source #(
    parameter       LONGEST = 0, // 1: every frame has 1,024 bytes
    parameter [7:0] NODE    = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        enable,

    output wire        m_hdr_valid,
    input  wire        m_hdr_ready,
    output wire [31:0] m_hdr_seq,
    output wire [10:0] m_hdr_len,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire        m_axis_tlast
);
    `include "numbered.vh"

    reg        valid_q; // a header is offered; it stays until it is taken
    reg [31:0] seq_q;
    reg [31:0] sent_q;
    reg [10:0] left_q;
    reg [7:0]  beat_q;
    reg        busy_q;

    wire last = left_q <= 11'd4;

    always @(posedge clk) begin
        if (!valid_q) valid_q <= enable;
        if (m_hdr_valid && m_hdr_ready) begin
            valid_q <= 1'b0;
            busy_q  <= 1'b1;
            beat_q  <= 8'd0;
            left_q  <= m_hdr_len;
            sent_q  <= seq_q;
            seq_q   <= seq_q + 32'd1;
        end else if (m_axis_tvalid && m_axis_tready) begin
            busy_q <= !last;
            beat_q <= beat_q + 8'd1;
            left_q <= left_q - 11'd4;
        end
        if (rst) begin
            valid_q <= 1'b0;
            seq_q   <= 32'd0;
            busy_q  <= 1'b0;
        end
    end

    assign m_hdr_valid   = valid_q;
    assign m_hdr_seq     = seq_q;
    assign m_hdr_len     = length_of(seq_q, NODE);
    assign m_axis_tdata  = mixed(sent_q, NODE, beat_q);
    assign m_axis_tkeep  = !last ? 4'b1111 : 4'b1111 >> (3'd4 - left_q[2:0]);
    assign m_axis_tvalid = busy_q;
    assign m_axis_tlast  = last;
endmodule

`default_nettype wire
