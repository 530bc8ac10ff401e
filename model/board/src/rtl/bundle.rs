// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports that belong together, in one order in every module: `s_axis: Link` are the ports `s_axis_tdata` to
//! `s_axis_tuser`.

use super::value::Value;

/// A set of ports, each with one word of an image.
pub trait Bundle: Copy + Default {
    /// Width of each port in bits; 0 is the width of IDs.
    const BITS: &'static [usize];
    /// Writes the image.
    fn pack(self, out: &mut [u32]);
    /// Reads it.
    fn unpack(image: &[u32]) -> Self;
}

/// Declares a bundle, and a macro that gives the names of its ports with a prefix.
macro_rules! bundle {
    (($d:tt) $(#[$meta:meta])* pub struct $name:ident, $names:ident {
        $($(#[$fmeta:meta])* $field:ident: $type:ty = $bits:expr,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name { $($(#[$fmeta])* pub $field: $type,)* }

        impl Bundle for $name {
            const BITS: &'static [usize] = &[$($bits),*];

            #[inline]
            fn pack(self, out: &mut [u32]) {
                let mut words = out.chunks_exact_mut(1);
                $(if let Some(word) = words.next() {
                    Value::pack(self.$field, word);
                })*
            }

            #[inline]
            fn unpack(image: &[u32]) -> Self {
                let mut words = image.chunks_exact(1);
                $(let $field = words.next().map_or_else(Default::default, Value::unpack);)*
                $name { $($field,)* }
            }
        }

        macro_rules! $names {
            ($d port:ident) => {
                [$(concat!(stringify!($d port), "_", stringify!($field)),)*]
            };
        }
        pub(crate) use $names;
    };
}

bundle! {
    ($)
    pub struct Link, link_word {
        /// Data.
        tdata: u32 = 32,
        /// Valid byte lanes.
        tkeep: u8 = 4,
        /// There is a word.
        tvalid: bool = 1,
        /// Last of the frame.
        tlast: bool = 1,
        /// M in the first word, "aborted" in the last.
        tuser: bool = 1,
    }
}

bundle! {
    ($)
    /// A stream, without its `tready`.
    pub struct Stream, stream {
        /// Data.
        tdata: u32 = 32,
        /// Valid byte lanes.
        tkeep: u8 = 4,
        /// There is a beat.
        tvalid: bool = 1,
        /// Last of the payload.
        tlast: bool = 1,
    }
}

impl Link {
    /// The word without its `tuser`.
    #[inline]
    #[must_use]
    pub const fn stream(self) -> Stream {
        let Link { tdata, tkeep, tvalid, tlast, .. } = self;
        Stream { tdata, tkeep, tvalid, tlast }
    }
}

bundle! {
    ($)
    /// What the host drives on AXI4-Lite.
    pub struct AxilRequest, axil_request {
        /// Write address.
        awaddr: u32 = 32,
        /// Ignored.
        awprot: u8 = 3,
        /// There is a write address.
        awvalid: bool = 1,
        /// Write data.
        wdata: u32 = 32,
        /// Byte lanes to write.
        wstrb: u8 = 4,
        /// There is write data.
        wvalid: bool = 1,
        /// The host takes the answer to a write.
        bready: bool = 1,
        /// Read address.
        araddr: u32 = 32,
        /// Ignored.
        arprot: u8 = 3,
        /// There is a read address.
        arvalid: bool = 1,
        /// The host takes the answer to a read.
        rready: bool = 1,
    }
}

bundle! {
    ($)
    /// What the host gets on AXI4-Lite.
    pub struct AxilAnswer, axil_answer {
        /// The write address is taken.
        awready: bool = 1,
        /// The write data is taken.
        wready: bool = 1,
        /// OKAY or SLVERR.
        bresp: u8 = 2,
        /// The write is answered.
        bvalid: bool = 1,
        /// The read address is taken.
        arready: bool = 1,
        /// Read data.
        rdata: u32 = 32,
        /// OKAY or SLVERR.
        rresp: u8 = 2,
        /// The read is answered.
        rvalid: bool = 1,
    }
}

bundle! {
    ($)
    /// What the host drives on AXI4.
    pub struct Axi4Request, axi4_request {
        /// ID of a write burst.
        awid: u16 = 0,
        /// Address of a write burst.
        awaddr: u32 = 32,
        /// Streams of a write burst, less one.
        awlen: u8 = 8,
        /// log2 of the bytes of a beat.
        awsize: u8 = 3,
        /// Kind of burst.
        awburst: u8 = 2,
        /// There is a write burst.
        awvalid: bool = 1,
        /// Write data.
        wdata: u32 = 32,
        /// Byte lanes to write.
        wstrb: u8 = 4,
        /// Last beat of the burst.
        wlast: bool = 1,
        /// There is write data.
        wvalid: bool = 1,
        /// The host takes the answer to a write burst.
        bready: bool = 1,
        /// ID of a read burst.
        arid: u16 = 0,
        /// Address of a read burst.
        araddr: u32 = 32,
        /// Streams of a read burst, less one.
        arlen: u8 = 8,
        /// log2 of the bytes of a beat.
        arsize: u8 = 3,
        /// Kind of burst.
        arburst: u8 = 2,
        /// There is a read burst.
        arvalid: bool = 1,
        /// The host takes a beat of read data.
        rready: bool = 1,
    }
}

bundle! {
    ($)
    /// What the host gets on AXI4.
    pub struct Axi4Answer, axi4_answer {
        /// The write burst is taken.
        awready: bool = 1,
        /// The beat of write data is taken.
        wready: bool = 1,
        /// ID of the write burst.
        bid: u16 = 0,
        /// OKAY or SLVERR.
        bresp: u8 = 2,
        /// The write burst is answered.
        bvalid: bool = 1,
        /// The read burst is taken.
        arready: bool = 1,
        /// ID of the read burst.
        rid: u16 = 0,
        /// Read data.
        rdata: u32 = 32,
        /// OKAY or SLVERR.
        rresp: u8 = 2,
        /// Last beat of the burst.
        rlast: bool = 1,
        /// There is read data.
        rvalid: bool = 1,
    }
}
