// SPDX-License-Identifier: MIT OR Apache-2.0
// mail_box: messages from the ring until the host has dropped them, 16 words each.
//
// Promises: a message is counted when it is complete, and its words stay until it is dropped
// (RCV-5).
//
// Latency: index in cycle t, word of the oldest message in t + 1.
//
// Requirements: RCV-5.
`include "awgstar.vh"
`default_nettype none

module mail_box #(
    parameter MAIL_W = `AWG_MAIL_W // room for 2^n messages
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            we,
    input  wire [3:0]      index,
    input  wire [31:0]     data,
    input  wire            commit,
    output wire            full,

    input  wire [3:0]      get_index,
    output wire [31:0]     get_data,
    input  wire            pop,
    output wire [MAIL_W:0] count
);
    generate if (MAIL_W < 1 || MAIL_W > 12) begin : g_check
        mail_box_MAIL_W_must_be_1_to_12 u_error ();
    end endgenerate

    localparam [MAIL_W:0] COUNT_MAX = {1'b1, {MAIL_W{1'b0}}};

    reg [MAIL_W:0] wr_q, wr_d; // messages that came
    reg [MAIL_W:0] rd_q, rd_d; // messages that were dropped
    reg [31:0]     data_q;
    reg [31:0]     mem [0:(1 << (MAIL_W + 4)) - 1];

    wire some = wr_q != rd_q;

    always @* begin
        wr_d = wr_q + {{MAIL_W{1'b0}}, commit};
        rd_d = rd_q + {{MAIL_W{1'b0}}, pop && some};
    end

    always @(posedge clk) begin
        if (we) mem[{wr_q[MAIL_W-1:0], index}] <= data;
        data_q <= mem[{rd_q[MAIL_W-1:0], get_index}];
    end

    always @(posedge clk) begin
        wr_q <= wr_d;
        rd_q <= rd_d;
        if (rst) begin
            wr_q <= {(MAIL_W + 1){1'b0}};
            rd_q <= {(MAIL_W + 1){1'b0}};
        end
    end

    assign count    = wr_q - rd_q;
    assign full     = count == COUNT_MAX;
    assign get_data = data_q;
endmodule

`default_nettype wire
