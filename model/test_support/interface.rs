// SPDX-License-Identifier: MIT OR Apache-2.0
//! Headers, manual pages and lists of functions of a C library, from the Rust source of its functions: items of the
//! macros `interface!` (`model/caller`), `families!` (`model/shmem`) and `places!` (`model/fdsm`).

use super::document;
use std::{fmt::Write as _, fs};

/// A function, or a family with one for each type of a table.
pub(crate) struct Function {
    /// Empty for a family.
    pub(crate) name: String,
    /// The name for profiling.
    pub(crate) other: Option<String>,
    /// Of a family: what is before the name of a type, the table of types, what is after the name.
    pub(crate) family: Vec<[String; 3]>,
    /// Functions of the family have others with a context.
    pub(crate) context: bool,
    pub(crate) doc: Vec<String>,
    /// Result in C, with its space.
    pub(crate) result: String,
    /// Arguments in C.
    pub(crate) arguments: Vec<String>,
}

impl Function {
    /// The declaration in C with a name, and with arguments before its own; broken after the last comma that fits.
    pub(crate) fn declaration(&self, name: &str, before: &[&str]) -> String {
        let mut all: Vec<&str> = before.to_vec();
        all.extend(self.arguments.iter().map(String::as_str));
        let all = if all.is_empty() { "void".into() } else { all.join(", ") };
        let whole = format!("{}{name}({all});", self.result);
        if whole.len() <= 120 {
            return whole;
        }
        let at = whole[..120].rfind(", ").unwrap();
        format!("{}\n    {}", &whole[..=at], &whole[at + 2..])
    }

    /// The first sentence of what it does.
    fn summary(&self) -> String {
        let doc = self.doc.join(" ").replace('|', "\\|");
        let first = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first);
        first.trim_end_matches('.').to_owned()
    }
}

/// A type of Rust in C, with its space. Types that only one library has come with it.
fn c_type(rust: &str, own: &[(&str, &str)]) -> String {
    let known = match rust {
        "()" => "void ",
        "c_int" => "int ",
        "c_long" => "long ",
        "c_longlong" => "long long ",
        "c_ulong" => "unsigned long ",
        "c_float" => "float ",
        "c_double" => "double ",
        "c_char" => "char ",
        "u64" => "uint64_t ",
        "usize" => "size_t ",
        "isize" => "ptrdiff_t ",
        "Memory" => "void *",
        "ConstMemory" => "const void *",
        "Text" => "const char *",
        other => {
            if let Some((_, name)) = own.iter().find(|(rust, _)| *rust == other) {
                return (*name).into();
            }
            let inner = |of| other.strip_prefix(of).and_then(|rest| rest.strip_suffix('>'));
            if let Some(inner) = inner("Const<") {
                return format!("const {}*", c_type(inner, own));
            }
            let inner =
                inner("Array<").unwrap_or_else(|| panic!("a type that no header knows: {other}"));
            return format!("{}*", c_type(inner, own));
        }
    };
    known.into()
}

/// The functions of a source, below the root of the workspace, in its order.
pub(crate) fn functions(path: &str, own: &[(&str, &str)]) -> Vec<Function> {
    let source = fs::read_to_string(document::file(path)).unwrap();
    let (mut all, mut doc) = (Vec::new(), Vec::new());
    let mut rest = source.as_str();
    let mut within = false;
    while let Some((line, after)) = rest.split_once('\n') {
        within =
            (within || ["interface! {", "families! {", "places! {"].contains(&line)) && line != "}";
        if let Some(text) = line.strip_prefix("    /// ").filter(|_| within) {
            doc.push(text.to_owned());
        } else if let Some(begun) = rest.strip_prefix("    fn ").filter(|_| within) {
            let (names, begun) = begun.split_once('(').unwrap();
            let (arguments, begun) = begun.split_once(')').unwrap();
            let result = begun.split_once(" =").unwrap().0.trim();
            let arguments =
                arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty());
            let arguments = arguments.map(|argument| {
                let (name, of) = argument.split_once(": ").unwrap();
                let name = name.trim_end_matches('_');
                // More arguments may follow.
                if of == "Open" { format!("int {name}, ...") } else { c_type(of, own) + name }
            });
            let arguments = arguments.collect();
            let (names, context) = match names.trim().strip_suffix(" ctx") {
                Some(names) => (names, true),
                None => (names.trim(), false),
            };
            let patterns = names.strip_prefix('[').and_then(|names| names.strip_suffix(']'));
            let (name, other) = names.split_once(" as ").unwrap_or((names, ""));
            all.push(Function {
                name: if patterns.is_some() { String::new() } else { name.to_owned() },
                other: (!other.is_empty()).then(|| other.to_owned()),
                family: patterns
                    .map_or_else(Vec::new, |all| all.split(", ").map(pattern).collect()),
                context,
                doc: std::mem::take(&mut doc),
                result: c_type(result.strip_prefix("-> ").unwrap_or("()"), own),
                arguments,
            });
        } else {
            assert!(!within || !line.trim_start().starts_with("fn "), "{path}: {line}");
        }
        rest = after;
    }
    all
}

/// `"before" table "after"`.
fn pattern(text: &str) -> [String; 3] {
    let parts: Vec<&str> = text.split('"').map(str::trim).collect();
    let [_, before, table, after, _] = parts[..] else { panic!("no name of a family: {text}") };
    [before, table, after].map(str::to_owned)
}

/// A header of a library.
pub(crate) struct Header {
    pub(crate) name: &'static str,
    /// What the header is, and how many functions it has at least.
    pub(crate) text: &'static str,
    pub(crate) least: usize,
    pub(crate) head: &'static str,
}

/// A library.
pub(crate) struct Library {
    /// Without `libawgstar_`, the name of the folder, and of the page.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) headers: &'static [Header],
    /// Types of Rust that only this library has, in C.
    pub(crate) types: &'static [(&'static str, &'static str)],
}

pub(crate) fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn bold(text: &str) -> String {
    // Words in backquotes are bold.
    let parts = text.split('`').enumerate().map(|(at, part)| {
        let part = part.replace('\\', "\\e").replace('-', "\\-");
        if at % 2 == 1 { format!("\\fB{part}\\fR") } else { part }
    });
    parts.collect()
}

/// What functions with a result return, and how wrong use ends.
pub(crate) const RETURNS: &str = "Functions that return `int` return 0, unless they say otherwise.";

impl Library {
    pub(crate) fn functions(&self, header: &Header) -> Vec<Function> {
        let path = format!("model/{}/src/interface/{}.rs", self.name, header.name);
        let functions = functions(&path, self.types);
        assert!(functions.len() >= header.least, "{}: {}", header.name, functions.len());
        functions
    }

    /// The begin of a header.
    pub(crate) fn begin(&self, name: &str, text: &str, head: &str) -> String {
        let guard = format!("AWGSTAR_{}_H", name.to_uppercase());
        format!(
            "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n/* libawgstar_{0}: {text}.\n *\n\
             \x20* {1} Wrong use ends the process with a message\n\
             \x20* that names the function and the argument, and the run with code 1. The test\n\
             \x20* model/{0}/tests/header.rs writes this file. */\n\
             #ifndef {guard}\n#define {guard}\n\n{head}\n",
            self.name,
            plain(RETURNS)
        )
    }

    /// The manual page; `name` says how a family is called there.
    pub(crate) fn manual(&self, name: &dyn Fn(&Function) -> Vec<String>) -> String {
        let library = self.name;
        let mut text = format!(
            ".\\\" SPDX-License-Identifier: MIT OR Apache-2.0\n.TH AWGSTAR_{} 3 \"\" \"awgstar\" \"Library Functions\"\n\
             .SH NAME\nawgstar_{library} \\- {}\n.SH SYNOPSIS\n",
            library.to_uppercase(),
            self.title
        );
        for header in self.headers {
            writeln!(text, ".B #include <{}.h>\n.br", header.name).unwrap();
        }
        writeln!(
            text,
            ".sp\nLink with \\fI\\-lawgstar_{library}\\fR. Start the program with \\fBawgstar run\\fR.\n\
             .SH DESCRIPTION\n{} Wrong use ends the process with a message that names the function and the argument, \
             and the run with code 1.",
            bold(RETURNS)
        )
        .unwrap();
        for header in self.headers {
            writeln!(text, ".SS {}.h\n{}.", header.name, bold(header.text)).unwrap();
            for function in self.functions(header) {
                text.push_str(".TP\n");
                let all = name(&function).into_iter().map(|name| {
                    let declaration = function.declaration(&name, &[]).replace("\n    ", " ");
                    format!(".B {declaration}\n")
                });
                text.push_str(&all.collect::<Vec<_>>().join(".TQ\n"));
                writeln!(text, "{}", bold(&function.doc.join(" "))).unwrap();
            }
        }
        text
    }

    /// The part of the page about functions. Each header has its number of functions, and more to say.
    pub(crate) fn list(
        &self,
        count: &dyn Fn(&Function) -> usize,
        name: &dyn Fn(&Function) -> Vec<String>,
        more: &dyn Fn(&[Function]) -> String,
    ) -> String {
        let mut text = String::new();
        for header in self.headers {
            let functions = self.functions(header);
            let all: usize = functions.iter().map(count).sum();
            let noun = if all == 1 { "function" } else { "functions" };
            writeln!(text, "\n`{}.h` has {all} {noun}: {}.\n", header.name, header.text).unwrap();
            text.push_str(&more(&functions));
            text.push_str("| function | meaning |\n|---|---|\n");
            for function in functions {
                let names = name(&function).join("`, `");
                writeln!(text, "| `{names}` | {} |", function.summary()).unwrap();
            }
        }
        text + "\n"
    }

    /// The file is as it should be.
    pub(crate) fn is_current(&self, path: &str, expected: &str) {
        let path = format!("model/{}/{path}", self.name);
        let found = fs::read_to_string(document::file(&path)).unwrap_or_default();
        document::check(&path, &found, expected);
    }
}
