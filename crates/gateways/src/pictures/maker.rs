//! The two threads that make renditions, behind everything else that the machine has to do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Context;
use mirasa_app::fault_points;
use mirasa_app::supervision::{Need, Worker};
use tokio::runtime::Handle;

use super::encode::{Quality, encode, looks_whole};
use super::intake::decode_master;
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

fn work(room: &Room, handle: &Handle, pace: Pace, worker: &Worker) {
    step_back(pace);
    let mut desk = Desk::default();
    while let Some(job) = room.queue.next(pace) {
        // A codec's panic must cost one rendition, not all that come after it.
        let work = || {
            fault_points::point("worker renditions");
            handle.block_on(make(room, &mut desk, &job))
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
/// one; a slow one takes what nobody else wants.
fn step_back(pace: Pace) {
    #[cfg(target_os = "linux")]
    if let Err(fault) = rustix::process::nice(match pace {
        Pace::Quick => 10,
        Pace::Slow => 19,
    }) {
        tracing::debug!(%fault, "renditions are made at normal priority");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pace;
}

/// What the last job has unpacked, because the next one is likely to be about the same picture.
#[derive(Default)]
struct Desk {
    /// The kept file's card knows its content, so an equal card means equal pixels.
    master: Option<(String, Pixels)>,
    sized: Option<(String, Pixels)>,
}

async fn make(room: &Room, desk: &mut Desk, job: &Job) -> anyhow::Result<()> {
    let Job { known, rendition } = job;
    let object = known.object(*rendition);
    // Another instance may have made it meanwhile.
    let found = room.store.get(&object).await?;
    if !found.is_some_and(|file| looks_whole(rendition.format, &file)) {
        let version = &known.card.version;
        let sized_as = format!("{version}-{}", rendition.width);
        if desk.sized.as_ref().is_none_or(|(of, _)| *of != sized_as) {
            if desk.master.as_ref().is_none_or(|(of, _)| of != version) {
                desk.master = Some((version.clone(), unpack(room, job).await?));
            }
            let (_, master) = desk.master.as_ref().context("the desk is empty")?;
            desk.sized = Some((sized_as, master.at_width(rendition.width)?));
        }
        let (_, pixels) = desk.sized.as_ref().context("the desk is empty")?;
        let file = encode(pixels, rendition.format, Quality::Screen)?;
        room.store.put(&object, file).await?;
        room.made.fetch_add(1, Ordering::Relaxed);
    }
    known.set_ready(*rendition, true);
    Ok(())
}

/// The file may have been replaced since the job was queued: a rendition of another picture must not
/// get this one's version.
async fn unpack(room: &Room, job: &Job) -> anyhow::Result<Pixels> {
    let master = room.store.get(&job.known.place.master()).await?;
    let master = master.context("the picture is gone")?;
    anyhow::ensure!(
        job.known.card.is_about(&master),
        "the picture has been replaced or damaged"
    );
    decode_master(&master)
}
