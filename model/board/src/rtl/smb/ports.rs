// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of `smb`, in the order of `docs/blocks/smb.md`.

use super::super::state::ports;
use crate::rtl::bundle::{AxilAnswer, AxilRequest, Link};

ports! {
    /// Inputs of `smb`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// What the host drives.
        s_axi: AxilRequest = 0 => axil_request,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
    }
}

ports! {
    /// Outputs of `smb`.
    pub struct Outputs {
        /// What the host gets.
        s_axi: AxilAnswer = 0 => axil_answer,
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        /// Interrupt.
        irq: bool = 1,
    }
}
