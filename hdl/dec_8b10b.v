// SPDX-License-Identifier: MIT OR Apache-2.0
// dec_8b10b: decodes 40 bits of the line into four bytes a cycle, and marks the wrong codes.
//
// Promises: each code of IEEE 802.3 clause 36 gives its byte. A code that is in neither column of
// its tables is a code error; one that is in the other column only is a disparity error (COD-3).
// After an error the running disparity is right again after the first block that is not balanced.
//
// Latency: code in cycle t, bytes in cycle t + 1.
//
// A code is right if its byte, encoded again, gives that code: so what is accepted is what
// code_8b10b makes and nothing else.
//
// Requirements: COD-3.
`default_nettype none

module dec_8b10b (
    input  wire        clk,
    input  wire        rst,

    input  wire [39:0] s_code,     // bit 0 is the first on the line, and of the first byte

    output wire [31:0] m_data,
    output wire [3:0]  m_k,
    output wire [3:0]  m_code_err, // the byte is 0 then
    output wire [3:0]  m_disp_err
);
    // Bits a to i give {K28, e, d, c, b, a}; what is no code gives 0.
    function [5:0] five_of;
        input [5:0] abcdei;
        case (abcdei)
            6'b100111, 6'b011000: five_of = 6'd0;
            6'b011101, 6'b100010: five_of = 6'd1;
            6'b101101, 6'b010010: five_of = 6'd2;
            6'b110001:            five_of = 6'd3;
            6'b110101, 6'b001010: five_of = 6'd4;
            6'b101001:            five_of = 6'd5;
            6'b011001:            five_of = 6'd6;
            6'b111000, 6'b000111: five_of = 6'd7;
            6'b111001, 6'b000110: five_of = 6'd8;
            6'b100101:            five_of = 6'd9;
            6'b010101:            five_of = 6'd10;
            6'b110100:            five_of = 6'd11;
            6'b001101:            five_of = 6'd12;
            6'b101100:            five_of = 6'd13;
            6'b011100:            five_of = 6'd14;
            6'b010111, 6'b101000: five_of = 6'd15;
            6'b011011, 6'b100100: five_of = 6'd16;
            6'b100011:            five_of = 6'd17;
            6'b010011:            five_of = 6'd18;
            6'b110010:            five_of = 6'd19;
            6'b001011:            five_of = 6'd20;
            6'b101010:            five_of = 6'd21;
            6'b011010:            five_of = 6'd22;
            6'b111010, 6'b000101: five_of = 6'd23;
            6'b110011, 6'b001100: five_of = 6'd24;
            6'b100110:            five_of = 6'd25;
            6'b010110:            five_of = 6'd26;
            6'b110110, 6'b001001: five_of = 6'd27;
            6'b001110:            five_of = 6'd28;
            6'b101110, 6'b010001: five_of = 6'd29;
            6'b011110, 6'b100001: five_of = 6'd30;
            6'b101011, 6'b010100: five_of = 6'd31;
            6'b001111, 6'b110000: five_of = {1'b1, 5'd28};
            default:              five_of = 6'd0;
        endcase
    endfunction

    // Bits f to j give {other form of 7, h, g, f}; behind a K28 each code of 4 bits is one of 8.
    function [3:0] three_of;
        input [3:0] fghj;
        input       k28;
        case (fghj)
            4'b1011: three_of = 4'd0;
            4'b0100: three_of = 4'd0;
            4'b1001: three_of = 4'd1;
            4'b0101: three_of = 4'd2;
            4'b1100: three_of = 4'd3;
            4'b0011: three_of = 4'd3;
            4'b1101: three_of = 4'd4;
            4'b0010: three_of = 4'd4;
            4'b1010: three_of = 4'd5;
            4'b0110: three_of = 4'd6;
            4'b1110: three_of = 4'd7;
            4'b0001: three_of = 4'd7;
            4'b0111: three_of = {!k28, 3'd7};
            4'b1000: three_of = {!k28, 3'd7};
            default: three_of = 4'd0;
        endcase
    endfunction

    reg  [31:0] data_q;
    reg  [3:0]  k_q;
    reg  [3:0]  code_err_q;
    reg  [3:0]  disp_err_q;
    reg         rd_q; // running disparity after the last code: 1 is positive

    wire [31:0] data_d;
    wire [3:0]  k_d;
    wire [3:0]  code_err_d;
    wire [3:0]  disp_err_d;
    wire        rd_d;

    genvar lane;
    generate for (lane = 0; lane < 4; lane = lane + 1) begin : g_lane
        wire       rd; // before this lane
        wire [9:0] code   = s_code[10*lane +: 10];
        wire [5:0] abcdei = {code[0], code[1], code[2], code[3], code[4], code[5]};
        wire [3:0] fghj   = {code[6], code[7], code[8], code[9]};
        wire [5:0] five   = five_of(abcdei);
        wire       k28    = five[5];
        // Behind 110000 stands the complement of what stands behind 001111.
        wire [3:0] three  = three_of(k28 && abcdei[5] ? ~fghj : fghj, k28);
        wire [7:0] byte_x = {three[2:0], five[4:0]};
        // K23.7, K27.7, K29.7 and K30.7.
        wire       k_x7   = three[3] && (five[4:0] == 5'd23 || five[4:0] == 5'd27
                                         || five[4:0] == 5'd29 || five[4:0] == 5'd30);
        wire       k      = k28 || k_x7;

        // Ones minus zeros of each block; 000111 and 0011 count as positive, their complements as
        // negative (IEEE 802.3, 36.2.4.4).
        wire [2:0] ones6  = {2'd0, code[0]} + {2'd0, code[1]} + {2'd0, code[2]}
                          + {2'd0, code[3]} + {2'd0, code[4]} + {2'd0, code[5]};
        wire [2:0] ones4  = {2'd0, code[6]} + {2'd0, code[7]} + {2'd0, code[8]} + {2'd0, code[9]};
        wire       pos6   = ones6 > 3'd3 || abcdei == 6'b000111;
        wire       neg6   = ones6 < 3'd3 || abcdei == 6'b111000;
        wire       pos4   = ones4 > 3'd2 || fghj == 4'b0011;
        wire       neg4   = ones4 < 3'd2 || fghj == 4'b1100;
        wire       rd_six = pos6 || (rd && !neg6);
        wire       rd_out = pos4 || (rd_six && !neg4);

        wire [9:0] code_neg;
        wire [9:0] code_pos;
        wire       unused_neg;
        wire       unused_pos;

        code_8b10b u_neg (.data(byte_x), .k(k), .rd(1'b0), .code(code_neg), .rd_next(unused_neg));
        code_8b10b u_pos (.data(byte_x), .k(k), .rd(1'b1), .code(code_pos), .rd_next(unused_pos));

        wire in_neg = code == code_neg;
        wire in_pos = code == code_pos;

        assign data_d[8*lane +: 8]  = in_neg || in_pos ? byte_x : 8'd0;
        assign k_d[lane]            = k && (in_neg || in_pos);
        assign code_err_d[lane]     = !in_neg && !in_pos;
        assign disp_err_d[lane]     = rd ? in_neg && !in_pos : in_pos && !in_neg;

        if (lane == 0) begin : g_first
            assign rd = rd_q;
        end else begin : g_next
            assign rd = g_lane[lane-1].rd_out;
        end
    end endgenerate

    assign rd_d = g_lane[3].rd_out;

    always @(posedge clk) begin
        data_q     <= data_d;
        k_q        <= k_d;
        code_err_q <= code_err_d;
        disp_err_q <= disp_err_d;
        rd_q       <= rd_d;
        if (rst) rd_q <= 1'b0;
    end

    assign m_data     = data_q;
    assign m_k        = k_q;
    assign m_code_err = code_err_q;
    assign m_disp_err = disp_err_q;
endmodule

`default_nettype wire
