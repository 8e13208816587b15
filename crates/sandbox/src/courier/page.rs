//! The page on which a parcel is moved by hand through its life, the switches for faults, and the page behind a tracking
//! link.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::fault_injection::{FaultSettings, WebhookFault};
use super::state::{MOVES, Parcel, Scan};
use super::times::timestamp;
use super::{PATH, SandboxCourier, webhooks};
use crate::html::{Page, Stylesheet, escape, page};

/// Parcels on the page, the newest first.
const MAX_PARCELS: usize = 40;

static STYLESHEET: LazyLock<Stylesheet> =
    LazyLock::new(|| Stylesheet::new(include_str!("page.css")));

/// Faults that the page can switch on. They stay until they are switched off.
struct Switch {
    name: &'static str,
    label: &'static str,
    is_on: fn(&FaultSettings) -> bool,
    set: fn(&mut FaultSettings, bool),
}

/// Enough requests for a demonstration.
const MANY: u32 = 1_000_000;

const fn count(on: bool) -> u32 {
    if on { MANY } else { 0 }
}

fn webhook(on: bool, fault: WebhookFault) -> WebhookFault {
    if on { fault } else { WebhookFault::None }
}

const SWITCHES: [Switch; 9] = [
    Switch {
        name: "slow",
        label: "Slow: 6 s for each request",
        is_on: |faults| faults.latency_ms > 0,
        set: |faults, on| faults.latency_ms = if on { 6_000 } else { 0 },
    },
    Switch {
        name: "down",
        label: "Down: 503 for each request",
        is_on: |faults| faults.down,
        set: |faults, on| faults.down = on,
    },
    Switch {
        name: "hidden",
        label: "Status 200 with an error inside",
        is_on: |faults| faults.hidden_errors > 0,
        set: |faults, on| faults.hidden_errors = count(on),
    },
    Switch {
        name: "duplicate",
        label: "Order id already taken",
        is_on: |faults| faults.duplicate_ids > 0,
        set: |faults, on| faults.duplicate_ids = count(on),
    },
    Switch {
        name: "locked",
        label: "Login locked",
        is_on: |faults| faults.login_locked,
        set: |faults, on| faults.login_locked = on,
    },
    Switch {
        name: "lost",
        label: "Webhooks are lost",
        is_on: |faults| faults.webhook == WebhookFault::Lost,
        set: |faults, on| faults.webhook = webhook(on, WebhookFault::Lost),
    },
    Switch {
        name: "doubled",
        label: "Webhooks arrive twice",
        is_on: |faults| faults.webhook == WebhookFault::Doubled,
        set: |faults, on| faults.webhook = webhook(on, WebhookFault::Doubled),
    },
    Switch {
        name: "late",
        label: "Webhooks arrive out of order",
        is_on: |faults| faults.webhook == WebhookFault::OutOfOrder,
        set: |faults, on| faults.webhook = webhook(on, WebhookFault::OutOfOrder),
    },
    Switch {
        name: "key",
        label: "Webhooks have a wrong key",
        is_on: |faults| faults.webhook == WebhookFault::WrongKey,
        set: |faults, on| faults.webhook = webhook(on, WebhookFault::WrongKey),
    },
];

pub(super) async fn list(State(SandboxCourier(sandbox)): State<SandboxCourier>) -> Response {
    let found = sandbox.with_state(|state| {
        let parcels = state.all().rev().take(MAX_PARCELS);
        parcels.cloned().collect::<Vec<_>>()
    });
    let Some(parcels) = found else {
        return error_page("The sandbox cannot keep its record. See the log.");
    };
    let mut content = "<h1>Parcels</h1>".to_owned();
    if parcels.is_empty() {
        content.push_str(
            "<p class=\"note\">No parcel yet. Pack an order in the admin console and ship it.</p>",
        );
    }
    for parcel in &parcels {
        content.push_str(&parcel_html(parcel));
    }
    let faults = sandbox.faults.current();
    content.push_str("<h2>Faults</h2><form method=\"post\" class=\"switches\" action=\"");
    let _ = write!(content, "{PATH}/switches\">");
    for switch in &SWITCHES {
        let is_on = (switch.is_on)(&faults);
        let _ = write!(
            content,
            "<button name=\"switch\" value=\"{}\" aria-pressed=\"{is_on}\">{}</button>",
            switch.name, switch.label
        );
    }
    content.push_str("</form>");
    document(StatusCode::OK, "Sandbox courier", &content)
}

fn parcel_html(parcel: &Parcel) -> String {
    let status = match parcel.scans.last() {
        _ if parcel.cancelled => "CANCELED",
        Some(scan) => &scan.label,
        None => "NEW",
    };
    let mut html = format!(
        "<section class=\"parcel\"><p class=\"where\"><strong>{name}</strong>, {city} {pincode}</p>\
         <p class=\"status\">{status}</p>",
        name = escape(&parcel.name),
        city = escape(&parcel.city),
        pincode = escape(&parcel.pincode),
        status = escape(status),
    );
    let Some(awb) = parcel.awb.as_deref() else {
        html.push_str("<p class=\"note\">No courier is assigned yet.</p></section>");
        return html;
    };
    let _ = write!(
        html,
        "<p class=\"note\">{courier} <code>{awb}</code></p>",
        courier = escape(parcel.courier.as_deref().unwrap_or_default()),
        awb = escape(awb),
    );
    if !parcel.cancelled {
        let _ = write!(
            html,
            "<form method=\"post\" class=\"moves\" action=\"{PATH}/parcels/{awb}\">"
        );
        for next in &MOVES {
            let _ = write!(
                html,
                "<button name=\"to\" value=\"{}\">{}</button>",
                next.name, next.label
            );
        }
        html.push_str("</form>");
    }
    html.push_str("</section>");
    html
}

#[derive(Deserialize)]
pub(super) struct MoveForm {
    to: String,
}

pub(super) async fn move_parcel(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    Path(awb): Path<String>,
    form: Result<Form<MoveForm>, FormRejection>,
) -> Response {
    let to = form.map(|Form(form)| form.to).unwrap_or_default();
    let Some(next) = MOVES.iter().find(|next| next.name == to) else {
        return error_page("The page did not say where to move the parcel.");
    };
    let now_ms = sandbox.clock.now_ms();
    let moved = sandbox.with_state(|state| {
        let mut parcel = state
            .by_awb(&awb)
            .filter(|parcel| !parcel.cancelled)?
            .clone();
        let location = parcel.place(next.place);
        parcel.add_scan(
            now_ms,
            Scan {
                at: 0,
                status: next.shipment_status,
                order_status: next.order_status,
                label: next.label.to_uppercase(),
                activity: next.activity.into(),
                location,
            },
        );
        state.store(parcel.clone());
        Some(parcel)
    });
    match moved {
        Some(Some(parcel)) => {
            webhooks::send_tracking_event(&sandbox, parcel);
            back_to_list()
        }
        Some(None) => error_page("There is no such parcel, or it is cancelled."),
        None => error_page("The sandbox cannot keep its record. See the log."),
    }
}

#[derive(Deserialize)]
pub(super) struct SwitchForm {
    switch: String,
}

pub(super) async fn set_switch(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    form: Result<Form<SwitchForm>, FormRejection>,
) -> Response {
    let name = form.map(|Form(form)| form.switch).unwrap_or_default();
    let Some(switch) = SWITCHES.iter().find(|switch| switch.name == name) else {
        return error_page("There is no such switch.");
    };
    let mut faults = sandbox.faults.lock();
    let on = !(switch.is_on)(&faults);
    (switch.set)(&mut faults, on);
    back_to_list()
}

/// What a customer sees behind the tracking link. Without personal data: everyone who has the number can open it.
pub(super) async fn tracking(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    Path(awb): Path<String>,
) -> Response {
    let found = sandbox.with_state(|state| state.by_awb(&awb).cloned());
    let Some(parcel) = found.flatten() else {
        let content =
            "<h1>Unknown parcel</h1><p class=\"note\">There is no parcel with this number.</p>";
        return document(StatusCode::NOT_FOUND, "Sandbox courier", content);
    };
    let mut content = format!(
        "<h1>{}</h1><p class=\"note\">Parcel <code>{}</code></p><ol class=\"scans\">",
        escape(parcel.courier.as_deref().unwrap_or_default()),
        escape(&awb),
    );
    for scan in parcel.scans.iter().rev() {
        let _ = write!(
            content,
            "<li><strong>{}</strong><br>{}<br><time>{}</time></li>",
            escape(&scan.activity),
            escape(&scan.location),
            timestamp(scan.at),
        );
    }
    content.push_str("</ol>");
    document(StatusCode::OK, "Sandbox courier", &content)
}

fn back_to_list() -> Response {
    (
        StatusCode::SEE_OTHER,
        [(LOCATION, format!("{PATH}/parcels"))],
    )
        .into_response()
}

fn error_page(text: &str) -> Response {
    let content = format!(
        "<h1>That did not work</h1><p class=\"note\">{}</p><p><a href=\"{PATH}/parcels\">To the parcels</a></p>",
        escape(text)
    );
    document(StatusCode::BAD_REQUEST, "Sandbox courier", &content)
}

fn document(status: StatusCode, title: &str, content: &str) -> Response {
    page(
        &STYLESHEET,
        Page {
            status,
            title,
            warning: "No parcel is carried",
            content,
            form_action_origin: None,
        },
    )
}
