// SPDX-License-Identifier: MIT OR Apache-2.0
// smb_axi4 with its link looped back through a few registers: a ring of one board.
`default_nettype none

module top_smb_axi4 (
    input  wire        clk,
    input  wire        rst,

    input  wire [3:0]  s_axi_awid,
    input  wire [31:0] s_axi_awaddr,
    input  wire [7:0]  s_axi_awlen,
    input  wire [2:0]  s_axi_awsize,
    input  wire [1:0]  s_axi_awburst,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,

    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wlast,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,

    output wire [3:0]  s_axi_bid,
    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,

    input  wire [3:0]  s_axi_arid,
    input  wire [31:0] s_axi_araddr,
    input  wire [7:0]  s_axi_arlen,
    input  wire [2:0]  s_axi_arsize,
    input  wire [1:0]  s_axi_arburst,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,

    output wire [3:0]  s_axi_rid,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rlast,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,

    output wire        irq
);
    localparam FIBRE = 8; // cycles

    wire [38:0] out; // {tuser, tlast, tvalid, tkeep, tdata}
    reg  [38:0] fibre [0:FIBRE - 1];
    wire [38:0] in = fibre[FIBRE - 1];
    integer     k;

    always @(posedge clk) begin
        fibre[0] <= out;
        for (k = 1; k < FIBRE; k = k + 1) fibre[k] <= fibre[k - 1];
        if (rst) for (k = 0; k < FIBRE; k = k + 1) fibre[k] <= 39'd0;
    end

    smb_axi4 dut (
        .clk           (clk),
        .rst           (rst),
        .s_axi_awid    (s_axi_awid),
        .s_axi_awaddr  (s_axi_awaddr),
        .s_axi_awlen   (s_axi_awlen),
        .s_axi_awsize  (s_axi_awsize),
        .s_axi_awburst (s_axi_awburst),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_awready (s_axi_awready),
        .s_axi_wdata   (s_axi_wdata),
        .s_axi_wstrb   (s_axi_wstrb),
        .s_axi_wlast   (s_axi_wlast),
        .s_axi_wvalid  (s_axi_wvalid),
        .s_axi_wready  (s_axi_wready),
        .s_axi_bid     (s_axi_bid),
        .s_axi_bresp   (s_axi_bresp),
        .s_axi_bvalid  (s_axi_bvalid),
        .s_axi_bready  (s_axi_bready),
        .s_axi_arid    (s_axi_arid),
        .s_axi_araddr  (s_axi_araddr),
        .s_axi_arlen   (s_axi_arlen),
        .s_axi_arsize  (s_axi_arsize),
        .s_axi_arburst (s_axi_arburst),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_arready (s_axi_arready),
        .s_axi_rid     (s_axi_rid),
        .s_axi_rdata   (s_axi_rdata),
        .s_axi_rresp   (s_axi_rresp),
        .s_axi_rlast   (s_axi_rlast),
        .s_axi_rvalid  (s_axi_rvalid),
        .s_axi_rready  (s_axi_rready),
        .s_axis_tdata  (in[31:0]),
        .s_axis_tkeep  (in[35:32]),
        .s_axis_tvalid (in[36]),
        .s_axis_tlast  (in[37]),
        .s_axis_tuser  (in[38]),
        .m_axis_tdata  (out[31:0]),
        .m_axis_tkeep  (out[35:32]),
        .m_axis_tvalid (out[36]),
        .m_axis_tlast  (out[37]),
        .m_axis_tuser  (out[38]),
        .irq           (irq)
    );
endmodule

`default_nettype wire
