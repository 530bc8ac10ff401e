// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated from the polynomial by `cargo run -- contract generate`. Do not edit.
//
// CRC-32 of IEEE 802.3, one link word per step (CRC-1, CRC-2).
//
// Combinational: `crc_out` is the register after the bytes of `tdata` that `tkeep` marks, lowest
// lane first (tdata[7:0] is the first byte on the link). The register is reflected (bit 31 is the
// coefficient of x^0) and not complemented; it starts as `AWG_CRC32_INIT and holds
// `AWG_CRC32_RESIDUE after a frame with a good FCS. The FCS is its complement, least significant
// byte first. A `tkeep` that is not contiguous from lane 0 leaves the register as it is.
//
// One set of equations serves 1 to 4 bytes. Only the n low bytes of the register meet the n data
// bytes; shifted to the top they are the last of 4 bytes after zeros, which leave a register of
// zero as it is. The bytes above only move down.
`default_nettype none

module crc32 (
    input  wire [31:0] crc_in,
    input  wire [31:0] tdata,
    input  wire [3:0]  tkeep,
    output wire [31:0] crc_out
);
    wire [31:0] mixed = crc_in ^ tdata;
    reg  [31:0] y;
    reg  [31:0] rest;
    wire [31:0] step;

    always @* begin // CRC-2
        y    = 32'd0;
        rest = crc_in;
        case (tkeep)
            4'b0001: begin
                y    = {mixed[7:0], 24'd0};
                rest = {8'd0, crc_in[31:8]};
            end
            4'b0011: begin
                y    = {mixed[15:0], 16'd0};
                rest = {16'd0, crc_in[31:16]};
            end
            4'b0111: begin
                y    = {mixed[23:0], 8'd0};
                rest = {24'd0, crc_in[31:24]};
            end
            4'b1111: begin
                y    = mixed;
                rest = 32'd0;
            end
            default: ;
        endcase
    end

    // CRC-1
    assign step[0] = ^(y & 32'h04D101DF);
    assign step[1] = ^(y & 32'h09A203BE);
    assign step[2] = ^(y & 32'h1344077D);
    assign step[3] = ^(y & 32'h26880EFA);
    assign step[4] = ^(y & 32'h4D101DF4);
    assign step[5] = ^(y & 32'h9A203BE9);
    assign step[6] = ^(y & 32'h3091760D);
    assign step[7] = ^(y & 32'h6122EC1A);
    assign step[8] = ^(y & 32'hC245D835);
    assign step[9] = ^(y & 32'h805AB1B5);
    assign step[10] = ^(y & 32'h046462B5);
    assign step[11] = ^(y & 32'h08C8C56A);
    assign step[12] = ^(y & 32'h11918AD4);
    assign step[13] = ^(y & 32'h232315A9);
    assign step[14] = ^(y & 32'h46462B53);
    assign step[15] = ^(y & 32'h8C8C56A6);
    assign step[16] = ^(y & 32'h1DC9AC92);
    assign step[17] = ^(y & 32'h3B935924);
    assign step[18] = ^(y & 32'h7726B249);
    assign step[19] = ^(y & 32'hEE4D6493);
    assign step[20] = ^(y & 32'hD84BC8F9);
    assign step[21] = ^(y & 32'hB446902D);
    assign step[22] = ^(y & 32'h6C5C2184);
    assign step[23] = ^(y & 32'hD8B84309);
    assign step[24] = ^(y & 32'hB5A187CC);
    assign step[25] = ^(y & 32'h6F920E46);
    assign step[26] = ^(y & 32'hDF241C8C);
    assign step[27] = ^(y & 32'hBA9938C7);
    assign step[28] = ^(y & 32'h71E37051);
    assign step[29] = ^(y & 32'hE3C6E0A3);
    assign step[30] = ^(y & 32'hC35CC098);
    assign step[31] = ^(y & 32'h826880EF);

    assign crc_out = step ^ rest;
endmodule

`default_nettype wire
