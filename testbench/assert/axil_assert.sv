// SPDX-License-Identifier: MIT OR Apache-2.0
// axil_assert: rules of an AXI4-Lite port with one access at a time (HST-1), or with up to 255 of a kind.
//
// The port is that of the slave. Rules named `env_` bind the master. Nothing is checked before the
// first reset.
`include "awgstar_assert.svh"
`default_nettype none

module axil_assert #(
    parameter ENV  = 1, // 1: check the rules of the master, too; in a proof they are assumed
    parameter PROT = 1, // 1: that of awprot and arprot is one of them
    parameter ONE  = 1  // 1: the port takes one access at a time, and reads and writes take turns
) (
    input wire        clk,
    input wire        rst,

    input wire [31:0] s_axi_awaddr,
    input wire [2:0]  s_axi_awprot,
    input wire        s_axi_awvalid,
    input wire        s_axi_awready,

    input wire [31:0] s_axi_wdata,
    input wire [3:0]  s_axi_wstrb,
    input wire        s_axi_wvalid,
    input wire        s_axi_wready,

    input wire [1:0]  s_axi_bresp,
    input wire        s_axi_bvalid,
    input wire        s_axi_bready,

    input wire [31:0] s_axi_araddr,
    input wire [2:0]  s_axi_arprot,
    input wire        s_axi_arvalid,
    input wire        s_axi_arready,

    input wire [31:0] s_axi_rdata,
    input wire [1:0]  s_axi_rresp,
    input wire        s_axi_rvalid,
    input wire        s_axi_rready
);
    generate
        if (ENV != 0 && ENV != 1) begin : g_check_env
            axil_assert_ENV_must_be_0_or_1 u_error ();
        end
        if (PROT != 0 && PROT != 1) begin : g_check_prot
            axil_assert_PROT_must_be_0_or_1 u_error ();
        end
        if (ONE != 0 && ONE != 1) begin : g_check_one
            axil_assert_ONE_must_be_0_or_1 u_error ();
        end
    endgenerate

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
    reg aw_open_q, w_open_q, ar_open_q; // taken and not yet answered
    reg [7:0] aw_count_q, w_count_q, ar_count_q; // the same of a port that takes more than one
    reg aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q; // valid without ready
    reg read_passed_q, write_passed_q; // waits, and an access of the other kind was taken meanwhile

    reg [31:0] awaddr_q, wdata_q, araddr_q, rdata_q;
    reg [3:0]  wstrb_q;
    reg [1:0]  bresp_q, rresp_q;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        rst_q <= rst;

        aw_open_q <= !rst && (aw || (aw_open_q && !b));
        w_open_q  <= !rst && (w || (w_open_q && !b));
        ar_open_q <= !rst && (ar || (ar_open_q && !r));

        aw_count_q <= rst ? 8'd0 : aw_count_q + {7'd0, aw} - {7'd0, b};
        w_count_q  <= rst ? 8'd0 : w_count_q + {7'd0, w} - {7'd0, b};
        ar_count_q <= rst ? 8'd0 : ar_count_q + {7'd0, ar} - {7'd0, r};

        aw_wait_q <= !rst && s_axi_awvalid && !s_axi_awready;
        w_wait_q  <= !rst && s_axi_wvalid && !s_axi_wready;
        b_wait_q  <= !rst && s_axi_bvalid && !s_axi_bready;
        ar_wait_q <= !rst && s_axi_arvalid && !s_axi_arready;
        r_wait_q  <= !rst && s_axi_rvalid && !s_axi_rready;

        read_passed_q  <= !rst && s_axi_arvalid && !ar && (aw || read_passed_q);
        write_passed_q <= !rst && s_axi_awvalid && s_axi_wvalid && !aw && (ar || write_passed_q);

        awaddr_q <= s_axi_awaddr;
        wdata_q  <= s_axi_wdata;
        wstrb_q  <= s_axi_wstrb;
        bresp_q  <= s_axi_bresp;
        araddr_q <= s_axi_araddr;
        rdata_q  <= s_axi_rdata;
        rresp_q  <= s_axi_rresp;
    end

    wire on = live_q && !rst;

    wire one     = ONE == 1;
    wire aw_some = one ? aw_open_q : aw_count_q != 8'd0;
    wire w_some  = one ? w_open_q : w_count_q != 8'd0;
    wire ar_some = one ? ar_open_q : ar_count_q != 8'd0;

    // ---- Slave ----

    `AWG_ASSERT(hst1_reset_b, "HST-1", rst_q, !s_axi_bvalid)
    `AWG_ASSERT(hst1_reset_r, "HST-1", rst_q, !s_axi_rvalid)

    `AWG_ASSERT(hst1_b_stays, "HST-1", on && b_wait_q, s_axi_bvalid)
    `AWG_ASSERT(hst1_b_stable, "HST-1", on && b_wait_q && s_axi_bvalid, s_axi_bresp == bresp_q)
    `AWG_ASSERT(hst1_r_stays, "HST-1", on && r_wait_q, s_axi_rvalid)
    `AWG_ASSERT(hst1_r_stable, "HST-1", on && r_wait_q && s_axi_rvalid,
        s_axi_rdata == rdata_q && s_axi_rresp == rresp_q)

    // OKAY or SLVERR
    `AWG_ASSERT(hst3_b_code, "HST-3", on && s_axi_bvalid, !s_axi_bresp[0])
    `AWG_ASSERT(hst3_r_code, "HST-3", on && s_axi_rvalid, !s_axi_rresp[0])

    // A response belongs to an access that was taken in an earlier cycle, and each has one.
    `AWG_ASSERT(hst1_b_request, "HST-1", on && s_axi_bvalid, aw_some && w_some)
    `AWG_ASSERT(hst1_r_request, "HST-1", on && s_axi_rvalid, ar_some)

    // One access at a time.
    `AWG_ASSERT(hst1_one_write, "HST-1", on && one && aw, (!aw_open_q || b) && (!ar_open_q || r))
    `AWG_ASSERT(hst1_one_data, "HST-1", on && one && w, (!w_open_q || b) && (!ar_open_q || r))
    `AWG_ASSERT(hst1_one_read, "HST-1", on && one && ar,
        (!ar_open_q || r) && ((!aw_open_q && !w_open_q) || b) && !aw && !w)

    // Reads and writes take turns: an access that waits is passed by one of the other kind only.
    `AWG_ASSERT(hst1_turn_of_read, "HST-1", on && one && aw, !read_passed_q)
    `AWG_ASSERT(hst1_turn_of_write, "HST-1", on && one && ar, !write_passed_q)

    // ---- Master ----

    generate if (ENV == 1) begin : g_env
        `AWG_RULE(1, env_aw_stays, "HST-1", on && aw_wait_q, s_axi_awvalid)
        `AWG_RULE(1, env_aw_stable, "HST-1", on && aw_wait_q && s_axi_awvalid,
            s_axi_awaddr == awaddr_q)
        `AWG_RULE(1, env_w_stays, "HST-1", on && w_wait_q, s_axi_wvalid)
        `AWG_RULE(1, env_w_stable, "HST-1", on && w_wait_q && s_axi_wvalid,
            s_axi_wdata == wdata_q && s_axi_wstrb == wstrb_q)
        `AWG_RULE(1, env_ar_stays, "HST-1", on && ar_wait_q, s_axi_arvalid)
        `AWG_RULE(1, env_ar_stable, "HST-1", on && ar_wait_q && s_axi_arvalid,
            s_axi_araddr == araddr_q)
        if (PROT == 1) begin : g_prot
            reg [2:0] awprot_q, arprot_q;
            always @(posedge clk) begin
                awprot_q <= s_axi_awprot;
                arprot_q <= s_axi_arprot;
            end
            `AWG_RULE(1, env_aw_prot, "HST-1", on && aw_wait_q && s_axi_awvalid,
                s_axi_awprot == awprot_q)
            `AWG_RULE(1, env_ar_prot, "HST-1", on && ar_wait_q && s_axi_arvalid,
                s_axi_arprot == arprot_q)
        end
    end endgenerate

    wire unused = &{1'b0, s_axi_awprot, s_axi_arprot, awaddr_q, wdata_q, wstrb_q, araddr_q};
endmodule

`default_nettype wire
