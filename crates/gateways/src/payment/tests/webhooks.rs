//! What the adapter takes from a webhook: whose secret it carries, and which payment to ask about.

use mirasa_app::ports::payment::{PaymentGateway as _, WebhookError, WebhookEvent};
use serde_json::json;

use super::scripted::Scripted;

/// PhonePe's own example, for `username:password`.
const SIGNATURE: &str = "bc842c31a9e54efe320d30d948be61291f3ceee4766e36ab25fa65243cd76e0e";

fn payment(number: &str) -> WebhookEvent {
    WebhookEvent::Payment {
        merchant_order_id: number.into(),
    }
}

#[tokio::test]
async fn only_the_right_header_is_heard() {
    let phonepe = Scripted::start().await.adapter();
    let body = json!({
        "event": "checkout.order.completed",
        "payload": { "merchantOrderId": "MO1", "state": "COMPLETED", "amount": 124_550 },
    })
    .to_string();
    let read = |header| phonepe.parse_webhook(header, body.as_bytes());
    assert_eq!(read(Some(SIGNATURE)), Ok(payment("MO1")));
    let flipped = SIGNATURE.replace("bc84", "cc84");
    let prefixed = format!("Bearer {SIGNATURE}");
    for wrong in [
        "",
        "username:password",
        &flipped,
        &prefixed,
        &SIGNATURE[1..],
    ] {
        assert_eq!(
            read(Some(wrong)),
            Err(WebhookError::Unauthenticated),
            "{wrong}"
        );
        assert!(!phonepe.is_signed(Some(wrong)), "{wrong}");
    }
    assert_eq!(read(None), Err(WebhookError::Unauthenticated));
    assert!(phonepe.is_signed(Some(SIGNATURE)) && !phonepe.is_signed(None));
    assert_eq!(
        phonepe.parse_webhook(None, b"nonsense"),
        Err(WebhookError::Unauthenticated),
        "what is not signed is not read"
    );
}

#[tokio::test]
async fn events_say_what_to_ask_about() {
    let phonepe = Scripted::start().await.adapter();
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
        // One attempt on the page failed; the order has not.
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
        let read = phonepe.parse_webhook(Some(SIGNATURE), body.to_string().as_bytes());
        assert_eq!(read, expected, "{event}");
    }
}

#[tokio::test]
async fn nonsense_is_unreadable() {
    let phonepe = Scripted::start().await.adapter();
    let huge = format!("{{\"event\":\"x\",\"more\":\"{}\"}}", "x".repeat(300_000));
    let number = |number: &str| {
        json!({ "event": "checkout.order.failed", "payload": { "merchantOrderId": number } })
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
        &number("../x"),
        &number(""),
        &huge,
        &deep,
    ] {
        let read = phonepe.parse_webhook(Some(SIGNATURE), body.as_bytes());
        let start = body.chars().take(60).collect::<String>();
        assert_eq!(read, Err(WebhookError::Malformed), "{start}");
    }
}
