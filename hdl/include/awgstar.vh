// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated from the contract (model/frame/src/contract) by `cargo run -- contract generate`.
// Do not edit: `cargo run -- contract check` and the tests fail on drift.
`ifndef AWGSTAR_VH
`define AWGSTAR_VH

// Lengths in bytes (FRM-3)
`define AWG_HEADER_BYTES                     11'd14
`define AWG_FCS_BYTES                        11'd4
`define AWG_DATA_MIN                         11'd46
`define AWG_DATA_MAX                         11'd1024
`define AWG_FRAME_MIN                        11'd64
`define AWG_FRAME_MAX                        11'd1042
`define AWG_SHORT_COUNT_INDEX                11'd45
`define AWG_IDLE_WORDS_MIN                   11'd1

// CRC-32 register values (FCS-1, FCS-2)
`define AWG_CRC32_INIT                       32'hFFFFFFFF
`define AWG_CRC32_RESIDUE                    32'hDEBB20E3
`define AWG_CRC32_FILLED_1                   32'h62932081
`define AWG_CRC32_FILLED_2                   32'h4E3D5E5C
`define AWG_CRC32_FILLED_3                   32'h39DD08E2

// Header bundle, ports ..._hdr (FRM-1): width of all, from TOKEN on, from Act_Seq on; place of each field
`define AWG_HDR_W                            123
`define AWG_SIGNAL_HDR_W                     75
`define AWG_DATA_HDR_W                       55
`define AWG_LEN_W                            11
`define AWG_HDR_MAC                          122:75
`define AWG_HDR_TOKEN                        74:72
`define AWG_HDR_C_ST                         71:67
`define AWG_HDR_NODE_ID                      66:59
`define AWG_HDR_MULTI_G                      58:55
`define AWG_HDR_ACT_SEQ                      54:51
`define AWG_HDR_PACKET_CNT                   50:43
`define AWG_HDR_ADDR                         42:11
`define AWG_HDR_LEN                          10:0

// TOKEN (FRM-4)
`define AWG_TOKEN_FREE                       3'b000
`define AWG_TOKEN_DATA                       3'b001
`define AWG_TOKEN_P2P                        3'b011
`define AWG_TOKEN_MULTICAST                  3'b100
`define AWG_TOKEN_BROADCAST                  3'b101
`define AWG_TOKEN_CONTROL                    3'b110

// C.ST of a data token (FRM-6)
`define AWG_C_ST_DATA_FULL                   5'b00000
`define AWG_C_ST_DATA_SHORT                  5'b00001

// C.ST of signals; TOKEN in the comment (SIG-1)
`define AWG_C_ST_LOCK_MW_REQUEST             5'b01001 // TOKEN 011
`define AWG_C_ST_LOCK_MW_ACK                 5'b01010 // TOKEN 101
`define AWG_C_ST_LOCK_MW_UNLOCK              5'b01011 // TOKEN 101
`define AWG_C_ST_LOCK_DIST_REQUEST           5'b01100 // TOKEN 101
`define AWG_C_ST_LOCK_DIST_ACK               5'b01101 // TOKEN 101
`define AWG_C_ST_LOCK_DIST_UNLOCK            5'b01110 // TOKEN 101
`define AWG_C_ST_LOCK_DIST_PASS              5'b01101 // TOKEN 011
`define AWG_C_ST_LOCK_DIST_PASS_ACK          5'b01110 // TOKEN 011
`define AWG_C_ST_LOCK_QUEUE_REQUEST          5'b00100 // TOKEN 101
`define AWG_C_ST_LOCK_QUEUE_PASS             5'b00101 // TOKEN 101
`define AWG_C_ST_BARRIER_MW_ARRIVAL          5'b01111 // TOKEN 011
`define AWG_C_ST_BARRIER_MW_ACK              5'b10000 // TOKEN 011
`define AWG_C_ST_BARRIER_MW_RELEASE          5'b10000 // TOKEN 101
`define AWG_C_ST_BARRIER_DIST_ARRIVAL        5'b10010 // TOKEN 101
`define AWG_C_ST_BARRIER_DIST_ACK            5'b10011 // TOKEN 011
`define AWG_C_ST_BARRIER_DIST_RELEASE        5'b10100 // TOKEN 101
`define AWG_C_ST_BARRIER_RING_ARRIVAL        5'b00110 // TOKEN 101
`define AWG_C_ST_SWAP_REQUEST                5'b11000 // TOKEN 011

// Verdict of frame_rx, m_hdr_check (RX-4)
`define AWG_CHECK_OK                         4'd0
`define AWG_CHECK_ABORT                      4'd1
`define AWG_CHECK_KEEP                       4'd2
`define AWG_CHECK_RUNT                       4'd3
`define AWG_CHECK_LONG                       4'd4
`define AWG_CHECK_FCS                        4'd5
`define AWG_CHECK_TOKEN                      4'd6
`define AWG_CHECK_C_ST                       4'd7
`define AWG_CHECK_LENGTH                     4'd8
`define AWG_CHECK_SHORT_COUNT                4'd9

// Verdict of frame_tx, status_error (TX-6)
`define AWG_TX_OK                            3'd0
`define AWG_TX_TOKEN                         3'd1
`define AWG_TX_LENGTH                        3'd2
`define AWG_TX_UNDERRUN                      3'd3
`define AWG_TX_LAST                          3'd4

// Ring node: default parameters (NODE-9, NODE-12, NODE-17)
`define AWG_BUFFER_ADDR_W                    9
`define AWG_RX_ADDR_W                        9
`define AWG_RX_HEADER_ADDR_W                 4
`define AWG_INSERT_MARGIN                    10'd4
`define AWG_TOKEN_RUN                        8
`define AWG_PENDING_W                        5

// Word of the insertion buffer: {tuser, tlast, bytes mod 4, tdata} (NODE-8)
`define AWG_BUFFER_WORD_W                    36
`define AWG_BUFFER_IDLE                      36'h100000000
`define AWG_BUFFER_ABORT                     36'hC00000000

// What a frame is to the node it arrives at (NODE-3)
`define AWG_KIND_NONE                        2'd0
`define AWG_KIND_OTHER                       2'd1
`define AWG_KIND_OWN                         2'd2

// What the transmitter sends (NODE-11)
`define AWG_CLASS_FREE                       2'd0
`define AWG_CLASS_DATA                       2'd1
`define AWG_CLASS_SIGNAL                     2'd2

// Counters: address and bit of events (NODE-20)
`define AWG_COUNT_PASSED                     4'd0
`define AWG_COUNT_RETURNED_GOOD              4'd1
`define AWG_COUNT_RETURNED_BAD               4'd2
`define AWG_COUNT_TOKEN_TAKEN                4'd3
`define AWG_COUNT_RESERVED                   4'd4
`define AWG_COUNT_CUT                        4'd5
`define AWG_COUNT_DROPPED                    4'd6
`define AWG_COUNT_DELIVERED                  4'd7
`define AWG_COUNT_BAD_FCS                    4'd8
`define AWG_COUNT_BAD_OTHER                  4'd9
`define AWG_COUNT_RX_OVERFLOW                4'd10
`define AWG_COUNT_DATA_SENT                  4'd11
`define AWG_COUNT_SIGNAL_SENT                4'd12
`define AWG_COUNT_FREE_SENT                  4'd13
`define AWG_COUNT_TX_ERROR                   4'd14
`define AWG_COUNT_TOKEN_OVERFLOW             4'd15

// Board: default parameters (WRT-1, ACK-1, SND-1, RCV-5)
`define AWG_MEM_ADDR_W                       12
`define AWG_TX_ADDR_W                        10
`define AWG_TX_FRAME_W                       4
`define AWG_SIGNAL_W                         2
`define AWG_MAIL_W                           4
`define AWG_AXI_ID_W                         4
`define AWG_ENGINE_NODE_W                    0
`define AWG_JOIN                             0
`define AWG_RETRY_LIMIT                      4'd8
`define AWG_SIGNAL_MAX                       6'd46

// C.ST of link control, TOKEN 110 (MON-1)
`define AWG_C_ST_CONTROL_SYNC                5'b00001
`define AWG_C_ST_CONTROL_MONITOR             5'b00010
`define AWG_C_ST_CONTROL_FENCE               5'b00011
`define AWG_C_ST_CONTROL_HERE                5'b00100

// Order of a signal against data (SND-2)
`define AWG_ORDER_NONE                       2'd0
`define AWG_ORDER_SENT                       2'd1
`define AWG_ORDER_CONFIRMED                  2'd2

// Counters of the board: bit of events (HST-7)
`define AWG_BOARD_COUNT_DATA                 0
`define AWG_BOARD_COUNT_DATA_AGAIN           1
`define AWG_BOARD_COUNT_DATA_GAP             2
`define AWG_BOARD_COUNT_DATA_RANGE           3
`define AWG_BOARD_COUNT_SIGNAL               4
`define AWG_BOARD_COUNT_SIGNAL_AGAIN         5
`define AWG_BOARD_COUNT_SIGNAL_EARLY         6
`define AWG_BOARD_COUNT_SIGNAL_LONG          7
`define AWG_BOARD_COUNT_MAIL_FULL            8
`define AWG_BOARD_COUNT_REWOUND              9
`define AWG_BOARD_COUNT_SIGNAL_RESEND        10
`define AWG_BOARD_COUNT_TIMEOUT              11
`define AWG_BOARD_COUNT_ORPHAN               12
`define AWG_BOARD_COUNT_TOKEN_ADDED          13
`define AWG_BOARD_COUNT_TOKEN_REMOVED        14
`define AWG_BOARD_COUNT_STRAY                15

// Interrupts: bit of IRQ_STATUS (IRQ-1)
`define AWG_IRQS                             9
`define AWG_IRQ_MAIL                         0
`define AWG_IRQ_MAIL_FULL                    1
`define AWG_IRQ_SIGNAL_DONE                  2
`define AWG_IRQ_STALLED                      3
`define AWG_IRQ_ROLE                         4
`define AWG_IRQ_TOKENS                       5
`define AWG_IRQ_SAME_ID                      6
`define AWG_IRQ_DATA_RANGE                   7
`define AWG_IRQ_STRAY                        8

// Registers of the host port: byte address / 4, value after reset (HST-3)
`define AWG_REG_ID                           9'd0
`define AWG_RESET_ID                         32'h41574753
`define AWG_REG_VERSION                      9'd1
`define AWG_RESET_VERSION                    32'h00000001
`define AWG_REG_CONTROL                      9'd2
`define AWG_RESET_CONTROL                    32'h00000000
`define AWG_REG_STATUS                       9'd3
`define AWG_RESET_STATUS                     32'h00000000
`define AWG_REG_PREFIX_LOW                   9'd4
`define AWG_RESET_PREFIX_LOW                 32'h534D4200
`define AWG_REG_PREFIX_HIGH                  9'd5
`define AWG_RESET_PREFIX_HIGH                32'h00000002
`define AWG_REG_NODE_ID                      9'd6
`define AWG_RESET_NODE_ID                    32'h00000000
`define AWG_REG_GROUPS                       9'd7
`define AWG_RESET_GROUPS                     32'h00000000
`define AWG_REG_TOKENS                       9'd8
`define AWG_RESET_TOKENS                     32'h00000001
`define AWG_REG_TIMEOUT                      9'd9
`define AWG_RESET_TIMEOUT                    32'h0000FFFF
`define AWG_REG_COMBINE                      9'd10
`define AWG_RESET_COMBINE                    32'h00000040
`define AWG_REG_PERIOD                       9'd11
`define AWG_RESET_PERIOD                     32'h00003FFF
`define AWG_REG_FLUSH                        9'd12
`define AWG_RESET_FLUSH                      32'h00000000
`define AWG_REG_IRQ_STATUS                   9'd13
`define AWG_RESET_IRQ_STATUS                 32'h00000000
`define AWG_REG_IRQ_ENABLE                   9'd14
`define AWG_RESET_IRQ_ENABLE                 32'h00000000
`define AWG_REG_TX_FREE                      9'd15
`define AWG_RESET_TX_FREE                    32'h00000400
`define AWG_REG_SIGNAL_SEND                  9'd16
`define AWG_RESET_SIGNAL_SEND                32'h00000000
`define AWG_REG_FRAMES                       9'd17
`define AWG_RESET_FRAMES                     32'h00000000
`define AWG_REG_MAIL_COUNT                   9'd18
`define AWG_RESET_MAIL_COUNT                 32'h00000000
`define AWG_REG_MAIL_POP                     9'd19
`define AWG_RESET_MAIL_POP                   32'h00000000
`define AWG_REG_MEM_SIZE                     9'd20
`define AWG_RESET_MEM_SIZE                   32'h00004000
`define AWG_REG_SIGNAL_DATA                  9'd32
`define AWG_RESET_SIGNAL_DATA                32'h00000000
`define AWG_REG_MAIL_DATA                    9'd48
`define AWG_RESET_MAIL_DATA                  32'h00000000
`define AWG_REG_COUNT                        9'd64
`define AWG_RESET_COUNT                      32'h00000000

// A board that can join: commands, interrupts (JOIN-6)
`define AWG_JOIN_BEGIN                       2'd0
`define AWG_JOIN_AGAIN                       2'd1
`define AWG_JOIN_SETTLE                      2'd2
`define AWG_JOIN_WHOLE                       2'd3
`define AWG_JOIN_IRQS                        3
`define AWG_JOIN_IRQ_FENCED                  0
`define AWG_JOIN_IRQ_HERE                    1
`define AWG_JOIN_IRQ_PEER                    2

// Its registers: byte address / 4 modulo 2^9, value after reset (JOIN-6)
`define AWG_REG_JOIN_STATUS                  9'd256
`define AWG_RESET_JOIN_STATUS                32'h00000000
`define AWG_REG_JOIN_COMMAND                 9'd257
`define AWG_RESET_JOIN_COMMAND               32'h00000000
`define AWG_REG_FILL_ADDR                    9'd258
`define AWG_RESET_FILL_ADDR                  32'h00000000
`define AWG_REG_FILL_DATA                    9'd259
`define AWG_RESET_FILL_DATA                  32'h00000000
`define AWG_REG_JOIN_IRQ_STATUS              9'd260
`define AWG_RESET_JOIN_IRQ_STATUS            32'h00000000
`define AWG_REG_JOIN_IRQ_ENABLE              9'd261
`define AWG_RESET_JOIN_IRQ_ENABLE            32'h00000000

// Lock and barrier engine: interrupts
`define AWG_ENGINE_IRQS                      2
`define AWG_ENGINE_IRQ_LOCK                  0
`define AWG_ENGINE_IRQ_BARRIER               1

// Registers of the engine: byte address / 4 modulo 2^9, value after reset (ENG-7)
`define AWG_REG_ENGINE_STATUS                9'd0
`define AWG_RESET_ENGINE_STATUS              32'h00000000
`define AWG_REG_LOCK_ENABLE                  9'd1
`define AWG_RESET_LOCK_ENABLE                32'h00000000
`define AWG_REG_BARRIER_ENABLE               9'd2
`define AWG_RESET_BARRIER_ENABLE             32'h00000000
`define AWG_REG_LOCK_FIRST                   9'd3
`define AWG_RESET_LOCK_FIRST                 32'h00000000
`define AWG_REG_ENGINE_ORDER                 9'd4
`define AWG_RESET_ENGINE_ORDER               32'h0000000A
`define AWG_REG_ENGINE_RETRY                 9'd5
`define AWG_RESET_ENGINE_RETRY               32'h0000FFFF
`define AWG_REG_ENGINE_IRQ_STATUS            9'd6
`define AWG_RESET_ENGINE_IRQ_STATUS          32'h00000000
`define AWG_REG_ENGINE_IRQ_ENABLE            9'd7
`define AWG_RESET_ENGINE_IRQ_ENABLE          32'h00000000
`define AWG_REG_LOCK_ACQUIRE                 9'd8
`define AWG_RESET_LOCK_ACQUIRE               32'h00000000
`define AWG_REG_LOCK_RELEASE                 9'd9
`define AWG_RESET_LOCK_RELEASE               32'h00000000
`define AWG_REG_LOCK_HELD                    9'd10
`define AWG_RESET_LOCK_HELD                  32'h00000000
`define AWG_REG_LOCK_ASKING                  9'd11
`define AWG_RESET_LOCK_ASKING                32'h00000000
`define AWG_REG_LOCK_OWNED                   9'd12
`define AWG_RESET_LOCK_OWNED                 32'h00000000
`define AWG_REG_BARRIER_ARRIVE               9'd13
`define AWG_RESET_BARRIER_ARRIVE             32'h00000000
`define AWG_REG_BARRIER_WAITING              9'd14
`define AWG_RESET_BARRIER_WAITING            32'h00000000
`define AWG_REG_BARRIER_MEMBERS              9'd64
`define AWG_RESET_BARRIER_MEMBERS            32'h00000000

// State encodings
`define AWG_FRAME_TX_IDLE                    2'd0
`define AWG_FRAME_TX_SEND                    2'd1
`define AWG_FRAME_TX_DRAIN                   2'd2
`define AWG_FRAME_RX_IDLE                    2'd0
`define AWG_FRAME_RX_FRAME                   2'd1
`define AWG_FRAME_RX_FLUSH                   2'd2
`define AWG_RING_INGRESS_GAP                 2'd0
`define AWG_RING_INGRESS_IDLE                2'd1
`define AWG_RING_INGRESS_PASS                2'd2
`define AWG_RING_INGRESS_SKIP                2'd3
`define AWG_RING_EGRESS_READY                2'd0
`define AWG_RING_EGRESS_PASS                 2'd1
`define AWG_RING_EGRESS_INSERT               2'd2
`define AWG_AXIL_PORT_IDLE                   2'd0
`define AWG_AXIL_PORT_BUSY                   2'd1
`define AWG_AXIL_PORT_DONE                   2'd2
`define AWG_HOST_WINDOW_IDLE                 2'd0
`define AWG_HOST_WINDOW_READ                 2'd1
`define AWG_HOST_WINDOW_SECOND               2'd2
`define AWG_DATA_WINDOW_IDLE                 2'd0
`define AWG_DATA_WINDOW_LOAD                 2'd1
`define AWG_DATA_WINDOW_OFFER                2'd2
`define AWG_DATA_WINDOW_STREAM               2'd3
`define AWG_SIGNAL_SENDER_IDLE               3'd0
`define AWG_SIGNAL_SENDER_WAIT               3'd1
`define AWG_SIGNAL_SENDER_OFFER              3'd2
`define AWG_SIGNAL_SENDER_STREAM             3'd3
`define AWG_SIGNAL_SENDER_FLIGHT             3'd4
`define AWG_LINK_CONTROL_OFF                 3'd0
`define AWG_LINK_CONTROL_SYNC                3'd1
`define AWG_LINK_CONTROL_SYNCING             3'd2
`define AWG_LINK_CONTROL_READY               3'd3
`define AWG_LINK_CONTROL_BEAT                3'd4
`define AWG_LINK_CONTROL_CENSUS              3'd5
`define AWG_RX_SORTER_CLEAR                  3'd0
`define AWG_RX_SORTER_IDLE                   3'd1
`define AWG_RX_SORTER_LOOK                   3'd2
`define AWG_RX_SORTER_JUDGE                  3'd3
`define AWG_RX_SORTER_DATA                   3'd4
`define AWG_RX_SORTER_HEAD                   3'd5
`define AWG_RX_SORTER_BODY                   3'd6
`define AWG_RX_SORTER_DROP                   3'd7
`define AWG_MEM_WRITER_IDLE                  2'd0
`define AWG_MEM_WRITER_RUN                   2'd1
`define AWG_MEM_WRITER_TAIL                  2'd2
`define AWG_BARRIER_ENGINE_CLEAR             3'd0
`define AWG_BARRIER_ENGINE_LOAD              3'd1
`define AWG_BARRIER_ENGINE_ADD               3'd2
`define AWG_BARRIER_ENGINE_IDLE              3'd3
`define AWG_BARRIER_ENGINE_LOOK              3'd4
`define AWG_BARRIER_ENGINE_COUNT             3'd5
`define AWG_BARRIER_ENGINE_SCAN              3'd6
`define AWG_BARRIER_ENGINE_SEND              3'd7
`define AWG_HOST_REGS_IDLE                   1'd0
`define AWG_HOST_REGS_ANSWER                 1'd1
`define AWG_JOIN_REGS_IDLE                   2'd0
`define AWG_JOIN_REGS_LOOK                   2'd1
`define AWG_JOIN_REGS_FILL                   2'd2
`define AWG_JOIN_REGS_ANSWER                 2'd3
`define AWG_JOIN_FENCE_IDLE                  3'd0
`define AWG_JOIN_FENCE_FENCE                 3'd1
`define AWG_JOIN_FENCE_FENCING               3'd2
`define AWG_JOIN_FENCE_HERE                  3'd3
`define AWG_JOIN_FENCE_ANSWERED              3'd4
`define AWG_ENGINE_REGS_IDLE                 2'd0
`define AWG_ENGINE_REGS_COMMAND              2'd1
`define AWG_ENGINE_REGS_ANSWER               2'd2
`define AWG_LOCK_ENGINE_CLEAR                4'd0
`define AWG_LOCK_ENGINE_IDLE                 4'd1
`define AWG_LOCK_ENGINE_LOOK                 4'd2
`define AWG_LOCK_ENGINE_ACT                  4'd3
`define AWG_LOCK_ENGINE_APPEND               4'd4
`define AWG_LOCK_ENGINE_POP                  4'd5
`define AWG_LOCK_ENGINE_GIVE                 4'd6
`define AWG_LOCK_ENGINE_COMMAND              4'd7
`define AWG_LOCK_ENGINE_LOAD                 4'd8
`define AWG_LOCK_ENGINE_RETURN               4'd9

`endif
