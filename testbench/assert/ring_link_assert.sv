// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_link_assert: rules of ring_link on all its sides, to be bound to it: what the node sends, what the
// line gets (COD-1, COD-2, COD-6), what comes from the line in its clock, and what the node receives.
//
// A frame that broke on the line keeps its last word (COD-7), so it may have one word, and its last is not
// 0; a node passes on what has two or more.
`include "awgstar_assert.svh"
`default_nettype none

module ring_link_assert (
    input wire        clk,
    input wire        rst,

    input wire [31:0] s_axis_tdata,
    input wire [3:0]  s_axis_tkeep,
    input wire        s_axis_tvalid,
    input wire        s_axis_tlast,
    input wire        s_axis_tuser,

    input wire [31:0] m_axis_tdata,
    input wire [3:0]  m_axis_tkeep,
    input wire        m_axis_tvalid,
    input wire        m_axis_tlast,
    input wire        m_axis_tuser,

    input wire [31:0] tx_data,    // inside: bytes of the word, K characters
    input wire [3:0]  tx_k,
    input wire [39:0] tx_code,

    input wire        rx_clk,
    input wire        rx_rst,     // inside
    input wire        line_rst_q, // inside
    input wire [31:0] line_tdata, // inside: words of the line before the elastic buffer
    input wire [3:0]  line_tkeep,
    input wire        line_tvalid,
    input wire        line_tlast,
    input wire        line_tuser
);
    link_assert #(.MIN_WORDS(2), .CUT(0)) u_node (
        .clk(clk), .rst(rst), .tdata(s_axis_tdata), .tkeep(s_axis_tkeep), .tvalid(s_axis_tvalid),
        .tlast(s_axis_tlast), .tuser(s_axis_tuser)
    );

    link_assert #(.MIN_WORDS(1), .CUT(0)) u_line (
        .clk(rx_clk), .rst(rx_rst), .tdata(line_tdata), .tkeep(line_tkeep), .tvalid(line_tvalid),
        .tlast(line_tlast), .tuser(line_tuser)
    );

    link_assert #(.MIN_WORDS(1), .CUT(0)) u_word (
        .clk(clk), .rst(rst || line_rst_q), .tdata(m_axis_tdata), .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid),
        .tlast(m_axis_tlast), .tuser(m_axis_tuser)
    );

    // ---- To the line ----

    reg        live_q; // there was a reset
    initial live_q = 1'b0;
    reg [1:0]  up_q;          // cycles since it, 3 at most: then two codes have been sent
    reg [4:0]  code_q;        // end of the word before
    reg [5:0]  ones;
    reg        long;          // six equal bits in a row
    reg        known_q;       // a word was not balanced since the reset
    reg        more_q;        // and the last of these had more ones
    integer    k;

    wire [44:0] bits = {tx_code, code_q}; // bit 0 first

    always @* begin
        ones = 6'd0;
        long = 1'b0;
        for (k = 0; k < 40; k = k + 1) begin
            ones = ones + {5'd0, tx_code[k]};
            if (bits[k +: 6] == 6'b000000 || bits[k +: 6] == 6'b111111) long = 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        up_q   <= rst ? 2'd0 : up_q == 2'd3 ? 2'd3 : up_q + 2'd1;
        code_q <= tx_code[39:35];
        if (up_q == 2'd3 && ones != 6'd20) begin
            known_q <= 1'b1;
            more_q  <= ones > 6'd20;
        end
        if (rst) known_q <= 1'b0;
    end

    wire on    = live_q && !rst;
    wire sends = on && up_q == 2'd3;
    wire [3:0] ends   = tx_data[11:8] ^ 4'h5;
    wire [3:0] begins = tx_data[23:20] ^ 4'hB;

    `AWG_ASSERT(cod6_word, "COD-6", sends, tx_k == 4'b0000 || tx_k == 4'b0001)
    `AWG_ASSERT(cod6_set, "COD-6, COD-8", sends && tx_k == 4'b0001,
        tx_data[7:0] == 8'hBC && tx_data[15:12] == 4'h9 && tx_data[19:16] == 4'h5
        && tx_data[31:24] == (8'hB5 ^ {begins, ends}))
    // 8b/10b: a word has 19 to 21 ones, one with more and one with fewer take turns.
    `AWG_ASSERT(cod2_disparity, "COD-2", sends, ones == 6'd20
        || (ones == 6'd19 && !(known_q && !more_q)) || (ones == 6'd21 && !(known_q && more_q)))
    `AWG_ASSERT(cod1_run, "COD-1", sends, !long)
endmodule

`default_nettype wire
