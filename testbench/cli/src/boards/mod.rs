//! A ring of boards from a scenario file: what its hosts do, what goes wrong, what came of it
//! (RING-1 to RING-3, HST, WRT, ACK, SND, RCV, MON, IRQ).
//!
//! ```
//! use awgstar_cli::{boards::{Run, Summary}, scenario::{self, Any}};
//!
//! let text = r#"
//! boards = 3
//! cycles = 20000
//! [[host]]
//! board = 1
//! do = [{ write = 0x100, text = "shared" }]
//! "#;
//! let Any::Boards(plan) = scenario::read_any("example.toml", text)? else { unreachable!() };
//! let run = Run::new(&plan, &mut |_| ())?;
//! assert!(Summary::new(&plan, &run).holds());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod host;
mod plan;
pub mod programs;
mod replicas;
mod router;
mod run;
mod scout;
mod summary;
mod text;
mod written;

pub use host::{Done, Ending, Message};
pub use plan::{Act, Awaited, Hit, Plan, Reset, Settings, Task, Wanted};
pub use replicas::{Differ, Replicas};
pub use router::{Event, Lost, Router};
pub use run::{Look, Run};
pub use scout::{Seen, Struck};
pub use summary::Summary;
pub use written::Written;
