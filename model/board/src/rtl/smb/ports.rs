// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of `smb`, in the order of `docs/blocks/smb.md`.

use crate::rtl::bundle::{AxilAnswer, AxilRequest, Link};
use crate::rtl::{smb_core, state::ports};

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
        irq: bool = 1,
    }
}

impl Inputs {
    /// Those of the board's body.
    #[inline]
    pub(crate) fn body(&self) -> smb_core::Inputs {
        smb_core::Inputs { rst: self.rst, s_axis: self.s_axis }
    }
}
