//! The two threads that make renditions, behind everything else that the machine has to do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Context;
use mirasa_app::failpoints;
use mirasa_app::ports::images::Format;
use mirasa_app::supervision::{Need, Worker};
use tokio::runtime::Handle;

use super::encode::{Quality, encode, looks_whole};
use super::intake::{Plan, decode_master, plan_master};
use super::memory::Reservation;
use super::pixels::Pixels;
use super::queue::{Job, Pace};
use super::shelf::Room;

pub fn start(room: &Arc<Room>) -> anyhow::Result<()> {
    let handle = Handle::try_current().context("the picture shelf needs a running runtime")?;
    for (name, pace) in [("renditions", Pace::Quick), ("avif", Pace::Slow)] {
        let (room, handle) = (Arc::clone(room), handle.clone());
        std::thread::Builder::new()
            .name(name.into())
            .spawn(move || {
                let worker = Worker::register(name, Need::Optional, None);
                let working = || work(&room, &handle, pace, &worker);
                while catch_unwind(AssertUnwindSafe(working)).is_err() {
                    std::thread::sleep(worker.panicked());
                }
            })?;
    }
    Ok(())
}

fn work(room: &Arc<Room>, handle: &Handle, pace: Pace, worker: &Worker) {
    step_back(pace);
    let mut desk = Desk::default();
    while let Some(job) = room.queue.next(pace) {
        // A codec's panic must cost one rendition, not all that come after it.
        let work = || {
            failpoints::failpoint("worker renditions");
            make(room, handle, &mut desk, &job)
        };
        let caught = catch_unwind(AssertUnwindSafe(work));
        match &caught {
            Ok(_) => worker.completed(),
            // No backoff: the queue lets what has failed rest.
            Err(_) => {
                worker.panicked();
            }
        }
        let outcome = caught.unwrap_or_else(|_| Err(anyhow::anyhow!("the encoder broke down")));
        if let Err(fault) = &outcome {
            let rendition = job.known.object(job.rendition);
            tracing::error!(
                rendition,
                fault = format!("{fault:#}"),
                "a rendition was not made"
            );
        }
        if outcome.is_err() || room.queue.is_empty(pace) {
            desk = Desk::default();
        }
        room.queue.done(&job, outcome.is_ok());
    }
}

/// On Linux niceness belongs to the thread; elsewhere it would slow the whole shop. Somebody may be waiting for a quick
/// one; a slow one takes what nobody else wants. A service manager may forbid the call (EPERM): that changes only who
/// goes first, so it is mentioned once, and for those who look for it.
fn step_back(pace: Pace) {
    #[cfg(target_os = "linux")]
    if let Err(fault) = rustix::process::nice(match pace {
        Pace::Quick => 10,
        Pace::Slow => 19,
    }) {
        static MENTIONED: std::sync::Once = std::sync::Once::new();
        MENTIONED.call_once(|| tracing::debug!(%fault, "renditions are made at normal priority"));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pace;
}

/// What the last job has unpacked, because the next one is likely to be about the same picture.
#[derive(Default)]
struct Desk {
    /// For the pixels below, and for the encoder.
    memory: Option<Reservation>,
    /// The kept file's card knows its content, so an equal version means equal pixels.
    file: Option<(String, Vec<u8>, Plan)>,
    master: Option<Pixels>,
    sized: Option<(u32, Pixels)>,
}

impl Desk {
    fn is_about(&self, version: &str) -> bool {
        let known = self.file.as_ref();
        known.is_some_and(|(of, _, _)| of == version)
    }

    /// With room for so much; without any pixels if that is more than before.
    async fn make_room(&mut self, room: &Room, bytes: u64) {
        if self.memory.as_ref().is_some_and(|held| held.covers(bytes)) {
            return;
        }
        // Given back first: who waits for memory must not hold any.
        (self.master, self.sized, self.memory) = (None, None, None);
        self.memory = Some(room.memory.reserve(bytes).await);
    }

    fn pixels_at(&mut self, width: u32) -> anyhow::Result<&Pixels> {
        if self.sized.as_ref().is_none_or(|(wide, _)| *wide != width) {
            self.sized = None;
            let (_, file, plan) = self.file.as_ref().context("the desk is empty")?;
            let master = match self.master.take() {
                Some(master) => master,
                None => decode_master(file, plan)?,
            };
            if master.width == width {
                self.sized = Some((width, master));
            } else {
                self.sized = Some((width, master.at_width(width)?));
                self.master = Some(master);
            }
        }
        let (_, pixels) = self.sized.as_ref().context("the desk is empty")?;
        Ok(pixels)
    }
}

fn make(room: &Arc<Room>, handle: &Handle, desk: &mut Desk, job: &Job) -> anyhow::Result<()> {
    let Job { known, rendition } = job;
    let is_there = on_runtime(handle, is_made(Arc::clone(room), job.clone()))?;
    if !is_there {
        if !desk.is_about(&known.card.version) {
            *desk = Desk::default();
            desk.file = Some(on_runtime(handle, fetch(Arc::clone(room), job.clone()))?);
        }
        let (_, _, plan) = desk.file.as_ref().context("the desk is empty")?;
        let is_avif = rendition.format == Format::Avif;
        let made = known.rendition_pixels(*rendition);
        let memory = plan.memory(made, rendition.format, !is_avif);
        handle.block_on(desk.make_room(room, memory));
        desk.pixels_at(rendition.width)?;
        if is_avif {
            // The encoder needs the memory more.
            desk.master = None;
        }
        let pixels = desk.pixels_at(rendition.width)?;
        let file = encode(pixels, rendition.format, Quality::Screen)?;
        let is_committed = on_runtime(handle, keep(Arc::clone(room), job.clone(), file))?;
        if !is_committed {
            return Ok(());
        }
    }
    known.set_ready(*rendition, true);
    Ok(())
}

/// On the runtime's own threads: a thread that is started for reading or writing files inherits the priority of the one
/// that asks for it, and would read slowly for visitors, too.
fn on_runtime<T: Send + 'static>(
    handle: &Handle,
    work: impl Future<Output = anyhow::Result<T>> + Send + 'static,
) -> anyhow::Result<T> {
    handle.block_on(handle.spawn(work))?
}

/// Another instance may have made it meanwhile.
async fn is_made(room: Arc<Room>, job: Job) -> anyhow::Result<bool> {
    let found = room.store.get(&job.known.object(job.rendition)).await?;
    Ok(found.is_some_and(|file| looks_whole(job.rendition.format, &file)))
}

/// The file may have been replaced since the job was queued: a rendition of another picture must not
/// get this one's version.
async fn fetch(room: Arc<Room>, job: Job) -> anyhow::Result<(String, Vec<u8>, Plan)> {
    let master = room.store.get(&job.known.place.master()).await?;
    let master = master.context("the picture is gone")?;
    anyhow::ensure!(
        job.known.card.is_about(&master),
        "the picture has been replaced or damaged"
    );
    let plan = plan_master(&master)?;
    Ok((job.known.card.version.clone(), master, plan))
}

/// The picture may have been removed or replaced meanwhile. Who did that has removed the renditions that were there; this
/// one came too late for them. False if it was not kept.
async fn keep(room: Arc<Room>, job: Job, file: Vec<u8>) -> anyhow::Result<bool> {
    let object = job.known.object(job.rendition);
    room.store.put(&object, file).await?;
    if !room.cards.is_current(&job.known).await? {
        room.store.remove(&object).await?;
        return Ok(false);
    }
    room.made.fetch_add(1, Ordering::Relaxed);
    Ok(true)
}
