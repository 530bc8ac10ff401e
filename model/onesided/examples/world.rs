// SPDX-License-Identifier: MIT OR Apache-2.0
//! A one-sided program, in Rust: `awgstar run -n 3 -- target/debug/examples/world MODE`. It checks what it gets.

#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]

use awgstar_onesided::{Error, Group, Kind, Op, Place, Update, World};
use std::process::ExitCode;

/// Why the program fails.
#[derive(Debug)]
struct Failed(String);

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed(error.to_string())
    }
}

fn expect<T: PartialEq + std::fmt::Debug + ?Sized>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(Failed(format!("{what}: {found:?}, expected {expected:?}")))
}

/// A program and its heap.
struct Program {
    world: World,
    heap: *mut u8,
    bytes: usize,
    /// Offset of the heap in the segment.
    first: u64,
}

impl Program {
    fn join() -> Result<Program, Failed> {
        let mut world = World::join()?;
        let (heap, bytes) = world.heap();
        let first = world.place(heap, 0).map_or(0, |place| place.offset);
        // More than any mode uses.
        world.use_heap(bytes.min(120_000));
        Ok(Program { world, heap, bytes, first })
    }

    /// A byte of the heap of a rank.
    fn at(&self, rank: usize, byte: usize) -> Place {
        Place { rank, offset: self.first + byte as u64 }
    }

    /// A load of the owner.
    fn load(&self, byte: usize) -> u8 {
        assert!(byte < self.bytes);
        // SAFETY: a byte of the heap.
        unsafe { self.heap.add(byte).read_volatile() }
    }

    /// A store of the owner.
    fn store(&mut self, byte: usize, value: u8) {
        assert!(byte < self.bytes);
        // SAFETY: a byte of the heap.
        unsafe { self.heap.add(byte).write_volatile(value) };
    }

    fn next(&self) -> usize {
        (self.world.rank() + 1) % self.world.ranks()
    }

    fn previous(&self) -> usize {
        (self.world.rank() + self.world.ranks() - 1) % self.world.ranks()
    }

    /// Puts, gets, fences and the memory of both.
    fn put(&mut self) -> Result<(), Failed> {
        let (me, next, previous) = (self.world.rank(), self.next(), self.previous());
        let line =
            |rank: usize| (0..3000).map(|at: usize| (at * 7 + rank) as u8).collect::<Vec<_>>();
        self.world.put(self.at(next, 1), &line(me))?;
        self.world.fence(Some(next))?;
        self.world.barrier()?;
        let own: Vec<u8> = (1..3001).map(|at| self.load(at)).collect();
        expect("what was put here", &own, &line(previous))?;
        let mut got = vec![0; 3000];
        self.world.get(self.at(next, 1), &mut got)?;
        expect("what was put there", &got, &line(me))?;
        self.world.get(self.at(me, 1), &mut got)?;
        expect("a get from here", &got, &line(previous))?;
        self.world.barrier()?;
        self.world.put(self.at(me, 5), &[9; 3])?;
        expect("a put to here", &[self.load(4), self.load(5)], &[line(previous)[3], 9])?;
        self.world.barrier()?;
        self.world.get(self.at(next, 5), &mut got[..4])?;
        expect("what another has put to itself", &got[..3], &[9; 3][..])?;
        let end = self.first + self.bytes as u64;
        let beyond = self.world.put(Place { rank: next, offset: end - 2 }, &[1; 3]);
        expect("a put beyond the end", &beyond.is_err(), &true)?;
        let none = self.world.get(self.at(self.world.ranks(), 0), &mut [0]);
        expect("a get from no rank", &none.is_err(), &true)
    }

    /// Stores of the owner and puts of another to neighbouring bytes of the same page: neither is lost, whenever the
    /// put arrives.
    fn neighbours(&mut self) -> Result<(), Failed> {
        let (me, next) = (self.world.rank(), self.next());
        let many = vec![1; 100_000];
        for round in 1..=20 {
            // The page is copied here; another byte of it comes meanwhile.
            self.store(0, round);
            self.world.compute(u64::from(round) * 250 * (1 + me as u64))?;
            self.world.put(self.at(next, 1), &[round])?;
            // Posted calls may wait, too.
            if round % 5 == 0 && self.bytes > 110_000 {
                self.world.put(self.at(next, 8192), &many)?;
            }
            self.store(2, round);
            self.world.put(self.at(next, 3), &[round])?;
            self.world.progress()?;
            self.store(4, round);
            self.world.barrier()?;
            let own: Vec<u8> = (0..5).map(|at| self.load(at)).collect();
            expect("the own page", &own, &vec![round; 5])?;
            let mut got = [0; 5];
            self.world.get(self.at(next, 0), &mut got)?;
            expect("the page of another", &got, &[round; 5])?;
            self.world.barrier()?;
        }
        Ok(())
    }

    /// Updates and accumulates of all ranks at one place.
    fn update(&mut self) -> Result<(), Failed> {
        let (me, ranks) = (self.world.rank(), self.world.ranks());
        let rounds = 10;
        let last = ranks - 1;
        // The owner's own value is the base.
        if me == last {
            self.store(0, 100);
        }
        self.world.barrier()?;
        let mut olds = Vec::new();
        for _ in 0..rounds {
            let old = self.world.update(self.at(last, 0), Update::of(Op::Add, 8, 1))?;
            olds.push(u64::from_le_bytes(std::array::from_fn(|at| old[at])));
            let (scale, data) = (2_f64.to_le_bytes(), [1_f64, 0.25].map(f64::to_le_bytes).concat());
            self.world.accumulate(self.at(last, 16), Kind::Float64, &scale, &data)?;
        }
        self.world.fence(None)?;
        self.world.barrier()?;
        let all = self.world.all();
        let bytes: Vec<u8> = olds.iter().flat_map(|old| old.to_le_bytes()).collect();
        let every = self.world.gather_all(&all, &bytes)?.concat();
        let mut olds: Vec<u64> = every
            .chunks(8)
            .map(|old| u64::from_le_bytes(std::array::from_fn(|at| old[at])))
            .collect();
        olds.sort_unstable();
        let count = (ranks * rounds) as u64;
        expect("old values", &olds, &(100..100 + count).collect())?;
        let mut sums = [0; 16];
        self.world.get(self.at(last, 16), &mut sums)?;
        let expected = [2.0 * count as f64, 0.5 * count as f64].map(f64::to_le_bytes).concat();
        expect("sums", &sums.to_vec(), &expected)?;
        // Pairs: one of the ranks finds the expected one.
        let pair = Update {
            op: Op::CompareSwap,
            bytes: 16,
            operand: [me as u8 + 1; 16],
            expected: [0; 16],
        };
        let old = self.world.update(self.at(0, 32), pair)?;
        let won = self.world.gather_all(&all, &old)?;
        let first = won.iter().filter(|old| ***old == [0; 16]).count();
        expect("ranks that swapped", &first, &1)?;
        let odd = self.world.update(self.at(0, 4), Update::of(Op::Add, 8, 1));
        expect("an update at no multiple", &odd.is_err(), &true)?;
        self.world.barrier().map_err(Into::into)
    }

    /// A flag of 64 bits after data, waited for; both in the segment of the waiter.
    fn wait(&mut self) -> Result<(), Failed> {
        let next = self.next();
        for round in 1..=10_u64 {
            let value = round << 32 | round;
            self.world.compute(1000 * self.world.rank() as u64)?;
            self.world.put(self.at(next, 100), &[round as u8; 50])?;
            self.world.put(self.at(next, 8), &value.to_le_bytes())?;
            let old = (value - (1 << 32 | 1)).to_le_bytes();
            self.world.wait_change(self.first + 8, &old)?;
            let now: Vec<u8> = (8..16).map(|at| self.load(at)).collect();
            expect("the flag", &now, &value.to_le_bytes().to_vec())?;
            expect("the data", &[self.load(100), self.load(149)], &[round as u8; 2])?;
            // None writes twice before all have seen it.
            self.world.barrier()?;
        }
        Ok(())
    }

    /// A counter under locks that are taken and tried.
    fn locks(&mut self) -> Result<(), Failed> {
        let (me, ranks) = (self.world.rank(), self.world.ranks());
        let counter = self.at(0, 200);
        let mut tries = 0_u32;
        for round in 0..8 {
            let lock = 7 * (round % 2);
            if (me + round as usize).is_multiple_of(2) {
                self.world.lock(lock)?;
            } else {
                while !self.world.try_lock(lock)? {
                    tries += 1;
                    self.world.compute(500)?;
                }
            }
            let at = Place { offset: counter.offset + 8 * u64::from(lock), ..counter };
            let mut word = [0; 4];
            self.world.get(at, &mut word)?;
            self.world.compute(300)?;
            self.world.put(at, &(u32::from_le_bytes(word) + 1).to_le_bytes())?;
            self.world.unlock(lock)?;
        }
        self.world.barrier()?;
        for lock in [0, 7] {
            let mut word = [0; 4];
            let at = Place { offset: counter.offset + 8 * lock, ..counter };
            self.world.get(at, &mut word)?;
            expect("the counter", &u32::from_le_bytes(word), &(4 * ranks as u32))?;
        }
        // A lock that is held cannot be had by trying.
        if me == 0 {
            self.world.lock(5)?;
        }
        self.world.barrier()?;
        if me != 0 {
            expect("a try of a lock that is held", &self.world.try_lock(5)?, &false)?;
        }
        self.world.barrier()?;
        if me == 0 {
            self.world.unlock(5)?;
        }
        self.world.barrier()?;
        if me == ranks - 1 {
            expect("a try of a free lock", &self.world.try_lock(5)?, &true)?;
            self.world.unlock(5)?;
        }
        expect("a lock that is not held", &self.world.unlock(9).is_err(), &true)?;
        println!("rank {me}: {tries} tries in vain");
        Ok(())
    }

    /// Messages larger than their channel, in both directions, and collectives of all and of some.
    fn messages(&mut self) -> Result<(), Failed> {
        let (me, ranks) = (self.world.rank(), self.world.ranks());
        let (next, previous) = (self.next(), self.previous());
        let long =
            |rank: usize| (0..20_001).map(|at: usize| (at / 3 + rank) as u8).collect::<Vec<_>>();
        self.world.send(next, 3, &long(me))?;
        self.world.send(next, 4, b"four")?;
        self.world.send(next, 3, b"")?;
        expect("a message with another tag", &self.world.recv(previous, 4)?, &b"four".to_vec())?;
        expect("a long message", &self.world.recv(previous, 3)?, &long(previous))?;
        expect("an empty message", &self.world.recv(previous, 3)?, &Vec::new())?;
        let all = self.world.all();
        let some = Group { ranks: (0..ranks).rev().step_by(2).collect(), me: (ranks - 1 - me) / 2 };
        let groups: Vec<Group> =
            [all].into_iter().chain((ranks - 1 - me).is_multiple_of(2).then_some(some)).collect();
        for group in groups {
            let count = group.ranks.len();
            for root in 0..count {
                let mut bytes = if group.me == root { long(root) } else { Vec::new() };
                self.world.broadcast(&group, root, &mut bytes)?;
                expect("a broadcast", &bytes, &long(root))?;
            }
            let gathered = self.world.gather_all(&group, &[me as u8; 3][..me % 4])?;
            let expected: Vec<Vec<u8>> =
                group.ranks.iter().map(|&rank| vec![rank as u8; rank % 4]).collect();
            expect("what was gathered", &gathered, &expected)?;
            // Neither commutative nor associative: the order shows.
            let mut bytes = vec![me as u8 + 1; 5];
            self.world.reduce_all(&group, &mut bytes, &mut |sum, one| {
                sum.iter_mut().zip(one).for_each(|(sum, one)| *sum = sum.wrapping_mul(3) ^ one);
            })?;
            let values = group.ranks.iter().map(|&rank| rank as u8 + 1);
            let expected = values.reduce(|sum, one| sum.wrapping_mul(3) ^ one).unwrap_or(0);
            expect("a reduction", &bytes, &vec![expected; 5])?;
            let messages = group.ranks.iter().map(|&rank| vec![me as u8; rank + 1]).collect();
            let got = self.world.all_to_all(&group, messages)?;
            let expected: Vec<Vec<u8>> =
                group.ranks.iter().map(|&rank| vec![rank as u8; me + 1]).collect();
            expect("an exchange", &got, &expected)?;
            self.world.sync(&group)?;
        }
        Ok(())
    }

    /// Static data as part of the segment.
    fn data(&mut self) -> Result<(), Failed> {
        #[repr(align(4096))]
        struct Pages(std::cell::UnsafeCell<[u8; 4096]>);
        // SAFETY: the program has one thread.
        unsafe impl Sync for Pages {}
        static PAGES: Pages = Pages(std::cell::UnsafeCell::new([3; 4096]));
        // SAFETY: a whole page of this program.
        let refused = unsafe { self.world.adopt(PAGES.0.get().cast(), 4096) };
        expect("data after the heap", &refused.is_err(), &true)?;
        Ok(())
    }
}

/// Static data as part of the segment: before the heap.
fn data() -> Result<World, Failed> {
    #[repr(align(4096))]
    struct Pages(std::cell::UnsafeCell<[u8; 8192]>);
    // SAFETY: the program has one thread.
    unsafe impl Sync for Pages {}
    static PAGES: Pages = Pages(std::cell::UnsafeCell::new([3; 8192]));
    let mut world = World::join()?;
    let start: *mut u8 = PAGES.0.get().cast();
    // SAFETY: whole pages of this program.
    let offset = unsafe { world.adopt(start, 8192)? };
    // SAFETY: a byte of these pages.
    let byte = |at: usize| unsafe { start.add(at).read_volatile() };
    expect("what was there", &[byte(0), byte(8191)], &[3; 2])?;
    let (heap, _) = world.heap();
    let (next, me) = ((world.rank() + 1) % world.ranks(), world.rank() as u8);
    let place = world.place(start.wrapping_add(5000), next);
    expect("a place", &place, &Some(Place { rank: next, offset: offset + 5000 }))?;
    expect("an address", &world.pointer(offset + 5000), &start.wrapping_add(5000))?;
    expect(
        "the heap is after it",
        &world.place(heap, 0).map(|at| at.offset),
        &Some(offset + 8192),
    )?;
    world.barrier()?;
    world.put(Place { rank: next, offset: offset + 5000 }, &[me + 10])?;
    world.barrier()?;
    let previous = (world.rank() + world.ranks() - 1) % world.ranks();
    expect("what was put there", &byte(5000), &(previous as u8 + 10))?;
    let mut got = [0; 2];
    world.get(Place { rank: next, offset: offset + 8190 }, &mut got)?;
    expect("the data of another", &got, &[3; 2])?;
    world.barrier()?;
    // A range from static data into the heap.
    world.put(Place { rank: world.rank(), offset: offset + 8191 }, &[7; 2])?;
    // SAFETY: the first byte of the heap.
    expect("at the end", &[byte(8191), unsafe { heap.read_volatile() }], &[7; 2])?;
    Ok(world)
}

fn run(mode: &str) -> Result<(), Failed> {
    if mode == "data" {
        return data()?.leave().map_err(Into::into);
    }
    let mut program = Program::join()?;
    match mode {
        "put" => program.put()?,
        "neighbours" => program.neighbours()?,
        "update" => program.update()?,
        "wait" => program.wait()?,
        "locks" => program.locks()?,
        "messages" => program.messages()?,
        "late" => program.data()?,
        "address" => {
            let local = 0;
            println!(
                "{:p} {} {:p} {:p}",
                program.heap, program.bytes, run as *const (), &raw const local
            );
        }
        // A change that no rank makes.
        "never" => program.world.wait_change(program.first + 16, &[0; 4])?,
        // Locks in two orders.
        "cross" => {
            let order = if program.world.rank() == 0 { [1, 2] } else { [2, 1] };
            program.world.lock(order[0])?;
            program.world.barrier()?;
            program.world.lock(order[1])?;
        }
        // Bytes that fill a frame but for 4, and 8 bytes after them: a value of 64 bits, or not.
        "long" if program.world.rank() == 0 => {
            for (at, value) in [(1024, 0x11), (8196, 0x22)] {
                program.world.put(program.at(1, at - 1020), &[5; 1020])?;
                program.world.put(program.at(1, at), &[value; 8])?;
                program.world.fence(None)?;
            }
        }
        "long" => {}
        "held" => {
            program.world.lock(3)?;
        }
        _ => return Err(Failed(format!("mode `{mode}`"))),
    }
    let time = program.world.now()?;
    if program.world.rank() == 0 {
        println!("{mode}: {time} ns");
    }
    program.world.leave().map_err(Into::into)
}

fn main() -> ExitCode {
    let mode = std::env::args().nth(1).unwrap_or_default();
    match run(&mode) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed(why)) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
