//! A fake PhonePe: a second, small implementation of the protocol with all the extra fields of the
//! real one. Tests can replace any of its responses.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use mirasa_app::ports::clock::Clock as _;
use serde_json::{Value, json};

use super::{ManualClock, PhonePe, PhonePeSettings, adapter, listener, serve};

pub(super) const CLIENT_SECRET: &str = "the-shops-s3cret";
pub(super) const WEBHOOK_PASSWORD: &str = "password";

#[derive(Clone)]
pub(super) enum Reply {
    Json(u16, Value),
    Text(u16, &'static str),
    Typed(&'static str, String),
    Redirect(&'static str),
    Slow,
    Huge,
}

impl Reply {
    async fn into_response(self) -> Response {
        match self {
            Reply::Json(status, json) => {
                (StatusCode::from_u16(status).unwrap(), Json(json)).into_response()
            }
            Reply::Text(status, text) => {
                (StatusCode::from_u16(status).unwrap(), text).into_response()
            }
            Reply::Typed(kind, text) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
            Reply::Redirect(to) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
            Reply::Slow => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                "{}".into_response()
            }
            Reply::Huge => Json(json!({ "padding": "x".repeat(4 * 1024 * 1024) })).into_response(),
        }
    }
}

/// A received request: method, path with query, and the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedRequest {
    pub(super) line: String,
    pub(super) authorization: String,
}

pub(super) struct FakeState {
    /// Responses that replace the normal ones, by the last part of the path: token, pay, status,
    /// refund.
    replies: HashMap<&'static str, VecDeque<Reply>>,
    pub(super) token_life_s: i64,
    pub(super) tokens_given: usize,
    /// Tokens up to this number are rejected.
    pub(super) tokens_revoked: usize,
    pub(super) orders: HashMap<String, Value>,
    pub(super) refunds: HashMap<String, Value>,
    pub(super) bodies: Vec<Value>,
    pub(super) requests: Vec<RecordedRequest>,
}

#[derive(Clone)]
pub(super) struct FakeServer {
    pub(super) address: String,
    pub(super) clock: Arc<ManualClock>,
    pub(super) state: Arc<Mutex<FakeState>>,
}

impl FakeServer {
    pub(super) async fn start() -> FakeServer {
        let (listener, address) = listener().await;
        let server = FakeServer {
            address,
            clock: ManualClock::new(),
            state: Arc::new(Mutex::new(FakeState {
                replies: HashMap::new(),
                token_life_s: 3600,
                tokens_given: 0,
                tokens_revoked: 0,
                orders: HashMap::new(),
                refunds: HashMap::new(),
                bodies: Vec::new(),
                requests: Vec::new(),
            })),
        };
        let router = Router::new()
            .route("/identity/v1/oauth/token", post(token))
            .route("/pg/checkout/v2/pay", post(pay))
            .route("/pg/checkout/v2/order/{id}/status", get(status))
            .route("/pg/payments/v2/refund", post(refund))
            .route("/pg/payments/v2/refund/{id}/status", get(refund_status))
            .layer(middleware::from_fn_with_state(
                server.clone(),
                record_and_respond,
            ))
            .with_state(server.clone());
        serve(listener, router);
        server
    }

    pub(super) fn settings(&self) -> PhonePeSettings {
        PhonePeSettings {
            payment_base: format!("{}/pg", self.address),
            token_base: format!("{}/identity/", self.address),
            client_id: "the-shop".into(),
            client_version: "1".into(),
            client_secret: CLIENT_SECRET.into(),
            webhook_username: "username".into(),
            webhook_password: WEBHOOK_PASSWORD.into(),
            timeout: PhonePeSettings::TIMEOUT,
        }
    }

    pub(super) fn adapter(&self) -> PhonePe {
        adapter(self.settings(), &self.clock)
    }

    pub(super) fn update<T>(&self, update: impl FnOnce(&mut FakeState) -> T) -> T {
        update(&mut self.state.lock().unwrap())
    }

    /// Sets the responses to the next requests of this kind.
    pub(super) fn respond_with(
        &self,
        call: &'static str,
        replies: impl IntoIterator<Item = Reply>,
    ) {
        self.update(|state| state.replies.entry(call).or_default().extend(replies));
    }

    pub(super) fn clear_replies(&self) {
        self.update(|state| state.replies.clear());
    }

    /// The number of received requests whose line contains the text.
    pub(super) fn count(&self, part: &str) -> usize {
        self.update(|state| {
            let lines = state.requests.iter();
            lines.filter(|request| request.line.contains(part)).count()
        })
    }

    pub(super) fn set(&self, id: &str, fields: &Value) {
        self.update(|state| {
            let order = state.orders.get_mut(id).unwrap().as_object_mut();
            order.unwrap().extend(fields.as_object().unwrap().clone());
        });
    }

    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }
}

fn error_response(status: u16, code: &str) -> Response {
    let body = json!({ "success": false, "code": code, "message": "No.", "data": {} });
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}

/// Records the request and sends the response that the test has set. Otherwise checks the token.
async fn record_and_respond(
    State(server): State<FakeServer>,
    request: Request,
    next: Next,
) -> Response {
    let authorization = request
        .headers()
        .get(header::AUTHORIZATION)
        .map_or("", |value| value.to_str().unwrap())
        .to_owned();
    let line = format!("{} {}", request.method(), request.uri());
    let path = request.uri().path();
    let call = ["token", "pay", "status", "refund"]
        .into_iter()
        .find(|call| path.ends_with(call))
        .unwrap();
    let (reply, is_valid_token) = server.update(|state| {
        state.requests.push(RecordedRequest {
            line,
            authorization: authorization.clone(),
        });
        let is_valid = (state.tokens_revoked + 1..=state.tokens_given)
            .any(|id| authorization == format!("O-Bearer token-{id}"));
        let reply = state.replies.get_mut(call).and_then(VecDeque::pop_front);
        (reply, is_valid)
    });
    match reply {
        Some(reply) => reply.into_response().await,
        None if call == "token" || is_valid_token => next.run(request).await,
        None => error_response(401, "AUTHORIZATION_FAILED"),
    }
}

async fn token(
    State(server): State<FakeServer>,
    Form(form): Form<HashMap<String, String>>,
) -> Response {
    let expected = [
        ("client_id", "the-shop"),
        ("client_version", "1"),
        ("client_secret", CLIENT_SECRET),
        ("grant_type", "client_credentials"),
    ];
    if !expected
        .iter()
        .all(|(key, value)| form.get(*key).map(String::as_str) == Some(*value))
    {
        return error_response(401, "UNAUTHORIZED");
    }
    // This gateway's clock is an hour ahead.
    let now = server.now_ms() / 1000 + 3600;
    server.update(|state| {
        state.tokens_given += 1;
        Json(json!({
            "access_token": format!("token-{}", state.tokens_given),
            "encrypted_access_token": "x",
            "expires_in": state.token_life_s,
            "issued_at": now,
            "expires_at": now + state.token_life_s,
            "session_expires_at": now + state.token_life_s,
            "token_type": "O-Bearer",
        }))
        .into_response()
    })
}

async fn pay(State(server): State<FakeServer>, Json(body): Json<Value>) -> Response {
    let id = body["merchantOrderId"].as_str().unwrap().to_owned();
    let expire_after = body["expireAfter"].as_i64().unwrap();
    let life_s = server.clock.now_ms() + expire_after * 1000;
    if !super::super::is_valid_merchant_id(&id)
        || body["amount"].as_i64().unwrap() < 100
        || !(300..=3600).contains(&expire_after)
    {
        return error_response(400, "BAD_REQUEST");
    }
    let order_id = format!("OMO{id}");
    let order = json!({
        "merchantId": "M1",
        "merchantOrderId": id,
        "orderId": order_id,
        "state": "PENDING",
        "amount": body["amount"],
        "payableAmount": body["amount"],
        "feeAmount": 0,
        "expireAt": life_s,
        "metaInfo": { "udf1": "x" },
        "paymentDetails": [],
    });
    server.update(|state| {
        state.bodies.push(body);
        if state.orders.contains_key(&id) {
            return error_response(417, "INVALID_MERCHANT_ORDER_ID");
        }
        state.orders.insert(id, order);
        Json(json!({
            "orderId": order_id,
            "state": "PENDING",
            "expireAt": life_s,
            "redirectUrl": format!("https://mercury.example/transact/uat_v2?token={order_id}"),
        }))
        .into_response()
    })
}

async fn status(State(server): State<FakeServer>, Path(id): Path<String>) -> Response {
    let now_ms = server.now_ms();
    server.update(|state| {
        let Some(order) = state.orders.get_mut(&id) else {
            return error_response(404, "INVALID_MERCHANT_ORDER_ID");
        };
        if order["state"] == "PENDING" && order["expireAt"].as_i64().unwrap() <= now_ms {
            order["state"] = json!("FAILED");
            order["errorCode"] = json!("ORDER_EXPIRED");
        }
        Json(order.clone()).into_response()
    })
}

async fn refund(State(server): State<FakeServer>, Json(body): Json<Value>) -> Response {
    let id = body["merchantRefundId"].as_str().unwrap().to_owned();
    let due_ms = server.now_ms() + 2_000;
    server.update(|state| {
        let order = body["originalMerchantOrderId"].as_str().unwrap();
        let paid = state
            .orders
            .get(order)
            .filter(|order| order["state"] == "COMPLETED")
            .and_then(|order| order["amount"].as_i64());
        let existing = state.refunds.get(&id);
        if existing.is_some_and(|existing| existing["amount"] != body["amount"]) {
            return error_response(417, "INVALID_MERCHANT_REFUND_ID");
        }
        if paid.is_none_or(|paid| body["amount"].as_i64().unwrap() > paid) {
            return error_response(400, "BAD_REQUEST");
        }
        let refund = json!({
            "merchantId": "M1",
            "merchantRefundId": id,
            "originalMerchantOrderId": order,
            "refundId": format!("OMR{id}"),
            "amount": body["amount"],
            "state": "PENDING",
            "dueAt": due_ms,
            "splitInstruments": [{ "rail": { "type": "UPI" } }],
        });
        Json(state.refunds.entry(id).or_insert(refund).clone()).into_response()
    })
}

async fn refund_status(State(server): State<FakeServer>, Path(id): Path<String>) -> Response {
    let now_ms = server.now_ms();
    server.update(|state| {
        let Some(refund) = state.refunds.get_mut(&id) else {
            return error_response(404, "INVALID_MERCHANT_REFUND_ID");
        };
        let due = refund["dueAt"].as_i64().unwrap() <= now_ms;
        refund["state"] = json!(if due { "COMPLETED" } else { "CONFIRMED" });
        Json(refund.clone()).into_response()
    })
}
