//! A shopper on the payment page: what they see, and what becomes of what they choose.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::books::Outcome;
use super::{SandboxGateway, books, page, webhooks};

/// Ways to fail that a shopper may choose from: PhonePe's two codes, and what they say on the page.
pub(super) const REASONS: [(&str, &str, &str); 6] = [
    (
        "TXN_CANCELLED",
        "REQUEST_DECLINE_BY_REQUESTEE",
        "Cancelled on the phone",
    ),
    ("INSUFFICIENT_BALANCE", "Z9", "Not enough balance"),
    ("INVALID_MPIN", "ZM", "Wrong UPI PIN"),
    ("TXN_LIMIT_BREACHED", "Z8", "Over the bank's limit"),
    ("BANK_TECHNICAL_ISSUE", "UT", "The bank has a problem"),
    (
        "TXN_NOT_COMPLETED",
        "TXN_AUTO_FAILED",
        "Failed for no reason given",
    ),
];

pub(super) const MODES: [(&str, &str); 3] = [
    ("UPI_INTENT", "UPI"),
    ("CARD", "Card"),
    ("NET_BANKING", "Net banking"),
];

#[derive(Deserialize)]
pub(super) struct Choice {
    outcome: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    mode: String,
}

pub(super) async fn look(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(order_id): Path<String>,
) -> Response {
    let now_ms = sandbox.clock.now_ms();
    let order = sandbox
        .journal
        .with(move |books| books.order_of_page(&order_id, now_ms))
        .await;
    let late = sandbox.switches.now().late_payments;
    match order {
        Ok(Some(order)) if order.can_be_settled(late) => {
            page::checkout(&sandbox.shop_name, &order, now_ms)
        }
        Ok(Some(order)) => page::over(&sandbox.shop_name, &order),
        Ok(None) => no_such_page(),
        Err(_) => broken(),
    }
}

pub(super) async fn decide(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(order_id): Path<String>,
    choice: Result<Form<Choice>, FormRejection>,
) -> Response {
    let outcome = match choice {
        Ok(Form(choice)) => outcome(&choice),
        Err(_) => None,
    };
    let Some(outcome) = outcome else {
        return page::refusal(
            StatusCode::BAD_REQUEST,
            "The page did not say what to do with this payment.",
        );
    };
    let now_ms = sandbox.clock.now_ms();
    let late = sandbox.switches.now().late_payments;
    let transaction_id = format!("OM{}", sandbox.ids.new_id().replace('-', ""));
    let settled = sandbox
        .journal
        .with(move |books| match outcome {
            Some(outcome) => books.settle(&order_id, outcome, transaction_id, now_ms, late),
            None => Some((books.order_of_page(&order_id, now_ms)?, false)),
        })
        .await;
    let (order, settled_now) = match settled {
        Ok(Some(settled)) => settled,
        Ok(None) => return no_such_page(),
        Err(_) => return broken(),
    };
    let back = order.redirect_url.clone();
    if settled_now || order.state == books::State::Pending {
        webhooks::tell_of_order(&sandbox, order).await;
    }
    let headers = [(LOCATION, back.as_str()), (CACHE_CONTROL, "no-store")];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Some(None) leaves the order as it is.
fn outcome(choice: &Choice) -> Option<Option<Outcome>> {
    match choice.outcome.as_str() {
        "pay" => {
            let mode = MODES.iter().find(|(mode, _)| *mode == choice.mode);
            let mode = mode.unwrap_or(&MODES[0]).0.to_owned();
            Some(Some(Outcome::Paid { mode }))
        }
        "fail" => {
            let reason = REASONS.iter().find(|(code, ..)| *code == choice.reason);
            let (code, detailed, _) = reason.unwrap_or(&REASONS[REASONS.len() - 1]);
            Some(Some(Outcome::Failed {
                code: (*code).to_owned(),
                detailed: (*detailed).to_owned(),
            }))
        }
        "pending" => Some(None),
        _ => None,
    }
}

fn no_such_page() -> Response {
    page::refusal(
        StatusCode::NOT_FOUND,
        "There is no payment under this address.",
    )
}

fn broken() -> Response {
    page::refusal(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The sandbox cannot write down what happens. Please look into the log.",
    )
}
