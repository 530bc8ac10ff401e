// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the schema says of the tables of a file and of the types of their keys.

use serde_json::{Value, json};
use toml::Spanned;

/// The type of a key.
pub(super) trait Described {
    fn schema() -> Value;
}

/// A table of a file.
pub(super) struct Description {
    pub(super) name: &'static str,
    pub(super) doc: String,
    pub(super) keys: Vec<Key>,
}

/// A key of a table.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// What an editor shows.
    pub(super) doc: String,
    /// The schema of its type.
    pub(super) schema: Value,
}

macro_rules! types {
    ($($type:ty: $schema:tt;)+) => { $(
        impl Described for $type {
            fn schema() -> Value {
                json!($schema)
            }
        }
    )+ };
}

types! {
    // No key of any system takes a negative integer.
    i64: { "type": "integer", "minimum": 0 };
    f64: { "type": "number" };
    bool: { "type": "boolean" };
    String: { "type": "string" };
    [f64; 2]: { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 };
}

impl<T: Described> Described for Vec<Spanned<T>> {
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }
}
