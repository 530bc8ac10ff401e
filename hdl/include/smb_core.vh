// SPDX-License-Identifier: MIT OR Apache-2.0
// The board behind its host port: all blocks of smb and smb_axi4 but that port, and the signals between them.
// Both include this text in their module, so that each block has the same path in both.
//
// The module has the parameters and ports of smb, its host port aside, and declares:
//   req_valid, req_write, req_addr, req_wdata, req_wstrb   request of the host
//   rsp_valid, rsp_error, rsp_rdata                        its answer, driven here
//   a_addr                                                 address of host_window, driven here
//   port_addr                                              address of port A of the memory
//   a_rdata                                                the word there, driven here
//
// No guard against a second inclusion: a run that reads both modules needs the text twice.
//
// Only wires here. The requirements are kept by the modules; those cited below are the ones that
// need the wires, too.
//
// Requirements: HST-2, HST-6, HST-7, WRT-1, WRT-3, SND-2, RCV-5, RCV-6, MON-2, MON-6, IRQ-1, ENG-9, JOIN-4, JOIN-5, JOIN-6.

    // WRT-3, RCV-4: both buffers of the node must have room for a frame of 1,024 bytes. Without it, one
    // would never send a long frame and the other would lose each of them.
    generate
        if (BUFFER_ADDR_W < 9 || BUFFER_ADDR_W > 15) begin : g_check_buffer
            smb_BUFFER_ADDR_W_must_be_9_to_15 u_error ();
        end
        if (ENGINE_NODE_W < 0 || ENGINE_NODE_W > 8) begin : g_check_engine
            smb_ENGINE_NODE_W_must_be_0_to_8 u_error ();
        end
        if (JOIN < 0 || JOIN > 1) begin : g_check_join
            smb_JOIN_must_be_0_to_1 u_error ();
        end
        if (RX_ADDR_W < 8 || RX_ADDR_W > 15) begin : g_check_rx
            smb_RX_ADDR_W_must_be_8_to_15 u_error ();
        end
    endgenerate

    // ---- Wires, by the instance that drives them ----

    // u_regs
    wire                         reg_done;
    wire                         reg_error;
    wire [31:0]                  reg_rdata;
    wire                         enable;
    wire [47:0]                  cfg_mac;
    wire [15:0]                  cfg_groups;
    wire [7:0]                   cfg_tokens;
    wire [23:0]                  cfg_timeout;
    wire [15:0]                  cfg_combine;
    wire [23:0]                  cfg_period;
    wire                         flush;
    wire                         signal_word_we;
    wire [3:0]                   signal_word_index;
    wire [31:0]                  signal_word_data;
    wire                         push;
    wire [1:0]                   push_order;
    wire [2:0]                   push_token;
    wire [4:0]                   push_c_st;
    wire [7:0]                   push_node_id;
    wire [3:0]                   push_multi_g;
    wire [5:0]                   push_len;
    wire [3:0]                   mail_index;
    wire                         mail_pop;
    wire [4:0]                   count_addr;

    // u_window
    wire                         win_done;
    wire                         win_error;
    wire [3:0]                   a_we;
    wire [31:0]                  a_wdata;
    wire                         put_valid;
    wire [31:0]                  put_addr;
    wire [2:0]                   put_len;
    wire [31:0]                  put_data;

    // u_combiner
    wire                         put_ready;
    wire                         word_valid;
    wire [31:0]                  word_data;
    wire                         close_valid;
    wire [31:0]                  close_addr;
    wire [10:0]                  close_len;
    wire [3:0]                   close_seq;
    wire                         open;

    // u_data
    wire                         word_room;
    wire                         frame_room;
    wire                         data_hdr_valid;
    wire [`AWG_DATA_HDR_W-1:0]   data_hdr;
    wire [31:0]                  data_axis_tdata;
    wire [3:0]                   data_axis_tkeep;
    wire                         data_axis_tvalid;
    wire                         data_axis_tlast;
    wire [7:0]                   data_base;
    wire [7:0]                   data_next;
    wire [7:0]                   data_tail;
    wire [7:0]                   data_fresh;
    wire                         drained;
    wire [TX_ADDR_W:0]           words_free;
    wire                         rewound;
    wire                         data_stalled;
    wire                         ev_timeout;
    wire                         data_ret_hit;

    // u_signal
    wire                         signal_full;
    wire                         signal_pending;
    wire                         host_hdr_valid;
    wire [`AWG_SIGNAL_HDR_W-1:0] host_hdr;
    wire [31:0]                  host_axis_tdata;
    wire [3:0]                   host_axis_tkeep;
    wire                         host_axis_tvalid;
    wire                         host_axis_tlast;
    wire                         engine_returned;
    wire                         ev_done;
    wire                         ev_resend;
    wire                         signal_stalled;
    wire                         signal_ret_hit;

    // u_control
    wire                         control_hdr_valid;
    wire [4:0]                   control_hdr_c_st;
    wire [7:0]                   control_hdr_packet_cnt;
    wire                         issue;
    wire                         discard;
    wire                         synced;
    wire                         hold; // data waits for a signal
    wire                         active;
    wire                         ev_added;
    wire                         ev_removed;
    wire                         ev_role;
    wire                         control_ret_hit;

    // u_fence
    wire                         control_hdr_ready;
    wire                         token_hdr_valid;
    wire [4:0]                   token_hdr_c_st;
    wire [7:0]                   token_hdr_packet_cnt;
    wire [31:0]                  token_hdr_addr;
    wire                         fence_ret_hit;
    wire                         blocked;
    wire                         here_new;
    wire                         fence_hold;
    wire                         whole;
    wire                         joining;
    wire                         settled;
    wire                         fence_busy;
    wire                         fenced;
    wire [8:0]                   heard;
    wire [7:0]                   peer;
    wire                         ev_fenced;
    wire                         ev_here;
    wire                         ev_peer;

    // u_join
    wire                         join_done;
    wire                         join_error;
    wire [31:0]                  join_rdata;
    wire                         cmd_begin;
    wire [7:0]                   cmd_number;
    wire                         cmd_again;
    wire                         cmd_settle;
    wire                         cmd_whole;
    wire [MEM_ADDR_W-1:0]        fill_addr;
    wire [3:0]                   fill_we;
    wire [31:0]                  fill_wdata;
    wire                         join_irq;

    // u_known
    wire                         clearing;
    wire [3:0]                   known;

    // u_mux
    wire                         token_hdr_ready;
    wire                         host_hdr_ready;
    wire                         host_axis_tready;
    wire                         signal_hdr_valid;
    wire [`AWG_SIGNAL_HDR_W-1:0] signal_hdr;
    wire [31:0]                  signal_axis_tdata;
    wire [3:0]                   signal_axis_tkeep;
    wire                         signal_axis_tvalid;
    wire                         signal_axis_tlast;

    // u_node
    wire                         data_hdr_ready;
    wire                         data_axis_tready;
    wire                         signal_hdr_ready;
    wire                         signal_axis_tready;
    wire                         rx_hdr_valid;
    wire [`AWG_HDR_W-1:0]        rx_hdr;
    wire [31:0]                  rx_axis_tdata;
    wire [3:0]                   unused_rx_tkeep;
    wire                         rx_axis_tvalid;
    wire                         rx_axis_tlast;
    wire                         ret_valid;
    wire                         ret_good;
    wire [2:0]                   ret_token;
    wire [4:0]                   ret_c_st;
    wire [7:0]                   ret_packet_cnt;
    wire                         unused_sent_valid;
    wire [1:0]                   unused_sent_class;
    wire [2:0]                   unused_sent_error;
    wire [31:0]                  node_count;
    wire [7:0]                   held;
    wire                         token_seen;
    wire                         buffered;
    wire                         ev_orphan;
    wire                         ev_discarded;

    // u_sorter
    wire                         rx_hdr_ready;
    wire                         rx_axis_tready;
    wire                         start;
    wire                         put_mail_we;
    wire [3:0]                   put_mail_index;
    wire [31:0]                  put_mail_data;
    wire                         put_mail_commit;
    wire                         monitor_seen;
    wire                         monitor_lower;
    wire                         fence_seen;
    wire                         here_seen;
    wire                         ev_data;
    wire                         ev_data_again;
    wire                         ev_data_gap;
    wire                         ev_data_range;
    wire                         ev_signal;
    wire                         ev_signal_again;
    wire                         ev_signal_early;
    wire                         ev_signal_long;
    wire                         ev_mail_full;
    wire                         ev_same_id;

    // u_engine
    wire                         engine_done;
    wire                         engine_error;
    wire [31:0]                  engine_rdata;
    wire                         engine_full;  // no room for the message under way
    wire                         box_we;
    wire [3:0]                   box_index;
    wire [31:0]                  box_data;
    wire                         box_commit;
    wire                         ev_box_full;
    wire                         engine_flush;
    wire                         engine_valid;
    wire [1:0]                   engine_order;
    wire [7:0]                   engine_mark;
    wire [4:0]                   engine_c_st;
    wire [7:0]                   engine_node_id;
    wire [79:0]                  engine_data;
    wire                         engine_irq;

    // u_writer
    wire                         writer_ready;
    wire [MEM_ADDR_W-1:0]        writer_addr;
    wire [3:0]                   writer_we;
    wire [31:0]                  writer_wdata;
    wire                         writer_done;

    // u_mailbox
    wire                         mail_full;
    wire [31:0]                  mail_data;
    wire [MAIL_W:0]              mail_count;

    // u_counters
    wire [31:0]                  board_count;

    // ---- Requests of the host (HST-2) ----

    localparam [19:0] ENGINE_PAGE = 20'd1; // bits 30:11 of the addresses of its registers
    localparam [20:0] JOIN_PAGE   = 21'd1; // bits 30:10

    wire to_window = req_addr[31];
    wire to_engine = ENGINE_NODE_W != 0 && !to_window && req_addr[30:11] == ENGINE_PAGE; // ENG-9
    wire win_valid = req_valid && to_window;
    wire to_join   = JOIN != 0 && !to_window && req_addr[30:10] == JOIN_PAGE; // JOIN-6
    wire reg_valid = req_valid && !to_window && !to_engine && !to_join;

    assign rsp_valid = win_done || reg_done || engine_done || join_done;
    assign rsp_error = to_window ? win_error : reg_error || engine_error || join_error;
    assign rsp_rdata = to_window ? a_rdata : reg_rdata | engine_rdata | join_rdata;

    // ---- Orders and states ----

    wire [7:0] push_mark = data_tail + {7'd0, open}; // SND-2: flush closes the open frame as well
    wire       stalled   = data_stalled || signal_stalled;
    wire       regs_irq;

    assign irq = regs_irq || engine_irq || join_irq;

    // HST-6: a write that finds no room and has no hope of any. Before sync nothing leaves; a write
    // that waited for it would keep the host from enabling the board.
    wire room           = word_room && frame_room;
    wire window_stalled = (data_stalled || !synced) && !room;

    // Not configured, a board must not strip frames of the board that has its MAC: a group's MAC
    // belongs to no board.
    wire [47:0] node_mac = {cfg_mac[47:41], cfg_mac[40] ^ !enable, cfg_mac[39:0]};

    // JOIN-4: in a cycle in which the ring does not write, a fill may.
    wire                  filling = fill_we != 4'b0000;
    wire [MEM_ADDR_W-1:0] b_addr  = filling ? fill_addr : writer_addr;
    wire [3:0]            b_we    = writer_we | fill_we;
    wire [31:0]           b_wdata = filling ? fill_wdata : writer_wdata;

    wire [47:0] rx_mac         = rx_hdr[`AWG_HDR_MAC];
    wire        unused_rx_mac  = &{1'b0, rx_mac}; // a source is its lower byte
    wire [31:0] rx_addr        = rx_hdr[`AWG_HDR_ADDR];
    wire        unused_rx_addr = &{1'b0, rx_addr}; // the sorter has looked at the upper bits

    wire unused_count_addr = count_addr[4]; // host_regs chooses between the two

    // ---- Events ----

    // MON-6: a good own frame that was not expected.
    wire stray = ret_valid && ret_good && !data_ret_hit && !signal_ret_hit && !control_ret_hit
              && !fence_ret_hit;

    wire [15:0]          board_events;
    wire [`AWG_IRQS-1:0] irq_events;

    assign board_events[`AWG_BOARD_COUNT_DATA]          = ev_data; // HST-7
    assign board_events[`AWG_BOARD_COUNT_DATA_AGAIN]    = ev_data_again;
    assign board_events[`AWG_BOARD_COUNT_DATA_GAP]      = ev_data_gap;
    assign board_events[`AWG_BOARD_COUNT_DATA_RANGE]    = ev_data_range;
    assign board_events[`AWG_BOARD_COUNT_SIGNAL]        = ev_signal;
    assign board_events[`AWG_BOARD_COUNT_SIGNAL_AGAIN]  = ev_signal_again;
    assign board_events[`AWG_BOARD_COUNT_SIGNAL_EARLY]  = ev_signal_early;
    assign board_events[`AWG_BOARD_COUNT_SIGNAL_LONG]   = ev_signal_long;
    assign board_events[`AWG_BOARD_COUNT_MAIL_FULL]     = ev_mail_full || ev_box_full;
    assign board_events[`AWG_BOARD_COUNT_REWOUND]       = rewound;
    assign board_events[`AWG_BOARD_COUNT_SIGNAL_RESEND] = ev_resend;
    assign board_events[`AWG_BOARD_COUNT_TIMEOUT]       = ev_timeout;
    assign board_events[`AWG_BOARD_COUNT_ORPHAN]        = ev_orphan;
    assign board_events[`AWG_BOARD_COUNT_TOKEN_ADDED]   = ev_added;
    assign board_events[`AWG_BOARD_COUNT_TOKEN_REMOVED] = ev_removed;
    assign board_events[`AWG_BOARD_COUNT_STRAY]         = stray;

    // IRQ-1. The message must be there when the host looks: its last word counts, not its verdict.
    assign irq_events[`AWG_IRQ_MAIL]        = box_commit;
    assign irq_events[`AWG_IRQ_MAIL_FULL]   = ev_mail_full || ev_box_full;
    assign irq_events[`AWG_IRQ_SIGNAL_DONE] = ev_done;
    assign irq_events[`AWG_IRQ_STALLED]     = stalled;
    assign irq_events[`AWG_IRQ_ROLE]        = ev_role;
    assign irq_events[`AWG_IRQ_TOKENS]      = ev_added || ev_removed;
    assign irq_events[`AWG_IRQ_SAME_ID]     = ev_same_id;
    assign irq_events[`AWG_IRQ_DATA_RANGE]  = ev_data_range;
    assign irq_events[`AWG_IRQ_STRAY]       = stray;

    // ---- Modules ----

    host_regs #(
        .MEM_ADDR_W (MEM_ADDR_W),
        .TX_ADDR_W  (TX_ADDR_W),
        .MAIL_W     (MAIL_W)
    ) u_regs (
        .clk            (clk),
        .rst            (rst),
        .reg_valid      (reg_valid),
        .reg_write      (req_write),
        .reg_addr       (req_addr[30:0]),
        .reg_wdata      (req_wdata),
        .reg_wstrb      (req_wstrb),
        .reg_done       (reg_done),
        .reg_error      (reg_error),
        .reg_rdata      (reg_rdata),
        .enable         (enable),
        .cfg_mac        (cfg_mac),
        .cfg_groups     (cfg_groups),
        .cfg_tokens     (cfg_tokens),
        .cfg_timeout    (cfg_timeout),
        .cfg_combine    (cfg_combine),
        .cfg_period     (cfg_period),
        .flush          (flush),
        .word_we        (signal_word_we),
        .word_index     (signal_word_index),
        .word_data      (signal_word_data),
        .push           (push),
        .push_order     (push_order),
        .push_token     (push_token),
        .push_c_st      (push_c_st),
        .push_node_id   (push_node_id),
        .push_multi_g   (push_multi_g),
        .push_len       (push_len),
        .mail_index     (mail_index),
        .mail_pop       (mail_pop),
        .mail_data      (mail_data),
        .mail_count     (mail_count),
        .count_addr     (count_addr),
        .node_count     (node_count),
        .board_count    (board_count),
        .synced         (synced),
        .active         (active),
        .stalled        (stalled),
        .open           (open),
        .signal_full    (signal_full),
        .signal_pending (signal_pending),
        .held           (held),
        .base           (data_base),
        .next           (data_next),
        .tail           (data_tail),
        .words_free     (words_free),
        .events         (irq_events),
        .irq            (regs_irq)
    );

    host_window #(
        .MEM_ADDR_W (MEM_ADDR_W)
    ) u_window (
        .clk       (clk),
        .rst       (rst),
        .win_valid (win_valid),
        .win_write (req_write),
        .win_addr  (req_addr[30:0]),
        .win_wdata (req_wdata),
        .win_wstrb (req_wstrb),
        .win_done  (win_done),
        .win_error (win_error),
        .stalled   (window_stalled),
        .closed    (JOIN != 0 && !whole),
        .mem_addr  (a_addr),
        .mem_we    (a_we),
        .mem_wdata (a_wdata),
        .put_valid (put_valid),
        .put_ready (put_ready),
        .put_addr  (put_addr),
        .put_len   (put_len),
        .put_data  (put_data)
    );

    write_combiner u_combiner (
        .clk         (clk),
        .rst         (rst),
        .cfg_combine (cfg_combine),
        .flush       (flush),
        .e_flush     (engine_flush),
        .put_valid   (put_valid),
        .put_ready   (put_ready),
        .put_addr    (put_addr),
        .put_len     (put_len),
        .put_data    (put_data),
        .word_room   (word_room),
        .frame_room  (frame_room),
        .word_valid  (word_valid),
        .word_data   (word_data),
        .close_valid (close_valid),
        .close_addr  (close_addr),
        .close_len   (close_len),
        .close_seq   (close_seq),
        .open        (open)
    );

    data_window #(
        .TX_ADDR_W  (TX_ADDR_W),
        .TX_FRAME_W (TX_FRAME_W)
    ) u_data (
        .clk              (clk),
        .rst              (rst),
        .enable           (synced && !hold),
        .fence            (fence_hold),
        .cfg_timeout      (cfg_timeout),
        .word_valid       (word_valid),
        .word_data        (word_data),
        .close_valid      (close_valid),
        .close_addr       (close_addr),
        .close_len        (close_len),
        .close_seq        (close_seq),
        .word_room        (word_room),
        .frame_room       (frame_room),
        .m_hdr_valid      (data_hdr_valid),
        .m_hdr_ready      (data_hdr_ready),
        .m_hdr            (data_hdr),
        .m_axis_tdata     (data_axis_tdata),
        .m_axis_tkeep     (data_axis_tkeep),
        .m_axis_tvalid    (data_axis_tvalid),
        .m_axis_tready    (data_axis_tready),
        .m_axis_tlast     (data_axis_tlast),
        .ret_valid        (ret_valid),
        .ret_good         (ret_good),
        .ret_token        (ret_token),
        .ret_packet_cnt   (ret_packet_cnt),
        .base             (data_base),
        .next             (data_next),
        .tail             (data_tail),
        .fresh            (data_fresh),
        .drained          (drained),
        .words_free       (words_free),
        .rewound          (rewound),
        .stalled          (data_stalled),
        .ev_timeout       (ev_timeout),
        .ret_hit          (data_ret_hit)
    );

    signal_sender #(
        .SIGNAL_W (SIGNAL_W)
    ) u_signal (
        .clk              (clk),
        .rst              (rst),
        .enable           (synced),
        .cfg_timeout      (cfg_timeout),
        .word_we          (signal_word_we),
        .word_index       (signal_word_index),
        .word_data        (signal_word_data),
        .push             (push),
        .push_order       (push_order),
        .push_token       (push_token),
        .push_c_st        (push_c_st),
        .push_node_id     (push_node_id),
        .push_multi_g     (push_multi_g),
        .push_len         (push_len),
        .push_mark        (push_mark),
        .full             (signal_full),
        .pending          (signal_pending),
        .e_valid          (engine_valid),
        .e_order          (engine_order),
        .e_mark           (engine_mark),
        .e_c_st           (engine_c_st),
        .e_node_id        (engine_node_id),
        .e_data           (engine_data),
        .e_done           (engine_returned),
        .data_base        (data_base),
        .data_next        (data_next),
        .m_hdr_valid      (host_hdr_valid),
        .m_hdr_ready      (host_hdr_ready),
        .m_hdr            (host_hdr),
        .m_axis_tdata     (host_axis_tdata),
        .m_axis_tkeep     (host_axis_tkeep),
        .m_axis_tvalid    (host_axis_tvalid),
        .m_axis_tready    (host_axis_tready),
        .m_axis_tlast     (host_axis_tlast),
        .ret_valid        (ret_valid),
        .ret_good         (ret_good),
        .ret_token        (ret_token),
        .ret_c_st         (ret_c_st),
        .ret_packet_cnt   (ret_packet_cnt),
        .ev_done          (ev_done),
        .ev_resend        (ev_resend),
        .stalled          (signal_stalled),
        .ret_hit          (signal_ret_hit),
        .hold             (hold)
    );

    link_control u_control (
        .clk              (clk),
        .rst              (rst),
        .enable           (enable),
        .cfg_node_id      (cfg_mac[7:0]),
        .cfg_tokens       (cfg_tokens),
        .cfg_timeout      (cfg_timeout),
        .cfg_period       (cfg_period),
        .c_hdr_valid      (control_hdr_valid),
        .c_hdr_ready      (control_hdr_ready),
        .c_hdr_c_st       (control_hdr_c_st),
        .c_hdr_packet_cnt (control_hdr_packet_cnt),
        .ret_valid        (ret_valid),
        .ret_good         (ret_good),
        .ret_token        (ret_token),
        .ret_c_st         (ret_c_st),
        .ret_packet_cnt   (ret_packet_cnt),
        .monitor_seen     (monitor_seen),
        .monitor_lower    (monitor_lower),
        .monitor_count    (rx_hdr[`AWG_HDR_PACKET_CNT]),
        .token_seen       (token_seen),
        .buffered         (buffered),
        .held             (held),
        .ev_discarded     (ev_discarded),
        .issue            (issue),
        .discard          (discard),
        .synced           (synced),
        .active           (active),
        .ev_added         (ev_added),
        .ev_removed       (ev_removed),
        .ev_role          (ev_role),
        .ret_hit          (control_ret_hit)
    );

    join_fence #(
        .JOIN (JOIN)
    ) u_fence (
        .clk              (clk),
        .rst              (rst),
        .synced           (synced),
        .cfg_node_id      (cfg_mac[7:0]),
        .cfg_timeout      (cfg_timeout),
        .cmd_begin        (cmd_begin),
        .cmd_number       (cmd_number),
        .cmd_again        (cmd_again),
        .cmd_settle       (cmd_settle),
        .cmd_whole        (cmd_whole),
        .clearing         (clearing),
        .s_hdr_valid      (control_hdr_valid),
        .s_hdr_ready      (control_hdr_ready),
        .s_hdr_c_st       (control_hdr_c_st),
        .s_hdr_packet_cnt (control_hdr_packet_cnt),
        .m_hdr_valid      (token_hdr_valid),
        .m_hdr_ready      (token_hdr_ready),
        .m_hdr_c_st       (token_hdr_c_st),
        .m_hdr_packet_cnt (token_hdr_packet_cnt),
        .m_hdr_addr       (token_hdr_addr),
        .ret_valid        (ret_valid),
        .ret_good         (ret_good),
        .ret_token        (ret_token),
        .ret_c_st         (ret_c_st),
        .ret_packet_cnt   (ret_packet_cnt),
        .ret_hit          (fence_ret_hit),
        .rx_source        (rx_mac[7:0]),
        .rx_addr          (rx_addr),
        .fence_seen       (fence_seen),
        .here_seen        (here_seen),
        .blocked          (blocked),
        .here_new         (here_new),
        .drained          (drained),
        .fresh            (data_fresh),
        .hold             (fence_hold),
        .whole            (whole),
        .joining          (joining),
        .settled          (settled),
        .busy             (fence_busy),
        .fenced           (fenced),
        .heard            (heard),
        .peer             (peer),
        .ev_fenced        (ev_fenced),
        .ev_here          (ev_here),
        .ev_peer          (ev_peer)
    );

    join_regs #(
        .MEM_ADDR_W (MEM_ADDR_W),
        .JOIN       (JOIN)
    ) u_join (
        .clk          (clk),
        .rst          (rst),
        .reg_valid    (req_valid && to_join),
        .reg_write    (req_write),
        .reg_addr     (req_addr[10:0]),
        .reg_wdata    (req_wdata),
        .reg_wstrb    (req_wstrb),
        .reg_done     (join_done),
        .reg_error    (join_error),
        .reg_rdata    (join_rdata),
        .data_pending (open || data_base != data_tail),
        .whole        (whole),
        .joining      (joining),
        .settled      (settled),
        .busy         (fence_busy),
        .fenced       (fenced),
        .held         (fence_hold),
        .heard        (heard),
        .peer         (peer),
        .cmd_begin    (cmd_begin),
        .cmd_number   (cmd_number),
        .cmd_again    (cmd_again),
        .cmd_settle   (cmd_settle),
        .cmd_whole    (cmd_whole),
        .known        (known),
        .writing      (writer_we != 4'b0000),
        .fill_addr    (fill_addr),
        .fill_we      (fill_we),
        .fill_wdata   (fill_wdata),
        .ev_fenced    (ev_fenced),
        .ev_here      (ev_here),
        .ev_peer      (ev_peer),
        .irq          (join_irq)
    );

    known_map #(
        .MEM_ADDR_W (MEM_ADDR_W),
        .JOIN       (JOIN)
    ) u_known (
        .clk       (clk),
        .rst       (rst),
        .clear     (cmd_begin),
        .busy      (clearing),
        .addr      (b_addr),
        .we        (b_we),
        .look_addr (fill_addr),
        .known     (known)
    );

    signal_mux u_mux (
        .clk              (clk),
        .rst              (rst),
        .c_hdr_valid      (token_hdr_valid),
        .c_hdr_ready      (token_hdr_ready),
        .c_hdr_c_st       (token_hdr_c_st),
        .c_hdr_packet_cnt (token_hdr_packet_cnt),
        .c_hdr_addr       (token_hdr_addr),
        .cfg_node_id      (cfg_mac[7:0]),
        .h_hdr_valid      (host_hdr_valid),
        .h_hdr_ready      (host_hdr_ready),
        .h_hdr            (host_hdr),
        .h_axis_tdata     (host_axis_tdata),
        .h_axis_tkeep     (host_axis_tkeep),
        .h_axis_tvalid    (host_axis_tvalid),
        .h_axis_tready    (host_axis_tready),
        .h_axis_tlast     (host_axis_tlast),
        .m_hdr_valid      (signal_hdr_valid),
        .m_hdr_ready      (signal_hdr_ready),
        .m_hdr            (signal_hdr),
        .m_axis_tdata     (signal_axis_tdata),
        .m_axis_tkeep     (signal_axis_tkeep),
        .m_axis_tvalid    (signal_axis_tvalid),
        .m_axis_tready    (signal_axis_tready),
        .m_axis_tlast     (signal_axis_tlast)
    );

    ring_node #(
        .BUFFER_ADDR_W    (BUFFER_ADDR_W),
        .RX_ADDR_W        (RX_ADDR_W),
        .RX_HEADER_ADDR_W (RX_HEADER_ADDR_W),
        .TOKEN_RUN        (TOKEN_RUN),
        .OWN_IDLE         (OWN_IDLE)
    ) u_node (
        .clk                     (clk),
        .rst                     (rst),
        .cfg_mac                 (node_mac),
        .cfg_node_id             (cfg_mac[7:0]),
        .cfg_groups              (cfg_groups),
        .cfg_monitor             (active),
        .issue                   (issue),
        .discard                 (discard),
        .s_axis_tdata            (s_axis_tdata),
        .s_axis_tkeep            (s_axis_tkeep),
        .s_axis_tvalid           (s_axis_tvalid),
        .s_axis_tlast            (s_axis_tlast),
        .s_axis_tuser            (s_axis_tuser),
        .m_axis_tdata            (m_axis_tdata),
        .m_axis_tkeep            (m_axis_tkeep),
        .m_axis_tvalid           (m_axis_tvalid),
        .m_axis_tlast            (m_axis_tlast),
        .m_axis_tuser            (m_axis_tuser),
        .s_data_hdr_valid        (data_hdr_valid),
        .s_data_hdr_ready        (data_hdr_ready),
        .s_data_hdr_act_seq      (data_hdr[`AWG_HDR_ACT_SEQ]),
        .s_data_hdr_packet_cnt   (data_hdr[`AWG_HDR_PACKET_CNT]),
        .s_data_hdr_addr         (data_hdr[`AWG_HDR_ADDR]),
        .s_data_hdr_len          (data_hdr[`AWG_HDR_LEN]),
        .s_data_axis_tdata       (data_axis_tdata),
        .s_data_axis_tkeep       (data_axis_tkeep),
        .s_data_axis_tvalid      (data_axis_tvalid),
        .s_data_axis_tready      (data_axis_tready),
        .s_data_axis_tlast       (data_axis_tlast),
        .s_signal_hdr_valid      (signal_hdr_valid),
        .s_signal_hdr_ready      (signal_hdr_ready),
        .s_signal_hdr_token      (signal_hdr[`AWG_HDR_TOKEN]),
        .s_signal_hdr_c_st       (signal_hdr[`AWG_HDR_C_ST]),
        .s_signal_hdr_node_id    (signal_hdr[`AWG_HDR_NODE_ID]),
        .s_signal_hdr_multi_g    (signal_hdr[`AWG_HDR_MULTI_G]),
        .s_signal_hdr_act_seq    (signal_hdr[`AWG_HDR_ACT_SEQ]),
        .s_signal_hdr_packet_cnt (signal_hdr[`AWG_HDR_PACKET_CNT]),
        .s_signal_hdr_addr       (signal_hdr[`AWG_HDR_ADDR]),
        .s_signal_hdr_len        (signal_hdr[`AWG_HDR_LEN]),
        .s_signal_axis_tdata     (signal_axis_tdata),
        .s_signal_axis_tkeep     (signal_axis_tkeep),
        .s_signal_axis_tvalid    (signal_axis_tvalid),
        .s_signal_axis_tready    (signal_axis_tready),
        .s_signal_axis_tlast     (signal_axis_tlast),
        .m_rx_hdr_valid          (rx_hdr_valid),
        .m_rx_hdr_ready          (rx_hdr_ready),
        .m_rx_hdr_mac            (rx_hdr[`AWG_HDR_MAC]),
        .m_rx_hdr_token          (rx_hdr[`AWG_HDR_TOKEN]),
        .m_rx_hdr_c_st           (rx_hdr[`AWG_HDR_C_ST]),
        .m_rx_hdr_node_id        (rx_hdr[`AWG_HDR_NODE_ID]),
        .m_rx_hdr_multi_g        (rx_hdr[`AWG_HDR_MULTI_G]),
        .m_rx_hdr_act_seq        (rx_hdr[`AWG_HDR_ACT_SEQ]),
        .m_rx_hdr_packet_cnt     (rx_hdr[`AWG_HDR_PACKET_CNT]),
        .m_rx_hdr_addr           (rx_hdr[`AWG_HDR_ADDR]),
        .m_rx_hdr_len            (rx_hdr[`AWG_HDR_LEN]),
        .m_rx_axis_tdata         (rx_axis_tdata),
        .m_rx_axis_tkeep         (unused_rx_tkeep),
        .m_rx_axis_tvalid        (rx_axis_tvalid),
        .m_rx_axis_tready        (rx_axis_tready),
        .m_rx_axis_tlast         (rx_axis_tlast),
        .m_ret_valid             (ret_valid),
        .m_ret_good              (ret_good),
        .m_ret_token             (ret_token),
        .m_ret_c_st              (ret_c_st),
        .m_ret_packet_cnt        (ret_packet_cnt),
        .m_sent_valid            (unused_sent_valid),
        .m_sent_class            (unused_sent_class),
        .m_sent_error            (unused_sent_error),
        .count_addr              (count_addr[3:0]),
        .count_data              (node_count),
        .held                    (held),
        .token_seen              (token_seen),
        .buffered                (buffered),
        .ev_orphan               (ev_orphan),
        .ev_discarded            (ev_discarded)
    );

    rx_sorter #(
        .MEM_ADDR_W (MEM_ADDR_W)
    ) u_sorter (
        .clk              (clk),
        .rst              (rst),
        .cfg_mac          (cfg_mac),
        .s_hdr_valid      (rx_hdr_valid),
        .s_hdr_ready      (rx_hdr_ready),
        .s_hdr            (rx_hdr),
        .s_axis_tdata     (rx_axis_tdata),
        .s_axis_tvalid    (rx_axis_tvalid),
        .s_axis_tready    (rx_axis_tready),
        .s_axis_tlast     (rx_axis_tlast),
        .start            (start),
        .writer_done      (writer_done),
        .writer_ready     (writer_ready),
        .blocked          (blocked),
        .here_new         (here_new),
        .mail_full        (engine_full),
        .mail_we          (put_mail_we),
        .mail_index       (put_mail_index),
        .mail_data        (put_mail_data),
        .mail_commit      (put_mail_commit),
        .monitor_seen     (monitor_seen),
        .monitor_lower    (monitor_lower),
        .fence_seen       (fence_seen),
        .here_seen        (here_seen),
        .ev_data          (ev_data),
        .ev_data_again    (ev_data_again),
        .ev_data_gap      (ev_data_gap),
        .ev_data_range    (ev_data_range),
        .ev_signal        (ev_signal),
        .ev_signal_again  (ev_signal_again),
        .ev_signal_early  (ev_signal_early),
        .ev_signal_long   (ev_signal_long),
        .ev_mail_full     (ev_mail_full),
        .ev_same_id       (ev_same_id)
    );

    sync_engine #(
        .NODE_W (ENGINE_NODE_W)
    ) u_engine (
        .clk          (clk),
        .rst          (rst),
        .reg_valid    (req_valid && to_engine),
        .reg_write    (req_write),
        .reg_addr     (req_addr[10:0]),
        .reg_wdata    (req_wdata),
        .reg_wstrb    (req_wstrb),
        .reg_done     (engine_done),
        .reg_error    (engine_error),
        .reg_rdata    (engine_rdata),
        .enable       (enable),
        .cfg_node_id  (cfg_mac[7:0]),
        .s_token      (rx_hdr[`AWG_HDR_TOKEN]),
        .s_c_st       (rx_hdr[`AWG_HDR_C_ST]),
        .s_we         (put_mail_we),
        .s_index      (put_mail_index),
        .s_data       (put_mail_data),
        .s_commit     (put_mail_commit),
        .s_full       (engine_full),
        .m_we         (box_we),
        .m_index      (box_index),
        .m_data       (box_data),
        .m_commit     (box_commit),
        .m_full       (mail_full),
        .ev_mail_full (ev_box_full),
        .mark         (push_mark),
        .flush        (engine_flush),
        .e_valid      (engine_valid),
        .e_order      (engine_order),
        .e_mark       (engine_mark),
        .e_c_st       (engine_c_st),
        .e_node_id    (engine_node_id),
        .e_data       (engine_data),
        .e_done       (engine_returned),
        .irq          (engine_irq)
    );

    mem_writer #(
        .MEM_ADDR_W (MEM_ADDR_W)
    ) u_writer (
        .clk           (clk),
        .rst           (rst),
        .start         (start),
        .addr          (rx_addr[MEM_ADDR_W+1:0]),
        .len           (rx_hdr[`AWG_HDR_LEN]),
        .s_axis_tdata  (rx_axis_tdata),
        .s_axis_tvalid (rx_axis_tvalid),
        .s_axis_tready (writer_ready),
        .s_axis_tlast  (rx_axis_tlast),
        .mem_addr      (writer_addr),
        .mem_we        (writer_we),
        .mem_wdata     (writer_wdata),
        .done          (writer_done)
    );

    shared_memory #(
        .MEM_ADDR_W (MEM_ADDR_W)
    ) u_memory (
        .clk     (clk),
        .a_addr  (port_addr),
        .a_we    (a_we),
        .a_wdata (a_wdata),
        .a_rdata (a_rdata),
        .b_addr  (b_addr),
        .b_we    (b_we),
        .b_wdata (b_wdata)
    );

    mail_box #(
        .MAIL_W (MAIL_W)
    ) u_mailbox (
        .clk       (clk),
        .rst       (rst),
        .we        (box_we),
        .index     (box_index),
        .data      (box_data),
        .commit    (box_commit),
        .full      (mail_full),
        .get_index (mail_index),
        .get_data  (mail_data),
        .pop       (mail_pop),
        .count     (mail_count)
    );

    node_counters u_counters (
        .clk    (clk),
        .rst    (rst),
        .events (board_events),
        .addr   (count_addr[3:0]),
        .data   (board_count)
    );
