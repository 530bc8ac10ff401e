// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of the repository against the code: pages, names, studies, pictures, published runs; conformance and
//! lockstep by the command line.

mod blocks;
mod conform;
mod corpus;
mod counterexamples;
#[path = "../../../../model/test_support/document.rs"]
mod document;
#[path = "../common/gtkw.rs"]
mod gtkw;
#[path = "../common/html.rs"]
mod html;
mod latency;
mod lockstep;
mod mailbox_vectors;
mod names;
mod pages;
mod paging;
mod pictures;
mod ports;
mod recorded;
mod setup;
mod spacetime;
mod study;
mod study_lambda;
mod study_page;
#[path = "../common/tables.rs"]
mod tables;
mod traceability;
mod wireshark;
