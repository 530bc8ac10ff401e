// SPDX-License-Identifier: MIT OR Apache-2.0
// window_inject: writes words of the other ring into the shared memory, beside the board's host.
//
// Promises: each word is written once, in order, also if the board answers late or with an error
// (GWY-6). Words and host take turns when both wait; a request stays until its answer, and only the
// host gets the answers to its requests (GWY-7).
//
// Latency: word in cycle t, request from t + 2 on, a word a cycle while the board takes them and the
// host is silent. A request of the host passes in its own cycle.
//
// Requirements: GWY-6, GWY-7.
`default_nettype none

module window_inject (
    input  wire        clk,
    input  wire        rst,

    input  wire        s_valid,
    output wire        s_ready,
    input  wire [63:0] s_word,   // address, strobes, data

    input  wire        h_valid,
    input  wire        h_write,
    input  wire [31:0] h_addr,
    input  wire [31:0] h_wdata,
    input  wire [3:0]  h_wstrb,
    output wire        h_done,
    output wire        h_error,
    output wire [31:0] h_rdata,

    output wire        req_valid,
    output wire        req_write,
    output wire [31:0] req_addr,
    output wire [31:0] req_wdata,
    output wire [3:0]  req_wstrb,

    input  wire        rsp_valid,
    input  wire        rsp_error,
    input  wire [31:0] rsp_rdata
);
    // The next word: takes what a memory gives, which comes late, and gives it to a register alone.
    reg        more_q, more_d;
    reg [63:0] next_q, next_d;
    reg        full_q, full_d; // there is a word
    reg [63:0] word_q, word_d;
    // Whose the request is: a register, for the way from it through the board is long.
    reg        mine_q, mine_d; // that of the word

    wire waits = req_valid && !rsp_valid;
    wire gone  = mine_q && rsp_valid && !rsp_error; // GWY-6: refused, it is tried again

    wire move  = !full_q || gone;

    assign s_ready = !more_q || move;

    always @* begin
        more_d = more_q;
        next_d = next_q;
        full_d = full_q;
        word_d = word_q;
        if (s_ready) begin
            more_d = s_valid;
            next_d = s_word;
        end
        if (move) begin
            full_d = more_q;
            word_d = next_q;
        end
        // GWY-7: an answer to a word gives the turn to a host that waits.
        mine_d = waits ? mine_q : full_d && !(mine_q && h_valid);
    end

    always @(posedge clk) begin
        more_q <= more_d;
        next_q <= next_d;
        full_q <= full_d;
        word_q <= word_d;
        mine_q <= mine_d;
        if (rst) begin
            more_q <= 1'b0;
            full_q <= 1'b0;
            mine_q <= 1'b0;
        end
    end

    assign req_valid = mine_q || h_valid;
    assign req_write = mine_q || h_write;
    assign req_addr  = mine_q ? {2'b10, word_q[63:36], 2'b00} : h_addr; // HST-2
    assign req_wdata = mine_q ? word_q[31:0] : h_wdata;
    assign req_wstrb = mine_q ? word_q[35:32] : h_wstrb;
    assign h_done    = rsp_valid && !mine_q;
    assign h_error   = rsp_error;
    assign h_rdata   = rsp_rdata;
endmodule

`default_nettype wire
