// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that is compared in a module, once, in the order of reports.

use awgstar_stimulus::{meaning::Meaning, shape::Shape};
use std::sync::Arc;

/// Kind of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Register,
    Memory,
    /// An output of the module.
    Output,
    /// A port of an instance in it.
    Wire {
        /// An output of the instance.
        output: bool,
    },
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Register => "register",
            Kind::Memory => "memory word",
            Kind::Output => "output",
            Kind::Wire { .. } => "wire",
        }
    }
}

/// A signal of a design and of its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub kind: Kind,
    /// Path below the module, `u_ingress.state_q`.
    pub path: String,
    /// Module that declares it.
    pub module: &'static str,
    /// Width in bits.
    pub bits: usize,
    /// Its number among those of its kind, in the order of the shape.
    pub number: usize,
}

/// The signals, upstream first: of each module its registers, then its memories; instances in the order of the
/// layout; the outputs last, a `valid` before what it makes valid.
#[derive(Clone, Debug)]
pub struct Signals(Vec<Arc<Signal>>);

impl Signals {
    /// The signals of a shape.
    #[must_use]
    pub fn of(shape: &Shape) -> Self {
        let mut all = Vec::new();
        let (mut registers, mut memories) = (0.., 0..);
        shape.layout.walk("", &mut |prefix, layout| {
            let module = layout.module;
            let own = layout.registers.iter().zip(&mut registers);
            all.extend(own.map(|(r, number)| Signal {
                kind: Kind::Register,
                path: format!("{prefix}{}", r.name),
                module,
                bits: r.bits,
                number,
            }));
            let own = layout.memories.iter().zip(&mut memories);
            all.extend(own.map(|(m, number)| Signal {
                kind: Kind::Memory,
                path: format!("{prefix}{}", m.name),
                module,
                bits: m.bits,
                number,
            }));
        });
        all.extend(outputs(shape));
        Signals(all.into_iter().map(Arc::new).collect())
    }

    /// The outputs of a shape alone.
    #[must_use]
    pub fn outputs(shape: &Shape) -> Self {
        Signals(outputs(shape).map(Arc::new).collect())
    }

    /// In the order of reports.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Signal>> {
        self.0.iter()
    }
}

fn outputs(shape: &Shape) -> impl Iterator<Item = Signal> {
    let order = Meaning::of(&shape.outputs).causes_first();
    order.into_iter().map(|number| Signal {
        kind: Kind::Output,
        path: shape.outputs[number].name.to_owned(),
        module: shape.layout.module,
        bits: shape.outputs[number].bits,
        number,
    })
}
