// SPDX-License-Identifier: MIT OR Apache-2.0
// What frame `seq` of a node carries: for numbered_source, which sends it, and numbered_sink, which
// checks it.
function [31:0] mixed;
    input [31:0] seq;
    input [7:0]  node;
    input [7:0]  beat;
    reg   [31:0] x;
    begin
        x = (seq + {node, 24'd0}) * 32'h9E3779B1 + {24'd0, beat} * 32'h85EBCA6B;
        mixed = x ^ (x >> 15);
    end
endfunction

// 1 of 64 frames has 1,024 bytes, 1 of 64 has 46 to 1,022, the others 46 or 4.
function [10:0] length_of;
    input [31:0] seq;
    input [7:0]  node;
    reg   [31:0] x;
    reg   [10:0] rest;
    reg   [20:0] unused_rest;
    begin
        x    = mixed(seq, node, 8'hFF);
        {unused_rest, rest} = {7'd0, x[31:7]} % 32'd977;
        if (LONGEST != 0)          length_of = 11'd1024;
        else if (x[5:0] == 6'd0)   length_of = 11'd1024;
        else if (x[5:0] == 6'd1)   length_of = 11'd46 + rest[10:0];
        else                       length_of = x[6] ? 11'd46 : 11'd4;
    end
endfunction
