//! A shop with the sandbox: the adapter, the gateway and a webhook receiver.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use mirasa_app::ports::clock::SystemIdGenerator;
use mirasa_app::ports::payment::{PaymentGateway as _, WebhookEvent};
use mirasa_sandbox::payment::{PATH, SandboxGateway, SandboxSettings};
use serde_json::Value;

use super::{
    ManualClock, PhonePe, adapter, create_page, http_client, listener, sandbox_settings, serve,
};

type ReceivedWebhooks = Arc<Mutex<Vec<(Option<String>, Vec<u8>)>>>;

/// A shop with the sandbox, the adapter and a webhook receiver that can fail for a number of
/// requests.
pub(super) struct SandboxShop {
    pub(super) url: String,
    pub(super) clock: Arc<ManualClock>,
    pub(super) phonepe: PhonePe,
    pub(super) sandbox: SandboxGateway,
    pub(super) received: ReceivedWebhooks,
    pub(super) failures_left: Arc<Mutex<u32>>,
    pub(super) folder: Arc<tempfile::TempDir>,
}

#[derive(Clone)]
struct WebhookReceiver {
    received: ReceivedWebhooks,
    failures_left: Arc<Mutex<u32>>,
}

async fn receive_webhook(
    State(receiver): State<WebhookReceiver>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let mut failures_left = receiver.failures_left.lock().unwrap();
    if *failures_left > 0 {
        *failures_left -= 1;
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let authorization = headers.get(header::AUTHORIZATION);
    let authorization = authorization.map(|value| value.to_str().unwrap().to_owned());
    receiver
        .received
        .lock()
        .unwrap()
        .push((authorization, body.to_vec()));
    StatusCode::OK
}

fn gateway(url: &str, folder: &Path, clock: &Arc<ManualClock>) -> SandboxGateway {
    let settings = SandboxSettings {
        public_url: format!("{url}/"),
        shop_base_url: url.to_owned(),
        shop_name: "Mirasa <&> Co".into(),
        secret: [7; 32],
        folder: folder.join("sandbox"),
    };
    SandboxGateway::new(settings, clock.clone(), Arc::new(SystemIdGenerator)).unwrap()
}

impl SandboxShop {
    pub(super) async fn open() -> SandboxShop {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        SandboxShop::open_on(folder, ManualClock::new()).await
    }

    pub(super) async fn open_on(
        folder: Arc<tempfile::TempDir>,
        clock: Arc<ManualClock>,
    ) -> SandboxShop {
        let (listener, url) = listener().await;
        let sandbox = gateway(&url, folder.path(), &clock);
        let receiver = WebhookReceiver {
            received: ReceivedWebhooks::default(),
            failures_left: Arc::default(),
        };
        let router = Router::new()
            .route("/api/payment/webhook/phonepe", post(receive_webhook))
            .with_state(receiver.clone())
            .nest(PATH, sandbox.router().merge(sandbox.control_router()));
        serve(listener, router);
        SandboxShop {
            phonepe: adapter(sandbox_settings(&sandbox), &clock),
            url,
            clock,
            sandbox,
            received: receiver.received,
            failures_left: receiver.failures_left,
            folder,
        }
    }

    /// What a browser sends when a button of the page is pressed.
    pub(super) async fn submit(&self, page: &str, fields: &[(&str, &str)]) -> reqwest::Response {
        http_client().post(page).form(fields).send().await.unwrap()
    }

    pub(super) async fn inject_faults(&self, settings: Value) -> Value {
        let request = http_client().post(format!("{}{PATH}/faults", self.url));
        let response = request.json(&settings).send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.json().await.unwrap()
    }

    pub(super) async fn gateway_record(&self) -> Value {
        let request = http_client().get(format!("{}{PATH}/orders", self.url));
        request.send().await.unwrap().json().await.unwrap()
    }

    pub(super) async fn pay(&self, id: &str) {
        let page = create_page(&self.phonepe, id).await;
        let back = self.submit(&page.redirect_url, &[("outcome", "pay")]).await;
        assert_eq!(back.status(), 303);
    }

    /// The webhooks received so far, parsed by the adapter. Waits until there are this many.
    pub(super) async fn events(&self, how_many: usize) -> Vec<(String, WebhookEvent)> {
        for _ in 0..200 {
            if self.received.lock().unwrap().len() >= how_many {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let received = self.received.lock().unwrap();
        let events = received.iter().map(|(authorization, body)| {
            let body_json: Value = serde_json::from_slice(body).unwrap();
            let webhook = self.phonepe.parse_webhook(authorization.as_deref(), body);
            (
                body_json["event"].as_str().unwrap().to_owned(),
                webhook.unwrap(),
            )
        });
        events.collect()
    }
}
