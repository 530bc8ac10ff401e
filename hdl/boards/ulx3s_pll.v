// SPDX-License-Identifier: MIT OR Apache-2.0
// ulx3s_pll: the line clock of the ULX3S: 25 MHz * 19 / 7 = 67.857 MHz. The oscillator of the PLL runs at
// nine times that, 610.7 MHz (400 to 800 are allowed).
`default_nettype none

module ulx3s_pll (
    input  wire clk_in,
    output wire clk_out,
    output wire locked
);
    wire unused; // CLKOS is not enabled

    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "67.857" *)
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
        .CLKOP_DIV      (9),
        .CLKOP_CPHASE   (4),
        .CLKOP_FPHASE   (0),
        .FEEDBK_PATH    ("CLKOP"),
        .CLKFB_DIV      (19)
    ) u_pll (
        .RST          (1'b0),
        .STDBY        (1'b0),
        .CLKI         (clk_in),
        .CLKOP        (clk_out),
        .CLKOS        (unused),
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
