// SPDX-License-Identifier: MIT OR Apache-2.0
// link_control: makes the board known to all and is the monitor of the ring when it is its turn.
//
// Promises: data and signals leave after a sync that has returned (MON-2). Among boards that hear
// each other one stays active, that with the lowest MAC (MON-3, MON-4). A census never counts a
// token twice, and only four short ones in a row make tokens (MON-5).
//
// Latency: one control token at a time; its verdict acts in the cycle behind its return.
//
// Requirements: MON-1, MON-2, MON-3, MON-4, MON-5.
`include "awgstar.vh"
`default_nettype none

module link_control (
    input  wire        clk,
    input  wire        rst,

    input  wire        enable,
    input  wire [7:0]  cfg_node_id,
    input  wire [7:0]  cfg_tokens,
    input  wire [23:0] cfg_timeout,
    input  wire [23:0] cfg_period,

    output wire        c_hdr_valid,
    input  wire        c_hdr_ready,
    output wire [4:0]  c_hdr_c_st,
    output wire [7:0]  c_hdr_packet_cnt,

    input  wire        ret_valid,
    input  wire        ret_good,
    input  wire [2:0]  ret_token,
    input  wire [4:0]  ret_c_st,
    input  wire [7:0]  ret_packet_cnt,

    input  wire        monitor_seen,
    input  wire        monitor_lower,
    input  wire [7:0]  monitor_count,

    input  wire        token_seen,
    input  wire        buffered,
    input  wire [7:0]  held,
    input  wire        ev_discarded,

    output wire        issue,
    output wire        discard,

    output wire        synced,
    output wire        active,

    output wire        ev_added,
    output wire        ev_removed,
    output wire        ev_role,
    output wire        ret_hit
);
    localparam [8:0] QUIET_MIN = 9'd4; // periods of silence, and Node_ID more (MON-3)
    localparam [8:0] QUIET_MAX = 9'd511;
    localparam [1:0] ROW = 2'd3; // censuses that found as much before the one that acts

    reg [2:0]  state_q, state_d;
    reg [7:0]  count_q, count_d;       // Packet_Cnt of the next control token
    reg [23:0] timer_q, timer_d;       // cycles in flight
    reg        synced_q, synced_d;
    reg        active_q, active_d;
    reg [23:0] period_q, period_d;
    reg        due_q, due_d;           // a heartbeat is due
    reg [8:0]  quiet_q, quiet_d;       // periods without a heartbeat of another
    reg [8:0]  limit_q;                // as many, and a standby becomes active
    reg [7:0]  beat_q, beat_d;         // Packet_Cnt of the last one
    reg        token_q;                // token_seen of the cycle before
    reg [7:0]  seen_q, seen_d;         // tokens counted by this census
    reg        clean_q, clean_d;       // no frame waited when it began: it counts
    reg [1:0]  short_q, short_d;       // censuses in a row that found too few
    reg [1:0]  over_q, over_d;         // too many
    reg [7:0]  best_q, best_d;         // the most they found
    reg [7:0]  add_q, add_d;           // tokens still to be issued
    reg        discard_q, discard_d;   // one is to go

    wire       syncing  = state_q == `AWG_LINK_CONTROL_SYNCING;
    wire       beat     = state_q == `AWG_LINK_CONTROL_BEAT;
    wire       census   = state_q == `AWG_LINK_CONTROL_CENSUS;
    wire [4:0] c_st     = beat || census ? `AWG_C_ST_CONTROL_MONITOR : `AWG_C_ST_CONTROL_SYNC;
    wire       back     = ret_valid && ret_good && ret_token == `AWG_TOKEN_CONTROL
                       && ret_c_st == c_st && ret_packet_cnt == count_q;
    wire       lost     = (ret_valid && !ret_good) || timer_q >= cfg_timeout;
    wire       returned = (syncing || census) && back;

    // ---- Census (MON-5) ----

    // The return is reported one cycle behind the decision on a frame that follows at once: a token
    // counts a cycle late and not in the cycle of the return, or those behind it would count, too.
    wire [7:0] best  = short_q == 2'd0 || seen_q > best_q ? seen_q : best_q;
    wire       judge = census && back && clean_q && active_q && !ev_discarded;

    // ---- Periods (MON-3, MON-4) ----

    wire tick      = synced_q && period_q >= cfg_period;
    wire take_over = tick && !active_q && quiet_q >= limit_q;
    // A heartbeat whose monitor died goes round for ever: the same one again is no sign of life.
    wire fresh     = monitor_seen && !active_q && monitor_count != beat_q;
    wire give_up   = monitor_seen && active_q && monitor_lower;

    always @* begin
        state_d   = state_q;
        count_d   = count_q;
        timer_d   = timer_q;
        synced_d  = synced_q;
        active_d  = active_q;
        period_d  = period_q;
        due_d     = due_q;
        quiet_d   = quiet_q;
        beat_d    = beat_q;
        seen_d    = seen_q;
        clean_d   = clean_q;
        short_d   = short_q;
        over_d    = over_q;
        best_d    = best_q;
        add_d     = issue ? add_q - 8'd1 : add_q;
        discard_d = discard_q && !ev_discarded;

        case (state_q)
            `AWG_LINK_CONTROL_OFF: if (enable) state_d = `AWG_LINK_CONTROL_SYNC;

            `AWG_LINK_CONTROL_SYNC: if (c_hdr_ready) begin
                state_d = `AWG_LINK_CONTROL_SYNCING;
                timer_d = 24'd0;
            end

            `AWG_LINK_CONTROL_SYNCING: begin
                if (back) begin // MON-2
                    synced_d = 1'b1;
                    count_d  = count_q + 8'd1;
                    state_d  = `AWG_LINK_CONTROL_READY;
                end else if (lost) begin
                    count_d = count_q + 8'd1;
                    state_d = `AWG_LINK_CONTROL_SYNC;
                end else begin
                    timer_d = timer_q + 24'd1;
                end
            end

            `AWG_LINK_CONTROL_READY: if (due_q && active_q) begin
                state_d = `AWG_LINK_CONTROL_BEAT;
                due_d   = 1'b0;
            end

            `AWG_LINK_CONTROL_BEAT: if (c_hdr_ready) begin
                state_d = `AWG_LINK_CONTROL_CENSUS;
                timer_d = 24'd0;
                seen_d  = held;
                // Tokens behind which it leaves would be counted twice; one dropped is not there.
                clean_d = !buffered && !ev_discarded;
            end

            `AWG_LINK_CONTROL_CENSUS: begin
                if (token_q && seen_q != 8'd255) seen_d = seen_q + 8'd1;
                if (ev_discarded) clean_d = 1'b0;
                if (back || lost) begin
                    count_d = count_q + 8'd1;
                    state_d = `AWG_LINK_CONTROL_READY;
                end else begin
                    timer_d = timer_q + 24'd1;
                end
            end

            default: ;
        endcase

        if (judge) begin
            over_d = 2'd0;
            if (seen_q > cfg_tokens) begin
                over_d = over_q + 2'd1; // 0 again behind the last
                if (over_q == ROW) discard_d = 1'b1;
            end
            if (seen_q >= cfg_tokens) begin
                short_d = 2'd0;
            end else begin
                best_d  = best;
                short_d = short_q + 2'd1; // 0 again behind the last
                if (short_q == ROW) add_d = cfg_tokens - best;
            end
        end

        if (synced_q) period_d = tick ? 24'd0 : period_q + 24'd1;

        if (tick && active_q) due_d = 1'b1;
        if (monitor_seen) beat_d = monitor_count;
        if (fresh) begin
            quiet_d = 9'd0;
        end else if (take_over) begin
            active_d = 1'b1;
            quiet_d  = 9'd0;
            due_d    = 1'b1;
            short_d  = 2'd0;
            over_d   = 2'd0;
        end else if (tick && !active_q && quiet_q != QUIET_MAX) begin
            quiet_d = quiet_q + 9'd1;
        end
        if (give_up) begin // a standby makes and drops no tokens
            active_d  = 1'b0;
            quiet_d   = 9'd0;
            due_d     = 1'b0;
            add_d     = 8'd0;
            discard_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        state_q   <= state_d;
        count_q   <= count_d;
        timer_q   <= timer_d;
        synced_q  <= synced_d;
        active_q  <= active_d;
        period_q  <= period_d;
        due_q     <= due_d;
        quiet_q   <= quiet_d;
        limit_q   <= QUIET_MIN + {1'b0, cfg_node_id}; // fixed once the board is enabled, before any period
        beat_q    <= beat_d;
        token_q   <= token_seen;
        seen_q    <= seen_d;
        clean_q   <= clean_d;
        short_q   <= short_d;
        over_q    <= over_d;
        best_q    <= best_d;
        add_q     <= add_d;
        discard_q <= discard_d;
        if (rst) begin
            state_q   <= `AWG_LINK_CONTROL_OFF;
            count_q   <= 8'd0;
            timer_q   <= 24'd0;
            synced_q  <= 1'b0;
            active_q  <= 1'b0;
            period_q  <= 24'd0;
            due_q     <= 1'b0;
            quiet_q   <= 9'd0;
            beat_q    <= 8'd0;
            short_q   <= 2'd0;
            over_q    <= 2'd0;
            add_q     <= 8'd0;
            discard_q <= 1'b0;
            token_q   <= 1'b0;
        end
    end

    assign c_hdr_valid      = state_q == `AWG_LINK_CONTROL_SYNC || beat;
    assign c_hdr_c_st       = beat ? `AWG_C_ST_CONTROL_MONITOR : `AWG_C_ST_CONTROL_SYNC;
    assign c_hdr_packet_cnt = count_q;
    assign issue            = add_q != 8'd0;
    assign discard          = discard_q;
    assign synced           = synced_q;
    assign active           = active_q;
    assign ev_added         = issue;
    assign ev_removed       = ev_discarded;
    assign ev_role          = active_d != active_q;
    assign ret_hit          = returned;
endmodule

`default_nettype wire
