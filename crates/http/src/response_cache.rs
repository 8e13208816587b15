//! Public answers, kept serialised and compressed beside the snapshot they were made from. A visitor's
//! call is a copy from memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use bytes::Bytes;
use mirasa_app::catalogue::Snapshot;
use mirasa_domain::product::{Product, ProductId};
use serde::Serialize;

use crate::dto::product::{
    FiltersResponse, ProductDto, ProductListResponse, ProductResponse, ProductsResponse,
    SearchResult,
};
use crate::dto::shop::{ShopIdentity, ShopResponse};
use crate::precompressed::Precompressed;
use crate::product_list_query::ProductListQuery;

/// How old the stock counts in a list may be. A product's own answer is always of this moment; a list is
/// not made anew for every sale.
const LIST_STOCK_MAX_AGE: Duration = Duration::from_secs(1);

/// As many as stand in one row below a product.
const MAX_RELATED: usize = 4;

/// How many parts of the shelf are kept; visitors can ask for any number of different ones.
const MAX_CACHED_LISTS: usize = 64;

fn json<T: Serialize>(value: &T) -> Arc<Precompressed> {
    Arc::new(Precompressed::new(
        serde_json::to_vec(value).unwrap_or_default(),
    ))
}

/// What has been made from one edition of the catalogue; each when it is first asked for.
struct ListCache {
    source: Arc<Snapshot>,
    made_at: Instant,
    parts: Mutex<HashMap<ProductListQuery, Arc<Precompressed>>>,
    trending: OnceLock<Arc<Precompressed>>,
    filters: OnceLock<Arc<Precompressed>>,
}

impl ListCache {
    fn new(snapshot: &Arc<Snapshot>) -> ListCache {
        ListCache {
            source: snapshot.clone(),
            made_at: Instant::now(),
            parts: Mutex::default(),
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

/// A product's own answer, beside the product that it was made from.
struct CachedProduct(Arc<Product>, Arc<Precompressed>);

pub struct ResponseCache {
    lists: ArcSwap<ListCache>,
    one: RwLock<HashMap<ProductId, CachedProduct>>,
    shop: Arc<Precompressed>,
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
            one: RwLock::default(),
            shop: json(&ShopResponse {
                shop: identity.clone(),
            }),
        }
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

    pub fn shop(&self) -> Arc<Precompressed> {
        self.shop.clone()
    }

    pub fn product_list(
        &self,
        snapshot: &Arc<Snapshot>,
        query: &ProductListQuery,
    ) -> Arc<Precompressed> {
        let lists = self.lists(snapshot);
        let parts = || lists.parts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = parts().get(query) {
            return kept.clone();
        }
        let mut found = lists.source.filter(&query.search, &query.categories);
        query.sort.apply(&mut found);
        let answer = json(&ProductListResponse {
            total: found.len(),
            products: to_dtos(query.paginate(&found).iter().copied()),
        });
        let mut parts = parts();
        if parts.len() < MAX_CACHED_LISTS {
            parts.insert(query.clone(), answer.clone());
        }
        answer
    }

    pub fn trending(&self, snapshot: &Arc<Snapshot>) -> Arc<Precompressed> {
        let lists = self.lists(snapshot);
        let make = || ProductsResponse {
            products: to_dtos(lists.source.trending()),
        };
        lists.trending.get_or_init(|| json(&make())).clone()
    }

    pub fn filters(&self, snapshot: &Arc<Snapshot>) -> Arc<Precompressed> {
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

    /// None if there is no such product to be seen.
    pub fn product(&self, snapshot: &Snapshot, id: &ProductId) -> Option<Arc<Precompressed>> {
        let product = snapshot.find_visible(id)?;
        let kept = self.one.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(CachedProduct(of, answer)) = kept.get(id)
            && Arc::ptr_eq(of, product)
        {
            return Some(answer.clone());
        }
        drop(kept);
        let answer = json(&ProductResponse {
            product: ProductDto::from(&**product),
        });
        let mut kept = self.one.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() > snapshot.all().len() {
            kept.retain(|id, _| snapshot.find_visible(id).is_some());
        }
        kept.insert(id.clone(), CachedProduct(product.clone(), answer.clone()));
        Some(answer)
    }

    /// None if there is no such product to be seen.
    pub fn related(&self, snapshot: &Snapshot, id: &ProductId) -> Option<Vec<u8>> {
        let product = snapshot.find_visible(id)?;
        let close = snapshot.related(product, MAX_RELATED);
        serde_json::to_vec(&ProductsResponse {
            products: to_dtos(close),
        })
        .ok()
    }

    /// The public read calls as the page renderer makes them: a path to a status and a JSON body.
    pub fn get_for_render(&self, snapshot: &Arc<Snapshot>, path_and_query: &str) -> (u16, Bytes) {
        let (path, query) = path_and_query
            .split_once('?')
            .unwrap_or((path_and_query, ""));
        let decoded = |id: &str| {
            let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy();
            ProductId(id.into_owned())
        };
        let one = |id: &str| {
            self.product(snapshot, &decoded(id))
                .map(|answer| answer.plain.clone())
        };
        let found = match path {
            "/api/shop" => Some(self.shop.plain.clone()),
            "/api/products/api/trending" => Some(self.trending(snapshot).plain.clone()),
            "/api/products/api/productInfo" | "/api/products" => ProductListQuery::parse(query)
                .ok()
                .map(|query| self.product_list(snapshot, &query).plain.clone()),
            "/api/products/api/filters" => Some(self.filters(snapshot).plain.clone()),
            "/api/api/products/search" => {
                let words = url::form_urlencoded::parse(query.as_bytes())
                    .find(|(key, _)| key == "q")
                    .map(|(_, words)| words.into_owned());
                Some(search_body(snapshot, &words.unwrap_or_default()).into())
            }
            other => match other.strip_prefix("/api/products/api/related/") {
                Some(id) => self.related(snapshot, &decoded(id)).map(Bytes::from),
                None => other
                    .strip_prefix("/api/products/api/productInfo/")
                    .and_then(one),
            },
        };
        match found {
            Some(body) => (200, body),
            None => (
                404,
                Bytes::from_static(
                    br#"{"error":"Product not found.","message":"Product not found."}"#,
                ),
            ),
        }
    }
}

pub fn search_body(snapshot: &Snapshot, words: &str) -> Vec<u8> {
    let found: Vec<SearchResult> = snapshot
        .search(words)
        .into_iter()
        .map(|product| SearchResult::from(&**product))
        .collect();
    serde_json::to_vec(&found).unwrap_or_default()
}
