//! The synchronization primitives: every run of the firmware on small rings.

mod lock;
mod message;
mod snapshot;
