// SPDX-License-Identifier: MIT OR Apache-2.0
//! Library that `awgstar run --openmp` preloads into a program of `gcc -fopenmp` or `gfortran -fopenmp`.
//!
//! It takes the place of libgomp: each thread is a process on a node of the modelled ring. What a thread
//! changes in shared memory travels to the others as data frames at each synchronisation. `docs/openmp.md`
//! describes the use and the protocol.
// A test program of this library would be an OpenMP program itself: tests are in `tests`.
#![cfg(not(test))]
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_ptr_alignment,
    clippy::similar_names,
    reason = "64-bit addresses, the integers of C, and its names"
)]

mod arena;
mod atomics;
mod audit;
mod calendar;
mod cell;
mod census;
mod coherent;
mod commit;
mod cplusplus;
mod descriptors;
mod die;
mod ends;
mod entries;
mod fork;
mod forward;
mod frames;
mod gates;
mod gomp;
mod gomp_loops;
mod handlers;
mod hooks;
mod image;
mod interpose;
mod known;
mod layout;
mod locks;
mod loops;
mod mappings;
mod masks;
mod missing;
mod mutexes;
mod objects;
mod omp;
mod patch;
mod process;
mod race;
mod random;
mod rank;
mod record;
mod regions;
mod schedule;
mod signals;
mod slices;
mod start;
mod stdio;
mod streams;
mod switch;
mod symbols;
mod sync;
mod system;
mod tasks;
mod team;
mod traps;
mod waits;
mod watch;
mod wire;
