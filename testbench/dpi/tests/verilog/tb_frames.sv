// SPDX-License-Identifier: MIT OR Apache-2.0
// The functions of awgstar_pkg on the golden vectors of a class (vectors/FORMAT.md), folder in +dir: prints a line for
// each error, then how many vectors each function was compared on. Checks FRM-1, FRM-5, FRM-6, FRM-7, FRM-8, FRM-10,
// FRM-11, FRM-13, FCS-1, TX-4, TX-8.
module tb_frames;
  import awgstar_pkg::*;

  localparam int ROOM = 65536;
  bit [31:0]  sizes [0:3];
  bit [215:0] fields [0:ROOM-1];
  bit [39:0]  on_line [0:ROOM-1];
  bit [39:0]  tx_data [0:ROOM-1];
  bit [39:0]  rx_data [0:ROOM-1];

  int packed_n, refused_n, unpacked_n, judged_n, link_n, broken_n, errors;

  task automatic wrong(input int vector, input string what, input bit [63:0] expected, input bit [63:0] found);
    $display("vector %0d: %0s: expected %0h, found %0h", vector, what, expected, found);
    errors = errors + 1;
  endtask

  // Bytes and defects of the words from entry `at` on.
  awg_line_t line;
  bit aborted, ragged;
  task automatic take_line(input int at, input int words);
    awg_word_t word;
    line.len = 11'd0;
    line.bytes = 8336'd0;
    ragged = 1'b0;
    aborted = 1'b0;
    for (int i = 0; i < words; i = i + 1) begin
      word.tdata = on_line[at + i][31:0];
      word.tkeep = on_line[at + i][35:32];
      word.tlast = on_line[at + i][36];
      word.tuser = on_line[at + i][37];
      word.tvalid = 1'b1;
      if (word.tlast) aborted = word.tuser;
      if (word.tlast ? (word.tkeep & (word.tkeep + 4'd1)) != 4'd0 || word.tkeep == 4'd0 : word.tkeep != 4'b1111)
        ragged = 1'b1;
      line = awg_append(line, word);
    end
  endtask

  task automatic check_header(input int v, input awg_header_t header, input bit [215:0] f);
    if (header.mac != f[191:144]) wrong(v, "mac", 64'(f[191:144]), 64'(header.mac));
    if (header.token != f[138:136]) wrong(v, "token", 64'(f[138:136]), 64'(header.token));
    if (header.c_st != f[132:128]) wrong(v, "c_st", 64'(f[132:128]), 64'(header.c_st));
    if (header.node_id != f[127:120]) wrong(v, "node_id", 64'(f[127:120]), 64'(header.node_id));
    if (header.multi_g != f[119:116]) wrong(v, "multi_g", 64'(f[119:116]), 64'(header.multi_g));
    if (header.act_seq != f[115:112]) wrong(v, "act_seq", 64'(f[115:112]), 64'(header.act_seq));
    if (header.packet_cnt != f[111:104]) wrong(v, "packet_cnt", 64'(f[111:104]), 64'(header.packet_cnt));
    if (header.addr != f[103:72]) wrong(v, "addr", 64'(f[103:72]), 64'(header.addr));
  endtask

  // Receiver: verdict, fields, valid bytes.
  task automatic receive(input int v, input bit [215:0] f, input int at, input int words, input int data_at);
    awg_frame_t frame;
    bit [8191:0] data;
    bit [39:0] entry;
    awg_check_e check;
    take_line(at, words);
    if (aborted || ragged) begin
      // Defects of words: bytes do not have them.
      link_n = link_n + 1;
      if (f[207:200] != 8'(AWG_CHECK_ABORT) && f[207:200] != 8'(AWG_CHECK_KEEP))
        wrong(v, "defect of words", 64'(f[207:200]), 64'd1);
    end else begin
      check = awg_check_line(line);
      if (8'(check) != f[207:200]) wrong(v, "verdict", 64'(f[207:200]), 64'(check));
      judged_n = judged_n + 1;
      if (f[207:200] == 8'd0) begin
        frame = awg_unpack(line);
        data = frame.data;
        check_header(v, frame.header, f);
        if (16'(frame.len) != f[63:48]) wrong(v, "len", 64'(f[63:48]), 64'(frame.len));
        // frame_rx gives pad and short count, too; they are not valid bytes.
        for (int i = 0; i < 4 * int'(f[15:0]) && i < int'(f[63:48]); i = i + 1) begin
          entry = rx_data[data_at + i / 4];
          if (entry[32 + i % 4] && entry[8*(i % 4) +: 8] != data[8*i +: 8])
            wrong(v, "data", 64'(entry[8*(i % 4) +: 8]), 64'(data[8*i +: 8]));
        end
        unpacked_n = unpacked_n + 1;
      end
    end
  endtask

  // Transmitter: verdict on the header, bytes of a whole frame.
  task automatic transmit(input int v, input bit [215:0] f, input int at, input int words, input int data_at);
    awg_frame_t frame;
    awg_line_t made;
    bit [8191:0] data;
    bit [8335:0] ours, theirs;
    bit [39:0] entry;
    frame.header.mac = f[191:144];
    frame.header.token = f[138:136];
    frame.header.c_st = f[132:128];
    frame.header.node_id = f[127:120];
    frame.header.multi_g = f[119:116];
    frame.header.act_seq = f[115:112];
    frame.header.packet_cnt = f[111:104];
    frame.header.addr = f[103:72];
    frame.len = f[58:48];
    data = 8192'd0;
    for (int i = 0; i < 4 * int'(f[31:16]) && i < 1024; i = i + 1) begin
      entry = tx_data[data_at + i / 4];
      if (entry[32 + i % 4]) data[8*i +: 8] = entry[8*(i % 4) +: 8];
    end
    frame.data = data;
    if (f[199:192] == 8'(AWG_TX_UNDERRUN) || f[199:192] == 8'(AWG_TX_LAST)) broken_n = broken_n + 1;
    else begin
      if (8'(awg_check_header(frame.header, frame.len)) != f[199:192])
        wrong(v, "status", 64'(f[199:192]), 64'(awg_check_header(frame.header, frame.len)));
      made = awg_pack(frame);
      if (f[199:192] != 8'd0) begin
        if (made.len != 11'd0) wrong(v, "bytes of a refused header", 64'd0, 64'(made.len));
        refused_n = refused_n + 1;
      end else begin
        take_line(at, words);
        ours = made.bytes;
        theirs = line.bytes;
        if (made.len != line.len) wrong(v, "bytes", 64'(line.len), 64'(made.len));
        for (int i = 0; i < int'(line.len); i = i + 1)
          if (ours[8*i +: 8] != theirs[8*i +: 8]) wrong(v, "byte", 64'(theirs[8*i +: 8]), 64'(ours[8*i +: 8]));
        packed_n = packed_n + 1;
      end
    end
  endtask

  string dir;
  initial begin
    bit [215:0] f;
    int line_at, tx_at, rx_at, words;
    if ($value$plusargs("dir=%s", dir) == 0) $display("no +dir");
    $readmemh({dir, "/sizes.hex"}, sizes);
    $readmemh({dir, "/fields.hex"}, fields, 0, int'(sizes[0]) - 1);
    if (sizes[1] != 0) $readmemh({dir, "/wire.hex"}, on_line, 0, int'(sizes[1]) - 1);
    if (sizes[2] != 0) $readmemh({dir, "/tx_payload.hex"}, tx_data, 0, int'(sizes[2]) - 1);
    if (sizes[3] != 0) $readmemh({dir, "/rx_payload.hex"}, rx_data, 0, int'(sizes[3]) - 1);
    line_at = 0;
    tx_at = 0;
    rx_at = 0;
    for (int v = 0; v < int'(sizes[0]); v = v + 1) begin
      f = fields[v];
      words = int'(f[47:32]);
      if (f[209]) receive(v, f, line_at, words, rx_at);
      if (f[208]) transmit(v, f, line_at, words, tx_at);
      line_at = line_at + words;
      tx_at = tx_at + int'(f[31:16]);
      rx_at = rx_at + int'(f[15:0]);
    end
    $display("vectors %0d errors %0d packed %0d refused %0d broken %0d judged %0d unpacked %0d link %0d", sizes[0],
             errors, packed_n, refused_n, broken_n, judged_n, unpacked_n, link_n);
    $finish;
  end
endmodule
