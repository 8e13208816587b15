//! The queue of renditions to make. Each job is queued once, requested ones first, and the length
//! is limited. Fast and slow formats have lanes of their own, so that a small JPEG does not wait
//! for a large AVIF.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mirasa_app::ports::images::Format;
use tokio::sync::watch;

use super::keys::Rendition;
use super::lock;
use super::metadata::StoredImage;

/// A catalogue of a thousand images in every size and format.
const MAX_QUEUED: usize = 30_000;
/// A failed rendition is not tried again during this time.
const RETRY_COOLDOWN: Duration = Duration::from_secs(60);
const MAX_TRACKED_FAILURES: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A client has requested it.
    Requested,
    /// It may be requested later.
    Prefetch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Fast,
    /// AVIF takes ten times as long, and clients get a fallback meanwhile.
    Slow,
}

#[derive(Clone)]
pub struct Job {
    pub image: Arc<StoredImage>,
    pub rendition: Rendition,
}

impl Job {
    fn key(&self) -> String {
        self.image.object_key(self.rendition)
    }

    fn lane(&self) -> Lane {
        match self.rendition.format {
            Format::Avif => Lane::Slow,
            Format::WebP | Format::Jpeg => Lane::Fast,
        }
    }
}

pub struct Queue {
    lanes: Mutex<Lanes>,
    wake: Condvar,
    /// Number of queued and running jobs.
    pending: watch::Sender<usize>,
}

#[derive(Default)]
struct Lanes {
    fast: LaneQueue,
    slow: LaneQueue,
    failed: HashMap<String, Instant>,
    closed: bool,
}

#[derive(Default)]
struct LaneQueue {
    requested: VecDeque<Job>,
    prefetch: VecDeque<Job>,
    /// The priority of each queued job. A job that was moved up leaves a stale entry in its old
    /// queue; `pop` skips it.
    queued: HashMap<String, Priority>,
    running: Option<String>,
}

impl LaneQueue {
    fn pending(&self) -> usize {
        self.queued.len() + usize::from(self.running.is_some())
    }

    fn pop(&mut self) -> Option<Job> {
        loop {
            let (job, priority) = match self.requested.pop_front() {
                Some(job) => (job, Priority::Requested),
                None => (self.prefetch.pop_front()?, Priority::Prefetch),
            };
            let key = job.key();
            if self.queued.get(&key) == Some(&priority) {
                self.queued.remove(&key);
                self.running = Some(key);
                return Some(job);
            }
        }
    }
}

impl Lanes {
    fn queue(&mut self, lane: Lane) -> &mut LaneQueue {
        match lane {
            Lane::Fast => &mut self.fast,
            Lane::Slow => &mut self.slow,
        }
    }

    fn queued(&self) -> usize {
        self.fast.queued.len() + self.slow.queued.len()
    }

    fn pending(&self) -> usize {
        self.fast.pending() + self.slow.pending()
    }
}

impl Queue {
    pub fn new() -> Queue {
        Queue {
            lanes: Mutex::default(),
            wake: Condvar::new(),
            pending: watch::Sender::new(0),
        }
    }

    /// Ignores a job that is queued already, running or recently failed, and every job if the queue
    /// is full.
    pub fn push(&self, job: Job, priority: Priority) {
        let mut lanes = lock(&self.lanes);
        let key = job.key();
        let in_cooldown = lanes
            .failed
            .get(&key)
            .is_some_and(|at| at.elapsed() < RETRY_COOLDOWN);
        let is_full = lanes.queued() >= MAX_QUEUED;
        if lanes.closed || in_cooldown {
            return;
        }
        let queue = lanes.queue(job.lane());
        match queue.queued.get(&key) {
            _ if queue.running.as_ref() == Some(&key) => return,
            Some(current) if *current <= priority => return,
            Some(_) => {}
            None if is_full => return,
            None => {}
        }
        queue.queued.insert(key, priority);
        match priority {
            Priority::Requested => queue.requested.push_back(job),
            Priority::Prefetch => queue.prefetch.push_back(job),
        }
        self.pending.send_replace(lanes.pending());
        self.wake.notify_all();
    }

    /// Blocks until this lane has a job. None when the store is closed.
    pub fn next(&self, lane: Lane) -> Option<Job> {
        let mut lanes = lock(&self.lanes);
        loop {
            if lanes.closed {
                return None;
            }
            if let Some(job) = lanes.queue(lane).pop() {
                return Some(job);
            }
            lanes = self
                .wake
                .wait(lanes)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn done(&self, job: &Job, succeeded: bool) {
        let mut lanes = lock(&self.lanes);
        lanes.queue(job.lane()).running = None;
        let key = job.key();
        if succeeded {
            lanes.failed.remove(&key);
        } else {
            if lanes.failed.len() >= MAX_TRACKED_FAILURES {
                lanes.failed.clear();
            }
            lanes.failed.insert(key, Instant::now());
        }
        self.pending.send_replace(lanes.pending());
    }

    pub fn close(&self) {
        lock(&self.lanes).closed = true;
        self.wake.notify_all();
    }

    pub fn is_empty(&self, lane: Lane) -> bool {
        lock(&self.lanes).queue(lane).queued.is_empty()
    }

    pub fn watch(&self) -> watch::Receiver<usize> {
        self.pending.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use mirasa_app::ports::images::ImageFolder;

    use super::super::import::ImportedImage;
    use super::super::keys::ImageKey;
    use super::super::metadata::ImageMetadata;
    use super::*;

    fn job(file: &str, format: Format) -> Job {
        let original = ImportedImage {
            file: file.into(),
            format: Format::WebP,
            width: 640,
            height: 640,
            colour: "#ffffff".into(),
        };
        let key = ImageKey::parse(ImageFolder::Products, file).unwrap();
        let metadata = ImageMetadata::new(&super::super::sha256_hex(file.as_bytes()), &original);
        Job {
            image: Arc::new(StoredImage::new(key, metadata)),
            rendition: Rendition { format, width: 64 },
        }
    }

    fn next(queue: &Queue, lane: Lane) -> (String, Format) {
        let job = queue.next(lane).unwrap();
        queue.done(&job, true);
        (job.image.key.file.as_str().to_owned(), job.rendition.format)
    }

    #[test]
    fn requested_jobs_run_before_prefetch() {
        let queue = Queue::new();
        for (format, lane) in [(Format::Avif, Lane::Slow), (Format::WebP, Lane::Fast)] {
            queue.push(job("a", format), Priority::Prefetch);
            queue.push(job("b", format), Priority::Prefetch);
            queue.push(job("c", format), Priority::Requested);
            queue.push(job("b", format), Priority::Requested);
            assert_eq!(*queue.watch().borrow(), 3);
            for file in ["c", "b", "a"] {
                assert_eq!(next(&queue, lane), (file.into(), format));
            }
            assert_eq!(*queue.watch().borrow(), 0);
            assert!(queue.is_empty(lane));
        }
        queue.close();
        assert!(queue.next(Lane::Slow).is_none() && queue.next(Lane::Fast).is_none());
    }

    #[test]
    fn fast_lane_does_not_wait_for_slow_lane() {
        let queue = Queue::new();
        queue.push(job("a", Format::Avif), Priority::Requested);
        let slow = queue.next(Lane::Slow).unwrap();
        queue.push(job("a", Format::Avif), Priority::Requested);
        queue.push(job("a", Format::Jpeg), Priority::Prefetch);
        assert_eq!(*queue.watch().borrow(), 2);
        assert_eq!(next(&queue, Lane::Fast), ("a".into(), Format::Jpeg));
        assert_eq!(*queue.watch().borrow(), 1);
        queue.done(&slow, true);
        assert_eq!(*queue.watch().borrow(), 0);
    }

    #[test]
    fn push_ignores_duplicates_and_failed_jobs() {
        let queue = Queue::new();
        for _ in 0..10 {
            queue.push(job("a", Format::WebP), Priority::Requested);
            queue.push(job("a", Format::WebP), Priority::Prefetch);
        }
        assert_eq!(*queue.watch().borrow(), 1);
        let job_running = queue.next(Lane::Fast).unwrap();
        queue.push(job("a", Format::WebP), Priority::Requested);
        assert_eq!(*queue.watch().borrow(), 1);
        queue.done(&job_running, false);
        queue.push(job("a", Format::WebP), Priority::Requested);
        assert_eq!(*queue.watch().borrow(), 0);
    }

    #[test]
    fn push_stops_at_max_queued() {
        let queue = Queue::new();
        let job = job("a", Format::WebP);
        for width in 0..40_000 {
            let rendition = Rendition {
                width,
                ..job.rendition
            };
            let job = Job {
                rendition,
                ..job.clone()
            };
            queue.push(job, Priority::Prefetch);
        }
        assert_eq!(*queue.watch().borrow(), MAX_QUEUED);
    }
}
