// SPDX-License-Identifier: MIT OR Apache-2.0
// Shared by tb_frame_tx and tb_frame_rx: the vectors of a class, which of them are run, failures.
// Needs `applies` (bit of the flags that says a vector is for this module) declared before it.

    `include "tb_common.vh"

    localparam integer MAX_WORDS = 1048576;
    localparam integer MAX_LINES = 12;         // FAIL lines of one vector
    localparam integer MAX_FOUND = 4096;       // words kept for DUMP

    reg clk;
    reg rst;

    reg [31:0] sizes [0:3];
    reg [215:0] fields [0:MAX_VECTORS-1];
    reg [39:0] wire_mem [0:MAX_WORDS-1];
    reg [39:0] pay_mem [0:MAX_WORDS-1];

    // The vectors that are run, in order: index in the class, first entries in the two memories.
    integer order [0:MAX_VECTORS-1];
    integer wire_base [0:MAX_VECTORS-1];
    integer pay_base [0:MAX_VECTORS-1];
    integer count;

    integer fail_at;                           // position in `order` of the failing vector, or -1
    integer fail_cycle;
    integer lines;                             // FAIL lines of the vector that fails

    reg [39:0] found [0:MAX_FOUND-1];
    integer found_n;

    // Fields of a vector (vectors/FORMAT.md), by position in `order`.
    function in_range(input integer p);
        in_range = p >= 0 && p < MAX_VECTORS;
    endfunction
    function [7:0] v_check(input integer p);
        v_check = in_range(p) ? fields[order[p]][207:200] : 8'd0;
    endfunction
    function [7:0] v_status(input integer p);
        v_status = in_range(p) ? fields[order[p]][199:192] : 8'd0;
    endfunction
    function integer v_wire_words(input integer p);
        v_wire_words = in_range(p) ? {16'd0, fields[order[p]][47:32]} : 0;
    endfunction
    function integer v_tx_words(input integer p);
        v_tx_words = in_range(p) ? {16'd0, fields[order[p]][31:16]} : 0;
    endfunction
    function integer v_rx_words(input integer p);
        v_rx_words = in_range(p) ? {16'd0, fields[order[p]][15:0]} : 0;
    endfunction

    // Reads the class; `tx` chooses which payload file goes to pay_mem.
    task load(input tx);
        integer i;
        integer w;
        integer p;
        integer total;
        begin
            count = 0;
            fail_at = -1;
            fail_cycle = 0;
            lines = 0;
            found_n = 0;
            clk = 1'b0;
            rst = 1'b1;
            $readmemh({dir, "/sizes.hex"}, sizes);
            total = sizes[0];
            if ($isunknown(sizes[0]) || total > MAX_VECTORS || sizes[1] > MAX_WORDS || sizes[2] > MAX_WORDS
                || sizes[3] > MAX_WORDS) begin
                $display("%h ERROR unusable sizes.hex", 64'h`AWGSTAR_TOKEN);
                $finish;
            end else begin
                if (total > 0) $readmemh({dir, "/fields.hex"}, fields, 0, total - 1);
                if (sizes[1] > 0) $readmemh({dir, "/wire.hex"}, wire_mem, 0, sizes[1] - 1);
                if (tx && sizes[2] > 0) $readmemh({dir, "/tx_payload.hex"}, pay_mem, 0, sizes[2] - 1);
                if (!tx && sizes[3] > 0) $readmemh({dir, "/rx_payload.hex"}, pay_mem, 0, sizes[3] - 1);
                w = 0;
                p = 0;
                for (i = 0; i < total; i = i + 1) begin
                    if ((only < 0 || only == i) && fields[i][tx ? 208 : 209]) begin
                        order[count] = i;
                        wire_base[count] = w;
                        pay_base[count] = p;
                        count = count + 1;
                    end
                    w = w + {16'd0, fields[i][47:32]};
                    p = p + (tx ? {16'd0, fields[i][31:16]} : {16'd0, fields[i][15:0]});
                end
                if (w != sizes[1] || p != (tx ? sizes[2] : sizes[3])) begin
                    $display("%h ERROR the word counts of fields.hex are not those of sizes.hex", 64'h`AWGSTAR_TOKEN);
                    $finish;
                end
            end
        end
    endtask

    // Notes that a vector fails; `fail_print` says whether its FAIL line is to be printed. After the
    // first failing vector nothing is reported but that vector, until it is over.
    reg fail_print;
    task fail_note(input integer p);
        begin
            fail_print = 1'b0;
            if (fail_at < 0) begin
                fail_at = p;
                fail_cycle = cycle;
                lines = 0;
                failed = failed + 1;
            end
            if (fail_at == p) begin
                fail_print = lines < MAX_LINES;
                lines = lines + 1;
            end
        end
    endtask

    task keep_found(input [3:0] flags, input [3:0] keep, input [31:0] data);
        begin
            if (found_n < MAX_FOUND) begin
                found[found_n] = {flags, keep, data};
                found_n = found_n + 1;
            end
        end
    endtask

    task dump_found;
        integer i;
        begin
            for (i = 0; i < found_n; i = i + 1)
                $display("DUMP index=%0d side=found word=%0d %h_%h_%h", order[fail_at], i,
                         found[i][39:36], found[i][35:32], found[i][31:0]);
        end
    endtask
