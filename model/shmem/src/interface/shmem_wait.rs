// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits for values of the own memory, and looks at them. `cmp` is `SHMEM_CMP_EQ` and the like.

use super::Const;
use crate::{
    types::{families, table},
    waits::Set,
};
use awgstar_caller::memory::Array;
use std::ffi::c_int;

families! {
    /// Waits until a variable of this PE compares with a value.
    fn ["" atomics "_wait_until"](ivar: Array<T>, cmp: c_int, cmp_value: T) =
        call |process| process.wait_until("ivar", ivar, cmp, cmp_value).map(|_| ());

    /// Waits for all variables whose `status` is 0; `status` may be null.
    fn ["" atomics "_wait_until_all"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_value: T,
    ) = call |process| process.wait_until_all(Set::one(ivars, nelems, status, cmp, cmp_value));

    /// Waits for one of the variables, and returns its index: `SIZE_MAX` if all are left out.
    fn ["" atomics "_wait_until_any"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_value: T,
    ) -> usize = call |process| process.any(Set::one(ivars, nelems, status, cmp, cmp_value), true);

    /// Waits for some of the variables, gives their indices, and returns how many.
    fn ["" atomics "_wait_until_some"](
        ivars: Array<T>, nelems: usize, indices: Array<usize>, status: Const<c_int>, cmp: c_int, cmp_value: T,
    ) -> usize = call |process| process.several(Set::one(ivars, nelems, status, cmp, cmp_value), indices, true);

    /// As `wait_until_all`, with a value for each variable.
    fn ["" atomics "_wait_until_all_vector"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_values: Array<T>,
    ) = call |process| process.wait_until_all(Set::each(ivars, nelems, status, cmp, cmp_values));

    /// As `wait_until_any`, with a value for each variable.
    fn ["" atomics "_wait_until_any_vector"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_values: Array<T>,
    ) -> usize = call |process| process.any(Set::each(ivars, nelems, status, cmp, cmp_values), true);

    /// As `wait_until_some`, with a value for each variable.
    fn ["" atomics "_wait_until_some_vector"](
        ivars: Array<T>, nelems: usize, indices: Array<usize>, status: Const<c_int>, cmp: c_int,
        cmp_values: Array<T>,
    ) -> usize = call |process| process.several(Set::each(ivars, nelems, status, cmp, cmp_values), indices, true);

    /// Lets time pass, and returns 1 if a variable of this PE compares with a value.
    fn ["" atomics "_test"](ivar: Array<T>, cmp: c_int, cmp_value: T) -> c_int =
        call |process| Ok(c_int::from(process.test(ivar, cmp, cmp_value)?));

    /// Lets time pass, and returns 1 if all variables whose `status` is 0 compare.
    fn ["" atomics "_test_all"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_value: T,
    ) -> c_int = call |process| {
        Ok(c_int::from(process.test_all(Set::one(ivars, nelems, status, cmp, cmp_value))?))
    };

    /// Lets time pass, and returns the index of a variable that compares, or `SIZE_MAX`.
    fn ["" atomics "_test_any"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_value: T,
    ) -> usize = call |process| process.any(Set::one(ivars, nelems, status, cmp, cmp_value), false);

    /// Lets time pass, gives the indices of the variables that compare, and returns how many.
    fn ["" atomics "_test_some"](
        ivars: Array<T>, nelems: usize, indices: Array<usize>, status: Const<c_int>, cmp: c_int, cmp_value: T,
    ) -> usize = call |process| process.several(Set::one(ivars, nelems, status, cmp, cmp_value), indices, false);

    /// As `test_all`, with a value for each variable.
    fn ["" atomics "_test_all_vector"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_values: Array<T>,
    ) -> c_int = call |process| {
        Ok(c_int::from(process.test_all(Set::each(ivars, nelems, status, cmp, cmp_values))?))
    };

    /// As `test_any`, with a value for each variable.
    fn ["" atomics "_test_any_vector"](
        ivars: Array<T>, nelems: usize, status: Const<c_int>, cmp: c_int, cmp_values: Array<T>,
    ) -> usize = call |process| process.any(Set::each(ivars, nelems, status, cmp, cmp_values), false);

    /// As `test_some`, with a value for each variable.
    fn ["" atomics "_test_some_vector"](
        ivars: Array<T>, nelems: usize, indices: Array<usize>, status: Const<c_int>, cmp: c_int,
        cmp_values: Array<T>,
    ) -> usize = call |process| process.several(Set::each(ivars, nelems, status, cmp, cmp_values), indices, false);
}
