// SPDX-License-Identifier: MIT OR Apache-2.0
// lock_engine: the ring queue lock in hardware, 16 locks.
//
// Promises: each lock does what the firmware's ring queue does with the same messages, commands and
// returns (ENG-1). What is to be sent waits once for each lock and kind, and its content is that of
// the moment when it goes out (ENG-3). A message is done with 9 cycles after it is offered at the
// latest (ENG-2).
//
// Latency: release in cycle t, out_valid in t + 4; a pass in cycle t, ev_acquired in t + 2.
//
// Requirements: ENG-1, ENG-2, ENG-3.
`include "awgstar.vh"
`default_nettype none

module lock_engine #(
    parameter NODE_W = `AWG_ENGINE_NODE_W // nodes 0 to 2^n - 1 take part; 0: no engine
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        enable,
    input  wire [7:0]  cfg_node_id,
    input  wire [1:0]  cfg_order,
    input  wire [15:0] cfg_first,
    input  wire        tick,

    input  wire        msg_valid,
    output wire        msg_ready,
    input  wire [1:0]  msg_kind,
    input  wire [3:0]  msg_number,
    input  wire [7:0]  msg_node,
    input  wire [15:0] msg_tag,
    input  wire [15:0] msg_epoch,

    input  wire        cmd_valid,
    input  wire        cmd_release,
    input  wire [3:0]  cmd_number,
    output wire        cmd_done,
    output wire        cmd_error,

    output wire        out_valid,
    output wire [1:0]  out_order,
    output wire [4:0]  out_c_st,
    output wire [7:0]  out_node_id,
    output wire [79:0] out_data,
    input  wire        out_done,

    output wire        ready,
    output wire [15:0] held,
    output wire [15:0] asking,
    output wire [15:0] right,
    output wire        ev_acquired
);
    generate if (NODE_W < 0 || NODE_W > 8) begin : g_check
        lock_engine_NODE_W_must_be_0_to_8 u_error ();
    end endgenerate

    localparam       ON      = NODE_W != 0;
    localparam       W       = ON ? NODE_W : 1;
    localparam [1:0] REQUEST = 2'd0; // of msg_kind
    localparam [1:0] PASS    = 2'd1;

    reg [3:0]   state_q, state_d;
    reg [W+3:0] clear_q, clear_d;
    // Of each lock.
    reg [15:0]  held_q, held_d;         // the process is inside
    reg [15:0]  asking_q, asking_d;     // it waits; the timer of its request runs
    reg [15:0]  right_q, right_d;       // ownership is here
    reg [15:0]  given_q, given_d;       // it was given away from here, and no newer pass is known
    reg [15:0]  passing_q, passing_d;   // the timer of that pass runs
    reg [15:0]  tags    [0:15];         // number of the last request
    reg [15:0]  epochs  [0:15];         // number of the last pass known
    reg [W+15:0] givens [0:15];         // {node, number of its request} that it was given to
    // What is being done.
    reg [3:0]   lock_q, lock_d;
    reg         pass_q, pass_d;         // a pass, not a request
    reg [W-1:0] node_q, node_d;
    reg [15:0]  tag_q, tag_d;
    reg [15:0]  epoch_q, epoch_d;
    reg         waits_q;                // the node waits
    reg         ahead_q, behind_q;      // its number against the newest known of the node
    reg         later_q;                // no pass of this number was known
    // Slots that wait to be sent: requests 0 to 15, passes 16 to 31.
    reg [31:0]  want_q, want_d;
    reg [31:0]  age_q, age_d;           // a tick has gone by
    reg [5:0]   wr_q, wr_d;
    reg [5:0]   rd_q, rd_d;
    reg [4:0]   slots [0:31];
    reg         tick_q, tick_d;         // a walk over the timers is due
    reg         walk_on_q, walk_on_d;
    reg [4:0]   walk_q, walk_d;
    reg         fired_q;                // the timer of this slot has ended
    reg [4:0]   fired_slot_q;
    // The message that is being sent.
    reg         out_valid_q, out_valid_d;
    reg         out_pass_q, out_pass_d;
    reg [3:0]   out_lock_q, out_lock_d;
    reg [1:0]   out_order_q, out_order_d;
    reg [7:0]   out_node_q, out_node_d;
    reg [15:0]  out_tag_q, out_tag_d;
    reg [15:0]  out_epoch_q, out_epoch_d;
    reg         done_q, done_d;         // a pass has returned

    wire clear   = state_q == `AWG_LOCK_ENGINE_CLEAR;
    wire idle    = state_q == `AWG_LOCK_ENGINE_IDLE;
    wire act     = state_q == `AWG_LOCK_ENGINE_ACT;
    wire pop     = state_q == `AWG_LOCK_ENGINE_POP;
    wire give    = state_q == `AWG_LOCK_ENGINE_GIVE;
    wire command = state_q == `AWG_LOCK_ENGINE_COMMAND;

    // ---- The lock at hand ----

    wire [15:0]  tag     = tags[lock_q];
    wire [15:0]  epoch   = epochs[lock_q];
    wire [W+15:0] given  = givens[lock_q];
    wire         is_held = held_q[lock_q];
    wire         asks    = asking_q[lock_q];
    wire         is_here = right_q[lock_q];

    // Nodes that take part.
    wire takes_part = cfg_node_id >> W == 8'd0;
    wire mine       = takes_part && node_q == cfg_node_id[W-1:0];
    wire taken      = msg_valid && enable && msg_node >> W == 8'd0
                   && (msg_kind == REQUEST || msg_kind == PASS);

    // Numbers are modulo 65,536: the half ahead is newer.
    function newer;
        input [15:0] a;
        input [15:0] b;
        reg          old;
        reg   [14:0] unused;
        begin
            {old, unused} = a - b;
            newer         = a != b && !old;
        end
    endfunction

    // ---- Lists ----

    wire         known, waiting, some;
    wire [15:0]  newest;
    wire [W-1:0] head;

    wire new_request = act && !pass_q && ahead_q;
    wire served      = act && pass_q && waits_q && !behind_q;

    request_list #(
        .NODE_W (W)
    ) u_list (
        .clk           (clk),
        .rst           (rst),
        .clear         (clear && ON),
        .clear_address (clear_q),
        .read          ((idle && taken) || command || pop),
        .read_lock     (idle ? msg_number : lock_q),
        .read_node     (idle ? msg_node[W-1:0] : head),
        .known         (known),
        .waiting       (waiting),
        .newest        (newest),
        .lock          (lock_q),
        .node          (node_q),
        .learn         (give || (act && (pass_q || ahead_q))),
        .learn_waiting (new_request || (act && waits_q && behind_q)),
        .learn_tag     (act && ahead_q ? tag_q : newest),
        .unlink        (give || served || (new_request && waits_q)),
        .append        (state_q == `AWG_LOCK_ENGINE_APPEND),
        .some          (some),
        .head          (head)
    );

    // ---- Protocol ----

    wire refused = !enable || !takes_part || (cmd_release ? !is_held : is_held || asks);
    wire acquire = command && !refused && !cmd_release;
    wire newly   = act && pass_q && later_q;   // a pass that was not known
    wire comes   = newly && mine;
    wire answers = comes && asks && tag_q == tag;
    // The process gets the lock: it is here, it comes to this request, or nobody else waits.
    wire enter   = (acquire && is_here) || answers || (pop && !some && asks);
    wire ask     = acquire && !is_here;

    // ---- Sends and timers ----

    wire        empty    = wr_q == rd_q;
    wire [4:0]  first    = slots[rd_q[4:0]];
    wire [31:0] running  = {passing_q, asking_q};
    wire        walks    = idle && !msg_valid && !cmd_valid && !done_q
                        && (empty || out_valid_q) && walk_on_q;
    wire        fires    = walks && running[walk_q] && age_q[walk_q];
    wire        again    = act && !pass_q && !ahead_q && given_q[lock_q];
    wire        put_pass = give || again;
    // Idle follows a step of the walk: a slot that has fired is put in alone.
    wire        put      = ask || put_pass || fired_q;
    wire [4:0]  put_slot = fired_q ? fired_slot_q : {!command, lock_q};
    // Nothing else is to be sent: not by way of the FIFO.
    wire        direct   = (ask || put_pass) && empty && !out_valid_q && !done_q;
    wire        push     = put && !want_q[put_slot] && !direct;

    always @* begin
        state_d     = state_q;
        clear_d     = clear_q;
        held_d      = held_q;
        asking_d    = asking_q;
        right_d     = right_q;
        given_d     = given_q;
        passing_d   = passing_q;
        lock_d      = lock_q;
        pass_d      = pass_q;
        node_d      = node_q;
        tag_d       = tag_q;
        epoch_d     = epoch_q;
        want_d      = want_q;
        age_d       = age_q;
        wr_d        = wr_q;
        rd_d        = rd_q;
        tick_d      = tick_q || (tick && ON);
        walk_on_d   = walk_on_q;
        walk_d      = walk_q;
        out_valid_d = out_valid_q && !out_done;
        out_pass_d  = out_pass_q;
        out_lock_d  = out_lock_q;
        out_order_d = out_order_q;
        out_node_d  = out_node_q;
        out_tag_d   = out_tag_q;
        out_epoch_d = out_epoch_q;
        done_d      = done_q || (out_valid_q && out_done && out_pass_q);

        case (state_q)
            `AWG_LOCK_ENGINE_CLEAR: if (ON) begin
                clear_d = clear_q + {{(W + 3){1'b0}}, 1'b1};
                if (&clear_q) state_d = `AWG_LOCK_ENGINE_IDLE;
            end

            `AWG_LOCK_ENGINE_IDLE: if (msg_valid) begin
                lock_d  = msg_number;
                pass_d  = msg_kind == PASS;
                node_d  = msg_node[W-1:0];
                tag_d   = msg_tag;
                epoch_d = msg_epoch;
                if (taken) state_d = `AWG_LOCK_ENGINE_LOOK;
            end else if (cmd_valid) begin
                lock_d  = cmd_number;
                state_d = `AWG_LOCK_ENGINE_COMMAND;
            end else if (done_q) begin
                lock_d  = out_lock_q;
                state_d = `AWG_LOCK_ENGINE_RETURN;
            end else if (!empty && !out_valid_q) begin
                {pass_d, lock_d} = first;
                want_d[first]    = 1'b0;
                rd_d             = rd_q + 6'd1;
                state_d          = `AWG_LOCK_ENGINE_LOAD;
            end

            `AWG_LOCK_ENGINE_LOOK: state_d = `AWG_LOCK_ENGINE_ACT;

            `AWG_LOCK_ENGINE_ACT: begin
                state_d = `AWG_LOCK_ENGINE_IDLE;
                if (new_request)       state_d = `AWG_LOCK_ENGINE_APPEND;
                if (comes && !answers) state_d = `AWG_LOCK_ENGINE_POP;
            end

            // A request that finds the lock here and unused is served at once.
            `AWG_LOCK_ENGINE_APPEND:
                state_d = is_here && !is_held && !asks ? `AWG_LOCK_ENGINE_POP
                                                       : `AWG_LOCK_ENGINE_IDLE;

            `AWG_LOCK_ENGINE_POP: begin
                node_d  = head;
                state_d = some ? `AWG_LOCK_ENGINE_GIVE : `AWG_LOCK_ENGINE_IDLE;
            end

            `AWG_LOCK_ENGINE_GIVE: state_d = `AWG_LOCK_ENGINE_IDLE;

            `AWG_LOCK_ENGINE_COMMAND: begin
                node_d  = head;
                state_d = `AWG_LOCK_ENGINE_IDLE;
                if (!refused && cmd_release) begin
                    held_d[lock_q] = 1'b0;
                    if (some) state_d = `AWG_LOCK_ENGINE_GIVE;
                end
            end

            // The newest content; what is out of date is not sent.
            `AWG_LOCK_ENGINE_LOAD: begin
                state_d     = `AWG_LOCK_ENGINE_IDLE;
                out_valid_d = pass_q ? given_q[lock_q] : asks;
                out_pass_d  = pass_q;
                out_lock_d  = lock_q;
                out_order_d = pass_q ? cfg_order : `AWG_ORDER_NONE;
                out_node_d  = cfg_node_id;
                out_tag_d   = tag;
                out_epoch_d = 16'd0;
                if (pass_q) begin
                    out_node_d = 8'd0;
                    {out_node_d[W-1:0], out_tag_d} = given;
                    out_epoch_d = epoch;
                end
            end

            `AWG_LOCK_ENGINE_RETURN: begin
                state_d = `AWG_LOCK_ENGINE_IDLE;
                done_d  = 1'b0;
                if (out_epoch_q == epoch) passing_d[lock_q] = 1'b0;
            end

            default: ;
        endcase

        if (direct) begin
            state_d = `AWG_LOCK_ENGINE_LOAD;
            pass_d  = !command;
        end

        if (newly) begin
            given_d[lock_q]   = 1'b0;
            passing_d[lock_q] = 1'b0;
        end
        if (comes) right_d[lock_q] = 1'b1;
        if (give) begin
            right_d[lock_q] = 1'b0;
            given_d[lock_q] = 1'b1;
        end
        if (enter) begin
            held_d[lock_q]   = 1'b1;
            asking_d[lock_q] = 1'b0;
        end
        if (ask)      asking_d[lock_q]  = 1'b1;
        if (put_pass) passing_d[lock_q] = 1'b1;
        if (ON && !enable) right_d = cfg_first;

        if (walks) begin
            age_d[walk_q] = 1'b1;
            walk_d        = walk_q + 5'd1;
            if (walk_q == 5'd31) walk_on_d = 1'b0;
        end
        if (tick_q && !walk_on_q) begin
            walk_on_d = 1'b1;
            tick_d    = tick && ON;
        end
        if (put)  age_d[put_slot]  = 1'b0; // its timer starts
        if (push) begin
            want_d[put_slot] = 1'b1;
            wr_d             = wr_q + 6'd1;
        end
    end

    // ---- Memories ----

    wire tags_we   = (clear && ON) || ask;
    wire epochs_we = (clear && ON) || give || newly;
    wire givens_we = (clear && ON) || give;
    wire [3:0] word = clear ? clear_q[3:0] : lock_q;

    always @(posedge clk) begin
        if (tags_we)   tags[word]   <= clear ? 16'd0 : tag + 16'd1;
        if (epochs_we) epochs[word] <= clear ? 16'd0 : give ? epoch + 16'd1 : epoch_q;
        if (givens_we) givens[word] <= clear ? {(W + 16){1'b0}} : {node_q, newest};
        if (push)      slots[wr_q[4:0]] <= put_slot;
    end

    always @(posedge clk) begin
        state_q     <= state_d;
        clear_q     <= clear_d;
        held_q      <= held_d;
        asking_q    <= asking_d;
        right_q     <= right_d;
        given_q     <= given_d;
        passing_q   <= passing_d;
        lock_q      <= lock_d;
        pass_q      <= pass_d;
        node_q      <= node_d;
        tag_q       <= tag_d;
        epoch_q     <= epoch_d;
        want_q      <= want_d;
        age_q       <= age_d;
        wr_q        <= wr_d;
        rd_q        <= rd_d;
        tick_q      <= tick_d;
        walk_on_q   <= walk_on_d;
        walk_q      <= walk_d;
        out_valid_q <= out_valid_d;
        out_pass_q  <= out_pass_d;
        out_lock_q  <= out_lock_d;
        out_order_q <= out_order_d;
        out_node_q  <= out_node_d;
        out_tag_q   <= out_tag_d;
        out_epoch_q <= out_epoch_d;
        done_q      <= done_d;
        fired_q     <= fires;
        if (fires) fired_slot_q <= walk_q;
        // Not in ACT: what is read comes late, out of a memory.
        if (state_q == `AWG_LOCK_ENGINE_LOOK) begin
            waits_q  <= waiting;
            ahead_q  <= !known || newer(tag_q, newest);
            behind_q <= newer(newest, tag_q);
            later_q  <= newer(epoch_q, epoch);
        end
        if (rst) begin
            state_q     <= `AWG_LOCK_ENGINE_CLEAR;
            clear_q     <= {(W + 4){1'b0}};
            held_q      <= 16'd0;
            asking_q    <= 16'd0;
            right_q     <= 16'd0;
            given_q     <= 16'd0;
            passing_q   <= 16'd0;
            want_q      <= 32'd0;
            age_q       <= 32'd0;
            wr_q        <= 6'd0;
            rd_q        <= 6'd0;
            tick_q      <= 1'b0;
            walk_on_q   <= 1'b0;
            walk_q      <= 5'd0;
            fired_q     <= 1'b0;
            out_valid_q <= 1'b0;
            done_q      <= 1'b0;
        end
    end

    assign msg_ready   = idle;
    assign cmd_done    = command;
    assign cmd_error   = command && refused;
    assign out_valid   = out_valid_q;
    assign out_order   = out_order_q;
    assign out_c_st    = out_pass_q ? `AWG_C_ST_LOCK_QUEUE_PASS : `AWG_C_ST_LOCK_QUEUE_REQUEST;
    assign out_node_id = out_node_q;
    // Big-endian values, byte 0 in the lowest bits (SIG-2).
    assign out_data    = {out_epoch_q[7:0], out_epoch_q[15:8], 4'd0, out_lock_q, 24'd0,
                          out_tag_q[7:0], out_tag_q[15:8], 16'd0};
    assign ready       = !clear;
    assign held        = held_q;
    assign asking      = asking_q;
    assign right       = right_q;
    assign ev_acquired = enter && ON;
endmodule

`default_nettype wire
