// SPDX-License-Identifier: MIT OR Apache-2.0
// axi4_port: AXI4 bursts become requests of the board, one beat a cycle.
//
// Promises: a burst is answered once, in the order of its channel, with its ID (AXI-1, AXI-5). A burst
// that the port does not take is answered with SLVERR and changes nothing (AXI-3); behind a refused
// beat of a write no other beat of the burst is written (AXI-4). Reads and writes take turns, beat by
// beat, when both wait (AXI-6).
//
// Latency: address and data taken in cycle t, first request in t + 1. A beat of a write in the cycle of
// its answer, a word of the window in the cycle behind its address, so both run at a word a cycle.
//
// Requirements: AXI-1, AXI-2, AXI-3, AXI-4, AXI-5, AXI-6.
`include "awgstar.vh"
`default_nettype none

module axi4_port #(
    parameter MEM_ADDR_W = `AWG_MEM_ADDR_W, // the shared memory has 2^n words
    parameter AXI_ID_W   = `AWG_AXI_ID_W    // bits of an ID
) (
    input  wire                clk,
    input  wire                rst,

    input  wire [AXI_ID_W-1:0] s_axi_awid,
    input  wire [31:0]         s_axi_awaddr,
    input  wire [7:0]          s_axi_awlen,
    input  wire [2:0]          s_axi_awsize,
    input  wire [1:0]          s_axi_awburst,
    input  wire                s_axi_awvalid,
    output wire                s_axi_awready,

    input  wire [31:0]         s_axi_wdata,
    input  wire [3:0]          s_axi_wstrb,
    input  wire                s_axi_wlast,
    input  wire                s_axi_wvalid,
    output wire                s_axi_wready,

    output wire [AXI_ID_W-1:0] s_axi_bid,
    output wire [1:0]          s_axi_bresp,
    output wire                s_axi_bvalid,
    input  wire                s_axi_bready,

    input  wire [AXI_ID_W-1:0] s_axi_arid,
    input  wire [31:0]         s_axi_araddr,
    input  wire [7:0]          s_axi_arlen,
    input  wire [2:0]          s_axi_arsize,
    input  wire [1:0]          s_axi_arburst,
    input  wire                s_axi_arvalid,
    output wire                s_axi_arready,

    output wire [AXI_ID_W-1:0] s_axi_rid,
    output wire [31:0]         s_axi_rdata,
    output wire [1:0]          s_axi_rresp,
    output wire                s_axi_rlast,
    output wire                s_axi_rvalid,
    input  wire                s_axi_rready,

    output wire                req_valid,
    output wire                req_write,
    output wire [31:0]         req_addr,
    output wire [31:0]         req_wdata,
    output wire [3:0]          req_wstrb,

    input  wire                rsp_valid,
    input  wire                rsp_error,
    input  wire [31:0]         rsp_rdata,

    output wire                  mem_read,
    output wire [MEM_ADDR_W-1:0] mem_addr,
    input  wire [31:0]           mem_rdata
);
    generate
        if (MEM_ADDR_W < 2 || MEM_ADDR_W > 29) begin : g_check_mem
            axi4_port_MEM_ADDR_W_must_be_2_to_29 u_error ();
        end
        if (AXI_ID_W < 1 || AXI_ID_W > 16) begin : g_check_id
            axi4_port_AXI_ID_W_must_be_1_to_16 u_error ();
        end
    endgenerate

    localparam [29:0] WORDS = 30'd1 << MEM_ADDR_W;

    // The burst that is written, and the next.
    reg                aw_valid_q, aw_valid_d;
    reg [AXI_ID_W-1:0] aw_id_q, aw_id_d;
    reg [31:0]         aw_addr_q, aw_addr_d; // of its next beat
    reg [1:0]          aw_size_q, aw_size_d;
    reg                aw_ok_q, aw_ok_d;     // the port takes it
    reg                aw_next_valid_q, aw_next_valid_d;
    reg [AXI_ID_W-1:0] aw_next_id_q, aw_next_id_d;
    reg [31:0]         aw_next_addr_q, aw_next_addr_d;
    reg [1:0]          aw_next_size_q, aw_next_size_d;
    reg                aw_next_ok_q, aw_next_ok_d;

    // The beat that is written, and the next.
    reg                w_valid_q, w_valid_d;
    reg [31:0]         w_data_q, w_data_d;
    reg [3:0]          w_strb_q, w_strb_d;
    reg                w_last_q, w_last_d;
    reg                w_next_valid_q, w_next_valid_d;
    reg [31:0]         w_next_data_q, w_next_data_d;
    reg [3:0]          w_next_strb_q, w_next_strb_d;
    reg                w_next_last_q, w_next_last_d;

    // The answer to a write, and the next.
    reg                b_valid_q, b_valid_d;
    reg [AXI_ID_W-1:0] b_id_q, b_id_d;
    reg                b_error_q, b_error_d;
    reg                b_next_valid_q, b_next_valid_d;
    reg [AXI_ID_W-1:0] b_next_id_q, b_next_id_d;
    reg                b_next_error_q, b_next_error_d;

    // The burst that is read, and the next.
    reg                ar_valid_q, ar_valid_d;
    reg [AXI_ID_W-1:0] ar_id_q, ar_id_d;
    reg [31:0]         ar_addr_q, ar_addr_d; // of its next beat
    reg [7:0]          ar_left_q, ar_left_d; // beats behind it
    reg [1:0]          ar_size_q, ar_size_d;
    reg                ar_ok_q, ar_ok_d;
    reg                ar_next_valid_q, ar_next_valid_d;
    reg [AXI_ID_W-1:0] ar_next_id_q, ar_next_id_d;
    reg [31:0]         ar_next_addr_q, ar_next_addr_d;
    reg [7:0]          ar_next_left_q, ar_next_left_d;
    reg [1:0]          ar_next_size_q, ar_next_size_d;
    reg                ar_next_ok_q, ar_next_ok_d;

    // The beat whose word the memory gives in this cycle.
    reg                word_valid_q;
    reg [AXI_ID_W-1:0] word_id_q;
    reg                word_last_q;
    reg                word_error_q;

    // Beats that the master has not taken.
    reg                r_valid_q, r_valid_d;
    reg [AXI_ID_W-1:0] r_id_q, r_id_d;
    reg [31:0]         r_data_q, r_data_d;
    reg                r_last_q, r_last_d;
    reg                r_error_q, r_error_d;
    reg                r_next_valid_q, r_next_valid_d;
    reg [AXI_ID_W-1:0] r_next_id_q, r_next_id_d;
    reg [31:0]         r_next_data_q, r_next_data_d;
    reg                r_next_last_q, r_next_last_d;
    reg                r_next_error_q, r_next_error_d;

    reg                failed_q, failed_d; // a beat of the burst that is written was refused
    reg                write_q, write_d;   // the last beat was of a write: one of a read goes first
    reg                hold_q;             // the write of the cycle before was not answered
    reg                reg_q, reg_d;       // a register is read

    // INCR, or one beat FIXED, which is the same; no more than 4 bytes a beat; not over 4 KiB (AXI-3).
    function taken;
        input [11:0] addr;
        input [7:0]  len;
        input [2:0]  size;
        input [1:0]  burst;
        reg          over;
        reg   [11:0] unused;
        begin
            {over, unused} = {1'b0, addr} + ({5'd0, len} << size[1:0]);
            taken = size <= 3'd2 && ((burst == 2'b01 && !over) || (burst == 2'b00 && len == 8'd0));
        end
    endfunction

    // Address of the beat behind that of `addr` (AXI-2).
    function [31:0] following;
        input [31:0] addr;
        input [1:0]  size;
        reg   [11:0] step;
        begin
            step      = 12'd1 << size;
            following = {addr[31:12], (addr[11:0] & ~(step - 12'd1)) + step};
        end
    endfunction

    // ---- Whose turn it is (AXI-6) ----

    // A register is read by a request of its own, whose address is known from the beginning of the cycle:
    // no address of a request waits for the decision.
    wire can_write = aw_valid_q && w_valid_q && !(w_last_q && b_next_valid_q);
    wire can_read  = ar_valid_q && !r_next_valid_q && !(word_valid_q && r_valid_q);
    wire go_write  = !reg_q && (hold_q || (can_write && !(can_read && write_q)));
    wire go_read   = !reg_q && !hold_q && can_read && !(can_write && !write_q);

    // ---- A beat of a write ----

    wire skip       = !aw_ok_q || failed_q;
    wire write_done = go_write && (skip || rsp_valid);
    wire write_end  = write_done && w_last_q;
    wire refused    = skip || rsp_error;

    // ---- A beat of a read: a word of the memory at once, a register from the next cycle on ----

    wire to_regs   = ar_ok_q && !ar_addr_q[31];
    wire in_range  = {1'b0, ar_addr_q[30:2]} < WORDS;
    wire of_words  = go_read && !to_regs;
    wire reg_done  = reg_q && rsp_valid;
    wire read_done = of_words || reg_done;
    wire read_last = ar_left_q == 8'd0;
    wire read_end  = read_done && read_last;

    assign req_valid = reg_q || (go_write && !skip);
    assign req_write = !reg_q;
    assign req_addr  = reg_q ? ar_addr_q : aw_addr_q;
    assign req_wdata = w_data_q;
    assign req_wstrb = w_strb_q;
    assign mem_read  = of_words;
    assign mem_addr  = ar_addr_q[MEM_ADDR_W+1:2];

    // ---- Channels of addresses and write data: what is done makes room for what waits ----

    wire aw_take = s_axi_awvalid && s_axi_awready;
    wire w_take  = s_axi_wvalid && s_axi_wready;
    wire ar_take = s_axi_arvalid && s_axi_arready;
    wire aw_ok   = taken(s_axi_awaddr[11:0], s_axi_awlen, s_axi_awsize, s_axi_awburst);
    wire ar_ok   = taken(s_axi_araddr[11:0], s_axi_arlen, s_axi_arsize, s_axi_arburst);

    // The next addresses are chosen with gates: behind a condition that excludes the other's, Yosys would
    // share one adder between both, and its inputs would wait for the decision.
    wire [31:0] aw_done = {32{write_done}};
    wire [31:0] ar_done = {32{read_done}};

    always @* begin
        aw_valid_d      = aw_valid_q;
        aw_id_d         = aw_id_q;
        aw_addr_d       = (following(aw_addr_q, aw_size_q) & aw_done) | (aw_addr_q & ~aw_done);
        aw_size_d       = aw_size_q;
        aw_ok_d         = aw_ok_q;
        aw_next_valid_d = aw_next_valid_q;
        aw_next_id_d    = aw_next_id_q;
        aw_next_addr_d  = aw_next_addr_q;
        aw_next_size_d  = aw_next_size_q;
        aw_next_ok_d    = aw_next_ok_q;

        if (!aw_valid_q || write_end) begin
            aw_next_valid_d = 1'b0;
            if (aw_next_valid_q) begin
                aw_id_d   = aw_next_id_q;
                aw_addr_d = aw_next_addr_q;
                aw_size_d = aw_next_size_q;
                aw_ok_d   = aw_next_ok_q;
            end else begin
                aw_valid_d = aw_take;
                aw_id_d    = s_axi_awid;
                aw_addr_d  = s_axi_awaddr;
                aw_size_d  = s_axi_awsize[1:0];
                aw_ok_d    = aw_ok;
            end
        end else if (aw_take) begin
            aw_next_valid_d = 1'b1;
            aw_next_id_d    = s_axi_awid;
            aw_next_addr_d  = s_axi_awaddr;
            aw_next_size_d  = s_axi_awsize[1:0];
            aw_next_ok_d    = aw_ok;
        end
    end

    always @* begin
        w_valid_d      = w_valid_q;
        w_data_d       = w_data_q;
        w_strb_d       = w_strb_q;
        w_last_d       = w_last_q;
        w_next_valid_d = w_next_valid_q;
        w_next_data_d  = w_next_data_q;
        w_next_strb_d  = w_next_strb_q;
        w_next_last_d  = w_next_last_q;

        if (!w_valid_q || write_done) begin
            w_next_valid_d = 1'b0;
            if (w_next_valid_q) begin
                w_data_d = w_next_data_q;
                w_strb_d = w_next_strb_q;
                w_last_d = w_next_last_q;
            end else begin
                w_valid_d = w_take;
                w_data_d  = s_axi_wdata;
                w_strb_d  = s_axi_wstrb;
                w_last_d  = s_axi_wlast;
            end
        end else if (w_take) begin
            w_next_valid_d = 1'b1;
            w_next_data_d  = s_axi_wdata;
            w_next_strb_d  = s_axi_wstrb;
            w_next_last_d  = s_axi_wlast;
        end
    end

    always @* begin
        ar_valid_d      = ar_valid_q;
        ar_id_d         = ar_id_q;
        ar_addr_d       = (following(ar_addr_q, ar_size_q) & ar_done) | (ar_addr_q & ~ar_done);
        ar_left_d       = ((ar_left_q - 8'd1) & ar_done[7:0]) | (ar_left_q & ~ar_done[7:0]);
        ar_size_d       = ar_size_q;
        ar_ok_d         = ar_ok_q;
        ar_next_valid_d = ar_next_valid_q;
        ar_next_id_d    = ar_next_id_q;
        ar_next_addr_d  = ar_next_addr_q;
        ar_next_left_d  = ar_next_left_q;
        ar_next_size_d  = ar_next_size_q;
        ar_next_ok_d    = ar_next_ok_q;

        if (!ar_valid_q || read_end) begin
            ar_next_valid_d = 1'b0;
            if (ar_next_valid_q) begin
                ar_id_d   = ar_next_id_q;
                ar_addr_d = ar_next_addr_q;
                ar_left_d = ar_next_left_q;
                ar_size_d = ar_next_size_q;
                ar_ok_d   = ar_next_ok_q;
            end else begin
                ar_valid_d = ar_take;
                ar_id_d    = s_axi_arid;
                ar_addr_d  = s_axi_araddr;
                ar_left_d  = s_axi_arlen;
                ar_size_d  = s_axi_arsize[1:0];
                ar_ok_d    = ar_ok;
            end
        end else if (ar_take) begin
            ar_next_valid_d = 1'b1;
            ar_next_id_d    = s_axi_arid;
            ar_next_addr_d  = s_axi_araddr;
            ar_next_left_d  = s_axi_arlen;
            ar_next_size_d  = s_axi_arsize[1:0];
            ar_next_ok_d    = ar_ok;
        end
    end

    // ---- Answers: what is taken makes room for what waits ----

    always @* begin
        b_valid_d      = b_valid_q;
        b_id_d         = b_id_q;
        b_error_d      = b_error_q;
        b_next_valid_d = b_next_valid_q;
        b_next_id_d    = b_next_id_q;
        b_next_error_d = b_next_error_q;

        if (!b_valid_q || s_axi_bready) begin
            b_next_valid_d = 1'b0;
            if (b_next_valid_q) begin
                b_id_d    = b_next_id_q;
                b_error_d = b_next_error_q;
            end else begin
                b_valid_d = write_end;
                b_id_d    = aw_id_q;
                b_error_d = refused;
            end
        end else if (write_end) begin
            b_next_valid_d = 1'b1;
            b_next_id_d    = aw_id_q;
            b_next_error_d = refused;
        end
    end

    // A beat that the master does not take in its first cycle, or the answer of a register.
    wire                at_once  = word_valid_q && !r_valid_q && s_axi_rready;
    wire                in_valid = (word_valid_q && !at_once) || reg_done;
    wire [AXI_ID_W-1:0] in_id    = word_valid_q ? word_id_q : ar_id_q;
    wire [31:0]         in_data  = word_valid_q ? mem_rdata : rsp_rdata;
    wire                in_last  = word_valid_q ? word_last_q : reg_done && read_last;
    wire                in_error = word_valid_q ? word_error_q : rsp_error;

    always @* begin
        r_valid_d      = r_valid_q;
        r_id_d         = r_id_q;
        r_data_d       = r_data_q;
        r_last_d       = r_last_q;
        r_error_d      = r_error_q;
        r_next_valid_d = r_next_valid_q;
        r_next_id_d    = r_next_id_q;
        r_next_data_d  = r_next_data_q;
        r_next_last_d  = r_next_last_q;
        r_next_error_d = r_next_error_q;

        if (!r_valid_q || s_axi_rready) begin
            r_next_valid_d = 1'b0;
            if (r_next_valid_q) begin
                r_id_d    = r_next_id_q;
                r_data_d  = r_next_data_q;
                r_last_d  = r_next_last_q;
                r_error_d = r_next_error_q;
            end else begin
                r_valid_d = in_valid;
                r_id_d    = in_id;
                r_data_d  = in_data;
                r_last_d  = in_last;
                r_error_d = in_error;
            end
        end
        if (in_valid && r_valid_q && !s_axi_rready) begin
            r_next_valid_d = 1'b1;
            r_next_id_d    = in_id;
            r_next_data_d  = in_data;
            r_next_last_d  = in_last;
            r_next_error_d = in_error;
        end
    end

    always @* begin
        failed_d = failed_q;
        write_d  = write_q;
        if (write_done) failed_d = !w_last_q && refused; // AXI-4
        if (go_write) write_d = 1'b1;
        if (go_read) write_d = 1'b0;
        reg_d = (go_read && to_regs) || (reg_q && !rsp_valid);
    end

    always @(posedge clk) begin
        aw_valid_q      <= aw_valid_d;
        aw_id_q         <= aw_id_d;
        aw_addr_q       <= aw_addr_d;
        aw_size_q       <= aw_size_d;
        aw_ok_q         <= aw_ok_d;
        aw_next_valid_q <= aw_next_valid_d;
        aw_next_id_q    <= aw_next_id_d;
        aw_next_addr_q  <= aw_next_addr_d;
        aw_next_size_q  <= aw_next_size_d;
        aw_next_ok_q    <= aw_next_ok_d;
        w_valid_q       <= w_valid_d;
        w_data_q        <= w_data_d;
        w_strb_q        <= w_strb_d;
        w_last_q        <= w_last_d;
        w_next_valid_q  <= w_next_valid_d;
        w_next_data_q   <= w_next_data_d;
        w_next_strb_q   <= w_next_strb_d;
        w_next_last_q   <= w_next_last_d;
        b_valid_q       <= b_valid_d;
        b_id_q          <= b_id_d;
        b_error_q       <= b_error_d;
        b_next_valid_q  <= b_next_valid_d;
        b_next_id_q     <= b_next_id_d;
        b_next_error_q  <= b_next_error_d;
        ar_valid_q      <= ar_valid_d;
        ar_id_q         <= ar_id_d;
        ar_addr_q       <= ar_addr_d;
        ar_left_q       <= ar_left_d;
        ar_size_q       <= ar_size_d;
        ar_ok_q         <= ar_ok_d;
        ar_next_valid_q <= ar_next_valid_d;
        ar_next_id_q    <= ar_next_id_d;
        ar_next_addr_q  <= ar_next_addr_d;
        ar_next_left_q  <= ar_next_left_d;
        ar_next_size_q  <= ar_next_size_d;
        ar_next_ok_q    <= ar_next_ok_d;
        word_valid_q    <= of_words;
        word_id_q       <= ar_id_q;
        word_last_q     <= of_words && read_last;
        word_error_q    <= !(ar_ok_q && in_range);
        r_valid_q       <= r_valid_d;
        r_id_q          <= r_id_d;
        r_data_q        <= r_data_d;
        r_last_q        <= r_last_d;
        r_error_q       <= r_error_d;
        r_next_valid_q  <= r_next_valid_d;
        r_next_id_q     <= r_next_id_d;
        r_next_data_q   <= r_next_data_d;
        r_next_last_q   <= r_next_last_d;
        r_next_error_q  <= r_next_error_d;
        failed_q        <= failed_d;
        write_q         <= write_d;
        hold_q          <= go_write && !skip && !rsp_valid;
        reg_q           <= reg_d;
        if (rst) begin
            aw_valid_q      <= 1'b0;
            aw_next_valid_q <= 1'b0;
            w_valid_q       <= 1'b0;
            w_next_valid_q  <= 1'b0;
            b_valid_q       <= 1'b0;
            b_next_valid_q  <= 1'b0;
            ar_valid_q      <= 1'b0;
            ar_next_valid_q <= 1'b0;
            word_valid_q    <= 1'b0;
            word_last_q     <= 1'b0;
            r_valid_q       <= 1'b0;
            r_next_valid_q  <= 1'b0;
            failed_q        <= 1'b0;
            write_q         <= 1'b0;
            hold_q          <= 1'b0;
            reg_q           <= 1'b0;
        end
    end

    assign s_axi_awready = !aw_next_valid_q;
    assign s_axi_wready  = !w_next_valid_q;
    assign s_axi_arready = !ar_next_valid_q;
    assign s_axi_bvalid  = b_valid_q;
    assign s_axi_bid     = b_id_q;
    assign s_axi_bresp   = {b_error_q, 1'b0};
    assign s_axi_rvalid  = r_valid_q || word_valid_q;
    assign s_axi_rid     = r_valid_q ? r_id_q : word_id_q;
    assign s_axi_rdata   = r_valid_q ? r_data_q : mem_rdata;
    assign s_axi_rresp   = {r_valid_q ? r_error_q : word_error_q, 1'b0};
    assign s_axi_rlast   = r_valid_q ? r_last_q : word_last_q;
endmodule

`default_nettype wire
