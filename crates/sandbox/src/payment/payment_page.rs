//! The handlers of the payment page: show it, and apply the customer's choice.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::payment_options::{MODES, REASONS};
use super::state::PaymentOutcome;
use super::{SandboxGateway, payment_page_html, state, webhooks};

#[derive(Deserialize)]
pub(super) struct PaymentForm {
    outcome: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    mode: String,
}

pub(super) async fn show(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(order_id): Path<String>,
) -> Response {
    let now_ms = sandbox.clock.now_ms();
    let order = sandbox
        .journal
        .run(move |state| state.order_by_page(&order_id, now_ms))
        .await;
    let late = sandbox.faults.current().late_payments;
    match order {
        Ok(Some(order)) if order.can_be_settled(late) => {
            payment_page_html::checkout(&sandbox.shop_name, &order, now_ms)
        }
        Ok(Some(order)) => payment_page_html::finished(&sandbox.shop_name, &order),
        Ok(None) => payment_not_found(),
        Err(_) => storage_failed(),
    }
}

pub(super) async fn submit(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(order_id): Path<String>,
    form: Result<Form<PaymentForm>, FormRejection>,
) -> Response {
    let outcome = match form {
        Ok(Form(form)) => outcome(&form),
        Err(_) => None,
    };
    let Some(outcome) = outcome else {
        return payment_page_html::error_page(
            StatusCode::BAD_REQUEST,
            "The page did not say what to do with this payment.",
        );
    };
    let now_ms = sandbox.clock.now_ms();
    let late = sandbox.faults.current().late_payments;
    let transaction_id = format!("OM{}", sandbox.ids.new_id().replace('-', ""));
    let settled = sandbox
        .journal
        .run(move |state| match outcome {
            Some(outcome) => state.settle(&order_id, outcome, transaction_id, now_ms, late),
            None => Some((state.order_by_page(&order_id, now_ms)?, false)),
        })
        .await;
    let (order, settled_now) = match settled {
        Ok(Some(settled)) => settled,
        Ok(None) => return payment_not_found(),
        Err(_) => return storage_failed(),
    };
    let return_url = order.redirect_url.clone();
    if settled_now || order.state == state::State::Pending {
        webhooks::send_order_event(&sandbox, order).await;
    }
    let headers = [(LOCATION, return_url.as_str()), (CACHE_CONTROL, "no-store")];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Some(None) leaves the order as it is.
fn outcome(form: &PaymentForm) -> Option<Option<PaymentOutcome>> {
    match form.outcome.as_str() {
        "pay" => {
            let mode = MODES.iter().find(|(mode, _)| *mode == form.mode);
            let mode = mode.unwrap_or(&MODES[0]).0.to_owned();
            Some(Some(PaymentOutcome::Paid { mode }))
        }
        "fail" => {
            let reason = REASONS.iter().find(|(code, ..)| *code == form.reason);
            let (code, detailed_code, _) = reason.unwrap_or(&REASONS[REASONS.len() - 1]);
            Some(Some(PaymentOutcome::Failed {
                code: (*code).to_owned(),
                detailed: (*detailed_code).to_owned(),
            }))
        }
        "pending" => Some(None),
        _ => None,
    }
}

fn payment_not_found() -> Response {
    payment_page_html::error_page(
        StatusCode::NOT_FOUND,
        "There is no payment under this address.",
    )
}

fn storage_failed() -> Response {
    payment_page_html::error_page(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The sandbox cannot write down what happens. Please look into the log.",
    )
}
