// SPDX-License-Identifier: MIT OR Apache-2.0
// pin_link: a board's end of a link whose line is 22 pins in each direction: ring_link with its 40 bits on 20 pins,
// two in a cycle, a forwarded clock and a light.
//
// Latency: that of ring_link, one cycle for the registers at the pins' side and one at the board's, and that of the pins.
//
// Promises: as ring_link, and a line whose clock does not run, or whose light is dark, is a link without words
// (COD-9). When the clock runs again, the link comes up by itself.
//
// Bits 19 to 0 of a word are on the pins while `clk` is high, bits 39 to 20 while it is low. The forwarded clock is a
// quarter of a cycle later, so that its edges lie in the middle of the bits. The light is high while this end is not
// in reset.
//
// The whole of ring_link is in reset until clock_watch has seen the other end's clock for 1,024 cycles: a register of
// a clock that has stopped cannot be reset. Meanwhile this end sends its clock, no light and idle sets.
//
// Requirements: COD-9, LNK-5.
`default_nettype none

module pin_link #(
    parameter SPANS_W = 8 // of clock_watch
) (
    input  wire        clk,           // of the board and of what it sends
    input  wire        clk_90,        // a quarter of a cycle later
    input  wire        rst,

    input  wire [31:0] s_axis_tdata,  // from the board
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tuser,

    output wire [31:0] m_axis_tdata,  // to the board
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    output wire        m_axis_tuser,

    output wire        runs,          // the other end's clock
    output wire        up,            // words are understood

    output wire [19:0] tx_pins,
    output wire        tx_clk_pin,
    output wire        tx_light_pin,

    input  wire [19:0] rx_pins,
    input  wire        rx_clk_pin,
    input  wire        rx_light_pin
);
    wire [39:0] tx_code;
    wire [39:0] pin_code;
    reg  [39:0] rx_code_q; // next to the pins, so that the aligner may be elsewhere
    wire [31:0] rx_tdata;
    wire [3:0]  rx_tkeep;
    wire        rx_tvalid;
    wire        rx_tlast;
    wire        rx_tuser;
    reg  [31:0] tdata_q;   // between two long ways, of the elastic buffer and of the board
    reg  [3:0]  tkeep_q;
    reg         tvalid_q;
    reg         tlast_q;
    reg         tuser_q;
    wire        lit;
    reg         link_rst_q;
    reg         light_q;
    wire [6:0]  unused_words;
    wire        unused_underrun;
    wire        unused_bad;
    wire        unused_broken;
    wire        unused_overflow;

    // ---- Clock and light of the other end ----

    clock_watch #(.SPANS_W(SPANS_W)) u_watch (
        .clk     (clk),
        .rst     (rst),
        .watched (rx_clk_pin),
        .runs    (runs)
    );

    always @(posedge clk) begin
        link_rst_q <= rst || !runs;
        light_q    <= !link_rst_q;
    end

    synchronizer u_lit (
        .clk (rx_clk_pin),
        .rst (1'b0),
        .d   (rx_light_pin),
        .q   (lit)
    );

    assign tx_light_pin = light_q;

    // ---- Pins ----

    pin_tx u_tx_clk (
        .clk (clk_90),
        .d0  (1'b1),
        .d1  (1'b0),
        .pin (tx_clk_pin)
    );

    genvar n;
    generate
        for (n = 0; n < 20; n = n + 1) begin : g_pin
            pin_tx u_tx (
                .clk (clk),
                .d0  (tx_code[n]),
                .d1  (tx_code[20+n]),
                .pin (tx_pins[n])
            );

            pin_rx u_rx (
                .clk (rx_clk_pin),
                .pin (rx_pins[n]),
                .d0  (pin_code[n]),
                .d1  (pin_code[20+n])
            );
        end
    endgenerate

    always @(posedge rx_clk_pin)
        rx_code_q <= pin_code;

    // ---- Link ----

    ring_link u_link (
        .clk            (clk),
        .rst            (link_rst_q),
        .s_axis_tdata   (s_axis_tdata),
        .s_axis_tkeep   (s_axis_tkeep),
        .s_axis_tvalid  (s_axis_tvalid),
        .s_axis_tlast   (s_axis_tlast),
        .s_axis_tuser   (s_axis_tuser),
        .m_axis_tdata   (rx_tdata),
        .m_axis_tkeep   (rx_tkeep),
        .m_axis_tvalid  (rx_tvalid),
        .m_axis_tlast   (rx_tlast),
        .m_axis_tuser   (rx_tuser),
        .up             (up),
        .words          (unused_words),
        .ev_underrun    (unused_underrun),
        .tx_code        (tx_code),
        .rx_clk         (rx_clk_pin),
        .rx_los         (!lit),
        .rx_code        (rx_code_q),
        .rx_ev_bad      (unused_bad),
        .rx_ev_broken   (unused_broken),
        .rx_ev_overflow (unused_overflow)
    );

    always @(posedge clk) begin
        tdata_q  <= rx_tdata;
        tkeep_q  <= rx_tkeep;
        tlast_q  <= rx_tlast;
        tuser_q  <= rx_tuser;
        tvalid_q <= rx_tvalid && !link_rst_q;
    end

    assign m_axis_tdata  = tdata_q;
    assign m_axis_tkeep  = tkeep_q;
    assign m_axis_tvalid = tvalid_q;
    assign m_axis_tlast  = tlast_q;
    assign m_axis_tuser  = tuser_q;
endmodule

`default_nettype wire
