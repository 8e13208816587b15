//! Images in an S3 bucket, for a shop on several machines or without a persistent disk.
//!
//! The bucket has the originals and their metadata. Renditions stay on the local disk, because they
//! can be made again.

mod client;
mod signature;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use mirasa_app::ports::clock::Clock;

use super::blob_store::{BlobStore, DiskBlobStore};
use client::Client;

/// Objects under this prefix can be made again and stay on the local disk.
const LOCAL_PREFIX: &str = "renditions/";

/// Bucket, credentials and the local folder.
#[derive(Clone)]
pub struct S3Settings {
    pub bucket: String,
    /// Empty means Amazon's endpoint of the region.
    pub endpoint: String,
    pub region: String,
    pub access_key: String,
    pub secret_key: String,
    /// For the renditions.
    pub folder: PathBuf,
    /// Signatures carry the time.
    pub clock: Arc<dyn Clock>,
}

/// Contains no secrets.
impl std::fmt::Debug for S3Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Settings")
            .field("bucket", &self.bucket)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

pub struct S3BlobStore {
    bucket: Client,
    disk: DiskBlobStore,
}

impl S3BlobStore {
    /// Fails if the bucket does not exist or rejects the credentials. If it cannot be reached it
    /// may be reachable later, so the shop still starts.
    pub async fn open(settings: S3Settings) -> anyhow::Result<S3BlobStore> {
        let name = settings.bucket.clone();
        let store = S3BlobStore {
            disk: DiskBlobStore::new(settings.folder.clone()),
            bucket: Client::new(settings)?,
        };
        store.check_access(&name).await?;
        Ok(store)
    }

    /// Requests an object that does not exist, then a list. The error shows what is wrong.
    async fn check_access(&self, name: &str) -> anyhow::Result<()> {
        let denied = match self.bucket.size("index/nothing").await {
            Err(error) if error.is_denied() => Err(error).with_context(|| {
                format!("bucket {name:?} refuses pictures.access_key and pictures.secret_key")
            }),
            Err(error) => return does_not_respond(name, &error),
            Ok(_) => Ok(()),
        };
        denied?;
        match self.bucket.list_one("index/").await {
            Ok(()) => Ok(()),
            Err(error) if error.code() == "NoSuchBucket" => {
                Err(error).with_context(|| format!("there is no bucket {name:?}"))
            }
            Err(error) if error.is_denied() => Err(error).with_context(|| {
                format!("bucket {name:?} does not let pictures.access_key list it")
            }),
            Err(error) => does_not_respond(name, &error),
        }
    }
}

fn does_not_respond(name: &str, error: &client::S3Error) -> anyhow::Result<()> {
    tracing::warn!(bucket = name, %error, "the S3 bucket does not respond");
    Ok(())
}

/// The object keys are the names on the disk, so that files can be copied from one to the other.
fn checked_key(name: &str) -> anyhow::Result<&str> {
    let is_valid = |part: &str| {
        !part.is_empty() && part != "." && part != ".." && !part.contains(char::is_control)
    };
    anyhow::ensure!(
        name.split('/').all(is_valid),
        "{name:?} is not a valid object key"
    );
    Ok(name)
}

#[async_trait]
impl BlobStore for S3BlobStore {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.put(name, bytes).await;
        }
        let put = self.bucket.put(checked_key(name)?, bytes).await;
        put.context("the S3 bucket rejected an object")
    }

    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.get(name).await;
        }
        let found = self.bucket.get(checked_key(name)?).await;
        found.context("the S3 bucket did not return an object")
    }

    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.size(name).await;
        }
        let found = self.bucket.size(checked_key(name)?).await;
        found.context("the S3 bucket did not describe an object")
    }

    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.delete(name).await;
        }
        let deleted = self.bucket.delete(checked_key(name)?).await;
        deleted.context("the S3 bucket did not delete an object")
    }
}
