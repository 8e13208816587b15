//! Webhooks of the payment gateway: who may send them, and what a wrong one does.

use http::Method;
use mirasa_domain::order::PaymentStatus;
use serde_json::{Value, json};

use crate::checkout_gateway_failures::{
    WEBHOOK, follow_up_webhook, payment, payment_status, polled_at,
};
use crate::harness::{TestShop, eventually, for_each_engine_fresh};

#[test]
fn unauthenticated_webhook_is_rejected_and_an_unknown_one_ignored() {
    for_each_engine_fresh(
        |config| config.sandbox.secret = "it".into(),
        async |shop| {
            let (browser, payment) = payment(shop, "fault-webhook").await;
            let event = json!({ "event": "checkout.order.completed", "payload": {
                "merchantOrderId": payment.number, "state": "COMPLETED", "amount": 13_100 } });
            let visitor = shop.visitor();
            visitor
                .post(WEBHOOK, event.clone())
                .await
                .expect_error(401, "not authenticated");
            let send = async |body: &Value| {
                let request = visitor.request(Method::POST, WEBHOOK).json(body);
                let signed = request.header("authorization", webhook_authorization(shop));
                visitor.send(signed).await
            };
            // Authenticated, but the gateway's status API has no such payment: the event is not trusted.
            assert_eq!(send(&event).await.status, 200);
            let mut unknown = event.clone();
            unknown["payload"]["merchantOrderId"] = json!("Mnothing");
            assert_eq!(send(&unknown).await.status, 200);
            assert_eq!(
                send(&json!({ "event": "new", "payload": {} })).await.status,
                200
            );
            assert_eq!(send(&json!([])).await.status, 400);
            visitor
                .post("/api/payment/webhook/other", event.clone())
                .await
                .expect_error(404, "There is no such payment provider");
            eventually("the gateway is asked about the payment", async || {
                polled_at(shop, &payment).await > 0
            })
            .await;
            assert_eq!(payment_status(shop, &payment).await, PaymentStatus::Pending);

            // An old "failed" event after the payment changes nothing.
            browser.submit_payment(&payment, "pay").await;
            browser.settled_result(&payment).await;
            let mut old_event = event.clone();
            old_event["event"] = json!("checkout.order.failed");
            old_event["payload"]["state"] = json!("FAILED");
            assert_eq!(send(&old_event).await.status, 200);
            follow_up_webhook(shop, &payment).await;
            assert_eq!(
                payment_status(shop, &payment).await,
                PaymentStatus::Completed
            );
            shop.assert_consistent().await;
        },
    );
}

/// The `Authorization` value of the sandbox's webhooks.
fn webhook_authorization(shop: &TestShop) -> String {
    use sha2::{Digest as _, Sha256};
    let secret = Sha256::digest(shop.config.sandbox.secret.expose());
    let password = Sha256::new()
        .chain_update(secret)
        .chain_update("sandbox phonepe: webhook password");
    let password = base16ct::lower::encode_string(&password.finalize());
    base16ct::lower::encode_string(&Sha256::digest(format!("mirasa-sandbox:{password}")))
}
