//! A provider that is down, slow or sends invalid responses: the sign-in fails in time and with the
//! right error.

use std::time::{Duration, Instant};

use mirasa_app::ports::identity::{IdentityError, IdentityProvider as _};
use serde_json::json;

use super::fake_server::{CLIENT_SECRET, FakeServer, Reply};
use super::signing_key::known_key;
use super::{GoogleSettings, adapter, authorization_request, callback, listener, outcome_text};

const SHOP: &str = "https://shop.example";
const SLOW: Duration = Duration::from_secs(30);

#[tokio::test]
async fn token_endpoint_failure_differs_from_rejected_code() {
    let cases = [
        (
            "a used or foreign code",
            Reply::Json(
                400,
                json!({ "error": "invalid_grant", "error_description": "used" }),
            ),
            "refused: the provider does not accept the code",
        ),
        (
            "no ID token in the response",
            Reply::Json(
                200,
                json!({ "access_token": "access", "token_type": "Bearer" }),
            ),
            "refused: the provider sent no ID token",
        ),
        (
            "the shop's own secret is wrong",
            Reply::Json(401, json!({ "error": "invalid_client" })),
            "unreachable: the provider does not exchange codes for this shop: invalid_client",
        ),
        (
            "an error inside",
            Reply::Text(500, "stack trace"),
            "unreachable: requesting the tokens: the provider responded with 500 Internal Server Error",
        ),
        (
            "an error body that looks like a rejection",
            Reply::Json(503, json!({ "error": "invalid_grant" })),
            "unreachable: requesting the tokens: the provider responded with 503 Service Unavailable",
        ),
        (
            "not JSON",
            Reply::Text(200, "<html>"),
            "unreachable: the token endpoint's response is not valid OAuth",
        ),
        (
            "a redirect is not followed",
            Reply::Redirect("/jwks".into()),
            "unreachable: requesting the tokens: the provider responded with 302 Found",
        ),
        (
            "more than anybody should read",
            Reply::Huge,
            "unreachable: requesting the tokens: the provider's response is larger than 262144 bytes",
        ),
    ];
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    for (case, reply, expected) in cases {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        provider.update(|state| state.token = reply);
        let outcome = google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await;
        assert_eq!(outcome_text(outcome), expected, "{case}");
    }
}

#[tokio::test]
async fn slow_token_endpoint_times_out() {
    let provider = FakeServer::start().await;
    let google = provider.adapter_with_short_timeout();
    let redirect = google
        .authorization_url(authorization_request(SHOP, None))
        .await
        .unwrap();
    provider.update(|state| state.token = Reply::Slow(SLOW));
    let started = Instant::now();
    let text = outcome_text(
        google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await,
    );
    assert!(
        text.starts_with("unreachable: requesting the tokens: no response from the provider"),
        "{text}"
    );
    assert!(started.elapsed() < SLOW);
}

#[tokio::test]
async fn invalid_discovery_is_unreachable_until_fixed() {
    let provider = FakeServer::start().await;
    let other = json!({
        "issuer": "https://evil.example",
        "authorization_endpoint": "https://evil.example/authorize",
        "token_endpoint": "https://evil.example/token",
        "jwks_uri": format!("{}/jwks", provider.address),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    });
    let google = provider.adapter_with_short_timeout();
    for (case, reply) in [
        ("an error inside", Reply::Text(500, "")),
        ("another issuer", Reply::Json(200, other)),
        (
            "not a description",
            Reply::Json(200, json!({ "issuer": provider.issuer })),
        ),
        ("a redirect", Reply::Redirect("/jwks".into())),
        ("slow", Reply::Slow(SLOW)),
        ("huge", Reply::Huge),
    ] {
        provider.update(|state| state.description = Some(reply));
        let outcome = google
            .authorization_url(authorization_request(SHOP, None))
            .await;
        assert!(
            matches!(outcome, Err(IdentityError::Unreachable(_))),
            "{case}"
        );
    }
    provider.update(|state| state.description = None);
    assert!(
        google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn refused_connection_is_unreachable() {
    let (gone, issuer) = listener().await;
    drop(gone);
    let provider = FakeServer::start().await;
    let settings = GoogleSettings {
        issuer,
        ..provider.settings()
    };
    let outcome = adapter(settings, &provider.clock)
        .authorization_url(authorization_request(SHOP, None))
        .await;
    assert!(matches!(outcome, Err(IdentityError::Unreachable(_))));
}

/// Sign-ins that wait for the same metadata share its timeout instead of waiting one after the
/// other.
#[tokio::test]
async fn concurrent_sign_ins_share_one_timeout() {
    let provider = FakeServer::start().await;
    provider.update(|state| state.description = Some(Reply::Slow(SLOW)));
    let google = std::sync::Arc::new(provider.adapter_with_short_timeout());
    let started = Instant::now();
    let tasks = (0..50).map(|_| {
        let google = google.clone();
        tokio::spawn(async move {
            google
                .authorization_url(authorization_request(SHOP, None))
                .await
                .is_err()
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(task.await.unwrap());
    }
    assert!(started.elapsed() < SLOW);
    assert_eq!(provider.fetch_counts(), (1, 0));
}

/// Texts that may be logged contain neither secrets nor tokens.
#[tokio::test]
async fn errors_and_settings_contain_no_secrets() {
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    let settings = format!("{:?}", provider.settings());
    assert!(settings.contains(&provider.issuer) && !settings.contains(CLIENT_SECRET));
    for reply in [
        Reply::Json(
            200,
            json!({ "access_token": { "secret": "s3cret" }, "token_type": "Bearer" }),
        ),
        Reply::Json(
            400,
            json!({ "error": "invalid_request", "error_description": "s3cret" }),
        ),
        Reply::Json(
            200,
            json!({ "access_token": "s3cret", "token_type": "Bearer", "id_token": "s3cret" }),
        ),
    ] {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        provider.update(|state| state.token = reply);
        let error = google
            .exchange_code(callback(SHOP, &redirect, "s3cret"))
            .await
            .unwrap_err();
        let text = format!("{error:?} {error}");
        assert!(
            !text.contains("s3cret") && !text.contains(&redirect.pkce_verifier),
            "{text}"
        );
    }
    let unverified = {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        let mut claims = provider.claims(&redirect.nonce);
        claims["email_verified"] = json!(false);
        provider.respond_with_token(&known_key().sign(&claims));
        google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await
            .unwrap_err()
    };
    assert!(!format!("{unverified:?}").contains("asha@example.com"));
}
