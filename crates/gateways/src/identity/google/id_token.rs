//! Verification of an ID token by OpenID Connect Core 3.1.3.7.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::identity::Identity;
use mirasa_domain::validation;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::provider::ProviderMetadata;
use super::signing_keys::{Algorithm, SigningKey};

/// Google's have about a hundred characters.
const MAX_PICTURE_URL_CHARS: usize = 2000;
const GOOGLE: &str = "https://accounts.google.com";
const GOOGLE_WITHOUT_SCHEME: &str = "accounts.google.com";

pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now_ms: i64,
}

/// Contains nothing of the token, so that it can be logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum IdTokenError {
    #[error("the ID token cannot be read")]
    Unreadable,
    #[error("the ID token's algorithm is not accepted")]
    Algorithm,
    #[error("the ID token is signed by an unknown key")]
    UnknownKey,
    #[error("the ID token's signature is wrong")]
    Signature,
    #[error("the ID token comes from another issuer")]
    Issuer,
    #[error("the ID token is meant for another client")]
    Audience,
    #[error("the ID token has expired")]
    Expired,
    #[error("the ID token's nonce is not the one of this sign-in")]
    Nonce,
    #[error("the ID token has no subject")]
    Subject,
    #[error("the ID token has no e-mail address")]
    Email,
    #[error("the e-mail address is not verified")]
    UnverifiedEmail,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that a reader must understand. We support none.
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    nonce: Option<String>,
    sub: String,
    email: Option<String>,
    email_verified: Option<bool>,
    name: Option<String>,
    picture: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

pub(super) fn verify(
    token: &str,
    metadata: &ProviderMetadata,
    expected: &Expected<'_>,
) -> Result<Identity, IdTokenError> {
    let claims = signed_claims(token, metadata)?;
    let issuer_matches = claims.iss == expected.issuer
        || (expected.issuer == GOOGLE && claims.iss == GOOGLE_WITHOUT_SCHEME);
    if !issuer_matches {
        return Err(IdTokenError::Issuer);
    }
    if !claims.aud.is_only(expected.client_id)
        || claims.azp.is_some_and(|party| party != expected.client_id)
    {
        return Err(IdTokenError::Audience);
    }
    if claims.exp.saturating_mul(1000) <= expected.now_ms {
        return Err(IdTokenError::Expired);
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err(IdTokenError::Nonce);
    }
    // OpenID allows 255 ASCII characters.
    let printable = claims.sub.bytes().all(|byte| byte.is_ascii_graphic());
    if claims.sub.is_empty() || claims.sub.len() > 255 || !printable {
        return Err(IdTokenError::Subject);
    }
    let email = claims
        .email
        .filter(|email| is_email(email))
        .ok_or(IdTokenError::Email)?;
    if claims.email_verified != Some(true) {
        return Err(IdTokenError::UnverifiedEmail);
    }
    Ok(Identity {
        // As configured, so that a user stays the same whichever way Google writes its issuer.
        issuer: expected.issuer.to_owned(),
        subject: claims.sub,
        email,
        name: claims.name.filter(|name| !name.trim().is_empty()),
        picture: claims.picture.filter(|url| is_picture_url(url)),
    })
}

/// The claims of a token with a verified signature. There is no other way to get them.
fn signed_claims(token: &str, metadata: &ProviderMetadata) -> Result<Claims, IdTokenError> {
    let (signed, signature) = token.rsplit_once('.').ok_or(IdTokenError::Unreadable)?;
    let (header, claims) = signed.split_once('.').ok_or(IdTokenError::Unreadable)?;
    let header: Header = decode(header)?;
    if header.crit.is_some() {
        return Err(IdTokenError::Unreadable);
    }
    let algorithm = Algorithm::parse(&header.alg)
        .filter(|algorithm| metadata.algorithms.contains(algorithm))
        .ok_or(IdTokenError::Algorithm)?;
    let signature = URL_SAFE_NO_PAD
        .decode(signature)
        .map_err(|_| IdTokenError::Unreadable)?;
    if !key(metadata, algorithm, header.kid.as_deref())?.has_signed(signed.as_bytes(), &signature) {
        return Err(IdTokenError::Signature);
    }
    decode(claims)
}

/// The key that has signed the token. Without a key id it must be the only one of its type.
fn key<'k>(
    metadata: &'k ProviderMetadata,
    algorithm: Algorithm,
    id: Option<&str>,
) -> Result<&'k SigningKey, IdTokenError> {
    let mut matching = metadata
        .keys
        .iter()
        .filter(|key| key.algorithm() == algorithm && id.is_none_or(|id| key.has_id(id)));
    match (matching.next(), matching.next()) {
        (Some(key), None) => Ok(key),
        _ => Err(IdTokenError::UnknownKey),
    }
}

fn decode<T: DeserializeOwned>(part: &str) -> Result<T, IdTokenError> {
    let json = URL_SAFE_NO_PAD
        .decode(part)
        .map_err(|_| IdTokenError::Unreadable)?;
    serde_json::from_slice(&json).map_err(|_| IdTokenError::Unreadable)
}

impl Audience {
    /// A token with several audiences could come from any of them.
    fn is_only(&self, client_id: &str) -> bool {
        match self {
            Audience::One(one) => one == client_id,
            Audience::Many(many) => matches!(many.as_slice(), [one] if one == client_id),
        }
    }
}

fn is_picture_url(url: &str) -> bool {
    url.starts_with("https://")
        && url.len() <= MAX_PICTURE_URL_CHARS
        && url.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_email(text: &str) -> bool {
    let is_one_line =
        !text.contains(char::is_whitespace) && validation::single_line("email", text, 254).is_ok();
    is_one_line
        && text
            .split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}
