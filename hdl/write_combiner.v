// SPDX-License-Identifier: MIT OR Apache-2.0
// write_combiner: makes data frames of what the host writes.
//
// Promises: the bytes of a frame are those of neighbouring pieces in the order of their writing,
// and all of it is one run of addresses of 1,024 bytes at most (WRT-2, WRT-3). A frame that goes on
// behind a full one has the next Act_Seq (WRT-4).
//
// Latency: none from piece to word; a frame is closed at the earliest one cycle behind its last
// piece, in a cycle in which no piece is taken.
//
// Requirements: WRT-2, WRT-3, WRT-4.
`include "awgstar.vh"
`default_nettype none

module write_combiner (
    input  wire        clk,
    input  wire        rst,

    input  wire [15:0] cfg_combine,
    input  wire        flush,   // never with put_valid
    input  wire        e_flush,

    input  wire        put_valid,
    output wire        put_ready,
    input  wire [31:0] put_addr,
    input  wire [2:0]  put_len,
    input  wire [31:0] put_data,

    input  wire        word_room,
    input  wire        frame_room,

    output wire        word_valid,
    output wire [31:0] word_data,

    output wire        close_valid,
    output wire [31:0] close_addr,
    output wire [10:0] close_len,
    output wire [3:0]  close_seq,

    output wire        open
);
    reg        open_q, open_d;
    reg [31:0] addr_q, addr_d;
    reg [10:0] len_q, len_d;
    reg [3:0]  seq_q, seq_d;
    reg [31:0] next_q, next_d;   // the address behind the last byte
    reg        last_q, last_d;   // the frame cannot go on
    reg        chain_q, chain_d; // the last frame was full and nothing was flushed since
    reg [15:0] idle_q, idle_d;   // cycles since the last piece
    reg        time_q;           // they are cfg_combine, for a piece

    wire joins  = put_addr == next_q;
    wire over   = last_q || flush || e_flush || idle_q >= cfg_combine; // WRT-3
    wire done   = last_q || e_flush || time_q; // the same for a piece, which comes without flush
    wire may_begin = word_room && !open_q && frame_room;
    wire may_join  = word_room && open_q && !done;
    wire close  = open_q && (over || (put_valid && !joins));
    wire accept = put_valid && put_ready;
    wire full   = len_q == `AWG_DATA_MAX;

    // WRT-2: a piece that is not a whole word can only be the whole frame or its end.
    wire part = put_len != 3'd4 || put_addr[1:0] != 2'd0;

    always @* begin
        open_d  = open_q;
        addr_d  = addr_q;
        len_d   = len_q;
        seq_d   = seq_q;
        next_d  = next_q;
        last_d  = last_q;
        chain_d = chain_q;
        idle_d  = idle_q;

        if (accept) begin
            open_d  = 1'b1;
            next_d  = put_addr + {29'd0, put_len};
            idle_d  = 16'd0;
            chain_d = 1'b0;
            len_d   = (open_q ? len_q : 11'd0) + {8'd0, put_len};
            last_d  = part || len_d == `AWG_DATA_MAX;
            if (!open_q) begin
                addr_d = put_addr;
                seq_d  = chain_q && joins ? seq_q + 4'd1 : 4'd0; // WRT-4
            end
        end else if (close) begin
            open_d  = 1'b0;
            last_d  = 1'b0;
            chain_d = full && !flush && !e_flush;
        end else if (open_q) begin
            if (idle_q != 16'hFFFF) idle_d = idle_q + 16'd1;
        end else if (flush || e_flush) begin
            chain_d = 1'b0;
        end
    end

    // accept comes late: both answers are ready for it.
    wire idle_over = {1'b0, idle_q} + 17'd1 >= {1'b0, cfg_combine};
    wire idle_none = cfg_combine == 16'd0;

    always @(posedge clk) begin
        open_q  <= open_d;
        addr_q  <= addr_d;
        len_q   <= len_d;
        seq_q   <= seq_d;
        next_q  <= next_d;
        last_q  <= last_d;
        chain_q <= chain_d;
        idle_q  <= idle_d;
        time_q  <= accept ? idle_none : idle_over;
        if (rst) begin
            open_q  <= 1'b0;
            last_q  <= 1'b0;
            chain_q <= 1'b0;
            idle_q  <= 16'd0;
            time_q  <= 1'b0;
        end
    end

    // Of a piece, if there is one: put_valid comes late. Nor does it wait for flush or for a cfg_combine of
    // this cycle: a host that writes a register has no piece in that cycle and the next.
    assign put_ready   = may_begin || (may_join && joins);
    assign word_valid  = accept;
    assign word_data   = put_data;
    assign close_valid = close;
    assign close_addr  = addr_q;
    assign close_len   = len_q;
    assign close_seq   = seq_q;
    assign open        = open_q;
endmodule

`default_nettype wire
