`include "awgstar.vh"
`default_nettype none
module ring_ingress (
    input  wire        clk, input wire rst,
    input  wire [31:0] s_axis_tdata, input wire [3:0] s_axis_tkeep, input wire s_axis_tvalid, input wire s_axis_tlast, input wire s_axis_tuser,
    input  wire [47:0] cfg_mac,
    input  wire        take_free,
    output wire [31:0] link_tdata, output wire [3:0] link_tkeep, output wire link_tvalid, output wire link_tlast, output wire link_tuser,
    output reg         wr_valid, output reg [35:0] wr_word,
    output reg         token_in, output reg free_passed,
    output wire [1:0]  kind,
    output reg ev_passed, output reg ev_taken, output reg ev_reserved, output reg ev_cut, output reg ev_dropped
);
    reg s1_valid_q; reg [31:0] s1_data_q; reg [3:0] s1_keep_q; reg s1_last_q; reg s1_user_q;
    reg s2_valid_q; reg [31:0] s2_data_q; reg [3:0] s2_keep_q; reg s2_last_q; reg s2_user_q;
    reg [1:0] state_q, state_d;
    reg [8:0] word_q, word_d;
    reg slot_q, slot_d;
    reg [1:0] kind_q, kind_d;
    reg [1:0] kind1_q;
    wire complete = !s2_last_q && s2_keep_q == 4'hF && s1_valid_q && s1_keep_q == 4'hF;
    wire [47:0] mac = {s2_data_q[7:0], s2_data_q[15:8], s2_data_q[23:16], s2_data_q[31:24], s1_data_q[7:0], s1_data_q[15:8]};
    wire [2:0] token = s1_data_q[23:21];
    reg legal; reg [1:0] code;
    always @* begin
        legal = 1'b1; code = 2'd0;
        case (s2_keep_q)
            4'b0001: code = 2'd1;
            4'b0011: code = 2'd2;
            4'b0111: code = 2'd3;
            4'b1111: code = 2'd0;
            default: legal = 1'b0;
        endcase
    end
    wire good = s2_valid_q && (s2_last_q ? legal : s2_keep_q == 4'hF && word_q != 9'd260);
    always @* begin
        state_d = state_q; word_d = word_q; slot_d = 1'b0; kind_d = kind_q;
        wr_valid = slot_q; wr_word = `AWG_BUFFER_IDLE;
        token_in = 0; free_passed = 0; ev_passed = 0; ev_taken = 0; ev_reserved = 0; ev_cut = 0; ev_dropped = 0;
        case (state_q)
            `AWG_RING_INGRESS_GAP: if (s2_valid_q) begin
                ev_dropped = 1; kind_d = `AWG_KIND_NONE;
                state_d = s2_last_q ? `AWG_RING_INGRESS_GAP : `AWG_RING_INGRESS_SKIP;
            end else state_d = `AWG_RING_INGRESS_IDLE;
            `AWG_RING_INGRESS_IDLE: if (s2_valid_q) begin
                kind_d = `AWG_KIND_NONE;
                state_d = `AWG_RING_INGRESS_SKIP;
                if (!complete) begin
                    ev_dropped = 1;
                    if (s2_last_q) state_d = `AWG_RING_INGRESS_GAP;
                end else if (token == 3'b010 || token == 3'b111) ev_reserved = 1;
                else if (mac == cfg_mac && token != `AWG_TOKEN_FREE) begin
                    kind_d = `AWG_KIND_OWN;
                    token_in = token == `AWG_TOKEN_DATA;
                end else if (token == `AWG_TOKEN_FREE && take_free) begin
                    ev_taken = 1; token_in = 1;
                end else begin
                    wr_valid = 1; wr_word = {s2_user_q, s2_last_q, code, s2_data_q};
                    word_d = 9'd1; ev_passed = 1; kind_d = `AWG_KIND_OTHER;
                    free_passed = token == `AWG_TOKEN_FREE;
                    state_d = `AWG_RING_INGRESS_PASS;
                end
            end
            `AWG_RING_INGRESS_PASS: begin
                wr_valid = 1;
                if (good) begin
                    wr_word = {s2_user_q, s2_last_q, code, s2_data_q};
                    word_d = word_q + 9'd1;
                    if (s2_last_q) begin state_d = `AWG_RING_INGRESS_GAP; slot_d = 1; end
                end else begin
                    wr_word = `AWG_BUFFER_ABORT; ev_cut = 1; slot_d = 1;
                    state_d = s2_valid_q && s2_last_q ? `AWG_RING_INGRESS_GAP : `AWG_RING_INGRESS_SKIP;
                end
            end
            default: if (s2_valid_q && s2_last_q) state_d = `AWG_RING_INGRESS_GAP;
        endcase
    end
    always @(posedge clk) begin
        s1_valid_q <= s_axis_tvalid;
        if (s_axis_tvalid) begin s1_data_q <= s_axis_tdata; s1_keep_q <= s_axis_tkeep; s1_last_q <= s_axis_tlast; s1_user_q <= s_axis_tuser; end
        s2_valid_q <= s1_valid_q;
        if (s1_valid_q) begin s2_data_q <= s1_data_q; s2_keep_q <= s1_keep_q; s2_last_q <= s1_last_q; s2_user_q <= s1_user_q; end
        state_q <= state_d; word_q <= word_d; slot_q <= slot_d; kind_q <= kind_d; kind1_q <= kind_q;
        if (rst) begin
            s1_valid_q <= 0; s2_valid_q <= 0; state_q <= `AWG_RING_INGRESS_GAP; slot_q <= 0; kind_q <= `AWG_KIND_NONE; kind1_q <= `AWG_KIND_NONE;
        end
    end
    assign link_tdata = s2_data_q; assign link_tkeep = s2_keep_q; assign link_tvalid = s2_valid_q; assign link_tlast = s2_last_q; assign link_tuser = s2_user_q;
    assign kind = kind1_q;
endmodule
`default_nettype wire
