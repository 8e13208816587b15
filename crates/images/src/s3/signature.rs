//! AWS Signature Version 4 for S3, in the `Authorization` header.
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html>

use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use time::OffsetDateTime;

use super::super::sha256_hex;

pub struct Credentials {
    pub region: String,
    pub access_key: String,
    pub secret_key: String,
}

/// The parts of a request that are signed. All of them are as they are sent.
pub struct SignedParts<'a> {
    pub method: &'a str,
    pub host: &'a str,
    /// Encoded, see `encode`.
    pub path: &'a str,
    /// Encoded, sorted by name.
    pub query: &'a str,
    pub body: &'a [u8],
}

/// The headers that sign a request.
pub struct SignatureHeaders {
    pub date: String,
    pub body_hash: String,
    pub authorization: String,
}

pub fn sign(
    credentials: &Credentials,
    parts: &SignedParts<'_>,
    now: OffsetDateTime,
) -> SignatureHeaders {
    let day = format!(
        "{:04}{:02}{:02}",
        now.year(),
        u8::from(now.month()),
        now.day()
    );
    let (hour, minute, second) = now.to_hms();
    let date = format!("{day}T{hour:02}{minute:02}{second:02}Z");
    let body_hash = sha256_hex(parts.body);
    let SignedParts {
        method,
        host,
        path,
        query,
        ..
    } = parts;
    let names = "host;x-amz-content-sha256;x-amz-date";
    let request = format!(
        "{method}\n{path}\n{query}\nhost:{host}\nx-amz-content-sha256:{body_hash}\nx-amz-date:{date}\n\n{names}\n{body_hash}"
    );
    let scope = format!("{day}/{}/s3/aws4_request", credentials.region);
    let text = format!(
        "AWS4-HMAC-SHA256\n{date}\n{scope}\n{}",
        sha256_hex(request.as_bytes())
    );
    let secret = format!("AWS4{}", credentials.secret_key);
    let scope_parts = [day.as_str(), &credentials.region, "s3", "aws4_request"];
    let key = scope_parts
        .iter()
        .fold(secret.into_bytes(), |key, part| hmac(&key, part));
    let signature = base16ct::lower::encode_string(&hmac(&key, &text));
    let access_key = &credentials.access_key;
    SignatureHeaders {
        authorization: format!(
            "AWS4-HMAC-SHA256 Credential={access_key}/{scope},SignedHeaders={names},Signature={signature}"
        ),
        date,
        body_hash,
    }
}

fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return Vec::new();
    };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Percent-encodes a path or the value of a parameter as the signature demands. A path keeps its slashes.
pub fn encode(text: &str, is_path: bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_plain || (is_path && byte == b'/') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example "GET Bucket (List Objects)" of Amazon's documentation.
    #[test]
    fn signature_is_the_one_of_amazons_example() {
        let credentials = Credentials {
            region: "us-east-1".into(),
            access_key: "AKIAIOSFODNN7EXAMPLE".into(),
            secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".into(),
        };
        let parts = SignedParts {
            method: "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/",
            query: "max-keys=2&prefix=J",
            body: b"",
        };
        let now = OffsetDateTime::from_unix_timestamp(1_369_353_600).unwrap();
        let headers = sign(&credentials, &parts, now);
        assert_eq!(headers.date, "20130524T000000Z");
        assert_eq!(
            headers.authorization,
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
             SignedHeaders=host;x-amz-content-sha256;x-amz-date,\
             Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        );
    }

    #[test]
    fn everything_but_unreserved_characters_is_encoded() {
        assert_eq!(
            encode("products/Goda masala (1)+~.webp", true),
            "products/Goda%20masala%20%281%29%2B~.webp"
        );
        assert_eq!(encode("index/ü", false), "index%2F%C3%BC");
    }
}
