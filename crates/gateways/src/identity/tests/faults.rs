//! A provider that is down, slow, or talks nonsense: the sign-in fails soon, and as the right kind.

use std::time::{Duration, Instant};

use mirasa_app::ports::identity::{IdentityError, IdentityProvider as _};
use serde_json::json;

use super::scripted::{CLIENT_SECRET, Reply, Scripted, known_key};
use super::{GoogleSettings, adapter, answer, ask, listener, verdict};

const SHOP: &str = "https://shop.example";
const SLOW: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_failing_token_endpoint_is_told_from_a_refused_code() {
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
            "no ID token in the answer",
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
            "unreachable: asking for the tokens: the provider answered 500 Internal Server Error",
        ),
        (
            "an error inside that looks like a refusal",
            Reply::Json(503, json!({ "error": "invalid_grant" })),
            "unreachable: asking for the tokens: the provider answered 503 Service Unavailable",
        ),
        (
            "not JSON",
            Reply::Text(200, "<html>"),
            "unreachable: the token endpoint's answer is not what OAuth says",
        ),
        (
            "a redirect is not followed",
            Reply::Redirect("/jwks".into()),
            "unreachable: asking for the tokens: the provider answered 302 Found",
        ),
        (
            "more than anybody should read",
            Reply::Huge,
            "unreachable: asking for the tokens: the provider's answer is larger than 262144 bytes",
        ),
    ];
    let provider = Scripted::start().await;
    let google = provider.adapter();
    for (what, reply, expected) in cases {
        let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
        provider.change(|script| script.token = reply);
        let outcome = google.exchange_code(answer(SHOP, &begun, "code")).await;
        assert_eq!(verdict(outcome), expected, "{what}");
    }
}

#[tokio::test]
async fn a_slow_token_endpoint_is_given_up_on() {
    let provider = Scripted::start().await;
    let google = provider.impatient_adapter();
    let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
    provider.change(|script| script.token = Reply::Slow(SLOW));
    let since = Instant::now();
    let verdict = verdict(google.exchange_code(answer(SHOP, &begun, "code")).await);
    assert!(
        verdict.starts_with("unreachable: asking for the tokens: no answer from the provider"),
        "{verdict}"
    );
    assert!(since.elapsed() < SLOW);
}

#[tokio::test]
async fn a_provider_that_cannot_say_what_it_is_is_unreachable_until_it_can() {
    let provider = Scripted::start().await;
    let other = json!({
        "issuer": "https://evil.example",
        "authorization_endpoint": "https://evil.example/authorize",
        "token_endpoint": "https://evil.example/token",
        "jwks_uri": format!("{}/jwks", provider.address),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    });
    let google = provider.impatient_adapter();
    for (what, reply) in [
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
        provider.change(|script| script.description = Some(reply));
        let outcome = google.authorization_url(ask(SHOP, None)).await;
        assert!(
            matches!(outcome, Err(IdentityError::Unreachable(_))),
            "{what}"
        );
    }
    provider.change(|script| script.description = None);
    assert!(google.authorization_url(ask(SHOP, None)).await.is_ok());
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let (gone, issuer) = listener().await;
    drop(gone);
    let provider = Scripted::start().await;
    let settings = GoogleSettings {
        issuer,
        ..provider.settings()
    };
    let outcome = adapter(settings, &provider.clock)
        .authorization_url(ask(SHOP, None))
        .await;
    assert!(matches!(outcome, Err(IdentityError::Unreachable(_))));
}

/// A visitor who waits for somebody else's attempt shares its end: fifty do not wait in a row.
#[tokio::test]
async fn a_crowd_waits_for_one_timeout_only() {
    let provider = Scripted::start().await;
    provider.change(|script| script.description = Some(Reply::Slow(SLOW)));
    let google = std::sync::Arc::new(provider.impatient_adapter());
    let since = Instant::now();
    let crowd = (0..50).map(|_| {
        let google = google.clone();
        tokio::spawn(async move { google.authorization_url(ask(SHOP, None)).await.is_err() })
    });
    for visitor in crowd.collect::<Vec<_>>() {
        assert!(visitor.await.unwrap());
    }
    assert!(since.elapsed() < SLOW);
    assert_eq!(provider.asked(), (1, 0));
}

/// What may end up in a log carries neither the secret nor a token.
#[tokio::test]
async fn faults_and_settings_tell_no_secrets() {
    let provider = Scripted::start().await;
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
        let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
        provider.change(|script| script.token = reply);
        let fault = google
            .exchange_code(answer(SHOP, &begun, "s3cret"))
            .await
            .unwrap_err();
        let said = format!("{fault:?} {fault}");
        assert!(
            !said.contains("s3cret") && !said.contains(&begun.pkce_verifier),
            "{said}"
        );
    }
    let unverified = {
        let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
        let mut claims = provider.claims(&begun.nonce);
        claims["email_verified"] = json!(false);
        provider.will_send(&known_key().await.sign(&claims).unwrap());
        google
            .exchange_code(answer(SHOP, &begun, "code"))
            .await
            .unwrap_err()
    };
    assert!(!format!("{unverified:?}").contains("asha@example.com"));
}
