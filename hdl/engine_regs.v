// SPDX-License-Identifier: MIT OR Apache-2.0
// engine_regs: the host's registers of the lock and barrier engine, its interrupts and retry timer.
//
// Promises: an access that the map does not allow is answered with an error and changes nothing; a
// command is answered when it has taken effect, so what the host reads afterwards includes it
// (ENG-7). No event of an interrupt is lost to the clearing of its bit.
//
// Latency: an access is answered in the next cycle; a command when the engine has dealt with it.
//
// Requirements: ENG-3, ENG-5, ENG-7, ENG-9.
`include "awgstar.vh"
`default_nettype none

module engine_regs #(
    parameter NODE_W = `AWG_ENGINE_NODE_W // Node_IDs below 2^n take part; 0: no engine
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        reg_valid,
    input  wire        reg_write,
    input  wire [10:0] reg_addr,
    input  wire [31:0] reg_wdata,
    input  wire [3:0]  reg_wstrb,
    output wire        reg_done,
    output wire        reg_error,
    output wire [31:0] reg_rdata,

    input  wire        enable,
    input  wire        ready,

    output wire [15:0] cfg_locks,
    output wire [7:0]  cfg_barriers,
    output wire [15:0] cfg_first,
    output wire [1:0]  cfg_pass_order,
    output wire [1:0]  cfg_arrival_order,
    output wire        tick,

    output wire        member_we,
    output wire [5:0]  member_addr,
    output wire [31:0] member_data,

    output wire        lock_valid,
    output wire        lock_release,
    output wire [3:0]  lock_number,
    input  wire        lock_done,
    input  wire        lock_error,

    output wire        arrive_valid,
    output wire [2:0]  arrive_number,
    input  wire        arrive_done,
    input  wire        arrive_error,

    input  wire [15:0] held,
    input  wire [15:0] asking,
    input  wire [15:0] owned,
    input  wire [7:0]  waiting,

    input  wire        ev_acquired,
    input  wire        ev_passed,
    output wire        irq
);
    generate if (NODE_W < 0 || NODE_W > 8) begin : g_check
        engine_regs_NODE_W_must_be_0_to_8 u_error ();
    end endgenerate

    localparam        ON    = NODE_W != 0;
    localparam [31:0] WIDTH = NODE_W;
    localparam [31:0] RETRY = `AWG_RESET_ENGINE_RETRY;
    localparam [31:0] ORDER = `AWG_RESET_ENGINE_ORDER;

    reg [1:0]                  state_q, state_d;
    reg [15:0]                 locks_q, locks_d;
    reg [7:0]                  barriers_q, barriers_d;
    reg [15:0]                 first_q, first_d;
    reg [3:0]                  order_q, order_d;
    reg [23:0]                 retry_q, retry_d;
    reg [23:0]                 timer_q, timer_d;
    reg [`AWG_ENGINE_IRQS-1:0] status_q, status_d;
    reg [`AWG_ENGINE_IRQS-1:0] mask_q, mask_d;
    reg                        irq_q;
    reg                        ok_q, ok_d;   // the access was allowed
    reg [8:0]                  sel_q, sel_d; // its register

    // ---- What is allowed ----

    wire [8:0] sel       = reg_addr[10:2];
    wire       members   = sel[8:6] == 3'd1; // BARRIER_MEMBERS: 64 to 127
    wire       number_ok = reg_wdata[31:4] == 28'd0;
    wire       serves    = enable && ready;  // commands wait for nothing but the engine's work
    wire       lock_ok   = serves && number_ok && locks_q[reg_wdata[3:0]];
    wire       arrive_ok = serves && number_ok && !reg_wdata[3] && barriers_q[reg_wdata[2:0]];
    wire       order_ok  = reg_wdata[1:0] <= `AWG_ORDER_CONFIRMED
                        && reg_wdata[3:2] <= `AWG_ORDER_CONFIRMED;

    reg can_read;
    reg can_write;

    always @* begin
        can_read  = 1'b0;
        can_write = 1'b0;
        case (sel)
            `AWG_REG_ENGINE_STATUS,
            `AWG_REG_LOCK_HELD,
            `AWG_REG_LOCK_ASKING,
            `AWG_REG_LOCK_OWNED,
            `AWG_REG_BARRIER_WAITING:   can_read = 1'b1;

            `AWG_REG_ENGINE_RETRY,
            `AWG_REG_ENGINE_IRQ_STATUS,
            `AWG_REG_ENGINE_IRQ_ENABLE: {can_read, can_write} = 2'b11;

            `AWG_REG_ENGINE_ORDER:      {can_read, can_write} = {1'b1, order_ok};

            `AWG_REG_LOCK_ENABLE,
            `AWG_REG_BARRIER_ENABLE,
            `AWG_REG_LOCK_FIRST:        {can_read, can_write} = {1'b1, !enable};

            `AWG_REG_LOCK_ACQUIRE,
            `AWG_REG_LOCK_RELEASE:      can_write = lock_ok;
            `AWG_REG_BARRIER_ARRIVE:    can_write = arrive_ok;

            default:                    can_write = members && !enable && ready;
        endcase
    end

    wire ok = reg_write ? can_write && reg_wstrb == 4'b1111 : can_read;

    wire unused_addr = &{1'b0, reg_addr[1:0]}; // a register is accessed whole

    // ---- An access ----

    wire idle    = state_q == `AWG_ENGINE_REGS_IDLE;
    wire act     = ON && idle && reg_valid && ok && reg_write;
    wire clear   = act && sel == `AWG_REG_ENGINE_IRQ_STATUS;
    wire lock    = sel == `AWG_REG_LOCK_ACQUIRE || sel == `AWG_REG_LOCK_RELEASE;
    wire command = lock || sel == `AWG_REG_BARRIER_ARRIVE;

    always @* begin
        state_d    = state_q;
        locks_d    = locks_q;
        barriers_d = barriers_q;
        first_d    = first_q;
        order_d    = order_q;
        retry_d    = retry_q;
        mask_d     = mask_q;
        ok_d       = ok_q;
        sel_d      = sel_q;

        case (state_q)
            `AWG_ENGINE_REGS_IDLE: if (ON && reg_valid) begin
                state_d = reg_write && ok && command ? `AWG_ENGINE_REGS_COMMAND
                                                     : `AWG_ENGINE_REGS_ANSWER;
                ok_d    = ok;
                sel_d   = sel;
            end

            `AWG_ENGINE_REGS_COMMAND: if (lock ? lock_done : arrive_done) begin
                state_d = `AWG_ENGINE_REGS_ANSWER;
                ok_d    = !(lock ? lock_error : arrive_error);
            end

            default: state_d = `AWG_ENGINE_REGS_IDLE;
        endcase

        if (act) case (sel)
            `AWG_REG_LOCK_ENABLE:       locks_d = reg_wdata[15:0];
            `AWG_REG_BARRIER_ENABLE:    barriers_d = reg_wdata[7:0];
            `AWG_REG_LOCK_FIRST:        first_d = reg_wdata[15:0];
            `AWG_REG_ENGINE_ORDER:      order_d = reg_wdata[3:0];
            `AWG_REG_ENGINE_RETRY:      retry_d = reg_wdata[23:0];
            `AWG_REG_ENGINE_IRQ_ENABLE: mask_d = reg_wdata[`AWG_ENGINE_IRQS-1:0];
            default:                    ;
        endcase

        timer_d = ON && timer_q < retry_q ? timer_q + 24'd1 : 24'd0;

        status_d = status_q;
        if (clear) status_d = status_q & ~reg_wdata[`AWG_ENGINE_IRQS-1:0];
        if (ON && ev_acquired) status_d[`AWG_ENGINE_IRQ_LOCK] = 1'b1;
        if (ON && ev_passed) status_d[`AWG_ENGINE_IRQ_BARRIER] = 1'b1;
    end

    // The port keeps its request until it is answered, so it need not be kept here.
    wire waits = state_q == `AWG_ENGINE_REGS_COMMAND || (act && command);

    assign lock_valid    = waits && lock;
    assign lock_release  = sel == `AWG_REG_LOCK_RELEASE;
    assign lock_number   = reg_wdata[3:0];
    assign arrive_valid  = waits && !lock;
    assign arrive_number = reg_wdata[2:0];
    assign member_we     = act && members;
    assign member_addr   = sel[5:0];
    assign member_data   = reg_wdata;
    assign tick          = ON && timer_q == retry_q;

    // ---- The answer ----

    reg [31:0] value;

    always @* begin
        value = 32'd0;
        case (sel_q)
            `AWG_REG_ENGINE_STATUS:     {value[11:8], value[0]} = {WIDTH[3:0], ready};
            `AWG_REG_LOCK_ENABLE:       value[15:0] = locks_q;
            `AWG_REG_BARRIER_ENABLE:    value[7:0] = barriers_q;
            `AWG_REG_LOCK_FIRST:        value[15:0] = first_q;
            `AWG_REG_ENGINE_ORDER:      value[3:0] = order_q;
            `AWG_REG_ENGINE_RETRY:      value[23:0] = retry_q;
            `AWG_REG_ENGINE_IRQ_STATUS: value[`AWG_ENGINE_IRQS-1:0] = status_q;
            `AWG_REG_ENGINE_IRQ_ENABLE: value[`AWG_ENGINE_IRQS-1:0] = mask_q;
            `AWG_REG_LOCK_HELD:         value[15:0] = held;
            `AWG_REG_LOCK_ASKING:       value[15:0] = asking;
            `AWG_REG_LOCK_OWNED:        value[15:0] = owned;
            `AWG_REG_BARRIER_WAITING:   value[7:0] = waiting;
            default:                    ;
        endcase
    end

    wire answer = state_q == `AWG_ENGINE_REGS_ANSWER;

    assign reg_done  = answer;
    assign reg_error = answer && !ok_q;
    assign reg_rdata = answer && ok_q ? value : 32'd0;

    always @(posedge clk) begin
        state_q    <= state_d;
        locks_q    <= locks_d;
        barriers_q <= barriers_d;
        first_q    <= first_d;
        order_q    <= order_d;
        retry_q    <= retry_d;
        timer_q    <= timer_d;
        status_q   <= status_d;
        mask_q     <= mask_d;
        irq_q      <= (status_d & mask_q) != {`AWG_ENGINE_IRQS{1'b0}};
        ok_q       <= ok_d;
        sel_q      <= sel_d;
        if (rst) begin
            state_q    <= `AWG_ENGINE_REGS_IDLE;
            locks_q    <= 16'd0;
            barriers_q <= 8'd0;
            first_q    <= 16'd0;
            order_q    <= ORDER[3:0];
            retry_q    <= RETRY[23:0];
            timer_q    <= 24'd0;
            status_q   <= {`AWG_ENGINE_IRQS{1'b0}};
            mask_q     <= {`AWG_ENGINE_IRQS{1'b0}};
            irq_q      <= 1'b0;
        end
    end

    assign cfg_locks         = locks_q;
    assign cfg_barriers      = barriers_q;
    assign cfg_first         = first_q;
    assign cfg_pass_order    = order_q[1:0];
    assign cfg_arrival_order = order_q[3:2];
    assign irq               = irq_q;
endmodule

`default_nettype wire
