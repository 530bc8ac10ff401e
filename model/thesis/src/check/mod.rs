//! The model checker on the mailbox of the first generation.

pub mod mailbox;

pub use mailbox::{MailNetwork, MailProperty, MailSettings, MailStep, mail_listing};
