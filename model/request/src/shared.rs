// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a process that has copies of shared pages: what it does with a call and with the answer.

use crate::{Changes, Coherent, News, Piece, Protection};

/// The copies of a process.
pub trait Shared {
    type Error;

    /// Gives what the process has changed since its last call; with the release of a lock and at the barrier its note,
    /// too.
    fn changes(&mut self, call: Coherent) -> Changes;

    /// Makes a call of the machine.
    ///
    /// # Errors
    /// Those of the machine.
    fn ask(&mut self, call: Coherent, changes: &Changes) -> Result<News, Self::Error>;

    /// Puts the bytes of others into a page. What the process has changed itself since its last call stays.
    ///
    /// # Errors
    /// Bytes that are no page, and others that the program is to know of.
    fn replace(&mut self, page: &Piece) -> Result<(), Self::Error>;

    /// What the process may do with a page.
    fn protection(&self, page: u64) -> Protection;

    /// Protects a page; false if the system refuses to close it, and it stays as it is.
    ///
    /// # Errors
    /// The system refuses to open it.
    fn protect(&mut self, page: u64, protection: Protection) -> Result<bool, Self::Error>;

    /// Takes the notes of others, and tells the program of races, and of what it did beyond a pattern.
    ///
    /// # Errors
    /// What ends the program.
    fn told(&mut self, news: &News) -> Result<(), Self::Error>;

    /// Makes a call, and does what the answer says.
    ///
    /// # Errors
    /// As of the others.
    fn call(&mut self, call: Coherent) -> Result<(), Self::Error> {
        let changes =
            if let Coherent::Fault { .. } = call { Changes::default() } else { self.changes(call) };
        let news = self.ask(call, &changes)?;
        for page in &news.pages {
            self.replace(page)?;
        }
        self.told(&news)?;
        let mut open = Vec::new();
        for &(page, protection) in &news.protections {
            if !self.protect(page, protection)? {
                open.push(page);
            }
        }
        // What the process can read without a fault must be up to date.
        for page in open {
            self.call(Coherent::Fault { page, write: false })?;
        }
        Ok(())
    }

    /// Makes a page ready for an access; false if it was.
    ///
    /// # Errors
    /// As of [`Shared::call`].
    fn open(&mut self, page: u64, write: bool) -> Result<bool, Self::Error> {
        let wanted = if write { Protection::Write } else { Protection::Read };
        if self.protection(page) >= wanted {
            return Ok(false);
        }
        self.call(Coherent::Fault { page, write })?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PAGE;
    use std::collections::BTreeMap;

    /// Answers that wait, and all that is done, in words.
    #[derive(Default)]
    struct Copies {
        answers: Vec<News>,
        done: Vec<String>,
        protections: BTreeMap<u64, Protection>,
        closes: bool,
    }

    impl Shared for Copies {
        type Error = &'static str;

        fn changes(&mut self, _: Coherent) -> Changes {
            self.done.push("changes".into());
            Changes { pieces: vec![Piece { at: 5, bytes: vec![6] }], note: Vec::new() }
        }

        fn ask(&mut self, call: Coherent, changes: &Changes) -> Result<News, &'static str> {
            self.done.push(format!("asks for {call} with {}", changes.pieces.len()));
            self.answers.pop().ok_or("the run is over")
        }

        fn replace(&mut self, page: &Piece) -> Result<(), &'static str> {
            self.done.push(format!("replaces {:#x}", page.at));
            Ok(())
        }

        fn told(&mut self, news: &News) -> Result<(), &'static str> {
            self.done.extend(news.races.iter().map(|race| format!("race at {:#x}", race.at)));
            Ok(())
        }

        fn protection(&self, page: u64) -> Protection {
            self.protections.get(&page).copied().unwrap_or(Protection::None)
        }

        fn protect(&mut self, page: u64, protection: Protection) -> Result<bool, &'static str> {
            let refused = !self.closes && protection == Protection::None;
            self.done.push(format!("protects {page}: {protection:?}"));
            if !refused {
                self.protections.insert(page, protection);
            }
            Ok(!refused)
        }
    }

    fn closed_and_new() -> News {
        let page = Piece { at: 0x1000, bytes: vec![0; PAGE as usize] };
        News { pages: vec![page], protections: vec![(1, Protection::None)], ..News::default() }
    }

    #[test]
    fn bytes_come_before_protections_and_a_page_that_stays_open_is_made_valid() {
        let answers = vec![News::default(), closed_and_new()];
        let mut copies = Copies { answers, ..Copies::default() };
        copies.call(Coherent::Release(3)).unwrap();
        let expected = [
            "changes",
            "asks for its unlock of 3 with 1",
            "replaces 0x1000",
            "protects 1: None",
            "asks for a read of page 0x1000 with 0",
        ];
        assert_eq!(copies.done, expected);
        // Where the system closes it, nothing more is asked.
        let mut copies = Copies { answers: vec![closed_and_new()], closes: true, ..copies };
        copies.done.clear();
        copies.call(Coherent::Release(3)).unwrap();
        assert_eq!(copies.done, expected[..4]);
        assert_eq!(copies.call(Coherent::Lacked), Err("the run is over"));
    }

    #[test]
    fn only_a_page_that_is_not_ready_is_asked_for() {
        for (protection, read, write) in [
            (Protection::None, true, true),
            (Protection::Read, false, true),
            (Protection::Write, false, false),
        ] {
            for (writes, expected) in [(false, read), (true, write)] {
                let protections = BTreeMap::from([(1, protection)]);
                let answers = vec![News::default()];
                let mut copies = Copies { answers, protections, ..Copies::default() };
                assert_eq!(copies.open(1, writes), Ok(expected), "{protection:?} {writes}");
                let access = if writes { "write to" } else { "read of" };
                let asked = format!("asks for a {access} page 0x1000 with 0");
                assert_eq!(copies.done, if expected { vec![asked] } else { vec![] });
            }
        }
    }
}
