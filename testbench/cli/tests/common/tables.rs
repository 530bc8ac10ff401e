// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of a page.

use crate::html::between;

/// The text of an element without elements inside.
pub(crate) fn plain(html: &str) -> String {
    assert!(!html.contains('<'), "{html}");
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(html.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// A table: its heads, and the cells of each row.
pub(crate) type Cells = (Vec<String>, Vec<Vec<String>>);

/// Texts of elements with this name.
fn texts(html: &str, name: &str) -> Vec<String> {
    let all = between(html, &format!("<{name}"), &format!("</{name}>"));
    all.iter().map(|one| plain(one.split_once('>').unwrap().1)).collect()
}

/// The tables whose rows a reader can sort.
pub(crate) fn tables(page: &str) -> Vec<Cells> {
    let table = |html: &str| {
        let (head, body) = html.split_once("</thead>").unwrap();
        (
            texts(&head.replace("<thead>", ""), "th"),
            between(body, "<tr", "</tr>").iter().map(|row| texts(row, "td")).collect(),
        )
    };
    between(page, "<table class=\"rows\">", "</table>").into_iter().map(table).collect()
}
