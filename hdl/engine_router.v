// SPDX-License-Identifier: MIT OR Apache-2.0
// engine_router: takes the messages of the lock and barrier engine out of what rx_sorter writes into
// the mailbox.
//
// Promises: a message that is well formed, of a lock or barrier that is enabled, and accepted by
// rx_sorter goes to the engine, whether the mailbox has room or not. All else reaches the mailbox as
// without an engine (ENG-6).
//
// Latency: word with Data bytes 8 to 11 in cycle t, message offered in t + 1.
//
// Requirements: ENG-6.
`include "awgstar.vh"
`default_nettype none

module engine_router #(
    parameter NODE_W = `AWG_ENGINE_NODE_W // Node_IDs below 2^n take part; 0: no engine
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        ready,
    input  wire [15:0] cfg_locks,
    input  wire [7:0]  cfg_barriers,

    input  wire [2:0]  s_token,
    input  wire [4:0]  s_c_st,
    input  wire        s_we,
    input  wire [3:0]  s_index,
    input  wire [31:0] s_data,
    input  wire        s_commit,
    output wire        s_full,

    output wire        m_we,
    output wire [3:0]  m_index,
    output wire [31:0] m_data,
    output wire        m_commit,
    input  wire        m_full,

    output wire        l_msg_valid,
    input  wire        l_msg_ready,
    output wire        b_msg_valid,
    input  wire        b_msg_ready,
    output wire [1:0]  msg_kind,
    output wire [3:0]  msg_number,
    output wire [7:0]  msg_source,
    output wire [7:0]  msg_node,
    output wire [15:0] msg_tag,
    output wire [15:0] msg_epoch,

    output wire        ev_mail_full
);
    generate if (NODE_W < 0 || NODE_W > 8) begin : g_check
        engine_router_NODE_W_must_be_0_to_8 u_error ();
    end endgenerate

    localparam        ON      = NODE_W != 0;
    localparam        MSG_W   = 54;
    localparam [10:0] LEN     = 11'd46; // of a signal that is padded to the shortest Data
    localparam [1:0]  REQUEST = 2'd0;
    localparam [1:0]  PASS    = 2'd1;
    localparam [1:0]  ARRIVAL = 2'd2;

    reg             mine_q, mine_d;     // the message under way has codes of the engine
    reg             room_q, room_d;     // the mailbox has room for it
    reg             good_q, good_d;     // what came of it is as the engine's messages are
    reg             taken_q, taken_d;   // the engine has it
    reg [1:0]       kind_q, kind_d;
    reg [3:0]       number_q, number_d;
    reg [7:0]       source_q, source_d;
    reg [7:0]       node_q, node_d;
    reg [15:0]      tag_q, tag_d;
    reg [2:0]       wr_q, wr_d;
    reg [2:0]       rd_q, rd_d;
    reg [MSG_W-1:0] queue [0:3];

    // ---- Which frames are looked at ----

    wire request = s_c_st == `AWG_C_ST_LOCK_QUEUE_REQUEST;
    wire pass    = s_c_st == `AWG_C_ST_LOCK_QUEUE_PASS;
    wire arrival = s_c_st == `AWG_C_ST_BARRIER_RING_ARRIVAL;
    wire hit     = ON && ready && s_token == `AWG_TOKEN_BROADCAST
                && (((request || pass) && cfg_locks != 16'd0)
                    || (arrival && cfg_barriers != 8'd0));

    // A full mailbox does not stop such a frame.
    assign s_full = m_full && !hit;

    // ---- Words of a message, big-endian values in Data ----

    wire [7:0]  byte0 = s_data[7:0];
    wire [7:0]  byte1 = s_data[15:8];
    wire [7:0]  byte2 = s_data[23:16];
    wire [7:0]  byte3 = s_data[31:24];
    wire        is_arrival = kind_q == ARRIVAL;
    wire        is_pass    = kind_q == PASS;

    function takes_part;
        input [7:0] node;
        takes_part = (node >> NODE_W) == 8'd0;
    endfunction

    reg word_good;
    always @* begin
        case (s_index)
            4'd2: word_good = takes_part(byte2) && s_data[10:0] == LEN;
            4'd4: word_good = byte0 == 8'd0 && (is_arrival ? byte1[7:3] == 5'd0 : byte1 == 8'd0);
            4'd5: word_good = {byte0, byte1, byte2} == 24'd0
                           && (is_arrival ? byte3 == 8'd0 : byte3[7:4] == 4'd0);
            4'd6: word_good = (is_pass || {byte0, byte1} == 16'd0) && {byte2, byte3} == 16'd0;
            default: word_good = 1'b1; // MAC above its lowest byte, Addr, pad (ENG-6)
        endcase
    end

    wire begins  = s_we && s_index == 4'd0;
    wire enabled = is_arrival ? cfg_barriers[number_q[2:0]] : cfg_locks[number_q];
    wire some    = wr_q != rd_q;
    wire full    = {!wr_q[2], wr_q[1:0]} == rd_q;
    wire take    = mine_q && good_q && word_good && s_we && s_index == 4'd6 && enabled && !full;
    wire own     = begins ? hit : mine_q;
    wire room    = begins ? !m_full : room_q;
    wire pop     = (l_msg_valid && l_msg_ready) || (b_msg_valid && b_msg_ready);

    always @* begin
        mine_d   = mine_q;
        room_d   = room_q;
        good_d   = good_q;
        taken_d  = taken_q;
        kind_d   = kind_q;
        number_d = number_q;
        source_d = source_q;
        node_d   = node_q;
        tag_d    = tag_q;
        wr_d     = wr_q + {2'd0, take};
        rd_d     = rd_q + {2'd0, pop};

        if (s_we) begin
            good_d = good_q && word_good;
            case (s_index)
                4'd0: begin
                    mine_d  = hit;
                    room_d  = !m_full;
                    good_d  = takes_part(byte2);
                    taken_d = 1'b0;
                    kind_d  = arrival ? ARRIVAL : pass ? PASS : REQUEST;
                    node_d  = byte2;
                end
                4'd2: source_d = byte2;
                4'd4: begin
                    number_d = byte1[3:0];
                    tag_d    = {byte2, byte3};
                end
                4'd5: if (!is_arrival) number_d = byte3[3:0];
                4'd6: taken_d = take;
                default: ;
            endcase
        end
    end

    wire [15:0] epoch = {byte0, byte1};

    always @(posedge clk) begin
        if (take) queue[wr_q[1:0]] <= {kind_q, number_q, source_q, node_q, tag_q, epoch};
    end

    always @(posedge clk) begin
        mine_q   <= mine_d;
        room_q   <= room_d;
        good_q   <= good_d;
        taken_q  <= taken_d;
        kind_q   <= kind_d;
        number_q <= number_d;
        source_q <= source_d;
        node_q   <= node_d;
        tag_q    <= tag_d;
        wr_q     <= wr_d;
        rd_q     <= rd_d;
        if (rst || !ON) begin
            mine_q  <= 1'b0;
            taken_q <= 1'b0;
            wr_q    <= 3'd0;
            rd_q    <= 3'd0;
        end
        if (!ON) begin
            room_q   <= 1'b0;
            good_q   <= 1'b0;
            kind_q   <= 2'd0;
            number_q <= 4'd0;
            source_q <= 8'd0;
            node_q   <= 8'd0;
            tag_q    <= 16'd0;
        end
    end

    assign {msg_kind, msg_number, msg_source, msg_node, msg_tag, msg_epoch} = queue[rd_q[1:0]];
    assign l_msg_valid = some && msg_kind != ARRIVAL;
    assign b_msg_valid = some && msg_kind == ARRIVAL;

    assign m_we         = s_we && (!own || room);
    assign m_index      = s_index;
    assign m_data       = s_data;
    assign m_commit     = s_commit && !(mine_q && (taken_q || !room_q));
    assign ev_mail_full = s_commit && mine_q && !taken_q && !room_q;
endmodule

`default_nettype wire
