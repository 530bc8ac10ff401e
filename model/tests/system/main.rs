//! Processes on the cycle-accurate ring of boards.

mod calibrate;
mod firmware;
mod pages;
mod plain;
