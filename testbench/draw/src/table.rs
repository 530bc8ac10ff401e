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

    /// The table that [`Sheet::csv`] wrote from one with the columns and the title of this.
    ///
    /// # Errors
    /// What the text has in place of that.
    pub fn read(&self, csv: &str) -> Result<Sheet, String> {
        let keys: Vec<String> = self.heads.iter().map(Head::key).collect();
        let mut lines = csv.lines();
        let found = lines.next().unwrap_or_default();
        if found != keys.join(",") {
            return Err(format!("line 1: expected `{}`, found `{found}`", keys.join(",")));
        }
        let row = |(number, line): (usize, &str)| {
            let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            if cells.len() != self.heads.len() {
                let (wanted, found) = (self.heads.len(), cells.len());
                return Err(format!("line {number}: expected {wanted} values, found {found}"));
            }
            let wrong = |(head, cell): &(&Head, &String)| {
                head.number && cell.parse::<f64>().is_err() && cell.parse::<bool>().is_err()
            };
            match self.heads.iter().zip(&cells).find(wrong) {
                Some((head, cell)) => {
                    Err(format!("line {number}, {}: expected a number, found `{cell}`", head.key()))
                }
                None => Ok(cells),
            }
        };
        let rows = (2..).zip(lines).map(row).collect::<Result<Vec<_>, _>>()?;
        if rows.is_empty() {
            return Err("expected rows below line 1, found none".into());
        }
        Ok(Sheet { rows, ..self.clone() })
    }

    /// The rows, whose cells are found by the names that the CSV has.
    pub fn cells(&self) -> impl Iterator<Item = Cells<'_>> {
        self.rows.iter().map(|row| Cells { heads: &self.heads, row })
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

/// A row of a [`Sheet`].
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    heads: &'a [Head],
    row: &'a [String],
}

impl<'a> Cells<'a> {
    /// The cell below `key`; `None` without such a column.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&'a str> {
        let column = self.heads.iter().position(|head| head.key() == key)?;
        self.row.get(column).map(String::as_str)
    }

    /// The number below `key`; `None` without one.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?.parse().ok()
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

    #[test]
    fn what_csv_wrote_is_read() {
        let table = Table::new().text("a", |row: &(&str, f64)| row.0).number("b", |row| row.1);
        let table = table.unit("ns");
        let (blank, sheet) = (table.sheet("t", &[]), table.sheet("t", &[("x", 2.5), ("y", 3.0)]));
        let read = blank.read(&sheet.csv()).unwrap();
        assert_eq!(read, sheet);
        let cells: Vec<_> = read.cells().map(|row| (row.text("a"), row.number("b_ns"))).collect();
        assert_eq!(cells, [(Some("x"), Some(2.5)), (Some("y"), Some(3.0))]);
        let row = read.cells().next().unwrap();
        assert_eq!((row.number("a"), row.text("b")), (None, None));
        for (csv, error) in [
            ("", "line 1: expected `a,b_ns`, found ``"),
            ("a,b\nx,1\n", "line 1: expected `a,b_ns`, found `a,b`"),
            ("a,b_ns\nx\n", "line 2: expected 2 values, found 1"),
            ("a,b_ns\nx,1\nx,z\n", "line 3, b_ns: expected a number, found `z`"),
            ("a,b_ns\n", "expected rows below line 1, found none"),
        ] {
            assert_eq!(blank.read(csv), Err(error.into()));
        }
    }
}
