//! Serving: which rendition is served, when it is made, and what happens with damaged files.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::ports::images::{Format, ImageFolder, ImageStore, ServedImage};
use tempfile::TempDir;

use super::fixtures::*;
use crate::ResizingImageStore;
use crate::blob_store::{BlobStore, DiskBlobStore};

const FILE: &str = "goda-masala lifestyle shot.webp";
const ALL: [Format; 3] = [Format::Avif, Format::WebP, Format::Jpeg];

/// A store with one image of 500 × 40.
async fn store_with_image() -> (TempDir, ResizingImageStore) {
    let folder = tempfile::tempdir().unwrap();
    let images = open_store(folder.path());
    put(&images, FILE, 500).await;
    (folder, images)
}

async fn put(images: &ResizingImageStore, file: &str, width: u32) {
    let imported = images.import(ImageFolder::Products, file, true, png(width));
    imported.await.unwrap();
}

async fn get(images: &ResizingImageStore, width: u32, formats: &[Format]) -> ServedImage {
    let served = images.get(request(FILE, width, formats)).await;
    served.unwrap().unwrap()
}

fn describe(served: &ServedImage) -> (Format, u32, bool) {
    let format = ALL
        .into_iter()
        .find(|format| format.content_type() == served.content_type)
        .unwrap();
    (format, size_of(&served.bytes, format).0, served.exact)
}

fn renditions(folder: &Path) -> Vec<std::path::PathBuf> {
    files_below(&folder.join("renditions"))
}

#[tokio::test]
async fn requested_rendition_is_made_in_background() {
    let (_folder, images) = store_with_image().await;
    for (formats, expected) in [
        (&ALL[..], Format::Avif),
        (&ALL[1..], Format::WebP),
        (&ALL[2..], Format::Jpeg),
        (&[Format::Jpeg, Format::Avif], Format::Jpeg),
        (&[], Format::Jpeg),
    ] {
        for (requested, width) in [(150, 160), (160, 160), (400, 480), (481, 500), (9999, 500)] {
            let first = get(&images, requested, formats).await;
            assert!(describe(&first).1 >= width);
            images.wait_until_idle().await;
            let then = get(&images, requested, formats).await;
            assert_eq!(
                describe(&then),
                (expected, width, true),
                "{formats:?} {requested}"
            );
            assert_eq!(then.version, first.version);
        }
    }
    assert_eq!(images.renditions_made(), 3 * 3);
}

#[tokio::test]
async fn nearest_rendition_is_served_as_fallback() {
    let (_folder, images) = store_with_image().await;
    let warm = async |width: u32, format: Format| {
        let (widths, formats) = ([width], [format]);
        let queued = images.warm(ImageFolder::Products, FILE, &widths, &formats);
        queued.await.unwrap();
        images.wait_until_idle().await;
    };
    let without_webp = [Format::Avif, Format::Jpeg];
    warm(480, Format::Jpeg).await;
    let larger = get(&images, 160, &without_webp).await;
    assert_eq!(describe(&larger), (Format::Jpeg, 480, false));
    images.wait_until_idle().await;

    warm(64, Format::Jpeg).await;
    let other = get(&images, 64, &[Format::WebP, Format::Jpeg]).await;
    assert_eq!(describe(&other), (Format::Jpeg, 64, false));
    images.wait_until_idle().await;
}

/// The original may be ten times as large.
#[tokio::test]
async fn first_request_waits_for_a_webp_of_its_size() {
    let (_folder, images) = store_with_image().await;
    let first = get(&images, 320, &ALL).await;
    assert_eq!(describe(&first), (Format::WebP, 320, false));
    images.wait_until_idle().await;
    let then = get(&images, 320, &ALL).await;
    assert_eq!(describe(&then), (Format::Avif, 320, true));
}

#[tokio::test]
async fn avif_request_also_queues_webp() {
    let (folder, images) = store_with_image().await;
    get(&images, 160, &ALL).await;
    images.wait_until_idle().await;
    let made = renditions(folder.path());
    let made: Vec<_> = made.iter().map(|path| path.extension().unwrap()).collect();
    assert_eq!(made, ["avif", "webp"]);
}

#[tokio::test]
async fn jpeg_only_request_waits_for_rendition() {
    let (_folder, images) = store_with_image().await;
    let served = get(&images, 160, &[Format::Jpeg]).await;
    assert_eq!(describe(&served), (Format::Jpeg, 160, true));
}

/// A store in which no rendition is ever finished.
struct NoRenditions(DiskBlobStore);

#[async_trait]
impl BlobStore for NoRenditions {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        if name.starts_with("renditions/") {
            std::future::pending::<()>().await;
        }
        self.0.put(name, bytes).await
    }
    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.0.get(name).await
    }
    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        self.0.size(name).await
    }
    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        self.0.delete(name).await
    }
}

#[tokio::test(start_paused = true)]
async fn rendition_timeout_serves_original() {
    let folder = tempfile::tempdir().unwrap();
    let store = NoRenditions(DiskBlobStore::new(folder.path().to_owned()));
    let images = ResizingImageStore::with_blob_store(Arc::new(store), 0).unwrap();
    put(&images, FILE, 500).await;
    let served = get(&images, 160, &[Format::Jpeg]).await;
    assert_eq!(describe(&served), (Format::WebP, 500, false));
}

#[tokio::test]
async fn missing_or_unsafe_files_are_not_served() {
    let outer = tempfile::tempdir().unwrap();
    std::fs::write(outer.path().join("secret.webp"), png(60)).unwrap();
    let folder = outer.path().join("pictures");
    let images = open_store(&folder);
    put(&images, FILE, 500).await;
    for file in [
        "nothing.webp",
        "../secret.webp",
        "../../secret.webp",
        "..%2fsecret.webp",
        "../index/products/goda-masala lifestyle shot.webp.json",
        "/etc/hostname",
        "",
        ".",
        "goda-masala lifestyle shot.webp\0",
    ] {
        for width in [None, Some(160)] {
            let served = images.get(request(file, width, &ALL)).await.unwrap();
            assert!(served.is_none(), "{file:?}");
        }
        let queued = images.warm(ImageFolder::Products, file, &[64], &ALL);
        queued.await.unwrap();
    }
    images.wait_until_idle().await;
    assert_eq!(images.renditions_made(), 0);
    let people = mirasa_app::ports::images::ImageRequest {
        folder: ImageFolder::People,
        ..request(FILE, None, &ALL)
    };
    assert!(images.get(people).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_make_one_rendition() {
    let (_folder, images) = store_with_image().await;
    let images = Arc::new(images);
    let requests: Vec<_> = (0..100)
        .map(|_| {
            let images = Arc::clone(&images);
            tokio::spawn(async move { get(&images, 160, &[Format::WebP]).await })
        })
        .collect();
    for request_task in requests {
        assert_eq!(describe(&request_task.await.unwrap()).0, Format::WebP);
    }
    images.wait_until_idle().await;
    assert_eq!(images.renditions_made(), 1);
    assert_eq!(
        describe(&get(&images, 160, &[Format::WebP]).await),
        (Format::WebP, 160, true)
    );
}

#[tokio::test]
async fn renditions_survive_restart() {
    let (folder, images) = store_with_image().await;
    get(&images, 160, &ALL).await;
    images.wait_until_idle().await;
    let before = get(&images, 160, &ALL).await;
    drop(images);
    let images = open_store(folder.path());
    let after = get(&images, 160, &ALL).await;
    assert_eq!(describe(&after), (Format::Avif, 160, true));
    assert_eq!(after.bytes, before.bytes);
    assert_eq!(images.renditions_made(), 0);
}

#[tokio::test]
async fn damaged_rendition_is_made_again() {
    let (folder, images) = store_with_image().await;
    for format in ALL {
        get(&images, 160, &[format, Format::WebP]).await;
    }
    images.wait_until_idle().await;
    drop(images);
    let complete: Vec<_> = renditions(folder.path())
        .into_iter()
        .map(|path| (std::fs::read(&path).unwrap(), path))
        .collect();
    assert_eq!(complete.len(), 3);
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [Damage; 4] = [
        |file| file[..file.len() / 2].to_vec(),
        |file| vec![0; file.len()],
        |_| Vec::new(),
        |file| [file, b"more"].concat(),
    ];
    for damage in damages {
        for (bytes, path) in &complete {
            std::fs::write(path, damage(bytes)).unwrap();
        }
        let images = open_store(folder.path());
        for format in ALL {
            let formats = [format, Format::WebP];
            let first = get(&images, 160, &formats).await;
            assert!(size_of(&first.bytes, describe(&first).0).0 >= 160);
            images.wait_until_idle().await;
            let then = get(&images, 160, &formats).await;
            assert_eq!(describe(&then), (format, 160, true));
        }
        for (bytes, path) in &complete {
            assert_eq!(&std::fs::read(path).unwrap(), bytes);
        }
    }
}

#[tokio::test]
async fn damaged_or_missing_original_is_not_served() {
    let (folder, images) = store_with_image().await;
    drop(images);
    let path = folder.path().join("products").join(FILE);
    for damage in [Some("no picture"), None] {
        match damage {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let images = open_store(folder.path());
        for width in [None, Some(160)] {
            let served = images.get(request(FILE, width, &[Format::WebP])).await;
            assert!(served.unwrap().is_none());
        }
        images.wait_until_idle().await;
        assert_eq!(images.renditions_made(), 0);
        assert!(renditions(folder.path()).is_empty());
    }
}

#[tokio::test]
async fn served_rendition_is_cached() {
    let (folder, images) = store_with_image().await;
    get(&images, 160, &[Format::WebP]).await;
    images.wait_until_idle().await;
    let before = get(&images, 160, &[Format::WebP]).await;
    for path in renditions(folder.path()) {
        std::fs::remove_file(path).unwrap();
    }
    let after = get(&images, 160, &[Format::WebP]).await;
    assert!(after.exact);
    assert_eq!(after.bytes, before.bytes);
}

#[tokio::test]
async fn replaced_image_gets_new_version_and_deletes_old_renditions() {
    let (folder, images) = store_with_image().await;
    get(&images, 64, &[Format::WebP]).await;
    images.wait_until_idle().await;
    let old = get(&images, 64, &[Format::WebP]).await;
    put(&images, FILE, 300).await;
    assert!(renditions(folder.path()).is_empty());
    let new = get(&images, 320, &[Format::WebP]).await;
    assert_ne!(new.version, old.version);
    assert_eq!(describe(&new), (Format::WebP, 300, true));
}

#[tokio::test]
async fn warm_makes_each_rendition_once() {
    let (_folder, images) = store_with_image().await;
    for _ in 0..3 {
        let queued = images.warm(
            ImageFolder::Products,
            FILE,
            &[64, 160, 2560, 3200],
            &ALL[1..],
        );
        queued.await.unwrap();
    }
    images.wait_until_idle().await;
    assert_eq!(images.renditions_made(), 6);
    let served = get(&images, 9999, &ALL[1..]).await;
    assert_eq!(describe(&served), (Format::WebP, 500, true));
}

#[tokio::test]
async fn names_may_have_spaces_and_devanagari() {
    let folder = tempfile::tempdir().unwrap();
    let images = open_store(folder.path());
    for file in ["गोडा मसाला.webp", "a  b (1) & 100%?#.webp", "मसाला"] {
        put(&images, file, 100).await;
        let served = images
            .get(request(file, 64, &[Format::WebP]))
            .await
            .unwrap();
        assert!(served.is_some(), "{file}");
        assert!(folder.path().join("products").join(file).is_file());
    }
}
