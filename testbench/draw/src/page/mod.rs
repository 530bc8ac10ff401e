// SPDX-License-Identifier: MIT OR Apache-2.0
//! HTML pages that need no other file and no network: one head and one style sheet for the
//! page of a run and for pages of text, tables and pictures.

mod document;

use crate::markup::escape;
pub use document::Document;
use sha2::{Digest, Sha256};

/// Style of all pages.
const STYLE: &str = include_str!("style.css");
/// What a page of a run has in its body, before its data and its script.
const RUN_BODY: &str = include_str!("run.html");
/// The script of a page of a run.
const RUN_SCRIPT: &str = include_str!("run.js");

/// The page of a run. `json` is its data.
#[must_use]
pub fn run(title: &str, json: &str) -> String {
    // Nothing in the data ends the element that it is in.
    let json = json.replace('<', "\\u003c");
    let body = format!(
        "{RUN_BODY}<script type=\"application/json\" id=\"data\">{json}</script>\n<script>{RUN_SCRIPT}</script>\n"
    );
    whole(title, Some(&hash_of(RUN_SCRIPT)), "run", &body)
}

/// The SHA-256 of a script: a browser runs the script with this hash and no other.
fn hash_of(script: &str) -> String {
    base64(&Sha256::digest(script.as_bytes()))
}

fn whole(title: &str, script: Option<&str>, class: &str, body: &str) -> String {
    let policy = script.map(|hash| format!("; script-src 'sha256-{hash}'")).unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{STYLE}</style></head>\n\
         <body class=\"{class}\">\n{body}</body></html>\n",
        escape(title)
    )
}

/// Bytes in Base64 with padding (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize]);
            out.push(if i <= three.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn data_does_not_end_its_element() {
        let page = run("</title><script>a", r#"{"t":"</script><script>b<!--"}"#);
        assert_eq!(page.matches("<script").count(), 2, "the data and the script");
        assert!(!page.contains("<!--") && !page.contains("<script>a"));
        assert!(page.contains(r#"{"t":"\u003c/script>\u003cscript>b\u003c!--"}"#));
    }

    #[test]
    fn a_page_names_no_other_place() {
        for text in [STYLE, RUN_BODY, RUN_SCRIPT, document::SCRIPT] {
            for word in
                ["http:", "https:", "//www", "url(", "@import", "fetch(", "XMLHttp", "eval("]
            {
                assert!(!text.contains(word), "{word}");
            }
        }
        // With it the script would end early.
        assert!(!RUN_SCRIPT.contains("</script") && !document::SCRIPT.contains("</script"));
    }
}
