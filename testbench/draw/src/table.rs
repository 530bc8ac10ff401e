// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables: columns with a name, a unit and a value; printed as CSV, Markdown, HTML or JSON.

use crate::markup::escape;
use std::fmt::{Display, Write};

/// Value of a row in a column.
type Value<'a, R> = Box<dyn Fn(&R) -> String + 'a>;

/// Class of a row.
type Class<'a, R> = Box<dyn Fn(&R) -> &'static str + 'a>;

/// Name of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    name: String,
    unit: &'static str,
    /// Aligned to the right, and without quotes in JSON.
    number: bool,
}

impl Head {
    /// For programs: `time_ns`.
    fn key(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{}_{}", self.name, self.unit)
        }
    }

    /// For people: `time, ns`.
    fn label(&self) -> String {
        if self.name.is_empty() || self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{}, {}", self.name, self.unit)
        }
    }
}

/// Columns of rows of one type.
#[expect(missing_debug_implementations, reason = "closures have none")]
pub struct Table<'a, R> {
    columns: Vec<(Head, Value<'a, R>)>,
    class: Option<Class<'a, R>>,
}

impl<R> Default for Table<'_, R> {
    fn default() -> Self {
        Table { columns: Vec::new(), class: None }
    }
}

impl<'a, R> Table<'a, R> {
    /// Without columns.
    #[must_use]
    pub fn new() -> Self {
        Table::default()
    }

    /// With a column of numbers after the others.
    #[must_use]
    pub fn number<D: Display>(self, name: impl Into<String>, value: impl Fn(&R) -> D + 'a) -> Self {
        self.column(name.into(), true, Box::new(move |row| value(row).to_string()))
    }

    /// With a column of texts after the others.
    #[must_use]
    pub fn text<D: Display>(self, name: impl Into<String>, value: impl Fn(&R) -> D + 'a) -> Self {
        self.column(name.into(), false, Box::new(move |row| value(row).to_string()))
    }

    fn column(mut self, name: String, number: bool, value: Value<'a, R>) -> Self {
        self.columns.push((Head { name, unit: "", number }, value));
        self
    }

    /// The last column is in this unit.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Self {
        if let Some((last, _)) = self.columns.last_mut() {
            last.unit = unit;
        }
        self
    }

    /// Rows have this class of the style sheet in HTML.
    #[must_use]
    pub fn class(mut self, class: impl Fn(&R) -> &'static str + 'a) -> Self {
        self.class = Some(Box::new(class));
        self
    }

    /// The table with these rows.
    #[must_use]
    pub fn sheet(&self, title: impl Into<String>, rows: &[R]) -> Sheet {
        let heads = self.columns.iter().map(|(head, _)| head.clone()).collect();
        let cells = |row| self.columns.iter().map(|(_, value)| value(row)).collect();
        Sheet {
            title: title.into(),
            heads,
            rows: rows.iter().map(cells).collect(),
            classes: self.class.iter().flat_map(|class| rows.iter().map(class)).collect(),
        }
    }

    /// See [`Sheet::csv`].
    #[must_use]
    pub fn csv(&self, rows: &[R]) -> String {
        self.sheet("", rows).csv()
    }

    /// See [`Sheet::markdown`].
    #[must_use]
    pub fn markdown(&self, rows: &[R]) -> String {
        self.sheet("", rows).markdown()
    }

    /// The first two lines of the table in Markdown.
    #[must_use]
    pub fn head(&self) -> String {
        self.markdown(&[])
    }

    /// A line of the table in Markdown.
    #[must_use]
    pub fn row(&self, row: &R) -> String {
        line(self.columns.iter().map(|(_, value)| value(row)))
    }

    /// See [`Sheet::json`].
    #[must_use]
    pub fn json(&self, rows: &[R]) -> String {
        self.sheet("", rows).json()
    }
}

/// Most characters of a text in a table that a browser does not break into lines.
const LINE: usize = 48;

/// A line of a table in Markdown.
fn line(cells: impl Iterator<Item = String>) -> String {
    let text = cells.fold(String::from("|"), |text, cell| text + " " + &cell + " |");
    text + "\n"
}

/// A table whose cells are texts, with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    title: String,
    heads: Vec<Head>,
    rows: Vec<Vec<String>>,
    /// Classes of the rows in HTML; none, or one for each.
    classes: Vec<&'static str>,
}

impl Sheet {
    /// The title; empty if there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The cells, row by row.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Comma-separated values with a line of names: `time_ns`.
    #[must_use]
    pub fn csv(&self) -> String {
        let keys: Vec<String> = self.heads.iter().map(Head::key).collect();
        self.rows.iter().fold(keys.join(",") + "\n", |text, row| text + &row.join(",") + "\n")
    }

    /// The title in bold, and a table in Markdown with a line of names: `time, ns`.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = write!(text, "**{}**\n\n", self.title);
        }
        text.push('|');
        for head in &self.heads {
            let label = head.label();
            let space = if label.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{label} |");
        }
        text.push_str("\n|");
        for head in &self.heads {
            text.push_str(if head.number { "---:|" } else { "---|" });
        }
        text.push('\n');
        self.rows.iter().fold(text, |text, row| text + &line(row.iter().cloned()))
    }

    /// A table in HTML that the script of a [`crate::page::Document`] sorts and searches.
    #[must_use]
    pub fn html(&self) -> String {
        let class = |head: &Head| if head.number { " class=\"n\"" } else { "" };
        let mut text = String::from("<div class=\"scroll\"><table class=\"rows\"><thead><tr>");
        for head in &self.heads {
            let _ = write!(text, "<th{}>{}</th>", class(head), escape(&head.label()));
        }
        text.push_str("</tr></thead><tbody>\n");
        for (i, row) in self.rows.iter().enumerate() {
            match self.classes.get(i) {
                Some(class) if !class.is_empty() => {
                    let _ = write!(text, "<tr class=\"{}\">", escape(class));
                }
                _ => text.push_str("<tr>"),
            }
            for (head, cell) in self.heads.iter().zip(row) {
                let long = !head.number && cell.chars().count() > LINE;
                let class = if long { " class=\"long\"" } else { class(head) };
                let _ = write!(text, "<td{class}>{}</td>", escape(cell));
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody></table></div>\n");
        text
    }

    /// A JSON array with an object for each row.
    #[must_use]
    pub fn json(&self) -> String {
        let object = |row: &Vec<String>| {
            let pair = |(head, value): (&Head, &String)| {
                let value = if head.number { value.clone() } else { quoted(value) };
                format!("{}:{value}", quoted(&head.key()))
            };
            format!("{{{}}}", self.heads.iter().zip(row).map(pair).collect::<Vec<_>>().join(","))
        };
        format!("[{}]", self.rows.iter().map(object).collect::<Vec<_>>().join(","))
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn one_declaration_gives_four_forms() {
        let table = Table::new()
            .text("name", |row: &(&str, u64)| row.0)
            .number("time", |row| row.1)
            .unit("ns");
        let rows = [("a \"b\"", 3), ("c", 4)];
        assert_eq!(table.csv(&rows), "name,time_ns\na \"b\",3\nc,4\n");
        assert_eq!(
            table.markdown(&rows),
            "| name | time, ns |\n|---|---:|\n| a \"b\" | 3 |\n| c | 4 |\n"
        );
        assert_eq!(
            table.json(&rows),
            r#"[{"name":"a \"b\"","time_ns":3},{"name":"c","time_ns":4}]"#
        );
        assert_eq!(
            table.class(|row| if row.1 > 3 { "fail" } else { "" }).sheet("t", &rows).html(),
            "<div class=\"scroll\"><table class=\"rows\"><thead><tr><th>name</th><th class=\"n\">time, ns</th></tr></thead><tbody>\n\
             <tr><td>a &quot;b&quot;</td><td class=\"n\">3</td></tr>\n\
             <tr class=\"fail\"><td>c</td><td class=\"n\">4</td></tr>\n</tbody></table></div>\n"
        );
    }

    #[test]
    fn a_long_text_is_broken_into_lines() {
        let table = Table::new().text("t", |row: &usize| "a ".repeat(*row));
        let html = table.sheet("", &[24, 25]).html();
        assert_eq!(html.matches("<td>").count(), 1);
        assert_eq!(html.matches("<td class=\"long\">").count(), 1);
    }

    #[test]
    fn a_column_without_a_name_has_an_empty_head() {
        let table = Table::new().text("", |row: &u8| *row).number("n", |row| *row).unit("ns");
        assert_eq!(
            table.sheet("a b", &[7]).markdown(),
            "**a b**\n\n| | n, ns |\n|---|---:|\n| 7 | 7 |\n"
        );
        assert_eq!((table.head() + &table.row(&7)).as_str(), table.markdown(&[7]));
    }
}
