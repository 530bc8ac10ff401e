// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages of the site. It is built by `cargo xtask site`, a step of `testbench/long.sh`.

use awgstar_xtask::site;
use std::{fs, path::Path};

#[test]
fn every_page_is_in_the_book() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let book = site::summary(root).unwrap_or_else(|error| panic!("{error}"));
    let pages = book.lines().filter(|line| line.ends_with(".md)")).count();
    assert!(pages > 90, "{pages}\n{book}");
}

#[test]
fn the_book_has_the_order_of_the_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let docs = folder.path().join("docs");
    fs::create_dir_all(docs.join("blocks")).expect("a folder");
    let index = "# A\n![p](p.svg)\n## B\n- [C](c.md): [d](x/)?\n- [V](../v/README.md): e\n| part | |\n|---|---|\n| f | [g](blocks/g.md) |\n";
    for (name, text) in [("README.md", index), ("c.md", ""), ("blocks/g.md", "")] {
        fs::write(docs.join(name), text).expect("a file");
    }
    let book = "# Summary\n\n[awgstar](README.md)\n[All pages](docs/README.md)\n\n# B\n\n\
                - [C](docs/c.md)\n- [V](v/README.md)\n- [f]()\n  - [g](docs/blocks/g.md)\n";
    assert_eq!(site::summary(folder.path()).expect("a book"), book);
    fs::write(docs.join("blocks/h.md"), "").expect("a file");
    let error = site::summary(folder.path()).expect_err("a page is missing").to_string();
    assert_eq!(error, "docs/README.md, the index, does not name docs/blocks/h.md");
}
