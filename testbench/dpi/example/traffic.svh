// SPDX-License-Identifier: MIT OR Apache-2.0
// Random traffic for a bench: numbers from a seed, the same in every simulator, and frames for the input of the link.
// To be included in a module that imports awgstar_pkg.

  bit [31:0] random_state;

  task automatic seed_random(input int unsigned seed);
    random_state = seed * 32'h9E3779B9 | 32'd1;
    for (int i = 0; i < 8; i++) void'(random());
  endtask

  // xorshift32.
  function automatic bit [31:0] random();
    random_state = random_state ^ {random_state[18:0], 13'd0};
    random_state = random_state ^ {17'd0, random_state[31:17]};
    random_state = random_state ^ {random_state[26:0], 5'd0};
    return random_state;
  endfunction

  // 0 to limit - 1.
  function automatic int below(input int limit);
    return int'(random() >> 4) % limit;
  endfunction

  // True n times of 16.
  function automatic bit chance(input int n);
    return below(16) < n;
  endfunction

  // Bytes of Data: the lengths where something changes more often than others.
  function automatic int some_length();
    case (below(10))
      0: return 1;
      1: return 44 + below(5);
      2: return 64 + below(300);
      3: return AWG_DATA_MAX - below(4);
      default: return 1 + below(63);
    endcase
  endfunction

  awg_line_t source_line;   // the frame that is on its way
  int        source_at;     // its next word
  int        source_words;  // words that come of it
  int        source_gap;    // idle words before it
  int        source_defect; // what is wrong with it: 1 tkeep, 2 a word is missing, 3 tuser
  int        defect_at;     // the word of that

  // Puts `frame` on the link after some idle words. Some frames are damaged: a wrong bit, an early end, a wrong tkeep
  // or tuser, a missing word, no idle word before it.
  task automatic send_frame(input awg_frame_t frame);
    int bit_at;
    source_line = awg_pack(frame);
    source_at = 0;
    source_words = awg_words(source_line.len);
    source_gap = 1 + below(chance(2) ? 100 : 6);
    if (below(64) == 0) source_gap = 0;
    if (chance(1)) begin
      bit_at = below(8 * int'(source_line.len));
      source_line.bytes[bit_at] = ~source_line.bytes[bit_at];
    end
    if (chance(1)) source_words = 1 + below(source_words);
    source_defect = chance(2) ? 1 + below(3) : 0;
    // The first words are where most is decided.
    defect_at = chance(8) ? below(4) : below(source_words);
  endtask

  // The next word on the link. Without one, tvalid is 0 and the rest is noise.
  function automatic awg_word_t next_word();
    awg_word_t word;
    word = awg_word_t'({random(), random()} >> 25);
    word.tvalid = 1'b0;
    if (source_gap > 0) source_gap = source_gap - 1;
    else if (source_at < source_words && source_defect == 2 && defect_at == source_at) source_defect = 0;
    else if (source_at < source_words) begin
      word = awg_word(source_line, source_at);
      if (source_at == 0 && chance(4)) word.tuser = 1'b1;
      if (source_defect == 1 && defect_at == source_at) word.tkeep = 4'(random());
      if (source_defect == 3 && defect_at == source_at) word.tuser = ~word.tuser;
      source_at = source_at + 1;
      word.tlast = source_at == source_words;
    end
    return word;
  endfunction

  function automatic bit source_idle();
    return source_at == source_words;
  endfunction

  // Something that happens in phases: it rests in one of four, another one for each `which`.
  function automatic bit rests(input int cycle, input int which);
    return (cycle / 1024) % 4 == which;
  endfunction

  // ---- What the node itself has sent ----

  int sent_data, sent_signals, sent_free;
  int output_at;  // words of the frame on the output so far

  // Counts the frames of `node` on the output of the link.
  task automatic see_output(input awg_word_t word, input bit [7:0] node);
    // The second word has the end of the MAC, then TOKEN and C.ST.
    if (word.tvalid && output_at == 1 && word.tdata[15:8] == node) begin
      case (word.tdata[23:21])
        AWG_TOKEN_FREE: sent_free = sent_free + 1;
        AWG_TOKEN_DATA: sent_data = sent_data + 1;
        default:        sent_signals = sent_signals + 1;
      endcase
    end
    output_at = word.tvalid && !word.tlast ? output_at + 1 : 0;
  endtask
