// Generated from the contract (model/src/contract) by `cargo run -- contract generate`.
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

// Header fields: width in bits; first bit on the link, 0 = most significant bit of byte 0 (FRM-1)
`define AWG_MAC_W                            48
`define AWG_MAC_BIT                          0
`define AWG_TOKEN_W                          3
`define AWG_TOKEN_BIT                        48
`define AWG_C_ST_W                           5
`define AWG_C_ST_BIT                         51
`define AWG_NODE_ID_W                        8
`define AWG_NODE_ID_BIT                      56
`define AWG_MULTI_G_W                        4
`define AWG_MULTI_G_BIT                      64
`define AWG_ACT_SEQ_W                        4
`define AWG_ACT_SEQ_BIT                      68
`define AWG_PACKET_CNT_W                     8
`define AWG_PACKET_CNT_BIT                   72
`define AWG_ADDR_W                           32
`define AWG_ADDR_BIT                         80

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
`define AWG_C_ST_BARRIER_MW_ARRIVAL          5'b01111 // TOKEN 011
`define AWG_C_ST_BARRIER_MW_ACK              5'b10000 // TOKEN 011
`define AWG_C_ST_BARRIER_MW_RELEASE          5'b10000 // TOKEN 101
`define AWG_C_ST_BARRIER_DIST_ARRIVAL        5'b10010 // TOKEN 101
`define AWG_C_ST_BARRIER_DIST_ACK            5'b10011 // TOKEN 011
`define AWG_C_ST_BARRIER_DIST_RELEASE        5'b10100 // TOKEN 101
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
`define AWG_RX_HEADER_ADDR_W                 5
`define AWG_INSERT_MARGIN                    10'd4
`define AWG_TOKEN_RUN                        4'd8
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

`endif
