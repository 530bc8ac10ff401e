// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_link: a node's end of the line: the node's words and clock on one side, the 40-bit parallel side
// of a transceiver on the other.
//
// Promises: between two of them a link is what the node expects (LNK-2, LNK-3), each side with a
// clock that is its own. A line that is dark or not understood is a link without words, which is
// how a node sees a cut link (COD-9).
//
// Latency: s_axis to tx_code 2 cycles; a word whose last bit is on rx_code in cycle t is on m_axis 6 to 7
// cycles later, when nothing is before it.
//
// rst must be high for 8 cycles of the slower clock, while rx_clk runs. A clock of the line that stops is seen by
// u_watch 36 cycles later at most; then what comes from the line is in reset until it has run for 16 cycles again,
// and `up` is low (CDC-7). What goes to the line goes on.
//
// Wires, and the register of that reset.
//
// Requirements: COD-9, LNK-5, CDC-4, CDC-7.
`default_nettype none

module ring_link #(
    parameter ELASTIC_ADDR_W = 6 // elastic buffer: 2^n words
) (
    input  wire                    clk,           // of the node and of what it sends
    input  wire                    rst,

    input  wire [31:0]             s_axis_tdata,  // from the node
    input  wire [3:0]              s_axis_tkeep,
    input  wire                    s_axis_tvalid,
    input  wire                    s_axis_tlast,
    input  wire                    s_axis_tuser,

    output wire [31:0]             m_axis_tdata,  // to the node
    output wire [3:0]              m_axis_tkeep,
    output wire                    m_axis_tvalid,
    output wire                    m_axis_tlast,
    output wire                    m_axis_tuser,

    output wire                    up,            // words are understood
    output wire [ELASTIC_ADDR_W:0] words,         // that wait in the elastic buffer
    output wire                    ev_underrun,

    output wire [39:0]             tx_code,       // bit 0 first

    input  wire                    rx_clk,        // recovered from the line
    input  wire                    rx_los,        // loss of signal
    input  wire [39:0]             rx_code,       // in any place, bit 0 first
    output wire                    rx_ev_bad,     // rx_clk: a word with a wrong code
    output wire                    rx_ev_broken,  // rx_clk: a frame broke on the line
    output wire                    rx_ev_overflow // rx_clk: a frame found no room
);
    // ---- To the line ----

    wire [31:0] tx_data;
    wire [3:0]  tx_k;

    link_tx u_tx (
        .clk           (clk),
        .rst           (rst),
        .s_axis_tdata  (s_axis_tdata),
        .s_axis_tkeep  (s_axis_tkeep),
        .s_axis_tvalid (s_axis_tvalid),
        .s_axis_tlast  (s_axis_tlast),
        .s_axis_tuser  (s_axis_tuser),
        .m_data        (tx_data),
        .m_k           (tx_k)
    );

    enc_8b10b u_enc (
        .clk    (clk),
        .rst    (rst),
        .s_data (tx_data),
        .s_k    (tx_k),
        .m_code (tx_code)
    );

    // ---- From the line ----

    wire        runs;
    reg         line_rst_q; // clk: in reset, or the line has no clock
    wire        rx_rst;     // the same in rx_clk
    wire [39:0] word;
    wire        locked;
    wire [31:0] rx_data;
    wire [3:0]  rx_k;
    wire [3:0]  code_err;
    wire [3:0]  disp_err;
    wire        bad = |{code_err, disp_err};
    wire [31:0] line_tdata;
    wire [3:0]  line_tkeep;
    wire        line_tvalid;
    wire        line_tlast;
    wire        line_tuser;

    // A line's clock differs by 200 ppm: a span of 4 cycles that takes 31 is none.
    clock_watch #(
        .SPANS_W  (2),
        .SHORTEST (1),
        .LONGEST  (31),
        .TRUSTED  (1)
    ) u_watch (
        .clk     (clk),
        .rst     (rst),
        .watched (rx_clk),
        .runs    (runs)
    );

    always @(posedge clk)
        line_rst_q <= rst || !runs;

    synchronizer u_rst (
        .clk (rx_clk),
        .rst (1'b0),
        .d   (line_rst_q),
        .q   (rx_rst)
    );

    word_aligner u_aligner (
        .clk    (rx_clk),
        .rst    (rx_rst),
        .s_code (rx_code),
        .los    (rx_los),
        .bad    (bad),
        .m_code (word),
        .locked (locked)
    );

    dec_8b10b u_dec (
        .clk        (rx_clk),
        .rst        (rx_rst),
        .s_code     (word),
        .m_data     (rx_data),
        .m_k        (rx_k),
        .m_code_err (code_err),
        .m_disp_err (disp_err)
    );

    link_rx u_rx (
        .clk           (rx_clk),
        .rst           (rx_rst),
        .s_data        (rx_data),
        .s_k           (rx_k),
        .s_bad         (bad),
        .locked        (locked),
        .m_axis_tdata  (line_tdata),
        .m_axis_tkeep  (line_tkeep),
        .m_axis_tvalid (line_tvalid),
        .m_axis_tlast  (line_tlast),
        .m_axis_tuser  (line_tuser),
        .ev_broken     (rx_ev_broken)
    );

    elastic_buffer #(
        .ADDR_W (ELASTIC_ADDR_W)
    ) u_elastic (
        .wr_clk        (rx_clk),
        .wr_rst        (rx_rst),
        .s_axis_tdata  (line_tdata),
        .s_axis_tkeep  (line_tkeep),
        .s_axis_tvalid (line_tvalid),
        .s_axis_tlast  (line_tlast),
        .s_axis_tuser  (line_tuser),
        .ev_overflow   (rx_ev_overflow),
        .rd_clk        (clk),
        .rd_rst        (line_rst_q),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tkeep  (m_axis_tkeep),
        .m_axis_tvalid (m_axis_tvalid),
        .m_axis_tlast  (m_axis_tlast),
        .m_axis_tuser  (m_axis_tuser),
        .ev_underrun   (ev_underrun),
        .words         (words)
    );

    synchronizer u_up (
        .clk (clk),
        .rst (line_rst_q),
        .d   (locked),
        .q   (up)
    );

    assign rx_ev_bad = locked && bad;
endmodule

`default_nettype wire
