// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON schemas of the manifest and of `vectors.json`, from the contract (CTR-1).

use crate::vectors::manifest::SCHEMA_VERSION;
use crate::vectors::{Module, hex};
use awgstar::contract::{Check, LAYOUT, Token, TxStatus};
use serde_json::{Value, json};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn text() -> Value {
    json!({"type": "string", "minLength": 1})
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

fn requirements() -> Value {
    list(&json!({"type": "string", "pattern": "^[A-Z]{2,4}-[0-9]+$"}))
}

/// Schema of `manifest.json`. `$defs` contains the header fields with their widths and the digits
/// of each entry in `fields.hex`, for readers in other languages.
#[must_use]
pub fn manifest() -> Value {
    let hash = object(
        &json!({"path": text(), "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}),
        &["path", "sha256"],
    );
    let modules: Vec<&str> = Module::ALL.iter().map(|m| m.name()).collect();
    let class = object(
        &json!({
            "module": {"enum": modules},
            "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "duts": list(&json!({"enum": ["frame_tx", "frame_rx", "crc32"]})),
            "requirements": requirements(),
            "bug_class": text(),
            "effect": text(),
            "vectors": {"type": "integer", "minimum": 1},
            "files": list(&hash),
        }),
        &["module", "name", "duts", "requirements", "bug_class", "effect", "vectors", "files"],
    );
    let board = object(
        &json!({
            "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "requirements": requirements(),
            "shows": text(),
            "bug_class": text(),
            "effect": text(),
            "cycles": {"type": "integer", "minimum": 1},
            "files": list(&hash),
        }),
        &["name", "requirements", "shows", "bug_class", "effect", "cycles", "files"],
    );
    let mut schema = object(
        &json!({
            "schema_version": {"const": SCHEMA_VERSION},
            "classes": list(&class),
            "boards": list(&board),
            "replayed": list(&hash),
            "files": list(&hash),
        }),
        &["schema_version", "classes", "boards", "replayed", "files"],
    );
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!("Golden vectors: manifest");
    let header: serde_json::Map<String, Value> = LAYOUT
        .iter()
        .map(|l| {
            let value = json!({
                "type": "integer", "minimum": 0, "maximum": l.max(), "description": l.doc,
            });
            (l.field.name().to_owned(), value)
        })
        .collect();
    let digits = |layout: &[(&str, usize, u64)]| -> Vec<Value> {
        layout.iter().map(|(name, digits, _)| json!({"name": name, "digits": digits})).collect()
    };
    schema["$defs"] = json!({
        "header_fields": header,
        "token": {"enum": Token::ALL.map(Token::name)},
        "frame_fields_hex": {"description": "entries of a line", "const": digits(&hex::FRAME_FIELDS)},
        "crc32_fields_hex": {"description": "entries of a line", "const": digits(&hex::CRC_FIELDS)},
    });
    schema
}

/// Schema of every `vectors.json`.
#[must_use]
pub fn vectors() -> Value {
    let checks: Vec<&str> = Check::ALL.iter().map(|c| c.name()).collect();
    let statuses: Vec<&str> = TxStatus::ALL.iter().map(|s| s.name()).collect();
    let line = object(
        &json!({
            "id": {"type": "string", "pattern": "^[a-z][a-z0-9_]*/[0-9]{4}$"},
            "comment": text(),
            "check": {"enum": checks},
            "tx_status": {"enum": statuses},
            "requirements": requirements(),
        }),
        &["id", "comment"],
    );
    let mut schema = object(
        &json!({
            "schema_version": {"const": SCHEMA_VERSION},
            "class": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "vectors": list(&line),
        }),
        &["schema_version", "class", "vectors"],
    );
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!("Golden vectors: the vectors of a class");
    schema
}
