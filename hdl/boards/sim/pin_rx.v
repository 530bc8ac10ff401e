// SPDX-License-Identifier: MIT OR Apache-2.0
// pin_rx: model of the input pin of the FPGA in simulation: d0 is the pin at the rising edge of `clk`, d1 at the
// falling edge after it, both from the next rising edge on.
`default_nettype none

module pin_rx (
    input  wire clk,
    input  wire pin,
    output wire d0,
    output wire d1
);
    reg rising_q;
    reg falling_q;
    reg d0_q;
    reg d1_q;

    always @(posedge clk) begin
        rising_q <= pin;
        d0_q     <= rising_q;
        d1_q     <= falling_q;
    end

    always @(negedge clk)
        falling_q <= pin;

    assign d0 = d0_q;
    assign d1 = d1_q;
endmodule

`default_nettype wire
