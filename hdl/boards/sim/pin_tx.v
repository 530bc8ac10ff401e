// SPDX-License-Identifier: MIT OR Apache-2.0
// pin_tx: model of the output pin of the FPGA in simulation: two bits in a cycle, d0 while `clk` is high, then
// d1, both as they were at the rising edge before.
`default_nettype none

module pin_tx (
    input  wire clk,
    input  wire d0,
    input  wire d1,
    output wire pin
);
    reg first_q;
    reg taken_q;
    reg second_q;

    always @(posedge clk) begin
        first_q <= d0;
        taken_q <= d1;
    end

    always @(negedge clk)
        second_q <= taken_q;

    assign pin = clk ? first_q : second_q;
endmodule

`default_nettype wire
