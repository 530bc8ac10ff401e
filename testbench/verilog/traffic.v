// A host that always has a data frame of LEN bytes waiting, GAP cycles after the last one was taken.
// Word k of the payload of frame n of node NODE is {NODE[7:0], n[7:0], k[15:0]}; Packet_Cnt is n.
// No part of the hardware.
`default_nettype none

module traffic #(
    parameter [7:0] NODE   = 8'd0, // goes into the payload
    parameter       LEN    = 1024, // valid bytes of a frame, 1 to 1,024
    parameter       GAP    = 0,    // cycles between a grant and the next request
    parameter [0:0] ENABLE = 1'b1  // 0: never sends
) (
    input  wire        clk,
    input  wire        rst,

    output wire        hdr_valid,
    input  wire        hdr_ready,
    output wire [3:0]  hdr_act_seq,
    output wire [7:0]  hdr_packet_cnt,
    output wire [31:0] hdr_addr,
    output wire [10:0] hdr_len,

    output wire [31:0] axis_tdata,
    output wire [3:0]  axis_tkeep,
    output wire        axis_tvalid,
    input  wire        axis_tready,
    output wire        axis_tlast
);
    localparam [31:0] LEN_32    = LEN;
    localparam [31:0] GAP_32    = GAP;
    localparam [15:0] LAST      = (LEN_32[15:0] - 16'd1) >> 2; // index of the last word
    localparam [3:0]  LAST_KEEP = 4'b1111 >> (2'd0 - LEN_32[1:0]);

    reg [31:0] wait_q; // cycles until the next request
    reg [7:0]  frame_q; // n of the header
    reg [7:0]  n_q;     // n of the payload: one frame behind, or the same
    reg [15:0] k_q;

    wire last = k_q == LAST;

    always @(posedge clk) begin
        if (wait_q != 32'd0) wait_q <= wait_q - 32'd1;
        if (hdr_valid && hdr_ready) begin
            wait_q  <= GAP_32;
            frame_q <= frame_q + 8'd1;
        end
        if (axis_tready) begin
            k_q <= last ? 16'd0 : k_q + 16'd1;
            if (last) n_q <= n_q + 8'd1;
        end
        if (rst) begin
            wait_q  <= 32'd0;
            frame_q <= 8'd0;
            n_q     <= 8'd0;
            k_q     <= 16'd0;
        end
    end

    assign hdr_valid      = ENABLE && !rst && wait_q == 32'd0;
    assign hdr_act_seq    = 4'd0;
    assign hdr_packet_cnt = frame_q;
    assign hdr_addr       = 32'd0;
    assign hdr_len        = LEN_32[10:0];
    assign axis_tdata     = {NODE, n_q, k_q};
    assign axis_tkeep     = last ? LAST_KEEP : 4'b1111;
    assign axis_tvalid    = 1'b1;
    assign axis_tlast     = last;
endmodule

`default_nettype wire
