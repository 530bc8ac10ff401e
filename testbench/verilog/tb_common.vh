// SPDX-License-Identifier: MIT OR Apache-2.0
// Shared by the testbenches (VEC-4: nothing but $readmemh): plusargs, clock, pseudo-random numbers,
// bookkeeping of failures.
//
// Plusargs
//   +dir=PATH    folder of one class of golden vectors (vectors/FORMAT.md)
//   +mode=N      0 back to back, 1 pseudo-random idle words, gaps and delays, 2 long idle
//   +only=INDEX  run only this vector
//   +seed=N      seed of mode 1 and of what stands on don't-care inputs
//   +stop=N      end the run after N failing vectors (10)
//   +vcd=FILE    dump waves of the vectors; without it nothing is dumped
//   +vcd_all     dump the resets before the vectors too
//
// Sampling law: inputs change just after clock edge k (1 ns of 10), outputs are compared just before
// edge k + 1 (9 ns of 10), and nothing reads in between. One process does both, so there are no races.
// Comparisons are `!==`: in a 4-state simulator an X is a mismatch.
//
// Output: FAIL, DUMP and HEADER lines, then one RESULT line. No RESULT line is a failure.
//
// AWGSTAR_TOKEN, 16 hexadecimal digits drawn at random for each build and given to the compiler
// (-DAWGSTAR_TOKEN=...), marks RESULT and ERROR lines. The design prints to the same output but does
// not know the token: the testbench comes first among the compiled files and undefines it at its end.
`ifndef AWGSTAR_TOKEN
`define AWGSTAR_TOKEN 0
`endif

    localparam integer MAX_VECTORS = 16384;

    string dir;
    string vcd_file;
    integer mode;
    integer only;
    integer seed;
    integer max_failed;

    integer cycle;
    reg [31:0] rnd;                            // xorshift32
    integer failed;                            // failing vectors

    task read_plusargs;
        begin
            if ($value$plusargs("dir=%s", dir) == 0) begin
                $display("%h ERROR no +dir=PATH of a class of vectors", 64'h`AWGSTAR_TOKEN);
                $finish;
            end
            mode = 0;
            if ($value$plusargs("mode=%d", mode) == 0) mode = 0;
            if ($value$plusargs("only=%d", only) == 0) only = -1;
            if ($value$plusargs("seed=%d", seed) == 0) seed = 1;
            if ($value$plusargs("stop=%d", max_failed) == 0) max_failed = 10;
            if ($test$plusargs("vcd_all") != 0) dump_waves;
            rnd = seed ^ 32'h9E3779B9;
            if (rnd == 0) rnd = 32'd1;
            cycle = 0;
            failed = 0;
        end
    endtask

    // Called when the vectors begin: hundreds of resets before them would hide one vector.
    task dump_waves;
        if ($value$plusargs("vcd=%s", vcd_file) != 0) begin
            $dumpfile(vcd_file);
            $dumpvars;
        end
    endtask

    task next_random;
        begin
            rnd = rnd ^ (rnd << 13);
            rnd = rnd ^ (rnd >> 17);
            rnd = rnd ^ (rnd << 5);
        end
    endtask

    // What stands on an input that means nothing: X where the simulator has it, noise otherwise and in
    // mode 1.
    function [31:0] junk(input [31:0] noise);
`ifdef VERILATOR
        junk = noise;
`else
        junk = (mode == 1) ? noise : 32'hx;
`endif
    endfunction

    // tdata with junk on the lanes that tkeep does not mark.
    function [31:0] lanes(input [31:0] data, input [3:0] keep, input [31:0] noise);
        lanes = {keep[3] ? data[31:24] : noise[31:24], keep[2] ? data[23:16] : noise[23:16],
                 keep[1] ? data[15:8] : noise[15:8], keep[0] ? data[7:0] : noise[7:0]};
    endfunction

    function [31:0] lane_mask(input [3:0] keep);
        lane_mask = {{8{keep[3]}}, {8{keep[2]}}, {8{keep[1]}}, {8{keep[0]}}};
    endfunction
