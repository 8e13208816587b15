//! The steps of an import: decode within the memory limit, encode, save.

use std::sync::Arc;

use mirasa_app::ports::images::{ImageFolder, ImageStoreError, MAX_UPLOAD_BYTES};
use mirasa_domain::product::Image;
use tokio::task::JoinError;

use super::image_store::ResizingImageStore;
use super::import::{ImportedImage, Rules, import, inspect};
use super::keys::{ImageKey, SafeFileName, upload_name};
use super::metadata::ImageMetadata;
use super::sha256_hex;

impl ResizingImageStore {
    pub(super) async fn import_upload(
        &self,
        folder: ImageFolder,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Image, ImageStoreError> {
        let invalid_name = || ImageStoreError::InvalidName(name.to_owned());
        if keep_name && SafeFileName::parse(name).is_none() {
            return Err(invalid_name());
        }
        if bytes.len() > MAX_UPLOAD_BYTES {
            return Err(ImageStoreError::TooLarge(name.to_owned()));
        }
        let (source_hash, bytes) = blocking(name, move || (sha256_hex(&bytes), bytes)).await?;
        let file = match folder {
            _ if keep_name => name.to_owned(),
            // The name of a customer's file is private.
            ImageFolder::People => format!("{}.webp", source_hash.get(..20).unwrap_or_default()),
            ImageFolder::Products
            | ImageFolder::Site
            | ImageFolder::Problems
            | ImageFolder::Reviews => upload_name(name, &source_hash),
        };
        let key = ImageKey::parse(folder, &file).ok_or_else(invalid_name)?;
        let existing = self.existing(&key, &source_hash).await;
        if let Some(image) = existing.map_err(ImageStoreError::Storage)? {
            return Ok(image);
        }

        let guard = match folder {
            // One customer's image at a time.
            ImageFolder::People | ImageFolder::Problems | ImageFolder::Reviews => {
                Some(Arc::clone(&self.profile_picture_lock).lock_owned().await)
            }
            ImageFolder::Products | ImageFolder::Site => None,
        };
        let rules = Rules::of(folder, keep_name);
        let owned_name = name.to_owned();
        let (inspected, bytes) =
            blocking(name, move || (inspect(&owned_name, &bytes, &rules), bytes)).await?;
        let (plan, memory) = inspected?;
        let format = key.file.original_format();
        let owned_name = name.to_owned();
        let work = self.shared.memory.run(memory, move || {
            // The next import may start when this work ends, even if the request was cancelled.
            let _guard = guard;
            let original = import(&owned_name, &bytes, format, &rules, &plan)?;
            Ok::<_, ImageStoreError>((ImageMetadata::new(&source_hash, &original), original))
        });
        let (metadata, original) = work
            .await
            .map_err(|error| decoder_panicked(name, &error))??;
        self.save(&key, metadata, original)
            .await
            .map_err(ImageStoreError::Storage)
    }

    /// The stored image, if it was made from the same bytes.
    async fn existing(&self, key: &ImageKey, source_hash: &str) -> anyhow::Result<Option<Image>> {
        let Some(image) = self.shared.metadata.find(key).await? else {
            return Ok(None);
        };
        if !image.metadata.matches_source(source_hash) {
            return Ok(None);
        }
        let size = self.shared.store.size(&key.original_key()).await?;
        Ok((size == Some(image.metadata.size)).then(|| image.metadata.to_image(key)))
    }

    /// Writes the image first, then its metadata. If the server stops in between, the metadata does
    /// not match the file, and the image is imported again.
    async fn save(
        &self,
        key: &ImageKey,
        metadata: ImageMetadata,
        original: ImportedImage,
    ) -> anyhow::Result<Image> {
        let _guard = self.write_lock.lock().await;
        let previous = self.shared.metadata.find(key).await?;
        self.shared
            .store
            .put(&key.original_key(), original.file)
            .await?;
        let image = self.shared.metadata.write(key, metadata).await?;
        if let Some(previous) = previous
            && previous.metadata.version != image.metadata.version
        {
            for rendition in previous.all_renditions() {
                self.shared
                    .store
                    .delete(&previous.object_key(rendition))
                    .await?;
            }
        }
        Ok(image.metadata.to_image(key))
    }
}

/// If a decoder panics, the file counts as invalid.
fn decoder_panicked(name: &str, error: &JoinError) -> ImageStoreError {
    tracing::warn!(name, %error, "an image could not be examined");
    ImageStoreError::NotAnImage(name.to_owned())
}

async fn blocking<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ImageStoreError> {
    let work = tokio::task::spawn_blocking(work);
    work.await.map_err(|error| decoder_panicked(name, &error))
}
