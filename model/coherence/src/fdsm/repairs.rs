// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is repaired in FDSM, and what the form without a home needs.

awgstar_sync::repairs! {
    /// Repairs of FDSM, and rules of the form without a home.
    pub struct FdsmRepairs {
        /// A plan is used again only for the same block and the same map; as published (paper 003,
        /// section 3.4) for the same block.
        PLAN_BY_MAP = 0 "plan for block and map";
        /// A page that is written is used as a whole: a read after a write makes no fault.
        APART = 1 "a written page is read, too";
        /// What comes from an owner takes the place of the bytes that were lacked only.
        MERGE = 2 "fetched bytes are merged";
        /// Writes outside of shared loops are reported, too; as published (section 3.5) all nodes write
        /// the same there.
        ALL_BLOCKS = 3 "all blocks are recorded";
        /// Where a lock is given up, a record of all changes goes to all.
        RECORDS = 4 "records with locks";
        /// What a block does beyond its pattern is seen and reported.
        CHECK = 5 "pattern check";
        /// Bytes that will be written are valid before: a write that is left out does no harm.
        VALID = 6 "bytes to be written are valid";
        /// New bytes in a page that the pattern writes are found, too.
        DIFF = 7 "diff of written pages";
        /// What was reported beats what the pattern claims.
        REPORT_FIRST = 8 "a report beats a claim";
        /// A byte that two nodes claim is theirs only by a report.
        ALONE = 9 "two claims need a report";
        /// A push leaves bytes that a record of this epoch has changed.
        PUSH_AFTER_RECORD = 10 "a push leaves recorded bytes";
        /// The same for what a fault gets.
        DATA_AFTER_RECORD = 11 "data leaves recorded bytes";
        /// A record waits for its epoch.
        EPOCH = 12 "epoch of a record";
        /// A record waits for those that its sender knew.
        CAUSAL = 13 "records in causal order";
        /// A grant waits for the records that the last holders knew.
        GRANT_COUNTS = 14 "a grant waits for records";
        /// A release waits for all records.
        LEAVE_COUNTS = 15 "a release waits for records";
    }
}
