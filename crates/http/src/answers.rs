//! Public answers, kept serialised and compressed beside the snapshot they were made from. A visitor's
//! call is a copy from memory.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use mirasa_app::catalogue::Snapshot;
use mirasa_domain::product::{Product, ProductId};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::wire::product::{
    FiltersAnswer, ProductAnswer, ProductWire, ProductsAnswer, SearchResult,
};
use crate::wire::shop::{ShopAnswer, ShopIdentity};

/// How old the stock counts in a list may be. A product's own answer is always of this moment; a list is
/// not made anew for every sale.
const LIST_STOCK_AGE: Duration = Duration::from_secs(1);

/// As many as stand in one row below a product.
const MOST_RELATED: usize = 4;

/// Text in the encodings that browsers ask for.
pub struct Encoded {
    pub plain: Bytes,
    brotli: Bytes,
    gzip: Bytes,
    etag: HeaderValue,
}

impl Encoded {
    pub fn new(plain: Vec<u8>) -> Encoded {
        let digest = hex::encode(&Sha256::digest(&plain)[..12]);
        Encoded {
            brotli: brotli(&plain),
            gzip: gzip(&plain),
            etag: HeaderValue::from_str(&format!("\"{digest}\""))
                .unwrap_or_else(|_| HeaderValue::from_static("\"\"")),
            plain: plain.into(),
        }
    }

    /// Answers in the encoding the browser prefers, or 304 if it has this text already.
    pub fn respond(
        &self,
        request: &HeaderMap,
        status: StatusCode,
        content_type: &'static str,
        cache: &'static str,
    ) -> Response {
        let known = request
            .get(header::IF_NONE_MATCH)
            .and_then(|value| value.to_str().ok());
        let fixed = [
            (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        let etag = [(header::ETAG, self.etag.clone())];
        if status == StatusCode::OK && known.is_some_and(|known| matches_etag(known, &self.etag)) {
            return (StatusCode::NOT_MODIFIED, fixed, etag).into_response();
        }
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
        let encoded = |name, body: &Bytes| {
            (
                status,
                fixed.clone(),
                etag.clone(),
                kind.clone(),
                [(header::CONTENT_ENCODING, HeaderValue::from_static(name))],
                body.clone(),
            )
                .into_response()
        };
        match preferred_encoding(request) {
            Encoding::Brotli => encoded("br", &self.brotli),
            Encoding::Gzip => encoded("gzip", &self.gzip),
            Encoding::Plain => (status, fixed, etag, kind, self.plain.clone()).into_response(),
        }
    }
}

fn matches_etag(known: &str, etag: &HeaderValue) -> bool {
    let Ok(etag) = etag.to_str() else {
        return false;
    };
    known
        .split(',')
        .any(|one| one.trim().trim_start_matches("W/") == etag || one.trim() == "*")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

pub fn preferred_encoding(request: &HeaderMap) -> Encoding {
    let accepted = request
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let accepts = |name: &str| {
        accepted.split(',').map(str::trim).any(|one| {
            let (encoding, quality) = one.split_once(';').unwrap_or((one, ""));
            encoding.trim().eq_ignore_ascii_case(name)
                && !matches!(
                    quality.replace(' ', "").as_str(),
                    "q=0" | "q=0.0" | "q=0.00" | "q=0.000"
                )
        })
    };
    if accepts("br") {
        Encoding::Brotli
    } else if accepts("gzip") {
        Encoding::Gzip
    } else {
        Encoding::Plain
    }
}

fn brotli(plain: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(plain.len() / 4);
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 5,
        lgwin: 20,
        ..Default::default()
    };
    // Writing to memory cannot fail.
    drop(brotli::BrotliCompress(&mut &*plain, &mut out, &parameters));
    out.into()
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(
        Vec::with_capacity(plain.len() / 3),
        flate2::Compression::new(6),
    );
    drop(encoder.write_all(plain));
    encoder.finish().unwrap_or_default().into()
}

fn json<T: Serialize>(value: &T) -> Arc<Encoded> {
    Arc::new(Encoded::new(serde_json::to_vec(value).unwrap_or_default()))
}

/// What has been made from one revision of the catalogue; the rest is made when it is first asked for.
struct Shelf {
    snapshot: Arc<Snapshot>,
    one: HashMap<ProductId, OnceLock<Arc<Encoded>>>,
    lists: Arc<Lists>,
}

struct Lists {
    edition: u64,
    made_from: Arc<Snapshot>,
    made_at: Instant,
    all: OnceLock<Arc<Encoded>>,
    trending: OnceLock<Arc<Encoded>>,
    filters: OnceLock<Arc<Encoded>>,
}

pub struct AnswerBook {
    shelf: ArcSwap<Shelf>,
    shop: Arc<Encoded>,
}

fn lists(snapshot: &Arc<Snapshot>) -> Arc<Lists> {
    let fresh = OnceLock::new;
    Arc::new(Lists {
        edition: snapshot.edition,
        made_from: snapshot.clone(),
        made_at: Instant::now(),
        all: fresh(),
        trending: fresh(),
        filters: fresh(),
    })
}

fn products<'a>(products: impl Iterator<Item = &'a Arc<Product>>) -> ProductsAnswer {
    ProductsAnswer {
        products: products
            .map(|product| ProductWire::from(&**product))
            .collect(),
    }
}

impl AnswerBook {
    pub fn new(identity: &ShopIdentity) -> AnswerBook {
        let snapshot = Arc::new(Snapshot::default());
        let shelf = Shelf {
            one: HashMap::new(),
            lists: lists(&snapshot),
            snapshot,
        };
        AnswerBook {
            shelf: ArcSwap::from_pointee(shelf),
            shop: json(&ShopAnswer {
                shop: identity.clone(),
            }),
        }
    }

    /// The shelf of this snapshot. Answers for products that did not change move over.
    fn of(&self, snapshot: &Arc<Snapshot>) -> Arc<Shelf> {
        let shelf = self.shelf.load_full();
        let lists_hold = shelf.lists.edition == snapshot.edition
            && (shelf.snapshot.revision == shelf.lists.made_from.revision
                || shelf.lists.made_at.elapsed() < LIST_STOCK_AGE);
        if shelf.snapshot.revision == snapshot.revision && lists_hold {
            return shelf;
        }
        let one = snapshot
            .visible()
            .map(|product| {
                let kept = shelf
                    .snapshot
                    .find(&product.id)
                    .filter(|was| Arc::ptr_eq(was, product))
                    .and_then(|_| shelf.one.get(&product.id));
                (product.id.clone(), kept.cloned().unwrap_or_default())
            })
            .collect();
        let still_good = shelf.lists.edition == snapshot.edition
            && shelf.lists.made_at.elapsed() < LIST_STOCK_AGE;
        let lists = if still_good {
            shelf.lists.clone()
        } else {
            lists(snapshot)
        };
        let next = Arc::new(Shelf {
            snapshot: snapshot.clone(),
            one,
            lists,
        });
        self.shelf.store(next.clone());
        next
    }

    pub fn shop(&self) -> Arc<Encoded> {
        self.shop.clone()
    }

    pub fn all(&self, snapshot: &Arc<Snapshot>) -> Arc<Encoded> {
        let lists = &self.of(snapshot).lists;
        lists
            .all
            .get_or_init(|| json(&products(lists.made_from.visible())))
            .clone()
    }

    pub fn trending(&self, snapshot: &Arc<Snapshot>) -> Arc<Encoded> {
        let lists = &self.of(snapshot).lists;
        lists
            .trending
            .get_or_init(|| json(&products(lists.made_from.trending().into_iter())))
            .clone()
    }

    pub fn filters(&self, snapshot: &Arc<Snapshot>) -> Arc<Encoded> {
        let lists = &self.of(snapshot).lists;
        let make = || FiltersAnswer {
            categories: lists
                .made_from
                .categories()
                .into_iter()
                .map(str::to_owned)
                .collect(),
            quantities: vec!["50g".into(), "100g".into()],
        };
        lists.filters.get_or_init(|| json(&make())).clone()
    }

    pub fn one(&self, snapshot: &Arc<Snapshot>, id: &ProductId) -> Option<Arc<Encoded>> {
        let shelf = self.of(snapshot);
        let product = shelf.snapshot.find_visible(id)?;
        let answer = shelf.one.get(id)?.get_or_init(|| {
            json(&ProductAnswer {
                product: ProductWire::from(&**product),
            })
        });
        Some(answer.clone())
    }

    /// None if there is no such product to be seen.
    pub fn related(&self, snapshot: &Arc<Snapshot>, id: &ProductId) -> Option<Vec<u8>> {
        let product = snapshot.find_visible(id)?;
        let close = snapshot.related(product, MOST_RELATED);
        serde_json::to_vec(&products(close.into_iter())).ok()
    }

    /// The public read calls as the page renderer makes them: a path to a status and a JSON body.
    pub fn host_get(&self, snapshot: &Arc<Snapshot>, path_and_query: &str) -> (u16, Bytes) {
        let (path, query) = path_and_query
            .split_once('?')
            .unwrap_or((path_and_query, ""));
        let decoded = |id: &str| {
            let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy();
            ProductId(id.into_owned())
        };
        let one = |id: &str| {
            self.one(snapshot, &decoded(id))
                .map(|answer| answer.plain.clone())
        };
        let found = match path {
            "/api/shop" => Some(self.shop.plain.clone()),
            "/api/products/api/trending" => Some(self.trending(snapshot).plain.clone()),
            "/api/products/api/productInfo" | "/api/products" => {
                Some(self.all(snapshot).plain.clone())
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_what_the_browser_prefers() {
        let prefers = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, text.parse().unwrap());
            preferred_encoding(&headers)
        };
        assert_eq!(prefers("gzip, deflate, br, zstd"), Encoding::Brotli);
        assert_eq!(prefers("gzip"), Encoding::Gzip);
        assert_eq!(prefers("br;q=0, gzip;q=0.5"), Encoding::Gzip);
        assert_eq!(prefers("identity"), Encoding::Plain);
        assert_eq!(preferred_encoding(&HeaderMap::new()), Encoding::Plain);
    }

    #[test]
    fn a_known_text_is_not_sent_again() {
        let text = Encoded::new(b"[1,2,3]".to_vec());
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, text.etag.clone());
        let again = text.respond(&headers, StatusCode::OK, "application/json", "no-cache");
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        headers.insert(header::IF_NONE_MATCH, "\"other\"".parse().unwrap());
        assert_eq!(
            text.respond(&headers, StatusCode::OK, "application/json", "no-cache")
                .status(),
            StatusCode::OK
        );
    }
}
