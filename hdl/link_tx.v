// SPDX-License-Identifier: MIT OR Apache-2.0
// link_tx: turns the words of a node's link into bytes and K codes for the encoder.
//
// Promises: a word of a frame goes out as four data bytes, every other cycle as an ordered set that
// begins with K28.5 (COD-6). The set behind a frame says how the frame ended, the set before a frame
// that it begins; with one idle word between two frames it is the same set. An idle set is
// K28.5 D21.4 D21.5 D21.5.
//
// Latency: word on s_axis in cycle t, on m_data in cycle t + 1.
//
// Needs LNK-3 at s_axis: a word between frames. A word that is missing in a frame goes out as an
// idle set, which ends the frame as aborted.
//
// Requirements: COD-6.
`default_nettype none

module link_tx (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tvalid,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tuser,

    output wire [31:0] m_data,
    output wire [3:0]  m_k
);
    localparam [7:0] COMMA = 8'hBC; // K28.5
    localparam [7:0] SET_1 = 8'h95; // D21.4
    localparam [7:0] SET_2 = 8'hB5; // D21.5
    localparam [7:0] SET_3 = 8'hB5; // D21.5

    reg        valid_q;
    reg [31:0] data_q, data_d;
    reg        last_q, last_d;
    reg [3:0]  end_q, end_d; // {ended, aborted, bytes of the last word modulo 4}

    reg  [3:0] ends;         // of the word in data_q
    reg  [3:0] ends_q, ends_d;

    always @* begin
        // LNK-2, LNK-4; any other tkeep is none of a frame.
        case (s_axis_tkeep)
            4'b1111: ends = {1'b1, s_axis_tuser, 2'd0};
            4'b0111: ends = {1'b1, s_axis_tuser, 2'd3};
            4'b0011: ends = {1'b1, s_axis_tuser, 2'd2};
            4'b0001: ends = {1'b1, s_axis_tuser, 2'd1};
            default: ends = 4'b1100;
        endcase
        data_d = data_q;
        last_d = last_q;
        ends_d = ends_q;
        if (s_axis_tvalid) begin
            data_d = s_axis_tdata;
            last_d = s_axis_tlast;
            ends_d = ends;
        end
        end_d = valid_q && last_q ? ends_q : 4'd0;
    end

    always @(posedge clk) begin
        valid_q <= s_axis_tvalid;
        data_q  <= data_d;
        last_q  <= last_d;
        ends_q  <= ends_d;
        end_q   <= end_d;
        if (rst) begin
            valid_q <= 1'b0;
            end_q   <= 4'd0;
        end
    end

    // {begins, with M}: the frame behind this set.
    wire [1:0] begins = {s_axis_tvalid, s_axis_tvalid && s_axis_tuser && !s_axis_tlast};
    wire [7:0] lane1  = SET_1 ^ {4'd0, end_q};
    wire [7:0] lane2  = SET_2 ^ {2'd0, begins, 4'd0};
    wire [7:0] lane3  = SET_3 ^ {2'd0, begins, end_q};

    assign m_data = valid_q ? data_q : {lane3, lane2, lane1, COMMA};
    assign m_k    = valid_q ? 4'b0000 : 4'b0001;
endmodule

`default_nettype wire
