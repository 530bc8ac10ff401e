// SPDX-License-Identifier: MIT OR Apache-2.0
// ulx3s: a ring of boards in the ECP5 of a ULX3S, on its USB serial line.
//
// The line clock is 67.857 MHz (25 MHz * 19 / 7): 2.171 Gbit/s in words of 32 bits. The thesis has
// 2.152 Gbit/s, 67.25 MHz.
`default_nettype none

module ulx3s #(
    parameter CLOCKS = 68, // cycles of a bit of the serial line: 0.998 Mbit/s
    parameter BOARDS = 2   // 1 to 4
) (
    input  wire       clk_25mhz,
    input  wire       ftdi_txd, // from the USB chip
    output wire       ftdi_rxd, // to the USB chip
    output wire       wifi_gpio0,
    output wire [7:0] led
);
    generate
        if (BOARDS < 1 || BOARDS > 4) begin : g_check
            ulx3s_BOARDS_must_be_1_to_4 u_error ();
        end
    endgenerate

    wire              clk;
    wire              locked;
    wire              rst;
    wire [BOARDS-1:0] irq;
    wire [31:0]       tdata;
    wire [3:0]        tkeep;
    wire              tvalid;
    wire              tlast;
    wire              tuser;

    ulx3s_pll u_pll (
        .clk_in  (clk_25mhz),
        .clk_out (clk),
        .locked  (locked)
    );

    reset_sync u_reset (
        .clk    (clk),
        .locked (locked),
        .rst    (rst)
    );

    // The ring is closed inside.
    board_ring #(.CLOCKS(CLOCKS), .BOARDS(BOARDS)) u_ring (
        .clk           (clk),
        .rst           (rst),
        .uart_rx       (ftdi_txd),
        .uart_tx       (ftdi_rxd),
        .s_axis_tdata  (tdata),
        .s_axis_tkeep  (tkeep),
        .s_axis_tvalid (tvalid),
        .s_axis_tlast  (tlast),
        .s_axis_tuser  (tuser),
        .m_axis_tdata  (tdata),
        .m_axis_tkeep  (tkeep),
        .m_axis_tvalid (tvalid),
        .m_axis_tlast  (tlast),
        .m_axis_tuser  (tuser),
        .irq           (irq)
    );

    // Held high, or the other chip of the board restarts it.
    assign wifi_gpio0 = 1'b1;
    assign led[7:4]   = {locked, !rst, tvalid, 1'b0};
    generate
        if (BOARDS < 4) begin : g_dark
            assign led[3:BOARDS] = {(4 - BOARDS){1'b0}};
        end
    endgenerate
    assign led[BOARDS-1:0] = irq;
endmodule

`default_nettype wire
