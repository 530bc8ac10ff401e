// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of addresses, for messages.

use crate::{
    cell::Value,
    layout::{PAGE, stack},
    objects, rank, slices, switch,
};
use object::{Object, ObjectSymbol, SymbolKind};

struct Symbol {
    at: usize,
    size: usize,
    name: String,
    data: bool,
}

static TABLE: Value<Option<&[Symbol]>> = Value::new(None);

/// Symbols of the program, sorted by address.
fn table() -> &'static [Symbol] {
    if let Some(table) = TABLE.get() {
        return table;
    }
    let table: &[Symbol] = Vec::leak(read_table());
    TABLE.set(Some(table));
    table
}

fn read_table() -> Vec<Symbol> {
    let bytes = crate::system::file(c"/proc/self/exe");
    let mut all = Vec::new();
    if let Ok(file) = object::File::parse(&bytes[..]) {
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            let data = matches!(symbol.kind(), SymbolKind::Data);
            if !data && symbol.kind() != SymbolKind::Text || symbol.is_undefined() {
                continue;
            }
            let (Ok(at), Ok(size), Ok(name)) =
                (usize::try_from(symbol.address()), usize::try_from(symbol.size()), symbol.name())
            else {
                continue;
            };
            let at = at + objects::main_base();
            all.push(Symbol { at, size, name: name.to_owned(), data });
        }
    }
    all.sort_by_key(|symbol| symbol.at);
    all
}

fn find(addr: usize, data: bool) -> Option<(&'static str, usize)> {
    let table = table();
    let end = table.partition_point(|symbol| symbol.at <= addr);
    let hit = table[..end]
        .iter()
        .rev()
        .take(64)
        .find(|symbol| symbol.data == data && addr < symbol.at + symbol.size.max(1))?;
    Some((&hit.name, addr - hit.at))
}

/// Words for a place in the program.
pub(crate) fn code(addr: usize) -> String {
    match find(addr, false) {
        Some((name, offset)) => format!("{name}+{offset:#x}"),
        None => format!("{addr:#x}"),
    }
}

/// Words for a variable, and where in it.
pub(crate) fn data(addr: usize) -> (String, String) {
    if let Some((name, offset)) = find(addr, true) {
        return (format!("`{name}`"), format!("byte {offset}"));
    }
    if let Some(text) = slices::describe(addr) {
        return (text, String::new());
    }
    for rank in 0..rank::ranks() {
        let (base, top) = stack(rank);
        if (base..top).contains(&addr) {
            let text = format!("a variable on the stack of node {rank}");
            return (text, format!("{} bytes below its top", top - addr));
        }
    }
    (format!("the byte at {addr:#x}"), String::new())
}

/// The region that ends now, for [`caller`].
static ENDING: Value<usize> = Value::new(0);

/// A region with this body ends; 0 when it has ended.
pub(crate) fn set_ending(body: usize) {
    ENDING.set(body);
}

/// Words of the stack in which the return address to the program is looked for.
const FRAMES: usize = 256;

/// First return address to the program from a stack pointer on, and where it is.
fn return_address(sp: usize) -> Option<(usize, usize)> {
    let top = sp.saturating_add(8 * FRAMES).min(crate::image::stack_top());
    // SAFETY: the words are on the stack of the program, below its top.
    let word = |at: usize| unsafe { (at as *const usize).read() };
    let mut all = (sp..top.saturating_sub(7)).step_by(8).map(|at| (at, word(at)));
    all.find(|(_, value)| {
        objects::all()
            .iter()
            .any(|one| one.text.iter().any(|text| text.contains(value)) && !one.is_system())
    })
}

/// Where the frames of the program end, when the stack pointer is in a frame of the library: what the library
/// has on the stack is no data of the program.
pub(crate) fn frame_of_program(sp: usize) -> usize {
    return_address(sp).map_or(sp, |(at, _)| at + 8)
}

/// The place in the program from which the library was entered.
pub(crate) fn caller() -> usize {
    if ENDING.get() != 0 {
        return ENDING.get();
    }
    // The return address is just below what the program has on the stack.
    return_address(switch::program().saturating_sub(8)).map_or(0, |(_, value)| value)
}

/// Words for the variables in a page.
pub(crate) fn of_page(at: usize) -> String {
    let hit = |one: &&Symbol| one.data && one.at < at + PAGE && one.at + one.size > at;
    let names: Vec<&str> = table().iter().filter(hit).map(|one| &one.name[..]).take(8).collect();
    if names.is_empty() { data(at).0 } else { names.join(", ") }
}
