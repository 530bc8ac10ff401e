// SPDX-License-Identifier: MIT OR Apache-2.0
// tb_smb: a board beside the model: every output, register and memory word is compared in every cycle.
//
// The output of the link returns to its input after some cycles, as on a ring of one board; frames of other boards come
// in between. A host writes and reads registers and shared memory.
//
// Plusargs: +seed=N the random numbers, +cycles=N the length, +ports compares the outputs only.
// With the macro PORTS_ONLY it never reads registers: for a design with other ones.
// Inputs change after the rising edge; everything is compared just before the next one.
`include "awgstar_design.svh"

module tb_smb #(
    parameter int MEM_ADDR_W = awgstar_pkg::AWG_MEM_ADDR_W,
    parameter int MAIL_W     = awgstar_pkg::AWG_MAIL_W
);
  import awgstar_pkg::*;
`include "traffic.svh"

  localparam bit [7:0] NODE = 8'd1;

  bit clk;
  awg_smb_in_t  in;
  awg_smb_out_t out;
  awg_smb_out_t seen;  // just before the edge: later, ready is that of the next cycle

  smb #(.MEM_ADDR_W(MEM_ADDR_W), .MAIL_W(MAIL_W)) dut (.clk(clk), `AWG_SMB_PORTS(in, out));

  // ---- The link ----

  awg_word_t loop [64];           // what returns, by cycle modulo 64
  bit [7:0]  data_number [6];     // next number of the data frames of each board
  bit [7:0]  signal_number [6];

  task automatic new_frame();
    awg_frame_t frame;
    bit [8191:0] data;
    int source, kind;
    source = chance(1) ? int'(NODE) : 2 + below(4);
    kind = below(10);
    for (int i = 0; i < 256; i++) data[32*i +: 32] = random();
    frame.data = data;
    frame.header.mac = {AWG_MAC_PREFIX, 8'(source)};
    frame.header.c_st = 5'(random());
    frame.header.node_id = chance(10) ? NODE : 8'(below(6));
    frame.header.multi_g = 4'(random());
    frame.header.act_seq = 4'd0;
    frame.len = 11'(some_length());
    if (kind < 5) begin
      frame.header.token = AWG_TOKEN_DATA;
      frame.header.packet_cnt = data_number[source];
      frame.header.addr = 32'(below(4 << MEM_ADDR_W));
      if (!chance(1)) data_number[source] = data_number[source] + 8'd1;
    end else if (kind < 8) begin
      frame.header.token = 3'(3 + below(3));
      frame.header.packet_cnt = signal_number[source];
      frame.header.addr = 32'd0;
      frame.len = 11'(below(52));
      if (!chance(1)) signal_number[source] = signal_number[source] + 8'd1;
    end else if (kind < 9) begin
      frame.header.token = AWG_TOKEN_CONTROL;
      frame.header.c_st = chance(8) ? AWG_C_ST_CONTROL_SYNC : AWG_C_ST_CONTROL_MONITOR;
      frame.header.packet_cnt = 8'd0;
      frame.header.addr = 32'd0;
      frame.len = 11'd0;
      if (frame.header.c_st == AWG_C_ST_CONTROL_SYNC) data_number[source] = 8'd0;
    end else begin
      frame.header.token = AWG_TOKEN_FREE;
      frame.header.packet_cnt = 8'd0;
      frame.header.addr = 32'd0;
      frame.len = 11'd0;
    end
    send_frame(frame);
    source_gap = source_gap + below(200);
  endtask

  // ---- The host ----

  // What a task writes does not reach the design in Verilator 5.006: the process below copies this.
  awg_smb_in_t next;

  // Writes and reads are independent, so that they overlap.

  bit [31:0] setup_addr [6], setup_data [6];
  int        writes, reads;            // accesses that have ended
  int        begun;                    // writes that have begun
  bit        writing, reading;         // an access is under way
  int        write_pause, read_pause;  // cycles before the next one
  int        aw_wait, w_wait;          // cycles before valid; -1: it was given
  int        block;                    // words that are still to be written one after another

  task automatic new_write();
    bit [31:0] addr;
    addr = next.s_axi_awaddr;
    next.s_axi_wdata = random();
    next.s_axi_wstrb = chance(10) ? 4'b1111 : 4'(random());
    if (begun < 6) begin
      // A board has a number and short times before it is enabled.
      addr = setup_addr[begun];
      next.s_axi_wdata = setup_data[begun];
      next.s_axi_wstrb = 4'b1111;
    end else if (block > 0) begin
      block = block - 1;
      addr = addr + 32'd4;
    end else begin
      case (below(8))
        0, 1, 2: begin
          addr = AWG_WINDOW | 32'(4 * below(1 << MEM_ADDR_W));
          block = below(24);
        end
        3: addr = 32'(AWG_REG_SIGNAL_DATA) + 32'(4 * below(AWG_REG_SIGNAL_DATA_COUNT));
        4: begin
          addr = 32'(AWG_REG_SIGNAL_SEND);
          next.s_axi_wdata = 32'(3 + below(3)) << AWG_SHIFT_SIGNAL_SEND_TOKEN
                         | 32'(below(32)) << AWG_SHIFT_SIGNAL_SEND_C_ST
                         | 32'(below(6)) << AWG_SHIFT_SIGNAL_SEND_NODE_ID
                         | 32'(below(47)) << AWG_SHIFT_SIGNAL_SEND_LEN
                         | 32'(below(3)) << AWG_SHIFT_SIGNAL_SEND_ORDER;
          next.s_axi_wstrb = 4'b1111;
        end
        5: addr = 32'(AWG_REG_FLUSH);
        6: addr = 32'(AWG_REG_MAIL_POP);
        default: addr = chance(8) ? 32'(AWG_REG_IRQ_STATUS) : 32'(AWG_REG_IRQ_ENABLE);
      endcase
    end
    next.s_axi_awaddr = addr;
    writing = 1'b1;
    begun = begun + 1;
    write_pause = chance(4) ? below(40) : 0;
    aw_wait = chance(4) ? below(4) : 0;
    w_wait = chance(4) ? below(4) : 0;
  endtask

  task automatic new_read();
    next.s_axi_araddr = chance(8) ? AWG_WINDOW | 32'(4 * below(1 << MEM_ADDR_W)) : 32'(4 * below(96));
    reading = 1'b1;
    read_pause = chance(4) ? 0 : below(60);
  endtask

  // The inputs of the cycle that comes, from the outputs at the edge that ends the one before.
  task automatic drive(input int cycle);
    awg_word_t word, back;
    if (next.s_axi_awvalid && seen.s_axi_awready) next.s_axi_awvalid = 1'b0;
    if (next.s_axi_wvalid && seen.s_axi_wready) next.s_axi_wvalid = 1'b0;
    if (next.s_axi_arvalid && seen.s_axi_arready) next.s_axi_arvalid = 1'b0;
    if (next.s_axi_bready && seen.s_axi_bvalid) begin
      writing = 1'b0;
      writes = writes + 1;
    end
    if (next.s_axi_rready && seen.s_axi_rvalid) begin
      reading = 1'b0;
      reads = reads + 1;
    end
    next.rst = cycle < 3;
    next.s_axi_awprot = 3'(random());
    next.s_axi_arprot = 3'(random());
    if (!next.rst) begin
      if (!writing && write_pause == 0) new_write();
      else if (!writing) write_pause = write_pause - 1;
      if (!reading && read_pause == 0) begin
        new_read();
        next.s_axi_arvalid = 1'b1;
      end else if (!reading) read_pause = read_pause - 1;
      if (writing && aw_wait == 0) next.s_axi_awvalid = 1'b1;
      if (writing && w_wait == 0) next.s_axi_wvalid = 1'b1;
      if (aw_wait >= 0) aw_wait = aw_wait - 1;
      if (w_wait >= 0) w_wait = w_wait - 1;
    end
    // ready may be high before valid.
    next.s_axi_bready = chance(10);
    next.s_axi_rready = chance(10);
    if (source_idle()) new_frame();
    word = next_word();
    back = loop[cycle % 64];
    if (!word.tvalid && back.tvalid) word = back;
    next.s_axis_tdata = word.tdata;
    next.s_axis_tkeep = word.tkeep;
    next.s_axis_tvalid = word.tvalid && !next.rst;
    next.s_axis_tlast = word.tlast;
    next.s_axis_tuser = word.tuser;
  endtask

  // ---- The run ----

`ifndef PORTS_ONLY
  awg_smb_registers_t registers;
  awg_smb_wires_t     wires;
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
    setup_addr[0] = 32'(AWG_REG_NODE_ID);
    setup_data[0] = 32'(NODE);
    setup_addr[1] = 32'(AWG_REG_GROUPS);
    setup_data[1] = random() & 32'h0000_FFFF;
    setup_addr[2] = 32'(AWG_REG_TIMEOUT);
    setup_data[2] = 32'(500 + below(1000));
    setup_addr[3] = 32'(AWG_REG_COMBINE);
    setup_data[3] = 32'(below(80));
    setup_addr[4] = 32'(AWG_REG_PERIOD);
    setup_data[4] = 32'(700 + below(1000));
    setup_addr[5] = 32'(AWG_REG_CONTROL);
    setup_data[5] = AWG_MASK_CONTROL_ENABLE;
    handle = awg_dpi_new("smb", $sformatf("MEM_ADDR_W=%0d,MAIL_W=%0d", MEM_ADDR_W, MAIL_W), AWG_SMB_LAYOUT);
    status = handle > 0 ? 0 : -handle;
    for (int cycle = 0; cycle < cycles && status == 0; cycle++) begin
      clk = 1'b0;
      drive(cycle);
      in = next;
      #5;
`ifdef PORTS_ONLY
      ports = 1'b1;
`endif
      if (ports) status = awg_dpi_ports_smb(handle, in, out);
`ifndef PORTS_ONLY
      else begin
        // All memory words in the first two cycles, then now and then, and in the last one.
        if (cycle < 2 || cycle % 1024 == 0 || cycle == cycles - 1) `AWG_SMB_WORDS(dut, handle, status)
        `AWG_SMB_WIRES(dut, wires)
        if (status == 0) status = awg_dpi_wires_smb(handle, wires);
        `AWG_SMB_REGISTERS(dut, registers)
        if (status == 0) status = awg_dpi_cycle_smb(handle, in, out, registers);
      end
`endif
      word.tdata = out.m_axis_tdata;
      word.tkeep = out.m_axis_tkeep;
      word.tvalid = out.m_axis_tvalid && cycle > 2;
      word.tlast = out.m_axis_tlast;
      word.tuser = out.m_axis_tuser;
      loop[(cycle + 40) % 64] = word;
      see_output(word, NODE);
      seen = out;
      clk = 1'b1;
      #5;
    end
    // A board without a host shows little. A run that is not finished fails.
    if (status == 0 && cycles >= 4000 && (sent_data == 0 || sent_signals == 0 || writes == 0 || reads == 0))
      $display("seed %0d: the traffic is too thin: expected data, signals, writes and reads", seed);
    else if (status == 0) status = awg_dpi_finish(handle);
    else if (status == int'(AWG_DPI_DIFFERS)) begin
      report = awg_dpi_explain(handle);
      $display("%s", report);
    end
    report = awg_dpi_message();
    if (status != 0) $display("seed %0d: %s", seed, report);
    $display("seed %0d: %0d cycles compared, %0d frames on the links", seed, awg_dpi_compared(handle),
             awg_dpi_frames(handle));
    $display("seed %0d: the board sent %0d data, %0d signals, %0d free tokens; its host did %0d writes, %0d reads", seed,
             sent_data, sent_signals, sent_free, writes, reads);
    $finish;
  end

  // The exit code, whatever the design prints and even if it calls $finish.
  final awg_dpi_verdict();
endmodule
