//! The rendered pages in memory, of one catalogue snapshot. When there is no room, the least recently used page is
//! removed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use axum::response::Response;
use http::{HeaderMap, StatusCode, header};
use tokio::sync::OnceCell;

use crate::assets::Template;
use crate::assets::precompressed::Precompressed;
use crate::guard::security_headers::add_security_headers;
use crate::settings::HttpSettings;

/// The bytes of each page, plain and compressed.
const CACHE_LIMITS: CacheLimits = CacheLimits {
    pages: 2000,
    bytes: 64 * 1024 * 1024,
};

#[derive(Clone, Copy)]
struct CacheLimits {
    pages: usize,
    bytes: usize,
}

pub struct Page {
    status: StatusCode,
    text: Precompressed,
}

impl Page {
    pub fn new(status: StatusCode, text: Precompressed) -> Page {
        Page { status, text }
    }

    pub fn respond(
        &self,
        template: &Template,
        settings: &HttpSettings,
        request: &HeaderMap,
    ) -> Response {
        let add_headers = |head: &mut HeaderMap| {
            let policy = template.content_security_policy.clone();
            head.insert(header::CONTENT_SECURITY_POLICY, policy);
            add_security_headers(settings, head);
        };
        let html = "text/html; charset=utf-8";
        self.text
            .respond(request, self.status, html, "no-cache", add_headers)
    }

    /// Its size in memory. The two compressed variants together take less than half of the plain text.
    fn size(&self) -> usize {
        self.text.plain.len() * 3 / 2
    }
}

/// A page that was rendered now.
pub struct RenderedPage {
    pub page: Arc<Page>,
    pub cacheable: bool,
}

pub struct PageCache(RwLock<Pages>);

impl Default for PageCache {
    fn default() -> PageCache {
        PageCache(RwLock::new(Pages::new(CACHE_LIMITS)))
    }
}

impl PageCache {
    /// The page, if it has been rendered from this snapshot.
    pub fn get(&self, name: &str, content_revision: u64) -> Option<Arc<Page>> {
        let pages = self.0.read().unwrap_or_else(PoisonError::into_inner);
        pages.get(name, content_revision)
    }

    /// From memory, or rendered and kept. Requests for the same page wait for the first one.
    pub async fn get_or_render(
        &self,
        name: &str,
        content_revision: u64,
        render: impl Future<Output = anyhow::Result<RenderedPage>>,
    ) -> anyhow::Result<Arc<Page>> {
        if let Some(page) = self.get(name, content_revision) {
            return Ok(page);
        }
        let slot = self.write().slot(name, content_revision);
        let mut cacheable = true;
        let page = slot
            .get_or_try_init(|| async {
                let rendered = render.await?;
                cacheable = rendered.cacheable;
                anyhow::Ok(rendered.page)
            })
            .await?;
        match cacheable {
            true => self.write().set_size(name, content_revision, page.size()),
            false => self.write().remove(name, content_revision),
        }
        Ok(page.clone())
    }

    fn write(&self) -> RwLockWriteGuard<'_, Pages> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Filled by the first request; the others wait for it.
type Slot = Arc<OnceCell<Arc<Page>>>;

struct Pages {
    limits: CacheLimits,
    content_revision: u64,
    pages: HashMap<String, CachedPage>,
    bytes: usize,
    uses: AtomicU64,
}

#[derive(Default)]
struct CachedPage {
    place: Slot,
    bytes: usize,
    last_use: AtomicU64,
}

impl Pages {
    fn new(limits: CacheLimits) -> Pages {
        Pages {
            limits,
            content_revision: 0,
            pages: HashMap::new(),
            bytes: 0,
            uses: AtomicU64::new(0),
        }
    }

    /// The page, if it has been rendered from this snapshot.
    fn get(&self, name: &str, content_revision: u64) -> Option<Arc<Page>> {
        if self.content_revision != content_revision {
            return None;
        }
        let page = self.pages.get(name)?;
        self.touch(page);
        page.place.get().cloned()
    }

    fn touch(&self, page: &CachedPage) {
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        page.last_use.store(now, Ordering::Relaxed);
    }

    fn slot(&mut self, name: &str, content_revision: u64) -> Slot {
        if content_revision < self.content_revision {
            // The request belongs to an older snapshot and renders its own page.
            return Slot::default();
        }
        if content_revision > self.content_revision {
            self.content_revision = content_revision;
            self.pages.clear();
            self.bytes = 0;
        }
        if !self.pages.contains_key(name) {
            while self.pages.len() >= self.limits.pages {
                self.evict_oldest();
            }
            self.pages.insert(name.to_owned(), CachedPage::default());
        }
        let page = &self.pages[name];
        self.touch(page);
        page.place.clone()
    }

    /// Counts the size of a page that has been rendered.
    fn set_size(&mut self, name: &str, content_revision: u64, bytes: usize) {
        let Some(page) = self
            .pages
            .get_mut(name)
            .filter(|_| self.content_revision == content_revision)
        else {
            return;
        };
        self.bytes = self.bytes - page.bytes + bytes;
        page.bytes = bytes;
        while self.bytes > self.limits.bytes && self.pages.len() > 1 {
            self.evict_oldest();
        }
    }

    /// The page must not be kept: the next request renders it again.
    fn remove(&mut self, name: &str, content_revision: u64) {
        if self.content_revision == content_revision
            && let Some(page) = self.pages.remove(name)
        {
            self.bytes -= page.bytes;
        }
    }

    fn evict_oldest(&mut self) {
        let last_use = |page: &CachedPage| page.last_use.load(Ordering::Relaxed);
        let oldest = self.pages.iter().min_by_key(|(_, page)| last_use(page));
        if let Some(name) = oldest.map(|(name, _)| name.clone()) {
            self.bytes -= self.pages.remove(&name).map_or(0, |page| page.bytes);
            metrics::counter!("pages_evicted_total").increment(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: CacheLimits = CacheLimits {
        pages: 3,
        bytes: 1000,
    };

    fn fill(cache: &mut Pages, name: &str, bytes: usize) {
        let page = Page::new(StatusCode::OK, Precompressed::new(name.into()));
        let _ = cache.slot(name, 1).set(Arc::new(page));
        cache.set_size(name, 1, bytes);
    }

    fn page(cache: &Pages) -> String {
        let names = ["a", "b", "c", "d", "e"].iter();
        let page = names.filter(|name| cache.pages.contains_key(**name));
        page.copied().collect()
    }

    #[test]
    fn least_recently_used_page_is_evicted() {
        let mut cache = Pages::new(SMALL);
        for name in ["a", "b", "c"] {
            fill(&mut cache, name, 10);
        }
        for new in ["d", "e"] {
            assert!(cache.get("a", 1).is_some());
            fill(&mut cache, new, 10);
        }
        assert_eq!(page(&cache), "ade");
    }

    #[test]
    fn cache_stays_below_its_byte_limit() {
        let mut cache = Pages::new(SMALL);
        fill(&mut cache, "a", 400);
        fill(&mut cache, "b", 400);
        fill(&mut cache, "b", 400);
        assert_eq!((page(&cache).as_str(), cache.bytes), ("ab", 800));
        fill(&mut cache, "c", 500);
        assert_eq!((page(&cache).as_str(), cache.bytes), ("bc", 900));
        fill(&mut cache, "d", 5000);
        assert_eq!(page(&cache), "d", "a page over the limit is cached alone");
        cache.remove("d", 1);
        assert_eq!((page(&cache).as_str(), cache.bytes), ("", 0));
    }

    #[test]
    fn new_revision_clears_the_cache_and_an_old_one_is_ignored() {
        let mut cache = Pages::new(SMALL);
        fill(&mut cache, "a", 10);
        cache.slot("b", 2);
        assert!(cache.get("a", 1).is_none() && cache.get("a", 2).is_none());
        cache.slot("c", 1);
        cache.set_size("b", 1, 10);
        cache.remove("b", 1);
        assert_eq!((page(&cache).as_str(), cache.bytes), ("b", 0));
    }
}
