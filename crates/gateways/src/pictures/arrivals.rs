//! Taking a picture in: decoded within the memory there is, encoded anew, written down.

use std::sync::Arc;

use mirasa_app::ports::images::{ImageFolder, ImageStoreError, MAX_UPLOAD_BYTES};
use mirasa_domain::product::Image;
use tokio::task::JoinError;

use super::cards::Card;
use super::hex_of;
use super::intake::{Master, Rules, examine, inspect};
use super::names::{Place, PlainName, upload_name};
use super::shelf::LocalShelf;

impl LocalShelf {
    pub(super) async fn take(
        &self,
        drawer: ImageFolder,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Image, ImageStoreError> {
        let bad_name = || ImageStoreError::InvalidName(name.to_owned());
        if keep_name && PlainName::parse(name).is_none() {
            return Err(bad_name());
        }
        if bytes.len() > MAX_UPLOAD_BYTES {
            return Err(ImageStoreError::TooLarge(name.to_owned()));
        }
        let (source_hash, bytes) = blocking(name, move || (hex_of(&bytes), bytes)).await?;
        let file = match drawer {
            _ if keep_name => name.to_owned(),
            // What a person calls their picture is nobody's business.
            ImageFolder::People => format!("{}.webp", source_hash.get(..20).unwrap_or_default()),
            ImageFolder::Products | ImageFolder::Site => upload_name(name, &source_hash),
        };
        let place = Place::parse(drawer, &file).ok_or_else(bad_name)?;
        let there = self.already_there(&place, &source_hash).await;
        if let Some(picture) = there.map_err(ImageStoreError::Storage)? {
            return Ok(picture);
        }

        let turn = match drawer {
            ImageFolder::People => Some(Arc::clone(&self.portrait_turn).lock_owned().await),
            ImageFolder::Products | ImageFolder::Site => None,
        };
        let rules = Rules::of(drawer, keep_name);
        let called = name.to_owned();
        let (inspected, bytes) =
            blocking(name, move || (inspect(&called, &bytes, &rules), bytes)).await?;
        let (plan, memory) = inspected?;
        let format = place.file.master_format();
        let called = name.to_owned();
        let work = self.room.memory.run(memory, move || {
            // Given up or not, the next one's turn comes when this one is done.
            let _turn = turn;
            let master = examine(&called, &bytes, format, &rules, &plan)?;
            Ok::<_, ImageStoreError>((Card::new(&source_hash, &master), master))
        });
        let (card, master) = work.await.map_err(|fault| broke_down(name, &fault))??;
        self.keep(&place, card, master)
            .await
            .map_err(ImageStoreError::Storage)
    }

    /// None when these very bytes are not on the shelf yet.
    async fn already_there(
        &self,
        place: &Place,
        source_hash: &str,
    ) -> anyhow::Result<Option<Image>> {
        let Some(known) = self.room.cards.find(place).await? else {
            return Ok(None);
        };
        if !known.card.is_of(source_hash) {
            return Ok(None);
        }
        let size = self.room.store.size(&place.master()).await?;
        Ok((size == Some(known.card.size)).then(|| known.card.picture(place)))
    }

    /// The picture first, its card second: should the shop stop in between, the card still tells of
    /// other bytes, and the picture will be taken in again.
    async fn keep(&self, place: &Place, card: Card, master: Master) -> anyhow::Result<Image> {
        let _turn = self.writing.lock().await;
        let before = self.room.cards.find(place).await?;
        self.room.store.put(&place.master(), master.file).await?;
        let known = self.room.cards.write(place, card).await?;
        if let Some(before) = before
            && before.card.version != known.card.version
        {
            for rendition in before.possible() {
                self.room.store.remove(&before.object(rendition)).await?;
            }
        }
        Ok(known.card.picture(place))
    }
}

/// A decoder that breaks down has not been given a picture.
fn broke_down(name: &str, fault: &JoinError) -> ImageStoreError {
    tracing::warn!(name, %fault, "a picture could not be examined");
    ImageStoreError::NotAnImage(name.to_owned())
}

async fn blocking<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ImageStoreError> {
    let work = tokio::task::spawn_blocking(work);
    work.await.map_err(|fault| broke_down(name, &fault))
}
