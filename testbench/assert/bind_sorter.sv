// SPDX-License-Identifier: MIT OR Apache-2.0
// Binds the rules of messages to every rx_sorter of a design, beside bind.sv or bind_axi4.sv.
bind rx_sorter rx_sorter_assert u_assert (.*);
