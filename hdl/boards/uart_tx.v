// SPDX-License-Identifier: MIT OR Apache-2.0
// uart_tx: sender of a serial line: one start bit, eight data bits from the lowest, one stop bit.
//
// Promises: the line is high when nothing is sent; a byte is taken in a cycle in which `valid` and `ready`
// are high.
`default_nettype none

module uart_tx #(
    parameter CLOCKS = 57 // cycles of a bit, 4 to 65535
) (
    input  wire       clk,
    input  wire       rst,

    input  wire       valid,
    output wire       ready,
    input  wire [7:0] data,

    output wire       tx
);
    generate
        if (CLOCKS < 4 || CLOCKS > 65535) begin : g_check
            uart_tx_CLOCKS_must_be_4_to_65535 u_error ();
        end
    endgenerate

    localparam [15:0] BIT = CLOCKS[15:0] - 16'd1;

    reg        tx_q;
    reg [15:0] wait_q;
    reg [3:0]  left_q; // bits, with the start and the stop bit
    reg [8:0]  bits_q; // those after the one on the line

    wire next = left_q != 4'd0 && wait_q == 16'd0;
    wire take = valid && ready;

    assign ready = left_q == 4'd0;
    assign tx    = tx_q;

    always @(posedge clk) begin
        wait_q <= take || next ? BIT : wait_q - 16'd1;
        if (take)
            bits_q <= {1'b1, data};
        else if (next)
            bits_q <= {1'b1, bits_q[8:1]};
        if (take) begin
            tx_q   <= 1'b0;
            left_q <= 4'd10;
        end else if (next) begin
            tx_q   <= bits_q[0];
            left_q <= left_q - 4'd1;
        end
        if (rst) begin
            tx_q   <= 1'b1;
            left_q <= 4'd0;
        end
    end
endmodule

`default_nettype wire
