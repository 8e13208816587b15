//! Text that is compressed once and sent only to browsers that do not have it.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

/// Above this size the best compression takes longer than a visitor should wait.
const FAST_COMPRESSION_FROM: usize = 1 << 20;

/// Text in the encodings that browsers ask for.
pub struct Precompressed {
    pub plain: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
    etag: HeaderValue,
    /// The headers of each variant, built once: copying them is cheaper.
    header_sets: [OnceLock<HeaderMap>; 4],
}

impl Precompressed {
    pub fn new(plain: Vec<u8>) -> Precompressed {
        let digest = base16ct::lower::encode_string(&Sha256::digest(&plain)[..12]);
        Precompressed {
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
            header_sets: Default::default(),
            etag: HeaderValue::from_str(&format!("\"{digest}\""))
                .unwrap_or_else(|_| HeaderValue::from_static("\"\"")),
            plain: plain.into(),
        }
    }

    /// Responds in the encoding that the browser prefers, or with 304 if it has this text. `add_headers` is called once for
    /// each variant.
    pub fn respond(
        &self,
        request: &HeaderMap,
        status: StatusCode,
        content_type: &'static str,
        cache: &'static str,
        add_headers: impl Fn(&mut HeaderMap),
    ) -> Response {
        let head = |at: usize, encoding: Option<&'static str>| {
            let make = || {
                let mut head = HeaderMap::with_capacity(16);
                let mut set = |name, text| head.insert(name, HeaderValue::from_static(text));
                set(header::CACHE_CONTROL, cache);
                set(header::VARY, "accept-encoding");
                if at > 0 {
                    set(header::CONTENT_TYPE, content_type);
                }
                if let Some(encoding) = encoding {
                    set(header::CONTENT_ENCODING, encoding);
                }
                head.insert(header::ETAG, self.etag.clone());
                add_headers(&mut head);
                head
            };
            self.header_sets[at].get_or_init(make).clone()
        };
        let known = request.get(header::IF_NONE_MATCH);
        if status == StatusCode::OK && known.is_some_and(|known| matches_etag(known, &self.etag)) {
            return with_headers(StatusCode::NOT_MODIFIED, head(0, None), Body::empty());
        }
        let (head, body) = match preferred_encoding(request) {
            Encoding::Plain => (head(1, None), &self.plain),
            Encoding::Gzip => (
                head(2, Some("gzip")),
                self.gzip.get_or_init(|| gzip(&self.plain)),
            ),
            Encoding::Brotli => (
                head(3, Some("br")),
                self.brotli.get_or_init(|| brotli(&self.plain)),
            ),
        };
        with_headers(status, head, Body::from(body.clone()))
    }
}

fn with_headers(status: StatusCode, head: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = head;
    response
}

fn matches_etag(known: &HeaderValue, etag: &HeaderValue) -> bool {
    if known == etag {
        return true;
    }
    let (Ok(known), Ok(etag)) = (known.to_str(), etag.to_str()) else {
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
        quality: if plain.len() < FAST_COMPRESSION_FROM {
            5
        } else {
            1
        },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferred_encoding_follows_the_accept_header() {
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
    fn matching_etag_returns_304() {
        let text = Precompressed::new(b"[1,2,3]".to_vec());
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, text.etag.clone());
        let again = text.respond(
            &headers,
            StatusCode::OK,
            "application/json",
            "no-cache",
            |_| (),
        );
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        headers.insert(header::IF_NONE_MATCH, "\"other\"".parse().unwrap());
        assert_eq!(
            text.respond(
                &headers,
                StatusCode::OK,
                "application/json",
                "no-cache",
                |_| ()
            )
            .status(),
            StatusCode::OK
        );
    }
}
