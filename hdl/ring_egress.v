`include "awgstar.vh"
`default_nettype none
module ring_egress #(parameter WORDS_W = 10) (
    input wire clk, input wire rst, input wire [35:0] rd_word, input wire [WORDS_W-1:0] words, output wire rd_ready,
    input wire grant, input wire [8:0] grant_words,
    input wire [31:0] tx_tdata, input wire [3:0] tx_tkeep, input wire tx_tvalid, input wire tx_tlast, input wire tx_tuser,
    output wire boundary,
    output wire [31:0] m_axis_tdata, output wire [3:0] m_axis_tkeep, output wire m_axis_tvalid, output wire m_axis_tlast, output wire m_axis_tuser
);
    reg [1:0] state_q, state_d; reg [8:0] left_q, left_d;
    reg m_valid_q, m_valid_d; reg [31:0] m_data_q, m_data_d; reg [3:0] m_keep_q, m_keep_d; reg m_last_q, m_last_d; reg m_user_q, m_user_d;
    wire some = words != 0;
    wire slot = !rd_word[34] && rd_word[33:32] != 0;
    wire ready = state_q == `AWG_RING_EGRESS_READY;
    wire pass = state_q == `AWG_RING_EGRESS_PASS;
    wire insert = state_q == `AWG_RING_EGRESS_INSERT;
    assign boundary = ready || (pass && some && slot) || (insert && left_q <= 9'd2);
    assign rd_ready = pass || (ready && !grant);
    wire pop_word = rd_ready && some && !slot;
    always @* begin
        state_d = state_q; left_d = left_q;
        m_valid_d = pop_word; m_data_d = m_data_q; m_keep_d = m_keep_q; m_last_d = m_last_q; m_user_d = m_user_q;
        if (pop_word) begin
            {m_user_d, m_last_d} = rd_word[35:34]; m_data_d = rd_word[31:0];
            case (rd_word[33:32])
                2'd1: m_keep_d = 4'b0001;
                2'd2: m_keep_d = 4'b0011;
                2'd3: m_keep_d = 4'b0111;
                default: m_keep_d = 4'b1111;
            endcase
        end
        case (state_q)
            `AWG_RING_EGRESS_PASS: if (some && slot) state_d = `AWG_RING_EGRESS_READY;
            `AWG_RING_EGRESS_INSERT: begin
                left_d = left_q - 9'd1;
                if (left_q == 9'd1) state_d = `AWG_RING_EGRESS_READY;
                if (tx_tvalid) begin
                    m_valid_d = 1'b1; m_data_d = tx_tdata; m_keep_d = tx_tkeep; m_last_d = tx_tlast; m_user_d = tx_tuser;
                end
            end
            default: if (pop_word) state_d = `AWG_RING_EGRESS_PASS;
        endcase
        if (boundary && grant) begin state_d = `AWG_RING_EGRESS_INSERT; left_d = grant_words + 9'd2; end
    end
    always @(posedge clk) begin
        state_q <= state_d; left_q <= left_d; m_valid_q <= m_valid_d; m_data_q <= m_data_d; m_keep_q <= m_keep_d; m_last_q <= m_last_d; m_user_q <= m_user_d;
        if (rst) begin state_q <= `AWG_RING_EGRESS_READY; m_valid_q <= 0; end
    end
    assign m_axis_tdata = m_data_q; assign m_axis_tkeep = m_keep_q; assign m_axis_tvalid = m_valid_q; assign m_axis_tlast = m_last_q; assign m_axis_tuser = m_user_q;
endmodule
`default_nettype wire
