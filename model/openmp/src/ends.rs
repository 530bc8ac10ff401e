// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ends of the program.

use crate::{
    coherent, die::die, entries, locks, objects, process, rank, regions, stdio, switch, system,
    team, wire,
};
use libc::c_int;
use std::ffi::CStr;

fn real_exit(name: &CStr) -> usize {
    system::next(name) as usize
}

macro_rules! exits {
    ($($name:ident $c_name:literal;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(code: c_int) -> ! {
            switch::run(|| finish(code));
            // Handlers of the program have its stack.
            let code = code.cast_unsigned() as usize;
            switch::call_program(real_exit($c_name), [code, 0, 0]);
            die!("internal: {} has returned", stringify!($name))
        }
    )* };
}

exits! { exit c"exit"; _exit c"_exit"; _Exit c"_Exit"; quick_exit c"quick_exit"; }

/// The program is about to end with a code.
pub(crate) fn finish(code: c_int) {
    if !rank::active() {
        return;
    }
    stdio::flush();
    if process::ENDING.replace(true) {
        // An exit handler ends the program with another code.
        if let Some(forked) =
            rank::forked().filter(|forked| code != 0 && forked.exit_code().is_some())
        {
            forked.exit(code.to_le_bytes()[0]);
        }
        return;
    }
    if code == 0 && !rank::started() {
        // What it was to load may not have come.
        objects::scan();
        entries::check().need_regions(false);
    }
    if rank::rank() == 0 && !team::in_region() {
        if let Some(forked) = rank::forked().filter(|_| code != 0) {
            forked.exit(code.to_le_bytes()[0]);
        }
        regions::quit();
        coherent::leave();
        wire::leave(&locks::held());
        return;
    }
    // A rank ends the program in the middle of a region. The launcher ends the others when this process ends.
    if let Some(forked) = rank::forked() {
        forked.exit(code.to_le_bytes()[0]);
    }
}
