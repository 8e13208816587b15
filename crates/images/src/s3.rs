//! Images in an S3 bucket, for a shop on several machines or without a persistent disk.
//!
//! The bucket has the originals and their metadata. Renditions stay on the local disk, because they
//! can be made again.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use futures::TryStreamExt as _;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, Error, ObjectStore as _, ObjectStoreExt as _, RetryConfig,
};

use super::blob_store::{BlobStore, DiskBlobStore};

/// Objects under this prefix can be made again and stay on the local disk.
const LOCAL_PREFIX: &str = "renditions/";
/// A client waits for these; its request times out after 30 seconds.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const RETRY_TIMEOUT: Duration = Duration::from_secs(15);

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
    bucket: AmazonS3,
    name: String,
    disk: DiskBlobStore,
}

impl S3BlobStore {
    /// Fails if the bucket does not exist or rejects the credentials. If it cannot be reached it
    /// may be reachable later, so the shop still starts.
    pub async fn open(settings: S3Settings) -> anyhow::Result<S3BlobStore> {
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&settings.bucket)
            .with_region(&settings.region)
            .with_access_key_id(&settings.access_key)
            .with_secret_access_key(&settings.secret_key)
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: 2,
                retry_timeout: RETRY_TIMEOUT,
            })
            .with_client_options(
                ClientOptions::new()
                    .with_connect_timeout(CONNECT_TIMEOUT)
                    .with_timeout(REQUEST_TIMEOUT),
            );
        if !settings.endpoint.is_empty() {
            builder = builder
                .with_endpoint(&settings.endpoint)
                .with_allow_http(settings.endpoint.starts_with("http://"));
        }
        let store = S3BlobStore {
            bucket: builder.build().context("the bucket's settings")?,
            name: settings.bucket,
            disk: DiskBlobStore::new(settings.folder),
        };
        store.check_access().await?;
        Ok(store)
    }

    /// Requests an object that does not exist. The error shows what is wrong.
    async fn check_access(&self) -> anyhow::Result<()> {
        let name = &self.name;
        match self.bucket.head(&Path::from("index/nothing")).await {
            Ok(_) | Err(Error::NotFound { .. }) => {}
            Err(error @ (Error::PermissionDenied { .. } | Error::Unauthenticated { .. })) => {
                return Err(error).with_context(|| {
                    format!("bucket {name:?} refuses pictures.access_key and pictures.secret_key")
                });
            }
            Err(error) => {
                tracing::warn!(bucket = name, %error, "the S3 bucket does not respond");
                return Ok(());
            }
        }
        match self
            .bucket
            .list(Some(&Path::from("index")))
            .try_next()
            .await
        {
            Err(error) if error.to_string().contains("NoSuchBucket") => {
                Err(error).with_context(|| format!("there is no bucket {name:?}"))
            }
            Err(error) if error.to_string().contains("AccessDenied") => {
                Err(error).with_context(|| {
                    format!("bucket {name:?} does not let pictures.access_key list it")
                })
            }
            Err(error) => {
                tracing::warn!(bucket = name, %error, "the S3 bucket does not respond");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// The object keys are the names on the disk, so that files can be copied from one to the
    /// other.
    fn key(&self, name: &str) -> anyhow::Result<Path> {
        let path =
            Path::parse(name).with_context(|| format!("{name:?} is not a valid object key"))?;
        anyhow::ensure!(path.as_ref() == name, "{name:?} is not a valid object key");
        Ok(path)
    }
}

#[async_trait]
impl BlobStore for S3BlobStore {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.put(name, bytes).await;
        }
        let put = self.bucket.put(&self.key(name)?, bytes.into()).await;
        put.map(drop).context("the S3 bucket rejected an object")
    }

    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.get(name).await;
        }
        let Some(found) = none_if_missing(self.bucket.get(&self.key(name)?).await)? else {
            return Ok(None);
        };
        Ok(none_if_missing(found.bytes().await)?.map(Vec::from))
    }

    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.size(name).await;
        }
        let object = none_if_missing(self.bucket.head(&self.key(name)?).await)?;
        Ok(object.map(|object| object.size))
    }

    async fn delete(&self, name: &str) -> anyhow::Result<()> {
        if name.starts_with(LOCAL_PREFIX) {
            return self.disk.delete(name).await;
        }
        none_if_missing(self.bucket.delete(&self.key(name)?).await).map(drop)
    }
}

fn none_if_missing<T>(result: object_store::Result<T>) -> anyhow::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error).context("the S3 bucket did not return an object"),
    }
}
