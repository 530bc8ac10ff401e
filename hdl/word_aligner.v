// SPDX-License-Identifier: MIT OR Apache-2.0
// word_aligner: finds where words begin in the bits of the line, by their commas, and says whether
// it has found it.
//
// Promises: `locked` only after 4 commas in one place and none in another (COD-4). Single bit errors
// do not end it; 4 bad words without 4 good ones in a row between, 1,024 words without a comma,
// or `los` do (COD-5).
//
// Latency: a word whose last bit is in s_code in cycle t is on m_code in cycle t + 1.
//
// The window is 80 bits: the word before below, this one on top. A place is the number of bits of
// the word before that do not belong to the word, 1 to 40.
//
// `locked` goes to another clock, too: it is a register.
//
// Requirements: COD-4, COD-5, CDC-4.
`default_nettype none

module word_aligner (
    input  wire        clk,
    input  wire        rst,

    input  wire [39:0] s_code, // 40 bits of the line in any place, bit 0 first
    input  wire        los,    // loss of signal
    input  wire        bad,    // the decoder has found an error in a word

    output wire [39:0] m_code, // a word
    output wire        locked
);
    localparam [2:0] COMMAS = 3'd4; // in one place, until the place counts
    localparam [1:0] GOOD   = 2'd3; // 4 good words in a row take back a bad one
    localparam [1:0] BAD    = 2'd3; // the fourth bad one ends it
    localparam [9:0] QUIET  = 10'd1023;

    reg [39:0] prev_q;
    reg [39:0] code_q;
    reg [5:0]  place_q, place_d;
    reg [2:0]  commas_q, commas_d; // found in this place
    reg        locked_q;           // commas_q is COMMAS
    reg [1:0]  good_q, good_d;     // good words in a row since a bad one
    reg [1:0]  bad_q, bad_d;       // bad words not taken back
    reg [9:0]  quiet_q, quiet_d;   // words since the last comma

    wire [79:0] window = {s_code, prev_q};
    wire [39:0] moved;
    wire [39:0] unused_moved;
    reg         comma; // in place n
    reg         here;  // in place_q
    reg         other; // in another
    reg  [5:0]  first; // the lowest place of one

    assign {unused_moved, moved} = window >> place_q;

    integer n;

    always @* begin
        first = 6'd0;
        other = 1'b0;
        here  = 1'b0;
        comma = 1'b0;
        for (n = 40; n >= 1; n = n - 1) begin
            // Bits a to g of K28.1, K28.5 and K28.7, in both columns.
            comma = window[n +: 7] == 7'b1111100 || window[n +: 7] == 7'b0000011;
            if (comma) begin
                first = n[5:0];
                if (n[5:0] == place_q) here  = 1'b1;
                else                   other = 1'b1;
            end
        end
    end

    assign locked = locked_q;

    wire wrong = bad || other;
    wire lost  = los || (wrong && bad_q == BAD) || quiet_q == QUIET;

    always @* begin
        place_d  = place_q;
        commas_d = commas_q;
        good_d   = 2'd0;
        bad_d    = 2'd0;
        quiet_d  = here ? 10'd0 : quiet_q + 10'd1;
        if (!locked) begin
            quiet_d = 10'd0;
            if (other) begin // COD-4
                place_d  = first;
                commas_d = 3'd1;
            end else if (here) begin
                commas_d = commas_q + 3'd1;
            end
            if (los) commas_d = 3'd0;
        end else begin // COD-5
            good_d = good_q;
            bad_d  = bad_q;
            if (wrong) begin
                bad_d  = bad_q + 2'd1;
                good_d = 2'd0;
            end else if (bad_q != 2'd0) begin
                good_d = good_q + 2'd1;
                if (good_q == GOOD) bad_d = bad_q - 2'd1;
            end
            if (lost) commas_d = 3'd0;
        end
    end

    always @(posedge clk) begin
        prev_q   <= s_code;
        code_q   <= moved;
        place_q  <= place_d;
        commas_q <= commas_d;
        locked_q <= commas_d == COMMAS;
        good_q   <= good_d;
        bad_q    <= bad_d;
        quiet_q  <= quiet_d;
        if (rst) begin
            place_q  <= 6'd1;
            commas_q <= 3'd0;
            locked_q <= 1'b0;
        end
    end

    assign m_code = code_q;
endmodule

`default_nettype wire
