// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data of a page, and whether it needs anything from elsewhere.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// What comes after each `from` up to the next `to`.
pub(crate) fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    let parts = text.split(from).skip(1);
    parts.map(|part| part.split_once(to).unwrap_or_else(|| panic!("{from}: no {to}")).0).collect()
}

/// The data of the page of a run.
pub(crate) fn data(page: &str) -> Value {
    let all = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    assert_eq!(all.len(), 1);
    serde_json::from_str(all[0]).unwrap()
}

/// Base64 of the SHA-256.
fn hash(script: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in Sha256::digest(script.as_bytes()).chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b))
            << (8 * (3 - three.len()));
        let digit = |i: usize| char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize]);
        text.extend((0..4).map(|i| if i <= three.len() { digit(i) } else { '=' }));
    }
    text
}

/// The page names no other place, and a browser runs its script and no other. `own` are texts of users in it.
pub(crate) fn is_alone(page: &str, own: &[&str]) {
    let scripts = between(page, "<script>", "</script>");
    let policy = match scripts[..] {
        [] => String::new(),
        [script] => format!("; script-src 'sha256-{}'", hash(script)),
        _ => panic!("{} scripts", scripts.len()),
    };
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'{policy}\">"
    );
    assert!(page.contains(&policy), "{policy}");
    let has_data = page.contains("id=\"data\"");
    assert!(!has_data || data(page).is_object());
    let all = scripts.len() + usize::from(has_data);
    assert_eq!(page.to_lowercase().matches("<script").count(), all);
    let page = own.iter().fold(page.to_owned(), |page, text| page.replace(text, ""));
    for word in ["http:", "https:", "\"//", "src=", "@import", "url(", "<iframe", "<object", "<img"]
    {
        assert!(!page.contains(word), "{word}");
    }
    for link in between(&page, "href=\"", "\"") {
        assert_eq!(link, "data:,", "the icon");
    }
}
