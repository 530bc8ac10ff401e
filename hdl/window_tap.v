// SPDX-License-Identifier: MIT OR Apache-2.0
// window_tap: takes the words of other boards that are written in a window of the memory.
//
// Promises: each word that mem_writer writes in a window leaves once, in order, with its strobes and
// its address on the other ring; no other word leaves (GWY-5). A target beyond the memory leaves
// ev_range alone.
//
// Latency: one cycle.
//
// Requirements: GWY-5.
`include "awgstar.vh"
`default_nettype none

module window_tap #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W, // the memory of either ring has 2^n words
    parameter WINDOWS    = 4
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [WINDOWS-1:0]    cfg_valid,
    input  wire [26*WINDOWS-1:0] cfg_first,  // each in steps of 64 bytes
    input  wire [26*WINDOWS-1:0] cfg_last,
    input  wire [26*WINDOWS-1:0] cfg_offset, // added to the address

    input  wire [MEM_ADDR_W-1:0] mem_addr,
    input  wire [3:0]            mem_we,
    input  wire [31:0]           mem_wdata,

    output wire                  m_valid,
    output wire [63:0]           m_word,     // address, strobes, data
    output wire                  ev_range
);
    generate
        if (MEM_ADDR_W < 2 || MEM_ADDR_W > 28) begin : g_check
            window_tap_MEM_ADDR_W_must_be_2_to_28 u_error ();
        end
        if (WINDOWS < 1 || WINDOWS > 4) begin : g_check_windows
            window_tap_WINDOWS_must_be_1_to_4 u_error ();
        end
    endgenerate

    reg         valid_q;
    reg [63:0]  word_q;
    reg         range_q;

    wire [29:0] word  = {{(30 - MEM_ADDR_W){1'b0}}, mem_addr};
    wire [25:0] place = word[29:4];

    reg         hit;
    reg  [25:0] offset; // of the first window with the word
    integer     n;

    always @* begin
        hit    = 1'b0;
        offset = 26'd0;
        for (n = WINDOWS - 1; n >= 0; n = n - 1) begin
            if (cfg_valid[n] && place >= cfg_first[26*n +: 26] && place <= cfg_last[26*n +: 26]) begin
                hit    = 1'b1;
                offset = cfg_offset[26*n +: 26];
            end
        end
    end

    wire [25:0] far    = place + offset;
    wire [29:0] target = {far, word[3:0]};
    wire        fits = target >> MEM_ADDR_W == 30'd0;
    wire        some   = hit && mem_we != 4'b0000;

    always @(posedge clk) begin
        valid_q <= some && fits;
        word_q  <= {target[27:0], mem_we, mem_wdata};
        range_q <= some && !fits;
        if (rst) begin
            valid_q <= 1'b0;
            range_q <= 1'b0;
        end
    end

    assign m_valid  = valid_q;
    assign m_word   = word_q;
    assign ev_range = range_q;
endmodule

`default_nettype wire
