//! Profile pictures. Only the original is stored, so that no rendition can remain after a user
//! deletes the account. Renditions are made on request and cached in memory only.

use std::sync::Arc;

use mirasa_app::ports::images::{Format, ServedImage};

use super::image_store::{ResizingImageStore, cache_key, served};
use super::import::{decode_original, plan_original};
use super::keys::Rendition;
use super::metadata::StoredImage;
use mirasa_codecs::encode::{Quality, encode};

impl ResizingImageStore {
    /// Never AVIF: for an image this small it is not worth its time.
    pub(super) async fn profile_picture(
        &self,
        image: &StoredImage,
        width: u32,
        formats: &[Format],
    ) -> anyhow::Result<Option<ServedImage>> {
        let mut supported = formats
            .iter()
            .copied()
            .filter(|format| *format != Format::Avif);
        let format = supported.next().unwrap_or(Format::Jpeg);
        if width == image.metadata.width && format == image.metadata.format() {
            return self.original(image, true).await;
        }
        let key = cache_key(&image.object_key(Rendition { format, width }), image);
        let ready = |bytes| Ok(Some(served(image, bytes, format, true)));
        if let Some(bytes) = self.shared.cache.get(&key) {
            return ready(bytes);
        }
        let guard = Arc::clone(&self.profile_picture_lock).lock_owned().await;
        if let Some(bytes) = self.shared.cache.get(&key) {
            return ready(bytes);
        }
        let original = self.shared.store.get(&image.key.original_key()).await?;
        let Some(original) = original.filter(|original| image.metadata.matches_original(original))
        else {
            return Ok(None);
        };
        let plan = plan_original(&original)?;
        let output_pixels = image.rendition_pixels(Rendition { format, width });
        let memory = plan.memory(output_pixels, format, true);
        let work = self.shared.memory.run(memory, move || {
            let _guard = guard;
            let pixels = decode_original(&original, &plan)?.at_width(width)?;
            encode(&pixels, format, Quality::Screen)
        });
        let bytes: Arc<[u8]> = work.await??.into();
        self.shared.cache.put(&key, &bytes);
        ready(bytes)
    }
}
