// SPDX-License-Identifier: MIT OR Apache-2.0
// mem_writer: puts the valid bytes of a data frame into the memory, whatever their alignment.
//
// Promises: the bytes at addr to addr + len - 1 are written and no others (RCV-4).
//
// Latency: a word with each beat, in its cycle; one more behind the last beat if bytes of it reach
// into another word.
//
// Requirements: RCV-4.
`include "awgstar.vh"
`default_nettype none

module mem_writer #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W // the shared memory has 2^n words
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  start,
    input  wire [MEM_ADDR_W+1:0] addr,
    input  wire [10:0]           len,

    input  wire [31:0]           s_axis_tdata,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  s_axis_tlast,

    output wire [MEM_ADDR_W-1:0] mem_addr,
    output wire [3:0]            mem_we,
    output wire [31:0]           mem_wdata,

    output wire                  done
);
    generate if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
        mem_writer_MEM_ADDR_W_must_be_2_to_29 u_error ();
    end endgenerate

    reg [1:0]            state_q, state_d;
    reg [MEM_ADDR_W-1:0] word_q, word_d;   // address of the next word
    reg [1:0]            shift_q, shift_d; // lane of the first byte
    reg [11:0]           at_q, at_d;       // bytes before the next word
    reg [11:0]           end_q, end_d;     // first byte that is not written
    reg [31:0]           carry_q, carry_d; // the last beat
    // Port B of the memory: a beat comes late, out of a memory.
    reg [MEM_ADDR_W-1:0] mem_addr_q;
    reg [3:0]            mem_we_q, mem_we_d;
    reg [31:0]           mem_wdata_q, mem_wdata_d;

    wire        run   = state_q == `AWG_MEM_WRITER_RUN;
    wire        tail  = state_q == `AWG_MEM_WRITER_TAIL;
    wire        beat  = run && s_axis_tvalid;
    wire        more  = at_q + 12'd4 < end_q;
    wire [31:0] fresh = tail ? 32'd0 : s_axis_tdata;

    reg [3:0] due; // lanes of this word that are written
    integer   k;

    always @* begin
        for (k = 0; k < 4; k = k + 1) begin
            due[k] = at_q + k[11:0] >= {10'd0, shift_q} && at_q + k[11:0] < end_q;
        end
        case (shift_q)
            2'd1:    mem_wdata_d = {fresh[23:0], carry_q[31:24]};
            2'd2:    mem_wdata_d = {fresh[15:0], carry_q[31:16]};
            2'd3:    mem_wdata_d = {fresh[7:0], carry_q[31:8]};
            default: mem_wdata_d = fresh;
        endcase
        mem_we_d = beat || tail ? due : 4'b0000;
    end

    always @* begin
        state_d = state_q;
        word_d  = word_q;
        shift_d = shift_q;
        at_d    = at_q;
        end_d   = end_q;
        carry_d = carry_q;

        case (state_q)
            `AWG_MEM_WRITER_IDLE: if (start) begin
                state_d = `AWG_MEM_WRITER_RUN;
                word_d  = addr[MEM_ADDR_W+1:2];
                shift_d = addr[1:0];
                at_d    = 12'd0;
                end_d   = {10'd0, addr[1:0]} + {1'b0, len};
                carry_d = 32'd0;
            end

            `AWG_MEM_WRITER_RUN: if (s_axis_tvalid) begin
                word_d  = word_q + {{(MEM_ADDR_W - 1){1'b0}}, 1'b1};
                at_d    = at_q + 12'd4;
                carry_d = s_axis_tdata;
                if (s_axis_tlast) state_d = more ? `AWG_MEM_WRITER_TAIL : `AWG_MEM_WRITER_IDLE;
            end

            `AWG_MEM_WRITER_TAIL: state_d = `AWG_MEM_WRITER_IDLE;

            default: ;
        endcase
    end

    always @(posedge clk) begin
        state_q <= state_d;
        word_q  <= word_d;
        shift_q <= shift_d;
        at_q    <= at_d;
        end_q   <= end_d;
        carry_q <= carry_d;
        mem_addr_q  <= word_q;
        mem_we_q    <= mem_we_d;
        mem_wdata_q <= mem_wdata_d;
        if (rst) begin
            state_q  <= `AWG_MEM_WRITER_IDLE;
            mem_we_q <= 4'b0000;
        end
    end

    assign s_axis_tready = run;
    assign mem_addr      = mem_addr_q;
    assign mem_we        = mem_we_q;
    assign mem_wdata     = mem_wdata_q;
    assign done          = tail || (beat && s_axis_tlast && !more);
endmodule

`default_nettype wire
