//! Profile pictures: limits, stored files, and that nothing remains after a deletion.

use std::sync::Arc;

use async_trait::async_trait;
use image::ImageFormat;
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageRequest, ImageStore, ImageStoreError, ServedImage,
};
use mirasa_domain::product::Image;
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::fixtures::*;
use crate::ResizingImageStore;
use crate::blob_store::{BlobStore, DiskBlobStore};
use crate::import::{Rules, inspect};
use crate::keys::ImageKey;
use crate::metadata::MetadataCache;

const ALL: [Format; 3] = [Format::Avif, Format::WebP, Format::Jpeg];

async fn send(images: &ResizingImageStore, bytes: Vec<u8>) -> Result<Image, ImageStoreError> {
    let name = "The profile picture";
    images.import(ImageFolder::People, name, false, bytes).await
}

fn request_for(file: &str, width: impl Into<Option<u32>>, formats: &[Format]) -> ImageRequest {
    ImageRequest {
        folder: ImageFolder::People,
        ..request(file, width, formats)
    }
}

async fn get(
    images: &ResizingImageStore,
    file: &str,
    width: impl Into<Option<u32>>,
    formats: &[Format],
) -> Option<ServedImage> {
    images.get(request_for(file, width, formats)).await.unwrap()
}

fn file_count(folder: &TempDir) -> usize {
    files_below(folder.path()).len()
}

#[tokio::test]
async fn profile_picture_is_small_and_has_no_stored_renditions() {
    let folder = tempfile::tempdir().unwrap();
    let images = open_store(folder.path());
    let stored = send(&images, png(2000)).await.unwrap();
    assert_eq!((stored.width, stored.height), (512, 10));
    let narrow = file(&flag(400).rotate90(), ImageFormat::Png);
    let narrow = send(&images, narrow).await.unwrap();
    assert_eq!((narrow.width, narrow.height), (40, 400));
    for width in [None, Some(64), Some(500), Some(9999)] {
        for formats in [&ALL[..], &ALL[1..], &ALL[2..], &[Format::Avif], &[]] {
            let served = get(&images, &stored.file, width, formats).await.unwrap();
            assert!(served.exact);
            let expected = match (width, formats.iter().find(|f| **f != Format::Avif)) {
                (None, _) | (_, Some(Format::WebP)) => Format::WebP,
                _ => Format::Jpeg,
            };
            assert_eq!(served.content_type, expected.content_type());
            let wide = width.map_or(512, |width| width.clamp(64, 512));
            let wide = if wide == 500 { 512 } else { wide };
            assert_eq!(
                size_of(&served.bytes, expected).0,
                wide,
                "{width:?} {formats:?}"
            );
        }
    }
    let queued = images.warm(ImageFolder::People, &stored.file, &[64, 160], &ALL);
    queued.await.unwrap();
    images.wait_until_idle().await;
    assert_eq!(images.renditions_made(), 0);
    assert_eq!(file_count(&folder), 4, "two pictures and their cards");
    images
        .delete(ImageFolder::People, &stored.file)
        .await
        .unwrap();
    assert!(get(&images, &stored.file, 64, &ALL).await.is_none());
    assert_eq!(file_count(&folder), 2);
}

#[tokio::test]
async fn profile_pictures_have_their_own_pixel_limit() {
    let folder = tempfile::tempdir().unwrap();
    let images = open_store(folder.path());
    let (large, larger) = (
        black_png(4000, 3000, 3000 * 501),
        black_png(4001, 3000, 3000 * 502),
    );
    let error = send(&images, larger.clone()).await.unwrap_err();
    assert!(matches!(error, ImageStoreError::TooLargeForProfile(_)));
    assert_eq!(
        error.to_string(),
        "The profile picture is larger than 12 megapixels"
    );
    assert_eq!(file_count(&folder), 0);
    let stored = send(&images, large).await.unwrap();
    assert_eq!((stored.width, stored.height), (512, 384));
    let admins = Rules::of(ImageFolder::Products, false);
    assert!(inspect("x", &larger, &admins).is_ok());
}

#[tokio::test]
async fn old_profile_renditions_are_deleted_at_start() {
    let folder = tempfile::tempdir().unwrap();
    for image_folder in ["people", "products"] {
        let old = folder.path().join("renditions").join(image_folder);
        std::fs::create_dir_all(&old).unwrap();
        std::fs::write(old.join("3f9a2c1b5d01-64.webp"), "face").unwrap();
    }
    open_store(folder.path());
    let remaining = files_below(folder.path());
    assert_eq!(remaining.len(), 1);
    assert!(remaining[0].starts_with(folder.path().join("renditions/products")));
}

/// A store that pauses in `get` (after the read) or `put` of an object with this prefix, until it
/// is resumed.
struct PausingStore {
    disk: DiskBlobStore,
    pause_at_get: &'static str,
    pause_at_put: &'static str,
    paused: Semaphore,
    resume: Semaphore,
}

impl PausingStore {
    fn new(
        folder: &TempDir,
        pause_at_get: &'static str,
        pause_at_put: &'static str,
    ) -> Arc<PausingStore> {
        Arc::new(PausingStore {
            disk: DiskBlobStore::new(folder.path().to_owned()),
            pause_at_get,
            pause_at_put,
            paused: Semaphore::new(0),
            resume: Semaphore::new(0),
        })
    }

    async fn pause(&self) {
        self.paused.add_permits(1);
        self.resume.acquire().await.unwrap().forget();
    }

    async fn wait_until_paused(&self) {
        self.paused.acquire().await.unwrap().forget();
    }
}

fn matches_prefix(name: &str, start: &str) -> bool {
    !start.is_empty() && name.starts_with(start)
}

#[async_trait]
impl BlobStore for PausingStore {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        if matches_prefix(name, self.pause_at_put) {
            self.pause().await;
        }
        self.disk.put(name, bytes).await
    }
    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let found = self.disk.get(name).await;
        if matches_prefix(name, self.pause_at_get) {
            self.pause().await;
        }
        found
    }
    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        self.disk.size(name).await
    }
    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        self.disk.delete(name).await
    }
}

/// Requests a rendition while the image is deleted. The request, or the thread that makes the
/// rendition, pauses at the given prefix meanwhile.
async fn request_during_delete(
    image_folder: ImageFolder,
    pause_at_get: &'static str,
    pause_at_put: &'static str,
) {
    let folder = tempfile::tempdir().unwrap();
    let setup = ResizingImageStore::with_blob_store(
        Arc::new(DiskBlobStore::new(folder.path().to_owned())),
        0,
    )
    .unwrap();
    let imported = setup.import(image_folder, "x.png", false, png(500)).await;
    let file = imported.unwrap().file;
    drop(setup);

    let store = PausingStore::new(&folder, pause_at_get, pause_at_put);
    let images =
        ResizingImageStore::with_blob_store(Arc::clone(&store) as Arc<dyn BlobStore>, 1 << 20)
            .unwrap();
    let images = Arc::new(images);
    let request_task = {
        let (images, file) = (Arc::clone(&images), file.clone());
        tokio::spawn(async move {
            let request = ImageRequest {
                folder: image_folder,
                ..request(&file, 160, &[Format::WebP])
            };
            images.get(request).await
        })
    };
    store.wait_until_paused().await;
    images.delete(image_folder, &file).await.unwrap();
    store.resume.add_permits(1000);
    // The result of the request does not matter; it must end.
    let _ = request_task.await.unwrap();
    images.wait_until_idle().await;

    let remaining = files_below(folder.path());
    assert!(
        remaining.is_empty(),
        "{image_folder:?} {pause_at_get}{pause_at_put}: {remaining:?}"
    );
    let again = ImageRequest {
        folder: image_folder,
        ..request(&file, 160, &[Format::WebP])
    };
    assert!(images.get(again).await.unwrap().is_none());
}

#[tokio::test]
async fn request_during_delete_leaves_no_file() {
    request_during_delete(ImageFolder::People, "people/", "").await;
    request_during_delete(ImageFolder::Products, "", "renditions/").await;
    request_during_delete(ImageFolder::Products, "products/", "").await;
}

#[tokio::test]
async fn metadata_read_before_delete_is_not_cached_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let imported = send(&open_store(folder.path()), png(60)).await.unwrap();
    let key = ImageKey::parse(ImageFolder::People, &imported.file).unwrap();
    let store = PausingStore::new(&folder, "index/", "");
    let metadata = MetadataCache::new(Arc::clone(&store) as Arc<dyn BlobStore>);
    let deletion = async {
        store.wait_until_paused().await;
        metadata.delete(&key).await.unwrap();
        store.resume.add_permits(1000);
    };
    let (found, ()) = tokio::join!(metadata.find(&key), deletion);
    assert!(found.unwrap().is_some(), "it was read before");
    assert!(metadata.find(&key).await.unwrap().is_none());
}
