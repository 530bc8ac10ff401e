// Runs a saturated ring for +cycles=N clock cycles (reset in the first 4 of them) and prints the
// counters of every node. For measuring simulators, and for comparing a run with the model.
`default_nettype none

module tb_ring_speed;
    parameter NODES  = 4;
    parameter FIBRE  = 0;
    parameter TOKENS = 1;
    parameter MODE   = 0;
    parameter LEN    = 1024;
    parameter GAP    = 0;

    reg     clk, rst, report;
    integer cycles, cycle;

    ring #(
        .NODES  (NODES),
        .FIBRE  (FIBRE),
        .TOKENS (TOKENS),
        .MODE   (MODE),
        .LEN    (LEN),
        .GAP    (GAP)
    ) u_ring (
        .clk    (clk),
        .rst    (rst),
        .report (report)
    );

    initial begin
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 10000;
        clk    = 1'b0;
        rst    = 1'b1;
        report = 1'b0;
        for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (cycle == 3) rst = 1'b0;
        end
        #1 $display("nodes %0d fibre %0d tokens %0d mode %0d len %0d gap %0d cycles %0d",
                    NODES, FIBRE, TOKENS, MODE, LEN, GAP, cycles);
        report = 1'b1;
        #1 $finish;
    end
endmodule

`default_nettype wire
