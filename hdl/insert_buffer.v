`include "awgstar.vh"
`default_nettype none
module insert_buffer #(
    parameter ADDR_W = `AWG_BUFFER_ADDR_W
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              wr_valid,
    input  wire [`AWG_BUFFER_WORD_W-1:0] wr_word,
    input  wire              rd_ready,
    output wire [`AWG_BUFFER_WORD_W-1:0] rd_word,
    output wire [ADDR_W:0]   words
);
    localparam DEPTH = 1 << ADDR_W;
    reg [ADDR_W-1:0] wr_ptr_q, wr_ptr_d;
    reg [ADDR_W-1:0] rd_ptr_q, rd_ptr_d;
    reg [ADDR_W:0]   words_q, words_d;
    reg [`AWG_BUFFER_WORD_W-1:0] head_q;
    reg [`AWG_BUFFER_WORD_W-1:0] mem [0:DEPTH-1];
    wire push = wr_valid && words_q != DEPTH[ADDR_W:0];
    wire pop  = rd_ready && words_q != 0;
    always @* begin
        wr_ptr_d = wr_ptr_q + {{(ADDR_W-1){1'b0}}, push};
        rd_ptr_d = rd_ptr_q + {{(ADDR_W-1){1'b0}}, pop};
        words_d  = words_q + {{ADDR_W{1'b0}}, push} - {{ADDR_W{1'b0}}, pop};
    end
    always @(posedge clk) begin
        if (push) mem[wr_ptr_q] <= wr_word;
        head_q <= push && wr_ptr_q == rd_ptr_d ? wr_word : mem[rd_ptr_d];
    end
    always @(posedge clk) begin
        wr_ptr_q <= wr_ptr_d;
        rd_ptr_q <= rd_ptr_d;
        words_q  <= words_d;
        if (rst) begin
            wr_ptr_q <= 0;
            rd_ptr_q <= 0;
            words_q  <= 0;
        end
    end
    assign rd_word = head_q;
    assign words   = words_q;
endmodule
`default_nettype wire
