//! Requests to cancel an order that is packed or has a parcel: the customer asks, and an admin accepts or declines.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::cancellation::{CancellationDecision, CancellationOutcome, CancellationRequest};
use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::shipment::{Shipment, ShipmentStatus};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;
use mirasa_domain::{ist, validation};

use crate::emails::{self, OrderEmail};
use crate::orders::order_not_found;
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

const MAX_MESSAGE_CHARS: usize = 2000;

/// What an admin decides about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CancellationAnswer {
    Accept {
        /// The packs go back into stock.
        restock: bool,
    },
    Decline,
}

impl Shop {
    /// The caller has locked the order.
    pub(super) async fn request_cancellation(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<(), AppError> {
        let request = CancellationRequest {
            id: self.ids.new_id(),
            order_id: order.id.clone(),
            requested_at_ms: self.now_ms(),
            decision: None,
        };
        tx.insert_cancellation_request(&request).await?;
        let (kind, actor) = (OrderEventKind::CancellationRequested, Actor::Customer);
        self.record_event(tx, &order.id, kind, actor, String::new())
            .await?;
        emails::enqueue(self, tx, order, OrderEmail::CancellationRequested).await?;
        failpoint("requesting a cancellation");
        Ok(())
    }

    /// Decides about the open request of an order, once: cancels the order and refunds it, or leaves it as it is. `message`
    /// is for the customer; a declined one reads why.
    pub async fn decide_cancellation(
        &self,
        admin: &User,
        id: OrderId,
        answer: CancellationAnswer,
        message: String,
    ) -> Result<Order, AppError> {
        let message = match answer {
            CancellationAnswer::Decline => {
                validation::required("message", &message, MAX_MESSAGE_CHARS)?
            }
            CancellationAnswer::Accept { .. } => {
                validation::multi_line("message", &message, MAX_MESSAGE_CHARS)?
            }
        };
        let (shop, admin) = (self.clone(), admin.clone());
        let (order, left) = self
            .db
            .write(async move |tx| {
                let order = shop.lock_and_read_order(tx, &id).await?;
                let ids = std::slice::from_ref(&id);
                let request = tx.cancellation_requests_of(ids).await?.pop();
                match request.map(|request| request.decision) {
                    None => return Err(no_request(&id)),
                    Some(Some(decision)) => return Err(decided_before(&decision)),
                    Some(None) => {}
                }
                let left = match answer {
                    CancellationAnswer::Accept { restock } => {
                        shop.accept_cancellation(tx, &order, &admin, restock, message)
                            .await?
                    }
                    CancellationAnswer::Decline => {
                        shop.decline_cancellation(tx, &order, &admin, message)
                            .await?;
                        Vec::new()
                    }
                };
                failpoint("deciding about a cancellation");
                let order = tx.order(&id).await?.ok_or_else(order_not_found)?;
                Ok::<_, AppError>((order, left))
            })
            .await?;
        self.show_released(&left);
        Ok(order)
    }

    async fn accept_cancellation(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        admin: &User,
        restock: bool,
        message: String,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let shipments = tx.shipments_of(std::slice::from_ref(&order.id)).await?;
        check_acceptable(order, &shipments, restock)?;
        let actor = Actor::Admin(admin.email.clone());
        let outcome = CancellationOutcome::Accepted;
        self.store_decision(tx, order, admin, outcome, &message)
            .await?;
        let kind = OrderEventKind::CancellationAccepted;
        self.record_event(tx, &order.id, kind, actor.clone(), String::new())
            .await?;
        let reason = "Cancelled by the customer";
        let returned = self
            .return_payment(tx, order, reason, actor.clone())
            .await?;
        let left = match restock {
            true => self.restock_all(tx, order, actor).await?,
            false => Vec::new(),
        };
        tx.set_order_status(&order.id, OrderStatus::Cancelled, self.now_ms())
            .await?;
        self.cancel_parcels_of(tx, &order.id).await?;
        self.update_order_issues(tx, &order.id).await?;
        let email = OrderEmail::CancellationAccepted { returned, message };
        emails::enqueue(self, tx, order, email).await?;
        Ok(left)
    }

    async fn decline_cancellation(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        admin: &User,
        message: String,
    ) -> Result<(), AppError> {
        let outcome = CancellationOutcome::Declined;
        self.store_decision(tx, order, admin, outcome, &message)
            .await?;
        self.resume_parcels_of(tx, &order.id).await?;
        let kind = OrderEventKind::CancellationDeclined;
        let actor = Actor::Admin(admin.email.clone());
        self.record_event(tx, &order.id, kind, actor, String::new())
            .await?;
        emails::enqueue(self, tx, order, OrderEmail::CancellationDeclined(message)).await
    }

    async fn store_decision(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        admin: &User,
        outcome: CancellationOutcome,
        message: &str,
    ) -> Result<(), AppError> {
        let decision = CancellationDecision {
            outcome,
            at_ms: self.now_ms(),
            by: Actor::Admin(admin.email.clone()),
            message: message.to_owned(),
        };
        tx.decide_cancellation(&order.id, &decision).await?;
        let (action, detail) = (AdminAction::CancellationDecided, outcome.as_str());
        self.audit(tx, admin, action, &order.id, detail.to_owned())
            .await
    }

    /// Closes the open request of an order that was cancelled or deleted in another way. The caller has locked the order.
    pub(crate) async fn close_cancellation_request(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
        by: Actor,
    ) -> Result<(), AppError> {
        let decision = CancellationDecision {
            outcome: CancellationOutcome::Closed,
            at_ms: self.now_ms(),
            by,
            message: String::new(),
        };
        Ok(tx.decide_cancellation(order_id, &decision).await?)
    }
}

/// An order is not sent while its customer waits for the answer. The caller has locked it.
pub(crate) fn ensure_none_is_open(
    order_id: &OrderId,
    requests: &[CancellationRequest],
) -> Result<(), AppError> {
    match is_any_open(order_id, requests) {
        true => Err(customer_asks_to_cancel(order_id)),
        false => Ok(()),
    }
}

pub(super) fn is_any_open(order_id: &OrderId, requests: &[CancellationRequest]) -> bool {
    let mut requests = requests.iter();
    requests.any(|request| request.order_id == *order_id && request.is_open())
}

pub(super) fn customer_asks_to_cancel(order_id: &OrderId) -> AppError {
    let message = format!(
        "The customer asks to cancel order {}. Accept or decline that first.",
        short_id(order_id)
    );
    AppError::new(ErrorCode::CancellationRequested, message)
}

fn check_acceptable(order: &Order, shipments: &[Shipment], restock: bool) -> Result<(), AppError> {
    let status = order.state.order_status;
    if status == OrderStatus::Delivered {
        return Err(AppError::new(
            ErrorCode::OrderNotCancellable,
            "The order was delivered, so its cancellation can only be declined. The customer can report a problem.",
        ));
    }
    let mut sent = shipments.iter().map(|one| one.position.status);
    let has_left = match sent.rfind(|status| *status != ShipmentStatus::Cancelled) {
        Some(ShipmentStatus::Returned) => false,
        // Of a parcel with a typed tracking number only the status of the order says that it has left.
        Some(parcel) => {
            status.has_left_shop() || (parcel.has_left_shop() && !parcel.allows_another())
        }
        None => status.has_left_shop(),
    };
    if restock && has_left {
        let message = "The courier has the parcel, so its packs cannot go back into stock yet.";
        return Err(AppError::conflict(message).with_field("restock"));
    }
    Ok(())
}

fn no_request(order_id: &OrderId) -> AppError {
    let number = short_id(order_id);
    AppError::not_found(format!(
        "The customer has not asked to cancel order {number}."
    ))
}

fn decided_before(decision: &CancellationDecision) -> AppError {
    let done = match decision.outcome {
        CancellationOutcome::Accepted => "accepted",
        CancellationOutcome::Declined => "declined",
        CancellationOutcome::Closed => "closed, because the order was cancelled,",
    };
    let by = match &decision.by {
        Actor::Admin(email) => format!(" by {email}"),
        Actor::Customer | Actor::System => String::new(),
    };
    let message = format!(
        "The request was {done} on {}{by}.",
        ist::date(ist::day(decision.at_ms))
    );
    AppError::new(ErrorCode::CancellationDecided, message)
}

pub(super) fn declined_before() -> AppError {
    AppError::new(
        ErrorCode::CancellationDeclined,
        "We could not cancel this order when you asked for it. Please contact us.",
    )
}
