//! Golden vectors: generation, reading, checking (VEC-1 to VEC-4).
