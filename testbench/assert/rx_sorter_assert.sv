// SPDX-License-Identifier: MIT OR Apache-2.0
// rx_sorter_assert: what the lock and barrier engine needs of messages, to be bound to rx_sorter.
//
// The proof `engine` assumes the rule of the environment and shows the other one.
//
// Nothing is checked before the first reset.
`include "awgstar_assert.svh"
`default_nettype none

module rx_sorter_assert #(
    parameter ENV = 1 // 1: check the rule of the environment
) (
    input wire       clk,
    input wire       rst,
    input wire       s_hdr_ready,
    input wire       s_axis_tvalid,
    input wire       s_axis_tready,
    input wire       s_axis_tlast,
    input wire       mail_we,
    input wire [3:0] mail_index
);
    generate if (ENV != 0 && ENV != 1) begin : g_check
        rx_sorter_assert_ENV_must_be_0_or_1 u_error ();
    end endgenerate

    localparam [3:0] SHORTEST = 4'd12; // beats of a frame with 46 bytes of Data
    localparam [4:0] FRAME    = 5'd17; // words of such a frame and an idle word
    localparam [4:0] LONG     = 5'd31;

    reg       live_q;
    initial live_q = 1'b0;
    reg [3:0] beats_q; // taken of this frame; 12 stands for more
    reg [4:0] gap_q;   // cycles since the last word that matters of the message before; 31 stands for more

    // Bytes 8 to 11 of Data.
    wire last_word = mail_we && mail_index == 4'd6;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        if (s_axis_tvalid && s_axis_tready && beats_q != SHORTEST) beats_q <= beats_q + 4'd1;
        if (rst || s_hdr_ready) beats_q <= 4'd0;
        if (gap_q != LONG) gap_q <= gap_q + 5'd1;
        if (last_word) gap_q <= 5'd1;
        if (rst) gap_q <= LONG;
    end

    wire on = live_q && !rst;

    generate if (ENV == 1) begin : g_env
        `AWG_RULE(1, env_frm3_beats, "FRM-3, RX-2", on && s_axis_tvalid && s_axis_tlast,
            beats_q >= SHORTEST - 4'd1)
    end endgenerate

    `AWG_ASSERT(eng6_spacing, "ENG-6", on && last_word, gap_q >= FRAME)
endmodule

`default_nettype wire
