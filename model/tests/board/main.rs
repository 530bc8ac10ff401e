//! Boards on a ring, from the rules of the specification: hosts that write, what arrives at the
//! others, and what faults do to it.

mod bench;
mod defences;
mod doze;
mod every_bit;
mod fast_path;
mod hang;
mod layout;
mod loss;
mod monitor;
mod noise;
mod port;
mod registers;
mod replication;
mod reset;
mod scenario;
#[path = "../common/seeded.rs"]
mod seeded;
mod signals;
