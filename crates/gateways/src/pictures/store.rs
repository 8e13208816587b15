//! Where the shelf's bytes lie: named objects, replaced whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use async_trait::async_trait;

/// Names are relative, with `/` between folder and file, as in an object store.
#[async_trait]
pub trait PictureStore: Send + Sync {
    /// A reader sees the old bytes or the new ones, never a part.
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()>;
    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>>;
    /// The size in bytes of an object that exists.
    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>>;
    /// Removing what is not there is no fault.
    async fn remove(&self, name: &str) -> anyhow::Result<()>;
}

#[derive(Debug, Clone)]
pub struct DiskStore {
    folder: PathBuf,
}

impl DiskStore {
    pub fn new(folder: PathBuf) -> DiskStore {
        DiskStore { folder }
    }

    /// The last guard: whatever names come from above, nothing outside the folder is touched.
    fn path(&self, name: &str) -> anyhow::Result<PathBuf> {
        let inside = !name.is_empty()
            && Path::new(name)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        anyhow::ensure!(inside, "{name:?} leads out of the picture folder");
        Ok(self.folder.join(name))
    }

    async fn on_disk<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let path = self.path(name)?;
        let told = path.display().to_string();
        tokio::task::spawn_blocking(move || work(&path))
            .await?
            .with_context(|| told)
    }
}

#[async_trait]
impl PictureStore for DiskStore {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        self.on_disk(name, move |path| write_whole(path, &bytes))
            .await
    }

    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.on_disk(name, |path| if_there(std::fs::read(path)))
            .await
    }

    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        self.on_disk(name, |path| {
            Ok(if_there(std::fs::metadata(path))?.map(|about| about.len()))
        })
        .await
    }

    async fn remove(&self, name: &str) -> anyhow::Result<()> {
        self.on_disk(name, |path| {
            if_there(std::fs::remove_file(path)).map(|_| ())
        })
        .await
    }
}

/// Written beside its place, made durable, then moved there; and the move made durable too, because
/// the database will remember the picture.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".new-");
    // Backups and file servers run under other names than the shop.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|fault| fault.error)?;
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    Ok(())
}

fn if_there<T>(answer: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn objects_are_replaced_whole_and_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let store = DiskStore::new(folder.path().join("not/yet/there"));
        assert_eq!(store.get("products/a b.webp").await.unwrap(), None);
        assert_eq!(store.size("products/a b.webp").await.unwrap(), None);
        store.put("products/a b.webp", vec![1; 10]).await.unwrap();
        store.put("products/a b.webp", vec![2; 5]).await.unwrap();
        assert_eq!(
            store.get("products/a b.webp").await.unwrap(),
            Some(vec![2; 5])
        );
        assert_eq!(store.size("products/a b.webp").await.unwrap(), Some(5));
        let drawer = folder.path().join("not/yet/there/products");
        assert_eq!(std::fs::read_dir(drawer).unwrap().count(), 1);
        store.remove("products/a b.webp").await.unwrap();
        store.remove("products/a b.webp").await.unwrap();
        assert_eq!(store.get("products/a b.webp").await.unwrap(), None);
    }

    #[tokio::test]
    async fn nothing_outside_the_folder_is_touched() {
        let outer = tempfile::tempdir().unwrap();
        std::fs::write(outer.path().join("secret"), "s").unwrap();
        let store = DiskStore::new(outer.path().join("pictures"));
        for name in ["../secret", "products/../../secret", "/etc/hostname", ""] {
            assert!(store.get(name).await.is_err(), "{name}");
            assert!(store.size(name).await.is_err(), "{name}");
            assert!(store.put(name, vec![1]).await.is_err(), "{name}");
            assert!(store.remove(name).await.is_err(), "{name}");
        }
        assert_eq!(
            std::fs::read_to_string(outer.path().join("secret")).unwrap(),
            "s"
        );
    }
}
