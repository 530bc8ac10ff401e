// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dynamic memory of shared variables, as a stack (thesis 3.1; ALC-1 to ALC-4).
//!
//! The compiler frees variables in the reverse order of their allocation, and only the master
//! allocates and frees. So an area that is reserved in advance is a stack, and its tail, the first
//! free address, is a value of the master process alone: nothing here is in the shared memory.
//! Workers learn addresses from the master's program. It is the same on both versions of the system.
//!
//! ```
//! use awgstar_frame::quantity::ByteAddress;
//! use awgstar_thesis::alloc::{AllocError, Stack};
//!
//! let mut stack = Stack::new(ByteAddress(0x1000), 64)?;
//! let a = stack.allocate(10, 4)?;
//! let b = stack.allocate(8, 8)?;
//! assert_eq!((a, b, stack.tail()), (ByteAddress(0x1000), ByteAddress(0x1010), 0x1018));
//! assert_eq!(stack.free(a), Err(AllocError::Order { addr: a, last: b }));
//! stack.free(b)?;
//! // What was left out before `b` to align it is free again.
//! assert_eq!(stack.tail(), 0x100a);
//! # Ok::<(), AllocError>(())
//! ```

use awgstar_frame::quantity::{ByteAddress, narrow};
use thiserror::Error;

/// Error of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AllocError {
    /// The area does not end within 32-bit addresses.
    #[error("area of {size} bytes at {base:#x}: expected an end of at most 2^32")]
    Area {
        /// First address.
        base: ByteAddress,
        /// Bytes.
        size: u32,
    },
    /// A variable of no bytes.
    #[error("size is 0: expected 1 or more")]
    Zero,
    /// An alignment that is no power of two.
    #[error("alignment is {align}: expected a power of two")]
    Align {
        /// The alignment that was given, in bytes.
        align: u32,
    },
    /// There is not so much left, alignment counted.
    #[error("{size} bytes, aligned to {align}: {left} are left")]
    Exhausted {
        /// Bytes asked for.
        size: u32,
        /// Alignment asked for.
        align: u32,
        /// Bytes after the tail.
        left: u32,
    },
    /// Another variable was allocated after it and is not freed.
    #[error("free of {addr:#x}: expected {last:#x}, which was allocated last")]
    Order {
        /// The address that was given.
        addr: ByteAddress,
        /// The address that must be freed first.
        last: ByteAddress,
    },
    /// No variable begins there: it was freed before, or never allocated.
    #[error("free of {addr:#x}: expected the address of a variable that is not freed yet")]
    Unknown {
        /// The address that was given.
        addr: ByteAddress,
    },
}

/// A variable: its first address, and the tail before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    addr: ByteAddress,
    before: u64,
}

/// The stack, which the master has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    tail: u64,
    end: u64,
    blocks: Vec<Block>,
}

impl Stack {
    /// A stack of `size` bytes from `base` on, all free.
    ///
    /// # Errors
    /// [`AllocError::Area`].
    pub fn new(base: ByteAddress, size: u32) -> Result<Stack, AllocError> {
        let end = u64::from(base.0) + u64::from(size);
        if end > 1 << 32 {
            return Err(AllocError::Area { base, size });
        }
        Ok(Stack { tail: base.0.into(), end, blocks: Vec::new() })
    }

    /// The first free address (ALC-1); up to 2^32.
    #[must_use]
    pub const fn tail(&self) -> u64 {
        self.tail
    }

    /// Variables that are allocated.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.blocks.len()
    }

    /// None is.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The address of a new variable of `size` bytes, a multiple of `align` (ALC-2). An error
    /// changes nothing.
    ///
    /// # Errors
    /// [`AllocError::Zero`], [`AllocError::Align`], [`AllocError::Exhausted`].
    pub fn allocate(&mut self, size: u32, align: u32) -> Result<ByteAddress, AllocError> {
        if size == 0 {
            return Err(AllocError::Zero);
        }
        if !align.is_power_of_two() {
            return Err(AllocError::Align { align });
        }
        let start = self.tail.next_multiple_of(align.into());
        let left = narrow(self.end - self.tail);
        let exhausted = AllocError::Exhausted { size, align, left };
        let addr = u32::try_from(start).map(ByteAddress).map_err(|_| exhausted)?;
        if start + u64::from(size) > self.end {
            return Err(exhausted);
        }
        self.blocks.push(Block { addr, before: self.tail });
        self.tail = start + u64::from(size);
        Ok(addr)
    }

    /// Frees the variable at `addr`, which must be the last one (ALC-3). An error changes nothing.
    ///
    /// # Errors
    /// [`AllocError::Order`], [`AllocError::Unknown`].
    pub fn free(&mut self, addr: ByteAddress) -> Result<(), AllocError> {
        let Some(last) = self.blocks.last().copied() else {
            return Err(AllocError::Unknown { addr });
        };
        if last.addr != addr {
            let there = self.blocks.iter().any(|block| block.addr == addr);
            let order = AllocError::Order { addr, last: last.addr };
            return Err(if there { order } else { AllocError::Unknown { addr } });
        }
        self.tail = last.before;
        self.blocks.pop();
        Ok(())
    }
}
