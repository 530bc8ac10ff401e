// SPDX-License-Identifier: MIT OR Apache-2.0
// barrier_engine: 8 ring barriers without the host.
//
// Promises: each barrier does what the state machine of the ring barrier does (ENG-4): a node counts
// once in an episode, the process passes when all members are counted or one of them is in the next
// episode, and who is asked answers. A message is done with within 14 cycles, whatever else is to be
// done (ENG-5).
//
// Latency: message offered in cycle t, ev_passed in t + 2; arrive command in t, out_valid in t + 4.
//
// Requirements: ENG-4, ENG-5.
`include "awgstar.vh"
`default_nettype none

module barrier_engine #(
    parameter NODE_W = `AWG_ENGINE_NODE_W // Node_IDs below 2^n take part; 0: no engine
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        enable,
    input  wire [7:0]  cfg_node_id,
    input  wire [1:0]  cfg_order,
    input  wire        tick,

    input  wire        member_we,
    input  wire [5:0]  member_addr,
    input  wire [31:0] member_data,

    input  wire        msg_valid,
    output wire        msg_ready,
    input  wire [2:0]  msg_number,
    input  wire [7:0]  msg_source,
    input  wire [7:0]  msg_node,
    input  wire [15:0] msg_tag,

    input  wire        cmd_valid,
    input  wire [2:0]  cmd_number,
    output wire        cmd_done,
    output wire        cmd_error,

    output wire        out_valid,
    output wire [1:0]  out_order,
    output wire [4:0]  out_c_st,
    output wire [7:0]  out_node_id,
    output wire [79:0] out_data,
    input  wire        out_done,

    output wire        ready,
    output wire [7:0]  waiting,
    output wire        ev_passed
);
    generate if (NODE_W < 0 || NODE_W > 8) begin : g_check
        barrier_engine_NODE_W_must_be_0_to_8 u_error ();
    end endgenerate

    localparam        ON   = NODE_W != 0;
    localparam [2:0]  LAST = NODE_W == 8 ? 3'd7 : NODE_W == 7 ? 3'd3 : NODE_W == 6 ? 3'd1 : 3'd0;
    localparam [31:0] NODES = NODE_W >= 5 ? 32'hFFFF_FFFF : (32'd1 << (1 << NODE_W)) - 32'd1;

    reg [2:0]  state_q, state_d;
    reg [2:0]  number_q, number_d;       // barrier at hand
    reg [2:0]  word_q, word_d;           // and word of its members
    reg [8:0]  sum_q, sum_d;             // members in the words before
    reg        dirty_q, dirty_d;         // a word was written since this walk began
    reg [7:0]  waiting_q, waiting_d;
    reg [63:0] live_q, live_d;           // the word of heard is of this episode; else it counts as 0
    reg [7:0]  queued_q, queued_d;       // an arrival waits to be sent
    reg [2:0]  wr_q, wr_d;
    reg [2:0]  rd_q, rd_d;
    reg [7:0]  age_q, age_d;             // the timer has seen a tick
    reg [7:0]  due_q, due_d;             // it has run out
    reg        out_valid_q, out_valid_d;
    reg [1:0]  out_order_q, out_order_d;
    reg [7:0]  out_node_id_q, out_node_id_d;
    reg [2:0]  out_number_q, out_number_d;
    reg [15:0] out_tag_q, out_tag_d;
    reg        own_q, own_d;             // the process arrives; else a message
    // What is counted is made of: heard_q and member_q come late, out of a memory.
    reg        same_q;                   // the message is of this episode
    reg        next_q;                   // of the next one
    reg        kept_q;                   // the word of heard counts
    reg        takes_q;                  // the node is a member
    reg        first_q;                  // and was not heard
    reg        last_q;                   // it is the last one missing, if any is
    reg [31:0] lacking_q;                // members of the word before that are missing; load: all
    reg        end_q;                    // that was the last word
    reg [31:0] heard_q;
    reg [31:0] member_q;
    reg [31:0] heard  [0:63];            // word w of barrier b at {b, w}
    reg [31:0] member [0:63];
    reg [15:0] episodes [0:7];
    reg [8:0]  missing  [0:7];           // members that are not heard
    reg [8:0]  sizes    [0:7];           // members
    reg [7:0]  asked    [0:7];           // Node_ID of the arrival that waits to be sent
    reg [2:0]  slots    [0:7];           // barriers whose arrivals wait, in order

    wire clearing = state_q == `AWG_BARRIER_ENGINE_CLEAR;
    wire load     = state_q == `AWG_BARRIER_ENGINE_LOAD;
    wire add      = state_q == `AWG_BARRIER_ENGINE_ADD;
    wire look     = state_q == `AWG_BARRIER_ENGINE_LOOK;
    wire judge    = state_q == `AWG_BARRIER_ENGINE_COUNT && !own_q;
    wire arrive   = state_q == `AWG_BARRIER_ENGINE_COUNT && own_q;
    wire scan     = state_q == `AWG_BARRIER_ENGINE_SCAN;

    // ---- One message, or the process' own arrival ----

    wire [15:0] episode   = episodes[number_q];
    wire [15:0] following = episode + 16'd1;
    wire        waits     = waiting_q[number_q];
    wire [4:0]  place     = own_q ? cfg_node_id[4:0] : msg_source[4:0];
    wire        live      = live_q[{number_q, word_q}];
    wire        first_now = member_q[place] && !(live && heard_q[place]); // a node counts once

    always @(posedge clk) begin
        if (look) begin
            same_q  <= !own_q && msg_tag == episode;
            next_q  <= !own_q && msg_tag == following;
            kept_q  <= live;
            takes_q <= member_q[place];
            first_q <= first_now;
            last_q  <= missing[number_q] == {8'd0, first_now};
        end
        if (!ON) {same_q, next_q, kept_q, takes_q, first_q, last_q} <= 6'd0;
    end

    // One in the next episode: all have arrived in this one.
    wire        jump      = judge && waits && next_q;
    wire        outside   = (cfg_node_id >> NODE_W) != 8'd0;
    wire        refused   = arrive && (waits || outside);
    wire        arrives   = arrive && !refused;
    wire        counts    = jump || (judge && same_q) || arrives;
    wire [31:0] old       = kept_q && !jump ? heard_q : 32'd0;
    wire        first     = jump ? takes_q : first_q;
    wire [8:0]  had       = jump ? sizes[number_q] : missing[number_q];
    wire [8:0]  left      = had - {8'd0, first};
    wire        complete  = counts && !jump && last_q && (waits || arrives);
    wire        passes    = jump || complete;
    wire        answers   = judge && msg_node == cfg_node_id && (same_q ? waits : !jump);

    // ---- The lowest member that is missing ----

    function [4:0] lowest;
        input [31:0] bits;
        integer      i;
        begin
            lowest = 5'd0;
            for (i = 31; i >= 0; i = i - 1) if (bits[i]) lowest = i[4:0];
        end
    endfunction

    always @(posedge clk) begin
        lacking_q <= scan ? member_q & ~(live ? heard_q : 32'd0) : load ? member_q : 32'd0;
        end_q     <= scan && word_q == LAST;
        if (!ON) {lacking_q, end_q} <= 33'd0;
        if (rst) end_q <= 1'b0;
    end

    wire       found      = scan && (lacking_q != 32'd0 || end_q);
    wire [2:0] found_word = word_q - 3'd1;

    // ---- Arrivals that wait to be sent ----

    wire       calls     = answers || arrives || found;
    wire       new_asked = calls && (!queued_q[number_q] || found); // an answer leaves a question
    wire [7:0] to_ask    = found && lacking_q != 32'd0 ? {found_word, lowest(lacking_q)}
                                                     : cfg_node_id;
    wire       enters    = calls && !queued_q[number_q];

    wire [2:0] head      = slots[rd_q];
    wire [7:0] asked_now = asked[number_q];

    // ---- Members of a barrier ----

    function [5:0] ones;
        input [31:0] bits;
        integer      i;
        begin
            ones = 6'd0;
            for (i = 0; i < 32; i = i + 1) ones = ones + {5'd0, bits[i]};
        end
    endfunction

    wire [8:0] total    = sum_q + {3'd0, ones(lacking_q)};
    wire       loaded   = add && word_q == LAST;
    wire       new_word = member_we && !enable && !clearing;

    // ---- Memories ----

    // Lowest barrier whose timer has run out.
    wire [4:0] due_lowest = lowest({24'd0, due_q});
    wire       unused_due = &{1'b0, due_lowest[4:3]};

    always @(posedge clk) if (ON) begin
        if (counts) heard[{number_q, word_q}] <= old | (32'd1 << place);
        if (clearing)      member[{number_q, word_q}] <= 32'd0;
        else if (new_word) member[member_addr] <= member_data & NODES;
        if (loaded)      episodes[number_q] <= 16'd0;
        else if (passes) episodes[number_q] <= following;
        if (loaded)      missing[number_q] <= total;
        else if (counts) missing[number_q] <= complete ? sizes[number_q] : left;
        if (loaded) sizes[number_q] <= total;
        if (new_asked) asked[number_q] <= to_ask;
        if (enters) slots[wr_q] <= number_q;
    end

    always @(posedge clk) begin
        heard_q  <= ON ? heard[{number_d, word_d}] : 32'd0;
        member_q <= ON ? member[{number_d, word_d}] : 32'd0;
    end

    // ---- What is done next ----

    integer b;

    always @* begin
        state_d       = state_q;
        number_d      = number_q;
        word_d        = word_q;
        sum_d         = sum_q;
        dirty_d       = dirty_q || new_word;
        waiting_d     = waiting_q;
        live_d        = live_q;
        queued_d      = queued_q;
        wr_d          = wr_q;
        rd_d          = rd_q;
        age_d         = age_q;
        due_d         = due_q;
        out_valid_d   = out_valid_q && !out_done;
        out_order_d   = out_order_q;
        out_node_id_d = out_node_id_q;
        out_number_d  = out_number_q;
        out_tag_d     = out_tag_q;
        own_d         = own_q;

        if (tick) begin
            due_d = due_q | (waiting_q & age_q);
            age_d = ~(waiting_q & age_q);
        end

        for (b = 0; b < 64; b = b + 1) begin
            if (passes && number_q == b[5:3])               live_d[b] = 1'b0;
            if (counts && {number_q, word_q} == b[5:0])     live_d[b] = !complete;
        end
        if (arrives) begin
            waiting_d[number_q] = 1'b1;
            age_d[number_q]     = 1'b0;
            due_d[number_q]     = 1'b0;
        end
        if (passes) begin
            waiting_d[number_q] = 1'b0;
            due_d[number_q]     = 1'b0;
        end
        if (enters) begin
            queued_d[number_q] = 1'b1;
            wr_d               = wr_q + 3'd1;
        end

        case (state_q)
            `AWG_BARRIER_ENGINE_CLEAR: begin
                {number_d, word_d} = {number_q, word_q} + 6'd1;
                if ({number_q, word_q} == 6'd63) state_d = `AWG_BARRIER_ENGINE_LOAD;
                sum_d   = 9'd0;
                dirty_d = 1'b0;
            end

            // While the board is off all is as at the start, and members are counted.
            `AWG_BARRIER_ENGINE_LOAD: state_d = `AWG_BARRIER_ENGINE_ADD;

            `AWG_BARRIER_ENGINE_ADD: begin
                waiting_d = 8'd0;
                live_d    = 64'd0;
                queued_d  = 8'd0;
                due_d     = 8'd0;
                wr_d      = 3'd0;
                rd_d      = 3'd0;
                sum_d     = total;
                word_d    = word_q + 3'd1;
                state_d   = `AWG_BARRIER_ENGINE_LOAD;
                if (loaded) begin
                    sum_d    = 9'd0;
                    word_d   = 3'd0;
                    number_d = number_q + 3'd1;
                    if (number_q == 3'd7) begin
                        dirty_d = new_word;
                        if (enable && !dirty_q) state_d = `AWG_BARRIER_ENGINE_IDLE;
                    end
                end
            end

            `AWG_BARRIER_ENGINE_IDLE: begin
                word_d = 3'd0;
                if (!enable) begin
                    number_d = 3'd0;
                    sum_d    = 9'd0;
                    state_d  = `AWG_BARRIER_ENGINE_LOAD;
                end else if (msg_valid) begin
                    number_d = msg_number;
                    word_d   = msg_source[7:5] & LAST;
                    own_d    = 1'b0;
                    state_d  = `AWG_BARRIER_ENGINE_LOOK;
                end else if (cmd_valid) begin
                    number_d = cmd_number;
                    word_d   = cfg_node_id[7:5] & LAST;
                    own_d    = 1'b1;
                    state_d  = `AWG_BARRIER_ENGINE_LOOK;
                end else if (queued_q != 8'd0 && !out_valid_q) begin
                    number_d = head;
                    state_d  = `AWG_BARRIER_ENGINE_SEND;
                end else if (due_q != 8'd0) begin
                    number_d = due_lowest[2:0];
                    state_d  = `AWG_BARRIER_ENGINE_SCAN;
                end
            end

            `AWG_BARRIER_ENGINE_LOOK:  state_d = `AWG_BARRIER_ENGINE_COUNT;

            // At once if nothing else is to be sent.
            `AWG_BARRIER_ENGINE_COUNT:
                state_d = enters && queued_q == 8'd0 && !out_valid_q ? `AWG_BARRIER_ENGINE_SEND
                                                                     : `AWG_BARRIER_ENGINE_IDLE;

            `AWG_BARRIER_ENGINE_SCAN: begin
                word_d = word_q + 3'd1;
                if (found) begin
                    due_d[number_q] = 1'b0;
                    state_d         = `AWG_BARRIER_ENGINE_IDLE;
                end
            end

            `AWG_BARRIER_ENGINE_SEND: begin
                queued_d[number_q] = 1'b0;
                rd_d               = rd_q + 3'd1;
                out_valid_d        = 1'b1;
                out_order_d        = cfg_order;
                out_node_id_d      = asked_now;
                out_number_d       = number_q;
                out_tag_d          = waits ? episode : episode - 16'd1;
                state_d            = `AWG_BARRIER_ENGINE_IDLE;
            end

            default: ;
        endcase
    end

    always @(posedge clk) begin
        state_q       <= state_d;
        number_q      <= number_d;
        word_q        <= word_d;
        sum_q         <= sum_d;
        dirty_q       <= dirty_d;
        waiting_q     <= waiting_d;
        live_q        <= live_d;
        queued_q      <= queued_d;
        wr_q          <= wr_d;
        rd_q          <= rd_d;
        age_q         <= age_d;
        due_q         <= due_d;
        out_valid_q   <= out_valid_d;
        out_order_q   <= out_order_d;
        out_node_id_q <= out_node_id_d;
        out_number_q  <= out_number_d;
        out_tag_q     <= out_tag_d;
        own_q         <= own_d;
        if (rst || !ON) begin
            state_q     <= `AWG_BARRIER_ENGINE_CLEAR;
            number_q    <= 3'd0;
            word_q      <= 3'd0;
            waiting_q   <= 8'd0;
            live_q      <= 64'd0;
            queued_q    <= 8'd0;
            wr_q        <= 3'd0;
            rd_q        <= 3'd0;
            due_q       <= 8'd0;
            out_valid_q <= 1'b0;
        end
        if (!ON) begin
            sum_q         <= 9'd0;
            dirty_q       <= 1'b0;
            age_q         <= 8'd0;
            out_order_q   <= 2'd0;
            out_node_id_q <= 8'd0;
            out_number_q  <= 3'd0;
            out_tag_q     <= 16'd0;
            own_q         <= 1'b0;
        end
    end

    assign msg_ready = judge || load || add;
    assign cmd_done  = arrive;
    assign cmd_error = refused;

    assign out_valid   = out_valid_q;
    assign out_order   = out_order_q;
    assign out_c_st    = `AWG_C_ST_BARRIER_RING_ARRIVAL;
    assign out_node_id = out_node_id_q;
    // Byte 0 of Data in bits 7:0: {0, barrier_number, tag, big-endian}, then zeros.
    assign out_data    = {48'd0, out_tag_q[7:0], out_tag_q[15:8], 5'd0, out_number_q, 8'd0};

    assign ready     = !clearing;
    assign waiting   = waiting_q;
    assign ev_passed = passes;
endmodule

`default_nettype wire
