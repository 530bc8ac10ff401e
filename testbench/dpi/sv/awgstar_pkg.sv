// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated from the contract (model/frame/src/contract), the model and testbench/dpi/src by `cargo xtask contract generate`.
// Do not edit: `cargo xtask contract check` and the tests fail on drift.
//
// Types, constants and functions of frames, registers and signals, and the model over DPI-C (libawgstar_dpi).
// With the macro AWGSTAR_NO_DPI there is no model: for simulators without DPI-C, such as Icarus, and for lint.
package awgstar_pkg;

  // ---- Lengths in bytes, and parameters of the modules ----

  localparam int AWG_HEADER_BYTES                         = 14;
  localparam int AWG_FCS_BYTES                            = 4;
  localparam int AWG_DATA_MIN                             = 46;
  localparam int AWG_DATA_MAX                             = 1024;
  localparam int AWG_FRAME_MIN                            = 64;
  localparam int AWG_FRAME_MAX                            = 1042;
  localparam int AWG_SHORT_COUNT_INDEX                    = 45;
  localparam int AWG_WORD_BYTES                           = 4;
  localparam int AWG_IDLE_WORDS_MIN                       = 1;
  localparam int AWG_SIGNAL_MAX                           = 46;
  localparam int AWG_MEM_ADDR_W                           = 12;
  localparam int AWG_TX_ADDR_W                            = 10;
  localparam int AWG_TX_FRAME_W                           = 4;
  localparam int AWG_SIGNAL_W                             = 2;
  localparam int AWG_MAIL_W                               = 4;
  localparam int AWG_AXI_ID_W                             = 4;
  localparam int AWG_ENGINE_NODE_W                        = 0;
  localparam int AWG_JOIN                                 = 0;
  localparam int AWG_BUFFER_ADDR_W                        = 9;
  localparam int AWG_RX_ADDR_W                            = 9;
  localparam int AWG_RX_HEADER_ADDR_W                     = 4;
  localparam int AWG_TOKEN_RUN                            = 8;
  // Upper 40 bits of the MAC of a board after reset; the lower 8 are Node_ID.
  localparam bit [39:0] AWG_MAC_PREFIX = 40'h02534D4200;

  // ---- Kinds, verdicts and events. A field of a frame or a port may hold other codes, too. ----

  typedef enum bit [2:0] {
    AWG_TOKEN_FREE                       = 3'd0, // free token
    AWG_TOKEN_DATA                       = 3'd1, // data token
    AWG_TOKEN_P2P                        = 3'd3, // point-to-point communication
    AWG_TOKEN_MULTICAST                  = 3'd4, // multicast communication
    AWG_TOKEN_BROADCAST                  = 3'd5, // broadcast communication
    AWG_TOKEN_CONTROL                    = 3'd6 // control token (link control)
  } awg_token_e;
  typedef enum bit [3:0] {
    AWG_CHECK_OK                         = 4'd0, // every check passed
    AWG_CHECK_ABORT                      = 4'd1, // tuser on the last word: aborted by an upstream node
    AWG_CHECK_KEEP                       = 4'd2, // tkeep not 1111 inside the frame, or not contiguous from byte 0 on the last word
    AWG_CHECK_RUNT                       = 4'd3, // fewer than 64 bytes
    AWG_CHECK_LONG                       = 4'd4, // more than 1,042 bytes
    AWG_CHECK_FCS                        = 4'd5, // frame check sequence wrong
    AWG_CHECK_TOKEN                      = 4'd6, // TOKEN 010 or 111
    AWG_CHECK_C_ST                       = 4'd7, // data token with C.ST other than 00000 and 00001
    AWG_CHECK_LENGTH                     = 4'd8, // free token or short data token that is not 64 bytes long
    AWG_CHECK_SHORT_COUNT                = 4'd9 // short count 0 or above 45
  } awg_check_e;
  typedef enum bit [2:0] {
    AWG_TX_OK                            = 3'd0, // frame sent whole
    AWG_TX_TOKEN                         = 3'd1, // TOKEN 010 or 111: nothing sent, payload drained
    AWG_TX_LENGTH                        = 3'd2, // length not allowed for this TOKEN: nothing sent, payload drained
    AWG_TX_UNDERRUN                      = 3'd3, // payload beat missing when its word was due: frame cut and marked aborted
    AWG_TX_LAST                          = 3'd4 // tlast or tkeep of a payload beat disagrees with the length: frame cut and marked aborted
  } awg_tx_status_e;
  typedef enum bit [1:0] {
    AWG_KIND_NONE                        = 2'd0, // of no concern to the receive side: absorbed or dropped
    AWG_KIND_OTHER                       = 2'd1, // sent by another node and passed on
    AWG_KIND_OWN                         = 2'd2 // sent by this node: it has gone round and is stripped
  } awg_frame_kind_e;
  typedef enum bit [1:0] {
    AWG_CLASS_FREE                       = 2'd0, // a free token the node held
    AWG_CLASS_DATA                       = 2'd1, // a data token
    AWG_CLASS_SIGNAL                     = 2'd2 // a signal or control token
  } awg_tx_class_e;
  typedef enum bit [3:0] {
    AWG_COUNT_PASSED                     = 4'd0, // frames passed on
    AWG_COUNT_RETURNED_GOOD              = 4'd1, // own frames that have returned good: acknowledged
    AWG_COUNT_RETURNED_BAD               = 4'd2, // own frames that have returned bad: lost
    AWG_COUNT_TOKEN_TAKEN                = 4'd3, // free tokens taken to send data
    AWG_COUNT_RESERVED                   = 4'd4, // frames with TOKEN 010 or 111, absorbed
    AWG_COUNT_CUT                        = 4'd5, // frames cut on the way through: missing word, wrong tkeep, over-long
    AWG_COUNT_DROPPED                    = 4'd6, // frames dropped whole: no complete header, or no idle word before them
    AWG_COUNT_DELIVERED                  = 4'd7, // frames given to the receive side
    AWG_COUNT_BAD_FCS                    = 4'd8, // frames of others with a wrong FCS
    AWG_COUNT_BAD_OTHER                  = 4'd9, // frames of others with any other defect
    AWG_COUNT_RX_OVERFLOW                = 4'd10, // good frames for this node that the receive buffer had no room for
    AWG_COUNT_DATA_SENT                  = 4'd11, // data tokens given to the transmitter
    AWG_COUNT_SIGNAL_SENT                = 4'd12, // signals and control tokens given to the transmitter
    AWG_COUNT_FREE_SENT                  = 4'd13, // free tokens given to the transmitter
    AWG_COUNT_TX_ERROR                   = 4'd14, // frames the transmitter refused or cut
    AWG_COUNT_TOKEN_OVERFLOW             = 4'd15 // tokens lost because the node held 255 already
  } awg_counter_e;
  typedef enum bit [3:0] {
    AWG_BOARD_COUNT_DATA                 = 4'd0, // data frames written to the memory
    AWG_BOARD_COUNT_DATA_AGAIN           = 4'd1, // data frames dropped because they were accepted before
    AWG_BOARD_COUNT_DATA_GAP             = 4'd2, // data frames dropped because one before them is missing
    AWG_BOARD_COUNT_DATA_RANGE           = 4'd3, // data frames dropped because they end beyond the memory
    AWG_BOARD_COUNT_SIGNAL               = 4'd4, // signals put into the mailbox
    AWG_BOARD_COUNT_SIGNAL_AGAIN         = 4'd5, // signals dropped because they were accepted before
    AWG_BOARD_COUNT_SIGNAL_EARLY         = 4'd6, // signals dropped because data before them is missing
    AWG_BOARD_COUNT_SIGNAL_LONG          = 4'd7, // signals dropped because they have more than 48 bytes of Data
    AWG_BOARD_COUNT_MAIL_FULL            = 4'd8, // signals dropped because the mailbox was full
    AWG_BOARD_COUNT_REWOUND              = 4'd9, // times the board went back to retransmit data
    AWG_BOARD_COUNT_SIGNAL_RESEND        = 4'd10, // signals retransmitted
    AWG_BOARD_COUNT_TIMEOUT              = 4'd11, // timeouts of data
    AWG_BOARD_COUNT_ORPHAN               = 4'd12, // frames absorbed as the monitor: their source did not strip them
    AWG_BOARD_COUNT_TOKEN_ADDED          = 4'd13, // tokens made as the monitor
    AWG_BOARD_COUNT_TOKEN_REMOVED        = 4'd14, // tokens dropped as the monitor
    AWG_BOARD_COUNT_STRAY                = 4'd15 // own frames that returned good but were not expected
  } awg_board_counter_e;
  typedef enum bit [3:0] {
    AWG_IRQ_MAIL                         = 4'd0, // a signal was put into the mailbox
    AWG_IRQ_MAIL_FULL                    = 4'd1, // a signal was dropped because the mailbox was full
    AWG_IRQ_SIGNAL_DONE                  = 4'd2, // a signal of the host has returned good
    AWG_IRQ_STALLED                      = 4'd3, // 8 timeouts in a row: nothing returns
    AWG_IRQ_ROLE                         = 4'd4, // the board became the active monitor or ceased to be
    AWG_IRQ_TOKENS                       = 4'd5, // the monitor made or dropped a token
    AWG_IRQ_SAME_ID                      = 4'd6, // another board has this board's Node_ID
    AWG_IRQ_DATA_RANGE                   = 4'd7, // data for addresses beyond the memory was dropped
    AWG_IRQ_STRAY                        = 4'd8 // an own frame returned that was not expected: another board may have this MAC
  } awg_irq_e;
  typedef enum bit [0:0] {
    AWG_ENGINE_IRQ_LOCK                  = 1'd0, // the process has a lock that it asked for
    AWG_ENGINE_IRQ_BARRIER               = 1'd1 // the process may pass a barrier
  } awg_engine_irq_e;
  typedef enum bit [1:0] {
    AWG_JOIN_IRQ_FENCED                  = 2'd0, // the fence has returned good
    AWG_JOIN_IRQ_HERE                    = 2'd1, // another board has answered the fence
    AWG_JOIN_IRQ_PEER                    = 2'd2 // another board joins
  } awg_join_irq_e;
  typedef enum bit [1:0] {
    AWG_JOIN_BEGIN                       = 2'd0, // nothing is known: send a fence, take data of a source from its answer on; refused while data is pending
    AWG_JOIN_AGAIN                       = 2'd1, // send another fence: a board has not answered; refused unless the board joins
    AWG_JOIN_SETTLE                      = 2'd2, // send the last fence, after the last fill; refused unless the board joins
    AWG_JOIN_WHOLE                       = 2'd3 // the replica is whole
  } awg_join_command_e;
  typedef enum bit [1:0] {
    AWG_ORDER_NONE                       = 2'd0, // no order: it may overtake data
    AWG_ORDER_SENT                       = 2'd1, // after the data; dropped by receivers that miss some of it, and retransmitted with it
    AWG_ORDER_CONFIRMED                  = 2'd2 // held until the data has returned good
  } awg_order_e;
  typedef enum bit [4:0] {
    AWG_C_ST_CONTROL_SYNC                = 5'd1, // a board begins: its data frames are numbered from 0
    AWG_C_ST_CONTROL_MONITOR             = 5'd2, // heartbeat and census of the active monitor
    AWG_C_ST_CONTROL_FENCE               = 5'd3, // a board joins: the others confirm what they have sent
    AWG_C_ST_CONTROL_HERE                = 5'd4 // the answer to a fence: all data sent so far has returned good; Addr says to whom, and which number is next
  } awg_control_e;
  localparam bit [4:0] AWG_C_ST_DATA_FULL            = 5'd0; // every Data byte is valid
  localparam bit [4:0] AWG_C_ST_DATA_SHORT           = 5'd1; // byte 45 of Data counts the valid bytes
  localparam bit [4:0] AWG_C_ST_PROCESS              = 5'd31; // a signal between processes

  // ---- Frames ----

  // Header in the order of the link: the first member is byte 0.
  typedef struct packed {
    bit [47:0]  mac;         // address of the SMB that sent the frame
    bit [2:0]   token;       // kind of frame
    bit [4:0]   c_st;        // control token number; meaning of a signal; short flag of a data token
    bit [7:0]   node_id;     // sending or receiving node, by meaning
    bit [3:0]   multi_g;     // multicast group
    bit [3:0]   act_seq;     // fragment number of a divided block
    bit [7:0]   packet_cnt;  // sender's frame counter
    bit [31:0]  addr;        // byte offset in the shared memory
  } awg_header_t;

  // A frame: header and valid bytes. Byte i of Data is data[8*i +: 8].
  typedef struct packed {
    awg_header_t header;
    bit [10:0]   len; // valid bytes of Data
    bit [8191:0] data;
  } awg_frame_t;

  // The bytes of a frame on the link, MAC to FCS. Byte i is bytes[8*i +: 8]: lane i modulo 4 of word i / 4.
  typedef struct packed {
    bit [10:0]   len; // bytes
    bit [8335:0] bytes;
  } awg_line_t;

  // A word on the link.
  typedef struct packed {
    bit [31:0] tdata;
    bit [3:0]  tkeep;
    bit        tvalid;
    bit        tlast;
    bit        tuser;
  } awg_word_t;

  // ---- Signals: {TOKEN, C.ST} ----

  typedef enum bit [7:0] {
    AWG_SIGNAL_LOCK_MW_REQUEST           = 8'd105, // lock request, master-worker
    AWG_SIGNAL_LOCK_MW_ACK               = 8'd170, // lock acknowledge, master-worker
    AWG_SIGNAL_LOCK_MW_UNLOCK            = 8'd171, // unlock, master-worker
    AWG_SIGNAL_LOCK_DIST_REQUEST         = 8'd172, // lock request, distributed
    AWG_SIGNAL_LOCK_DIST_ACK             = 8'd173, // lock acknowledge, distributed
    AWG_SIGNAL_LOCK_DIST_UNLOCK          = 8'd174, // unlock, distributed
    AWG_SIGNAL_LOCK_DIST_PASS            = 8'd109, // lock right passed to a waiter, distributed
    AWG_SIGNAL_LOCK_DIST_PASS_ACK        = 8'd110, // lock right received, distributed
    AWG_SIGNAL_LOCK_QUEUE_REQUEST        = 8'd164, // lock request, ring queue
    AWG_SIGNAL_LOCK_QUEUE_PASS           = 8'd165, // lock right passed on, ring queue
    AWG_SIGNAL_BARRIER_MW_ARRIVAL        = 8'd111, // barrier arrival, master-worker
    AWG_SIGNAL_BARRIER_MW_ACK            = 8'd112, // barrier acknowledge, master-worker
    AWG_SIGNAL_BARRIER_MW_RELEASE        = 8'd176, // barrier release, master-worker
    AWG_SIGNAL_BARRIER_DIST_ARRIVAL      = 8'd178, // barrier arrival, distributed
    AWG_SIGNAL_BARRIER_DIST_ACK          = 8'd115, // barrier acknowledge, distributed
    AWG_SIGNAL_BARRIER_DIST_RELEASE      = 8'd180, // barrier release, distributed
    AWG_SIGNAL_BARRIER_RING_ARRIVAL      = 8'd166, // barrier arrival, ring
    AWG_SIGNAL_SWAP_REQUEST              = 8'd120 // page swap request
  } awg_signal_e;

  // Values in the Data of signals: first byte and number of bytes, big-endian.
  localparam int AWG_SIGNAL_DATA_SEND_NODE                = 0;
  localparam int AWG_SIGNAL_DATA_SEND_NODE_BYTES          = 1;
  localparam int AWG_SIGNAL_DATA_BARRIER_NUMBER           = 1;
  localparam int AWG_SIGNAL_DATA_BARRIER_NUMBER_BYTES     = 1;
  localparam int AWG_SIGNAL_DATA_TAG                      = 2;
  localparam int AWG_SIGNAL_DATA_TAG_BYTES                = 2;
  localparam int AWG_SIGNAL_DATA_LOCK_NUMBER              = 4;
  localparam int AWG_SIGNAL_DATA_LOCK_NUMBER_BYTES        = 4;
  localparam int AWG_SIGNAL_DATA_PAGE_NUMBER              = 4;
  localparam int AWG_SIGNAL_DATA_PAGE_NUMBER_BYTES        = 4;
  localparam int AWG_SIGNAL_DATA_EPOCH                    = 8;
  localparam int AWG_SIGNAL_DATA_EPOCH_BYTES              = 2;
  localparam int AWG_SIGNAL_DATA_PROCESS_NUMBER           = 2;
  localparam int AWG_SIGNAL_DATA_PROCESS_NUMBER_BYTES     = 2;
  localparam int AWG_SIGNAL_DATA_PROCESS_VALUE            = 4;
  localparam int AWG_SIGNAL_DATA_PROCESS_VALUE_BYTES      = 4;

  // ---- Registers of the host port: byte addresses ----

  typedef enum bit [11:0] {
    AWG_REG_ID                   = 12'h000, // RO: AWGS: this is a board
    AWG_REG_VERSION              = 12'h004, // RO: version of this map
    AWG_REG_CONTROL              = 12'h008, // R, W1S: what the board does
    AWG_REG_STATUS               = 12'h00C, // RO: how the board is
    AWG_REG_PREFIX_LOW           = 12'h010, // RW config: bits 39 to 8 of MAC; bits 7 to 0 are Node_ID
    AWG_REG_PREFIX_HIGH          = 12'h014, // RW config: bits 47 to 40 of MAC
    AWG_REG_NODE_ID              = 12'h018, // RW config: number of this node, different on every board of a ring
    AWG_REG_GROUPS               = 12'h01C, // RW config: multicast groups of this node
    AWG_REG_TOKENS               = 12'h020, // RW: tokens that the monitor keeps on the ring
    AWG_REG_TIMEOUT              = 12'h024, // RW: cycles after which a frame that has not returned is retransmitted
    AWG_REG_COMBINE              = 12'h028, // RW: cycles without a write until a data frame is closed
    AWG_REG_PERIOD               = 12'h02C, // RW: cycles between heartbeats of the monitor, less 1
    AWG_REG_FLUSH                = 12'h030, // WO: a write closes the data frame under way
    AWG_REG_IRQ_STATUS           = 12'h034, // R, W1C: events since they were cleared
    AWG_REG_IRQ_ENABLE           = 12'h038, // RW: events that raise irq
    AWG_REG_TX_FREE              = 12'h03C, // RO: words of data that can be written without waiting
    AWG_REG_SIGNAL_SEND          = 12'h040, // WO: a write sends a signal with the Data written before
    AWG_REG_FRAMES               = 12'h044, // RO: numbers of data frames, modulo 256
    AWG_REG_MAIL_COUNT           = 12'h048, // RO: messages in the mailbox
    AWG_REG_MAIL_POP             = 12'h04C, // WO: a write drops the oldest message
    AWG_REG_MEM_SIZE             = 12'h050, // RO: bytes of the shared memory
    AWG_REG_SIGNAL_DATA          = 12'h080, // WO: Data of the signal to be sent; byte i in lane i modulo 4 of word i / 4
    AWG_REG_MAIL_DATA            = 12'h0C0, // RO: the oldest message: header, MAC, MAC and length, Addr, 12 words of Data; SLVERR while MAIL_COUNT is 0
    AWG_REG_COUNT                = 12'h100, // RO: counters: 0 to 15 of the node, 16 to 31 of the board
    AWG_REG_JOIN_STATUS          = 12'h400, // RO: whether the replica is whole, and how far the board has joined
    AWG_REG_JOIN_COMMAND         = 12'h404, // WO: a write orders a step of joining
    AWG_REG_FILL_ADDR            = 12'h408, // RW: byte address of the word that is filled next, in the memory, a multiple of 4
    AWG_REG_FILL_DATA            = 12'h40C, // WO: a write puts the bytes that are not known into the word at FILL_ADDR, on this board only, and goes on to the next; refused unless the board joins
    AWG_REG_JOIN_IRQ_STATUS      = 12'h410, // R, W1C: events since they were cleared
    AWG_REG_JOIN_IRQ_ENABLE      = 12'h414, // RW: events that raise irq
    AWG_REG_ENGINE_STATUS        = 12'h800, // RO: how the engine is
    AWG_REG_LOCK_ENABLE          = 12'h804, // RW config: locks that the engine serves; messages of others go to the mailbox
    AWG_REG_BARRIER_ENABLE       = 12'h808, // RW config: barriers that the engine serves; messages of others go to the mailbox
    AWG_REG_LOCK_FIRST           = 12'h80C, // RW config: locks that this board owns at the start; each is owned by one board
    AWG_REG_ENGINE_ORDER         = 12'h810, // RW: order of the engine's signals against data written before
    AWG_REG_ENGINE_RETRY         = 12'h814, // RW: period of the retry timer: what is not answered is sent again after one to two periods
    AWG_REG_ENGINE_IRQ_STATUS    = 12'h818, // R, W1C: events since they were cleared
    AWG_REG_ENGINE_IRQ_ENABLE    = 12'h81C, // RW: events that raise irq
    AWG_REG_LOCK_ACQUIRE         = 12'h820, // WO: a write asks for a lock; refused unless the process is neither in nor waiting
    AWG_REG_LOCK_RELEASE         = 12'h824, // WO: a write gives a lock back; refused unless the process has it
    AWG_REG_LOCK_HELD            = 12'h828, // RO: locks that the process has
    AWG_REG_LOCK_ASKING          = 12'h82C, // RO: locks that the process waits for
    AWG_REG_LOCK_OWNED           = 12'h830, // RO: locks that this board owns, whether its process has them or not
    AWG_REG_BARRIER_ARRIVE       = 12'h834, // WO: a write arrives at a barrier; refused while the process waits there
    AWG_REG_BARRIER_WAITING      = 12'h838, // RO: barriers at which the process waits
    AWG_REG_BARRIER_MEMBERS      = 12'h900 // WO: who takes part: bit i of word 8 b + w is Node_ID 32 w + i at barrier b; only when the engine is ready and CONTROL.enable is 0
  } awg_reg_e;

  // Byte address of the shared memory at the host port.
  localparam bit [31:0] AWG_WINDOW = 32'h80000000;

  // Value after reset; registers of a row; shift and mask of each field.
  localparam bit [31:0] AWG_RESET_ID                           = 32'h41574753;
  localparam bit [31:0] AWG_RESET_VERSION                      = 32'h00000001;
  localparam bit [31:0] AWG_RESET_CONTROL                      = 32'h00000000;
  localparam int AWG_SHIFT_CONTROL_ENABLE                 = 0;
  localparam bit [31:0] AWG_MASK_CONTROL_ENABLE                = 32'h00000001;
  localparam bit [31:0] AWG_RESET_STATUS                       = 32'h00000000;
  localparam int AWG_SHIFT_STATUS_SYNCED                  = 0;
  localparam bit [31:0] AWG_MASK_STATUS_SYNCED                 = 32'h00000001;
  localparam int AWG_SHIFT_STATUS_ACTIVE                  = 1;
  localparam bit [31:0] AWG_MASK_STATUS_ACTIVE                 = 32'h00000002;
  localparam int AWG_SHIFT_STATUS_STALLED                 = 2;
  localparam bit [31:0] AWG_MASK_STATUS_STALLED                = 32'h00000004;
  localparam int AWG_SHIFT_STATUS_DATA_PENDING            = 3;
  localparam bit [31:0] AWG_MASK_STATUS_DATA_PENDING           = 32'h00000008;
  localparam int AWG_SHIFT_STATUS_SIGNAL_PENDING          = 4;
  localparam bit [31:0] AWG_MASK_STATUS_SIGNAL_PENDING         = 32'h00000010;
  localparam int AWG_SHIFT_STATUS_SIGNAL_FULL             = 5;
  localparam bit [31:0] AWG_MASK_STATUS_SIGNAL_FULL            = 32'h00000020;
  localparam int AWG_SHIFT_STATUS_HELD                    = 8;
  localparam bit [31:0] AWG_MASK_STATUS_HELD                   = 32'h0000FF00;
  localparam bit [31:0] AWG_RESET_PREFIX_LOW                   = 32'h534D4200;
  localparam bit [31:0] AWG_RESET_PREFIX_HIGH                  = 32'h00000002;
  localparam int AWG_SHIFT_PREFIX_HIGH_PREFIX             = 0;
  localparam bit [31:0] AWG_MASK_PREFIX_HIGH_PREFIX            = 32'h000000FF;
  localparam bit [31:0] AWG_RESET_NODE_ID                      = 32'h00000000;
  localparam int AWG_SHIFT_NODE_ID_NODE_ID                = 0;
  localparam bit [31:0] AWG_MASK_NODE_ID_NODE_ID               = 32'h000000FF;
  localparam bit [31:0] AWG_RESET_GROUPS                       = 32'h00000000;
  localparam int AWG_SHIFT_GROUPS_GROUPS                  = 0;
  localparam bit [31:0] AWG_MASK_GROUPS_GROUPS                 = 32'h0000FFFF;
  localparam bit [31:0] AWG_RESET_TOKENS                       = 32'h00000001;
  localparam int AWG_SHIFT_TOKENS_TOKENS                  = 0;
  localparam bit [31:0] AWG_MASK_TOKENS_TOKENS                 = 32'h000000FF;
  localparam bit [31:0] AWG_RESET_TIMEOUT                      = 32'h0000FFFF;
  localparam int AWG_SHIFT_TIMEOUT_CYCLES                 = 0;
  localparam bit [31:0] AWG_MASK_TIMEOUT_CYCLES                = 32'h00FFFFFF;
  localparam bit [31:0] AWG_RESET_COMBINE                      = 32'h00000040;
  localparam int AWG_SHIFT_COMBINE_CYCLES                 = 0;
  localparam bit [31:0] AWG_MASK_COMBINE_CYCLES                = 32'h0000FFFF;
  localparam bit [31:0] AWG_RESET_PERIOD                       = 32'h00003FFF;
  localparam int AWG_SHIFT_PERIOD_CYCLES                  = 0;
  localparam bit [31:0] AWG_MASK_PERIOD_CYCLES                 = 32'h00FFFFFF;
  localparam bit [31:0] AWG_RESET_IRQ_STATUS                   = 32'h00000000;
  localparam int AWG_SHIFT_IRQ_STATUS_MAIL                = 0;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_MAIL               = 32'h00000001;
  localparam int AWG_SHIFT_IRQ_STATUS_MAIL_FULL           = 1;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_MAIL_FULL          = 32'h00000002;
  localparam int AWG_SHIFT_IRQ_STATUS_SIGNAL_DONE         = 2;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_SIGNAL_DONE        = 32'h00000004;
  localparam int AWG_SHIFT_IRQ_STATUS_STALLED             = 3;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_STALLED            = 32'h00000008;
  localparam int AWG_SHIFT_IRQ_STATUS_ROLE                = 4;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_ROLE               = 32'h00000010;
  localparam int AWG_SHIFT_IRQ_STATUS_TOKENS              = 5;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_TOKENS             = 32'h00000020;
  localparam int AWG_SHIFT_IRQ_STATUS_SAME_ID             = 6;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_SAME_ID            = 32'h00000040;
  localparam int AWG_SHIFT_IRQ_STATUS_DATA_RANGE          = 7;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_DATA_RANGE         = 32'h00000080;
  localparam int AWG_SHIFT_IRQ_STATUS_STRAY               = 8;
  localparam bit [31:0] AWG_MASK_IRQ_STATUS_STRAY              = 32'h00000100;
  localparam bit [31:0] AWG_RESET_IRQ_ENABLE                   = 32'h00000000;
  localparam int AWG_SHIFT_IRQ_ENABLE_MAIL                = 0;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_MAIL               = 32'h00000001;
  localparam int AWG_SHIFT_IRQ_ENABLE_MAIL_FULL           = 1;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_MAIL_FULL          = 32'h00000002;
  localparam int AWG_SHIFT_IRQ_ENABLE_SIGNAL_DONE         = 2;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_SIGNAL_DONE        = 32'h00000004;
  localparam int AWG_SHIFT_IRQ_ENABLE_STALLED             = 3;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_STALLED            = 32'h00000008;
  localparam int AWG_SHIFT_IRQ_ENABLE_ROLE                = 4;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_ROLE               = 32'h00000010;
  localparam int AWG_SHIFT_IRQ_ENABLE_TOKENS              = 5;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_TOKENS             = 32'h00000020;
  localparam int AWG_SHIFT_IRQ_ENABLE_SAME_ID             = 6;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_SAME_ID            = 32'h00000040;
  localparam int AWG_SHIFT_IRQ_ENABLE_DATA_RANGE          = 7;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_DATA_RANGE         = 32'h00000080;
  localparam int AWG_SHIFT_IRQ_ENABLE_STRAY               = 8;
  localparam bit [31:0] AWG_MASK_IRQ_ENABLE_STRAY              = 32'h00000100;
  localparam bit [31:0] AWG_RESET_TX_FREE                      = 32'h00000400;
  localparam int AWG_SHIFT_SIGNAL_SEND_TOKEN              = 0;
  localparam bit [31:0] AWG_MASK_SIGNAL_SEND_TOKEN             = 32'h00000007;
  localparam int AWG_SHIFT_SIGNAL_SEND_C_ST               = 3;
  localparam bit [31:0] AWG_MASK_SIGNAL_SEND_C_ST              = 32'h000000F8;
  localparam int AWG_SHIFT_SIGNAL_SEND_NODE_ID            = 8;
  localparam bit [31:0] AWG_MASK_SIGNAL_SEND_NODE_ID           = 32'h0000FF00;
  localparam int AWG_SHIFT_SIGNAL_SEND_MULTI_G            = 16;
  localparam bit [31:0] AWG_MASK_SIGNAL_SEND_MULTI_G           = 32'h000F0000;
  localparam int AWG_SHIFT_SIGNAL_SEND_LEN                = 20;
  localparam bit [31:0] AWG_MASK_SIGNAL_SEND_LEN               = 32'h03F00000;
  localparam int AWG_SHIFT_SIGNAL_SEND_ORDER              = 26;
  localparam bit [31:0] AWG_MASK_SIGNAL_SEND_ORDER             = 32'h0C000000;
  localparam bit [31:0] AWG_RESET_FRAMES                       = 32'h00000000;
  localparam int AWG_SHIFT_FRAMES_BASE                    = 0;
  localparam bit [31:0] AWG_MASK_FRAMES_BASE                   = 32'h000000FF;
  localparam int AWG_SHIFT_FRAMES_NEXT                    = 8;
  localparam bit [31:0] AWG_MASK_FRAMES_NEXT                   = 32'h0000FF00;
  localparam int AWG_SHIFT_FRAMES_TAIL                    = 16;
  localparam bit [31:0] AWG_MASK_FRAMES_TAIL                   = 32'h00FF0000;
  localparam bit [31:0] AWG_RESET_MAIL_COUNT                   = 32'h00000000;
  localparam bit [31:0] AWG_RESET_MEM_SIZE                     = 32'h00004000;
  localparam int AWG_REG_SIGNAL_DATA_COUNT                = 12;
  localparam bit [31:0] AWG_RESET_MAIL_DATA                    = 32'h00000000;
  localparam int AWG_REG_MAIL_DATA_COUNT                  = 16;
  localparam bit [31:0] AWG_RESET_COUNT                        = 32'h00000000;
  localparam int AWG_REG_COUNT_COUNT                      = 32;
  localparam bit [31:0] AWG_RESET_JOIN_STATUS                  = 32'h00000000;
  localparam int AWG_SHIFT_JOIN_STATUS_WHOLE              = 0;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_WHOLE             = 32'h00000001;
  localparam int AWG_SHIFT_JOIN_STATUS_JOINING            = 1;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_JOINING           = 32'h00000002;
  localparam int AWG_SHIFT_JOIN_STATUS_SETTLED            = 2;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_SETTLED           = 32'h00000004;
  localparam int AWG_SHIFT_JOIN_STATUS_BUSY               = 3;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_BUSY              = 32'h00000008;
  localparam int AWG_SHIFT_JOIN_STATUS_FENCED             = 4;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_FENCED            = 32'h00000010;
  localparam int AWG_SHIFT_JOIN_STATUS_HELD               = 5;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_HELD              = 32'h00000020;
  localparam int AWG_SHIFT_JOIN_STATUS_HEARD              = 8;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_HEARD             = 32'h0001FF00;
  localparam int AWG_SHIFT_JOIN_STATUS_PEER               = 24;
  localparam bit [31:0] AWG_MASK_JOIN_STATUS_PEER              = 32'hFF000000;
  localparam int AWG_SHIFT_JOIN_COMMAND_COMMAND           = 0;
  localparam bit [31:0] AWG_MASK_JOIN_COMMAND_COMMAND          = 32'h00000003;
  localparam int AWG_SHIFT_JOIN_COMMAND_FENCE             = 8;
  localparam bit [31:0] AWG_MASK_JOIN_COMMAND_FENCE            = 32'h0000FF00;
  localparam bit [31:0] AWG_RESET_FILL_ADDR                    = 32'h00000000;
  localparam bit [31:0] AWG_RESET_JOIN_IRQ_STATUS              = 32'h00000000;
  localparam int AWG_SHIFT_JOIN_IRQ_STATUS_FENCED         = 0;
  localparam bit [31:0] AWG_MASK_JOIN_IRQ_STATUS_FENCED        = 32'h00000001;
  localparam int AWG_SHIFT_JOIN_IRQ_STATUS_HERE           = 1;
  localparam bit [31:0] AWG_MASK_JOIN_IRQ_STATUS_HERE          = 32'h00000002;
  localparam int AWG_SHIFT_JOIN_IRQ_STATUS_PEER           = 2;
  localparam bit [31:0] AWG_MASK_JOIN_IRQ_STATUS_PEER          = 32'h00000004;
  localparam bit [31:0] AWG_RESET_JOIN_IRQ_ENABLE              = 32'h00000000;
  localparam int AWG_SHIFT_JOIN_IRQ_ENABLE_FENCED         = 0;
  localparam bit [31:0] AWG_MASK_JOIN_IRQ_ENABLE_FENCED        = 32'h00000001;
  localparam int AWG_SHIFT_JOIN_IRQ_ENABLE_HERE           = 1;
  localparam bit [31:0] AWG_MASK_JOIN_IRQ_ENABLE_HERE          = 32'h00000002;
  localparam int AWG_SHIFT_JOIN_IRQ_ENABLE_PEER           = 2;
  localparam bit [31:0] AWG_MASK_JOIN_IRQ_ENABLE_PEER          = 32'h00000004;
  localparam bit [31:0] AWG_RESET_ENGINE_STATUS                = 32'h00000000;
  localparam int AWG_SHIFT_ENGINE_STATUS_READY            = 0;
  localparam bit [31:0] AWG_MASK_ENGINE_STATUS_READY           = 32'h00000001;
  localparam int AWG_SHIFT_ENGINE_STATUS_NODE_W           = 8;
  localparam bit [31:0] AWG_MASK_ENGINE_STATUS_NODE_W          = 32'h00000F00;
  localparam bit [31:0] AWG_RESET_LOCK_ENABLE                  = 32'h00000000;
  localparam int AWG_SHIFT_LOCK_ENABLE_LOCKS              = 0;
  localparam bit [31:0] AWG_MASK_LOCK_ENABLE_LOCKS             = 32'h0000FFFF;
  localparam bit [31:0] AWG_RESET_BARRIER_ENABLE               = 32'h00000000;
  localparam int AWG_SHIFT_BARRIER_ENABLE_BARRIERS        = 0;
  localparam bit [31:0] AWG_MASK_BARRIER_ENABLE_BARRIERS       = 32'h000000FF;
  localparam bit [31:0] AWG_RESET_LOCK_FIRST                   = 32'h00000000;
  localparam int AWG_SHIFT_LOCK_FIRST_LOCKS               = 0;
  localparam bit [31:0] AWG_MASK_LOCK_FIRST_LOCKS              = 32'h0000FFFF;
  localparam bit [31:0] AWG_RESET_ENGINE_ORDER                 = 32'h0000000A;
  localparam int AWG_SHIFT_ENGINE_ORDER_PASSES            = 0;
  localparam bit [31:0] AWG_MASK_ENGINE_ORDER_PASSES           = 32'h00000003;
  localparam int AWG_SHIFT_ENGINE_ORDER_ARRIVALS          = 2;
  localparam bit [31:0] AWG_MASK_ENGINE_ORDER_ARRIVALS         = 32'h0000000C;
  localparam bit [31:0] AWG_RESET_ENGINE_RETRY                 = 32'h0000FFFF;
  localparam int AWG_SHIFT_ENGINE_RETRY_CYCLES            = 0;
  localparam bit [31:0] AWG_MASK_ENGINE_RETRY_CYCLES           = 32'h00FFFFFF;
  localparam bit [31:0] AWG_RESET_ENGINE_IRQ_STATUS            = 32'h00000000;
  localparam int AWG_SHIFT_ENGINE_IRQ_STATUS_LOCK         = 0;
  localparam bit [31:0] AWG_MASK_ENGINE_IRQ_STATUS_LOCK        = 32'h00000001;
  localparam int AWG_SHIFT_ENGINE_IRQ_STATUS_BARRIER      = 1;
  localparam bit [31:0] AWG_MASK_ENGINE_IRQ_STATUS_BARRIER     = 32'h00000002;
  localparam bit [31:0] AWG_RESET_ENGINE_IRQ_ENABLE            = 32'h00000000;
  localparam int AWG_SHIFT_ENGINE_IRQ_ENABLE_LOCK         = 0;
  localparam bit [31:0] AWG_MASK_ENGINE_IRQ_ENABLE_LOCK        = 32'h00000001;
  localparam int AWG_SHIFT_ENGINE_IRQ_ENABLE_BARRIER      = 1;
  localparam bit [31:0] AWG_MASK_ENGINE_IRQ_ENABLE_BARRIER     = 32'h00000002;
  localparam int AWG_SHIFT_LOCK_ACQUIRE_LOCK              = 0;
  localparam bit [31:0] AWG_MASK_LOCK_ACQUIRE_LOCK             = 32'h0000000F;
  localparam int AWG_SHIFT_LOCK_RELEASE_LOCK              = 0;
  localparam bit [31:0] AWG_MASK_LOCK_RELEASE_LOCK             = 32'h0000000F;
  localparam bit [31:0] AWG_RESET_LOCK_HELD                    = 32'h00000000;
  localparam int AWG_SHIFT_LOCK_HELD_LOCKS                = 0;
  localparam bit [31:0] AWG_MASK_LOCK_HELD_LOCKS               = 32'h0000FFFF;
  localparam bit [31:0] AWG_RESET_LOCK_ASKING                  = 32'h00000000;
  localparam int AWG_SHIFT_LOCK_ASKING_LOCKS              = 0;
  localparam bit [31:0] AWG_MASK_LOCK_ASKING_LOCKS             = 32'h0000FFFF;
  localparam bit [31:0] AWG_RESET_LOCK_OWNED                   = 32'h00000000;
  localparam int AWG_SHIFT_LOCK_OWNED_LOCKS               = 0;
  localparam bit [31:0] AWG_MASK_LOCK_OWNED_LOCKS              = 32'h0000FFFF;
  localparam int AWG_SHIFT_BARRIER_ARRIVE_BARRIER         = 0;
  localparam bit [31:0] AWG_MASK_BARRIER_ARRIVE_BARRIER        = 32'h00000007;
  localparam bit [31:0] AWG_RESET_BARRIER_WAITING              = 32'h00000000;
  localparam int AWG_SHIFT_BARRIER_WAITING_BARRIERS       = 0;
  localparam bit [31:0] AWG_MASK_BARRIER_WAITING_BARRIERS      = 32'h000000FF;
  localparam int AWG_REG_BARRIER_MEMBERS_COUNT            = 64;

  // ---- States of the machines of each module ----

  typedef enum bit [1:0] {
    AWG_FRAME_TX_IDLE                    = 2'd0,
    AWG_FRAME_TX_SEND                    = 2'd1,
    AWG_FRAME_TX_DRAIN                   = 2'd2
  } awg_frame_tx_state_e;
  typedef enum bit [1:0] {
    AWG_FRAME_RX_IDLE                    = 2'd0,
    AWG_FRAME_RX_FRAME                   = 2'd1,
    AWG_FRAME_RX_FLUSH                   = 2'd2
  } awg_frame_rx_state_e;
  typedef enum bit [1:0] {
    AWG_RING_INGRESS_GAP                 = 2'd0,
    AWG_RING_INGRESS_IDLE                = 2'd1,
    AWG_RING_INGRESS_PASS                = 2'd2,
    AWG_RING_INGRESS_SKIP                = 2'd3
  } awg_ring_ingress_state_e;
  typedef enum bit [1:0] {
    AWG_RING_EGRESS_READY                = 2'd0,
    AWG_RING_EGRESS_PASS                 = 2'd1,
    AWG_RING_EGRESS_INSERT               = 2'd2
  } awg_ring_egress_state_e;
  typedef enum bit [1:0] {
    AWG_AXIL_PORT_IDLE                   = 2'd0,
    AWG_AXIL_PORT_BUSY                   = 2'd1,
    AWG_AXIL_PORT_DONE                   = 2'd2
  } awg_axil_port_state_e;
  typedef enum bit [1:0] {
    AWG_HOST_WINDOW_IDLE                 = 2'd0,
    AWG_HOST_WINDOW_READ                 = 2'd1,
    AWG_HOST_WINDOW_SECOND               = 2'd2
  } awg_host_window_state_e;
  typedef enum bit [1:0] {
    AWG_DATA_WINDOW_IDLE                 = 2'd0,
    AWG_DATA_WINDOW_LOAD                 = 2'd1,
    AWG_DATA_WINDOW_OFFER                = 2'd2,
    AWG_DATA_WINDOW_STREAM               = 2'd3
  } awg_data_window_state_e;
  typedef enum bit [2:0] {
    AWG_SIGNAL_SENDER_IDLE               = 3'd0,
    AWG_SIGNAL_SENDER_WAIT               = 3'd1,
    AWG_SIGNAL_SENDER_OFFER              = 3'd2,
    AWG_SIGNAL_SENDER_STREAM             = 3'd3,
    AWG_SIGNAL_SENDER_FLIGHT             = 3'd4
  } awg_signal_sender_state_e;
  typedef enum bit [2:0] {
    AWG_LINK_CONTROL_OFF                 = 3'd0,
    AWG_LINK_CONTROL_SYNC                = 3'd1,
    AWG_LINK_CONTROL_SYNCING             = 3'd2,
    AWG_LINK_CONTROL_READY               = 3'd3,
    AWG_LINK_CONTROL_BEAT                = 3'd4,
    AWG_LINK_CONTROL_CENSUS              = 3'd5
  } awg_link_control_state_e;
  typedef enum bit [2:0] {
    AWG_RX_SORTER_CLEAR                  = 3'd0,
    AWG_RX_SORTER_IDLE                   = 3'd1,
    AWG_RX_SORTER_LOOK                   = 3'd2,
    AWG_RX_SORTER_JUDGE                  = 3'd3,
    AWG_RX_SORTER_DATA                   = 3'd4,
    AWG_RX_SORTER_HEAD                   = 3'd5,
    AWG_RX_SORTER_BODY                   = 3'd6,
    AWG_RX_SORTER_DROP                   = 3'd7
  } awg_rx_sorter_state_e;
  typedef enum bit [1:0] {
    AWG_MEM_WRITER_IDLE                  = 2'd0,
    AWG_MEM_WRITER_RUN                   = 2'd1,
    AWG_MEM_WRITER_TAIL                  = 2'd2
  } awg_mem_writer_state_e;
  typedef enum bit [2:0] {
    AWG_BARRIER_ENGINE_CLEAR             = 3'd0,
    AWG_BARRIER_ENGINE_LOAD              = 3'd1,
    AWG_BARRIER_ENGINE_ADD               = 3'd2,
    AWG_BARRIER_ENGINE_IDLE              = 3'd3,
    AWG_BARRIER_ENGINE_LOOK              = 3'd4,
    AWG_BARRIER_ENGINE_COUNT             = 3'd5,
    AWG_BARRIER_ENGINE_SCAN              = 3'd6,
    AWG_BARRIER_ENGINE_SEND              = 3'd7
  } awg_barrier_engine_state_e;
  typedef enum bit [0:0] {
    AWG_HOST_REGS_IDLE                   = 1'd0,
    AWG_HOST_REGS_ANSWER                 = 1'd1
  } awg_host_regs_state_e;
  typedef enum bit [1:0] {
    AWG_JOIN_REGS_IDLE                   = 2'd0,
    AWG_JOIN_REGS_LOOK                   = 2'd1,
    AWG_JOIN_REGS_FILL                   = 2'd2,
    AWG_JOIN_REGS_ANSWER                 = 2'd3
  } awg_join_regs_state_e;
  typedef enum bit [2:0] {
    AWG_JOIN_FENCE_IDLE                  = 3'd0,
    AWG_JOIN_FENCE_FENCE                 = 3'd1,
    AWG_JOIN_FENCE_FENCING               = 3'd2,
    AWG_JOIN_FENCE_HERE                  = 3'd3,
    AWG_JOIN_FENCE_ANSWERED              = 3'd4
  } awg_join_fence_state_e;
  typedef enum bit [1:0] {
    AWG_ENGINE_REGS_IDLE                 = 2'd0,
    AWG_ENGINE_REGS_COMMAND              = 2'd1,
    AWG_ENGINE_REGS_ANSWER               = 2'd2
  } awg_engine_regs_state_e;
  typedef enum bit [3:0] {
    AWG_LOCK_ENGINE_CLEAR                = 4'd0,
    AWG_LOCK_ENGINE_IDLE                 = 4'd1,
    AWG_LOCK_ENGINE_LOOK                 = 4'd2,
    AWG_LOCK_ENGINE_ACT                  = 4'd3,
    AWG_LOCK_ENGINE_APPEND               = 4'd4,
    AWG_LOCK_ENGINE_POP                  = 4'd5,
    AWG_LOCK_ENGINE_GIVE                 = 4'd6,
    AWG_LOCK_ENGINE_COMMAND              = 4'd7,
    AWG_LOCK_ENGINE_LOAD                 = 4'd8,
    AWG_LOCK_ENGINE_RETURN               = 4'd9
  } awg_lock_engine_state_e;

  // ---- Functions ----

  // A value of 1 to 4 bytes in the Data of a signal, big-endian.
  function automatic bit [31:0] awg_get(input bit [8191:0] data, input int offset, input int bytes);
    bit [31:0] value;
    value = 32'd0;
    for (int i = 0; i < bytes; i = i + 1) value = {value[23:0], data[8*(offset + i) +: 8]};
    return value;
  endfunction

  // Data with such a value in it.
  function automatic bit [8191:0] awg_put(input bit [8191:0] data, input int offset, input int bytes,
                                          input bit [31:0] value);
    bit [8191:0] changed;
    changed = data;
    for (int i = 0; i < bytes; i = i + 1) changed[8*(offset + i) +: 8] = value[8*(bytes - 1 - i) +: 8];
    return changed;
  endfunction

  // CRC-32 of the first `count` bytes: the FCS, whose least significant byte is sent first.
  function automatic bit [31:0] awg_fcs(input bit [8335:0] bytes, input int count);
    bit [31:0] crc;
    crc = 32'hFFFFFFFF;
    for (int i = 0; i < count; i = i + 1) begin
      crc = crc ^ {24'd0, bytes[8*i +: 8]};
      for (int k = 0; k < 8; k = k + 1) crc = crc[0] ? {1'b0, crc[31:1]} ^ 32'hEDB88320 : {1'b0, crc[31:1]};
    end
    return ~crc;
  endfunction

  // Verdict of the transmitter on a header and a number of valid bytes.
  function automatic awg_tx_status_e awg_check_header(input awg_header_t header, input bit [10:0] len);
    bit reserved;
    int least, most;
    reserved = header.token == 3'd2 || header.token == 3'd7;
    least = header.token == AWG_TOKEN_DATA ? 1 : 0;
    most = header.token == AWG_TOKEN_FREE ? 0 : AWG_DATA_MAX;
    if (reserved) return AWG_TX_TOKEN;
    if (int'(len) < least || int'(len) > most) return AWG_TX_LENGTH;
    return AWG_TX_OK;
  endfunction

  // The bytes of a frame on the link, with pad, short count and FCS. C.ST of a data token follows from its length;
  // of a free token only MAC and Node_ID count. A header that awg_check_header refuses gives 0 bytes.
  function automatic awg_line_t awg_pack(input awg_frame_t frame);
    awg_header_t header;
    bit [111:0] head;
    bit [8191:0] data;
    bit [8335:0] bytes;
    bit [31:0] fcs;
    bit short_data;
    int len, padded, body;
    header = frame.header;
    data = frame.data;
    bytes = 8336'd0;
    len = int'(frame.len);
    if (awg_check_header(header, frame.len) != AWG_TX_OK) begin
      awg_pack.len = '0;
      awg_pack.bytes = bytes;
      return awg_pack;
    end
    short_data = header.token == AWG_TOKEN_DATA && len < AWG_DATA_MIN;
    padded = len < AWG_DATA_MIN ? AWG_DATA_MIN : len;
    body = AWG_HEADER_BYTES + padded;
    if (header.token == AWG_TOKEN_DATA) header.c_st = short_data ? AWG_C_ST_DATA_SHORT : AWG_C_ST_DATA_FULL;
    if (header.token == AWG_TOKEN_FREE) begin
      header.c_st = '0;
      header.multi_g = '0;
      header.act_seq = '0;
      header.packet_cnt = '0;
      header.addr = '0;
    end
    head = header;
    for (int i = 0; i < AWG_HEADER_BYTES; i = i + 1)
      bytes[8*i +: 8] = head[8*(AWG_HEADER_BYTES - 1 - i) +: 8];
    for (int i = 0; i < len; i = i + 1)
      bytes[8*(AWG_HEADER_BYTES + i) +: 8] = data[8*i +: 8];
    if (short_data) bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8] = frame.len[7:0];
    fcs = awg_fcs(bytes, body);
    for (int i = 0; i < AWG_FCS_BYTES; i = i + 1) bytes[8*(body + i) +: 8] = fcs[8*i +: 8];
    awg_pack.len = 11'(body + AWG_FCS_BYTES);
    awg_pack.bytes = bytes;
    return awg_pack;
  endfunction

  // Verdict of the receiver on the bytes of a frame: the first check that fails. `abort` and `keep` are defects of
  // words, which bytes do not have.
  function automatic awg_check_e awg_check_line(input awg_line_t line);
    awg_header_t header;
    bit [111:0] head;
    bit [8335:0] bytes;
    bit [31:0] fcs;
    bit reserved;
    int len;
    bytes = line.bytes;
    len = int'(line.len);
    if (len < AWG_FRAME_MIN) return AWG_CHECK_RUNT;
    if (len > AWG_FRAME_MAX) return AWG_CHECK_LONG;
    for (int i = 0; i < AWG_FCS_BYTES; i = i + 1) fcs[8*i +: 8] = bytes[8*(len - AWG_FCS_BYTES + i) +: 8];
    if (awg_fcs(bytes, len - AWG_FCS_BYTES) != fcs) return AWG_CHECK_FCS;
    for (int i = 0; i < AWG_HEADER_BYTES; i = i + 1)
      head[8*(AWG_HEADER_BYTES - 1 - i) +: 8] = bytes[8*i +: 8];
    header = head;
    reserved = header.token == 3'd2 || header.token == 3'd7;
    if (reserved) return AWG_CHECK_TOKEN;
    if (header.token == AWG_TOKEN_FREE && len != AWG_FRAME_MIN) return AWG_CHECK_LENGTH;
    if (header.token == AWG_TOKEN_DATA && header.c_st != AWG_C_ST_DATA_FULL) begin
      if (header.c_st != AWG_C_ST_DATA_SHORT) return AWG_CHECK_C_ST;
      if (len != AWG_FRAME_MIN) return AWG_CHECK_LENGTH;
      if (bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8] == 8'd0
          || int'(bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8]) > AWG_SHORT_COUNT_INDEX)
        return AWG_CHECK_SHORT_COUNT;
    end
    return AWG_CHECK_OK;
  endfunction

  // Header and valid bytes of a frame that awg_check_line finds good; valid bytes of another token than data and
  // free include the pad. Data beyond the valid bytes is 0. Of a frame that is not good only the header is taken.
  function automatic awg_frame_t awg_unpack(input awg_line_t line);
    awg_header_t header;
    bit [111:0] head;
    bit [8335:0] bytes;
    bit [8191:0] data;
    int len;
    bytes = line.bytes;
    data = 8192'd0;
    for (int i = 0; i < AWG_HEADER_BYTES; i = i + 1)
      head[8*(AWG_HEADER_BYTES - 1 - i) +: 8] = bytes[8*i +: 8];
    header = head;
    len = int'(line.len) - AWG_HEADER_BYTES - AWG_FCS_BYTES;
    if (header.token == AWG_TOKEN_FREE) len = 0;
    if (header.token == AWG_TOKEN_DATA && header.c_st == AWG_C_ST_DATA_SHORT)
      len = int'(bytes[8*(AWG_HEADER_BYTES + AWG_SHORT_COUNT_INDEX) +: 8]);
    if (awg_check_line(line) != AWG_CHECK_OK) len = 0;
    for (int i = 0; i < len; i = i + 1) data[8*i +: 8] = bytes[8*(AWG_HEADER_BYTES + i) +: 8];
    awg_unpack.header = header;
    awg_unpack.len = 11'(len);
    awg_unpack.data = data;
    return awg_unpack;
  endfunction

  // Words of the link that a number of bytes takes.
  function automatic int awg_words(input bit [10:0] len);
    return (int'(len) + AWG_WORD_BYTES - 1) / AWG_WORD_BYTES;
  endfunction

  // Word `index` of a frame on the link; tuser is 0.
  function automatic awg_word_t awg_word(input awg_line_t line, input int index);
    bit [8335:0] bytes;
    bit [31:0] data;
    bit [3:0] keep;
    int left;
    bytes = line.bytes;
    left = int'(line.len) - AWG_WORD_BYTES * index;
    for (int i = 0; i < AWG_WORD_BYTES; i = i + 1) begin
      data[8*i +: 8] = i < left ? bytes[8*(AWG_WORD_BYTES*index + i) +: 8] : 8'd0;
      keep[i] = i < left;
    end
    awg_word.tdata = data;
    awg_word.tkeep = keep;
    awg_word.tvalid = left > 0;
    awg_word.tlast = left > 0 && left <= AWG_WORD_BYTES;
    awg_word.tuser = 1'b0;
    return awg_word;
  endfunction

  // The bytes of a frame with a word more at the end. More than AWG_FRAME_MAX bytes count and are dropped.
  function automatic awg_line_t awg_append(input awg_line_t line, input awg_word_t word);
    bit [8335:0] bytes;
    bit [31:0] data;
    bit [3:0] keep;
    int len;
    bytes = line.bytes;
    data = word.tdata;
    keep = word.tkeep;
    len = int'(line.len);
    for (int i = 0; i < AWG_WORD_BYTES; i = i + 1)
      if (keep[i] && len < 2047) begin
        if (len < AWG_FRAME_MAX) bytes[8*len +: 8] = data[8*i +: 8];
        len = len + 1;
      end
    awg_append.len = 11'(len);
    awg_append.bytes = bytes;
    return awg_append;
  endfunction

  // ---- Ports of ring_node, but clk ----

  localparam bit [31:0] AWG_RING_NODE_LAYOUT = 32'h22AC0ABC; // of this package

  typedef struct packed {
    bit        rst;
    bit [47:0] cfg_mac;
    bit [7:0]  cfg_node_id;
    bit [15:0] cfg_groups;
    bit        cfg_monitor;
    bit        issue;
    bit        discard;
    bit [31:0] s_axis_tdata;
    bit [3:0]  s_axis_tkeep;
    bit        s_axis_tvalid;
    bit        s_axis_tlast;
    bit        s_axis_tuser;
    bit        s_data_hdr_valid;
    bit [3:0]  s_data_hdr_act_seq;
    bit [7:0]  s_data_hdr_packet_cnt;
    bit [31:0] s_data_hdr_addr;
    bit [10:0] s_data_hdr_len;
    bit [31:0] s_data_axis_tdata;
    bit [3:0]  s_data_axis_tkeep;
    bit        s_data_axis_tvalid;
    bit        s_data_axis_tlast;
    bit        s_signal_hdr_valid;
    bit [2:0]  s_signal_hdr_token;
    bit [4:0]  s_signal_hdr_c_st;
    bit [7:0]  s_signal_hdr_node_id;
    bit [3:0]  s_signal_hdr_multi_g;
    bit [3:0]  s_signal_hdr_act_seq;
    bit [7:0]  s_signal_hdr_packet_cnt;
    bit [31:0] s_signal_hdr_addr;
    bit [10:0] s_signal_hdr_len;
    bit [31:0] s_signal_axis_tdata;
    bit [3:0]  s_signal_axis_tkeep;
    bit        s_signal_axis_tvalid;
    bit        s_signal_axis_tlast;
    bit        m_rx_hdr_ready;
    bit        m_rx_axis_tready;
    bit [3:0]  count_addr;
  } awg_ring_node_in_t;

  typedef struct packed {
    bit [31:0] m_axis_tdata;
    bit [3:0]  m_axis_tkeep;
    bit        m_axis_tvalid;
    bit        m_axis_tlast;
    bit        m_axis_tuser;
    bit        s_data_hdr_ready;
    bit        s_data_axis_tready;
    bit        s_signal_hdr_ready;
    bit        s_signal_axis_tready;
    bit        m_rx_hdr_valid;
    bit [47:0] m_rx_hdr_mac;
    bit [2:0]  m_rx_hdr_token;
    bit [4:0]  m_rx_hdr_c_st;
    bit [7:0]  m_rx_hdr_node_id;
    bit [3:0]  m_rx_hdr_multi_g;
    bit [3:0]  m_rx_hdr_act_seq;
    bit [7:0]  m_rx_hdr_packet_cnt;
    bit [31:0] m_rx_hdr_addr;
    bit [10:0] m_rx_hdr_len;
    bit [31:0] m_rx_axis_tdata;
    bit [3:0]  m_rx_axis_tkeep;
    bit        m_rx_axis_tvalid;
    bit        m_rx_axis_tlast;
    bit        m_ret_valid;
    bit        m_ret_good;
    bit [2:0]  m_ret_token;
    bit [4:0]  m_ret_c_st;
    bit [7:0]  m_ret_packet_cnt;
    bit        m_sent_valid;
    bit [1:0]  m_sent_class;
    bit [2:0]  m_sent_error;
    bit [31:0] count_data;
    bit [7:0]  held;
    bit        token_seen;
    bit        buffered;
    bit        ev_orphan;
    bit        ev_discarded;
  } awg_ring_node_out_t;

  // ---- Ports of smb, but clk ----

  localparam bit [31:0] AWG_SMB_LAYOUT = 32'h693E5E2C; // of this package

  typedef struct packed {
    bit        rst;
    bit [31:0] s_axi_awaddr;
    bit [2:0]  s_axi_awprot;
    bit        s_axi_awvalid;
    bit [31:0] s_axi_wdata;
    bit [3:0]  s_axi_wstrb;
    bit        s_axi_wvalid;
    bit        s_axi_bready;
    bit [31:0] s_axi_araddr;
    bit [2:0]  s_axi_arprot;
    bit        s_axi_arvalid;
    bit        s_axi_rready;
    bit [31:0] s_axis_tdata;
    bit [3:0]  s_axis_tkeep;
    bit        s_axis_tvalid;
    bit        s_axis_tlast;
    bit        s_axis_tuser;
  } awg_smb_in_t;

  typedef struct packed {
    bit        s_axi_awready;
    bit        s_axi_wready;
    bit [1:0]  s_axi_bresp;
    bit        s_axi_bvalid;
    bit        s_axi_arready;
    bit [31:0] s_axi_rdata;
    bit [1:0]  s_axi_rresp;
    bit        s_axi_rvalid;
    bit [31:0] m_axis_tdata;
    bit [3:0]  m_axis_tkeep;
    bit        m_axis_tvalid;
    bit        m_axis_tlast;
    bit        m_axis_tuser;
    bit        irq;
  } awg_smb_out_t;

`ifndef AWGSTAR_NO_DPI

  // ---- The model ----

  // Codes of the functions.
  typedef enum int {
    AWG_DPI_OK = 0,
    AWG_DPI_DIFFERS = 1, // the design differs from the model: awg_dpi_explain has the report
    AWG_DPI_HANDLE = 2, // no model has this handle
    AWG_DPI_MODULE = 3, // the model is of another module
    AWG_DPI_POINTER = 4, // a pointer is null or not aligned
    AWG_DPI_ARGUMENT = 5, // a name or a setting is wrong
    AWG_DPI_LAYOUT = 6, // package and library are of different versions
    AWG_DPI_RANGE = 7, // there is no such memory word
    AWG_DPI_ORDER = 8, // a call is missing or out of order
    AWG_DPI_NOTHING = 9, // nothing was compared
    AWG_DPI_NO_TRAFFIC = 10, // no frame was on the links
    AWG_DPI_FRAME = 11, // a frame that cannot be sent, or bytes that are not one
    AWG_DPI_FAILED = 12 // the library failed; this is a bug
  } awg_dpi_e;

  // Registers of ring_node, and ports of its instances: awgstar_design.svh fills them.
  localparam int AWG_RING_NODE_REGISTER_WORDS = 134;
  localparam int AWG_RING_NODE_WIRE_WORDS = 240;
  typedef int unsigned awg_ring_node_registers_t [AWG_RING_NODE_REGISTER_WORDS];
  typedef int unsigned awg_ring_node_wires_t [AWG_RING_NODE_WIRE_WORDS];

  // Registers of smb, and ports of its instances: awgstar_design.svh fills them.
  localparam int AWG_SMB_REGISTER_WORDS = 382;
  localparam int AWG_SMB_WIRE_WORDS = 925;
  typedef int unsigned awg_smb_registers_t [AWG_SMB_REGISTER_WORDS];
  typedef int unsigned awg_smb_wires_t [AWG_SMB_WIRE_WORDS];

  // Makes a model of name, ring_node or smb, with parameters of its Verilog, NAME=VALUE with commas between
  // them; those not named have the default of the Verilog. layout is AWG_RING_NODE_LAYOUT or AWG_SMB_LAYOUT of
  // the package. Gives a handle above 0, or an error code with a minus.
  import "DPI-C" function int awg_dpi_new(input string name, input string parameters, input int unsigned layout);

  // Takes back a model. A run that compares must be finished before, see awg_dpi_verdict.
  import "DPI-C" function int awg_dpi_free(input int handle);

  // One cycle of a design with the registers of ring_node: call it just before the rising edge, after
  // awg_dpi_word, with rst high in the first cycle. Compares registers, outputs and the memory words that were
  // given; if all are equal, does the edge. Else the run is over and awg_dpi_explain has the report.
  import "DPI-C" function int awg_dpi_cycle_ring_node(input int handle, input awg_ring_node_in_t inputs, input awg_ring_node_out_t outputs, input int unsigned registers [AWG_RING_NODE_REGISTER_WORDS]);

  // The same for smb.
  import "DPI-C" function int awg_dpi_cycle_smb(input int handle, input awg_smb_in_t inputs, input awg_smb_out_t outputs, input int unsigned registers [AWG_SMB_REGISTER_WORDS]);

  // One cycle of a design with the ports of ring_node and registers of your choice: compares the bits of outputs
  // that have a meaning in this cycle and that the reset or the inputs have set, then does the edge.
  import "DPI-C" function int awg_dpi_ports_ring_node(input int handle, input awg_ring_node_in_t inputs, input awg_ring_node_out_t outputs);

  // The same for smb.
  import "DPI-C" function int awg_dpi_ports_smb(input int handle, input awg_smb_in_t inputs, input awg_smb_out_t outputs);

  // Ports of all instances of a ring_node in this cycle, before awg_dpi_cycle_ring_node, if the report is to name
  // the cause: the module whose inputs agree and of which an output differs.
  import "DPI-C" function int awg_dpi_wires_ring_node(input int handle, input int unsigned wires [AWG_RING_NODE_WIRE_WORDS]);

  // The same for smb.
  import "DPI-C" function int awg_dpi_wires_smb(input int handle, input int unsigned wires [AWG_SMB_WIRE_WORDS]);

  // A memory word of the design in this cycle. The macros of awgstar_design.svh call it for all words, which must be
  // done in the first two cycles; later it is a comparison, as often as you like.
  import "DPI-C" function int awg_dpi_word(input int handle, input int unsigned memory, input int unsigned address, input bit [127:0] value);

  // Outputs of the model with these inputs, just before the edge: the model in the place of a design.
  import "DPI-C" function int awg_dpi_outputs_ring_node(input int handle, input awg_ring_node_in_t inputs, output awg_ring_node_out_t outputs);

  // The same for smb.
  import "DPI-C" function int awg_dpi_outputs_smb(input int handle, input awg_smb_in_t inputs, output awg_smb_out_t outputs);

  // The edge of a model that is not compared.
  import "DPI-C" function int awg_dpi_clock_ring_node(input int handle, input awg_ring_node_in_t inputs);

  // The same for smb.
  import "DPI-C" function int awg_dpi_clock_smb(input int handle, input awg_smb_in_t inputs);

  // A register of the model by its path below the module, such as u_arbiter.turn_q.
  import "DPI-C" function int awg_dpi_register(input int handle, input string path, output bit [127:0] value);

  // The first difference: cycle, value in the model, value in the design. awg_dpi_difference_path has the name.
  // AWG_DPI_NOTHING if there is none.
  import "DPI-C" function int awg_dpi_difference(input int handle, output longint unsigned at, output bit [127:0] expected, output bit [127:0] found);

  // Name of the register, memory word or output that differs first; empty if none does.
  import "DPI-C" function string awg_dpi_difference_path(input int handle);

  // The report of the first difference: cycle, signal, value in the model, value in the Verilog, cause, inputs of the
  // cycle before, frames on the links; empty if there is none.
  import "DPI-C" function string awg_dpi_explain(input int handle);

  // Cycles that were compared; 0 for a wrong handle.
  import "DPI-C" function longint unsigned awg_dpi_compared(input int handle);

  // Whole frames on the input and the output of the link so far; 0 for a wrong handle.
  import "DPI-C" function longint unsigned awg_dpi_frames(input int handle);

  // Ends the run of a model: 0 if at least one cycle was compared, a frame was on a link and nothing differed.
  import "DPI-C" function int awg_dpi_finish(input int handle);

  // The verdict of the simulation: call it in a final block. Returns if every run was finished with 0, and there was
  // one; else prints the reason to standard error and ends the process with exit code 1, whatever the design has printed
  // and even if the design has called $finish.
  import "DPI-C" function void awg_dpi_verdict();

  // The bytes of a frame on the link, from the model's codec; AWG_DPI_FRAME if it cannot be sent, with the field.
  import "DPI-C" function int awg_dpi_encode(input awg_frame_t from, output awg_line_t to);

  // The frame of these bytes, from the model's codec; AWG_DPI_FRAME if they are not one, with field and byte.
  import "DPI-C" function int awg_dpi_decode(input awg_line_t from, output awg_frame_t to);

  // Fields and errors of a frame in words, as awgstar frame explain prints them.
  import "DPI-C" function string awg_dpi_explain_frame(input awg_line_t line);

  // The text of the last error of this thread.
  import "DPI-C" function string awg_dpi_message();

`endif

endpackage
