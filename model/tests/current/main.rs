//! The current version of the system: ring, hosts, primitives (CUR, MBX).

mod frame;
mod hosts;
mod ring;
mod work;
