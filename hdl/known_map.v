// SPDX-License-Identifier: MIT OR Apache-2.0
// known_map: which bytes of the replica are known to be those of the ring, for a board that joins.
//
// Promises: after `clear` no byte is known, and each that the ring or a fill has written since is
// (JOIN-4).
//
// Latency: address in cycle t, lanes in t + 1: before the write of cycle t. A clear takes 2^n cycles.
//
// One write port, at any address one word: port B of the memory has no more.
//
// Requirements: JOIN-4.
`include "awgstar.vh"
`default_nettype none

module known_map #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W, // the shared memory has 2^n words
    parameter JOIN       = `AWG_JOIN        // 0: the board has none
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  clear,
    output wire                  busy,

    input  wire [MEM_ADDR_W-1:0] addr,
    input  wire [3:0]            we,

    input  wire [MEM_ADDR_W-1:0] look_addr,
    output wire [3:0]            known
);
    generate
        if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
            known_map_MEM_ADDR_W_must_be_2_to_29 u_error ();
        end
        if (JOIN < 0 || JOIN > 1) begin : g_check_join
            known_map_JOIN_must_be_0_to_1 u_error ();
        end
    endgenerate

    localparam ON     = JOIN != 0;
    localparam ADDR_W = ON ? MEM_ADDR_W : 2;

    reg                busy_q, busy_d;
    reg [ADDR_W-1:0]   at_q, at_d; // next word to be cleared
    reg [3:0]          known_q;
    reg [3:0]          mem [0:(1 << ADDR_W) - 1];

    always @* begin
        busy_d = busy_q;
        at_d   = at_q;
        if (busy_q) begin
            at_d = at_q + {{(ADDR_W - 1){1'b0}}, 1'b1};
            if (at_q == {ADDR_W{1'b1}}) busy_d = 1'b0;
        end
        if (ON && clear) begin
            busy_d = 1'b1;
            at_d   = {ADDR_W{1'b0}};
        end
    end

    wire [3:0]        lanes = busy_q ? 4'b1111 : ON ? we : 4'b0000;
    wire [ADDR_W-1:0] place = busy_q ? at_q : addr[ADDR_W-1:0];

    wire unused_addr = &{1'b0, addr, look_addr}; // a board that cannot join has a map of 4 words

    always @(posedge clk) begin
        if (lanes[0]) mem[place][0] <= !busy_q;
        if (lanes[1]) mem[place][1] <= !busy_q;
        if (lanes[2]) mem[place][2] <= !busy_q;
        if (lanes[3]) mem[place][3] <= !busy_q;
        known_q <= mem[look_addr[ADDR_W-1:0]];
    end

    always @(posedge clk) begin
        busy_q <= busy_d;
        at_q   <= at_d;
        if (rst || !ON) begin // a board that cannot join keeps no registers for it
            busy_q <= 1'b0;
            at_q   <= {ADDR_W{1'b0}};
        end
    end

    assign busy  = busy_q;
    assign known = known_q;
endmodule

`default_nettype wire
