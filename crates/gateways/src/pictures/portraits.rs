//! People's pictures. They are small, and somebody may want to be forgotten: the picture itself is all that is ever
//! written, so that nothing made of it can outlive it. Sizes are made when they are asked for and kept in memory only.

use std::sync::Arc;

use mirasa_app::ports::images::{Format, ServedImage};

use super::cards::Known;
use super::encode::{Quality, encode};
use super::intake::{decode_master, plan_master};
use super::names::Rendition;
use super::shelf::{LocalShelf, remembered_as, served};

impl LocalShelf {
    /// Never an AVIF: for an image this small it is not worth its time.
    pub(super) async fn portrait(
        &self,
        known: &Known,
        width: u32,
        formats: &[Format],
    ) -> anyhow::Result<Option<ServedImage>> {
        let mut readable = formats
            .iter()
            .copied()
            .filter(|format| *format != Format::Avif);
        let format = readable.next().unwrap_or(Format::Jpeg);
        if width == known.card.width && format == known.card.format() {
            return self.master(known, true).await;
        }
        let key = remembered_as(&known.object(Rendition { format, width }), known);
        let ready = |bytes| Ok(Some(served(known, bytes, format, true)));
        if let Some(bytes) = self.room.cache.get(&key) {
            return ready(bytes);
        }
        let turn = Arc::clone(&self.portrait_turn).lock_owned().await;
        if let Some(bytes) = self.room.cache.get(&key) {
            return ready(bytes);
        }
        let master = self.room.store.get(&known.place.master()).await?;
        let Some(master) = master.filter(|master| known.card.is_about(master)) else {
            return Ok(None);
        };
        let plan = plan_master(&master)?;
        let made = known.rendition_pixels(Rendition { format, width });
        let memory = plan.memory(made, format, true);
        let made = self.room.memory.run(memory, move || {
            let _turn = turn;
            let pixels = decode_master(&master, &plan)?.at_width(width)?;
            encode(&pixels, format, Quality::Screen)
        });
        let bytes: Arc<[u8]> = made.await??.into();
        self.room.cache.put(&key, &bytes);
        ready(bytes)
    }
}
