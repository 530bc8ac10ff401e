// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a file of Rust defines and imports, found in its tokens.
//!
//! Tokens and not lines, so that comments and strings count for nothing. Inline modules under `cfg(test)` are
//! left out.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// A definition of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    /// The keyword: `enum`, `fn` and so on.
    pub(super) kind: String,
    pub(super) name: String,
    /// Visible outside the crate, as far as the keyword says.
    pub(super) public: bool,
    /// Names of the variants of an enum.
    pub(super) variants: Vec<String>,
    /// Tokens of the body of a function, without spaces, in lower case.
    pub(super) body: String,
}

/// A path as it is written, from the module of the file or an inline module of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// The parts of the path.
    pub(super) path: Vec<String>,
    /// How many inline modules surround it.
    pub(super) depth: usize,
}

/// What was found in a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    /// Definitions, those in functions included.
    pub(super) definitions: Vec<Definition>,
    /// Paths of `use` and of expressions; re-exports are not among them.
    pub(super) imports: Vec<Import>,
    /// Names that a `use` of the module makes known, re-exports included.
    pub(super) names: BTreeMap<String, Vec<String>>,
    /// Modules that the file re-exports everything of.
    pub(super) globs: Vec<Vec<String>>,
    /// Conversions to a narrower integer that take a default where the value does not fit.
    pub(super) narrowings: usize,
}

const DEFINITIONS: &[&str] =
    &["enum", "struct", "union", "trait", "fn", "const", "static", "type", "mod"];

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// If its text has no Rust tokens.
    pub(super) fn parse(text: &str) -> Result<Self, proc_macro2::LexError> {
        let mut source = Self::default();
        source.walk(text.parse::<TokenStream>()?, 0, true);
        Ok(source)
    }

    /// `items`: these are the items of a module.
    fn walk(&mut self, stream: TokenStream, depth: usize, items: bool) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut public = None;
        let mut test = false;
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => {
                    let attribute = group.delimiter() == Delimiter::Bracket
                        && at > 0
                        && is_punct(tokens.get(at - 1), '#');
                    if attribute {
                        test |= compact(&group.stream()).contains("cfg(test)");
                    } else {
                        self.walk(group.stream(), depth, false);
                    }
                    at += 1;
                }
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    match word.as_str() {
                        "pub" => {
                            let restricted = matches!(tokens.get(at + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                            public = Some(!restricted);
                            at += 1 + usize::from(restricted);
                        }
                        "use" => {
                            let end = end_of_statement(&tokens, at);
                            let mut found = Vec::new();
                            tree(&tokens[at + 1..end], &[], &mut found);
                            self.used(found, public.is_some(), depth, items);
                            (public, at) = (None, end + 1);
                        }
                        keyword
                            if DEFINITIONS.contains(&keyword)
                                && name(&tokens, at + 1).is_some() =>
                        {
                            at = self.define(&tokens, at, public.take(), (depth, test));
                            test = false;
                        }
                        _ => at = self.expression(&tokens, at, depth),
                    }
                }
                TokenTree::Punct(punct) => {
                    if punct.as_char() == ';' {
                        (public, test) = (None, false);
                    }
                    at += 1;
                }
                TokenTree::Literal(_) => at += 1,
            }
        }
    }

    /// A definition begins at `at`. Returns where to go on.
    fn define(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        public: Option<bool>,
        (depth, test): (usize, bool),
    ) -> usize {
        let kind = tokens[at].to_string();
        let Some(name) = name(tokens, at + 1) else { return at + 1 };
        if kind == "const" && name == "fn" {
            return at + 1;
        }
        let body = tokens[at + 2..]
            .iter()
            .position(|t| is_punct(Some(t), ';') || is_brace(t))
            .map(|found| at + 2 + found);
        let group = body.and_then(|found| match &tokens[found] {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        if kind == "mod" {
            if let (Some(stream), false) = (group, test) {
                self.walk(stream, depth + 1, true);
            }
            return body.map_or(tokens.len(), |found| found + 1);
        }
        let stream = group.clone().unwrap_or_default();
        self.definitions.push(Definition {
            variants: if kind == "enum" { variants(stream.clone()) } else { Vec::new() },
            body: if kind == "fn" { compact(&stream) } else { String::new() },
            public: public == Some(true),
            kind,
            name,
        });
        at + 2
    }

    /// A path or a call begins at `at`, or a word alone.
    fn expression(&mut self, tokens: &[TokenTree], at: usize, depth: usize) -> usize {
        let word = tokens[at].to_string();
        let mut path = vec![word.clone()];
        let mut next = at + 1;
        while is_punct(tokens.get(next), ':') && is_punct(tokens.get(next + 1), ':') {
            let Some(part) = name(tokens, next + 2) else { break };
            path.push(part);
            next += 3;
        }
        let last = path.last().map_or("", String::as_str);
        if ["try_from", "try_into"].contains(&last)
            && is_punct(tokens.get(next + 1), '.')
            && name(tokens, next + 2).is_some_and(|then| then.starts_with("unwrap_or"))
        {
            self.narrowings += 1;
        }
        if path.len() > 1 {
            self.imports.push(Import { path, depth });
        }
        next
    }

    fn used(&mut self, found: Vec<(Vec<String>, String)>, public: bool, depth: usize, items: bool) {
        for (path, name) in found {
            let path = if depth > 0 && path[0] == "super" { path[1..].to_vec() } else { path };
            if !public {
                self.imports.push(Import { path: path.clone(), depth: 0 });
            }
            if items && depth == 0 {
                if name == "*" {
                    self.globs.push(path);
                } else {
                    self.names.insert(name, path);
                }
            }
        }
    }
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

fn is_brace(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn name(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn end_of_statement(tokens: &[TokenTree], at: usize) -> usize {
    let after = tokens[at..].iter().position(|token| is_punct(Some(token), ';'));
    after.map_or(tokens.len(), |found| at + found)
}

fn compact(stream: &TokenStream) -> String {
    let mut text = stream.to_string().to_lowercase();
    text.retain(|char| !char.is_whitespace() && char != '_');
    text
}

/// Names of the variants: the first word, and each after a comma, attributes left out.
fn variants(stream: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut first = true;
    for token in stream {
        match token {
            TokenTree::Ident(ident) if first => {
                found.push(ident.to_string());
                first = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => first = true,
            _ => {}
        }
    }
    found
}

/// The paths of a tree of `use`, each with the name that it makes known.
fn tree(tokens: &[TokenTree], before: &[String], found: &mut Vec<(Vec<String>, String)>) {
    let mut path = before.to_vec();
    let mut alias = None;
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(ident) if ident == "as" => {
                alias = name(tokens, at + 1);
                at += 1;
            }
            TokenTree::Ident(ident) => path.push(ident.to_string()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in inner.split(|token| is_punct(Some(token), ',')) {
                    tree(part, &path, found);
                }
                return;
            }
            TokenTree::Punct(punct) if punct.as_char() == '*' => alias = Some("*".into()),
            _ => {}
        }
        at += 1;
    }
    if path.len() > before.len() || alias.is_some() {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        if let Some(last) = path.last().cloned() {
            found.push((path, alias.unwrap_or(last)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Source {
        Source::parse(text).expect("tokens")
    }

    #[test]
    fn a_tree_of_use_gives_each_path() {
        let source = parse("use crate::a::{b, c::{self, D as E}}; pub use f::*;");
        let paths: Vec<String> = source.imports.iter().map(|i| i.path.join("::")).collect();
        assert_eq!(paths, ["crate::a::b", "crate::a::c", "crate::a::c::D"]);
        assert_eq!(source.names["E"].join("::"), "crate::a::c::D");
        assert_eq!(source.globs, [["f"]]);
    }

    #[test]
    fn comments_strings_and_tests_count_for_nothing() {
        let text = "// u8::try_from(x).unwrap_or(0)\nconst A: &str = \"crate::x::y\";\n\
            #[cfg(test)] mod tests { use crate::z; }";
        let source = parse(text);
        assert_eq!((source.imports.len(), source.narrowings), (0, 0));
    }

    #[test]
    fn a_default_after_a_conversion_is_counted() {
        let source = parse(
            "fn f() { u8::try_from(x).unwrap_or(0); y.try_into().unwrap_or_default(); z.try_into().unwrap() }",
        );
        assert_eq!(source.narrowings, 2);
    }

    #[test]
    fn an_enum_has_its_variants() {
        let source = parse("pub enum Ask { #[x] Read(u8, u8), Write { at: u8 }, End = 3 }");
        assert_eq!(source.definitions[0].variants, ["Read", "Write", "End"]);
        assert!(source.definitions[0].public);
    }
}
