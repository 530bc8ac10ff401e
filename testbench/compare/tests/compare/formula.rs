// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bits are wrong.

use awgstar_compare::{Expected, Seen};

const TOP: u128 = 1 << 127;

/// One bit in each state against each expectation, in the lowest and in the highest place.
#[test]
fn one_bit() {
    // (expected value, care, care_x), then what is wrong of 0, 1 and X.
    let table = [
        ((0, 0, 0), [0, 0, 0]),
        ((1, 0, 0), [0, 0, 0]),
        ((0, 1, 0), [0, 1, 0]),
        ((1, 1, 0), [1, 0, 0]),
        ((0, 1, 1), [0, 1, 1]),
        ((1, 1, 1), [1, 0, 1]),
        ((0, 0, 1), [0, 0, 1]),
        ((1, 0, 1), [0, 0, 1]),
    ];
    for place in [1, 1 << 31, 1 << 32, 1 << 63, 1 << 64, TOP] {
        for ((value, care, care_x), wrong) in table {
            let [value, care, care_x] = [value, care, care_x].map(|bit: u128| bit * place);
            let expected = Expected { value, care, care_x };
            let seen = [Seen::known(0), Seen::known(place), Seen { value: 0, x: place }];
            let found = seen.map(|seen| expected.wrong(seen));
            assert_eq!(found, wrong.map(|bit: u128| bit * place), "{expected:?}");
        }
    }
}

#[test]
fn one_unknown_bit_excuses_each_x() {
    let whole = Expected::agreed(0b1010, 0, 4);
    assert_eq!(whole, Expected::exactly(0b1010, 4));
    assert_eq!(whole.wrong(Seen { value: 0b1000, x: 0b0010 }), 0b0010);
    let part = Expected::agreed(0b1010, 0b0001, 4);
    assert_eq!(part, Expected { value: 0b1010, care: 0b1110, care_x: 0 });
    assert_eq!(part.wrong(Seen { value: 0b1000, x: 0b0010 }), 0);
    assert_eq!(part.wrong(Seen { value: 0b0001, x: 0b0010 }), 0b1000);
    assert_eq!(Expected::exactly(0, 128).wrong(Seen::unknown(128)), u128::MAX);
    assert_eq!(Expected::exactly(3, 2).within(2).wrong(Seen { value: 0, x: 1 }), 2);
}

#[test]
fn digits_of_four_states() {
    let seen = Seen::parse("1zx00101").unwrap();
    assert_eq!(seen, Seen { value: 0b1000_0101, x: 0b0110_0000 });
    assert_eq!((seen.hex(8), Seen::known(0x1f).hex(5)), ("x5".into(), "1f".into()));
    assert_eq!((Seen::parse("12"), Seen::unknown(3).x), (None, 7));
}
