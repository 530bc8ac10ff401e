// SPDX-License-Identifier: MIT OR Apache-2.0
// clock_watch: says whether another clock runs, at about the rate of this one.
//
// Promises: `runs` falls at most LONGEST + 5 cycles after the last edge of `watched`, or after its rate has left the
// range of 4/(LONGEST + 1) to 4/(SHORTEST - 1) of the rate of `clk`; it rises when 2^SPANS_W spans of 4 cycles of
// `watched` in a row have each lasted SHORTEST to LONGEST cycles of `clk`. So a circuit that is in reset while
// `runs` is low has been in reset for as many cycles of `watched`, too, when its reset ends.
//
// Requirements: CDC-1, CDC-7.
`default_nettype none

module clock_watch #(
    parameter SPANS_W  = 8, // 2 to 16
    parameter SHORTEST = 3, // cycles of a span, 1 to 5
    parameter LONGEST  = 5, // 5 to 31
    parameter TRUSTED  = 0  // 1: after a reset `runs` is high until the clock is seen to stop
) (
    input  wire clk,
    input  wire rst,

    input  wire watched, // clock

    output wire runs
);
    generate
        if (SPANS_W < 2 || SPANS_W > 16) begin : g_check
            clock_watch_SPANS_W_must_be_2_to_16 u_error ();
        end
        if (SHORTEST < 1 || SHORTEST > 5) begin : g_check_shortest
            clock_watch_SHORTEST_must_be_1_to_5 u_error ();
        end
        if (LONGEST < 5 || LONGEST > 31) begin : g_check_longest
            clock_watch_LONGEST_must_be_5_to_31 u_error ();
        end
        if (TRUSTED < 0 || TRUSTED > 1) begin : g_check_trusted
            clock_watch_TRUSTED_must_be_0_to_1 u_error ();
        end
    endgenerate

    localparam [4:0]       LEAST = SHORTEST[4:0];
    localparam [4:0]       MOST  = LONGEST[4:0];
    localparam [SPANS_W:0] ONE   = {{SPANS_W{1'b0}}, 1'b1};
    localparam [SPANS_W:0] FIRST = {TRUSTED != 0, {SPANS_W{1'b0}}};

    // The FPGA loads this value when it is configured: there may be no edge to reset it.
    reg [2:0]       beat_q;    // watched: its upper bit changes every 4 cycles
    initial beat_q = 3'd0;

    reg             last_q;
    reg [4:0]       span_q, span_d;   // cycles since the last change
    reg [SPANS_W:0] good_q, good_d;   // spans in a row

    wire            beat;
    wire            change = beat != last_q;
    wire            bad    = change ? span_q < LEAST : span_q == MOST;

    always @(posedge watched)
        beat_q <= beat_q + 3'd1;

    synchronizer u_beat (
        .clk (clk),
        .rst (rst),
        .d   (beat_q[2]),
        .q   (beat)
    );

    always @* begin
        span_d = span_q;
        if (change)
            span_d = 5'd1;
        else if (span_q != MOST)
            span_d = span_q + 5'd1;
        good_d = good_q;
        if (bad)
            good_d = {(SPANS_W + 1){1'b0}};
        else if (change && !good_q[SPANS_W])
            good_d = good_q + ONE;
    end

    always @(posedge clk) begin
        last_q <= beat;
        span_q <= span_d;
        good_q <= good_d;
        if (rst) begin
            last_q <= 1'b0;
            span_q <= 5'd0;
            good_q <= FIRST;
        end
    end

    assign runs = good_q[SPANS_W];
endmodule

`default_nettype wire
