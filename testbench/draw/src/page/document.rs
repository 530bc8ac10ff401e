// SPDX-License-Identifier: MIT OR Apache-2.0
//! A page of text, tables and pictures.

use super::{hash_of, whole};
use crate::markup::escape;
use crate::table::Sheet;
use std::fmt::Write as _;

/// Sorts and searches the tables of a page.
pub(super) const SCRIPT: &str = include_str!("tables.js");

/// A page that is read from top to bottom. Every text is shown as text, not as HTML.
#[derive(Clone, Debug)]
pub struct Document {
    title: String,
    body: String,
    /// There is a table with rows to sort.
    tables: bool,
}

impl Document {
    /// With this title as its first heading.
    #[must_use]
    pub fn new(title: &str) -> Document {
        let body = format!("<h1>{}</h1>\n", escape(title));
        Document { title: title.into(), body, tables: false }
    }

    /// The verdict in a sentence, and whether it is good.
    pub fn verdict(&mut self, text: &str, good: bool) {
        let class = if good { "pass" } else { "fail" };
        let _ = writeln!(self.body, "<p class=\"verdict {class}\">{}</p>", escape(text));
    }

    /// A heading of a section.
    pub fn section(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
    }

    /// A heading within a section.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h3>{}</h3>", escape(text));
    }

    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(text));
    }

    /// Lines of text, unless there are none.
    pub fn lines(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let _ = writeln!(self.body, "<pre>{}</pre>", escape(text.trim_end()));
        }
    }

    /// A table with its title.
    pub fn table(&mut self, sheet: &Sheet) {
        if !sheet.title().is_empty() {
            self.heading(sheet.title());
        }
        self.body += &sheet.html();
        self.tables = true;
    }

    /// A table that is shown when its title is clicked.
    pub fn folded(&mut self, sheet: &Sheet) {
        let (title, html) = (escape(sheet.title()), sheet.html());
        let _ = writeln!(self.body, "<details><summary>{title}</summary>\n{html}</details>");
        self.tables = true;
    }

    /// Pictures side by side where there is room. Each is an SVG file.
    pub fn pictures<'a>(&mut self, files: impl IntoIterator<Item = &'a str>) {
        self.body.push_str("<div class=\"pictures\">\n");
        for file in files {
            // The declaration and the name space belong to a file, not to a picture inside HTML.
            let picture = file.find("<svg").map_or("", |at| &file[at..]);
            let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
            let _ = writeln!(self.body, "<div class=\"scroll\">{}</div>", picture.trim_end());
        }
        self.body.push_str("</div>\n");
    }

    /// Signals, each with a value in every column; the column `mark` is marked.
    pub fn wave(&mut self, columns: &[String], rows: &[(String, Vec<String>)], mark: usize) {
        let class = |i: usize| if i == mark { " class=\"mark\"" } else { "" };
        self.body.push_str("<div class=\"scroll\"><table class=\"wave\"><tr><th></th>");
        for (i, head) in columns.iter().enumerate() {
            let _ = write!(self.body, "<th{}>{}</th>", class(i), escape(head));
        }
        self.body.push_str("</tr>\n");
        for (name, values) in rows {
            let _ = write!(self.body, "<tr><th>{}</th>", escape(name));
            for (i, value) in values.iter().enumerate() {
                let _ = write!(self.body, "<td{}>{}</td>", class(i), escape(value));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table></div>\n");
    }

    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        if !self.tables {
            return whole(&self.title, None, "text", &self.body);
        }
        let body = format!("{}<script>{SCRIPT}</script>\n", self.body);
        whole(&self.title, Some(&hash_of(SCRIPT)), "text", &body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    const EVIL: &str = "</script><script>x</script><img src=x onerror='y'>\u{1b}\u{0}<!--&\"";

    #[test]
    fn every_text_is_text() {
        let mut page = Document::new(EVIL);
        page.verdict(EVIL, false);
        page.section(EVIL);
        page.heading(EVIL);
        page.paragraph(EVIL);
        page.lines(EVIL);
        let sheet = Table::new().text(EVIL, |_: &u8| EVIL).sheet(EVIL, &[0]);
        page.table(&sheet);
        page.folded(&sheet);
        page.wave(&[EVIL.into()], &[(EVIL.into(), vec![EVIL.into()])], 0);
        let html = page.html();
        // The title twice, five texts, thrice in each table, thrice in the wave.
        assert_eq!(html.matches("&lt;/script&gt;&lt;script&gt;x").count(), 2 + 5 + 3 + 3 + 3);
        assert_eq!(html.matches("<script").count(), 1, "the page's own");
        assert_eq!(html.matches("</script").count(), 1);
        for bad in ["<img", "<!--", "onerror='", "\u{1b}", "\u{0}"] {
            assert!(!html.contains(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_page_without_tables_has_no_script() {
        let mut page = Document::new("t");
        page.lines(" \n");
        page.pictures([
            "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\"/>\n",
        ]);
        let html = page.html();
        assert!(!html.contains("script") && !html.contains("<pre>") && !html.contains("http:"));
        assert!(html.contains("<div class=\"scroll\"><svg width=\"1\"/></div>"), "{html}");
    }
}
