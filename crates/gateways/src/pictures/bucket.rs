//! Pictures in a bucket that speaks S3, for a shop that runs on several machines or keeps no disk.
//!
//! The bucket has what cannot be made again: the pictures as they were taken in, and their cards.
//! Renditions stay on the machine's own disk. Whoever starts with an empty folder makes them anew.

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

use super::store::{DiskStore, PictureStore};

/// What the shelf keeps under this name can be made again.
const MADE_HERE: &str = "renditions/";
/// A visitor waits for these; the request around them is given up after 30 seconds.
const CONNECT: Duration = Duration::from_secs(3);
const ONE_CALL: Duration = Duration::from_secs(10);
const WITH_RETRIES: Duration = Duration::from_secs(15);

/// Where the bucket is, and the key to it.
#[derive(Clone)]
pub struct BucketSettings {
    pub bucket: String,
    /// Empty means Amazon's own, in the region.
    pub endpoint: String,
    pub region: String,
    pub access_key: String,
    pub secret_key: String,
    /// For the renditions.
    pub folder: PathBuf,
}

/// Shows no secret, whoever logs it.
impl std::fmt::Debug for BucketSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BucketSettings")
            .field("bucket", &self.bucket)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

pub struct BucketStore {
    bucket: AmazonS3,
    name: String,
    disk: DiskStore,
}

impl BucketStore {
    /// Refuses a bucket that is not there and a key that does not fit. One that cannot be reached now may
    /// be reached later, and must not keep the shop closed.
    pub async fn open(settings: BucketSettings) -> anyhow::Result<BucketStore> {
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&settings.bucket)
            .with_region(&settings.region)
            .with_access_key_id(&settings.access_key)
            .with_secret_access_key(&settings.secret_key)
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: 2,
                retry_timeout: WITH_RETRIES,
            })
            .with_client_options(
                ClientOptions::new()
                    .with_connect_timeout(CONNECT)
                    .with_timeout(ONE_CALL),
            );
        if !settings.endpoint.is_empty() {
            builder = builder
                .with_endpoint(&settings.endpoint)
                .with_allow_http(settings.endpoint.starts_with("http://"));
        }
        let store = BucketStore {
            bucket: builder.build().context("the bucket's settings")?,
            name: settings.bucket,
            disk: DiskStore::new(settings.folder),
        };
        store.look().await?;
        Ok(store)
    }

    /// Asks for an object that is not there: what the answer blames tells what is wrong.
    async fn look(&self) -> anyhow::Result<()> {
        let name = &self.name;
        match self.bucket.head(&Path::from("index/nothing")).await {
            Ok(_) | Err(Error::NotFound { .. }) => {}
            Err(fault @ (Error::PermissionDenied { .. } | Error::Unauthenticated { .. })) => {
                return Err(fault).with_context(|| {
                    format!("bucket {name:?} refuses pictures.access_key and pictures.secret_key")
                });
            }
            Err(fault) => {
                tracing::warn!(bucket = name, %fault, "the pictures' bucket does not answer");
                return Ok(());
            }
        }
        match self
            .bucket
            .list(Some(&Path::from("index")))
            .try_next()
            .await
        {
            Err(fault) if fault.to_string().contains("NoSuchBucket") => {
                Err(fault).with_context(|| format!("there is no bucket {name:?}"))
            }
            Err(fault) if fault.to_string().contains("AccessDenied") => {
                Err(fault).with_context(|| {
                    format!("bucket {name:?} does not let pictures.access_key list it")
                })
            }
            Err(fault) => {
                tracing::warn!(bucket = name, %fault, "the pictures' bucket does not answer");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// The disk's names are the bucket's too, so that one can be copied into the other.
    fn key(&self, name: &str) -> anyhow::Result<Path> {
        let path = Path::parse(name).with_context(|| format!("{name:?} is no object's name"))?;
        anyhow::ensure!(path.as_ref() == name, "{name:?} is no object's name");
        Ok(path)
    }
}

#[async_trait]
impl PictureStore for BucketStore {
    async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        if name.starts_with(MADE_HERE) {
            return self.disk.put(name, bytes).await;
        }
        let put = self.bucket.put(&self.key(name)?, bytes.into()).await;
        put.map(drop).context("the pictures' bucket took nothing")
    }

    async fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        if name.starts_with(MADE_HERE) {
            return self.disk.get(name).await;
        }
        let Some(found) = if_there(self.bucket.get(&self.key(name)?).await)? else {
            return Ok(None);
        };
        Ok(if_there(found.bytes().await)?.map(Vec::from))
    }

    async fn size(&self, name: &str) -> anyhow::Result<Option<u64>> {
        if name.starts_with(MADE_HERE) {
            return self.disk.size(name).await;
        }
        let about = if_there(self.bucket.head(&self.key(name)?).await)?;
        Ok(about.map(|about| about.size))
    }

    async fn remove(&self, name: &str) -> anyhow::Result<()> {
        if name.starts_with(MADE_HERE) {
            return self.disk.remove(name).await;
        }
        if_there(self.bucket.delete(&self.key(name)?).await).map(drop)
    }
}

fn if_there<T>(answer: object_store::Result<T>) -> anyhow::Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(fault) => Err(fault).context("the pictures' bucket gave nothing"),
    }
}
