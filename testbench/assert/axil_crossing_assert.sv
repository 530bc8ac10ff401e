// SPDX-License-Identifier: MIT OR Apache-2.0
// axil_crossing_assert: rules of both sides of axil_crossing, to be bound to it. Each side is a port that
// takes more than one access; on the board's side the crossing is the master.
`default_nettype none

module axil_crossing_assert #(
    parameter ENV  = 1, // 1: check the rules of the host, too
    parameter PROT = 1  // as in axil_assert
) (
    input wire        s_clk,
    input wire        s_rst,
    input wire        s_clear,
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

    input wire        m_clk,
    input wire        m_rst,
    input wire [31:0] m_axi_awaddr,
    input wire [2:0]  m_axi_awprot,
    input wire        m_axi_awvalid,
    input wire        m_axi_awready,
    input wire [31:0] m_axi_wdata,
    input wire [3:0]  m_axi_wstrb,
    input wire        m_axi_wvalid,
    input wire        m_axi_wready,
    input wire [1:0]  m_axi_bresp,
    input wire        m_axi_bvalid,
    input wire        m_axi_bready,
    input wire [31:0] m_axi_araddr,
    input wire [2:0]  m_axi_arprot,
    input wire        m_axi_arvalid,
    input wire        m_axi_arready,
    input wire [31:0] m_axi_rdata,
    input wire [1:0]  m_axi_rresp,
    input wire        m_axi_rvalid,
    input wire        m_axi_rready
);
    axil_assert #(.ENV(ENV), .PROT(PROT), .ONE(0)) u_host (
        .clk(s_clk), .rst(s_rst || s_clear),
        .s_axi_awaddr(s_axi_awaddr), .s_axi_awprot(s_axi_awprot), .s_axi_awvalid(s_axi_awvalid),
        .s_axi_awready(s_axi_awready), .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb),
        .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_bresp(s_axi_bresp),
        .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready), .s_axi_araddr(s_axi_araddr),
        .s_axi_arprot(s_axi_arprot), .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready),
        .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp), .s_axi_rvalid(s_axi_rvalid),
        .s_axi_rready(s_axi_rready)
    );

    axil_assert #(.PROT(PROT), .ONE(0)) u_board (
        .clk(m_clk), .rst(m_rst),
        .s_axi_awaddr(m_axi_awaddr), .s_axi_awprot(m_axi_awprot), .s_axi_awvalid(m_axi_awvalid),
        .s_axi_awready(m_axi_awready), .s_axi_wdata(m_axi_wdata), .s_axi_wstrb(m_axi_wstrb),
        .s_axi_wvalid(m_axi_wvalid), .s_axi_wready(m_axi_wready), .s_axi_bresp(m_axi_bresp),
        .s_axi_bvalid(m_axi_bvalid), .s_axi_bready(m_axi_bready), .s_axi_araddr(m_axi_araddr),
        .s_axi_arprot(m_axi_arprot), .s_axi_arvalid(m_axi_arvalid), .s_axi_arready(m_axi_arready),
        .s_axi_rdata(m_axi_rdata), .s_axi_rresp(m_axi_rresp), .s_axi_rvalid(m_axi_rvalid),
        .s_axi_rready(m_axi_rready)
    );
endmodule

`default_nettype wire
