//! Saving a search, and going on with one that was saved.

use std::io::Result as IoResult;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::spill::Spill;
use super::{Course, Search};
use crate::disk::files::File;
use crate::disk::run::Run;
use crate::disk::saved::{Saved, SavedChunk, SavedRun};
use crate::frontier::{Body, Chunk, Stored};
use crate::model::Explorable;
use crate::sync::lock;

impl<'a, M: Explorable> Search<'a, M> {
    /// Saves the search. Memory was emptied before.
    pub(super) fn save(&self, spill: &Spill<'a>, course: &Course) -> IoResult<()> {
        let mut files = Vec::new();
        let mut saved = Saved {
            model: self.model.remember(),
            generated: self.counts.generated.load(Ordering::Relaxed),
            distinct: self.distinct(),
            queue: self.queue(),
            outside: self.counts.outside.load(Ordering::Relaxed),
            initial: course.initial,
            depth: u64::from(course.depth),
            states: course.states as u64,
            epoch: u64::from(spill.epoch()),
            levels: lock(&self.sizes).clone(),
            coverage: lock(&self.coverage).clone(),
            ..Saved::default()
        };
        let mut tail = None;
        for (is_next, chunks) in [(false, &mut saved.now), (true, &mut saved.next)] {
            self.frontier.each(is_next, |_, chunk| {
                let free = self.store(&mut tail, chunk)?;
                self.counts.frontier_bytes.fetch_sub(free, Ordering::Relaxed);
                let Body::Stored(Stored { file, offset, bytes, count }) = &chunk.body else {
                    return Err(std::io::Error::other("states of this kind cannot be written"));
                };
                let chunk = SavedChunk {
                    epoch: chunk.epoch,
                    file: file.number,
                    offset: *offset,
                    bytes: *bytes,
                    count: *count,
                };
                if chunks.last().is_none_or(|last: &SavedChunk| last.file != chunk.file) {
                    files.push(Arc::clone(file));
                }
                chunks.push(chunk);
                Ok(())
            })?;
        }
        let runs = lock(&spill.runs);
        for (runs, is_current) in [(&runs.old, false), (&runs.current, true)] {
            for run in runs {
                run.fingerprints.sync()?;
                run.parents.sync()?;
                let (fingerprints, parents) = (run.fingerprints.number, run.parents.number);
                saved.runs.push(SavedRun { fingerprints, parents, count: run.count, is_current });
            }
        }
        drop(runs);
        let repeats = lock(&spill.repeats);
        saved.repeats_now = repeats.now.iter().copied().collect();
        saved.repeats_next = repeats.next.iter().copied().collect();
        saved.repeats_now.sort_unstable();
        saved.repeats_next.sort_unstable();
        drop(repeats);
        saved.logs = self.save_logs()?;
        files.iter().try_for_each(|file| file.sync())?;
        saved.next_file = spill.files.next();
        saved.write(spill.files.storage())?;
        spill.files.sweep();
        *lock(&spill.last_saved) = Instant::now();
        if spill.pausing.load(Ordering::Relaxed) != 0 {
            spill.is_saved.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Saves a search that has explored everything.
    pub(super) fn save_complete(&self, spill: &Spill<'a>) -> IoResult<()> {
        self.save(spill, &self.course)?;
        spill.is_saved.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Goes on with what was saved, if there is something.
    pub(super) fn go_on(&self) -> Option<Course> {
        let spill = self.spill.as_ref()?;
        let saved = spill.disk.saved?;
        let course = self.take_up(spill, saved);
        self.judge(
            spill,
            course.as_ref().map(|_| ()).map_err(|error| std::io::Error::other(error.to_string())),
        );
        Some(course.unwrap_or_default())
    }

    fn take_up(&self, spill: &Spill<'a>, saved: &Saved) -> IoResult<Course> {
        spill.files.go_on(saved.next_file);
        let mut runs = lock(&spill.runs);
        for run in &saved.runs {
            let opened = Run::open(spill.files, (run.fingerprints, run.parents), run.count)?;
            if run.is_current { runs.current.push(opened) } else { runs.old.push(opened) }
        }
        drop(runs);
        self.take_up_logs(spill, &saved.logs)?;
        let mut files: Vec<Arc<File<'a>>> = Vec::new();
        for (is_next, chunks) in [(false, &saved.now), (true, &saved.next)] {
            for chunk in chunks {
                let known = files.iter().find(|file| file.number == chunk.file).cloned();
                let file = if let Some(file) = known {
                    file
                } else {
                    let file = Arc::new(spill.files.open(chunk.file)?);
                    files.push(Arc::clone(&file));
                    file
                };
                let stored = Stored { file, offset: chunk.offset, bytes: chunk.bytes, count: chunk.count };
                let chunk = Chunk { epoch: chunk.epoch, body: Body::Stored(stored) };
                self.frontier.restore(is_next, chunk);
            }
        }
        spill.epoch.store(u32::try_from(saved.epoch).unwrap_or(u32::MAX).max(1), Ordering::Relaxed);
        let mut repeats = lock(&spill.repeats);
        repeats.now = Arc::new(saved.repeats_now.iter().copied().collect());
        repeats.next = saved.repeats_next.iter().copied().collect();
        drop(repeats);
        self.counts.generated.store(saved.generated, Ordering::Relaxed);
        self.counts.distinct.store(saved.distinct, Ordering::Relaxed);
        self.counts.queue.store(saved.queue, Ordering::Relaxed);
        self.counts.outside.store(saved.outside, Ordering::Relaxed);
        (*lock(&self.sizes)).clone_from(&saved.levels);
        let mut coverage = lock(&self.coverage);
        for (sum, part) in coverage.iter_mut().zip(&saved.coverage) {
            *sum = *part;
        }
        Ok(Course {
            initial: saved.initial,
            depth: u32::try_from(saved.depth).unwrap_or(u32::MAX),
            states: saved.states as usize,
            levels: vec![0],
        })
    }
}
