// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wavelength table. Checks AWG-1, AWG-2.

use awgstar_board::ring::star::{Router, RouterError};
use proptest::prelude::*;

/// Table 1 of the thesis, as published.
#[test]
fn the_printed_instance() {
    let printed = [[56, 58, 60], [58, 60, 62], [60, 62, 64]];
    for (input, row) in (1..).zip(printed) {
        for (output, wavelength) in (1..).zip(row) {
            assert_eq!(Router.wavelength(input, output), Ok(wavelength));
            assert_eq!(Router.published(input, output), Ok(wavelength));
            assert_eq!(Router.output(input, wavelength), Ok(output));
        }
    }
    // "when wavelength 58 enters input port 2, the signal exits output port 1"
    assert_eq!(Router.output(2, 58), Ok(1));
}

/// Where the table would go on behind 118 the cyclic router has returned at 56.
#[test]
fn the_table_wraps() {
    let cases = [(1, 32, 118, 118), (2, 32, 56, 120), (32, 2, 56, 120), (32, 32, 116, 180)];
    for (input, output, tuned, printed) in cases {
        assert_eq!(Router.wavelength(input, output), Ok(tuned));
        assert_eq!(Router.published(input, output), Ok(printed));
        assert_eq!(Router.output(input, tuned), Ok(output));
        assert_eq!(Router.output(input, printed), Ok(output));
    }
}

#[test]
fn what_is_no_port_or_channel() {
    let input = |found| Err(RouterError::Port { side: "input", found });
    assert_eq!(Router.wavelength(0, 1), input(0));
    assert_eq!(Router.wavelength(33, 1), input(33));
    let output = RouterError::Port { side: "output", found: 33 };
    assert_eq!(Router.wavelength(1, 33), Err(output));
    assert_eq!(output.to_string(), "output port: expected 1 to 32, found 33");
    for wavelength in [0, 54, 57, 181, 182] {
        assert_eq!(Router.output(1, wavelength), Err(RouterError::Wavelength(wavelength)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Both ways of asking are inverses, on the channels of a laser and on all that the table prints.
    #[test]
    fn inverses(input in 1u8..=32, output in 1u8..=32, channel in 0u16..63) {
        let wavelength = Router.wavelength(input, output).unwrap();
        prop_assert!((56..=118).contains(&wavelength) && wavelength.is_multiple_of(2));
        prop_assert_eq!(Router.output(input, wavelength), Ok(output));
        let printed = 52 + 2 * (u16::from(input) + u16::from(output));
        prop_assert_eq!(Router.output(input, printed), Ok(output));
        let any = 56 + 2 * channel;
        let leaves = Router.output(input, any).unwrap();
        prop_assert_eq!((any - Router.wavelength(input, leaves).unwrap()) % 64, 0);
    }

    /// No two inputs reach one output with one wavelength, and no input two outputs: a Latin square.
    #[test]
    fn a_latin_square(a in 1u8..=32, b in 1u8..=32, to in 1u8..=32) {
        prop_assume!(a != b);
        prop_assert_ne!(Router.wavelength(a, to), Router.wavelength(b, to));
        prop_assert_ne!(Router.wavelength(to, a), Router.wavelength(to, b));
    }
}
