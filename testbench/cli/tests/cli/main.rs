// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line without simulators: what `test.sh quick` runs of it.

mod codec;
mod command;
mod contract;
#[path = "../common/gtkw.rs"]
mod gtkw;
#[path = "../common/html.rs"]
mod html;
mod scenarios;
#[path = "../common/started.rs"]
mod started;
mod study;
#[path = "../common/tables.rs"]
mod tables;
mod watch;
