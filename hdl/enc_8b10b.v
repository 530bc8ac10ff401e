// SPDX-License-Identifier: MIT OR Apache-2.0
// enc_8b10b: encodes four bytes a cycle into 40 bits of the line.
//
// Promises: the codes of IEEE 802.3 clause 36, one running disparity over all bytes, lane 0 first
// (COD-1, COD-2).
//
// Latency: bytes in cycle t, code in cycle t + 1.
//
// Requirements: COD-1, COD-2.
`default_nettype none

module enc_8b10b (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_data,
    input  wire [3:0]  s_k,

    output wire [39:0] m_code // bit 0 is the first on the line
);
    reg  [39:0] code_q;
    reg         rd_q;   // running disparity after the last byte: 1 is positive

    wire [39:0] code_d;
    wire [4:0]  rd;     // before each lane and behind the last

    assign rd[0] = rd_q;

    genvar lane;
    generate for (lane = 0; lane < 4; lane = lane + 1) begin : g_lane
        code_8b10b u_code (
            .data    (s_data[8*lane +: 8]),
            .k       (s_k[lane]),
            .rd      (rd[lane]),
            .code    (code_d[10*lane +: 10]),
            .rd_next (rd[lane+1])
        );
    end endgenerate

    always @(posedge clk) begin
        code_q <= code_d;
        rd_q   <= rd[4];
        if (rst) rd_q <= 1'b0;
    end

    assign m_code = code_q;
endmodule

`default_nettype wire
