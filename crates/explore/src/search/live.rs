//! Temporal properties: what workers record for them while they explore, and their check when everything is explored.
//!
//! Workers record steps in terms of nodes, which last until memory is emptied. What they have recorded is here
//! whenever they rest, so that it can be written to disk first, also that of workers who have nothing to do. If all
//! of it is still in memory in the end, and the graph fits there too, it stays there; else the graph is put together
//! on disk, with the memory that the search had.

use std::io::Result as IoResult;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::spill::Spill;
use super::{Hand, Search, Tally, get_mut};
use crate::disk::assemble::{Parts, Stop};
use crate::disk::graph::DiskGraph;
use crate::disk::logs::{LogFile, damaged};
use crate::disk::saved::SavedLog;
use crate::fingerprint_set::FingerprintSet;
use crate::frontier::Frontier;
use crate::graph::{Graph, Log, unite};
use crate::limits::Reason;
use crate::model::Explorable;
use crate::options::Options;
use crate::recorder::Recorder;
use crate::report::{Violation, ViolationKind};
use crate::sync::{lock, share};
use crate::temporal::{Found, Interrupt, Source, Temporal};

/// The share of memory that logs may take, once the graph is to be on disk.
const SHARE_OF_LOGS: usize = 8;

/// The records of the workers. Without temporal properties there is nothing.
pub(super) struct Recorded<'a> {
    lanes: Box<[Mutex<Lane<'a>>]>,
    /// Whether some of it is on disk.
    is_on_disk: AtomicBool,
}

/// The records of one worker.
#[derive(Default)]
struct Lane<'a> {
    /// While the worker rests.
    recorder: Option<Recorder<'a>>,
    /// The records from before memory was emptied.
    file: Option<LogFile<'a>>,
}

impl<'a> Recorded<'a> {
    pub(super) fn new(options: &Options<'a>) -> Self {
        // Of a search that was saved, there may have been more workers.
        let saved = options.disk.and_then(|disk| disk.saved).map_or(0, |saved| saved.logs.len());
        let lanes = if options.temporal.is_some() { options.workers.max(1).max(saved) } else { 0 };
        let lanes = (0..lanes).map(|_| Mutex::default()).collect();
        Recorded { lanes, is_on_disk: AtomicBool::new(false) }
    }

    /// The states and steps in memory.
    fn size(&self) -> (usize, usize) {
        let size = |lane: &Mutex<Lane<'a>>| lock(lane).recorder.as_ref().map(|one| one.log().size());
        let sizes = self.lanes.iter().filter_map(size);
        sizes.fold((0, 0), |(states, steps), size| (states + size.0, steps + size.1))
    }

    fn take(&mut self) -> impl Iterator<Item = Lane<'a>> {
        self.lanes.iter_mut().map(|lane| std::mem::take(get_mut(lane)))
    }
}

impl<'a, M: Explorable> Search<'a, M> {
    /// Gives a worker its recorder when it begins to work.
    pub(super) fn take_recorder(&self, tally: &mut Tally<'a, M>) {
        if let (Some(temporal), Some(lane)) = (self.options.temporal, self.recorded.lanes.get(tally.number)) {
            let recorder = lock(lane).recorder.take();
            tally.recorder = Some(recorder.unwrap_or_else(|| Recorder::new(temporal.obligations())));
        }
    }

    /// Keeps it while the worker rests.
    pub(super) fn put_recorder(&self, tally: &mut Tally<'a, M>) {
        if let Some(lane) = self.recorded.lanes.get(tally.number) {
            lock(lane).recorder = tally.recorder.take();
        }
    }

    /// The bytes that would be needed beside what is there, to have the graph in memory. Once something is on disk it
    /// will not be there, and what is recorded goes to disk before long.
    pub(super) fn graph_bytes_to_come(&self, limit: usize) -> usize {
        let bytes = self.counts.graph_bytes.load(Ordering::Relaxed);
        let is_on_disk = self.recorded.is_on_disk.load(Ordering::Relaxed);
        match &self.spill {
            Some(_) if is_on_disk && bytes > limit / SHARE_OF_LOGS => limit,
            Some(_) if !is_on_disk => bytes,
            _ => 0,
        }
    }

    /// Writes what was recorded to disk, with all workers at rest.
    pub(super) fn write_logs(&self, spill: &Spill<'a>) -> IoResult<()> {
        let lanes = self.recorded.lanes.iter().collect();
        let written = share(lanes, self.workers(), |lane: &Mutex<Lane<'a>>| {
            let Lane { recorder, file } = &mut *lock(lane);
            let Some(recorder) = recorder else { return Ok(()) };
            if recorder.log().size().0 == 0 {
                return Ok(());
            }
            let file = match file {
                Some(file) => file,
                None => file.insert(LogFile::new(spill.files)?),
            };
            file.append(recorder.log(), &self.set)?;
            recorder.forget();
            Ok(())
        });
        if self.counts.graph_bytes.swap(0, Ordering::Relaxed) > 0 {
            self.recorded.is_on_disk.store(true, Ordering::Relaxed);
        }
        written.into_iter().collect()
    }

    /// Returns the part of the records that is to be saved, all of which was written before.
    pub(super) fn save_logs(&self) -> IoResult<Vec<SavedLog>> {
        let save = |lane: &Mutex<Lane<'a>>| {
            let Lane { recorder, file } = &*lock(lane);
            let saved = file.as_ref().map_or(Ok(SavedLog::default()), LogFile::save)?;
            let letters = recorder.as_ref().map_or(Vec::new(), |recorder| recorder.log().letters().to_vec());
            Ok(SavedLog { letters, ..saved })
        };
        self.recorded.lanes.iter().map(save).collect()
    }

    /// Goes on with what was recorded before the search was saved.
    pub(super) fn take_up_logs(&self, spill: &Spill<'a>, saved: &[SavedLog]) -> IoResult<()> {
        let Some(temporal) = self.options.temporal else { return Ok(()) };
        for (lane, saved) in self.recorded.lanes.iter().zip(saved) {
            let mut lane = lock(lane);
            let recorder = Recorder::with_letters(temporal.obligations(), &saved.letters);
            lane.recorder = Some(recorder.ok_or_else(damaged)?);
            if saved.states > 0 {
                lane.file = Some(LogFile::open(spill.files, saved)?);
            }
        }
        Ok(())
    }

    /// Checks the temporal properties, if everything was explored and there is nothing more urgent to report.
    pub(super) fn check_temporal(&mut self, leader: &mut Hand<'a, M>) {
        let Some(temporal) = self.options.temporal else { return };
        let found = get_mut(&mut self.found);
        // Where the model failed, steps are missing, and fairness cannot be judged.
        let failed = found.iter().any(|candidate| matches!(candidate.kind, ViolationKind::Error(_)));
        let found = found.len();
        let limit = self.options.violations.max(1);
        if self.halted.load(Ordering::Relaxed) || failed || found >= limit {
            return;
        }
        // Once memory was emptied, nodes do not stand for all states any more.
        let is_on_disk = self.is_spilled() || self.recorded.is_on_disk.load(Ordering::Relaxed);
        if self.spill.is_some() && (is_on_disk || !self.fits(temporal)) {
            self.check_on_disk(leader, temporal, limit - found);
        } else {
            self.check_in_memory(leader, temporal, limit - found);
        }
    }

    /// Whether the graph and what is looked for in it fit into memory, beside what is there.
    fn fits(&self, temporal: &Temporal) -> bool {
        let Some(limit) = self.options.limits.bytes else { return true };
        let (states, steps) = self.recorded.size();
        let graph = Graph::bytes_of(states, steps);
        // While the graph is put together, its logs are still there.
        let logs = self.counts.graph_bytes.load(Ordering::Relaxed);
        self.bytes() + graph.max(logs) <= limit
            && self.bytes() - logs + graph + temporal.most_bytes(states) <= limit
    }

    fn check_in_memory(&mut self, leader: &mut Hand<'a, M>, temporal: &Temporal, limit: usize) {
        let max_bytes = self.options.limits.bytes.unwrap_or(usize::MAX);
        // While the graph is put together, its logs are still there.
        if self.bytes() + self.counts.graph_bytes.load(Ordering::Relaxed) > max_bytes {
            self.halt(Some(Reason::Memory));
            return;
        }
        let recorders = self.recorded.take().filter_map(|lane| lane.recorder);
        let logs: Vec<Log> = recorders.map(Recorder::into_log).collect();
        let graph = Graph::new(&self.set, &self.course.levels, &logs, self.workers());
        drop(logs);
        self.counts.peak_bytes.fetch_max(self.bytes() + graph.bytes(), Ordering::Relaxed);
        self.counts.graph_bytes.store(graph.bytes(), Ordering::Relaxed);
        self.product.transitions = graph.transitions() as u64;
        let bytes = max_bytes.saturating_sub(self.bytes());
        self.check_graph(leader, (&graph, temporal), limit, (bytes, Self::interruption));
    }

    fn check_on_disk(&mut self, leader: &mut Hand<'a, M>, temporal: &Temporal, limit: usize) {
        let Some(spill) = &self.spill else { return };
        let limits = &self.options.limits;
        // What the process holds beside what is counted, it will go on to hold.
        let used = limits.in_use().saturating_sub(self.bytes());
        // The check may take long too: what is saved here need only be checked.
        let save = || if spill.disk.save_every.is_some() { self.save_complete(spill) } else { Ok(()) };
        let written = self.write_logs(spill).and_then(|()| self.empty(spill)).and_then(|()| save());
        if written.is_err() {
            self.judge(spill, written);
            return;
        }
        self.release();
        let max_bytes = limits.bytes.map_or(usize::MAX, |bytes| {
            bytes.saturating_sub(used).max(bytes / 2).saturating_sub(self.bytes())
        });
        let Some(graph) = self.assemble(max_bytes) else { return };
        self.counts.graph_bytes.store(graph.bytes(), Ordering::Relaxed);
        self.product.transitions = graph.transitions();
        let bytes = max_bytes.saturating_sub(graph.bytes());
        self.check_graph(leader, (&graph, temporal), limit, (bytes, Self::disk_interruption));
        if let (Some(spill), Some(trouble)) = (&self.spill, graph.trouble()) {
            self.judge(spill, Err(std::io::Error::other(trouble)));
        }
    }

    /// Gives back the memory of a search that is complete and on disk.
    fn release(&mut self) {
        self.set = FingerprintSet::new(1, usize::MAX, None);
        self.frontier = Frontier::new(self.workers());
        if let Some(spill) = &self.spill {
            *lock(&spill.repeats) = super::spill::Repeats::default();
        }
        self.options.limits.in_use();
    }

    /// Puts the graph together on disk.
    fn assemble(&mut self, bytes: usize) -> Option<DiskGraph<'a>> {
        let lanes: Vec<Lane<'a>> = self.recorded.take().collect();
        let spill = self.spill.as_ref()?;
        let letters =
            |lane: &Lane<'a>| lane.recorder.as_ref().map_or(Vec::new(), |one| one.log().letters().to_vec());
        let letters: Vec<_> = lanes.iter().map(letters).collect();
        let (letters, renumber) = unite(&letters.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let files = lanes.into_iter().map(|lane| lane.file);
        let logs = files.zip(renumber).filter_map(|(file, renumber)| Some((file?, renumber))).collect();
        let runs = lock(&spill.runs);
        let interrupt: Interrupt<'_> = &|| self.disk_interruption();
        let parts = Parts { files: spill.files, runs: &runs, logs, letters, bytes, interrupt };
        match parts.assemble() {
            Ok(graph) => Some(graph),
            Err(Stop::Limit(reason)) => {
                self.halt(Some(reason));
                None
            }
            Err(Stop::Disk(error)) => {
                self.judge(spill, Err(error));
                None
            }
        }
    }

    /// Whether to stop while the graph is on disk.
    fn disk_interruption(&self) -> Option<Reason> {
        let limits = &self.options.limits;
        let is_over = limits
            .bytes
            .zip(limits.used)
            .is_some_and(|(bytes, used)| used() > bytes && limits.in_use() > bytes);
        self.interruption().or(is_over.then_some(Reason::Memory))
    }

    /// Checks a graph, with so many bytes beside it.
    fn check_graph<S: Source>(
        &mut self,
        leader: &mut Hand<'a, M>,
        (graph, temporal): (&S, &Temporal),
        limit: usize,
        (max_bytes, interruption): (usize, fn(&Self) -> Option<Reason>),
    ) {
        let means = (self.workers(), max_bytes);
        match temporal.check(graph, limit, means, &|| interruption(self)) {
            Ok(Found { lassos, visited, fair, ended }) => {
                self.product.visited = visited;
                self.product.fair = fair;
                for (property, lasso) in lassos {
                    let kind = ViolationKind::Temporal(property);
                    match lasso.trace(self.model, &mut leader.worker, graph, temporal) {
                        Ok(trace) => get_mut(&mut self.temporal).push(Violation { kind, trace }),
                        Err(reason) => self.halt(Some(reason)),
                    }
                }
                if ended.is_some() {
                    self.halt(ended);
                }
            }
            Err(reason) => self.halt(Some(reason)),
        }
    }
}
