//! The pages that are kept in memory, of one edition of the catalogue. Where there is no room, the page goes that
//! nobody has asked for the longest.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::OnceCell;

use crate::pages::Page;

/// Bytes count each page's text and what it is packed to.
pub const ROOM: Room = Room {
    pages: 2000,
    bytes: 64 * 1024 * 1024,
};

#[derive(Clone, Copy)]
pub struct Room {
    pages: usize,
    bytes: usize,
}

/// Filled by whoever comes first; the others wait for it.
pub type Place = Arc<OnceCell<Arc<Page>>>;

pub struct PageShelf {
    room: Room,
    edition: u64,
    pages: HashMap<String, Kept>,
    bytes: usize,
    uses: AtomicU64,
}

#[derive(Default)]
struct Kept {
    place: Place,
    bytes: usize,
    last_use: AtomicU64,
}

impl PageShelf {
    pub fn new(room: Room) -> PageShelf {
        PageShelf {
            room,
            edition: 0,
            pages: HashMap::new(),
            bytes: 0,
            uses: AtomicU64::new(0),
        }
    }

    /// The page, where it has been rendered in this edition.
    pub fn ready(&self, name: &str, edition: u64) -> Option<Arc<Page>> {
        if self.edition != edition {
            return None;
        }
        let kept = self.pages.get(name)?;
        self.note_use(kept);
        kept.place.get().cloned()
    }

    fn note_use(&self, kept: &Kept) {
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        kept.last_use.store(now, Ordering::Relaxed);
    }

    pub fn place(&mut self, name: &str, edition: u64) -> Place {
        if edition < self.edition {
            // Whoever is that late renders for themselves.
            return Place::default();
        }
        if edition > self.edition {
            self.edition = edition;
            self.pages.clear();
            self.bytes = 0;
        }
        if !self.pages.contains_key(name) {
            while self.pages.len() >= self.room.pages {
                self.throw_away_oldest();
            }
            self.pages.insert(name.to_owned(), Kept::default());
        }
        let kept = &self.pages[name];
        self.note_use(kept);
        kept.place.clone()
    }

    /// Counts a page that has been rendered into its place.
    pub fn keep(&mut self, name: &str, edition: u64, bytes: usize) {
        let Some(kept) = self.pages.get_mut(name).filter(|_| self.edition == edition) else {
            return;
        };
        self.bytes = self.bytes - kept.bytes + bytes;
        kept.bytes = bytes;
        while self.bytes > self.room.bytes && self.pages.len() > 1 {
            self.throw_away_oldest();
        }
    }

    /// The page is good for once only: whoever comes next renders it anew.
    pub fn forget(&mut self, name: &str, edition: u64) {
        if self.edition == edition
            && let Some(kept) = self.pages.remove(name)
        {
            self.bytes -= kept.bytes;
        }
    }

    fn throw_away_oldest(&mut self) {
        let last_use = |kept: &Kept| kept.last_use.load(Ordering::Relaxed);
        let oldest = self.pages.iter().min_by_key(|(_, kept)| last_use(kept));
        if let Some(name) = oldest.map(|(name, _)| name.clone()) {
            self.bytes -= self.pages.remove(&name).map_or(0, |kept| kept.bytes);
            metrics::counter!("pages_evicted").increment(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;
    use crate::encoded::Encoded;

    const SMALL: Room = Room {
        pages: 3,
        bytes: 1000,
    };

    fn fill(shelf: &mut PageShelf, name: &str, bytes: usize) {
        let page = Page::new(StatusCode::OK, Encoded::new(name.into()));
        let _ = shelf.place(name, 1).set(Arc::new(page));
        shelf.keep(name, 1, bytes);
    }

    fn kept(shelf: &PageShelf) -> String {
        let names = ["a", "b", "c", "d", "e"].iter();
        let kept = names.filter(|name| shelf.pages.contains_key(**name));
        kept.copied().collect()
    }

    #[test]
    fn what_is_asked_for_stays_whatever_else_comes() {
        let mut shelf = PageShelf::new(SMALL);
        for name in ["a", "b", "c"] {
            fill(&mut shelf, name, 10);
        }
        for new in ["d", "e"] {
            assert!(shelf.ready("a", 1).is_some());
            fill(&mut shelf, new, 10);
        }
        assert_eq!(kept(&shelf), "ade");
    }

    #[test]
    fn pages_take_only_so_much_memory() {
        let mut shelf = PageShelf::new(SMALL);
        fill(&mut shelf, "a", 400);
        fill(&mut shelf, "b", 400);
        fill(&mut shelf, "b", 400);
        assert_eq!((kept(&shelf).as_str(), shelf.bytes), ("ab", 800));
        fill(&mut shelf, "c", 500);
        assert_eq!((kept(&shelf).as_str(), shelf.bytes), ("bc", 900));
        fill(&mut shelf, "d", 5000);
        assert_eq!(kept(&shelf), "d", "even if it is alone too large");
        shelf.forget("d", 1);
        assert_eq!((kept(&shelf).as_str(), shelf.bytes), ("", 0));
    }

    #[test]
    fn a_new_edition_begins_anew_and_an_old_one_disturbs_nobody() {
        let mut shelf = PageShelf::new(SMALL);
        fill(&mut shelf, "a", 10);
        shelf.place("b", 2);
        assert!(shelf.ready("a", 1).is_none() && shelf.ready("a", 2).is_none());
        shelf.place("c", 1);
        shelf.keep("b", 1, 10);
        shelf.forget("b", 1);
        assert_eq!((kept(&shelf).as_str(), shelf.bytes), ("b", 0));
    }
}
