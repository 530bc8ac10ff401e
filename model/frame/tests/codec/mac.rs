// SPDX-License-Identifier: MIT OR Apache-2.0
//! MAC addresses as text. Checks FRM-1, FRM-12.

use crate::seeded;
use awgstar_frame::codec::{Mac, ParseMacError};
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded::seeded(256))]

    #[test]
    fn text_and_number_round_trip(bytes: [u8; 6]) {
        let mac = Mac(bytes);
        prop_assert_eq!(mac.to_string().parse(), Ok(mac));
        prop_assert_eq!(Mac::from_u64(mac.to_u64()), mac);
    }

    #[test]
    fn any_text_gets_an_answer(text in ".*") {
        let _ = text.parse::<Mac>();
    }
}

#[test]
fn first_byte_is_most_significant() {
    let mac: Mac = "02:53:4d:42:00:01".parse().expect("parses");
    assert_eq!(mac.to_u64(), 0x0253_4d42_0001);
}

#[test]
fn wrong_text_names_the_part() {
    for (text, part, found) in [
        ("", 0, ""),
        ("02:53:4d:42:00", 5, ""),
        ("02:53:4d:42:00:01:07", 6, "07"),
        ("02:53:4g:42:00:01", 2, "4g"),
        ("02:53:+d:42:00:01", 2, "+d"),
        ("2:53:4d:42:00:01", 0, "2"),
    ] {
        assert_eq!(text.parse::<Mac>(), Err(ParseMacError { part, found: found.into() }), "{text}");
    }
}
