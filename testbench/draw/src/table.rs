// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables: columns with a name, a unit and a value; printed as CSV, Markdown or JSON.

use std::fmt::{Display, Write};

/// Value of a row in a column.
type Value<'a, R> = Box<dyn Fn(&R) -> String + 'a>;

/// A column.
struct Column<'a, R> {
    name: String,
    unit: &'static str,
    /// Aligned to the right, and without quotes in JSON.
    number: bool,
    value: Value<'a, R>,
}

/// Columns of rows of one type.
#[expect(missing_debug_implementations, reason = "closures have none")]
pub struct Table<'a, R>(Vec<Column<'a, R>>);

impl<R> Default for Table<'_, R> {
    fn default() -> Self {
        Table(Vec::new())
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
        self.0.push(Column { name, unit: "", number, value });
        self
    }

    /// The last column is in this unit.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.unit = unit;
        }
        self
    }

    fn keys(&self) -> Vec<String> {
        let key = |c: &Column<'_, R>| {
            if c.unit.is_empty() { c.name.clone() } else { format!("{}_{}", c.name, c.unit) }
        };
        self.0.iter().map(key).collect()
    }

    /// Comma-separated values with a line of names: `time_ns`.
    #[must_use]
    pub fn csv(&self, rows: &[R]) -> String {
        let mut text = self.keys().join(",") + "\n";
        for row in rows {
            let cells: Vec<String> = self.0.iter().map(|c| (c.value)(row)).collect();
            text += &cells.join(",");
            text.push('\n');
        }
        text
    }

    /// A table in Markdown with a line of names: `time, ns`.
    #[must_use]
    pub fn markdown(&self, rows: &[R]) -> String {
        rows.iter().fold(self.head(), |text, row| text + &self.row(row))
    }

    /// The first two lines of the table in Markdown.
    #[must_use]
    pub fn head(&self) -> String {
        let (mut names, mut rule) = (String::from("|"), String::from("|"));
        for Column { name, unit, number, .. } in &self.0 {
            let _ = match (name.as_str(), *unit) {
                ("", _) => write!(names, " |"),
                (name, "") => write!(names, " {name} |"),
                (name, unit) => write!(names, " {name}, {unit} |"),
            };
            rule += if *number { "---:|" } else { "---|" };
        }
        format!("{names}\n{rule}\n")
    }

    /// A line of the table in Markdown.
    #[must_use]
    pub fn row(&self, row: &R) -> String {
        let cells = self.0.iter().map(|c| format!(" {} |", (c.value)(row)));
        format!("|{}\n", cells.collect::<String>())
    }

    /// A JSON array with an object for each row.
    #[must_use]
    pub fn json(&self, rows: &[R]) -> String {
        let keys = self.keys();
        let object = |row: &R| {
            let pair = |(key, c): (&String, &Column<'_, R>)| {
                let value = (c.value)(row);
                let value = if c.number { value } else { quoted(&value) };
                format!("{}:{value}", quoted(key))
            };
            format!("{{{}}}", keys.iter().zip(&self.0).map(pair).collect::<Vec<_>>().join(","))
        };
        format!("[{}]", rows.iter().map(object).collect::<Vec<_>>().join(","))
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
    fn one_declaration_gives_three_forms() {
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
    }
}
