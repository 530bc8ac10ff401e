// SPDX-License-Identifier: MIT OR Apache-2.0
// fibre: a link of CYCLES cycles, 0 or more (RING-1). Not part of the design: it stands for glass.
`default_nettype none

module fibre #(
    parameter CYCLES = 4 // delay in cycles
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tuser,

    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    output wire        m_axis_tuser
);
    wire [38:0] word = {s_axis_tuser, s_axis_tlast, s_axis_tkeep, s_axis_tvalid, s_axis_tdata};
    wire [38:0] out;

    generate
        if (CYCLES == 0) begin : no_delay
            wire unused = &{1'b0, clk, rst};
            assign out = word;
        end else begin : delay
            reg [38:0] line [0:CYCLES-1];
            integer    at_q;
            integer    k;

            always @(posedge clk) begin
                line[at_q] <= word;
                at_q       <= at_q == CYCLES - 1 ? 0 : at_q + 1;
                if (rst) begin
                    at_q <= 0;
                    for (k = 0; k < CYCLES; k = k + 1) line[k] <= 39'd0;
                end
            end

            assign out = line[at_q];
        end
    endgenerate

    assign {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tvalid, m_axis_tdata} = out;
endmodule

`default_nettype wire
