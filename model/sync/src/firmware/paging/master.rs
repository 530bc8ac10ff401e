// SPDX-License-Identifier: MIT OR Apache-2.0
//! The master's side: it swaps pages between the shared memory and its local memory (PAG-5 to PAG-8;
//! thesis 5.4.4).

use super::{Action, Copy, Event, Place, Repairs};
use awgstar_frame::contract::page_table::word;
use awgstar_frame::quantity::ByteAddress;
use std::{collections::VecDeque, fmt::Write as _};

crate::states! {
    /// State of a swap in the master.
    pub enum Swap, /// Cause of a transition.
    SwapCause, "paging: master" {
        states {
            /// No process waits for a page.
            Idle "idle",
            /// The master reads the access flags of one page after another.
            Choosing "choosing",
            /// The victim's valid flag is 0 and on its way round.
            Hiding "hiding",
            /// The master reads the victim's access flags again.
            LookingAgain "looking_again",
            /// The master copies the victim to the free area of its local memory.
            CopyingOut "copying_out",
            /// The master copies the wanted page to where the victim was.
            CopyingIn "copying_in",
            /// The page is on its way round.
            Showing "showing",
        }
        causes {
            /// A page is wanted that is not in.
            Begin "wanted": Idle => Choosing;
            /// All flags of a page are 0: its valid flag is cleared.
            Hide "unused": Choosing => Hiding;
            /// That is on every board.
            Look "confirmed": Hiding => LookingAgain;
            /// The page is accessed after all: its valid flag is set again.
            Back "used": LookingAgain => Choosing;
            /// No process accesses the victim.
            Out "all_0": Hiding => CopyingOut, LookingAgain => CopyingOut;
            /// The victim is out.
            In "out": CopyingOut => CopyingIn;
            /// The wanted page is in the local replica.
            Show "in": CopyingIn => Showing;
            /// The table says so.
            End "shown": CopyingIn => Idle, Showing => Idle;
        }
    }
}

/// The state machine of the master.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Master {
    place: Place,
    repairs: Repairs,
    state: Swap,
    /// Pages that are wanted, in the order of the requests.
    wanted: VecDeque<u16>,
    /// The page that is swapped in.
    page: u16,
    /// Page in each place of the physical shared memory.
    frames: Vec<u16>,
    /// Area of each page in the local memory, from page 1 on. It means something while the page is
    /// not in.
    areas: Vec<u16>,
    /// The area that no page has: the next one is copied there, so it moves with every swap.
    free: u16,
    /// The place looked at.
    hand: u16,
    /// The word of its flags that is read.
    word: u32,
    /// Some flag of the words read so far is set.
    used: bool,
}

impl Master {
    /// The master's state machine: the first pages are in, the others in its local memory.
    #[must_use]
    pub fn new(place: Place, repairs: Repairs) -> Master {
        let at = &place.at;
        let outside = at.pages.saturating_sub(at.frames);
        Master {
            place,
            repairs,
            state: Swap::Idle,
            wanted: VecDeque::new(),
            page: 0,
            frames: (1..=at.frames.min(at.pages)).collect(),
            areas: (1..=at.pages).map(|page| page.saturating_sub(at.frames + 1)).collect(),
            free: outside,
            hand: 0,
            word: 0,
            used: false,
        }
    }

    #[must_use]
    pub const fn state(&self) -> Swap {
        self.state
    }

    /// Pages in the physical shared memory, in the order of their places.
    #[must_use]
    pub fn frames(&self) -> &[u16] {
        &self.frames
    }

    /// Area of the local memory that holds `page`; `None` while it is in the shared memory, or is no
    /// page.
    #[must_use]
    pub fn area(&self, page: u16) -> Option<u16> {
        let area = *self.areas.get(usize::from(page).checked_sub(1)?)?;
        (!self.is_in(page)).then_some(area)
    }

    fn is_in(&self, page: u16) -> bool {
        self.frames.contains(&page)
    }

    /// Appends the actions that initialise the page table, before any process accesses it.
    pub fn start(&self, actions: &mut Vec<Action>) {
        for (frame, &page) in (0..).zip(&self.frames) {
            self.show(page, frame, actions);
        }
    }

    /// Handles an event and appends the resulting actions to `actions`.
    pub fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        match (event, self.state) {
            (Event::Wanted(page), _) => self.want(page, actions),
            (Event::Word(flags), Swap::Choosing | Swap::LookingAgain) => self.read(flags, actions),
            (Event::Confirmed, Swap::Hiding) => {
                self.state.go(SwapCause::Look);
                self.look(actions);
            }
            (Event::Confirmed, Swap::Showing) => self.shown(actions),
            (Event::Copied, Swap::CopyingOut) => {
                self.state.go(SwapCause::In);
                let area = self.areas[usize::from(self.page) - 1];
                actions.push(Action::CopyIn(Copy { page: self.page, offset: self.offset(), area }));
            }
            (Event::Copied, Swap::CopyingIn) => {
                if self.repairs.has(Repairs::COPY_CONFIRMED) {
                    self.state.go(SwapCause::Show);
                    actions.push(Action::Confirm);
                } else {
                    self.shown(actions);
                }
            }
            _ => {}
        }
    }

    fn want(&mut self, page: u16, actions: &mut Vec<Action>) {
        let known = self.wanted.contains(&page);
        let once = self.repairs.has(Repairs::ONCE);
        if page == 0 || page > self.place.at.pages || (known && once) {
            return;
        }
        self.wanted.push_back(page);
        self.next(actions);
    }

    /// The first page that is wanted and not in.
    fn next(&mut self, actions: &mut Vec<Action>) {
        while self.state == Swap::Idle {
            let Some(page) = self.wanted.pop_front() else { return };
            if self.is_in(page) && self.repairs.has(Repairs::ONCE) {
                continue;
            }
            self.page = page;
            self.state.go(SwapCause::Begin);
            self.look(actions);
        }
    }

    fn victim(&self) -> u16 {
        self.frames[usize::from(self.hand)]
    }

    fn offset(&self) -> ByteAddress {
        self.place.at.frame(self.hand)
    }

    /// Reads the first word of the flags of the page at hand.
    fn look(&mut self, actions: &mut Vec<Action>) {
        (self.word, self.used) = (0, false);
        actions.push(Action::Read(self.place.at.flags(self.victim(), 0)));
    }

    fn read(&mut self, flags: u32, actions: &mut Vec<Action>) {
        self.used |= flags != 0;
        self.word += 1;
        if !self.used && self.word < self.place.at.flag_words() {
            actions.push(Action::Read(self.place.at.flags(self.victim(), self.word)));
            return;
        }
        match (self.state, self.used) {
            (Swap::Choosing, true) => self.another(actions),
            (Swap::Choosing, false) => self.hide(actions),
            (_, true) => {
                self.set_valid(self.victim(), true, actions);
                self.state.go(SwapCause::Back);
                self.another(actions);
            }
            (_, false) => self.copy_out(actions),
        }
    }

    /// The next place in turn.
    fn another(&mut self, actions: &mut Vec<Action>) {
        self.turn();
        self.look(actions);
    }

    fn turn(&mut self) {
        self.hand = if self.hand + 1 < self.place.at.frames { self.hand + 1 } else { 0 };
    }

    fn hide(&mut self, actions: &mut Vec<Action>) {
        self.set_valid(self.victim(), false, actions);
        self.state.go(SwapCause::Hide);
        if self.repairs.has(Repairs::LOOK_AGAIN) {
            actions.push(Action::Confirm);
        } else {
            self.copy_out(actions);
        }
    }

    fn copy_out(&mut self, actions: &mut Vec<Action>) {
        self.state.go(SwapCause::Out);
        let (page, offset, area) = (self.victim(), self.offset(), self.free);
        actions.push(Action::CopyOut(Copy { page, offset, area }));
    }

    fn shown(&mut self, actions: &mut Vec<Action>) {
        let (victim, page) = (usize::from(self.victim()) - 1, usize::from(self.page) - 1);
        // The wanted page's area is free now, and the victim is where it was free before.
        self.areas[victim] = self.free;
        self.free = self.areas[page];
        self.frames[usize::from(self.hand)] = self.page;
        self.show(self.page, self.hand, actions);
        self.turn();
        self.state.go(SwapCause::End);
        self.next(actions);
    }

    /// The offset first: who sees the valid flag finds it.
    fn show(&self, page: u16, frame: u16, actions: &mut Vec<Action>) {
        let at = &self.place.at;
        let (addr, data) = (at.offset(page), word(at.frame(frame).0));
        actions.push(Action::Write { addr, data, strobe: 0b1111 });
        self.set_valid(page, true, actions);
    }

    fn set_valid(&self, page: u16, valid: bool, actions: &mut Vec<Action>) {
        let addr = self.place.at.valid(page);
        actions.push(Action::Write { addr, data: word(valid.into()), strobe: 0b1111 });
    }

    /// The state machine in a few words.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = format!("master {}", self.state.name());
        if self.state != Swap::Idle {
            let _ = write!(text, " {} for {}", self.victim(), self.page);
        }
        let _ = write!(text, ", in {:?}, wanted {:?}", self.frames, self.wanted);
        text
    }
}
