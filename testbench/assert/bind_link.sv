// SPDX-License-Identifier: MIT OR Apache-2.0
// Binds the assertions to every ring_link and axil_crossing of a design.
//   AWGSTAR_ASSERT_HOST  0: do not check what the host does
//   AWGSTAR_ASSERT_PROT  0: awprot and arprot of the host may change while they wait
`ifndef AWGSTAR_ASSERT_HOST
`define AWGSTAR_ASSERT_HOST 1
`endif
`ifndef AWGSTAR_ASSERT_PROT
`define AWGSTAR_ASSERT_PROT 1
`endif
bind ring_link ring_link_assert u_assert (.*);
bind axil_crossing axil_crossing_assert #(.ENV(`AWGSTAR_ASSERT_HOST),
                                          .PROT(`AWGSTAR_ASSERT_PROT)) u_assert (.*);
