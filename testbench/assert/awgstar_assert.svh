// SPDX-License-Identifier: MIT OR Apache-2.0
// Macros of the assertions. One text of a property serves simulation and proof.
//
//   AWG_ASSERT(NAME, IDS, WHEN, COND)       a rule of the design
//   AWG_RULE(ENV, NAME, IDS, WHEN, COND)    the same; of the environment, if the constant ENV is not 0
//
// In every cycle with WHEN, sampled at the rising edge of `clk`, COND must hold. `NAME` begins with the
// requirement, IDS is a string with all of them.
//
// Simulation: a violation is an `$error` that begins with "ASSERT". At the end of the run each
// assertion prints how often it was evaluated, if AWGSTAR_ASSERT_TOKEN is defined: 16 hexadecimal
// digits that mark the lines, so that a design cannot print them.
//
// Proof (`FORMAL`, which Yosys sets): a rule of the environment is assumed, a rule of the design is
// asserted. Open Yosys takes immediate assertions in clocked blocks only, so there are no others here.
`ifndef AWGSTAR_ASSERT_SVH
`define AWGSTAR_ASSERT_SVH

`ifdef FORMAL

`define AWG_ASSERT(NAME, IDS, WHEN, COND) \
    always @(posedge clk) if (WHEN) NAME: assert (COND);

`define AWG_RULE(ENV, NAME, IDS, WHEN, COND) \
    if ((ENV) != 0) begin : g_``NAME \
        always @(posedge clk) if (WHEN) assume (COND); \
    end else begin : g_``NAME \
        always @(posedge clk) if (WHEN) NAME: assert (COND); \
    end

`else

`ifdef AWGSTAR_ASSERT_TOKEN
`define AWG_ASSERT_COUNT(NAME) \
    integer n_``NAME; \
    initial n_``NAME = 0; \
    final $display("%h EVALUATED %m.%s %0d", 64'h`AWGSTAR_ASSERT_TOKEN, `"NAME`", n_``NAME);
`define AWG_ASSERT_STEP(NAME) n_``NAME <= n_``NAME + 1;
`else
`define AWG_ASSERT_COUNT(NAME)
`define AWG_ASSERT_STEP(NAME)
`endif

`define AWG_ASSERT(NAME, IDS, WHEN, COND) \
    `AWG_ASSERT_COUNT(NAME) \
    always @(posedge clk) if (WHEN) begin \
        `AWG_ASSERT_STEP(NAME) \
        NAME: assert (COND) else $error("ASSERT %s (%s) in %m", `"NAME`", IDS); \
    end

`define AWG_RULE(ENV, NAME, IDS, WHEN, COND) `AWG_ASSERT(NAME, IDS, WHEN, COND)

`endif
`endif
