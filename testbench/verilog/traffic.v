// SPDX-License-Identifier: MIT OR Apache-2.0
// traffic: always has a data frame of LEN bytes waiting, frame n with Packet_Cnt n mod 256.
`default_nettype none

module traffic #(
    parameter        LEN  = 1024, // valid bytes of each frame, 1 to 1,024
    parameter [7:0]  NODE = 0     // stands in the payload
) (
    input  wire        clk,
    input  wire        rst,

    output wire        m_hdr_valid,
    input  wire        m_hdr_ready,
    output wire [7:0]  m_hdr_packet_cnt,
    output wire [10:0] m_hdr_len,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire        m_axis_tlast
);
    localparam       BEATS     = (LEN + 3) / 4;
    localparam [3:0] LAST_KEEP = 4'b1111 >> (BEATS * 4 - LEN);

    reg [15:0] frame_q;
    reg [15:0] beat_q;
    reg        busy_q;

    wire last = beat_q == BEATS[15:0] - 16'd1;

    always @(posedge clk) begin
        if (m_hdr_valid && m_hdr_ready) begin
            busy_q  <= 1'b1;
            beat_q  <= 16'd0;
            frame_q <= frame_q + 16'd1;
        end else if (m_axis_tvalid && m_axis_tready) begin
            busy_q <= !last;
            beat_q <= beat_q + 16'd1;
        end
        if (rst) begin
            frame_q <= 16'd0;
            beat_q  <= 16'd0;
            busy_q  <= 1'b0;
        end
    end

    assign m_hdr_valid      = !rst;
    assign m_hdr_packet_cnt = frame_q[7:0];
    assign m_hdr_len        = LEN[10:0];
    assign m_axis_tdata     = {NODE, frame_q[7:0], beat_q};
    assign m_axis_tkeep     = last ? LAST_KEEP : 4'b1111;
    assign m_axis_tvalid    = busy_q;
    assign m_axis_tlast     = last;
endmodule

`default_nettype wire
