//! Files of rings of boards.

mod act;
mod convert;
mod file;
mod program;
mod router;

pub(super) use convert::convert;
pub(super) use file::File;
