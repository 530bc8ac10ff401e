// SPDX-License-Identifier: MIT OR Apache-2.0
// tx_arbiter: holds the tokens and decides what goes out next: data, a signal or a free token.
//
// Promises: at most one grant in a cycle, at a boundary of the link and with room in the insertion
// buffer for what may arrive meanwhile (NODE-9). Data and free tokens go out against a token in
// hand only; the number of tokens changes by those that come, go, are issued and are discarded
// (NODE-13, NODE-23).
//
// Latency: none; grants follow the ports and the registers within the cycle, a length by one.
//
// Requirements: NODE-9, NODE-11, NODE-12, NODE-13, NODE-14, NODE-15, NODE-21, NODE-23.
`include "awgstar.vh"
`default_nettype none

module tx_arbiter #(
    parameter WORDS_W   = 10,            // width of the word count; DEPTH is 2^(WORDS_W - 1)
    parameter TOKEN_RUN = `AWG_TOKEN_RUN // data frames in a row before a free token goes on
) (
    input  wire               clk,
    input  wire               rst,

    input  wire               token_in,
    input  wire               free_passed,
    input  wire               issue,
    input  wire               discard,
    input  wire               refused,

    input  wire               data_valid,
    input  wire [10:0]        data_len,
    input  wire               data_pending,
    input  wire               data_open,
    input  wire               signal_valid,
    input  wire [10:0]        signal_len,
    input  wire               signal_pending,
    input  wire               signal_open,
    input  wire               boundary,
    input  wire               tx_ready,
    input  wire [WORDS_W-1:0] words,
    input  wire               push,
    input  wire               pop,

    output wire               take_free,
    output wire               pick_data,
    output wire               pick_signal,
    output wire               grant_data,
    output wire               grant_signal,
    output wire               grant_free,
    output wire [8:0]         grant_cycles,
    output wire [7:0]         held,
    output wire               ev_token_overflow,
    output wire               ev_discarded
);
    localparam [8:0]  LEAD       = 9'd2;  // cycles of a frame's window beyond its words
    localparam [9:0]  MARGIN     = `AWG_INSERT_MARGIN;
    localparam [8:0]  MORE       = MARGIN[8:0] - 9'd1; // a full buffer refuses a word
    localparam [8:0]  WORDS_MIN  = 9'd16;  // 64 bytes
    localparam [8:0]  WORDS_MAX  = 9'd261; // 1,042 bytes
    localparam [8:0]  CYCLES_MIN = WORDS_MIN + MORE;
    localparam [8:0]  CYCLES_MAX = WORDS_MAX + MORE;
    localparam [WORDS_W-2:0] LAST = {(WORDS_W - 1){1'b1}};
    // Bytes that round a frame of `len` bytes of Data up to whole words: header, FCS and 3 more.
    localparam [10:0] OVERHEAD   = `AWG_HEADER_BYTES + `AWG_FCS_BYTES + 11'd3;
    localparam [16:0] DEPTH      = 17'd1 << (WORDS_W - 1);
    localparam [3:0]  RUN        = TOKEN_RUN[3:0];

    generate
        if (WORDS_W < 6 || WORDS_W > 16) begin : g_check_words
            tx_arbiter_WORDS_W_must_be_6_to_16 u_error ();
        end
        if (TOKEN_RUN < 1 || TOKEN_RUN > 15) begin : g_check_run
            tx_arbiter_TOKEN_RUN_must_be_1_to_15 u_error ();
        end
    endgenerate

    reg [7:0] held_q, held_d;     // tokens in hand
    reg       hand_q, hand_d;     // held_q is not 0
    reg       single_q, single_d; // held_q is 1
    reg [3:0] run_q, run_d;       // data frames since the last free token sent or passed
    reg       over_q, over_d;     // run_q is TOKEN_RUN
    reg       turn_q, turn_d;     // the last grant was a signal: a token goes first next time

    // ---- Lengths and room (NODE-9) ----

    // Cycles without a read from the insertion buffer for a frame with len valid bytes: as many words
    // may come. A length that frame_tx refuses sends nothing.
    function [8:0] cycles_of;
        input [10:0] len;
        reg   [1:0]  unused;
        begin
            {cycles_of, unused} = len + OVERHEAD + {MORE, 2'd0};
            if (len < `AWG_DATA_MIN || len > `AWG_DATA_MAX) cycles_of = CYCLES_MIN;
        end
    endfunction

    // A gate opens for a header that was there in the cycle before, so what follows from its length
    // is kept in a register: much logic depends on it. Without a header it is that of the longest frame.
    reg [8:0] data_cycles_q, data_cycles_d;
    reg [8:0] signal_cycles_q, signal_cycles_d;

    always @* begin
        data_cycles_d   = data_pending ? data_cycles_q : cycles_of(data_len);
        signal_cycles_d = signal_pending ? signal_cycles_q : cycles_of(signal_len);
    end

    // Whether there is room in the next cycle, for a frame that keeps the buffer from being read for
    // `cycles`. push and pop come late: all three answers are ready for them. In the cycle in which a
    // header comes its length is not known: the gate opens with an empty buffer, or later.
    function room_next;
        input [16:0] count;
        input [8:0]  cycles;
        input        more;
        input        less;
        reg   [16:0] top;
        begin
            top       = count + {8'd0, cycles}; // below DEPTH: room
            room_next = top < DEPTH;
            if (more && !less) room_next = top < DEPTH && top[WORDS_W-2:0] != LAST;
            if (less && !more) room_next = top < DEPTH || top == DEPTH;
        end
    endfunction

    reg room_data_q, room_data_d;
    reg room_signal_q, room_signal_d;
    reg room_min_q, room_min_d;

    wire [16:0] used = {{(17 - WORDS_W){1'b0}}, words};

    always @* begin
        room_data_d   = room_next(used, data_cycles_q, push, pop);
        room_signal_d = room_next(used, signal_cycles_q, push, pop);
        room_min_d    = room_next(used, CYCLES_MIN, push, pop);
    end

    // ---- Who goes next (NODE-11, NODE-12) ----

    wire some        = hand_q && !discard; // NODE-23: what is dropped is not spent
    wire want_signal = signal_valid && signal_open && room_signal_q;
    wire may_data    = data_valid && data_open && !over_q && room_data_q;
    wire want_data   = some && may_data;
    // The last token in hand is kept for data that waits and may still run.
    wire may_free    = room_min_q && (!data_valid || over_q || !single_q);
    wire want_token  = some && (may_data || may_free); // data goes before free
    wire token_first = !want_signal || turn_q;
    wire go          = boundary && tx_ready;

    // Of whoever is next, also while none goes: the grant comes later.
    assign pick_signal  = want_signal && !(want_token && token_first);
    assign pick_data    = want_data && token_first;
    assign grant_signal = go && pick_signal;
    assign grant_data   = go && pick_data;
    assign grant_free   = go && want_token && !want_data && token_first;
    assign take_free    = !hand_q && (may_data || discard);
    assign grant_cycles = pick_signal ? signal_cycles_q - MORE + LEAD
                        : want_data   ? data_cycles_q - MORE + LEAD : WORDS_MIN + LEAD;

    // ---- Tokens (NODE-13) ----

    wire       spent = grant_data || grant_free;
    // What comes from the link and what goes out is known last: all three sums are ready for it.
    wire [1:0] given = {1'b0, issue} + {1'b0, refused};
    wire [8:0] less1 = {{8{given == 2'd0}}, given != 2'd1}; // given - 1
    wire [8:0] more1 = {7'd0, given} + 9'd1;
    wire [8:0] stay  = {1'd0, held_q} + (ev_discarded ? less1 : {7'd0, given});
    wire [8:0] more  = {1'd0, held_q} + (ev_discarded ? {7'd0, given} : more1);
    wire [8:0] less  = {1'd0, held_q} + less1; // what is discarded is not spent
    wire       same  = token_in == spent;
    wire [8:0] sum   = same ? stay : spent ? less : more;

    assign ev_discarded      = hand_q && discard; // NODE-23
    assign ev_token_overflow = sum[8];
    assign held              = held_q;

    always @* begin
        held_d   = ev_token_overflow ? 8'd255 : sum[7:0];
        single_d = same ? stay == 9'd1 : spent ? less == 9'd1 : more == 9'd1;
        hand_d   = same ? stay != 9'd0 : !spent || less != 9'd0;

        run_d = free_passed ? 4'd0 : run_q;
        if (grant_data) run_d = run_d + 4'd1;
        if (grant_free) run_d = 4'd0;
        over_d = over_q && !free_passed;
        if (grant_data) over_d = RUN == 4'd1 || (run_q == RUN - 4'd1 && !free_passed);
        if (grant_free) over_d = 1'b0;

        turn_d = turn_q;
        if (spent)        turn_d = 1'b0;
        if (grant_signal) turn_d = 1'b1;
    end

    always @(posedge clk) begin
        held_q          <= held_d;
        hand_q          <= hand_d;
        single_q        <= single_d;
        run_q           <= run_d;
        over_q          <= over_d;
        turn_q          <= turn_d;
        data_cycles_q   <= data_cycles_d;
        signal_cycles_q <= signal_cycles_d;
        room_data_q     <= room_data_d;
        room_signal_q   <= room_signal_d;
        room_min_q      <= room_min_d;
        if (rst || !data_valid || grant_data)     data_cycles_q   <= CYCLES_MAX;
        if (rst || !signal_valid || grant_signal) signal_cycles_q <= CYCLES_MAX;
        if (rst) begin // NODE-21
            held_q        <= 8'd0;
            hand_q        <= 1'b0;
            single_q      <= 1'b0;
            run_q         <= 4'd0;
            over_q        <= 1'b0;
            turn_q        <= 1'b0;
            room_data_q   <= 1'b0;
            room_signal_q <= 1'b0;
            room_min_q    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
