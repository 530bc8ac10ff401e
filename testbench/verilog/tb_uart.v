// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_uart: uart_rx, uart_bridge and uart_tx with two boards that answer late and in any order.
//
// Prints `TOKEN RESULT cases=N failed=M`; TOKEN is a random number that the design does not know.
`timescale 1ns / 1ns
`default_nettype none

module tb_uart;
    localparam CLOCKS = 8;
    localparam BIT    = 10 * CLOCKS; // ns

    reg         clk = 1'b0;
    reg         rst = 1'b1;
    reg         rx  = 1'b1;
    wire        tx;

    wire        rx_valid;
    wire [7:0]  rx_data;
    wire        rx_error;
    wire        tx_valid;
    wire        tx_ready;
    wire [7:0]  tx_data;
    reg  [1:0]  irq = 2'b10;
    wire [1:0]  awvalid;
    wire [1:0]  wvalid;
    wire [1:0]  bready;
    wire [1:0]  arvalid;
    wire [1:0]  rready;
    reg  [1:0]  awready = 2'd0;
    reg  [1:0]  wready  = 2'd0;
    reg  [1:0]  bvalid  = 2'd0;
    reg  [1:0]  arready = 2'd0;
    reg  [1:0]  rvalid  = 2'd0;
    wire [31:0] addr;
    wire [31:0] wdata;
    wire [3:0]  wstrb;
    reg  [1:0]  resp  = 2'd0;
    reg  [31:0] rdata = 32'd0;

    always #5 clk = !clk;

    uart_rx #(.CLOCKS(CLOCKS)) u_rx (
        .clk (clk), .rst (rst), .rx (rx), .valid (rx_valid), .data (rx_data), .error (rx_error)
    );

    uart_tx #(.CLOCKS(CLOCKS)) u_tx (
        .clk (clk), .rst (rst), .valid (tx_valid), .ready (tx_ready), .data (tx_data), .tx (tx)
    );

    uart_bridge #(.CLOCKS(CLOCKS), .BOARDS(2)) u_bridge (
        .clk (clk), .rst (rst),
        .rx_valid (rx_valid), .rx_data (rx_data), .rx_error (rx_error),
        .tx_valid (tx_valid), .tx_ready (tx_ready), .tx_data (tx_data),
        .irq (irq),
        .m_axi_awvalid (awvalid), .m_axi_awready (awready),
        .m_axi_wvalid (wvalid), .m_axi_wready (wready),
        .m_axi_bvalid (bvalid), .m_axi_bready (bready),
        .m_axi_arvalid (arvalid), .m_axi_arready (arready),
        .m_axi_rvalid (rvalid), .m_axi_rready (rready),
        .m_axi_addr (addr), .m_axi_wdata (wdata), .m_axi_wstrb (wstrb),
        .m_axi_bresp (resp), .m_axi_rresp (resp), .m_axi_rdata (rdata)
    );

    // ---- Boards: two words each, at 0 and 4; anything else is refused ----

    reg [31:0] words [0:3];
    reg [1:0]  aw_first = 2'd0; // 1: address before data, 2: data first, 0: together
    integer    reads    = 0;
    integer    writes   = 0;
    reg        wild     = 1'b0; // an access to a board that was not meant, or to two
    reg        lost     = 1'b0; // an offer was withdrawn
    integer    b;

    task answer_write(input integer board);
        begin
            if (aw_first == 2'd2) begin
                repeat (3) @(negedge clk);
                wready[board] = 1'b1;
                lost = lost || !wvalid[board];
                @(negedge clk) wready[board] = 1'b0;
                repeat (5) @(negedge clk);
                awready[board] = 1'b1;
                lost = lost || !awvalid[board];
                @(negedge clk) awready[board] = 1'b0;
            end else begin
                awready[board] = 1'b1;
                wready[board]  = aw_first == 2'd0;
                lost           = lost || !awvalid[board] || !wvalid[board];
                @(negedge clk) awready[board] = 1'b0;
                wready[board] = 1'b0;
                if (aw_first == 2'd1) begin
                    repeat (4) @(negedge clk);
                    wready[board] = 1'b1;
                    lost          = lost || !wvalid[board];
                    @(negedge clk) wready[board] = 1'b0;
                end
            end
            if (awvalid[board] || wvalid[board])
                wild = 1'b1; // offered twice
            resp = addr > 32'd4 ? 2'b10 : 2'b00;
            for (b = 0; b < 4; b = b + 1)
                if (addr <= 32'd4 && wstrb[b])
                    words[2 * board + addr[2]][8 * b +: 8] = wdata[8 * b +: 8];
            repeat (7) @(negedge clk);
            bvalid[board] = 1'b1;
            while (!bready[board]) @(negedge clk);
            @(negedge clk) bvalid[board] = 1'b0;
            writes = writes + 1;
        end
    endtask

    task answer_read(input integer board);
        begin
            repeat (2) @(negedge clk);
            arready[board] = 1'b1;
            @(negedge clk) arready[board] = 1'b0;
            if (arvalid[board])
                wild = 1'b1;
            repeat (6) @(negedge clk);
            rdata         = addr > 32'd4 ? 32'd0 : words[2 * board + addr[2]];
            resp          = addr > 32'd4 ? 2'b10 : 2'b00;
            rvalid[board] = 1'b1;
            while (!rready[board]) @(negedge clk);
            @(negedge clk) rvalid[board] = 1'b0;
            rdata = 32'hdeaddead;
            reads = reads + 1;
        end
    endtask

    always @(negedge clk) begin
        if (awvalid == 2'b11 || wvalid == 2'b11 || arvalid == 2'b11)
            wild = 1'b1;
        else if (awvalid[0] || wvalid[0])
            answer_write(0);
        else if (awvalid[1] || wvalid[1])
            answer_write(1);
        else if (arvalid[0])
            answer_read(0);
        else if (arvalid[1])
            answer_read(1);
    end

    // ---- The program at the other end of the line ----

    reg [55:0] reply;
    integer    bytes = 0; // of it
    integer    skew  = 0; // ns that this end's bits are too long
    integer    at;
    reg        bad_stop = 1'b0;

    always begin : receive
        reg [7:0] value;
        integer   i;
        @(negedge tx);
        #(BIT / 2);
        if (!tx) begin
            for (i = 0; i < 8; i = i + 1) begin
                #(BIT) value[i] = tx;
            end
            #(BIT) if (!tx) bad_stop = 1'b1;
            reply = {value, reply[55:8]};
            bytes = bytes + 1;
        end
    end

    task send(input [7:0] value, input stop);
        integer i;
        begin
            rx = 1'b0;
            #(BIT + skew);
            for (i = 0; i < 8; i = i + 1) begin
                rx = value[i];
                #(BIT + skew);
            end
            rx = stop;
            #(BIT + skew);
            rx = 1'b1;
        end
    endtask

    // One bit at a time, the highest first: not the way the design does it.
    function [7:0] crc(input [95:0] data, input integer count);
        integer i;
        reg     top;
        begin
            crc = 8'hff;
            for (i = 0; i < 8 * count; i = i + 1) begin
                top = crc[7] ^ data[8 * (i / 8) + 7 - i % 8];
                crc = {crc[6:0], 1'b0};
                if (top)
                    crc = crc ^ 8'b0000_0111;
            end
        end
    endfunction

    integer cases  = 0;
    integer failed = 0;

    task check(input condition, input [40*8-1:0] what);
        begin
            cases = cases + 1;
            if (!condition) begin
                failed = failed + 1;
                $display("FAIL %0s: reply %h, %0d bytes, words %h %h %h %h", what, reply, bytes,
                         words[0], words[1], words[2], words[3]);
            end
        end
    endtask

    // Result, data and interrupts, within the time of 12 + 7 bytes and of an access.
    task expect_reply(input [7:0] result, input [31:0] data, input [40*8-1:0] what);
        begin
            #(100 * BIT);
            check(bytes == 7 && reply[7:0] == result && reply[39:8] == data && reply[47:40] == {6'd0, irq}
                  && reply[55:48] == crc({48'd0, reply[47:0]}, 6) && !bad_stop && !wild && !lost, what);
            bytes = 0;
        end
    endtask

    task request(input [7:0] op, input [7:0] board, input [31:0] address, input [31:0] data, input [3:0] strobes,
                 input [7:0] spoil);
        reg [87:0] head;
        begin
            head = {4'd0, strobes, data, address, board, op};
            for (at = 0; at < 11; at = at + 1)
                send(head[8 * at +: 8], 1'b1);
            send(crc({8'd0, head}, 11) ^ spoil, 1'b1);
        end
    endtask

    integer n;
    initial begin
        for (n = 0; n < 4; n = n + 1)
            words[n] = 32'h1111_1111 * (n + 1);
        #200 rst = 1'b0;
        #200;
        for (n = 0; n < 3; n = n + 1) begin
            aw_first = n[1:0];
            request("W", 8'd0, 32'd4, 32'h0102_0304 + n, 4'b1111, 8'd0);
            expect_reply(8'd0, 32'd0, "write");
            check(words[1] == 32'h0102_0304 + n, "written");
        end
        request("W", 8'd1, 32'd0, 32'ha5a6_a7a8, 4'b0101, 8'd0);
        expect_reply(8'd0, 32'd0, "strobes");
        check(words[2] == 32'h33a6_33a8 && words[0] == 32'h1111_1111, "strobes, and no other board");
        request("R", 8'd1, 32'd0, 32'd0, 4'd0, 8'd0);
        irq = 2'b01;
        expect_reply(8'd0, 32'h33a6_33a8, "read of board 1");
        request("R", 8'd0, 32'd4, 32'd0, 4'd0, 8'd0);
        expect_reply(8'd0, 32'h0102_0306, "read of board 0");
        request("R", 8'd0, 32'h8000_0004, 32'd0, 4'd0, 8'd0);
        expect_reply(8'd2, 32'd0, "read refused by the board");
        request("W", 8'd0, 32'd8, 32'd0, 4'd15, 8'd0);
        expect_reply(8'd2, 32'd0, "write refused by the board");

        // What is wrong has no effect.
        reads  = 0;
        writes = 0;
        for (n = 0; n < 8; n = n + 1) begin
            request("W", 8'd0, 32'd0, 32'hffff_ffff, 4'd15, 8'd1 << n);
            expect_reply(8'h80, 32'd0, "wrong CRC");
        end
        request("X", 8'd0, 32'd0, 32'd0, 4'd15, 8'd0);
        expect_reply(8'h81, 32'd0, "no such operation");
        request("W", 8'd2, 32'd0, 32'd0, 4'd15, 8'd0);
        expect_reply(8'h82, 32'd0, "board 2");
        request("R", 8'd8, 32'd0, 32'd0, 4'd15, 8'd0);
        expect_reply(8'h82, 32'd0, "board 8");
        request("R", 8'd255, 32'd0, 32'd0, 4'd15, 8'd0);
        expect_reply(8'h82, 32'd0, "board 255");
        // The stop bit of the first byte, and of the last, is missing.
        for (n = 0; n < 2; n = n + 1) begin
            for (at = 0; at < 11; at = at + 1) begin
                send(at == 0 ? "W" : 8'd0, !(n == 0 && at == 0));
                if (n == 0 && at == 0)
                    #(2 * BIT);
            end
            send(crc({88'd0, 8'h57}, 11), n == 0);
            expect_reply(8'h80, 32'd0, "no stop bit");
        end
        check(reads == 0 && writes == 0 && words[0] == 32'h1111_1111, "no effect");

        // A request that breaks off is forgotten after a silence, and not before.
        for (at = 0; at < 5; at = at + 1)
            send("W", 1'b1);
        #(40 * BIT);
        request("R", 8'd0, 32'd0, 32'd0, 4'd0, 8'd0);
        expect_reply(8'd0, 32'h1111_1111, "after a silence");
        send("R", 1'b1);
        for (at = 0; at < 10; at = at + 1) begin
            #(20 * BIT);
            send(8'd0, 1'b1);
        end
        send(crc({88'd0, 8'h52}, 11), 1'b1);
        expect_reply(8'd0, 32'h1111_1111, "slowly");

        // A short low on the line is no byte.
        rx = 1'b0;
        #20 rx = 1'b1;
        #(12 * BIT);
        request("R", 8'd0, 32'd0, 32'd0, 4'd0, 8'd0);
        expect_reply(8'd0, 32'h1111_1111, "after noise");
        // Bits that are 2.5 % too long or too short.
        for (n = 0; n < 2; n = n + 1) begin
            skew = n == 0 ? BIT / 40 : -BIT / 40;
            request("R", 8'd1, 32'd4, 32'd0, 4'd0, 8'd0);
            expect_reply(8'd0, 32'h4444_4444, "another clock");
        end
        skew = 0;
        // Reset in a reply.
        request("R", 8'd0, 32'd0, 32'd0, 4'd0, 8'd0);
        #(15 * BIT) rst = 1'b1;
        #40 rst = 1'b0;
        #(100 * BIT);
        bytes    = 0;
        bad_stop = 1'b0;
        request("R", 8'd0, 32'd4, 32'd0, 4'd0, 8'd0);
        expect_reply(8'd0, 32'h0102_0306, "after reset");
        $display("%0s RESULT cases=%0d failed=%0d", `TOKEN, cases, failed);
        $finish;
    end
endmodule

`default_nettype wire
