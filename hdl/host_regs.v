// SPDX-License-Identifier: MIT OR Apache-2.0
// host_regs: registers of the host port, interrupt, orders of the host to the other modules.
//
// Promises: an access that the map does not allow is answered with an error and changes nothing
// (HST-3). No event of an interrupt is lost to the clearing of its bit (IRQ-1).
//
// Latency: an access acts in its first cycle and is answered in the next.
//
// Requirements: HST-3, HST-5, HST-7, SND-1, RCV-5, IRQ-1.
`include "awgstar.vh"
`default_nettype none

module host_regs #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W,
    parameter TX_ADDR_W  = `AWG_TX_ADDR_W,
    parameter MAIL_W     = `AWG_MAIL_W
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire                 reg_valid,
    input  wire                 reg_write,
    input  wire [30:0]          reg_addr,
    input  wire [31:0]          reg_wdata,
    input  wire [3:0]           reg_wstrb,
    output wire                 reg_done,
    output wire                 reg_error,
    output wire [31:0]          reg_rdata,

    output wire                 enable,
    output wire [47:0]          cfg_mac,
    output wire [15:0]          cfg_groups,
    output wire [7:0]           cfg_tokens,
    output wire [23:0]          cfg_timeout,
    output wire [15:0]          cfg_combine,
    output wire [23:0]          cfg_period,

    output wire                 flush,

    output wire                 word_we,
    output wire [3:0]           word_index,
    output wire [31:0]          word_data,
    output wire                 push,
    output wire [1:0]           push_order,
    output wire [2:0]           push_token,
    output wire [4:0]           push_c_st,
    output wire [7:0]           push_node_id,
    output wire [3:0]           push_multi_g,
    output wire [5:0]           push_len,

    output wire [3:0]           mail_index,
    output wire                 mail_pop,
    input  wire [31:0]          mail_data,
    input  wire [MAIL_W:0]      mail_count,

    output wire [4:0]           count_addr,
    input  wire [31:0]          node_count,
    input  wire [31:0]          board_count,

    input  wire                 synced,
    input  wire                 active,
    input  wire                 stalled,
    input  wire                 open,
    input  wire                 signal_full,
    input  wire                 signal_pending,
    input  wire [7:0]           held,
    input  wire [7:0]           base,
    input  wire [7:0]           next,
    input  wire [7:0]           tail,
    input  wire [TX_ADDR_W:0]   words_free,

    input  wire [`AWG_IRQS-1:0] events,
    output wire                 irq
);
    generate
        if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check_mem
            host_regs_MEM_ADDR_W_must_be_2_to_29 u_error ();
        end
        if (TX_ADDR_W < 9 || TX_ADDR_W > 15) begin : g_check_words
            host_regs_TX_ADDR_W_must_be_9_to_15 u_error ();
        end
        if (MAIL_W < 1 || MAIL_W > 12) begin : g_check_mail
            host_regs_MAIL_W_must_be_1_to_12 u_error ();
        end
    endgenerate

    localparam [31:0] PREFIX_HIGH = `AWG_RESET_PREFIX_HIGH;
    localparam [31:0] TOKENS      = `AWG_RESET_TOKENS;
    localparam [31:0] TIMEOUT     = `AWG_RESET_TIMEOUT;
    localparam [31:0] COMBINE     = `AWG_RESET_COMBINE;
    localparam [31:0] PERIOD      = `AWG_RESET_PERIOD;

    reg                 state_q, state_d;
    reg                 enable_q, enable_d;
    reg [39:0]          prefix_q, prefix_d;
    reg [7:0]           node_id_q, node_id_d;
    reg [15:0]          groups_q, groups_d;
    reg [7:0]           tokens_q, tokens_d;
    reg [23:0]          timeout_q, timeout_d;
    reg [15:0]          combine_q, combine_d;
    reg [23:0]          period_q, period_d;
    reg [`AWG_IRQS-1:0] status_q, status_d;
    reg [`AWG_IRQS-1:0] mask_q, mask_d;
    reg                 irq_q;
    reg                 ok_q, ok_d;   // the access was allowed
    reg [8:0]           sel_q, sel_d; // its register

    // ---- What is allowed (HST-3) ----

    // Registers by their number: SIGNAL_DATA 32 to 43, MAIL_DATA 48 to 63, COUNT 64 to 95.
    wire [8:0] sel         = reg_addr[10:2];
    wire       signal_data = sel[8:4] == 5'd2 && sel[3:0] < 4'd12;
    wire       some_mail   = mail_count != {(MAIL_W + 1){1'b0}};
    wire       push_ok     = (push_token == `AWG_TOKEN_P2P || push_token == `AWG_TOKEN_MULTICAST
                              || push_token == `AWG_TOKEN_BROADCAST)
                          && push_order <= `AWG_ORDER_CONFIRMED && push_len <= `AWG_SIGNAL_MAX
                          && !signal_full;

    reg  can_read;
    reg  can_write;

    always @* begin
        can_read  = 1'b0;
        can_write = 1'b0;
        case (sel)
            `AWG_REG_ID,
            `AWG_REG_VERSION,
            `AWG_REG_STATUS,
            `AWG_REG_TX_FREE,
            `AWG_REG_FRAMES,
            `AWG_REG_MAIL_COUNT,
            `AWG_REG_MEM_SIZE:    can_read = 1'b1;

            `AWG_REG_CONTROL,
            `AWG_REG_TOKENS,
            `AWG_REG_TIMEOUT,
            `AWG_REG_COMBINE,
            `AWG_REG_PERIOD,
            `AWG_REG_IRQ_STATUS,
            `AWG_REG_IRQ_ENABLE:  {can_read, can_write} = 2'b11;

            `AWG_REG_PREFIX_LOW,
            `AWG_REG_PREFIX_HIGH,
            `AWG_REG_NODE_ID,
            `AWG_REG_GROUPS:      {can_read, can_write} = {1'b1, !enable_q};

            `AWG_REG_FLUSH:       can_write = 1'b1;
            `AWG_REG_SIGNAL_SEND: can_write = push_ok;
            `AWG_REG_MAIL_POP:    can_write = some_mail;

            default: begin
                // With the queue full its words would be those of the oldest signal.
                can_write = signal_data && !signal_full;
                can_read  = (sel[8:4] == 5'd3 && some_mail) || sel[8:5] == 4'd2;
            end
        endcase
    end

    wire known = reg_addr[30:11] == 20'd0;
    wire whole = known && reg_wstrb == 4'b1111;
    wire ok    = reg_write ? can_write && whole : can_read && known;

    wire unused_addr = &{1'b0, reg_addr[1:0]}; // a register is accessed whole

    // ---- An access ----

    wire idle  = state_q == `AWG_HOST_REGS_IDLE;
    wire act   = idle && reg_valid && ok && reg_write;
    wire clear = act && sel == `AWG_REG_IRQ_STATUS;

    always @* begin
        state_d   = `AWG_HOST_REGS_IDLE;
        enable_d  = enable_q;
        prefix_d  = prefix_q;
        node_id_d = node_id_q;
        groups_d  = groups_q;
        tokens_d  = tokens_q;
        timeout_d = timeout_q;
        combine_d = combine_q;
        period_d  = period_q;
        mask_d    = mask_q;
        ok_d      = ok_q;
        sel_d     = sel_q;

        if (idle && reg_valid) begin
            state_d = `AWG_HOST_REGS_ANSWER;
            ok_d    = ok;
            sel_d   = sel;
        end
        if (act) case (sel)
            `AWG_REG_CONTROL:     enable_d = enable_q || reg_wdata[0];
            `AWG_REG_PREFIX_LOW:  prefix_d[31:0] = reg_wdata;
            `AWG_REG_PREFIX_HIGH: prefix_d[39:32] = reg_wdata[7:0];
            `AWG_REG_NODE_ID:     node_id_d = reg_wdata[7:0];
            `AWG_REG_GROUPS:      groups_d = reg_wdata[15:0];
            `AWG_REG_TOKENS:      tokens_d = reg_wdata[7:0];
            `AWG_REG_TIMEOUT:     timeout_d = reg_wdata[23:0];
            `AWG_REG_COMBINE:     combine_d = reg_wdata[15:0];
            `AWG_REG_PERIOD:      period_d = reg_wdata[23:0];
            `AWG_REG_IRQ_ENABLE:  mask_d = reg_wdata[`AWG_IRQS-1:0];
            default:              ;
        endcase

        status_d = status_q;
        if (clear) status_d = status_q & ~reg_wdata[`AWG_IRQS-1:0];
        status_d = status_d | events; // IRQ-1
    end

    // As act says, without what is allowed of other registers: whether the window is free waits for it.
    assign flush        = idle && reg_valid && reg_write && whole
                       && (sel == `AWG_REG_FLUSH || (sel == `AWG_REG_SIGNAL_SEND && push_ok
                                                     && push_order != `AWG_ORDER_NONE));
    assign word_we      = act && signal_data;
    assign word_index   = sel[3:0];
    assign word_data    = reg_wdata;
    assign push         = act && sel == `AWG_REG_SIGNAL_SEND;
    assign push_token   = reg_wdata[2:0];
    assign push_c_st    = reg_wdata[7:3];
    assign push_node_id = reg_wdata[15:8];
    assign push_multi_g = reg_wdata[19:16];
    assign push_len     = reg_wdata[25:20];
    assign push_order   = reg_wdata[27:26];
    assign mail_index   = sel[3:0];
    assign mail_pop     = act && sel == `AWG_REG_MAIL_POP;
    assign count_addr   = sel[4:0];

    // ---- The answer ----

    wire data_pending = open || base != tail;

    reg [31:0] value;

    always @* begin
        value = 32'd0;
        case (sel_q)
            `AWG_REG_ID:          value = `AWG_RESET_ID;
            `AWG_REG_VERSION:     value = `AWG_RESET_VERSION;
            `AWG_REG_CONTROL:     value[0] = enable_q;
            `AWG_REG_STATUS:      value[15:0] = {held, 2'd0, signal_full, signal_pending,
                                                 data_pending, stalled, active, synced};
            `AWG_REG_PREFIX_LOW:  value = prefix_q[31:0];
            `AWG_REG_PREFIX_HIGH: value[7:0] = prefix_q[39:32];
            `AWG_REG_NODE_ID:     value[7:0] = node_id_q;
            `AWG_REG_GROUPS:      value[15:0] = groups_q;
            `AWG_REG_TOKENS:      value[7:0] = tokens_q;
            `AWG_REG_TIMEOUT:     value[23:0] = timeout_q;
            `AWG_REG_COMBINE:     value[15:0] = combine_q;
            `AWG_REG_PERIOD:      value[23:0] = period_q;
            `AWG_REG_IRQ_STATUS:  value[`AWG_IRQS-1:0] = status_q;
            `AWG_REG_IRQ_ENABLE:  value[`AWG_IRQS-1:0] = mask_q;
            `AWG_REG_TX_FREE:     value[TX_ADDR_W:0] = words_free;
            `AWG_REG_FRAMES:      value[23:0] = {tail, next, base};
            `AWG_REG_MAIL_COUNT:  value[MAIL_W:0] = mail_count;
            `AWG_REG_MEM_SIZE:    value = 32'd4 << MEM_ADDR_W;
            default: if (sel_q[8:5] == 4'd2) value = sel_q[4] ? board_count : node_count; // HST-7
        endcase
    end

    wire answer = state_q == `AWG_HOST_REGS_ANSWER;

    assign reg_done  = answer;
    assign reg_error = answer && !ok_q;
    // A word of a message comes late, out of a memory.
    assign reg_rdata = (answer && ok_q ? value : 32'd0)
                     | (answer && ok_q && sel_q[8:4] == 5'd3 ? mail_data : 32'd0);

    always @(posedge clk) begin
        state_q   <= state_d;
        enable_q  <= enable_d;
        prefix_q  <= prefix_d;
        node_id_q <= node_id_d;
        groups_q  <= groups_d;
        tokens_q  <= tokens_d;
        timeout_q <= timeout_d;
        combine_q <= combine_d;
        period_q  <= period_d;
        status_q  <= status_d;
        mask_q    <= mask_d;
        irq_q     <= (status_q & mask_q) != {`AWG_IRQS{1'b0}};
        ok_q      <= ok_d;
        sel_q     <= sel_d;
        if (rst) begin
            state_q   <= `AWG_HOST_REGS_IDLE;
            enable_q  <= 1'b0;
            prefix_q  <= {PREFIX_HIGH[7:0], `AWG_RESET_PREFIX_LOW};
            node_id_q <= 8'd0;
            groups_q  <= 16'd0;
            tokens_q  <= TOKENS[7:0];
            timeout_q <= TIMEOUT[23:0];
            combine_q <= COMBINE[15:0];
            period_q  <= PERIOD[23:0];
            status_q  <= {`AWG_IRQS{1'b0}};
            mask_q    <= {`AWG_IRQS{1'b0}};
            irq_q     <= 1'b0;
        end
    end

    assign enable      = enable_q;
    assign cfg_mac     = {prefix_q, node_id_q}; // HST-5
    assign cfg_groups  = groups_q;
    assign cfg_tokens  = tokens_q;
    assign cfg_timeout = timeout_q;
    assign cfg_combine = combine_q;
    assign cfg_period  = period_q;
    assign irq         = irq_q;
endmodule

`default_nettype wire
