// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions `omp_*` for C and Fortran.

use crate::team;
use libc::c_int;

#[unsafe(no_mangle)]
extern "C" fn omp_get_thread_num() -> c_int {
    team::team().thread as c_int
}

#[unsafe(no_mangle)]
extern "C" fn omp_get_num_threads() -> c_int {
    team::team().threads as c_int
}
