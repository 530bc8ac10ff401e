//! Shared memory virtualisation (PAG-1 to PAG-9).

mod bench;
mod holds;
mod printed;
