// SPDX-License-Identifier: MIT OR Apache-2.0
// smb_assert: rules of all ports of smb, to be bound to it or to another board with these ports.
`include "awgstar.vh"
`default_nettype none

module smb_assert #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W,
    parameter ENV        = 1, // 1: check the rules of host and link in, too
    parameter PROT       = 1, // 1: awprot and arprot are among them
    parameter LAG        = 2  // as in host_assert
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
    input wire        s_axi_rready,

    input wire [31:0] s_axis_tdata,
    input wire [3:0]  s_axis_tkeep,
    input wire        s_axis_tvalid,
    input wire        s_axis_tlast,
    input wire        s_axis_tuser,

    input wire [31:0] m_axis_tdata,
    input wire [3:0]  m_axis_tkeep,
    input wire        m_axis_tvalid,
    input wire        m_axis_tlast,
    input wire        m_axis_tuser,

    input wire        irq
);
    axil_assert #(.ENV(ENV), .PROT(PROT)) u_axil (
        .clk(clk), .rst(rst),
        .s_axi_awaddr(s_axi_awaddr), .s_axi_awprot(s_axi_awprot), .s_axi_awvalid(s_axi_awvalid),
        .s_axi_awready(s_axi_awready), .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb),
        .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_bresp(s_axi_bresp),
        .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready), .s_axi_araddr(s_axi_araddr),
        .s_axi_arprot(s_axi_arprot), .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready),
        .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp), .s_axi_rvalid(s_axi_rvalid),
        .s_axi_rready(s_axi_rready)
    );

    host_assert #(.MEM_ADDR_W(MEM_ADDR_W), .LAG(LAG)) u_host (
        .clk(clk), .rst(rst),
        .s_axi_awaddr(s_axi_awaddr), .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready),
        .s_axi_wdata(s_axi_wdata), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready),
        .s_axi_bresp(s_axi_bresp), .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready),
        .s_axi_araddr(s_axi_araddr), .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready),
        .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp), .s_axi_rvalid(s_axi_rvalid),
        .s_axi_rready(s_axi_rready), .irq(irq)
    );

    generate if (ENV == 1) begin : g_env
        link_assert #(.ENV(1)) u_in (
            .clk(clk), .rst(rst), .tdata(s_axis_tdata), .tkeep(s_axis_tkeep),
            .tvalid(s_axis_tvalid), .tlast(s_axis_tlast), .tuser(s_axis_tuser)
        );
    end endgenerate

    link_assert u_out (
        .clk(clk), .rst(rst), .tdata(m_axis_tdata), .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid),
        .tlast(m_axis_tlast), .tuser(m_axis_tuser)
    );

    // The MAC of the board is no port of it: what its own frames are, ring_node_assert checks.
    frame_assert #(.SENDER(0)) u_frame (
        .clk(clk), .rst(rst), .known(1'b0), .mac(48'd0), .node_id(8'd0), .tdata(m_axis_tdata),
        .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid), .tlast(m_axis_tlast), .tuser(m_axis_tuser)
    );
endmodule

`default_nettype wire
