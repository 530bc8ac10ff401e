// SPDX-License-Identifier: MIT OR Apache-2.0
// EHXPLLL: model in simulation of a PLL of an ECP5, with the ports and parameters that the files beside this folder use.
// It locks after 16 cycles of its output. Rates are not modelled:
//   CLKOS not enabled  CLKOP is the input
//   CLKOS enabled      CLKOP has half the rate of the input, CLKOS is the same a quarter of a cycle later, which is an
//                      edge of the input
`default_nettype none

module EHXPLLL #(
    parameter PLLRST_ENA      = "DISABLED",
    parameter INTFB_WAKE      = "DISABLED",
    parameter STDBY_ENABLE    = "DISABLED",
    parameter DPHASE_SOURCE   = "DISABLED",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD",
    parameter CLKI_DIV        = 1,
    parameter CLKOP_ENABLE    = "ENABLED",
    parameter CLKOP_DIV       = 1,
    parameter CLKOP_CPHASE    = 0,
    parameter CLKOP_FPHASE    = 0,
    parameter CLKOS_ENABLE    = "DISABLED",
    parameter CLKOS_DIV       = 1,
    parameter CLKOS_CPHASE    = 0,
    parameter CLKOS_FPHASE    = 0,
    parameter FEEDBK_PATH     = "CLKOP",
    parameter CLKFB_DIV       = 1
) (
    input  wire RST,
    input  wire STDBY,
    input  wire CLKI,
    output wire CLKOP,
    output wire CLKOS,
    input  wire CLKFB,
    input  wire PHASESEL0,
    input  wire PHASESEL1,
    input  wire PHASEDIR,
    input  wire PHASESTEP,
    input  wire PHASELOADREG,
    input  wire PLLWAKESYNC,
    input  wire ENCLKOP,
    output wire LOCK
);
    wire unused = &{1'b0, RST, STDBY, CLKFB, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC,
        ENCLKOP, PLLRST_ENA, INTFB_WAKE, STDBY_ENABLE, DPHASE_SOURCE, OUTDIVIDER_MUXA, OUTDIVIDER_MUXB, OUTDIVIDER_MUXC,
        OUTDIVIDER_MUXD, CLKOP_ENABLE, FEEDBK_PATH, CLKI_DIV != 0, CLKOP_DIV != 0, CLKOP_CPHASE != 0, CLKOP_FPHASE != 0,
        CLKOS_DIV != 0, CLKOS_CPHASE != 0, CLKOS_FPHASE != 0, CLKFB_DIV != 0};

    reg [4:0] count_q;
    initial count_q = 5'd0;

    always @(posedge CLKOP)
        if (!count_q[4])
            count_q <= count_q + 5'd1;

    generate if (CLKOS_ENABLE == "ENABLED") begin : g_quarter
        reg half_q;
        reg shift_q;
        initial begin
            half_q  = 1'b0;
            shift_q = 1'b0;
        end

        always @(posedge CLKI)
            half_q <= !half_q;

        always @(negedge CLKI)
            shift_q <= half_q;

        assign CLKOP = half_q;
        assign CLKOS = shift_q;
    end else begin : g_same
        assign CLKOP = CLKI;
        assign CLKOS = 1'b0;
    end endgenerate

    assign LOCK = count_q[4];
endmodule

`default_nettype wire
