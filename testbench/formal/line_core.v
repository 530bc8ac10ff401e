// SPDX-License-Identifier: MIT OR Apache-2.0
// link_rx with the assertions of its link, and the invariants that tie the registers of both: whatever the
// line brings, the elastic buffer gets whole frames (LNK-2, LNK-3, COD-7).
//
// Inputs are free; a reset may come at any time. Registers of the instances come in through `prove.sh`
// (yosys `connect`), as in node_core.v.
`default_nettype none

module line_core (
    input wire        clk,
    input wire        rst,
    input wire [31:0] s_data,
    input wire [3:0]  s_k,
    input wire        s_bad,
    input wire        locked
);
    wire [31:0] tdata;
    wire [3:0]  tkeep;
    wire        tvalid, tlast, tuser, unused_broken;

    link_rx u_rx (
        .clk(clk), .rst(rst), .s_data(s_data), .s_k(s_k), .s_bad(s_bad), .locked(locked),
        .m_axis_tdata(tdata), .m_axis_tkeep(tkeep), .m_axis_tvalid(tvalid), .m_axis_tlast(tlast),
        .m_axis_tuser(tuser), .ev_broken(unused_broken));

    // A frame that broke keeps its last word, and may have one.
    link_assert #(.MIN_WORDS(1), .CUT(0)) u_line (
        .clk(clk), .rst(rst), .tdata(tdata), .tkeep(tkeep), .tvalid(tvalid), .tlast(tlast),
        .tuser(tuser));

    // ---- Registers of the instances, connected by prove.sh ----

    (* keep *) wire       valid;
    (* keep *) wire [8:0] words;
    (* keep *) wire       live, ended;
    (* keep *) wire [9:0] gone;

    // Reset in the first cycle, and whenever it may come again.
    reg first = 1'b1;
    always @(posedge clk) first <= 1'b0;
    always @* if (first) assume (rst);

    // ---- Invariants ----

`ifndef ALONE // broken Verilog must fail an assertion of link_assert
    always @* if (!first) begin
        assert (live);
        // The word that is held has this number; those before it have gone.
        assert (!valid || (words >= 9'd1 && words <= 9'd261 && gone == {1'b0, words} - 10'd1));
        assert (valid || gone == 10'd0);
        assert (!ended || !valid);
    end
`endif
endmodule

`default_nettype wire
