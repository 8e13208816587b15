//! The two background threads that make renditions, at low priority.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Context;
use mirasa_app::ports::images::Format;
use mirasa_app::runtime::failpoints;
use mirasa_app::runtime::supervision::{Need, Worker};
use mirasa_codecs::decode::Plan;
use mirasa_codecs::encode::{Quality, encode, is_complete};
use mirasa_codecs::pixels::Pixels;
use tokio::runtime::Handle;

use super::import::{decode_original, plan_original};
use super::memory::Reservation;
use super::queue::{Job, Lane};
use super::shared::Shared;

pub fn spawn(shared: &Arc<Shared>) -> anyhow::Result<()> {
    let handle = Handle::try_current().context("the image store needs a tokio runtime")?;
    for (name, lane) in [("renditions", Lane::Fast), ("avif", Lane::Slow)] {
        let (shared, handle) = (Arc::clone(shared), handle.clone());
        std::thread::Builder::new()
            .name(name.into())
            .spawn(move || {
                let worker = Worker::register(name, Need::Optional, None);
                let run_worker = || run(&shared, &handle, lane, &worker);
                while catch_unwind(AssertUnwindSafe(run_worker)).is_err() {
                    std::thread::sleep(worker.panicked());
                }
            })?;
    }
    Ok(())
}

fn run(shared: &Arc<Shared>, handle: &Handle, lane: Lane, worker: &Worker) {
    lower_priority(lane);
    let mut cache = DecodeCache::default();
    while let Some(job) = shared.queue.next(lane) {
        // A panic in a codec must fail one rendition, not the worker.
        let work = || {
            failpoints::failpoint("worker renditions");
            make_rendition(shared, handle, &mut cache, &job)
        };
        let caught = catch_unwind(AssertUnwindSafe(work));
        match &caught {
            Ok(_) => worker.completed(),
            // No backoff: the queue has a cooldown for failed jobs.
            Err(_) => {
                worker.panicked();
            }
        }
        let outcome = caught.unwrap_or_else(|_| Err(anyhow::anyhow!("the encoder panicked")));
        if let Err(error) = &outcome {
            let rendition = job.image.object_key(job.rendition);
            tracing::error!(
                rendition,
                error = format!("{error:#}"),
                "a rendition could not be made"
            );
        }
        if outcome.is_err() || shared.queue.is_empty(lane) {
            cache = DecodeCache::default();
        }
        shared.queue.done(&job, outcome.is_ok());
    }
}

/// On Linux niceness is per thread; on other systems it would slow down the whole process. A client
/// may wait for the fast lane; the slow lane takes only idle CPU time. A service manager may forbid
/// the call (EPERM). Then the threads run at normal priority, which is logged once at debug level.
fn lower_priority(lane: Lane) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(match lane {
        Lane::Fast => 10,
        Lane::Slow => 19,
    }) {
        static LOGGED: std::sync::Once = std::sync::Once::new();
        LOGGED.call_once(|| tracing::debug!(%error, "renditions are made at normal priority"));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = lane;
}

/// The image that the last job has decoded: the next job is often for the same image.
#[derive(Default)]
struct DecodeCache {
    /// For the pixels below and the encoder.
    memory: Option<Reservation>,
    /// Version, file and plan. The version is derived from the content, so an equal version means
    /// equal pixels.
    file: Option<(String, Vec<u8>, Plan)>,
    original: Option<Pixels>,
    resized: Option<(u32, Pixels)>,
}

impl DecodeCache {
    fn holds(&self, version: &str) -> bool {
        let file = self.file.as_ref();
        file.is_some_and(|(of, _, _)| of == version)
    }

    /// Reserves this much memory. Drops all pixels if it is more than before.
    async fn reserve_memory(&mut self, shared: &Shared, bytes: u64) {
        if self
            .memory
            .as_ref()
            .is_some_and(|reservation| reservation.covers(bytes))
        {
            return;
        }
        // Released first: a worker that waits for memory must not hold any.
        (self.original, self.resized, self.memory) = (None, None, None);
        self.memory = Some(shared.memory.reserve(bytes).await);
    }

    fn pixels_at(&mut self, width: u32) -> anyhow::Result<&Pixels> {
        if self.resized.as_ref().is_none_or(|(wide, _)| *wide != width) {
            self.resized = None;
            let (_, file, plan) = self.file.as_ref().context("no image is decoded")?;
            let original = match self.original.take() {
                Some(original) => original,
                None => decode_original(file, plan)?,
            };
            if original.width == width {
                self.resized = Some((width, original));
            } else {
                self.resized = Some((width, original.at_width(width)?));
                self.original = Some(original);
            }
        }
        let (_, pixels) = self.resized.as_ref().context("no image is decoded")?;
        Ok(pixels)
    }
}

fn make_rendition(
    shared: &Arc<Shared>,
    handle: &Handle,
    cache: &mut DecodeCache,
    job: &Job,
) -> anyhow::Result<()> {
    let Job { image, rendition } = job;
    let exists = on_runtime(handle, rendition_exists(Arc::clone(shared), job.clone()))?;
    if !exists {
        if !cache.holds(&image.metadata.version) {
            *cache = DecodeCache::default();
            cache.file = Some(on_runtime(
                handle,
                load_original(Arc::clone(shared), job.clone()),
            )?);
        }
        let (_, _, plan) = cache.file.as_ref().context("no image is decoded")?;
        let is_avif = rendition.format == Format::Avif;
        let output_pixels = image.rendition_pixels(*rendition);
        let memory = plan.memory(output_pixels, rendition.format, !is_avif);
        handle.block_on(cache.reserve_memory(shared, memory));
        cache.pixels_at(rendition.width)?;
        if is_avif {
            // The encoder needs the memory more.
            cache.original = None;
        }
        let pixels = cache.pixels_at(rendition.width)?;
        let file = encode(pixels, rendition.format, Quality::Screen)?;
        let is_committed = on_runtime(
            handle,
            save_rendition(Arc::clone(shared), job.clone(), file),
        )?;
        if !is_committed {
            return Ok(());
        }
    }
    image.set_ready(*rendition, true);
    Ok(())
}

/// Runs on the runtime's threads: a thread that is started for file access inherits the priority of
/// its parent, and would be slow for requests too.
fn on_runtime<T: Send + 'static>(
    handle: &Handle,
    work: impl Future<Output = anyhow::Result<T>> + Send + 'static,
) -> anyhow::Result<T> {
    handle.block_on(handle.spawn(work))?
}

/// Another instance may have made it already.
async fn rendition_exists(shared: Arc<Shared>, job: Job) -> anyhow::Result<bool> {
    let found = shared
        .store
        .get(&job.image.object_key(job.rendition))
        .await?;
    Ok(found.is_some_and(|file| is_complete(job.rendition.format, &file)))
}

/// The file may have been replaced since the job was queued: a rendition of the new image must not
/// get the old version.
async fn load_original(shared: Arc<Shared>, job: Job) -> anyhow::Result<(String, Vec<u8>, Plan)> {
    let original = shared.store.get(&job.image.key.original_key()).await?;
    let original = original.context("the original does not exist")?;
    anyhow::ensure!(
        job.image.metadata.matches_original(&original),
        "the original was replaced or damaged"
    );
    let plan = plan_original(&original)?;
    Ok((job.image.metadata.version.clone(), original, plan))
}

/// The image may have been deleted or replaced meanwhile, and its old renditions with it; then this
/// one is deleted too. Returns whether it was saved.
async fn save_rendition(shared: Arc<Shared>, job: Job, file: Vec<u8>) -> anyhow::Result<bool> {
    let object = job.image.object_key(job.rendition);
    shared.store.put(&object, file).await?;
    if !shared.metadata.is_current(&job.image).await? {
        shared.store.delete(&object).await?;
        return Ok(false);
    }
    shared.renditions_made.fetch_add(1, Ordering::Relaxed);
    Ok(true)
}
