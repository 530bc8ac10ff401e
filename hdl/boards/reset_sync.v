// SPDX-License-Identifier: MIT OR Apache-2.0
// reset_sync: reset of a clock domain until its PLL has been locked for 256 cycles.
//
// Promises: `rst` is high from the configuration of the FPGA on, falls at a clock edge, and rises again in
// the third cycle after the lock is lost.
`default_nettype none

module reset_sync (
    input  wire clk,
    input  wire locked, // of no clock

    output wire rst
);
    // The FPGA loads these values when it is configured.
    (* async_reg = "true" *) reg [1:0] sync_q;
    reg [8:0] count_q;
    initial begin
        sync_q  = 2'b00;
        count_q = 9'd0;
    end

    always @(posedge clk) begin
        sync_q <= {sync_q[0], locked};
        if (!sync_q[1])
            count_q <= 9'd0;
        else if (!count_q[8])
            count_q <= count_q + 9'd1;
    end

    assign rst = !count_q[8];
endmodule

`default_nettype wire
