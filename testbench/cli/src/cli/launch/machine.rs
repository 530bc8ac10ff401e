// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring under the processes: the cycle-accurate one, or generation 1.

use super::args::{Args, Coherence, Homes, HostPort, System};
use super::finished::{Events, Finished, LOOK, Wanted, ended, replicas};
use super::{ring, rings};
use crate::cli::{CliError, at};
use awgstar::contract::Order;
use awgstar::host::{BarrierKind, Choice, Record};
use awgstar::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar::request::Process;
use awgstar::rtl::{Smb, SmbAxi4};
use awgstar::stall::{Judge, Verdict};
use awgstar_cluster::{Barriers, Coherence as Protocol, Inspection, Locks, Sharing};
use awgstar_coherence::ring::Costs;
use awgstar_program::{LOCKS, Monitor, OnMachine, Port, Rings};
use awgstar_rings::clusters::{FAR_WORDS_MAX, Meeting};
use awgstar_scenario::page::{Scene, Unit};
use awgstar_scenario::run::cluster;
use awgstar_scenario::run::gen1::Gen1Plan;
use awgstar_scenario::run::{Files, RunError, write_waves};
use awgstar_scenario::scenario::{self, Machine};
use awgstar_scenario::wave;
use awgstar_thesis::gen1::{
    self,
    system::{FREE, MEMORY_BYTES},
};
use std::{fs, num::NonZeroUsize};

/// The machine of a run.
pub(super) struct Modelled {
    pub(super) machine: Machine,
    /// Port of the boards of a ring.
    port: HostPort,
    /// What keeps shared pages coherent.
    pages: Option<Protocol>,
    /// Threads on which rings run.
    threads: NonZeroUsize,
}

/// Processor time of shared pages on a ring: that of a processor of the cluster.
const COSTS: Costs = Costs {
    fault: awgstar_cluster::Costs::MYRINET_2000_GM.fault,
    page: awgstar_cluster::Costs::MYRINET_2000_GM.page,
};

/// The machine that the options describe.
pub(super) fn machine(args: &Args, nodes: usize) -> Result<Modelled, CliError> {
    let mut machine = if let Some(path) = &args.ring {
        let name = path.display().to_string();
        let text = at(&name, fs::read_to_string(path))?;
        scenario::read_machine(&name, &text)
    } else {
        let system = match args.machine {
            None | Some(System::Ring) => "board-ring",
            Some(System::Gen1) => "generation-1",
            Some(System::Cluster) => "cluster",
            Some(System::Rings) => {
                let what = "--machine rings: expected --ring FILE.toml, which says how many rings there are";
                return Err(CliError::Usage(what.into()));
            }
            Some(System::Clusters) => {
                let what = "--machine clusters: expected --ring FILE.toml, which says how many clusters there are";
                return Err(CliError::Usage(what.into()));
            }
        };
        let mut text = format!("system = \"{system}\"\nnodes = {nodes}\n");
        if system != "cluster" {
            text = format!("{text}fibre_m = {}\n", args.fibre_m.unwrap_or(10));
        } else if args.fibre_m.is_some() {
            return Err(CliError::Usage("--fibre-m: a cluster has no ring of fibres".into()));
        }
        if system != "generation-1" {
            // The logs of an OpenMP program need more than most programs. What no program writes takes no place.
            let usual = if args.openmp { 64 << 20 } else { 16 << 20 };
            text = format!("{text}memory_bytes = {}\n", args.memory.unwrap_or(usual));
        } else if args.memory.is_some() {
            let what = "--memory: generation 1 always has 512 MiB";
            return Err(CliError::Usage(what.into()));
        }
        scenario::read_machine("options", &text)
    }
    .map_err(|e| CliError::Usage(e.to_string()))?;
    let (system, found) = match &machine {
        Machine::Ring(plan) => (System::Ring, plan.boards.len()),
        Machine::Gen1(plan) => (System::Gen1, plan.settings.line.nodes()),
        Machine::Cluster(plan) => (System::Cluster, plan.settings.processes),
        Machine::Rings(plan) => (System::Rings, plan.mesh.rings * plan.processes()),
        Machine::Clusters(plan) => (System::Clusters, plan.processes()),
    };
    if let Some(said) = args.machine.filter(|said| *said != system) {
        let (said, system) = (said.name(), system.name());
        let what = format!("--machine is `{said}`, but --ring describes `{system}`");
        return Err(CliError::Usage(what));
    }
    if found != nodes {
        let has = match system {
            System::Rings => "processes on all rings",
            System::Clusters => "processes on all clusters",
            System::Ring | System::Gen1 | System::Cluster => "nodes",
        };
        let what = format!("--ring has {found} {has}: expected {nodes}, one for each process");
        return Err(CliError::Usage(what));
    }
    choose(args, &mut machine)?;
    let threads = args.threads.and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
    let port = args.port.unwrap_or_default();
    Ok(Modelled { machine, port, pages: protocol(args), threads })
}

/// The value that an option names, if it is one of this machine.
fn one<T: Copy>(
    said: Option<&String>,
    option: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<Option<T>, CliError> {
    let Some(said) = said else { return Ok(None) };
    let found = all.iter().copied().find(|&one| name(one) == said);
    let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
    let expected = names.join(", ");
    let what = || CliError::Usage(format!("{option} is `{said}`: this machine has {expected}"));
    found.map(Some).ok_or_else(what)
}

/// The protocols that the options name.
fn choose(args: &Args, machine: &mut Machine) -> Result<(), CliError> {
    match machine {
        _ if args.check.is_some() && args.coherence != Some(Coherence::Fdsm) => {
            let what = "--check pattern: only FDSM has patterns: expected --coherence fdsm";
            return Err(CliError::Usage(what.into()));
        }
        _ if args.homes.is_some() && !args.coherence.is_some_and(Coherence::has_pages) => {
            let what =
                "--homes: replicas have none: expected --coherence scash or --coherence fdsm";
            return Err(CliError::Usage(what.into()));
        }
        _ if args.coherence == Some(Coherence::Fdsm)
            && args.homes.is_some_and(|homes| homes != Homes::RoundRobin) =>
        {
            let what = "--homes: FDSM has homes by page: expected --homes round-robin, or none";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Gen1(_) if args.coherence.is_some_and(Coherence::has_pages) => {
            let what = "--coherence: generation 1 has replicas: expected `replica`, --machine ring or --machine cluster";
            return Err(CliError::Usage(what.into()));
        }
        _ if args.audit && args.coherence.is_some_and(Coherence::has_pages) => {
            let what = "--audit: it compares replicas: expected --coherence replica";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Rings(_) | Machine::Clusters(_)
            if args.coherence.is_some_and(Coherence::has_pages) || args.openmp =>
        {
            let what = "--openmp, --coherence: rings and clusters with gateways share no memory: expected a program with far reads and writes";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Rings(_) if args.barrier.is_some() => {
            let what = "--barrier: rings have the barrier of their gateways";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Rings(_) if args.port == Some(HostPort::Axi4) => {
            let what = "--port axi4: expected --machine ring, which has it";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Ring(_) | Machine::Gen1(_) | Machine::Cluster(_) | Machine::Clusters(_)
            if args.threads.is_some() =>
        {
            let what = "--threads: only rings run side by side: expected a file of them (--ring)";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Rings(plan) => {
            let mut choice = plan.mesh.choice;
            choice.order = args.order.unwrap_or(choice.order);
            let said = one(args.lock.as_ref(), "--lock", &Choice::LOCKS, |one| one.0)?;
            let lock = if choice.has_engines() { None } else { Some(choice.lock) };
            let with = choice.with_lock(said.map_or(lock, |one| one.1));
            plan.choose(with.unwrap_or(choice));
        }
        Machine::Gen1(_) | Machine::Cluster(_) | Machine::Clusters(_) if args.port.is_some() => {
            let what = "--port: only a ring has boards with AXI4: expected --machine ring";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Ring(plan) => {
            let Some(programs) = &mut plan.programs else { return Ok(()) };
            let choice = &mut programs.choice;
            let all = &BarrierKind::ALL;
            choice.barrier = one(args.barrier.as_ref(), "--barrier", all, BarrierKind::name)?
                .unwrap_or(choice.barrier);
            choice.order = args.order.unwrap_or(choice.order);
            let said = one(args.lock.as_ref(), "--lock", &Choice::LOCKS, |one| one.0)?;
            let lock = if choice.has_engines() { None } else { Some(choice.lock) };
            *choice = choice.with_lock(said.map_or(lock, |one| one.1)).ok_or_else(|| {
                let barrier = choice.barrier.name();
                let what = format!("--barrier is `{barrier}`: expected `ring`, the engine's");
                CliError::Usage(what)
            })?;
        }
        Machine::Gen1(_) | Machine::Cluster(_) | Machine::Clusters(_) if args.pcapng.is_some() => {
            let what = "--pcapng: only the ring has such frames: expected --machine ring";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Cluster(_) | Machine::Clusters(_) if args.order.is_some() => {
            let what = "--order: on a cluster an unlock and an arrival come after data";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Clusters(_) if args.lock.is_some() => {
            let what = "--lock: clusters have the locks of their gateways";
            return Err(CliError::Usage(what.into()));
        }
        Machine::Clusters(plan) => {
            let all = Meeting::ALL;
            let said = one(args.barrier.as_ref(), "--barrier", all, Meeting::name)?;
            plan.settings.meeting = said.unwrap_or(plan.settings.meeting);
        }
        Machine::Cluster(plan) => {
            let settings = &mut plan.settings;
            settings.locks = one(args.lock.as_ref(), "--lock", Locks::ALL, Locks::name)?
                .unwrap_or(settings.locks);
            let barrier = one(args.barrier.as_ref(), "--barrier", Barriers::ALL, Barriers::name)?;
            settings.barrier = barrier.unwrap_or(settings.barrier);
            settings.sharing = sharing(args);
        }
        Machine::Gen1(plan) => {
            let given = [("--lock", args.lock.is_some()), ("--barrier", args.barrier.is_some())];
            if let Some((option, _)) = given.iter().find(|option| option.1) {
                let what = format!("{option}: generation 1 has only its own protocol");
                return Err(CliError::Usage(what));
            }
            plan.settings.order = args.order.unwrap_or(plan.settings.order);
            plan.settings.locks = LOCKS;
        }
    }
    Ok(())
}

/// What keeps shared pages coherent.
fn protocol(args: &Args) -> Option<Protocol> {
    match args.coherence? {
        Coherence::Replica => None,
        Coherence::Scash => Some(Protocol::Scash(match args.homes.unwrap_or(Homes::FirstTouch) {
            Homes::FirstTouch => awgstar_cluster::Homes::FirstTouch,
            Homes::Blocks => awgstar_cluster::Homes::Blocks,
            Homes::RoundRobin => awgstar_cluster::Homes::RoundRobin,
        })),
        Coherence::Fdsm => Some(Protocol::Fdsm(match args.homes {
            Some(_) => Inspection::Homes,
            None => Inspection::Owners,
        })),
    }
}

/// How the processes of a cluster share memory.
fn sharing(args: &Args) -> Sharing {
    match protocol(args) {
        Some(protocol) => Sharing::Pages(protocol),
        None if args.openmp || args.coherence.is_some() => Sharing::Replica,
        None => Sharing::Segments,
    }
}

impl Modelled {
    /// Rings, if there are several.
    pub(super) fn rings(&self) -> Option<usize> {
        match &self.machine {
            Machine::Rings(plan) => Some(plan.mesh.rings),
            Machine::Ring(_) | Machine::Gen1(_) | Machine::Cluster(_) | Machine::Clusters(_) => {
                None
            }
        }
    }

    /// Bytes that each node of a ring has.
    pub(super) fn replica(&self) -> Option<u32> {
        match &self.machine {
            Machine::Ring(plan) => Some(4 << plan.scenario.parameters.mem_addr_w()),
            // Replicas of all rings, in the memories of processes.
            Machine::Rings(plan) => Some(4 << plan.mesh.setup.scenario.parameters.mem_addr_w()),
            Machine::Gen1(_) | Machine::Cluster(_) | Machine::Clusters(_) => None,
        }
    }

    /// Where the logs of shared pages are on a ring, and their bytes: they have the second half of the memory.
    fn logs(&self) -> Option<(ByteAddress, u32)> {
        let half = self.replica().filter(|_| self.pages.is_some())? / 2;
        Some((ByteAddress(half), half))
    }

    /// What the machine has for programs.
    pub(super) fn offers(&self) -> awgstar_program::Machine {
        let coherent = self.pages.map(Protocol::first_protection);
        match &self.machine {
            Machine::Ring(_) => awgstar_program::Machine {
                memory: self.logs().map_or(self.replica().unwrap_or(0), |(_, half)| half),
                first_byte: ByteAddress(0),
                first_lock: 0,
                first_node: NodeId(0),
                rings: None,
                signals: true,
                homes: false,
                coherent,
            },
            // All memory but the areas of the primitives, and no signals.
            Machine::Gen1(_) => awgstar_program::Machine {
                memory: narrow(MEMORY_BYTES - u64::from(FREE.0)),
                first_byte: FREE,
                first_lock: 1,
                first_node: NodeId(0),
                rings: None,
                signals: false,
                homes: false,
                coherent,
            },
            // All memory but the channels of gateways.
            Machine::Rings(plan) => awgstar_program::Machine {
                memory: plan.mesh.layout().map_or(0, |layout| layout.base.0),
                first_byte: ByteAddress(0),
                first_lock: 0,
                first_node: NodeId(plan.mesh.gateways()),
                rings: Some(Rings {
                    count: narrow(plan.mesh.rings),
                    processes: narrow(plan.processes()),
                    words: plan.mesh.block,
                }),
                signals: true,
                homes: false,
                coherent,
            },
            // The segment of the gateway is no memory of programs.
            Machine::Clusters(plan) => {
                let homes = plan.settings.homes();
                awgstar_program::Machine {
                    memory: homes.segment * narrow::<u32>(plan.settings.processes),
                    first_byte: ByteAddress(homes.segment),
                    first_lock: 0,
                    first_node: NodeId(1),
                    rings: Some(Rings {
                        count: narrow(plan.settings.clusters),
                        processes: narrow(plan.settings.processes),
                        words: FAR_WORDS_MAX,
                    }),
                    signals: false,
                    homes: true,
                    coherent,
                }
            }
            Machine::Cluster(plan) => awgstar_program::Machine {
                memory: plan.settings.memory,
                first_byte: ByteAddress(0),
                first_lock: 0,
                first_node: NodeId(0),
                rings: None,
                signals: false,
                homes: plan.settings.sharing == Sharing::Segments,
                coherent,
            },
        }
    }

    /// How locks and barriers are ordered after data.
    pub(super) fn order(&self) -> Order {
        match &self.machine {
            Machine::Ring(plan) => {
                plan.programs.as_ref().map_or_else(Choice::new, |one| one.choice).order
            }
            Machine::Gen1(plan) => plan.settings.order,
            Machine::Rings(plan) => plan.mesh.choice.order,
            Machine::Cluster(_) | Machine::Clusters(_) => Order::Confirmed,
        }
    }

    /// One line that names the machine and its protocols.
    pub(super) fn describe(&self) -> String {
        let pages = match self.pages {
            Some(Protocol::Scash(homes)) => format!(", SCASH, homes {}", homes.name()),
            Some(Protocol::Fdsm(Inspection::Owners)) => ", FDSM".into(),
            Some(Protocol::Fdsm(Inspection::Homes)) => ", FDSM, homes round-robin".into(),
            None => String::new(),
        };
        match &self.machine {
            Machine::Ring(plan) => {
                let choice = plan.programs.as_ref().map_or_else(Choice::new, |one| one.choice);
                let (lock, barrier) = (choice.lock_name(), choice.barrier.name());
                let ring = match self.port {
                    HostPort::Axi4Lite => "ring",
                    HostPort::Axi4 => "ring through AXI4",
                };
                let order = choice.order.name();
                format!("{ring}, lock {lock}, barrier {barrier}, order {order}{pages}")
            }
            Machine::Rings(plan) => {
                let (choice, mesh) = (plan.mesh.choice, &plan.mesh);
                let (lock, order) = (choice.lock_name(), choice.order.name());
                let (rings, boards) = (mesh.rings, mesh.boards());
                let standby = if mesh.standby { ", a standby in each" } else { "" };
                format!(
                    "{rings} rings of {boards} boards{standby}, lock {lock} in each, order {order}"
                )
            }
            Machine::Clusters(plan) => {
                let settings = &plan.settings;
                let (clusters, nodes) = (settings.clusters, settings.processes + 1);
                format!("{clusters} clusters of {nodes} nodes, barrier {}", settings.meeting.name())
            }
            Machine::Gen1(plan) => format!("generation 1, order {}", plan.settings.order.name()),
            Machine::Cluster(plan) => {
                let (lock, barrier) = (plan.settings.locks.name(), plan.settings.barrier.name());
                let replicas =
                    if plan.settings.sharing == Sharing::Replica { ", replicas" } else { "" };
                format!("cluster, lock {lock}, barrier {barrier}{replicas}{pages}")
            }
        }
    }

    /// Runs the processes to their ends.
    pub(super) fn run(
        &self,
        ports: Vec<Port>,
        monitor: &Monitor,
        wanted: Wanted<'_>,
        progress: &mut dyn FnMut(Nanoseconds),
    ) -> Result<Finished, CliError> {
        let offers = self.offers();
        let finished = match &self.machine {
            Machine::Ring(plan) => {
                let run = match self.port {
                    HostPort::Axi4Lite => ring::run::<Smb>,
                    HostPort::Axi4 => ring::run::<SmbAxi4>,
                };
                let pages = self.pages.zip(self.logs());
                let pages = pages.map(|(protocol, logs)| ((protocol, COSTS), logs));
                run((&offers, plan, pages), ports, monitor, wanted, progress)
            }
            Machine::Rings(plan) => {
                rings::run((&offers, plan, self.threads), ports, monitor, wanted, progress)
            }
            Machine::Gen1(plan) => on_gen1((&offers, plan), ports, monitor, wanted, progress),
            Machine::Cluster(plan) => {
                super::cluster::run(plan, &offers, ports, monitor, wanted, progress)
            }
            Machine::Clusters(plan) => {
                super::cluster::run_several(plan, &offers, ports, monitor, wanted, progress)
            }
        };
        finished.map(|finished| {
            let fault = monitor.fault().map(|(node, fault)| format!("node {node}: {fault}"));
            Finished { stopped: fault.or(finished.stopped), ..finished }
        })
    }
}

fn on_gen1(
    (offers, plan): (&awgstar_program::Machine, &Gen1Plan),
    ports: Vec<Port>,
    monitor: &Monitor,
    wanted: Wanted<'_>,
    progress: &mut dyn FnMut(Nanoseconds),
) -> Result<Finished, CliError> {
    let usage = |e: gen1::Gen1Error| CliError::Usage(e.to_string());
    let record = wanted.records || wanted.page;
    let settings = gen1::Settings { record, ..plan.settings.clone() };
    let order = settings.order;
    let process = |port| Box::new(OnMachine::new(port, order)) as Box<dyn Process>;
    let processes = ports.into_iter().map(process).collect();
    let mut system = gen1::Gen1::new(&settings, processes).map_err(usage)?;
    let mut events = 0_u64;
    let mut judge = Judge::default();
    let end = system.run_while(&mut |system| {
        if events.is_multiple_of(LOOK) {
            progress(system.now());
        }
        events += 1;
        judge.judge(system) != Verdict::Stalled && !monitor.failed()
    });
    let end = end.map_err(usage)?;
    let nodes = settings.line.nodes();
    let stopped = ended(offers, system.unfinished(), nodes, end >= settings.limit);
    let differ = awgstar_scenario::run::gen1::first_difference(system.ring()).map(|(_, addr)| addr);
    let records = system.records();
    let page = wanted.page.then(|| {
        let all = (0, end.0 + 1);
        let window = wanted.window.map_or(all, |w| (w.ns().0, w.ns().1.min(all.1)));
        let nodes = settings.line.nodes();
        let mut page = Scene::new("generation1", &plan.title, Unit::Ns, nodes, window);
        page.add_gen1(&records);
        page
    });
    let events = Events::Gen1(records, end);
    let replicas = Some(replicas(differ));
    Ok(Finished { stopped, end, replicas, under_way: false, events, blocks: Vec::new(), page })
}

/// Writes the waves of a run: what each process, lock and barrier did.
pub(super) fn waves(
    finished: &Finished,
    nodes: usize,
    files: &mut dyn Files,
    stem: &str,
) -> Result<(), RunError> {
    write_waves(files, stem, |file, dump| match &finished.events {
        Events::Ring(records, end) => {
            wave::firmware(file, dump, nodes, &[records], (0, *end), &[]).map_err(RunError::Io)
        }
        Events::Rings { boards, records, end, .. } => {
            let rings: Vec<&[Record]> = records.iter().map(Vec::as_slice).collect();
            wave::firmware(file, dump, *boards, &rings, (0, end.0), &[]).map_err(RunError::Io)
        }
        Events::Gen1(records, end) => {
            let all: Vec<usize> = (0..nodes).collect();
            let window = (0, end.0 + 1);
            awgstar_scenario::run::gen1::waves(file, dump, &all, records, window)
                .map_err(RunError::Io)
        }
        Events::Cluster { shape, records, end, .. } => {
            cluster::waves(file, dump, *shape, records, end.0).map_err(RunError::Io)
        }
    })
}
