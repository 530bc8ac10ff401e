// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_one_write: the two files of shared_memory beside each other, under what mem_writer and
// host_window can do at most: a word from the ring in every cycle but one between two frames, a
// write of the host every 3 cycles or in two neighbouring ones to the same word, any address read.
//
// `other_memory` is hdl/one_write/shared_memory.v under another name. Prints SAME with the number
// of cycles in which data differed, or was unknown on one side only.
`timescale 1ns/1ns
`default_nettype none

module tb_one_write;
    localparam W      = 3; // few words: what waits, what is read and what is written meet
    localparam CYCLES = 30000;

    reg          clk = 1'b0;
    reg  [W-1:0] a_addr;
    reg  [3:0]   a_we;
    reg  [31:0]  a_wdata;
    wire [31:0]  ours;
    wire [31:0]  other;
    reg  [W-1:0] b_addr;
    reg  [3:0]   b_we;
    reg  [31:0]  b_wdata;

    shared_memory #(.MEM_ADDR_W(W)) u_ours (
        .clk     (clk),
        .a_addr  (a_addr),
        .a_we    (a_we),
        .a_wdata (a_wdata),
        .a_rdata (ours),
        .b_addr  (b_addr),
        .b_we    (b_we),
        .b_wdata (b_wdata)
    );

    other_memory #(.MEM_ADDR_W(W)) u_other (
        .clk     (clk),
        .a_addr  (a_addr),
        .a_we    (a_we),
        .a_wdata (a_wdata),
        .a_rdata (other),
        .b_addr  (b_addr),
        .b_we    (b_we),
        .b_wdata (b_wdata)
    );

    integer cycle, rest, left, pause, differ, both, seed;
    reg     second;

    initial begin
        {differ, both, rest, left, pause} = 0;
        seed = 19;
        second = 1'b0;
        {a_we, b_we, a_addr, b_addr} = 0;
        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
            #1;
            a_we    = 4'd0;
            a_wdata = $random(seed);
            if (second) begin
                a_we   = $random(seed);
                second = 1'b0;
                rest   = 2;
            end else if (rest > 0) begin
                rest = rest - 1;
            end else begin
                a_addr = $random(seed);
                if ($random(seed) & 1) begin
                    a_we   = $random(seed);
                    second = ($random(seed) & 3) == 0;
                    if (!second) rest = 2;
                end
            end
            b_we    = 4'd0;
            b_wdata = $random(seed);
            if (left > 0) begin
                b_addr = b_addr + 1'b1;
                b_we   = ($random(seed) & 7) == 0 ? $random(seed) : 4'd15;
                left   = left - 1;
                if (left == 0) pause = 1 + ($random(seed) & 3);
            end else if (pause > 0) begin
                pause = pause - 1;
            end else begin
                b_addr = $random(seed);
                b_we   = 4'd15;
                left   = $random(seed) & 31;
                if (left == 0) pause = 1;
            end
            #3;
            if (ours !== other) differ = differ + 1;
            if (a_we != 4'd0 && b_we != 4'd0 && a_addr == b_addr) both = both + 1;
            #1 clk = 1'b1;
            #5 clk = 1'b0;
        end
        $display("SAME but for %0d of %0d cycles; both wrote one word in %0d", differ, CYCLES, both);
        $finish;
    end
endmodule

`default_nettype wire
