//! Blob storage: named objects that are replaced atomically. The disk implementation is here.

use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use async_trait::async_trait;

/// Names are relative paths with `/` as separator, as in an object store.
#[async_trait]
pub trait BlobStore: Send + Sync {
    /// Atomic: a reader gets the old bytes or the new ones, never a part.
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()>;
    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>>;
    /// The size in bytes, or None if the object does not exist.
    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>>;
    /// Succeeds if the object does not exist.
    async fn delete(&self, name: &str) -> anyhow::Result<()>;
}

#[derive(Debug, Clone)]
pub struct DiskBlobStore {
    folder: PathBuf,
}

impl DiskBlobStore {
    pub fn new(folder: PathBuf) -> DiskBlobStore {
        DiskBlobStore { folder }
    }

    /// Rejects every name that would lead out of the folder. Callers check names too; this is the
    /// last check.
    fn path(&self, name: &str) -> anyhow::Result<PathBuf> {
        let is_inside = !name.is_empty()
            && Path::new(name)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        anyhow::ensure!(is_inside, "{name:?} is outside the image folder");
        Ok(self.folder.join(name))
    }

    async fn blocking<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let path = self.path(name)?;
        let context = path.display().to_string();
        tokio::task::spawn_blocking(move || work(&path))
            .await?
            .with_context(|| context)
    }
}

#[async_trait]
impl BlobStore for DiskBlobStore {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        self.blocking(name, move |path| write_atomic(path, &bytes))
            .await
    }

    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.blocking(name, |path| none_if_missing(std::fs::read(path)))
            .await
    }

    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        self.blocking(name, |path| {
            Ok(none_if_missing(std::fs::metadata(path))?.map(|metadata| metadata.len()))
        })
        .await
    }

    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        self.blocking(name, |path| {
            none_if_missing(std::fs::remove_file(path)).map(|_| ())
        })
        .await
    }
}

/// Writes a temporary file, syncs it, renames it and syncs the folder. The database will refer to
/// the image, so the rename must be durable too.
fn write_atomic(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".new-");
    // Backup tools and file servers run as other users.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    Ok(())
}

fn none_if_missing<T>(result: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn put_replaces_atomically_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let store = DiskBlobStore::new(folder.path().join("not/yet/there"));
        assert_eq!(store.get("products/a b.webp").await.unwrap(), None);
        assert_eq!(store.size("products/a b.webp").await.unwrap(), None);
        store.put("products/a b.webp", vec![1; 10]).await.unwrap();
        store.put("products/a b.webp", vec![2; 5]).await.unwrap();
        assert_eq!(
            store.get("products/a b.webp").await.unwrap(),
            Some(vec![2; 5])
        );
        assert_eq!(store.size("products/a b.webp").await.unwrap(), Some(5));
        let products = folder.path().join("not/yet/there/products");
        assert_eq!(std::fs::read_dir(products).unwrap().count(), 1);
        store.delete("products/a b.webp").await.unwrap();
        store.delete("products/a b.webp").await.unwrap();
        assert_eq!(store.get("products/a b.webp").await.unwrap(), None);
    }

    #[tokio::test]
    async fn names_outside_the_folder_are_rejected() {
        let outer = tempfile::tempdir().unwrap();
        std::fs::write(outer.path().join("secret"), "s").unwrap();
        let store = DiskBlobStore::new(outer.path().join("pictures"));
        for name in ["../secret", "products/../../secret", "/etc/hostname", ""] {
            assert!(store.get(name).await.is_err(), "{name}");
            assert!(store.size(name).await.is_err(), "{name}");
            assert!(store.put(name, vec![1]).await.is_err(), "{name}");
            assert!(store.delete(name).await.is_err(), "{name}");
        }
        assert_eq!(
            std::fs::read_to_string(outer.path().join("secret")).unwrap(),
            "s"
        );
    }
}
