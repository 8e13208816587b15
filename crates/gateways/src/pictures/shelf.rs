//! The port itself: taking pictures in, and choosing what to serve.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use bytes::Bytes;
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageRequest, ImageStore, ImageStoreError, ServedImage,
};
use mirasa_domain::product::Image;
use tokio::sync::Mutex;

use super::bucket::{BucketSettings, BucketStore};
use super::cache::ByteCache;
use super::cards::{Cards, Known};
use super::encode::looks_whole;
use super::maker;
use super::memory::WorkMemory;
use super::names::{Place, Rendition, step_for, steps_of};
use super::queue::{Job, Queue, Urgency};
use super::store::{DiskStore, PictureStore};

/// How many bytes of hot files stay in memory, unless a test says otherwise.
const MEMORY: usize = 16 * 1024 * 1024;
/// For the rare asker who cannot read any file that there is.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub struct ShelfSettings {
    pub folder: PathBuf,
    /// How many bytes of hot files stay in memory.
    pub memory: usize,
}

impl ShelfSettings {
    pub fn in_folder(folder: impl Into<PathBuf>) -> ShelfSettings {
        ShelfSettings {
            folder: folder.into(),
            memory: MEMORY,
        }
    }
}

/// What the shelf shares with its maker.
pub(super) struct Room {
    pub store: Arc<dyn PictureStore>,
    pub queue: Queue,
    pub made: AtomicU64,
    pub memory: WorkMemory,
    pub cards: Cards,
    pub cache: ByteCache,
}

pub struct LocalShelf {
    pub(super) room: Arc<Room>,
    /// Of people's pictures one is decoded at a time: there are more people than admins.
    pub(super) portrait_turn: Arc<Mutex<()>>,
    /// A picture and its card belong together, also when two people send one name.
    pub(super) writing: Mutex<()>,
}

impl Drop for LocalShelf {
    fn drop(&mut self) {
        self.room.queue.close();
    }
}

impl LocalShelf {
    /// Needs a running tokio runtime.
    pub fn new(settings: ShelfSettings) -> anyhow::Result<LocalShelf> {
        forget_old_portraits(&settings.folder)?;
        let store = Arc::new(DiskStore::new(settings.folder));
        LocalShelf::over(store, settings.memory)
    }

    /// The same shelf with its pictures in a bucket.
    pub async fn in_bucket(settings: BucketSettings) -> anyhow::Result<LocalShelf> {
        forget_old_portraits(&settings.folder)?;
        let store = Arc::new(BucketStore::open(settings).await?);
        LocalShelf::over(store, MEMORY)
    }

    /// The same shelf over any other store.
    pub fn over(store: Arc<dyn PictureStore>, memory: usize) -> anyhow::Result<LocalShelf> {
        let room = Arc::new(Room {
            store: Arc::clone(&store),
            queue: Queue::new(),
            made: AtomicU64::new(0),
            memory: WorkMemory::new(),
            cards: Cards::new(store),
            cache: ByteCache::new(memory),
        });
        maker::start(&room)?;
        Ok(LocalShelf {
            room,
            portrait_turn: Arc::default(),
            writing: Mutex::new(()),
        })
    }

    /// Queues renditions before anybody asks for them; visitors' wishes still come first.
    pub async fn warm(
        &self,
        drawer: ImageFolder,
        file: &str,
        widths: &[u32],
        formats: &[Format],
    ) -> anyhow::Result<()> {
        let Some(place) = Place::parse(drawer, file) else {
            return Ok(());
        };
        let Some(known) = self.room.cards.find(&place).await? else {
            return Ok(());
        };
        if drawer == ImageFolder::People {
            return Ok(());
        }
        for asked in widths {
            let width = step_for(*asked, known.card.width);
            for format in formats_for(&known, width, formats) {
                self.queue(&known, Rendition { format, width }, Urgency::Ahead);
            }
        }
        Ok(())
    }

    /// Resolves once every queued rendition has been made.
    pub async fn idle(&self) {
        let mut pending = self.room.queue.watch();
        // The sender lives as long as the shelf that is borrowed here.
        let _ = pending.wait_for(|pending| *pending == 0).await;
    }

    /// How many renditions were made since the start.
    pub fn made(&self) -> u64 {
        self.room.made.load(Ordering::Relaxed)
    }

    fn queue(&self, known: &Arc<Known>, rendition: Rendition, urgency: Urgency) {
        if !known.is_ready(rendition) {
            let known = Arc::clone(known);
            self.room.queue.push(Job { known, rendition }, urgency);
        }
    }

    /// The file's bytes from memory or the store; None if it is not there, or not whole. `size` is
    /// known of a picture itself: while it is being replaced, the new bytes must not be remembered
    /// under the old version.
    pub(super) async fn load(
        &self,
        known: &Known,
        object: &str,
        format: Format,
        size: Option<u64>,
    ) -> anyhow::Result<Option<Arc<[u8]>>> {
        let key = remembered_as(object, known);
        if let Some(bytes) = self.room.cache.get(&key) {
            return Ok(Some(bytes));
        }
        let Some(bytes) = self.room.store.get(object).await? else {
            return Ok(None);
        };
        if !looks_whole(format, &bytes) {
            tracing::warn!(object, "a damaged file is on the picture shelf");
            return Ok(None);
        }
        let bytes: Arc<[u8]> = bytes.into();
        if size.is_none() || size == u64::try_from(bytes.len()).ok() {
            self.room.cache.put(&key, &bytes);
        }
        Ok(Some(bytes))
    }

    async fn rendition(
        &self,
        known: &Known,
        rendition: Rendition,
        exact: bool,
    ) -> anyhow::Result<Option<ServedImage>> {
        if !known.is_ready(rendition) {
            return Ok(None);
        }
        let (object, format) = (known.object(rendition), rendition.format);
        let bytes = self.load(known, &object, format, None).await?;
        if bytes.is_none() {
            known.set_ready(rendition, false);
        }
        Ok(bytes.map(|bytes| served(known, bytes, format, exact)))
    }

    pub(super) async fn master(
        &self,
        known: &Known,
        exact: bool,
    ) -> anyhow::Result<Option<ServedImage>> {
        let (object, format) = (known.place.master(), known.card.format());
        let size = Some(known.card.size);
        let bytes = self.load(known, &object, format, size).await?;
        Ok(bytes.map(|bytes| served(known, bytes, format, exact)))
    }

    /// While the wanted one is missing: the same width in another format, then the next larger ones.
    async fn stand_in(
        &self,
        known: &Known,
        wanted: Rendition,
        formats: &[Format],
    ) -> anyhow::Result<Option<ServedImage>> {
        for width in steps_of(known.card.width).filter(|width| *width >= wanted.width) {
            for format in formats {
                let format = *format;
                let near = self
                    .rendition(known, Rendition { format, width }, false)
                    .await?;
                if near.is_some() {
                    return Ok(near);
                }
            }
        }
        if formats.contains(&known.card.format()) {
            return self.master(known, false).await;
        }
        Ok(None)
    }

    /// The asker reads nothing that there is, so the wanted one is worth a moment.
    async fn wait_for(
        &self,
        known: &Known,
        wanted: Rendition,
    ) -> anyhow::Result<Option<ServedImage>> {
        let mut pending = self.room.queue.watch();
        let made = async {
            while !known.is_ready(wanted) && *pending.borrow_and_update() > 0 {
                if pending.changed().await.is_err() {
                    break;
                }
            }
        };
        // Late or not, whatever is there now is served: a picture that this asker may not read is better
        // than the word that there is none.
        let _ = tokio::time::timeout(PATIENCE, made).await;
        match self.rendition(known, wanted, true).await? {
            Some(picture) => Ok(Some(picture)),
            None => self.master(known, false).await,
        }
    }
}

pub(super) fn remembered_as(object: &str, known: &Known) -> String {
    format!("{object}@{}", known.card.version)
}

/// Best first. JPEG for who names none, and AVIF only where it is worth its time; one that was made before stays.
fn formats_for(known: &Known, width: u32, asked: &[Format]) -> Vec<Format> {
    let is_served = |format: &Format| {
        let format = *format;
        format != Format::Avif
            || known.may_be_avif(width)
            || known.is_ready(Rendition { format, width })
    };
    let mut formats: Vec<Format> = asked.iter().copied().filter(is_served).collect();
    if formats.is_empty() {
        formats.push(Format::Jpeg);
    }
    formats
}

/// Earlier versions of the shop wrote renditions of people's pictures.
fn forget_old_portraits(folder: &Path) -> anyhow::Result<()> {
    let old = folder.join("renditions").join(ImageFolder::People.as_str());
    match std::fs::remove_dir_all(&old) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", old.display()))
        }
        _ => Ok(()),
    }
}

pub(super) fn served(known: &Known, bytes: Arc<[u8]>, format: Format, exact: bool) -> ServedImage {
    ServedImage {
        // Shared with all who ask for it: a slow reader holds no copy.
        bytes: Bytes::from_owner(bytes),
        content_type: format.content_type(),
        version: known.card.version.clone(),
        exact,
    }
}

#[async_trait]
impl ImageStore for LocalShelf {
    async fn import(
        &self,
        drawer: ImageFolder,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Image, ImageStoreError> {
        self.take(drawer, name, keep_name, bytes).await
    }

    async fn metadata(&self, drawer: ImageFolder, file: &str) -> anyhow::Result<Option<Image>> {
        let Some(place) = Place::parse(drawer, file) else {
            return Ok(None);
        };
        let known = self.room.cards.find(&place).await?;
        Ok(known.map(|known| known.card.picture(&place)))
    }

    async fn delete(&self, drawer: ImageFolder, file: &str) -> anyhow::Result<()> {
        let Some(place) = Place::parse(drawer, file) else {
            return Ok(());
        };
        let _turn = self.writing.lock().await;
        let Some(known) = self.room.cards.find(&place).await? else {
            return Ok(());
        };
        // The card first: without it nobody finds the rest.
        self.room.cards.remove(&place).await?;
        let made = known.possible().map(|rendition| known.object(rendition));
        for object in made.chain([place.master()]) {
            self.room.store.remove(&object).await?;
            self.room.cache.forget(&remembered_as(&object, &known));
        }
        Ok(())
    }

    async fn get(&self, ask: ImageRequest) -> anyhow::Result<Option<ServedImage>> {
        let Some(place) = Place::parse(ask.drawer, &ask.file) else {
            return Ok(None);
        };
        let Some(known) = self.room.cards.find(&place).await? else {
            return Ok(None);
        };
        let Some(asked) = ask.width else {
            return self.master(&known, true).await;
        };
        let width = step_for(asked, known.card.width);
        if ask.drawer == ImageFolder::People {
            return self.portrait(&known, width, &ask.formats).await;
        }
        let formats = formats_for(&known, width, &ask.formats);
        let format = formats[0];
        let wanted = Rendition { format, width };
        if let Some(picture) = self.rendition(&known, wanted, true).await? {
            return Ok(Some(picture));
        }
        // AVIF takes its time; a WebP of the right size is there almost at once.
        if format == Format::Avif && formats.contains(&Format::WebP) {
            let format = Format::WebP;
            self.queue(&known, Rendition { format, width }, Urgency::Asked);
        }
        self.queue(&known, wanted, Urgency::Asked);
        match self.stand_in(&known, wanted, &formats).await? {
            Some(picture) => Ok(Some(picture)),
            None => self.wait_for(&known, wanted).await,
        }
    }
}
