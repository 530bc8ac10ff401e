// SPDX-License-Identifier: MIT OR Apache-2.0
// line: the serial line between two transceivers as words of 40 bits. Not part of the design.
// The words of the receiver begin SKEW bits after those of the sender. `flip` inverts bit `at` of the
// word, `dark` takes the light away: then the receiver sees zeros.
`default_nettype none

module line #(
    parameter WORDS = 1 // delay in words, 1 or more
) (
    input  wire        clk,     // of the sender; the receiver's is a delayed copy of it
    input  wire [5:0]  skew,    // 0 to 39
    input  wire        flip,
    input  wire [5:0]  at,
    input  wire        dark,
    input  wire [39:0] tx_code,
    output wire [39:0] rx_code
);
    reg  [39:0] before_q;
    reg  [39:0] word_q [0:WORDS-1];
    wire [79:0] both = {tx_code, before_q};
    wire [79:0] moved = both >> (6'd40 - skew);
    wire [39:0] error = flip ? 40'd1 << at : 40'd0;
    wire        unused = &{1'b0, moved[79:40]};
    integer     k;

    always @(posedge clk) begin
        before_q  <= tx_code;
        word_q[0] <= dark ? 40'd0 : moved[39:0] ^ error;
        for (k = 1; k < WORDS; k = k + 1) word_q[k] <= word_q[k-1];
    end

    assign rx_code = word_q[WORDS-1];
endmodule

`default_nettype wire
