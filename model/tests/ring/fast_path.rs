//! `RingNode::step` and the ring's fast path against `outputs` and `clock` (NODE-1 to NODE-21).
