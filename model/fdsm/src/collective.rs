// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that all processes make together. Each writes what it calls, and its data, into a slot of the replicated
//! memory of the machine; after a barrier all read what all have written. Calls use two sets of slots in turn: when a
//! process writes to a set again, all have passed the barrier of the call between, and have read.

use crate::{function::Function, pages::of_node, places::Place, process::Process};
use awgstar_caller::wrong::Wrong;
use awgstar_frame::quantity::{ByteAddress, narrow};

/// Bytes of a slot before the data: number of the call, function, an argument, and another one.
const HEAD: usize = 32;

/// What a process gives to a call.
pub(crate) struct Said {
    pub(crate) arguments: [u64; 2],
    pub(crate) data: Vec<u8>,
}

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut all = [0; N];
    for (word, bytes) in all.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = bytes.try_into().map_or(0, u64::from_le_bytes);
    }
    all
}

impl Process {
    /// Bytes of a slot.
    fn slot(&self) -> usize {
        self.pages.node.memory() as usize / (2 * self.processes()) / 8 * 8
    }

    /// Most bytes of data in a call.
    pub(crate) fn room(&self) -> usize {
        self.slot() - HEAD
    }

    /// Waits for all, and gives arguments and data of all. Memory agrees then, as after a loop.
    pub(crate) fn gather(
        &mut self,
        function: Function,
        arguments: [u64; 2],
        data: &[u8],
    ) -> Result<Vec<Said>, Wrong> {
        self.collectives += 1;
        let (me, all, slot, number) = (self.me(), self.processes(), self.slot(), self.collectives);
        let set = if number.is_multiple_of(2) { 0 } else { all };
        let place = |process: usize| ByteAddress(narrow((set + process) * slot));
        let head = [number, function as u64, arguments[0], arguments[1]];
        let mut said = head.map(u64::to_le_bytes).concat();
        said.extend_from_slice(data);
        self.pages.node.write(place(me), &said).map_err(of_node)?;
        self.coherent(Place::of_caller().barrier())?;
        let mut found = Vec::new();
        for process in 0..all {
            let mut bytes = vec![0; HEAD + data.len()];
            self.pages.node.read(place(process), &mut bytes).map_err(of_node)?;
            let [its_number, its_function, one, other] = words(&bytes);
            let its_function = if its_number == number { its_function } else { 0 };
            if its_function != function as u64 {
                return Err(Wrong::Order(Function::called(its_function)));
            }
            found.push(Said { arguments: [one, other], data: bytes.split_off(HEAD) });
        }
        Ok(found)
    }

    /// Waits for all, and checks that they give the same number for an argument.
    pub(crate) fn alike(
        &mut self,
        function: Function,
        (name, number): (&'static str, u64),
    ) -> Result<(), Wrong> {
        let all = self.gather(function, [number, 0], &[])?;
        for (process, Said { arguments: [given, _], .. }) in all.into_iter().enumerate() {
            if given != number {
                let expected = format!("{given} as in process {process}");
                return Err(Wrong::argument(name, number, expected));
            }
        }
        Ok(())
    }
}
