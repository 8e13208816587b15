//! The access token: when it is renewed, by which request, and which token is used meanwhile.

use std::sync::Arc;

use mirasa_app::ports::payment::PaymentGateway as _;
use serde_json::json;

use super::fake_server::{CLIENT_SECRET, FakeServer, Reply, WEBHOOK_PASSWORD};
use super::{
    PhonePe, PhonePeSettings, adapter, adapter_with_short_timeout, create_page, outcome_text,
};

/// Sends a request and returns its token.
async fn token_of_request(server: &FakeServer, phonepe: &PhonePe) -> String {
    phonepe.payment_status(&"MO1".into()).await.unwrap();
    let authorization = server.update(|state| state.requests.last().unwrap().authorization.clone());
    authorization.strip_prefix("O-Bearer ").unwrap().to_owned()
}

#[tokio::test]
async fn token_is_renewed_at_half_its_ttl() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    assert_eq!(
        server.count("token"),
        0,
        "no request before the first payment"
    );
    assert_eq!(token_of_request(&server, &phonepe).await, "token-1");
    server.clock.advance_s(1799);
    assert_eq!(token_of_request(&server, &phonepe).await, "token-1");
    server.clock.advance_s(1);
    assert_eq!(token_of_request(&server, &phonepe).await, "token-2");
    assert_eq!(server.count("POST /identity/v1/oauth/token"), 2);
}

#[tokio::test]
async fn concurrent_requests_fetch_one_token() {
    let server = FakeServer::start().await;
    let phonepe = Arc::new(server.adapter());
    let concurrent_requests = |phonepe: &Arc<PhonePe>| {
        let tasks = (0..40).map(|_| {
            let phonepe = phonepe.clone();
            tokio::spawn(async move { phonepe.payment_status(&"MO1".into()).await.unwrap() })
        });
        tasks.collect::<Vec<_>>()
    };
    for task in concurrent_requests(&phonepe) {
        task.await.unwrap();
    }
    assert_eq!(server.count("token"), 1);
    server.update(|state| state.tokens_revoked = 1);
    for task in concurrent_requests(&phonepe) {
        task.await.unwrap();
    }
    assert_eq!(
        server.count("token"),
        2,
        "all were rejected, one requested a token"
    );
}

#[tokio::test]
async fn failed_renewal_keeps_current_token_and_waits() {
    let server = FakeServer::start().await;
    let phonepe = adapter_with_short_timeout(server.settings(), &server.clock);
    assert_eq!(token_of_request(&server, &phonepe).await, "token-1");
    server.clock.advance_s(2000);
    for reply in [
        Reply::Text(500, ""),
        Reply::Slow,
        Reply::Text(200, "<html>"),
    ] {
        server.respond_with("token", [reply]);
        let before = server.count("token");
        assert_eq!(token_of_request(&server, &phonepe).await, "token-1");
        assert_eq!(token_of_request(&server, &phonepe).await, "token-1");
        assert_eq!(server.count("token"), before + 1);
        server.clock.advance_s(20);
    }
    assert_eq!(token_of_request(&server, &phonepe).await, "token-2");
}

#[tokio::test]
async fn expired_token_is_not_used() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    token_of_request(&server, &phonepe).await;
    server.clock.advance_s(3600);
    server.respond_with("token", [Reply::Text(503, "")]);
    let outcome = outcome_text(phonepe.payment_status(&"MO1".into()).await);
    assert_eq!(
        outcome,
        "unreachable: no token from the payment gateway: the payment gateway responded with 503 Service Unavailable"
    );
    assert_eq!(server.count("status"), 1);
}

#[tokio::test]
async fn token_without_expiry_gets_default_ttl() {
    let server = FakeServer::start().await;
    server.update(|state| state.tokens_given = 1);
    server.respond_with(
        "token",
        [Reply::Json(200, json!({ "access_token": "token-1" }))],
    );
    let phonepe = server.adapter();
    for _ in 0..3 {
        assert_eq!(token_of_request(&server, &phonepe).await, "token-1");
    }
    assert_eq!(server.count("token"), 1);
}

#[tokio::test]
async fn second_401_is_outcome_unknown() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    server.update(|state| state.tokens_revoked = usize::MAX - 1);
    let outcome = outcome_text(phonepe.payment_status(&"MO1".into()).await);
    assert!(
        outcome.starts_with("unreachable: the payment gateway responded with 401"),
        "{outcome}"
    );
    assert_eq!((server.count("status"), server.count("token")), (2, 2));
}

#[tokio::test]
async fn wrong_secret_is_outcome_unknown_and_not_logged() {
    let server = FakeServer::start().await;
    let settings = PhonePeSettings {
        client_secret: format!("not-{CLIENT_SECRET}"),
        ..server.settings()
    };
    let debug_text = format!("{settings:?}");
    let phonepe = adapter(settings, &server.clock);
    let outcome = outcome_text(phonepe.payment_status(&"MO1".into()).await);
    assert!(
        outcome.starts_with("unreachable: no token from the payment gateway: "),
        "{outcome}"
    );
    assert!(outcome.contains("401") && outcome.contains("UNAUTHORIZED"));

    let valid = server.adapter();
    create_page(&valid, "MO2").await;
    server.respond_with("status", (0..3).map(|_| Reply::Text(500, "")));
    let error = valid.payment_status(&"MO2".into()).await.unwrap_err();
    for text in [debug_text, outcome, format!("{valid:?} {error:?} {error}")] {
        for secret in [CLIENT_SECRET, WEBHOOK_PASSWORD, "token-1"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}
