//! Image metadata: one JSON file for each image, cached in memory.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mirasa_app::ports::images::{Format, ImageFolder};
use mirasa_domain::product::Image;
use serde::{Deserialize, Serialize};

use super::blob_store::BlobStore;
use super::keys::{ImageKey, Rendition, widths_up_to};
use super::{lock, sha256_hex};
use mirasa_codecs::encode::{MAX_AVIF_BITS_A_PIXEL, MAX_AVIF_PIXELS};

/// Version of the encoder settings. Increase it when originals or renditions are encoded
/// differently: every image then gets a new version, and old renditions are not served any more.
const ENCODER_VERSION: u8 = 1;

/// Another instance of the shop may replace an image in a shared store.
const METADATA_TTL: Duration = Duration::from_secs(10);
/// When the cache has this many entries it is cleared.
const MAX_CACHED: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageMetadata {
    /// SHA-256 of the uploaded bytes.
    #[serde(rename = "source")]
    source_hash: String,
    #[serde(rename = "recipe")]
    encoder_version: u8,
    /// SHA-256 and size of the stored original.
    #[serde(rename = "kept")]
    original_hash: String,
    pub size: u64,
    format: OriginalFormat,
    pub width: u32,
    pub height: u32,
    pub colour: String,
    pub version: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OriginalFormat {
    WebP,
    Jpeg,
}

impl ImageMetadata {
    pub fn new(source_hash: &str, original: &super::import::ImportedImage) -> ImageMetadata {
        let short = source_hash.get(..10).unwrap_or(source_hash);
        ImageMetadata {
            source_hash: source_hash.to_owned(),
            encoder_version: ENCODER_VERSION,
            original_hash: sha256_hex(&original.file),
            size: u64::try_from(original.file.len()).unwrap_or(u64::MAX),
            format: match original.format {
                Format::Jpeg => OriginalFormat::Jpeg,
                Format::WebP | Format::Avif => OriginalFormat::WebP,
            },
            width: original.width,
            height: original.height,
            colour: original.colour.clone(),
            version: format!("{short}{ENCODER_VERSION:02x}"),
        }
    }

    pub fn matches_source(&self, source_hash: &str) -> bool {
        self.source_hash == source_hash && self.encoder_version == ENCODER_VERSION
    }

    pub fn matches_original(&self, original: &[u8]) -> bool {
        self.original_hash == sha256_hex(original)
    }

    pub fn format(&self) -> Format {
        match self.format {
            OriginalFormat::WebP => Format::WebP,
            OriginalFormat::Jpeg => Format::Jpeg,
        }
    }

    pub fn to_image(&self, key: &ImageKey) -> Image {
        Image {
            file: key.file.as_str().to_owned(),
            alt: String::new(),
            width: self.width,
            height: self.height,
            colour: self.colour.clone(),
            version: self.version.clone(),
        }
    }
}

/// The metadata of an image and the renditions that exist.
pub struct StoredImage {
    pub key: ImageKey,
    pub metadata: ImageMetadata,
    ready: Mutex<HashSet<Rendition>>,
    read_at: Mutex<Instant>,
}

impl StoredImage {
    pub fn new(key: ImageKey, metadata: ImageMetadata) -> StoredImage {
        StoredImage {
            key,
            metadata,
            ready: Mutex::default(),
            read_at: Mutex::new(Instant::now()),
        }
    }

    pub fn is_ready(&self, rendition: Rendition) -> bool {
        lock(&self.ready).contains(&rendition)
    }

    pub fn set_ready(&self, rendition: Rendition, ready: bool) {
        let mut set = lock(&self.ready);
        if ready {
            set.insert(rendition);
        } else {
            set.remove(&rendition);
        }
    }

    pub fn object_key(&self, rendition: Rendition) -> String {
        rendition.object_key(self.key.folder, &self.metadata.version)
    }

    fn pixels_at(&self, width: u32) -> u64 {
        let (own, high) = (
            u64::from(self.metadata.width),
            u64::from(self.metadata.height),
        );
        u64::from(width) * (u64::from(width) * high).div_ceil(own.max(1))
    }

    /// Whether an AVIF of this width is worth its time and memory.
    pub fn may_be_avif(&self, width: u32) -> bool {
        let original_pixels = self.pixels_at(self.metadata.width).max(1);
        self.pixels_at(width) <= MAX_AVIF_PIXELS
            && self.metadata.size * 8 / original_pixels <= MAX_AVIF_BITS_A_PIXEL
    }

    pub fn rendition_pixels(&self, rendition: Rendition) -> u64 {
        self.pixels_at(rendition.width)
    }

    /// Every rendition that this image can have.
    pub fn all_renditions(&self) -> impl Iterator<Item = Rendition> {
        widths_up_to(self.metadata.width).flat_map(|width| {
            [Format::Avif, Format::WebP, Format::Jpeg].map(|format| Rendition { format, width })
        })
    }
}

pub struct MetadataCache {
    store: Arc<dyn BlobStore>,
    entries: Mutex<HashMap<ImageKey, Arc<StoredImage>>>,
    /// Number of deletions. Metadata that was read before a deletion must not be cached after it.
    deletions: AtomicU64,
}

impl MetadataCache {
    pub fn new(store: Arc<dyn BlobStore>) -> MetadataCache {
        MetadataCache {
            store,
            entries: Mutex::default(),
            deletions: AtomicU64::new(0),
        }
    }

    pub async fn find(&self, key: &ImageKey) -> anyhow::Result<Option<Arc<StoredImage>>> {
        let cached = lock(&self.entries).get(key).cloned();
        if let Some(image) = &cached
            && lock(&image.read_at).elapsed() < METADATA_TTL
        {
            return Ok(cached);
        }
        let deletions = self.deletions.load(Ordering::SeqCst);
        let read = match (self.read(key).await, &cached) {
            // If the blob store is down, use the cached metadata; it rarely changes.
            (Err(error), Some(image)) => {
                tracing::warn!(
                    object = key.metadata_key(),
                    error = format!("{error:#}"),
                    "image metadata could not be read; the cached ones are used"
                );
                *lock(&image.read_at) = Instant::now();
                return Ok(cached);
            }
            (read, _) => read?,
        };
        let Some(metadata) = read else {
            lock(&self.entries).remove(key);
            return Ok(None);
        };
        if let Some(image) = cached
            && image.metadata == metadata
        {
            *lock(&image.read_at) = Instant::now();
            return Ok(Some(image));
        }
        self.cache(key, metadata, deletions).await.map(Some)
    }

    /// Invalid metadata counts as missing: the image must be imported again.
    async fn read(&self, key: &ImageKey) -> anyhow::Result<Option<ImageMetadata>> {
        let Some(json) = self.store.get(&key.metadata_key()).await? else {
            return Ok(None);
        };
        let metadata = serde_json::from_slice(&json)
            .inspect_err(|error| tracing::warn!(object = key.metadata_key(), %error, "image metadata are invalid"))
            .ok();
        Ok(metadata)
    }

    pub async fn write(
        &self,
        key: &ImageKey,
        metadata: ImageMetadata,
    ) -> anyhow::Result<Arc<StoredImage>> {
        let json = serde_json::to_vec_pretty(&metadata)?;
        let deletions = self.deletions.load(Ordering::SeqCst);
        self.store.put(&key.metadata_key(), json).await?;
        self.cache(key, metadata, deletions).await
    }

    pub async fn delete(&self, key: &ImageKey) -> anyhow::Result<()> {
        self.store.delete(&key.metadata_key()).await?;
        self.deletions.fetch_add(1, Ordering::SeqCst);
        lock(&self.entries).remove(key);
        Ok(())
    }

    /// Whether the blob store still has the same metadata for this image.
    pub async fn is_current(&self, image: &StoredImage) -> anyhow::Result<bool> {
        Ok(self.read(&image.key).await?.as_ref() == Some(&image.metadata))
    }

    async fn cache(
        &self,
        key: &ImageKey,
        metadata: ImageMetadata,
        deletions: u64,
    ) -> anyhow::Result<Arc<StoredImage>> {
        let image = StoredImage::new(key.clone(), metadata);
        // Renditions of profile pictures are not stored.
        let renditions = image
            .all_renditions()
            .filter(|_| key.folder != ImageFolder::People);
        for rendition in renditions {
            if self
                .store
                .size(&image.object_key(rendition))
                .await?
                .is_some()
            {
                image.set_ready(rendition, true);
            }
        }
        let image = Arc::new(image);
        let mut entries = lock(&self.entries);
        if entries.len() >= MAX_CACHED {
            entries.clear();
        }
        if self.deletions.load(Ordering::SeqCst) == deletions {
            entries.insert(key.clone(), Arc::clone(&image));
        }
        Ok(image)
    }
}
