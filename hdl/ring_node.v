`include "awgstar.vh"
`default_nettype none
module ring_node #(parameter BUFFER_ADDR_W=`AWG_BUFFER_ADDR_W, parameter RX_ADDR_W=`AWG_RX_ADDR_W, parameter RX_HEADER_ADDR_W=`AWG_RX_HEADER_ADDR_W, parameter [3:0] TOKEN_RUN=`AWG_TOKEN_RUN) (
    input wire clk,
    input wire rst,
    input wire [47:0] cfg_mac,
    input wire [7:0] cfg_node_id,
    input wire [15:0] cfg_groups,
    input wire issue,
    input wire [31:0] s_axis_tdata,
    input wire [3:0] s_axis_tkeep,
    input wire s_axis_tvalid,
    input wire s_axis_tlast,
    input wire s_axis_tuser,
    output wire [31:0] m_axis_tdata,
    output wire [3:0] m_axis_tkeep,
    output wire m_axis_tvalid,
    output wire m_axis_tlast,
    output wire m_axis_tuser,
    input wire s_data_hdr_valid,
    output wire s_data_hdr_ready,
    input wire [3:0] s_data_hdr_act_seq,
    input wire [7:0] s_data_hdr_packet_cnt,
    input wire [31:0] s_data_hdr_addr,
    input wire [10:0] s_data_hdr_len,
    input wire [31:0] s_data_axis_tdata,
    input wire [3:0] s_data_axis_tkeep,
    input wire s_data_axis_tvalid,
    output wire s_data_axis_tready,
    input wire s_data_axis_tlast,
    input wire s_signal_hdr_valid,
    output wire s_signal_hdr_ready,
    input wire [2:0] s_signal_hdr_token,
    input wire [4:0] s_signal_hdr_c_st,
    input wire [7:0] s_signal_hdr_node_id,
    input wire [3:0] s_signal_hdr_multi_g,
    input wire [3:0] s_signal_hdr_act_seq,
    input wire [7:0] s_signal_hdr_packet_cnt,
    input wire [31:0] s_signal_hdr_addr,
    input wire [10:0] s_signal_hdr_len,
    input wire [31:0] s_signal_axis_tdata,
    input wire [3:0] s_signal_axis_tkeep,
    input wire s_signal_axis_tvalid,
    output wire s_signal_axis_tready,
    input wire s_signal_axis_tlast,
    output wire m_rx_hdr_valid,
    input wire m_rx_hdr_ready,
    output wire [47:0] m_rx_hdr_mac,
    output wire [2:0] m_rx_hdr_token,
    output wire [4:0] m_rx_hdr_c_st,
    output wire [7:0] m_rx_hdr_node_id,
    output wire [3:0] m_rx_hdr_multi_g,
    output wire [3:0] m_rx_hdr_act_seq,
    output wire [7:0] m_rx_hdr_packet_cnt,
    output wire [31:0] m_rx_hdr_addr,
    output wire [10:0] m_rx_hdr_len,
    output wire [31:0] m_rx_axis_tdata,
    output wire [3:0] m_rx_axis_tkeep,
    output wire m_rx_axis_tvalid,
    input wire m_rx_axis_tready,
    output wire m_rx_axis_tlast,
    output wire m_ret_valid,
    output wire m_ret_good,
    output wire [2:0] m_ret_token,
    output wire [4:0] m_ret_c_st,
    output wire [7:0] m_ret_packet_cnt,
    output wire m_sent_valid,
    output wire [1:0] m_sent_class,
    output wire [2:0] m_sent_error,
    input wire [3:0] count_addr,
    output wire [31:0] count_data,
    output wire [7:0] held
);
    wire unused_tuser, unused_monitor;
    assign s_data_hdr_ready = grant_data;
    assign s_signal_hdr_ready = grant_signal;
    wire [31:0] link_tdata;
    wire [3:0] link_tkeep;
    wire link_tvalid;
    wire link_tlast;
    wire link_tuser;
    wire wr_valid;
    wire [35:0] wr_word;
    wire token_in;
    wire free_passed;
    wire [1:0] kind;
    wire ev_passed;
    wire ev_taken;
    wire ev_reserved;
    wire ev_cut;
    wire ev_dropped;
    wire take_free;
    wire rd_ready;
    wire [35:0] rd_word;
    wire [BUFFER_ADDR_W+1-1:0] words;
    wire [31:0] rx_tdata;
    wire [3:0] rx_tkeep;
    wire rx_tvalid;
    wire rx_tlast;
    wire v_valid;
    wire v_good;
    wire [3:0] v_check;
    wire [47:0] v_mac;
    wire [2:0] v_token;
    wire [4:0] v_c_st;
    wire [7:0] v_node_id;
    wire [3:0] v_multi_g;
    wire [3:0] v_act_seq;
    wire [7:0] v_packet_cnt;
    wire [31:0] v_addr;
    wire [10:0] v_len;
    wire deliver;
    wire ev_returned_good;
    wire ev_returned_bad;
    wire ev_bad_fcs;
    wire ev_bad_other;
    wire ev_delivered;
    wire ev_overflow;
    wire data_open;
    wire signal_open;
    wire boundary;
    wire tx_ready;
    wire grant_data;
    wire grant_signal;
    wire grant_free;
    wire [8:0] grant_words;
    wire ev_token_overflow;
    wire h_valid;
    wire [47:0] h_mac;
    wire [2:0] h_token;
    wire [4:0] h_c_st;
    wire [7:0] h_node_id;
    wire [3:0] h_multi_g;
    wire [3:0] h_act_seq;
    wire [7:0] h_packet_cnt;
    wire [31:0] h_addr;
    wire [10:0] h_len;
    wire [31:0] p_tdata;
    wire [3:0] p_tkeep;
    wire p_tvalid;
    wire p_tready;
    wire p_tlast;
    wire [31:0] tx_tdata;
    wire [3:0] tx_tkeep;
    wire tx_tvalid;
    wire tx_tlast;
    wire tx_tuser;
    ring_ingress u_ingress (
        .clk(clk),
        .rst(rst),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tlast(s_axis_tlast),
        .s_axis_tuser(s_axis_tuser),
        .cfg_mac(cfg_mac),
        .take_free(take_free),
        .link_tdata(link_tdata),
        .link_tkeep(link_tkeep),
        .link_tvalid(link_tvalid),
        .link_tlast(link_tlast),
        .link_tuser(link_tuser),
        .wr_valid(wr_valid),
        .wr_word(wr_word),
        .token_in(token_in),
        .free_passed(free_passed),
        .kind(kind),
        .ev_passed(ev_passed),
        .ev_taken(ev_taken),
        .ev_reserved(ev_reserved),
        .ev_cut(ev_cut),
        .ev_dropped(ev_dropped)
    );
    insert_buffer #(.ADDR_W(BUFFER_ADDR_W)) u_buffer (
        .clk(clk),
        .rst(rst),
        .wr_valid(wr_valid),
        .wr_word(wr_word),
        .rd_ready(rd_ready),
        .rd_word(rd_word),
        .words(words)
    );
    frame_rx u_frame_rx (
        .clk(clk),
        .rst(rst),
        .s_axis_tdata(link_tdata),
        .s_axis_tkeep(link_tkeep),
        .s_axis_tvalid(link_tvalid),
        .s_axis_tlast(link_tlast),
        .s_axis_tuser(link_tuser),
        .m_axis_tdata(rx_tdata),
        .m_axis_tkeep(rx_tkeep),
        .m_axis_tvalid(rx_tvalid),
        .m_axis_tlast(rx_tlast),
        .m_axis_tuser(unused_tuser),
        .m_hdr_valid(v_valid),
        .m_hdr_good(v_good),
        .m_hdr_check(v_check),
        .m_hdr_monitor(unused_monitor),
        .m_hdr_mac(v_mac),
        .m_hdr_token(v_token),
        .m_hdr_c_st(v_c_st),
        .m_hdr_node_id(v_node_id),
        .m_hdr_multi_g(v_multi_g),
        .m_hdr_act_seq(v_act_seq),
        .m_hdr_packet_cnt(v_packet_cnt),
        .m_hdr_addr(v_addr),
        .m_hdr_len(v_len)
    );
    rx_filter u_filter (
        .clk(clk),
        .rst(rst),
        .kind(kind),
        .hdr_valid(v_valid),
        .hdr_good(v_good),
        .hdr_check(v_check),
        .hdr_token(v_token),
        .hdr_c_st(v_c_st),
        .hdr_node_id(v_node_id),
        .hdr_multi_g(v_multi_g),
        .hdr_packet_cnt(v_packet_cnt),
        .cfg_node_id(cfg_node_id),
        .cfg_groups(cfg_groups),
        .deliver(deliver),
        .m_ret_valid(m_ret_valid),
        .m_ret_good(m_ret_good),
        .m_ret_token(m_ret_token),
        .m_ret_c_st(m_ret_c_st),
        .m_ret_packet_cnt(m_ret_packet_cnt),
        .ev_returned_good(ev_returned_good),
        .ev_returned_bad(ev_returned_bad),
        .ev_bad_fcs(ev_bad_fcs),
        .ev_bad_other(ev_bad_other)
    );
    rx_buffer #(.ADDR_W(RX_ADDR_W), .HEADER_ADDR_W(RX_HEADER_ADDR_W)) u_rx_buffer (
        .clk(clk),
        .rst(rst),
        .s_axis_tdata(rx_tdata),
        .s_axis_tkeep(rx_tkeep),
        .s_axis_tvalid(rx_tvalid),
        .s_axis_tlast(rx_tlast),
        .verdict(v_valid),
        .deliver(deliver),
        .hdr_mac(v_mac),
        .hdr_token(v_token),
        .hdr_c_st(v_c_st),
        .hdr_node_id(v_node_id),
        .hdr_multi_g(v_multi_g),
        .hdr_act_seq(v_act_seq),
        .hdr_packet_cnt(v_packet_cnt),
        .hdr_addr(v_addr),
        .hdr_len(v_len),
        .m_hdr_valid(m_rx_hdr_valid),
        .m_hdr_ready(m_rx_hdr_ready),
        .m_hdr_mac(m_rx_hdr_mac),
        .m_hdr_token(m_rx_hdr_token),
        .m_hdr_c_st(m_rx_hdr_c_st),
        .m_hdr_node_id(m_rx_hdr_node_id),
        .m_hdr_multi_g(m_rx_hdr_multi_g),
        .m_hdr_act_seq(m_rx_hdr_act_seq),
        .m_hdr_packet_cnt(m_rx_hdr_packet_cnt),
        .m_hdr_addr(m_rx_hdr_addr),
        .m_hdr_len(m_rx_hdr_len),
        .m_axis_tdata(m_rx_axis_tdata),
        .m_axis_tkeep(m_rx_axis_tkeep),
        .m_axis_tvalid(m_rx_axis_tvalid),
        .m_axis_tready(m_rx_axis_tready),
        .m_axis_tlast(m_rx_axis_tlast),
        .ev_delivered(ev_delivered),
        .ev_overflow(ev_overflow)
    );
    wire pop = rd_ready && words != 0;
    order_gate #(.WORDS_W(BUFFER_ADDR_W+1)) u_data_gate (
        .clk(clk),
        .rst(rst),
        .req(s_data_hdr_valid),
        .grant(grant_data),
        .words(words),
        .pop(pop),
        .open(data_open)
    );
    order_gate #(.WORDS_W(BUFFER_ADDR_W+1)) u_signal_gate (
        .clk(clk),
        .rst(rst),
        .req(s_signal_hdr_valid),
        .grant(grant_signal),
        .words(words),
        .pop(pop),
        .open(signal_open)
    );
    wire refused = m_sent_valid && m_sent_class == `AWG_CLASS_DATA && (m_sent_error == `AWG_TX_TOKEN || m_sent_error == `AWG_TX_LENGTH);
    tx_arbiter #(.WORDS_W(BUFFER_ADDR_W+1), .TOKEN_RUN(TOKEN_RUN)) u_arbiter (
        .clk(clk),
        .rst(rst),
        .token_in(token_in),
        .free_passed(free_passed),
        .issue(issue),
        .refused(refused),
        .data_valid(s_data_hdr_valid),
        .data_len(s_data_hdr_len),
        .data_open(data_open),
        .signal_valid(s_signal_hdr_valid),
        .signal_len(s_signal_hdr_len),
        .signal_open(signal_open),
        .boundary(boundary),
        .tx_ready(tx_ready),
        .words(words),
        .take_free(take_free),
        .grant_data(grant_data),
        .grant_signal(grant_signal),
        .grant_free(grant_free),
        .grant_words(grant_words),
        .held(held),
        .ev_token_overflow(ev_token_overflow)
    );
    tx_mux u_mux (
        .clk(clk),
        .rst(rst),
        .grant_data(grant_data),
        .grant_signal(grant_signal),
        .grant_free(grant_free),
        .cfg_mac(cfg_mac),
        .cfg_node_id(cfg_node_id),
        .s_data_hdr_act_seq(s_data_hdr_act_seq),
        .s_data_hdr_packet_cnt(s_data_hdr_packet_cnt),
        .s_data_hdr_addr(s_data_hdr_addr),
        .s_data_hdr_len(s_data_hdr_len),
        .s_data_axis_tdata(s_data_axis_tdata),
        .s_data_axis_tkeep(s_data_axis_tkeep),
        .s_data_axis_tvalid(s_data_axis_tvalid),
        .s_data_axis_tready(s_data_axis_tready),
        .s_data_axis_tlast(s_data_axis_tlast),
        .s_signal_hdr_token(s_signal_hdr_token),
        .s_signal_hdr_c_st(s_signal_hdr_c_st),
        .s_signal_hdr_node_id(s_signal_hdr_node_id),
        .s_signal_hdr_multi_g(s_signal_hdr_multi_g),
        .s_signal_hdr_act_seq(s_signal_hdr_act_seq),
        .s_signal_hdr_packet_cnt(s_signal_hdr_packet_cnt),
        .s_signal_hdr_addr(s_signal_hdr_addr),
        .s_signal_hdr_len(s_signal_hdr_len),
        .s_signal_axis_tdata(s_signal_axis_tdata),
        .s_signal_axis_tkeep(s_signal_axis_tkeep),
        .s_signal_axis_tvalid(s_signal_axis_tvalid),
        .s_signal_axis_tready(s_signal_axis_tready),
        .s_signal_axis_tlast(s_signal_axis_tlast),
        .m_hdr_valid(h_valid),
        .m_hdr_mac(h_mac),
        .m_hdr_token(h_token),
        .m_hdr_c_st(h_c_st),
        .m_hdr_node_id(h_node_id),
        .m_hdr_multi_g(h_multi_g),
        .m_hdr_act_seq(h_act_seq),
        .m_hdr_packet_cnt(h_packet_cnt),
        .m_hdr_addr(h_addr),
        .m_hdr_len(h_len),
        .m_axis_tdata(p_tdata),
        .m_axis_tkeep(p_tkeep),
        .m_axis_tvalid(p_tvalid),
        .m_axis_tready(p_tready),
        .m_axis_tlast(p_tlast),
        .tx_class(m_sent_class)
    );
    frame_tx u_frame_tx (
        .clk(clk),
        .rst(rst),
        .s_hdr_valid(h_valid),
        .s_hdr_ready(tx_ready),
        .s_hdr_mac(h_mac),
        .s_hdr_token(h_token),
        .s_hdr_c_st(h_c_st),
        .s_hdr_node_id(h_node_id),
        .s_hdr_multi_g(h_multi_g),
        .s_hdr_act_seq(h_act_seq),
        .s_hdr_packet_cnt(h_packet_cnt),
        .s_hdr_addr(h_addr),
        .s_hdr_len(h_len),
        .s_axis_tdata(p_tdata),
        .s_axis_tkeep(p_tkeep),
        .s_axis_tvalid(p_tvalid),
        .s_axis_tready(p_tready),
        .s_axis_tlast(p_tlast),
        .m_axis_tdata(tx_tdata),
        .m_axis_tkeep(tx_tkeep),
        .m_axis_tvalid(tx_tvalid),
        .m_axis_tlast(tx_tlast),
        .m_axis_tuser(tx_tuser),
        .status_valid(m_sent_valid),
        .status_error(m_sent_error)
    );
    ring_egress #(.WORDS_W(BUFFER_ADDR_W+1)) u_egress (
        .clk(clk),
        .rst(rst),
        .rd_word(rd_word),
        .words(words),
        .rd_ready(rd_ready),
        .grant(h_valid),
        .grant_words(grant_words),
        .tx_tdata(tx_tdata),
        .tx_tkeep(tx_tkeep),
        .tx_tvalid(tx_tvalid),
        .tx_tlast(tx_tlast),
        .tx_tuser(tx_tuser),
        .boundary(boundary),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tlast(m_axis_tlast),
        .m_axis_tuser(m_axis_tuser)
    );
    wire [15:0] events = {ev_token_overflow, m_sent_valid && m_sent_error != 0, grant_free, grant_signal, grant_data, ev_overflow, ev_bad_other, ev_bad_fcs, ev_delivered, ev_dropped, ev_cut, ev_reserved, ev_taken, ev_returned_bad, ev_returned_good, ev_passed};
    node_counters u_counters (
        .clk(clk),
        .rst(rst),
        .events(events),
        .addr(count_addr),
        .data(count_data)
    );
endmodule
`default_nettype wire
