// SPDX-License-Identifier: MIT OR Apache-2.0
// Plays one golden vector of the board (vectors/FORMAT.md, board). No Rust.
//   +dir=FOLDER   folder of the vector
//   +fatal        a difference ends the simulator with an exit code
// AWGSTAR_ENGINE: the board has the lock and barrier engine, ENGINE_NODE_W is 2 (vectors/board_engine).
// Output: FAIL lines (10 at most) and one RESULT line, marked by AWGSTAR_TOKEN as in tb_common.vh.
`ifndef AWGSTAR_TOKEN
`define AWGSTAR_TOKEN 0
`endif
`default_nettype none

module tb_smb;
    localparam MAX_LINES = 16384;
    localparam IN_W      = 151;
    localparam OUT_W     = 81;
    // Each number of a line is a whole number of digits.
    localparam IN_D      = 152;
    localparam OUT_D     = 84;

    reg              clk;
    reg  [IN_W-1:0]  in;
    wire [OUT_W-1:0] out;

    reg [16+IN_D-1:0]    stimulus [0:MAX_LINES-1];
    reg [16+2*OUT_D-1:0] expected [0:MAX_LINES-1];

`ifdef AWGSTAR_ENGINE
    smb #(.ENGINE_NODE_W(2)) dut (
`else
    smb dut (
`endif
        .clk(clk), .rst(in[150]), .s_axi_awaddr(in[149:118]), .s_axi_awprot(in[117:115]),
        .s_axi_awvalid(in[114]), .s_axi_wdata(in[113:82]), .s_axi_wstrb(in[81:78]),
        .s_axi_wvalid(in[77]), .s_axi_bready(in[76]), .s_axi_araddr(in[75:44]),
        .s_axi_arprot(in[43:41]), .s_axi_arvalid(in[40]), .s_axi_rready(in[39]),
        .s_axis_tdata(in[38:7]), .s_axis_tkeep(in[6:3]), .s_axis_tvalid(in[2]),
        .s_axis_tlast(in[1]), .s_axis_tuser(in[0]), .s_axi_awready(out[80]), .s_axi_wready(out[79]),
        .s_axi_bresp(out[78:77]), .s_axi_bvalid(out[76]), .s_axi_arready(out[75]),
        .s_axi_rdata(out[74:43]), .s_axi_rresp(out[42:41]), .s_axi_rvalid(out[40]),
        .m_axis_tdata(out[39:8]), .m_axis_tkeep(out[7:4]), .m_axis_tvalid(out[3]),
        .m_axis_tlast(out[2]), .m_axis_tuser(out[1]), .irq(out[0])
    );

    reg [8191:0]    dir;
    reg [OUT_W-1:0] value;
    reg [OUT_W-1:0] mask;
    reg [15:0]      in_left;  // cycles for which the inputs of the line stay
    reg [15:0]      out_left;
    integer         in_line;
    integer         out_line;
    integer         in_cycles;  // by the lines of each file
    integer         out_cycles;
    integer         cycle;
    integer         failed;

    initial begin
        clk      = 1'b0;
        in_left  = 16'd0;
        out_left = 16'd0;
        in_line  = 0;
        out_line = 0;
        cycle    = 0;
        failed   = 0;
        if (!$value$plusargs("dir=%s", dir)) begin
            $display("%h ERROR +dir=FOLDER is missing", 64'h`AWGSTAR_TOKEN);
            $finish;
        end
        // What is not read stays 0: a simulator with two states has no X.
        for (in_line = 0; in_line < MAX_LINES; in_line = in_line + 1) begin
            stimulus[in_line] = 0;
            expected[in_line] = 0;
        end
        $readmemh({dir, "/stimulus.hex"}, stimulus);
        $readmemh({dir, "/expect.hex"}, expected);
        in_cycles  = 0;
        out_cycles = 0;
        for (in_line = 0; in_line < MAX_LINES; in_line = in_line + 1) begin
            in_cycles  = in_cycles + {16'd0, stimulus[in_line][16+IN_D-1:IN_D]};
            out_cycles = out_cycles + {16'd0, expected[in_line][16+2*OUT_D-1:2*OUT_D]};
        end
        in_line = 0;
        if (in_cycles == 0 || in_cycles !== out_cycles) begin
            failed = failed + 1;
            $display("FAIL cycles of stimulus.hex=%0d of expect.hex=%0d", in_cycles, out_cycles);
        end
        while (cycle < in_cycles) begin
            if (in_left == 16'd0) begin
                in_left = stimulus[in_line][16+IN_D-1:IN_D];
                in      = stimulus[in_line][IN_W-1:0];
                in_line = in_line + 1;
            end
            if (out_left == 16'd0) begin
                out_left = expected[out_line][16+2*OUT_D-1:2*OUT_D];
                value    = expected[out_line][OUT_D+OUT_W-1:OUT_D];
                mask     = expected[out_line][OUT_W-1:0];
                out_line = out_line + 1;
            end
            #9;
            if (((out ^ value) & mask) !== {OUT_W{1'b0}}) begin
                failed = failed + 1;
                if (failed <= 10)
                    $display("FAIL cycle=%0d expected=%h found=%h mask=%h", cycle, value,
                             out, mask);
            end
            #1 clk = 1'b1;
            #10 clk = 1'b0;
            in_left  = in_left - 16'd1;
            out_left = out_left - 16'd1;
            cycle    = cycle + 1;
        end
        $display("%h RESULT module=smb cycles=%0d failed=%0d", 64'h`AWGSTAR_TOKEN, cycle, failed);
        if (failed != 0 && $test$plusargs("fatal")) $fatal(1, "the design differs from the vector");
        $finish;
    end
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
