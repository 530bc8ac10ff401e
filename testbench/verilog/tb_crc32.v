// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs one class of golden vectors on crc32 (CRC-1, CRC-2, FCS-1). Plusargs, sampling law and output:
// tb_common.vh. Modes do not matter to a combinational module.
`default_nettype none

module tb_crc32;
    `include "tb_common.vh"

    reg [31:0] sizes [0:0];
    reg [99:0] fields [0:MAX_VECTORS-1];

    reg [31:0] crc_in;
    reg [31:0] tdata;
    reg [3:0] tkeep;
    wire [31:0] crc_out;

    crc32 dut (.crc_in(crc_in), .tdata(tdata), .tkeep(tkeep), .crc_out(crc_out));

    integer count;
    integer run;
    integer i;
    reg [31:0] expected;
    reg [3:0] marked;

    initial begin
        read_plusargs;
        $readmemh({dir, "/sizes.hex"}, sizes);
        count = sizes[0];
        if ($isunknown(sizes[0]) || count == 0 || count > MAX_VECTORS) begin
            $display("%h ERROR unusable sizes.hex", 64'h`AWGSTAR_TOKEN);
            $finish;
        end else begin
            $readmemh({dir, "/fields.hex"}, fields, 0, count - 1);
            dump_waves;
            run = 0;
            for (i = 0; i < count && failed < max_failed; i = i + 1) begin
                if (only < 0 || only == i) begin
                    #1;
                    next_random;
                    {tkeep, crc_in} = fields[i][99:64];
                    expected = fields[i][31:0];
                    // CRC-2: a tkeep that is not contiguous takes no byte, whatever the lanes hold.
                    case (tkeep)
                        4'b0001, 4'b0011, 4'b0111, 4'b1111: marked = tkeep;
                        default: marked = 4'b0000;
                    endcase
                    tdata = lanes(fields[i][63:32], marked, junk(rnd));
                    #8;
                    if (crc_out !== expected) begin // CRC-1, CRC-2
                        failed = failed + 1;
                        $display("FAIL module=crc32 index=%0d kind=word at=0 expected=0_%h_%h found=0_%h_%h",
                                 i, tkeep, expected, tkeep, crc_out);
                        $display("DUMP index=%0d side=found word=0 0_%h_%h", i, tkeep, crc_out);
                    end
                    #1;
                    cycle = cycle + 1;
                    run = run + 1;
                end
            end
            $display("%h RESULT module=crc32 mode=%0d vectors=%0d failed=%0d", 64'h`AWGSTAR_TOKEN, mode, run, failed);
            $finish;
        end
    end
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
