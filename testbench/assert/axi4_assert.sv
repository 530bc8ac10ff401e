// SPDX-License-Identifier: MIT OR Apache-2.0
// axi4_assert: rules of the AXI4 port of smb_axi4 (AXI-1, AXI-3, AXI-5).
//
// The port is that of the slave. Rules named `env_` bind the master. Nothing is checked before the
// first reset. Up to 2^DEPTH_W bursts of each direction may be under way.
`include "awgstar.vh"
`include "awgstar_assert.svh"
`default_nettype none

module axi4_assert #(
    parameter AXI_ID_W = `AWG_AXI_ID_W,
    parameter ENV      = 1, // 1: check the rules of the master, too; in a proof they are assumed
    parameter DEPTH_W  = 3
) (
    input wire                clk,
    input wire                rst,

    input wire [AXI_ID_W-1:0] s_axi_awid,
    input wire [31:0]         s_axi_awaddr,
    input wire [7:0]          s_axi_awlen,
    input wire [2:0]          s_axi_awsize,
    input wire [1:0]          s_axi_awburst,
    input wire                s_axi_awvalid,
    input wire                s_axi_awready,

    input wire [31:0]         s_axi_wdata,
    input wire [3:0]          s_axi_wstrb,
    input wire                s_axi_wlast,
    input wire                s_axi_wvalid,
    input wire                s_axi_wready,

    input wire [AXI_ID_W-1:0] s_axi_bid,
    input wire [1:0]          s_axi_bresp,
    input wire                s_axi_bvalid,
    input wire                s_axi_bready,

    input wire [AXI_ID_W-1:0] s_axi_arid,
    input wire [31:0]         s_axi_araddr,
    input wire [7:0]          s_axi_arlen,
    input wire [2:0]          s_axi_arsize,
    input wire [1:0]          s_axi_arburst,
    input wire                s_axi_arvalid,
    input wire                s_axi_arready,

    input wire [AXI_ID_W-1:0] s_axi_rid,
    input wire [31:0]         s_axi_rdata,
    input wire [1:0]          s_axi_rresp,
    input wire                s_axi_rlast,
    input wire                s_axi_rvalid,
    input wire                s_axi_rready
);
    generate
        if (ENV != 0 && ENV != 1) begin : g_check_env
            axi4_assert_ENV_must_be_0_or_1 u_error ();
        end
        if (DEPTH_W < 1 || DEPTH_W > 8) begin : g_check_depth
            axi4_assert_DEPTH_W_must_be_1_to_8 u_error ();
        end
    endgenerate

    localparam DEPTH = 1 << DEPTH_W;

    wire aw = s_axi_awvalid && s_axi_awready;
    wire w  = s_axi_wvalid && s_axi_wready;
    wire b  = s_axi_bvalid && s_axi_bready;
    wire ar = s_axi_arvalid && s_axi_arready;
    wire r  = s_axi_rvalid && s_axi_rready;

    reg live_q; // there was a reset
    reg rst_q; // the cycle before was one of reset
    initial begin
        live_q = 1'b0;
        rst_q  = 1'b0;
    end
    reg aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q; // valid without ready

    // Bursts that are taken and not answered.
    reg [DEPTH_W:0]    aw_count_q, w_count_q, b_count_q, ar_count_q, r_count_q; // since reset
    reg [AXI_ID_W-1:0] aw_ids [0:DEPTH-1];
    reg [AXI_ID_W-1:0] ar_ids [0:DEPTH-1];
    reg [7:0]          aw_lens [0:DEPTH-1];
    reg [7:0]          ar_lens [0:DEPTH-1];
    reg [DEPTH-1:0]    aw_bad_q, ar_bad_q; // of those the port refuses
    reg [7:0]          w_beat_q, r_beat_q;

    reg [AXI_ID_W-1:0] awid_q, arid_q, bid_q, rid_q;
    reg [44:0]         awrest_q, arrest_q;
    reg [36:0]         wrest_q;
    reg [1:0]          bresp_q;
    reg [34:0]         rrest_q;

    wire [44:0] awrest = {s_axi_awaddr, s_axi_awlen, s_axi_awsize, s_axi_awburst};
    wire [44:0] arrest = {s_axi_araddr, s_axi_arlen, s_axi_arsize, s_axi_arburst};
    wire [36:0] wrest  = {s_axi_wdata, s_axi_wstrb, s_axi_wlast};
    wire [34:0] rrest  = {s_axi_rdata, s_axi_rresp, s_axi_rlast};

    // By the rules of AXI: bytes from the address rounded down to the end of the last beat.
    function refused;
        input [11:0] addr;
        input [7:0]  len;
        input [2:0]  size;
        input [1:0]  burst;
        reg   [19:0] bytes, first;
        begin
            bytes   = ({12'd0, len} + 20'd1) << size;
            first   = ({8'd0, addr} >> size) << size;
            refused = size > 3'd2 || burst[1] || (burst == 2'b00 && len != 8'd0)
                   || (burst == 2'b01 && first + bytes > 20'd4096);
        end
    endfunction

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        rst_q <= rst;

        aw_wait_q <= !rst && s_axi_awvalid && !s_axi_awready;
        w_wait_q  <= !rst && s_axi_wvalid && !s_axi_wready;
        b_wait_q  <= !rst && s_axi_bvalid && !s_axi_bready;
        ar_wait_q <= !rst && s_axi_arvalid && !s_axi_arready;
        r_wait_q  <= !rst && s_axi_rvalid && !s_axi_rready;

        if (aw) begin
            aw_ids[aw_count_q[DEPTH_W-1:0]]   <= s_axi_awid;
            aw_lens[aw_count_q[DEPTH_W-1:0]]  <= s_axi_awlen;
            aw_bad_q[aw_count_q[DEPTH_W-1:0]] <=
                refused(s_axi_awaddr[11:0], s_axi_awlen, s_axi_awsize, s_axi_awburst);
        end
        if (ar) begin
            ar_ids[ar_count_q[DEPTH_W-1:0]]   <= s_axi_arid;
            ar_lens[ar_count_q[DEPTH_W-1:0]]  <= s_axi_arlen;
            ar_bad_q[ar_count_q[DEPTH_W-1:0]] <=
                refused(s_axi_araddr[11:0], s_axi_arlen, s_axi_arsize, s_axi_arburst);
        end
        if (w) w_beat_q <= s_axi_wlast ? 8'd0 : w_beat_q + 8'd1;
        if (r) r_beat_q <= s_axi_rlast ? 8'd0 : r_beat_q + 8'd1;
        aw_count_q <= aw_count_q + {{DEPTH_W{1'b0}}, aw};
        w_count_q  <= w_count_q + {{DEPTH_W{1'b0}}, w && s_axi_wlast};
        b_count_q  <= b_count_q + {{DEPTH_W{1'b0}}, b};
        ar_count_q <= ar_count_q + {{DEPTH_W{1'b0}}, ar};
        r_count_q  <= r_count_q + {{DEPTH_W{1'b0}}, r && s_axi_rlast};
        if (rst) begin
            aw_count_q <= {(DEPTH_W + 1){1'b0}};
            w_count_q  <= {(DEPTH_W + 1){1'b0}};
            b_count_q  <= {(DEPTH_W + 1){1'b0}};
            ar_count_q <= {(DEPTH_W + 1){1'b0}};
            r_count_q  <= {(DEPTH_W + 1){1'b0}};
            w_beat_q   <= 8'd0;
            r_beat_q   <= 8'd0;
        end

        awid_q   <= s_axi_awid;
        arid_q   <= s_axi_arid;
        bid_q    <= s_axi_bid;
        rid_q    <= s_axi_rid;
        awrest_q <= awrest;
        arrest_q <= arrest;
        wrest_q  <= wrest;
        bresp_q  <= s_axi_bresp;
        rrest_q  <= rrest;
    end

    wire on = live_q && !rst;

    // Of the oldest burst that is not answered.
    wire                write_open = b_count_q != aw_count_q && b_count_q != w_count_q;
    wire                read_open  = r_count_q != ar_count_q;
    wire [AXI_ID_W-1:0] write_id   = aw_ids[b_count_q[DEPTH_W-1:0]];
    wire [AXI_ID_W-1:0] read_id    = ar_ids[r_count_q[DEPTH_W-1:0]];
    wire [7:0]          read_len   = ar_lens[r_count_q[DEPTH_W-1:0]];
    wire                write_bad  = aw_bad_q[b_count_q[DEPTH_W-1:0]];
    wire                read_bad   = ar_bad_q[r_count_q[DEPTH_W-1:0]];

    // ---- Slave ----

    `AWG_ASSERT(axi1_reset_b, "AXI-1", rst_q, !s_axi_bvalid)
    `AWG_ASSERT(axi1_reset_r, "AXI-1", rst_q, !s_axi_rvalid)

    `AWG_ASSERT(axi5_b_stays, "AXI-5", on && b_wait_q, s_axi_bvalid)
    `AWG_ASSERT(axi5_b_stable, "AXI-5", on && b_wait_q && s_axi_bvalid,
        s_axi_bid == bid_q && s_axi_bresp == bresp_q)
    `AWG_ASSERT(axi5_r_stays, "AXI-5", on && r_wait_q, s_axi_rvalid)
    `AWG_ASSERT(axi5_r_stable, "AXI-5", on && r_wait_q && s_axi_rvalid,
        s_axi_rid == rid_q && rrest == rrest_q)

    // OKAY or SLVERR
    `AWG_ASSERT(axi1_b_code, "AXI-1", on && s_axi_bvalid, !s_axi_bresp[0])
    `AWG_ASSERT(axi1_r_code, "AXI-1", on && s_axi_rvalid, !s_axi_rresp[0])

    // An answer belongs to the oldest burst, all of which was taken in earlier cycles.
    `AWG_ASSERT(axi1_b_request, "AXI-1", on && s_axi_bvalid, write_open)
    `AWG_ASSERT(axi1_r_request, "AXI-1", on && s_axi_rvalid, read_open)
    `AWG_ASSERT(axi5_b_id, "AXI-5", on && s_axi_bvalid && write_open, s_axi_bid == write_id)
    `AWG_ASSERT(axi5_r_id, "AXI-5", on && s_axi_rvalid && read_open, s_axi_rid == read_id)
    `AWG_ASSERT(axi1_r_last, "AXI-1", on && s_axi_rvalid && read_open,
        s_axi_rlast == (r_beat_q == read_len))
    `AWG_ASSERT(axi3_b_refused, "AXI-3", on && s_axi_bvalid && write_open && write_bad,
        s_axi_bresp[1])
    `AWG_ASSERT(axi3_r_refused, "AXI-3", on && s_axi_rvalid && read_open && read_bad,
        s_axi_rresp[1])

    // ---- Master ----

    // The length of the burst whose data comes, if its address was taken.
    wire [DEPTH_W:0] w_ahead = aw_count_q - w_count_q; // negative: data came before its address
    wire             w_known = w_ahead != {(DEPTH_W + 1){1'b0}} && !w_ahead[DEPTH_W];
    wire [7:0]       w_len   = aw_lens[w_count_q[DEPTH_W-1:0]];

    generate if (ENV == 1) begin : g_env
        `AWG_RULE(1, env_aw_stays, "AXI-1", on && aw_wait_q, s_axi_awvalid)
        `AWG_RULE(1, env_aw_stable, "AXI-1", on && aw_wait_q && s_axi_awvalid,
            s_axi_awid == awid_q && awrest == awrest_q)
        `AWG_RULE(1, env_w_stays, "AXI-1", on && w_wait_q, s_axi_wvalid)
        `AWG_RULE(1, env_w_stable, "AXI-1", on && w_wait_q && s_axi_wvalid, wrest == wrest_q)
        `AWG_RULE(1, env_w_last, "AXI-1", on && w && w_known, s_axi_wlast == (w_beat_q == w_len))
        `AWG_RULE(1, env_ar_stays, "AXI-1", on && ar_wait_q, s_axi_arvalid)
        `AWG_RULE(1, env_ar_stable, "AXI-1", on && ar_wait_q && s_axi_arvalid,
            s_axi_arid == arid_q && arrest == arrest_q)
    end endgenerate

    wire unused = &{1'b0, awid_q, arid_q, awrest_q, arrest_q, wrest_q, w_wait_q, w_len, w_known,
                    aw_wait_q, ar_wait_q};
endmodule

`default_nettype wire
