// SPDX-License-Identifier: MIT OR Apache-2.0
// uart_rx: receiver of a serial line: one start bit, eight data bits from the lowest, one stop bit.
//
// Promises: a byte is given once, in the cycle after the middle of its stop bit; a byte without a stop bit
// is given with `error`.
//
// The line is sampled in the middle of each bit, so that sender and receiver may differ by 4 %.
`default_nettype none

module uart_rx #(
    parameter CLOCKS = 57 // cycles of a bit, 4 to 65535
) (
    input  wire       clk,
    input  wire       rst,

    input  wire       rx,

    output wire       valid,
    output wire [7:0] data,
    output wire       error
);
    generate
        if (CLOCKS < 4 || CLOCKS > 65535) begin : g_check
            uart_rx_CLOCKS_must_be_4_to_65535 u_error ();
        end
    endgenerate

    localparam [15:0] BIT  = CLOCKS[15:0] - 16'd1;
    localparam [15:0] HALF = CLOCKS[15:0] / 16'd2 - 16'd1;

    (* async_reg = "true" *) reg [1:0]  sync_q;  // from another clock
    reg        busy_q;
    reg        valid_q;
    reg [15:0] wait_q;
    reg [3:0]  left_q;  // bits, with the start and the stop bit
    reg [8:0]  bits_q;

    wire line   = sync_q[1];
    wire sample = busy_q && wait_q == 16'd0;
    wire begins = !busy_q && !line;
    // A start bit that is over before its middle was noise.
    wire noise  = sample && left_q == 4'd10 && line;
    wire ends   = sample && left_q == 4'd1;

    always @(posedge clk) begin
        sync_q <= {sync_q[0], rx};
        if (begins)
            wait_q <= HALF;
        else
            wait_q <= sample ? BIT : wait_q - 16'd1;
        if (begins)
            left_q <= 4'd10;
        else if (sample)
            left_q <= left_q - 4'd1;
        if (sample)
            bits_q <= {line, bits_q[8:1]};
        valid_q <= ends;
        busy_q  <= (busy_q || begins) && !noise && !ends;
        if (rst) begin
            sync_q  <= 2'b11;
            busy_q  <= 1'b0;
            valid_q <= 1'b0;
        end
    end

    assign valid = valid_q;
    assign data  = bits_q[7:0];
    assign error = !bits_q[8];
endmodule

`default_nettype wire
