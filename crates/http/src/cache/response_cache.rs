//! Public responses, kept serialised and compressed beside the catalogue snapshot that they were made from. Serving one
//! is a copy from memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use bytes::Bytes;
use mirasa_app::AppError;
use mirasa_app::catalogue::Snapshot;
use mirasa_domain::product::{Product, ProductId};
use serde::Serialize;

use crate::api::catalogue::product_list_query::ProductListQuery;
use crate::api::catalogue::types::{
    FiltersResponse, PartialMatchDto, ProductDto, ProductListResponse, ProductResponse,
    ProductsResponse, SearchResult, SuggestionDto, SuggestionsResponse,
};
use crate::assets::precompressed::Precompressed;
use crate::settings::shop::{ShopIdentity, ShopResponse};

/// How old the stock in a list may be. A single product's response is always current; a list is not rebuilt for every
/// sale.
const LIST_STOCK_MAX_AGE: Duration = Duration::from_secs(1);

/// One row below a product.
const MAX_RELATED: usize = 4;

/// As many as the search box has names of its own.
const MAX_SUGGESTIONS: usize = 21;

/// How many different product lists are kept. Clients can ask for any number of them.
const MAX_CACHED_LISTS: usize = 64;
/// The same for searches.
const MAX_CACHED_SEARCHES: usize = 256;
const MAX_CACHED_SEARCH_BYTES: usize = 64;

/// The kinds of response that need the catalogue snapshot only, and no database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachedResponse {
    Shop,
    Trending,
    Filters,
    ProductList,
    Product,
    Related,
    Search,
    Suggestions,
}

/// A request to the cache.
#[derive(Debug)]
pub enum CacheRequest<'a> {
    Shop,
    Trending,
    Filters,
    ProductList(ProductListQuery),
    Product(ProductId),
    Related(ProductId),
    Search(Cow<'a, str>),
    Suggestions(Cow<'a, str>),
}

impl CachedResponse {
    /// `id` is the path's parameter, if it has one, and `query` the URL's query.
    pub fn request<'a>(self, id: &str, query: &'a str) -> Result<CacheRequest<'a>, AppError> {
        let product_id = || ProductId(id.to_owned());
        Ok(match self {
            CachedResponse::Shop => CacheRequest::Shop,
            CachedResponse::Trending => CacheRequest::Trending,
            CachedResponse::Filters => CacheRequest::Filters,
            CachedResponse::ProductList => {
                CacheRequest::ProductList(ProductListQuery::parse(query)?)
            }
            CachedResponse::Product => CacheRequest::Product(product_id()),
            CachedResponse::Related => CacheRequest::Related(product_id()),
            CachedResponse::Search => CacheRequest::Search(search_words(query)?),
            CachedResponse::Suggestions => CacheRequest::Suggestions(search_words(query)?),
        })
    }
}

fn search_words(query: &str) -> Result<Cow<'_, str>, AppError> {
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    let mut words = pairs
        .filter(|(name, _)| name == "q")
        .map(|(_, words)| words);
    let first = words.next().unwrap_or_default();
    match words.next() {
        None => Ok(first),
        Some(_) => Err(AppError::invalid("q must be given once").with_field("q")),
    }
}

/// A response body from the cache.
pub enum CachedBody {
    Kept(Arc<Precompressed>),
    /// Made for this request and not kept: clients can ask for any number of these.
    Built(Vec<u8>),
    Searched(Arc<SearchBody>),
}

/// The result of a search. Not compressed: most searches are requested once, and their results are short.
pub struct SearchBody {
    pub plain: Bytes,
    /// The search as the shop spells it, where no product contains the text as it was typed.
    pub corrected_to: Option<String>,
}

impl CachedBody {
    pub fn plain(self) -> Bytes {
        match self {
            CachedBody::Kept(body) => body.plain.clone(),
            CachedBody::Built(body) => body.into(),
            CachedBody::Searched(found) => found.plain.clone(),
        }
    }
}

fn json<T: Serialize>(value: &T) -> Arc<Precompressed> {
    Arc::new(Precompressed::new(
        serde_json::to_vec(value).unwrap_or_default(),
    ))
}

/// The lists of one snapshot, each made at its first request.
struct ListCache {
    source: Arc<Snapshot>,
    made_at: Instant,
    by_query: Mutex<HashMap<ProductListQuery, Arc<Precompressed>>>,
    searches: RwLock<HashMap<String, Arc<SearchBody>>>,
    trending: OnceLock<Arc<Precompressed>>,
    filters: OnceLock<Arc<Precompressed>>,
}

impl ListCache {
    fn new(snapshot: &Arc<Snapshot>) -> ListCache {
        ListCache {
            source: snapshot.clone(),
            made_at: Instant::now(),
            by_query: Mutex::default(),
            searches: RwLock::default(),
            trending: OnceLock::new(),
            filters: OnceLock::new(),
        }
    }

    fn is_fresh_for(&self, snapshot: &Snapshot) -> bool {
        self.source.content_revision == snapshot.content_revision
            && (self.source.revision == snapshot.revision
                || self.made_at.elapsed() < LIST_STOCK_MAX_AGE)
    }
}

/// A product's response, and the product that it was made from.
struct CachedProduct(Arc<Product>, Arc<Precompressed>);

pub struct ResponseCache {
    lists: ArcSwap<ListCache>,
    products: RwLock<HashMap<ProductId, CachedProduct>>,
    shop: Arc<Precompressed>,
    google_feed: ContentCache,
    sitemap: ContentCache,
}

/// A text that changes with the content only: a sale changes it when a pack size is sold out, which changes the content.
#[derive(Default)]
struct ContentCache(Mutex<Option<(u64, Arc<Precompressed>)>>);

impl ContentCache {
    /// Concurrent requests wait for the first one.
    fn get(&self, snapshot: &Snapshot, make: impl FnOnce() -> Vec<u8>) -> Arc<Precompressed> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((revision, text)) if *revision == snapshot.content_revision => text.clone(),
            _ => {
                let text = Arc::new(Precompressed::new(make()));
                *kept = Some((snapshot.content_revision, text.clone()));
                text
            }
        }
    }
}

fn to_dtos<'a>(products: impl IntoIterator<Item = &'a Arc<Product>>) -> Vec<ProductDto> {
    let products = products.into_iter();
    products
        .map(|product| ProductDto::from(&**product))
        .collect()
}

impl ResponseCache {
    pub fn new(identity: &ShopIdentity) -> ResponseCache {
        ResponseCache {
            lists: ArcSwap::from_pointee(ListCache::new(&Arc::default())),
            products: RwLock::default(),
            shop: json(&ShopResponse {
                shop: identity.clone(),
            }),
            google_feed: ContentCache::default(),
            sitemap: ContentCache::default(),
        }
    }

    pub fn google_feed(
        &self,
        snapshot: &Snapshot,
        make: impl FnOnce() -> Vec<u8>,
    ) -> Arc<Precompressed> {
        self.google_feed.get(snapshot, make)
    }

    pub fn sitemap(
        &self,
        snapshot: &Snapshot,
        make: impl FnOnce() -> Vec<u8>,
    ) -> Arc<Precompressed> {
        self.sitemap.get(snapshot, make)
    }

    fn lists(&self, snapshot: &Arc<Snapshot>) -> Arc<ListCache> {
        let lists = self.lists.load_full();
        if lists.is_fresh_for(snapshot) {
            return lists;
        }
        let next = Arc::new(ListCache::new(snapshot));
        self.lists.store(next.clone());
        next
    }

    /// None if there is no such visible product.
    pub fn get(&self, snapshot: &Arc<Snapshot>, request: &CacheRequest<'_>) -> Option<CachedBody> {
        Some(match request {
            CacheRequest::Shop => CachedBody::Kept(self.shop.clone()),
            CacheRequest::Trending => CachedBody::Kept(self.trending(snapshot)),
            CacheRequest::Filters => CachedBody::Kept(self.filters(snapshot)),
            CacheRequest::ProductList(query) => {
                CachedBody::Kept(self.product_list(snapshot, query))
            }
            CacheRequest::Product(id) => CachedBody::Kept(self.product(snapshot, id)?),
            CacheRequest::Related(id) => CachedBody::Built(related(snapshot, id)?),
            CacheRequest::Search(words) => CachedBody::Searched(self.search(snapshot, words)),
            CacheRequest::Suggestions(words) => CachedBody::Built(suggestions(snapshot, words)),
        })
    }

    fn product_list(
        &self,
        snapshot: &Arc<Snapshot>,
        query: &ProductListQuery,
    ) -> Arc<Precompressed> {
        let lists = self.lists(snapshot);
        let by_query = || {
            let lock = lists.by_query.lock();
            lock.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(kept) = by_query().get(query) {
            return kept.clone();
        }
        let mut found = lists.source.filter(&query.search, &query.categories);
        let (literal, close) = found.products.split_at_mut(found.literal);
        query.sort.apply(literal);
        query.sort.apply_to_close_matches(close);
        let body = json(&ProductListResponse {
            total: found.products.len(),
            products: to_dtos(query.paginate(&found.products).iter().copied()),
            corrected_to: found.corrected_to,
            partial_match: found.partial_match.map(PartialMatchDto::from),
        });
        let mut by_query = by_query();
        if by_query.len() < MAX_CACHED_LISTS {
            by_query.insert(query.clone(), body.clone());
        }
        body
    }

    fn search(&self, snapshot: &Arc<Snapshot>, words: &str) -> Arc<SearchBody> {
        let lists = self.lists(snapshot);
        let kept = lists.searches.read();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.get(words) {
            return found.clone();
        }
        let has_room = kept.len() < MAX_CACHED_SEARCHES && words.len() <= MAX_CACHED_SEARCH_BYTES;
        drop(kept);
        let found = Arc::new(search(&lists.source, words));
        if has_room {
            let mut kept = lists
                .searches
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            kept.insert(words.to_owned(), found.clone());
        }
        found
    }

    fn trending(&self, snapshot: &Arc<Snapshot>) -> Arc<Precompressed> {
        let lists = self.lists(snapshot);
        let make = || ProductsResponse {
            products: to_dtos(lists.source.trending()),
        };
        lists.trending.get_or_init(|| json(&make())).clone()
    }

    fn filters(&self, snapshot: &Arc<Snapshot>) -> Arc<Precompressed> {
        let lists = self.lists(snapshot);
        let make = || {
            let (categories, counts) = lists.source.categories().into_iter().unzip();
            FiltersResponse {
                categories,
                counts,
                quantities: vec!["50g".into(), "100g".into()],
            }
        };
        lists.filters.get_or_init(|| json(&make())).clone()
    }

    fn product(&self, snapshot: &Snapshot, id: &ProductId) -> Option<Arc<Precompressed>> {
        let product = snapshot.find_visible(id)?;
        let kept = self.products.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(CachedProduct(source, body)) = kept.get(id)
            && Arc::ptr_eq(source, product)
        {
            return Some(body.clone());
        }
        drop(kept);
        let body = json(&ProductResponse {
            product: ProductDto::from(&**product),
        });
        let mut kept = self
            .products
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if kept.len() > snapshot.all().len() {
            kept.retain(|id, _| snapshot.find_visible(id).is_some());
        }
        kept.insert(id.clone(), CachedProduct(product.clone(), body.clone()));
        Some(body)
    }
}

fn related(snapshot: &Snapshot, id: &ProductId) -> Option<Vec<u8>> {
    let product = snapshot.find_visible(id)?;
    let related = snapshot.related(product, MAX_RELATED);
    serde_json::to_vec(&ProductsResponse {
        products: to_dtos(related),
    })
    .ok()
}

fn suggestions(snapshot: &Snapshot, words: &str) -> Vec<u8> {
    let found = snapshot.search(words).products.into_iter();
    let suggestions = found
        .take(MAX_SUGGESTIONS)
        .map(|product| SuggestionDto::from(&**product));
    serde_json::to_vec(&SuggestionsResponse {
        suggestions: suggestions.collect(),
    })
    .unwrap_or_default()
}

fn search(snapshot: &Snapshot, words: &str) -> SearchBody {
    let found = snapshot.search(words);
    let products = found.products.into_iter();
    let results: Vec<_> = products
        .map(|product| SearchResult::from(&**product))
        .collect();
    SearchBody {
        plain: serde_json::to_vec(&results).unwrap_or_default().into(),
        corrected_to: found.corrected_to,
    }
}
