//! One token for all calls: when it is renewed, by whom, and what serves meanwhile.

use std::sync::Arc;

use mirasa_app::ports::payment::PaymentGateway as _;
use serde_json::json;

use super::scripted::{CLIENT_SECRET, Reply, Scripted, WEBHOOK_PASSWORD};
use super::{PhonePe, PhonePeSettings, adapter, begun, impatient, verdict};

/// Asks something, and tells with which token.
async fn token_of_a_call(scripted: &Scripted, phonepe: &PhonePe) -> String {
    phonepe.payment_status("MO1").await.unwrap();
    let authorization =
        scripted.change(|script| script.heard.last().unwrap().authorization.clone());
    authorization.strip_prefix("O-Bearer ").unwrap().to_owned()
}

#[tokio::test]
async fn a_token_serves_until_half_its_life() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    assert_eq!(scripted.count("token"), 0, "nobody is asked before a call");
    assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-1");
    scripted.clock.advance_s(1799);
    assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-1");
    scripted.clock.advance_s(1);
    assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-2");
    assert_eq!(scripted.count("POST /identity/v1/oauth/token"), 2);
}

#[tokio::test]
async fn a_crowd_fetches_one_token() {
    let scripted = Scripted::start().await;
    let phonepe = Arc::new(scripted.adapter());
    let crowd = |phonepe: &Arc<PhonePe>| {
        let asking = (0..40).map(|_| {
            let phonepe = phonepe.clone();
            tokio::spawn(async move { phonepe.payment_status("MO1").await.unwrap() })
        });
        asking.collect::<Vec<_>>()
    };
    for asking in crowd(&phonepe) {
        asking.await.unwrap();
    }
    assert_eq!(scripted.count("token"), 1);
    scripted.change(|script| script.tokens_revoked = 1);
    for asking in crowd(&phonepe) {
        asking.await.unwrap();
    }
    assert_eq!(scripted.count("token"), 2, "all were refused, one asked");
}

#[tokio::test]
async fn a_failed_renewal_keeps_the_old_token_and_is_not_repeated_at_once() {
    let scripted = Scripted::start().await;
    let phonepe = impatient(scripted.settings(), &scripted.clock);
    assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-1");
    scripted.clock.advance_s(2000);
    for reply in [
        Reply::Text(500, ""),
        Reply::Slow,
        Reply::Text(200, "<html>"),
    ] {
        scripted.will_say("token", [reply]);
        let before = scripted.count("token");
        assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-1");
        assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-1");
        assert_eq!(scripted.count("token"), before + 1);
        scripted.clock.advance_s(20);
    }
    assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-2");
}

#[tokio::test]
async fn an_expired_token_does_not_serve() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    token_of_a_call(&scripted, &phonepe).await;
    scripted.clock.advance_s(3600);
    scripted.will_say("token", [Reply::Text(503, "")]);
    let outcome = verdict(phonepe.payment_status("MO1").await);
    assert_eq!(
        outcome,
        "unreachable: no token from the payment gateway: the payment gateway answered 503 Service Unavailable"
    );
    assert_eq!(scripted.count("status"), 1);
}

#[tokio::test]
async fn a_token_that_says_nothing_of_its_life_is_not_fetched_for_every_call() {
    let scripted = Scripted::start().await;
    scripted.change(|script| script.tokens_given = 1);
    scripted.will_say(
        "token",
        [Reply::Json(200, json!({ "access_token": "token-1" }))],
    );
    let phonepe = scripted.adapter();
    for _ in 0..3 {
        assert_eq!(token_of_a_call(&scripted, &phonepe).await, "token-1");
    }
    assert_eq!(scripted.count("token"), 1);
}

#[tokio::test]
async fn a_gateway_that_never_lets_us_in_is_asked_twice_and_unreachable() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    scripted.change(|script| script.tokens_revoked = usize::MAX - 1);
    let outcome = verdict(phonepe.payment_status("MO1").await);
    assert!(
        outcome.starts_with("unreachable: the payment gateway answered 401"),
        "{outcome}"
    );
    assert_eq!((scripted.count("status"), scripted.count("token")), (2, 2));
}

#[tokio::test]
async fn a_wrong_secret_is_unreachable_and_nothing_tells_it() {
    let scripted = Scripted::start().await;
    let settings = PhonePeSettings {
        client_secret: format!("not-{CLIENT_SECRET}"),
        ..scripted.settings()
    };
    let shown = format!("{settings:?}");
    let phonepe = adapter(settings, &scripted.clock);
    let outcome = verdict(phonepe.payment_status("MO1").await);
    assert!(
        outcome.starts_with("unreachable: no token from the payment gateway: "),
        "{outcome}"
    );
    assert!(outcome.contains("401") && outcome.contains("UNAUTHORIZED"));

    let good = scripted.adapter();
    begun(&good, "MO2").await;
    scripted.will_say("status", (0..3).map(|_| Reply::Text(500, "")));
    let error = good.payment_status("MO2").await.unwrap_err();
    for said in [shown, outcome, format!("{good:?} {error:?} {error}")] {
        for secret in [CLIENT_SECRET, WEBHOOK_PASSWORD, "token-1"] {
            assert!(!said.contains(secret), "{said}");
        }
    }
}
