// SPDX-License-Identifier: MIT OR Apache-2.0
// stream_assert: what is valid stays, with the same payload, until it is taken.
//
// Nothing is checked before the first reset.
`include "awgstar_assert.svh"
`default_nettype none

module stream_assert #(
    parameter ENV = 0, // 1: the environment drives valid and payload; assumed in a proof
    parameter W   = 1  // bits of the payload
) (
    input wire         clk,
    input wire         rst,
    input wire         valid,
    input wire         ready,
    input wire [W-1:0] payload
);
    generate
        if (ENV != 0 && ENV != 1) begin : g_check_env
            stream_assert_ENV_must_be_0_or_1 u_error ();
        end
        if (W < 1) begin : g_check_w
            stream_assert_W_must_be_1_or_more u_error ();
        end
    endgenerate

    reg         live_q;
    initial live_q = 1'b0;
    reg         wait_q;
    reg [W-1:0] payload_q;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
            wait_q    <= !rst && valid && !ready;
        payload_q <= payload;
    end

    wire on = live_q && !rst;

    generate if (ENV == 0) begin : g_design
        reg rst_q;
        initial rst_q = 1'b0;
        always @(posedge clk) rst_q <= rst;
        `AWG_ASSERT(node21_reset, "NODE-21", rst_q, !valid)
        `AWG_ASSERT(node17_stays, "NODE-17", on && wait_q, valid)
        `AWG_ASSERT(node17_stable, "NODE-17", on && wait_q && valid, payload == payload_q)
    end else begin : g_env
        `AWG_RULE(1, env_tx1_stays, "TX-1", on && wait_q, valid)
        `AWG_RULE(1, env_tx1_stable, "TX-1", on && wait_q && valid, payload == payload_q)
    end endgenerate
endmodule

`default_nettype wire
