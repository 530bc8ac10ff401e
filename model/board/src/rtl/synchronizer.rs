// SPDX-License-Identifier: MIT OR Apache-2.0
//! `synchronizer`: bits of another clock through two registers (CDC-1), for the widths that are used.

use super::{
    state::{ports, state},
    window_gate::STORE_ADDR_W,
};

macro_rules! synchronizer {
    ($module:ident, $name:ident, $type:ty, $bits:expr $(, $p:ident)?) => {
        /// A synchronizer of this width.
        pub mod $module {
            use super::*;

            ports! {
                /// Inputs of `synchronizer`.
                pub struct Inputs $(with $p)? {
                    /// Synchronous reset.
                    rst: bool = 1,
                    /// From a register of another clock.
                    d: $type = $bits,
                }
            }

            ports! {
                /// Outputs of `synchronizer`.
                pub struct Outputs $(with $p)? {
                    /// The bits in this clock.
                    q: $type = $bits,
                }
            }

            state! {
                /// Registers of `synchronizer`.
                pub struct $name("synchronizer", Inputs, Outputs) $(with $p)? {
                    registers {
                        /// May be metastable.
                        first_q: $type = $bits,
                        /// The output.
                        second_q: $type = $bits,
                    }
                }
            }

            impl $name {
                /// Just before the edge. Depends on registers only.
                #[must_use]
                pub fn outputs(&self) -> Outputs {
                    Outputs { q: self.second_q }
                }

                /// The clock edge.
                pub fn clock(&mut self, i: &Inputs) {
                    (self.first_q, self.second_q) = (i.d, self.first_q);
                    if i.rst {
                        (self.first_q, self.second_q) = <($type, $type)>::default();
                    }
                }
            }
        }
    };
}

synchronizer!(bit, Synchronizer, bool, 1);
synchronizer!(pointer, PointerSynchronizer, u16, parameters.elastic_addr_w() + 1, parameters);
synchronizer!(small_pointer, SmallPointerSynchronizer, u16, 3);
synchronizer!(store_pointer, StorePointerSynchronizer, u16, STORE_ADDR_W + 1);
