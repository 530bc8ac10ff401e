// SPDX-License-Identifier: MIT OR Apache-2.0
// ulx3s_link_pll: the line clock of ulx3s_pll, and the same a quarter of a cycle later.
//
// Delays of outputs are counted in cycles of the PLL's oscillator (CPHASE) and eighths of them (FPHASE). An output
// has 10 cycles of the oscillator, so a quarter is 2 4/8.
`default_nettype none

module ulx3s_link_pll (
    input  wire clk_in,
    output wire clk_out,
    output wire clk_90,
    output wire locked
);
    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "57.143", FREQUENCY_PIN_CLKOS = "57.143" *)
    (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .PLLRST_ENA     ("DISABLED"),
        .INTFB_WAKE     ("DISABLED"),
        .STDBY_ENABLE   ("DISABLED"),
        .DPHASE_SOURCE  ("DISABLED"),
        .OUTDIVIDER_MUXA("DIVA"),
        .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"),
        .OUTDIVIDER_MUXD("DIVD"),
        .CLKI_DIV       (7),
        .CLKOP_ENABLE   ("ENABLED"),
        .CLKOP_DIV      (10),
        .CLKOP_CPHASE   (4),
        .CLKOP_FPHASE   (0),
        .CLKOS_ENABLE   ("ENABLED"),
        .CLKOS_DIV      (10),
        .CLKOS_CPHASE   (6),
        .CLKOS_FPHASE   (4),
        .FEEDBK_PATH    ("CLKOP"),
        .CLKFB_DIV      (16)
    ) u_pll (
        .RST          (1'b0),
        .STDBY        (1'b0),
        .CLKI         (clk_in),
        .CLKOP        (clk_out),
        .CLKOS        (clk_90),
        .CLKFB        (clk_out),
        .PHASESEL0    (1'b0),
        .PHASESEL1    (1'b0),
        .PHASEDIR     (1'b1),
        .PHASESTEP    (1'b1),
        .PHASELOADREG (1'b1),
        .PLLWAKESYNC  (1'b0),
        .ENCLKOP      (1'b0),
        .LOCK         (locked)
    );
endmodule

`default_nettype wire
