//! Webhook parsing: the authorization header, and the payment or refund that it names.

use mirasa_app::ports::payment::{PaymentGateway as _, WebhookError, WebhookEvent};
use serde_json::json;

use super::fake_server::FakeServer;

/// PhonePe's own example, for `username:password`.
const AUTHORIZATION: &str = "bc842c31a9e54efe320d30d948be61291f3ceee4766e36ab25fa65243cd76e0e";

fn payment(id: &str) -> WebhookEvent {
    WebhookEvent::Payment {
        merchant_order_id: id.into(),
    }
}

#[tokio::test]
async fn only_correct_header_is_accepted() {
    let phonepe = FakeServer::start().await.adapter();
    let body = json!({
        "event": "checkout.order.completed",
        "payload": { "merchantOrderId": "MO1", "state": "COMPLETED", "amount": 124_550 },
    })
    .to_string();
    let parsed = |header| phonepe.parse_webhook(header, body.as_bytes());
    assert_eq!(parsed(Some(AUTHORIZATION)), Ok(payment("MO1")));
    let flipped = AUTHORIZATION.replace("bc84", "cc84");
    let prefixed = format!("Bearer {AUTHORIZATION}");
    for wrong in [
        "",
        "username:password",
        &flipped,
        &prefixed,
        &AUTHORIZATION[1..],
    ] {
        assert_eq!(
            parsed(Some(wrong)),
            Err(WebhookError::Unauthenticated),
            "{wrong}"
        );
        assert!(!phonepe.is_signed(Some(wrong)), "{wrong}");
    }
    assert_eq!(parsed(None), Err(WebhookError::Unauthenticated));
    assert!(phonepe.is_signed(Some(AUTHORIZATION)) && !phonepe.is_signed(None));
    assert_eq!(
        phonepe.parse_webhook(None, b"nonsense"),
        Err(WebhookError::Unauthenticated),
        "what is not signed is not read"
    );
}

#[tokio::test]
async fn event_names_payment_or_refund() {
    let phonepe = FakeServer::start().await.adapter();
    let refund = WebhookEvent::Refund {
        merchant_refund_id: "R1".into(),
    };
    let order = json!({
        "merchantId": "M1",
        "merchantOrderId": "MO1",
        "orderId": "OMO1",
        "state": "PENDING",
        "amount": 124_550,
        "expireAt": 1_800_000_000_000_i64,
        "metaInfo": { "udf1": "x" },
        "paymentDetails": [{ "state": "FAILED", "rail": { "type": "UPI" } }],
    });
    let of_refund = json!({ "merchantRefundId": "R1", "originalMerchantOrderId": "MO1" });
    let cases = [
        ("checkout.order.completed", &order, Ok(payment("MO1"))),
        ("checkout.order.failed", &order, Ok(payment("MO1"))),
        // One attempt on the page has failed, but not the order.
        (
            "checkout.transaction.attempt.failed",
            &order,
            Ok(WebhookEvent::Other),
        ),
        ("pg.refund.accepted", &of_refund, Ok(refund.clone())),
        ("pg.refund.completed", &of_refund, Ok(refund.clone())),
        ("pg.refund.failed", &of_refund, Ok(refund)),
        ("subscription.paused", &order, Ok(WebhookEvent::Other)),
        (
            "checkout.order.completed",
            &of_refund,
            Err(WebhookError::Malformed),
        ),
        ("pg.refund.completed", &order, Err(WebhookError::Malformed)),
    ];
    for (event, payload, expected) in cases {
        let body = json!({ "event": event, "type": "X", "payload": payload, "more": [1] });
        let parsed = phonepe.parse_webhook(Some(AUTHORIZATION), body.to_string().as_bytes());
        assert_eq!(parsed, expected, "{event}");
    }
}

#[tokio::test]
async fn invalid_body_is_malformed() {
    let phonepe = FakeServer::start().await.adapter();
    let huge = format!("{{\"event\":\"x\",\"more\":\"{}\"}}", "x".repeat(300_000));
    let id = |id: &str| {
        json!({ "event": "checkout.order.failed", "payload": { "merchantOrderId": id } })
            .to_string()
    };
    let deep = "[".repeat(100_000);
    for body in [
        "",
        "nonsense",
        "[]",
        "{}",
        "{\"event\":7}",
        "{\"event\":\"checkout.order.failed\"}",
        "{\"event\":\"checkout.order.failed\",\"payload\":[]}",
        &id("../x"),
        &id(""),
        &huge,
        &deep,
    ] {
        let parsed = phonepe.parse_webhook(Some(AUTHORIZATION), body.as_bytes());
        let start = body.chars().take(60).collect::<String>();
        assert_eq!(parsed, Err(WebhookError::Malformed), "{start}");
    }
}
