//! The sandbox: webhooks, fault injection, its log, and request validation.

use mirasa_app::ports::payment::{
    GatewayPaymentState, GatewayRefundState, PaymentGateway as _, WebhookEvent,
};
use mirasa_sandbox::payment::PATH;
use serde_json::{Value, json};

use super::sandbox_shop::SandboxShop;
use super::{
    AMOUNT, RETURN_PATH, adapter, adapter_with_short_timeout, create_page, http_client,
    outcome_text, payment, refund_request, sandbox_settings,
};

fn payment_event(event: &str, id: &str) -> (String, WebhookEvent) {
    let webhook = WebhookEvent::Payment {
        merchant_order_id: id.into(),
    };
    (event.into(), webhook)
}

#[tokio::test]
async fn webhook_timing_is_before_or_after_return() {
    let shop = SandboxShop::open().await;
    shop.pay("MO1").await;
    assert_eq!(
        shop.received.lock().unwrap().len(),
        0,
        "the browser is first"
    );
    let first = payment_event("checkout.order.completed", "MO1");
    assert_eq!(shop.events(1).await, std::slice::from_ref(&first));

    shop.inject_faults(json!({ "webhook": "before_return" }))
        .await;
    let page = create_page(&shop.phonepe, "MO2").await;
    let fields = [("outcome", "fail"), ("reason", "INVALID_MPIN")];
    shop.submit(&page.redirect_url, &fields).await;
    assert_eq!(shop.received.lock().unwrap().len(), 2, "the shop is first");
    let second = payment_event("checkout.order.failed", "MO2");
    assert_eq!(shop.events(2).await, [first, second]);
    let body: Value = serde_json::from_slice(&shop.received.lock().unwrap()[1].1).unwrap();
    assert_eq!(body["payload"]["state"], "FAILED");
    assert_eq!(body["payload"]["amount"], AMOUNT.get());
    assert_eq!(
        body["payload"]["paymentDetails"][0]["errorCode"],
        "INVALID_MPIN"
    );

    shop.inject_faults(json!({ "webhook": "never" })).await;
    shop.pay("MO3").await;
    // The webhook of a later payment is the next one.
    shop.inject_faults(json!({ "webhook": "before_return" }))
        .await;
    shop.pay("MO4").await;
    let all = shop.events(3).await;
    assert_eq!(all.len(), 3);
    assert_eq!(all[2], payment_event("checkout.order.completed", "MO4"));
}

#[tokio::test]
async fn webhooks_are_retried_and_duplicated() {
    let shop = SandboxShop::open().await;
    *shop.failures_left.lock().unwrap() = 2;
    shop.inject_faults(
        json!({ "duplicate_webhooks": 2, "failed_attempts": 1, "webhook_delay_ms": 0 }),
    )
    .await;
    shop.pay("MO1").await;
    let names = |events: Vec<(String, WebhookEvent)>| -> Vec<String> {
        events.into_iter().map(|(event, _)| event).collect()
    };
    let attempt = "checkout.transaction.attempt.failed";
    let done = "checkout.order.completed";
    assert_eq!(
        names(shop.events(6).await),
        [attempt, attempt, attempt, done, done, done]
    );
    let body: Value = serde_json::from_slice(&shop.received.lock().unwrap()[0].1).unwrap();
    assert_eq!(body["payload"]["state"], "PENDING");
}

#[tokio::test]
async fn wrong_signature_setting_sends_invalid_header() {
    let shop = SandboxShop::open().await;
    shop.inject_faults(json!({ "wrong_signature": true, "webhook": "before_return" }))
        .await;
    shop.pay("MO1").await;
    let received = shop.received.lock().unwrap();
    let (authorization, body) = &received[0];
    let parsed = shop.phonepe.parse_webhook(authorization.as_deref(), body);
    assert!(parsed.is_err());
}

#[tokio::test]
async fn injected_faults_happen_the_given_number_of_times() {
    let shop = SandboxShop::open().await;
    let phonepe = adapter_with_short_timeout(sandbox_settings(&shop.sandbox), &shop.clock);
    create_page(&phonepe, "MO1").await;

    shop.inject_faults(json!({ "errors": 1, "too_many": 1 }))
        .await;
    assert_eq!(payment(&phonepe, "MO1").await.amount, AMOUNT);
    shop.inject_faults(json!({ "errors": 3 })).await;
    let outcome = outcome_text(phonepe.payment_status(&"MO1".into()).await);
    assert!(outcome.contains("500"), "{outcome}");

    // A payment that hangs was not created; one whose response was lost was.
    for (setting, id, exists) in [("timeout", "MO2", false), ("lost_responses", "MO3", true)] {
        shop.inject_faults(json!({ setting: 1, "calls": ["pay"] }))
            .await;
        payment(&phonepe, "MO1").await;
        let outcome = outcome_text(phonepe.create_payment(super::payment_request(id)).await);
        assert!(outcome.starts_with("unreachable: no response"), "{outcome}");
        assert_eq!(
            phonepe.payment_status(&id.into()).await.unwrap().is_some(),
            exists
        );
    }
    let remaining = shop.inject_faults(json!({ "latency_ms": 5 })).await;
    assert_eq!(
        (&remaining["timeout"], &remaining["calls"]),
        (&json!(0), &json!(["pay"]))
    );
}

#[tokio::test]
async fn fault_settings_are_read_updated_and_reset() {
    let shop = SandboxShop::open().await;
    let url = format!("{}{PATH}/faults", shop.url);
    let get_settings = || async {
        let response = http_client().get(&url).send().await.unwrap();
        response.json::<Value>().await.unwrap()
    };
    let defaults = get_settings().await;
    shop.inject_faults(json!({ "wrong_amount": true })).await;
    assert_eq!(get_settings().await["wrong_amount"], true);
    for wrong in [json!({ "no_such": 1 }), json!({ "webhook": "sometimes" })] {
        let response = http_client().post(&url).json(&wrong).send().await.unwrap();
        assert_eq!(response.status(), 400);
    }
    assert_eq!(
        http_client().delete(&url).send().await.unwrap().status(),
        200
    );
    assert_eq!(get_settings().await, defaults);
}

#[tokio::test]
async fn wrong_amount_is_reported_but_not_recorded() {
    let shop = SandboxShop::open().await;
    shop.inject_faults(json!({ "wrong_amount": true })).await;
    shop.pay("MO1").await;
    let reported = payment(&shop.phonepe, "MO1").await;
    assert_eq!(reported.amount.get(), AMOUNT.get() / 2);
    let record = shop.gateway_record().await;
    assert_eq!(record["orders"][0]["amount"], AMOUNT.get());
}

#[tokio::test]
async fn late_payments_setting_allows_paying_expired_order() {
    let shop = SandboxShop::open().await;
    shop.inject_faults(json!({ "expire_after_s": 2, "webhook": "before_return" }))
        .await;
    let page = create_page(&shop.phonepe, "MO1").await;
    shop.clock.advance_s(2);
    let state = |shop: &SandboxShop| {
        let phonepe = adapter(sandbox_settings(&shop.sandbox), &shop.clock);
        async move { payment(&phonepe, "MO1").await.state }
    };
    assert_eq!(state(&shop).await, GatewayPaymentState::Failed);
    let pay = [("outcome", "pay")];
    shop.submit(&page.redirect_url, &pay).await;
    assert_eq!(state(&shop).await, GatewayPaymentState::Failed);
    assert_eq!(shop.received.lock().unwrap().len(), 0);

    shop.inject_faults(json!({ "late_payments": true })).await;
    shop.submit(&page.redirect_url, &pay).await;
    assert_eq!(state(&shop).await, GatewayPaymentState::Completed);
    let completed = payment_event("checkout.order.completed", "MO1");
    assert_eq!(shop.events(1).await, [completed]);
}

#[tokio::test]
async fn refunds_follow_settings_and_never_exceed_payment() {
    let shop = SandboxShop::open().await;
    shop.inject_faults(json!({ "webhook": "never" })).await;
    shop.pay("MO1").await;
    shop.inject_faults(json!({ "webhook": "after_return", "refunds": "fail", "refund_ms": 0 }))
        .await;
    let all = AMOUNT.get();
    shop.phonepe
        .create_refund(refund_request("R1", "MO1", all))
        .await
        .unwrap();
    let failed = shop
        .phonepe
        .refund_status(&"R1".into())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(failed.state, GatewayRefundState::Failed);
    assert!(failed.error_code.is_some());
    let webhook = WebhookEvent::Refund {
        merchant_refund_id: "R1".into(),
    };
    assert_eq!(shop.events(1).await, [("pg.refund.failed".into(), webhook)]);

    shop.inject_faults(json!({ "refunds": "stay_pending" }))
        .await;
    let part = refund_request("R2", "MO1", all - 100);
    shop.phonepe.create_refund(part).await.unwrap();
    shop.clock.advance_s(60);
    let pending = shop
        .phonepe
        .refund_status(&"R2".into())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(pending.state, GatewayRefundState::Pending);
    for (id, paise) in [("R3", 101), ("R4", 99), ("R5", -5)] {
        let outcome = outcome_text(
            shop.phonepe
                .create_refund(refund_request(id, "MO1", paise))
                .await,
        );
        assert!(
            outcome.starts_with("refused: REFUND_AMOUNT_INVALID"),
            "{outcome}"
        );
    }
    shop.phonepe
        .create_refund(refund_request("R6", "MO1", 100))
        .await
        .unwrap();
    assert_eq!(
        shop.gateway_record().await["refunds"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[tokio::test]
async fn state_survives_restart() {
    let before = SandboxShop::open().await;
    before.inject_faults(json!({ "webhook": "never" })).await;
    before.pay("MO1").await;
    let pending = create_page(&before.phonepe, "MO2").await;
    before
        .phonepe
        .create_refund(refund_request("R1", "MO1", 5_000))
        .await
        .unwrap();
    let record = before.gateway_record().await;
    assert_eq!(record["orders"][0]["state"], "COMPLETED");
    assert_eq!(record["orders"][1]["state"], "PENDING");

    let after = SandboxShop::open_on(before.folder.clone(), before.clock.clone()).await;
    assert_eq!(after.gateway_record().await, record);
    assert_eq!(
        payment(&after.phonepe, "MO1").await.state,
        GatewayPaymentState::Completed
    );
    let twice = outcome_text(
        after
            .phonepe
            .create_payment(super::payment_request("MO1"))
            .await,
    );
    assert!(
        twice.starts_with("refused: INVALID_MERCHANT_ORDER_ID"),
        "{twice}"
    );
    let page = pending.redirect_url.replace(&before.url, &after.url);
    let back = after.submit(&page, &[("outcome", "pay")]).await;
    assert_eq!(
        back.headers()["location"],
        format!("http://shop.example{RETURN_PATH}MO2")
    );
    assert_eq!(
        payment(&after.phonepe, "MO2").await.state,
        GatewayPaymentState::Completed
    );
}

#[tokio::test]
async fn requests_without_valid_credentials_are_rejected() {
    let shop = SandboxShop::open().await;
    let base = format!("{}{PATH}", shop.url);
    let request = http_client().get(format!("{base}/checkout/v2/order/MO1/status"));
    assert_eq!(request.send().await.unwrap().status(), 401);
    let pay = http_client().post(format!("{base}/checkout/v2/pay"));
    let pay = pay
        .header("authorization", "O-Bearer made-up")
        .json(&json!({}));
    let refused = pay.send().await.unwrap();
    assert_eq!(refused.status(), 401);
    assert_eq!(
        refused.json::<Value>().await.unwrap()["code"],
        "AUTHORIZATION_FAILED"
    );
    let credentials = shop.sandbox.credentials();
    let form = [
        ("client_id", credentials.client_id.as_str()),
        ("client_version", "1"),
        ("client_secret", "guessed"),
        ("grant_type", "client_credentials"),
    ];
    let token = http_client()
        .post(format!("{base}/v1/oauth/token"))
        .form(&form);
    assert_eq!(token.send().await.unwrap().status(), 401);
    assert!(!format!("{credentials:?}").contains(&credentials.client_secret));
}
