//! Renditions that wait to be made: each once, visitors' wishes first, never more than a bound.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mirasa_app::ports::pictures::Format;
use tokio::sync::watch;

use super::cards::Known;
use super::lock;
use super::names::Rendition;

/// A catalogue of a thousand pictures in every size and format.
const MOST_WAITING: usize = 30_000;
/// What could not be made is not tried again at every request.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(60);
const MOST_FAILURES: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// A visitor has asked for it.
    Asked,
    /// Somebody may.
    Ahead,
}

#[derive(Clone)]
pub struct Job {
    pub known: Arc<Known>,
    pub rendition: Rendition,
}

impl Job {
    fn key(&self) -> String {
        self.known.object(self.rendition)
    }

    /// Of two wishes alike the quick one first: AVIF takes ten times as long, and whoever waits for
    /// it has something to look at meanwhile.
    fn lane(&self, urgency: Urgency) -> usize {
        let slow = usize::from(self.rendition.format == Format::Avif);
        match urgency {
            Urgency::Asked => slow,
            Urgency::Ahead => 2 + slow,
        }
    }
}

pub struct Queue {
    lines: Mutex<Lines>,
    wake: Condvar,
    /// How many wait or are being made; every change is told.
    pending: watch::Sender<usize>,
}

#[derive(Default)]
struct Lines {
    lanes: [VecDeque<Job>; 4],
    /// The lane in which a job waits. A job that was moved up leaves a stale entry in its old lane,
    /// which is skipped when its turn comes.
    waiting: HashMap<String, usize>,
    making: Option<String>,
    failed: HashMap<String, Instant>,
    closed: bool,
}

impl Lines {
    fn pending(&self) -> usize {
        self.waiting.len() + usize::from(self.making.is_some())
    }
}

impl Queue {
    pub fn new() -> Queue {
        Queue {
            lines: Mutex::default(),
            wake: Condvar::new(),
            pending: watch::Sender::new(0),
        }
    }

    /// Already waiting, being made, lately failed or too many: then nothing is added.
    pub fn push(&self, job: Job, urgency: Urgency) {
        let mut lines = lock(&self.lines);
        let (key, lane) = (job.key(), job.lane(urgency));
        let resting = lines
            .failed
            .get(&key)
            .is_some_and(|at| at.elapsed() < PAUSE_AFTER_FAILURE);
        if lines.closed || resting || lines.making.as_ref() == Some(&key) {
            return;
        }
        match lines.waiting.get(&key) {
            Some(already) if *already <= lane => return,
            Some(_) => {}
            None if lines.waiting.len() >= MOST_WAITING => return,
            None => {}
        }
        lines.waiting.insert(key, lane);
        lines.lanes[lane].push_back(job);
        self.pending.send_replace(lines.pending());
        self.wake.notify_one();
    }

    /// Blocks until there is something to make; None when the shelf is closed.
    pub fn next(&self) -> Option<Job> {
        let mut lines = lock(&self.lines);
        loop {
            if lines.closed {
                return None;
            }
            while let Some((lane, job)) = pop(&mut lines.lanes) {
                let key = job.key();
                if lines.waiting.get(&key) == Some(&lane) {
                    lines.waiting.remove(&key);
                    lines.making = Some(key);
                    return Some(job);
                }
            }
            lines = self
                .wake
                .wait(lines)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn done(&self, job: &Job, made: bool) {
        let mut lines = lock(&self.lines);
        lines.making = None;
        let key = job.key();
        if made {
            lines.failed.remove(&key);
        } else {
            if lines.failed.len() >= MOST_FAILURES {
                lines.failed.clear();
            }
            lines.failed.insert(key, Instant::now());
        }
        self.pending.send_replace(lines.pending());
    }

    pub fn close(&self) {
        lock(&self.lines).closed = true;
        self.wake.notify_all();
    }

    pub fn is_empty(&self) -> bool {
        lock(&self.lines).waiting.is_empty()
    }

    pub fn watch(&self) -> watch::Receiver<usize> {
        self.pending.subscribe()
    }
}

fn pop(lanes: &mut [VecDeque<Job>; 4]) -> Option<(usize, Job)> {
    lanes
        .iter_mut()
        .enumerate()
        .find_map(|(lane, jobs)| jobs.pop_front().map(|job| (lane, job)))
}

#[cfg(test)]
mod tests {
    use mirasa_app::ports::pictures::Drawer;

    use super::super::cards::Card;
    use super::super::intake::Master;
    use super::super::names::Place;
    use super::*;

    fn job(file: &str, format: Format) -> Job {
        let master = Master {
            file: file.into(),
            format: Format::WebP,
            width: 640,
            height: 640,
            colour: "#ffffff".into(),
        };
        let place = Place::parse(Drawer::Products, file).unwrap();
        let card = Card::new(&super::super::hex_of(file.as_bytes()), &master);
        Job {
            known: Arc::new(Known::new(place, card)),
            rendition: Rendition { format, width: 64 },
        }
    }

    fn next(queue: &Queue) -> (String, Format) {
        let job = queue.next().unwrap();
        queue.done(&job, true);
        (
            job.known.place.file.as_str().to_owned(),
            job.rendition.format,
        )
    }

    #[test]
    fn visitors_come_first_and_quick_work_before_slow() {
        let queue = Queue::new();
        queue.push(job("a", Format::Avif), Urgency::Ahead);
        queue.push(job("b", Format::WebP), Urgency::Ahead);
        queue.push(job("c", Format::Avif), Urgency::Asked);
        queue.push(job("d", Format::Jpeg), Urgency::Asked);
        queue.push(job("a", Format::Avif), Urgency::Asked);
        assert_eq!(*queue.watch().borrow(), 4);
        assert_eq!(next(&queue), ("d".into(), Format::Jpeg));
        assert_eq!(next(&queue), ("c".into(), Format::Avif));
        assert_eq!(next(&queue), ("a".into(), Format::Avif));
        assert_eq!(next(&queue), ("b".into(), Format::WebP));
        assert_eq!(*queue.watch().borrow(), 0);
        queue.close();
        assert!(queue.next().is_none());
    }

    #[test]
    fn each_job_waits_once_and_rests_after_a_failure() {
        let queue = Queue::new();
        for _ in 0..10 {
            queue.push(job("a", Format::WebP), Urgency::Asked);
            queue.push(job("a", Format::WebP), Urgency::Ahead);
        }
        assert_eq!(*queue.watch().borrow(), 1);
        let making = queue.next().unwrap();
        queue.push(job("a", Format::WebP), Urgency::Asked);
        assert_eq!(*queue.watch().borrow(), 1);
        queue.done(&making, false);
        queue.push(job("a", Format::WebP), Urgency::Asked);
        assert_eq!(*queue.watch().borrow(), 0);
    }

    #[test]
    fn the_queue_is_bounded() {
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
            queue.push(job, Urgency::Ahead);
        }
        assert_eq!(*queue.watch().borrow(), MOST_WAITING);
    }
}
