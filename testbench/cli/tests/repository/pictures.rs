// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures can be read: no two texts overlap, and none leaves its page.

use assert_cmd::Command;
use awgstar_draw::svg::text_width;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Left, right, top, bottom in pixels, and the text.
#[derive(Clone, Debug)]
struct Label {
    x: (f64, f64),
    y: (f64, f64),
    text: String,
}

/// What elements inherit.
#[derive(Clone, Copy, Debug)]
struct Style {
    size: f64,
    /// Part of the width left of the point.
    anchor: f64,
    origin: (f64, f64),
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn number(tag: &str, name: &str) -> Option<f64> {
    attribute(tag, name)?.parse().ok()
}

impl Style {
    fn inside(self, tag: &str) -> Style {
        let anchor = match attribute(tag, "text-anchor") {
            Some("middle") => 0.5,
            Some("end") => 1.0,
            Some(_) => 0.0,
            None => self.anchor,
        };
        let moved = attribute(tag, "transform").and_then(|t| t.strip_prefix("translate("));
        let moved = moved.and_then(|t| t.trim_end_matches(')').split_once(' '));
        let by = moved.and_then(|(x, y)| Some((x.parse::<f64>().ok()?, y.parse::<f64>().ok()?)));
        let (x, y) = by.unwrap_or((0.0, 0.0));
        Style {
            size: number(tag, "font-size").unwrap_or(self.size),
            anchor,
            origin: (self.origin.0 + x, self.origin.1 + y),
        }
    }
}

/// Texts are narrower in most fonts than [`text_width`] says, and their boxes have room above and below.
fn label(tag: &str, style: Style, text: &str) -> Label {
    let text = ["&lt;<", "&gt;>", "&quot;\"", "&#39;'", "&amp;&"].into_iter().fold(
        text.trim().to_owned(),
        |text, pair| {
            let (name, c) = pair.split_at(pair.len() - 1);
            text.replace(name, c)
        },
    );
    let (size, width) = (style.size, 0.85 * text_width(&text, style.size));
    let down = match attribute(tag, "dy") {
        Some("0.76em") => 0.76 * size,
        Some("0.5ex") => 0.27 * size,
        Some("-0.5ex") => -0.27 * size,
        _ => 0.0,
    };
    let along = (-style.anchor * width, (1.0 - style.anchor) * width);
    let across = (down - 0.7 * size, down + 0.15 * size);
    let at = (
        style.origin.0 + number(tag, "x").unwrap_or(0.0),
        style.origin.1 + number(tag, "y").unwrap_or(0.0),
    );
    if attribute(tag, "transform").is_some_and(|t| t.starts_with("rotate(270")) {
        // Upwards.
        let x = (at.0 + across.0, at.0 + across.1);
        return Label { x, y: (at.1 - along.1, at.1 - along.0), text };
    }
    Label { x: (at.0 + along.0, at.0 + along.1), y: (at.1 + across.0, at.1 + across.1), text }
}

/// The size of the page and all texts.
fn read(svg: &str) -> ((f64, f64), Vec<Label>) {
    let mut page = (0.0, 0.0);
    let mut styles = vec![Style { size: 12.0, anchor: 0.0, origin: (0.0, 0.0) }];
    let mut labels = Vec::new();
    let svg = svg.split("<style>").collect::<Vec<_>>();
    let centred = svg.get(1).is_some_and(|style| style.contains("text{text-anchor:middle"));
    let body: String = svg[..1]
        .iter()
        .copied()
        .chain(svg.get(1).and_then(|rest| rest.split_once("</style>")).map(|p| p.1))
        .collect();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        if tag.starts_with('/') {
            if ["/g", "/svg", "/text"].contains(&tag) {
                styles.pop();
            }
            continue;
        }
        let Some(&outer) = styles.last() else { continue };
        let style = outer.inside(tag);
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if name == "svg" {
            let view = attribute(tag, "viewBox").expect("a view box");
            let view: Vec<f64> = view.split(' ').map(|n| n.parse().unwrap()).collect();
            page = (view[2], view[3]);
        }
        if name == "text" {
            assert!(!centred, "the style of a text must be an attribute");
            labels.push(label(tag, style, text));
        }
        if ["svg", "g", "text"].contains(&name) && !tag.ends_with('/') {
            styles.push(style);
        }
    }
    (page, labels)
}

/// What is wrong with the texts of a picture.
fn faults(name: &str, svg: &str) -> Vec<String> {
    let ((width, height), labels) = read(svg);
    let mut found = Vec::new();
    for (i, one) in labels.iter().enumerate().filter(|(_, one)| !one.text.is_empty()) {
        if one.x.0 < 0.0 || one.x.1 > width || one.y.0 < 0.0 || one.y.1 > height {
            found.push(format!("{name}: `{}` leaves the page", one.text));
        }
        for other in labels[i + 1..].iter().filter(|other| !other.text.is_empty()) {
            let apart = |a: (f64, f64), b: (f64, f64)| a.1 <= b.0 || b.1 <= a.0;
            // The plotting library writes the label at the end of an axis twice.
            let twice = one.text == other.text && one.x == other.x && one.y == other.y;
            if !twice && !apart(one.x, other.x) && !apart(one.y, other.y) {
                found.push(format!("{name}: `{}` and `{}` overlap", one.text, other.text));
            }
        }
    }
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pictures(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pictures(&path, all);
        } else if path.extension().is_some_and(|e| e == "svg") {
            all.push(path);
        }
    }
}

#[test]
fn texts_of_the_documents_do_not_overlap() {
    let mut all = Vec::new();
    pictures(&root().join("docs"), &mut all);
    assert!(all.len() >= 50, "{} pictures", all.len());
    let found: Vec<String> = all
        .iter()
        .flat_map(|path| faults(&path.display().to_string(), &fs::read_to_string(path).unwrap()))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The picture of the board has the modules that `smb` instantiates, itself and in its body.
#[test]
fn the_board_is_drawn_with_all_its_modules() {
    let text = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let board = text("hdl/smb.v") + &text("hdl/include/smb_core.vh");
    let picture = text("docs/board.svg");
    let mut drawn = 0;
    for entry in fs::read_dir(root().join("hdl")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let begins = |line: &str| line.split_whitespace().next() == Some(name);
        if path.extension().is_some_and(|e| e == "v") && board.lines().any(begins) {
            let named = [format!(">{name}<"), format!(">{name}:")];
            assert!(named.iter().any(|n| picture.contains(n)), "docs/board.svg: no {name}");
            drawn += 1;
        }
    }
    assert!(drawn >= 15, "{drawn} modules");
}

#[test]
fn texts_of_a_run_do_not_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let svg = folder.path().join("run.svg");
    let to = svg.to_str().unwrap();
    for args in [
        &["sim", "docs/scenarios/lock.toml", "--svg", to][..],
        &["sim", "docs/scenarios/first.toml", "--svg", to],
        &["study", "counterexample", "lock_mw_printed_grant_again", "--out", out],
        &["study", "counterexample", "paging_printed_in_use", "--out", out],
    ] {
        Command::cargo_bin("awgstar").unwrap().current_dir(root()).args(args).assert().success();
        let found = faults(&args.join(" "), &fs::read_to_string(&svg).unwrap());
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn overlaps_and_cut_labels_are_found() {
    let svg = |texts: &str| {
        format!(
            "<svg viewBox=\"0 0 200 100\" font-size=\"10\">\n<g transform=\"translate(5 5)\">{texts}</g></svg>"
        )
    };
    let near =
        svg("<text x=\"0\" y=\"20\">first label</text><text x=\"20\" y=\"24\">second</text>");
    assert_eq!(faults("p", &near), ["p: `first label` and `second` overlap"]);
    let cut = svg("<text x=\"180\" y=\"20\">first label</text>");
    assert_eq!(faults("p", &cut), ["p: `first label` leaves the page"]);
    let well = svg("<text x=\"0\" y=\"20\">first label</text><text x=\"0\" y=\"34\">second</text>");
    assert!(faults("p", &well).is_empty());
}
