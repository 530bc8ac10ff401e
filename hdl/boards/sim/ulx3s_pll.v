// SPDX-License-Identifier: MIT OR Apache-2.0
// ulx3s_pll: model of the PLL of the FPGA in simulation: passes the clock, and locks after 16 cycles.
`default_nettype none

module ulx3s_pll (
    input  wire clk_in,
    output wire clk_out,
    output wire locked
);
    reg [4:0] count_q = 5'd0;

    always @(posedge clk_in)
        if (!count_q[4])
            count_q <= count_q + 5'd1;

    assign clk_out = clk_in;
    assign locked  = count_q[4];
endmodule

`default_nettype wire
