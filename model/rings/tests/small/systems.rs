// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small systems.

use crate::found::{Small, Wrong};
use awgstar_rings::check::{Op, Property, Settings, System};
use awgstar_rings::repairs::{BarrierRepairs, Repairs, RequestRepairs, TakeOverRepairs};

/// The first client of ring 0, where no ring has a standby: gateways are the first nodes of their rings.
pub(crate) const CLIENT: usize = 1;

pub(crate) fn system(settings: Settings) -> Small<System> {
    let system = System::new(settings);
    let nodes = system.nodes();
    Small(system, nodes)
}

/// Two rings, the first one with these clients and the second one with those.
pub(crate) fn two(near: &[&[Op]], home: &[&[Op]], requests: RequestRepairs) -> Settings {
    Settings::new(&[near, home], Repairs { requests, ..Repairs::ALL })
}

pub(crate) fn with_barrier(rings: &[&[&[Op]]], barrier: BarrierRepairs) -> Settings {
    Settings::new(rings, Repairs { barrier, ..Repairs::ALL })
}

/// Two rings, one of them with a standby.
pub(crate) fn with_standby(
    near: &[&[Op]],
    home: &[&[Op]],
    ring: usize,
    take_over: TakeOverRepairs,
) -> Settings {
    let mut settings = Settings::new(&[near, home], Repairs { take_over, ..Repairs::ALL });
    settings.rings[ring].standby = true;
    Settings { deaths: 1, ..settings }
}

pub(crate) const fn breaks(property: Property) -> Wrong<Property> {
    Wrong::Breaks(property, property.violated())
}
