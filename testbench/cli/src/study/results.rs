// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a study found: tables that are printed, files, and a page for a browser.

use awgstar_draw::page::Document;
use awgstar_draw::plot::{Area, Axes, Line, map, plot};
use awgstar_draw::table::{Cells, Sheet};

/// A file of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub name: String,
    /// Contents of the file.
    pub text: String,
}

impl File {
    /// A plot, as SVG.
    ///
    /// # Errors
    /// The message of the plotting library.
    pub fn plot(stem: &str, axes: Axes<'_>, lines: &[Line]) -> Result<File, String> {
        Ok(File { name: format!("{stem}.svg"), text: plot(axes, lines)? })
    }

    /// A map, as SVG: its lines are those of so many things in turn.
    ///
    /// # Errors
    /// The message of the plotting library.
    pub fn map(
        stem: &str,
        axes: Axes<'_>,
        areas: &[Area],
        things: usize,
        lines: &[Line],
    ) -> Result<File, String> {
        Ok(File { name: format!("{stem}.svg"), text: map(axes, areas, things, lines)? })
    }
}

/// A study whose plots are drawn from its rows, measured now or read from a file.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The subject.
    pub title: &'static str,
    /// Units, in sentences.
    pub units: &'static str,
    /// The columns of its CSV file.
    pub columns: fn() -> Sheet,
    /// Its plots of these rows, or the message of the plotting library.
    pub plots: fn(&Sheet) -> Result<Vec<File>, String>,
}

impl Subject {
    /// The results of these rows, with tables of them to print.
    ///
    /// # Errors
    /// The message of the plotting library.
    pub fn results(
        &self,
        rows: Sheet,
        tables: impl FnOnce(&Sheet) -> Vec<Sheet>,
    ) -> Result<Results, String> {
        let Subject { title, units, plots, .. } = *self;
        let tables = tables(&rows);
        Ok(Results { title, units, tables, plots: plots(&rows)?, rows: vec![rows] })
    }

    /// The results of the rows of a CSV file.
    ///
    /// # Errors
    /// What the file has in place of rows of this study; the message of the plotting library.
    pub fn read(&self, csv: &str) -> Result<Results, String> {
        self.results((self.columns)().read(csv)?, |_| Vec::new())
    }
}

/// A line for each name that `point` gives, of the rows for which it gives one.
pub(super) fn lines<'a>(
    rows: &'a Sheet,
    point: impl Fn(Cells<'a>) -> Option<(&'a str, f64, f64)>,
) -> Vec<Line> {
    let named = |(name, x, y): (&str, f64, f64)| (name.to_owned(), (x, y));
    Line::by_name(rows.cells().filter_map(point).map(named))
}

/// The results of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// The subject.
    pub title: &'static str,
    /// Units of the tables, in sentences.
    pub units: &'static str,
    /// Tables that are printed. Without one, the first of `rows` is printed.
    pub tables: Vec<Sheet>,
    /// All rows, each table with the name of its CSV file as its title.
    pub rows: Vec<Sheet>,
    /// Plots, as SVG.
    pub plots: Vec<File>,
}

impl Results {
    /// The tables, as Markdown, or the rows as CSV.
    #[must_use]
    pub fn text(&self) -> String {
        let titled = |text: String, table: &Sheet| {
            let space = if table.title().is_empty() { "" } else { "\n" };
            format!("{text}{space}{}", table.markdown())
        };
        match self.rows.first() {
            Some(rows) if self.tables.is_empty() => rows.csv(),
            _ => self.tables.iter().fold(String::new(), titled),
        }
    }

    /// The CSV files and the plots.
    #[must_use]
    pub fn files(self) -> Vec<File> {
        let csv = |rows: &Sheet| File { name: rows.title().into(), text: rows.csv() };
        self.rows.iter().map(csv).chain(self.plots).collect()
    }

    /// A page that needs no other file. `command` is the command line that measures the same.
    #[must_use]
    pub fn page(&self, command: &str) -> String {
        let mut page = Document::new(self.title);
        page.paragraph(self.units);
        page.lines(command);
        page.paragraph(&format!("awgstar {}", env!("CARGO_PKG_VERSION")));
        if !self.plots.is_empty() {
            page.section("Plots");
            page.pictures(self.plots.iter().map(|file| file.text.as_str()));
        }
        if !self.tables.is_empty() {
            page.section("Tables");
        }
        for table in &self.tables {
            page.table(table);
        }
        page.section("All rows");
        for rows in &self.rows {
            page.folded(rows);
        }
        page.html()
    }
}
