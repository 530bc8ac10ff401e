// SPDX-License-Identifier: MIT OR Apache-2.0
//! Actions of the paging state machines, with their times.

use super::Run;
use crate::paging::{
    Costs, DATA_MAX,
    state::{Side, What, Word, put},
};
use awgstar_frame::quantity::Nanoseconds;
use awgstar_sync::firmware::paging::{Action, Event};

impl Run {
    pub(super) fn act(&mut self, side: Side, action: Action) {
        let node = side.node;
        let Costs { read, write, mail, .. } = self.load.costs;
        let answer = |event| What::Machine(side, event);
        let (end, what) = match action {
            Action::Read(addr) => {
                let value = self.nodes[node].table[addr.word()];
                (self.host(node, read), answer(Event::Word(value)))
            }
            Action::Write { addr, data, strobe } => {
                let end = self.host(node, write);
                self.write_table(side, end, Word { addr, data, strobe });
                (end, What::Turn(side))
            }
            Action::Confirm => {
                let written = self.nodes[node].written;
                let todo = self.todo(side);
                (todo.waits, todo.mark) = (true, Some(written));
                return self.confirms(side);
            }
            Action::CopyOut(_) => {
                let takes = self.load.costs.copying(self.load.at.page_bytes.into());
                (self.host(node, takes), answer(Event::Copied))
            }
            Action::CopyIn(_) => {
                self.figures.swaps += 1;
                (self.copy_in(node), answer(Event::Copied))
            }
            Action::Send(message) => {
                let ready = self.host(node, 4 * write);
                let arrives = self.line.signal(node, ready, 0) + mail;
                // A request for a page that does not exist is ignored.
                if let Some(page) = self.load.at.page(message.lock_number) {
                    self.at(arrives, What::Wanted(page));
                }
                return;
            }
            Action::Ask(page) => return self.queue.put(Nanoseconds(0), What::Wanted(page)),
            Action::Granted(_) => return self.granted(node),
            Action::Released => {
                self.nodes[node].ended = true;
                self.figures.time = self.figures.time.max(self.queue.now());
                return;
            }
            // Nothing is lost: no timer runs out.
            Action::Start | Action::Stop | Action::Until(_) => return,
        };
        self.todo(side).waits = true;
        self.at(end, what);
    }

    /// Writes a word of the table: in the local replica at once, in others by a frame.
    fn write_table(&mut self, side: Side, end: Nanoseconds, word: Word) {
        let valid = word.addr.0.is_multiple_of(self.load.at.entry_bytes());
        self.figures.aborted += u64::from(side.master && valid && word.data != 0);
        put(&mut self.nodes[side.node].table, word);
        if valid {
            self.seen(side.node, word.addr);
        }
        self.write(side.node, end, 4, Some(word));
    }

    /// The page leaves frame by frame while it is copied; when it is copied.
    fn copy_in(&mut self, node: usize) -> Nanoseconds {
        let bytes = u64::from(self.load.at.page_bytes);
        let start = self.nodes[node].free.max(self.queue.now());
        let (mut done, mut end) = (0, start);
        while done < bytes {
            let part = (bytes - done).min(DATA_MAX);
            done += part;
            end = start + self.load.costs.copying(done);
            self.write(node, end, part, None);
        }
        self.nodes[node].free = end;
        end
    }

    /// The page is there.
    fn granted(&mut self, node: usize) {
        let now = self.queue.now();
        let one = &mut self.nodes[node];
        let asked = one.asked.take().unwrap_or(now);
        self.figures.swap += now - asked;
        self.figures.table += asked - one.since;
        self.queue.put(Nanoseconds(0), What::Process(node));
    }
}
