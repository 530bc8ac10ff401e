// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_ring: runs `ring` for +cycles=N, 4 of them in reset, and prints what each node got acknowledged,
// marked by AWGSTAR_TOKEN as in tb_common.vh.
`ifndef AWGSTAR_TOKEN
`define AWGSTAR_TOKEN 0
`endif
`timescale 1ns/1ns
`default_nettype none

module tb_ring;
    parameter NODES  = 4;
    parameter FIBRE  = 4;
    parameter TOKENS = 4;
    parameter LEN    = 1024;

    reg                 clk = 1'b0;
    reg                 rst = 1'b1;
    wire [NODES*32-1:0] acknowledged;
    integer             cycles;
    integer             i;

    ring #(.NODES(NODES), .FIBRE(FIBRE), .TOKENS(TOKENS), .LEN(LEN)) u_ring (
        .clk          (clk),
        .rst          (rst),
        .acknowledged (acknowledged)
    );

    initial begin
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 1000;
        for (i = 0; i < cycles; i = i + 1) begin
            rst = i < 4;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
        for (i = 0; i < NODES; i = i + 1)
            $display("%h node %0d %0d", 64'h`AWGSTAR_TOKEN, i, acknowledged[i*32 +: 32]);
        $finish;
    end
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
