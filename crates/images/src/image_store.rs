//! `ResizingImageStore` implements the `ImageStore` port: it selects the file to serve and deletes
//! images. Imports are in `upload`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use bytes::Bytes;
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageRequest, ImageStore, ImageStoreError, ServedImage,
};
use mirasa_domain::product::Image;
use tokio::sync::Mutex;

use super::blob_store::{BlobStore, DiskBlobStore};
use super::keys::{ImageKey, Rendition, nearest_width, widths_up_to};
use super::metadata::StoredImage;
use super::queue::{Job, Priority};
use super::rendition_worker;
use super::s3::{S3BlobStore, S3Settings};
use super::shared::Shared;
use mirasa_codecs::encode::is_complete;

/// Default size of the file cache.
const CACHE_BYTES: usize = 16 * 1024 * 1024;
/// How long a client waits for a rendition, before it gets the original, which may be ten times as large.
const RENDITION_TIMEOUT: Duration = Duration::from_secs(2);
/// For a client that does not accept the original.
const ONLY_RENDITION_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub struct ImageStoreSettings {
    pub folder: PathBuf,
    /// Size of the file cache.
    pub cache_bytes: usize,
}

impl ImageStoreSettings {
    pub fn in_folder(folder: impl Into<PathBuf>) -> ImageStoreSettings {
        ImageStoreSettings {
            folder: folder.into(),
            cache_bytes: CACHE_BYTES,
        }
    }
}

pub struct ResizingImageStore {
    pub(super) shared: Arc<Shared>,
    /// One profile picture is decoded at a time, because every customer may upload one.
    pub(super) profile_picture_lock: Arc<Mutex<()>>,
    /// An image and its metadata are written together, also if two users upload the same name at
    /// once.
    pub(super) write_lock: Mutex<()>,
}

impl Drop for ResizingImageStore {
    fn drop(&mut self) {
        self.shared.queue.close();
    }
}

impl ResizingImageStore {
    /// Needs a running tokio runtime.
    pub fn new(settings: ImageStoreSettings) -> anyhow::Result<ResizingImageStore> {
        delete_old_profile_renditions(&settings.folder)?;
        let store = Arc::new(DiskBlobStore::new(settings.folder));
        ResizingImageStore::with_blob_store(store, settings.cache_bytes)
    }

    /// With the originals in an S3 bucket.
    pub async fn with_s3(settings: S3Settings) -> anyhow::Result<ResizingImageStore> {
        delete_old_profile_renditions(&settings.folder)?;
        let store = Arc::new(S3BlobStore::open(settings).await?);
        ResizingImageStore::with_blob_store(store, CACHE_BYTES)
    }

    /// With any other blob store.
    pub fn with_blob_store(
        store: Arc<dyn BlobStore>,
        cache_bytes: usize,
    ) -> anyhow::Result<ResizingImageStore> {
        let shared = Arc::new(Shared::new(store, cache_bytes));
        rendition_worker::spawn(&shared)?;
        Ok(ResizingImageStore {
            shared,
            profile_picture_lock: Arc::default(),
            write_lock: Mutex::new(()),
        })
    }

    /// Queues renditions before they are requested. Requested ones still have priority.
    pub async fn warm(
        &self,
        folder: ImageFolder,
        file: &str,
        widths: &[u32],
        formats: &[Format],
    ) -> anyhow::Result<()> {
        let Some(key) = ImageKey::parse(folder, file) else {
            return Ok(());
        };
        let Some(image) = self.shared.metadata.find(&key).await? else {
            return Ok(());
        };
        if folder == ImageFolder::People {
            return Ok(());
        }
        for requested_width in widths {
            let width = nearest_width(*requested_width, image.metadata.width);
            for format in formats_for(&image, width, formats) {
                self.queue(&image, Rendition { format, width }, Priority::Prefetch);
            }
        }
        Ok(())
    }

    /// Resolves when every queued rendition has been made.
    pub async fn wait_until_idle(&self) {
        let mut pending = self.shared.queue.watch();
        // The sender lives as long as `self`.
        let _ = pending.wait_for(|pending| *pending == 0).await;
    }

    /// Renditions made since the start.
    pub fn renditions_made(&self) -> u64 {
        self.shared.renditions_made.load(Ordering::Relaxed)
    }

    fn queue(&self, image: &Arc<StoredImage>, rendition: Rendition, priority: Priority) {
        if !image.is_ready(rendition) {
            let image = Arc::clone(image);
            self.shared.queue.push(Job { image, rendition }, priority);
        }
    }

    /// Loads a file from the cache or the store. None if it is missing or incomplete. `size` is the
    /// expected size of an original: while the image is being replaced, the new bytes must not be
    /// cached under the old version.
    pub(super) async fn load(
        &self,
        image: &StoredImage,
        object: &str,
        format: Format,
        size: Option<u64>,
    ) -> anyhow::Result<Option<Arc<[u8]>>> {
        let key = cache_key(object, image);
        if let Some(bytes) = self.shared.cache.get(&key) {
            return Ok(Some(bytes));
        }
        let Some(bytes) = self.shared.store.get(object).await? else {
            return Ok(None);
        };
        if !is_complete(format, &bytes) {
            tracing::warn!(object, "a stored image is damaged");
            return Ok(None);
        }
        let bytes: Arc<[u8]> = bytes.into();
        if size.is_none() || size == u64::try_from(bytes.len()).ok() {
            self.shared.cache.put(&key, &bytes);
        }
        Ok(Some(bytes))
    }

    async fn rendition(
        &self,
        image: &StoredImage,
        rendition: Rendition,
        exact: bool,
    ) -> anyhow::Result<Option<ServedImage>> {
        if !image.is_ready(rendition) {
            return Ok(None);
        }
        let (object, format) = (image.object_key(rendition), rendition.format);
        let bytes = self.load(image, &object, format, None).await?;
        if bytes.is_none() {
            image.set_ready(rendition, false);
        }
        Ok(bytes.map(|bytes| served(image, bytes, format, exact)))
    }

    pub(super) async fn original(
        &self,
        image: &StoredImage,
        exact: bool,
    ) -> anyhow::Result<Option<ServedImage>> {
        let (object, format) = (image.key.original_key(), image.metadata.format());
        let size = Some(image.metadata.size);
        let bytes = self.load(image, &object, format, size).await?;
        Ok(bytes.map(|bytes| served(image, bytes, format, exact)))
    }

    /// While the requested rendition is missing: the same width in another accepted format, then
    /// larger widths.
    async fn larger_rendition(
        &self,
        image: &StoredImage,
        requested: Rendition,
        formats: &[Format],
    ) -> anyhow::Result<Option<ServedImage>> {
        for width in widths_up_to(image.metadata.width).filter(|width| *width >= requested.width) {
            for format in formats {
                let format = *format;
                let larger = self
                    .rendition(image, Rendition { format, width }, false)
                    .await?;
                if larger.is_some() {
                    return Ok(larger);
                }
            }
        }
        Ok(None)
    }

    /// Waits until the rendition is made, until there is nothing more to make, or until the timeout.
    async fn wait_for_rendition(
        &self,
        image: &StoredImage,
        rendition: Rendition,
        timeout: Duration,
    ) {
        let mut pending = self.shared.queue.watch();
        let ready = async {
            while !image.is_ready(rendition) && *pending.borrow_and_update() > 0 {
                if pending.changed().await.is_err() {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(timeout, ready).await;
    }
}

pub(super) fn cache_key(object: &str, image: &StoredImage) -> String {
    format!("{object}@{}", image.metadata.version)
}

/// Preferred format first. JPEG if the client lists none. AVIF only where it is worth its cost, or
/// where it exists already.
fn formats_for(image: &StoredImage, width: u32, accepted: &[Format]) -> Vec<Format> {
    let is_served = |format: &Format| {
        let format = *format;
        format != Format::Avif
            || image.may_be_avif(width)
            || image.is_ready(Rendition { format, width })
    };
    let mut formats: Vec<Format> = accepted.iter().copied().filter(is_served).collect();
    if formats.is_empty() {
        formats.push(Format::Jpeg);
    }
    formats
}

/// Earlier versions of the shop stored renditions of profile pictures.
fn delete_old_profile_renditions(folder: &Path) -> anyhow::Result<()> {
    let folder_path = folder.join("renditions").join(ImageFolder::People.as_str());
    match std::fs::remove_dir_all(&folder_path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder_path.display()))
        }
        _ => Ok(()),
    }
}

pub(super) fn served(
    image: &StoredImage,
    bytes: Arc<[u8]>,
    format: Format,
    exact: bool,
) -> ServedImage {
    ServedImage {
        // All responses share one buffer, so a slow client holds no copy.
        bytes: Bytes::from_owner(bytes),
        content_type: format.content_type(),
        version: image.metadata.version.clone(),
        exact,
    }
}

#[async_trait]
impl ImageStore for ResizingImageStore {
    async fn import(
        &self,
        folder: ImageFolder,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Image, ImageStoreError> {
        self.import_upload(folder, name, keep_name, bytes).await
    }

    async fn metadata(&self, folder: ImageFolder, file: &str) -> anyhow::Result<Option<Image>> {
        let Some(key) = ImageKey::parse(folder, file) else {
            return Ok(None);
        };
        let image = self.shared.metadata.find(&key).await?;
        Ok(image.map(|image| image.metadata.to_image(&key)))
    }

    async fn delete(&self, folder: ImageFolder, file: &str) -> anyhow::Result<()> {
        let Some(key) = ImageKey::parse(folder, file) else {
            return Ok(());
        };
        let _guard = self.write_lock.lock().await;
        let Some(image) = self.shared.metadata.find(&key).await? else {
            return Ok(());
        };
        // Metadata first: without it the other files are not found any more.
        self.shared.metadata.delete(&key).await?;
        let renditions = image
            .all_renditions()
            .map(|rendition| image.object_key(rendition));
        for object in renditions.chain([key.original_key()]) {
            self.shared.store.delete(&object).await?;
            self.shared.cache.remove(&cache_key(&object, &image));
        }
        Ok(())
    }

    async fn get(&self, request: ImageRequest) -> anyhow::Result<Option<ServedImage>> {
        let Some(key) = ImageKey::parse(request.folder, &request.file) else {
            return Ok(None);
        };
        let Some(image) = self.shared.metadata.find(&key).await? else {
            return Ok(None);
        };
        let Some(requested_width) = request.width else {
            return self.original(&image, true).await;
        };
        let width = nearest_width(requested_width, image.metadata.width);
        if request.folder == ImageFolder::People {
            return self.profile_picture(&image, width, &request.formats).await;
        }
        let formats = formats_for(&image, width, &request.formats);
        let format = formats[0];
        let requested = Rendition { format, width };
        if let Some(served) = self.rendition(&image, requested, true).await? {
            return Ok(Some(served));
        }
        // AVIF takes long; a WebP of the same size is ready almost immediately.
        let mut quick = requested;
        if format == Format::Avif && formats.contains(&Format::WebP) {
            quick.format = Format::WebP;
            self.queue(&image, quick, Priority::Requested);
        }
        self.queue(&image, requested, Priority::Requested);
        let larger = self.larger_rendition(&image, requested, &formats).await?;
        if larger.is_some() {
            return Ok(larger);
        }
        let accepts_original = formats.contains(&image.metadata.format());
        let timeout = if accepts_original {
            RENDITION_TIMEOUT
        } else {
            ONLY_RENDITION_TIMEOUT
        };
        self.wait_for_rendition(&image, quick, timeout).await;
        match self.rendition(&image, quick, quick == requested).await? {
            Some(served) => Ok(Some(served)),
            // Also in a format that the client did not list: better than a 404.
            None => self.original(&image, false).await,
        }
    }
}
