//! The current version of the system: ring, hosts, primitives (CUR, MBX).

mod alloc;
mod check;
mod frame;
mod hosts;
mod machines;
mod ring;
#[path = "../common/seeded.rs"]
mod seeded;
#[path = "../protocols/snapshot.rs"]
mod snapshot;
mod times;
mod work;
#[path = "../protocols/wrong.rs"]
mod wrong;
