// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring that the transmitters' wavelengths make. Checks AWG-3.

use awgstar_board::ring::star::{OrderError, RouterError, Transmitter, ring_order, wavelengths};
use proptest::prelude::*;

fn lasers(list: &[(u8, u16)]) -> Vec<Transmitter> {
    list.iter().map(|&(port, wavelength)| Transmitter { port, wavelength }).collect()
}

/// 1 → 2 → 3 → 1 by the numbers of Table 1.
#[test]
fn three_ports_of_the_thesis() {
    let ring = lasers(&[(1, 58), (2, 62), (3, 60)]);
    assert_eq!(ring_order(&ring), Ok(vec![1, 2, 3]));
    assert_eq!(wavelengths(&[1, 2, 3]), Ok(ring));
    // The other way round.
    assert_eq!(ring_order(&lasers(&[(1, 60), (2, 58), (3, 62)])), Ok(vec![1, 3, 2]));
    assert_eq!(ring_order(&[]), Ok(vec![]));
    // A node alone sends to itself.
    assert_eq!(ring_order(&lasers(&[(7, 80)])), Ok(vec![7]));
}

#[test]
fn what_is_no_ring() {
    let two = ring_order(&lasers(&[(1, 58), (2, 58), (3, 66), (4, 66)])).unwrap_err();
    assert_eq!(two, OrderError::Rings { rings: vec![vec![1, 2], vec![3, 4]] });
    assert_eq!(two.to_string(), "expected one ring, found 2: ports 1 → 2; 3 → 4");
    let nobody = ring_order(&lasers(&[(1, 58), (2, 62)])).unwrap_err();
    assert_eq!(nobody.to_string(), "port 2 sends to port 3: expected a node there, found none");
    let both = ring_order(&lasers(&[(1, 58), (2, 60), (3, 60)])).unwrap_err();
    assert_eq!(both, OrderError::Collision { from: [1, 2], to: 2 });
    assert_eq!(ring_order(&lasers(&[(1, 58), (1, 58)])), Err(OrderError::Twice(1)));
    let error = RouterError::Wavelength(59);
    let odd = ring_order(&lasers(&[(1, 58), (2, 59)]));
    assert_eq!(odd, Err(OrderError::Router { index: 1, error }));
}

fn permutation() -> impl Strategy<Value = Vec<u8>> {
    (1usize..=32, Just((1u8..=32).collect::<Vec<_>>()).prop_shuffle())
        .prop_map(|(n, ports)| ports[..n].to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(2), ..ProptestConfig::default() })]

    /// Any order of any ports can be had, and is found again.
    #[test]
    fn every_ring_can_be(ports in permutation()) {
        let mut expected = ports.clone();
        let low = expected.iter().enumerate().min_by_key(|p| p.1).map_or(0, |p| p.0);
        expected.rotate_left(low);
        let mut tuned = wavelengths(&ports).unwrap();
        tuned.sort_by_key(|t| t.wavelength);
        prop_assert_eq!(ring_order(&tuned), Ok(expected));
    }

    /// Two lasers that change their destinations cut a ring in two, always.
    #[test]
    fn a_swap_makes_two_rings(ports in permutation(), a in 0usize..32, b in 0usize..32) {
        let (a, b) = (a % ports.len(), b % ports.len());
        prop_assume!(a != b);
        let mut tuned = wavelengths(&ports).unwrap();
        let n = ports.len();
        let to = |k: usize| ports[(k + 1) % n];
        let channel = |from: u8, to: u8| 56 + (2 * (u16::from(from) + u16::from(to)) - 4) % 64;
        tuned[a].wavelength = channel(ports[a], to(b));
        tuned[b].wavelength = channel(ports[b], to(a));
        match ring_order(&tuned) {
            Err(OrderError::Rings { rings }) => {
                prop_assert_eq!(rings.len(), 2);
                prop_assert_eq!(rings.concat().len(), n);
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
