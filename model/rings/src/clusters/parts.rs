// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a cluster consists of: the handler of its gateway and its processes, each in what it does.

use super::settings::Settings;
use crate::client::Client;
use crate::gateway::Gateway;
use crate::interface::{Action, Frame, Message};
use crate::repairs::{Repairs, RequestRepairs};
use crate::words::{RingNumber, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use awgstar_request::{Data, Got, Len, Place, Process as Program, Refused, Request};
use awgstar_sync::record::Serving;
use std::collections::VecDeque;
use std::sync::Arc;

/// The node of a gateway.
pub(super) const GATEWAY: NodeId = NodeId(0);

/// What a handler does; its effect is at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// It reads what clients have written into the channels.
    Channels(Vec<Frame>),
    /// It handles a message.
    Message(RingNumber, Message),
    /// It carries out a request for its cluster; bytes that are read are there.
    Home,
    Store(Frame),
    Send(RingNumber, Message),
}

/// The handler of a gateway.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    pub(super) gateway: Gateway,
    /// What is in the channels, and not read yet.
    pub(super) channels: Vec<Frame>,
    pub(super) sockets: VecDeque<(RingNumber, Message)>,
    pub(super) actions: VecDeque<Action>,
    pub(super) work: Option<Work>,
    /// A turn is about to begin.
    pub(super) called: bool,
    pub(super) doing: Serving,
    /// Something has come since the gateway last found nothing to do.
    pub(super) news: bool,
}

impl Handler {
    pub(super) fn new(settings: &Settings, ring: RingNumber) -> Handler {
        Handler {
            gateway: Gateway::new(settings.place(ring), Repairs::ALL),
            channels: Vec::new(),
            sockets: VecDeque::new(),
            actions: VecDeque::new(),
            work: None,
            called: false,
            doing: Serving::Sleeps,
            news: true,
        }
    }

    /// The next frames of words of the memory that follow each other, as one.
    pub(super) fn block(&mut self, mut frame: Frame) -> Frame {
        while let (Some(&(Word::Memory(last), _)), Some(Action::Store(next, _))) =
            (frame.last(), self.actions.front())
        {
            let Some(&(Word::Memory(at), _)) = next.first() else { break };
            if last.checked_add(4) != Some(at) {
                break;
            }
            frame.extend_from_slice(next);
            self.actions.pop_front();
        }
        frame
    }
}

/// State of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It goes on at a known time, with this.
    Until(Result<Got, Refused>),
    Reading(ByteAddress, Len),
    Writing(ByteAddress, Data),
    /// It waits for its gateway: for a reply, or at the barrier.
    Far(Request),
    /// It waits until these bytes of its memory differ from what they were.
    Watching(ByteAddress, Arc<[u8]>),
    Ended,
}

impl Doing {
    /// What the process waits for, if others decide when it ends.
    pub(super) fn request(&self) -> Option<Request> {
        Some(match self {
            Doing::Until(_) | Doing::Reading(..) | Doing::Writing(..) | Doing::Ended => {
                return None;
            }
            Doing::Far(request) => request.clone(),
            Doing::Watching(at, old) => Request::Changed(Place::shared(*at), Arc::clone(old)),
        })
    }
}

/// A process.
pub(super) struct Process {
    pub(super) program: Box<dyn Program>,
    pub(super) client: Client,
    pub(super) doing: Doing,
}

impl Process {
    pub(super) fn new(node: NodeId, program: Box<dyn Program>) -> Process {
        let client = Client::new(node, 1, RequestRepairs::ALL);
        Process { program, client, doing: Doing::Until(Ok(Got::Nothing)) }
    }
}

/// Place of a cluster in a list.
pub(super) fn ring_index(ring: RingNumber) -> usize {
    ring.0.into()
}
