// SPDX-License-Identifier: MIT OR Apache-2.0
// order_gate: opens for a request when all that lay in the insertion buffer as it came has left.
//
// Promises: an answer never overtakes its cause (NODE-10): a frame given to the receive side is
// wholly in the insertion buffer, or gone, by the time the request it causes can come.
//
// Latency: open in the cycle after the request came, or after the last word before it was taken.
//
// Requirements: NODE-10, NODE-21.
`default_nettype none

module order_gate #(
    parameter WORDS_W = 10 // width of the word count of the insertion buffer
) (
    input  wire               clk,
    input  wire               rst,

    input  wire               req,
    input  wire               grant,
    input  wire [WORDS_W-1:0] words,
    input  wire               pop,
    output wire               pending,
    output wire               open
);
    localparam [WORDS_W-1:0] ZERO = {WORDS_W{1'b0}};
    localparam [WORDS_W-1:0] ONE  = {{(WORDS_W - 1){1'b0}}, 1'b1};

    generate if (WORDS_W < 6 || WORDS_W > 16) begin : g_check
        order_gate_WORDS_W_must_be_6_to_16 u_error ();
    end endgenerate

    reg               pending_q, pending_d; // a request waits, ahead_q is its own
    reg [WORDS_W-1:0] ahead_q, ahead_d;     // words still to leave first
    reg               open_q, open_d;       // pending_q, and ahead_q is 0

    // pop and grant come late: both answers are ready for them.
    wire [WORDS_W-1:0] now  = pending_q ? ahead_q : words;
    wire [WORDS_W-1:0] less = now - ONE;

    always @* begin
        pending_d = req && !grant;
        ahead_d   = ahead_q;
        if (pending_q || req) ahead_d = pop && now != ZERO ? less : now;
        open_d = pending_d && (now == ZERO || (pop && now == ONE));
    end

    always @(posedge clk) begin
        pending_q <= pending_d;
        ahead_q   <= ahead_d;
        open_q    <= open_d;
        if (rst) begin // NODE-21
            pending_q <= 1'b0;
            open_q    <= 1'b0;
        end
    end

    assign pending = pending_q;
    assign open    = open_q;
endmodule

`default_nettype wire
