//! A node whose link in carries anything. Checks NODE-6 to NODE-9.
