//! A gateway that is down, slow, or talks nonsense: what is asked again, and what is told to the shop.

use std::time::{Duration, Instant};

use mirasa_app::ports::payment::{GatewayPaymentState, GatewayRefundState, PaymentGateway as _};
use mirasa_domain::money::Paise;
use serde_json::{Value, json};

use super::scripted::{Reply, Scripted};
use super::{
    AMOUNT, PhonePe, PhonePeSettings, adapter, ask, begun, impatient, listener, refund, report,
    verdict,
};
use crate::payment::Unusable;

fn no(status: u16, code: &str) -> Reply {
    Reply::Json(
        status,
        json!({ "code": code, "message": "No.", "data": {} }),
    )
}

#[tokio::test]
async fn what_is_asked_is_what_phonepe_documents() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    begun(&phonepe, "MO1").await;
    report(&phonepe, "MO1").await;
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
    let (bodies, last) = scripted.change(|script| {
        let last = script.heard.last().unwrap().line.clone();
        (script.bodies.clone(), last)
    });
    assert_eq!(bodies, [expected]);
    assert_eq!(last, "GET /pg/checkout/v2/order/MO1/status?details=false");
}

#[tokio::test]
async fn a_question_is_asked_again_after_what_may_pass() {
    let scripted = Scripted::start().await;
    let phonepe = impatient(scripted.settings(), &scripted.clock);
    begun(&phonepe, "MO1").await;
    for passing in [
        no(500, "INTERNAL_SERVER_ERROR"),
        Reply::Text(502, "<html>"),
        no(429, "TOO_MANY_REQUESTS"),
        Reply::Text(408, ""),
        Reply::Slow,
    ] {
        let before = scripted.count("status");
        scripted.will_say("status", [passing]);
        assert_eq!(report(&phonepe, "MO1").await.amount, AMOUNT);
        assert_eq!(scripted.count("status"), before + 2);
    }
    scripted.will_say("status", [no(503, "DOWN"), no(429, "SLOW_DOWN")]);
    assert_eq!(report(&phonepe, "MO1").await.amount, AMOUNT);
    let before = scripted.count("status");
    scripted.will_say("status", (0..9).map(|_| no(503, "DOWN")));
    assert_eq!(
        verdict(phonepe.payment_status("MO1").await),
        "unreachable: the payment gateway answered 503 Service Unavailable, DOWN: No."
    );
    assert_eq!(scripted.count("status"), before + 3, "and then given up");
    let outcome = verdict(phonepe.refund_status("R1").await);
    assert!(outcome.starts_with("unreachable: "), "{outcome}");
}

/// Whether it was done, nobody knows: the shop looks at the state first.
#[tokio::test]
async fn a_payment_or_a_refund_is_never_asked_for_twice() {
    let scripted = Scripted::start().await;
    let phonepe = impatient(scripted.settings(), &scripted.clock);
    begun(&phonepe, "MO1").await;
    for trouble in [
        no(500, "INTERNAL_SERVER_ERROR"),
        no(429, "TOO_MANY_REQUESTS"),
        Reply::Text(408, ""),
        Reply::Slow,
    ] {
        let before = (scripted.count("/pay"), scripted.count("/refund"));
        scripted.will_say("pay", [trouble.clone()]);
        let outcome = verdict(phonepe.create_payment(ask("MO2")).await);
        assert!(outcome.starts_with("unreachable: "), "{outcome}");
        scripted.will_say("refund", [trouble]);
        let outcome = verdict(phonepe.create_refund(refund("R1", "MO1", 5_000)).await);
        assert!(outcome.starts_with("unreachable: "), "{outcome}");
        let after = (scripted.count("/pay"), scripted.count("/refund"));
        // The refund's address has "/payments" in it too.
        assert_eq!(after, (before.0 + 2, before.1 + 1));
    }
}

#[tokio::test]
async fn a_refusal_is_told_from_a_fault() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    let cases = [
        (no(400, "BAD_REQUEST"), "refused: BAD_REQUEST: No."),
        (no(403, "FORBIDDEN"), "refused: FORBIDDEN: No."),
        (
            Reply::Json(422, json!({ "code": "NOT_THIS" })),
            "refused: NOT_THIS",
        ),
        (
            Reply::Text(400, "<html>some proxy</html>"),
            "unreachable: the payment gateway answered 400 Bad Request",
        ),
        (
            Reply::Redirect("/elsewhere"),
            "unreachable: the payment gateway answered 302 Found",
        ),
        (
            Reply::Text(200, "{\"orderId\": "),
            "unreachable: the payment gateway's answer is not what its protocol says",
        ),
        (
            Reply::Text(200, ""),
            "unreachable: the payment gateway's answer is not what its protocol says",
        ),
        (
            Reply::Huge,
            "unreachable: the payment gateway's answer is larger than 262144 bytes",
        ),
        (
            Reply::Json(200, json!({ "orderId": "OMO1", "expireAt": 1 })),
            "unreachable: the answer to a payment names no page to pay on",
        ),
        (
            Reply::Json(
                200,
                json!({ "orderId": "OMO1", "expireAt": 1, "redirectUrl": "javascript:alert(1)" }),
            ),
            "unreachable: the answer to a payment names no page to pay on",
        ),
    ];
    for (reply, expected) in cases {
        scripted.will_say("pay", [reply]);
        assert_eq!(verdict(phonepe.create_payment(ask("MO1")).await), expected);
    }
    let long = json!({ "code": "LONG", "message": format!("a\nb{}", "x".repeat(9_000)) });
    scripted.will_say("pay", [Reply::Json(400, long)]);
    let told = verdict(phonepe.create_payment(ask("MO1")).await);
    assert!(told.starts_with("refused: LONG: a bx") && told.len() < 400);
}

/// A payment must not disappear because something in between does not find the way.
#[tokio::test]
async fn only_phonepe_itself_can_say_that_it_never_heard_of_an_order() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    for absent in [
        no(404, "ORDER_NOT_FOUND"),
        no(400, "INVALID_MERCHANT_ORDER_ID"),
    ] {
        scripted.will_say("status", [absent]);
        assert_eq!(phonepe.payment_status("MO1").await.unwrap(), None);
    }
    scripted.will_say("status", [Reply::Text(404, "<html>nginx</html>")]);
    let outcome = verdict(phonepe.payment_status("MO1").await);
    assert!(
        outcome.starts_with("unreachable: the payment gateway answered 404"),
        "{outcome}"
    );
    scripted.will_say("status", [no(400, "BAD_REQUEST")]);
    let outcome = verdict(phonepe.payment_status("MO1").await);
    assert_eq!(outcome, "refused: BAD_REQUEST: No.");
}

async fn read(scripted: &Scripted, phonepe: &PhonePe, status: Value) -> String {
    scripted.forget_replies();
    scripted.will_say("status", [Reply::Json(200, status)]);
    match phonepe.payment_status("MO1").await {
        Ok(Some(report)) => format!("{:?} {}", report.state, report.amount.get()),
        other => verdict(other),
    }
}

#[tokio::test]
async fn states_are_read_with_care() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    let cases = [
        (json!({ "state": "COMPLETED", "amount": 5 }), "Completed 5"),
        (
            json!({ "state": "COMPLETED", "amount": "500" }),
            "Completed 500",
        ),
        (json!({ "state": "FAILED" }), "Failed 0"),
        (
            json!({ "state": "ON_THE_MOON", "amount": 5, "news": [1] }),
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
            "unreachable: the payment gateway's answer is not what its protocol says",
        ),
        (
            json!({ "merchantOrderId": "MO2", "state": "COMPLETED", "amount": 5 }),
            "unreachable: the payment gateway answered about another order",
        ),
        (
            json!([]),
            "unreachable: the payment gateway's answer is not what its protocol says",
        ),
    ];
    for (status, expected) in cases {
        assert_eq!(
            read(&scripted, &phonepe, status.clone()).await,
            expected,
            "{status}"
        );
    }
    let right = json!({ "state": "COMPLETED", "amount": 5 }).to_string();
    scripted.will_say("status", [Reply::Typed("text/html", right)]);
    let mislabelled = report(&phonepe, "MO1").await;
    assert_eq!(mislabelled.state, GatewayPaymentState::Completed);
}

#[tokio::test]
async fn refunds_are_read_with_care() {
    let scripted = Scripted::start().await;
    let phonepe = scripted.adapter();
    for (state, expected) in [
        ("PENDING", GatewayRefundState::Pending),
        ("CONFIRMED", GatewayRefundState::Pending),
        ("ON_THE_MOON", GatewayRefundState::Pending),
        ("COMPLETED", GatewayRefundState::Completed),
        ("FAILED", GatewayRefundState::Failed),
    ] {
        let said = json!({ "state": state, "errorCode": "WHY", "more": {} });
        scripted.will_say("refund", [Reply::Json(200, said.clone())]);
        let begun = phonepe
            .create_refund(refund("R1", "MO1", 5_000))
            .await
            .unwrap();
        assert_eq!((begun.state, begun.amount), (expected, Paise::new(5_000)));
        scripted.will_say("status", [Reply::Json(200, said)]);
        let found = phonepe.refund_status("R1").await.unwrap().unwrap();
        assert_eq!(found.state, expected);
        assert_eq!(found.error_code.as_deref(), Some("WHY"));
    }
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let (gone, address) = listener().await;
    drop(gone);
    let scripted = Scripted::start().await;
    let settings = PhonePeSettings {
        payment_base: address,
        ..scripted.settings()
    };
    let phonepe = adapter(settings, &scripted.clock);
    let outcome = verdict(phonepe.create_payment(ask("MO1")).await);
    assert!(
        outcome.starts_with("unreachable: no answer from the payment gateway"),
        "{outcome}"
    );
    assert!(phonepe.payment_status("MO1").await.is_err());
}

/// A shopper who waits for somebody else's token shares its end: fifty do not wait in a row.
#[tokio::test]
async fn a_crowd_waits_for_one_timeout_only() {
    let scripted = Scripted::start().await;
    scripted.will_say("token", (0..50).map(|_| Reply::Slow));
    let phonepe = std::sync::Arc::new(impatient(scripted.settings(), &scripted.clock));
    let since = Instant::now();
    let crowd = (0..50).map(|_| {
        let phonepe = phonepe.clone();
        tokio::spawn(async move { phonepe.create_payment(ask("MO1")).await.is_err() })
    });
    for shopper in crowd.collect::<Vec<_>>() {
        assert!(shopper.await.unwrap());
    }
    assert!(since.elapsed() < Duration::from_secs(20));
    assert_eq!(scripted.count("token"), 1);
}

#[tokio::test]
async fn an_address_that_is_none_is_found_out_at_the_start() {
    let scripted = Scripted::start().await;
    for none in ["", "api.phonepe.com/apis/pg", "ftp://x/", "data:x"] {
        let settings = PhonePeSettings {
            payment_base: none.into(),
            ..scripted.settings()
        };
        let made = PhonePe::new(settings, scripted.clock.clone());
        assert!(matches!(made, Err(Unusable::Address(_))), "{none}");
    }
}
