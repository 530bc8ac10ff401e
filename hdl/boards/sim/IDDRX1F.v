// SPDX-License-Identifier: MIT OR Apache-2.0
// IDDRX1F: model in simulation of the register of an input pin of an ECP5 that takes two bits in a cycle: Q0 is D at
// the rising edge of SCLK, Q1 at the falling edge after it, both from the next rising edge on.
`default_nettype none

module IDDRX1F (
    input  wire SCLK,
    input  wire RST,
    input  wire D,
    output wire Q0,
    output wire Q1
);
    reg rising_q;
    reg falling_q;
    reg q0_q;
    reg q1_q;

    always @(posedge SCLK) begin
        rising_q <= D && !RST;
        q0_q     <= rising_q;
        q1_q     <= falling_q;
    end

    always @(negedge SCLK)
        falling_q <= D && !RST;

    assign Q0 = q0_q;
    assign Q1 = q1_q;
endmodule

`default_nettype wire
