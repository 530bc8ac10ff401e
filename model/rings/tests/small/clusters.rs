// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine of paper 004: processes get what is right, and steps take what the paper says. Times are added by hand.

use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{
    Answer, Data, Feature, Fence, Got, Len, Place, Process, Refused, Request, Space,
};
use awgstar_rings::RingNumber;
use awgstar_rings::clusters::{
    Clusters, ClustersError, Costs, Meeting, Sends, Settings, SettingsError,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes of a node's segment here.
const SEGMENT: u32 = 4096;

fn small(clusters: usize, processes: usize) -> Settings {
    let memory = SEGMENT * (u32::try_from(processes).unwrap() + 1);
    Settings { memory, ..Settings::new(clusters, processes) }
}

fn at(node: u8, offset: u32) -> ByteAddress {
    ByteAddress(SEGMENT * u32::from(node) + offset)
}

fn get(ring: u16, address: ByteAddress, words: u16) -> Request {
    Request::FarRead { ring, address, words }
}

fn put(ring: u16, address: ByteAddress, data: &[u32]) -> Request {
    Request::FarWrite { ring, address, data: data.into() }
}

fn read(address: ByteAddress, bytes: u64) -> Request {
    Request::Read(Place::shared(address), Len::Bytes(bytes))
}

fn us(time: u64) -> Nanoseconds {
    Nanoseconds(1000 * time)
}

/// What each process was answered, the first answer of each left out.
type Log = BTreeMap<(u16, u8), Vec<Answer>>;

fn start(
    settings: &Settings,
    script: impl Fn(u16, u8) -> Vec<Request>,
) -> (Clusters, Rc<RefCell<Log>>) {
    let log: Rc<RefCell<Log>> = Rc::default();
    let process = |ring: RingNumber, node: NodeId| {
        let (log, mut script) = (Rc::clone(&log), script(ring.0, node.0).into_iter());
        let mut begun = false;
        let next = move |answer: &Answer| {
            if std::mem::replace(&mut begun, true) {
                log.borrow_mut().entry((ring.0, node.0)).or_default().push(answer.clone());
            }
            script.next().unwrap_or(Request::End)
        };
        Box::new(next) as Box<dyn Process>
    };
    (Clusters::new(settings, process).unwrap(), log)
}

fn run(settings: &Settings, script: impl Fn(u16, u8) -> Vec<Request>) -> (Clusters, Log) {
    let (mut clusters, log) = start(settings, script);
    clusters.run().unwrap();
    assert_eq!(clusters.unfinished(), []);
    let log = log.take();
    (clusters, log)
}

/// The times at which a process was answered, in ns.
fn times(log: &Log, who: (u16, u8)) -> Vec<u64> {
    log[&who].iter().map(|answer| answer.now.time().0).collect()
}

fn ns<const N: usize>(us: [u64; N]) -> [u64; N] {
    us.map(|us| 1000 * us)
}

/// What one process alone is answered, and after how many ns each time.
fn alone(settings: &Settings, script: &[Request]) -> (Vec<Answer>, Vec<u64>) {
    let of = |ring, node| if (ring, node) == (0, 1) { script.to_vec() } else { Vec::new() };
    let (_, log) = run(settings, of);
    let ends = times(&log, (0, 1));
    let begins = [0].into_iter().chain(ends.clone());
    (log[&(0, 1)].clone(), ends.iter().zip(begins).map(|(end, begin)| end - begin).collect())
}

/// Table 2, each access with 8 bytes.
#[test]
fn accesses_take_the_sums_of_their_steps() {
    let data = [7, 8];
    let bytes: Vec<u8> = [7, 0, 0, 0, 8, 0, 0, 0].into();
    let script = [
        Request::write_bytes(at(1, 64), &bytes),
        read(at(1, 64), 8),
        Request::write_bytes(at(2, 64), &bytes),
        read(at(2, 64), 8),
        put(1, at(2, 64), &data),
        get(1, at(2, 64), 2),
    ];
    let (answers, times) = alone(&small(2, 3), &script);
    for index in [1, 3, 5] {
        assert_eq!(answers[index].bytes(), bytes, "{index}");
    }
    let write = 188 + 8 + 220 + 188 + 220 + 8 + 200;
    let read = 188 + 8 + 220 + 200 + 220 + 188 + 8 + 200;
    assert_eq!((write, read), (1032, 1232));
    assert_eq!(times, ns([8, 8, 8 + 188, 8 + 200, write + 126, read + 126]));
}

/// The memory of the gateway itself is a local access for it.
#[test]
fn the_memory_of_a_gateway_is_near_for_it() {
    let script = [put(1, at(0, 64), &[5, 6]), get(1, at(0, 64), 2)];
    let (answers, times) = alone(&small(2, 1), &script);
    assert_eq!(answers[1].bytes(), [5, 0, 0, 0, 6, 0, 0, 0]);
    assert_eq!(times, ns([1158 - 188 + 8, 1358 - 200 + 8]));
}

/// Blocks: each byte beyond 8 takes time on each way that it goes.
#[test]
fn bytes_take_time_on_each_way() {
    // A byte takes 1 us on Myrinet, and 2 on TCP.
    let costs = Costs { nicam_bytes_per_ms: 1000, tcp_bytes_per_ms: 500, ..Costs::COMPAS };
    let settings = Settings { costs, ..small(2, 2) };
    let data: Vec<u32> = (0..27).collect();
    let script = [put(1, at(1, 0), &data), get(1, at(1, 0), 27), read(at(2, 0), 108)];
    let (answers, times) = alone(&settings, &script);
    let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(answers[1].bytes(), bytes);
    // 100 bytes more: to the gateway, to the other one, to the node; and back.
    assert_eq!(times, ns([1158 + 400, 1358 + 400, 208 + 100]));
    // Across the end of a segment: two accesses of 8 bytes; the other 8 of 16 on Myrinet and on TCP.
    let script = [put(1, at(1, SEGMENT - 8), &[1, 2, 3, 4])];
    assert_eq!(alone(&settings, &script).1, ns([1158 + 188 + 8 + 16]));
}

/// Bytes from one node go one after the other; those between other nodes go beside them.
#[test]
fn readers_of_a_node_share_its_card() {
    let costs = Costs { nicam_bytes_per_ms: 1000, ..Costs::COMPAS };
    let settings = Settings { costs, ..small(1, 4) };
    let script = |_, node| match node {
        1 => Vec::new(),
        4 => vec![read(at(3, 0), 108)],
        _ => vec![read(at(1, 0), 108)],
    };
    let (_, log) = run(&settings, script);
    let end = |node| times(&log, (0, node));
    assert_eq!((end(2), end(3), end(4)), (vec![308_000], vec![408_000], vec![308_000]));
}

/// What a handler does while bytes leave.
#[test]
fn a_handler_that_sends_does_nothing_else() {
    let ends = |sends| {
        let costs = Costs { nicam_bytes_per_ms: 20_000, tcp_bytes_per_ms: 1000, ..Costs::COMPAS };
        let settings = Settings { costs, sends, ..small(2, 2) };
        let script = |ring, node| match (ring, node) {
            // The two come to the channel together, go together, and are handled one after the other.
            (0, _) => vec![get(1, at(node, 0), 52)],
            _ => Vec::new(),
        };
        let (clusters, log) = run(&settings, script);
        // A group of two requests; two answers.
        assert_eq!(clusters.counts().messages, 3);
        assert_eq!(clusters.counts().words, 1 + 2 * 4 + 2 * (1 + 3 + 52));
        (times(&log, (0, 1))[0] / 1000, times(&log, (0, 2))[0] / 1000)
    };
    // 208 bytes: 200 us on TCP, 10 on Myrinet, twice. The near handler reads a second request.
    let first = 1358 + 50 + 200 + 20;
    // The home handler reads the second one after it has sent the first, or while it does.
    assert_eq!(ends(Sends::InTurn), (first, first + 42 + 200 + 10 + 200));
    assert_eq!(ends(Sends::Beside), (first, first + 42 + 200 + 10));
}

/// From the last arrival, where the way is longest: Table 2.
#[test]
fn a_barrier_is_a_round_trip_to_the_master() {
    let last = |meeting, clusters, late: (u16, u8)| {
        let settings = Settings { meeting, ..small(clusters, 3) };
        let script = |ring, node| {
            let wait = if (ring, node) == late { us(10_000) } else { us(1) };
            vec![Request::compute(wait), Request::Barrier(0)]
        };
        let (_, log) = run(&settings, script);
        let ends: Vec<u64> = log.keys().map(|who| times(&log, *who)[1] / 1000 - 10_000).collect();
        // None goes on before the last one has come.
        assert!(ends.iter().all(|end| *end > 188), "{ends:?}");
        ends.into_iter().max().unwrap()
    };
    let master = 188 + 8 + 220 + 220 + 8 + 200 + 126;
    assert_eq!((master, last(Meeting::Master, 2, (1, 2))), (970, 970));
    // The last one is at the master: a way less, and a handling less.
    assert_eq!(last(Meeting::Master, 2, (0, 1)), 188 + 8 + 220 + 8 + 200 + 84);
    assert_eq!(last(Meeting::Peers, 2, (0, 1)), 188 + 8 + 220 + 8 + 200 + 84);
    assert_eq!(last(Meeting::Master, 1, (0, 1)), 188 + 8 + 8 + 200 + 42);
    assert_eq!(last(Meeting::Master, 4, (3, 3)), 970);
}

/// Each process writes to the memory of the next cluster, all meet, and each reads what others have written.
#[test]
fn memory_of_all_clusters_is_memory() {
    for (meeting, sends) in [(Meeting::Master, Sends::InTurn), (Meeting::Peers, Sends::Beside)] {
        let settings = Settings { meeting, sends, ..small(3, 4) };
        let value = |ring: u16, node: u8, round: u32| {
            1_000_000 * round + 1_000 * u32::from(ring) + u32::from(node)
        };
        let script = |ring: u16, node: u8| {
            let (next, other) = ((ring + 1) % 3, 1 + node % 4);
            let one = |round| {
                [
                    put(next, at(node, 64), &[value(ring, node, round), round, !round]),
                    Request::Barrier(0),
                    read(at(other, 64), 12),
                    get(next, at(other, 64), 3),
                    Request::Barrier(0),
                ]
            };
            (1..=5).flat_map(one).collect()
        };
        let (clusters, log) = run(&settings, script);
        for (&(ring, node), answers) in &log {
            let (before, other) = ((ring + 2) % 3, 1 + node % 4);
            assert_eq!(answers.len(), 25);
            for (round, answers) in (1..).zip(answers.chunks(5)) {
                let bytes = |ring| -> Vec<u8> {
                    let words = [value(ring, other, round), round, !round];
                    words.iter().flat_map(|word| word.to_le_bytes()).collect()
                };
                assert_eq!(answers[2].bytes(), bytes(before), "{ring} {node} {round}");
                assert_eq!(answers[3].bytes(), bytes(ring), "{ring} {node} {round}");
            }
        }
        let last = clusters.load(RingNumber(2), at(4, 64), 4).unwrap();
        assert_eq!(last, value(1, 4, 5).to_le_bytes());
        // The same again, to the ns.
        assert!(run(&settings, script).1 == log);
    }
}

/// A wait for one's own memory ends in the moment in which another process' write is done.
#[test]
fn a_change_ends_a_wait() {
    let zero: std::sync::Arc<[u8]> = [0; 4].into();
    let watch = Request::Changed(Place::shared(at(1, 8)), zero);
    let script = |ring, node| match (ring, node) {
        (0, 1) => vec![watch.clone(), watch.clone(), read(at(1, 8), 4)],
        (1, 1) => vec![Request::compute(us(100)), put(0, at(1, 8), &[9])],
        _ => Vec::new(),
    };
    let (_, log) = run(&small(2, 1), script);
    assert_eq!(log[&(0, 1)][2].bytes(), [9, 0, 0, 0]);
    // Request, two handlings, the write of the home gateway; the second look finds the change at once.
    let change = 100 + 188 + 8 + 42 + 220 + 42 + 188;
    assert_eq!(times(&log, (0, 1)), ns([change, change + 8, change + 16]));
    // From outside, in no time.
    let (mut clusters, log) = start(&small(1, 1), |_, _| vec![watch.clone()]);
    let mut once = true;
    let end = clusters.run_while(&mut |clusters| {
        if std::mem::take(&mut once) {
            clusters.store(RingNumber(0), at(1, 8), &[1]).unwrap();
        }
        true
    });
    assert_eq!((end, log.borrow()[&(0, 1)][0].got.clone()), (Ok(us(0)), Ok(Got::Nothing)));
}

/// A lock that no other cluster has takes a message to its manager, and one back: as a barrier of one cluster that the
/// master releases. A second time it is with the cluster.
#[test]
fn a_lock_takes_the_sums_of_its_steps() {
    let script = |ring, node| match (ring, node) {
        (1, 2) => vec![Request::Lock(0), Request::Unlock(0), Request::Lock(0)],
        _ => Vec::new(),
    };
    let (_, log) = run(&small(2, 2), script);
    let channel = 188 + 8 + 42;
    let grant = 8 + 200;
    let first = channel + 220 + 42 + 220 + 42 + grant;
    assert_eq!(first, 970);
    assert_eq!(times(&log, (1, 2)), ns([first, first + 188, first + 188 + channel + grant]));
}

/// Processes of all clusters count: each finds what the one before has put, in the memory of another cluster.
#[test]
fn a_lock_of_all_clusters() {
    const ROUNDS: u32 = 3;
    let settings = small(3, 2);
    let counts: Rc<RefCell<Vec<u32>>> = Rc::default();
    let process = |_: RingNumber, _: NodeId| {
        let (counts, mut step) = (Rc::clone(&counts), 0);
        let next = move |answer: &Answer| {
            step += 1;
            match step % 4 {
                _ if step == 4 * ROUNDS + 1 => Request::End,
                1 => Request::Lock(1),
                // Cluster 1 reads its own memory by its number.
                2 => get(1, at(2, 8), 1),
                3 => {
                    let count = u32::from_le_bytes(answer.bytes().try_into().unwrap());
                    counts.borrow_mut().push(count);
                    put(1, at(2, 8), &[count + 1])
                }
                _ => Request::Unlock(1),
            }
        };
        Box::new(next) as Box<dyn Process>
    };
    let mut clusters = Clusters::new(&settings, process).unwrap();
    clusters.run().unwrap();
    assert_eq!(*counts.borrow(), (0..6 * ROUNDS).collect::<Vec<_>>());
}

#[test]
fn what_is_not_there_is_refused() {
    let lanes =
        Request::Write(Place::shared(at(1, 0)), Data::Word { data: 0x4433_2211, lanes: 0b1010 });
    let paged =
        Request::Read(Place { space: Space::Virtual, ..Place::shared(at(1, 0)) }, Len::Word);
    let not = |feature| Err(Refused::NotOffered(feature));
    let steps = [
        (get(7, at(1, 0), 1), Err(Refused::NoRing(7))),
        (get(1, at(3, 0), 1), Err(Refused::Bus)),
        (put(1, at(2, SEGMENT - 4), &[1, 2]), Err(Refused::Bus)),
        (get(1, at(1, 2), 1), Err(Refused::Bus)),
        (get(1, at(1, 0), 0), Err(Refused::FarWords(4095))),
        (get(1, at(1, 0), 4096), Err(Refused::FarWords(4095))),
        (put(0, at(1, 0), &[]), Err(Refused::FarWords(4095))),
        (read(at(2, SEGMENT - 4), 5), Err(Refused::Bus)),
        (read(at(1, 0), u64::MAX), Err(Refused::Bus)),
        (Request::Changed(Place::shared(at(2, 0)), [0].into()), Err(Refused::Bus)),
        (Request::Changed(Place::shared(at(1, 0)), [].into()), Err(Refused::Bus)),
        (Request::Barrier(1), Err(Refused::NoBarrier(1))),
        (Request::Lock(16), Err(Refused::NoLock(16))),
        (Request::Unlock(0), Err(Refused::Holding(0))),
        (Request::Try(0), not(Feature::Tries)),
        (Request::Status, not(Feature::Registers)),
        (Request::Fence(Fence::Dma), not(Feature::Dma)),
        (paged, not(Feature::Pages)),
        (Request::Fence(Fence::Confirmed), Ok(Got::Nothing)),
        (lanes, Ok(Got::Nothing)),
        (Request::read(at(1, 0)), Ok(Got::Word(0x4400_2200))),
        // One's own cluster has a number, too (section 4.3).
        (put(0, at(2, 0), &[3, 4]), Ok(Got::Nothing)),
        (get(0, at(2, 4), 1), Ok(Got::Bytes([4, 0, 0, 0].into()))),
        // A gateway goes on after what it has refused.
        (put(1, at(2, 0), &[5]), Ok(Got::Nothing)),
        (get(1, at(2, 0), 1), Ok(Got::Bytes([5, 0, 0, 0].into()))),
    ];
    let script: Vec<Request> = steps.iter().map(|step| step.0.clone()).collect();
    let (answers, times) = alone(&small(2, 2), &script);
    for ((request, expected), answer) in steps.iter().zip(&answers) {
        assert_eq!(answer.got, *expected, "{request:?}");
    }
    assert_eq!(answers.len(), steps.len());
    assert!(times.iter().all(|time| *time >= 8000), "{times:?}");
    let (clusters, _) = run(&small(2, 2), |_, _| Vec::new());
    assert_eq!(clusters.load(RingNumber(2), at(1, 0), 1), Err(Refused::NoRing(2)));
    assert_eq!(clusters.load(RingNumber(0), at(3, 0), 1), Err(Refused::Bus));
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let good = small(2, 3);
    let costs = |change: fn(&mut Costs)| {
        let mut costs = Costs::COMPAS;
        change(&mut costs);
        Settings { costs, ..good }
    };
    let hour = 3_600_000_000_000;
    let cases = [
        (Settings { clusters: 0, ..good }, ("clusters", 0, 1, 256)),
        (Settings { clusters: 257, ..good }, ("clusters", 257, 1, 256)),
        (Settings { processes: 0, ..good }, ("processes", 0, 1, 255)),
        (Settings { processes: 256, ..good }, ("processes", 256, 1, 255)),
        (Settings { memory: 16_383, ..good }, ("memory", 16_383, 16_384, 4_294_967_295)),
        (costs(|costs| costs.local = us(0)), ("local", 0, 1, hour)),
        (costs(|costs| costs.tcp = us(0)), ("tcp", 0, 1, hour)),
        (costs(|costs| costs.handling = us(3_600_000_001)), ("handling", hour + 1000, 0, hour)),
        (costs(|costs| costs.nicam_bytes_per_ms = 0), ("nicam_bytes_per_ms", 0, 1, 1_000_000_000)),
        (costs(|costs| costs.tcp_bytes_per_ms = 0), ("tcp_bytes_per_ms", 0, 1, 1_000_000_000)),
    ];
    for (settings, (field, found, least, most)) in cases {
        let expected = SettingsError::Range { field, found, least, most };
        assert_eq!(settings.check(), Err(expected));
        let made = Clusters::new(&settings, |_, _| Box::new(|_: &Answer| Request::End));
        assert_eq!(made.err(), Some(ClustersError::Settings(expected)));
        assert_eq!(expected.to_string(), format!("{field}: {found}; expected {least} to {most}"));
    }
    assert_eq!(good.check(), Ok(()));
}

#[test]
fn a_run_that_cannot_end_says_who_waits() {
    let script = |_, node| if node == 1 { vec![Request::Barrier(0)] } else { Vec::new() };
    let (mut clusters, _) = start(&small(2, 2), script);
    let error = clusters.run().unwrap_err();
    let expected =
        "no call can end: process 0 waits for the barrier; process 2 waits for the barrier";
    assert_eq!(error.to_string(), expected);
    let settings = Settings { limit: us(50), ..small(1, 1) };
    let (mut clusters, _) = start(&settings, |_, _| vec![Request::compute(us(30)); 9]);
    let error = clusters.run().unwrap_err();
    assert_eq!(error.to_string(), "60000 ns: process 0; expected the end after 50000 ns or before");
}

/// Time does not go beyond its end, and what is asked for then is still done.
#[test]
fn time_has_an_end() {
    let script = [
        Request::compute(Nanoseconds(u64::MAX)),
        Request::compute(Nanoseconds(u64::MAX)),
        put(1, at(1, 0), &[1, 2]),
        get(1, at(1, 0), 2),
        read(at(2, 0), 8),
    ];
    let (answers, times) = alone(&small(2, 2), &script);
    assert_eq!(times, [u64::MAX, 0, 0, 0, 0]);
    assert_eq!(answers[3].bytes(), [1, 0, 0, 0, 2, 0, 0, 0]);
}

/// Rows of the matrix of a small elimination.
const ROWS: usize = 14;

fn matrix() -> Vec<Vec<u32>> {
    let value = |row: usize, column: usize| {
        u32::try_from(3 + row * 31 + column * column * 7 + row * column).unwrap()
    };
    (0..ROWS).map(|row| (0..ROWS).map(|column| value(row, column)).collect()).collect()
}

/// A row without the column of the pivot; integers modulo 2^32, so that each order gives the same.
fn eliminate(row: &mut [u32], pivot: &[u32], column: usize) {
    let (by, less) = (pivot[column], row[column]);
    for (value, other) in row.iter_mut().zip(pivot) {
        *value = value.wrapping_mul(by).wrapping_sub(less.wrapping_mul(*other));
    }
}

/// Rows of a matrix go around among the processes of all clusters; each reads the row of the pivot where it is.
#[test]
fn an_elimination_gets_what_one_process_gets() {
    let mut expected = matrix();
    for pivot in 0..ROWS {
        let (done, rest) = expected.split_at_mut(pivot + 1);
        for row in rest {
            eliminate(row, &done[pivot], pivot);
        }
    }
    for (clusters, each) in [(1, 1), (1, 3), (2, 1), (2, 3), (4, 4)] {
        let settings = small(clusters, each);
        let all = clusters * each;
        // The owner of a row, and where the row is in its memory.
        let owner = move |row: usize| {
            let process = row % all;
            let node = u8::try_from(1 + process % each).unwrap();
            (
                u16::try_from(process / each).unwrap(),
                node,
                at(node, u32::try_from(64 * (row / all)).unwrap()),
            )
        };
        let bytes =
            |row: &[u32]| -> Vec<u8> { row.iter().flat_map(|word| word.to_le_bytes()).collect() };
        let program = |ring: RingNumber, node: NodeId| -> Box<dyn Process> {
            let own = move |row: usize| (owner(row).0, owner(row).1) == (ring.0, node.0);
            let mut rows = matrix();
            let (mut pivot, mut step) = (0, 0);
            Box::new(move |answer: &Answer| {
                step += 1;
                match step {
                    // Its row of the pivot is in its memory, and all know it.
                    1 if pivot == ROWS => Request::End,
                    1 if own(pivot) => Request::write_bytes(owner(pivot).2, &bytes(&rows[pivot])),
                    1 => Request::compute(Nanoseconds(0)),
                    2 => Request::Barrier(0),
                    3 => get(owner(pivot).0, owner(pivot).2, u16::try_from(ROWS).unwrap()),
                    _ => {
                        let words = answer.bytes().as_chunks::<4>().0.iter();
                        let read: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
                        for row in (pivot + 1..ROWS).filter(|row| own(*row)) {
                            eliminate(&mut rows[row], &read, pivot);
                        }
                        (pivot, step) = (pivot + 1, 0);
                        Request::compute(us(10))
                    }
                }
            })
        };
        let mut machine = Clusters::new(&settings, program).unwrap();
        machine.run().unwrap();
        for (row, expected) in expected.iter().enumerate() {
            let (ring, _, at) = owner(row);
            let found = machine.load(RingNumber(ring), at, 4 * ROWS).unwrap();
            assert_eq!(found, bytes(expected), "{clusters} x {each}, row {row}");
        }
    }
}
