// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model checker on the mailbox of the first generation.

pub mod mailbox;

pub use mailbox::{MailNetwork, MailProperty, MailSettings, MailStep, mail_listing};
