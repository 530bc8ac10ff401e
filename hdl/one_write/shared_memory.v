// SPDX-License-Identifier: MIT OR Apache-2.0
// shared_memory with one write port: for devices whose block RAM has one, or none with two in Yosys.
//
// The ports are those of ../shared_memory.v; a design takes one file or the other. Memory rows have two
// words. Words from the ring that follow each other share a row, so the ring takes the write port every
// second cycle at most; a write of the host waits in a register for a cycle of its own.
//
// Promises: as ../shared_memory.v, provided that the ring writes ascending words with a pause of one
// cycle between two frames, and the host writes another word 3 cycles after the last at the earliest.
// mem_writer, rx_sorter, host_window and axil_port keep to that: nothing is lost at line rate. A host on
// axi4_port writes a word a cycle and does not: smb_axi4 needs ../shared_memory.v.
//
// Latency: address in cycle t, data in t + 1: the word before the writes of cycle t.
//
// Requirements: HST-4, RCV-6.
`include "awgstar.vh"
`default_nettype none

module shared_memory #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W // 2^n words
) (
    input  wire                  clk,

    input  wire [MEM_ADDR_W-1:0] a_addr,
    input  wire [3:0]            a_we,
    input  wire [31:0]           a_wdata,
    output wire [31:0]           a_rdata,

    input  wire [MEM_ADDR_W-1:0] b_addr,
    input  wire [3:0]            b_we,
    input  wire [31:0]           b_wdata
);
    generate if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
        shared_memory_MEM_ADDR_W_must_be_2_to_29 u_error ();
    end endgenerate

    localparam ROW_W = MEM_ADDR_W - 1;

    reg [ROW_W-1:0] ring_row_q;             // the row that the ring writes
    reg [7:0]       ring_lanes_q;           // its bytes that are not in the memory yet
    reg [63:0]      ring_data_q;
    reg [ROW_W-1:0] host_row_q;             // the same of the host
    reg [7:0]       host_lanes_q;
    reg [63:0]      host_data_q;
    reg             word_q;                 // which word of the row is read
    reg [7:0]       fresh_q;                // its bytes that were not in the memory
    reg [63:0]      fresh_data_q;
    wire [63:0]     row_data;               // the row out of the memory

    wire [ROW_W-1:0] a_row   = a_addr[MEM_ADDR_W-1:1];
    wire [ROW_W-1:0] b_row   = b_addr[MEM_ADDR_W-1:1];
    wire [7:0]       a_lanes = a_addr[0] ? {a_we, 4'b0000} : {4'b0000, a_we};
    wire [7:0]       b_lanes = b_addr[0] ? {b_we, 4'b0000} : {4'b0000, b_we};

    // ---- Who writes ----

    // The ring, when its row changes; else the host, if it waits; else what there is of the ring's row.
    reg ring;

    always @* begin // unknown before the first write: as if nothing waited
        ring = 1'b1;
        if (host_lanes_q != 8'd0) ring = 1'b0;
        if (b_we != 4'd0 && b_row != ring_row_q && ring_lanes_q != 8'd0) ring = 1'b1;
    end

    wire [ROW_W-1:0] row   = ring ? ring_row_q : host_row_q;
    wire [7:0]       lanes = ring ? ring_lanes_q : host_lanes_q;
    wire [63:0]      data  = ring ? ring_data_q : host_data_q;

    // ---- What waits: a byte waits once, the last one written ----

    reg [7:0]       ring_lanes_d;
    reg [ROW_W-1:0] host_row_d;
    reg [7:0]       host_lanes_d;

    always @* begin
        ring_lanes_d = ring ? 8'd0 : ring_lanes_q;
        if (a_row == ring_row_q) ring_lanes_d = ring_lanes_d & ~a_lanes;
        ring_lanes_d = ring_lanes_d | b_lanes;

        host_row_d   = host_row_q;
        host_lanes_d = ring ? host_lanes_q : 8'd0;
        if (a_we != 4'd0) begin
            host_row_d   = a_row;
            host_lanes_d = (a_row == host_row_q ? host_lanes_d : 8'd0) | a_lanes;
        end
        if (b_row == host_row_d) host_lanes_d = host_lanes_d & ~b_lanes; // RCV-6
    end

    // ---- Bytes ----

    wire [63:0] a_both = {a_wdata, a_wdata};
    wire [63:0] b_both = {b_wdata, b_wdata};

    genvar k;
    generate for (k = 0; k < 8; k = k + 1) begin : g_lane
        reg [7:0] mem [0:(1 << ROW_W) - 1];
        reg [7:0] out_q;

        always @(posedge clk) begin
            if (lanes[k]) mem[row] <= data[8*k +: 8];
            out_q <= mem[a_row];
        end

        assign row_data[8*k +: 8] = out_q;

        always @(posedge clk) begin
            if (b_lanes[k]) ring_data_q[8*k +: 8] <= b_both[8*k +: 8];
            if (a_lanes[k]) host_data_q[8*k +: 8] <= a_both[8*k +: 8];
            fresh_q[k]               <= 1'b0;
            fresh_data_q[8*k +: 8]   <= host_data_q[8*k +: 8];
            if (host_lanes_q[k] && host_row_q == a_row) fresh_q[k] <= 1'b1;
            if (ring_lanes_q[k] && ring_row_q == a_row) begin
                fresh_q[k]             <= 1'b1;
                fresh_data_q[8*k +: 8] <= ring_data_q[8*k +: 8];
            end
        end
    end endgenerate

    always @(posedge clk) begin
        if (b_we != 4'd0) ring_row_q <= b_row;
        ring_lanes_q <= ring_lanes_d;
        host_row_q   <= host_row_d;
        host_lanes_q <= host_lanes_d;
        word_q       <= a_addr[0];
    end

    wire [63:0] merged = {fresh_q[7] ? fresh_data_q[63:56] : row_data[63:56],
                          fresh_q[6] ? fresh_data_q[55:48] : row_data[55:48],
                          fresh_q[5] ? fresh_data_q[47:40] : row_data[47:40],
                          fresh_q[4] ? fresh_data_q[39:32] : row_data[39:32],
                          fresh_q[3] ? fresh_data_q[31:24] : row_data[31:24],
                          fresh_q[2] ? fresh_data_q[23:16] : row_data[23:16],
                          fresh_q[1] ? fresh_data_q[15:8]  : row_data[15:8],
                          fresh_q[0] ? fresh_data_q[7:0]   : row_data[7:0]};

    assign a_rdata = word_q ? merged[63:32] : merged[31:0];
endmodule

`default_nettype wire
