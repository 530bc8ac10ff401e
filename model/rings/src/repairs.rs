// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repairs of a gateway.

awgstar_sync::repairs! {
    /// Repairs of far requests (P1) and of the room for them (P2).
    pub struct RequestRepairs {
        /// A request is in its channel until the reply; as published it is cleared when it is read.
        KEPT = 0 "kept until the reply";
        /// After a reset of a link, and when the timer has run out, open requests are sent again.
        AGAIN = 1 "sent again after a reset";
        /// The near gateway looks at the number of an answer.
        ANSWER_NUMBER = 2 "number in the answer";
        /// The number is the last word of a request.
        NUMBER_LAST = 3 "number last";
        /// The home gateway carries out each number once.
        ONCE = 4 "each number once";
        /// A request is done after its words are stored.
        DONE_AFTER = 5 "done after the words";
        /// The home gateway stores what it is going to do.
        INTENT = 6 "intent before the words";
        /// After a restart the words that the board has accepted are counted; without it, values are compared.
        COUNTED = 7 "words are counted";
        /// The intent is one frame.
        ONE_FRAME = 8 "intent in one frame";
        /// The gateway stores nothing else between the intent and its last word.
        ALONE = 9 "nothing in between";
        /// The answer is sent when the words are in all replicas.
        CONFIRMED = 10 "answer when confirmed";
        /// Values go the same way as the reply, before it.
        ONE_WAY = 11 "values before the reply";
        /// A send never waits, and links are always read (P2).
        NEVER_WAITS = 12 "a send never waits";
        /// So many requests for a ring at most are open at once (P2).
        CREDIT = 13 "credits";
    }
}

awgstar_sync::repairs! {
    /// Repairs of the barrier (P3).
    pub struct BarrierRepairs {
        /// An arrival says its episode; without it arrivals are counted.
        EPISODES = 0 "episodes";
        /// After a reset of a link the last arrival and release are sent again.
        AGAIN = 1 "again after a reset";
    }
}

awgstar_sync::repairs! {
    /// Repairs of a standby that takes requests over (P1 with P5).
    pub struct TakeOverRepairs {
        /// The standby looks at the records of the other gateway.
        RECORDS = 0 "records of the other gateway";
        /// The standby goes on with an intent of the other gateway.
        INTENTS = 1 "intents of the other gateway";
        /// The standby sends again, under their numbers, the last frames of the other board.
        LOG = 2 "log is sent again";
        /// The standby is the next board after the active one, so that no other board has what it does not have.
        NEXT_BOARD = 3 "standby is the next board";
        /// Each later number is taken; without it, only the next one. A record may have died with the other board after
        /// its answer has left.
        GAP = 4 "a later number is taken";
    }
}

awgstar_sync::repairs! {
    /// Repairs of the turns of rings at a lock of all rings (P4).
    pub struct TurnRepairs {
        /// What a ring has of its turn, and the ring with the turn, are in words; without it a restart forgets them.
        KEPT = 0 "turns kept over a restart";
        /// The gateway looks at the number of the turn that it is given.
        NUMBERS = 1 "number of the turn";
        /// After a reset of a link, and when the timer has run out, the gateways ask and warn again.
        AGAIN = 2 "asked again after a reset";
        /// A ring that is given or warned of a turn that is over says that it is.
        BACK = 3 "a turn that is over is given back";
    }
}

awgstar_sync::repairs! {
    /// Repairs of the cache of words of other rings.
    pub struct CacheRepairs {
        /// The home gateway notes the ring that wants a line, and then reads the words.
        NOTED = 0 "noted before it is read";
        /// Words that were written meanwhile are not sent as a line.
        STILL_NOTED = 1 "still noted when it is sent";
        /// What boards of the home ring write drops lines.
        WATCHED = 2 "writes of the home ring";
        /// A far write is carried out when no ring has the line.
        WRITES_WAIT = 3 "a write waits until all have dropped";
        /// A far read waits while a ring may have older words.
        READS_WAIT = 4 "a read waits until all have dropped";
        /// What was written before an arrival at the barrier is dropped before the gateway speaks of it.
        ARRIVALS_WAIT = 5 "an arrival waits until all have dropped";
        /// A line counts as dropped when it is in no replica any more.
        FLUSHED = 6 "dropped in all replicas";
        /// After a reset of a link, and when the timer has run out, what is open is said again.
        AGAIN = 7 "said again after a reset";
        /// The home gateway looks at the number of what was dropped.
        NUMBER = 8 "number of what was dropped";
        /// A home gateway that begins again has all lines dropped.
        UNKNOWN = 9 "all lines after a restart";
        /// A place is empty before another line comes there.
        EMPTIED = 10 "empty before another line";
        /// The number of a line is stored after its words.
        HEAD_LAST = 11 "number of the line last";
        /// The client looks at the number once more when it has read the words.
        LOOKED_AGAIN = 12 "number looked at again";
    }
}

/// Repairs of a gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repairs {
    pub requests: RequestRepairs,
    pub barrier: BarrierRepairs,
    pub take_over: TakeOverRepairs,
    pub turns: TurnRepairs,
    pub locks: LockRepairs,
    pub cache: CacheRepairs,
    pub windows: WindowRepairs,
}

impl Repairs {
    /// All repairs.
    pub const ALL: Repairs = Repairs {
        requests: RequestRepairs::ALL,
        barrier: BarrierRepairs::ALL,
        take_over: TakeOverRepairs::ALL,
        turns: TurnRepairs::ALL,
        locks: LockRepairs::ALL,
        cache: CacheRepairs::ALL,
        windows: WindowRepairs::ALL,
    };
}

awgstar_sync::repairs! {
    /// Repairs of windows whose words may be lost.
    pub struct WindowRepairs {
        /// Where words may be lost, the windows are not whole.
        MARKED = 0 "not whole after a reset";
        /// They are whole when all were sent once more; without it, at once.
        FILLED = 1 "whole when all is sent";
    }
}

awgstar_sync::repairs! {
    /// Repairs of the lock (P4).
    pub struct LockRepairs {
        /// Owner and queue are in words or registers; without it a restart of the gateway forgets them.
        KEPT = 0 "owner kept over a restart";
        /// The upper lock is given up for another ring although the own one waits.
        TURNS = 1 "other rings have their turn";
        /// A ring that gets the upper lock serves one process at least.
        FRESH = 2 "one process at least";
    }
}

awgstar_sync::repairs! {
    /// Repairs of reflected frames (P5).
    pub struct ReflectRepairs {
        /// The standby sends the frames again that it has seen last.
        LOG = 0 "log is sent again";
        /// They have the source and the number that they had.
        SAME_NUMBER = 1 "same source and number";
        /// The standby sends its own only when a mark has returned: all frames of the other board have passed.
        MARK = 2 "mark before the own frames";
        /// The standby is the next board after the active one.
        NEXT_BOARD = 3 "standby is the next board";
        /// The standby keeps what the near ring sends until it has seen it on the far ring.
        STORE = 4 "store of the standby";
        /// No more frames are open than the log has room for.
        WINDOW = 5 "no more open than in the log";
    }
}
