//! Processes on the cycle-accurate ring of boards.

mod firmware;
mod pages;
mod plain;
