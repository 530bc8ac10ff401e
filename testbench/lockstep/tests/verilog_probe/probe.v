// SPDX-License-Identifier: MIT OR Apache-2.0
// The machine of testbench/compare/tests/compare/probe.rs, with faults: without a word on the link, tdata 32'hFA17_00NN
// is fault NN. Those from 64 on last until the next one, or a reset.
`default_nettype none

module probe (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    input  wire        s_axis_tlast,
    output wire [64:0] sum,
    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid
);
    reg         valid_q;
    reg [32:0]  long_q;
    reg [64:0]  wide_q;
    reg [127:0] full;
    reg [3:0]   few [0:3];

    reg [31:0] data_q;
    reg        last_q;
    reg [7:0]  mode_q = 8'd0;

    wire       armed = !s_axis_tvalid && s_axis_tdata[31:16] == 16'hFA17;
    wire [7:0] fault = armed ? s_axis_tdata[7:0] : 8'd0;
    wire       next  = s_axis_tvalid && !rst;
    // No start of the model has this value by chance.
    wire       rare  = full === 128'h0123_4567_89ab_cdef_0011_2233_4455_6677;

    assign sum           = wide_q ^ {fault == 8'd8, 64'd0};
    assign m_axis_tdata  = (mode_q == 8'd64 ? data_q : long_q[31:0]) ^ {31'd0, fault == 8'd9};
    assign m_axis_tkeep  = fault == 8'd10 ? 4'bx : 4'b0111;
    assign m_axis_tlast  = long_q[32];
    assign m_axis_tvalid = mode_q == 8'd65 ? next : mode_q == 8'd66 ? last_q : valid_q;

    always @(posedge clk) begin
        valid_q <= next ^ (fault == 8'd1);
        long_q  <= (3 * long_q + s_axis_tdata + 33'd1) ^ {fault == 8'd2, 32'd0};
        if (rst && fault == 8'd15) long_q <= long_q;
        else if (rst) long_q <= {fault == 8'd2, 31'd0, rare};
        if (fault == 8'd11) long_q[0] <= 1'bx;
        wide_q  <= {wide_q[0], wide_q[64:1]} ^ {fault == 8'd3, 64'd0};
        full    <= {full[126:0], full[127]} ^ {fault == 8'd4, 127'd0};
        if (s_axis_tvalid) few[s_axis_tkeep[1:0]] <= s_axis_tkeep;
        if (fault == 8'd6) few[3] <= few[3] ^ 4'd8;
        if (fault == 8'd12) $finish;
        data_q  <= long_q[31:0];
        last_q  <= valid_q;
        if (rst) mode_q <= 8'd0;
        else if (armed) mode_q <= fault;
    end

    inner u_inner (
        .clk(clk), .d({4'd0, s_axis_tkeep ^ {3'd0, valid_q}}), .we(s_axis_tvalid),
        .index(s_axis_tkeep[2:0]), .data(s_axis_tdata), .wrong({fault == 8'd7, fault == 8'd5}),
        .q()
    );
endmodule

module inner (
    input  wire        clk,
    input  wire [7:0]  d,
    input  wire        we,
    input  wire [2:0]  index,
    input  wire [31:0] data,
    input  wire [1:0]  wrong,
    output wire [7:0]  q
);
    reg [7:0]  inner_q;
    reg [63:0] many [0:7];

    assign q = inner_q;

    always @(posedge clk) begin
        inner_q <= d ^ {wrong[0], 7'd0};
        if (we) many[index] <= {data, data};
        if (wrong[1]) many[7] <= many[7] ^ (64'd1 << 63);
    end
endmodule

`default_nettype wire
