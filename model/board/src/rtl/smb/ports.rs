// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of `smb`, in the order of `docs/blocks/smb.md`.

use crate::rtl::{smb_core, state::ports};

ports! {
    /// Inputs of `smb`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Write address.
        s_axi_awaddr: u32 = 32,
        /// Ignored.
        s_axi_awprot: u8 = 3,
        /// There is a write address.
        s_axi_awvalid: bool = 1,
        /// Write data.
        s_axi_wdata: u32 = 32,
        /// Byte lanes to write.
        s_axi_wstrb: u8 = 4,
        /// There is write data.
        s_axi_wvalid: bool = 1,
        /// The write's answer is taken.
        s_axi_bready: bool = 1,
        /// Read address.
        s_axi_araddr: u32 = 32,
        /// Ignored.
        s_axi_arprot: u8 = 3,
        /// There is a read address.
        s_axi_arvalid: bool = 1,
        /// The read's answer is taken.
        s_axi_rready: bool = 1,
        /// Link word in.
        s_axis_tdata: u32 = 32,
        /// Valid byte lanes of the beat.
        s_axis_tkeep: u8 = 4,
        /// There is a word.
        s_axis_tvalid: bool = 1,
        /// Last of the frame.
        s_axis_tlast: bool = 1,
        /// M, or "aborted".
        s_axis_tuser: bool = 1,
    }
}

ports! {
    /// Outputs of `smb`.
    pub struct Outputs {
        /// The write address is taken.
        s_axi_awready: bool = 1,
        /// The write data is taken.
        s_axi_wready: bool = 1,
        /// OKAY or SLVERR.
        s_axi_bresp: u8 = 2,
        /// The write is answered.
        s_axi_bvalid: bool = 1,
        /// The read address is taken.
        s_axi_arready: bool = 1,
        /// Read data.
        s_axi_rdata: u32 = 32,
        /// OKAY or SLVERR.
        s_axi_rresp: u8 = 2,
        /// The read is answered.
        s_axi_rvalid: bool = 1,
        /// Link word out.
        m_axis_tdata: u32 = 32,
        /// Valid byte lanes of the beat.
        m_axis_tkeep: u8 = 4,
        /// There is a word.
        m_axis_tvalid: bool = 1,
        /// Last of the frame.
        m_axis_tlast: bool = 1,
        /// M, or "aborted".
        m_axis_tuser: bool = 1,
        /// Interrupt.
        irq: bool = 1,
    }
}

impl Inputs {
    /// Those of the board's body.
    #[inline]
    pub(crate) fn body(&self) -> smb_core::Inputs {
        smb_core::Inputs {
            rst: self.rst,
            s_axis_tdata: self.s_axis_tdata,
            s_axis_tkeep: self.s_axis_tkeep,
            s_axis_tvalid: self.s_axis_tvalid,
            s_axis_tlast: self.s_axis_tlast,
            s_axis_tuser: self.s_axis_tuser,
        }
    }
}
