//! ID tokens: each invalid one must fail at the check that is meant for it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::identity::{Identity, IdentityProvider as _};
use serde_json::{Value, json};

use super::fake_server::{CLIENT_ID, CLIENT_SECRET, FakeServer, forge, hs256};
use super::signing_key::{known_key, other_key};
use super::{authorization_request, callback, outcome_text};

const SHOP: &str = "https://shop.example";

#[tokio::test]
async fn valid_token_gives_identity() {
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    let redirect = google
        .authorization_url(authorization_request(SHOP, None))
        .await
        .unwrap();
    let token = known_key().sign(&provider.claims(&redirect.nonce));
    provider.respond_with_token(&token);
    let identity = google
        .exchange_code(callback(SHOP, &redirect, "code"))
        .await
        .unwrap();
    assert_eq!(
        identity,
        Identity {
            issuer: provider.issuer.clone(),
            subject: "1234567890".into(),
            email: "asha@example.com".into(),
            name: Some("Asha".into()),
            picture: Some("https://pictures.example/asha.png".into()),
        }
    );
}

#[tokio::test]
async fn name_and_picture_are_optional() {
    for (name, picture) in [
        (Value::Null, Value::Null),
        (json!("  "), json!("javascript:alert(1)")),
    ] {
        let provider = FakeServer::start().await;
        let google = provider.adapter();
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        let mut claims = provider.claims(&redirect.nonce);
        claims["name"] = name;
        claims["picture"] = picture;
        provider.respond_with_token(&known_key().sign(&claims));
        let identity = google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await
            .unwrap();
        assert_eq!((identity.name, identity.picture), (None, None));
    }
}

/// Signed by the right key, with wrong claims.
#[tokio::test]
async fn wrong_claims_are_rejected() {
    type Change = fn(&mut Value, now: i64);
    const ISSUER: &str = "refused: the ID token comes from another issuer";
    const CLIENT: &str = "refused: the ID token is meant for another client";
    const NONCE: &str = "refused: the ID token's nonce is not the one of this sign-in";
    const EXPIRED: &str = "refused: the ID token has expired";
    const NO_EMAIL: &str = "refused: the ID token has no e-mail address";
    const UNVERIFIED: &str = "refused: the e-mail address is not verified";
    const UNREADABLE: &str = "refused: the ID token cannot be read";
    let cases: &[(&str, Change, &str)] = &[
        (
            "another nonce",
            |claims, _| claims["nonce"] = json!("other"),
            NONCE,
        ),
        ("no nonce", |claims, _| claims["nonce"] = Value::Null, NONCE),
        (
            "another audience",
            |claims, _| claims["aud"] = json!("a-rival"),
            CLIENT,
        ),
        (
            "one more audience",
            |claims, _| claims["aud"] = json!([CLIENT_ID, "a-rival"]),
            CLIENT,
        ),
        ("no audience", |claims, _| claims["aud"] = json!([]), CLIENT),
        (
            "another party",
            |claims, _| claims["azp"] = json!("a-rival"),
            CLIENT,
        ),
        (
            "another issuer",
            |claims, _| claims["iss"] = json!("https://evil.example"),
            ISSUER,
        ),
        (
            "Google's short name",
            |claims, _| claims["iss"] = json!("accounts.google.com"),
            ISSUER,
        ),
        (
            "expired",
            |claims, now| claims["exp"] = json!(now - 1),
            EXPIRED,
        ),
        (
            "expiring this second",
            |claims, now| claims["exp"] = json!(now),
            EXPIRED,
        ),
        (
            "no expiry",
            |claims, _| claims["exp"] = Value::Null,
            UNREADABLE,
        ),
        (
            "no subject",
            |claims, _| claims["sub"] = json!(""),
            "refused: the ID token has no subject",
        ),
        (
            "no subject",
            |claims, _| claims["sub"] = Value::Null,
            UNREADABLE,
        ),
        (
            "no e-mail",
            |claims, _| claims["email"] = Value::Null,
            NO_EMAIL,
        ),
        (
            "half an e-mail",
            |claims, _| claims["email"] = json!("asha@"),
            NO_EMAIL,
        ),
        (
            "unverified",
            |claims, _| claims["email_verified"] = json!(false),
            UNVERIFIED,
        ),
        (
            "silent on it",
            |claims, _| claims["email_verified"] = Value::Null,
            UNVERIFIED,
        ),
        (
            "verified as text",
            |claims, _| claims["email_verified"] = json!("true"),
            UNREADABLE,
        ),
    ];
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    for (case, change, expected) in cases {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        let mut claims = provider.claims(&redirect.nonce);
        let now = claims["iat"].as_i64().unwrap();
        change(&mut claims, now);
        provider.respond_with_token(&known_key().sign(&claims));
        let outcome = google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await;
        assert_eq!(&outcome_text(outcome), expected, "{case}");
    }
}

/// Right claims, not signed by the provider.
#[tokio::test]
async fn forged_signatures_are_rejected() {
    type Forge = Box<dyn Fn(&Value) -> String>;
    const ALGORITHM: &str = "refused: the ID token's algorithm is not accepted";
    const SIGNATURE: &str = "refused: the ID token's signature is wrong";
    const UNREADABLE: &str = "refused: the ID token cannot be read";
    let (current, other) = (known_key(), other_key());
    let kid = current.public_jwk()["kid"].clone();
    let modulus = URL_SAFE_NO_PAD
        .decode(current.public_jwk()["n"].as_str().unwrap())
        .unwrap();
    let rs256 = |kid: &Value| json!({ "alg": "RS256", "kid": kid });
    let hs256_header = json!({ "alg": "HS256", "kid": kid });
    let by = |header: Value, key: Vec<u8>| -> Forge {
        Box::new(move |claims| forge(header.clone(), claims, |signed| hs256(&key, signed)))
    };
    let cases: Vec<(&str, Forge, &str)> = vec![
        (
            "unsigned",
            Box::new(|claims| forge(json!({ "alg": "none" }), claims, |_| Vec::new())),
            ALGORITHM,
        ),
        (
            "unsigned, in capitals",
            Box::new(|claims| forge(json!({ "alg": "NONE" }), claims, |_| Vec::new())),
            ALGORITHM,
        ),
        (
            "RS256 without a signature",
            {
                let header = rs256(&kid);
                Box::new(move |claims| forge(header.clone(), claims, |_| Vec::new()))
            },
            SIGNATURE,
        ),
        (
            "HS256 by the public key",
            by(hs256_header.clone(), modulus),
            ALGORITHM,
        ),
        (
            "HS256 by the client's secret",
            by(hs256_header, CLIENT_SECRET.into()),
            ALGORITHM,
        ),
        (
            "signed by a key that the provider does not have",
            Box::new(|claims| other.sign(claims)),
            "refused: the ID token is signed by an unknown key",
        ),
        (
            "signed by another key under the known key's id",
            {
                let header = rs256(&kid);
                Box::new(move |claims| {
                    forge(header.clone(), claims, |signed| other.signature(signed))
                })
            },
            SIGNATURE,
        ),
        (
            "changed after signing",
            Box::new(|claims| {
                let token = current.sign(claims);
                let mut changed = claims.clone();
                changed["email"] = json!("admin@mirasa.example");
                let changed = URL_SAFE_NO_PAD.encode(changed.to_string());
                let parts = token.split('.').collect::<Vec<_>>();
                format!("{}.{changed}.{}", parts[0], parts[2])
            }),
            SIGNATURE,
        ),
        (
            "with an extension that must be understood",
            {
                let header = json!({ "alg": "RS256", "kid": kid, "crit": ["b64"], "b64": false });
                Box::new(move |claims| {
                    forge(header.clone(), claims, |signed| current.signature(signed))
                })
            },
            UNREADABLE,
        ),
        ("no token at all", Box::new(|_| "a.b".into()), UNREADABLE),
        (
            "four parts",
            Box::new(|claims| current.sign(claims) + ".x"),
            UNREADABLE,
        ),
    ];
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    for (case, forge, expected) in cases {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        provider.respond_with_token(&forge(&provider.claims(&redirect.nonce)));
        let outcome = google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await;
        assert_eq!(outcome_text(outcome), expected, "{case}");
    }
}

#[tokio::test]
async fn google_issuer_without_scheme_is_same_issuer() {
    let google_issuer = "https://accounts.google.com";
    let provider = FakeServer::start_as(Some(google_issuer)).await;
    let google = provider.adapter();
    for (iss, expected) in [
        (google_issuer, Ok(google_issuer)),
        ("accounts.google.com", Ok(google_issuer)),
        ("http://accounts.google.com", Err(())),
        ("https://accounts.google.com/", Err(())),
        ("accounts.google.com.evil.example", Err(())),
    ] {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        let mut claims = provider.claims(&redirect.nonce);
        claims["iss"] = json!(iss);
        provider.respond_with_token(&known_key().sign(&claims));
        let outcome = google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await;
        assert_eq!(
            outcome.map(|identity| identity.issuer).map_err(|_| ()),
            expected.map(str::to_owned),
            "{iss}"
        );
    }
}
