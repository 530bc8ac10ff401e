// SPDX-License-Identifier: MIT OR Apache-2.0
// Binds the assertions of the AXI4 port to every smb_axi4 of a design; ring_node and frame_tx in it have
// those of bind.sv.
//   AWGSTAR_ASSERT_ENV   0: do not check what the environment of the board or of the node does
`ifndef AWGSTAR_ASSERT_ENV
`define AWGSTAR_ASSERT_ENV 1
`endif
bind smb_axi4 axi4_assert #(.AXI_ID_W(AXI_ID_W), .ENV(`AWGSTAR_ASSERT_ENV)) u_assert (.*);
bind ring_node ring_node_assert #(.ENV(`AWGSTAR_ASSERT_ENV)) u_assert (.*);
bind frame_tx frame_tx_assert u_assert (.*);
