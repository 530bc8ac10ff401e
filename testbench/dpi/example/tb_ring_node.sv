// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_ring_node: a ring_node beside the model: every output, register and memory word is compared in every cycle.
//
// Plusargs: +seed=N the random numbers, +cycles=N the length, +ports compares the outputs only.
// With the macro PORTS_ONLY it never reads registers: for a design with other ones.
// Inputs change after the rising edge; everything is compared just before the next one.
`include "awgstar_design.svh"

module tb_ring_node #(
    parameter int BUFFER_ADDR_W = awgstar_pkg::AWG_BUFFER_ADDR_W,
    parameter int RX_ADDR_W     = awgstar_pkg::AWG_RX_ADDR_W
);
  import awgstar_pkg::*;
`include "traffic.svh"

  localparam bit [7:0] NODE = 8'd1;

  bit clk;
  awg_ring_node_in_t  in;
  awg_ring_node_out_t out;
  awg_ring_node_out_t seen;  // just before the edge: later, ready is that of the next cycle

  ring_node #(.BUFFER_ADDR_W(BUFFER_ADDR_W), .RX_ADDR_W(RX_ADDR_W)) dut (.clk(clk), `AWG_RING_NODE_PORTS(in, out));

  // ---- Traffic ----

  int data_left, signal_left;  // bytes of the payload that are still to be taken
  int received;                // frames that the host has taken

  task automatic new_frame();
    awg_frame_t frame;
    bit [8191:0] data;
    int kind;
    kind = below(8);
    frame.header.mac = {AWG_MAC_PREFIX, chance(4) ? NODE : 8'(below(6))};
    frame.header.token = kind < 3 ? AWG_TOKEN_FREE : kind < 5 ? AWG_TOKEN_DATA : 3'(3 + below(4));
    frame.header.c_st = 5'(random());
    frame.header.node_id = chance(8) ? NODE : 8'(below(6));
    frame.header.multi_g = 4'(random());
    frame.header.act_seq = 4'(random());
    frame.header.packet_cnt = 8'(random());
    frame.header.addr = random();
    for (int i = 0; i < 256; i++) data[32*i +: 32] = random();
    frame.len = frame.header.token == AWG_TOKEN_FREE ? 11'd0 : 11'(some_length());
    frame.data = data;
    send_frame(frame);
  endtask

  // What a task writes does not reach the design in Verilator 5.006: the process below copies this.
  awg_ring_node_in_t next;

  // The inputs of the cycle that comes, from the outputs at the edge that ends the one before.
  task automatic drive(input int cycle);
    awg_word_t word;
    bit busy;
    // Who was ready has taken it.
    if (next.s_data_hdr_valid && seen.s_data_hdr_ready) next.s_data_hdr_valid = 1'b0;
    if (next.s_signal_hdr_valid && seen.s_signal_hdr_ready) next.s_signal_hdr_valid = 1'b0;
    if (next.s_data_axis_tvalid && seen.s_data_axis_tready) begin
      data_left = data_left > 4 ? data_left - 4 : 0;
      next.s_data_axis_tdata = random();
    end
    if (next.s_signal_axis_tvalid && seen.s_signal_axis_tready) begin
      signal_left = signal_left > 4 ? signal_left - 4 : 0;
      next.s_signal_axis_tdata = random();
    end
    if (seen.m_rx_hdr_valid && next.m_rx_hdr_ready) received = received + 1;
    next.rst = cycle < 3 || (cycle % 4096 > 4092 && chance(8));
    if (next.rst) begin
      // A reset drops what the node has taken of a frame.
      next.s_data_hdr_valid = 1'b0;
      next.s_signal_hdr_valid = 1'b0;
      data_left = 0;
      signal_left = 0;
    end
    busy = next.s_data_hdr_valid || data_left > 0;
    if (!busy && !next.rst && !rests(cycle, 1) && chance(1)) begin
      next.s_data_hdr_valid = 1'b1;
      next.s_data_hdr_act_seq = 4'(random());
      next.s_data_hdr_packet_cnt = 8'(random());
      next.s_data_hdr_addr = random();
      next.s_data_hdr_len = 11'(some_length());
      data_left = int'(next.s_data_hdr_len);
    end
    busy = next.s_signal_hdr_valid || signal_left > 0;
    if (!busy && !next.rst && !rests(cycle, 2) && chance(1)) begin
      next.s_signal_hdr_valid = 1'b1;
      next.s_signal_hdr_token = 3'(random());
      next.s_signal_hdr_c_st = 5'(random());
      next.s_signal_hdr_node_id = 8'(below(6));
      next.s_signal_hdr_multi_g = 4'(random());
      next.s_signal_hdr_act_seq = 4'(random());
      next.s_signal_hdr_packet_cnt = 8'(random());
      next.s_signal_hdr_addr = random();
      next.s_signal_hdr_len = 11'(below(49));
      signal_left = int'(next.s_signal_hdr_len);
    end
    next.s_data_axis_tvalid = data_left > 0;
    next.s_data_axis_tkeep = data_left >= 4 ? 4'b1111 : 4'((1 << data_left) - 1);
    next.s_data_axis_tlast = data_left <= 4;
    next.s_signal_axis_tvalid = signal_left > 0;
    next.s_signal_axis_tkeep = signal_left >= 4 ? 4'b1111 : 4'((1 << signal_left) - 1);
    next.s_signal_axis_tlast = signal_left <= 4;
    next.cfg_mac = {AWG_MAC_PREFIX, NODE};
    next.cfg_node_id = NODE;
    if (cycle == 0) begin
      next.cfg_groups = 16'(random());
      next.cfg_monitor = chance(4);
    end
    next.issue = !next.rst && (cycle == 20 || below(64) == 0);
    next.discard = !next.rst && below(256) == 0;
    if (source_idle() && (!rests(cycle, 3) || below(64) == 0)) new_frame();
    word = next_word();
    next.s_axis_tdata = word.tdata;
    next.s_axis_tkeep = word.tkeep;
    next.s_axis_tvalid = word.tvalid && !next.rst;
    next.s_axis_tlast = word.tlast;
    next.s_axis_tuser = word.tuser;
    // The host takes little for a while, so that the buffers fill.
    next.m_rx_hdr_ready = cycle % 2048 < 256 ? chance(1) : chance(14);
    next.m_rx_axis_tready = cycle % 2048 < 256 ? chance(1) : chance(14);
    next.count_addr = 4'(random());
  endtask

  // ---- The run ----

`ifndef PORTS_ONLY
  awg_ring_node_registers_t registers;
  awg_ring_node_wires_t     wires;
`endif
  string report;

  initial begin
    int unsigned seed;
    int cycles, handle, status;
    bit ports;
    awg_word_t word;
    if ($value$plusargs("seed=%d", seed) == 0) seed = 1;
    if ($value$plusargs("cycles=%d", cycles) == 0) cycles = 20000;
    ports = $test$plusargs("ports") != 0;
    seed_random(seed);
    handle = awg_dpi_new("ring_node", $sformatf("BUFFER_ADDR_W=%0d,RX_ADDR_W=%0d", BUFFER_ADDR_W, RX_ADDR_W),
                         AWG_RING_NODE_LAYOUT);
    status = handle > 0 ? 0 : -handle;
    for (int cycle = 0; cycle < cycles && status == 0; cycle++) begin
      clk = 1'b0;
      drive(cycle);
      in = next;
      #5;
`ifdef PORTS_ONLY
      ports = 1'b1;
`endif
      if (ports) status = awg_dpi_ports_ring_node(handle, in, out);
`ifndef PORTS_ONLY
      else begin
        // All memory words in the first two cycles, then now and then, and in the last one.
        if (cycle < 2 || cycle % 256 == 0 || cycle == cycles - 1) `AWG_RING_NODE_WORDS(dut, handle, status)
        `AWG_RING_NODE_WIRES(dut, wires)
        if (status == 0) status = awg_dpi_wires_ring_node(handle, wires);
        `AWG_RING_NODE_REGISTERS(dut, registers)
        if (status == 0) status = awg_dpi_cycle_ring_node(handle, in, out, registers);
      end
`endif
      word.tdata = out.m_axis_tdata;
      word.tkeep = out.m_axis_tkeep;
      word.tvalid = out.m_axis_tvalid && cycle > 2;
      word.tlast = out.m_axis_tlast;
      word.tuser = out.m_axis_tuser;
      see_output(word, NODE);
      seen = out;
      clk = 1'b1;
      #5;
    end
    // A host that sends and takes nothing shows little of a node. A run that is not finished fails.
    if (status == 0 && cycles >= 4000 && (sent_data == 0 || sent_signals == 0 || sent_free == 0 || received == 0))
      $display("seed %0d: the traffic is too thin: expected every kind of frame", seed);
    else if (status == 0) status = awg_dpi_finish(handle);
    else if (status == int'(AWG_DPI_DIFFERS)) begin
      report = awg_dpi_explain(handle);
      $display("%s", report);
    end
    report = awg_dpi_message();
    if (status != 0) $display("seed %0d: %s", seed, report);
    $display("seed %0d: %0d cycles compared, %0d frames on the links", seed, awg_dpi_compared(handle),
             awg_dpi_frames(handle));
    $display("seed %0d: the node sent %0d data, %0d signals, %0d free tokens; its host took %0d frames", seed, sent_data,
             sent_signals, sent_free, received);
    $finish;
  end

  // The exit code, whatever the design prints and even if it calls $finish.
  final awg_dpi_verdict();
endmodule
