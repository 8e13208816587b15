//! Text as it goes to browsers: compressed once, sent again only to those who do not have it.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

/// From here on compressing well takes longer than a visitor should wait.
const LARGE: usize = 1 << 20;

/// Text in the encodings that browsers ask for.
pub struct Encoded {
    pub plain: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
    etag: HeaderValue,
}

impl Encoded {
    pub fn new(plain: Vec<u8>) -> Encoded {
        let digest = hex::encode(&Sha256::digest(&plain)[..12]);
        Encoded {
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
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
            Encoding::Brotli => encoded("br", self.brotli.get_or_init(|| brotli(&self.plain))),
            Encoding::Gzip => encoded("gzip", self.gzip.get_or_init(|| gzip(&self.plain))),
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
        quality: if plain.len() < LARGE { 5 } else { 1 },
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
