// SPDX-License-Identifier: MIT OR Apache-2.0
// Binds the assertions to every smb, ring_node and frame_tx of a design.
//   AWGSTAR_ASSERT_ENV   0: do not check what the environment of the board or of the node does
//   AWGSTAR_ASSERT_PROT  0: awprot and arprot of the host may change while they wait
`ifndef AWGSTAR_ASSERT_ENV
`define AWGSTAR_ASSERT_ENV 1
`endif
`ifndef AWGSTAR_ASSERT_PROT
`define AWGSTAR_ASSERT_PROT 1
`endif
bind smb smb_assert #(.MEM_ADDR_W(MEM_ADDR_W), .ENV(`AWGSTAR_ASSERT_ENV),
                      .PROT(`AWGSTAR_ASSERT_PROT)) u_assert (.*);
bind ring_node ring_node_assert #(.ENV(`AWGSTAR_ASSERT_ENV)) u_assert (.*);
bind frame_tx frame_tx_assert u_assert (.*);
