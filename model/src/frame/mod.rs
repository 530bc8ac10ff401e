//! Frame codec.
