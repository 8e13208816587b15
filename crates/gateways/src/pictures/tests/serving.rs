//! Which rendition is served, when it is made, and what happens when files go bad.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::ports::images::{Format, ImageFolder, ImageStore, ServedImage};
use tempfile::TempDir;

use super::samples::*;
use crate::pictures::LocalShelf;
use crate::pictures::store::{DiskStore, PictureStore};

const FILE: &str = "goda-masala lifestyle shot.webp";
const ALL: [Format; 3] = [Format::Avif, Format::WebP, Format::Jpeg];

/// A shelf with one picture of 500 x 40.
async fn bench() -> (TempDir, LocalShelf) {
    let folder = tempfile::tempdir().unwrap();
    let shelf = shelf(folder.path());
    put(&shelf, FILE, 500).await;
    (folder, shelf)
}

async fn put(shelf: &LocalShelf, file: &str, width: u32) {
    let taken = shelf.import(ImageFolder::Products, file, true, png(width));
    taken.await.unwrap();
}

async fn get(shelf: &LocalShelf, width: u32, formats: &[Format]) -> ServedImage {
    let served = shelf.get(ask(FILE, width, formats)).await;
    served.unwrap().unwrap()
}

fn shape(served: &ServedImage) -> (Format, u32, bool) {
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
async fn the_wanted_rendition_is_made_in_the_background_and_then_served() {
    let (_folder, shelf) = bench().await;
    for (formats, expected) in [
        (&ALL[..], Format::Avif),
        (&ALL[1..], Format::WebP),
        (&ALL[2..], Format::Jpeg),
        (&[Format::Jpeg, Format::Avif], Format::Jpeg),
        (&[], Format::Jpeg),
    ] {
        for (asked, width) in [(150, 160), (160, 160), (400, 480), (481, 500), (9999, 500)] {
            let first = get(&shelf, asked, formats).await;
            assert!(shape(&first).1 >= width);
            shelf.idle().await;
            let then = get(&shelf, asked, formats).await;
            assert_eq!(shape(&then), (expected, width, true), "{formats:?} {asked}");
            assert_eq!(then.version, first.version);
        }
    }
    assert_eq!(shelf.made(), 3 * 3);
}

#[tokio::test]
async fn the_nearest_ready_one_stands_in() {
    let (_folder, shelf) = bench().await;
    let warm = async |width: u32, format: Format| {
        let (widths, formats) = ([width], [format]);
        let warmed = shelf.warm(ImageFolder::Products, FILE, &widths, &formats);
        warmed.await.unwrap();
        shelf.idle().await;
    };
    let without_webp = [Format::Avif, Format::Jpeg];
    warm(480, Format::Jpeg).await;
    let larger = get(&shelf, 160, &without_webp).await;
    assert_eq!(shape(&larger), (Format::Jpeg, 480, false));
    shelf.idle().await;

    warm(64, Format::Jpeg).await;
    let other = get(&shelf, 64, &[Format::WebP, Format::Jpeg]).await;
    assert_eq!(shape(&other), (Format::Jpeg, 64, false));
    shelf.idle().await;

    let master = get(&shelf, 320, &[Format::WebP]).await;
    assert_eq!(shape(&master), (Format::WebP, 500, false));
}

#[tokio::test]
async fn while_avif_is_made_a_webp_of_the_right_size_comes_first() {
    let (folder, shelf) = bench().await;
    get(&shelf, 160, &ALL).await;
    shelf.idle().await;
    let made = renditions(folder.path());
    let made: Vec<_> = made.iter().map(|path| path.extension().unwrap()).collect();
    assert_eq!(made, ["avif", "webp"]);
}

#[tokio::test]
async fn who_reads_only_jpeg_gets_one_at_once() {
    let (_folder, shelf) = bench().await;
    let served = get(&shelf, 160, &[Format::Jpeg]).await;
    assert_eq!(shape(&served), (Format::Jpeg, 160, true));
}

/// A store on which no rendition is ever finished.
struct NothingNew(DiskStore);

#[async_trait]
impl PictureStore for NothingNew {
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
    async fn remove(&self, name: &str) -> anyhow::Result<()> {
        self.0.remove(name).await
    }
}

#[tokio::test(start_paused = true)]
async fn who_waits_too_long_gets_the_picture_itself() {
    let folder = tempfile::tempdir().unwrap();
    let store = NothingNew(DiskStore::new(folder.path().to_owned()));
    let shelf = LocalShelf::over(Arc::new(store), 0).unwrap();
    put(&shelf, FILE, 500).await;
    let served = get(&shelf, 160, &[Format::Jpeg]).await;
    assert_eq!(shape(&served), (Format::WebP, 500, false));
}

#[tokio::test]
async fn what_is_not_there_is_not_served() {
    let outer = tempfile::tempdir().unwrap();
    std::fs::write(outer.path().join("secret.webp"), png(60)).unwrap();
    let folder = outer.path().join("pictures");
    let shelf = shelf(&folder);
    put(&shelf, FILE, 500).await;
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
            let served = shelf.get(ask(file, width, &ALL)).await.unwrap();
            assert!(served.is_none(), "{file:?}");
        }
        let warmed = shelf.warm(ImageFolder::Products, file, &[64], &ALL);
        warmed.await.unwrap();
    }
    shelf.idle().await;
    assert_eq!(shelf.made(), 0);
    let people = mirasa_app::ports::images::ImageRequest {
        drawer: ImageFolder::People,
        ..ask(FILE, None, &ALL)
    };
    assert!(shelf.get(people).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_visitors_at_once_have_it_made_once() {
    let (_folder, shelf) = bench().await;
    let shelf = Arc::new(shelf);
    let visitors: Vec<_> = (0..100)
        .map(|_| {
            let shelf = Arc::clone(&shelf);
            tokio::spawn(async move { get(&shelf, 160, &[Format::WebP]).await })
        })
        .collect();
    for visitor in visitors {
        assert_eq!(shape(&visitor.await.unwrap()).0, Format::WebP);
    }
    shelf.idle().await;
    assert_eq!(shelf.made(), 1);
    assert_eq!(
        shape(&get(&shelf, 160, &[Format::WebP]).await),
        (Format::WebP, 160, true)
    );
}

#[tokio::test]
async fn a_restarted_shelf_serves_what_was_made() {
    let (folder, shelf) = bench().await;
    get(&shelf, 160, &ALL).await;
    shelf.idle().await;
    let before = get(&shelf, 160, &ALL).await;
    drop(shelf);
    let shelf = super::samples::shelf(folder.path());
    let after = get(&shelf, 160, &ALL).await;
    assert_eq!(shape(&after), (Format::Avif, 160, true));
    assert_eq!(after.bytes, before.bytes);
    assert_eq!(shelf.made(), 0);
}

#[tokio::test]
async fn a_damaged_rendition_is_made_again() {
    let (folder, shelf) = bench().await;
    for format in ALL {
        get(&shelf, 160, &[format, Format::WebP]).await;
    }
    shelf.idle().await;
    drop(shelf);
    let whole: Vec<_> = renditions(folder.path())
        .into_iter()
        .map(|path| (std::fs::read(&path).unwrap(), path))
        .collect();
    assert_eq!(whole.len(), 3);
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [Damage; 4] = [
        |file| file[..file.len() / 2].to_vec(),
        |file| vec![0; file.len()],
        |_| Vec::new(),
        |file| [file, b"more"].concat(),
    ];
    for damage in damages {
        for (bytes, path) in &whole {
            std::fs::write(path, damage(bytes)).unwrap();
        }
        let shelf = super::samples::shelf(folder.path());
        for format in ALL {
            let formats = [format, Format::WebP];
            let first = get(&shelf, 160, &formats).await;
            assert!(size_of(&first.bytes, shape(&first).0).0 >= 160);
            shelf.idle().await;
            let then = get(&shelf, 160, &formats).await;
            assert_eq!(shape(&then), (format, 160, true));
        }
        for (bytes, path) in &whole {
            assert_eq!(&std::fs::read(path).unwrap(), bytes);
        }
    }
}

#[tokio::test]
async fn a_damaged_or_vanished_picture_is_not_served() {
    let (folder, shelf) = bench().await;
    drop(shelf);
    let path = folder.path().join("products").join(FILE);
    for damage in [Some("no picture"), None] {
        match damage {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let shelf = super::samples::shelf(folder.path());
        for width in [None, Some(160)] {
            let served = shelf.get(ask(FILE, width, &[Format::WebP])).await;
            assert!(served.unwrap().is_none());
        }
        shelf.idle().await;
        assert_eq!(shelf.made(), 0);
        assert!(renditions(folder.path()).is_empty());
    }
}

#[tokio::test]
async fn a_hot_picture_comes_kept_in_memory() {
    let (folder, shelf) = bench().await;
    get(&shelf, 160, &[Format::WebP]).await;
    shelf.idle().await;
    let before = get(&shelf, 160, &[Format::WebP]).await;
    for path in renditions(folder.path()) {
        std::fs::remove_file(path).unwrap();
    }
    let after = get(&shelf, 160, &[Format::WebP]).await;
    assert!(after.exact);
    assert_eq!(after.bytes, before.bytes);
}

#[tokio::test]
async fn a_replaced_picture_gets_a_new_version_and_loses_its_old_renditions() {
    let (folder, shelf) = bench().await;
    get(&shelf, 64, &[Format::WebP]).await;
    shelf.idle().await;
    let old = get(&shelf, 64, &[Format::WebP]).await;
    put(&shelf, FILE, 300).await;
    assert!(renditions(folder.path()).is_empty());
    let new = get(&shelf, 320, &[Format::WebP]).await;
    assert_ne!(new.version, old.version);
    assert_eq!(shape(&new), (Format::WebP, 300, false));
    shelf.idle().await;
    let new = get(&shelf, 320, &[Format::WebP]).await;
    assert_eq!(shape(&new), (Format::WebP, 300, true));
}

#[tokio::test]
async fn pictures_are_made_ahead_but_not_twice() {
    let (_folder, shelf) = bench().await;
    for _ in 0..3 {
        let warmed = shelf.warm(
            ImageFolder::Products,
            FILE,
            &[64, 160, 2560, 3200],
            &ALL[1..],
        );
        warmed.await.unwrap();
    }
    shelf.idle().await;
    assert_eq!(shelf.made(), 6);
    let served = get(&shelf, 9999, &ALL[1..]).await;
    assert_eq!(shape(&served), (Format::WebP, 500, true));
}

#[tokio::test]
async fn names_may_have_spaces_and_speak_hindi() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = shelf(folder.path());
    for file in ["गोडा मसाला.webp", "a  b (1) & 100%?#.webp", "मसाला"] {
        put(&shelf, file, 100).await;
        let served = shelf.get(ask(file, 64, &[Format::WebP])).await.unwrap();
        assert!(served.is_some(), "{file}");
        assert!(folder.path().join("products").join(file).is_file());
    }
}
