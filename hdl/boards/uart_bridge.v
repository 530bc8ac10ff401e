// SPDX-License-Identifier: MIT OR Apache-2.0
// uart_bridge: requests on a serial line become accesses on AXI4-Lite (docs/boards.md).
//
// A request has 12 bytes, its reply 7; all numbers are little-endian:
//   request  operation ('R' or 'W'), board, address (4), data (4), strobes, 8-bit CRC of the 11 before
//   reply    result, data (4), interrupts of boards 0 to 7, 8-bit CRC of the 6 before
//
// Promises: a request with a wrong CRC, an operation that does not exist or a board that is not there has no
// effect and is answered; after a silence of 32 bits a request begins anew.
`default_nettype none

module uart_bridge #(
    parameter CLOCKS = 57, // cycles of a bit of the serial line, 4 to 65535
    parameter BOARDS = 2   // 1 to 8
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              rx_valid,
    input  wire [7:0]        rx_data,
    input  wire              rx_error,

    output wire              tx_valid,
    input  wire              tx_ready,
    output wire [7:0]        tx_data,

    input  wire [BOARDS-1:0] irq,

    output wire [BOARDS-1:0] m_axi_awvalid,
    input  wire [BOARDS-1:0] m_axi_awready,
    output wire [BOARDS-1:0] m_axi_wvalid,
    input  wire [BOARDS-1:0] m_axi_wready,
    input  wire [BOARDS-1:0] m_axi_bvalid,
    output wire [BOARDS-1:0] m_axi_bready,
    output wire [BOARDS-1:0] m_axi_arvalid,
    input  wire [BOARDS-1:0] m_axi_arready,
    input  wire [BOARDS-1:0] m_axi_rvalid,
    output wire [BOARDS-1:0] m_axi_rready,

    output wire [31:0]       m_axi_addr,
    output wire [31:0]       m_axi_wdata,
    output wire [3:0]        m_axi_wstrb,

    input  wire [1:0]        m_axi_bresp, // of the board whose bvalid or rvalid is high
    input  wire [1:0]        m_axi_rresp,
    input  wire [31:0]       m_axi_rdata
);
    generate
        if (CLOCKS < 4 || CLOCKS > 65535) begin : g_check_clocks
            uart_bridge_CLOCKS_must_be_4_to_65535 u_error ();
        end
        if (BOARDS < 1 || BOARDS > 8) begin : g_check_boards
            uart_bridge_BOARDS_must_be_1_to_8 u_error ();
        end
    endgenerate

    localparam [20:0] SILENCE = 21'd32 * CLOCKS[20:0];

    localparam [7:0] WRONG_CRC   = 8'h80;
    localparam [7:0] WRONG_OP    = 8'h81;
    localparam [7:0] WRONG_BOARD = 8'h82;

    localparam [1:0] RECEIVE = 2'd0;
    localparam [1:0] DECIDE  = 2'd1;
    localparam [1:0] ACCESS  = 2'd2;
    localparam [1:0] REPLY   = 2'd3;

    // 8-bit CRC, polynomial x^8 + x^2 + x + 1, start value FF.
    function [7:0] crc8;
        input [7:0] crc;
        input [7:0] value;
        integer     i;
        begin
            crc8 = crc ^ value;
            for (i = 0; i < 8; i = i + 1)
                crc8 = {crc8[6:0], 1'b0} ^ (crc8[7] ? 8'h07 : 8'h00);
        end
    endfunction

    reg [1:0]        state_q;
    reg [3:0]        count_q;     // bytes received, or left to send
    reg [20:0]       silence_q;
    reg [7:0]        crc_q;
    reg              bad_q;       // a byte without a stop bit
    reg [95:0]       request_q;   // the first byte lowest, once all are there
    reg [BOARDS-1:0] addressed_q; // one hot
    reg              aw_q;
    reg              w_q;
    reg              ar_q;
    reg [47:0]       reply_q;

    wire [7:0] op     = request_q[7:0];
    wire [7:0] board  = request_q[15:8];
    wire       write  = op == 8'h57; // 'W'
    wire       read   = op == 8'h52; // 'R'
    wire       there  = board < BOARDS[7:0];
    wire       refuse = bad_q || crc_q != 8'h00 || !(write || read) || !there;

    wire aw_taken = (m_axi_awready & addressed_q) != {BOARDS{1'b0}};
    wire w_taken  = (m_axi_wready & addressed_q) != {BOARDS{1'b0}};
    wire ar_taken = (m_axi_arready & addressed_q) != {BOARDS{1'b0}};
    wire b_comes  = (m_axi_bvalid & addressed_q) != {BOARDS{1'b0}};
    wire r_comes  = (m_axi_rvalid & addressed_q) != {BOARDS{1'b0}};
    wire answered = state_q == ACCESS && (write ? b_comes && !aw_q && !w_q : r_comes && !ar_q);

    assign m_axi_awvalid = addressed_q & {BOARDS{aw_q}};
    assign m_axi_wvalid  = addressed_q & {BOARDS{w_q}};
    assign m_axi_arvalid = addressed_q & {BOARDS{ar_q}};
    assign m_axi_bready  = addressed_q & {BOARDS{state_q == ACCESS && write && !aw_q && !w_q}};
    assign m_axi_rready  = addressed_q & {BOARDS{state_q == ACCESS && !write && !ar_q}};
    assign m_axi_addr    = request_q[47:16];
    assign m_axi_wdata   = request_q[79:48];
    assign m_axi_wstrb   = request_q[83:80];

    wire [7:0] interrupts;
    generate
        if (BOARDS == 8) begin : g_all
            assign interrupts = irq;
        end else begin : g_some
            assign interrupts = {{(8 - BOARDS){1'b0}}, irq};
        end
    endgenerate

    assign tx_valid = state_q == REPLY;
    assign tx_data  = count_q == 4'd1 ? crc_q : reply_q[7:0];

    reg [7:0] result;
    always @* begin
        if (bad_q || crc_q != 8'h00)
            result = WRONG_CRC;
        else if (!(write || read))
            result = WRONG_OP;
        else
            result = WRONG_BOARD;
    end

    always @(posedge clk) begin
        silence_q <= rx_valid ? SILENCE : silence_q - {20'd0, silence_q != 21'd0};
        case (state_q)
            RECEIVE: begin
                if (rx_valid) begin
                    request_q <= {rx_data, request_q[95:8]};
                    crc_q     <= crc8(count_q == 4'd0 ? 8'hff : crc_q, rx_data);
                    bad_q     <= rx_error || (bad_q && count_q != 4'd0);
                    count_q   <= count_q + 4'd1;
                    if (count_q == 4'd11)
                        state_q <= DECIDE;
                end else if (silence_q == 21'd0)
                    count_q <= 4'd0;
            end
            DECIDE: begin
                addressed_q <= {{(BOARDS - 1){1'b0}}, 1'b1} << board[2:0];
                aw_q        <= !refuse && write;
                w_q         <= !refuse && write;
                ar_q        <= !refuse && read;
                reply_q     <= {interrupts, 32'd0, result};
                crc_q       <= 8'hff;
                count_q     <= 4'd7;
                state_q     <= refuse ? REPLY : ACCESS;
            end
            ACCESS: begin
                aw_q <= aw_q && !aw_taken;
                w_q  <= w_q && !w_taken;
                ar_q <= ar_q && !ar_taken;
                if (answered) begin
                    reply_q <= {interrupts, write ? 32'd0 : m_axi_rdata, 6'd0,
                                write ? m_axi_bresp : m_axi_rresp};
                    state_q <= REPLY;
                end
            end
            default: begin
                if (tx_ready) begin
                    crc_q   <= crc8(crc_q, reply_q[7:0]);
                    reply_q <= {8'd0, reply_q[47:8]};
                    count_q <= count_q - 4'd1;
                    if (count_q == 4'd1) begin
                        count_q <= 4'd0;
                        state_q <= RECEIVE;
                    end
                end
            end
        endcase
        if (rst) begin
            state_q   <= RECEIVE;
            count_q   <= 4'd0;
            silence_q <= 21'd0;
            aw_q      <= 1'b0;
            w_q       <= 1'b0;
            ar_q      <= 1'b0;
        end
    end
endmodule

`default_nettype wire
