//! The port itself: taking pictures in, and choosing what to serve.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use mirasa_app::ports::pictures::{
    Drawer, Format, MOST_BYTES, PictureAsk, PictureRefusal, PictureShelf, ServedPicture,
};
use mirasa_domain::product::Picture;
use tokio::sync::{Mutex, Semaphore};

use super::bucket::{BucketSettings, BucketStore};
use super::cache::ByteCache;
use super::cards::{Card, Cards, Known};
use super::encode::looks_whole;
use super::intake::{Master, examine};
use super::names::{Place, PlainName, Rendition, step_for, steps_of};
use super::queue::{Job, Queue, Urgency};
use super::store::{DiskStore, PictureStore};
use super::{hex_of, maker};

/// Decoding a large upload takes hundreds of megabytes for a moment.
const AT_ONCE: usize = 2;
/// How many bytes of hot files stay in memory, unless a test says otherwise.
const MEMORY: usize = 32 * 1024 * 1024;
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
    cards: Cards,
    cache: ByteCache,
}

pub struct LocalShelf {
    room: Arc<Room>,
    decoding: Semaphore,
    /// A picture and its card belong together, also when two people send one name.
    writing: Mutex<()>,
}

impl Drop for LocalShelf {
    fn drop(&mut self) {
        self.room.queue.close();
    }
}

impl LocalShelf {
    /// Needs a running tokio runtime.
    pub fn new(settings: ShelfSettings) -> anyhow::Result<LocalShelf> {
        let store = Arc::new(DiskStore::new(settings.folder));
        LocalShelf::over(store, settings.memory)
    }

    /// The same shelf with its pictures in a bucket.
    pub async fn in_bucket(settings: BucketSettings) -> anyhow::Result<LocalShelf> {
        let store = Arc::new(BucketStore::open(settings).await?);
        LocalShelf::over(store, MEMORY)
    }

    /// The same shelf over any other store.
    pub fn over(store: Arc<dyn PictureStore>, memory: usize) -> anyhow::Result<LocalShelf> {
        let room = Arc::new(Room {
            store: Arc::clone(&store),
            queue: Queue::new(),
            made: AtomicU64::new(0),
            cards: Cards::new(store),
            cache: ByteCache::new(memory),
        });
        maker::start(&room)?;
        Ok(LocalShelf {
            room,
            decoding: Semaphore::new(AT_ONCE),
            writing: Mutex::new(()),
        })
    }

    /// Queues renditions before anybody asks for them; visitors' wishes still come first.
    pub async fn warm(
        &self,
        drawer: Drawer,
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
        for asked in widths {
            let width = step_for(*asked, known.card.width);
            for format in formats {
                let format = *format;
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

    /// None when these very bytes are not on the shelf yet.
    async fn already_there(
        &self,
        place: &Place,
        source_hash: &str,
    ) -> anyhow::Result<Option<Picture>> {
        let Some(known) = self.room.cards.find(place).await? else {
            return Ok(None);
        };
        if !known.card.is_of(source_hash) {
            return Ok(None);
        }
        let size = self.room.store.size(&place.master()).await?;
        Ok((size == Some(known.card.size)).then(|| known.card.picture(place)))
    }

    /// The picture first, its card second: should the shop stop in between, the card still tells of
    /// other bytes, and the picture will be taken in again.
    async fn keep(&self, place: &Place, card: Card, master: Master) -> anyhow::Result<Picture> {
        let _turn = self.writing.lock().await;
        let before = self.room.cards.find(place).await?;
        self.room.store.put(&place.master(), master.file).await?;
        let known = self.room.cards.write(place, card).await?;
        if let Some(before) = before
            && before.card.version != known.card.version
        {
            for rendition in before.possible() {
                self.room.store.remove(&before.object(rendition)).await?;
            }
        }
        Ok(known.card.picture(place))
    }

    /// The file's bytes from memory or the store; None if it is not there, or not whole. `size` is
    /// known of a picture itself: while it is being replaced, the new bytes must not be remembered
    /// under the old version.
    async fn load(
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
    ) -> anyhow::Result<Option<ServedPicture>> {
        if !known.is_ready(rendition) {
            return Ok(None);
        }
        let (object, format) = (known.object(rendition), rendition.format);
        let bytes = self.load(known, &object, format, None).await?;
        if bytes.is_none() {
            known.set_ready(rendition, false);
        }
        Ok(bytes.map(|bytes| served(known, &bytes, format, exact)))
    }

    async fn master(&self, known: &Known, exact: bool) -> anyhow::Result<Option<ServedPicture>> {
        let (object, format) = (known.place.master(), known.card.format());
        let size = Some(known.card.size);
        let bytes = self.load(known, &object, format, size).await?;
        Ok(bytes.map(|bytes| served(known, &bytes, format, exact)))
    }

    /// While the wanted one is missing: the same width in another format, then the next larger ones.
    async fn stand_in(
        &self,
        known: &Known,
        wanted: Rendition,
        formats: &[Format],
    ) -> anyhow::Result<Option<ServedPicture>> {
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
    ) -> anyhow::Result<Option<ServedPicture>> {
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

fn remembered_as(object: &str, known: &Known) -> String {
    format!("{object}@{}", known.card.version)
}

fn served(known: &Known, bytes: &[u8], format: Format, exact: bool) -> ServedPicture {
    ServedPicture {
        bytes: bytes.to_vec(),
        content_type: format.content_type(),
        version: known.card.version.clone(),
        exact,
    }
}

#[async_trait]
impl PictureShelf for LocalShelf {
    async fn take_in(
        &self,
        drawer: Drawer,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Picture, PictureRefusal> {
        let given = PlainName::parse(name);
        if keep_name && given.is_none() {
            return Err(PictureRefusal::BadName(name.to_owned()));
        }
        if bytes.len() > MOST_BYTES {
            return Err(PictureRefusal::TooLarge(name.to_owned()));
        }
        let (source_hash, bytes) = blocking(name, move || (hex_of(&bytes), bytes)).await?;
        let file = match given {
            Some(given) if keep_name => given,
            _ => {
                let short = source_hash.get(..20).unwrap_or(&source_hash);
                PlainName::parse(&format!("{short}.webp"))
                    .ok_or_else(|| PictureRefusal::BadName(name.to_owned()))?
            }
        };
        let place = Place { drawer, file };
        let there = self.already_there(&place, &source_hash).await;
        if let Some(picture) = there.map_err(PictureRefusal::Broken)? {
            return Ok(picture);
        }

        let permit = self.decoding.acquire().await;
        let format = place.file.master_format();
        let called = name.to_owned();
        let (card, master) = blocking(name, move || {
            let master = examine(&called, &bytes, format, keep_name)?;
            Ok::<_, PictureRefusal>((Card::new(&source_hash, &master), master))
        })
        .await??;
        drop(permit);
        self.keep(&place, card, master)
            .await
            .map_err(PictureRefusal::Broken)
    }

    async fn describe(&self, drawer: Drawer, file: &str) -> anyhow::Result<Option<Picture>> {
        let Some(place) = Place::parse(drawer, file) else {
            return Ok(None);
        };
        let known = self.room.cards.find(&place).await?;
        Ok(known.map(|known| known.card.picture(&place)))
    }

    async fn remove(&self, drawer: Drawer, file: &str) -> anyhow::Result<()> {
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

    async fn serve(&self, ask: PictureAsk) -> anyhow::Result<Option<ServedPicture>> {
        let Some(place) = Place::parse(ask.drawer, &ask.file) else {
            return Ok(None);
        };
        let Some(known) = self.room.cards.find(&place).await? else {
            return Ok(None);
        };
        let Some(asked) = ask.width else {
            return self.master(&known, true).await;
        };
        let formats = match ask.formats.as_slice() {
            [] => &[Format::Jpeg],
            formats => formats,
        };
        let width = step_for(asked, known.card.width);
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
        match self.stand_in(&known, wanted, formats).await? {
            Some(picture) => Ok(Some(picture)),
            None => self.wait_for(&known, wanted).await,
        }
    }
}

/// A decoder that breaks down has not been given a picture.
async fn blocking<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PictureRefusal> {
    tokio::task::spawn_blocking(work).await.map_err(|fault| {
        tracing::warn!(name, %fault, "a picture could not be examined");
        PictureRefusal::NotAPicture(name.to_owned())
    })
}
