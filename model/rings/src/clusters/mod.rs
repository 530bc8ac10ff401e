// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster of clusters of computers: the machine of paper 004 (sections 3 to 5), in simulated ns.
//!
//! Each cluster has a gateway, node 0, which computes nothing, and processes on its other nodes. Within a cluster memory
//! is read and written from one side (NICAM on Myrinet), and between gateways there are TCP connections. Gateways and
//! clients are the state machines of this crate with all repairs. What they store, look at and send takes the time of
//! that step in the paper:
//!
//! | step of section 5.2 | of the state machines | time |
//! |---|---|---|
//! | 1 | the client stores its request in the channel, which is in the gateway's memory | NICAM write |
//! | 2 | the handler looks at the channel | local access |
//! | 3, 5 | messages between gateways | TCP, one way |
//! | 4 | the home gateway reads or writes the memory of a node | NICAM read or write |
//! | 6 | the near gateway stores values at the client | NICAM write |
//! | 7 | it stores the reply in the channel | local access |
//! | 8 | the client looks at the channel | NICAM read |
//!
//! A handler does one thing after the other. Looks that find nothing are not simulated, and what a gateway stores for
//! itself alone takes no time: both are in the handling of each request and each answer.
//! TCP and NICAM lose nothing and no gateway begins again, so no timer runs.

mod cards;
mod handler;
mod memory;
mod parts;
mod process;
mod settings;
mod system;

pub use process::FAR_WORDS_MAX;
pub use settings::{Costs, Meeting, Sends, Settings, SettingsError};
pub use system::{Clusters, ClustersError, Waiting};
