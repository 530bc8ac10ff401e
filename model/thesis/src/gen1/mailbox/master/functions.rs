// SPDX-License-Identifier: MIT OR Apache-2.0
//! The series of functions on index, queues and barrier that both threads call (thesis 3.2, 3.3).

use super::{
    super::{Mail, MailRepairs, Primitive},
    Lock, Main, MainCause, Master, MasterAction, Seen,
};
use std::collections::VecDeque;

impl Master {
    pub(super) fn look(&self, process: u8, request: Primitive) -> Seen {
        let lock = match request {
            Primitive::Lock(n) | Primitive::Unlock(n) => self.locks.get(&n),
            Primitive::Barrier => None,
        };
        Seen {
            process,
            request,
            holder: lock.map_or(-1, |lock| lock.holder),
            next: lock.and_then(|lock| lock.waiting.front().copied()),
            arrived: self.arrived,
        }
    }

    /// The series of functions that both threads call (thesis 3.2, 3.3).
    pub(super) fn change(&mut self, seen: Seen, actions: &mut Vec<MasterAction>) {
        let Seen { process, request, holder, next, arrived } = seen;
        match request {
            Primitive::Lock(n) if holder == -1 => self.give(n, process, actions),
            Primitive::Lock(n) => {
                self.lock(n).waiting.push_back(process);
                if process == 0 {
                    self.main.go(MainCause::Queue);
                }
            }
            Primitive::Unlock(n) => {
                if let Some(next) = next {
                    self.lock(n).waiting.retain(|waiting| *waiting != next);
                    self.give(n, next, actions);
                } else {
                    self.lock(n).holder = -1;
                    actions.push(MasterAction::WriteIndex(n, -1));
                }
                if process == 0 || self.repairs.has(MailRepairs::ANSWERED) {
                    self.answer(process, request, actions);
                }
            }
            Primitive::Barrier => self.arrive(process, arrived, actions),
        }
    }

    fn lock(&mut self, lock: u32) -> &mut Lock {
        let free = || Lock { holder: -1, waiting: VecDeque::new() };
        self.locks.entry(lock).or_insert_with(free)
    }

    fn give(&mut self, lock: u32, process: u8, actions: &mut Vec<MasterAction>) {
        self.lock(lock).holder = process.into();
        actions.push(MasterAction::WriteIndex(lock, process.into()));
        // The main thread finds it in the index when it waits.
        if process != 0 || self.main != Main::Queued {
            self.answer(process, Primitive::Lock(lock), actions);
        }
    }

    fn arrive(&mut self, process: u8, arrived: u32, actions: &mut Vec<MasterAction>) {
        self.arrived = arrived | 1 << process;
        if self.arrived == u32::MAX >> (32 - self.processes) {
            self.arrived = 0;
            self.flag = false;
            for worker in 1..self.processes {
                self.answer(worker, Primitive::Barrier, actions);
            }
            if process == 0 {
                self.main_has_it(actions);
            }
        } else if process == 0 {
            self.flag = true;
            self.main.go(MainCause::Arrive);
        }
    }

    fn answer(&mut self, process: u8, request: Primitive, actions: &mut Vec<MasterAction>) {
        if process == 0 {
            self.main_has_it(actions);
            return;
        }
        if self.repairs.has(MailRepairs::NUMBERED) {
            let number = self.numbers[usize::from(process)];
            let words = Mail { request, number, answer: true }.words();
            actions.push(MasterAction::Write(process, words));
        }
        actions.push(MasterAction::Signal(process));
    }
}
