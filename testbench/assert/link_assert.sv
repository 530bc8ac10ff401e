// SPDX-License-Identifier: MIT OR Apache-2.0
// link_assert: rules of a link, an AXI-Stream without tready, for every frame (LNK-2 to LNK-4, FRM-3).
//
// Nothing is checked before the first reset.
`include "awgstar_assert.svh"
`default_nettype none

module link_assert #(
    parameter ENV       = 0,  // 1: the environment drives it; its rules are assumed in a proof
    parameter MIN_WORDS = 2,  // of a frame, cut ones included: 2 after a node (NODE-7)
    parameter MAX_WORDS = 261, // 1,042 bytes
    parameter CUT       = 1   // 1: check the last word of a frame that was cut; on a line it may be any
) (
    input wire        clk,
    input wire        rst,
    input wire [31:0] tdata,
    input wire [3:0]  tkeep,
    input wire        tvalid,
    input wire        tlast,
    input wire        tuser
);
    generate
        if (ENV != 0 && ENV != 1) begin : g_check_env
            link_assert_ENV_must_be_0_or_1 u_error ();
        end
        if (MIN_WORDS < 1 || MIN_WORDS > MAX_WORDS || MAX_WORDS > 1023) begin : g_check_words
            link_assert_MIN_WORDS_and_MAX_WORDS_must_be_1_to_1023 u_error ();
        end
        if (CUT != 0 && CUT != 1) begin : g_check_cut
            link_assert_CUT_must_be_0_or_1 u_error ();
        end
    endgenerate

    localparam [9:0] MIN = MIN_WORDS;
    localparam [9:0] MAX = MAX_WORDS;

    reg       live_q;
    initial live_q = 1'b0;
    reg [9:0] words_q; // of the frame so far, 0 between frames
    reg       ended_q; // the word before was the last of a frame

    wire       open  = words_q != 10'd0;
    wire [9:0] words = words_q + 10'd1;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
            ended_q <= !rst && tvalid && tlast;
        if (tvalid) words_q <= tlast ? 10'd0 : words_q == 10'd1023 ? words_q : words;
        if (rst) words_q <= 10'd0;
    end

    wire on   = live_q && !rst;
    wire keep = tkeep == 4'b0001 || tkeep == 4'b0011 || tkeep == 4'b0111 || tkeep == 4'b1111;

    generate if (ENV == 0) begin : g_reset
        reg rst_q;
        initial rst_q = 1'b0;
        always @(posedge clk) rst_q <= rst;
        `AWG_ASSERT(node21_reset, "NODE-21", rst_q, !tvalid)
    end endgenerate
    `AWG_RULE(ENV, lnk3_no_gap, "LNK-3, NODE-8", on && open, tvalid)
    `AWG_RULE(ENV, lnk3_idle, "LNK-3, NODE-8", on && ended_q, !tvalid)
    `AWG_RULE(ENV, lnk2_keep, "LNK-2", on && tvalid && !tlast, tkeep == 4'b1111)
    `AWG_RULE(ENV, lnk2_keep_last, "LNK-2", on && tvalid && tlast, keep)
    `AWG_RULE(ENV, node7_length, "NODE-7", on && tvalid && tlast, words >= MIN)
    `AWG_RULE(ENV, frm3_length, "FRM-3, NODE-6", on && tvalid, words <= MAX)

    // LNK-4: the word in place of one that was missing or wrong has no contents.
    // A frame of 261 words can be cut at its last: then it is one of these, too.
    `AWG_RULE(ENV, node6_aborted, "NODE-6, TX-7, LNK-4", on && CUT == 1 && tvalid && tlast && tuser,
        tkeep == 4'b1111 && tdata == 32'd0)
endmodule

`default_nettype wire
