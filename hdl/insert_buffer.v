// SPDX-License-Identifier: MIT OR Apache-2.0
// insert_buffer: FIFO from link in to link out, where the ring waits while the node sends.
//
// Promises: words leave in the order they came, unchanged. A write into a full buffer would be
// refused, and is never tried: tx_arbiter starts no frame without the room for it (NODE-9).
//
// Latency: a word written in cycle t is on rd_word in cycle t + 1 when nothing lies before it.
//
// Requirements: NODE-2, NODE-9, NODE-21.
`include "awgstar.vh"
`default_nettype none

module insert_buffer #(
    parameter ADDR_W = `AWG_BUFFER_ADDR_W // the buffer holds 2^ADDR_W words
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire                          wr_valid,
    input  wire [`AWG_BUFFER_WORD_W-1:0] wr_word,

    input  wire                          rd_ready,
    output wire [`AWG_BUFFER_WORD_W-1:0] rd_word,
    output wire [ADDR_W:0]               words,
    output wire                          some
);
    localparam            DEPTH = 1 << ADDR_W;
    localparam [ADDR_W:0] FULL  = DEPTH[ADDR_W:0];
    localparam [ADDR_W:0] ONE   = {{ADDR_W{1'b0}}, 1'b1};

    generate if (ADDR_W < 5 || ADDR_W > 15) begin : g_check
        insert_buffer_ADDR_W_must_be_5_to_15 u_error ();
    end endgenerate

    reg [ADDR_W-1:0]             wr_ptr_q, wr_ptr_d; // where the next word goes
    reg [ADDR_W-1:0]             rd_ptr_q, rd_ptr_d; // where the head lies
    reg [ADDR_W:0]               words_q, words_d;
    reg                          some_q, some_d;     // words_q is not 0
    reg                          bypass_q, bypass_d; // the head is new_q, not head_q
    reg [`AWG_BUFFER_WORD_W-1:0] new_q, new_d;       // a word that came when no other was left
    reg [`AWG_BUFFER_WORD_W-1:0] head_q;             // the word read last
    reg [`AWG_BUFFER_WORD_W-1:0] mem [0:DEPTH-1];

    wire push = wr_valid && words_q != FULL;
    wire pop  = rd_ready && some_q;
    // Both come late: what follows from them is ready for each case.
    wire [ADDR_W-1:0] wr_next = wr_ptr_q + ONE[ADDR_W-1:0];
    wire [ADDR_W-1:0] rd_next = rd_ptr_q + ONE[ADDR_W-1:0];
    wire [ADDR_W:0]   more    = words_q + ONE;
    wire [ADDR_W:0]   less    = words_q - ONE;
    wire              none    = pop ? words_q == ONE : !some_q; // but for the word being written

    always @* begin
        wr_ptr_d = push ? wr_next : wr_ptr_q;
        rd_ptr_d = pop ? rd_next : rd_ptr_q;
        words_d  = push == pop ? words_q : push ? more : less;
        some_d   = push || !none;
        bypass_d = none ? push : bypass_q && !pop;
        new_d    = none && push ? wr_word : new_q;
    end

    always @(posedge clk) begin
        if (push) mem[wr_ptr_q] <= wr_word;
        if (pop) head_q <= mem[rd_next];
    end

    always @(posedge clk) begin
        wr_ptr_q <= wr_ptr_d;
        rd_ptr_q <= rd_ptr_d;
        words_q  <= words_d;
        some_q   <= some_d;
        bypass_q <= bypass_d;
        new_q    <= new_d;
        if (rst) begin // NODE-21
            wr_ptr_q <= {ADDR_W{1'b0}};
            rd_ptr_q <= {ADDR_W{1'b0}};
            words_q  <= {(ADDR_W + 1){1'b0}};
            some_q   <= 1'b0;
        end
    end

    // NODE-2: a word that becomes the head at once is handed on past the memory.
    assign rd_word = bypass_q ? new_q : head_q;
    assign words   = words_q;
    assign some    = some_q;
endmodule

`default_nettype wire
