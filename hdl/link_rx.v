// SPDX-License-Identifier: MIT OR Apache-2.0
// link_rx: turns decoded words into the words of a node's link.
//
// Promises: on m_axis are whole frames of 1 to 261 words without a gap, at least one idle word
// between (LNK-3), whatever the line brings. A frame that breaks on the way, by a wrong code, a set
// that is damaged, loss of lock or too many words, ends in its last good word with tlast and
// tuser (COD-7); then nothing comes until a set says that a frame begins.
//
// Latency: word in cycle t, on m_axis in cycle t + 1: what is behind a word says whether it is the
// last, so m_axis depends on the inputs of its cycle.
//
// Requirements: COD-7, COD-8, LNK-3.
`default_nettype none

module link_rx (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_data,
    input  wire [3:0]  s_k,
    input  wire        s_bad,  // a byte of the word is wrong
    input  wire        locked, // 0: the words mean nothing

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    output wire        m_axis_tuser,

    output wire        ev_broken // a frame has ended without its end
);
    localparam [7:0] COMMA = 8'hBC; // K28.5
    localparam [7:0] SET_3 = 8'hB5; // D21.5
    localparam [8:0] WORDS_MAX = 9'd261; // of the longest frame

    reg        valid_q;            // a word of a frame is held
    reg [31:0] data_q, data_d;
    reg        user_q, user_d;     // M of the frame, while its first word is held
    reg [8:0]  words_q, words_d;   // of the frame so far, the one held included
    reg        begin_q;            // the word before was a set that begins a frame
    reg        monitor_q, monitor_d; // with M

    wire [3:0] ends   = s_data[11:8] ^ 4'h5;
    wire [1:0] begins = s_data[21:20] ^ 2'b11;

    // COD-8: each lane is checked, so that a set with an error in one lane is none.
    wire usable = locked && !s_bad;
    wire set    = usable && s_k == 4'b0001 && s_data[7:0] == COMMA
               && s_data[15:12] == 4'h9 && {s_data[23:22], s_data[19:16]} == 6'b100101
               && s_data[31:24] == (SET_3 ^ {2'd0, begins, ends});
    wire word   = usable && s_k == 4'b0000;
    wire more   = word && (valid_q ? words_q != WORDS_MAX : begin_q);
    wire ended  = set && ends[3];

    reg [3:0] keep;

    always @* begin
        case (ends[1:0]) // LNK-2
            2'd1:    keep = 4'b0001;
            2'd2:    keep = 4'b0011;
            2'd3:    keep = 4'b0111;
            default: keep = 4'b1111;
        endcase
        data_d    = data_q;
        user_d    = 1'b0;
        words_d   = words_q;
        monitor_d = begins[0];
        if (more) begin
            data_d  = s_data;
            user_d  = !valid_q && monitor_q;
            words_d = valid_q ? words_q + 9'd1 : 9'd1;
        end
    end

    always @(posedge clk) begin
        valid_q   <= more;
        data_q    <= data_d;
        user_q    <= user_d;
        words_q   <= words_d;
        begin_q   <= set && begins[1];
        monitor_q <= monitor_d;
        if (rst) begin
            valid_q <= 1'b0;
            begin_q <= 1'b0;
        end
    end

    assign m_axis_tdata  = data_q;
    assign m_axis_tvalid = valid_q;
    assign m_axis_tlast  = !more;
    assign m_axis_tkeep  = ended ? keep : 4'b1111;
    assign m_axis_tuser  = more ? user_q : !ended || ends[2];
    assign ev_broken     = valid_q && !more && !ended;
endmodule

`default_nettype wire
