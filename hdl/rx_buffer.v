// SPDX-License-Identifier: MIT OR Apache-2.0
// rx_buffer: keeps Data and headers of frames for this node until the receive side takes them.
//
// Promises: nothing of a frame can be read before its verdict was good, and then all of it
// (NODE-17). A frame for which there is no room leaves no trace but ev_overflow.
//
// Latency: verdict in cycle t, header and first beat on the ports in cycle t + 1.
//
// Requirements: NODE-17, NODE-20, NODE-21.
`include "awgstar.vh"
`default_nettype none

module rx_buffer #(
    parameter ADDR_W        = `AWG_RX_ADDR_W,       // room for 2^ADDR_W beats
    parameter HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W // room for 2^HEADER_ADDR_W headers
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [31:0]           s_axis_tdata,
    input  wire [3:0]            s_axis_tkeep,
    input  wire                  s_axis_tvalid,
    input  wire                  s_axis_tlast,

    input  wire                  verdict,
    input  wire                  deliver,
    input  wire [`AWG_HDR_W-1:0] hdr,

    output wire                  m_hdr_valid,
    input  wire                  m_hdr_ready,
    output wire [`AWG_HDR_W-1:0] m_hdr,

    output wire [31:0]           m_axis_tdata,
    output wire [3:0]            m_axis_tkeep,
    output wire                  m_axis_tvalid,
    input  wire                  m_axis_tready,
    output wire                  m_axis_tlast,

    output wire                  ev_delivered,
    output wire                  ev_overflow
);
    localparam                   BEAT_W     = 36;
    localparam [ADDR_W:0]        BEATS_MAX  = {1'b1, {ADDR_W{1'b0}}};
    localparam [ADDR_W-1:0]      TWO        = {{(ADDR_W - 2){1'b0}}, 2'd2};
    localparam [HEADER_ADDR_W:0] HDRS_MAX   = {1'b1, {HEADER_ADDR_W{1'b0}}};

    generate
        if (ADDR_W < 4 || ADDR_W > 15) begin : g_check_addr
            rx_buffer_ADDR_W_must_be_4_to_15 u_error ();
        end
        if (HEADER_ADDR_W < 1 || HEADER_ADDR_W > 15) begin : g_check_header
            rx_buffer_HEADER_ADDR_W_must_be_1_to_15 u_error ();
        end
    endgenerate

    // Pointers are one bit wider than addresses: the upper bit tells full from empty.
    reg [ADDR_W:0]        wr_ptr_q, wr_ptr_d;         // where the next beat goes
    reg [ADDR_W:0]        commit_ptr_q, commit_ptr_d; // end of what may be read
    reg [ADDR_W:0]        rd_ptr_q, rd_ptr_d;         // the next beat to be read
    reg                   lost_q, lost_d;             // a beat of the frame under way had no room
    reg [BEAT_W-1:0]      head_q;
    // tlast of the head decides much in the cycle: a flip-flop, and the head comes out of a memory.
    reg                   last_q, last_d;             // tlast of the head
    reg                   next_last_q;                // tlast of the beat after it
    reg [HEADER_ADDR_W:0] hdr_wr_q, hdr_wr_d;
    reg [HEADER_ADDR_W:0] hdr_rd_q, hdr_rd_d;
    reg [`AWG_HDR_W-1:0]       hdr_head_q;
    reg [BEAT_W-1:0]      mem [0:(1 << ADDR_W) - 1];
    reg                   last_mem [0:(1 << ADDR_W) - 1];
    reg [`AWG_HDR_W-1:0]       hdr_mem [0:(1 << HEADER_ADDR_W) - 1];

    // A board does not use tkeep: at the other end Yosys 0.70 shortens head_q but not the memory, and
    // then takes no block RAM for it.
    wire [BEAT_W-1:0] beat = {s_axis_tdata, s_axis_tkeep};

    // Full: one memory length apart.
    wire full     = wr_ptr_q == (rd_ptr_q ^ BEATS_MAX);
    wire hdr_full = hdr_wr_q == (hdr_rd_q ^ HDRS_MAX);

    wire write    = s_axis_tvalid && !full;
    wire lost     = lost_q || (s_axis_tvalid && !write); // this cycle's beat included
    wire accept   = verdict && deliver && !lost && !hdr_full;
    wire read     = m_axis_tvalid && m_axis_tready;
    wire hdr_read = m_hdr_valid && m_hdr_ready;
    // Both come late, with the last beat out of the memory: the next addresses are ready for them.
    wire [ADDR_W:0]        rd_next     = rd_ptr_q + {{ADDR_W{1'b0}}, 1'b1};
    wire [HEADER_ADDR_W:0] hdr_rd_next = hdr_rd_q + {{HEADER_ADDR_W{1'b0}}, 1'b1};

    always @* begin
        wr_ptr_d     = wr_ptr_q + {{ADDR_W{1'b0}}, write};
        commit_ptr_d = commit_ptr_q;
        lost_d       = lost;
        if (verdict) lost_d = 1'b0;
        if (accept)       commit_ptr_d = wr_ptr_d;     // NODE-17
        else if (verdict) wr_ptr_d     = commit_ptr_q; // back to before the frame

        rd_ptr_d = read ? rd_next : rd_ptr_q;
        hdr_wr_d = hdr_wr_q + {{HEADER_ADDR_W{1'b0}}, accept};
        hdr_rd_d = hdr_read ? hdr_rd_next : hdr_rd_q;
    end

    // What is written where the head is read next is handed on past the memory.
    wire [ADDR_W-1:0]        wr_addr     = wr_ptr_q[ADDR_W-1:0];
    wire [ADDR_W-1:0]        rd_addr     = rd_ptr_d[ADDR_W-1:0];
    wire [HEADER_ADDR_W-1:0] hdr_wr_addr = hdr_wr_q[HEADER_ADDR_W-1:0];
    wire [HEADER_ADDR_W-1:0] hdr_rd_addr = hdr_rd_d[HEADER_ADDR_W-1:0];
    wire                     bypass      = write && wr_addr == rd_addr;
    wire                     hdr_bypass  = accept && hdr_wr_addr == hdr_rd_addr;
    wire [ADDR_W-1:0]        next_addr   = read ? rd_ptr_q[ADDR_W-1:0] + TWO : rd_next[ADDR_W-1:0];
    wire                     next_bypass = write && wr_addr == next_addr;

    always @* begin
        last_d = read ? next_last_q : last_q;
        if (bypass) last_d = s_axis_tlast;
    end

    always @(posedge clk) begin
        if (write) mem[wr_addr] <= beat;
        head_q <= bypass ? beat : mem[rd_addr];
    end

    always @(posedge clk) begin
        if (write) last_mem[wr_addr] <= s_axis_tlast;
        next_last_q <= next_bypass ? s_axis_tlast : last_mem[next_addr];
    end

    always @(posedge clk) begin
        if (accept) hdr_mem[hdr_wr_addr] <= hdr;
        hdr_head_q <= hdr_bypass ? hdr : hdr_mem[hdr_rd_addr];
    end

    always @(posedge clk) begin
        wr_ptr_q     <= wr_ptr_d;
        commit_ptr_q <= commit_ptr_d;
        rd_ptr_q     <= rd_ptr_d;
        last_q       <= last_d;
        lost_q       <= lost_d;
        hdr_wr_q     <= hdr_wr_d;
        hdr_rd_q     <= hdr_rd_d;
        if (rst) begin // NODE-21
            wr_ptr_q     <= {(ADDR_W + 1){1'b0}};
            commit_ptr_q <= {(ADDR_W + 1){1'b0}};
            rd_ptr_q     <= {(ADDR_W + 1){1'b0}};
            lost_q       <= 1'b0;
            hdr_wr_q     <= {(HEADER_ADDR_W + 1){1'b0}};
            hdr_rd_q     <= {(HEADER_ADDR_W + 1){1'b0}};
        end
    end

    assign m_hdr_valid = hdr_rd_q != hdr_wr_q;
    assign m_hdr       = hdr_head_q;

    assign m_axis_tvalid = rd_ptr_q != commit_ptr_q;
    assign m_axis_tlast  = last_q;
    assign {m_axis_tdata, m_axis_tkeep} = head_q;

    assign ev_delivered = accept;
    assign ev_overflow  = verdict && deliver && !accept;
endmodule

`default_nettype wire
