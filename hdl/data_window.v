// SPDX-License-Identifier: MIT OR Apache-2.0
// data_window: keeps data frames until they have returned good and sends them in order.
//
// Promises: no frame is given up (ACK-1, ACK-5). Frames leave in the order of their numbers; when
// one is lost, it and all after it are retransmitted with the numbers they had (ACK-2, ACK-3).
// Only the return of the oldest frame counts (ACK-4). After a fence only repeats leave (JOIN-2).
//
// Latency: a frame closed in cycle t is offered in t + 3 at the earliest; its first word is there
// when its header is taken.
//
// Requirements: ACK-1, ACK-2, ACK-3, ACK-4, ACK-5, ACK-6, JOIN-2.
`include "awgstar.vh"
`default_nettype none

module data_window #(
    parameter TX_ADDR_W  = `AWG_TX_ADDR_W, // room for 2^n words
    parameter TX_FRAME_W = `AWG_TX_FRAME_W // room for 2^n frames
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire                       enable,
    input  wire                       fence, // nothing goes out that has not gone out before (JOIN-2)
    input  wire [23:0]                cfg_timeout,

    input  wire                       word_valid,
    input  wire [31:0]                word_data,
    input  wire                       close_valid,
    input  wire [31:0]                close_addr,
    input  wire [10:0]                close_len,
    input  wire [3:0]                 close_seq,
    output wire                       word_room,
    output wire                       frame_room,

    output wire                       m_hdr_valid,
    input  wire                       m_hdr_ready,
    output reg  [`AWG_DATA_HDR_W-1:0] m_hdr,

    output wire [31:0]                m_axis_tdata,
    output reg  [3:0]                 m_axis_tkeep,
    output wire                       m_axis_tvalid,
    input  wire                       m_axis_tready,
    output wire                       m_axis_tlast,

    input  wire                       ret_valid,
    input  wire                       ret_good,
    input  wire [2:0]                 ret_token,
    input  wire [7:0]                 ret_packet_cnt,

    output wire [7:0]                 base,
    output wire [7:0]                 next,
    output wire [7:0]                 tail,
    output wire [7:0]                 fresh,   // the first that has never been sent
    output wire                       drained, // all that was sent has returned good
    output wire [TX_ADDR_W:0]         words_free,
    output wire                       rewound,
    output wire                       stalled,
    output wire                       ev_timeout,
    output wire                       ret_hit
);
    generate
        if (TX_ADDR_W < 9 || TX_ADDR_W > 15) begin : g_check_words
            data_window_TX_ADDR_W_must_be_9_to_15 u_error ();
        end
        if (TX_FRAME_W < 1 || TX_FRAME_W > 6) begin : g_check_frames
            data_window_TX_FRAME_W_must_be_1_to_6 u_error ();
        end
    endgenerate

    localparam [TX_ADDR_W:0] WORDS_MAX  = {1'b1, {TX_ADDR_W{1'b0}}};
    localparam [7:0]         FRAMES_MAX = 8'd1 << TX_FRAME_W;
    localparam               HDR_W      = 47;

    reg [1:0]         state_q, state_d;
    reg [TX_ADDR_W:0] wr_q, wr_d;           // next word written
    reg [TX_ADDR_W:0] free_q, free_d;       // first word still needed
    reg [TX_ADDR_W:0] rd_q, rd_d;           // next word sent
    reg [7:0]         tail_q, tail_d;       // next frame closed
    reg [7:0]         base_q, base_d;       // next frame acknowledged
    reg [7:0]         next_q, next_d;       // next frame sent
    reg [7:0]         fresh_q, fresh_d;     // first frame that has never been sent
    reg               rewind_q, rewind_d;   // go back before the next frame
    reg               recover_q, recover_d; // went back, and base has not returned since
    reg [23:0]        timer_q, timer_d;     // cycles since the last progress
    reg [3:0]         retries_q, retries_d; // timeouts since the last acknowledgement
    reg [31:0]        addr_q, addr_d;
    reg [10:0]        len_q, len_d;
    reg [3:0]         seq_q, seq_d;
    reg [8:0]         left_q, left_d;       // words of the frame still to be taken
    reg               words_full_q;         // wr_q - free_q is WORDS_MAX
    reg               frames_full_q;        // tail_q - base_q is FRAMES_MAX
    reg [31:0]        word_q;
    reg [31:0]        mem [0:(1 << TX_ADDR_W) - 1];
    reg [HDR_W-1:0]   headers [0:(1 << TX_FRAME_W) - 1];
    reg [8:0]         sizes [0:(1 << TX_FRAME_W) - 1];

    function [8:0] words_of;
        input [10:0] len;
        reg   [1:0]  unused;
        {words_of, unused} = len + 11'd3;
    endfunction

    // ---- Room and headers ----

    wire [TX_ADDR_W:0] used   = wr_q - free_q;
    wire [7:0]         frames = tail_q - base_q;
    wire [HDR_W-1:0]   header = headers[next_q[TX_FRAME_W-1:0]];
    wire [8:0]         size   = sizes[base_q[TX_FRAME_W-1:0]];

    always @(posedge clk) begin
        if (close_valid) begin
            headers[tail_q[TX_FRAME_W-1:0]] <= {close_addr, close_len, close_seq};
            sizes[tail_q[TX_FRAME_W-1:0]]   <= words_of(close_len);
        end
    end

    // ---- Returns ----

    wire       waits       = base_q != tail_q;
    wire       outstanding = base_q != next_q;
    wire [7:0] behind      = ret_packet_cnt - base_q;
    wire       ours        = ret_valid && ret_good && ret_token == `AWG_TOKEN_DATA && outstanding;
    wire       hit         = ours && behind == 8'd0;               // ACK-4
    wire       ahead       = ours && behind != 8'd0 && !behind[7]; // ACK-3: base is lost
    wire       bad         = ret_valid && !ret_good && outstanding;
    // Also while nothing was sent yet: a board that gets no token must stall too (ACK-6).
    wire       expire      = waits && !hit && timer_q >= cfg_timeout;
    wire       rewind      = state_q == `AWG_DATA_WINDOW_IDLE && rewind_q;
    wire       sent        = m_axis_tvalid && m_axis_tready && m_axis_tlast;

    always @* begin
        base_d    = base_q;
        free_d    = free_q;
        rewind_d  = rewind_q && !rewind;
        recover_d = recover_q;
        timer_d   = timer_q + 24'd1;
        retries_d = retries_q;

        // It starts anew when the first of the frames that wait has been sent.
        if (!waits || rewind || (sent && !outstanding)) timer_d = 24'd0;

        if (hit) begin
            base_d    = base_q + 8'd1;
            free_d    = free_q + {{(TX_ADDR_W - 8){1'b0}}, size};
            recover_d = 1'b0;
            timer_d   = 24'd0;
            retries_d = 4'd0;
        end
        if (expire) begin
            timer_d = 24'd0;
            if (outstanding) begin
                rewind_d  = 1'b1;
                recover_d = 1'b1;
            end
            if (retries_q != `AWG_RETRY_LIMIT) retries_d = retries_q + 4'd1; // ACK-6
        end else if ((ahead || bad) && !recover_q) begin
            rewind_d  = 1'b1;
            recover_d = 1'b1;
        end
    end

    // ---- Words in, frames out ----

    always @* begin
        state_d = state_q;
        wr_d    = wr_q + {{TX_ADDR_W{1'b0}}, word_valid};
        tail_d  = tail_q + {7'd0, close_valid};
        rd_d    = rd_q;
        next_d  = next_q;
        fresh_d = fresh_q;
        addr_d  = addr_q;
        len_d   = len_q;
        seq_d   = seq_q;
        left_d  = left_q;

        case (state_q)
            `AWG_DATA_WINDOW_IDLE: begin
                if (rewind_q) begin
                    next_d = base_d;
                    rd_d   = free_d;
                end else if (enable && next_q != tail_q && !(fence && next_q == fresh_q)) begin
                    {addr_d, len_d, seq_d} = header;
                    left_d  = words_of(len_d);
                    state_d = `AWG_DATA_WINDOW_LOAD;
                end
            end

            `AWG_DATA_WINDOW_LOAD: state_d = `AWG_DATA_WINDOW_OFFER;

            `AWG_DATA_WINDOW_OFFER: if (m_hdr_ready) state_d = `AWG_DATA_WINDOW_STREAM;

            default: if (m_axis_tready) begin // STREAM
                rd_d   = rd_q + {{TX_ADDR_W{1'b0}}, 1'b1};
                left_d = left_q - 9'd1;
                if (m_axis_tlast) begin
                    next_d  = next_q + 8'd1;
                    if (next_q == fresh_q) fresh_d = next_d;
                    state_d = `AWG_DATA_WINDOW_IDLE;
                end
            end
        endcase
    end

    always @(posedge clk) begin
        if (word_valid) mem[wr_q[TX_ADDR_W-1:0]] <= word_data;
        word_q <= mem[rd_d[TX_ADDR_W-1:0]];
    end

    always @(posedge clk) begin
        state_q   <= state_d;
        wr_q      <= wr_d;
        free_q    <= free_d;
        rd_q      <= rd_d;
        tail_q    <= tail_d;
        base_q    <= base_d;
        next_q    <= next_d;
        fresh_q   <= fresh_d;
        rewind_q  <= rewind_d;
        recover_q <= recover_d;
        timer_q   <= timer_d;
        retries_q <= retries_d;
        addr_q    <= addr_d;
        len_q     <= len_d;
        seq_q     <= seq_d;
        left_q    <= left_d;
        // An acknowledged frame makes room for one word and one frame at least, and nothing comes while there is
        // none. word_valid and close_valid come late.
        words_full_q  <= !hit && (word_valid ? used == WORDS_MAX - 1'b1 : words_full_q);
        frames_full_q <= !hit && (close_valid ? frames == FRAMES_MAX - 8'd1 : frames_full_q);
        if (rst) begin
            state_q   <= `AWG_DATA_WINDOW_IDLE;
            wr_q      <= {(TX_ADDR_W + 1){1'b0}};
            free_q    <= {(TX_ADDR_W + 1){1'b0}};
            rd_q      <= {(TX_ADDR_W + 1){1'b0}};
            tail_q    <= 8'd0;
            base_q    <= 8'd0;
            next_q    <= 8'd0;
            fresh_q   <= 8'd0;
            rewind_q  <= 1'b0;
            recover_q <= 1'b0;
            timer_q   <= 24'd0;
            retries_q <= 4'd0;
            words_full_q  <= 1'b0;
            frames_full_q <= 1'b0;
        end
    end

    always @* begin
        m_axis_tkeep = 4'b1111;
        if (m_axis_tlast) case (len_q[1:0]) // LNK-2
            2'd1:    m_axis_tkeep = 4'b0001;
            2'd2:    m_axis_tkeep = 4'b0011;
            2'd3:    m_axis_tkeep = 4'b0111;
            default: ;
        endcase
    end

    assign word_room  = !words_full_q;
    assign frame_room = !frames_full_q;

    assign m_hdr_valid = state_q == `AWG_DATA_WINDOW_OFFER;

    always @* begin
        m_hdr = {`AWG_DATA_HDR_W{1'b0}};
        m_hdr[`AWG_HDR_ACT_SEQ]    = seq_q;
        m_hdr[`AWG_HDR_PACKET_CNT] = next_q; // ACK-2
        m_hdr[`AWG_HDR_ADDR]       = addr_q;
        m_hdr[`AWG_HDR_LEN]        = len_q;
    end

    assign m_axis_tdata  = word_q;
    assign m_axis_tvalid = state_q == `AWG_DATA_WINDOW_STREAM;
    assign m_axis_tlast  = left_q == 9'd1;

    assign base       = base_q;
    assign next       = next_q;
    assign tail       = tail_q;
    assign fresh      = fresh_q;
    assign drained    = state_q == `AWG_DATA_WINDOW_IDLE && base_q == fresh_q;
    assign words_free = WORDS_MAX - used;
    assign rewound    = rewind;
    assign stalled    = retries_q == `AWG_RETRY_LIMIT;
    assign ev_timeout = expire;
    assign ret_hit    = hit;
endmodule

`default_nettype wire
