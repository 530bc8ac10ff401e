// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measures of this checkout, and of small ones that break a rule.

use awgstar_xtask::house::{self, House, HouseError, Mode};
use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_page_has_what_is_measured() {
    house::run(root(), Mode::Check).unwrap_or_else(|error| panic!("{error}"));
}

/// A checkout with one crate of the core, `frame`, and one of the thesis.
struct Small(tempfile::TempDir);

impl Small {
    fn new() -> Self {
        let small = Self(tempfile::tempdir().expect("a folder"));
        small.write(
            "testbench/xtask/house.toml",
            "[groups.core]\ncrates = [\"frame\"]\nuses = []\n\
             [groups.thesis]\ncrates = [\"thesis\"]\nuses = [\"core\"]\n\
             [[idea]]\nname = \"a ring\"\nends = [\"Ring\"]\nceiling = 1\n\
             [ceilings]\nnarrowings = 0\ncircles_of_files = 0\ncircles_of_neighbours = 0\n\
             imports_against_the_direction = 0\nfiles_of_a_header_field = 0\nwords = 0\n\
             header_fields = [\"c_st\", \"node_id\"]\ngenerated = []\nwords_to_replace = [\"goes round\"]\n",
        );
        small.write(
            "docs/architecture.md",
            "# A\n<!-- cargo xtask house: begin -->\n<!-- cargo xtask house: end -->\n",
        );
        for name in ["frame", "thesis"] {
            small.write(&format!("model/{name}/Cargo.toml"), "[dependencies]\n");
            small.write(&format!("model/{name}/src/lib.rs"), "pub struct FirstRing;\n");
        }
        small.write("model/thesis/src/lib.rs", "");
        house::run(small.0.path(), Mode::Write).expect("a house in order");
        house::run(small.0.path(), Mode::Check).expect("what was written");
        small
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn wrong(&self) -> HouseError {
        house::run(self.0.path(), Mode::Check).expect_err("a house with a fault")
    }

    /// The fault is a count above its ceiling, of this name.
    fn too_many(&self, name: &str) {
        let error = self.wrong();
        assert!(matches!(&error, HouseError::TooMany(text) if text.contains(name)), "{error}");
    }
}

#[test]
fn a_core_that_needs_the_thesis_fails() {
    let small = Small::new();
    for manifest in [
        "[dependencies]\nawgstar-thesis.workspace = true\n",
        "[dependencies]\nother = { package = \"awgstar-thesis\", path = \"../thesis\", optional = true }\n",
        "[build-dependencies]\nawgstar-thesis.workspace = true\n",
        "[target.'cfg(unix)'.dependencies]\nawgstar-thesis.workspace = true\n",
    ] {
        small.write("model/frame/Cargo.toml", manifest);
        let error = small.wrong();
        assert!(
            matches!(&error, HouseError::Core(text) if text == "model/frame -> awgstar-thesis"),
            "{manifest}{error}"
        );
    }
}

#[test]
fn tests_of_the_core_may_need_the_thesis() {
    let small = Small::new();
    small.write("model/frame/Cargo.toml", "[dev-dependencies]\nawgstar-thesis.workspace = true\n");
    house::run(small.0.path(), Mode::Check).expect("a dependency of tests");
}

#[test]
fn programs_that_need_the_thesis_are_counted() {
    let small = Small::new();
    let rules = "testbench/xtask/house.toml";
    let text = fs::read_to_string(small.0.path().join(rules)).expect("the rules");
    let more = "[groups.programs]\ncrates = [\"program\"]\nuses = [\"core\"]\n";
    small.write(rules, &format!("{more}{text}"));
    small.write("model/program/Cargo.toml", "[dependencies]\nawgstar-thesis.workspace = true\n");
    small.write("model/program/src/lib.rs", "");
    small.too_many("against the direction");
}

#[test]
fn the_packages_of_a_group_are_options_of_cargo() {
    let small = Small::new();
    assert_eq!(house::group(small.0.path(), "thesis").expect("a group"), "-p awgstar-thesis\n");
    let error = house::group(small.0.path(), "these").expect_err("no group").to_string();
    assert_eq!(error, "group these: expected one of core, thesis");
    let core = house::group(root(), "core").expect("the core");
    assert!(core.contains("-p awgstar -p ") && !core.contains("cli"), "{core}");
}

#[test]
fn a_dependency_of_the_thesis_on_the_core_is_right() {
    let small = Small::new();
    small.write("model/thesis/Cargo.toml", "[dependencies]\nawgstar-frame.workspace = true\n");
    house::run(small.0.path(), Mode::Check).expect("the direction of the groups");
}

#[test]
fn a_circle_between_folders_fails() {
    let small = Small::new();
    small.write("model/thesis/src/a/mod.rs", "use crate::b::B; pub struct A;");
    small.write("model/thesis/src/b/mod.rs", "use crate::a::A; pub struct B;");
    small.too_many("between neighbours");
}

#[test]
fn a_second_form_of_an_idea_fails() {
    let small = Small::new();
    small.write("model/thesis/src/second.rs", "enum SecondRing {}\n");
    small.too_many("a ring");
}

/// Rules with one more line in the idea "a ring".
fn with_entry(small: &Small, entry: &str) {
    let rules = "testbench/xtask/house.toml";
    let text = fs::read_to_string(small.0.path().join(rules)).expect("the rules");
    small.write(rules, &text.replace("ends = [\"Ring\"]", &format!("ends = [\"Ring\"]\n{entry}")));
}

#[test]
fn a_form_that_is_named_counts_whatever_its_kind() {
    let small = Small::new();
    with_entry(&small, "kinds = [\"struct\"]\ntypes = [\"src/lib.rs: Circle\"]");
    small.write("model/thesis/src/lib.rs", "pub enum Circle<M: Clone> { One(M) }\n");
    small.too_many("a ring");
}

#[test]
fn an_entry_without_a_definition_fails() {
    for entry in ["types = [\"src/lib.rs: Gone\"]", "not = [\"src/lib.rs: Gone\"]"] {
        let small = Small::new();
        with_entry(&small, entry);
        let error = small.wrong().to_string();
        assert!(
            error.ends_with("idea \"a ring\": no definition is \"src/lib.rs: Gone\""),
            "{error}"
        );
    }
}

#[test]
fn each_other_count_has_a_ceiling() {
    let small = Small::new();
    small.write("model/thesis/src/lib.rs", "fn f(x: u64) -> u8 { u8::try_from(x).unwrap_or(0) }\n");
    small.too_many("with a default");
    small.write("model/thesis/src/lib.rs", "struct Header { c_st: u8, node_id: u8 }\n");
    small.too_many("header fields");
    small.write("model/thesis/src/lib.rs", "// A frame goes round.\n");
    small.too_many("words");
}

#[test]
fn another_number_of_lines_makes_the_page_stale() {
    let small = Small::new();
    small.write("model/thesis/src/lib.rs", "\n\n");
    let error = small.wrong();
    assert!(
        matches!(&error, HouseError::Stale { lines, .. } if lines.contains("model/thesis")),
        "{error}"
    );
}

#[test]
fn a_crate_without_a_group_fails() {
    let small = Small::new();
    small.write("model/new/Cargo.toml", "");
    small.write("model/new/src/lib.rs", "");
    let error = small.wrong();
    assert!(error.to_string().contains("no group has the crate model/new"), "{error}");
}

#[test]
fn the_checkout_has_rooms_with_lines() {
    let house = House::measure(root()).expect("the checkout");
    assert!(house.rooms.iter().all(|room| room.lines > 0 && room.files > 0), "{:?}", house.rooms);
}
