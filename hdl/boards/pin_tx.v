// SPDX-License-Identifier: MIT OR Apache-2.0
// pin_tx: an output pin of an ECP5 that sends two bits in a cycle: d0 while `clk` is high, then d1.
`default_nettype none

module pin_tx (
    input  wire clk,
    input  wire d0,
    input  wire d1,
    output wire pin
);
    ODDRX1F u_ddr (
        .SCLK (clk),
        .RST  (1'b0),
        .D0   (d0),
        .D1   (d1),
        .Q    (pin)
    );
endmodule

`default_nettype wire
