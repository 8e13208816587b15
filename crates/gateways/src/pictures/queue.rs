//! Renditions that wait to be made: each once, visitors' wishes first, never more than a bound; quick and slow ones in
//! lines of their own, so that nobody waits for a small JPEG behind a large AVIF.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mirasa_app::ports::images::Format;
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Quick,
    /// AVIF takes ten times as long, and whoever waits for it has something to look at meanwhile.
    Slow,
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

    fn pace(&self) -> Pace {
        match self.rendition.format {
            Format::Avif => Pace::Slow,
            Format::WebP | Format::Jpeg => Pace::Quick,
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
    quick: Line,
    slow: Line,
    failed: HashMap<String, Instant>,
    closed: bool,
}

#[derive(Default)]
struct Line {
    asked: VecDeque<Job>,
    ahead: VecDeque<Job>,
    /// How urgently a job waits. A job that was moved up leaves a stale entry behind, which is skipped when its turn
    /// comes.
    waiting: HashMap<String, Urgency>,
    making: Option<String>,
}

impl Line {
    fn pending(&self) -> usize {
        self.waiting.len() + usize::from(self.making.is_some())
    }

    fn pop(&mut self) -> Option<Job> {
        loop {
            let (job, urgency) = match self.asked.pop_front() {
                Some(job) => (job, Urgency::Asked),
                None => (self.ahead.pop_front()?, Urgency::Ahead),
            };
            let key = job.key();
            if self.waiting.get(&key) == Some(&urgency) {
                self.waiting.remove(&key);
                self.making = Some(key);
                return Some(job);
            }
        }
    }
}

impl Lines {
    fn line(&mut self, pace: Pace) -> &mut Line {
        match pace {
            Pace::Quick => &mut self.quick,
            Pace::Slow => &mut self.slow,
        }
    }

    fn waiting(&self) -> usize {
        self.quick.waiting.len() + self.slow.waiting.len()
    }

    fn pending(&self) -> usize {
        self.quick.pending() + self.slow.pending()
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
        let key = job.key();
        let resting = lines
            .failed
            .get(&key)
            .is_some_and(|at| at.elapsed() < PAUSE_AFTER_FAILURE);
        let is_full = lines.waiting() >= MOST_WAITING;
        if lines.closed || resting {
            return;
        }
        let line = lines.line(job.pace());
        match line.waiting.get(&key) {
            _ if line.making.as_ref() == Some(&key) => return,
            Some(already) if *already <= urgency => return,
            Some(_) => {}
            None if is_full => return,
            None => {}
        }
        line.waiting.insert(key, urgency);
        match urgency {
            Urgency::Asked => line.asked.push_back(job),
            Urgency::Ahead => line.ahead.push_back(job),
        }
        self.pending.send_replace(lines.pending());
        self.wake.notify_all();
    }

    /// Blocks until there is something of this pace to make; None when the shelf is closed.
    pub fn next(&self, pace: Pace) -> Option<Job> {
        let mut lines = lock(&self.lines);
        loop {
            if lines.closed {
                return None;
            }
            if let Some(job) = lines.line(pace).pop() {
                return Some(job);
            }
            lines = self
                .wake
                .wait(lines)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn done(&self, job: &Job, made: bool) {
        let mut lines = lock(&self.lines);
        lines.line(job.pace()).making = None;
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

    pub fn is_empty(&self, pace: Pace) -> bool {
        lock(&self.lines).line(pace).waiting.is_empty()
    }

    pub fn watch(&self) -> watch::Receiver<usize> {
        self.pending.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use mirasa_app::ports::images::ImageFolder;

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
        let place = Place::parse(ImageFolder::Products, file).unwrap();
        let card = Card::new(&super::super::hex_of(file.as_bytes()), &master);
        Job {
            known: Arc::new(Known::new(place, card)),
            rendition: Rendition { format, width: 64 },
        }
    }

    fn next(queue: &Queue, pace: Pace) -> (String, Format) {
        let job = queue.next(pace).unwrap();
        queue.done(&job, true);
        (
            job.known.place.file.as_str().to_owned(),
            job.rendition.format,
        )
    }

    #[test]
    fn visitors_come_first() {
        let queue = Queue::new();
        for (format, pace) in [(Format::Avif, Pace::Slow), (Format::WebP, Pace::Quick)] {
            queue.push(job("a", format), Urgency::Ahead);
            queue.push(job("b", format), Urgency::Ahead);
            queue.push(job("c", format), Urgency::Asked);
            queue.push(job("b", format), Urgency::Asked);
            assert_eq!(*queue.watch().borrow(), 3);
            for file in ["c", "b", "a"] {
                assert_eq!(next(&queue, pace), (file.into(), format));
            }
            assert_eq!(*queue.watch().borrow(), 0);
            assert!(queue.is_empty(pace));
        }
        queue.close();
        assert!(queue.next(Pace::Slow).is_none() && queue.next(Pace::Quick).is_none());
    }

    #[test]
    fn quick_work_does_not_wait_for_slow() {
        let queue = Queue::new();
        queue.push(job("a", Format::Avif), Urgency::Asked);
        let slow = queue.next(Pace::Slow).unwrap();
        queue.push(job("a", Format::Avif), Urgency::Asked);
        queue.push(job("a", Format::Jpeg), Urgency::Ahead);
        assert_eq!(*queue.watch().borrow(), 2);
        assert_eq!(next(&queue, Pace::Quick), ("a".into(), Format::Jpeg));
        assert_eq!(*queue.watch().borrow(), 1);
        queue.done(&slow, true);
        assert_eq!(*queue.watch().borrow(), 0);
    }

    #[test]
    fn each_job_waits_once_and_rests_after_a_failure() {
        let queue = Queue::new();
        for _ in 0..10 {
            queue.push(job("a", Format::WebP), Urgency::Asked);
            queue.push(job("a", Format::WebP), Urgency::Ahead);
        }
        assert_eq!(*queue.watch().borrow(), 1);
        let making = queue.next(Pace::Quick).unwrap();
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
