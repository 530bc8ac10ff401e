`include "awgstar.vh"
`default_nettype none
module rx_filter (
    input wire clk, input wire rst, input wire [1:0] kind,
    input wire hdr_valid, input wire hdr_good, input wire [3:0] hdr_check, input wire [2:0] hdr_token, input wire [4:0] hdr_c_st, input wire [7:0] hdr_node_id, input wire [3:0] hdr_multi_g, input wire [7:0] hdr_packet_cnt,
    input wire [7:0] cfg_node_id, input wire [15:0] cfg_groups,
    output wire deliver,
    output wire m_ret_valid, output wire m_ret_good, output wire [2:0] m_ret_token, output wire [4:0] m_ret_c_st, output wire [7:0] m_ret_packet_cnt,
    output wire ev_returned_good, output wire ev_returned_bad, output wire ev_bad_fcs, output wire ev_bad_other
);
    reg ret_valid_q; reg ret_good_q; reg [2:0] ret_token_q; reg [4:0] ret_c_st_q; reg [7:0] ret_packet_cnt_q;
    reg match;
    always @* case (hdr_token)
        `AWG_TOKEN_DATA, `AWG_TOKEN_BROADCAST, `AWG_TOKEN_CONTROL: match = 1'b1;
        `AWG_TOKEN_P2P: match = hdr_node_id == cfg_node_id;
        `AWG_TOKEN_MULTICAST: match = cfg_groups[hdr_multi_g];
        default: match = 1'b0;
    endcase
    wire own = hdr_valid && kind == `AWG_KIND_OWN;
    wire other = hdr_valid && kind == `AWG_KIND_OTHER;
    assign deliver = other && hdr_good && match;
    assign ev_returned_good = own && hdr_good; assign ev_returned_bad = own && !hdr_good;
    assign ev_bad_fcs = other && !hdr_good && hdr_check == `AWG_CHECK_FCS;
    assign ev_bad_other = other && !hdr_good && hdr_check != `AWG_CHECK_FCS;
    always @(posedge clk) begin
        ret_valid_q <= own;
        if (own) begin ret_good_q <= hdr_good; ret_token_q <= hdr_token; ret_c_st_q <= hdr_c_st; ret_packet_cnt_q <= hdr_packet_cnt; end
        if (rst) ret_valid_q <= 1'b0;
    end
    assign m_ret_valid = ret_valid_q; assign m_ret_good = ret_good_q; assign m_ret_token = ret_token_q; assign m_ret_c_st = ret_c_st_q; assign m_ret_packet_cnt = ret_packet_cnt_q;
endmodule
`default_nettype wire
