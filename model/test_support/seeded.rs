// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of tests with random cases.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Random cases that are the same in every run; `PROPTEST_CASES` asks for another number of them, `PROPTEST_RNG_SEED`
/// for other ones.
pub(crate) fn seeded(cases: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let set = |name| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if set("PROPTEST_CASES") { from_environment.cases } else { cases },
        rng_seed: if set("PROPTEST_RNG_SEED") {
            from_environment.rng_seed
        } else {
            RngSeed::Fixed(1)
        },
        ..from_environment
    }
}
