// SPDX-License-Identifier: MIT OR Apache-2.0
// link_boards: NODES boards of smb_link, each with a clock of its own and a host with another, joined by
// line. link_boards.cpp drives clocks, hosts and faults.
//
// Board k owns a quarter of the memory. Its host writes words with growing numbers there, word n with
// the data {k, n} at place n modulo 1024; a scoreboard sees what the ring writes into each replica.
`include "awgstar.vh"
`default_nettype none

module link_boards #(
    parameter NODES  = 4, // 2 to 4
    parameter ADDR_W = 6  // of the elastic buffers
) (
    input  wire [NODES-1:0]    clk,
    input  wire [NODES-1:0]    host_clk,
    input  wire [NODES-1:0]    rx_clk,    // that of the board before, delayed
    input  wire                rst,
    input  wire [NODES*6-1:0]  skew,
    input  wire [NODES-1:0]    flip,      // on the line to board i
    input  wire [5:0]          at,
    input  wire [NODES-1:0]    dark,

    input  wire [NODES*32-1:0] awaddr,
    input  wire [NODES*3-1:0]  prot,      // of both kinds of addresses
    input  wire [NODES-1:0]    awvalid,
    output wire [NODES-1:0]    awready,
    input  wire [NODES*32-1:0] wdata,
    input  wire [NODES-1:0]    wvalid,
    output wire [NODES-1:0]    wready,
    output wire [NODES*2-1:0]  bresp,
    output wire [NODES-1:0]    bvalid,
    input  wire [NODES-1:0]    bready,
    input  wire [NODES*32-1:0] araddr,
    input  wire [NODES-1:0]    arvalid,
    output wire [NODES-1:0]    arready,
    output wire [NODES*32-1:0] rdata,
    output wire [NODES*2-1:0]  rresp,
    output wire [NODES-1:0]    rvalid,
    input  wire [NODES-1:0]    rready,
    output wire [NODES-1:0]    irq,

    output wire [NODES-1:0]    up,
    output wire [NODES-1:0]    bad,
    output wire [NODES-1:0]    broken,
    output wire [NODES-1:0]    overflow,
    output wire [NODES-1:0]    underrun,
    output wire [NODES*8-1:0]  waiting,   // words in the elastic buffer
    output wire [NODES*32-1:0] good,      // words from the ring that were the next of their source
    output wire [NODES*32-1:0] missing,   // numbers that were passed over
    output wire [NODES*32-1:0] again,     // numbers that had come before
    output wire [NODES*32-1:0] wrong,     // no word of another board, at that place
    output wire [NODES*32-1:0] close      // own frames with fewer than two idle words before (LNK-5)
);
    wire [NODES*40-1:0] tx_code;

    genvar i;
    generate
        for (i = 0; i < NODES; i = i + 1) begin : node
            localparam FROM = (i + NODES - 1) % NODES;

            wire [39:0]     rx_code;
            wire [ADDR_W:0] words;

            line u_line (
                .clk     (clk[FROM]),
                .skew    (skew[i*6 +: 6]),
                .flip    (flip[i]),
                .at      (at),
                .dark    (dark[i]),
                .tx_code (tx_code[FROM*40 +: 40]),
                .rx_code (rx_code)
            );

            smb_link #(
                .ELASTIC_ADDR_W (ADDR_W)
            ) u_smb (
                .host_clk       (host_clk[i]),
                .host_clear     (1'b0),
                .s_axi_awaddr   (awaddr[i*32 +: 32]),
                .s_axi_awprot   (prot[i*3 +: 3]),
                .s_axi_awvalid  (awvalid[i]),
                .s_axi_awready  (awready[i]),
                .s_axi_wdata    (wdata[i*32 +: 32]),
                .s_axi_wstrb    (4'b1111),
                .s_axi_wvalid   (wvalid[i]),
                .s_axi_wready   (wready[i]),
                .s_axi_bresp    (bresp[i*2 +: 2]),
                .s_axi_bvalid   (bvalid[i]),
                .s_axi_bready   (bready[i]),
                .s_axi_araddr   (araddr[i*32 +: 32]),
                .s_axi_arprot   (prot[i*3 +: 3]),
                .s_axi_arvalid  (arvalid[i]),
                .s_axi_arready  (arready[i]),
                .s_axi_rdata    (rdata[i*32 +: 32]),
                .s_axi_rresp    (rresp[i*2 +: 2]),
                .s_axi_rvalid   (rvalid[i]),
                .s_axi_rready   (rready[i]),
                .irq            (irq[i]),
                .clk            (clk[i]),
                .rst            (rst),
                .up             (up[i]),
                .words          (words),
                .ev_underrun    (underrun[i]),
                .tx_code        (tx_code[i*40 +: 40]),
                .rx_clk         (rx_clk[i]),
                .rx_los         (dark[i]),
                .rx_code        (rx_code),
                .rx_ev_bad      (bad[i]),
                .rx_ev_broken   (broken[i]),
                .rx_ev_overflow (overflow[i])
            );

            assign waiting[i*8 +: 8] = {{(7 - ADDR_W){1'b0}}, words};

            // What the ring writes.
            wire [3:0]  we   = u_smb.u_board.b_we;
            wire [11:0] addr = u_smb.u_board.b_addr;
            wire [31:0] data = u_smb.u_board.b_wdata;

            wire [1:0]  from = addr[11:10];
            reg  [29:0] next_q [0:3]; // number of each source
            wire [29:0] next = next_q[from];
            wire        fits = we == 4'b1111 && data[31:30] == from && data[9:0] == addr[9:0]
                               && from != i[1:0] && {30'd0, from} < NODES;
            reg  [31:0] good_q, missing_q, again_q, wrong_q;

            always @(posedge clk[i]) begin
                if (we != 4'b0000) begin
                    if (!fits) begin
                        wrong_q <= wrong_q + 32'd1;
                    end else if (data[29:0] < next) begin
                        again_q <= again_q + 32'd1;
                    end else begin
                        if (data[29:0] == next) good_q <= good_q + 32'd1;
                        missing_q    <= missing_q + {2'd0, data[29:0] - next};
                        next_q[from] <= data[29:0] + 30'd1;
                    end
                end
                if (rst) begin
                    {good_q, missing_q, again_q, wrong_q} <= 128'd0;
                    next_q[0] <= 30'd0;
                    next_q[1] <= 30'd0;
                    next_q[2] <= 30'd0;
                    next_q[3] <= 30'd0;
                end
            end

            // The node's own frames.
            wire        tx_valid = u_smb.u_board.u_node.u_egress.tx_tvalid;
            wire        valid    = u_smb.tx_tvalid;
            reg         own_q, begun_q;   // a word of an own frame is sent; so was the one before
            reg  [1:0]  valid_q;          // of the two words before
            reg  [31:0] close_q;

            always @(posedge clk[i]) begin
                own_q   <= tx_valid;
                begun_q <= own_q;
                valid_q <= {valid_q[0], valid};
                if (own_q && !begun_q && valid_q != 2'b00) close_q <= close_q + 32'd1;
                if (rst) begin
                    own_q   <= 1'b0;
                    begun_q <= 1'b0;
                    valid_q <= 2'b00;
                    close_q <= 32'd0;
                end
            end

            assign close[i*32 +: 32]   = close_q;
            assign good[i*32 +: 32]    = good_q;
            assign missing[i*32 +: 32] = missing_q;
            assign again[i*32 +: 32]   = again_q;
            assign wrong[i*32 +: 32]   = wrong_q;
        end
    endgenerate
endmodule

`default_nettype wire
