// SPDX-License-Identifier: MIT OR Apache-2.0
// axil_port with the assertions of its port, and the invariants that tie the registers of both.
//
// Inputs are free but for the rules of the master that axil_assert assumes. Registers of the instances
// come in through `prove.sh` (yosys `connect`), as in node_core.v.
`include "awgstar.vh"
`default_nettype none

module axil_core (
    input wire        clk,
    input wire        rst,
    input wire [31:0] s_axi_awaddr,
    input wire [2:0]  s_axi_awprot,
    input wire        s_axi_awvalid,
    input wire [31:0] s_axi_wdata,
    input wire [3:0]  s_axi_wstrb,
    input wire        s_axi_wvalid,
    input wire        s_axi_bready,
    input wire [31:0] s_axi_araddr,
    input wire [2:0]  s_axi_arprot,
    input wire        s_axi_arvalid,
    input wire        s_axi_rready,
    input wire        rsp_valid,
    input wire        rsp_error,
    input wire [31:0] rsp_rdata
);
    wire        awready, wready, bvalid, arready, rvalid;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;

    axil_port u_port (
        .clk(clk), .rst(rst), .s_axi_awaddr(s_axi_awaddr), .s_axi_awprot(s_axi_awprot),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(awready), .s_axi_wdata(s_axi_wdata),
        .s_axi_wstrb(s_axi_wstrb), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(wready),
        .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(s_axi_bready),
        .s_axi_araddr(s_axi_araddr), .s_axi_arprot(s_axi_arprot), .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid),
        .s_axi_rready(s_axi_rready), .rsp_valid(rsp_valid), .rsp_error(rsp_error),
        .rsp_rdata(rsp_rdata));

    // PROT 0: awprot and arprot may change; the port does not look at them.
    axil_assert #(.ENV(1), .PROT(0)) u_axil (
        .clk(clk), .rst(rst), .s_axi_awaddr(s_axi_awaddr), .s_axi_awprot(s_axi_awprot),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(awready), .s_axi_wdata(s_axi_wdata),
        .s_axi_wstrb(s_axi_wstrb), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(wready),
        .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(s_axi_bready),
        .s_axi_araddr(s_axi_araddr), .s_axi_arprot(s_axi_arprot), .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid),
        .s_axi_rready(s_axi_rready));

    // ---- Registers of the instances, connected by prove.sh ----

    (* keep *) wire [1:0] state;
    (* keep *) wire       write, turn, ready, live;
    (* keep *) wire       aw_open, w_open, ar_open, aw_wait, w_wait, ar_wait, read_passed,
                          write_passed;

    wire idle = state == `AWG_AXIL_PORT_IDLE;
    wire busy = state == `AWG_AXIL_PORT_BUSY;

    // Reset in the first cycle, and whenever it may come again.
    reg first = 1'b1;
    always @(posedge clk) first <= 1'b0;
    always @* if (first) assume (rst);

    // ---- Invariants ----

`ifndef ALONE // broken Verilog must fail an assertion of axil_assert
    always @* if (!first) begin
        assert (live);
        assert (state != 2'd3);
        assert (!ready || busy);
        // An access was taken by ready, in the cycle after it was picked.
        assert (aw_open == (!idle && write && !ready));
        assert (w_open == aw_open);
        assert (ar_open == (!idle && !write && !ready));
        // What was picked was valid, and the master keeps it.
        assert (!(ready && write) || (aw_wait && w_wait));
        assert (!(ready && !write) || ar_wait);
        // Who was passed goes next.
        assert (!read_passed || (ar_wait && !(ready && write) && (turn || ready)));
        assert (!write_passed || (aw_wait && w_wait && !(ready && !write) && (!turn || ready)));
        assert (idle || turn == write);
    end
`endif
endmodule

`default_nettype wire
