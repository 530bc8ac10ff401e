// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of addresses, for messages.

use crate::{
    cell::Value,
    layout::{PAGE, stack},
    objects, rank, slices, system,
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
    let bytes = system::file(c"/proc/self/exe");
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

/// Words for the variables in a page.
pub(crate) fn of_page(at: usize) -> String {
    let hit = |one: &&Symbol| one.data && one.at < at + PAGE && one.at + one.size > at;
    let names: Vec<&str> = table().iter().filter(hit).map(|one| &one.name[..]).take(8).collect();
    if names.is_empty() { data(at).0 } else { names.join(", ") }
}
