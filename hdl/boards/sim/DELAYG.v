// SPDX-License-Identifier: MIT OR Apache-2.0
// DELAYG: model in simulation of the delay of an input pin of an ECP5: none.
`default_nettype none

module DELAYG #(
    parameter DEL_MODE = "USER_DEFINED"
) (
    input  wire A,
    output wire Z
);
    wire unused = DEL_MODE != ""; // the delay is none in each mode

    assign Z = A;
endmodule

`default_nettype wire
