// A link of CYCLES cycles (RING-1): what goes in comes out that much later, 0 is a piece of wire.
// Empty after reset. No part of the hardware.
`default_nettype none

module fibre #(
    parameter CYCLES = 0 // delay in clock cycles
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
    wire [38:0] in  = {s_axis_tvalid, s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tuser};
    wire [38:0] out;

    assign {m_axis_tvalid, m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} = out;

    generate
        if (CYCLES == 0) begin : g_wire
            wire unused = &{1'b0, clk, rst};
            assign out = in;
        end else begin : g_line
            localparam AT_W = CYCLES < 2 ? 1 : $clog2(CYCLES);
            localparam [31:0] END = CYCLES - 1;

            // One place per cycle of delay, written right behind being read: nothing moves.
            reg [38:0]     line [0:CYCLES-1];
            reg [AT_W-1:0] at_q;
            reg            full_q; // every place was written since the reset

            wire [38:0] word = line[at_q];
            wire        turn = at_q == END[AT_W-1:0];

            assign out = {word[38] && full_q, word[37:0]};

            always @(posedge clk) begin
                line[at_q] <= in;
                at_q       <= turn ? {AT_W{1'b0}} : at_q + {{(AT_W - 1){1'b0}}, 1'b1};
                full_q     <= full_q || turn;
                if (rst) begin
                    at_q   <= {AT_W{1'b0}};
                    full_q <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
