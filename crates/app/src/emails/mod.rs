//! Emails to customers and to the owner. An email is written to the outbox in the transaction of the change that it reports; `send` has
//! the worker that sends it later.

pub(crate) mod back_in_stock;
pub(crate) mod message_reply;
pub(crate) mod notification_email;
pub mod notifications;
pub(crate) mod review_request;
pub mod send;
mod template;

use mirasa_domain::invoice::Invoice;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::problem::Problem;
use mirasa_domain::refund_plan::ReturnedPayment;
use mirasa_domain::shipment::Shipment;

use crate::repository::Transaction;
use crate::repository::emails::outbox::OutboxEmail;
use crate::{AppError, Settings, Shop};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEmail {
    Confirmed,
    PaymentFailed(String),
    /// With the tracking number, if there is one.
    Shipped(Option<TrackingLink>),
    Delivered,
    /// The courier returns the parcel.
    ParcelReturning,
    /// With the refund, if there is one, and what is too little to be refunded.
    Cancelled(ReturnedPayment),
    /// The customer asks to cancel a packed order.
    CancellationRequested,
    /// With the refund, as for `Cancelled`, and the shop's message.
    CancellationAccepted {
        returned: ReturnedPayment,
        message: String,
    },
    /// With the shop's message.
    CancellationDeclined(String),
    RefundRequested {
        amount: Paise,
        reason: String,
        /// What is left of the payment and too little to be refunded.
        rest_kept: Paise,
    },
    Refunded(Paise),
    /// The customer has reported a problem.
    ProblemReported(Problem),
    /// What the shop decided, and its message.
    ProblemResolved {
        outcome: String,
        message: String,
    },
}

/// How the customer can follow a parcel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingLink {
    /// `Delhivery 1234567890`
    pub number: String,
    /// Empty if there is none.
    pub url: String,
}

impl TrackingLink {
    /// None while the parcel has no tracking number.
    pub fn of(shipment: &Shipment) -> Option<TrackingLink> {
        let number = &shipment.tracking_number;
        (!number.is_empty()).then(|| TrackingLink {
            number: format!("{} {number}", shipment.courier).trim().to_owned(),
            url: shipment.tracking_url.clone(),
        })
    }
}

impl OrderEmail {
    fn kind(&self) -> &'static str {
        match self {
            OrderEmail::Confirmed => "confirmed",
            OrderEmail::PaymentFailed(_) => "payment failed",
            OrderEmail::Shipped(_) => "shipped",
            OrderEmail::Delivered => "delivered",
            OrderEmail::ParcelReturning => "parcel returning",
            OrderEmail::Cancelled(_) => "cancelled",
            OrderEmail::CancellationRequested => "cancellation requested",
            OrderEmail::CancellationAccepted { .. } => "cancellation accepted",
            OrderEmail::CancellationDeclined(_) => "cancellation declined",
            OrderEmail::RefundRequested { .. } => "refund requested",
            OrderEmail::Refunded(_) => "refunded",
            OrderEmail::ProblemReported(_) => "problem reported",
            OrderEmail::ProblemResolved { .. } => "problem resolved",
        }
    }
}

/// Where the customer sees this order.
pub(crate) fn order_url(settings: &Settings, id: &OrderId) -> String {
    format!("{}/orders?order={id}", settings.public_url)
}

pub(crate) async fn enqueue(
    shop: &Shop,
    tx: &mut dyn Transaction,
    order: &Order,
    email: OrderEmail,
) -> Result<(), AppError> {
    enqueue_with_invoice(shop, tx, order, email, None).await
}

/// The same with an invoice or credit note attached.
pub(crate) async fn enqueue_with_invoice(
    shop: &Shop,
    tx: &mut dyn Transaction,
    order: &Order,
    email: OrderEmail,
    invoice: Option<Invoice>,
) -> Result<(), AppError> {
    let user = tx.user(&order.user).await?;
    let recipient = user.map(|user| (user.email, user.name));
    enqueue_to(shop, tx, recipient, order, email, invoice).await
}

/// The same where the customer's email address and name are known. `None`: the account was deleted, no email is sent.
pub(crate) async fn enqueue_to(
    shop: &Shop,
    tx: &mut dyn Transaction,
    recipient: Option<(String, String)>,
    order: &Order,
    email: OrderEmail,
    invoice: Option<Invoice>,
) -> Result<(), AppError> {
    let Some((address, name)) = recipient else {
        return Ok(());
    };
    let rendered = email
        .render(&shop.settings, &name, order)
        .map_err(AppError::internal)?;
    let email = OutboxEmail {
        id: shop.ids.new_id().into(),
        order_id: Some(order.id.clone()),
        kind: email.kind().into(),
        recipient: address,
        subject: rendered.subject,
        text_body: rendered.text,
        html_body: rendered.html,
        in_reply_to: None,
        reply_to: None,
        invoice_id: invoice.map(|invoice| invoice.id),
        attempts: 0,
        created_at_ms: shop.now_ms(),
        sent_at_ms: None,
    };
    Ok(tx.insert_email(&email).await?)
}
