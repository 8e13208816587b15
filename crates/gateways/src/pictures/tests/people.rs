//! Customers' pictures: what they may send, what is kept, and that nothing is left when they go.

use std::sync::Arc;

use async_trait::async_trait;
use image::ImageFormat;
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageRequest, ImageStore, ImageStoreError, ServedImage,
};
use mirasa_domain::product::Image;
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::samples::*;
use crate::pictures::LocalShelf;
use crate::pictures::cards::Cards;
use crate::pictures::intake::{Rules, inspect};
use crate::pictures::names::Place;
use crate::pictures::store::{DiskStore, PictureStore};

const ALL: [Format; 3] = [Format::Avif, Format::WebP, Format::Jpeg];

async fn send(shelf: &LocalShelf, bytes: Vec<u8>) -> Result<Image, ImageStoreError> {
    let name = "The profile picture";
    shelf.import(ImageFolder::People, name, false, bytes).await
}

fn ask_for(file: &str, width: impl Into<Option<u32>>, formats: &[Format]) -> ImageRequest {
    ImageRequest {
        drawer: ImageFolder::People,
        ..ask(file, width, formats)
    }
}

async fn get(
    shelf: &LocalShelf,
    file: &str,
    width: impl Into<Option<u32>>,
    formats: &[Format],
) -> Option<ServedImage> {
    shelf.get(ask_for(file, width, formats)).await.unwrap()
}

fn written(folder: &TempDir) -> usize {
    files_below(folder.path()).len()
}

#[tokio::test]
async fn a_customers_picture_is_kept_small_and_alone() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = shelf(folder.path());
    let kept = send(&shelf, png(2000)).await.unwrap();
    assert_eq!((kept.width, kept.height), (512, 10));
    let narrow = file(&flag(400).rotate90(), ImageFormat::Png);
    let narrow = send(&shelf, narrow).await.unwrap();
    assert_eq!((narrow.width, narrow.height), (40, 400));
    for width in [None, Some(64), Some(500), Some(9999)] {
        for formats in [&ALL[..], &ALL[1..], &ALL[2..], &[Format::Avif], &[]] {
            let served = get(&shelf, &kept.file, width, formats).await.unwrap();
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
    let warmed = shelf.warm(ImageFolder::People, &kept.file, &[64, 160], &ALL);
    warmed.await.unwrap();
    shelf.idle().await;
    assert_eq!(shelf.made(), 0);
    assert_eq!(written(&folder), 4, "two pictures and their cards");
    shelf.delete(ImageFolder::People, &kept.file).await.unwrap();
    assert!(get(&shelf, &kept.file, 64, &ALL).await.is_none());
    assert_eq!(written(&folder), 2);
}

#[tokio::test]
async fn customers_have_a_limit_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = shelf(folder.path());
    let (large, larger) = (
        black_png(4000, 3000, 3000 * 501),
        black_png(4001, 3000, 3000 * 502),
    );
    let refusal = send(&shelf, larger.clone()).await.unwrap_err();
    assert!(matches!(refusal, ImageStoreError::TooLargeForProfile(_)));
    assert_eq!(
        refusal.to_string(),
        "The profile picture is larger than 12 megapixels"
    );
    assert_eq!(written(&folder), 0);
    let kept = send(&shelf, large).await.unwrap();
    assert_eq!((kept.width, kept.height), (512, 384));
    let admins = Rules::of(ImageFolder::Products, false);
    assert!(inspect("x", &larger, &admins).is_ok());
}

#[tokio::test]
async fn renditions_of_people_from_earlier_versions_are_removed_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    for drawer in ["people", "products"] {
        let old = folder.path().join("renditions").join(drawer);
        std::fs::create_dir_all(&old).unwrap();
        std::fs::write(old.join("3f9a2c1b5d01-64.webp"), "face").unwrap();
    }
    shelf(folder.path());
    let left = files_below(folder.path());
    assert_eq!(left.len(), 1);
    assert!(left[0].starts_with(folder.path().join("renditions/products")));
}

/// A store that stops at a call whose object's name begins so, once it has the answer, until it is told to go on.
struct Stopping {
    disk: DiskStore,
    at_get: &'static str,
    at_put: &'static str,
    stopped: Semaphore,
    go_on: Semaphore,
}

impl Stopping {
    fn new(folder: &TempDir, at_get: &'static str, at_put: &'static str) -> Arc<Stopping> {
        Arc::new(Stopping {
            disk: DiskStore::new(folder.path().to_owned()),
            at_get,
            at_put,
            stopped: Semaphore::new(0),
            go_on: Semaphore::new(0),
        })
    }

    async fn stop(&self) {
        self.stopped.add_permits(1);
        self.go_on.acquire().await.unwrap().forget();
    }

    async fn is_stopped(&self) {
        self.stopped.acquire().await.unwrap().forget();
    }
}

fn is_at(name: &str, start: &str) -> bool {
    !start.is_empty() && name.starts_with(start)
}

#[async_trait]
impl PictureStore for Stopping {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        if is_at(name, self.at_put) {
            self.stop().await;
        }
        self.disk.put(name, bytes).await
    }
    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let found = self.disk.get(name).await;
        if is_at(name, self.at_get) {
            self.stop().await;
        }
        found
    }
    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        self.disk.size(name).await
    }
    async fn remove(&self, name: &str) -> anyhow::Result<()> {
        self.disk.remove(name).await
    }
}

/// Somebody asks for a size of the picture while it is removed. `at` is where the asker, or the thread that makes the
/// size, stands still meanwhile.
async fn asked_for_while_removed(drawer: ImageFolder, at_get: &'static str, at_put: &'static str) {
    let folder = tempfile::tempdir().unwrap();
    let before = LocalShelf::over(Arc::new(DiskStore::new(folder.path().to_owned())), 0).unwrap();
    let taken = before.import(drawer, "x.png", false, png(500)).await;
    let file = taken.unwrap().file;
    drop(before);

    let store = Stopping::new(&folder, at_get, at_put);
    let shelf = LocalShelf::over(Arc::clone(&store) as Arc<dyn PictureStore>, 1 << 20).unwrap();
    let shelf = Arc::new(shelf);
    let asker = {
        let (shelf, file) = (Arc::clone(&shelf), file.clone());
        tokio::spawn(async move {
            let ask = ImageRequest {
                drawer,
                ..ask(&file, 160, &[Format::WebP])
            };
            shelf.get(ask).await
        })
    };
    store.is_stopped().await;
    shelf.delete(drawer, &file).await.unwrap();
    store.go_on.add_permits(1000);
    // What the asker sees is not the question; it must end.
    let _ = asker.await.unwrap();
    shelf.idle().await;

    let left = files_below(folder.path());
    assert!(left.is_empty(), "{drawer:?} {at_get}{at_put}: {left:?}");
    let again = ImageRequest {
        drawer,
        ..ask(&file, 160, &[Format::WebP])
    };
    assert!(shelf.get(again).await.unwrap().is_none());
}

#[tokio::test]
async fn nothing_of_a_removed_picture_comes_back() {
    asked_for_while_removed(ImageFolder::People, "people/", "").await;
    asked_for_while_removed(ImageFolder::Products, "", "renditions/").await;
    asked_for_while_removed(ImageFolder::Products, "products/", "").await;
}

#[tokio::test]
async fn a_card_that_was_read_before_the_removal_is_not_remembered_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let taken = send(&shelf(folder.path()), png(60)).await.unwrap();
    let place = Place::parse(ImageFolder::People, &taken.file).unwrap();
    let store = Stopping::new(&folder, "index/", "");
    let cards = Cards::new(Arc::clone(&store) as Arc<dyn PictureStore>);
    let removal = async {
        store.is_stopped().await;
        cards.remove(&place).await.unwrap();
        store.go_on.add_permits(1000);
    };
    let (found, ()) = tokio::join!(cards.find(&place), removal);
    assert!(found.unwrap().is_some(), "it was read before");
    assert!(cards.find(&place).await.unwrap().is_none());
}
