// Generated from the polynomial by `cargo run -- contract generate`. Do not edit.
//
// CRC-32 of IEEE 802.3, one link word per step (CRC-1, CRC-2).
//
// Combinational: `crc_out` is the register after the bytes of `tdata` that `tkeep` marks, lowest
// lane first (tdata[7:0] is the first byte on the link). The register is reflected (bit 31 is the
// coefficient of x^0) and not complemented; it starts as `AWG_CRC32_INIT and holds
// `AWG_CRC32_RESIDUE after a frame with a good FCS. The FCS is its complement, least significant
// byte first. A `tkeep` that is not contiguous from lane 0 leaves the register as it is.
`default_nettype none

module crc32 (
    input  wire [31:0] crc_in,
    input  wire [31:0] tdata,
    input  wire [3:0]  tkeep,
    output reg  [31:0] crc_out
);
    wire [63:0] x = {tdata, crc_in};
    wire [31:0] crc_1;
    wire [31:0] crc_2;
    wire [31:0] crc_3;
    wire [31:0] crc_4;

    // 1 byte
    assign crc_1[0] = ^(x & 64'h0000000400000104);
    assign crc_1[1] = ^(x & 64'h0000000900000209);
    assign crc_1[2] = ^(x & 64'h0000001300000413);
    assign crc_1[3] = ^(x & 64'h0000002600000826);
    assign crc_1[4] = ^(x & 64'h0000004D0000104D);
    assign crc_1[5] = ^(x & 64'h0000009A0000209A);
    assign crc_1[6] = ^(x & 64'h0000003000004030);
    assign crc_1[7] = ^(x & 64'h0000006100008061);
    assign crc_1[8] = ^(x & 64'h000000C2000100C2);
    assign crc_1[9] = ^(x & 64'h0000008000020080);
    assign crc_1[10] = ^(x & 64'h0000000400040004);
    assign crc_1[11] = ^(x & 64'h0000000800080008);
    assign crc_1[12] = ^(x & 64'h0000001100100011);
    assign crc_1[13] = ^(x & 64'h0000002300200023);
    assign crc_1[14] = ^(x & 64'h0000004600400046);
    assign crc_1[15] = ^(x & 64'h0000008C0080008C);
    assign crc_1[16] = ^(x & 64'h0000001D0100001D);
    assign crc_1[17] = ^(x & 64'h0000003B0200003B);
    assign crc_1[18] = ^(x & 64'h0000007704000077);
    assign crc_1[19] = ^(x & 64'h000000EE080000EE);
    assign crc_1[20] = ^(x & 64'h000000D8100000D8);
    assign crc_1[21] = ^(x & 64'h000000B4200000B4);
    assign crc_1[22] = ^(x & 64'h0000006C4000006C);
    assign crc_1[23] = ^(x & 64'h000000D8800000D8);
    assign crc_1[24] = ^(x & 64'h000000B5000000B5);
    assign crc_1[25] = ^(x & 64'h0000006F0000006F);
    assign crc_1[26] = ^(x & 64'h000000DF000000DF);
    assign crc_1[27] = ^(x & 64'h000000BA000000BA);
    assign crc_1[28] = ^(x & 64'h0000007100000071);
    assign crc_1[29] = ^(x & 64'h000000E3000000E3);
    assign crc_1[30] = ^(x & 64'h000000C3000000C3);
    assign crc_1[31] = ^(x & 64'h0000008200000082);

    // 2 bytes
    assign crc_2[0] = ^(x & 64'h000004D1000104D1);
    assign crc_2[1] = ^(x & 64'h000009A2000209A2);
    assign crc_2[2] = ^(x & 64'h0000134400041344);
    assign crc_2[3] = ^(x & 64'h0000268800082688);
    assign crc_2[4] = ^(x & 64'h00004D1000104D10);
    assign crc_2[5] = ^(x & 64'h00009A2000209A20);
    assign crc_2[6] = ^(x & 64'h0000309100403091);
    assign crc_2[7] = ^(x & 64'h0000612200806122);
    assign crc_2[8] = ^(x & 64'h0000C2450100C245);
    assign crc_2[9] = ^(x & 64'h0000805A0200805A);
    assign crc_2[10] = ^(x & 64'h0000046404000464);
    assign crc_2[11] = ^(x & 64'h000008C8080008C8);
    assign crc_2[12] = ^(x & 64'h0000119110001191);
    assign crc_2[13] = ^(x & 64'h0000232320002323);
    assign crc_2[14] = ^(x & 64'h0000464640004646);
    assign crc_2[15] = ^(x & 64'h00008C8C80008C8C);
    assign crc_2[16] = ^(x & 64'h00001DC900001DC9);
    assign crc_2[17] = ^(x & 64'h00003B9300003B93);
    assign crc_2[18] = ^(x & 64'h0000772600007726);
    assign crc_2[19] = ^(x & 64'h0000EE4D0000EE4D);
    assign crc_2[20] = ^(x & 64'h0000D84B0000D84B);
    assign crc_2[21] = ^(x & 64'h0000B4460000B446);
    assign crc_2[22] = ^(x & 64'h00006C5C00006C5C);
    assign crc_2[23] = ^(x & 64'h0000D8B80000D8B8);
    assign crc_2[24] = ^(x & 64'h0000B5A10000B5A1);
    assign crc_2[25] = ^(x & 64'h00006F9200006F92);
    assign crc_2[26] = ^(x & 64'h0000DF240000DF24);
    assign crc_2[27] = ^(x & 64'h0000BA990000BA99);
    assign crc_2[28] = ^(x & 64'h000071E3000071E3);
    assign crc_2[29] = ^(x & 64'h0000E3C60000E3C6);
    assign crc_2[30] = ^(x & 64'h0000C35C0000C35C);
    assign crc_2[31] = ^(x & 64'h0000826800008268);

    // 3 bytes
    assign crc_3[0] = ^(x & 64'h0004D1010104D101);
    assign crc_3[1] = ^(x & 64'h0009A2030209A203);
    assign crc_3[2] = ^(x & 64'h0013440704134407);
    assign crc_3[3] = ^(x & 64'h0026880E0826880E);
    assign crc_3[4] = ^(x & 64'h004D101D104D101D);
    assign crc_3[5] = ^(x & 64'h009A203B209A203B);
    assign crc_3[6] = ^(x & 64'h0030917640309176);
    assign crc_3[7] = ^(x & 64'h006122EC806122EC);
    assign crc_3[8] = ^(x & 64'h00C245D800C245D8);
    assign crc_3[9] = ^(x & 64'h00805AB100805AB1);
    assign crc_3[10] = ^(x & 64'h0004646200046462);
    assign crc_3[11] = ^(x & 64'h0008C8C50008C8C5);
    assign crc_3[12] = ^(x & 64'h0011918A0011918A);
    assign crc_3[13] = ^(x & 64'h0023231500232315);
    assign crc_3[14] = ^(x & 64'h0046462B0046462B);
    assign crc_3[15] = ^(x & 64'h008C8C56008C8C56);
    assign crc_3[16] = ^(x & 64'h001DC9AC001DC9AC);
    assign crc_3[17] = ^(x & 64'h003B9359003B9359);
    assign crc_3[18] = ^(x & 64'h007726B2007726B2);
    assign crc_3[19] = ^(x & 64'h00EE4D6400EE4D64);
    assign crc_3[20] = ^(x & 64'h00D84BC800D84BC8);
    assign crc_3[21] = ^(x & 64'h00B4469000B44690);
    assign crc_3[22] = ^(x & 64'h006C5C21006C5C21);
    assign crc_3[23] = ^(x & 64'h00D8B84300D8B843);
    assign crc_3[24] = ^(x & 64'h00B5A18700B5A187);
    assign crc_3[25] = ^(x & 64'h006F920E006F920E);
    assign crc_3[26] = ^(x & 64'h00DF241C00DF241C);
    assign crc_3[27] = ^(x & 64'h00BA993800BA9938);
    assign crc_3[28] = ^(x & 64'h0071E3700071E370);
    assign crc_3[29] = ^(x & 64'h00E3C6E000E3C6E0);
    assign crc_3[30] = ^(x & 64'h00C35CC000C35CC0);
    assign crc_3[31] = ^(x & 64'h0082688000826880);

    // 4 bytes
    assign crc_4[0] = ^(x & 64'h04D101DF04D101DF);
    assign crc_4[1] = ^(x & 64'h09A203BE09A203BE);
    assign crc_4[2] = ^(x & 64'h1344077D1344077D);
    assign crc_4[3] = ^(x & 64'h26880EFA26880EFA);
    assign crc_4[4] = ^(x & 64'h4D101DF44D101DF4);
    assign crc_4[5] = ^(x & 64'h9A203BE99A203BE9);
    assign crc_4[6] = ^(x & 64'h3091760D3091760D);
    assign crc_4[7] = ^(x & 64'h6122EC1A6122EC1A);
    assign crc_4[8] = ^(x & 64'hC245D835C245D835);
    assign crc_4[9] = ^(x & 64'h805AB1B5805AB1B5);
    assign crc_4[10] = ^(x & 64'h046462B5046462B5);
    assign crc_4[11] = ^(x & 64'h08C8C56A08C8C56A);
    assign crc_4[12] = ^(x & 64'h11918AD411918AD4);
    assign crc_4[13] = ^(x & 64'h232315A9232315A9);
    assign crc_4[14] = ^(x & 64'h46462B5346462B53);
    assign crc_4[15] = ^(x & 64'h8C8C56A68C8C56A6);
    assign crc_4[16] = ^(x & 64'h1DC9AC921DC9AC92);
    assign crc_4[17] = ^(x & 64'h3B9359243B935924);
    assign crc_4[18] = ^(x & 64'h7726B2497726B249);
    assign crc_4[19] = ^(x & 64'hEE4D6493EE4D6493);
    assign crc_4[20] = ^(x & 64'hD84BC8F9D84BC8F9);
    assign crc_4[21] = ^(x & 64'hB446902DB446902D);
    assign crc_4[22] = ^(x & 64'h6C5C21846C5C2184);
    assign crc_4[23] = ^(x & 64'hD8B84309D8B84309);
    assign crc_4[24] = ^(x & 64'hB5A187CCB5A187CC);
    assign crc_4[25] = ^(x & 64'h6F920E466F920E46);
    assign crc_4[26] = ^(x & 64'hDF241C8CDF241C8C);
    assign crc_4[27] = ^(x & 64'hBA9938C7BA9938C7);
    assign crc_4[28] = ^(x & 64'h71E3705171E37051);
    assign crc_4[29] = ^(x & 64'hE3C6E0A3E3C6E0A3);
    assign crc_4[30] = ^(x & 64'hC35CC098C35CC098);
    assign crc_4[31] = ^(x & 64'h826880EF826880EF);

    always @* begin
        case (tkeep)
            4'b0001: crc_out = crc_1;
            4'b0011: crc_out = crc_2;
            4'b0111: crc_out = crc_3;
            4'b1111: crc_out = crc_4;
            default: crc_out = crc_in;
        endcase
    end
endmodule

`default_nettype wire
