// SPDX-License-Identifier: MIT OR Apache-2.0
// Binds the assertions to every ring_node and frame_tx of a design without a board.
//   AWGSTAR_ASSERT_ENV   0: do not check what the environment of the node does
`ifndef AWGSTAR_ASSERT_ENV
`define AWGSTAR_ASSERT_ENV 1
`endif
bind ring_node ring_node_assert #(.ENV(`AWGSTAR_ASSERT_ENV)) u_assert (.*);
bind frame_tx frame_tx_assert u_assert (.*);
