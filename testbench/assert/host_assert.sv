// SPDX-License-Identifier: MIT OR Apache-2.0
// host_assert: what the accesses of the host show of memory, registers and interrupt of the board.
//
// It relies on the rules of axil_assert. Nothing is checked before the first reset.
`include "awgstar.vh"
`include "awgstar_assert.svh"
`default_nettype none

module host_assert #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W, // shared memory: 2^n words
    parameter LAG        = 2                // cycles from the response of a write to its effect on irq
) (
    input wire        clk,
    input wire        rst,

    input wire [31:0] s_axi_awaddr,
    input wire        s_axi_awvalid,
    input wire        s_axi_awready,
    input wire [31:0] s_axi_wdata,
    input wire        s_axi_wvalid,
    input wire        s_axi_wready,
    input wire [1:0]  s_axi_bresp,
    input wire        s_axi_bvalid,
    input wire        s_axi_bready,
    input wire [31:0] s_axi_araddr,
    input wire        s_axi_arvalid,
    input wire        s_axi_arready,
    input wire [31:0] s_axi_rdata,
    input wire [1:0]  s_axi_rresp,
    input wire        s_axi_rvalid,
    input wire        s_axi_rready,

    input wire        irq
);
    generate
        if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
            host_assert_MEM_ADDR_W_must_be_2_to_29 u_error ();
        end
        if (LAG < 1 || LAG > 15) begin : g_check_lag
            host_assert_LAG_must_be_1_to_15 u_error ();
        end
    endgenerate

    localparam [1:0]  SLVERR = 2'b10;
    localparam [29:0] WORDS  = 30'd1 << MEM_ADDR_W;

    wire unused = &{1'b0, s_axi_wdata, awaddr_q[1:0], araddr_q[1:0]}; // a register is accessed whole

    wire b = s_axi_bvalid && s_axi_bready;
    wire r = s_axi_rvalid && s_axi_rready;

    reg        live_q;
    reg        rst_q;
    initial begin
        live_q = 1'b0;
        rst_q  = 1'b0;
    end
    reg [31:0] awaddr_q, araddr_q; // of the access that was taken last
    reg        wnull_q;            // its data enables no interrupt

    wire beyond_write = awaddr_q[31] && {1'b0, awaddr_q[30:2]} >= WORDS;
    wire beyond_read  = araddr_q[31] && {1'b0, araddr_q[30:2]} >= WORDS;
    wire at_enable    = awaddr_q[31:2] == {21'd0, `AWG_REG_IRQ_ENABLE};
    wire at_status    = awaddr_q[31:2] == {21'd0, `AWG_REG_IRQ_STATUS};

    reg       busy_q;     // a write is under way
    reg       enabled_q;  // an interrupt may be enabled
    reg [3:0] fall_q;     // cycles in which irq may still go low
    reg [3:0] high_q;     // cycles in which irq may still be high, though none is enabled
    reg       irq_q;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        rst_q <= rst;
        irq_q <= irq;
        if (s_axi_awvalid && s_axi_awready) awaddr_q <= s_axi_awaddr;
        if (s_axi_wvalid && s_axi_wready) wnull_q <= s_axi_wdata[`AWG_IRQS-1:0] == {`AWG_IRQS{1'b0}};
        if (s_axi_arvalid && s_axi_arready) araddr_q <= s_axi_araddr;

        // The effect may be there before the response is taken.
        busy_q <= (s_axi_awvalid && s_axi_awready) || (busy_q && !b);
        if (fall_q != 4'd0) fall_q <= fall_q - 4'd1;
        if (high_q != 4'd0) high_q <= high_q - 4'd1;
        if (busy_q && (at_enable || at_status)) fall_q <= LAG[3:0];
        if (busy_q && at_enable) begin
            if (!wnull_q) begin
                enabled_q <= 1'b1;
            end else if (b && s_axi_bresp != SLVERR) begin
                enabled_q <= 1'b0;
                high_q    <= LAG[3:0];
            end
        end
        if (rst) begin
            busy_q    <= 1'b0;
            enabled_q <= 1'b0;
            fall_q    <= 4'd0;
            high_q    <= 4'd0;
        end
    end

    wire on = live_q && !rst;

    // HST-4: an access beyond the shared memory
    `AWG_ASSERT(hst4_beyond_write, "HST-4", on && b && beyond_write, s_axi_bresp == SLVERR)
    `AWG_ASSERT(hst4_beyond_read, "HST-4", on && r && beyond_read, s_axi_rresp == SLVERR)

    // HST-3: a register that never changes
    `AWG_ASSERT(hst3_id, "HST-3", on && r && araddr_q[31:2] == {21'd0, `AWG_REG_ID},
        s_axi_rdata == `AWG_RESET_ID && s_axi_rresp != SLVERR)

    // IRQ-1: not without an enabled bit, and it stays until a write to IRQ_STATUS or IRQ_ENABLE
    `AWG_ASSERT(irq1_reset, "IRQ-1", rst_q, !irq)
    `AWG_ASSERT(irq1_enabled, "IRQ-1", on && !rst_q && irq, enabled_q || high_q != 4'd0)
    `AWG_ASSERT(irq1_stays, "IRQ-1", on && !rst_q && irq_q,
        irq || fall_q != 4'd0 || (busy_q && (at_enable || at_status)))
endmodule

`default_nettype wire
