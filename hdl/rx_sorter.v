// SPDX-License-Identifier: MIT OR Apache-2.0
// rx_sorter: takes what the node delivers, in order, and dispatches it.
//
// Promises: of each source data takes effect in the order of its numbers and once (RCV-2), and a
// signal once, and not before the data that precedes it (RCV-3). A frame is dealt with whole before
// the next is looked at, so what arrives takes effect in the order of arrival (RCV-6).
//
// Latency: header in cycle t, verdict and events in t + 2; a message is complete with the last beat
// of its signal, one beat a cycle from t + 5 on.
//
// Requirements: RCV-1, RCV-2, RCV-3, RCV-4, RCV-5, RCV-6, MON-3, MON-4, MON-6, JOIN-3.
`include "awgstar.vh"
`default_nettype none

module rx_sorter #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W // the shared memory has 2^n words
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [47:0]           cfg_mac,

    input  wire                  s_hdr_valid,
    output reg                   s_hdr_ready,
    input  wire [`AWG_HDR_W-1:0] s_hdr,

    input  wire [31:0]           s_axis_tdata,
    input  wire                  s_axis_tvalid,
    output reg                   s_axis_tready,
    input  wire                  s_axis_tlast,

    output reg                   start,
    input  wire                  writer_done,
    input  wire                  writer_ready,

    input  wire                  blocked,  // data of this source does not count yet (JOIN-3)
    input  wire                  here_new, // the `here` of this source says where its data begins

    input  wire                  mail_full,
    output reg                   mail_we,
    output wire [3:0]            mail_index,
    output wire [31:0]           mail_data,
    output reg                   mail_commit,

    output reg                   monitor_seen,
    output wire                  monitor_lower,
    output reg                   fence_seen,
    output reg                   here_seen,

    output reg                   ev_data,
    output reg                   ev_data_again,
    output reg                   ev_data_gap,
    output reg                   ev_data_range,
    output reg                   ev_signal,
    output reg                   ev_signal_again,
    output reg                   ev_signal_early,
    output reg                   ev_signal_long,
    output reg                   ev_mail_full,
    output wire                  ev_same_id
);
    generate if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
        rx_sorter_MEM_ADDR_W_must_be_2_to_29 u_error ();
    end endgenerate

    localparam        ENTRY_W    = 41;
    localparam [32:0] MEM_END    = 33'd4 << MEM_ADDR_W;
    localparam [10:0] SIGNAL_MAX = 11'd48; // bytes of Data behind the 4 words of header
    localparam [7:0]  HEAD_LAST  = 8'd3;
    localparam [7:0]  MAIL_WORDS = 8'd16;

    reg [2:0]         state_q, state_d;
    reg [7:0]         index_q, index_d; // entry being cleared; word of a message
    reg [ENTRY_W-1:0] entry_q;          // of the frame's source
    // What the verdict is made of: entry_q comes late, out of a memory.
    reg               data_known_q;
    reg               blocked_q;
    reg [7:0]         ahead_q;          // number of the frame less the one expected
    reg               outside_q;
    reg               signal_known_q;
    reg [30:0]        last_q;           // number of the last signal
    reg               early_q;
    reg               full_q;
    reg               lower_q;
    reg [ENTRY_W-1:0] sources [0:255];

    // ---- Header ----

    wire [47:0] s_hdr_mac        = s_hdr[`AWG_HDR_MAC];
    wire [2:0]  s_hdr_token      = s_hdr[`AWG_HDR_TOKEN];
    wire [4:0]  s_hdr_c_st       = s_hdr[`AWG_HDR_C_ST];
    wire [7:0]  s_hdr_node_id    = s_hdr[`AWG_HDR_NODE_ID];
    wire [3:0]  s_hdr_multi_g    = s_hdr[`AWG_HDR_MULTI_G];
    wire [3:0]  s_hdr_act_seq    = s_hdr[`AWG_HDR_ACT_SEQ];
    wire [7:0]  s_hdr_packet_cnt = s_hdr[`AWG_HDR_PACKET_CNT];
    wire [31:0] s_hdr_addr       = s_hdr[`AWG_HDR_ADDR];
    wire [10:0] s_hdr_len        = s_hdr[`AWG_HDR_LEN];
    wire        unused_s_hdr     = &{1'b0, s_hdr}; // a field that no rule here looks at

    // ---- What is known of the source (RCV-1) ----

    wire        data_known;
    wire [7:0]  data_next;
    wire        signal_known;
    wire [30:0] signal_last;

    assign {data_known, data_next, signal_known, signal_last} = entry_q;

    wire        clearing = state_q == `AWG_RX_SORTER_CLEAR;
    wire        look     = state_q == `AWG_RX_SORTER_LOOK;
    wire        judge    = state_q == `AWG_RX_SORTER_JUDGE;
    wire [7:0]  source   = s_hdr_valid ? s_hdr_mac[7:0] : 8'd0; // no header: may be anything
    wire [30:0] number   = {s_hdr_addr[30:8], s_hdr_packet_cnt}; // SND-4

    reg                new_data;   // table: the number of its next data frame
    reg                new_signal; // table: the number of its last signal
    reg                new_sync;
    reg                new_here;
    reg  [ENTRY_W-1:0] entry;

    always @* begin
        entry = entry_q;
        if (new_data)   entry[40:32] = {1'b1, s_hdr_packet_cnt + 8'd1};
        if (new_signal) entry[31:0]  = {1'b1, number};
        if (new_sync)   entry        = {1'b1, 40'd0};
        if (new_here)   entry[40:32] = {1'b1, s_hdr_addr[7:0]};
        if (clearing)   entry        = {ENTRY_W{1'b0}};
    end

    wire       write      = clearing || new_data || new_signal || new_sync || new_here;
    wire [7:0] write_addr = clearing ? index_q : source;

    always @(posedge clk) begin
        if (write) sources[write_addr] <= entry;
        entry_q <= sources[source];
    end

    // ---- What the frame is ----

    wire is_data    = s_hdr_token == `AWG_TOKEN_DATA;
    wire is_control = s_hdr_token == `AWG_TOKEN_CONTROL;
    wire is_signal  = s_hdr_token == `AWG_TOKEN_P2P || s_hdr_token == `AWG_TOKEN_MULTICAST
                   || s_hdr_token == `AWG_TOKEN_BROADCAST;
    wire is_sync    = is_control && s_hdr_c_st == `AWG_C_ST_CONTROL_SYNC;
    wire is_monitor = is_control && s_hdr_c_st == `AWG_C_ST_CONTROL_MONITOR;
    wire is_fence   = is_control && s_hdr_c_st == `AWG_C_ST_CONTROL_FENCE;
    wire is_here    = is_control && s_hdr_c_st == `AWG_C_ST_CONTROL_HERE;

    // Frame numbers are modulo 256: bit 7 of a difference says which is behind.
    function is_behind;
        input [7:0] frame;
        input [7:0] other;
        reg   [6:0] unused;
        {is_behind, unused} = frame - other;
    endfunction

    wire        again      = data_known_q && ahead_q[7];
    wire        gap        = blocked_q || (data_known_q && ahead_q != 8'd0 && !again);
    wire [32:0] data_end   = {1'b0, s_hdr_addr} + {22'd0, s_hdr_len};
    wire        outside    = data_end > MEM_END; // RCV-4
    // At or behind the last: an old one may go round without its source (RCV-3).
    wire [30:0] since      = last_q - number;
    wire        old        = signal_known_q && !since[30];
    wire        unused_since = &{1'b0, since[29:0]};
    wire        early      = s_hdr_addr[31] && data_known && !blocked
                          && is_behind(data_next, s_hdr_addr[7:0]); // RCV-3

    always @(posedge clk) begin
        if (look) begin
            data_known_q   <= data_known;
            blocked_q      <= blocked;
            ahead_q        <= s_hdr_packet_cnt - data_next;
            outside_q      <= outside;
            signal_known_q <= signal_known;
            last_q         <= signal_last;
            early_q        <= early;
            full_q         <= mail_full;
            lower_q        <= s_hdr_mac < cfg_mac;
        end
    end

    assign monitor_lower = lower_q;
    assign ev_same_id    = judge && (is_data || is_control) && s_hdr_node_id == cfg_mac[7:0];

    // ---- Word of a message ----

    reg  [31:0] head_word;
    wire [31:0] head_word0 = {s_hdr_token, s_hdr_c_st, s_hdr_node_id, s_hdr_multi_g, s_hdr_act_seq,
                              s_hdr_packet_cnt};

    always @* begin
        case (index_q[1:0])
            2'd0:    head_word = head_word0;
            2'd1:    head_word = s_hdr_mac[47:16];
            2'd2:    head_word = {s_hdr_mac[15:0], 5'd0, s_hdr_len};
            default: head_word = s_hdr_addr;
        endcase
    end

    assign mail_index = index_q[3:0]; // counts with mail_we only
    assign mail_data  = state_q == `AWG_RX_SORTER_BODY ? s_axis_tdata : head_word;

    // ---- The decision ----

    wire last = s_axis_tvalid && s_axis_tlast;

    always @* begin
        state_d         = state_q;
        index_d         = index_q;
        s_hdr_ready     = 1'b0;
        s_axis_tready   = 1'b0;
        start           = 1'b0;
        mail_we         = 1'b0;
        mail_commit     = 1'b0;
        monitor_seen    = 1'b0;
        new_data        = 1'b0;
        new_signal      = 1'b0;
        new_sync        = 1'b0;
        new_here        = 1'b0;
        fence_seen      = 1'b0;
        here_seen       = 1'b0;
        ev_data         = 1'b0;
        ev_data_again   = 1'b0;
        ev_data_gap     = 1'b0;
        ev_data_range   = 1'b0;
        ev_signal       = 1'b0;
        ev_signal_again = 1'b0;
        ev_signal_early = 1'b0;
        ev_signal_long  = 1'b0;
        ev_mail_full    = 1'b0;

        case (state_q)
            `AWG_RX_SORTER_CLEAR: begin
                index_d = index_q + 8'd1;
                if (index_q == 8'd255) state_d = `AWG_RX_SORTER_IDLE;
            end

            `AWG_RX_SORTER_IDLE: begin
                index_d = 8'd0;
                if (s_hdr_valid) state_d = `AWG_RX_SORTER_LOOK;
            end

            `AWG_RX_SORTER_LOOK: begin
                // Already here, whatever the verdict: a message must not take longer than its frame
                // did. Without mail_commit it is none.
                mail_we = is_signal && !mail_full;
                index_d = index_q + 8'd1;
                state_d = `AWG_RX_SORTER_JUDGE;
            end

            `AWG_RX_SORTER_JUDGE: begin
                mail_we = is_signal && !full_q;
                index_d = index_q + 8'd1;
                state_d = `AWG_RX_SORTER_DROP;
                if (is_data) begin
                    if (gap) begin // RCV-2
                        ev_data_gap = 1'b1;
                    end else if (again) begin
                        ev_data_again = 1'b1;
                    end else begin
                        new_data = 1'b1;
                        if (outside_q) begin
                            ev_data_range = 1'b1;
                        end else begin
                            ev_data = 1'b1;
                            start   = 1'b1;
                            state_d = `AWG_RX_SORTER_DATA;
                        end
                    end
                end else if (is_signal) begin
                    if (old) begin // RCV-3
                        ev_signal_again = 1'b1;
                    end else if (early_q) begin
                        ev_signal_early = 1'b1;
                    end else begin
                        new_signal = 1'b1;
                        if (s_hdr_len > SIGNAL_MAX) begin
                            ev_signal_long = 1'b1;
                        end else if (full_q) begin
                            ev_mail_full = 1'b1;
                        end else begin
                            ev_signal = 1'b1;
                            state_d   = `AWG_RX_SORTER_HEAD;
                        end
                    end
                end
                new_sync     = is_sync;
                monitor_seen = is_monitor;
                fence_seen   = is_fence;
                here_seen    = is_here;
                new_here     = is_here && here_new;
            end

            `AWG_RX_SORTER_DATA: begin
                s_axis_tready = writer_ready;
                if (writer_done) begin
                    s_hdr_ready = 1'b1;
                    state_d     = `AWG_RX_SORTER_IDLE;
                end
            end

            `AWG_RX_SORTER_HEAD: begin // RCV-5
                mail_we = 1'b1;
                index_d = index_q + 8'd1;
                if (index_q == HEAD_LAST) state_d = `AWG_RX_SORTER_BODY;
            end

            `AWG_RX_SORTER_BODY: begin
                s_axis_tready = 1'b1;
                if (s_axis_tvalid && index_q < MAIL_WORDS) begin
                    mail_we = 1'b1;
                    index_d = index_q + 8'd1;
                end
                if (last) begin
                    mail_commit = 1'b1;
                    s_hdr_ready = 1'b1;
                    state_d     = `AWG_RX_SORTER_IDLE;
                end
            end

            `AWG_RX_SORTER_DROP: begin
                s_axis_tready = 1'b1;
                if (last) begin
                    s_hdr_ready = 1'b1;
                    state_d     = `AWG_RX_SORTER_IDLE;
                end
            end

            default: ;
        endcase
    end

    always @(posedge clk) begin
        state_q <= state_d;
        index_q <= index_d;
        if (rst) begin
            state_q <= `AWG_RX_SORTER_CLEAR;
            index_q <= 8'd0;
        end
    end
endmodule

`default_nettype wire
