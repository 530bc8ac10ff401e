`include "awgstar.vh"
`default_nettype none
module node_counters (
    input wire clk, input wire rst, input wire [15:0] events, input wire [3:0] addr, output wire [31:0] data
);
    reg [3:0] scan_q; reg clear_q; reg [79:0] pending_q, pending_d; reg [31:0] data_q; reg [31:0] mem [0:15];
    wire [4:0] count = pending_q[scan_q*5 +: 5];
    integer k;
    always @* begin
        pending_d = pending_q;
        for (k = 0; k < 16; k = k + 1)
            pending_d[k*5 +: 5] = (scan_q == k[3:0] && !clear_q ? 5'd0 : pending_q[k*5 +: 5]) + {4'd0, events[k]};
    end
    always @(posedge clk) begin
        mem[scan_q] <= clear_q ? 32'd0 : mem[scan_q] + {27'd0, count};
        data_q <= mem[addr];
    end
    always @(posedge clk) begin
        scan_q <= scan_q + 4'd1; clear_q <= clear_q && scan_q != 4'd15; pending_q <= pending_d;
        if (rst) begin scan_q <= 0; clear_q <= 1; pending_q <= 0; end
    end
    assign data = data_q;
endmodule
`default_nettype wire
