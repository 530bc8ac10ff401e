// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_pin_link: two pin_link joined by a cable, with clocks 200 ppm apart. Each sends frames of random lengths to the
// other; wires are cut and joined again.
//
// +seed=N gives the phase of the clocks and the delay of each wire, 2.5 ns plus or minus 1.5 ns. A wire that changes
// less than 1 ns before or after the clock's edge is taken as 0 or 1 at random.
//
// Prints `TOKEN RESULT cases=N failed=M`; TOKEN is a random number that the design does not know.
`timescale 1fs / 1fs
`default_nettype none

module tb_pin_link;
    localparam HALF   = 8_750_000; // fs, of a cycle of 57.143 MHz
    localparam PPM    = 875;       // 100 ppm of it
    localparam DELAY  = 2_500_000;
    localparam SKEW   = 1_500_000;
    localparam WINDOW = 1_000_000;
    localparam WIRES  = 22;        // 20 of data, light, clock
    localparam LIGHT  = 20;
    localparam CLOCK  = 21;
    localparam TRACK  = 4096;      // frames under way, at most

    integer    seed;
    integer    cases  = 0;
    integer    failed = 0;

    // Index 0 is end a, index 1 end b; wires [0] go from a to b, wires [1] from b to a.
    reg  [1:0]       clk    = 2'b00;
    reg  [1:0]       clk_90 = 2'b00;
    reg  [1:0]       rst    = 2'b11;
    wire [WIRES-1:0] driven  [0:1];
    reg  [WIRES-1:0] arrived [0:1];
    reg  [WIRES-1:0] contact [0:1];
    reg  [1:0]       inverted = 2'b00; // the clock in the cable
    reg  [1:0]       replaced = 2'b00; // by another clock
    reg              other    = 1'b0;
    integer          other_half = HALF;

    reg  [1:0]       sending = 2'b00;  // traffic of an end is on
    reg  [8:0]       longest = 9'd261; // words of a frame
    wire [1:0]       runs;
    wire [1:0]       up;
    wire [1:0]       word;             // at the output of the other end

    always #(other_half) other = !other;

    // Frames from an end that have not arrived whole: what the words are follows from number and length.
    integer          sent    [0:1];
    integer          arrivedf [0:1];
    integer          wrong   [0:1];    // words or frames that are not as they were sent
    integer          latency [0:1];    // the most cycles from input to output, in units of HALF
    integer          least   [0:1];

    genvar e, n;
    generate
        for (e = 0; e < 2; e = e + 1) begin : g_end
            // ---- Clock ----

            initial begin
                #(1 + $unsigned($random(seed)) % (2 * HALF));
                forever #(HALF + (e == 0 ? PPM : -PPM)) clk[e] = !clk[e];
            end

            always @(clk[e]) clk_90[e] <= #(HALF / 2) clk[e];

            // ---- Cable from this end ----

            for (n = 0; n < WIRES; n = n + 1) begin : g_wire
                integer delay;
                initial begin
                    delay = DELAY - SKEW + $unsigned($random(seed)) % (2 * SKEW);
                    arrived[e][n] = 1'b0;
                end
                always @(driven[e][n])
                    if (n == CLOCK)
                        arrived[e][n] <= #(delay) driven[e][n];
                    else begin
                        arrived[e][n] <= #(delay - WINDOW) $random(seed);
                        arrived[e][n] <= #(delay + WINDOW) driven[e][n];
                    end
            end

            // ---- The link ----

            wire [WIRES-1:0] from = arrived[1-e] & contact[1-e];
            wire             from_clk = replaced[1-e] ? other : from[CLOCK] ^ (inverted[1-e] && contact[1-e][CLOCK]);
            reg  [31:0]      s_tdata;
            reg  [3:0]       s_tkeep;
            reg              s_tvalid = 1'b0;
            reg              s_tlast;
            reg              s_tuser;
            wire [31:0]      m_tdata;
            wire [3:0]       m_tkeep;
            wire             m_tvalid;
            wire             m_tlast;
            wire             m_tuser;

            pin_link #(.SPANS_W(4)) u_link (
                .clk (clk[e]), .clk_90 (clk_90[e]), .rst (rst[e]),
                .s_axis_tdata (s_tdata), .s_axis_tkeep (s_tkeep), .s_axis_tvalid (s_tvalid),
                .s_axis_tlast (s_tlast), .s_axis_tuser (s_tuser),
                .m_axis_tdata (m_tdata), .m_axis_tkeep (m_tkeep), .m_axis_tvalid (m_tvalid),
                .m_axis_tlast (m_tlast), .m_axis_tuser (m_tuser),
                .runs (runs[e]), .up (up[e]),
                .tx_pins (driven[e][19:0]), .tx_clk_pin (driven[e][CLOCK]), .tx_light_pin (driven[e][LIGHT]),
                .rx_pins (from[19:0]), .rx_clk_pin (from_clk), .rx_light_pin (from[LIGHT])
            );

            assign word[1-e] = m_tvalid;

            // ---- Frames from this end: length and end of a frame, and its begin ----

            reg [8:0] lengths [0:TRACK-1];
            reg [4:0] ends    [0:TRACK-1]; // {M, keep}
            time      begins  [0:TRACK-1];
            integer   i, gap;

            initial begin
                sent[e] = 0;
                wait (!rst[e]);
                forever begin
                    @(posedge clk[e]);
                    if (sending[e]) begin
                        case ($unsigned($random(seed)) % 4)
                            0:       lengths[sent[e] % TRACK] = longest;
                            1:       lengths[sent[e] % TRACK] = 9'd1;
                            default: lengths[sent[e] % TRACK] = 9'd1 + $unsigned($random(seed)) % 40;
                        endcase
                        ends[sent[e] % TRACK]   = {$random(seed), 4'b1111 >> $unsigned($random(seed)) % 4};
                        begins[sent[e] % TRACK] = $time;
                        sent[e] = sent[e] + 1;
                        for (i = 1; i <= lengths[(sent[e] - 1) % TRACK]; i = i + 1) begin
                            s_tvalid <= 1'b1;
                            s_tdata  <= {~e[0], sent[e][15:0] - 16'd1, i[14:0]} ^ {32{i[0]}};
                            s_tlast  <= i == lengths[(sent[e] - 1) % TRACK];
                            s_tkeep  <= i == lengths[(sent[e] - 1) % TRACK] ? ends[(sent[e] - 1) % TRACK][3:0] : 4'b1111;
                            s_tuser  <= i == 1 && i != lengths[(sent[e] - 1) % TRACK] && ends[(sent[e] - 1) % TRACK][4];
                            @(posedge clk[e]);
                        end
                        s_tvalid <= 1'b0;
                        gap = 1 + $unsigned($random(seed)) % 3; // idle words, less 1 (LNK-5)
                        repeat (gap) @(posedge clk[e]);
                    end
                end
            end
        end

        for (e = 0; e < 2; e = e + 1) begin : g_sink
            // ---- Frames from end e at the other end: each is one that was sent, whole, in order ----

            integer place   = 0; // words of the frame so far
            integer number  = 0;
            reg     bad     = 1'b0;
            reg     early   = 1'b0; // not the end of the frame, and yet the last word
            integer took;

            initial begin
                arrivedf[e] = 0;
                wrong[e]    = 0;
                latency[e]  = 0;
                least[e]    = 1000;
            end

            always @(negedge clk[1-e])
                if (g_end[1-e].m_tvalid) begin
                    place = place + 1;
                    if (place == 1) begin
                        // The number is in the first word.
                        number = (g_end[1-e].m_tdata ^ 32'hffff_ffff) >> 15 & 16'hffff;
                        bad    = number >= sent[e] || number < arrivedf[e];
                        took   = ($time - begins_of(e, number)) / HALF;
                        if (took > latency[e]) latency[e] = took;
                        if (took < least[e]) least[e] = took;
                    end
                    bad = bad || g_end[1-e].m_tdata !== ({~e[0], number[15:0], place[14:0]} ^ {32{place[0]}});
                    if (place == 1 && !g_end[1-e].m_tlast)
                        bad = bad || g_end[1-e].m_tuser !== ends_of(e, number) >> 4;
                    if (g_end[1-e].m_tlast) begin
                        bad = bad || place != length_of(e, number);
                        bad = bad || g_end[1-e].m_tuser !== 1'b0;
                        bad = bad || g_end[1-e].m_tkeep !== (ends_of(e, number) & 5'b01111);
                        if (bad) wrong[e] = wrong[e] + 1;
                        else arrivedf[e] = number + 1;
                        place = 0;
                    end
                end else if (place != 0) begin
                    wrong[e] = wrong[e] + 1; // a word is missing
                    place = 0;
                end
        end
    endgenerate

    function time begins_of(input integer end_, input integer number);
        begins_of = end_ == 0 ? g_end[0].begins[number % TRACK] : g_end[1].begins[number % TRACK];
    endfunction

    function [4:0] ends_of(input integer end_, input integer number);
        ends_of = end_ == 0 ? g_end[0].ends[number % TRACK] : g_end[1].ends[number % TRACK];
    endfunction

    function integer length_of(input integer end_, input integer number);
        length_of = end_ == 0 ? g_end[0].lengths[number % TRACK] : g_end[1].lengths[number % TRACK];
    endfunction

    // ---- Cases ----

    // Ends with the first failure.
    task check(input [8*48-1:0] what, input ok);
        begin
            cases = cases + 1;
            if ($test$plusargs("verbose")) $display("%0s, at %0d ns: %b", what, $time / 1_000_000, ok);
            if (ok !== 1'b1) begin
                failed = failed + 1;
                $display("failed: %0s, at %0d ns", what, $time / 1_000_000);
                finish;
            end
        end
    endtask

    task finish;
        begin
            $display("%0s RESULT cases=%0d failed=%0d", `TOKEN, cases, failed);
            $display("latency: %0d to %0d and %0d to %0d half cycles", least[0], latency[0], least[1], latency[1]);
            $finish;
        end
    endtask

    task cycles(input integer number);
        #(2.0 * HALF * number);
    endtask

    integer heard [0:1]; // frames sent and wrong, when traffic begins
    integer first [0:1];

    // Traffic of `ends` for a while: all that is sent arrives, nothing else.
    task traffic(input [8*48-1:0] what, input [1:0] ends, input integer length);
        integer k;
        begin
            for (k = 0; k < 2; k = k + 1) begin
                heard[k] = wrong[k];
                first[k] = sent[k];
            end
            sending = ends;
            cycles(length);
            sending = 2'b00;
            cycles(longest + 40);
            for (k = 0; k < 2; k = k + 1)
                if (ends[k]) begin
                    check(what, sent[k] > first[k]);
                    check(what, arrivedf[k] == sent[k] && wrong[k] == heard[k]);
                end
        end
    endtask

    // Words at the outputs in a while: bit k of `words` if any came from end k.
    reg [1:0] words;
    task listen(input integer length);
        begin
            words = 2'b00;
            repeat (length) begin
                #(2 * HALF) words = words | word;
            end
        end
    endtask

    // Wires from end k are out; then in again. What becomes of the link at both ends.
    task cut(input [8*48-1:0] what, input integer k, input [WIRES-1:0] wires, input clock, input other_way);
        begin
            sending = 2'b11;
            cycles(50);
            contact[k] = contact[k] & ~wires;
            cycles(15);
            check(what, runs[1-k] === !clock);
            cycles(85);
            check(what, up[1-k] === 1'b0);
            check(what, up[k] === other_way);
            listen(150);
            check(what, !words[k]);
            check(what, words[1-k] === other_way);
            contact[k] = contact[k] | wires;
            if (clock) begin
                cycles(60);
                check(what, up == 2'b00);
            end
            sending = 2'b00;
            cycles(140);
            check(what, runs == 2'b11 && up == 2'b11);
            traffic(what, 2'b11, 100);
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        contact[0] = {WIRES{1'b1}};
        contact[1] = {WIRES{1'b1}};
        cycles(20);
        rst[0] = 1'b0;
        cycles(120);
        check("one end alone", up[0] === 1'b0 && runs[1] === 1'b0);
        rst[1] = 1'b0;
        cycles(60);
        check("not yet", up == 2'b00);
        listen(100);
        check("up", up == 2'b11 && runs == 2'b11);
        check("no word of no frame", words == 2'b00);
        traffic("both ways", 2'b11, 400);
        check("latency", latency[0] <= 2 * 14 && latency[1] <= 2 * 14 && least[0] >= 2 * 9);

        longest = 9'd41;
        cut("light", 0, 1 << LIGHT, 1'b0, 1'b1);
        cut("clock", 1, 1 << CLOCK, 1'b1, 1'b0);
        cut("all", 0, {WIRES{1'b1}}, 1'b1, 1'b0);
        // The place of the words in the bits changes by half a word.
        inverted = 2'b01;
        cycles(200);
        check("inverted clock", up == 2'b11);
        traffic("inverted clock", 2'b11, 100);
        inverted = 2'b00;
        cycles(200);

        other_half = HALF / 2;
        replaced   = 2'b01;
        cycles(100);
        check("clock of double the rate", runs[1] === 1'b0 && up == 2'b00);
        other_half = HALF * 2;
        cycles(200);
        check("clock of half the rate", runs[1] === 1'b0 && up == 2'b00);
        replaced = 2'b00;
        cycles(200);
        check("its own clock", runs == 2'b11 && up == 2'b11);

        rst[1] = 1'b1;
        cycles(20);
        check("reset: the other end is dark", up == 2'b00);
        sending = 2'b01;
        listen(100);
        check("reset: no words", words == 2'b00);
        sending = 2'b00;
        cycles(60);
        rst[1]  = 1'b0;
        cycles(200);
        check("after reset", up == 2'b11);
        traffic("after reset", 2'b11, 100);
        finish;
    end
endmodule

`default_nettype wire
