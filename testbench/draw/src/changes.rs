//! Waves in ns of what is known as changes, in any order of signals.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};
use vcd::{IdCode, Writer};

/// Time in ns.
type Ns = u64;

/// What a signal becomes.
#[derive(Clone, Debug)]
pub enum Change {
    /// So many bits of a number.
    Bits(u64, u32),
    /// A text; blanks in it are written as `_`.
    Text(String),
}

/// Changes of signals by time.
#[derive(Debug, Default)]
pub struct Changes(BTreeMap<Ns, Vec<(IdCode, Change)>>);

impl Changes {
    /// The signal becomes this at `at`, behind what was put for the same ns before.
    pub fn put(&mut self, at: Ns, id: IdCode, change: Change) {
        self.0.entry(at).or_default().push((id, change));
    }

    /// What happens from `window.0` to before `window.1`; what stands when the window opens is
    /// written at its beginning.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write<W: Write>(mut self, out: &mut Writer<W>, window: (Ns, Ns)) -> io::Result<()> {
        let later = self.0.split_off(&window.0);
        let standing: BTreeMap<IdCode, Change> = self.0.into_values().flatten().collect();
        out.timestamp(window.0)?;
        for (id, change) in standing {
            write(out, id, &change)?;
        }
        for (at, changes) in later.into_iter().take_while(|(at, _)| *at < window.1) {
            out.timestamp(at)?;
            for (id, change) in changes {
                write(out, id, &change)?;
            }
        }
        out.timestamp(window.1)
    }
}

fn write<W: Write>(out: &mut Writer<W>, id: IdCode, change: &Change) -> io::Result<()> {
    match change {
        Change::Bits(value, bits) => {
            let bit = |bit: u32| vcd::Value::from(value >> bit & 1 == 1);
            out.change_vector(id, (0..*bits).rev().map(bit))
        }
        Change::Text(text) => out.change_string(id, &text.replace(' ', "_")),
    }
}
