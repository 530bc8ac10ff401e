// SPDX-License-Identifier: MIT OR Apache-2.0
// axil_crossing: AXI4-Lite from the clock of a host (s_clk) into the clock of a board (m_clk).
//
// Promises: every access that the host begins gets to the board once, and every answer of the board gets
// to the host once; each of the five channels keeps its order (CDC-3). A channel that is not
// taken on one side holds back the other side when its four words are full.
//
// Latency: a word of a channel is valid on the other side after the second edge of that clock behind
// the edge that took it, or the third. So an access costs 4 to 6 edges more than without.
//
// s_rst and m_rst must be high together for 3 cycles of the slower clock; either may end first. s_clear is a reset
// of the host alone: accesses under way end at the board, and their answers go nowhere (CDC-6). What the crossing
// has taken stays, so the pointers of both sides agree.
//
// Requirements: CDC-3, CDC-6.
`default_nettype none

module axil_crossing (
    input  wire        s_clk,         // of the host
    input  wire        s_rst,
    input  wire        s_clear,       // the host is in reset, the board is not

    input  wire [31:0] s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,

    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,

    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,

    input  wire [31:0] s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,

    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,

    input  wire        m_clk,         // of the board
    input  wire        m_rst,

    output wire [31:0] m_axi_awaddr,
    output wire [2:0]  m_axi_awprot,
    output wire        m_axi_awvalid,
    input  wire        m_axi_awready,

    output wire [31:0] m_axi_wdata,
    output wire [3:0]  m_axi_wstrb,
    output wire        m_axi_wvalid,
    input  wire        m_axi_wready,

    input  wire [1:0]  m_axi_bresp,
    input  wire        m_axi_bvalid,
    output wire        m_axi_bready,

    output wire [31:0] m_axi_araddr,
    output wire [2:0]  m_axi_arprot,
    output wire        m_axi_arvalid,
    input  wire        m_axi_arready,

    input  wire [31:0] m_axi_rdata,
    input  wire [1:0]  m_axi_rresp,
    input  wire        m_axi_rvalid,
    output wire        m_axi_rready
);
    wire [2:0] aw_free;
    wire [2:0] aw_words;
    wire [2:0] w_free;
    wire [2:0] w_words;
    wire [2:0] b_free;
    wire [2:0] b_words;
    wire [2:0] ar_free;
    wire [2:0] ar_words;
    wire [2:0] r_free;
    wire [2:0] r_words;

    // ---- Accesses under way (s_clk) ----

    reg  [2:0] ahead_q, ahead_d;             // addresses of writes whose data have not come
    reg  [3:0] writes_q, writes_d;           // writes and reads without an answer
    reg  [3:0] reads_q, reads_d;
    reg  [2:0] owed_q, owed_d;               // of these: from before a clear
    reg  [3:0] old_writes_q, old_writes_d;
    reg  [3:0] old_reads_q, old_reads_d;

    wire       held      = s_rst || s_clear;
    wire       owed      = owed_q != 3'd0;
    wire       drop_b    = old_writes_q != 4'd0;
    wire       drop_r    = old_reads_q != 4'd0;
    wire       put_aw    = s_axi_awvalid && s_axi_awready;
    wire       put_ar    = s_axi_arvalid && s_axi_arready;
    wire       put_owed  = owed && w_free != 3'd0;
    wire       put_w     = put_owed || (s_axi_wvalid && s_axi_wready);
    wire       ready_b   = drop_b || (s_axi_bready && !s_clear);
    wire       ready_r   = drop_r || (s_axi_rready && !s_clear);
    wire       take_b    = ready_b && b_words != 3'd0;
    wire       take_r    = ready_r && r_words != 3'd0;

    always @* begin
        ahead_d      = ahead_q + {2'd0, put_aw} - {2'd0, put_w};
        writes_d     = writes_q + {3'd0, put_aw} - {3'd0, take_b};
        reads_d      = reads_q + {3'd0, put_ar} - {3'd0, take_r};
        owed_d       = owed_q - {2'd0, put_owed};
        old_writes_d = old_writes_q - {3'd0, drop_b && take_b};
        old_reads_d  = old_reads_q - {3'd0, drop_r && take_r};
        if (s_clear) begin
            owed_d       = ahead_d;
            old_writes_d = writes_d;
            old_reads_d  = reads_d;
        end
    end

    always @(posedge s_clk) begin
        ahead_q      <= ahead_d;
        writes_q     <= writes_d;
        reads_q      <= reads_d;
        owed_q       <= owed_d;
        old_writes_q <= old_writes_d;
        old_reads_q  <= old_reads_d;
        if (s_rst) begin
            ahead_q      <= 3'd0;
            writes_q     <= 4'd0;
            reads_q      <= 4'd0;
            owed_q       <= 3'd0;
            old_writes_q <= 4'd0;
            old_reads_q  <= 4'd0;
        end
    end

    // ---- Handshakes ----

    // A word offered in reset would be taken and lost. Data wait for their address, so that a clear finds no data
    // without one.
    assign s_axi_awready = aw_free != 3'd0 && ahead_q != 3'd4 && writes_q != 4'd15 && !held;
    assign s_axi_wready  = w_free != 3'd0 && !owed && (ahead_q != 3'd0 || put_aw) && !held;
    assign s_axi_arready = ar_free != 3'd0 && reads_q != 4'd15 && !held;
    assign m_axi_bready  = b_free != 3'd0 && !m_rst;
    assign m_axi_rready  = r_free != 3'd0 && !m_rst;

    assign m_axi_awvalid = aw_words != 3'd0;
    assign m_axi_wvalid  = w_words != 3'd0;
    assign s_axi_bvalid  = b_words != 3'd0 && !drop_b && !s_clear;
    assign m_axi_arvalid = ar_words != 3'd0;
    assign s_axi_rvalid  = r_words != 3'd0 && !drop_r && !s_clear;

    // ---- To the board ----

    clock_crossing #(
        .WIDTH  (35),
        .ADDR_W (2)
    ) u_aw (
        .wr_clk   (s_clk),
        .wr_rst   (s_rst),
        .wr_valid (put_aw),
        .wr_data  ({s_axi_awprot, s_axi_awaddr}),
        .wr_free  (aw_free),
        .rd_clk   (m_clk),
        .rd_rst   (m_rst),
        .rd_ready (m_axi_awready),
        .rd_data  ({m_axi_awprot, m_axi_awaddr}),
        .rd_words (aw_words)
    );

    clock_crossing #(
        .WIDTH  (36),
        .ADDR_W (2)
    ) u_w (
        .wr_clk   (s_clk),
        .wr_rst   (s_rst),
        .wr_valid (put_w),
        .wr_data  (owed ? 36'd0 : {s_axi_wstrb, s_axi_wdata}), // no strobe: nothing is written
        .wr_free  (w_free),
        .rd_clk   (m_clk),
        .rd_rst   (m_rst),
        .rd_ready (m_axi_wready),
        .rd_data  ({m_axi_wstrb, m_axi_wdata}),
        .rd_words (w_words)
    );

    clock_crossing #(
        .WIDTH  (35),
        .ADDR_W (2)
    ) u_ar (
        .wr_clk   (s_clk),
        .wr_rst   (s_rst),
        .wr_valid (put_ar),
        .wr_data  ({s_axi_arprot, s_axi_araddr}),
        .wr_free  (ar_free),
        .rd_clk   (m_clk),
        .rd_rst   (m_rst),
        .rd_ready (m_axi_arready),
        .rd_data  ({m_axi_arprot, m_axi_araddr}),
        .rd_words (ar_words)
    );

    // ---- To the host ----

    clock_crossing #(
        .WIDTH  (2),
        .ADDR_W (2)
    ) u_b (
        .wr_clk   (m_clk),
        .wr_rst   (m_rst),
        .wr_valid (m_axi_bvalid),
        .wr_data  (m_axi_bresp),
        .wr_free  (b_free),
        .rd_clk   (s_clk),
        .rd_rst   (s_rst),
        .rd_ready (ready_b),
        .rd_data  (s_axi_bresp),
        .rd_words (b_words)
    );

    clock_crossing #(
        .WIDTH  (34),
        .ADDR_W (2)
    ) u_r (
        .wr_clk   (m_clk),
        .wr_rst   (m_rst),
        .wr_valid (m_axi_rvalid),
        .wr_data  ({m_axi_rresp, m_axi_rdata}),
        .wr_free  (r_free),
        .rd_clk   (s_clk),
        .rd_rst   (s_rst),
        .rd_ready (ready_r),
        .rd_data  ({s_axi_rresp, s_axi_rdata}),
        .rd_words (r_words)
    );
endmodule

`default_nettype wire
