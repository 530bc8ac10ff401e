// SPDX-License-Identifier: MIT OR Apache-2.0
//! Former keys and what to write instead.

/// Former keys by name, each with what replaces it.
const KEYS: &[(&str, &str)] = &[
    ("at", "`from` in [[fault]]"),
    ("board", "`nodes`"),
    ("boards", "`system = \"board-ring\"` with `nodes`"),
    ("dma_wait", "`until = \"dma\"`"),
    ("fibre", "`fibre_m`, in metres"),
    ("host", "[[program]] for what hosts do, [pci] for the rates of generation 1"),
    ("locks", "`locks` in [primitives]"),
    ("node", "`nodes`"),
    ("order", "`order` in [primitives]"),
    ("patience", "`retry_timeout`"),
    ("process", "[[program]] with the act `access`"),
    ("signal", "`signal`, an act of [[program]]"),
    ("sync", "`until = \"acknowledged\"`"),
    ("wait", "`compute`"),
    ("without", "`without` in [primitives]"),
    ("work", "`compute`"),
    ("write", "`write`, an act of [[program]]"),
];

/// Former values, each with what replaces it.
const VALUES: &[(&str, &str)] = &[("current", "generation-1"), ("printed", "as-published")];

/// The error about a key that had another name or another place, from the message of the parser.
pub(super) fn key(message: &str) -> Option<String> {
    if message.ends_with("expected struct Primitives") {
        return Some("`primitives` is a table now, with the key `variant`".into());
    }
    let key = message.strip_prefix("unknown field `")?.split('`').next()?;
    let (old, new) = KEYS.iter().find(|(old, _)| *old == key)?;
    Some(format!("unknown key `{old}`: it is now {new}"))
}

/// The new name of a former value.
pub(super) fn value(old: &str) -> Option<&'static str> {
    VALUES.iter().find(|(name, _)| *name == old).map(|(_, new)| *new)
}
