// SPDX-License-Identifier: MIT OR Apache-2.0
// frame_tx_assert: rules of the frames that frame_tx makes, to be bound to it.
`include "awgstar.vh"
`include "awgstar_assert.svh"
`default_nettype none

module frame_tx_assert (
    input wire        clk,
    input wire        rst,

    input wire        s_hdr_valid,
    input wire        s_hdr_ready,
    input wire [47:0] s_hdr_mac,
    input wire [7:0]  s_hdr_node_id,

    input wire [31:0] m_axis_tdata,
    input wire [3:0]  m_axis_tkeep,
    input wire        m_axis_tvalid,
    input wire        m_axis_tlast,
    input wire        m_axis_tuser,

    input wire        status_valid,
    input wire [2:0]  status_error
);
    reg        live_q;
    reg        rst_q;
    initial begin
        live_q = 1'b0;
        rst_q  = 1'b0;
    end
    reg [47:0] mac_q; // of the header taken last
    reg [7:0]  node_id_q;
    reg [1:0]  owed_q; // headers without a verdict

    wire take = s_hdr_valid && s_hdr_ready;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        rst_q <= rst;
        if (take) begin
            mac_q     <= s_hdr_mac;
            node_id_q <= s_hdr_node_id;
        end
        if (take != status_valid) owed_q <= take ? owed_q + 2'd1 : owed_q - 2'd1;
        if (rst) owed_q <= 2'd0;
    end

    wire on = live_q && !rst;

    // A cut frame has three words of header at least, and the one that is cut.
    link_assert #(.MIN_WORDS(4)) u_link (
        .clk(clk), .rst(rst), .tdata(m_axis_tdata), .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid),
        .tlast(m_axis_tlast), .tuser(m_axis_tuser)
    );

    frame_assert #(.SENDER(2)) u_frame (
        .clk(clk), .rst(rst), .known(1'b1), .mac(mac_q), .node_id(node_id_q),
        .tdata(m_axis_tdata), .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid), .tlast(m_axis_tlast),
        .tuser(m_axis_tuser)
    );

    `AWG_ASSERT(tx9_reset, "TX-9", rst_q, !m_axis_tvalid && !status_valid)
    `AWG_ASSERT(tx6_one, "TX-6", on && status_valid, owed_q != 2'd0)
    `AWG_ASSERT(tx6_code, "TX-6", on && status_valid, status_error <= `AWG_TX_LAST)
endmodule

`default_nettype wire
