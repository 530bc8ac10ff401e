// SPDX-License-Identifier: MIT OR Apache-2.0
// pin_rx: an input pin of an ECP5 that takes two bits in a cycle: d0 at the rising edge of `clk`, then d1 at the
// falling edge. Both are given from the next rising edge on.
//
// The fixed delay makes up for the way of the clock from its pin, for a clock whose edges lie in the middle of the
// bits at the pins.
`default_nettype none

module pin_rx (
    input  wire clk,
    input  wire pin,
    output wire d0,
    output wire d1
);
    wire late;

    DELAYG #(.DEL_MODE("SCLK_CENTERED")) u_delay (
        .A (pin),
        .Z (late)
    );

    IDDRX1F u_ddr (
        .SCLK (clk),
        .RST  (1'b0),
        .D    (late),
        .Q0   (d0),
        .Q1   (d1)
    );
endmodule

`default_nettype wire
