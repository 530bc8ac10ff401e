// SPDX-License-Identifier: MIT OR Apache-2.0
//! One board that writes `data` frames and then sends a signal, one that receives, and the ring
//! between them in both directions. No wrap of numbers: the runs are short.

use awgstar_frame::contract::Order;
use std::collections::VecDeque;

/// What may happen in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bounds {
    /// Data frames before the signal.
    pub(crate) data: u8,
    /// Frames lost or spoilt.
    pub(crate) losses: u8,
    /// Timeouts while the frame is still on its way.
    pub(crate) early: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    Data(u8),
    /// With the number of the data frame behind it, or without (SND-3).
    Signal {
        marked: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Frame {
    what: What,
    good: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Signal {
    Waits,
    Flies,
    Done,
}

/// A step: its name and what it does.
type Step<'a> = dyn FnMut(String, &dyn Fn(&mut Machine)) + 'a;

/// Both boards and the ring.
#[expect(clippy::struct_excessive_bools, reason = "rules that can be left out")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Machine {
    order: Order,
    /// RCV-3: a receiver looks at the number of a `sent` signal.
    pub(crate) check_mark: bool,
    /// SND-3: a `sent` signal that returns before its data does not count.
    pub(crate) redo: bool,
    /// RCV-2: data behind a gap is dropped.
    pub(crate) in_order: bool,
    bounds: Bounds,
    // The sender.
    base: u8,
    next: u8,
    recover: bool,
    signal: Signal,
    // The ring, before and behind the receiver.
    there: VecDeque<Frame>,
    back: VecDeque<Frame>,
    // The receiver.
    expected: u8,
    seen: Vec<u8>,
    signals: u8,
    last: bool,
    /// The signal, or a later write, was there before an earlier write.
    pub(crate) violated: bool,
}

impl Machine {
    pub(crate) fn new(order: Order, bounds: Bounds) -> Self {
        Machine {
            order,
            check_mark: true,
            redo: true,
            in_order: true,
            bounds,
            base: 0,
            next: 0,
            recover: false,
            signal: Signal::Waits,
            there: VecDeque::new(),
            back: VecDeque::new(),
            expected: 0,
            seen: Vec::new(),
            signals: 0,
            last: false,
            violated: false,
        }
    }

    /// The sender has nothing more to do.
    pub(crate) fn done(&self) -> bool {
        self.base == self.bounds.data && self.signal == Signal::Done
    }

    /// The receiver has everything, once.
    pub(crate) fn complete(&self) -> bool {
        self.seen == (0..self.bounds.data).collect::<Vec<_>>() && self.signals == 1
    }

    fn settled(&self) -> bool {
        self.base == self.bounds.data
    }

    fn may_signal(&self) -> bool {
        match self.order {
            Order::None => true,
            Order::Sent => self.next == self.bounds.data,
            Order::Confirmed => self.settled(),
        }
    }

    fn go_back(&mut self) {
        self.next = self.base;
        self.recover = true;
    }

    /// Every step that is possible, with its name.
    pub(crate) fn steps(&self) -> Vec<(String, Machine)> {
        let mut all = Vec::new();
        let mut step = |name: String, act: &dyn Fn(&mut Machine)| {
            let mut next = self.clone();
            act(&mut next);
            all.push((name, next));
        };
        if self.next < self.bounds.data {
            let n = self.next;
            step(format!("send data {n}"), &|s| {
                s.there.push_back(Frame { what: What::Data(n), good: true });
                s.next += 1;
            });
        }
        if self.signal == Signal::Waits && self.may_signal() {
            step("send the signal".into(), &|s| {
                let marked = s.order == Order::Sent;
                s.there.push_back(Frame { what: What::Signal { marked }, good: true });
                s.signal = Signal::Flies;
            });
        }
        if let Some(&frame) = self.there.front() {
            step(format!("{:?} arrives", frame.what), &|s| {
                s.there.pop_front();
                s.back.push_back(frame);
                if frame.good {
                    s.receive(frame.what);
                }
            });
        }
        if let Some(&frame) = self.back.front() {
            step(format!("{:?} comes back", frame.what), &|s| {
                s.back.pop_front();
                s.returned(frame);
            });
        }
        if self.bounds.losses > 0 {
            for (place, queue) in [("there", &self.there), ("back", &self.back)] {
                let Some(frame) = queue.front() else { continue };
                step(format!("{:?} is lost on its way {place}", frame.what), &|s| {
                    s.bounds.losses -= 1;
                    if place == "there" {
                        s.there.pop_front()
                    } else {
                        s.back.pop_front()
                    };
                });
                if frame.good {
                    step(format!("{:?} is spoilt on its way {place}", frame.what), &|s| {
                        s.bounds.losses -= 1;
                        let queue = if place == "there" { &mut s.there } else { &mut s.back };
                        queue[0].good = false;
                    });
                }
            }
        }
        self.timeouts(&mut step);
        all
    }

    fn timeouts(&self, step: &mut Step<'_>) {
        let early = !(self.there.is_empty() && self.back.is_empty());
        if early && self.bounds.early == 0 {
            return;
        }
        if self.base != self.next {
            step("timeout of data".into(), &|s| {
                s.bounds.early -= u8::from(early);
                s.go_back();
            });
        }
        if self.signal == Signal::Flies {
            step("timeout of the signal".into(), &|s| {
                s.bounds.early -= u8::from(early);
                s.signal = Signal::Waits;
            });
        }
    }

    fn receive(&mut self, what: What) {
        match what {
            What::Data(n) if n == self.expected || (!self.in_order && n > self.expected) => {
                self.violated |= n != self.expected;
                self.seen.push(n);
                self.expected = n + 1;
            }
            What::Data(_) => {}
            What::Signal { .. } if self.last => {}
            What::Signal { marked } => {
                let early = marked && self.expected < self.bounds.data;
                if early && self.check_mark {
                    return;
                }
                self.violated |= self.expected < self.bounds.data;
                self.last = true;
                self.signals += 1;
            }
        }
    }

    fn returned(&mut self, frame: Frame) {
        let outstanding = self.base != self.next;
        match frame {
            Frame { what: What::Data(n), good: true } if outstanding && n == self.base => {
                self.base += 1;
                self.recover = false;
            }
            Frame { what: What::Data(n), good: true } if n <= self.base => {}
            Frame { what: What::Signal { .. }, good: true } => {
                if self.signal != Signal::Flies {
                } else if self.order != Order::Sent || self.settled() || !self.redo {
                    self.signal = Signal::Done;
                } else {
                    self.order = Order::Confirmed;
                    self.signal = Signal::Waits;
                }
            }
            _ if outstanding && !self.recover => self.go_back(),
            _ => {}
        }
        if !frame.good && self.signal == Signal::Flies {
            self.signal = Signal::Waits;
        }
    }
}
