// SPDX-License-Identifier: MIT OR Apache-2.0
// frame_rx: checks frames from the link, passes Data on and gives one verdict per frame.
//
// Promises: exactly one m_hdr_valid per tlast of the link (RX-3), whatever the words were, and a
// verdict that depends on that frame alone (RX-7). Data leaves before the verdict; the beat with
// m_axis_tlast comes with it and its tuser says "drop" (RX-2, RX-6).
//
// Latency: last word in cycle t, verdict and m_axis_tlast in cycle t + 2; word i in cycle t gives
// beat i - 5 in cycle t + 1.
//
// The FCS is known as such only when the frame ends, so the last 4 bytes stay behind. Data starts
// in lane 2 of word 3: with word i on the port, beat i - 5 is the lower half of word i - 1 on top
// of the upper half of word i - 2, and word i itself is never looked at.
//
// Requirements: RX-1, RX-2, RX-3, RX-4, RX-5, RX-6, RX-7, RX-8, FRM-1, FRM-2, FRM-3, FRM-4, FRM-5,
// FRM-6, FRM-7, FRM-8, FRM-9, FRM-10, FRM-11, FRM-13, FCS-2, LNK-2, LNK-4.
`include "awgstar.vh"
`default_nettype none

module frame_rx (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tuser,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    output wire        m_axis_tuser,

    output wire        m_hdr_valid,
    output wire        m_hdr_good,
    output wire [3:0]  m_hdr_check,
    output wire        m_hdr_monitor,
    output wire [47:0] m_hdr_mac,
    output wire [2:0]  m_hdr_token,
    output wire [4:0]  m_hdr_c_st,
    output wire [7:0]  m_hdr_node_id,
    output wire [3:0]  m_hdr_multi_g,
    output wire [3:0]  m_hdr_act_seq,
    output wire [7:0]  m_hdr_packet_cnt,
    output wire [31:0] m_hdr_addr,
    output wire [10:0] m_hdr_len
);
    // Bytes of the frame before a word, which is how words are told apart here.
    localparam [10:0] WORD_1     = 11'd4;
    localparam [10:0] WORD_2     = 11'd8;
    localparam [10:0] WORD_3     = 11'd12;
    localparam [10:0] WORD_BEAT0 = 11'd20;                    // word 5, with it beat 0 is full
    localparam [10:0] WORD_MAX   = `AWG_FRAME_MAX & ~11'd3;   // word 260, with it beat 255 is
    localparam [10:0] WORD_COUNT = `AWG_HEADER_BYTES + `AWG_SHORT_COUNT_INDEX - 11'd3; // in lane 3
    localparam [10:0] OVERHEAD   = `AWG_HEADER_BYTES + `AWG_FCS_BYTES;

    // ---- Link word: count, CRC, capture ----

    reg [1:0]       state_q, state_d;
    reg [10:0]      bytes_q, bytes_d;       // bytes so far; stops at the first count too long
    reg [31:0]      crc_q, crc_d;
    reg             bad_keep_q, bad_keep_d;
    reg             abort_q, abort_d;
    reg             monitor_q, monitor_d;
    reg [`AWG_HDR_W-1:`AWG_LEN_W] hdr_q, hdr_d; // first bit on the link on top
    reg [7:0]       count_q, count_d;       // Data byte 45
    reg [31:0]      prev_q, prev_d;         // word i - 1
    reg [15:0]      prev2_q, prev2_d;       // upper half of word i - 2
    reg             end_q, end_d;           // the frame in these registers is complete

    wire        idle  = state_q == `AWG_FRAME_RX_IDLE;
    wire        flush = state_q == `AWG_FRAME_RX_FLUSH;
    // RX-7: the first word takes nothing over from the frame before.
    wire [10:0] base  = idle ? 11'd0 : bytes_q;
    wire [31:0] swap  = {s_axis_tdata[7:0], s_axis_tdata[15:8], s_axis_tdata[23:16],
                         s_axis_tdata[31:24]};
    // Lanes without a byte count as zero: a step is always one of 4 bytes.
    wire [31:0] lanes = {{8{s_axis_tkeep[3]}}, {8{s_axis_tkeep[2]}},
                         {8{s_axis_tkeep[1]}}, {8{s_axis_tkeep[0]}}};
    wire [31:0] crc_next;
    reg  [2:0]  size;                       // bytes in this word
    reg         keep_ok;

    crc32 u_crc32 (
        .crc_in  (idle ? `AWG_CRC32_INIT : crc_q),
        .tdata   (s_axis_tdata & lanes),
        .tkeep   (4'b1111),
        .crc_out (crc_next)
    );

    always @* begin // LNK-2
        size    = 3'd4;
        keep_ok = 1'b1;
        case (s_axis_tkeep)
            4'b1111: size = 3'd4;
            4'b0111: size = 3'd3;
            4'b0011: size = 3'd2;
            4'b0001: size = 3'd1;
            default: keep_ok = 1'b0;
        endcase
        if (!s_axis_tlast) begin
            size    = 3'd4;
            keep_ok = s_axis_tkeep == 4'b1111;
        end
    end

    always @* begin
        state_d    = state_q;
        bytes_d    = bytes_q;
        crc_d      = crc_q;
        bad_keep_d = bad_keep_q;
        abort_d    = abort_q;
        monitor_d  = monitor_q;
        hdr_d      = hdr_q;
        count_d    = count_q;
        prev_d     = prev_q;
        prev2_d    = prev2_q;
        end_d      = 1'b0;

        if (s_axis_tvalid) begin // RX-1: everything waits for tvalid
            bytes_d    = flush ? bytes_q : base + {8'd0, size};
            crc_d      = crc_next;
            bad_keep_d = (bad_keep_q && !idle) || !keep_ok;
            abort_d    = s_axis_tuser; // LNK-4: what stays is that of the last word
            prev_d     = s_axis_tdata;
            prev2_d    = prev_q[31:16];
            end_d      = s_axis_tlast;
            if (idle) monitor_d = s_axis_tuser; // LNK-4

            case (base) // FRM-1, FRM-2
                11'd0:      hdr_d[`AWG_HDR_W-1  -: 32] = swap;
                WORD_1:     hdr_d[`AWG_HDR_W-33 -: 32] = swap;
                WORD_2:     hdr_d[`AWG_HDR_W-65 -: 32] = swap;
                WORD_3:     hdr_d[`AWG_HDR_W-97 -: 16] = swap[31:16];
                WORD_COUNT: count_d                   = s_axis_tdata[31:24]; // FRM-6
                default:    ;
            endcase

            if (s_axis_tlast)          state_d = `AWG_FRAME_RX_IDLE;
            else if (base == WORD_MAX) state_d = `AWG_FRAME_RX_FLUSH; // FRM-3: over-long for sure
            else if (idle)             state_d = `AWG_FRAME_RX_FRAME;
        end
    end

    // ---- Verdict, in the cycle after the last word ----

    wire [2:0] token = hdr_q[`AWG_HDR_TOKEN];
    wire [4:0] c_st  = hdr_q[`AWG_HDR_C_ST];
    wire       is_free  = token == `AWG_TOKEN_FREE;
    wire       is_data  = token == `AWG_TOKEN_DATA;
    wire       is_short = is_data && c_st == `AWG_C_ST_DATA_SHORT;

    reg [31:0] residue; // with the zeros after the last byte
    reg [3:0]  check;
    reg [10:0] len;

    always @* begin
        case (bytes_q[1:0])
            2'd1:    residue = `AWG_CRC32_FILLED_1;
            2'd2:    residue = `AWG_CRC32_FILLED_2;
            2'd3:    residue = `AWG_CRC32_FILLED_3;
            default: residue = `AWG_CRC32_RESIDUE;
        endcase
    end

    // RX-4, FRM-13: the order of the branches is the order of the verdicts.
    always @* begin
        check = `AWG_CHECK_OK;
        if (abort_q)
            check = `AWG_CHECK_ABORT;       // LNK-4
        else if (bad_keep_q)
            check = `AWG_CHECK_KEEP;        // LNK-2
        else if (bytes_q < `AWG_FRAME_MIN)
            check = `AWG_CHECK_RUNT;        // FRM-3
        else if (bytes_q > `AWG_FRAME_MAX)
            check = `AWG_CHECK_LONG;        // FRM-3
        else if (crc_q != residue)
            check = `AWG_CHECK_FCS;         // FCS-2
        else if (token == 3'b010 || token == 3'b111)
            check = `AWG_CHECK_TOKEN;       // FRM-4
        else if (is_data && !is_short && c_st != `AWG_C_ST_DATA_FULL)
            check = `AWG_CHECK_C_ST;        // FRM-8
        else if ((is_free || is_short) && bytes_q != `AWG_FRAME_MIN)
            check = `AWG_CHECK_LENGTH;      // FRM-7, FRM-10
        else if (is_short && (count_q == 8'd0 || {3'd0, count_q} >= `AWG_DATA_MIN))
            check = `AWG_CHECK_SHORT_COUNT; // FRM-7

        len = bytes_q - OVERHEAD;           // FRM-9, FRM-11
        if (is_short) len = {3'd0, count_q}; // FRM-5, FRM-6
        if (is_free)  len = 11'd0;          // FRM-10
    end

    // RX-5: registers of their own, the next frame may already be arriving.
    reg             v_valid_q;
    reg             v_good_q, v_good_d;
    reg [3:0]       v_check_q, v_check_d;
    reg             v_monitor_q, v_monitor_d;
    reg [`AWG_HDR_W-1:0] v_hdr_q, v_hdr_d;

    always @* begin
        v_good_d    = v_good_q;
        v_check_d   = v_check_q;
        v_monitor_d = v_monitor_q;
        v_hdr_d     = v_hdr_q;
        if (end_q) begin // RX-3
            v_good_d    = check == `AWG_CHECK_OK;
            v_check_d   = check;
            v_monitor_d = monitor_q;
            v_hdr_d     = {hdr_q, len};
        end
    end

    // ---- Data beats ----

    reg        last_beat_q, last_beat_d; // the last beat goes out with the verdict
    reg        held_q, held_d;           // it waits in m_data_q
    reg [3:0]  last_keep_q, last_keep_d;
    reg        m_valid_q, m_valid_d;
    reg [31:0] m_data_q, m_data_d;
    reg [3:0]  m_keep_q, m_keep_d;
    reg        m_last_q, m_last_d;
    reg        m_user_q, m_user_d;

    // RX-6: none for a frame too short to have a full beat, none after beat 255.
    wire beat     = s_axis_tvalid && !idle && !flush && base >= WORD_BEAT0;
    wire at_max   = base == WORD_MAX;
    wire ends_now = s_axis_tlast && (size <= 3'd2 || at_max); // beat i - 5 is the last one

    always @* begin
        last_beat_d = beat && s_axis_tlast;
        held_d      = ends_now;
        case (size) // RX-2: what the FCS leaves of the last beat
            3'd1:    last_keep_d = 4'b0111;
            3'd2:    last_keep_d = 4'b1111;
            3'd3:    last_keep_d = 4'b0001;
            default: last_keep_d = 4'b0011;
        endcase

        m_valid_d = beat && !ends_now;
        m_data_d  = {prev_q[15:0], prev2_q};
        m_keep_d  = 4'b1111;
        m_last_d  = at_max; // RX-6: over-long, close at beat 255
        m_user_d  = at_max;
        if (last_beat_q) begin // the next frame, if any, is at its first words: no beat of its own
            m_valid_d = 1'b1;
            m_data_d  = held_q ? m_data_q : {16'd0, prev2_q};
            m_keep_d  = last_keep_q;
            m_last_d  = 1'b1;
            m_user_d  = check != `AWG_CHECK_OK;
        end
    end

    always @(posedge clk) begin
        state_q     <= state_d;
        bytes_q     <= bytes_d;
        crc_q       <= crc_d;
        bad_keep_q  <= bad_keep_d;
        abort_q     <= abort_d;
        monitor_q   <= monitor_d;
        hdr_q       <= hdr_d;
        count_q     <= count_d;
        prev_q      <= prev_d;
        prev2_q     <= prev2_d;
        end_q       <= end_d;
        v_valid_q   <= end_q;
        v_good_q    <= v_good_d;
        v_check_q   <= v_check_d;
        v_monitor_q <= v_monitor_d;
        v_hdr_q     <= v_hdr_d;
        last_beat_q <= last_beat_d;
        held_q      <= held_d;
        last_keep_q <= last_keep_d;
        m_valid_q   <= m_valid_d;
        m_data_q    <= m_data_d;
        m_keep_q    <= m_keep_d;
        m_last_q    <= m_last_d;
        m_user_q    <= m_user_d;
        if (rst) begin // RX-8
            state_q     <= `AWG_FRAME_RX_IDLE;
            end_q       <= 1'b0;
            last_beat_q <= 1'b0;
            v_valid_q   <= 1'b0;
            m_valid_q   <= 1'b0;
        end
    end

    assign m_axis_tdata     = m_data_q;
    assign m_axis_tkeep     = m_keep_q;
    assign m_axis_tvalid    = m_valid_q;
    assign m_axis_tlast     = m_last_q;
    assign m_axis_tuser     = m_user_q;
    assign m_hdr_valid      = v_valid_q;
    assign m_hdr_good       = v_good_q;
    assign m_hdr_check      = v_check_q;
    assign m_hdr_monitor    = v_monitor_q;
    assign m_hdr_mac        = v_hdr_q[`AWG_HDR_MAC];
    assign m_hdr_token      = v_hdr_q[`AWG_HDR_TOKEN];
    assign m_hdr_c_st       = v_hdr_q[`AWG_HDR_C_ST];
    assign m_hdr_node_id    = v_hdr_q[`AWG_HDR_NODE_ID];
    assign m_hdr_multi_g    = v_hdr_q[`AWG_HDR_MULTI_G];
    assign m_hdr_act_seq    = v_hdr_q[`AWG_HDR_ACT_SEQ];
    assign m_hdr_packet_cnt = v_hdr_q[`AWG_HDR_PACKET_CNT];
    assign m_hdr_addr       = v_hdr_q[`AWG_HDR_ADDR];
    assign m_hdr_len        = v_hdr_q[`AWG_HDR_LEN];
endmodule

`default_nettype wire
