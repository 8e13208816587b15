//! The owner ships packed orders: each gets a parcel, which the worker sends to the partner.

use std::collections::{BTreeSet, HashMap};

use mirasa_domain::audit::AdminAction;
use mirasa_domain::order::{Order, OrderId, OrderStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{
    CourierRule, Partner, Position, Shipment, ShipmentStatus, ShipmentStep, is_to_be_sent_again,
};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::orders::lock::read_order;
use crate::orders::{LeavingConfirmation, ensure_none_is_open};
use crate::repository::Transaction;
use crate::repository::shipping::ListedShipment;
use crate::runtime::failpoints::failpoint;
use crate::shipping::contents::ParcelContents;
use crate::{AppError, ErrorCode, Shop};

/// Orders that can be shipped at once.
const MAX_SHIPPED: usize = 200;

impl Shop {
    /// Records a parcel for each of the packed orders. The worker sends them to the partner. An order that has a parcel
    /// keeps it, so the request can be repeated. All or none.
    pub async fn ship_orders(
        &self,
        admin: &User,
        mut ids: Vec<OrderId>,
        rule: Option<CourierRule>,
        confirmed: LeavingConfirmation,
    ) -> Result<Vec<ListedShipment>, AppError> {
        if self.courier.is_none() {
            return Err(no_partner());
        }
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_SHIPPED {
            let message = format!("Choose 1 to {MAX_SHIPPED} orders");
            return Err(AppError::invalid(message).with_field("orders"));
        }
        let rule = rule.unwrap_or(self.settings.shipping.rule);
        let (shop, admin) = (self.clone(), admin.clone());
        let (shipped, left) = self
            .db
            .write(async move |tx| {
                let orders = shop.lock_and_read_orders(tx, &ids).await?;
                let refunds = tx.refunds_of(&ids).await?;
                let requests = tx.cancellation_requests_of(&ids).await?;
                let mut earlier = HashMap::<_, Vec<_>>::new();
                for shipment in tx.shipments_of(&ids).await? {
                    let of_order = earlier.entry(shipment.order_id.clone()).or_default();
                    of_order.push(shipment);
                }
                let again = orders.iter().filter(|order| {
                    let earlier = earlier.get(&order.id);
                    earlier.is_some_and(|earlier| is_to_be_sent_again(earlier))
                });
                lock_products_of(tx, again).await?;
                let (mut shipped, mut left) = (Vec::new(), Vec::new());
                for mut order in orders {
                    ensure_none_is_open(&order.id, &requests)?;
                    let earlier = earlier.remove(&order.id).unwrap_or_default();
                    if !earlier.iter().any(Shipment::is_current) {
                        shop.check_another_parcel(tx, &mut order, &earlier, &refunds, confirmed)
                            .await?;
                    }
                    let (shipment, taken) = shop
                        .ship_order(tx, &admin, &mut order, &earlier, &refunds, rule)
                        .await?;
                    // Its version has grown.
                    let order = read_order(tx, &order.id).await?;
                    left.extend(taken);
                    shipped.push(ListedShipment {
                        shipment,
                        order,
                        is_latest: true,
                    });
                }
                failpoint("shipping orders");
                Ok::<_, AppError>((shipped, left))
            })
            .await?;
        self.catalogue.apply_stock(&left);
        failpoint("orders shipped");
        Ok(shipped)
    }

    async fn ship_order(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        order: &mut Order,
        earlier: &[Shipment],
        refunds: &[Refund],
        rule: CourierRule,
    ) -> Result<(Shipment, Vec<(ProductId, Stock)>), AppError> {
        if let Some(current) = earlier.iter().find(|one| one.is_current()) {
            if current.step == ShipmentStep::Cancel && !current.books_again {
                return Err(being_cancelled(order));
            }
            return Ok((current.clone(), Vec::new()));
        }
        let is_ready = match order.state.order_status {
            OrderStatus::Confirmed => order.packed_at_ms.is_some(),
            OrderStatus::Shipped => is_to_be_sent_again(earlier),
            _ => false,
        };
        if !is_ready || !order.is_paid() {
            return Err(not_shippable(order));
        }
        let left = self
            .take_for_another_parcel(tx, admin, order, earlier, refunds)
            .await?;
        let contents = ParcelContents::of(order, refunds);
        if contents.is_empty() {
            return Err(nothing_to_send(order));
        }
        let actor = Actor::Admin(admin.email.clone());
        let shipment = Shipment {
            rule,
            ..self.new_shipment(actor, order, &contents, earlier.len() + 1)
        };
        let now_ms = shipment.created_at_ms;
        for earlier in earlier {
            self.resolve_parcel_issues(tx, &earlier.id).await?;
        }
        tx.insert_shipment(&shipment, now_ms).await?;
        self.record_parcel(tx, admin, &order.id, "Parcel booked".to_owned())
            .await?;
        let action = AdminAction::ParcelRequested;
        self.audit(tx, admin, action, &order.id, shipment.reference.clone())
            .await?;
        Ok((shipment, left))
    }

    /// `number`: how many parcels the order has with this one.
    pub(super) fn new_shipment(
        &self,
        created_by: Actor,
        order: &Order,
        contents: &ParcelContents<'_>,
        number: usize,
    ) -> Shipment {
        let now_ms = self.now_ms();
        let order_number = order.id.as_str().replace('-', "");
        Shipment {
            id: self.ids.new_id().into(),
            order_id: order.id.clone(),
            // The partner rejects a reference that was used before, even if that parcel was cancelled.
            reference: match number {
                1 => order_number,
                _ => format!("{order_number}-{number}"),
            },
            partner: Partner::Integrated,
            rule: self.settings.shipping.rule,
            position: Position {
                status: ShipmentStatus::Preparing,
                at_ms: now_ms,
            },
            step: ShipmentStep::Create,
            attempts: 0,
            error: None,
            partner_ids: None,
            courier_id: None,
            courier: String::new(),
            tracking_number: String::new(),
            tracking_url: String::new(),
            weight_grams: contents.grams(self.settings.shipping.tare_grams),
            contents: Some(contents.lines()),
            books_again: false,
            cost: None,
            return_cost: None,
            expected_at_ms: None,
            pickup_at_ms: None,
            picked_up_at_ms: None,
            ended_at_ms: None,
            has_label: false,
            label_printed_at_ms: None,
            created_by,
            created_at_ms: now_ms,
            updated_at_ms: now_ms,
        }
    }

    /// Pages that were loaded before the order had this parcel are out of date.
    pub(super) async fn record_parcel(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        order_id: &OrderId,
        what: String,
    ) -> Result<(), AppError> {
        let (kind, actor) = (OrderEventKind::Parcel, Actor::Admin(admin.email.clone()));
        self.record_event(tx, order_id, kind, actor, what).await
    }
}

/// Locks the products of orders that take packs out of stock again. A transaction locks its products once, in a fixed order,
/// so this is for all orders of a request.
async fn lock_products_of(
    tx: &mut dyn Transaction,
    orders: impl Iterator<Item = &Order> + Send,
) -> Result<(), AppError> {
    let lines = orders.flat_map(|order| &order.lines);
    let ids: BTreeSet<_> = lines.map(|line| line.product.0.clone()).collect();
    let ids: Vec<_> = ids.into_iter().map(ProductId).collect();
    Ok(tx.lock_products(&ids).await?)
}

fn being_cancelled(order: &Order) -> AppError {
    AppError::conflict(format!(
        "The parcel of order {} is being cancelled. Try again in a moment.",
        mirasa_domain::order::short_id(&order.id)
    ))
}

pub(super) fn no_partner() -> AppError {
    AppError::new(
        ErrorCode::NoDeliveryPartner,
        "There is no delivery partner. Type in the tracking number instead.",
    )
}

pub(super) fn not_shippable(order: &Order) -> AppError {
    let message = format!(
        "Order {} is not paid and packed, so it cannot be shipped.",
        mirasa_domain::order::short_id(&order.id)
    );
    AppError::new(ErrorCode::OrderNotShippable, message)
}

fn nothing_to_send(order: &Order) -> AppError {
    let message = format!(
        "Everything of order {} was refunded or put back into stock, so there is nothing to send.",
        mirasa_domain::order::short_id(&order.id)
    );
    AppError::new(ErrorCode::OrderNotShippable, message)
}
