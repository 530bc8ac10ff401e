// SPDX-License-Identifier: MIT OR Apache-2.0
// frame_tx: turns a header and its payload beats into one frame with FCS on the link.
//
// Promises: one whole frame, one cut frame or nothing for each header taken (TX-3, TX-7, TX-8), and
// one status pulse for it (TX-6). A link word every cycle from the first to the last, one idle word
// between frames when work waits (LNK-3, TX-2).
//
// Latency: header taken in cycle t, word w on m_axis in cycle t + 2 + w; payload beat k taken in
// cycle t + 3 + k; status in the cycle of the frame's last word.
//
// Stage A assembles the bytes the FCS covers, stage B adds the FCS. Stage B always has one word
// more than stage A: with c covered bytes in the last word of A, 4 - c bytes of the FCS fit behind
// them and c bytes are left for the tail word.
//
// Requirements: TX-1, TX-2, TX-3, TX-4, TX-5, TX-6, TX-7, TX-8, TX-9, FRM-1, FRM-2, FRM-3, FRM-4,
// FRM-5, FRM-6, FRM-9, FRM-10, FRM-11, FCS-1, LNK-2, LNK-3, LNK-4.
`include "awgstar.vh"
`default_nettype none

module frame_tx (
    input  wire        clk,
    input  wire        rst,

    input  wire        s_hdr_valid,
    output wire        s_hdr_ready,
    input  wire [47:0] s_hdr_mac,
    input  wire [2:0]  s_hdr_token,
    input  wire [4:0]  s_hdr_c_st,
    input  wire [7:0]  s_hdr_node_id,
    input  wire [3:0]  s_hdr_multi_g,
    input  wire [3:0]  s_hdr_act_seq,
    input  wire [7:0]  s_hdr_packet_cnt,
    input  wire [31:0] s_hdr_addr,
    input  wire [10:0] s_hdr_len,

    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire        s_axis_tlast,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    output wire        m_axis_tuser,

    output wire        status_valid,
    output wire [2:0]  status_error
);
    localparam [10:0] WORD        = 11'd4;
    localparam [10:0] AFTER_WORD0 = `AWG_HEADER_BYTES - WORD; // header bytes behind word 0
    localparam [10:0] COVERED_MIN = AFTER_WORD0 + `AWG_DATA_MIN;

    // tkeep of the first n lanes; n = 0 means 4.
    function [3:0] keep_of;
        input [1:0] n;
        keep_of = {n == 2'd0, n == 2'd0 || n == 2'd3, n != 2'd1, 1'b1};
    endfunction

    // ---- Header check and header bytes, straight from the ports ----

    wire is_free  = s_hdr_token == `AWG_TOKEN_FREE;
    wire is_data  = s_hdr_token == `AWG_TOKEN_DATA;
    wire take_hdr = s_hdr_valid && s_hdr_ready;

    // FRM-4: 010 and 111 are not assigned.
    wire bad_token = s_hdr_token == 3'b010 || s_hdr_token == 3'b111;
    // TX-4, FRM-9, FRM-10
    wire bad_len   = s_hdr_len > `AWG_DATA_MAX || (is_data && s_hdr_len == 11'd0)
                                               || (is_free && s_hdr_len != 11'd0);
    // TX-6: token before length.
    wire [2:0] hdr_error = bad_token ? `AWG_TX_TOKEN : bad_len ? `AWG_TX_LENGTH : `AWG_TX_OK;

    // FRM-1, FRM-2 in link order, lane 0 lowest. TX-3: the sender cannot set C.ST of a data token,
    // nor anything but MAC and Node_ID of a free token.
    wire [31:0] word0 = {s_hdr_mac[23:16], s_hdr_mac[31:24], s_hdr_mac[39:32], s_hdr_mac[47:40]};
    wire [31:0] word1 = {s_hdr_node_id, s_hdr_token, is_free ? 5'd0 : s_hdr_c_st,
                         s_hdr_mac[7:0], s_hdr_mac[15:8]};
    wire [47:0] rest  = {s_hdr_addr[7:0], s_hdr_addr[15:8], s_hdr_addr[23:16], s_hdr_addr[31:24],
                         s_hdr_packet_cnt, s_hdr_multi_g, s_hdr_act_seq};

    // ---- Stage A: words of covered bytes ----

    reg [1:0]  state_q, state_d;
    reg        hdr_ready_q, hdr_ready_d;
    reg        beat_ready_q, beat_ready_d;
    reg [79:0] shift_q, shift_d;       // header bytes still to go; then the upper half of a beat
    reg [1:0]  hdr_words_q, hdr_words_d; // header-only words still to go
    reg [10:0] pay_left_q, pay_left_d; // valid bytes not yet taken
    reg [10:0] cov_left_q, cov_left_d; // covered bytes not yet in a word
    reg [5:0]  short_q, short_d;       // short count, 0: none
    reg [2:0]  error_q, error_d;
    reg        refused_q, refused_d;   // this drain still owes a status

    reg        a_valid_q, a_valid_d;
    reg [31:0] a_data_q, a_data_d;
    reg [1:0]  a_count_q, a_count_d;   // covered bytes in the word, 0: all 4
    reg        a_last_q, a_last_d;     // last word of covered bytes
    reg        a_cut_q, a_cut_d;       // TX-7: abort word instead
    reg        refused_done;

    // In the first cycle of SEND word 1 and the length are in shift_q and pay_left_q: what follows
    // from both of them is found then, off the way from the ports.
    wire       first     = hdr_words_q == 2'd2;
    wire       of_data   = shift_q[23:21] == `AWG_TOKEN_DATA; // in that cycle
    wire       padded    = pay_left_q < `AWG_DATA_MIN;
    wire       due       = state_q == `AWG_FRAME_TX_SEND && beat_ready_q;
    wire       pay_last  = pay_left_q <= WORD;
    wire       cov_last  = cov_left_q <= WORD;
    wire [3:0] pay_keep  = pay_last ? keep_of(pay_left_q[1:0]) : 4'b1111;
    wire       underrun  = due && !s_axis_tvalid;
    wire       bad_beat  = due && (s_axis_tlast != pay_last || s_axis_tkeep != pay_keep);
    wire       cut       = underrun || bad_beat;
    wire       drained   = s_axis_tvalid && s_axis_tlast;

    // FRM-5: what tkeep leaves out, and what follows the payload, goes out as zero.
    wire [3:0]  lanes = due ? pay_keep : 4'b0000;
    wire [31:0] beat  = s_axis_tdata & {{8{lanes[3]}}, {8{lanes[2]}}, {8{lanes[1]}}, {8{lanes[0]}}};

    always @* begin
        state_d      = state_q;
        shift_d      = shift_q;
        hdr_words_d  = hdr_words_q;
        pay_left_d   = pay_left_q;
        cov_left_d   = cov_left_q;
        short_d      = short_q;
        error_d      = error_q;
        refused_d    = refused_q;
        a_valid_d    = 1'b0;
        a_data_d     = shift_q[31:0];
        a_count_d    = 2'd0;
        a_last_d     = 1'b0;
        a_cut_d      = 1'b0;
        refused_done = 1'b0;

        case (state_q)
            `AWG_FRAME_TX_SEND: begin
                a_valid_d  = 1'b1;
                a_last_d   = cov_last;
                a_cut_d    = cut;
                cov_left_d = first && !padded ? pay_left_q + (AFTER_WORD0 - WORD)
                                              : cov_left_q - WORD;
                if (cov_last) a_count_d = cov_left_q[1:0];

                if (hdr_words_q != 2'd0) begin
                    hdr_words_d = hdr_words_q - 2'd1;
                    if (first) begin
                        short_d = of_data && padded ? pay_left_q[5:0] : 6'd0;
                        if (of_data) a_data_d[20:16] = padded ? `AWG_C_ST_DATA_SHORT
                                                              : `AWG_C_ST_DATA_FULL;
                    end
                    shift_d     = {32'd0, shift_q[79:32]};
                end else begin
                    // Data starts in lane 2 of word 3: each beat is cut in halves.
                    a_data_d      = {beat[15:0], shift_q[15:0]};
                    shift_d[15:0] = beat[31:16];
                end
                // FRM-6: index 45 is lane 3 of the last covered word of a 64-byte frame.
                if (cov_last && short_q != 6'd0) a_data_d[31:24] = {2'd0, short_q};

                if (due) pay_left_d = pay_last ? 11'd0 : pay_left_q - WORD;

                if (cut) begin // TX-7
                    error_d = underrun ? `AWG_TX_UNDERRUN : `AWG_TX_LAST;
                    state_d = drained ? `AWG_FRAME_TX_IDLE : `AWG_FRAME_TX_DRAIN;
                end else if (cov_last) begin
                    state_d = `AWG_FRAME_TX_IDLE;
                end
            end

            `AWG_FRAME_TX_DRAIN: if (drained) begin // TX-7, TX-8
                state_d      = `AWG_FRAME_TX_IDLE;
                refused_d    = 1'b0;
                refused_done = refused_q;
            end

            default: if (take_hdr) begin // TX-1
                a_data_d    = word0;
                shift_d     = {is_free ? 48'd0 : rest, word1};
                hdr_words_d = 2'd2;
                pay_left_d  = s_hdr_len;
                cov_left_d  = COVERED_MIN; // TX-4
                error_d     = hdr_error;
                if (hdr_error == `AWG_TX_OK) begin
                    state_d   = `AWG_FRAME_TX_SEND;
                    a_valid_d = 1'b1;
                end else if (s_hdr_len != 11'd0) begin // TX-8
                    state_d   = `AWG_FRAME_TX_DRAIN;
                    refused_d = 1'b1;
                end else begin
                    refused_done = 1'b1;
                end
            end
        endcase

        // TX-5: beat 0 belongs to word 3, the first that is not header only.
        beat_ready_d = state_d == `AWG_FRAME_TX_DRAIN
                    || (state_q == `AWG_FRAME_TX_SEND && state_d == `AWG_FRAME_TX_SEND
                        && !hdr_words_q[1] && (due ? !pay_last : pay_left_q != 11'd0));
        // TX-2: ready in the cycle the last word is on the link, which is one after the tail word
        // or the abort word is in stage B.
        hdr_ready_d  = state_d == `AWG_FRAME_TX_IDLE && (!a_valid_q || a_cut_q);
    end

    // ---- Stage B: FCS and link word ----

    reg        tail_q, tail_d;         // the tail word is next
    reg [1:0]  tail_count_q, tail_count_d;
    reg [31:0] crc_q, crc_d;
    reg        m_valid_q, m_valid_d;
    reg [31:0] m_data_q, m_data_d;
    reg [3:0]  m_keep_q, m_keep_d;
    reg        m_last_q, m_last_d;
    reg        m_user_q, m_user_d;
    reg        status_valid_q, status_valid_d;
    reg [2:0]  status_error_q, status_error_d;

    wire [31:0] crc_next;
    wire [23:0] fcs_head = ~crc_next[23:0]; // FCS-1, behind the last covered bytes
    wire [31:0] fcs_tail = ~crc_q;          // FCS-1, one cycle later
    wire        beside   = !a_cut_q && !tail_q;
    wire        head_1   = beside && a_count_q == 2'd1; // bytes of the word before the FCS
    wire        head_2   = beside && a_count_q == 2'd2;
    wire        head_3   = beside && a_count_q == 2'd3;

    crc32 u_crc32 (
        .crc_in  (crc_q),
        .tdata   (a_data_q),
        .tkeep   (keep_of(a_count_q)),
        .crc_out (crc_next)
    );

    always @* begin
        tail_d       = a_valid_q && a_last_q && !a_cut_q;
        tail_count_d = a_count_q;
        // Stage A is empty between frames, so every frame starts from the preset.
        crc_d        = a_valid_q ? crc_next : `AWG_CRC32_INIT;
        m_valid_d    = a_valid_q || tail_q;
        m_keep_d     = 4'b1111;
        m_last_d     = tail_q || a_cut_q;
        m_user_d     = a_cut_q; // TX-5, LNK-4

        case (a_count_q)
            2'd1:    m_data_d = {24'd0, a_data_q[7:0]};
            2'd2:    m_data_d = {16'd0, a_data_q[15:0]};
            2'd3:    m_data_d = {8'd0,  a_data_q[23:0]};
            default: m_data_d = a_data_q;
        endcase
        if (a_cut_q) m_data_d = 32'd0; // TX-7

        if (tail_q) begin
            m_keep_d = keep_of(tail_count_q); // LNK-2
            case (tail_count_q)
                2'd1:    m_data_d = {24'd0, fcs_tail[31:24]};
                2'd2:    m_data_d = {16'd0, fcs_tail[31:16]};
                2'd3:    m_data_d = {8'd0,  fcs_tail[31:8]};
                default: m_data_d = fcs_tail;
            endcase
        end

        // The FCS comes last: what is beside it is ready.
        m_data_d = m_data_d | ({fcs_head, 8'd0} & {32{head_1}})
                            | ({fcs_head[15:0], 16'd0} & {32{head_2}})
                            | ({fcs_head[7:0], 24'd0} & {32{head_3}});

        // TX-6: with the last word, or when a refused header has nothing left to drain.
        status_valid_d = tail_q || a_cut_q || refused_done;
        status_error_d = refused_done ? error_d : error_q;
    end

    always @(posedge clk) begin
        state_q        <= state_d;
        hdr_ready_q    <= hdr_ready_d;
        beat_ready_q   <= beat_ready_d;
        shift_q        <= shift_d;
        hdr_words_q    <= hdr_words_d;
        pay_left_q     <= pay_left_d;
        cov_left_q     <= cov_left_d;
        short_q        <= short_d;
        error_q        <= error_d;
        refused_q      <= refused_d;
        a_valid_q      <= a_valid_d;
        a_data_q       <= a_data_d;
        a_count_q      <= a_count_d;
        a_last_q       <= a_last_d;
        a_cut_q        <= a_cut_d;
        tail_q         <= tail_d;
        tail_count_q   <= tail_count_d;
        crc_q          <= crc_d;
        m_valid_q      <= m_valid_d;
        m_data_q       <= m_data_d;
        m_keep_q       <= m_keep_d;
        m_last_q       <= m_last_d;
        m_user_q       <= m_user_d;
        status_valid_q <= status_valid_d;
        status_error_q <= status_error_d;
        if (rst) begin // TX-9
            state_q        <= `AWG_FRAME_TX_IDLE;
            hdr_ready_q    <= 1'b0;
            beat_ready_q   <= 1'b0;
            refused_q      <= 1'b0;
            a_valid_q      <= 1'b0;
            a_cut_q        <= 1'b0;
            tail_q         <= 1'b0;
            m_valid_q      <= 1'b0;
            status_valid_q <= 1'b0;
        end
    end

    assign s_hdr_ready   = hdr_ready_q;
    assign s_axis_tready = beat_ready_q;
    assign m_axis_tdata  = m_data_q;
    assign m_axis_tkeep  = m_keep_q;
    assign m_axis_tvalid = m_valid_q;
    assign m_axis_tlast  = m_last_q;
    assign m_axis_tuser  = m_user_q;
    assign status_valid  = status_valid_q;
    assign status_error  = status_error_q;
endmodule

`default_nettype wire
