//! What the shelf knows about each picture: a small JSON file beside it, remembered in memory.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mirasa_app::ports::images::{Format, ImageFolder};
use mirasa_domain::product::Image;
use serde::{Deserialize, Serialize};

use super::encode::{MAX_AVIF_BITS_A_PIXEL, MAX_AVIF_PIXELS};
use super::names::{Place, Rendition, steps_of};
use super::store::PictureStore;
use super::{hex_of, lock};

/// How masters and renditions are made. Raise it when that changes: every picture then gets a new
/// version, and nobody sees an old rendition again.
const RECIPE: u8 = 1;

/// Another instance of the shop may replace a picture in a shared store.
const FRESH: Duration = Duration::from_secs(10);
/// Beyond this the memory is emptied and fills itself again.
const MOST_REMEMBERED: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// SHA-256 of the bytes as they were sent.
    source: String,
    recipe: u8,
    /// SHA-256 and size of the file as it is kept.
    kept: String,
    pub size: u64,
    format: KeptFormat,
    pub width: u32,
    pub height: u32,
    pub colour: String,
    pub version: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeptFormat {
    WebP,
    Jpeg,
}

impl Card {
    pub fn new(source_hash: &str, master: &super::intake::Master) -> Card {
        let short = source_hash.get(..10).unwrap_or(source_hash);
        Card {
            source: source_hash.to_owned(),
            recipe: RECIPE,
            kept: hex_of(&master.file),
            size: u64::try_from(master.file.len()).unwrap_or(u64::MAX),
            format: match master.format {
                Format::Jpeg => KeptFormat::Jpeg,
                Format::WebP | Format::Avif => KeptFormat::WebP,
            },
            width: master.width,
            height: master.height,
            colour: master.colour.clone(),
            version: format!("{short}{RECIPE:02x}"),
        }
    }

    pub fn is_of(&self, source_hash: &str) -> bool {
        self.source == source_hash && self.recipe == RECIPE
    }

    pub fn is_about(&self, master: &[u8]) -> bool {
        self.kept == hex_of(master)
    }

    pub fn format(&self) -> Format {
        match self.format {
            KeptFormat::WebP => Format::WebP,
            KeptFormat::Jpeg => Format::Jpeg,
        }
    }

    pub fn picture(&self, place: &Place) -> Image {
        Image {
            file: place.file.as_str().to_owned(),
            alt: String::new(),
            width: self.width,
            height: self.height,
            colour: self.colour.clone(),
            version: self.version.clone(),
        }
    }
}

/// A picture of the shelf, with the renditions of it that exist.
pub struct Known {
    pub place: Place,
    pub card: Card,
    ready: Mutex<HashSet<Rendition>>,
    read_at: Mutex<Instant>,
}

impl Known {
    pub fn new(place: Place, card: Card) -> Known {
        Known {
            place,
            card,
            ready: Mutex::default(),
            read_at: Mutex::new(Instant::now()),
        }
    }

    pub fn is_ready(&self, rendition: Rendition) -> bool {
        lock(&self.ready).contains(&rendition)
    }

    pub fn set_ready(&self, rendition: Rendition, ready: bool) {
        let mut set = lock(&self.ready);
        if ready {
            set.insert(rendition);
        } else {
            set.remove(&rendition);
        }
    }

    pub fn object(&self, rendition: Rendition) -> String {
        rendition.object(self.place.drawer, &self.card.version)
    }

    fn pixels_at(&self, width: u32) -> u64 {
        let (own, high) = (u64::from(self.card.width), u64::from(self.card.height));
        u64::from(width) * (u64::from(width) * high).div_ceil(own.max(1))
    }

    /// Whether an AVIF of this width is worth its time and memory.
    pub fn may_be_avif(&self, width: u32) -> bool {
        let kept_pixels = self.pixels_at(self.card.width).max(1);
        self.pixels_at(width) <= MAX_AVIF_PIXELS
            && self.card.size * 8 / kept_pixels <= MAX_AVIF_BITS_A_PIXEL
    }

    pub fn rendition_pixels(&self, rendition: Rendition) -> u64 {
        self.pixels_at(rendition.width)
    }

    /// Every rendition that this picture may have.
    pub fn possible(&self) -> impl Iterator<Item = Rendition> {
        steps_of(self.card.width).flat_map(|width| {
            [Format::Avif, Format::WebP, Format::Jpeg].map(|format| Rendition { format, width })
        })
    }
}

pub struct Cards {
    store: Arc<dyn PictureStore>,
    memory: Mutex<HashMap<Place, Arc<Known>>>,
    /// How many cards were removed. Who read a card before must not remember it afterwards.
    removals: AtomicU64,
}

impl Cards {
    pub fn new(store: Arc<dyn PictureStore>) -> Cards {
        Cards {
            store,
            memory: Mutex::default(),
            removals: AtomicU64::new(0),
        }
    }

    pub async fn find(&self, place: &Place) -> anyhow::Result<Option<Arc<Known>>> {
        let remembered = lock(&self.memory).get(place).cloned();
        if let Some(known) = &remembered
            && lock(&known.read_at).elapsed() < FRESH
        {
            return Ok(remembered);
        }
        let removals = self.removals.load(Ordering::SeqCst);
        let read = match (self.read(place).await, &remembered) {
            // A store that does not answer now has said before what is true of most pictures for ever.
            (Err(fault), Some(known)) => {
                tracing::warn!(
                    card = place.card(),
                    fault = format!("{fault:#}"),
                    "card not read"
                );
                *lock(&known.read_at) = Instant::now();
                return Ok(remembered);
            }
            (read, _) => read?,
        };
        let Some(card) = read else {
            lock(&self.memory).remove(place);
            return Ok(None);
        };
        if let Some(known) = remembered
            && known.card == card
        {
            *lock(&known.read_at) = Instant::now();
            return Ok(Some(known));
        }
        self.remember(place, card, removals).await.map(Some)
    }

    /// A card that cannot be read is as good as none: the picture has to be taken in again.
    async fn read(&self, place: &Place) -> anyhow::Result<Option<Card>> {
        let Some(json) = self.store.get(&place.card()).await? else {
            return Ok(None);
        };
        let card = serde_json::from_slice(&json)
            .inspect_err(|fault| tracing::warn!(card = place.card(), %fault, "unreadable card"))
            .ok();
        Ok(card)
    }

    pub async fn write(&self, place: &Place, card: Card) -> anyhow::Result<Arc<Known>> {
        let json = serde_json::to_vec_pretty(&card)?;
        let removals = self.removals.load(Ordering::SeqCst);
        self.store.put(&place.card(), json).await?;
        self.remember(place, card, removals).await
    }

    pub async fn remove(&self, place: &Place) -> anyhow::Result<()> {
        self.store.remove(&place.card()).await?;
        self.removals.fetch_add(1, Ordering::SeqCst);
        lock(&self.memory).remove(place);
        Ok(())
    }

    /// Whether the picture is still the one of this card, in the store itself.
    pub async fn is_current(&self, known: &Known) -> anyhow::Result<bool> {
        Ok(self.read(&known.place).await?.as_ref() == Some(&known.card))
    }

    async fn remember(
        &self,
        place: &Place,
        card: Card,
        removals: u64,
    ) -> anyhow::Result<Arc<Known>> {
        let known = Known::new(place.clone(), card);
        // Of people's pictures none is written.
        let possible = known
            .possible()
            .filter(|_| place.drawer != ImageFolder::People);
        for rendition in possible {
            if self.store.size(&known.object(rendition)).await?.is_some() {
                known.set_ready(rendition, true);
            }
        }
        let known = Arc::new(known);
        let mut memory = lock(&self.memory);
        if memory.len() >= MOST_REMEMBERED {
            memory.clear();
        }
        if self.removals.load(Ordering::SeqCst) == removals {
            memory.insert(place.clone(), Arc::clone(&known));
        }
        Ok(known)
    }
}
