// SPDX-License-Identifier: MIT OR Apache-2.0
// board_ring: a ring of boards in one clock domain, with their registers and memories on a serial line.
//
// Board k sends to board k + 1, the last one to `m_axis`; board 0 receives from `s_axis`. A top level that
// has no other boards connects the two.
//
// Only wires here.
`include "awgstar.vh"
`default_nettype none

module board_ring #(
    parameter CLOCKS   = 57, // cycles of a bit of the serial line
    parameter BOARDS   = 2,  // 1 to 8
    parameter OWN_IDLE = 1   // idle words before a frame of a board's own: 2 if the ring has other clocks (LNK-5)
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              uart_rx,
    output wire              uart_tx,

    input  wire [31:0]       s_axis_tdata,
    input  wire [3:0]        s_axis_tkeep,
    input  wire              s_axis_tvalid,
    input  wire              s_axis_tlast,
    input  wire              s_axis_tuser,

    output wire [31:0]       m_axis_tdata,
    output wire [3:0]        m_axis_tkeep,
    output wire              m_axis_tvalid,
    output wire              m_axis_tlast,
    output wire              m_axis_tuser,

    output wire [BOARDS-1:0] irq
);
    localparam WORD_W = 39; // of a link: data, keep, valid, last, user

    wire                     rx_valid;
    wire [7:0]               rx_data;
    wire                     rx_error;
    wire                     tx_valid;
    wire                     tx_ready;
    wire [7:0]               tx_data;

    wire [BOARDS-1:0]        awvalid;
    wire [BOARDS-1:0]        awready;
    wire [BOARDS-1:0]        wvalid;
    wire [BOARDS-1:0]        wready;
    wire [BOARDS-1:0]        bvalid;
    wire [BOARDS-1:0]        bready;
    wire [BOARDS-1:0]        arvalid;
    wire [BOARDS-1:0]        arready;
    wire [BOARDS-1:0]        rvalid;
    wire [BOARDS-1:0]        rready;
    wire [31:0]              addr;
    wire [31:0]              wdata;
    wire [3:0]               wstrb;
    wire [2*BOARDS-1:0]      bresps;
    wire [2*BOARDS-1:0]      rresps;
    wire [32*BOARDS-1:0]     rdatas;
    wire [WORD_W*(BOARDS+1)-1:0] links; // into board k

    uart_rx #(.CLOCKS(CLOCKS)) u_rx (
        .clk   (clk),
        .rst   (rst),
        .rx    (uart_rx),
        .valid (rx_valid),
        .data  (rx_data),
        .error (rx_error)
    );

    uart_tx #(.CLOCKS(CLOCKS)) u_tx (
        .clk   (clk),
        .rst   (rst),
        .valid (tx_valid),
        .ready (tx_ready),
        .data  (tx_data),
        .tx    (uart_tx)
    );

    // One board answers at a time: what the others drive is masked.
    reg [1:0]  bresp;
    reg [1:0]  rresp;
    reg [31:0] rdata;
    integer    k;
    always @* begin
        bresp = 2'd0;
        rresp = 2'd0;
        rdata = 32'd0;
        for (k = 0; k < BOARDS; k = k + 1) begin
            bresp = bresp | (bresps[2*k +: 2] & {2{bready[k]}});
            rresp = rresp | (rresps[2*k +: 2] & {2{rready[k]}});
            rdata = rdata | (rdatas[32*k +: 32] & {32{rready[k]}});
        end
    end

    uart_bridge #(.CLOCKS(CLOCKS), .BOARDS(BOARDS)) u_bridge (
        .clk           (clk),
        .rst           (rst),
        .rx_valid      (rx_valid),
        .rx_data       (rx_data),
        .rx_error      (rx_error),
        .tx_valid      (tx_valid),
        .tx_ready      (tx_ready),
        .tx_data       (tx_data),
        .irq           (irq),
        .m_axi_awvalid (awvalid),
        .m_axi_awready (awready),
        .m_axi_wvalid  (wvalid),
        .m_axi_wready  (wready),
        .m_axi_bvalid  (bvalid),
        .m_axi_bready  (bready),
        .m_axi_arvalid (arvalid),
        .m_axi_arready (arready),
        .m_axi_rvalid  (rvalid),
        .m_axi_rready  (rready),
        .m_axi_addr    (addr),
        .m_axi_wdata   (wdata),
        .m_axi_wstrb   (wstrb),
        .m_axi_bresp   (bresp),
        .m_axi_rresp   (rresp),
        .m_axi_rdata   (rdata)
    );

    assign links[WORD_W-1:0] = {s_axis_tdata, s_axis_tkeep, s_axis_tvalid, s_axis_tlast, s_axis_tuser};
    assign {m_axis_tdata, m_axis_tkeep, m_axis_tvalid, m_axis_tlast, m_axis_tuser} =
        links[WORD_W*BOARDS +: WORD_W];

    genvar b;
    generate
        for (b = 0; b < BOARDS; b = b + 1) begin : g_board
            wire [31:0] from_tdata;
            wire [3:0]  from_tkeep;
            wire        from_tvalid;
            wire        from_tlast;
            wire        from_tuser;
            wire [31:0] to_tdata;
            wire [3:0]  to_tkeep;
            wire        to_tvalid;
            wire        to_tlast;
            wire        to_tuser;

            assign {from_tdata, from_tkeep, from_tvalid, from_tlast, from_tuser} = links[WORD_W*b +: WORD_W];
            assign links[WORD_W*(b+1) +: WORD_W] = {to_tdata, to_tkeep, to_tvalid, to_tlast, to_tuser};

            smb #(.OWN_IDLE(OWN_IDLE)) u_smb (
                .clk           (clk),
                .rst           (rst),
                .s_axi_awaddr  (addr),
                .s_axi_awprot  (3'd0),
                .s_axi_awvalid (awvalid[b]),
                .s_axi_awready (awready[b]),
                .s_axi_wdata   (wdata),
                .s_axi_wstrb   (wstrb),
                .s_axi_wvalid  (wvalid[b]),
                .s_axi_wready  (wready[b]),
                .s_axi_bresp   (bresps[2*b +: 2]),
                .s_axi_bvalid  (bvalid[b]),
                .s_axi_bready  (bready[b]),
                .s_axi_araddr  (addr),
                .s_axi_arprot  (3'd0),
                .s_axi_arvalid (arvalid[b]),
                .s_axi_arready (arready[b]),
                .s_axi_rdata   (rdatas[32*b +: 32]),
                .s_axi_rresp   (rresps[2*b +: 2]),
                .s_axi_rvalid  (rvalid[b]),
                .s_axi_rready  (rready[b]),
                .s_axis_tdata  (from_tdata),
                .s_axis_tkeep  (from_tkeep),
                .s_axis_tvalid (from_tvalid),
                .s_axis_tlast  (from_tlast),
                .s_axis_tuser  (from_tuser),
                .m_axis_tdata  (to_tdata),
                .m_axis_tkeep  (to_tkeep),
                .m_axis_tvalid (to_tvalid),
                .m_axis_tlast  (to_tlast),
                .m_axis_tuser  (to_tuser),
                .irq           (irq[b])
            );
        end
    endgenerate
endmodule

`default_nettype wire
