// SPDX-License-Identifier: MIT OR Apache-2.0
//! The current version of the AWG-STAR system (thesis 2.2 and 3): one control token, followed by a
//! train of frames.
//!
//! * [`frame`]: frames that are attached to the token, and their bytes.
//! * [`ring`]: token, train, replicas, and faults of the links.
//! * [`settings`]: the ring, and how hosts reach their boards over PCI.
//! * [`mailbox`]: locks and barrier over two words and a signal.
//! * [`process`] and [`system`]: programs on all nodes, and how each spent its time.
//!
//! # Programs
//!
//! A [`Gen1`] runs one [`Process`](awgstar_request::Process) on each node; node 0 is the master. A
//! process returns one [`Request`](awgstar_request::Request) after the other: compute for some ns, write or read the shared memory with a pointer or by DMA,
//! take a lock, wait at the barrier. Times are in ns and follow from the settings alone, so the
//! same programs give the same run. [`Gen1::spans`] lists the activities of each process, without
//! gaps; [`Activity::busy`] separates work from waiting.
//!
//! ```
//! use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
//! use awgstar_request::{Data, Place, Process, Request};
//! use awgstar_thesis::gen1::{Gen1, Script, Settings};
//!
//! // Two nodes: the master writes 1 MByte that no node reads, then both meet.
//! let write = Request::Write(Place::shared(ByteAddress(1 << 20)), Data::Blank(1 << 20));
//! let compute = Request::compute(Nanoseconds(500_000));
//! let processes: Vec<Box<dyn Process>> = vec![
//!     Box::new(Script::new([write, Request::Barrier(0)])),
//!     Box::new(Script::new([compute, Request::Barrier(0)])),
//! ];
//! let mut system = Gen1::new(&Settings::new(2), processes)?;
//! let end = system.run(&mut |_| {})?;
//! assert!(system.unfinished().is_empty());
//! // At 64 MB/s the write takes 16.384 ms, which the other waits for.
//! assert!((16_384_000..16_700_000).contains(&end.0));
//! assert_eq!(system.spans(1)[0].to, Nanoseconds(500_000));
//! # Ok::<(), awgstar_thesis::gen1::Gen1Error>(())
//! ```
//!
//! Programs use addresses from [`system::FREE`] on; the areas and the index of the primitives are below. Data whose
//! values do not matter ([`Data::Blank`](awgstar_request::Data::Blank)) takes the same time and no memory. A word is
//! big-endian.

pub mod frame;
pub mod mailbox;
pub mod memory;
pub mod process;
pub mod record;
pub mod ring;
pub mod settings;
pub mod system;

pub use mailbox::{MailRepairs, Primitive};
pub use process::{Activity, Script, Span};
pub use ring::{Fault, FaultKind, Ring};
pub use settings::{Forwarding, Host, Line, Processing, SettingsError};
pub use system::{Gen1, Gen1Error, Settings};
