//! A gateway that is down, slow or sends invalid responses: what is retried, and which error is
//! returned.

use std::time::{Duration, Instant};

use mirasa_app::ports::payment::{GatewayPaymentState, GatewayRefundState, PaymentGateway as _};
use mirasa_domain::money::Paise;
use serde_json::{Value, json};

use super::fake_server::{FakeServer, Reply};
use super::{
    AMOUNT, PhonePe, PhonePeSettings, adapter, adapter_with_short_timeout, create_page, listener,
    outcome_text, payment, payment_request, refund_request,
};
use crate::payment::PhonePeConfigError;

fn error_reply(status: u16, code: &str) -> Reply {
    Reply::Json(
        status,
        json!({ "code": code, "message": "No.", "data": {} }),
    )
}

#[tokio::test]
async fn request_bodies_match_phonepe_documentation() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    create_page(&phonepe, "MO1").await;
    payment(&phonepe, "MO1").await;
    let expected = json!({
        "merchantOrderId": "MO1",
        "amount": 124_550,
        "expireAfter": 900,
        "paymentFlow": {
            "type": "PG_CHECKOUT",
            "message": "Your masalas",
            "merchantUrls": {
                "redirectUrl": "http://shop.example/api/payment/redirect?merchantOrderId=MO1",
            },
        },
    });
    let (bodies, last) = server.update(|state| {
        let last = state.requests.last().unwrap().line.clone();
        (state.bodies.clone(), last)
    });
    assert_eq!(bodies, [expected]);
    assert_eq!(last, "GET /pg/checkout/v2/order/MO1/status?details=false");
}

#[tokio::test]
async fn status_is_retried_after_transient_errors() {
    let server = FakeServer::start().await;
    let phonepe = adapter_with_short_timeout(server.settings(), &server.clock);
    create_page(&phonepe, "MO1").await;
    for transient in [
        error_reply(500, "INTERNAL_SERVER_ERROR"),
        Reply::Text(502, "<html>"),
        error_reply(429, "TOO_MANY_REQUESTS"),
        Reply::Text(408, ""),
        Reply::Slow,
    ] {
        let before = server.count("status");
        server.respond_with("status", [transient]);
        assert_eq!(payment(&phonepe, "MO1").await.amount, AMOUNT);
        assert_eq!(server.count("status"), before + 2);
    }
    server.respond_with(
        "status",
        [error_reply(503, "DOWN"), error_reply(429, "SLOW_DOWN")],
    );
    assert_eq!(payment(&phonepe, "MO1").await.amount, AMOUNT);
    let before = server.count("status");
    server.respond_with("status", (0..9).map(|_| error_reply(503, "DOWN")));
    assert_eq!(
        outcome_text(phonepe.payment_status(&"MO1".into()).await),
        "unreachable: the payment gateway responded with 503 Service Unavailable, DOWN: No."
    );
    assert_eq!(server.count("status"), before + 3, "and then given up");
    let outcome = outcome_text(phonepe.refund_status(&"R1".into()).await);
    assert!(outcome.starts_with("unreachable: "), "{outcome}");
}

/// The outcome is unknown, so the shop checks the status first.
#[tokio::test]
async fn payment_and_refund_are_not_retried() {
    let server = FakeServer::start().await;
    let phonepe = adapter_with_short_timeout(server.settings(), &server.clock);
    create_page(&phonepe, "MO1").await;
    for failure in [
        error_reply(500, "INTERNAL_SERVER_ERROR"),
        error_reply(429, "TOO_MANY_REQUESTS"),
        Reply::Text(408, ""),
        Reply::Slow,
    ] {
        let before = (server.count("/pay"), server.count("/refund"));
        server.respond_with("pay", [failure.clone()]);
        let outcome = outcome_text(phonepe.create_payment(payment_request("MO2")).await);
        assert!(outcome.starts_with("unreachable: "), "{outcome}");
        server.respond_with("refund", [failure]);
        let outcome = outcome_text(
            phonepe
                .create_refund(refund_request("R1", "MO1", 5_000))
                .await,
        );
        assert!(outcome.starts_with("unreachable: "), "{outcome}");
        let after = (server.count("/pay"), server.count("/refund"));
        // The refund's URL contains "/payments" too.
        assert_eq!(after, (before.0 + 2, before.1 + 1));
    }
}

#[tokio::test]
async fn rejection_differs_from_unknown_outcome() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    let cases = [
        (error_reply(400, "BAD_REQUEST"), "refused: BAD_REQUEST: No."),
        (error_reply(403, "FORBIDDEN"), "refused: FORBIDDEN: No."),
        (
            Reply::Json(422, json!({ "code": "NOT_THIS" })),
            "refused: NOT_THIS",
        ),
        (
            Reply::Text(400, "<html>some proxy</html>"),
            "unreachable: the payment gateway responded with 400 Bad Request",
        ),
        (
            Reply::Redirect("/elsewhere"),
            "unreachable: the payment gateway responded with 302 Found",
        ),
        (
            Reply::Text(200, "{\"orderId\": "),
            "unreachable: the payment gateway's response is invalid",
        ),
        (
            Reply::Text(200, ""),
            "unreachable: the payment gateway's response is invalid",
        ),
        (
            Reply::Huge,
            "unreachable: the payment gateway's response is larger than 262144 bytes",
        ),
        (
            Reply::Json(200, json!({ "orderId": "OMO1", "expireAt": 1 })),
            "unreachable: the response to a payment has no page URL",
        ),
        (
            Reply::Json(
                200,
                json!({ "orderId": "OMO1", "expireAt": 1, "redirectUrl": "javascript:alert(1)" }),
            ),
            "unreachable: the response to a payment has no page URL",
        ),
    ];
    for (reply, expected) in cases {
        server.respond_with("pay", [reply]);
        assert_eq!(
            outcome_text(phonepe.create_payment(payment_request("MO1")).await),
            expected
        );
    }
    let long = json!({ "code": "LONG", "message": format!("a\nb{}", "x".repeat(9_000)) });
    server.respond_with("pay", [Reply::Json(400, long)]);
    let text = outcome_text(phonepe.create_payment(payment_request("MO1")).await);
    assert!(text.starts_with("refused: LONG: a bx") && text.len() < 400);
}

/// A payment must not disappear because of a 404 from a proxy.
#[tokio::test]
async fn not_found_needs_phonepe_error_body() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    for absent in [
        error_reply(404, "ORDER_NOT_FOUND"),
        error_reply(400, "INVALID_MERCHANT_ORDER_ID"),
    ] {
        server.respond_with("status", [absent]);
        assert_eq!(phonepe.payment_status(&"MO1".into()).await.unwrap(), None);
    }
    server.respond_with("status", [Reply::Text(404, "<html>nginx</html>")]);
    let outcome = outcome_text(phonepe.payment_status(&"MO1".into()).await);
    assert!(
        outcome.starts_with("unreachable: the payment gateway responded with 404"),
        "{outcome}"
    );
    server.respond_with("status", [error_reply(400, "BAD_REQUEST")]);
    let outcome = outcome_text(phonepe.payment_status(&"MO1".into()).await);
    assert_eq!(outcome, "refused: BAD_REQUEST: No.");
}

async fn status_text(server: &FakeServer, phonepe: &PhonePe, status: Value) -> String {
    server.clear_replies();
    server.respond_with("status", [Reply::Json(200, status)]);
    match phonepe.payment_status(&"MO1".into()).await {
        Ok(Some(payment)) => format!("{:?} {}", payment.state, payment.amount.get()),
        other => outcome_text(other),
    }
}

#[tokio::test]
async fn payment_states_are_parsed_defensively() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    let cases = [
        (json!({ "state": "COMPLETED", "amount": 5 }), "Completed 5"),
        (
            json!({ "state": "COMPLETED", "amount": "500" }),
            "Completed 500",
        ),
        (json!({ "state": "FAILED" }), "Failed 0"),
        (
            json!({ "state": "ON_THE_MOON", "amount": 5, "unknown": [1] }),
            "Pending 5",
        ),
        (json!({ "state": "completed", "amount": 5 }), "Pending 5"),
        (
            json!({ "state": null, "paymentDetails": null }),
            "Pending 0",
        ),
        (json!({}), "Pending 0"),
        (
            json!({ "state": "COMPLETED", "paymentDetails": [{ "state": "COMPLETED", "amount": 7 }] }),
            "Completed 7",
        ),
        (
            json!({ "state": "COMPLETED" }),
            "unreachable: the payment gateway says paid, but not how much",
        ),
        (
            json!({ "state": "COMPLETED", "amount": 5.5 }),
            "unreachable: the payment gateway's response is invalid",
        ),
        (
            json!({ "merchantOrderId": "MO2", "state": "COMPLETED", "amount": 5 }),
            "unreachable: the payment gateway responded with about another order",
        ),
        (
            json!([]),
            "unreachable: the payment gateway's response is invalid",
        ),
    ];
    for (status, expected) in cases {
        assert_eq!(
            status_text(&server, &phonepe, status.clone()).await,
            expected,
            "{status}"
        );
    }
    let right = json!({ "state": "COMPLETED", "amount": 5 }).to_string();
    server.respond_with("status", [Reply::Typed("text/html", right)]);
    let mislabelled = payment(&phonepe, "MO1").await;
    assert_eq!(mislabelled.state, GatewayPaymentState::Completed);
}

#[tokio::test]
async fn refund_states_are_parsed_defensively() {
    let server = FakeServer::start().await;
    let phonepe = server.adapter();
    for (state, expected) in [
        ("PENDING", GatewayRefundState::Pending),
        ("CONFIRMED", GatewayRefundState::Pending),
        ("ON_THE_MOON", GatewayRefundState::Pending),
        ("COMPLETED", GatewayRefundState::Completed),
        ("FAILED", GatewayRefundState::Failed),
    ] {
        let body = json!({ "state": state, "errorCode": "WHY", "more": {} });
        server.respond_with("refund", [Reply::Json(200, body.clone())]);
        let created = phonepe
            .create_refund(refund_request("R1", "MO1", 5_000))
            .await
            .unwrap();
        assert_eq!(
            (created.state, created.amount),
            (expected, Paise::new(5_000))
        );
        server.respond_with("status", [Reply::Json(200, body)]);
        let found = phonepe.refund_status(&"R1".into()).await.unwrap().unwrap();
        assert_eq!(found.state, expected);
        assert_eq!(found.error_code.as_deref(), Some("WHY"));
    }
}

#[tokio::test]
async fn refused_connection_is_outcome_unknown() {
    let (gone, address) = listener().await;
    drop(gone);
    let server = FakeServer::start().await;
    let settings = PhonePeSettings {
        payment_base: address,
        ..server.settings()
    };
    let phonepe = adapter(settings, &server.clock);
    let outcome = outcome_text(phonepe.create_payment(payment_request("MO1")).await);
    assert!(
        outcome.starts_with("unreachable: no response from the payment gateway"),
        "{outcome}"
    );
    assert!(phonepe.payment_status(&"MO1".into()).await.is_err());
}

/// Requests that wait for the same token share its timeout instead of waiting one after the other.
#[tokio::test]
async fn concurrent_requests_share_one_token_timeout() {
    let server = FakeServer::start().await;
    server.respond_with("token", (0..50).map(|_| Reply::Slow));
    let phonepe = std::sync::Arc::new(adapter_with_short_timeout(server.settings(), &server.clock));
    let started = Instant::now();
    let tasks = (0..50).map(|_| {
        let phonepe = phonepe.clone();
        tokio::spawn(async move {
            phonepe
                .create_payment(payment_request("MO1"))
                .await
                .is_err()
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(task.await.unwrap());
    }
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(server.count("token"), 1);
}

#[tokio::test]
async fn invalid_base_url_is_config_error() {
    let server = FakeServer::start().await;
    for invalid in ["", "api.phonepe.com/apis/pg", "ftp://x/", "data:x"] {
        let settings = PhonePeSettings {
            payment_base: invalid.into(),
            ..server.settings()
        };
        let result = PhonePe::new(settings, server.clock.clone());
        assert!(
            matches!(result, Err(PhonePeConfigError::InvalidUrl(_))),
            "{invalid}"
        );
    }
}
