// SPDX-License-Identifier: MIT OR Apache-2.0
//! A place in a heap.

/// Every allocation begins at a multiple: no two of them share a line of a cache.
pub const ALIGNED: usize = 64;

/// The first address from `start` on, a multiple of a power of two, at which so many bytes are free before `end`.
/// What is in use comes in the order of addresses, with its bytes.
pub fn first_fit(
    start: usize,
    end: usize,
    used: impl IntoIterator<Item = (usize, usize)>,
    bytes: usize,
    aligned: usize,
) -> Option<usize> {
    let mut at = start.checked_next_multiple_of(aligned)?;
    for (address, length) in used {
        if at <= address && bytes <= address - at {
            break;
        }
        at = (address + length).checked_next_multiple_of(aligned)?;
    }
    at.checked_add(bytes).filter(|&to| to <= end).map(|_| at)
}

#[cfg(test)]
mod tests {
    use super::first_fit;

    #[test]
    fn the_first_gap_that_is_large_enough() {
        let used = [(0, 64), (128, 10), (256, 100)];
        let fit = |bytes, aligned| first_fit(0, 1024, used, bytes, aligned);
        assert_eq!(fit(64, 64), Some(64));
        assert_eq!(fit(65, 64), Some(384));
        assert_eq!(fit(64, 16), Some(64));
        assert_eq!(fit(65, 16), Some(144));
        assert_eq!(fit(1, 512), Some(512));
        assert_eq!((fit(640, 64), fit(641, 64)), (Some(384), None));
        assert_eq!(fit(usize::MAX, 64), None);
        assert_eq!(first_fit(0, 1024, [], 1024, 64), Some(0));
    }
}
