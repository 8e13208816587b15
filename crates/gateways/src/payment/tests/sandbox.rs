//! The sandbox's own promises: its webhooks, its switches, its record, its checks.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use mirasa_app::ports::clock::SystemIdGenerator;
use mirasa_app::ports::payment::{
    GatewayPaymentState, GatewayRefundState, PaymentGateway as _, WebhookEvent,
};
use serde_json::{Value, json};

use super::super::sandbox::{PATH, SandboxGateway, SandboxSettings};
use super::{
    AMOUNT, BACK, HeldClock, PhonePe, adapter, begun, browser, impatient, listener, refund, report,
    serve, verdict,
};

type Heard = Arc<Mutex<Vec<(Option<String>, Vec<u8>)>>>;

/// A shop around the sandbox: an ear for webhooks, which may be deaf for a while, and the adapter.
pub(super) struct SandboxShop {
    pub(super) url: String,
    pub(super) clock: Arc<HeldClock>,
    pub(super) phonepe: PhonePe,
    sandbox: SandboxGateway,
    heard: Heard,
    deaf_for: Arc<Mutex<u32>>,
    folder: Arc<tempfile::TempDir>,
}

#[derive(Clone)]
struct Ear {
    heard: Heard,
    deaf_for: Arc<Mutex<u32>>,
}

async fn hear(State(ear): State<Ear>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let mut deaf_for = ear.deaf_for.lock().unwrap();
    if *deaf_for > 0 {
        *deaf_for -= 1;
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let authorization = headers.get(header::AUTHORIZATION);
    let authorization = authorization.map(|value| value.to_str().unwrap().to_owned());
    ear.heard
        .lock()
        .unwrap()
        .push((authorization, body.to_vec()));
    StatusCode::OK
}

fn gateway(url: &str, folder: &Path, clock: &Arc<HeldClock>) -> SandboxGateway {
    let settings = SandboxSettings {
        public_url: format!("{url}/"),
        reach_shop_at: url.to_owned(),
        shop_name: "Mirasa <&> Co".into(),
        secret: [7; 32],
        folder: folder.join("sandbox"),
    };
    SandboxGateway::new(settings, clock.clone(), Arc::new(SystemIdGenerator)).unwrap()
}

impl SandboxShop {
    pub(super) async fn open() -> SandboxShop {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        SandboxShop::open_on(folder, HeldClock::new()).await
    }

    async fn open_on(folder: Arc<tempfile::TempDir>, clock: Arc<HeldClock>) -> SandboxShop {
        let (listener, url) = listener().await;
        let sandbox = gateway(&url, folder.path(), &clock);
        let ear = Ear {
            heard: Heard::default(),
            deaf_for: Arc::default(),
        };
        let router = Router::new()
            .route("/api/payment/webhook/phonepe", post(hear))
            .with_state(ear.clone())
            .nest(PATH, sandbox.router().merge(sandbox.control_router()));
        serve(listener, router);
        SandboxShop {
            phonepe: adapter(sandbox.client_settings(), &clock),
            url,
            clock,
            sandbox,
            heard: ear.heard,
            deaf_for: ear.deaf_for,
            folder,
        }
    }

    /// What a browser does when a button of the page is pressed.
    pub(super) async fn choose(&self, page: &str, fields: &[(&str, &str)]) -> reqwest::Response {
        browser().post(page).form(fields).send().await.unwrap()
    }

    pub(super) async fn switch(&self, switches: Value) -> Value {
        let request = browser().post(format!("{}{PATH}/switches", self.url));
        let answer = request.json(&switches).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }

    async fn record(&self) -> Value {
        let request = browser().get(format!("{}{PATH}/orders", self.url));
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn pay(&self, number: &str) {
        let page = begun(&self.phonepe, number).await;
        let back = self.choose(&page.redirect_url, &[("outcome", "pay")]).await;
        assert_eq!(back.status(), 303);
    }

    /// The events heard so far, each read by the adapter, once there are so many.
    async fn events(&self, how_many: usize) -> Vec<(String, WebhookEvent)> {
        for _ in 0..200 {
            if self.heard.lock().unwrap().len() >= how_many {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let heard = self.heard.lock().unwrap();
        let events = heard.iter().map(|(authorization, body)| {
            let told: Value = serde_json::from_slice(body).unwrap();
            let webhook = self.phonepe.parse_webhook(authorization.as_deref(), body);
            (told["event"].as_str().unwrap().to_owned(), webhook.unwrap())
        });
        events.collect()
    }
}

fn payment(event: &str, number: &str) -> (String, WebhookEvent) {
    let webhook = WebhookEvent::Payment {
        merchant_order_id: number.into(),
    };
    (event.into(), webhook)
}

#[tokio::test]
async fn the_shop_hears_of_it_after_the_return_or_before() {
    let shop = SandboxShop::open().await;
    shop.pay("MO1").await;
    assert_eq!(shop.heard.lock().unwrap().len(), 0, "the browser is first");
    let first = payment("checkout.order.completed", "MO1");
    assert_eq!(shop.events(1).await, std::slice::from_ref(&first));

    shop.switch(json!({ "webhook": "before_return" })).await;
    let page = begun(&shop.phonepe, "MO2").await;
    let fields = [("outcome", "fail"), ("reason", "INVALID_MPIN")];
    shop.choose(&page.redirect_url, &fields).await;
    assert_eq!(shop.heard.lock().unwrap().len(), 2, "the shop is first");
    let second = payment("checkout.order.failed", "MO2");
    assert_eq!(shop.events(2).await, [first, second]);
    let body: Value = serde_json::from_slice(&shop.heard.lock().unwrap()[1].1).unwrap();
    assert_eq!(body["payload"]["state"], "FAILED");
    assert_eq!(body["payload"]["amount"], AMOUNT.get());
    assert_eq!(
        body["payload"]["paymentDetails"][0]["errorCode"],
        "INVALID_MPIN"
    );

    shop.switch(json!({ "webhook": "never" })).await;
    shop.pay("MO3").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(shop.heard.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn webhooks_are_repeated_until_heard_and_doubled_on_demand() {
    let shop = SandboxShop::open().await;
    *shop.deaf_for.lock().unwrap() = 2;
    shop.switch(json!({ "duplicate_webhooks": 2, "failed_attempts": 1, "webhook_delay_ms": 0 }))
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
    let body: Value = serde_json::from_slice(&shop.heard.lock().unwrap()[0].1).unwrap();
    assert_eq!(body["payload"]["state"], "PENDING");
}

#[tokio::test]
async fn a_webhook_with_a_wrong_signature_is_one() {
    let shop = SandboxShop::open().await;
    shop.switch(json!({ "wrong_signature": true, "webhook": "before_return" }))
        .await;
    shop.pay("MO1").await;
    let heard = shop.heard.lock().unwrap();
    let (authorization, body) = &heard[0];
    let read = shop.phonepe.parse_webhook(authorization.as_deref(), body);
    assert!(read.is_err());
}

#[tokio::test]
async fn troubles_come_as_often_as_ordered() {
    let shop = SandboxShop::open().await;
    let phonepe = impatient(shop.sandbox.client_settings(), &shop.clock);
    begun(&phonepe, "MO1").await;

    shop.switch(json!({ "errors": 1, "too_many": 1 })).await;
    assert_eq!(report(&phonepe, "MO1").await.amount, AMOUNT);
    shop.switch(json!({ "errors": 3 })).await;
    let outcome = verdict(phonepe.payment_status("MO1").await);
    assert!(outcome.contains("500"), "{outcome}");

    // A payment that hangs was not begun; one whose answer is lost was.
    for (switch, number, known) in [("timeout", "MO2", false), ("lost_answers", "MO3", true)] {
        shop.switch(json!({ switch: 1, "calls": ["pay"] })).await;
        report(&phonepe, "MO1").await;
        let outcome = verdict(phonepe.create_payment(super::ask(number)).await);
        assert!(outcome.starts_with("unreachable: no answer"), "{outcome}");
        assert_eq!(
            phonepe.payment_status(number).await.unwrap().is_some(),
            known
        );
    }
    let left = shop.switch(json!({ "latency_ms": 5 })).await;
    assert_eq!(
        (&left["timeout"], &left["calls"]),
        (&json!(0), &json!(["pay"]))
    );
}

#[tokio::test]
async fn switches_are_read_changed_and_reset() {
    let shop = SandboxShop::open().await;
    let url = format!("{}{PATH}/switches", shop.url);
    let read = || async {
        let answer = browser().get(&url).send().await.unwrap();
        answer.json::<Value>().await.unwrap()
    };
    let untouched = read().await;
    shop.switch(json!({ "wrong_amount": true })).await;
    assert_eq!(read().await["wrong_amount"], true);
    for wrong in [json!({ "no_such": 1 }), json!({ "webhook": "sometimes" })] {
        let answer = browser().post(&url).json(&wrong).send().await.unwrap();
        assert_eq!(answer.status(), 400);
    }
    assert_eq!(browser().delete(&url).send().await.unwrap().status(), 200);
    assert_eq!(read().await, untouched);
}

#[tokio::test]
async fn a_wrong_amount_is_told_and_the_record_keeps_the_right_one() {
    let shop = SandboxShop::open().await;
    shop.switch(json!({ "wrong_amount": true })).await;
    shop.pay("MO1").await;
    let told = report(&shop.phonepe, "MO1").await;
    assert_eq!(told.amount.get(), AMOUNT.get() / 2);
    let record = shop.record().await;
    assert_eq!(record["orders"][0]["amount"], AMOUNT.get());
}

#[tokio::test]
async fn an_expired_order_can_be_paid_late_on_demand() {
    let shop = SandboxShop::open().await;
    shop.switch(json!({ "expire_after_s": 2, "webhook": "before_return" }))
        .await;
    let page = begun(&shop.phonepe, "MO1").await;
    shop.clock.advance_s(2);
    let state = |shop: &SandboxShop| {
        let phonepe = adapter(shop.sandbox.client_settings(), &shop.clock);
        async move { report(&phonepe, "MO1").await.state }
    };
    assert_eq!(state(&shop).await, GatewayPaymentState::Failed);
    let pay = [("outcome", "pay")];
    shop.choose(&page.redirect_url, &pay).await;
    assert_eq!(state(&shop).await, GatewayPaymentState::Failed);
    assert_eq!(shop.heard.lock().unwrap().len(), 0);

    shop.switch(json!({ "late_payments": true })).await;
    shop.choose(&page.redirect_url, &pay).await;
    assert_eq!(state(&shop).await, GatewayPaymentState::Completed);
    let completed = payment("checkout.order.completed", "MO1");
    assert_eq!(shop.events(1).await, [completed]);
}

#[tokio::test]
async fn refunds_end_as_ordered_and_never_give_back_too_much() {
    let shop = SandboxShop::open().await;
    shop.switch(json!({ "webhook": "never" })).await;
    shop.pay("MO1").await;
    shop.switch(json!({ "webhook": "after_return", "refunds": "fail", "refund_ms": 0 }))
        .await;
    let all = AMOUNT.get();
    shop.phonepe
        .create_refund(refund("R1", "MO1", all))
        .await
        .unwrap();
    let failed = shop.phonepe.refund_status("R1").await.unwrap().unwrap();
    assert_eq!(failed.state, GatewayRefundState::Failed);
    assert!(failed.error_code.is_some());
    let webhook = WebhookEvent::Refund {
        merchant_refund_id: "R1".into(),
    };
    assert_eq!(shop.events(1).await, [("pg.refund.failed".into(), webhook)]);

    shop.switch(json!({ "refunds": "stay_pending" })).await;
    let part = refund("R2", "MO1", all - 100);
    shop.phonepe.create_refund(part).await.unwrap();
    shop.clock.advance_s(60);
    let pending = shop.phonepe.refund_status("R2").await.unwrap().unwrap();
    assert_eq!(pending.state, GatewayRefundState::Pending);
    for (number, paise) in [("R3", 101), ("R4", 99), ("R5", -5)] {
        let outcome = verdict(
            shop.phonepe
                .create_refund(refund(number, "MO1", paise))
                .await,
        );
        assert!(
            outcome.starts_with("refused: REFUND_AMOUNT_INVALID"),
            "{outcome}"
        );
    }
    shop.phonepe
        .create_refund(refund("R6", "MO1", 100))
        .await
        .unwrap();
    assert_eq!(shop.record().await["refunds"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_new_run_knows_what_the_last_one_said() {
    let before = SandboxShop::open().await;
    before.switch(json!({ "webhook": "never" })).await;
    before.pay("MO1").await;
    let open = begun(&before.phonepe, "MO2").await;
    before
        .phonepe
        .create_refund(refund("R1", "MO1", 5_000))
        .await
        .unwrap();
    let record = before.record().await;
    assert_eq!(record["orders"][0]["state"], "COMPLETED");
    assert_eq!(record["orders"][1]["state"], "PENDING");

    let after = SandboxShop::open_on(before.folder.clone(), before.clock.clone()).await;
    assert_eq!(after.record().await, record);
    assert_eq!(
        report(&after.phonepe, "MO1").await.state,
        GatewayPaymentState::Completed
    );
    let twice = verdict(after.phonepe.create_payment(super::ask("MO1")).await);
    assert!(
        twice.starts_with("refused: INVALID_MERCHANT_ORDER_ID"),
        "{twice}"
    );
    let page = open.redirect_url.replace(&before.url, &after.url);
    let back = after.choose(&page, &[("outcome", "pay")]).await;
    assert_eq!(
        back.headers()["location"],
        format!("http://shop.example{BACK}MO2")
    );
    assert_eq!(
        report(&after.phonepe, "MO2").await.state,
        GatewayPaymentState::Completed
    );
}

#[tokio::test]
async fn nobody_comes_in_without_the_secret() {
    let shop = SandboxShop::open().await;
    let base = format!("{}{PATH}", shop.url);
    let call = browser().get(format!("{base}/checkout/v2/order/MO1/status"));
    assert_eq!(call.send().await.unwrap().status(), 401);
    let pay = browser().post(format!("{base}/checkout/v2/pay"));
    let pay = pay
        .header("authorization", "O-Bearer made-up")
        .json(&json!({}));
    let refused = pay.send().await.unwrap();
    assert_eq!(refused.status(), 401);
    assert_eq!(
        refused.json::<Value>().await.unwrap()["code"],
        "AUTHORIZATION_FAILED"
    );
    let settings = shop.sandbox.client_settings();
    let form = [
        ("client_id", settings.client_id.as_str()),
        ("client_version", "1"),
        ("client_secret", "guessed"),
        ("grant_type", "client_credentials"),
    ];
    let token = browser().post(format!("{base}/v1/oauth/token")).form(&form);
    assert_eq!(token.send().await.unwrap().status(), 401);
    assert!(!format!("{settings:?}").contains(&settings.client_secret));
}
