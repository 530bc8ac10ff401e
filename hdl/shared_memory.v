// SPDX-License-Identifier: MIT OR Apache-2.0
// shared_memory: the replica of the shared memory. Port A is the host's, port B the ring's.
//
// Promises: bytes whose write enable is 0 keep their value. If both ports write one byte in one
// cycle, that of port B stays (RCV-6).
//
// Latency: address in cycle t, data in t + 1: the word before the writes of cycle t.
//
// Two write ports, on families whose block RAM has them; one_write/shared_memory.v is for all.
//
// Requirements: HST-4, RCV-6.
`include "awgstar.vh"
`default_nettype none

module shared_memory #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W // 2^n words
) (
    input  wire                  clk,

    input  wire [MEM_ADDR_W-1:0] a_addr,
    input  wire [3:0]            a_we,
    input  wire [31:0]           a_wdata,
    output wire [31:0]           a_rdata,

    input  wire [MEM_ADDR_W-1:0] b_addr,
    input  wire [3:0]            b_we,
    input  wire [31:0]           b_wdata
);
    generate if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
        shared_memory_MEM_ADDR_W_must_be_2_to_29 u_error ();
    end endgenerate

    reg [31:0] rdata_q;
    reg [31:0] mem [0:(1 << MEM_ADDR_W) - 1];

    // A true dual-port RAM promises nothing when both ports have one address. So it never comes to
    // that: a write of port B to the address of port A goes through port A.
    reg same;

    always @* begin // before the first access a_addr is unknown: not the same
        same = 1'b0;
        if (a_addr == b_addr) same = 1'b1;
    end

    wire [3:0]  b_in = same ? b_we : 4'b0000; // lanes of port B in port A
    wire [3:0]  we   = a_we | b_in;
    wire [31:0] data = {b_in[3] ? b_wdata[31:24] : a_wdata[31:24],  // RCV-6
                        b_in[2] ? b_wdata[23:16] : a_wdata[23:16],
                        b_in[1] ? b_wdata[15:8]  : a_wdata[15:8],
                        b_in[0] ? b_wdata[7:0]   : a_wdata[7:0]};

    always @(posedge clk) begin
        rdata_q <= mem[a_addr];
        if (we[0]) mem[a_addr][7:0]   <= data[7:0];
        if (we[1]) mem[a_addr][15:8]  <= data[15:8];
        if (we[2]) mem[a_addr][23:16] <= data[23:16];
        if (we[3]) mem[a_addr][31:24] <= data[31:24];
    end

    always @(posedge clk) begin // one block for each port: so AMD's tools ask for it
        if (b_we[0] && !same) mem[b_addr][7:0]   <= b_wdata[7:0];
        if (b_we[1] && !same) mem[b_addr][15:8]  <= b_wdata[15:8];
        if (b_we[2] && !same) mem[b_addr][23:16] <= b_wdata[23:16];
        if (b_we[3] && !same) mem[b_addr][31:24] <= b_wdata[31:24];
    end

    assign a_rdata = rdata_q;
endmodule

`default_nettype wire
