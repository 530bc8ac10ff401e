// SPDX-License-Identifier: MIT OR Apache-2.0
// ulx3s_link: boards in the ECP5 of a ULX3S whose ring leaves the FPGA by pins, to another ULX3S or back to this one
// by a cable, and the boards' USB serial line.
//
// The line clock is 57.143 MHz (25 MHz * 16 / 7), slower than that of ulx3s, so that every seed closes:
// 1.829 Gbit/s in words of 32 bits, 114.3 Mbit/s on each of the 20 pins.
// The receiver runs on the clock of the other end (docs/boards.md).
`default_nettype none

module ulx3s_link #(
    parameter CLOCKS = 57, // cycles of a bit of the serial line: 1.003 Mbit/s
    parameter BOARDS = 2   // 1 to 4
) (
    input  wire        clk_25mhz,
    input  wire        ftdi_txd, // from the USB chip
    output wire        ftdi_rxd, // to the USB chip
    output wire        wifi_gpio0,
    output wire [7:0]  led,

    output wire [19:0] tx_pins,
    output wire        tx_clk_pin,
    output wire        tx_light_pin,

    input  wire [19:0] rx_pins,
    input  wire        rx_clk_pin,
    input  wire        rx_light_pin
);
    generate
        if (BOARDS < 1 || BOARDS > 4) begin : g_check
            ulx3s_link_BOARDS_must_be_1_to_4 u_error ();
        end
    endgenerate

    wire              clk;
    wire              clk_90;
    wire              locked;
    wire              rst;
    wire              runs;
    wire              up;
    wire [BOARDS-1:0] irq;
    wire [31:0]       to_tdata;
    wire [3:0]        to_tkeep;
    wire              to_tvalid;
    wire              to_tlast;
    wire              to_tuser;
    wire [31:0]       from_tdata;
    wire [3:0]        from_tkeep;
    wire              from_tvalid;
    wire              from_tlast;
    wire              from_tuser;

    ulx3s_link_pll u_pll (
        .clk_in  (clk_25mhz),
        .clk_out (clk),
        .clk_90  (clk_90),
        .locked  (locked)
    );

    reset_sync u_reset (
        .clk    (clk),
        .locked (locked),
        .rst    (rst)
    );

    board_ring #(
        .CLOCKS   (CLOCKS),
        .BOARDS   (BOARDS),
        .OWN_IDLE (2) // LNK-5
    ) u_ring (
        .clk           (clk),
        .rst           (rst),
        .uart_rx       (ftdi_txd),
        .uart_tx       (ftdi_rxd),
        .s_axis_tdata  (from_tdata),
        .s_axis_tkeep  (from_tkeep),
        .s_axis_tvalid (from_tvalid),
        .s_axis_tlast  (from_tlast),
        .s_axis_tuser  (from_tuser),
        .m_axis_tdata  (to_tdata),
        .m_axis_tkeep  (to_tkeep),
        .m_axis_tvalid (to_tvalid),
        .m_axis_tlast  (to_tlast),
        .m_axis_tuser  (to_tuser),
        .irq           (irq)
    );

    pin_link u_link (
        .clk           (clk),
        .clk_90        (clk_90),
        .rst           (rst),
        .s_axis_tdata  (to_tdata),
        .s_axis_tkeep  (to_tkeep),
        .s_axis_tvalid (to_tvalid),
        .s_axis_tlast  (to_tlast),
        .s_axis_tuser  (to_tuser),
        .m_axis_tdata  (from_tdata),
        .m_axis_tkeep  (from_tkeep),
        .m_axis_tvalid (from_tvalid),
        .m_axis_tlast  (from_tlast),
        .m_axis_tuser  (from_tuser),
        .runs          (runs),
        .up            (up),
        .tx_pins       (tx_pins),
        .tx_clk_pin    (tx_clk_pin),
        .tx_light_pin  (tx_light_pin),
        .rx_pins       (rx_pins),
        .rx_clk_pin    (rx_clk_pin),
        .rx_light_pin  (rx_light_pin)
    );

    // Held high, or the other chip of the board restarts it.
    assign wifi_gpio0 = 1'b1;
    assign led[7:4]   = {locked, !rst, runs, up};
    generate
        if (BOARDS < 4) begin : g_dark
            assign led[3:BOARDS] = {(4 - BOARDS){1'b0}};
        end
    endgenerate
    assign led[BOARDS-1:0] = irq;
endmodule

`default_nettype wire
