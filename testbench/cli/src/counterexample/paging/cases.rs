// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of paging: as published, and with one repair taken out, on the smallest ring that shows
//! the error.

use crate::counterexample::CounterexampleError;
use crate::counterexample::paging::{Found, goes_on};
use awgstar::{
    check::{
        Profile, Report, Step, explore, find,
        paging::{Network, Property, Settings, What},
    },
    firmware::paging::Repairs,
};

/// Enough for every case.
const STATES: usize = 1_500_000;

#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the case and of its files.
    pub name: &'static str,
    /// Behaviour that the run shows.
    pub why: &'static str,
    /// The violated property; `None`: the end cannot be reached any more.
    pub breaks: Option<Property>,
    /// Repairs of the protocol.
    pub repairs: Repairs,
    /// Pages, and places for them.
    pages: (u16, u16),
    /// The pages that each process accesses.
    scripts: &'static [&'static [u16]],
    losses: u8,
    profile: Profile,
}

/// As published, but requests reach the master.
const PRINTED: Case = Case {
    name: "",
    why: "",
    breaks: None,
    repairs: Repairs::TO_MASTER,
    pages: (2, 1),
    scripts: &[&[2], &[1]],
    losses: 0,
    profile: Profile::Acknowledged,
};
/// One worker accesses a page that is not in.
const MISS: Case = Case { scripts: &[&[], &[2]], ..PRINTED };
/// Two processes access the same page, which is not in.
const SAME: Case = Case { pages: (3, 2), scripts: &[&[3], &[3]], ..PRINTED };

const fn without(repair: Repairs) -> Repairs {
    Repairs::ALL.without(repair)
}

/// All of them.
pub const CASES: &[Case] = &[
    Case {
        name: "paging_printed_nobody",
        why: "a request names the worker in Node_ID: it comes back to its sender, and the master never hears of it",
        repairs: Repairs::NONE,
        ..MISS
    },
    Case {
        name: "paging_printed_in_use",
        why: "a flag is set between the master's look and the frame that hides the page: a page in use is copied out",
        breaks: Some(Property::InUse),
        ..PRINTED
    },
    Case {
        name: "paging_printed_held",
        why: "a flag is cleared when another page is accessed: who accesses no other one holds its page for ever",
        ..PRINTED
    },
    Case {
        name: "paging_printed_update",
        why: "a page is copied out while it is written: the write is lost",
        breaks: Some(Property::Update),
        ..PRINTED
    },
    Case {
        name: "paging_printed_twice",
        why: "two ask for one page: it is swapped in twice, the second time from where another page is by then",
        breaks: Some(Property::Update),
        ..SAME
    },
    Case {
        name: "paging_printed_again",
        why: "a page is the next victim before the flag of the process that asked for it has arrived: it asks again",
        breaks: Some(Property::OneRequest),
        scripts: &[&[1], &[2]],
        ..PRINTED
    },
    Case {
        name: "paging_printed_lost_request",
        why: "a request is lost, and nobody sends it again",
        losses: 1,
        profile: Profile::Bare,
        ..MISS
    },
    Case {
        name: "paging_without_to_master",
        why: "all else is repaired: nobody gets a request whose Node_ID is its sender",
        repairs: without(Repairs::TO_MASTER),
        ..MISS
    },
    Case {
        name: "paging_without_keep",
        why: "a process that waits has no flag set: the page it waited for is gone again before it has",
        breaks: Some(Property::OneRequest),
        repairs: without(Repairs::KEEP),
        scripts: &[&[1], &[2]],
        ..PRINTED
    },
    Case {
        name: "paging_without_look_again",
        why: "the master does not look at the flags again when the page is hidden: a page in use is copied out",
        breaks: Some(Property::InUse),
        repairs: without(Repairs::LOOK_AGAIN),
        ..PRINTED
    },
    Case {
        name: "paging_without_copy_confirmed",
        why: "a lost frame of the page is sent again after a write of a process: a replica keeps the old value",
        breaks: Some(Property::Update),
        repairs: without(Repairs::COPY_CONFIRMED),
        scripts: &[&[], &[2], &[]],
        losses: 1,
        ..PRINTED
    },
    Case {
        name: "paging_without_clear_confirmed",
        why: "a lost write is sent again after the next page in its place: a replica keeps the old value",
        breaks: Some(Property::Update),
        repairs: without(Repairs::CLEAR_CONFIRMED),
        scripts: &[&[], &[2], &[1]],
        losses: 1,
        ..PRINTED
    },
    Case {
        name: "paging_without_once",
        why: "a page that is in is swapped in again, from where it is no more",
        breaks: Some(Property::Update),
        repairs: without(Repairs::ONCE),
        ..SAME
    },
    Case {
        name: "paging_without_ask_again",
        why: "a request is lost, and the process asks once only",
        repairs: without(Repairs::ASK_AGAIN),
        losses: 1,
        profile: Profile::Bare,
        ..MISS
    },
    Case {
        name: "paging_without_let_go",
        why: "a process that has ended keeps its flag: who waits for the place waits for ever",
        repairs: without(Repairs::LET_GO),
        scripts: &[&[1], &[2, 1]],
        ..PRINTED
    },
];

impl Case {
    /// The ring and what may happen on it.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            losses: self.losses,
            profile: self.profile,
            repairs: self.repairs,
            ..Settings::new(self.pages.0, self.pages.1, self.scripts)
        }
    }

    /// Protocol and variant in words.
    #[must_use]
    pub fn protocol(&self) -> String {
        let missing = Repairs::LIST.iter().filter(|(one, _)| !self.repairs.has(*one));
        let missing: Vec<&str> = missing.map(|(_, name)| *name).collect();
        match missing[..] {
            [one] => format!("paging, without {one}"),
            _ if self.repairs.has(Repairs::TO_MASTER) => {
                "paging, as printed, but requests reach the master".into()
            }
            _ => "paging, as printed".into(),
        }
    }

    /// Description of the violated property.
    #[must_use]
    pub const fn breaks(&self) -> &'static str {
        match self.breaks {
            None => "the end cannot be reached any more",
            Some(Property::InUse) => "a page that a process accesses is swapped out",
            Some(Property::Update) => "what was written is not there",
            Some(Property::OneRequest) => "one request is not enough, though nothing was lost",
        }
    }

    /// Looks for the shortest run.
    ///
    /// # Errors
    /// If nothing breaks.
    pub fn find(&'static self) -> Result<Found, CounterexampleError> {
        let network = self.network(self.repairs);
        let steps = match self.breaks {
            Some(property) => find(&network, STATES, property),
            None => explore(&network, STATES).stuck,
        };
        let holds = CounterexampleError::Holds { name: self.name };
        let steps = steps.ok_or_else(|| holds.clone())?;
        let (more, circles) = match self.breaks {
            Some(_) => (Vec::new(), false),
            None => goes_on(&network, &steps).ok_or(holds)?,
        };
        Ok(Found { case: self, steps, goes_on: more, circles })
    }

    /// Explores the same ring with all repairs.
    #[must_use]
    pub fn repaired(&self) -> Report<Property, Step<What>> {
        explore(&self.network(Repairs::ALL), STATES)
    }

    fn network(&self, repairs: Repairs) -> Network {
        let settings = Settings { repairs, ..self.settings() };
        Network::new(settings).expect("the cases are rings of two or three nodes")
    }
}
