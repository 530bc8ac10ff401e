`include "awgstar.vh"
`default_nettype none
module rx_buffer #(parameter ADDR_W = `AWG_RX_ADDR_W, parameter HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W) (
    input wire clk, input wire rst, input wire [31:0] s_axis_tdata, input wire [3:0] s_axis_tkeep, input wire s_axis_tvalid, input wire s_axis_tlast,
    input wire verdict, input wire deliver,
    input wire [47:0] hdr_mac, input wire [2:0] hdr_token, input wire [4:0] hdr_c_st, input wire [7:0] hdr_node_id, input wire [3:0] hdr_multi_g, input wire [3:0] hdr_act_seq, input wire [7:0] hdr_packet_cnt, input wire [31:0] hdr_addr, input wire [10:0] hdr_len,
    output wire m_hdr_valid, input wire m_hdr_ready,
    output wire [47:0] m_hdr_mac, output wire [2:0] m_hdr_token, output wire [4:0] m_hdr_c_st, output wire [7:0] m_hdr_node_id, output wire [3:0] m_hdr_multi_g, output wire [3:0] m_hdr_act_seq, output wire [7:0] m_hdr_packet_cnt, output wire [31:0] m_hdr_addr, output wire [10:0] m_hdr_len,
    output wire [31:0] m_axis_tdata, output wire [3:0] m_axis_tkeep, output wire m_axis_tvalid, input wire m_axis_tready, output wire m_axis_tlast,
    output wire ev_delivered, output wire ev_overflow
);
    reg [ADDR_W:0] wr_ptr_q, wr_ptr_d; reg [ADDR_W:0] commit_ptr_q, commit_ptr_d; reg [ADDR_W:0] rd_ptr_q, rd_ptr_d; reg lost_q, lost_d;
    reg [36:0] head_q; reg [HEADER_ADDR_W:0] hdr_wr_q, hdr_wr_d; reg [HEADER_ADDR_W:0] hdr_rd_q, hdr_rd_d; reg [122:0] hdr_head_q;
    reg [36:0] mem [0:(1<<ADDR_W)-1]; reg [122:0] hdr_mem [0:(1<<HEADER_ADDR_W)-1];
    wire full = wr_ptr_q == {~rd_ptr_q[ADDR_W], rd_ptr_q[ADDR_W-1:0]};
    wire hfull = hdr_wr_q == {~hdr_rd_q[HEADER_ADDR_W], hdr_rd_q[HEADER_ADDR_W-1:0]};
    wire write = s_axis_tvalid && !full;
    wire lost = lost_q || (s_axis_tvalid && full);
    wire accept = verdict && deliver && !lost && !hfull;
    wire [ADDR_W:0] wr_next = wr_ptr_q + {{ADDR_W{1'b0}}, write};
    wire [36:0] beat = {s_axis_tlast, s_axis_tkeep, s_axis_tdata};
    wire [122:0] hdr = {hdr_mac, hdr_token, hdr_c_st, hdr_node_id, hdr_multi_g, hdr_act_seq, hdr_packet_cnt, hdr_addr, hdr_len};
    always @* begin
        commit_ptr_d = accept ? wr_next : commit_ptr_q;
        wr_ptr_d = verdict && !accept ? commit_ptr_q : wr_next;
        lost_d = lost && !verdict;
        rd_ptr_d = rd_ptr_q + {{ADDR_W{1'b0}}, m_axis_tvalid && m_axis_tready};
        hdr_wr_d = hdr_wr_q + {{HEADER_ADDR_W{1'b0}}, accept};
        hdr_rd_d = hdr_rd_q + {{HEADER_ADDR_W{1'b0}}, m_hdr_valid && m_hdr_ready};
    end
    always @(posedge clk) begin
        if (write) mem[wr_ptr_q[ADDR_W-1:0]] <= beat;
        head_q <= write && wr_ptr_q[ADDR_W-1:0] == rd_ptr_d[ADDR_W-1:0] ? beat : mem[rd_ptr_d[ADDR_W-1:0]];
        if (accept) hdr_mem[hdr_wr_q[HEADER_ADDR_W-1:0]] <= hdr;
        hdr_head_q <= accept && hdr_wr_q[HEADER_ADDR_W-1:0] == hdr_rd_d[HEADER_ADDR_W-1:0] ? hdr : hdr_mem[hdr_rd_d[HEADER_ADDR_W-1:0]];
    end
    always @(posedge clk) begin
        wr_ptr_q <= wr_ptr_d; commit_ptr_q <= commit_ptr_d; rd_ptr_q <= rd_ptr_d; lost_q <= lost_d; hdr_wr_q <= hdr_wr_d; hdr_rd_q <= hdr_rd_d;
        if (rst) begin wr_ptr_q <= 0; commit_ptr_q <= 0; rd_ptr_q <= 0; lost_q <= 0; hdr_wr_q <= 0; hdr_rd_q <= 0; end
    end
    assign m_hdr_valid = hdr_rd_q != hdr_wr_q;
    assign {m_hdr_mac, m_hdr_token, m_hdr_c_st, m_hdr_node_id, m_hdr_multi_g, m_hdr_act_seq, m_hdr_packet_cnt, m_hdr_addr, m_hdr_len} = hdr_head_q;
    assign {m_axis_tlast, m_axis_tkeep, m_axis_tdata} = head_q;
    assign m_axis_tvalid = rd_ptr_q != commit_ptr_q;
    assign ev_delivered = accept; assign ev_overflow = verdict && deliver && !accept;
endmodule
`default_nettype wire
