// SPDX-License-Identifier: MIT OR Apache-2.0
//! Check that every entry point of OpenMP that the program uses is the library's. One that is not would be
//! libgomp's own, whose threads know nothing of the ring. A function of libc that is not in the list could
//! keep state in one process, or let the system write to memory that is not tracked: the program is refused.

use crate::{die::die, known, objects, system};
use object::{Object, ObjectSymbol};
use std::ffi::CString;

/// Names of the OpenMP library of clang.
const CLANG: [&str; 2] = ["libomp.", "libiomp5."];

const PREFIXES: [&str; 5] = ["GOMP_", "omp_", "GOACC_", "acc_", "__kmpc_"];

/// What the program and its libraries call.
#[derive(Default)]
pub(crate) struct Calls {
    /// Functions of regions, loops and synchronisation.
    regions: bool,
    /// `dlopen`: more libraries may come.
    loads: bool,
}

impl Calls {
    /// Ends the run if neither the program nor a library of it can begin a region.
    pub(crate) fn need_regions(&self, may_load: bool) {
        if self.regions || may_load && self.loads {
            return;
        }
        die!(
            "neither the program nor a library that it has loaded begins a parallel region: compile what has the OpenMP directives with gcc -fopenmp or gfortran -fopenmp"
        );
    }
}

/// Ends the run if a function of OpenMP in the program is another library's.
pub(crate) fn check() -> Calls {
    let mut calls = Calls::default();
    for loaded in objects::all() {
        let file = loaded.path.rsplit('/').next().unwrap_or_default();
        if CLANG.iter().any(|one| file.starts_with(one)) {
            die!(
                "a library of the program uses the OpenMP library of clang, {file}: --openmp needs libgomp (compile the library with gcc -fopenmp or gfortran -fopenmp)"
            );
        }
    }
    for loaded in objects::all().iter().filter(|loaded| !loaded.is_system()) {
        let path = if loaded.is_main() { "/proc/self/exe" } else { &loaded.path };
        let bytes = CString::new(path).map(|path| system::file(&path)).unwrap_or_default();
        let Ok(file) = object::File::parse(&bytes[..]) else {
            die!("cannot read {path}");
        };
        for symbol in file.dynamic_symbols().filter(ObjectSymbol::is_undefined) {
            let Ok(name) = symbol.name() else { continue };
            calls.regions |= name.starts_with("GOMP_");
            calls.loads |= name == "dlopen";
            if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !is_own(name) {
                die!("the program uses {name}, which is not supported");
            }
            if !known::is_known(name) && is_libc(name) {
                die!("the program uses {name} of libc, which is not known to work on the ring");
            }
        }
    }
    calls
}

/// Address of a function that the program calls by this name.
fn address(name: &str) -> usize {
    let Ok(name) = CString::new(name) else { return 0 };
    // SAFETY: the name ends with a zero.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) as usize }
}

/// Returns true if a call of this name comes to libc.
fn is_libc(name: &str) -> bool {
    let at = address(name);
    let mut libc = objects::all().iter().filter(|one| one.is_libc());
    libc.any(|libc| libc.text.iter().any(|text| text.contains(&at)))
}

/// Returns true if a call of this name comes to the library.
fn is_own(name: &str) -> bool {
    let at = address(name);
    let own = check as *const () as usize;
    let mut loaded = objects::all().iter();
    loaded.any(|one| [own, at].iter().all(|at| one.text.iter().any(|text| text.contains(at))))
}
