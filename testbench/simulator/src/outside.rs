// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design must not name anything outside itself: not a variable of the testbench, nor the instance that it is.
//!
//! The compiler elaborates the design a second time, with the macros of the testbench but not below it: as the only
//! instance in a module of a random name. A name that leads out of the design leads nowhere there. Two things are no
//! error then and are looked for in the text after the preprocessor: a name in the arguments of `$bits` (Icarus), and
//! `bind` (Verilator).

use crate::SimError;
use crate::bench::overrides;
use crate::recipe::{Compiled, Compiler, Instance, Laid, Recipe};
use crate::token::Token;
use std::collections::BTreeSet;

/// Compiles the recipe, if its design names nothing outside itself.
///
/// # Errors
/// As of the compiler; [`SimError::Outside`].
pub fn compile(
    compiler: &dyn Compiler,
    recipe: &Recipe,
    laid: &Laid,
) -> Result<Compiled, SimError> {
    let Some(instance) = &recipe.instance else { return compiler.compile(recipe, laid) };
    if let Err(log) = alone(compiler, recipe, instance)? {
        // What has other errors has them in its testbench, too.
        match compiler.step(&mut compiler.elaborate(recipe, laid), recipe, laid) {
            Err(SimError::Build { .. }) => {}
            other => {
                let (simulator, module) = (compiler.about().0, recipe.module);
                other?;
                return Err(SimError::Outside { simulator, module, log });
            }
        }
    }
    compiler.compile(recipe, laid)
}

/// What the compiler says to the design without its testbench; `Err` if it does not take it.
fn alone(
    compiler: &dyn Compiler,
    recipe: &Recipe,
    instance: &Instance,
) -> Result<Result<(), String>, SimError> {
    let mut laid = recipe.lay_out()?;
    let token = Token::random();
    let top = format!("alone_{token}");
    let parameters = overrides(&instance.settings);
    let module = &instance.module;
    let text = format!("module {top};\n    {module}{parameters} i_{token} ();\nendmodule\n");
    let file = laid.scratch.write(&format!("{top}.v"), &text)?;
    laid.files.insert(recipe.texts.len() + instance.benches, file);
    let recipe = Recipe { top: top.clone(), instance: None, ..recipe.clone() };
    let names = laid.scratch.names();
    let log = match compiler.step(&mut compiler.elaborate(&recipe, &laid), &recipe, &laid) {
        Ok(log) => log,
        Err(SimError::Build { log, .. }) => {
            // Not what is said of the module around the design, which connects nothing.
            let lines = log.lines().filter(|line| !line.contains(&format!("{top}.v:")));
            return Ok(Err(lines.collect::<Vec<_>>().join("\n")));
        }
        // The same is said of the whole.
        Err(SimError::Incomplete { .. } | SimError::Unreadable { .. }) => String::new(),
        Err(error) => return Err(error),
    };
    // A parameter outside the design is a warning of Icarus only.
    let parameter = |line: &&str| line.contains("warning: Scope of ") && line.contains("not found");
    if let Some(line) = log.lines().find(parameter) {
        return Ok(Err(names.restore(line)));
    }
    let read = match compiler.step(&mut compiler.preprocess(&recipe, &laid), &recipe, &laid) {
        Ok(text) => text,
        Err(SimError::Build { log, .. }) => return Ok(Err(log)),
        Err(error) => return Err(error),
    };
    let Some((bench, design)) = read.split_once(&format!("module {top}")) else {
        let why = format!("module {top} is not in what the preprocessor prints");
        return Err(SimError::format(&instance.module, why));
    };
    Ok(outside(&tokens(bench), &tokens(design)).map_or(Ok(()), Err))
}

/// A name of the testbench, from its tokens, in the arguments of `$bits` or after `bind`.
fn outside(bench: &[String], design: &[String]) -> Option<String> {
    let names: BTreeSet<&str> = bench.iter().map(String::as_str).filter(|t| is_name(t)).collect();
    let mut modules = BTreeSet::new();
    for pair in design.windows(2) {
        if ["module", "macromodule", "interface", "program"].contains(&pair[0].as_str()) {
            modules.insert(pair[1].as_str());
        }
        if pair[0] == "bind" && is_name(&pair[1]) && !modules.contains(pair[1].as_str()) {
            return Some(format!("bind {}: no module of the design before it", pair[1]));
        }
    }
    let mut depth = 0;
    for pair in design.windows(2) {
        match (pair[0].as_str(), pair[1].as_str()) {
            ("$bits", "(") => depth += 1,
            ("(", _) if depth > 0 => depth += 1,
            (")", _) if depth > 0 => depth -= 1,
            // The opening parenthesis of `$bits` counts twice.
            (name, "." | "(") if depth > 1 && names.contains(name) => {
                return Some(format!("$bits({name}{} ...): a name of the testbench", pair[1]));
            }
            _ => {}
        }
        if depth == 1 && pair[0] == ")" {
            depth = 0;
        }
    }
    None
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Names, and other characters one by one, without comments and strings. An escaped name is the name.
fn tokens(text: &str) -> Vec<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = if rest.starts_with("//") {
            rest.split_once('\n').map_or("", |(_, rest)| rest)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map_or("", |(_, rest)| rest)
        } else if c == '"' {
            let mut escaped = false;
            let end = after.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or("", |end| &after[end + 1..])
        } else if c == '\\' {
            let end = after.find(char::is_whitespace).unwrap_or(after.len());
            tokens.push(after[..end].to_owned());
            &after[end..]
        } else if part(c) {
            let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
            tokens.push(rest[..end].to_owned());
            &rest[end..]
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            after
        };
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(design: &str) -> Option<String> {
        outside(&tokens("module tb; reg failed; task fail; endtask endmodule"), &tokens(design))
    }

    #[test]
    fn names_of_the_testbench_are_found_in_the_text() {
        for bad in [
            "initial if ($bits(tb.failed) == 32) ;",
            "localparam A = $bits ( {1'b0, \\tb \n .failed} );",
            "localparam A = $bits(w[$bits(fail(1)):0]);",
            "bind tb evil e();",
            "bind \\tb evil e();",
        ] {
            assert!(found(bad).is_some(), "{bad}");
        }
        for good in [
            "localparam A = $bits(failed); initial fail(1);",
            "localparam A = $bits(pair.left) + tb.x;",
            "localparam A = $bits(w) + f(fail.x);",
            "// $bits(tb.failed)\n/* bind tb */ initial $display(\"bind tb \\\" $bits(tb.failed)\");",
            "module mine; endmodule bind mine checker c();",
        ] {
            assert_eq!(found(good), None, "{good}");
        }
    }
}
