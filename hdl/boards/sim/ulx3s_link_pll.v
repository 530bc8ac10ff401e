// SPDX-License-Identifier: MIT OR Apache-2.0
// ulx3s_link_pll: model of the PLL of the FPGA in simulation: half the rate of its input, so that an edge of the
// input is a quarter of a cycle; locks after 16 cycles.
`default_nettype none

module ulx3s_link_pll (
    input  wire clk_in,
    output wire clk_out,
    output wire clk_90,
    output wire locked
);
    reg       out_q   = 1'b0;
    reg       shift_q = 1'b0;
    reg [4:0] count_q = 5'd0;

    always @(posedge clk_in)
        out_q <= !out_q;

    always @(negedge clk_in)
        shift_q <= out_q;

    always @(posedge clk_out)
        if (!count_q[4])
            count_q <= count_q + 5'd1;

    assign clk_out = out_q;
    assign clk_90  = shift_q;
    assign locked  = count_q[4];
endmodule

`default_nettype wire
