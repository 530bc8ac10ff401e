// SPDX-License-Identifier: MIT OR Apache-2.0
// clock_crossing: a FIFO between two clocks that have nothing to do with each other.
//
// Promises: each word that is written while wr_free is not 0 is read once, in order (CDC-2).
// wr_free and rd_words may be too small, never too large.
//
// Latency: written by an edge of wr_clk, on rd_data behind the second edge of rd_clk after it, or
// the third if the first of them met the pointer while it changed.
//
// The pointers cross as Gray codes, of which one bit changes at a time. Both resets must be high
// together for 3 cycles of the slower clock, and no word is written before wr_rst is low.
//
// Requirements: CDC-1, CDC-2.
`default_nettype none

module clock_crossing #(
    parameter WIDTH  = 38, // bits of a word
    parameter ADDR_W = 6   // 2^n words
) (
    input  wire              wr_clk,
    input  wire              wr_rst,
    input  wire              wr_valid,
    input  wire [WIDTH-1:0]  wr_data,
    output wire [ADDR_W:0]   wr_free,  // room for so many words

    input  wire              rd_clk,
    input  wire              rd_rst,
    input  wire              rd_ready, // take rd_data; counts if rd_words is not 0
    output wire [WIDTH-1:0]  rd_data,
    output wire [ADDR_W:0]   rd_words
);
    generate
        if (ADDR_W < 2 || ADDR_W > 10) begin : g_check_addr
            clock_crossing_ADDR_W_must_be_2_to_10 u_error ();
        end
        if (WIDTH < 1 || WIDTH > 256) begin : g_check_width
            clock_crossing_WIDTH_must_be_1_to_256 u_error ();
        end
    endgenerate

    localparam [ADDR_W:0] DEPTH = {1'b1, {ADDR_W{1'b0}}};

    function [ADDR_W:0] binary;
        input [ADDR_W:0] gray;
        integer n;
        begin
            binary = gray;
            for (n = 1; n <= ADDR_W; n = n + 1) binary = binary ^ (gray >> n);
        end
    endfunction

    // Pointers are one bit wider than addresses: the upper bit tells full from empty.
    reg  [ADDR_W:0]  wr_ptr_q;
    reg  [ADDR_W:0]  wr_gray_q; // the same in Gray code: what the other side sees
    reg  [ADDR_W:0]  rd_ptr_q;
    reg  [ADDR_W:0]  rd_gray_q;
    reg  [WIDTH-1:0] mem [0:(1 << ADDR_W) - 1];

    wire [ADDR_W:0]  wr_gray;   // in the clock of the reader
    wire [ADDR_W:0]  rd_gray;   // in the clock of the writer

    synchronizer #(.WIDTH(ADDR_W + 1)) u_wr_gray (
        .clk (rd_clk),
        .rst (rd_rst),
        .d   (wr_gray_q),
        .q   (wr_gray)
    );

    synchronizer #(.WIDTH(ADDR_W + 1)) u_rd_gray (
        .clk (wr_clk),
        .rst (wr_rst),
        .d   (rd_gray_q),
        .q   (rd_gray)
    );

    // ---- Writer ----

    assign wr_free = DEPTH - (wr_ptr_q - binary(rd_gray));

    wire            write    = wr_valid && wr_free != {(ADDR_W + 1){1'b0}};
    wire [ADDR_W:0] wr_ptr_d = wr_ptr_q + {{ADDR_W{1'b0}}, write};

    always @(posedge wr_clk) begin
        if (write) mem[wr_ptr_q[ADDR_W-1:0]] <= wr_data;
    end

    always @(posedge wr_clk) begin
        wr_ptr_q  <= wr_ptr_d;
        wr_gray_q <= wr_ptr_d ^ (wr_ptr_d >> 1);
        if (wr_rst) begin
            wr_ptr_q  <= {(ADDR_W + 1){1'b0}};
            wr_gray_q <= {(ADDR_W + 1){1'b0}};
        end
    end

    // ---- Reader ----

    assign rd_words = binary(wr_gray) - rd_ptr_q;
    assign rd_data  = mem[rd_ptr_q[ADDR_W-1:0]];

    wire            read     = rd_ready && rd_words != {(ADDR_W + 1){1'b0}};
    wire [ADDR_W:0] rd_ptr_d = rd_ptr_q + {{ADDR_W{1'b0}}, read};

    always @(posedge rd_clk) begin
        rd_ptr_q  <= rd_ptr_d;
        rd_gray_q <= rd_ptr_d ^ (rd_ptr_d >> 1);
        if (rd_rst) begin
            rd_ptr_q  <= {(ADDR_W + 1){1'b0}};
            rd_gray_q <= {(ADDR_W + 1){1'b0}};
        end
    end
endmodule

`default_nettype wire
