// SPDX-License-Identifier: MIT OR Apache-2.0
// window_gate: cuts data frames for which the store of a gateway may have no room.
//
// Promises: what enters leaves as it is, or the frame is cut in its fifth word (GWY-2), never both. A
// frame of another board that can reach a window passes only while the store has room for it and for
// all that the board may still have in its receive buffer (GWY-1). The first frame cut has the next
// room (GWY-3).
//
// Latency: two cycles: whether a frame reaches a window is known when its word is in a register.
//
// Requirements: GWY-1, GWY-2, GWY-3, GWY-4.
`include "awgstar.vh"
`default_nettype none

module window_gate #(
    parameter WINDOWS          = 4,                      // windows of this ring
    parameter RX_ADDR_W        = `AWG_RX_ADDR_W,         // receive buffer of the board: 2^n beats
    parameter RX_HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W   // 2^n headers of it
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [47:0]           cfg_mac,
    input  wire [WINDOWS-1:0]    cfg_valid,
    input  wire [26*WINDOWS-1:0] cfg_first, // each in steps of 64 bytes
    input  wire [26*WINDOWS-1:0] cfg_last,
    input  wire [15:0]           cfg_wait,  // cycles with room that are kept for a frame

    input  wire [10:0]           free,      // of 1,024 words of the store

    input  wire [31:0]           s_axis_tdata,
    input  wire [3:0]            s_axis_tkeep,
    input  wire                  s_axis_tvalid,
    input  wire                  s_axis_tlast,
    input  wire                  s_axis_tuser,

    output wire [31:0]           m_axis_tdata,
    output wire [3:0]            m_axis_tkeep,
    output wire                  m_axis_tvalid,
    output wire                  m_axis_tlast,
    output wire                  m_axis_tuser,

    output wire                  ev_cut
);
    // GWY-1: the receive buffer, a word more for each frame in it that is not aligned, the frame
    // itself, and words in registers: of mem_writer, of window_tap, and one that room_q has not seen.
    // 900 words at most, and more than half of the store in any case.
    localparam RESERVE = (1 << RX_ADDR_W) + (1 << RX_HEADER_ADDR_W) + 257 + 3;

    generate
        if (WINDOWS < 1 || WINDOWS > 4) begin : g_check_windows
            window_gate_WINDOWS_must_be_1_to_4 u_error ();
        end
        if (RX_ADDR_W < 8 || RX_ADDR_W > 9) begin : g_check_rx
            window_gate_RX_ADDR_W_must_be_8_to_9 u_error ();
        end
        if (RX_HEADER_ADDR_W < 1 || RX_HEADER_ADDR_W > 7) begin : g_check_header
            window_gate_RX_HEADER_ADDR_W_must_be_1_to_7 u_error ();
        end
    endgenerate

    localparam [10:0] ROOM = RESERVE[10:0];

    localparam [2:0] FIFTH = 3'd4;
    localparam [2:0] REST  = 3'd5;

    reg [2:0]  word_q, word_d;     // words of the frame so far, up to five
    reg [31:0] mac_q, mac_d;       // its upper bytes
    reg        own_q, own_d;       // MAC is that of the board
    reg        data_q, data_d;     // TOKEN is data
    reg [7:0]  source_q, source_d;
    reg [7:0]  number_q, number_d;
    reg [31:0] addr_q, addr_d;
    reg [31:0] s1_tdata_q;         // a word of the link
    reg [3:0]  s1_tkeep_q;
    reg        s1_tvalid_q;
    reg        s1_tlast_q;
    reg        s1_tuser_q;
    reg        asks_q, asks_d;     // it is the fifth of a frame that needs room
    reg        gone_q, gone_d;     // its frame was cut
    reg        room_q;             // room for a frame, a cycle ago
    reg        kept_q, kept_d;     // the next room is kept for a frame
    reg [7:0]  kept_source_q, kept_source_d;
    reg [7:0]  kept_number_q, kept_number_d;
    reg [15:0] left_q, left_d;     // cycles with room for which it is kept
    reg [31:0] m_tdata_q, m_tdata_d;
    reg [3:0]  m_tkeep_q, m_tkeep_d;
    reg        m_tvalid_q, m_tvalid_d;
    reg        m_tlast_q, m_tlast_d;
    reg        m_tuser_q, m_tuser_d;

    wire [47:0] mac = {mac_q, s_axis_tdata[7:0], s_axis_tdata[15:8]}; // FRM-2

    // ---- Header ----

    always @* begin
        mac_d    = mac_q;
        own_d    = own_q;
        data_d   = data_q;
        source_d = source_q;
        number_d = number_q;
        addr_d   = addr_q;
        if (s_axis_tvalid) begin
            case (word_q) // FRM-2
                3'd0: mac_d = {s_axis_tdata[7:0], s_axis_tdata[15:8], s_axis_tdata[23:16],
                               s_axis_tdata[31:24]};
                3'd1: begin
                    own_d    = mac == cfg_mac;
                    source_d = s_axis_tdata[15:8];
                    data_d   = s_axis_tdata[23:21] == `AWG_TOKEN_DATA;
                end
                3'd2: begin
                    number_d      = s_axis_tdata[15:8];
                    addr_d[31:16] = {s_axis_tdata[23:16], s_axis_tdata[31:24]};
                end
                3'd3: addr_d[15:0] = {s_axis_tdata[7:0], s_axis_tdata[15:8]};
                default: ;
            endcase
        end
    end

    // ---- Whether the frame needs room, with its fifth word ----

    // How long the frame is shows only at its end: it may have 1,024 bytes.
    wire [32:0] stop   = {1'b0, addr_q} + 33'd1023;
    wire        unused = &{1'b0, stop[5:0]};

    reg     touches;
    integer n;

    always @* begin
        touches = 1'b0;
        for (n = 0; n < WINDOWS; n = n + 1) begin
            if (cfg_valid[n] && addr_q[31:6] <= cfg_last[26*n +: 26]
                             && stop[32:6] >= {1'b0, cfg_first[26*n +: 26]}) touches = 1'b1;
        end
    end

    always @* begin
        word_d = word_q;
        if (s_axis_tvalid) begin
            if (word_q != REST) word_d = word_q + 3'd1;
            if (s_axis_tlast)   word_d = 3'd0;
        end
        asks_d = s_axis_tvalid && word_q == FIFTH && data_q && !own_q && touches; // GWY-4
    end

    // ---- The decision ----

    wire first = kept_q && source_q == kept_source_q;
    wire pass  = room_q && (!kept_q || first);
    wire cut   = asks_q && !pass;

    always @* begin
        gone_d = gone_q || cut;
        if (s1_tvalid_q && s1_tlast_q) gone_d = 1'b0;
    end

    // ---- Whose room it is (GWY-3) ----

    always @* begin
        kept_d        = kept_q;
        kept_source_d = kept_source_q;
        kept_number_d = kept_number_q;
        left_d        = left_q;
        if (kept_q && room_q) begin
            if (left_q == 16'd0) kept_d = 1'b0;
            else                 left_d = left_q - 16'd1;
        end
        if (cut && !kept_q) begin
            kept_d        = 1'b1;
            kept_source_d = source_q;
            kept_number_d = number_q;
        end
        if (cut && (!kept_q || first)) left_d = cfg_wait;
        if (asks_q && pass && first && number_q == kept_number_q) kept_d = 1'b0;
    end

    // ---- Link out ----

    always @* begin
        m_tdata_d  = s1_tdata_q;
        m_tkeep_d  = s1_tkeep_q;
        m_tvalid_d = s1_tvalid_q && !gone_q;
        m_tlast_d  = s1_tlast_q;
        m_tuser_d  = s1_tuser_q;
        if (cut) begin // GWY-2
            m_tdata_d = 32'd0;
            m_tkeep_d = 4'b1111;
            m_tlast_d = 1'b1;
            m_tuser_d = 1'b1;
        end
    end

    always @(posedge clk) begin
        word_q        <= word_d;
        mac_q         <= mac_d;
        own_q         <= own_d;
        data_q        <= data_d;
        source_q      <= source_d;
        number_q      <= number_d;
        addr_q        <= addr_d;
        s1_tdata_q    <= s_axis_tdata;
        s1_tkeep_q    <= s_axis_tkeep;
        s1_tvalid_q   <= s_axis_tvalid;
        s1_tlast_q    <= s_axis_tlast;
        s1_tuser_q    <= s_axis_tuser;
        asks_q        <= asks_d;
        gone_q        <= gone_d;
        room_q        <= free >= ROOM;
        kept_q        <= kept_d;
        kept_source_q <= kept_source_d;
        kept_number_q <= kept_number_d;
        left_q        <= left_d;
        m_tdata_q     <= m_tdata_d;
        m_tkeep_q     <= m_tkeep_d;
        m_tvalid_q    <= m_tvalid_d;
        m_tlast_q     <= m_tlast_d;
        m_tuser_q     <= m_tuser_d;
        if (rst) begin
            word_q      <= 3'd0;
            s1_tvalid_q <= 1'b0;
            asks_q      <= 1'b0;
            gone_q      <= 1'b0;
            room_q      <= 1'b0;
            kept_q      <= 1'b0;
            m_tvalid_q  <= 1'b0;
        end
    end

    assign m_axis_tdata  = m_tdata_q;
    assign m_axis_tkeep  = m_tkeep_q;
    assign m_axis_tvalid = m_tvalid_q;
    assign m_axis_tlast  = m_tlast_q;
    assign m_axis_tuser  = m_tuser_q;
    assign ev_cut        = cut;
endmodule

`default_nettype wire
