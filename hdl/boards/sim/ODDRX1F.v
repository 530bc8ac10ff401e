// SPDX-License-Identifier: MIT OR Apache-2.0
// ODDRX1F: model in simulation of the register of an output pin of an ECP5 that sends two bits in a cycle: D0 while
// SCLK is high, then D1, both as they were at the rising edge before.
`default_nettype none

module ODDRX1F (
    input  wire SCLK,
    input  wire RST,
    input  wire D0,
    input  wire D1,
    output wire Q
);
    reg first_q;
    reg taken_q;
    reg second_q;

    always @(posedge SCLK) begin
        first_q <= D0 && !RST;
        taken_q <= D1 && !RST;
    end

    always @(negedge SCLK)
        second_q <= taken_q;

    assign Q = SCLK ? first_q : second_q;
endmodule

`default_nettype wire
