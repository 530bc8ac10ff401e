// SPDX-License-Identifier: MIT OR Apache-2.0
//! Census of memory: every mapping that the program can write is tracked, known to belong to one process, or
//! the end of the run. Memory that nobody tracks would be a wrong result that nobody sees.

use crate::{
    cell::{Guarded, Value},
    die::die,
    image,
    layout::{FIRST_STACK, PAGE, RANKS_MAX, SLICE, SLICES, STACKS, own, page, stack},
    objects, system,
};
use std::ops::Range;

/// Memory of the loader: what was mapped before the program began.
static LOADER: Guarded<Vec<Range<usize>>> = Guarded::new(Vec::new());
/// Memory that the program has mapped.
static PROGRAM: Guarded<Vec<Range<usize>>> = Guarded::new(Vec::new());

/// Address of the vector of the program's arguments; above it are the strings.
static ARGUMENTS: Value<usize> = Value::new(0);

pub(crate) fn set_arguments(at: usize) {
    ARGUMENTS.set(at);
}

struct Mapping {
    range: Range<usize>,
    shared: bool,
    name: String,
}

/// Mappings that can be written, outside the library's own addresses.
fn writable() -> Vec<Mapping> {
    let text = system::file(c"/proc/self/maps");
    let text = String::from_utf8_lossy(&text);
    let mapping = |line: &str| {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let range = number(start)?..number(end)?;
        let flags = words.next()?;
        let name = words.nth(3).unwrap_or_default().to_owned();
        let shared = flags.ends_with('s');
        (flags.as_bytes().get(1) == Some(&b'w') && !own(range.start)).then_some(Mapping {
            range,
            shared,
            name,
        })
    };
    text.lines().filter_map(mapping).collect()
}

/// Remembers what is there before the program begins.
pub(crate) fn begin() {
    let anonymous = |one: &Mapping| {
        one.name.is_empty() && one.range.start < STACKS
            || one.name.is_empty() && one.range.start >= SLICES + RANKS_MAX * SLICE
    };
    *LOADER.borrow() = writable().into_iter().filter(anonymous).map(|one| one.range).collect();
}

/// The program has mapped memory.
pub(crate) fn mapped(start: usize, len: usize) {
    PROGRAM.borrow().push(start..start + len.next_multiple_of(PAGE));
}

/// The program has unmapped memory.
pub(crate) fn unmapped(start: usize, len: usize) {
    PROGRAM
        .borrow()
        .retain(|one| one.start < start || one.end > start + len.next_multiple_of(PAGE));
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Tracks all memory of the program, before the fork.
pub(crate) fn track(ranks: usize, tls: &[Range<usize>]) {
    for object in objects::all().iter().filter(|object| !object.is_system()) {
        if !object.is_main() && object.tls.is_some() {
            die!(
                "{}: thread-local variables in a library of the program are not supported",
                object.path
            );
        }
        for data in &object.data {
            image::track(data.start, data.end);
        }
    }
    for rank in 0..ranks {
        let (base, top) = stack(rank);
        image::track(base, top);
        let slice = SLICES + rank * SLICE;
        image::track(slice, slice + SLICE);
    }
    for tls in tls {
        image::track(tls.start, tls.end);
    }
    for one in writable() {
        if one.name == "[stack]" {
            // Below the arguments are only frames of the start, which differ from run to run.
            image::track(ARGUMENTS.get().max(one.range.start), one.range.end);
        } else if one.name == "[heap]" {
            image::track(one.range.start, one.range.end);
        } else if PROGRAM.borrow().iter().any(|mapped| overlaps(mapped, &one.range)) {
            if one.shared {
                die!("the program has mapped {} as shared memory: not supported", described(&one));
            }
            image::track(one.range.start, one.range.end);
        }
    }
    check();
}

fn described(one: &Mapping) -> String {
    let name = if one.name.is_empty() { "memory" } else { &one.name };
    format!("{name} at {:#x} to {:#x}", one.range.start, one.range.end)
}

/// Takes a range out of others.
fn subtract(from: &mut Vec<Range<usize>>, known: &Range<usize>) {
    let parts = |one: Range<usize>| {
        if !overlaps(&one, known) {
            return [one, 0..0];
        }
        [one.start..known.start.max(one.start), known.end.min(one.end)..one.end]
    };
    *from = from.drain(..).flat_map(parts).filter(|one| !one.is_empty()).collect();
}

/// Ends the run if there is memory that the program can write and nobody knows.
pub(crate) fn check() {
    for one in writable() {
        let (first, end) = (one.range.start, one.range.end);
        let slots = one.shared && one.name.starts_with("/memfd:awgstar");
        if slots || (STACKS..SLICES + RANKS_MAX * SLICE).contains(&first) {
            continue;
        }
        // The system joins mappings that touch, so each may have several owners.
        let mut left = Vec::from([one.range.clone()]);
        for data in objects::all().iter().flat_map(|object| &object.data) {
            subtract(&mut left, &(page(data.start)..page(data.end + PAGE - 1)));
        }
        let arguments = ARGUMENTS.get();
        let frames = arguments.saturating_sub(FIRST_STACK)..arguments;
        subtract(&mut left, &frames);
        LOADER.borrow().iter().for_each(|loader| subtract(&mut left, loader));
        for tracked in image::tracked(first, end) {
            subtract(&mut left, &tracked);
        }
        if let Some(range) = left.first() {
            let unknown = Mapping { range: range.clone(), ..one };
            die!("{} can be written, and the library does not know it", described(&unknown));
        }
    }
}
