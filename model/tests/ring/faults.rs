//! Bit errors, lost and doubled frames. Checks RING-3, NODE-4, NODE-16 to NODE-18, NODE-20.
