//! Packing: confirmed orders are marked as packed, their batches are taken and their invoices issued, in one transaction.

use std::collections::HashMap;

use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::cancellation::CancellationRequest;
use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderId, OrderStatus};
use mirasa_domain::order_event::Actor;
use mirasa_domain::user::User;

use crate::orders::leaving::ensure_packs_to_send;
use crate::orders::lock::read_orders;
use crate::orders::{LeavingConfirmation, SeenOrder, ensure_none_is_open, order_not_found};
use crate::runtime::failpoints::failpoint;
use crate::stock::batches::packing::BatchPlan;
use crate::{AppError, ErrorCode, Shop};

/// Orders that can be packed at once.
pub(crate) const MAX_PACKED: usize = 200;

/// In the audit log, which says who packed an order.
pub(crate) const PACKED: &str = "packed";

/// The result of packing several orders. One that cannot be packed does not stop the others.
#[derive(Debug)]
pub struct PackedOrders {
    pub packed: Vec<Order>,
    /// The id of each order that was not packed, and why.
    pub not_packed: Vec<(OrderId, AppError)>,
}

impl Shop {
    /// Packs those of the orders that can be packed. An error if that is none of them. `seen`: the versions that the page
    /// showed.
    pub async fn pack_orders(
        &self,
        admin: &User,
        ids: Vec<OrderId>,
        seen: HashMap<OrderId, i64>,
        confirmed: LeavingConfirmation,
    ) -> Result<PackedOrders, AppError> {
        let mut result = self.pack_packable(admin, ids, seen, confirmed).await?;
        if result.packed.is_empty() && !result.not_packed.is_empty() {
            return Err(result.not_packed.swap_remove(0).1);
        }
        Ok(result)
    }

    /// The same, also if it is none of them.
    pub(crate) async fn pack_packable(
        &self,
        admin: &User,
        mut ids: Vec<OrderId>,
        seen: HashMap<OrderId, i64>,
        confirmed: LeavingConfirmation,
    ) -> Result<PackedOrders, AppError> {
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_PACKED {
            let message = format!("Choose 1 to {MAX_PACKED} orders");
            return Err(AppError::invalid(message).with_field("orders"));
        }
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let found = tx.orders_by_id(&ids).await?;
                let users: Vec<_> = found.into_iter().map(|order| order.user).collect();
                tx.lock_users(&users).await?;
                tx.lock_orders(&ids).await?;
                let found = tx.orders_by_id(&ids).await?;
                let requests = tx.cancellation_requests_of(&ids).await?;
                let mut found: HashMap<_, _> = found
                    .into_iter()
                    .map(|order| (order.id.clone(), order))
                    .collect();
                let (mut packed, mut unpacked) = (Vec::new(), Vec::new());
                let mut not_packed = Vec::new();
                for id in &ids {
                    match check_packable(found.remove(id), &requests) {
                        Ok(order) if order.packed_at_ms.is_some() => packed.push(order.id),
                        Ok(order) => unpacked.push(order),
                        Err(error) => not_packed.push((id.clone(), error)),
                    }
                }
                let unpacked_ids: Vec<_> = unpacked.iter().map(|one| one.id.clone()).collect();
                // Before they are packed: what is still to pack counts as lying in the shop.
                let mut batch_stocks = shop.batch_stocks_of(tx, &unpacked).await?;
                let refunds = tx.refunds_of(&unpacked_ids).await?;
                let taken = shop.taken_batches(tx, &batch_stocks, &unpacked_ids).await?;
                let (mut orders, mut plans) = (Vec::new(), Vec::new());
                for mut order in unpacked {
                    let version = seen.get(&order.id).copied();
                    let seen = SeenOrder {
                        version,
                        status: None,
                    };
                    let mut checked = shop.check_seen(tx, &order, seen).await;
                    if checked.is_ok() {
                        checked = ensure_packs_to_send(&mut order, &refunds, confirmed);
                    }
                    if let Err(error) = checked {
                        not_packed.push((order.id, error));
                        continue;
                    }
                    let (stocks, today) = (&mut batch_stocks, ist::day(now_ms));
                    match BatchPlan::new(stocks, &order, &refunds, &taken, today) {
                        Ok(plan) => {
                            packed.push(order.id.clone());
                            orders.push(order);
                            plans.push(plan);
                        }
                        Err(error) => not_packed.push((order.id, error)),
                    }
                }
                not_packed.sort_by(|(one, _), (other, _)| one.cmp(other));
                let new: Vec<_> = orders.iter().map(|order| order.id.clone()).collect();
                tx.set_packed(&new, now_ms).await?;
                let actor = Actor::Admin(admin.email.clone());
                for (order, plan) in orders.iter().zip(&plans) {
                    if order.sends_refunded {
                        tx.set_sends_refunded(&order.id).await?;
                    }
                    tx.insert_audit_entry(&shop.packed_by(&admin.email, &order.id))
                        .await?;
                    shop.take_batches(tx, &actor, &order.id, plan).await?;
                }
                shop.issue_invoices(tx, &orders).await?;
                failpoint("packing orders");
                packed.sort();
                Ok(PackedOrders {
                    packed: read_orders(tx, &packed).await?,
                    not_packed,
                })
            })
            .await
    }

    /// For the audit log.
    pub(crate) fn packed_by(&self, email: &str, id: &OrderId) -> AuditEntry {
        AuditEntry {
            id: self.ids.new_id(),
            at_ms: self.now_ms(),
            actor: email.to_owned(),
            action: AdminAction::OrderStatusSet,
            subject_id: id.0.clone(),
            detail: PACKED.to_owned(),
        }
    }
}

fn check_packable(
    order: Option<Order>,
    requests: &[CancellationRequest],
) -> Result<Order, AppError> {
    let order = order
        .filter(|order| order.deleted_at_ms.is_none())
        .ok_or_else(order_not_found)?;
    if order.state.order_status != OrderStatus::Confirmed || !order.is_paid() {
        return Err(not_packable(&order.id));
    }
    if order.packed_at_ms.is_none() {
        ensure_none_is_open(&order.id, requests)?;
    }
    Ok(order)
}

pub(crate) fn not_packable(id: &OrderId) -> AppError {
    let message = format!(
        "Order {} is not confirmed and paid, so it cannot be packed.",
        mirasa_domain::order::short_id(id)
    );
    AppError::new(ErrorCode::OrderNotPackable, message)
}
