`include "awgstar.vh"
`default_nettype none
module tx_arbiter #(parameter WORDS_W = 10, parameter [3:0] TOKEN_RUN = `AWG_TOKEN_RUN) (
    input wire clk, input wire rst, input wire token_in, input wire free_passed, input wire issue, input wire refused,
    input wire data_valid, input wire [10:0] data_len, input wire data_open,
    input wire signal_valid, input wire [10:0] signal_len, input wire signal_open,
    input wire boundary, input wire tx_ready, input wire [WORDS_W-1:0] words,
    output wire take_free, output wire grant_data, output wire grant_signal, output wire grant_free,
    output wire [8:0] grant_words, output wire [7:0] held, output wire ev_token_overflow
);
    reg [7:0] held_q, held_d; reg [3:0] run_q, run_d; reg turn_q, turn_d;
    function [8:0] len_words; input [10:0] len; 
        len_words = (len < 11'd46 || len > 11'd1024) ? 9'd16 : len[10:2] + 9'd5 + {8'd0, len[1:0] == 2'd3};
    endfunction
    wire [8:0] dw = len_words(data_len);
    wire [8:0] sw = len_words(signal_len);
    localparam [WORDS_W:0] DEPTH = 1 << (WORDS_W-1);
    localparam [WORDS_W:0] M = {{(WORDS_W-9){1'b0}}, `AWG_INSERT_MARGIN};
    wire fits_d = {1'b0, words} + {{(WORDS_W-8){1'b0}}, dw} + M <= DEPTH;
    wire fits_s = {1'b0, words} + {{(WORDS_W-8){1'b0}}, sw} + M <= DEPTH;
    wire fits_f = {1'b0, words} + 16 + M <= DEPTH;
    wire can_run = run_q != TOKEN_RUN;
    wire want_signal = signal_valid && signal_open && fits_s;
    wire may_data = data_valid && data_open && can_run && fits_d;
    wire want_data = held_q != 0 && may_data;
    wire want_free = held_q != 0 && !want_data && fits_f && (!data_valid || !can_run || held_q != 8'd1);
    wire pick_signal = want_signal && !((want_data || want_free) && turn_q);
    wire go = boundary && tx_ready;
    assign grant_signal = go && pick_signal;
    assign grant_data = go && !pick_signal && want_data;
    assign grant_free = go && !pick_signal && want_free;
    assign take_free = held_q == 0 && may_data;
    assign grant_words = grant_data ? dw : grant_signal ? sw : 9'd16;
    wire [9:0] sum = {2'd0, held_q} + {9'd0, token_in} + {9'd0, issue} + {9'd0, refused} - {9'd0, grant_data || grant_free};
    assign ev_token_overflow = sum > 10'd255;
    always @* begin
        held_d = ev_token_overflow ? 8'd255 : sum[7:0];
        run_d = grant_free ? 4'd0 : (free_passed ? 4'd0 : run_q) + {3'd0, grant_data};
        turn_d = grant_signal ? 1'b1 : (grant_data || grant_free) ? 1'b0 : turn_q;
    end
    always @(posedge clk) begin
        held_q <= held_d; run_q <= run_d; turn_q <= turn_d;
        if (rst) begin held_q <= 0; run_q <= 0; turn_q <= 0; end
    end
    assign held = held_q;
endmodule
`default_nettype wire
