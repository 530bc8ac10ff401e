`default_nettype none
module order_gate #(parameter WORDS_W = 10) (
    input  wire clk, input wire rst, input wire req, input wire grant,
    input  wire [WORDS_W-1:0] words, input wire pop, output wire open
);
    reg pending_q, pending_d;
    reg [WORDS_W-1:0] ahead_q, ahead_d;
    wire [WORDS_W-1:0] one = {{(WORDS_W-1){1'b0}}, pop};
    always @* begin
        pending_d = req && !grant;
        ahead_d = ahead_q;
        if (!pending_q) begin if (req) ahead_d = words - one; end
        else if (ahead_q != 0) ahead_d = ahead_q - one;
    end
    always @(posedge clk) begin
        pending_q <= pending_d; ahead_q <= ahead_d;
        if (rst) pending_q <= 1'b0;
    end
    assign open = pending_q && ahead_q == 0;
endmodule
`default_nettype wire
