// SPDX-License-Identifier: MIT OR Apache-2.0
// rx_sorter and sync_engine as in smb, and the invariants that bound the queue of engine_router: it holds one
// message at most, of the four for which it has room (ENG-2, ENG-5, ENG-6).
//
// Inputs are free, and so are the words of all memories but the queue; a reset may come at any time.
// Registers of the instances come in through `prove.sh` (yosys `connect`), as in node_core.v.
`include "awgstar.vh"
`default_nettype none

module engine_core #(
    parameter NODE_W = 8
) (
    input wire                  clk,
    input wire                  rst,

    input wire [47:0]           cfg_mac,
    input wire                  enable,

    input wire                  s_hdr_valid,
    input wire [`AWG_HDR_W-1:0] s_hdr,
    input wire [31:0]           s_axis_tdata,
    input wire                  s_axis_tvalid,
    input wire                  s_axis_tlast,
    input wire                  writer_done,
    input wire                  writer_ready,
    input wire                  blocked,
    input wire                  here_new,

    input wire                  m_full,
    input wire                  e_done,
    input wire [7:0]            mark,

    input wire                  reg_valid,
    input wire                  reg_write,
    input wire [10:0]           reg_addr,
    input wire [31:0]           reg_wdata,
    input wire [3:0]            reg_wstrb
);
    wire        hdr_ready, axis_tready, mail_full, mail_we, mail_commit;
    wire [3:0]  mail_index;
    wire [31:0] mail_data;

    rx_sorter u_sorter (
        .clk(clk), .rst(rst), .cfg_mac(cfg_mac), .s_hdr_valid(s_hdr_valid),
        .s_hdr_ready(hdr_ready), .s_hdr(s_hdr), .s_axis_tdata(s_axis_tdata),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(axis_tready), .s_axis_tlast(s_axis_tlast),
        .start(), .writer_done(writer_done), .writer_ready(writer_ready),
        .blocked(blocked), .here_new(here_new), .mail_full(mail_full),
        .mail_we(mail_we), .mail_index(mail_index), .mail_data(mail_data),
        .mail_commit(mail_commit), .monitor_seen(), .monitor_lower(), .fence_seen(), .here_seen(), .ev_data(),
        .ev_data_again(), .ev_data_gap(), .ev_data_range(), .ev_signal(), .ev_signal_again(),
        .ev_signal_early(), .ev_signal_long(), .ev_mail_full(), .ev_same_id());

    sync_engine #(
        .NODE_W (NODE_W)
    ) u_engine (
        .clk(clk), .rst(rst), .reg_valid(reg_valid), .reg_write(reg_write), .reg_addr(reg_addr),
        .reg_wdata(reg_wdata), .reg_wstrb(reg_wstrb), .reg_done(), .reg_error(), .reg_rdata(),
        .enable(enable), .cfg_node_id(cfg_mac[7:0]), .s_token(s_hdr[`AWG_HDR_TOKEN]),
        .s_c_st(s_hdr[`AWG_HDR_C_ST]), .s_we(mail_we), .s_index(mail_index), .s_data(mail_data),
        .s_commit(mail_commit), .s_full(mail_full), .m_we(), .m_index(), .m_data(), .m_commit(),
        .m_full(m_full), .ev_mail_full(), .mark(mark), .flush(), .e_valid(), .e_order(), .e_mark(),
        .e_c_st(), .e_node_id(), .e_data(), .e_done(e_done), .irq());

    // ---- Registers of the instances, connected by prove.sh ----

    (* keep *) wire [2:0] sorter, barrier, wr, rd, word;
    (* keep *) wire [3:0] lock;
    (* keep *) wire [7:0] index;
    (* keep *) wire       mine, own, ended, live;
    (* keep *) wire [3:0] beats;
    (* keep *) wire [4:0] gap;
    // Messages on offer to the engines, and taken by them.
    (* keep *) wire       l_valid, l_ready, b_valid, b_ready;

    // Reset in the first cycle, and whenever it may come again.
    reg first = 1'b1;
    always @(posedge clk) first <= 1'b0;
    always @* if (first) assume (rst);

    // The assumption: Data of a frame is 46 bytes at least, so 12 beats (FRM-3, RX-2).
    rx_sorter_assert u_rules (
        .clk(clk), .rst(rst), .s_hdr_ready(hdr_ready), .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(axis_tready), .s_axis_tlast(s_axis_tlast), .mail_we(mail_we),
        .mail_index(mail_index));

    // ---- What is observed ----

    wire       last_word = mail_we && mail_index == 4'd6; // of those that the router looks at
    wire [2:0] count     = wr - rd;
    wire       some      = count != 3'd0;

    reg [4:0] offered; // cycles for which the message has been on offer
    wire      pop = (l_valid && l_ready) || (b_valid && b_ready);
    always @(posedge clk) offered <= rst || !some || pop ? 5'd0 : offered + 5'd1;

    // ---- Properties ----

    always @* if (!first) begin
        // The queue holds one message at most, and is empty when the next one is complete.
        room:     assert (count <= 3'd1);
        one:      assert (!(some && last_word));
        // An engine takes a message within 7 and 12 cycles of its offer (ENG-2, ENG-5: 14).
        locks:    assert (!l_valid || offered <= 5'd6);
        barriers: assert (!b_valid || offered <= 5'd11);
    end

    // ---- Invariants of the sorter: what is left of the frame, and of the next one ----

    wire clear    = sorter == `AWG_RX_SORTER_CLEAR;
    wire at_head  = sorter == `AWG_RX_SORTER_HEAD;
    wire at_body  = sorter == `AWG_RX_SORTER_BODY;
    wire at_look  = sorter == `AWG_RX_SORTER_LOOK;
    wire at_judge = sorter == `AWG_RX_SORTER_JUDGE;
    wire at_idle  = sorter == `AWG_RX_SORTER_IDLE;

    always @* if (!first) begin
        assert (live && beats <= 4'd12 && gap >= 5'd1);
        assert (!(clear || at_idle || at_look || at_judge || at_head) || beats == 4'd0);
        assert (!at_look || index == 8'd0);
        assert (!at_judge || index == 8'd1);
        assert (!at_head || index == 8'd2 || index == 8'd3);
        assert (!at_body || (index >= 8'd4 && index <= 8'd16));
        assert (!at_body || {4'd0, beats} == index - 8'd4);
        assert (!clear || gap == 5'd31);
        assert (!at_idle || gap >= 5'd10);
        assert (!at_look || gap >= 5'd11);
        assert (!at_judge || gap >= 5'd12);
        assert (!at_head || gap >= 5'd11 + index[4:0]);
        assert (!at_body || gap >= (index < 8'd7 ? 5'd11 + index[4:0] : index[4:0] - 5'd6));
        assert (!(sorter == `AWG_RX_SORTER_DATA || sorter == `AWG_RX_SORTER_DROP) || gap >= 5'd13);
    end

    // ---- Invariants of the engines: cycles until a message on offer is taken ----

    reg [4:0] l_left, b_left;
    always @* begin
        case (lock)
            `AWG_LOCK_ENGINE_LOOK:    l_left = 5'd6;
            `AWG_LOCK_ENGINE_ACT:     l_left = 5'd5;
            `AWG_LOCK_ENGINE_APPEND:  l_left = 5'd4;
            `AWG_LOCK_ENGINE_POP:     l_left = 5'd3;
            `AWG_LOCK_ENGINE_COMMAND: l_left = 5'd3;
            `AWG_LOCK_ENGINE_GIVE:    l_left = 5'd2;
            `AWG_LOCK_ENGINE_LOAD:    l_left = 5'd1;
            `AWG_LOCK_ENGINE_RETURN:  l_left = 5'd1;
            default:                  l_left = 5'd0;
        endcase
        case (barrier)
            `AWG_BARRIER_ENGINE_IDLE:  b_left = 5'd2;
            `AWG_BARRIER_ENGINE_LOOK:  b_left = own ? 5'd5 : 5'd1;
            `AWG_BARRIER_ENGINE_COUNT: b_left = own ? 5'd4 : 5'd0;
            `AWG_BARRIER_ENGINE_SCAN:  b_left = ended ? 5'd3 : 5'd11 - {2'd0, word};
            `AWG_BARRIER_ENGINE_SEND:  b_left = 5'd3;
            default:                   b_left = 5'd0;
        endcase
    end

    always @* if (!first) begin
        assert (lock <= `AWG_LOCK_ENGINE_RETURN);
        // Messages are taken only when both engines have cleared their memories.
        assert (!(mine || some) || (lock != `AWG_LOCK_ENGINE_CLEAR
                                    && barrier != `AWG_BARRIER_ENGINE_CLEAR));
        assert (some ? gap == offered + 5'd1 : offered == 5'd0);
        assert (!l_valid || offered + l_left <= 5'd6);
        assert (!b_valid || offered + b_left <= 5'd11);
    end
endmodule

`default_nettype wire
