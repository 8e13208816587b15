//! Whether an ID token proves who somebody is. OpenID Connect Core 3.1.3.7, on top of the library's
//! keys and signatures. Its own verifier would not do: it reads `iss` as a URL, and Google's
//! documented `accounts.google.com` is none.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::identity::Identity;
use mirasa_domain::validation;
use openidconnect::core::{CoreJsonWebKey, CoreJwsSigningAlgorithm};
use openidconnect::{JsonWebKey, JsonWebKeyUse, JwsSigningAlgorithm};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::provider::Known;

/// Google's have a hundred characters.
const MOST_PICTURE: usize = 2000;
const GOOGLE: &str = "https://accounts.google.com";
const GOOGLE_WITHOUT_SCHEME: &str = "accounts.google.com";

pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now_ms: i64,
}

/// What is wrong with a token. Says nothing of its content, so that it may be logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Wrong {
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
    #[error("the ID token names nobody")]
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
    /// Extensions that a reader must understand. We understand none.
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

pub(super) fn check(
    token: &str,
    known: &Known,
    expected: &Expected<'_>,
) -> Result<Identity, Wrong> {
    let claims = signed_claims(token, known)?;
    let issuer_is_right = claims.iss == expected.issuer
        || (expected.issuer == GOOGLE && claims.iss == GOOGLE_WITHOUT_SCHEME);
    if !issuer_is_right {
        return Err(Wrong::Issuer);
    }
    if !claims.aud.is_only(expected.client_id)
        || claims.azp.is_some_and(|party| party != expected.client_id)
    {
        return Err(Wrong::Audience);
    }
    if claims.exp.saturating_mul(1000) <= expected.now_ms {
        return Err(Wrong::Expired);
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err(Wrong::Nonce);
    }
    // OpenID allows 255 ASCII characters.
    let printable = claims.sub.bytes().all(|byte| byte.is_ascii_graphic());
    if claims.sub.is_empty() || claims.sub.len() > 255 || !printable {
        return Err(Wrong::Subject);
    }
    let email = claims
        .email
        .filter(|email| is_email(email))
        .ok_or(Wrong::Email)?;
    if claims.email_verified != Some(true) {
        return Err(Wrong::UnverifiedEmail);
    }
    Ok(Identity {
        // As configured, so that a person stays the same one whichever way Google writes itself.
        issuer: expected.issuer.to_owned(),
        subject: claims.sub,
        email,
        name: claims.name.filter(|name| !name.trim().is_empty()),
        picture: claims.picture.filter(|url| is_picture(url)),
    })
}

/// The claims of a token whose signature has been verified; there is no other way to them.
fn signed_claims(token: &str, known: &Known) -> Result<Claims, Wrong> {
    let (signed, signature) = token.rsplit_once('.').ok_or(Wrong::Unreadable)?;
    let (header, claims) = signed.split_once('.').ok_or(Wrong::Unreadable)?;
    let header: Header = decode(header)?;
    if header.crit.is_some() {
        return Err(Wrong::Unreadable);
    }
    let algorithm = known
        .algorithms
        .iter()
        .find(|algorithm| name_of(algorithm).as_deref() == Some(header.alg.as_str()))
        .ok_or(Wrong::Algorithm)?;
    let signature = URL_SAFE_NO_PAD
        .decode(signature)
        .map_err(|_| Wrong::Unreadable)?;
    key(known, algorithm, header.kid.as_deref())?
        .verify_signature(algorithm, signed.as_bytes(), &signature)
        .map_err(|_| Wrong::Signature)?;
    decode(claims)
}

/// The one key that may have signed this. Without a key id it must be the only one of its kind.
fn key<'k>(
    known: &'k Known,
    algorithm: &CoreJwsSigningAlgorithm,
    id: Option<&str>,
) -> Result<&'k CoreJsonWebKey, Wrong> {
    let mut fitting = known.keys.keys().iter().filter(|key| {
        algorithm.key_type().as_ref() == Some(key.key_type())
            && key.key_use().is_none_or(JsonWebKeyUse::allows_signature)
            && id.is_none_or(|id| key.key_id().is_some_and(|known| known.as_str() == id))
    });
    match (fitting.next(), fitting.next()) {
        (Some(key), None) => Ok(key),
        _ => Err(Wrong::UnknownKey),
    }
}

/// The algorithm's name in a token's header, as the library writes it.
fn name_of(algorithm: &CoreJwsSigningAlgorithm) -> Option<String> {
    match serde_json::to_value(algorithm) {
        Ok(serde_json::Value::String(name)) => Some(name),
        _ => None,
    }
}

fn decode<T: DeserializeOwned>(part: &str) -> Result<T, Wrong> {
    let json = URL_SAFE_NO_PAD
        .decode(part)
        .map_err(|_| Wrong::Unreadable)?;
    serde_json::from_slice(&json).map_err(|_| Wrong::Unreadable)
}

impl Audience {
    /// Whoever else a token is for could present it to us.
    fn is_only(&self, client_id: &str) -> bool {
        match self {
            Audience::One(one) => one == client_id,
            Audience::Many(many) => matches!(many.as_slice(), [one] if one == client_id),
        }
    }
}

fn is_picture(url: &str) -> bool {
    url.starts_with("https://")
        && url.len() <= MOST_PICTURE
        && url.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_email(text: &str) -> bool {
    let plain =
        !text.contains(char::is_whitespace) && validation::single_line("email", text, 254).is_ok();
    plain
        && text
            .split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}
