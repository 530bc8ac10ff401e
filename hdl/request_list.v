// SPDX-License-Identifier: MIT OR Apache-2.0
// request_list: for each of 16 locks the nodes that wait, in order, and the newest request known of
// every node.
//
// Promises: a node is in a list once at most; it joins at the end and leaves from any place (ENG-1).
// read is never in the cycle of another operation, and unlink and append are for the node that was
// read last.
//
// Latency: read in cycle t, its entry and its neighbours from t + 1 until the next read.
//
// Requirements: ENG-1, ENG-2.
`default_nettype none

module request_list #(
    parameter NODE_W = 1 // nodes 0 to 2^n - 1
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              clear,
    input  wire [NODE_W+3:0] clear_address,

    input  wire              read,
    input  wire [3:0]        read_lock,
    input  wire [NODE_W-1:0] read_node,
    output wire              known,
    output wire              waiting,
    output wire [15:0]       newest,

    input  wire [3:0]        lock,
    input  wire [NODE_W-1:0] node,
    input  wire              learn,
    input  wire              learn_waiting,
    input  wire [15:0]       learn_tag,
    input  wire              unlink,
    input  wire              append,
    output wire              some,
    output wire [NODE_W-1:0] head
);
    generate if (NODE_W < 1 || NODE_W > 8) begin : g_check
        request_list_NODE_W_must_be_1_to_8 u_error ();
    end endgenerate

    localparam ADDR_W = NODE_W + 4;

    reg [15:0]         some_q, some_d;     // a node waits
    reg [17:0]         entry_q;
    reg [NODE_W-1:0]   before_q, after_q;  // neighbours in the list
    reg [17:0]         entries [0:(1 << ADDR_W) - 1]; // {known, waiting, newest request}
    reg [NODE_W-1:0]   befores [0:(1 << ADDR_W) - 1];
    reg [NODE_W-1:0]   afters  [0:(1 << ADDR_W) - 1];
    reg [NODE_W-1:0]   heads   [0:15];     // first node, last node
    reg [NODE_W-1:0]   tails   [0:15];

    wire [ADDR_W-1:0] read_at = {read_lock, read_node};
    wire [ADDR_W-1:0] at      = {lock, node};

    wire [NODE_W-1:0] tail = tails[lock];
    assign head = heads[lock];
    wire first = node == head;
    wire last  = node == tail;

    // ---- Writes ----

    wire              entry_we   = clear || learn;
    wire [ADDR_W-1:0] entry_at   = clear ? clear_address : at;
    wire [17:0]       entry_data = clear ? 18'd0 : {1'b1, learn_waiting, learn_tag};

    wire              after_we   = clear || (unlink && !first) || (append && some);
    wire [ADDR_W-1:0] after_at   = clear ? clear_address : {lock, unlink ? before_q : tail};
    wire [NODE_W-1:0] after_data = clear ? {NODE_W{1'b0}} : unlink ? after_q : node;

    wire              before_we   = clear || (unlink && !last) || (append && some);
    wire [ADDR_W-1:0] before_at   = clear ? clear_address : {lock, unlink ? after_q : node};
    wire [NODE_W-1:0] before_data = clear ? {NODE_W{1'b0}} : unlink ? before_q : tail;

    wire              ends_we = clear || unlink || append;
    wire [3:0]        ends_at = clear ? clear_address[3:0] : lock;
    reg [2*NODE_W-1:0] ends_data;

    always @* begin
        some_d    = some_q;
        ends_data = {some ? head : node, node};
        if (append) some_d[lock] = 1'b1;
        if (unlink) begin
            ends_data = {first ? after_q : head, last ? before_q : tail};
            if (first && last) some_d[lock] = 1'b0;
        end
        if (clear) ends_data = {(2 * NODE_W){1'b0}};
    end

    always @(posedge clk) begin
        if (entry_we) entries[entry_at] <= entry_data;
        if (read)     entry_q           <= entries[read_at];
    end

    always @(posedge clk) begin
        if (after_we) afters[after_at] <= after_data;
        if (read)     after_q          <= afters[read_at];
    end

    always @(posedge clk) begin
        if (before_we) befores[before_at] <= before_data;
        if (read)      before_q           <= befores[read_at];
    end

    always @(posedge clk) begin
        if (ends_we) {heads[ends_at], tails[ends_at]} <= ends_data;
    end

    always @(posedge clk) begin
        some_q <= some_d;
        if (rst) some_q <= 16'd0;
    end

    assign {known, waiting, newest} = entry_q;
    assign some = some_q[lock];
endmodule

`default_nettype wire
