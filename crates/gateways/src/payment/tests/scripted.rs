//! A PhonePe of the tests: a second, small reading of the protocol with all the extra fields of the
//! real one, and with any of its answers replaced by whatever the test wants.

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

use super::{HeldClock, PhonePe, PhonePeSettings, adapter, listener, serve};

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

/// One request as it came: method, path with query, and the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) line: String,
    pub(super) authorization: String,
}

pub(super) struct Script {
    /// Answers that replace the right ones, by the call's last word: token, pay, status, refund.
    replies: HashMap<&'static str, VecDeque<Reply>>,
    pub(super) token_life_s: i64,
    pub(super) tokens_given: usize,
    /// Tokens up to this one are refused.
    pub(super) tokens_revoked: usize,
    pub(super) orders: HashMap<String, Value>,
    pub(super) refunds: HashMap<String, Value>,
    pub(super) bodies: Vec<Value>,
    pub(super) heard: Vec<Heard>,
}

#[derive(Clone)]
pub(super) struct Scripted {
    pub(super) address: String,
    pub(super) clock: Arc<HeldClock>,
    pub(super) script: Arc<Mutex<Script>>,
}

impl Scripted {
    pub(super) async fn start() -> Scripted {
        let (listener, address) = listener().await;
        let scripted = Scripted {
            address,
            clock: HeldClock::new(),
            script: Arc::new(Mutex::new(Script {
                replies: HashMap::new(),
                token_life_s: 3600,
                tokens_given: 0,
                tokens_revoked: 0,
                orders: HashMap::new(),
                refunds: HashMap::new(),
                bodies: Vec::new(),
                heard: Vec::new(),
            })),
        };
        let router = Router::new()
            .route("/identity/v1/oauth/token", post(token))
            .route("/pg/checkout/v2/pay", post(pay))
            .route("/pg/checkout/v2/order/{id}/status", get(status))
            .route("/pg/payments/v2/refund", post(refund))
            .route("/pg/payments/v2/refund/{id}/status", get(refund_status))
            .layer(middleware::from_fn_with_state(scripted.clone(), listen))
            .with_state(scripted.clone());
        serve(listener, router);
        scripted
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

    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Script) -> T) -> T {
        change(&mut self.script.lock().unwrap())
    }

    /// The next calls of this kind are answered so.
    pub(super) fn will_say(&self, call: &'static str, replies: impl IntoIterator<Item = Reply>) {
        self.change(|script| script.replies.entry(call).or_default().extend(replies));
    }

    pub(super) fn forget_replies(&self) {
        self.change(|script| script.replies.clear());
    }

    /// How often such a line was heard.
    pub(super) fn count(&self, part: &str) -> usize {
        self.change(|script| {
            let lines = script.heard.iter();
            lines.filter(|heard| heard.line.contains(part)).count()
        })
    }

    pub(super) fn set(&self, number: &str, fields: &Value) {
        self.change(|script| {
            let order = script.orders.get_mut(number).unwrap().as_object_mut();
            order.unwrap().extend(fields.as_object().unwrap().clone());
        });
    }

    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }
}

fn no(status: u16, code: &str) -> Response {
    let body = json!({ "success": false, "code": code, "message": "No.", "data": {} });
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}

/// Writes down who asked, gives the answer that the test has put there, and else checks the token.
async fn listen(State(scripted): State<Scripted>, request: Request, next: Next) -> Response {
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
    let (reply, good_token) = scripted.change(|script| {
        script.heard.push(Heard {
            line,
            authorization: authorization.clone(),
        });
        let good = (script.tokens_revoked + 1..=script.tokens_given)
            .any(|number| authorization == format!("O-Bearer token-{number}"));
        let reply = script.replies.get_mut(call).and_then(VecDeque::pop_front);
        (reply, good)
    });
    match reply {
        Some(reply) => reply.into_response().await,
        None if call == "token" || good_token => next.run(request).await,
        None => no(401, "AUTHORIZATION_FAILED"),
    }
}

async fn token(
    State(scripted): State<Scripted>,
    Form(form): Form<HashMap<String, String>>,
) -> Response {
    let right = [
        ("client_id", "the-shop"),
        ("client_version", "1"),
        ("client_secret", CLIENT_SECRET),
        ("grant_type", "client_credentials"),
    ];
    if !right
        .iter()
        .all(|(key, value)| form.get(*key).map(String::as_str) == Some(*value))
    {
        return no(401, "UNAUTHORIZED");
    }
    // A gateway whose clock is an hour ahead.
    let now = scripted.now_ms() / 1000 + 3600;
    scripted.change(|script| {
        script.tokens_given += 1;
        Json(json!({
            "access_token": format!("token-{}", script.tokens_given),
            "encrypted_access_token": "x",
            "expires_in": script.token_life_s,
            "issued_at": now,
            "expires_at": now + script.token_life_s,
            "session_expires_at": now + script.token_life_s,
            "token_type": "O-Bearer",
        }))
        .into_response()
    })
}

async fn pay(State(scripted): State<Scripted>, Json(body): Json<Value>) -> Response {
    let number = body["merchantOrderId"].as_str().unwrap().to_owned();
    let expire_after = body["expireAfter"].as_i64().unwrap();
    let life_s = scripted.clock.now_ms() + expire_after * 1000;
    if !super::super::is_merchant_number(&number)
        || body["amount"].as_i64().unwrap() < 100
        || !(300..=3600).contains(&expire_after)
    {
        return no(400, "BAD_REQUEST");
    }
    let order_id = format!("OMO{number}");
    let order = json!({
        "merchantId": "M1",
        "merchantOrderId": number,
        "orderId": order_id,
        "state": "PENDING",
        "amount": body["amount"],
        "payableAmount": body["amount"],
        "feeAmount": 0,
        "expireAt": life_s,
        "metaInfo": { "udf1": "x" },
        "paymentDetails": [],
    });
    scripted.change(|script| {
        script.bodies.push(body);
        if script.orders.contains_key(&number) {
            return no(417, "INVALID_MERCHANT_ORDER_ID");
        }
        script.orders.insert(number, order);
        Json(json!({
            "orderId": order_id,
            "state": "PENDING",
            "expireAt": life_s,
            "redirectUrl": format!("https://mercury.example/transact/uat_v2?token={order_id}"),
        }))
        .into_response()
    })
}

async fn status(State(scripted): State<Scripted>, Path(id): Path<String>) -> Response {
    let now_ms = scripted.now_ms();
    scripted.change(|script| {
        let Some(order) = script.orders.get_mut(&id) else {
            return no(404, "INVALID_MERCHANT_ORDER_ID");
        };
        if order["state"] == "PENDING" && order["expireAt"].as_i64().unwrap() <= now_ms {
            order["state"] = json!("FAILED");
            order["errorCode"] = json!("ORDER_EXPIRED");
        }
        Json(order.clone()).into_response()
    })
}

async fn refund(State(scripted): State<Scripted>, Json(body): Json<Value>) -> Response {
    let number = body["merchantRefundId"].as_str().unwrap().to_owned();
    let due_ms = scripted.now_ms() + 2_000;
    scripted.change(|script| {
        let order = body["originalMerchantOrderId"].as_str().unwrap();
        let paid = script
            .orders
            .get(order)
            .filter(|order| order["state"] == "COMPLETED")
            .and_then(|order| order["amount"].as_i64());
        let known = script.refunds.get(&number);
        if known.is_some_and(|known| known["amount"] != body["amount"]) {
            return no(417, "INVALID_MERCHANT_REFUND_ID");
        }
        if paid.is_none_or(|paid| body["amount"].as_i64().unwrap() > paid) {
            return no(400, "BAD_REQUEST");
        }
        let refund = json!({
            "merchantId": "M1",
            "merchantRefundId": number,
            "originalMerchantOrderId": order,
            "refundId": format!("OMR{number}"),
            "amount": body["amount"],
            "state": "PENDING",
            "dueAt": due_ms,
            "splitInstruments": [{ "rail": { "type": "UPI" } }],
        });
        Json(script.refunds.entry(number).or_insert(refund).clone()).into_response()
    })
}

async fn refund_status(State(scripted): State<Scripted>, Path(id): Path<String>) -> Response {
    let now_ms = scripted.now_ms();
    scripted.change(|script| {
        let Some(refund) = script.refunds.get_mut(&id) else {
            return no(404, "INVALID_MERCHANT_REFUND_ID");
        };
        let due = refund["dueAt"].as_i64().unwrap() <= now_ms;
        refund["state"] = json!(if due { "COMPLETED" } else { "CONFIRMED" });
        Json(refund.clone()).into_response()
    })
}
