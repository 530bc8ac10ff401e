// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated from the contract (model/frame/src/contract), the model and testbench/dpi/src by `cargo xtask contract generate`.
// Do not edit: `cargo xtask contract check` and the tests fail on drift.
//
// Macros that read a design with the hierarchy of hdl/ for awgstar_pkg. `dut` is the instance of the module:
//   `AWG_RING_NODE_REGISTERS(dut, to)    puts the registers into the array `to`
//   `AWG_RING_NODE_WIRES(dut, to)        the ports of all instances
//   `AWG_RING_NODE_WORDS(dut, h, status) gives every memory word to the model with handle `h`; `status`, an
//                                        int, is 0 or the code of the last error
//   `AWG_RING_NODE_PORTS(in, out)        connects its ports but clk to two structures of the package
// and the same for smb. Values are those of the moment: use them when the clock is low and nothing changes.
`ifndef AWGSTAR_DESIGN_SVH
`define AWGSTAR_DESIGN_SVH

`define AWG_RING_NODE_PORTS(s_in, s_out) \
  .rst(s_in.rst), \
  .cfg_mac(s_in.cfg_mac), \
  .cfg_node_id(s_in.cfg_node_id), \
  .cfg_groups(s_in.cfg_groups), \
  .cfg_monitor(s_in.cfg_monitor), \
  .issue(s_in.issue), \
  .discard(s_in.discard), \
  .s_axis_tdata(s_in.s_axis_tdata), \
  .s_axis_tkeep(s_in.s_axis_tkeep), \
  .s_axis_tvalid(s_in.s_axis_tvalid), \
  .s_axis_tlast(s_in.s_axis_tlast), \
  .s_axis_tuser(s_in.s_axis_tuser), \
  .s_data_hdr_valid(s_in.s_data_hdr_valid), \
  .s_data_hdr_act_seq(s_in.s_data_hdr_act_seq), \
  .s_data_hdr_packet_cnt(s_in.s_data_hdr_packet_cnt), \
  .s_data_hdr_addr(s_in.s_data_hdr_addr), \
  .s_data_hdr_len(s_in.s_data_hdr_len), \
  .s_data_axis_tdata(s_in.s_data_axis_tdata), \
  .s_data_axis_tkeep(s_in.s_data_axis_tkeep), \
  .s_data_axis_tvalid(s_in.s_data_axis_tvalid), \
  .s_data_axis_tlast(s_in.s_data_axis_tlast), \
  .s_signal_hdr_valid(s_in.s_signal_hdr_valid), \
  .s_signal_hdr_token(s_in.s_signal_hdr_token), \
  .s_signal_hdr_c_st(s_in.s_signal_hdr_c_st), \
  .s_signal_hdr_node_id(s_in.s_signal_hdr_node_id), \
  .s_signal_hdr_multi_g(s_in.s_signal_hdr_multi_g), \
  .s_signal_hdr_act_seq(s_in.s_signal_hdr_act_seq), \
  .s_signal_hdr_packet_cnt(s_in.s_signal_hdr_packet_cnt), \
  .s_signal_hdr_addr(s_in.s_signal_hdr_addr), \
  .s_signal_hdr_len(s_in.s_signal_hdr_len), \
  .s_signal_axis_tdata(s_in.s_signal_axis_tdata), \
  .s_signal_axis_tkeep(s_in.s_signal_axis_tkeep), \
  .s_signal_axis_tvalid(s_in.s_signal_axis_tvalid), \
  .s_signal_axis_tlast(s_in.s_signal_axis_tlast), \
  .m_rx_hdr_ready(s_in.m_rx_hdr_ready), \
  .m_rx_axis_tready(s_in.m_rx_axis_tready), \
  .count_addr(s_in.count_addr), \
  .m_axis_tdata(s_out.m_axis_tdata), \
  .m_axis_tkeep(s_out.m_axis_tkeep), \
  .m_axis_tvalid(s_out.m_axis_tvalid), \
  .m_axis_tlast(s_out.m_axis_tlast), \
  .m_axis_tuser(s_out.m_axis_tuser), \
  .s_data_hdr_ready(s_out.s_data_hdr_ready), \
  .s_data_axis_tready(s_out.s_data_axis_tready), \
  .s_signal_hdr_ready(s_out.s_signal_hdr_ready), \
  .s_signal_axis_tready(s_out.s_signal_axis_tready), \
  .m_rx_hdr_valid(s_out.m_rx_hdr_valid), \
  .m_rx_hdr_mac(s_out.m_rx_hdr_mac), \
  .m_rx_hdr_token(s_out.m_rx_hdr_token), \
  .m_rx_hdr_c_st(s_out.m_rx_hdr_c_st), \
  .m_rx_hdr_node_id(s_out.m_rx_hdr_node_id), \
  .m_rx_hdr_multi_g(s_out.m_rx_hdr_multi_g), \
  .m_rx_hdr_act_seq(s_out.m_rx_hdr_act_seq), \
  .m_rx_hdr_packet_cnt(s_out.m_rx_hdr_packet_cnt), \
  .m_rx_hdr_addr(s_out.m_rx_hdr_addr), \
  .m_rx_hdr_len(s_out.m_rx_hdr_len), \
  .m_rx_axis_tdata(s_out.m_rx_axis_tdata), \
  .m_rx_axis_tkeep(s_out.m_rx_axis_tkeep), \
  .m_rx_axis_tvalid(s_out.m_rx_axis_tvalid), \
  .m_rx_axis_tlast(s_out.m_rx_axis_tlast), \
  .m_ret_valid(s_out.m_ret_valid), \
  .m_ret_good(s_out.m_ret_good), \
  .m_ret_token(s_out.m_ret_token), \
  .m_ret_c_st(s_out.m_ret_c_st), \
  .m_ret_packet_cnt(s_out.m_ret_packet_cnt), \
  .m_sent_valid(s_out.m_sent_valid), \
  .m_sent_class(s_out.m_sent_class), \
  .m_sent_error(s_out.m_sent_error), \
  .count_data(s_out.count_data), \
  .held(s_out.held), \
  .token_seen(s_out.token_seen), \
  .buffered(s_out.buffered), \
  .ev_orphan(s_out.ev_orphan), \
  .ev_discarded(s_out.ev_discarded)

`define AWG_RING_NODE_REGISTERS(dut, to) \
  begin \
    to[0] = 32'(dut.u_ingress.s1_valid_q); \
    to[1] = 32'(dut.u_ingress.s1_data_q); \
    to[2] = 32'(dut.u_ingress.s1_keep_q); \
    to[3] = 32'(dut.u_ingress.s1_last_q); \
    to[4] = 32'(dut.u_ingress.s1_user_q); \
    to[5] = 32'(dut.u_ingress.s2_valid_q); \
    to[6] = 32'(dut.u_ingress.s2_data_q); \
    to[7] = 32'(dut.u_ingress.s2_keep_q); \
    to[8] = 32'(dut.u_ingress.s2_last_q); \
    to[9] = 32'(dut.u_ingress.s2_user_q); \
    to[10] = 32'(dut.u_ingress.complete_q); \
    to[11] = 32'(dut.u_ingress.own_q); \
    to[12] = 32'(dut.u_ingress.state_q); \
    to[13] = 32'(dut.u_ingress.word_q); \
    to[14] = 32'(dut.u_ingress.slot_q); \
    to[15] = 32'(dut.u_ingress.kind_q); \
    to[16] = 32'(dut.u_ingress.kind1_q); \
    to[17] = 32'(dut.u_buffer.wr_ptr_q); \
    to[18] = 32'(dut.u_buffer.rd_ptr_q); \
    to[19] = 32'(dut.u_buffer.words_q); \
    to[20] = 32'(dut.u_buffer.some_q); \
    to[21] = 32'(dut.u_buffer.bypass_q); \
    to[22] = 32'(dut.u_buffer.new_q); \
    to[23] = 32'(dut.u_buffer.new_q >> 32); \
    to[24] = 32'(dut.u_buffer.head_q); \
    to[25] = 32'(dut.u_buffer.head_q >> 32); \
    to[26] = 32'(dut.u_frame_rx.state_q); \
    to[27] = 32'(dut.u_frame_rx.bytes_q); \
    to[28] = 32'(dut.u_frame_rx.crc_q); \
    to[29] = 32'(dut.u_frame_rx.bad_keep_q); \
    to[30] = 32'(dut.u_frame_rx.abort_q); \
    to[31] = 32'(dut.u_frame_rx.monitor_q); \
    to[32] = 32'(dut.u_frame_rx.hdr_q); \
    to[33] = 32'(dut.u_frame_rx.hdr_q >> 32); \
    to[34] = 32'(dut.u_frame_rx.hdr_q >> 64); \
    to[35] = 32'(dut.u_frame_rx.hdr_q >> 96); \
    to[36] = 32'(dut.u_frame_rx.count_q); \
    to[37] = 32'(dut.u_frame_rx.prev_q); \
    to[38] = 32'(dut.u_frame_rx.prev2_q); \
    to[39] = 32'(dut.u_frame_rx.end_q); \
    to[40] = 32'(dut.u_frame_rx.v_valid_q); \
    to[41] = 32'(dut.u_frame_rx.v_good_q); \
    to[42] = 32'(dut.u_frame_rx.v_check_q); \
    to[43] = 32'(dut.u_frame_rx.v_monitor_q); \
    to[44] = 32'(dut.u_frame_rx.v_hdr_q); \
    to[45] = 32'(dut.u_frame_rx.v_hdr_q >> 32); \
    to[46] = 32'(dut.u_frame_rx.v_hdr_q >> 64); \
    to[47] = 32'(dut.u_frame_rx.v_hdr_q >> 96); \
    to[48] = 32'(dut.u_frame_rx.last_beat_q); \
    to[49] = 32'(dut.u_frame_rx.held_q); \
    to[50] = 32'(dut.u_frame_rx.last_keep_q); \
    to[51] = 32'(dut.u_frame_rx.m_valid_q); \
    to[52] = 32'(dut.u_frame_rx.m_data_q); \
    to[53] = 32'(dut.u_frame_rx.m_keep_q); \
    to[54] = 32'(dut.u_frame_rx.m_last_q); \
    to[55] = 32'(dut.u_frame_rx.m_user_q); \
    to[56] = 32'(dut.u_filter.ret_valid_q); \
    to[57] = 32'(dut.u_filter.ret_good_q); \
    to[58] = 32'(dut.u_filter.ret_token_q); \
    to[59] = 32'(dut.u_filter.ret_c_st_q); \
    to[60] = 32'(dut.u_filter.ret_packet_cnt_q); \
    to[61] = 32'(dut.u_rx_buffer.wr_ptr_q); \
    to[62] = 32'(dut.u_rx_buffer.commit_ptr_q); \
    to[63] = 32'(dut.u_rx_buffer.rd_ptr_q); \
    to[64] = 32'(dut.u_rx_buffer.lost_q); \
    to[65] = 32'(dut.u_rx_buffer.head_q); \
    to[66] = 32'(dut.u_rx_buffer.head_q >> 32); \
    to[67] = 32'(dut.u_rx_buffer.last_q); \
    to[68] = 32'(dut.u_rx_buffer.next_last_q); \
    to[69] = 32'(dut.u_rx_buffer.hdr_wr_q); \
    to[70] = 32'(dut.u_rx_buffer.hdr_rd_q); \
    to[71] = 32'(dut.u_rx_buffer.hdr_head_q); \
    to[72] = 32'(dut.u_rx_buffer.hdr_head_q >> 32); \
    to[73] = 32'(dut.u_rx_buffer.hdr_head_q >> 64); \
    to[74] = 32'(dut.u_rx_buffer.hdr_head_q >> 96); \
    to[75] = 32'(dut.u_data_gate.pending_q); \
    to[76] = 32'(dut.u_data_gate.ahead_q); \
    to[77] = 32'(dut.u_data_gate.open_q); \
    to[78] = 32'(dut.u_signal_gate.pending_q); \
    to[79] = 32'(dut.u_signal_gate.ahead_q); \
    to[80] = 32'(dut.u_signal_gate.open_q); \
    to[81] = 32'(dut.u_arbiter.held_q); \
    to[82] = 32'(dut.u_arbiter.hand_q); \
    to[83] = 32'(dut.u_arbiter.single_q); \
    to[84] = 32'(dut.u_arbiter.run_q); \
    to[85] = 32'(dut.u_arbiter.over_q); \
    to[86] = 32'(dut.u_arbiter.turn_q); \
    to[87] = 32'(dut.u_arbiter.data_cycles_q); \
    to[88] = 32'(dut.u_arbiter.signal_cycles_q); \
    to[89] = 32'(dut.u_arbiter.room_data_q); \
    to[90] = 32'(dut.u_arbiter.room_signal_q); \
    to[91] = 32'(dut.u_arbiter.room_min_q); \
    to[92] = 32'(dut.u_mux.class_q); \
    to[93] = 32'(dut.u_frame_tx.state_q); \
    to[94] = 32'(dut.u_frame_tx.hdr_ready_q); \
    to[95] = 32'(dut.u_frame_tx.beat_ready_q); \
    to[96] = 32'(dut.u_frame_tx.shift_q); \
    to[97] = 32'(dut.u_frame_tx.shift_q >> 32); \
    to[98] = 32'(dut.u_frame_tx.shift_q >> 64); \
    to[99] = 32'(dut.u_frame_tx.hdr_words_q); \
    to[100] = 32'(dut.u_frame_tx.pay_left_q); \
    to[101] = 32'(dut.u_frame_tx.cov_left_q); \
    to[102] = 32'(dut.u_frame_tx.short_q); \
    to[103] = 32'(dut.u_frame_tx.error_q); \
    to[104] = 32'(dut.u_frame_tx.refused_q); \
    to[105] = 32'(dut.u_frame_tx.a_valid_q); \
    to[106] = 32'(dut.u_frame_tx.a_data_q); \
    to[107] = 32'(dut.u_frame_tx.a_count_q); \
    to[108] = 32'(dut.u_frame_tx.a_last_q); \
    to[109] = 32'(dut.u_frame_tx.a_cut_q); \
    to[110] = 32'(dut.u_frame_tx.tail_q); \
    to[111] = 32'(dut.u_frame_tx.tail_count_q); \
    to[112] = 32'(dut.u_frame_tx.crc_q); \
    to[113] = 32'(dut.u_frame_tx.m_valid_q); \
    to[114] = 32'(dut.u_frame_tx.m_data_q); \
    to[115] = 32'(dut.u_frame_tx.m_keep_q); \
    to[116] = 32'(dut.u_frame_tx.m_last_q); \
    to[117] = 32'(dut.u_frame_tx.m_user_q); \
    to[118] = 32'(dut.u_frame_tx.status_valid_q); \
    to[119] = 32'(dut.u_frame_tx.status_error_q); \
    to[120] = 32'(dut.u_egress.state_q); \
    to[121] = 32'(dut.u_egress.left_q); \
    to[122] = 32'(dut.u_egress.ending_q); \
    to[123] = 32'(dut.u_egress.m_valid_q); \
    to[124] = 32'(dut.u_egress.m_data_q); \
    to[125] = 32'(dut.u_egress.m_code_q); \
    to[126] = 32'(dut.u_egress.m_last_q); \
    to[127] = 32'(dut.u_egress.m_user_q); \
    to[128] = 32'(dut.u_counters.scan_q); \
    to[129] = 32'(dut.u_counters.clear_q); \
    to[130] = 32'(dut.u_counters.pending_q); \
    to[131] = 32'(dut.u_counters.pending_q >> 32); \
    to[132] = 32'(dut.u_counters.pending_q >> 64); \
    to[133] = 32'(dut.u_counters.data_q); \
  end

`define AWG_RING_NODE_WIRES(dut, to) \
  begin \
    to[0] = 32'(dut.u_ingress.rst); \
    to[1] = 32'(dut.u_ingress.s_axis_tdata); \
    to[2] = 32'(dut.u_ingress.s_axis_tkeep); \
    to[3] = 32'(dut.u_ingress.s_axis_tvalid); \
    to[4] = 32'(dut.u_ingress.s_axis_tlast); \
    to[5] = 32'(dut.u_ingress.s_axis_tuser); \
    to[6] = 32'(dut.u_ingress.cfg_mac); \
    to[7] = 32'(dut.u_ingress.cfg_mac >> 32); \
    to[8] = 32'(dut.u_ingress.cfg_monitor); \
    to[9] = 32'(dut.u_ingress.take_free); \
    to[10] = 32'(dut.u_ingress.link_tdata); \
    to[11] = 32'(dut.u_ingress.link_tkeep); \
    to[12] = 32'(dut.u_ingress.link_tvalid); \
    to[13] = 32'(dut.u_ingress.link_tlast); \
    to[14] = 32'(dut.u_ingress.link_tuser); \
    to[15] = 32'(dut.u_ingress.wr_valid); \
    to[16] = 32'(dut.u_ingress.wr_word); \
    to[17] = 32'(dut.u_ingress.wr_word >> 32); \
    to[18] = 32'(dut.u_ingress.token_in); \
    to[19] = 32'(dut.u_ingress.free_passed); \
    to[20] = 32'(dut.u_ingress.token_seen); \
    to[21] = 32'(dut.u_ingress.kind); \
    to[22] = 32'(dut.u_ingress.ev_passed); \
    to[23] = 32'(dut.u_ingress.ev_taken); \
    to[24] = 32'(dut.u_ingress.ev_reserved); \
    to[25] = 32'(dut.u_ingress.ev_cut); \
    to[26] = 32'(dut.u_ingress.ev_dropped); \
    to[27] = 32'(dut.u_ingress.ev_orphan); \
    to[28] = 32'(dut.u_buffer.rst); \
    to[29] = 32'(dut.u_buffer.wr_valid); \
    to[30] = 32'(dut.u_buffer.wr_word); \
    to[31] = 32'(dut.u_buffer.wr_word >> 32); \
    to[32] = 32'(dut.u_buffer.rd_ready); \
    to[33] = 32'(dut.u_buffer.rd_word); \
    to[34] = 32'(dut.u_buffer.rd_word >> 32); \
    to[35] = 32'(dut.u_buffer.words); \
    to[36] = 32'(dut.u_buffer.some); \
    to[37] = 32'(dut.u_frame_rx.rst); \
    to[38] = 32'(dut.u_frame_rx.s_axis_tdata); \
    to[39] = 32'(dut.u_frame_rx.s_axis_tkeep); \
    to[40] = 32'(dut.u_frame_rx.s_axis_tvalid); \
    to[41] = 32'(dut.u_frame_rx.s_axis_tlast); \
    to[42] = 32'(dut.u_frame_rx.s_axis_tuser); \
    to[43] = 32'(dut.u_frame_rx.m_axis_tdata); \
    to[44] = 32'(dut.u_frame_rx.m_axis_tkeep); \
    to[45] = 32'(dut.u_frame_rx.m_axis_tvalid); \
    to[46] = 32'(dut.u_frame_rx.m_axis_tlast); \
    to[47] = 32'(dut.u_frame_rx.m_axis_tuser); \
    to[48] = 32'(dut.u_frame_rx.m_hdr_valid); \
    to[49] = 32'(dut.u_frame_rx.m_hdr_good); \
    to[50] = 32'(dut.u_frame_rx.m_hdr_check); \
    to[51] = 32'(dut.u_frame_rx.m_hdr_monitor); \
    to[52] = 32'(dut.u_frame_rx.m_hdr_mac); \
    to[53] = 32'(dut.u_frame_rx.m_hdr_mac >> 32); \
    to[54] = 32'(dut.u_frame_rx.m_hdr_token); \
    to[55] = 32'(dut.u_frame_rx.m_hdr_c_st); \
    to[56] = 32'(dut.u_frame_rx.m_hdr_node_id); \
    to[57] = 32'(dut.u_frame_rx.m_hdr_multi_g); \
    to[58] = 32'(dut.u_frame_rx.m_hdr_act_seq); \
    to[59] = 32'(dut.u_frame_rx.m_hdr_packet_cnt); \
    to[60] = 32'(dut.u_frame_rx.m_hdr_addr); \
    to[61] = 32'(dut.u_frame_rx.m_hdr_len); \
    to[62] = 32'(dut.u_frame_rx.u_crc32.crc_in); \
    to[63] = 32'(dut.u_frame_rx.u_crc32.tdata); \
    to[64] = 32'(dut.u_frame_rx.u_crc32.tkeep); \
    to[65] = 32'(dut.u_frame_rx.u_crc32.crc_out); \
    to[66] = 32'(dut.u_filter.rst); \
    to[67] = 32'(dut.u_filter.kind); \
    to[68] = 32'(dut.u_filter.hdr_valid); \
    to[69] = 32'(dut.u_filter.hdr_good); \
    to[70] = 32'(dut.u_filter.hdr_check); \
    to[71] = 32'(dut.u_filter.hdr); \
    to[72] = 32'(dut.u_filter.hdr >> 32); \
    to[73] = 32'(dut.u_filter.hdr >> 64); \
    to[74] = 32'(dut.u_filter.hdr >> 96); \
    to[75] = 32'(dut.u_filter.cfg_node_id); \
    to[76] = 32'(dut.u_filter.cfg_groups); \
    to[77] = 32'(dut.u_filter.deliver); \
    to[78] = 32'(dut.u_filter.m_ret_valid); \
    to[79] = 32'(dut.u_filter.m_ret_good); \
    to[80] = 32'(dut.u_filter.m_ret_token); \
    to[81] = 32'(dut.u_filter.m_ret_c_st); \
    to[82] = 32'(dut.u_filter.m_ret_packet_cnt); \
    to[83] = 32'(dut.u_filter.ev_returned_good); \
    to[84] = 32'(dut.u_filter.ev_returned_bad); \
    to[85] = 32'(dut.u_filter.ev_bad_fcs); \
    to[86] = 32'(dut.u_filter.ev_bad_other); \
    to[87] = 32'(dut.u_rx_buffer.rst); \
    to[88] = 32'(dut.u_rx_buffer.s_axis_tdata); \
    to[89] = 32'(dut.u_rx_buffer.s_axis_tkeep); \
    to[90] = 32'(dut.u_rx_buffer.s_axis_tvalid); \
    to[91] = 32'(dut.u_rx_buffer.s_axis_tlast); \
    to[92] = 32'(dut.u_rx_buffer.verdict); \
    to[93] = 32'(dut.u_rx_buffer.deliver); \
    to[94] = 32'(dut.u_rx_buffer.hdr); \
    to[95] = 32'(dut.u_rx_buffer.hdr >> 32); \
    to[96] = 32'(dut.u_rx_buffer.hdr >> 64); \
    to[97] = 32'(dut.u_rx_buffer.hdr >> 96); \
    to[98] = 32'(dut.u_rx_buffer.m_hdr_ready); \
    to[99] = 32'(dut.u_rx_buffer.m_axis_tready); \
    to[100] = 32'(dut.u_rx_buffer.m_hdr_valid); \
    to[101] = 32'(dut.u_rx_buffer.m_hdr); \
    to[102] = 32'(dut.u_rx_buffer.m_hdr >> 32); \
    to[103] = 32'(dut.u_rx_buffer.m_hdr >> 64); \
    to[104] = 32'(dut.u_rx_buffer.m_hdr >> 96); \
    to[105] = 32'(dut.u_rx_buffer.m_axis_tdata); \
    to[106] = 32'(dut.u_rx_buffer.m_axis_tkeep); \
    to[107] = 32'(dut.u_rx_buffer.m_axis_tvalid); \
    to[108] = 32'(dut.u_rx_buffer.m_axis_tlast); \
    to[109] = 32'(dut.u_rx_buffer.ev_delivered); \
    to[110] = 32'(dut.u_rx_buffer.ev_overflow); \
    to[111] = 32'(dut.u_data_gate.rst); \
    to[112] = 32'(dut.u_data_gate.req); \
    to[113] = 32'(dut.u_data_gate.grant); \
    to[114] = 32'(dut.u_data_gate.words); \
    to[115] = 32'(dut.u_data_gate.pop); \
    to[116] = 32'(dut.u_data_gate.pending); \
    to[117] = 32'(dut.u_data_gate.open); \
    to[118] = 32'(dut.u_signal_gate.rst); \
    to[119] = 32'(dut.u_signal_gate.req); \
    to[120] = 32'(dut.u_signal_gate.grant); \
    to[121] = 32'(dut.u_signal_gate.words); \
    to[122] = 32'(dut.u_signal_gate.pop); \
    to[123] = 32'(dut.u_signal_gate.pending); \
    to[124] = 32'(dut.u_signal_gate.open); \
    to[125] = 32'(dut.u_arbiter.rst); \
    to[126] = 32'(dut.u_arbiter.token_in); \
    to[127] = 32'(dut.u_arbiter.free_passed); \
    to[128] = 32'(dut.u_arbiter.issue); \
    to[129] = 32'(dut.u_arbiter.discard); \
    to[130] = 32'(dut.u_arbiter.refused); \
    to[131] = 32'(dut.u_arbiter.data_valid); \
    to[132] = 32'(dut.u_arbiter.data_len); \
    to[133] = 32'(dut.u_arbiter.data_pending); \
    to[134] = 32'(dut.u_arbiter.data_open); \
    to[135] = 32'(dut.u_arbiter.signal_valid); \
    to[136] = 32'(dut.u_arbiter.signal_len); \
    to[137] = 32'(dut.u_arbiter.signal_pending); \
    to[138] = 32'(dut.u_arbiter.signal_open); \
    to[139] = 32'(dut.u_arbiter.boundary); \
    to[140] = 32'(dut.u_arbiter.tx_ready); \
    to[141] = 32'(dut.u_arbiter.words); \
    to[142] = 32'(dut.u_arbiter.push); \
    to[143] = 32'(dut.u_arbiter.pop); \
    to[144] = 32'(dut.u_arbiter.take_free); \
    to[145] = 32'(dut.u_arbiter.pick_data); \
    to[146] = 32'(dut.u_arbiter.pick_signal); \
    to[147] = 32'(dut.u_arbiter.grant_data); \
    to[148] = 32'(dut.u_arbiter.grant_signal); \
    to[149] = 32'(dut.u_arbiter.grant_free); \
    to[150] = 32'(dut.u_arbiter.grant_cycles); \
    to[151] = 32'(dut.u_arbiter.held); \
    to[152] = 32'(dut.u_arbiter.ev_token_overflow); \
    to[153] = 32'(dut.u_arbiter.ev_discarded); \
    to[154] = 32'(dut.u_mux.rst); \
    to[155] = 32'(dut.u_mux.pick_data); \
    to[156] = 32'(dut.u_mux.pick_signal); \
    to[157] = 32'(dut.u_mux.grant_data); \
    to[158] = 32'(dut.u_mux.grant_signal); \
    to[159] = 32'(dut.u_mux.grant_free); \
    to[160] = 32'(dut.u_mux.cfg_mac); \
    to[161] = 32'(dut.u_mux.cfg_mac >> 32); \
    to[162] = 32'(dut.u_mux.cfg_node_id); \
    to[163] = 32'(dut.u_mux.s_data_hdr); \
    to[164] = 32'(dut.u_mux.s_data_hdr >> 32); \
    to[165] = 32'(dut.u_mux.s_data_axis_tdata); \
    to[166] = 32'(dut.u_mux.s_data_axis_tkeep); \
    to[167] = 32'(dut.u_mux.s_data_axis_tvalid); \
    to[168] = 32'(dut.u_mux.s_data_axis_tlast); \
    to[169] = 32'(dut.u_mux.s_signal_hdr); \
    to[170] = 32'(dut.u_mux.s_signal_hdr >> 32); \
    to[171] = 32'(dut.u_mux.s_signal_hdr >> 64); \
    to[172] = 32'(dut.u_mux.s_signal_axis_tdata); \
    to[173] = 32'(dut.u_mux.s_signal_axis_tkeep); \
    to[174] = 32'(dut.u_mux.s_signal_axis_tvalid); \
    to[175] = 32'(dut.u_mux.s_signal_axis_tlast); \
    to[176] = 32'(dut.u_mux.m_axis_tready); \
    to[177] = 32'(dut.u_mux.s_data_axis_tready); \
    to[178] = 32'(dut.u_mux.s_signal_axis_tready); \
    to[179] = 32'(dut.u_mux.m_hdr_valid); \
    to[180] = 32'(dut.u_mux.m_hdr); \
    to[181] = 32'(dut.u_mux.m_hdr >> 32); \
    to[182] = 32'(dut.u_mux.m_hdr >> 64); \
    to[183] = 32'(dut.u_mux.m_hdr >> 96); \
    to[184] = 32'(dut.u_mux.m_axis_tdata); \
    to[185] = 32'(dut.u_mux.m_axis_tkeep); \
    to[186] = 32'(dut.u_mux.m_axis_tvalid); \
    to[187] = 32'(dut.u_mux.m_axis_tlast); \
    to[188] = 32'(dut.u_mux.tx_class); \
    to[189] = 32'(dut.u_frame_tx.rst); \
    to[190] = 32'(dut.u_frame_tx.s_hdr_valid); \
    to[191] = 32'(dut.u_frame_tx.s_hdr_mac); \
    to[192] = 32'(dut.u_frame_tx.s_hdr_mac >> 32); \
    to[193] = 32'(dut.u_frame_tx.s_hdr_token); \
    to[194] = 32'(dut.u_frame_tx.s_hdr_c_st); \
    to[195] = 32'(dut.u_frame_tx.s_hdr_node_id); \
    to[196] = 32'(dut.u_frame_tx.s_hdr_multi_g); \
    to[197] = 32'(dut.u_frame_tx.s_hdr_act_seq); \
    to[198] = 32'(dut.u_frame_tx.s_hdr_packet_cnt); \
    to[199] = 32'(dut.u_frame_tx.s_hdr_addr); \
    to[200] = 32'(dut.u_frame_tx.s_hdr_len); \
    to[201] = 32'(dut.u_frame_tx.s_axis_tdata); \
    to[202] = 32'(dut.u_frame_tx.s_axis_tkeep); \
    to[203] = 32'(dut.u_frame_tx.s_axis_tvalid); \
    to[204] = 32'(dut.u_frame_tx.s_axis_tlast); \
    to[205] = 32'(dut.u_frame_tx.s_hdr_ready); \
    to[206] = 32'(dut.u_frame_tx.s_axis_tready); \
    to[207] = 32'(dut.u_frame_tx.m_axis_tdata); \
    to[208] = 32'(dut.u_frame_tx.m_axis_tkeep); \
    to[209] = 32'(dut.u_frame_tx.m_axis_tvalid); \
    to[210] = 32'(dut.u_frame_tx.m_axis_tlast); \
    to[211] = 32'(dut.u_frame_tx.m_axis_tuser); \
    to[212] = 32'(dut.u_frame_tx.status_valid); \
    to[213] = 32'(dut.u_frame_tx.status_error); \
    to[214] = 32'(dut.u_frame_tx.u_crc32.crc_in); \
    to[215] = 32'(dut.u_frame_tx.u_crc32.tdata); \
    to[216] = 32'(dut.u_frame_tx.u_crc32.tkeep); \
    to[217] = 32'(dut.u_frame_tx.u_crc32.crc_out); \
    to[218] = 32'(dut.u_egress.rst); \
    to[219] = 32'(dut.u_egress.rd_word); \
    to[220] = 32'(dut.u_egress.rd_word >> 32); \
    to[221] = 32'(dut.u_egress.some); \
    to[222] = 32'(dut.u_egress.grant); \
    to[223] = 32'(dut.u_egress.grant_cycles); \
    to[224] = 32'(dut.u_egress.tx_tdata); \
    to[225] = 32'(dut.u_egress.tx_tkeep); \
    to[226] = 32'(dut.u_egress.tx_tvalid); \
    to[227] = 32'(dut.u_egress.tx_tlast); \
    to[228] = 32'(dut.u_egress.tx_tuser); \
    to[229] = 32'(dut.u_egress.rd_ready); \
    to[230] = 32'(dut.u_egress.boundary); \
    to[231] = 32'(dut.u_egress.m_axis_tdata); \
    to[232] = 32'(dut.u_egress.m_axis_tkeep); \
    to[233] = 32'(dut.u_egress.m_axis_tvalid); \
    to[234] = 32'(dut.u_egress.m_axis_tlast); \
    to[235] = 32'(dut.u_egress.m_axis_tuser); \
    to[236] = 32'(dut.u_counters.rst); \
    to[237] = 32'(dut.u_counters.events); \
    to[238] = 32'(dut.u_counters.addr); \
    to[239] = 32'(dut.u_counters.data); \
  end

`define AWG_RING_NODE_WORDS(dut, h, status) \
  begin \
    int awg_code; \
    status = 0; \
    for (int i = 0; i < $size(dut.u_buffer.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 0, i, 128'(dut.u_buffer.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_rx_buffer.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 1, i, 128'(dut.u_rx_buffer.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_rx_buffer.last_mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 2, i, 128'(dut.u_rx_buffer.last_mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_rx_buffer.hdr_mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 3, i, 128'(dut.u_rx_buffer.hdr_mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_counters.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 4, i, 128'(dut.u_counters.mem[i])); if (awg_code != 0) status = awg_code; end \
  end

`define AWG_SMB_PORTS(s_in, s_out) \
  .rst(s_in.rst), \
  .s_axi_awaddr(s_in.s_axi_awaddr), \
  .s_axi_awprot(s_in.s_axi_awprot), \
  .s_axi_awvalid(s_in.s_axi_awvalid), \
  .s_axi_wdata(s_in.s_axi_wdata), \
  .s_axi_wstrb(s_in.s_axi_wstrb), \
  .s_axi_wvalid(s_in.s_axi_wvalid), \
  .s_axi_bready(s_in.s_axi_bready), \
  .s_axi_araddr(s_in.s_axi_araddr), \
  .s_axi_arprot(s_in.s_axi_arprot), \
  .s_axi_arvalid(s_in.s_axi_arvalid), \
  .s_axi_rready(s_in.s_axi_rready), \
  .s_axis_tdata(s_in.s_axis_tdata), \
  .s_axis_tkeep(s_in.s_axis_tkeep), \
  .s_axis_tvalid(s_in.s_axis_tvalid), \
  .s_axis_tlast(s_in.s_axis_tlast), \
  .s_axis_tuser(s_in.s_axis_tuser), \
  .s_axi_awready(s_out.s_axi_awready), \
  .s_axi_wready(s_out.s_axi_wready), \
  .s_axi_bresp(s_out.s_axi_bresp), \
  .s_axi_bvalid(s_out.s_axi_bvalid), \
  .s_axi_arready(s_out.s_axi_arready), \
  .s_axi_rdata(s_out.s_axi_rdata), \
  .s_axi_rresp(s_out.s_axi_rresp), \
  .s_axi_rvalid(s_out.s_axi_rvalid), \
  .m_axis_tdata(s_out.m_axis_tdata), \
  .m_axis_tkeep(s_out.m_axis_tkeep), \
  .m_axis_tvalid(s_out.m_axis_tvalid), \
  .m_axis_tlast(s_out.m_axis_tlast), \
  .m_axis_tuser(s_out.m_axis_tuser), \
  .irq(s_out.irq)

`define AWG_SMB_REGISTERS(dut, to) \
  begin \
    to[0] = 32'(dut.u_axil.state_q); \
    to[1] = 32'(dut.u_axil.write_q); \
    to[2] = 32'(dut.u_axil.addr_q); \
    to[3] = 32'(dut.u_axil.wdata_q); \
    to[4] = 32'(dut.u_axil.wstrb_q); \
    to[5] = 32'(dut.u_axil.rdata_q); \
    to[6] = 32'(dut.u_axil.error_q); \
    to[7] = 32'(dut.u_axil.turn_q); \
    to[8] = 32'(dut.u_axil.ready_q); \
    to[9] = 32'(dut.u_regs.state_q); \
    to[10] = 32'(dut.u_regs.enable_q); \
    to[11] = 32'(dut.u_regs.prefix_q); \
    to[12] = 32'(dut.u_regs.prefix_q >> 32); \
    to[13] = 32'(dut.u_regs.node_id_q); \
    to[14] = 32'(dut.u_regs.groups_q); \
    to[15] = 32'(dut.u_regs.tokens_q); \
    to[16] = 32'(dut.u_regs.timeout_q); \
    to[17] = 32'(dut.u_regs.combine_q); \
    to[18] = 32'(dut.u_regs.period_q); \
    to[19] = 32'(dut.u_regs.status_q); \
    to[20] = 32'(dut.u_regs.mask_q); \
    to[21] = 32'(dut.u_regs.irq_q); \
    to[22] = 32'(dut.u_regs.ok_q); \
    to[23] = 32'(dut.u_regs.sel_q); \
    to[24] = 32'(dut.u_window.state_q); \
    to[25] = 32'(dut.u_combiner.open_q); \
    to[26] = 32'(dut.u_combiner.addr_q); \
    to[27] = 32'(dut.u_combiner.len_q); \
    to[28] = 32'(dut.u_combiner.seq_q); \
    to[29] = 32'(dut.u_combiner.next_q); \
    to[30] = 32'(dut.u_combiner.last_q); \
    to[31] = 32'(dut.u_combiner.chain_q); \
    to[32] = 32'(dut.u_combiner.idle_q); \
    to[33] = 32'(dut.u_combiner.time_q); \
    to[34] = 32'(dut.u_data.state_q); \
    to[35] = 32'(dut.u_data.wr_q); \
    to[36] = 32'(dut.u_data.free_q); \
    to[37] = 32'(dut.u_data.rd_q); \
    to[38] = 32'(dut.u_data.tail_q); \
    to[39] = 32'(dut.u_data.base_q); \
    to[40] = 32'(dut.u_data.next_q); \
    to[41] = 32'(dut.u_data.fresh_q); \
    to[42] = 32'(dut.u_data.rewind_q); \
    to[43] = 32'(dut.u_data.recover_q); \
    to[44] = 32'(dut.u_data.timer_q); \
    to[45] = 32'(dut.u_data.retries_q); \
    to[46] = 32'(dut.u_data.addr_q); \
    to[47] = 32'(dut.u_data.len_q); \
    to[48] = 32'(dut.u_data.seq_q); \
    to[49] = 32'(dut.u_data.left_q); \
    to[50] = 32'(dut.u_data.words_full_q); \
    to[51] = 32'(dut.u_data.frames_full_q); \
    to[52] = 32'(dut.u_data.word_q); \
    to[53] = 32'(dut.u_signal.state_q); \
    to[54] = 32'(dut.u_signal.wr_q); \
    to[55] = 32'(dut.u_signal.rd_q); \
    to[56] = 32'(dut.u_signal.engine_q); \
    to[57] = 32'(dut.u_signal.number_q); \
    to[58] = 32'(dut.u_signal.order_q); \
    to[59] = 32'(dut.u_signal.mark_q); \
    to[60] = 32'(dut.u_signal.token_q); \
    to[61] = 32'(dut.u_signal.c_st_q); \
    to[62] = 32'(dut.u_signal.node_id_q); \
    to[63] = 32'(dut.u_signal.multi_g_q); \
    to[64] = 32'(dut.u_signal.len_q); \
    to[65] = 32'(dut.u_signal.index_q); \
    to[66] = 32'(dut.u_signal.word_q); \
    to[67] = 32'(dut.u_signal.timer_q); \
    to[68] = 32'(dut.u_signal.retries_q); \
    to[69] = 32'(dut.u_control.state_q); \
    to[70] = 32'(dut.u_control.count_q); \
    to[71] = 32'(dut.u_control.timer_q); \
    to[72] = 32'(dut.u_control.synced_q); \
    to[73] = 32'(dut.u_control.active_q); \
    to[74] = 32'(dut.u_control.period_q); \
    to[75] = 32'(dut.u_control.due_q); \
    to[76] = 32'(dut.u_control.quiet_q); \
    to[77] = 32'(dut.u_control.limit_q); \
    to[78] = 32'(dut.u_control.beat_q); \
    to[79] = 32'(dut.u_control.token_q); \
    to[80] = 32'(dut.u_control.seen_q); \
    to[81] = 32'(dut.u_control.clean_q); \
    to[82] = 32'(dut.u_control.short_q); \
    to[83] = 32'(dut.u_control.over_q); \
    to[84] = 32'(dut.u_control.best_q); \
    to[85] = 32'(dut.u_control.add_q); \
    to[86] = 32'(dut.u_control.discard_q); \
    to[87] = 32'(dut.u_fence.state_q); \
    to[88] = 32'(dut.u_fence.count_q); \
    to[89] = 32'(dut.u_fence.timer_q); \
    to[90] = 32'(dut.u_fence.busy_q); \
    to[91] = 32'(dut.u_fence.fenced_q); \
    to[92] = 32'(dut.u_fence.fence_q); \
    to[93] = 32'(dut.u_fence.whole_q); \
    to[94] = 32'(dut.u_fence.joining_q); \
    to[95] = 32'(dut.u_fence.settled_q); \
    to[96] = 32'(dut.u_fence.owe_q); \
    to[97] = 32'(dut.u_fence.owe_node_q); \
    to[98] = 32'(dut.u_fence.owe_count_q); \
    to[99] = 32'(dut.u_fence.echo_q); \
    to[100] = 32'(dut.u_fence.here_low_q); \
    to[101] = 32'(dut.u_fence.here_low_q >> 32); \
    to[102] = 32'(dut.u_fence.here_low_q >> 64); \
    to[103] = 32'(dut.u_fence.here_low_q >> 96); \
    to[104] = 32'(dut.u_fence.here_high_q); \
    to[105] = 32'(dut.u_fence.here_high_q >> 32); \
    to[106] = 32'(dut.u_fence.here_high_q >> 64); \
    to[107] = 32'(dut.u_fence.here_high_q >> 96); \
    to[108] = 32'(dut.u_fence.heard_q); \
    to[109] = 32'(dut.u_fence.peer_q); \
    to[110] = 32'(dut.u_fence.lead_q); \
    to[111] = 32'(dut.u_fence.mine_q); \
    to[112] = 32'(dut.u_join.state_q); \
    to[113] = 32'(dut.u_join.fill_q); \
    to[114] = 32'(dut.u_join.status_q); \
    to[115] = 32'(dut.u_join.mask_q); \
    to[116] = 32'(dut.u_join.irq_q); \
    to[117] = 32'(dut.u_join.ok_q); \
    to[118] = 32'(dut.u_join.sel_q); \
    to[119] = 32'(dut.u_known.busy_q); \
    to[120] = 32'(dut.u_known.at_q); \
    to[121] = 32'(dut.u_known.known_q); \
    to[122] = 32'(dut.u_mux.busy_q); \
    to[123] = 32'(dut.u_mux.pick_q); \
    to[124] = 32'(dut.u_node.u_ingress.s1_valid_q); \
    to[125] = 32'(dut.u_node.u_ingress.s1_data_q); \
    to[126] = 32'(dut.u_node.u_ingress.s1_keep_q); \
    to[127] = 32'(dut.u_node.u_ingress.s1_last_q); \
    to[128] = 32'(dut.u_node.u_ingress.s1_user_q); \
    to[129] = 32'(dut.u_node.u_ingress.s2_valid_q); \
    to[130] = 32'(dut.u_node.u_ingress.s2_data_q); \
    to[131] = 32'(dut.u_node.u_ingress.s2_keep_q); \
    to[132] = 32'(dut.u_node.u_ingress.s2_last_q); \
    to[133] = 32'(dut.u_node.u_ingress.s2_user_q); \
    to[134] = 32'(dut.u_node.u_ingress.complete_q); \
    to[135] = 32'(dut.u_node.u_ingress.own_q); \
    to[136] = 32'(dut.u_node.u_ingress.state_q); \
    to[137] = 32'(dut.u_node.u_ingress.word_q); \
    to[138] = 32'(dut.u_node.u_ingress.slot_q); \
    to[139] = 32'(dut.u_node.u_ingress.kind_q); \
    to[140] = 32'(dut.u_node.u_ingress.kind1_q); \
    to[141] = 32'(dut.u_node.u_buffer.wr_ptr_q); \
    to[142] = 32'(dut.u_node.u_buffer.rd_ptr_q); \
    to[143] = 32'(dut.u_node.u_buffer.words_q); \
    to[144] = 32'(dut.u_node.u_buffer.some_q); \
    to[145] = 32'(dut.u_node.u_buffer.bypass_q); \
    to[146] = 32'(dut.u_node.u_buffer.new_q); \
    to[147] = 32'(dut.u_node.u_buffer.new_q >> 32); \
    to[148] = 32'(dut.u_node.u_buffer.head_q); \
    to[149] = 32'(dut.u_node.u_buffer.head_q >> 32); \
    to[150] = 32'(dut.u_node.u_frame_rx.state_q); \
    to[151] = 32'(dut.u_node.u_frame_rx.bytes_q); \
    to[152] = 32'(dut.u_node.u_frame_rx.crc_q); \
    to[153] = 32'(dut.u_node.u_frame_rx.bad_keep_q); \
    to[154] = 32'(dut.u_node.u_frame_rx.abort_q); \
    to[155] = 32'(dut.u_node.u_frame_rx.monitor_q); \
    to[156] = 32'(dut.u_node.u_frame_rx.hdr_q); \
    to[157] = 32'(dut.u_node.u_frame_rx.hdr_q >> 32); \
    to[158] = 32'(dut.u_node.u_frame_rx.hdr_q >> 64); \
    to[159] = 32'(dut.u_node.u_frame_rx.hdr_q >> 96); \
    to[160] = 32'(dut.u_node.u_frame_rx.count_q); \
    to[161] = 32'(dut.u_node.u_frame_rx.prev_q); \
    to[162] = 32'(dut.u_node.u_frame_rx.prev2_q); \
    to[163] = 32'(dut.u_node.u_frame_rx.end_q); \
    to[164] = 32'(dut.u_node.u_frame_rx.v_valid_q); \
    to[165] = 32'(dut.u_node.u_frame_rx.v_good_q); \
    to[166] = 32'(dut.u_node.u_frame_rx.v_check_q); \
    to[167] = 32'(dut.u_node.u_frame_rx.v_monitor_q); \
    to[168] = 32'(dut.u_node.u_frame_rx.v_hdr_q); \
    to[169] = 32'(dut.u_node.u_frame_rx.v_hdr_q >> 32); \
    to[170] = 32'(dut.u_node.u_frame_rx.v_hdr_q >> 64); \
    to[171] = 32'(dut.u_node.u_frame_rx.v_hdr_q >> 96); \
    to[172] = 32'(dut.u_node.u_frame_rx.last_beat_q); \
    to[173] = 32'(dut.u_node.u_frame_rx.held_q); \
    to[174] = 32'(dut.u_node.u_frame_rx.last_keep_q); \
    to[175] = 32'(dut.u_node.u_frame_rx.m_valid_q); \
    to[176] = 32'(dut.u_node.u_frame_rx.m_data_q); \
    to[177] = 32'(dut.u_node.u_frame_rx.m_keep_q); \
    to[178] = 32'(dut.u_node.u_frame_rx.m_last_q); \
    to[179] = 32'(dut.u_node.u_frame_rx.m_user_q); \
    to[180] = 32'(dut.u_node.u_filter.ret_valid_q); \
    to[181] = 32'(dut.u_node.u_filter.ret_good_q); \
    to[182] = 32'(dut.u_node.u_filter.ret_token_q); \
    to[183] = 32'(dut.u_node.u_filter.ret_c_st_q); \
    to[184] = 32'(dut.u_node.u_filter.ret_packet_cnt_q); \
    to[185] = 32'(dut.u_node.u_rx_buffer.wr_ptr_q); \
    to[186] = 32'(dut.u_node.u_rx_buffer.commit_ptr_q); \
    to[187] = 32'(dut.u_node.u_rx_buffer.rd_ptr_q); \
    to[188] = 32'(dut.u_node.u_rx_buffer.lost_q); \
    to[189] = 32'(dut.u_node.u_rx_buffer.head_q); \
    to[190] = 32'(dut.u_node.u_rx_buffer.head_q >> 32); \
    to[191] = 32'(dut.u_node.u_rx_buffer.last_q); \
    to[192] = 32'(dut.u_node.u_rx_buffer.next_last_q); \
    to[193] = 32'(dut.u_node.u_rx_buffer.hdr_wr_q); \
    to[194] = 32'(dut.u_node.u_rx_buffer.hdr_rd_q); \
    to[195] = 32'(dut.u_node.u_rx_buffer.hdr_head_q); \
    to[196] = 32'(dut.u_node.u_rx_buffer.hdr_head_q >> 32); \
    to[197] = 32'(dut.u_node.u_rx_buffer.hdr_head_q >> 64); \
    to[198] = 32'(dut.u_node.u_rx_buffer.hdr_head_q >> 96); \
    to[199] = 32'(dut.u_node.u_data_gate.pending_q); \
    to[200] = 32'(dut.u_node.u_data_gate.ahead_q); \
    to[201] = 32'(dut.u_node.u_data_gate.open_q); \
    to[202] = 32'(dut.u_node.u_signal_gate.pending_q); \
    to[203] = 32'(dut.u_node.u_signal_gate.ahead_q); \
    to[204] = 32'(dut.u_node.u_signal_gate.open_q); \
    to[205] = 32'(dut.u_node.u_arbiter.held_q); \
    to[206] = 32'(dut.u_node.u_arbiter.hand_q); \
    to[207] = 32'(dut.u_node.u_arbiter.single_q); \
    to[208] = 32'(dut.u_node.u_arbiter.run_q); \
    to[209] = 32'(dut.u_node.u_arbiter.over_q); \
    to[210] = 32'(dut.u_node.u_arbiter.turn_q); \
    to[211] = 32'(dut.u_node.u_arbiter.data_cycles_q); \
    to[212] = 32'(dut.u_node.u_arbiter.signal_cycles_q); \
    to[213] = 32'(dut.u_node.u_arbiter.room_data_q); \
    to[214] = 32'(dut.u_node.u_arbiter.room_signal_q); \
    to[215] = 32'(dut.u_node.u_arbiter.room_min_q); \
    to[216] = 32'(dut.u_node.u_mux.class_q); \
    to[217] = 32'(dut.u_node.u_frame_tx.state_q); \
    to[218] = 32'(dut.u_node.u_frame_tx.hdr_ready_q); \
    to[219] = 32'(dut.u_node.u_frame_tx.beat_ready_q); \
    to[220] = 32'(dut.u_node.u_frame_tx.shift_q); \
    to[221] = 32'(dut.u_node.u_frame_tx.shift_q >> 32); \
    to[222] = 32'(dut.u_node.u_frame_tx.shift_q >> 64); \
    to[223] = 32'(dut.u_node.u_frame_tx.hdr_words_q); \
    to[224] = 32'(dut.u_node.u_frame_tx.pay_left_q); \
    to[225] = 32'(dut.u_node.u_frame_tx.cov_left_q); \
    to[226] = 32'(dut.u_node.u_frame_tx.short_q); \
    to[227] = 32'(dut.u_node.u_frame_tx.error_q); \
    to[228] = 32'(dut.u_node.u_frame_tx.refused_q); \
    to[229] = 32'(dut.u_node.u_frame_tx.a_valid_q); \
    to[230] = 32'(dut.u_node.u_frame_tx.a_data_q); \
    to[231] = 32'(dut.u_node.u_frame_tx.a_count_q); \
    to[232] = 32'(dut.u_node.u_frame_tx.a_last_q); \
    to[233] = 32'(dut.u_node.u_frame_tx.a_cut_q); \
    to[234] = 32'(dut.u_node.u_frame_tx.tail_q); \
    to[235] = 32'(dut.u_node.u_frame_tx.tail_count_q); \
    to[236] = 32'(dut.u_node.u_frame_tx.crc_q); \
    to[237] = 32'(dut.u_node.u_frame_tx.m_valid_q); \
    to[238] = 32'(dut.u_node.u_frame_tx.m_data_q); \
    to[239] = 32'(dut.u_node.u_frame_tx.m_keep_q); \
    to[240] = 32'(dut.u_node.u_frame_tx.m_last_q); \
    to[241] = 32'(dut.u_node.u_frame_tx.m_user_q); \
    to[242] = 32'(dut.u_node.u_frame_tx.status_valid_q); \
    to[243] = 32'(dut.u_node.u_frame_tx.status_error_q); \
    to[244] = 32'(dut.u_node.u_egress.state_q); \
    to[245] = 32'(dut.u_node.u_egress.left_q); \
    to[246] = 32'(dut.u_node.u_egress.ending_q); \
    to[247] = 32'(dut.u_node.u_egress.m_valid_q); \
    to[248] = 32'(dut.u_node.u_egress.m_data_q); \
    to[249] = 32'(dut.u_node.u_egress.m_code_q); \
    to[250] = 32'(dut.u_node.u_egress.m_last_q); \
    to[251] = 32'(dut.u_node.u_egress.m_user_q); \
    to[252] = 32'(dut.u_node.u_counters.scan_q); \
    to[253] = 32'(dut.u_node.u_counters.clear_q); \
    to[254] = 32'(dut.u_node.u_counters.pending_q); \
    to[255] = 32'(dut.u_node.u_counters.pending_q >> 32); \
    to[256] = 32'(dut.u_node.u_counters.pending_q >> 64); \
    to[257] = 32'(dut.u_node.u_counters.data_q); \
    to[258] = 32'(dut.u_sorter.state_q); \
    to[259] = 32'(dut.u_sorter.index_q); \
    to[260] = 32'(dut.u_sorter.entry_q); \
    to[261] = 32'(dut.u_sorter.entry_q >> 32); \
    to[262] = 32'(dut.u_sorter.data_known_q); \
    to[263] = 32'(dut.u_sorter.blocked_q); \
    to[264] = 32'(dut.u_sorter.ahead_q); \
    to[265] = 32'(dut.u_sorter.outside_q); \
    to[266] = 32'(dut.u_sorter.signal_known_q); \
    to[267] = 32'(dut.u_sorter.last_q); \
    to[268] = 32'(dut.u_sorter.early_q); \
    to[269] = 32'(dut.u_sorter.full_q); \
    to[270] = 32'(dut.u_sorter.lower_q); \
    to[271] = 32'(dut.u_engine.u_regs.state_q); \
    to[272] = 32'(dut.u_engine.u_regs.locks_q); \
    to[273] = 32'(dut.u_engine.u_regs.barriers_q); \
    to[274] = 32'(dut.u_engine.u_regs.first_q); \
    to[275] = 32'(dut.u_engine.u_regs.order_q); \
    to[276] = 32'(dut.u_engine.u_regs.retry_q); \
    to[277] = 32'(dut.u_engine.u_regs.timer_q); \
    to[278] = 32'(dut.u_engine.u_regs.status_q); \
    to[279] = 32'(dut.u_engine.u_regs.mask_q); \
    to[280] = 32'(dut.u_engine.u_regs.irq_q); \
    to[281] = 32'(dut.u_engine.u_regs.ok_q); \
    to[282] = 32'(dut.u_engine.u_regs.sel_q); \
    to[283] = 32'(dut.u_engine.u_router.mine_q); \
    to[284] = 32'(dut.u_engine.u_router.room_q); \
    to[285] = 32'(dut.u_engine.u_router.good_q); \
    to[286] = 32'(dut.u_engine.u_router.taken_q); \
    to[287] = 32'(dut.u_engine.u_router.kind_q); \
    to[288] = 32'(dut.u_engine.u_router.number_q); \
    to[289] = 32'(dut.u_engine.u_router.source_q); \
    to[290] = 32'(dut.u_engine.u_router.node_q); \
    to[291] = 32'(dut.u_engine.u_router.tag_q); \
    to[292] = 32'(dut.u_engine.u_router.wr_q); \
    to[293] = 32'(dut.u_engine.u_router.rd_q); \
    to[294] = 32'(dut.u_engine.u_lock.state_q); \
    to[295] = 32'(dut.u_engine.u_lock.clear_q); \
    to[296] = 32'(dut.u_engine.u_lock.held_q); \
    to[297] = 32'(dut.u_engine.u_lock.asking_q); \
    to[298] = 32'(dut.u_engine.u_lock.right_q); \
    to[299] = 32'(dut.u_engine.u_lock.given_q); \
    to[300] = 32'(dut.u_engine.u_lock.passing_q); \
    to[301] = 32'(dut.u_engine.u_lock.lock_q); \
    to[302] = 32'(dut.u_engine.u_lock.pass_q); \
    to[303] = 32'(dut.u_engine.u_lock.node_q); \
    to[304] = 32'(dut.u_engine.u_lock.tag_q); \
    to[305] = 32'(dut.u_engine.u_lock.epoch_q); \
    to[306] = 32'(dut.u_engine.u_lock.waits_q); \
    to[307] = 32'(dut.u_engine.u_lock.ahead_q); \
    to[308] = 32'(dut.u_engine.u_lock.behind_q); \
    to[309] = 32'(dut.u_engine.u_lock.later_q); \
    to[310] = 32'(dut.u_engine.u_lock.want_q); \
    to[311] = 32'(dut.u_engine.u_lock.age_q); \
    to[312] = 32'(dut.u_engine.u_lock.wr_q); \
    to[313] = 32'(dut.u_engine.u_lock.rd_q); \
    to[314] = 32'(dut.u_engine.u_lock.tick_q); \
    to[315] = 32'(dut.u_engine.u_lock.walk_on_q); \
    to[316] = 32'(dut.u_engine.u_lock.walk_q); \
    to[317] = 32'(dut.u_engine.u_lock.fired_q); \
    to[318] = 32'(dut.u_engine.u_lock.fired_slot_q); \
    to[319] = 32'(dut.u_engine.u_lock.out_valid_q); \
    to[320] = 32'(dut.u_engine.u_lock.out_pass_q); \
    to[321] = 32'(dut.u_engine.u_lock.out_lock_q); \
    to[322] = 32'(dut.u_engine.u_lock.out_order_q); \
    to[323] = 32'(dut.u_engine.u_lock.out_node_q); \
    to[324] = 32'(dut.u_engine.u_lock.out_tag_q); \
    to[325] = 32'(dut.u_engine.u_lock.out_epoch_q); \
    to[326] = 32'(dut.u_engine.u_lock.done_q); \
    to[327] = 32'(dut.u_engine.u_lock.u_list.some_q); \
    to[328] = 32'(dut.u_engine.u_lock.u_list.entry_q); \
    to[329] = 32'(dut.u_engine.u_lock.u_list.before_q); \
    to[330] = 32'(dut.u_engine.u_lock.u_list.after_q); \
    to[331] = 32'(dut.u_engine.u_barrier.state_q); \
    to[332] = 32'(dut.u_engine.u_barrier.number_q); \
    to[333] = 32'(dut.u_engine.u_barrier.word_q); \
    to[334] = 32'(dut.u_engine.u_barrier.sum_q); \
    to[335] = 32'(dut.u_engine.u_barrier.dirty_q); \
    to[336] = 32'(dut.u_engine.u_barrier.waiting_q); \
    to[337] = 32'(dut.u_engine.u_barrier.live_q); \
    to[338] = 32'(dut.u_engine.u_barrier.live_q >> 32); \
    to[339] = 32'(dut.u_engine.u_barrier.queued_q); \
    to[340] = 32'(dut.u_engine.u_barrier.wr_q); \
    to[341] = 32'(dut.u_engine.u_barrier.rd_q); \
    to[342] = 32'(dut.u_engine.u_barrier.age_q); \
    to[343] = 32'(dut.u_engine.u_barrier.due_q); \
    to[344] = 32'(dut.u_engine.u_barrier.out_valid_q); \
    to[345] = 32'(dut.u_engine.u_barrier.out_order_q); \
    to[346] = 32'(dut.u_engine.u_barrier.out_node_id_q); \
    to[347] = 32'(dut.u_engine.u_barrier.out_number_q); \
    to[348] = 32'(dut.u_engine.u_barrier.out_tag_q); \
    to[349] = 32'(dut.u_engine.u_barrier.own_q); \
    to[350] = 32'(dut.u_engine.u_barrier.same_q); \
    to[351] = 32'(dut.u_engine.u_barrier.next_q); \
    to[352] = 32'(dut.u_engine.u_barrier.kept_q); \
    to[353] = 32'(dut.u_engine.u_barrier.takes_q); \
    to[354] = 32'(dut.u_engine.u_barrier.first_q); \
    to[355] = 32'(dut.u_engine.u_barrier.last_q); \
    to[356] = 32'(dut.u_engine.u_barrier.lacking_q); \
    to[357] = 32'(dut.u_engine.u_barrier.end_q); \
    to[358] = 32'(dut.u_engine.u_barrier.heard_q); \
    to[359] = 32'(dut.u_engine.u_barrier.member_q); \
    to[360] = 32'(dut.u_engine.u_mux.busy_q); \
    to[361] = 32'(dut.u_engine.u_mux.pick_q); \
    to[362] = 32'(dut.u_engine.u_mux.mark_q); \
    to[363] = 32'(dut.u_writer.state_q); \
    to[364] = 32'(dut.u_writer.word_q); \
    to[365] = 32'(dut.u_writer.shift_q); \
    to[366] = 32'(dut.u_writer.at_q); \
    to[367] = 32'(dut.u_writer.end_q); \
    to[368] = 32'(dut.u_writer.carry_q); \
    to[369] = 32'(dut.u_writer.mem_addr_q); \
    to[370] = 32'(dut.u_writer.mem_we_q); \
    to[371] = 32'(dut.u_writer.mem_wdata_q); \
    to[372] = 32'(dut.u_memory.rdata_q); \
    to[373] = 32'(dut.u_mailbox.wr_q); \
    to[374] = 32'(dut.u_mailbox.rd_q); \
    to[375] = 32'(dut.u_mailbox.data_q); \
    to[376] = 32'(dut.u_counters.scan_q); \
    to[377] = 32'(dut.u_counters.clear_q); \
    to[378] = 32'(dut.u_counters.pending_q); \
    to[379] = 32'(dut.u_counters.pending_q >> 32); \
    to[380] = 32'(dut.u_counters.pending_q >> 64); \
    to[381] = 32'(dut.u_counters.data_q); \
  end

`define AWG_SMB_WIRES(dut, to) \
  begin \
    to[0] = 32'(dut.u_axil.rst); \
    to[1] = 32'(dut.u_axil.s_axi_awaddr); \
    to[2] = 32'(dut.u_axil.s_axi_awprot); \
    to[3] = 32'(dut.u_axil.s_axi_awvalid); \
    to[4] = 32'(dut.u_axil.s_axi_wdata); \
    to[5] = 32'(dut.u_axil.s_axi_wstrb); \
    to[6] = 32'(dut.u_axil.s_axi_wvalid); \
    to[7] = 32'(dut.u_axil.s_axi_bready); \
    to[8] = 32'(dut.u_axil.s_axi_araddr); \
    to[9] = 32'(dut.u_axil.s_axi_arprot); \
    to[10] = 32'(dut.u_axil.s_axi_arvalid); \
    to[11] = 32'(dut.u_axil.s_axi_rready); \
    to[12] = 32'(dut.u_axil.rsp_valid); \
    to[13] = 32'(dut.u_axil.rsp_error); \
    to[14] = 32'(dut.u_axil.rsp_rdata); \
    to[15] = 32'(dut.u_axil.s_axi_awready); \
    to[16] = 32'(dut.u_axil.s_axi_wready); \
    to[17] = 32'(dut.u_axil.s_axi_bresp); \
    to[18] = 32'(dut.u_axil.s_axi_bvalid); \
    to[19] = 32'(dut.u_axil.s_axi_arready); \
    to[20] = 32'(dut.u_axil.s_axi_rdata); \
    to[21] = 32'(dut.u_axil.s_axi_rresp); \
    to[22] = 32'(dut.u_axil.s_axi_rvalid); \
    to[23] = 32'(dut.u_axil.req_valid); \
    to[24] = 32'(dut.u_axil.req_write); \
    to[25] = 32'(dut.u_axil.req_addr); \
    to[26] = 32'(dut.u_axil.req_wdata); \
    to[27] = 32'(dut.u_axil.req_wstrb); \
    to[28] = 32'(dut.u_regs.rst); \
    to[29] = 32'(dut.u_regs.reg_valid); \
    to[30] = 32'(dut.u_regs.reg_write); \
    to[31] = 32'(dut.u_regs.reg_addr); \
    to[32] = 32'(dut.u_regs.reg_wdata); \
    to[33] = 32'(dut.u_regs.reg_wstrb); \
    to[34] = 32'(dut.u_regs.mail_data); \
    to[35] = 32'(dut.u_regs.mail_count); \
    to[36] = 32'(dut.u_regs.node_count); \
    to[37] = 32'(dut.u_regs.board_count); \
    to[38] = 32'(dut.u_regs.synced); \
    to[39] = 32'(dut.u_regs.active); \
    to[40] = 32'(dut.u_regs.stalled); \
    to[41] = 32'(dut.u_regs.open); \
    to[42] = 32'(dut.u_regs.signal_full); \
    to[43] = 32'(dut.u_regs.signal_pending); \
    to[44] = 32'(dut.u_regs.held); \
    to[45] = 32'(dut.u_regs.base); \
    to[46] = 32'(dut.u_regs.next); \
    to[47] = 32'(dut.u_regs.tail); \
    to[48] = 32'(dut.u_regs.words_free); \
    to[49] = 32'(dut.u_regs.events); \
    to[50] = 32'(dut.u_regs.reg_done); \
    to[51] = 32'(dut.u_regs.reg_error); \
    to[52] = 32'(dut.u_regs.reg_rdata); \
    to[53] = 32'(dut.u_regs.enable); \
    to[54] = 32'(dut.u_regs.cfg_mac); \
    to[55] = 32'(dut.u_regs.cfg_mac >> 32); \
    to[56] = 32'(dut.u_regs.cfg_groups); \
    to[57] = 32'(dut.u_regs.cfg_tokens); \
    to[58] = 32'(dut.u_regs.cfg_timeout); \
    to[59] = 32'(dut.u_regs.cfg_combine); \
    to[60] = 32'(dut.u_regs.cfg_period); \
    to[61] = 32'(dut.u_regs.flush); \
    to[62] = 32'(dut.u_regs.word_we); \
    to[63] = 32'(dut.u_regs.word_index); \
    to[64] = 32'(dut.u_regs.word_data); \
    to[65] = 32'(dut.u_regs.push); \
    to[66] = 32'(dut.u_regs.push_order); \
    to[67] = 32'(dut.u_regs.push_token); \
    to[68] = 32'(dut.u_regs.push_c_st); \
    to[69] = 32'(dut.u_regs.push_node_id); \
    to[70] = 32'(dut.u_regs.push_multi_g); \
    to[71] = 32'(dut.u_regs.push_len); \
    to[72] = 32'(dut.u_regs.mail_index); \
    to[73] = 32'(dut.u_regs.mail_pop); \
    to[74] = 32'(dut.u_regs.count_addr); \
    to[75] = 32'(dut.u_regs.irq); \
    to[76] = 32'(dut.u_window.rst); \
    to[77] = 32'(dut.u_window.win_valid); \
    to[78] = 32'(dut.u_window.win_write); \
    to[79] = 32'(dut.u_window.win_addr); \
    to[80] = 32'(dut.u_window.win_wdata); \
    to[81] = 32'(dut.u_window.win_wstrb); \
    to[82] = 32'(dut.u_window.stalled); \
    to[83] = 32'(dut.u_window.closed); \
    to[84] = 32'(dut.u_window.put_ready); \
    to[85] = 32'(dut.u_window.win_done); \
    to[86] = 32'(dut.u_window.win_error); \
    to[87] = 32'(dut.u_window.mem_addr); \
    to[88] = 32'(dut.u_window.mem_we); \
    to[89] = 32'(dut.u_window.mem_wdata); \
    to[90] = 32'(dut.u_window.put_valid); \
    to[91] = 32'(dut.u_window.put_addr); \
    to[92] = 32'(dut.u_window.put_len); \
    to[93] = 32'(dut.u_window.put_data); \
    to[94] = 32'(dut.u_combiner.rst); \
    to[95] = 32'(dut.u_combiner.cfg_combine); \
    to[96] = 32'(dut.u_combiner.flush); \
    to[97] = 32'(dut.u_combiner.e_flush); \
    to[98] = 32'(dut.u_combiner.put_valid); \
    to[99] = 32'(dut.u_combiner.put_addr); \
    to[100] = 32'(dut.u_combiner.put_len); \
    to[101] = 32'(dut.u_combiner.put_data); \
    to[102] = 32'(dut.u_combiner.word_room); \
    to[103] = 32'(dut.u_combiner.frame_room); \
    to[104] = 32'(dut.u_combiner.put_ready); \
    to[105] = 32'(dut.u_combiner.word_valid); \
    to[106] = 32'(dut.u_combiner.word_data); \
    to[107] = 32'(dut.u_combiner.close_valid); \
    to[108] = 32'(dut.u_combiner.close_addr); \
    to[109] = 32'(dut.u_combiner.close_len); \
    to[110] = 32'(dut.u_combiner.close_seq); \
    to[111] = 32'(dut.u_combiner.open); \
    to[112] = 32'(dut.u_data.rst); \
    to[113] = 32'(dut.u_data.enable); \
    to[114] = 32'(dut.u_data.fence); \
    to[115] = 32'(dut.u_data.cfg_timeout); \
    to[116] = 32'(dut.u_data.word_valid); \
    to[117] = 32'(dut.u_data.word_data); \
    to[118] = 32'(dut.u_data.close_valid); \
    to[119] = 32'(dut.u_data.close_addr); \
    to[120] = 32'(dut.u_data.close_len); \
    to[121] = 32'(dut.u_data.close_seq); \
    to[122] = 32'(dut.u_data.m_hdr_ready); \
    to[123] = 32'(dut.u_data.m_axis_tready); \
    to[124] = 32'(dut.u_data.ret_valid); \
    to[125] = 32'(dut.u_data.ret_good); \
    to[126] = 32'(dut.u_data.ret_token); \
    to[127] = 32'(dut.u_data.ret_packet_cnt); \
    to[128] = 32'(dut.u_data.word_room); \
    to[129] = 32'(dut.u_data.frame_room); \
    to[130] = 32'(dut.u_data.m_hdr_valid); \
    to[131] = 32'(dut.u_data.m_hdr); \
    to[132] = 32'(dut.u_data.m_hdr >> 32); \
    to[133] = 32'(dut.u_data.m_axis_tdata); \
    to[134] = 32'(dut.u_data.m_axis_tkeep); \
    to[135] = 32'(dut.u_data.m_axis_tvalid); \
    to[136] = 32'(dut.u_data.m_axis_tlast); \
    to[137] = 32'(dut.u_data.base); \
    to[138] = 32'(dut.u_data.next); \
    to[139] = 32'(dut.u_data.tail); \
    to[140] = 32'(dut.u_data.fresh); \
    to[141] = 32'(dut.u_data.drained); \
    to[142] = 32'(dut.u_data.words_free); \
    to[143] = 32'(dut.u_data.rewound); \
    to[144] = 32'(dut.u_data.stalled); \
    to[145] = 32'(dut.u_data.ev_timeout); \
    to[146] = 32'(dut.u_data.ret_hit); \
    to[147] = 32'(dut.u_signal.rst); \
    to[148] = 32'(dut.u_signal.enable); \
    to[149] = 32'(dut.u_signal.cfg_timeout); \
    to[150] = 32'(dut.u_signal.word_we); \
    to[151] = 32'(dut.u_signal.word_index); \
    to[152] = 32'(dut.u_signal.word_data); \
    to[153] = 32'(dut.u_signal.push); \
    to[154] = 32'(dut.u_signal.push_order); \
    to[155] = 32'(dut.u_signal.push_token); \
    to[156] = 32'(dut.u_signal.push_c_st); \
    to[157] = 32'(dut.u_signal.push_node_id); \
    to[158] = 32'(dut.u_signal.push_multi_g); \
    to[159] = 32'(dut.u_signal.push_len); \
    to[160] = 32'(dut.u_signal.push_mark); \
    to[161] = 32'(dut.u_signal.e_valid); \
    to[162] = 32'(dut.u_signal.e_order); \
    to[163] = 32'(dut.u_signal.e_mark); \
    to[164] = 32'(dut.u_signal.e_c_st); \
    to[165] = 32'(dut.u_signal.e_node_id); \
    to[166] = 32'(dut.u_signal.e_data); \
    to[167] = 32'(dut.u_signal.e_data >> 32); \
    to[168] = 32'(dut.u_signal.e_data >> 64); \
    to[169] = 32'(dut.u_signal.data_base); \
    to[170] = 32'(dut.u_signal.data_next); \
    to[171] = 32'(dut.u_signal.m_hdr_ready); \
    to[172] = 32'(dut.u_signal.m_axis_tready); \
    to[173] = 32'(dut.u_signal.ret_valid); \
    to[174] = 32'(dut.u_signal.ret_good); \
    to[175] = 32'(dut.u_signal.ret_token); \
    to[176] = 32'(dut.u_signal.ret_c_st); \
    to[177] = 32'(dut.u_signal.ret_packet_cnt); \
    to[178] = 32'(dut.u_signal.full); \
    to[179] = 32'(dut.u_signal.pending); \
    to[180] = 32'(dut.u_signal.e_done); \
    to[181] = 32'(dut.u_signal.m_hdr_valid); \
    to[182] = 32'(dut.u_signal.m_hdr); \
    to[183] = 32'(dut.u_signal.m_hdr >> 32); \
    to[184] = 32'(dut.u_signal.m_hdr >> 64); \
    to[185] = 32'(dut.u_signal.m_axis_tdata); \
    to[186] = 32'(dut.u_signal.m_axis_tkeep); \
    to[187] = 32'(dut.u_signal.m_axis_tvalid); \
    to[188] = 32'(dut.u_signal.m_axis_tlast); \
    to[189] = 32'(dut.u_signal.ev_done); \
    to[190] = 32'(dut.u_signal.ev_resend); \
    to[191] = 32'(dut.u_signal.stalled); \
    to[192] = 32'(dut.u_signal.ret_hit); \
    to[193] = 32'(dut.u_signal.hold); \
    to[194] = 32'(dut.u_control.rst); \
    to[195] = 32'(dut.u_control.enable); \
    to[196] = 32'(dut.u_control.cfg_node_id); \
    to[197] = 32'(dut.u_control.cfg_tokens); \
    to[198] = 32'(dut.u_control.cfg_timeout); \
    to[199] = 32'(dut.u_control.cfg_period); \
    to[200] = 32'(dut.u_control.c_hdr_ready); \
    to[201] = 32'(dut.u_control.ret_valid); \
    to[202] = 32'(dut.u_control.ret_good); \
    to[203] = 32'(dut.u_control.ret_token); \
    to[204] = 32'(dut.u_control.ret_c_st); \
    to[205] = 32'(dut.u_control.ret_packet_cnt); \
    to[206] = 32'(dut.u_control.monitor_seen); \
    to[207] = 32'(dut.u_control.monitor_lower); \
    to[208] = 32'(dut.u_control.monitor_count); \
    to[209] = 32'(dut.u_control.token_seen); \
    to[210] = 32'(dut.u_control.buffered); \
    to[211] = 32'(dut.u_control.held); \
    to[212] = 32'(dut.u_control.ev_discarded); \
    to[213] = 32'(dut.u_control.c_hdr_valid); \
    to[214] = 32'(dut.u_control.c_hdr_c_st); \
    to[215] = 32'(dut.u_control.c_hdr_packet_cnt); \
    to[216] = 32'(dut.u_control.issue); \
    to[217] = 32'(dut.u_control.discard); \
    to[218] = 32'(dut.u_control.synced); \
    to[219] = 32'(dut.u_control.active); \
    to[220] = 32'(dut.u_control.ev_added); \
    to[221] = 32'(dut.u_control.ev_removed); \
    to[222] = 32'(dut.u_control.ev_role); \
    to[223] = 32'(dut.u_control.ret_hit); \
    to[224] = 32'(dut.u_fence.rst); \
    to[225] = 32'(dut.u_fence.synced); \
    to[226] = 32'(dut.u_fence.cfg_node_id); \
    to[227] = 32'(dut.u_fence.cfg_timeout); \
    to[228] = 32'(dut.u_fence.cmd_begin); \
    to[229] = 32'(dut.u_fence.cmd_number); \
    to[230] = 32'(dut.u_fence.cmd_again); \
    to[231] = 32'(dut.u_fence.cmd_settle); \
    to[232] = 32'(dut.u_fence.cmd_whole); \
    to[233] = 32'(dut.u_fence.clearing); \
    to[234] = 32'(dut.u_fence.s_hdr_valid); \
    to[235] = 32'(dut.u_fence.s_hdr_c_st); \
    to[236] = 32'(dut.u_fence.s_hdr_packet_cnt); \
    to[237] = 32'(dut.u_fence.m_hdr_ready); \
    to[238] = 32'(dut.u_fence.ret_valid); \
    to[239] = 32'(dut.u_fence.ret_good); \
    to[240] = 32'(dut.u_fence.ret_token); \
    to[241] = 32'(dut.u_fence.ret_c_st); \
    to[242] = 32'(dut.u_fence.ret_packet_cnt); \
    to[243] = 32'(dut.u_fence.rx_source); \
    to[244] = 32'(dut.u_fence.rx_addr); \
    to[245] = 32'(dut.u_fence.fence_seen); \
    to[246] = 32'(dut.u_fence.here_seen); \
    to[247] = 32'(dut.u_fence.drained); \
    to[248] = 32'(dut.u_fence.fresh); \
    to[249] = 32'(dut.u_fence.s_hdr_ready); \
    to[250] = 32'(dut.u_fence.m_hdr_valid); \
    to[251] = 32'(dut.u_fence.m_hdr_c_st); \
    to[252] = 32'(dut.u_fence.m_hdr_packet_cnt); \
    to[253] = 32'(dut.u_fence.m_hdr_addr); \
    to[254] = 32'(dut.u_fence.ret_hit); \
    to[255] = 32'(dut.u_fence.blocked); \
    to[256] = 32'(dut.u_fence.here_new); \
    to[257] = 32'(dut.u_fence.hold); \
    to[258] = 32'(dut.u_fence.whole); \
    to[259] = 32'(dut.u_fence.joining); \
    to[260] = 32'(dut.u_fence.settled); \
    to[261] = 32'(dut.u_fence.busy); \
    to[262] = 32'(dut.u_fence.fenced); \
    to[263] = 32'(dut.u_fence.heard); \
    to[264] = 32'(dut.u_fence.peer); \
    to[265] = 32'(dut.u_fence.ev_fenced); \
    to[266] = 32'(dut.u_fence.ev_here); \
    to[267] = 32'(dut.u_fence.ev_peer); \
    to[268] = 32'(dut.u_join.rst); \
    to[269] = 32'(dut.u_join.reg_valid); \
    to[270] = 32'(dut.u_join.reg_write); \
    to[271] = 32'(dut.u_join.reg_addr); \
    to[272] = 32'(dut.u_join.reg_wdata); \
    to[273] = 32'(dut.u_join.reg_wstrb); \
    to[274] = 32'(dut.u_join.data_pending); \
    to[275] = 32'(dut.u_join.whole); \
    to[276] = 32'(dut.u_join.joining); \
    to[277] = 32'(dut.u_join.settled); \
    to[278] = 32'(dut.u_join.busy); \
    to[279] = 32'(dut.u_join.fenced); \
    to[280] = 32'(dut.u_join.held); \
    to[281] = 32'(dut.u_join.heard); \
    to[282] = 32'(dut.u_join.peer); \
    to[283] = 32'(dut.u_join.known); \
    to[284] = 32'(dut.u_join.writing); \
    to[285] = 32'(dut.u_join.ev_fenced); \
    to[286] = 32'(dut.u_join.ev_here); \
    to[287] = 32'(dut.u_join.ev_peer); \
    to[288] = 32'(dut.u_join.reg_done); \
    to[289] = 32'(dut.u_join.reg_error); \
    to[290] = 32'(dut.u_join.reg_rdata); \
    to[291] = 32'(dut.u_join.cmd_begin); \
    to[292] = 32'(dut.u_join.cmd_number); \
    to[293] = 32'(dut.u_join.cmd_again); \
    to[294] = 32'(dut.u_join.cmd_settle); \
    to[295] = 32'(dut.u_join.cmd_whole); \
    to[296] = 32'(dut.u_join.fill_addr); \
    to[297] = 32'(dut.u_join.fill_we); \
    to[298] = 32'(dut.u_join.fill_wdata); \
    to[299] = 32'(dut.u_join.irq); \
    to[300] = 32'(dut.u_known.rst); \
    to[301] = 32'(dut.u_known.clear); \
    to[302] = 32'(dut.u_known.addr); \
    to[303] = 32'(dut.u_known.we); \
    to[304] = 32'(dut.u_known.look_addr); \
    to[305] = 32'(dut.u_known.busy); \
    to[306] = 32'(dut.u_known.known); \
    to[307] = 32'(dut.u_mux.rst); \
    to[308] = 32'(dut.u_mux.c_hdr_valid); \
    to[309] = 32'(dut.u_mux.c_hdr_c_st); \
    to[310] = 32'(dut.u_mux.c_hdr_packet_cnt); \
    to[311] = 32'(dut.u_mux.c_hdr_addr); \
    to[312] = 32'(dut.u_mux.cfg_node_id); \
    to[313] = 32'(dut.u_mux.h_hdr_valid); \
    to[314] = 32'(dut.u_mux.h_hdr); \
    to[315] = 32'(dut.u_mux.h_hdr >> 32); \
    to[316] = 32'(dut.u_mux.h_hdr >> 64); \
    to[317] = 32'(dut.u_mux.h_axis_tdata); \
    to[318] = 32'(dut.u_mux.h_axis_tkeep); \
    to[319] = 32'(dut.u_mux.h_axis_tvalid); \
    to[320] = 32'(dut.u_mux.h_axis_tlast); \
    to[321] = 32'(dut.u_mux.m_hdr_ready); \
    to[322] = 32'(dut.u_mux.m_axis_tready); \
    to[323] = 32'(dut.u_mux.c_hdr_ready); \
    to[324] = 32'(dut.u_mux.h_hdr_ready); \
    to[325] = 32'(dut.u_mux.h_axis_tready); \
    to[326] = 32'(dut.u_mux.m_hdr_valid); \
    to[327] = 32'(dut.u_mux.m_hdr); \
    to[328] = 32'(dut.u_mux.m_hdr >> 32); \
    to[329] = 32'(dut.u_mux.m_hdr >> 64); \
    to[330] = 32'(dut.u_mux.m_axis_tdata); \
    to[331] = 32'(dut.u_mux.m_axis_tkeep); \
    to[332] = 32'(dut.u_mux.m_axis_tvalid); \
    to[333] = 32'(dut.u_mux.m_axis_tlast); \
    to[334] = 32'(dut.u_node.rst); \
    to[335] = 32'(dut.u_node.cfg_mac); \
    to[336] = 32'(dut.u_node.cfg_mac >> 32); \
    to[337] = 32'(dut.u_node.cfg_node_id); \
    to[338] = 32'(dut.u_node.cfg_groups); \
    to[339] = 32'(dut.u_node.cfg_monitor); \
    to[340] = 32'(dut.u_node.issue); \
    to[341] = 32'(dut.u_node.discard); \
    to[342] = 32'(dut.u_node.s_axis_tdata); \
    to[343] = 32'(dut.u_node.s_axis_tkeep); \
    to[344] = 32'(dut.u_node.s_axis_tvalid); \
    to[345] = 32'(dut.u_node.s_axis_tlast); \
    to[346] = 32'(dut.u_node.s_axis_tuser); \
    to[347] = 32'(dut.u_node.s_data_hdr_valid); \
    to[348] = 32'(dut.u_node.s_data_hdr_act_seq); \
    to[349] = 32'(dut.u_node.s_data_hdr_packet_cnt); \
    to[350] = 32'(dut.u_node.s_data_hdr_addr); \
    to[351] = 32'(dut.u_node.s_data_hdr_len); \
    to[352] = 32'(dut.u_node.s_data_axis_tdata); \
    to[353] = 32'(dut.u_node.s_data_axis_tkeep); \
    to[354] = 32'(dut.u_node.s_data_axis_tvalid); \
    to[355] = 32'(dut.u_node.s_data_axis_tlast); \
    to[356] = 32'(dut.u_node.s_signal_hdr_valid); \
    to[357] = 32'(dut.u_node.s_signal_hdr_token); \
    to[358] = 32'(dut.u_node.s_signal_hdr_c_st); \
    to[359] = 32'(dut.u_node.s_signal_hdr_node_id); \
    to[360] = 32'(dut.u_node.s_signal_hdr_multi_g); \
    to[361] = 32'(dut.u_node.s_signal_hdr_act_seq); \
    to[362] = 32'(dut.u_node.s_signal_hdr_packet_cnt); \
    to[363] = 32'(dut.u_node.s_signal_hdr_addr); \
    to[364] = 32'(dut.u_node.s_signal_hdr_len); \
    to[365] = 32'(dut.u_node.s_signal_axis_tdata); \
    to[366] = 32'(dut.u_node.s_signal_axis_tkeep); \
    to[367] = 32'(dut.u_node.s_signal_axis_tvalid); \
    to[368] = 32'(dut.u_node.s_signal_axis_tlast); \
    to[369] = 32'(dut.u_node.m_rx_hdr_ready); \
    to[370] = 32'(dut.u_node.m_rx_axis_tready); \
    to[371] = 32'(dut.u_node.count_addr); \
    to[372] = 32'(dut.u_node.m_axis_tdata); \
    to[373] = 32'(dut.u_node.m_axis_tkeep); \
    to[374] = 32'(dut.u_node.m_axis_tvalid); \
    to[375] = 32'(dut.u_node.m_axis_tlast); \
    to[376] = 32'(dut.u_node.m_axis_tuser); \
    to[377] = 32'(dut.u_node.s_data_hdr_ready); \
    to[378] = 32'(dut.u_node.s_data_axis_tready); \
    to[379] = 32'(dut.u_node.s_signal_hdr_ready); \
    to[380] = 32'(dut.u_node.s_signal_axis_tready); \
    to[381] = 32'(dut.u_node.m_rx_hdr_valid); \
    to[382] = 32'(dut.u_node.m_rx_hdr_mac); \
    to[383] = 32'(dut.u_node.m_rx_hdr_mac >> 32); \
    to[384] = 32'(dut.u_node.m_rx_hdr_token); \
    to[385] = 32'(dut.u_node.m_rx_hdr_c_st); \
    to[386] = 32'(dut.u_node.m_rx_hdr_node_id); \
    to[387] = 32'(dut.u_node.m_rx_hdr_multi_g); \
    to[388] = 32'(dut.u_node.m_rx_hdr_act_seq); \
    to[389] = 32'(dut.u_node.m_rx_hdr_packet_cnt); \
    to[390] = 32'(dut.u_node.m_rx_hdr_addr); \
    to[391] = 32'(dut.u_node.m_rx_hdr_len); \
    to[392] = 32'(dut.u_node.m_rx_axis_tdata); \
    to[393] = 32'(dut.u_node.m_rx_axis_tkeep); \
    to[394] = 32'(dut.u_node.m_rx_axis_tvalid); \
    to[395] = 32'(dut.u_node.m_rx_axis_tlast); \
    to[396] = 32'(dut.u_node.m_ret_valid); \
    to[397] = 32'(dut.u_node.m_ret_good); \
    to[398] = 32'(dut.u_node.m_ret_token); \
    to[399] = 32'(dut.u_node.m_ret_c_st); \
    to[400] = 32'(dut.u_node.m_ret_packet_cnt); \
    to[401] = 32'(dut.u_node.m_sent_valid); \
    to[402] = 32'(dut.u_node.m_sent_class); \
    to[403] = 32'(dut.u_node.m_sent_error); \
    to[404] = 32'(dut.u_node.count_data); \
    to[405] = 32'(dut.u_node.held); \
    to[406] = 32'(dut.u_node.token_seen); \
    to[407] = 32'(dut.u_node.buffered); \
    to[408] = 32'(dut.u_node.ev_orphan); \
    to[409] = 32'(dut.u_node.ev_discarded); \
    to[410] = 32'(dut.u_node.u_ingress.rst); \
    to[411] = 32'(dut.u_node.u_ingress.s_axis_tdata); \
    to[412] = 32'(dut.u_node.u_ingress.s_axis_tkeep); \
    to[413] = 32'(dut.u_node.u_ingress.s_axis_tvalid); \
    to[414] = 32'(dut.u_node.u_ingress.s_axis_tlast); \
    to[415] = 32'(dut.u_node.u_ingress.s_axis_tuser); \
    to[416] = 32'(dut.u_node.u_ingress.cfg_mac); \
    to[417] = 32'(dut.u_node.u_ingress.cfg_mac >> 32); \
    to[418] = 32'(dut.u_node.u_ingress.cfg_monitor); \
    to[419] = 32'(dut.u_node.u_ingress.take_free); \
    to[420] = 32'(dut.u_node.u_ingress.link_tdata); \
    to[421] = 32'(dut.u_node.u_ingress.link_tkeep); \
    to[422] = 32'(dut.u_node.u_ingress.link_tvalid); \
    to[423] = 32'(dut.u_node.u_ingress.link_tlast); \
    to[424] = 32'(dut.u_node.u_ingress.link_tuser); \
    to[425] = 32'(dut.u_node.u_ingress.wr_valid); \
    to[426] = 32'(dut.u_node.u_ingress.wr_word); \
    to[427] = 32'(dut.u_node.u_ingress.wr_word >> 32); \
    to[428] = 32'(dut.u_node.u_ingress.token_in); \
    to[429] = 32'(dut.u_node.u_ingress.free_passed); \
    to[430] = 32'(dut.u_node.u_ingress.token_seen); \
    to[431] = 32'(dut.u_node.u_ingress.kind); \
    to[432] = 32'(dut.u_node.u_ingress.ev_passed); \
    to[433] = 32'(dut.u_node.u_ingress.ev_taken); \
    to[434] = 32'(dut.u_node.u_ingress.ev_reserved); \
    to[435] = 32'(dut.u_node.u_ingress.ev_cut); \
    to[436] = 32'(dut.u_node.u_ingress.ev_dropped); \
    to[437] = 32'(dut.u_node.u_ingress.ev_orphan); \
    to[438] = 32'(dut.u_node.u_buffer.rst); \
    to[439] = 32'(dut.u_node.u_buffer.wr_valid); \
    to[440] = 32'(dut.u_node.u_buffer.wr_word); \
    to[441] = 32'(dut.u_node.u_buffer.wr_word >> 32); \
    to[442] = 32'(dut.u_node.u_buffer.rd_ready); \
    to[443] = 32'(dut.u_node.u_buffer.rd_word); \
    to[444] = 32'(dut.u_node.u_buffer.rd_word >> 32); \
    to[445] = 32'(dut.u_node.u_buffer.words); \
    to[446] = 32'(dut.u_node.u_buffer.some); \
    to[447] = 32'(dut.u_node.u_frame_rx.rst); \
    to[448] = 32'(dut.u_node.u_frame_rx.s_axis_tdata); \
    to[449] = 32'(dut.u_node.u_frame_rx.s_axis_tkeep); \
    to[450] = 32'(dut.u_node.u_frame_rx.s_axis_tvalid); \
    to[451] = 32'(dut.u_node.u_frame_rx.s_axis_tlast); \
    to[452] = 32'(dut.u_node.u_frame_rx.s_axis_tuser); \
    to[453] = 32'(dut.u_node.u_frame_rx.m_axis_tdata); \
    to[454] = 32'(dut.u_node.u_frame_rx.m_axis_tkeep); \
    to[455] = 32'(dut.u_node.u_frame_rx.m_axis_tvalid); \
    to[456] = 32'(dut.u_node.u_frame_rx.m_axis_tlast); \
    to[457] = 32'(dut.u_node.u_frame_rx.m_axis_tuser); \
    to[458] = 32'(dut.u_node.u_frame_rx.m_hdr_valid); \
    to[459] = 32'(dut.u_node.u_frame_rx.m_hdr_good); \
    to[460] = 32'(dut.u_node.u_frame_rx.m_hdr_check); \
    to[461] = 32'(dut.u_node.u_frame_rx.m_hdr_monitor); \
    to[462] = 32'(dut.u_node.u_frame_rx.m_hdr_mac); \
    to[463] = 32'(dut.u_node.u_frame_rx.m_hdr_mac >> 32); \
    to[464] = 32'(dut.u_node.u_frame_rx.m_hdr_token); \
    to[465] = 32'(dut.u_node.u_frame_rx.m_hdr_c_st); \
    to[466] = 32'(dut.u_node.u_frame_rx.m_hdr_node_id); \
    to[467] = 32'(dut.u_node.u_frame_rx.m_hdr_multi_g); \
    to[468] = 32'(dut.u_node.u_frame_rx.m_hdr_act_seq); \
    to[469] = 32'(dut.u_node.u_frame_rx.m_hdr_packet_cnt); \
    to[470] = 32'(dut.u_node.u_frame_rx.m_hdr_addr); \
    to[471] = 32'(dut.u_node.u_frame_rx.m_hdr_len); \
    to[472] = 32'(dut.u_node.u_frame_rx.u_crc32.crc_in); \
    to[473] = 32'(dut.u_node.u_frame_rx.u_crc32.tdata); \
    to[474] = 32'(dut.u_node.u_frame_rx.u_crc32.tkeep); \
    to[475] = 32'(dut.u_node.u_frame_rx.u_crc32.crc_out); \
    to[476] = 32'(dut.u_node.u_filter.rst); \
    to[477] = 32'(dut.u_node.u_filter.kind); \
    to[478] = 32'(dut.u_node.u_filter.hdr_valid); \
    to[479] = 32'(dut.u_node.u_filter.hdr_good); \
    to[480] = 32'(dut.u_node.u_filter.hdr_check); \
    to[481] = 32'(dut.u_node.u_filter.hdr); \
    to[482] = 32'(dut.u_node.u_filter.hdr >> 32); \
    to[483] = 32'(dut.u_node.u_filter.hdr >> 64); \
    to[484] = 32'(dut.u_node.u_filter.hdr >> 96); \
    to[485] = 32'(dut.u_node.u_filter.cfg_node_id); \
    to[486] = 32'(dut.u_node.u_filter.cfg_groups); \
    to[487] = 32'(dut.u_node.u_filter.deliver); \
    to[488] = 32'(dut.u_node.u_filter.m_ret_valid); \
    to[489] = 32'(dut.u_node.u_filter.m_ret_good); \
    to[490] = 32'(dut.u_node.u_filter.m_ret_token); \
    to[491] = 32'(dut.u_node.u_filter.m_ret_c_st); \
    to[492] = 32'(dut.u_node.u_filter.m_ret_packet_cnt); \
    to[493] = 32'(dut.u_node.u_filter.ev_returned_good); \
    to[494] = 32'(dut.u_node.u_filter.ev_returned_bad); \
    to[495] = 32'(dut.u_node.u_filter.ev_bad_fcs); \
    to[496] = 32'(dut.u_node.u_filter.ev_bad_other); \
    to[497] = 32'(dut.u_node.u_rx_buffer.rst); \
    to[498] = 32'(dut.u_node.u_rx_buffer.s_axis_tdata); \
    to[499] = 32'(dut.u_node.u_rx_buffer.s_axis_tkeep); \
    to[500] = 32'(dut.u_node.u_rx_buffer.s_axis_tvalid); \
    to[501] = 32'(dut.u_node.u_rx_buffer.s_axis_tlast); \
    to[502] = 32'(dut.u_node.u_rx_buffer.verdict); \
    to[503] = 32'(dut.u_node.u_rx_buffer.deliver); \
    to[504] = 32'(dut.u_node.u_rx_buffer.hdr); \
    to[505] = 32'(dut.u_node.u_rx_buffer.hdr >> 32); \
    to[506] = 32'(dut.u_node.u_rx_buffer.hdr >> 64); \
    to[507] = 32'(dut.u_node.u_rx_buffer.hdr >> 96); \
    to[508] = 32'(dut.u_node.u_rx_buffer.m_hdr_ready); \
    to[509] = 32'(dut.u_node.u_rx_buffer.m_axis_tready); \
    to[510] = 32'(dut.u_node.u_rx_buffer.m_hdr_valid); \
    to[511] = 32'(dut.u_node.u_rx_buffer.m_hdr); \
    to[512] = 32'(dut.u_node.u_rx_buffer.m_hdr >> 32); \
    to[513] = 32'(dut.u_node.u_rx_buffer.m_hdr >> 64); \
    to[514] = 32'(dut.u_node.u_rx_buffer.m_hdr >> 96); \
    to[515] = 32'(dut.u_node.u_rx_buffer.m_axis_tdata); \
    to[516] = 32'(dut.u_node.u_rx_buffer.m_axis_tkeep); \
    to[517] = 32'(dut.u_node.u_rx_buffer.m_axis_tvalid); \
    to[518] = 32'(dut.u_node.u_rx_buffer.m_axis_tlast); \
    to[519] = 32'(dut.u_node.u_rx_buffer.ev_delivered); \
    to[520] = 32'(dut.u_node.u_rx_buffer.ev_overflow); \
    to[521] = 32'(dut.u_node.u_data_gate.rst); \
    to[522] = 32'(dut.u_node.u_data_gate.req); \
    to[523] = 32'(dut.u_node.u_data_gate.grant); \
    to[524] = 32'(dut.u_node.u_data_gate.words); \
    to[525] = 32'(dut.u_node.u_data_gate.pop); \
    to[526] = 32'(dut.u_node.u_data_gate.pending); \
    to[527] = 32'(dut.u_node.u_data_gate.open); \
    to[528] = 32'(dut.u_node.u_signal_gate.rst); \
    to[529] = 32'(dut.u_node.u_signal_gate.req); \
    to[530] = 32'(dut.u_node.u_signal_gate.grant); \
    to[531] = 32'(dut.u_node.u_signal_gate.words); \
    to[532] = 32'(dut.u_node.u_signal_gate.pop); \
    to[533] = 32'(dut.u_node.u_signal_gate.pending); \
    to[534] = 32'(dut.u_node.u_signal_gate.open); \
    to[535] = 32'(dut.u_node.u_arbiter.rst); \
    to[536] = 32'(dut.u_node.u_arbiter.token_in); \
    to[537] = 32'(dut.u_node.u_arbiter.free_passed); \
    to[538] = 32'(dut.u_node.u_arbiter.issue); \
    to[539] = 32'(dut.u_node.u_arbiter.discard); \
    to[540] = 32'(dut.u_node.u_arbiter.refused); \
    to[541] = 32'(dut.u_node.u_arbiter.data_valid); \
    to[542] = 32'(dut.u_node.u_arbiter.data_len); \
    to[543] = 32'(dut.u_node.u_arbiter.data_pending); \
    to[544] = 32'(dut.u_node.u_arbiter.data_open); \
    to[545] = 32'(dut.u_node.u_arbiter.signal_valid); \
    to[546] = 32'(dut.u_node.u_arbiter.signal_len); \
    to[547] = 32'(dut.u_node.u_arbiter.signal_pending); \
    to[548] = 32'(dut.u_node.u_arbiter.signal_open); \
    to[549] = 32'(dut.u_node.u_arbiter.boundary); \
    to[550] = 32'(dut.u_node.u_arbiter.tx_ready); \
    to[551] = 32'(dut.u_node.u_arbiter.words); \
    to[552] = 32'(dut.u_node.u_arbiter.push); \
    to[553] = 32'(dut.u_node.u_arbiter.pop); \
    to[554] = 32'(dut.u_node.u_arbiter.take_free); \
    to[555] = 32'(dut.u_node.u_arbiter.pick_data); \
    to[556] = 32'(dut.u_node.u_arbiter.pick_signal); \
    to[557] = 32'(dut.u_node.u_arbiter.grant_data); \
    to[558] = 32'(dut.u_node.u_arbiter.grant_signal); \
    to[559] = 32'(dut.u_node.u_arbiter.grant_free); \
    to[560] = 32'(dut.u_node.u_arbiter.grant_cycles); \
    to[561] = 32'(dut.u_node.u_arbiter.held); \
    to[562] = 32'(dut.u_node.u_arbiter.ev_token_overflow); \
    to[563] = 32'(dut.u_node.u_arbiter.ev_discarded); \
    to[564] = 32'(dut.u_node.u_mux.rst); \
    to[565] = 32'(dut.u_node.u_mux.pick_data); \
    to[566] = 32'(dut.u_node.u_mux.pick_signal); \
    to[567] = 32'(dut.u_node.u_mux.grant_data); \
    to[568] = 32'(dut.u_node.u_mux.grant_signal); \
    to[569] = 32'(dut.u_node.u_mux.grant_free); \
    to[570] = 32'(dut.u_node.u_mux.cfg_mac); \
    to[571] = 32'(dut.u_node.u_mux.cfg_mac >> 32); \
    to[572] = 32'(dut.u_node.u_mux.cfg_node_id); \
    to[573] = 32'(dut.u_node.u_mux.s_data_hdr); \
    to[574] = 32'(dut.u_node.u_mux.s_data_hdr >> 32); \
    to[575] = 32'(dut.u_node.u_mux.s_data_axis_tdata); \
    to[576] = 32'(dut.u_node.u_mux.s_data_axis_tkeep); \
    to[577] = 32'(dut.u_node.u_mux.s_data_axis_tvalid); \
    to[578] = 32'(dut.u_node.u_mux.s_data_axis_tlast); \
    to[579] = 32'(dut.u_node.u_mux.s_signal_hdr); \
    to[580] = 32'(dut.u_node.u_mux.s_signal_hdr >> 32); \
    to[581] = 32'(dut.u_node.u_mux.s_signal_hdr >> 64); \
    to[582] = 32'(dut.u_node.u_mux.s_signal_axis_tdata); \
    to[583] = 32'(dut.u_node.u_mux.s_signal_axis_tkeep); \
    to[584] = 32'(dut.u_node.u_mux.s_signal_axis_tvalid); \
    to[585] = 32'(dut.u_node.u_mux.s_signal_axis_tlast); \
    to[586] = 32'(dut.u_node.u_mux.m_axis_tready); \
    to[587] = 32'(dut.u_node.u_mux.s_data_axis_tready); \
    to[588] = 32'(dut.u_node.u_mux.s_signal_axis_tready); \
    to[589] = 32'(dut.u_node.u_mux.m_hdr_valid); \
    to[590] = 32'(dut.u_node.u_mux.m_hdr); \
    to[591] = 32'(dut.u_node.u_mux.m_hdr >> 32); \
    to[592] = 32'(dut.u_node.u_mux.m_hdr >> 64); \
    to[593] = 32'(dut.u_node.u_mux.m_hdr >> 96); \
    to[594] = 32'(dut.u_node.u_mux.m_axis_tdata); \
    to[595] = 32'(dut.u_node.u_mux.m_axis_tkeep); \
    to[596] = 32'(dut.u_node.u_mux.m_axis_tvalid); \
    to[597] = 32'(dut.u_node.u_mux.m_axis_tlast); \
    to[598] = 32'(dut.u_node.u_mux.tx_class); \
    to[599] = 32'(dut.u_node.u_frame_tx.rst); \
    to[600] = 32'(dut.u_node.u_frame_tx.s_hdr_valid); \
    to[601] = 32'(dut.u_node.u_frame_tx.s_hdr_mac); \
    to[602] = 32'(dut.u_node.u_frame_tx.s_hdr_mac >> 32); \
    to[603] = 32'(dut.u_node.u_frame_tx.s_hdr_token); \
    to[604] = 32'(dut.u_node.u_frame_tx.s_hdr_c_st); \
    to[605] = 32'(dut.u_node.u_frame_tx.s_hdr_node_id); \
    to[606] = 32'(dut.u_node.u_frame_tx.s_hdr_multi_g); \
    to[607] = 32'(dut.u_node.u_frame_tx.s_hdr_act_seq); \
    to[608] = 32'(dut.u_node.u_frame_tx.s_hdr_packet_cnt); \
    to[609] = 32'(dut.u_node.u_frame_tx.s_hdr_addr); \
    to[610] = 32'(dut.u_node.u_frame_tx.s_hdr_len); \
    to[611] = 32'(dut.u_node.u_frame_tx.s_axis_tdata); \
    to[612] = 32'(dut.u_node.u_frame_tx.s_axis_tkeep); \
    to[613] = 32'(dut.u_node.u_frame_tx.s_axis_tvalid); \
    to[614] = 32'(dut.u_node.u_frame_tx.s_axis_tlast); \
    to[615] = 32'(dut.u_node.u_frame_tx.s_hdr_ready); \
    to[616] = 32'(dut.u_node.u_frame_tx.s_axis_tready); \
    to[617] = 32'(dut.u_node.u_frame_tx.m_axis_tdata); \
    to[618] = 32'(dut.u_node.u_frame_tx.m_axis_tkeep); \
    to[619] = 32'(dut.u_node.u_frame_tx.m_axis_tvalid); \
    to[620] = 32'(dut.u_node.u_frame_tx.m_axis_tlast); \
    to[621] = 32'(dut.u_node.u_frame_tx.m_axis_tuser); \
    to[622] = 32'(dut.u_node.u_frame_tx.status_valid); \
    to[623] = 32'(dut.u_node.u_frame_tx.status_error); \
    to[624] = 32'(dut.u_node.u_frame_tx.u_crc32.crc_in); \
    to[625] = 32'(dut.u_node.u_frame_tx.u_crc32.tdata); \
    to[626] = 32'(dut.u_node.u_frame_tx.u_crc32.tkeep); \
    to[627] = 32'(dut.u_node.u_frame_tx.u_crc32.crc_out); \
    to[628] = 32'(dut.u_node.u_egress.rst); \
    to[629] = 32'(dut.u_node.u_egress.rd_word); \
    to[630] = 32'(dut.u_node.u_egress.rd_word >> 32); \
    to[631] = 32'(dut.u_node.u_egress.some); \
    to[632] = 32'(dut.u_node.u_egress.grant); \
    to[633] = 32'(dut.u_node.u_egress.grant_cycles); \
    to[634] = 32'(dut.u_node.u_egress.tx_tdata); \
    to[635] = 32'(dut.u_node.u_egress.tx_tkeep); \
    to[636] = 32'(dut.u_node.u_egress.tx_tvalid); \
    to[637] = 32'(dut.u_node.u_egress.tx_tlast); \
    to[638] = 32'(dut.u_node.u_egress.tx_tuser); \
    to[639] = 32'(dut.u_node.u_egress.rd_ready); \
    to[640] = 32'(dut.u_node.u_egress.boundary); \
    to[641] = 32'(dut.u_node.u_egress.m_axis_tdata); \
    to[642] = 32'(dut.u_node.u_egress.m_axis_tkeep); \
    to[643] = 32'(dut.u_node.u_egress.m_axis_tvalid); \
    to[644] = 32'(dut.u_node.u_egress.m_axis_tlast); \
    to[645] = 32'(dut.u_node.u_egress.m_axis_tuser); \
    to[646] = 32'(dut.u_node.u_counters.rst); \
    to[647] = 32'(dut.u_node.u_counters.events); \
    to[648] = 32'(dut.u_node.u_counters.addr); \
    to[649] = 32'(dut.u_node.u_counters.data); \
    to[650] = 32'(dut.u_sorter.rst); \
    to[651] = 32'(dut.u_sorter.cfg_mac); \
    to[652] = 32'(dut.u_sorter.cfg_mac >> 32); \
    to[653] = 32'(dut.u_sorter.s_hdr_valid); \
    to[654] = 32'(dut.u_sorter.s_hdr); \
    to[655] = 32'(dut.u_sorter.s_hdr >> 32); \
    to[656] = 32'(dut.u_sorter.s_hdr >> 64); \
    to[657] = 32'(dut.u_sorter.s_hdr >> 96); \
    to[658] = 32'(dut.u_sorter.s_axis_tdata); \
    to[659] = 32'(dut.u_sorter.s_axis_tvalid); \
    to[660] = 32'(dut.u_sorter.s_axis_tlast); \
    to[661] = 32'(dut.u_sorter.writer_done); \
    to[662] = 32'(dut.u_sorter.writer_ready); \
    to[663] = 32'(dut.u_sorter.blocked); \
    to[664] = 32'(dut.u_sorter.here_new); \
    to[665] = 32'(dut.u_sorter.mail_full); \
    to[666] = 32'(dut.u_sorter.s_hdr_ready); \
    to[667] = 32'(dut.u_sorter.s_axis_tready); \
    to[668] = 32'(dut.u_sorter.start); \
    to[669] = 32'(dut.u_sorter.mail_we); \
    to[670] = 32'(dut.u_sorter.mail_index); \
    to[671] = 32'(dut.u_sorter.mail_data); \
    to[672] = 32'(dut.u_sorter.mail_commit); \
    to[673] = 32'(dut.u_sorter.monitor_seen); \
    to[674] = 32'(dut.u_sorter.monitor_lower); \
    to[675] = 32'(dut.u_sorter.fence_seen); \
    to[676] = 32'(dut.u_sorter.here_seen); \
    to[677] = 32'(dut.u_sorter.ev_data); \
    to[678] = 32'(dut.u_sorter.ev_data_again); \
    to[679] = 32'(dut.u_sorter.ev_data_gap); \
    to[680] = 32'(dut.u_sorter.ev_data_range); \
    to[681] = 32'(dut.u_sorter.ev_signal); \
    to[682] = 32'(dut.u_sorter.ev_signal_again); \
    to[683] = 32'(dut.u_sorter.ev_signal_early); \
    to[684] = 32'(dut.u_sorter.ev_signal_long); \
    to[685] = 32'(dut.u_sorter.ev_mail_full); \
    to[686] = 32'(dut.u_sorter.ev_same_id); \
    to[687] = 32'(dut.u_engine.rst); \
    to[688] = 32'(dut.u_engine.reg_valid); \
    to[689] = 32'(dut.u_engine.reg_write); \
    to[690] = 32'(dut.u_engine.reg_addr); \
    to[691] = 32'(dut.u_engine.reg_wdata); \
    to[692] = 32'(dut.u_engine.reg_wstrb); \
    to[693] = 32'(dut.u_engine.enable); \
    to[694] = 32'(dut.u_engine.cfg_node_id); \
    to[695] = 32'(dut.u_engine.s_token); \
    to[696] = 32'(dut.u_engine.s_c_st); \
    to[697] = 32'(dut.u_engine.s_we); \
    to[698] = 32'(dut.u_engine.s_index); \
    to[699] = 32'(dut.u_engine.s_data); \
    to[700] = 32'(dut.u_engine.s_commit); \
    to[701] = 32'(dut.u_engine.m_full); \
    to[702] = 32'(dut.u_engine.mark); \
    to[703] = 32'(dut.u_engine.e_done); \
    to[704] = 32'(dut.u_engine.reg_done); \
    to[705] = 32'(dut.u_engine.reg_error); \
    to[706] = 32'(dut.u_engine.reg_rdata); \
    to[707] = 32'(dut.u_engine.s_full); \
    to[708] = 32'(dut.u_engine.m_we); \
    to[709] = 32'(dut.u_engine.m_index); \
    to[710] = 32'(dut.u_engine.m_data); \
    to[711] = 32'(dut.u_engine.m_commit); \
    to[712] = 32'(dut.u_engine.ev_mail_full); \
    to[713] = 32'(dut.u_engine.flush); \
    to[714] = 32'(dut.u_engine.e_valid); \
    to[715] = 32'(dut.u_engine.e_order); \
    to[716] = 32'(dut.u_engine.e_mark); \
    to[717] = 32'(dut.u_engine.e_c_st); \
    to[718] = 32'(dut.u_engine.e_node_id); \
    to[719] = 32'(dut.u_engine.e_data); \
    to[720] = 32'(dut.u_engine.e_data >> 32); \
    to[721] = 32'(dut.u_engine.e_data >> 64); \
    to[722] = 32'(dut.u_engine.irq); \
    to[723] = 32'(dut.u_engine.u_regs.rst); \
    to[724] = 32'(dut.u_engine.u_regs.reg_valid); \
    to[725] = 32'(dut.u_engine.u_regs.reg_write); \
    to[726] = 32'(dut.u_engine.u_regs.reg_addr); \
    to[727] = 32'(dut.u_engine.u_regs.reg_wdata); \
    to[728] = 32'(dut.u_engine.u_regs.reg_wstrb); \
    to[729] = 32'(dut.u_engine.u_regs.enable); \
    to[730] = 32'(dut.u_engine.u_regs.ready); \
    to[731] = 32'(dut.u_engine.u_regs.lock_done); \
    to[732] = 32'(dut.u_engine.u_regs.lock_error); \
    to[733] = 32'(dut.u_engine.u_regs.arrive_done); \
    to[734] = 32'(dut.u_engine.u_regs.arrive_error); \
    to[735] = 32'(dut.u_engine.u_regs.held); \
    to[736] = 32'(dut.u_engine.u_regs.asking); \
    to[737] = 32'(dut.u_engine.u_regs.owned); \
    to[738] = 32'(dut.u_engine.u_regs.waiting); \
    to[739] = 32'(dut.u_engine.u_regs.ev_acquired); \
    to[740] = 32'(dut.u_engine.u_regs.ev_passed); \
    to[741] = 32'(dut.u_engine.u_regs.reg_done); \
    to[742] = 32'(dut.u_engine.u_regs.reg_error); \
    to[743] = 32'(dut.u_engine.u_regs.reg_rdata); \
    to[744] = 32'(dut.u_engine.u_regs.cfg_locks); \
    to[745] = 32'(dut.u_engine.u_regs.cfg_barriers); \
    to[746] = 32'(dut.u_engine.u_regs.cfg_first); \
    to[747] = 32'(dut.u_engine.u_regs.cfg_pass_order); \
    to[748] = 32'(dut.u_engine.u_regs.cfg_arrival_order); \
    to[749] = 32'(dut.u_engine.u_regs.tick); \
    to[750] = 32'(dut.u_engine.u_regs.member_we); \
    to[751] = 32'(dut.u_engine.u_regs.member_addr); \
    to[752] = 32'(dut.u_engine.u_regs.member_data); \
    to[753] = 32'(dut.u_engine.u_regs.lock_valid); \
    to[754] = 32'(dut.u_engine.u_regs.lock_release); \
    to[755] = 32'(dut.u_engine.u_regs.lock_number); \
    to[756] = 32'(dut.u_engine.u_regs.arrive_valid); \
    to[757] = 32'(dut.u_engine.u_regs.arrive_number); \
    to[758] = 32'(dut.u_engine.u_regs.irq); \
    to[759] = 32'(dut.u_engine.u_router.rst); \
    to[760] = 32'(dut.u_engine.u_router.ready); \
    to[761] = 32'(dut.u_engine.u_router.cfg_locks); \
    to[762] = 32'(dut.u_engine.u_router.cfg_barriers); \
    to[763] = 32'(dut.u_engine.u_router.s_token); \
    to[764] = 32'(dut.u_engine.u_router.s_c_st); \
    to[765] = 32'(dut.u_engine.u_router.s_we); \
    to[766] = 32'(dut.u_engine.u_router.s_index); \
    to[767] = 32'(dut.u_engine.u_router.s_data); \
    to[768] = 32'(dut.u_engine.u_router.s_commit); \
    to[769] = 32'(dut.u_engine.u_router.m_full); \
    to[770] = 32'(dut.u_engine.u_router.l_msg_ready); \
    to[771] = 32'(dut.u_engine.u_router.b_msg_ready); \
    to[772] = 32'(dut.u_engine.u_router.s_full); \
    to[773] = 32'(dut.u_engine.u_router.m_we); \
    to[774] = 32'(dut.u_engine.u_router.m_index); \
    to[775] = 32'(dut.u_engine.u_router.m_data); \
    to[776] = 32'(dut.u_engine.u_router.m_commit); \
    to[777] = 32'(dut.u_engine.u_router.l_msg_valid); \
    to[778] = 32'(dut.u_engine.u_router.b_msg_valid); \
    to[779] = 32'(dut.u_engine.u_router.msg_kind); \
    to[780] = 32'(dut.u_engine.u_router.msg_number); \
    to[781] = 32'(dut.u_engine.u_router.msg_source); \
    to[782] = 32'(dut.u_engine.u_router.msg_node); \
    to[783] = 32'(dut.u_engine.u_router.msg_tag); \
    to[784] = 32'(dut.u_engine.u_router.msg_epoch); \
    to[785] = 32'(dut.u_engine.u_router.ev_mail_full); \
    to[786] = 32'(dut.u_engine.u_lock.rst); \
    to[787] = 32'(dut.u_engine.u_lock.enable); \
    to[788] = 32'(dut.u_engine.u_lock.cfg_node_id); \
    to[789] = 32'(dut.u_engine.u_lock.cfg_order); \
    to[790] = 32'(dut.u_engine.u_lock.cfg_first); \
    to[791] = 32'(dut.u_engine.u_lock.tick); \
    to[792] = 32'(dut.u_engine.u_lock.msg_valid); \
    to[793] = 32'(dut.u_engine.u_lock.msg_kind); \
    to[794] = 32'(dut.u_engine.u_lock.msg_number); \
    to[795] = 32'(dut.u_engine.u_lock.msg_node); \
    to[796] = 32'(dut.u_engine.u_lock.msg_tag); \
    to[797] = 32'(dut.u_engine.u_lock.msg_epoch); \
    to[798] = 32'(dut.u_engine.u_lock.cmd_valid); \
    to[799] = 32'(dut.u_engine.u_lock.cmd_release); \
    to[800] = 32'(dut.u_engine.u_lock.cmd_number); \
    to[801] = 32'(dut.u_engine.u_lock.out_done); \
    to[802] = 32'(dut.u_engine.u_lock.msg_ready); \
    to[803] = 32'(dut.u_engine.u_lock.cmd_done); \
    to[804] = 32'(dut.u_engine.u_lock.cmd_error); \
    to[805] = 32'(dut.u_engine.u_lock.out_valid); \
    to[806] = 32'(dut.u_engine.u_lock.out_order); \
    to[807] = 32'(dut.u_engine.u_lock.out_c_st); \
    to[808] = 32'(dut.u_engine.u_lock.out_node_id); \
    to[809] = 32'(dut.u_engine.u_lock.out_data); \
    to[810] = 32'(dut.u_engine.u_lock.out_data >> 32); \
    to[811] = 32'(dut.u_engine.u_lock.out_data >> 64); \
    to[812] = 32'(dut.u_engine.u_lock.ready); \
    to[813] = 32'(dut.u_engine.u_lock.held); \
    to[814] = 32'(dut.u_engine.u_lock.asking); \
    to[815] = 32'(dut.u_engine.u_lock.right); \
    to[816] = 32'(dut.u_engine.u_lock.ev_acquired); \
    to[817] = 32'(dut.u_engine.u_lock.u_list.rst); \
    to[818] = 32'(dut.u_engine.u_lock.u_list.clear); \
    to[819] = 32'(dut.u_engine.u_lock.u_list.clear_address); \
    to[820] = 32'(dut.u_engine.u_lock.u_list.read); \
    to[821] = 32'(dut.u_engine.u_lock.u_list.read_lock); \
    to[822] = 32'(dut.u_engine.u_lock.u_list.read_node); \
    to[823] = 32'(dut.u_engine.u_lock.u_list.lock); \
    to[824] = 32'(dut.u_engine.u_lock.u_list.node); \
    to[825] = 32'(dut.u_engine.u_lock.u_list.learn); \
    to[826] = 32'(dut.u_engine.u_lock.u_list.learn_waiting); \
    to[827] = 32'(dut.u_engine.u_lock.u_list.learn_tag); \
    to[828] = 32'(dut.u_engine.u_lock.u_list.unlink); \
    to[829] = 32'(dut.u_engine.u_lock.u_list.append); \
    to[830] = 32'(dut.u_engine.u_lock.u_list.known); \
    to[831] = 32'(dut.u_engine.u_lock.u_list.waiting); \
    to[832] = 32'(dut.u_engine.u_lock.u_list.newest); \
    to[833] = 32'(dut.u_engine.u_lock.u_list.some); \
    to[834] = 32'(dut.u_engine.u_lock.u_list.head); \
    to[835] = 32'(dut.u_engine.u_barrier.rst); \
    to[836] = 32'(dut.u_engine.u_barrier.enable); \
    to[837] = 32'(dut.u_engine.u_barrier.cfg_node_id); \
    to[838] = 32'(dut.u_engine.u_barrier.cfg_order); \
    to[839] = 32'(dut.u_engine.u_barrier.tick); \
    to[840] = 32'(dut.u_engine.u_barrier.member_we); \
    to[841] = 32'(dut.u_engine.u_barrier.member_addr); \
    to[842] = 32'(dut.u_engine.u_barrier.member_data); \
    to[843] = 32'(dut.u_engine.u_barrier.msg_valid); \
    to[844] = 32'(dut.u_engine.u_barrier.msg_number); \
    to[845] = 32'(dut.u_engine.u_barrier.msg_source); \
    to[846] = 32'(dut.u_engine.u_barrier.msg_node); \
    to[847] = 32'(dut.u_engine.u_barrier.msg_tag); \
    to[848] = 32'(dut.u_engine.u_barrier.cmd_valid); \
    to[849] = 32'(dut.u_engine.u_barrier.cmd_number); \
    to[850] = 32'(dut.u_engine.u_barrier.out_done); \
    to[851] = 32'(dut.u_engine.u_barrier.msg_ready); \
    to[852] = 32'(dut.u_engine.u_barrier.cmd_done); \
    to[853] = 32'(dut.u_engine.u_barrier.cmd_error); \
    to[854] = 32'(dut.u_engine.u_barrier.out_valid); \
    to[855] = 32'(dut.u_engine.u_barrier.out_order); \
    to[856] = 32'(dut.u_engine.u_barrier.out_c_st); \
    to[857] = 32'(dut.u_engine.u_barrier.out_node_id); \
    to[858] = 32'(dut.u_engine.u_barrier.out_data); \
    to[859] = 32'(dut.u_engine.u_barrier.out_data >> 32); \
    to[860] = 32'(dut.u_engine.u_barrier.out_data >> 64); \
    to[861] = 32'(dut.u_engine.u_barrier.ready); \
    to[862] = 32'(dut.u_engine.u_barrier.waiting); \
    to[863] = 32'(dut.u_engine.u_barrier.ev_passed); \
    to[864] = 32'(dut.u_engine.u_mux.rst); \
    to[865] = 32'(dut.u_engine.u_mux.l_valid); \
    to[866] = 32'(dut.u_engine.u_mux.l_order); \
    to[867] = 32'(dut.u_engine.u_mux.l_c_st); \
    to[868] = 32'(dut.u_engine.u_mux.l_node_id); \
    to[869] = 32'(dut.u_engine.u_mux.l_data); \
    to[870] = 32'(dut.u_engine.u_mux.l_data >> 32); \
    to[871] = 32'(dut.u_engine.u_mux.l_data >> 64); \
    to[872] = 32'(dut.u_engine.u_mux.b_valid); \
    to[873] = 32'(dut.u_engine.u_mux.b_order); \
    to[874] = 32'(dut.u_engine.u_mux.b_c_st); \
    to[875] = 32'(dut.u_engine.u_mux.b_node_id); \
    to[876] = 32'(dut.u_engine.u_mux.b_data); \
    to[877] = 32'(dut.u_engine.u_mux.b_data >> 32); \
    to[878] = 32'(dut.u_engine.u_mux.b_data >> 64); \
    to[879] = 32'(dut.u_engine.u_mux.mark); \
    to[880] = 32'(dut.u_engine.u_mux.m_done); \
    to[881] = 32'(dut.u_engine.u_mux.l_done); \
    to[882] = 32'(dut.u_engine.u_mux.b_done); \
    to[883] = 32'(dut.u_engine.u_mux.flush); \
    to[884] = 32'(dut.u_engine.u_mux.m_valid); \
    to[885] = 32'(dut.u_engine.u_mux.m_order); \
    to[886] = 32'(dut.u_engine.u_mux.m_mark); \
    to[887] = 32'(dut.u_engine.u_mux.m_c_st); \
    to[888] = 32'(dut.u_engine.u_mux.m_node_id); \
    to[889] = 32'(dut.u_engine.u_mux.m_data); \
    to[890] = 32'(dut.u_engine.u_mux.m_data >> 32); \
    to[891] = 32'(dut.u_engine.u_mux.m_data >> 64); \
    to[892] = 32'(dut.u_writer.rst); \
    to[893] = 32'(dut.u_writer.start); \
    to[894] = 32'(dut.u_writer.addr); \
    to[895] = 32'(dut.u_writer.len); \
    to[896] = 32'(dut.u_writer.s_axis_tdata); \
    to[897] = 32'(dut.u_writer.s_axis_tvalid); \
    to[898] = 32'(dut.u_writer.s_axis_tlast); \
    to[899] = 32'(dut.u_writer.s_axis_tready); \
    to[900] = 32'(dut.u_writer.mem_addr); \
    to[901] = 32'(dut.u_writer.mem_we); \
    to[902] = 32'(dut.u_writer.mem_wdata); \
    to[903] = 32'(dut.u_writer.done); \
    to[904] = 32'(dut.u_memory.a_addr); \
    to[905] = 32'(dut.u_memory.a_we); \
    to[906] = 32'(dut.u_memory.a_wdata); \
    to[907] = 32'(dut.u_memory.b_addr); \
    to[908] = 32'(dut.u_memory.b_we); \
    to[909] = 32'(dut.u_memory.b_wdata); \
    to[910] = 32'(dut.u_memory.a_rdata); \
    to[911] = 32'(dut.u_mailbox.rst); \
    to[912] = 32'(dut.u_mailbox.we); \
    to[913] = 32'(dut.u_mailbox.index); \
    to[914] = 32'(dut.u_mailbox.data); \
    to[915] = 32'(dut.u_mailbox.commit); \
    to[916] = 32'(dut.u_mailbox.get_index); \
    to[917] = 32'(dut.u_mailbox.pop); \
    to[918] = 32'(dut.u_mailbox.full); \
    to[919] = 32'(dut.u_mailbox.get_data); \
    to[920] = 32'(dut.u_mailbox.count); \
    to[921] = 32'(dut.u_counters.rst); \
    to[922] = 32'(dut.u_counters.events); \
    to[923] = 32'(dut.u_counters.addr); \
    to[924] = 32'(dut.u_counters.data); \
  end

`define AWG_SMB_WORDS(dut, h, status) \
  begin \
    int awg_code; \
    status = 0; \
    for (int i = 0; i < $size(dut.u_data.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 0, i, 128'(dut.u_data.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_data.headers); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 1, i, 128'(dut.u_data.headers[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_data.sizes); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 2, i, 128'(dut.u_data.sizes[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_signal.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 3, i, 128'(dut.u_signal.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_signal.headers); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 4, i, 128'(dut.u_signal.headers[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_known.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 5, i, 128'(dut.u_known.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_node.u_buffer.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 6, i, 128'(dut.u_node.u_buffer.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_node.u_rx_buffer.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 7, i, 128'(dut.u_node.u_rx_buffer.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_node.u_rx_buffer.last_mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 8, i, 128'(dut.u_node.u_rx_buffer.last_mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_node.u_rx_buffer.hdr_mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 9, i, 128'(dut.u_node.u_rx_buffer.hdr_mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_node.u_counters.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 10, i, 128'(dut.u_node.u_counters.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_sorter.sources); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 11, i, 128'(dut.u_sorter.sources[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_router.queue); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 12, i, 128'(dut.u_engine.u_router.queue[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.tags); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 13, i, 128'(dut.u_engine.u_lock.tags[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.epochs); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 14, i, 128'(dut.u_engine.u_lock.epochs[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.givens); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 15, i, 128'(dut.u_engine.u_lock.givens[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.slots); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 16, i, 128'(dut.u_engine.u_lock.slots[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.u_list.entries); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 17, i, 128'(dut.u_engine.u_lock.u_list.entries[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.u_list.befores); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 18, i, 128'(dut.u_engine.u_lock.u_list.befores[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.u_list.afters); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 19, i, 128'(dut.u_engine.u_lock.u_list.afters[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.u_list.heads); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 20, i, 128'(dut.u_engine.u_lock.u_list.heads[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_lock.u_list.tails); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 21, i, 128'(dut.u_engine.u_lock.u_list.tails[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.heard); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 22, i, 128'(dut.u_engine.u_barrier.heard[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.member); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 23, i, 128'(dut.u_engine.u_barrier.member[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.episodes); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 24, i, 128'(dut.u_engine.u_barrier.episodes[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.missing); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 25, i, 128'(dut.u_engine.u_barrier.missing[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.sizes); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 26, i, 128'(dut.u_engine.u_barrier.sizes[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.asked); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 27, i, 128'(dut.u_engine.u_barrier.asked[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_engine.u_barrier.slots); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 28, i, 128'(dut.u_engine.u_barrier.slots[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_memory.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 29, i, 128'(dut.u_memory.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_mailbox.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 30, i, 128'(dut.u_mailbox.mem[i])); if (awg_code != 0) status = awg_code; end \
    for (int i = 0; i < $size(dut.u_counters.mem); i++) begin awg_code = awgstar_pkg::awg_dpi_word(h, 31, i, 128'(dut.u_counters.mem[i])); if (awg_code != 0) status = awg_code; end \
  end

`endif
