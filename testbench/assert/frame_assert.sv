// SPDX-License-Identifier: MIT OR Apache-2.0
// frame_assert: header, length, pad and FCS of the frames that a sender puts on a link.
//
// Frames of the sender are those with its MAC that are no free tokens (NODE-3), or all of them. What
// else is on the link is passed on, and only its TOKEN is checked. It relies on the rules of
// link_assert. Nothing is checked before the first reset.
`include "awgstar.vh"
`include "awgstar_assert.svh"
`default_nettype none

module frame_assert #(
    parameter SENDER = 1 // frames of the sender: 0 not known, 1 those with its MAC, 2 all
) (
    input wire        clk,
    input wire        rst,
    input wire        known,   // mac and node_id are those of the frames on the link
    input wire [47:0] mac,
    input wire [7:0]  node_id,
    input wire [31:0] tdata,
    input wire [3:0]  tkeep,
    input wire        tvalid,
    input wire        tlast,
    input wire        tuser
);
    generate if (SENDER < 0 || SENDER > 2) begin : g_check
        frame_assert_SENDER_must_be_0_to_2 u_error ();
    end endgenerate

    // FCS-1, bit by bit
    function automatic [31:0] crc_of(input [31:0] start, input [31:0] data, input [3:0] keep);
        integer i;
        begin
            crc_of = start;
            for (i = 0; i < 32; i = i + 1)
                if (keep[i / 8])
                    crc_of = {1'b0, crc_of[31:1]}
                           ^ ((crc_of[0] ^ data[i]) ? 32'hEDB88320 : 32'd0);
        end
    endfunction

    function automatic [2:0] count_of(input [3:0] keep);
        count_of = {2'd0, keep[0]} + {2'd0, keep[1]} + {2'd0, keep[2]} + {2'd0, keep[3]};
    endfunction

    reg         live_q;
    initial live_q = 1'b0;
    reg  [9:0]  word_q;     // index of the next word
    reg  [31:0] first_q;    // word 0
    reg         monitor_q;  // M
    reg  [31:0] second_q;   // word 1
    reg  [31:0] crc_q;
    reg  [5:0]  top_q;      // 1 + index of the last Data byte, before index 45, that is not 0
    reg  [7:0]  short_q;    // Data byte 45

    wire        first  = word_q == 10'd0;
    wire        second = word_q == 10'd1;
    wire [31:0] word1  = second ? tdata : second_q;
    wire [47:0] source = {first_q[7:0], first_q[15:8], first_q[23:16], first_q[31:24],
                          word1[7:0], word1[15:8]};
    wire [2:0]  token  = word1[23:21];
    wire [4:0]  c_st   = word1[20:16];
    wire [7:0]  id     = word1[31:24];

    wire        is_free = token == `AWG_TOKEN_FREE;
    wire        is_data = token == `AWG_TOKEN_DATA;
    wire        is_short = is_data && c_st == `AWG_C_ST_DATA_SHORT;
    wire        on      = live_q && !rst && tvalid;
    wire        own     = known && (SENDER == 2 || (source == mac && !is_free));
    wire        header  = on && second;          // both words of the header are known
    wire        whole   = on && !first && own && tlast && !tuser;
    wire [11:0] bytes   = {word_q, 2'd0} + {9'd0, count_of(tkeep)};
    wire [31:0] crc     = crc_of(first ? `AWG_CRC32_INIT : crc_q, tdata, tkeep);

    // Data begins in lane 2 of word 3: index of lane 0 is 4 * word - 14.
    wire [5:0]  index   = {word_q[3:0], 2'd0} - 6'd14;
    reg  [5:0]  top;
    always @* begin
        top = top_q;
        if (word_q == 10'd3) begin
            if (tdata[23:16] != 8'd0) top = 6'd1;
            if (tdata[31:24] != 8'd0) top = 6'd2;
        end else if (word_q > 10'd3 && word_q < 10'd15) begin
            if (tdata[7:0] != 8'd0) top = index + 6'd1;
            if (tdata[15:8] != 8'd0) top = index + 6'd2;
            if (tdata[23:16] != 8'd0) top = index + 6'd3;
            if (tdata[31:24] != 8'd0 && word_q != 10'd14) top = index + 6'd4;
        end
    end

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        if (tvalid) begin
            word_q <= tlast ? 10'd0 : word_q == 10'd1023 ? word_q : word_q + 10'd1;
            crc_q  <= crc;
            top_q  <= first ? 6'd0 : top;
            if (first) begin
                first_q   <= tdata;
                monitor_q <= tuser;
            end
            if (second) second_q <= tdata;
            if (word_q == 10'd14) short_q <= tdata[31:24];
        end
        if (rst) word_q <= 10'd0;
    end

    // ---- Every frame ----

    `AWG_ASSERT(frm4_token, "FRM-4, NODE-5", header, token != 3'b010 && token != 3'b111)

    // ---- Frames of the sender ----

    generate if (SENDER == 2) begin : g_all
        reg zeros_q; // bytes 8 to 59 are 0 so far
        always @(posedge clk) if (tvalid) begin
            if (first) zeros_q <= 1'b1;
            if (word_q >= 10'd2 && word_q < 10'd15 && tdata != 32'd0) zeros_q <= 1'b0;
        end

        `AWG_ASSERT(node14_mac, "NODE-14, FRM-1, FRM-2", header && known, source == mac)
        `AWG_ASSERT(node14_id, "NODE-14, FRM-2", header && known, id == node_id)
        `AWG_ASSERT(frm10_free, "FRM-10, TX-3", whole && is_free,
            zeros_q && c_st == 5'd0 && bytes == {1'b0, `AWG_FRAME_MIN})
    end else if (SENDER == 1) begin : g_own
        `AWG_ASSERT(node14_id, "NODE-14", header && own && is_data, id == node_id)
    end endgenerate

    generate if (SENDER != 0) begin : g_sender
        `AWG_ASSERT(node1_m, "NODE-1, LNK-4", header && own, !monitor_q)
        `AWG_ASSERT(tx5_user, "TX-5, LNK-4", on && !first && own && !tlast, !tuser)
        `AWG_ASSERT(frm6_c_st, "FRM-6, FRM-8", header && own && is_data,
            c_st == `AWG_C_ST_DATA_FULL || c_st == `AWG_C_ST_DATA_SHORT)
        `AWG_ASSERT(frm3_bytes, "FRM-3, TX-4", whole,
            bytes >= {1'b0, `AWG_FRAME_MIN} && bytes <= {1'b0, `AWG_FRAME_MAX})
        `AWG_ASSERT(frm7_short, "FRM-6, FRM-7", whole && is_short,
            bytes == {1'b0, `AWG_FRAME_MIN} && short_q >= 8'd1 && {3'd0, short_q} < `AWG_DATA_MIN)
        `AWG_ASSERT(frm5_pad, "FRM-5", whole && is_short && bytes == {1'b0, `AWG_FRAME_MIN},
            {2'd0, top_q} <= short_q)
        `AWG_ASSERT(fcs1_residue, "FCS-1, FCS-2", whole, crc == `AWG_CRC32_RESIDUE)
    end else begin : g_none
        wire unused = &{1'b0, node_id, id, c_st, monitor_q, short_q, top_q, is_data, is_short, whole,
                        bytes, crc};
    end endgenerate
endmodule

`default_nettype wire
