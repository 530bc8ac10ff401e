// SPDX-License-Identifier: MIT OR Apache-2.0
// elastic_buffer: carries frames from the clock of the line into the clock of the node, and makes up
// for the difference of the two in the idle words between frames.
//
// Promises: frames leave whole, without a gap inside and with at least one idle word between
// (LNK-3), if the clocks differ by 200 ppm at most and the idle words of the line suffice (LNK-5,
// LNK-6). It stores the words of frames only: idle words are deleted at the input and inserted at the
// output, as many as there is time for. If there is no room, the frame is cut: its last word is
// one with tlast and tuser. A word that is missing in a frame leaves as an idle word; the node
// cuts that frame (NODE-6).
//
// Latency: a word on s_axis is on m_axis 5 to 6 cycles later when nothing is before it: 1 to write
// it, 1 to 2 for the synchronizer, 2 of LEAD, 1 for the register.
//
// Requirements: LNK-3, LNK-5, LNK-6, LNK-7, CDC-2.
`default_nettype none

module elastic_buffer #(
    parameter ADDR_W = 6 // 2^n words
) (
    input  wire            wr_clk,
    input  wire            wr_rst,

    input  wire [31:0]     s_axis_tdata,
    input  wire [3:0]      s_axis_tkeep,
    input  wire            s_axis_tvalid,
    input  wire            s_axis_tlast,
    input  wire            s_axis_tuser,

    output wire            ev_overflow,  // wr_clk: a frame finds no room

    input  wire            rd_clk,
    input  wire            rd_rst,

    output wire [31:0]     m_axis_tdata,
    output wire [3:0]      m_axis_tkeep,
    output wire            m_axis_tvalid,
    output wire            m_axis_tlast,
    output wire            m_axis_tuser,

    output wire            ev_underrun,  // rd_clk: a word of a frame is missing
    output wire [ADDR_W:0] words         // rd_clk: words that wait
);
    // Words that a frame is ahead when it begins to leave: one for the clocks, by which less than a
    // word is lost in a frame, and one for the synchronizer, which may be a cycle late.
    localparam [1:0]      LEAD  = 2'd2;
    localparam [38:0]     ABORT = {1'b0, 1'b1, 1'b1, 4'b1111, 32'd0};
    localparam [ADDR_W:0] ONE   = {{ADDR_W{1'b0}}, 1'b1};

    generate if (ADDR_W < 3 || ADDR_W > 10) begin : g_check
        elastic_buffer_ADDR_W_must_be_3_to_10 u_error ();
    end endgenerate

    // ---- Writer ----

    reg             lost_q;  // the frame under way is dropped up to tlast
    reg             lost_d;
    reg             wr_valid;
    reg  [37:0]     wr_data;
    wire [ADDR_W:0] wr_free;
    wire            room = wr_free > ONE; // the last place is for an abort word

    always @* begin
        lost_d   = lost_q;
        wr_valid = 1'b0;
        wr_data  = {s_axis_tuser, s_axis_tlast, s_axis_tkeep, s_axis_tdata};
        if (s_axis_tvalid) begin
            wr_valid = !lost_q;
            if (!lost_q && !room) begin // LNK-7
                wr_data = ABORT[37:0];
                lost_d  = 1'b1;
            end
            if (s_axis_tlast) lost_d = 1'b0;
        end
    end

    always @(posedge wr_clk) begin
        lost_q <= lost_d;
        if (wr_rst) lost_q <= 1'b0;
    end

    assign ev_overflow = s_axis_tvalid && !lost_q && !room;

    // ---- Reader ----

    wire [37:0]     head;
    wire            take;
    reg             inside_q, inside_d; // a frame has begun to leave and not ended
    reg  [1:0]      seen_q, seen_d;     // cycles that words have waited between frames
    reg             m_valid_q;
    reg  [31:0]     m_data_q, m_data_d;
    reg  [3:0]      m_keep_q, m_keep_d;
    reg             m_last_q, m_last_d;
    reg             m_user_q, m_user_d;

    clock_crossing #(
        .WIDTH  (38),
        .ADDR_W (ADDR_W)
    ) u_crossing (
        .wr_clk   (wr_clk),
        .wr_rst   (wr_rst),
        .wr_valid (wr_valid),
        .wr_data  (wr_data),
        .wr_free  (wr_free),
        .rd_clk   (rd_clk),
        .rd_rst   (rd_rst),
        .rd_ready (take),
        .rd_data  (head),
        .rd_words (words)
    );

    wire some  = words != {(ADDR_W + 1){1'b0}};
    wire gap   = m_valid_q && m_last_q;          // LNK-3: this cycle loads no word
    wire ahead = words > {{(ADDR_W - 1){1'b0}}, LEAD} || seen_q == LEAD;

    assign take = some && (inside_q || (!gap && ahead));

    always @* begin
        inside_d = inside_q;
        seen_d   = seen_q;
        m_data_d = m_data_q;
        m_keep_d = m_keep_q;
        m_last_d = m_last_q;
        m_user_d = m_user_q;
        if (take) begin
            {m_user_d, m_last_d, m_keep_d, m_data_d} = head;
            inside_d = !head[36];
            seen_d   = 2'd0;
        end else if (!inside_q && some && seen_q != LEAD) begin
            seen_d = seen_q + 2'd1;
        end
    end

    always @(posedge rd_clk) begin
        inside_q  <= inside_d;
        seen_q    <= seen_d;
        m_valid_q <= take;
        m_data_q  <= m_data_d;
        m_keep_q  <= m_keep_d;
        m_last_q  <= m_last_d;
        m_user_q  <= m_user_d;
        if (rd_rst) begin
            inside_q  <= 1'b0;
            seen_q    <= 2'd0;
            m_valid_q <= 1'b0;
        end
    end

    assign m_axis_tdata  = m_data_q;
    assign m_axis_tkeep  = m_keep_q;
    assign m_axis_tvalid = m_valid_q;
    assign m_axis_tlast  = m_last_q;
    assign m_axis_tuser  = m_user_q;
    assign ev_underrun   = inside_q && !some;
endmodule

`default_nettype wire
