// SPDX-License-Identifier: MIT OR Apache-2.0
// code_8b10b: the 8b/10b code of one byte.
//
// Promises: for each byte and for K28.0 to K28.7, K23.7, K27.7, K29.7 and K30.7 the code that
// IEEE 802.3 clause 36 gives for the running disparity `rd`. For another byte with `k` the code is
// not defined.
//
// Combinational. code[0] is bit a, the first on the line. The logic is that of Widmer and Franaszek
// (IBM Journal of Research and Development 27, 1983): the 6-bit and the 4-bit block each have one
// form, which is complemented if it does not fit the disparity before it.
//
// Requirements: COD-1, COD-2.
`default_nettype none

module code_8b10b (
    input  wire [7:0] data,
    input  wire       k,
    input  wire       rd,      // running disparity before the code: 1 is positive

    output wire [9:0] code,    // {j, h, g, f, i, e, d, c, b, a}
    output wire       rd_next  // and after it
);
    wire a = data[0];
    wire b = data[1];
    wire c = data[2];
    wire d = data[3];
    wire e = data[4];
    wire f = data[5];
    wire g = data[6];
    wire h = data[7];

    // Ones and zeros among a, b, c, d.
    wire two   = (a ^ b) ? (c ^ d) : (a ^ c) && !(c ^ d);
    wire four  = a && b && c && d;
    wire none  = !(a || b || c || d);
    wire one   = ((a ^ b) && !c && !d) || ((c ^ d) && !a && !b);
    wire three = ((a ^ b) && c && d) || ((c ^ d) && a && b);

    wire d24  = e && d && !c && !b && !a;
    wire k28  = k && e && d && c && !b && !a;

    // ---- 5b/6b: bits a to i ----

    wire [5:0] six;
    assign six[0] = a;
    assign six[1] = (b && !four) || none;
    assign six[2] = none || c || d24;
    assign six[3] = d && !(a && b && c);
    assign six[4] = (e || one) && !d24;
    assign six[5] = (two && !e) || (e && !d && !c && !(a && b)) || (e && four) || k28
                 || (e && !d && c && !b && !a);

    // The form above is for positive or for negative disparity before it; all others fit both.
    wire six_pos  = d24 || (!e && !two && !three);
    wire six_neg  = k || (e && !two && !one) || (!e && !d && c && b && a);
    wire six_flip = six_pos || k || (e && !two && !one); // D7 is balanced
    wire six_inv  = (six_pos && !rd) || (six_neg && rd);
    wire rd_six   = rd ^ six_flip;

    // ---- 3b/4b: bits f to j ----

    // Dx.7 takes its other form where five equal bits would stand in a row.
    wire alt = f && g && h && (k || (rd ? !e && d && three : e && !d && one));

    wire [3:0] quad;
    assign quad[0] = f && !alt;
    assign quad[1] = g || !(f || h);
    assign quad[2] = h;
    assign quad[3] = (!h && (g ^ f)) || alt;

    wire quad_neg  = f && g;
    wire quad_pos  = (!f && !g) || (k && (f ^ g));
    wire quad_flip = (!f && !g) || (f && g && h);
    wire quad_inv  = (quad_pos && !rd_six) || (quad_neg && rd_six);

    assign code    = {quad ^ {4{quad_inv}}, six ^ {6{six_inv}}};
    assign rd_next = rd_six ^ quad_flip;
endmodule

`default_nettype wire
