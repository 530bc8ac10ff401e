// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a simulator reads decides whether it compiles again.

use crate::build::{build, rules_in};
use crate::recipe::{Compiled, Compiler, Laid, Recipe};
use crate::verilator::{elaborator, preprocessor, strings, verilate};
use crate::{Icarus, SimError};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, process::Command, time::Duration};

/// Counts how often something is compiled. Verilator's C++ is the result: it need not be compiled.
struct Counted {
    verilator: bool,
    version: &'static str,
    compiled: AtomicUsize,
}

impl Compiler for Counted {
    fn about(&self) -> (&'static str, &'static str, Duration) {
        ("counted", "verilator", Duration::from_secs(60))
    }

    fn identity(&self) -> Result<String, SimError> {
        Ok(self.version.into())
    }

    fn preprocess(&self, recipe: &Recipe, laid: &Laid) -> Command {
        if self.verilator { preprocessor(recipe, laid) } else { Icarus.preprocess(recipe, laid) }
    }

    fn elaborate(&self, recipe: &Recipe, laid: &Laid) -> Command {
        if self.verilator { elaborator(recipe, laid) } else { Icarus.elaborate(recipe, laid) }
    }

    fn compile(&self, recipe: &Recipe, laid: &Laid) -> Result<Compiled, SimError> {
        self.compiled.fetch_add(1, Ordering::Relaxed);
        if !self.verilator {
            return Icarus.compile(recipe, laid);
        }
        let folder = verilate(self, recipe, laid)?;
        Ok(Compiled { product: folder.join("Vtop.cpp"), read: rules_in(&folder)? })
    }
}

/// A design in two folders, with an include file and, for Verilator, a module that it looks for.
struct Design {
    folder: tempfile::TempDir,
    recipe: Recipe,
    compiler: Counted,
}

impl Design {
    fn new(verilator: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let leaf = if verilator { "leaf u (.a(a), .y(y));" } else { "assign y = a;" };
        for (name, text) in [
            (
                "rtl/top.v",
                format!(
                    "`include \"m.svh\"\nmodule top(input a, output y, output z); assign z = `M; {leaf} endmodule\n"
                ),
            ),
            ("first/none.txt", String::new()),
            ("second/m.svh", "`define M 1'b0\n".into()),
            ("second/leaf.v", "module leaf(input a, output y); assign y = a; endmodule\n".into()),
        ] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), text).unwrap();
        }
        let recipe = Recipe {
            module: "top",
            top: "top".into(),
            flags: strings(if verilator { &["--cc"] } else { &["-g2012"] }).collect(),
            files: vec![at("rtl/top.v")],
            includes: vec![at("first"), at("second")],
            ..Recipe::default()
        };
        let compiler = Counted { verilator, version: "1", compiled: AtomicUsize::new(0) };
        Design { folder, recipe, compiler }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// Returns true if it is compiled now; checks the contents of the cache.
    fn compiles(&self) -> bool {
        let before = self.compiler.compiled.load(Ordering::Relaxed);
        let product = build(&self.compiler, &self.recipe, &self.folder.path().join("out"));
        let product = product.unwrap_or_else(|e| panic!("{e}"));
        assert!(fs::metadata(&product.file).unwrap().len() > 0);
        self.compiler.compiled.load(Ordering::Relaxed) > before
    }

    /// Every change is compiled, once.
    #[track_caller]
    fn is_new(&self) {
        assert!(self.compiles(), "an old result is used");
        assert!(!self.compiles(), "nothing has changed");
    }
}

fn included(design: &mut Design) {
    design.is_new();
    design.write("second/m.svh", "`define M 1'b1\n");
    design.is_new();
    // Found before the one that was read.
    design.write("first/m.svh", "`define M 1'bx\n");
    design.is_new();
    design.recipe.texts.push(("extra.v", "// another text\n".into()));
    design.is_new();
    design.compiler.version = "2";
    design.is_new();
}

#[test]
fn what_icarus_reads_decides() {
    let mut design = Design::new(false);
    included(&mut design);
    design.recipe.flags.push("-DX".into());
    design.is_new();
}

#[test]
fn what_verilator_reads_decides() {
    let mut design = Design::new(true);
    included(&mut design);
    let leaf = |y: &str| format!("module leaf(input a, output y); assign y = {y}; endmodule\n");
    design.write("second/leaf.v", &leaf("!a"));
    design.is_new();
    design.write("first/leaf.v", &leaf("1'b0"));
    design.is_new();
    design.recipe.flags.push("-O0".into());
    design.is_new();
}

// A result is not bound to a place; one that lost a file is made again.
#[test]
fn a_moved_design_is_known() {
    let mut design = Design::new(false);
    design.is_new();
    let moved = design.folder.path().join("a space, é");
    fs::create_dir(&moved).unwrap();
    for part in ["rtl", "first", "second"] {
        fs::rename(design.folder.path().join(part), moved.join(part)).unwrap();
    }
    design.recipe.files = vec![moved.join("rtl/top.v")];
    design.recipe.includes = vec![moved.join("first"), moved.join("second")];
    assert!(!design.compiles());
    let product = build(&design.compiler, &design.recipe, &design.folder.path().join("out"));
    let product = product.unwrap();
    let said = product.names.restore("nothing of it");
    assert_eq!(said, "nothing of it");
    fs::remove_file(product.file).unwrap();
    design.is_new();
}
