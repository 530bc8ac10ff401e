// SPDX-License-Identifier: MIT OR Apache-2.0
//! A secret word that marks the lines of a testbench.
//!
//! Testbench and design print to the same output. A line counts as the testbench's only if it begins
//! with the token, which is drawn at random for each build and compiled into the testbench as a literal:
//! it has no name in the hierarchy and is in no plusarg. `docs/conform.md` says which designs
//! this is meant for.

use crate::SimError;
use std::{
    fmt, fs,
    hash::{BuildHasher as _, RandomState},
    path::Path,
};

/// 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

/// File beside a compiled testbench that holds its token.
const FILE: &str = "token";

impl Token {
    /// Placeholder for the token in the flags and texts of a recipe. A kept build draws its token
    /// when it is made, so the token is not part of the key of the build.
    pub const PLACE: &str = "AWGSTAR_TOKEN_OF_THE_BUILD";

    /// A new one, from the system's random numbers.
    #[must_use]
    pub fn random() -> Self {
        // The keys of the hash are random and secret, so its value cannot be derived.
        Token(format!("{:016x}", RandomState::new().hash_one(())))
    }

    /// Writes it beside a compiled testbench.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), SimError> {
        let path = folder.join(FILE);
        fs::write(&path, &self.0).map_err(SimError::io(&path))
    }

    /// The token that [`Token::save`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read or holds something else.
    pub fn load(folder: &Path) -> Result<Self, SimError> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        if text.len() == 16 && text.bytes().all(|c| c.is_ascii_hexdigit()) {
            return Ok(Token(text));
        }
        Err(SimError::format(path, "expected 16 hexadecimal digits"))
    }

    /// The compiler's option that gives it to the testbenches of `testbench/verilog`.
    pub fn define_place() -> String {
        format!("-DAWGSTAR_TOKEN={}", Token::PLACE)
    }

    /// The testbench's lines of `text`, without the token.
    pub fn lines<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        text.lines().filter_map(|line| line.trim().strip_prefix(self.0.as_str())).map(str::trim)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_lines_count() {
        let (token, other) = (Token::random(), Token::random());
        assert_ne!(token, other);
        let text = format!("same 4\n{other} same 4\n  {token} same 5\nx {token} same 6\n");
        assert_eq!(token.lines(&text).collect::<Vec<_>>(), ["same 5"]);
    }

    #[test]
    fn a_token_is_kept_beside_the_build() {
        let folder = tempfile::tempdir().unwrap();
        let token = Token::random();
        assert!(Token::load(folder.path()).is_err());
        token.save(folder.path()).unwrap();
        assert_eq!(Token::load(folder.path()).unwrap(), token);
        fs::write(folder.path().join(FILE), "").unwrap();
        assert!(Token::load(folder.path()).is_err());
    }
}
