// SPDX-License-Identifier: MIT OR Apache-2.0
// host_window: accesses of the host to the shared memory.
//
// Promises: what a write puts into the local replica goes to the combiner in the same cycle (WRT-1),
// and only bytes whose strobe is set do either (WRT-2). No access waits once the sender is stalled
// (HST-6). Beyond the memory nothing happens but an error (HST-4), and so for a write into a replica
// that is not whole (JOIN-5).
//
// Latency: read answered in the cycle behind the request, when the memory has the word; a write in
// its own cycle if the combiner is ready, one more if its strobe has a hole.
//
// Requirements: HST-2, HST-4, HST-6, WRT-1, WRT-2, JOIN-5.
`include "awgstar.vh"
`default_nettype none

module host_window #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W // the shared memory has 2^n words
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  win_valid,
    input  wire                  win_write,
    input  wire [30:0]           win_addr,
    input  wire [31:0]           win_wdata,
    input  wire [3:0]            win_wstrb,
    output reg                   win_done,
    output reg                   win_error,

    input  wire                  stalled,
    input  wire                  closed, // writes are refused (JOIN-5)

    output wire [MEM_ADDR_W-1:0] mem_addr,
    output wire [3:0]            mem_we,
    output wire [31:0]           mem_wdata,

    output wire                  put_valid,
    input  wire                  put_ready,
    output wire [31:0]           put_addr,
    output wire [2:0]            put_len,
    output wire [31:0]           put_data
);
    generate if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
        host_window_MEM_ADDR_W_must_be_2_to_29 u_error ();
    end endgenerate

    localparam [29:0] WORDS = 30'd1 << MEM_ADDR_W;

    reg [1:0] state_q, state_d;

    // ---- Runs of the strobe ----

    reg [1:0] lo;      // lowest lane of the first run
    reg [2:0] len;     // its lanes
    reg       two;     // there is a second run
    reg       long_hi; // which is lanes 2 and 3; lane 2 or 3 alone else

    always @* begin
        case (win_wstrb)
            4'b0001, 4'b0101, 4'b1001, 4'b1101: {lo, len} = {2'd0, 3'd1};
            4'b0010, 4'b1010:                   {lo, len} = {2'd1, 3'd1};
            4'b0100:                            {lo, len} = {2'd2, 3'd1};
            4'b1000:                            {lo, len} = {2'd3, 3'd1};
            4'b0011, 4'b1011:                   {lo, len} = {2'd0, 3'd2};
            4'b0110:                            {lo, len} = {2'd1, 3'd2};
            4'b1100:                            {lo, len} = {2'd2, 3'd2};
            4'b0111:                            {lo, len} = {2'd0, 3'd3};
            4'b1110:                            {lo, len} = {2'd1, 3'd3};
            4'b1111:                            {lo, len} = {2'd0, 3'd4};
            default:                            {lo, len} = {2'd0, 3'd0};
        endcase
        case (win_wstrb)
            4'b0101, 4'b1001, 4'b1010, 4'b1011, 4'b1101: two = 1'b1;
            default:                                     two = 1'b0;
        endcase
        long_hi = win_wstrb == 4'b1101;
    end

    wire       second   = state_q == `AWG_HOST_WINDOW_SECOND;
    wire [1:0] hi_lo    = !two ? 2'd0 : win_wstrb[2] ? 2'd2 : 2'd3;
    wire [2:0] hi_len   = !two ? 3'd0 : long_hi ? 3'd2 : 3'd1;
    wire [1:0] run_lo   = second ? hi_lo : lo;
    wire [2:0] run_len  = second ? hi_len : len;
    wire [3:0] lanes    = {run_len > 3'd3, run_len > 3'd2, run_len > 3'd1, run_len > 3'd0};
    wire [31:0] shifted = win_wdata >> {run_lo, 3'd0};

    // A piece is put in range only: its upper bits are 0, and write_combiner compares fewer.
    assign put_addr = {{(30 - MEM_ADDR_W){1'b0}}, win_addr[MEM_ADDR_W+1:2], run_lo};
    assign put_len  = run_len;
    assign put_data = shifted & {{8{lanes[3]}}, {8{lanes[2]}}, {8{lanes[1]}}, {8{lanes[0]}}};

    // ---- Access ----

    wire in_range = {1'b0, win_addr[30:2]} < WORDS; // HST-4

    wire unused_addr = &{1'b0, win_addr[1:0]}; // the strobe says which bytes

    assign mem_addr  = win_addr[MEM_ADDR_W+1:2];
    assign mem_wdata = win_wdata;

    wire idle    = state_q == `AWG_HOST_WINDOW_IDLE;
    wire request = idle && win_valid;
    wire some    = win_wstrb != 4'b0000;

    wire [3:0] put_lanes = put_valid ? lanes << run_lo : 4'b0000;

    assign put_valid = win_valid && (second || (idle && in_range && win_write && some && !closed));

    always @* begin
        state_d   = state_q;
        win_done  = state_q == `AWG_HOST_WINDOW_READ;
        win_error = 1'b0;

        if (put_valid) begin
            if (put_ready) begin
                state_d  = two && idle ? `AWG_HOST_WINDOW_SECOND : `AWG_HOST_WINDOW_IDLE;
                win_done = !(two && idle);
            end else if (stalled) begin // HST-6
                state_d   = `AWG_HOST_WINDOW_IDLE;
                win_done  = 1'b1;
                win_error = 1'b1;
            end
        end else if (request) begin
            if (in_range && !win_write) begin
                state_d = `AWG_HOST_WINDOW_READ;
            end else begin // beyond the memory, refused, or no byte to write
                win_done  = 1'b1;
                win_error = !in_range || (closed && some);
            end
        end
        if (state_q == `AWG_HOST_WINDOW_READ) state_d = `AWG_HOST_WINDOW_IDLE;
    end

    // WRT-1. put_ready comes late.
    assign mem_we = put_lanes & {4{put_ready}};

    always @(posedge clk) begin
        state_q <= state_d;
        if (rst) state_q <= `AWG_HOST_WINDOW_IDLE;
    end
endmodule

`default_nettype wire
