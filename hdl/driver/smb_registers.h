/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Registers and codes of the board, for C99 and C++11.
 * Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.
 * Do not edit: `cargo xtask contract check` and the tests fail on drift.
 *
 * Of register R:  SMB_R_OFFSET byte address, SMB_R_RESET value after reset, SMB_R_COUNT registers of a row.
 * Of field F:     SMB_R_F_SHIFT lowest bit, SMB_R_F_MASK its bits in the register. */
#ifndef SMB_REGISTERS_H
#define SMB_REGISTERS_H

#include <stdint.h>

/* Address space of the host port. */
#define SMB_WINDOW                                   UINT32_C(0x80000000)
#define SMB_WINDOW_BYTES_DEFAULT                     UINT32_C(0x00004000)

/* ID: RO. AWGS: this is a board. */
#define SMB_ID_OFFSET                                UINT32_C(0x00000000)
#define SMB_ID_RESET                                 UINT32_C(0x41574753)

/* VERSION: RO. version of this map. */
#define SMB_VERSION_OFFSET                           UINT32_C(0x00000004)
#define SMB_VERSION_RESET                            UINT32_C(0x00000001)

/* CONTROL: R, W1S. what the board does. */
#define SMB_CONTROL_OFFSET                           UINT32_C(0x00000008)
#define SMB_CONTROL_RESET                            UINT32_C(0x00000000)
#define SMB_CONTROL_ENABLE_SHIFT                     0
#define SMB_CONTROL_ENABLE_MASK                      UINT32_C(0x00000001) /* take part in the ring; once set it stays until reset */

/* STATUS: RO. how the board is. */
#define SMB_STATUS_OFFSET                            UINT32_C(0x0000000C)
#define SMB_STATUS_RESET                             UINT32_C(0x00000000)
#define SMB_STATUS_SYNCED_SHIFT                      0
#define SMB_STATUS_SYNCED_MASK                       UINT32_C(0x00000001) /* all boards know this one: data and signals are sent */
#define SMB_STATUS_ACTIVE_SHIFT                      1
#define SMB_STATUS_ACTIVE_MASK                       UINT32_C(0x00000002) /* this board is the active monitor */
#define SMB_STATUS_STALLED_SHIFT                     2
#define SMB_STATUS_STALLED_MASK                      UINT32_C(0x00000004) /* 8 timeouts in a row: nothing returns */
#define SMB_STATUS_DATA_PENDING_SHIFT                3
#define SMB_STATUS_DATA_PENDING_MASK                 UINT32_C(0x00000008) /* data was written that has not returned good */
#define SMB_STATUS_SIGNAL_PENDING_SHIFT              4
#define SMB_STATUS_SIGNAL_PENDING_MASK               UINT32_C(0x00000010) /* signals were sent that have not returned good */
#define SMB_STATUS_SIGNAL_FULL_SHIFT                 5
#define SMB_STATUS_SIGNAL_FULL_MASK                  UINT32_C(0x00000020) /* no room for another signal */
#define SMB_STATUS_HELD_SHIFT                        8
#define SMB_STATUS_HELD_MASK                         UINT32_C(0x0000FF00) /* tokens in the node's hand */

/* PREFIX_LOW: RW config. bits 39 to 8 of MAC; bits 7 to 0 are Node_ID. */
#define SMB_PREFIX_LOW_OFFSET                        UINT32_C(0x00000010)
#define SMB_PREFIX_LOW_RESET                         UINT32_C(0x534D4200)

/* PREFIX_HIGH: RW config. bits 47 to 40 of MAC. */
#define SMB_PREFIX_HIGH_OFFSET                       UINT32_C(0x00000014)
#define SMB_PREFIX_HIGH_RESET                        UINT32_C(0x00000002)
#define SMB_PREFIX_HIGH_PREFIX_SHIFT                 0
#define SMB_PREFIX_HIGH_PREFIX_MASK                  UINT32_C(0x000000FF) /* bits 47 to 40 */

/* NODE_ID: RW config. number of this node, different on every board of a ring. */
#define SMB_NODE_ID_OFFSET                           UINT32_C(0x00000018)
#define SMB_NODE_ID_RESET                            UINT32_C(0x00000000)
#define SMB_NODE_ID_NODE_ID_SHIFT                    0
#define SMB_NODE_ID_NODE_ID_MASK                     UINT32_C(0x000000FF) /* Node_ID */

/* GROUPS: RW config. multicast groups of this node. */
#define SMB_GROUPS_OFFSET                            UINT32_C(0x0000001C)
#define SMB_GROUPS_RESET                             UINT32_C(0x00000000)
#define SMB_GROUPS_GROUPS_SHIFT                      0
#define SMB_GROUPS_GROUPS_MASK                       UINT32_C(0x0000FFFF) /* bit g: group g */

/* TOKENS: RW. tokens that the monitor keeps on the ring. */
#define SMB_TOKENS_OFFSET                            UINT32_C(0x00000020)
#define SMB_TOKENS_RESET                             UINT32_C(0x00000001)
#define SMB_TOKENS_TOKENS_SHIFT                      0
#define SMB_TOKENS_TOKENS_MASK                       UINT32_C(0x000000FF) /* K, 1 to 255 */

/* TIMEOUT: RW. cycles after which a frame that has not returned is retransmitted. */
#define SMB_TIMEOUT_OFFSET                           UINT32_C(0x00000024)
#define SMB_TIMEOUT_RESET                            UINT32_C(0x0000FFFF)
#define SMB_TIMEOUT_CYCLES_SHIFT                     0
#define SMB_TIMEOUT_CYCLES_MASK                      UINT32_C(0x00FFFFFF) /* more than the longest rotation */

/* COMBINE: RW. cycles without a write until a data frame is closed. */
#define SMB_COMBINE_OFFSET                           UINT32_C(0x00000028)
#define SMB_COMBINE_RESET                            UINT32_C(0x00000040)
#define SMB_COMBINE_CYCLES_SHIFT                     0
#define SMB_COMBINE_CYCLES_MASK                      UINT32_C(0x0000FFFF) /* cycles */

/* PERIOD: RW. cycles between heartbeats of the monitor, less 1. */
#define SMB_PERIOD_OFFSET                            UINT32_C(0x0000002C)
#define SMB_PERIOD_RESET                             UINT32_C(0x00003FFF)
#define SMB_PERIOD_CYCLES_SHIFT                      0
#define SMB_PERIOD_CYCLES_MASK                       UINT32_C(0x00FFFFFF) /* more than the longest rotation */

/* FLUSH: WO. a write closes the data frame under way. */
#define SMB_FLUSH_OFFSET                             UINT32_C(0x00000030)

/* IRQ_STATUS: R, W1C. events since they were cleared. */
#define SMB_IRQ_STATUS_OFFSET                        UINT32_C(0x00000034)
#define SMB_IRQ_STATUS_RESET                         UINT32_C(0x00000000)
#define SMB_IRQ_STATUS_MAIL_SHIFT                    0
#define SMB_IRQ_STATUS_MAIL_MASK                     UINT32_C(0x00000001) /* a signal was put into the mailbox */
#define SMB_IRQ_STATUS_MAIL_FULL_SHIFT               1
#define SMB_IRQ_STATUS_MAIL_FULL_MASK                UINT32_C(0x00000002) /* a signal was dropped because the mailbox was full */
#define SMB_IRQ_STATUS_SIGNAL_DONE_SHIFT             2
#define SMB_IRQ_STATUS_SIGNAL_DONE_MASK              UINT32_C(0x00000004) /* a signal of the host has returned good */
#define SMB_IRQ_STATUS_STALLED_SHIFT                 3
#define SMB_IRQ_STATUS_STALLED_MASK                  UINT32_C(0x00000008) /* 8 timeouts in a row: nothing returns */
#define SMB_IRQ_STATUS_ROLE_SHIFT                    4
#define SMB_IRQ_STATUS_ROLE_MASK                     UINT32_C(0x00000010) /* the board became the active monitor or ceased to be */
#define SMB_IRQ_STATUS_TOKENS_SHIFT                  5
#define SMB_IRQ_STATUS_TOKENS_MASK                   UINT32_C(0x00000020) /* the monitor made or dropped a token */
#define SMB_IRQ_STATUS_SAME_ID_SHIFT                 6
#define SMB_IRQ_STATUS_SAME_ID_MASK                  UINT32_C(0x00000040) /* another board has this board's Node_ID */
#define SMB_IRQ_STATUS_DATA_RANGE_SHIFT              7
#define SMB_IRQ_STATUS_DATA_RANGE_MASK               UINT32_C(0x00000080) /* data for addresses beyond the memory was dropped */
#define SMB_IRQ_STATUS_STRAY_SHIFT                   8
#define SMB_IRQ_STATUS_STRAY_MASK                    UINT32_C(0x00000100) /* an own frame returned that was not expected: another board may have this MAC */

/* IRQ_ENABLE: RW. events that raise irq. */
#define SMB_IRQ_ENABLE_OFFSET                        UINT32_C(0x00000038)
#define SMB_IRQ_ENABLE_RESET                         UINT32_C(0x00000000)
#define SMB_IRQ_ENABLE_MAIL_SHIFT                    0
#define SMB_IRQ_ENABLE_MAIL_MASK                     UINT32_C(0x00000001) /* a signal was put into the mailbox */
#define SMB_IRQ_ENABLE_MAIL_FULL_SHIFT               1
#define SMB_IRQ_ENABLE_MAIL_FULL_MASK                UINT32_C(0x00000002) /* a signal was dropped because the mailbox was full */
#define SMB_IRQ_ENABLE_SIGNAL_DONE_SHIFT             2
#define SMB_IRQ_ENABLE_SIGNAL_DONE_MASK              UINT32_C(0x00000004) /* a signal of the host has returned good */
#define SMB_IRQ_ENABLE_STALLED_SHIFT                 3
#define SMB_IRQ_ENABLE_STALLED_MASK                  UINT32_C(0x00000008) /* 8 timeouts in a row: nothing returns */
#define SMB_IRQ_ENABLE_ROLE_SHIFT                    4
#define SMB_IRQ_ENABLE_ROLE_MASK                     UINT32_C(0x00000010) /* the board became the active monitor or ceased to be */
#define SMB_IRQ_ENABLE_TOKENS_SHIFT                  5
#define SMB_IRQ_ENABLE_TOKENS_MASK                   UINT32_C(0x00000020) /* the monitor made or dropped a token */
#define SMB_IRQ_ENABLE_SAME_ID_SHIFT                 6
#define SMB_IRQ_ENABLE_SAME_ID_MASK                  UINT32_C(0x00000040) /* another board has this board's Node_ID */
#define SMB_IRQ_ENABLE_DATA_RANGE_SHIFT              7
#define SMB_IRQ_ENABLE_DATA_RANGE_MASK               UINT32_C(0x00000080) /* data for addresses beyond the memory was dropped */
#define SMB_IRQ_ENABLE_STRAY_SHIFT                   8
#define SMB_IRQ_ENABLE_STRAY_MASK                    UINT32_C(0x00000100) /* an own frame returned that was not expected: another board may have this MAC */

/* TX_FREE: RO. words of data that can be written without waiting. */
#define SMB_TX_FREE_OFFSET                           UINT32_C(0x0000003C)
#define SMB_TX_FREE_RESET                            UINT32_C(0x00000400)

/* SIGNAL_SEND: WO. a write sends a signal with the Data written before. */
#define SMB_SIGNAL_SEND_OFFSET                       UINT32_C(0x00000040)
#define SMB_SIGNAL_SEND_TOKEN_SHIFT                  0
#define SMB_SIGNAL_SEND_TOKEN_MASK                   UINT32_C(0x00000007) /* 011, 100 or 101 */
#define SMB_SIGNAL_SEND_C_ST_SHIFT                   3
#define SMB_SIGNAL_SEND_C_ST_MASK                    UINT32_C(0x000000F8) /* C.ST */
#define SMB_SIGNAL_SEND_NODE_ID_SHIFT                8
#define SMB_SIGNAL_SEND_NODE_ID_MASK                 UINT32_C(0x0000FF00) /* Node_ID */
#define SMB_SIGNAL_SEND_MULTI_G_SHIFT                16
#define SMB_SIGNAL_SEND_MULTI_G_MASK                 UINT32_C(0x000F0000) /* Multi_G */
#define SMB_SIGNAL_SEND_LEN_SHIFT                    20
#define SMB_SIGNAL_SEND_LEN_MASK                     UINT32_C(0x03F00000) /* bytes of Data, 0 to 46 */
#define SMB_SIGNAL_SEND_ORDER_SHIFT                  26
#define SMB_SIGNAL_SEND_ORDER_MASK                   UINT32_C(0x0C000000) /* order against data written before: none, sent, confirmed */

/* FRAMES: RO. numbers of data frames, modulo 256. */
#define SMB_FRAMES_OFFSET                            UINT32_C(0x00000044)
#define SMB_FRAMES_RESET                             UINT32_C(0x00000000)
#define SMB_FRAMES_BASE_SHIFT                        0
#define SMB_FRAMES_BASE_MASK                         UINT32_C(0x000000FF) /* the next to be acknowledged */
#define SMB_FRAMES_NEXT_SHIFT                        8
#define SMB_FRAMES_NEXT_MASK                         UINT32_C(0x0000FF00) /* the next to be sent */
#define SMB_FRAMES_TAIL_SHIFT                        16
#define SMB_FRAMES_TAIL_MASK                         UINT32_C(0x00FF0000) /* the next to be closed */

/* MAIL_COUNT: RO. messages in the mailbox. */
#define SMB_MAIL_COUNT_OFFSET                        UINT32_C(0x00000048)
#define SMB_MAIL_COUNT_RESET                         UINT32_C(0x00000000)

/* MAIL_POP: WO. a write drops the oldest message. */
#define SMB_MAIL_POP_OFFSET                          UINT32_C(0x0000004C)

/* MEM_SIZE: RO. bytes of the shared memory. */
#define SMB_MEM_SIZE_OFFSET                          UINT32_C(0x00000050)
#define SMB_MEM_SIZE_RESET                           UINT32_C(0x00004000)

/* SIGNAL_DATA: WO. Data of the signal to be sent; byte i in lane i modulo 4 of word i / 4. */
#define SMB_SIGNAL_DATA_OFFSET                       UINT32_C(0x00000080)
#define SMB_SIGNAL_DATA_COUNT                        12

/* MAIL_DATA: RO. the oldest message: header, MAC, MAC and length, Addr, 12 words of Data; SLVERR while MAIL_COUNT is 0. */
#define SMB_MAIL_DATA_OFFSET                         UINT32_C(0x000000C0)
#define SMB_MAIL_DATA_RESET                          UINT32_C(0x00000000)
#define SMB_MAIL_DATA_COUNT                          16

/* COUNT: RO. counters: 0 to 15 of the node, 16 to 31 of the board. */
#define SMB_COUNT_OFFSET                             UINT32_C(0x00000100)
#define SMB_COUNT_RESET                              UINT32_C(0x00000000)
#define SMB_COUNT_COUNT                              32

/* JOIN_STATUS: RO. whether the replica is whole, and how far the board has joined. */
#define SMB_JOIN_STATUS_OFFSET                       UINT32_C(0x00000400)
#define SMB_JOIN_STATUS_RESET                        UINT32_C(0x00000000)
#define SMB_JOIN_STATUS_WHOLE_SHIFT                  0
#define SMB_JOIN_STATUS_WHOLE_MASK                   UINT32_C(0x00000001) /* the replica is whole: the host may write to it */
#define SMB_JOIN_STATUS_JOINING_SHIFT                1
#define SMB_JOIN_STATUS_JOINING_MASK                 UINT32_C(0x00000002) /* the board joins */
#define SMB_JOIN_STATUS_SETTLED_SHIFT                2
#define SMB_JOIN_STATUS_SETTLED_MASK                 UINT32_C(0x00000004) /* the last fence is on its way, or has returned */
#define SMB_JOIN_STATUS_BUSY_SHIFT                   3
#define SMB_JOIN_STATUS_BUSY_MASK                    UINT32_C(0x00000008) /* a fence is to return */
#define SMB_JOIN_STATUS_FENCED_SHIFT                 4
#define SMB_JOIN_STATUS_FENCED_MASK                  UINT32_C(0x00000010) /* the last fence has returned good */
#define SMB_JOIN_STATUS_HELD_SHIFT                   5
#define SMB_JOIN_STATUS_HELD_MASK                    UINT32_C(0x00000020) /* new data waits: another board joins */
#define SMB_JOIN_STATUS_HEARD_SHIFT                  8
#define SMB_JOIN_STATUS_HEARD_MASK                   UINT32_C(0x0001FF00) /* boards that have answered since begin or settle */
#define SMB_JOIN_STATUS_PEER_SHIFT                   24
#define SMB_JOIN_STATUS_PEER_MASK                    UINT32_C(0xFF000000) /* Node_ID of the board whose fence came last */

/* JOIN_COMMAND: WO. a write orders a step of joining. */
#define SMB_JOIN_COMMAND_OFFSET                      UINT32_C(0x00000404)
#define SMB_JOIN_COMMAND_COMMAND_SHIFT               0
#define SMB_JOIN_COMMAND_COMMAND_MASK                UINT32_C(0x00000003) /* begin, again, settle, whole */
#define SMB_JOIN_COMMAND_FENCE_SHIFT                 8
#define SMB_JOIN_COMMAND_FENCE_MASK                  UINT32_C(0x0000FF00) /* with begin: the number of its fence, none of the last times that this board joined */

/* FILL_ADDR: RW. byte address of the word that is filled next, in the memory, a multiple of 4. */
#define SMB_FILL_ADDR_OFFSET                         UINT32_C(0x00000408)
#define SMB_FILL_ADDR_RESET                          UINT32_C(0x00000000)

/* FILL_DATA: WO. a write puts the bytes that are not known into the word at FILL_ADDR, on this board only, and goes on to the next; refused unless the board joins. */
#define SMB_FILL_DATA_OFFSET                         UINT32_C(0x0000040C)

/* JOIN_IRQ_STATUS: R, W1C. events since they were cleared. */
#define SMB_JOIN_IRQ_STATUS_OFFSET                   UINT32_C(0x00000410)
#define SMB_JOIN_IRQ_STATUS_RESET                    UINT32_C(0x00000000)
#define SMB_JOIN_IRQ_STATUS_FENCED_SHIFT             0
#define SMB_JOIN_IRQ_STATUS_FENCED_MASK              UINT32_C(0x00000001) /* the fence has returned good */
#define SMB_JOIN_IRQ_STATUS_HERE_SHIFT               1
#define SMB_JOIN_IRQ_STATUS_HERE_MASK                UINT32_C(0x00000002) /* another board has answered the fence */
#define SMB_JOIN_IRQ_STATUS_PEER_SHIFT               2
#define SMB_JOIN_IRQ_STATUS_PEER_MASK                UINT32_C(0x00000004) /* another board joins */

/* JOIN_IRQ_ENABLE: RW. events that raise irq. */
#define SMB_JOIN_IRQ_ENABLE_OFFSET                   UINT32_C(0x00000414)
#define SMB_JOIN_IRQ_ENABLE_RESET                    UINT32_C(0x00000000)
#define SMB_JOIN_IRQ_ENABLE_FENCED_SHIFT             0
#define SMB_JOIN_IRQ_ENABLE_FENCED_MASK              UINT32_C(0x00000001) /* the fence has returned good */
#define SMB_JOIN_IRQ_ENABLE_HERE_SHIFT               1
#define SMB_JOIN_IRQ_ENABLE_HERE_MASK                UINT32_C(0x00000002) /* another board has answered the fence */
#define SMB_JOIN_IRQ_ENABLE_PEER_SHIFT               2
#define SMB_JOIN_IRQ_ENABLE_PEER_MASK                UINT32_C(0x00000004) /* another board joins */

/* ENGINE_STATUS: RO. how the engine is. */
#define SMB_ENGINE_STATUS_OFFSET                     UINT32_C(0x00000800)
#define SMB_ENGINE_STATUS_RESET                      UINT32_C(0x00000000)
#define SMB_ENGINE_STATUS_READY_SHIFT                0
#define SMB_ENGINE_STATUS_READY_MASK                 UINT32_C(0x00000001) /* the memories are cleared: 1 after 2^(n + 4) cycles and a few */
#define SMB_ENGINE_STATUS_NODE_W_SHIFT               8
#define SMB_ENGINE_STATUS_NODE_W_MASK                UINT32_C(0x00000F00) /* n: Node_IDs below 2^n take part */

/* LOCK_ENABLE: RW config. locks that the engine serves; messages of others go to the mailbox. */
#define SMB_LOCK_ENABLE_OFFSET                       UINT32_C(0x00000804)
#define SMB_LOCK_ENABLE_RESET                        UINT32_C(0x00000000)
#define SMB_LOCK_ENABLE_LOCKS_SHIFT                  0
#define SMB_LOCK_ENABLE_LOCKS_MASK                   UINT32_C(0x0000FFFF) /* bit l: lock l */

/* BARRIER_ENABLE: RW config. barriers that the engine serves; messages of others go to the mailbox. */
#define SMB_BARRIER_ENABLE_OFFSET                    UINT32_C(0x00000808)
#define SMB_BARRIER_ENABLE_RESET                     UINT32_C(0x00000000)
#define SMB_BARRIER_ENABLE_BARRIERS_SHIFT            0
#define SMB_BARRIER_ENABLE_BARRIERS_MASK             UINT32_C(0x000000FF) /* bit b: barrier b */

/* LOCK_FIRST: RW config. locks that this board owns at the start; each is owned by one board. */
#define SMB_LOCK_FIRST_OFFSET                        UINT32_C(0x0000080C)
#define SMB_LOCK_FIRST_RESET                         UINT32_C(0x00000000)
#define SMB_LOCK_FIRST_LOCKS_SHIFT                   0
#define SMB_LOCK_FIRST_LOCKS_MASK                    UINT32_C(0x0000FFFF) /* bit l: lock l */

/* ENGINE_ORDER: RW. order of the engine's signals against data written before. */
#define SMB_ENGINE_ORDER_OFFSET                      UINT32_C(0x00000810)
#define SMB_ENGINE_ORDER_RESET                       UINT32_C(0x0000000A)
#define SMB_ENGINE_ORDER_PASSES_SHIFT                0
#define SMB_ENGINE_ORDER_PASSES_MASK                 UINT32_C(0x00000003) /* lock rights passed on: none, sent, confirmed */
#define SMB_ENGINE_ORDER_ARRIVALS_SHIFT              2
#define SMB_ENGINE_ORDER_ARRIVALS_MASK               UINT32_C(0x0000000C) /* arrivals at barriers: none, sent, confirmed */

/* ENGINE_RETRY: RW. period of the retry timer: what is not answered is sent again after one to two periods. */
#define SMB_ENGINE_RETRY_OFFSET                      UINT32_C(0x00000814)
#define SMB_ENGINE_RETRY_RESET                       UINT32_C(0x0000FFFF)
#define SMB_ENGINE_RETRY_CYCLES_SHIFT                0
#define SMB_ENGINE_RETRY_CYCLES_MASK                 UINT32_C(0x00FFFFFF) /* cycles less 1 */

/* ENGINE_IRQ_STATUS: R, W1C. events since they were cleared. */
#define SMB_ENGINE_IRQ_STATUS_OFFSET                 UINT32_C(0x00000818)
#define SMB_ENGINE_IRQ_STATUS_RESET                  UINT32_C(0x00000000)
#define SMB_ENGINE_IRQ_STATUS_LOCK_SHIFT             0
#define SMB_ENGINE_IRQ_STATUS_LOCK_MASK              UINT32_C(0x00000001) /* the process has a lock that it asked for */
#define SMB_ENGINE_IRQ_STATUS_BARRIER_SHIFT          1
#define SMB_ENGINE_IRQ_STATUS_BARRIER_MASK           UINT32_C(0x00000002) /* the process may pass a barrier */

/* ENGINE_IRQ_ENABLE: RW. events that raise irq. */
#define SMB_ENGINE_IRQ_ENABLE_OFFSET                 UINT32_C(0x0000081C)
#define SMB_ENGINE_IRQ_ENABLE_RESET                  UINT32_C(0x00000000)
#define SMB_ENGINE_IRQ_ENABLE_LOCK_SHIFT             0
#define SMB_ENGINE_IRQ_ENABLE_LOCK_MASK              UINT32_C(0x00000001) /* the process has a lock that it asked for */
#define SMB_ENGINE_IRQ_ENABLE_BARRIER_SHIFT          1
#define SMB_ENGINE_IRQ_ENABLE_BARRIER_MASK           UINT32_C(0x00000002) /* the process may pass a barrier */

/* LOCK_ACQUIRE: WO. a write asks for a lock; refused unless the process is neither in nor waiting. */
#define SMB_LOCK_ACQUIRE_OFFSET                      UINT32_C(0x00000820)
#define SMB_LOCK_ACQUIRE_LOCK_SHIFT                  0
#define SMB_LOCK_ACQUIRE_LOCK_MASK                   UINT32_C(0x0000000F) /* number of the lock */

/* LOCK_RELEASE: WO. a write gives a lock back; refused unless the process has it. */
#define SMB_LOCK_RELEASE_OFFSET                      UINT32_C(0x00000824)
#define SMB_LOCK_RELEASE_LOCK_SHIFT                  0
#define SMB_LOCK_RELEASE_LOCK_MASK                   UINT32_C(0x0000000F) /* number of the lock */

/* LOCK_HELD: RO. locks that the process has. */
#define SMB_LOCK_HELD_OFFSET                         UINT32_C(0x00000828)
#define SMB_LOCK_HELD_RESET                          UINT32_C(0x00000000)
#define SMB_LOCK_HELD_LOCKS_SHIFT                    0
#define SMB_LOCK_HELD_LOCKS_MASK                     UINT32_C(0x0000FFFF) /* bit l: lock l */

/* LOCK_ASKING: RO. locks that the process waits for. */
#define SMB_LOCK_ASKING_OFFSET                       UINT32_C(0x0000082C)
#define SMB_LOCK_ASKING_RESET                        UINT32_C(0x00000000)
#define SMB_LOCK_ASKING_LOCKS_SHIFT                  0
#define SMB_LOCK_ASKING_LOCKS_MASK                   UINT32_C(0x0000FFFF) /* bit l: lock l */

/* LOCK_OWNED: RO. locks that this board owns, whether its process has them or not. */
#define SMB_LOCK_OWNED_OFFSET                        UINT32_C(0x00000830)
#define SMB_LOCK_OWNED_RESET                         UINT32_C(0x00000000)
#define SMB_LOCK_OWNED_LOCKS_SHIFT                   0
#define SMB_LOCK_OWNED_LOCKS_MASK                    UINT32_C(0x0000FFFF) /* bit l: lock l */

/* BARRIER_ARRIVE: WO. a write arrives at a barrier; refused while the process waits there. */
#define SMB_BARRIER_ARRIVE_OFFSET                    UINT32_C(0x00000834)
#define SMB_BARRIER_ARRIVE_BARRIER_SHIFT             0
#define SMB_BARRIER_ARRIVE_BARRIER_MASK              UINT32_C(0x00000007) /* number of the barrier */

/* BARRIER_WAITING: RO. barriers at which the process waits. */
#define SMB_BARRIER_WAITING_OFFSET                   UINT32_C(0x00000838)
#define SMB_BARRIER_WAITING_RESET                    UINT32_C(0x00000000)
#define SMB_BARRIER_WAITING_BARRIERS_SHIFT           0
#define SMB_BARRIER_WAITING_BARRIERS_MASK            UINT32_C(0x000000FF) /* bit b: barrier b */

/* BARRIER_MEMBERS: WO. who takes part: bit i of word 8 b + w is Node_ID 32 w + i at barrier b; only when the engine is ready and CONTROL.enable is 0. */
#define SMB_BARRIER_MEMBERS_OFFSET                   UINT32_C(0x00000900)
#define SMB_BARRIER_MEMBERS_COUNT                    64

/* Interrupts: bits of IRQ_STATUS and IRQ_ENABLE. */
#define SMB_IRQ_MAIL                                 UINT32_C(0x00000001)
#define SMB_IRQ_MAIL_FULL                            UINT32_C(0x00000002)
#define SMB_IRQ_SIGNAL_DONE                          UINT32_C(0x00000004)
#define SMB_IRQ_STALLED                              UINT32_C(0x00000008)
#define SMB_IRQ_ROLE                                 UINT32_C(0x00000010)
#define SMB_IRQ_TOKENS                               UINT32_C(0x00000020)
#define SMB_IRQ_SAME_ID                              UINT32_C(0x00000040)
#define SMB_IRQ_DATA_RANGE                           UINT32_C(0x00000080)
#define SMB_IRQ_STRAY                                UINT32_C(0x00000100)

/* Interrupts of the engine: bits of ENGINE_IRQ_STATUS and ENGINE_IRQ_ENABLE. */
#define SMB_ENGINE_IRQ_LOCK                          UINT32_C(0x00000001)
#define SMB_ENGINE_IRQ_BARRIER                       UINT32_C(0x00000002)

/* Interrupts of a board that can join: bits of JOIN_IRQ_STATUS and JOIN_IRQ_ENABLE. */
#define SMB_JOIN_IRQ_FENCED                          UINT32_C(0x00000001)
#define SMB_JOIN_IRQ_HERE                            UINT32_C(0x00000002)
#define SMB_JOIN_IRQ_PEER                            UINT32_C(0x00000004)

/* What JOIN_COMMAND orders. */
#define SMB_JOIN_BEGIN                               0
#define SMB_JOIN_AGAIN                               1
#define SMB_JOIN_SETTLE                              2
#define SMB_JOIN_WHOLE                               3

/* Counters: index of COUNT. */
#define SMB_COUNTER_PASSED                           0
#define SMB_COUNTER_RETURNED_GOOD                    1
#define SMB_COUNTER_RETURNED_BAD                     2
#define SMB_COUNTER_TOKEN_TAKEN                      3
#define SMB_COUNTER_RESERVED                         4
#define SMB_COUNTER_CUT                              5
#define SMB_COUNTER_DROPPED                          6
#define SMB_COUNTER_DELIVERED                        7
#define SMB_COUNTER_BAD_FCS                          8
#define SMB_COUNTER_BAD_OTHER                        9
#define SMB_COUNTER_RX_OVERFLOW                      10
#define SMB_COUNTER_DATA_SENT                        11
#define SMB_COUNTER_SIGNAL_SENT                      12
#define SMB_COUNTER_FREE_SENT                        13
#define SMB_COUNTER_TX_ERROR                         14
#define SMB_COUNTER_TOKEN_OVERFLOW                   15
#define SMB_COUNTER_BOARD_DATA                       16
#define SMB_COUNTER_BOARD_DATA_AGAIN                 17
#define SMB_COUNTER_BOARD_DATA_GAP                   18
#define SMB_COUNTER_BOARD_DATA_RANGE                 19
#define SMB_COUNTER_BOARD_SIGNAL                     20
#define SMB_COUNTER_BOARD_SIGNAL_AGAIN               21
#define SMB_COUNTER_BOARD_SIGNAL_EARLY               22
#define SMB_COUNTER_BOARD_SIGNAL_LONG                23
#define SMB_COUNTER_BOARD_MAIL_FULL                  24
#define SMB_COUNTER_BOARD_REWOUND                    25
#define SMB_COUNTER_BOARD_SIGNAL_RESEND              26
#define SMB_COUNTER_BOARD_TIMEOUT                    27
#define SMB_COUNTER_BOARD_ORPHAN                     28
#define SMB_COUNTER_BOARD_TOKEN_ADDED                29
#define SMB_COUNTER_BOARD_TOKEN_REMOVED              30
#define SMB_COUNTER_BOARD_STRAY                      31

/* TOKEN: kind of frame. */
enum smb_token {
    SMB_TOKEN_FREE = 0, /* free token */
    SMB_TOKEN_DATA = 1, /* data token */
    SMB_TOKEN_P2P = 3, /* point-to-point communication */
    SMB_TOKEN_MULTICAST = 4, /* multicast communication */
    SMB_TOKEN_BROADCAST = 5, /* broadcast communication */
    SMB_TOKEN_CONTROL = 6 /* control token (link control) */
};

/* Order of a signal against data written before. */
enum smb_order {
    SMB_ORDER_NONE = 0, /* no order: it may overtake data */
    SMB_ORDER_SENT = 1, /* after the data; dropped by receivers that miss some of it, and retransmitted with it */
    SMB_ORDER_CONFIRMED = 2 /* held until the data has returned good */
};

/* Words of MAIL_DATA. */
#define SMB_MAIL_WORD_HEADER                         0
#define SMB_MAIL_WORD_MAC_HIGH                       1
#define SMB_MAIL_WORD_MAC_LOW                        2
#define SMB_MAIL_WORD_ADDR                           3
#define SMB_MAIL_WORD_DATA                           4

/* Fields of MAIL_DATA[SMB_MAIL_WORD_HEADER]. */
#define SMB_MAIL_TOKEN_SHIFT                         29
#define SMB_MAIL_TOKEN_MASK                          UINT32_C(0xE0000000)
#define SMB_MAIL_C_ST_SHIFT                          24
#define SMB_MAIL_C_ST_MASK                           UINT32_C(0x1F000000)
#define SMB_MAIL_NODE_ID_SHIFT                       16
#define SMB_MAIL_NODE_ID_MASK                        UINT32_C(0x00FF0000)
#define SMB_MAIL_MULTI_G_SHIFT                       12
#define SMB_MAIL_MULTI_G_MASK                        UINT32_C(0x0000F000)
#define SMB_MAIL_ACT_SEQ_SHIFT                       8
#define SMB_MAIL_ACT_SEQ_MASK                        UINT32_C(0x00000F00)
#define SMB_MAIL_PACKET_CNT_SHIFT                    0
#define SMB_MAIL_PACKET_CNT_MASK                     UINT32_C(0x000000FF)

/* Fields of MAIL_DATA[SMB_MAIL_WORD_MAC_LOW]. */
#define SMB_MAIL_SOURCE_SHIFT                        16
#define SMB_MAIL_SOURCE_MASK                         UINT32_C(0x00FF0000)
#define SMB_MAIL_LEN_SHIFT                           0
#define SMB_MAIL_LEN_MASK                            UINT32_C(0x000007FF)

/* Signals of the firmware: TOKEN in bits 7 to 5, C.ST in bits 4 to 0, as in the upper byte of
 * MAIL_DATA[SMB_MAIL_WORD_HEADER]. */
enum smb_signal_code {
    SMB_SIGNAL_LOCK_MW_REQUEST = 105, /* lock request, master-worker */
    SMB_SIGNAL_LOCK_MW_ACK = 170, /* lock acknowledge, master-worker */
    SMB_SIGNAL_LOCK_MW_UNLOCK = 171, /* unlock, master-worker */
    SMB_SIGNAL_LOCK_DIST_REQUEST = 172, /* lock request, distributed */
    SMB_SIGNAL_LOCK_DIST_ACK = 173, /* lock acknowledge, distributed */
    SMB_SIGNAL_LOCK_DIST_UNLOCK = 174, /* unlock, distributed */
    SMB_SIGNAL_LOCK_DIST_PASS = 109, /* lock right passed to a waiter, distributed */
    SMB_SIGNAL_LOCK_DIST_PASS_ACK = 110, /* lock right received, distributed */
    SMB_SIGNAL_LOCK_QUEUE_REQUEST = 164, /* lock request, ring queue */
    SMB_SIGNAL_LOCK_QUEUE_PASS = 165, /* lock right passed on, ring queue */
    SMB_SIGNAL_BARRIER_MW_ARRIVAL = 111, /* barrier arrival, master-worker */
    SMB_SIGNAL_BARRIER_MW_ACK = 112, /* barrier acknowledge, master-worker */
    SMB_SIGNAL_BARRIER_MW_RELEASE = 176, /* barrier release, master-worker */
    SMB_SIGNAL_BARRIER_DIST_ARRIVAL = 178, /* barrier arrival, distributed */
    SMB_SIGNAL_BARRIER_DIST_ACK = 115, /* barrier acknowledge, distributed */
    SMB_SIGNAL_BARRIER_DIST_RELEASE = 180, /* barrier release, distributed */
    SMB_SIGNAL_BARRIER_RING_ARRIVAL = 166, /* barrier arrival, ring */
    SMB_SIGNAL_SWAP_REQUEST = 120, /* page swap request */
    SMB_SIGNAL_PROCESS_P2P = 127, /* between processes, to one node */
    SMB_SIGNAL_PROCESS_BROADCAST = 191 /* between processes, to all */
};
#define SMB_PROCESS_C_ST                             31

/* Bytes of Data that the values of a signal fill. */
#define SMB_LOCK_MW_REQUEST_BYTES                    8
#define SMB_LOCK_MW_ACK_BYTES                        8
#define SMB_LOCK_MW_UNLOCK_BYTES                     8
#define SMB_LOCK_DIST_REQUEST_BYTES                  8
#define SMB_LOCK_DIST_ACK_BYTES                      10
#define SMB_LOCK_DIST_UNLOCK_BYTES                   8
#define SMB_LOCK_DIST_PASS_BYTES                     10
#define SMB_LOCK_DIST_PASS_ACK_BYTES                 10
#define SMB_LOCK_QUEUE_REQUEST_BYTES                 8
#define SMB_LOCK_QUEUE_PASS_BYTES                    10
#define SMB_BARRIER_MW_ARRIVAL_BYTES                 4
#define SMB_BARRIER_MW_ACK_BYTES                     4
#define SMB_BARRIER_MW_RELEASE_BYTES                 4
#define SMB_BARRIER_DIST_ARRIVAL_BYTES               4
#define SMB_BARRIER_DIST_ACK_BYTES                   4
#define SMB_BARRIER_DIST_RELEASE_BYTES               4
#define SMB_BARRIER_RING_ARRIVAL_BYTES               4
#define SMB_SWAP_REQUEST_BYTES                       8
#define SMB_PROCESS_BYTES                            8
#define SMB_MESSAGE_BYTES                            10

/* Values in the Data of signals: first byte and number of bytes, big-endian. */
#define SMB_DATA_SEND_NODE                           0
#define SMB_DATA_SEND_NODE_BYTES                     1
#define SMB_DATA_BARRIER_NUMBER                      1
#define SMB_DATA_BARRIER_NUMBER_BYTES                1
#define SMB_DATA_TAG                                 2
#define SMB_DATA_TAG_BYTES                           2
#define SMB_DATA_LOCK_NUMBER                         4
#define SMB_DATA_LOCK_NUMBER_BYTES                   4
#define SMB_DATA_PAGE_NUMBER                         4
#define SMB_DATA_PAGE_NUMBER_BYTES                   4
#define SMB_DATA_EPOCH                               8
#define SMB_DATA_EPOCH_BYTES                         2
#define SMB_DATA_PROCESS_NUMBER                      2
#define SMB_DATA_PROCESS_NUMBER_BYTES                2
#define SMB_DATA_PROCESS_VALUE                       4
#define SMB_DATA_PROCESS_VALUE_BYTES                 4

/* Sizes. */
#define SMB_SIGNAL_BYTES_MAX                         46
#define SMB_MAIL_MESSAGES_DEFAULT                    16
#define SMB_SIGNALS_DEFAULT                          4
#define SMB_TX_FRAMES_DEFAULT                        16
#define SMB_RETRY_LIMIT                              8
#define SMB_ENGINE_LOCKS                             16
#define SMB_ENGINE_BARRIERS                          8

#endif
