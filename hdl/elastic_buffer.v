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
// Latency: a word on s_axis is on m_axis 3 to 4 cycles later when nothing is before it: 1 to write
// it, 1 to 2 for the synchronizer, 1 that a frame waits before it leaves.
//
// That cycle is what a word may come too late: within a frame the clocks drift apart by 0.06 of
// a cycle, so at most one word is seen a cycle later than the first was.
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
    localparam [37:0]     ABORT = {1'b1, 1'b1, 4'b1111, 32'd0};
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
                wr_data = ABORT;
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
    reg             ended_q;            // its last word left in the cycle before
    reg             waited_q;           // so have the words that wait now: a frame may begin

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
    wire ahead = words > ONE || waited_q;

    assign take = some && (inside_q || (!ended_q && ahead)); // LNK-3: an idle word behind a last one

    always @* begin
        inside_d = inside_q;
        if (take) inside_d = !head[36];
    end

    always @(posedge rd_clk) begin
        inside_q <= inside_d;
        ended_q  <= take && head[36];
        waited_q <= some && !take;
        if (rd_rst) begin
            inside_q <= 1'b0;
            ended_q  <= 1'b0;
            waited_q <= 1'b0;
        end
    end

    assign {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata} = head;

    assign m_axis_tvalid = take;
    assign ev_underrun   = inside_q && !some;
endmodule

`default_nettype wire
