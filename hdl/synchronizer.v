// SPDX-License-Identifier: MIT OR Apache-2.0
// synchronizer: brings bits from another clock into this one through two registers.
//
// Promises: a value that stays for two edges of clk is on q two edges after it changed. Bits that
// change together may arrive one cycle apart: give it a Gray code, or one bit.
//
// Requirements: CDC-1.
`default_nettype none

module synchronizer #(
    parameter WIDTH = 1 // bits, 1 to 256
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] d, // from a register of another clock
    output wire [WIDTH-1:0] q
);
    generate if (WIDTH < 1 || WIDTH > 256) begin : g_check
        synchronizer_WIDTH_must_be_1_to_256 u_error ();
    end endgenerate

    (* async_reg = "true" *) reg [WIDTH-1:0] first_q;
    (* async_reg = "true" *) reg [WIDTH-1:0] second_q;

    always @(posedge clk) begin
        first_q  <= d;
        second_q <= first_q;
        if (rst) begin
            first_q  <= {WIDTH{1'b0}};
            second_q <= {WIDTH{1'b0}};
        end
    end

    assign q = second_q;
endmodule

`default_nettype wire
