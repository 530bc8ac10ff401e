// SPDX-License-Identifier: MIT OR Apache-2.0
// node_counters: sixteen 32-bit event counters in one small memory.
//
// Promises: an event may come on every bit in every cycle and none is missed (NODE-20): it waits in
// a small count of its own, and every cycle one of those is added to its counter, in turn. 16
// cycles pass between two turns, so a small count of 5 bits cannot run over.
//
// Latency: addr in cycle t, data in cycle t + 1; an event shows after 17 cycles at most.
//
// Requirements: NODE-20, NODE-21.
`include "awgstar.vh"
`default_nettype none

module node_counters (
    input  wire        clk,
    input  wire        rst,

    input  wire [15:0] events,

    input  wire [3:0]  addr,
    output wire [31:0] data
);
    localparam W = `AWG_PENDING_W;

    reg [3:0]      scan_q, scan_d;   // counter whose turn it is
    reg            clear_q, clear_d; // the first round after reset writes zeros
    reg [16*W-1:0] pending_q, pending_d;
    reg [31:0]     data_q;
    reg [31:0]     mem [0:15];

    wire [W-1:0]  count = pending_q[scan_q * W +: W];
    wire [31:0]   sum   = mem[scan_q] + {{(32 - W){1'b0}}, count};

    reg [W-1:0]   more; // of one small count, in the loop
    integer       k;

    always @* begin
        scan_d    = scan_q + 4'd1;
        clear_d   = clear_q && scan_q != 4'd15;
        pending_d = pending_q;
        more      = {W{1'b0}};
        for (k = 0; k < 16; k = k + 1) begin // events come late: added before it is known
            more = pending_q[k * W +: W] + {{(W - 1){1'b0}}, 1'b1};
            if (!events[k]) more = pending_q[k * W +: W];
            if (k[3:0] == scan_q && !clear_q) more = {{(W - 1){1'b0}}, events[k]}; // its turn: added to mem
            pending_d[k * W +: W] = more;
        end
    end

    always @(posedge clk) begin
        mem[scan_q] <= clear_q ? 32'd0 : sum;
        data_q      <= mem[addr];
    end

    always @(posedge clk) begin
        scan_q    <= scan_d;
        clear_q   <= clear_d;
        pending_q <= pending_d;
        if (rst) begin // NODE-21
            scan_q    <= 4'd0;
            clear_q   <= 1'b1;
            pending_q <= {16 * W{1'b0}};
        end
    end

    assign data = data_q;
endmodule

`default_nettype wire
