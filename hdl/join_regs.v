// SPDX-License-Identifier: MIT OR Apache-2.0
// join_regs: the host's registers of a board that joins, and the filling of its replica.
//
// Promises: a fill writes the bytes of a word that are not known, and no others; none that the ring
// writes meanwhile (JOIN-4). A command that cannot be is refused (JOIN-6).
//
// Latency: an access is answered in the next cycle; a fill three cycles after it, and later by
// those in which the ring writes.
//
// Requirements: JOIN-4, JOIN-6.
`include "awgstar.vh"
`default_nettype none

module join_regs #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W, // the shared memory has 2^n words
    parameter JOIN       = `AWG_JOIN        // 0: there are none
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  reg_valid,
    input  wire                  reg_write,
    input  wire [10:0]           reg_addr,
    input  wire [31:0]           reg_wdata,
    input  wire [3:0]            reg_wstrb,
    output wire                  reg_done,
    output wire                  reg_error,
    output wire [31:0]           reg_rdata,

    input  wire                  data_pending,

    input  wire                  whole,
    input  wire                  joining,
    input  wire                  settled,
    input  wire                  busy,
    input  wire                  fenced,
    input  wire                  held, // new data waits for our `here`
    input  wire [8:0]            heard,
    input  wire [7:0]            peer,

    output wire                  cmd_begin,
    output wire [7:0]            cmd_number,
    output wire                  cmd_again,
    output wire                  cmd_settle,
    output wire                  cmd_whole,

    input  wire [3:0]            known,   // lanes of the word at fill_addr, of the cycle before
    input  wire                  writing, // the ring writes in this cycle
    output wire [MEM_ADDR_W-1:0] fill_addr,
    output wire [3:0]            fill_we,
    output wire [31:0]           fill_wdata,

    input  wire                  ev_fenced,
    input  wire                  ev_here,
    input  wire                  ev_peer,
    output wire                  irq
);
    generate
        if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check
            join_regs_MEM_ADDR_W_must_be_2_to_29 u_error ();
        end
        if (JOIN < 0 || JOIN > 1) begin : g_check_join
            join_regs_JOIN_must_be_0_to_1 u_error ();
        end
    endgenerate

    localparam ON = JOIN != 0;

    reg [1:0]                state_q, state_d;
    reg [MEM_ADDR_W-1:0]     fill_q, fill_d;     // word to be filled next
    reg [`AWG_JOIN_IRQS-1:0] status_q, status_d;
    reg [`AWG_JOIN_IRQS-1:0] mask_q, mask_d;
    reg                      irq_q;
    reg                      ok_q, ok_d;         // the access was allowed
    reg [8:0]                sel_q, sel_d;       // its register

    // ---- What is allowed ----

    wire [8:0] sel     = reg_addr[10:2];
    wire       is_fill = sel == `AWG_REG_FILL_DATA;
    wire       fill_ok = (reg_wdata >> (MEM_ADDR_W + 2)) == 32'd0 && reg_wdata[1:0] == 2'd0;

    reg command_ok;

    always @* begin
        command_ok = 1'b0;
        case (reg_wdata[1:0])
            `AWG_JOIN_BEGIN:  command_ok = !data_pending;
            `AWG_JOIN_WHOLE:  command_ok = 1'b1;
            default:          command_ok = joining;
        endcase
        if (busy || reg_wdata[31:16] != 16'd0 || reg_wdata[7:2] != 6'd0) command_ok = 1'b0;
    end

    reg can_read;
    reg can_write;

    always @* begin
        can_read  = 1'b0;
        can_write = 1'b0;
        case (sel)
            `AWG_REG_JOIN_STATUS:     can_read = 1'b1;
            `AWG_REG_JOIN_COMMAND:    can_write = command_ok;
            `AWG_REG_FILL_ADDR:       {can_read, can_write} = {1'b1, fill_ok};
            `AWG_REG_FILL_DATA:       can_write = joining;
            `AWG_REG_JOIN_IRQ_STATUS,
            `AWG_REG_JOIN_IRQ_ENABLE: {can_read, can_write} = 2'b11;
            default:                  ;
        endcase
    end

    wire ok = reg_write ? can_write && reg_wstrb == 4'b1111 : can_read;

    wire unused_addr = &{1'b0, reg_addr[1:0]}; // a register is accessed whole

    // ---- An access ----

    wire idle = state_q == `AWG_JOIN_REGS_IDLE;
    wire act  = ON && idle && reg_valid && ok && reg_write;
    wire fill = state_q == `AWG_JOIN_REGS_FILL && !writing;

    always @* begin
        state_d = state_q;
        fill_d  = fill_q;
        mask_d  = mask_q;
        ok_d    = ok_q;
        sel_d   = sel_q;

        case (state_q)
            `AWG_JOIN_REGS_IDLE: if (ON && reg_valid) begin
                state_d = reg_write && ok && is_fill ? `AWG_JOIN_REGS_LOOK : `AWG_JOIN_REGS_ANSWER;
                ok_d    = ok;
                sel_d   = sel;
            end

            // What is known is a cycle old: two cycles without a write of the ring.
            `AWG_JOIN_REGS_LOOK: if (!writing) state_d = `AWG_JOIN_REGS_FILL;

            `AWG_JOIN_REGS_FILL: begin
                state_d = writing ? `AWG_JOIN_REGS_LOOK : `AWG_JOIN_REGS_ANSWER;
                if (!writing) fill_d = fill_q + {{(MEM_ADDR_W - 1){1'b0}}, 1'b1};
            end

            default: state_d = `AWG_JOIN_REGS_IDLE;
        endcase

        if (act && sel == `AWG_REG_FILL_ADDR) fill_d = reg_wdata[MEM_ADDR_W+1:2];
        if (act && sel == `AWG_REG_JOIN_IRQ_ENABLE) mask_d = reg_wdata[`AWG_JOIN_IRQS-1:0];

        status_d = status_q;
        if (act && sel == `AWG_REG_JOIN_IRQ_STATUS) begin
            status_d = status_q & ~reg_wdata[`AWG_JOIN_IRQS-1:0];
        end
        if (ev_fenced) status_d[`AWG_JOIN_IRQ_FENCED] = 1'b1;
        if (ev_here)   status_d[`AWG_JOIN_IRQ_HERE]   = 1'b1;
        if (ev_peer)   status_d[`AWG_JOIN_IRQ_PEER]   = 1'b1;
    end

    wire command = act && sel == `AWG_REG_JOIN_COMMAND;

    assign cmd_begin  = command && reg_wdata[1:0] == `AWG_JOIN_BEGIN;
    assign cmd_number = reg_wdata[15:8];
    assign cmd_again  = command && reg_wdata[1:0] == `AWG_JOIN_AGAIN;
    assign cmd_settle = command && reg_wdata[1:0] == `AWG_JOIN_SETTLE;
    assign cmd_whole  = command && reg_wdata[1:0] == `AWG_JOIN_WHOLE;

    // The port keeps its request until it is answered, so the word need not be kept here.
    assign fill_addr  = fill_q;
    assign fill_we    = fill ? ~known : 4'b0000;
    assign fill_wdata = reg_wdata;

    // ---- The answer ----

    reg [31:0] value;

    always @* begin
        value = 32'd0;
        case (sel_q)
            `AWG_REG_JOIN_STATUS:     value = {peer, 7'd0, heard, 2'd0, held, fenced, busy, settled,
                                               joining, whole};
            `AWG_REG_FILL_ADDR:       value[MEM_ADDR_W+1:2] = fill_q;
            `AWG_REG_JOIN_IRQ_STATUS: value[`AWG_JOIN_IRQS-1:0] = status_q;
            `AWG_REG_JOIN_IRQ_ENABLE: value[`AWG_JOIN_IRQS-1:0] = mask_q;
            default:                  ;
        endcase
    end

    wire answer = state_q == `AWG_JOIN_REGS_ANSWER;

    assign reg_done  = answer;
    assign reg_error = answer && !ok_q;
    assign reg_rdata = answer && ok_q ? value : 32'd0;

    always @(posedge clk) begin
        state_q  <= state_d;
        fill_q   <= fill_d;
        status_q <= status_d;
        mask_q   <= mask_d;
        irq_q    <= (status_d & mask_q) != {`AWG_JOIN_IRQS{1'b0}};
        ok_q     <= ok_d;
        sel_q    <= sel_d;
        if (rst || !ON) begin // a board that cannot join keeps no registers for it
            state_q  <= `AWG_JOIN_REGS_IDLE;
            fill_q   <= {MEM_ADDR_W{1'b0}};
            status_q <= {`AWG_JOIN_IRQS{1'b0}};
            mask_q   <= {`AWG_JOIN_IRQS{1'b0}};
            irq_q    <= 1'b0;
        end
    end

    assign irq = irq_q;
endmodule

`default_nettype wire
