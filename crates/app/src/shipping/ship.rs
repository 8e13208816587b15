//! The owner ships packed orders, cancels parcels, or repeats a failed step.

use std::collections::{BTreeSet, HashMap};

use mirasa_domain::address::Pincode;
use mirasa_domain::audit::AdminAction;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId, OrderStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{
    CourierRule, Partner, Position, Shipment, ShipmentId, ShipmentStatus, ShipmentStep,
    is_to_be_sent_again,
};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::orders::lock::read_order;
use crate::orders::{LeavingConfirmation, ensure_none_is_open};
use crate::ports::courier::CourierQuote;
use crate::repository::Transaction;
use crate::repository::shipping::{ListedShipment, ShipmentGroup, ShipmentSummary};
use crate::runtime::failpoints::failpoint;
use crate::shipping::contents::ParcelContents;
use crate::{AppError, ErrorCode, Shop};

/// Orders that can be shipped at once.
const MAX_SHIPPED: usize = 200;
/// Packed orders in the owner's list.
const MAX_TO_SHIP: i64 = 200;
/// The period of cost and time in the owner's list.
const SUMMARY_PERIOD_MS: i64 = 30 * 24 * 60 * 60_000;

/// A packed order without a parcel.
#[derive(Debug)]
pub struct OrderToShip {
    pub order: Order,
    /// Those that are really sent.
    pub packs: u32,
    pub weight_grams: i64,
    pub refunded: Paise,
}

/// One page of the owner's list.
#[derive(Debug)]
pub struct ShipmentPage {
    pub shipments: Vec<ListedShipment>,
    pub total: i64,
    pub attention: i64,
    /// Packed orders without a parcel, oldest first, up to a limit.
    pub to_ship: Vec<OrderToShip>,
    pub to_ship_total: i64,
    pub summary: ShipmentSummary,
}

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

    pub async fn shipments(
        &self,
        group: ShipmentGroup,
        offset: i64,
        limit: i64,
    ) -> Result<ShipmentPage, AppError> {
        let since_ms = self.now_ms() - SUMMARY_PERIOD_MS;
        let tare_grams = self.settings.shipping.tare_grams;
        self.db
            .read(async move |db| {
                let shipments = db.shipments_page(group, offset, limit).await?;
                let ids: Vec<_> = shipments.iter().map(|one| one.order_id.clone()).collect();
                // Oldest first, so that the last one of each order stays.
                let latest: HashMap<_, _> = db
                    .shipments_of(&ids)
                    .await?
                    .into_iter()
                    .filter(is_not_cancelled)
                    .map(|shipment| (shipment.order_id, shipment.id))
                    .collect();
                let orders = db.orders_by_id(&ids).await?;
                let by_id: HashMap<_, _> = orders
                    .into_iter()
                    .map(|order| (order.id.clone(), order))
                    .collect();
                let shipments = shipments
                    .into_iter()
                    .filter_map(|shipment| {
                        let order = by_id.get(&shipment.order_id)?.clone();
                        Some(ListedShipment {
                            is_latest: latest.get(&order.id) == Some(&shipment.id),
                            shipment,
                            order,
                        })
                    })
                    .collect();
                let waiting = db.orders_to_ship(MAX_TO_SHIP).await?;
                let mut to_ship = db.orders_by_id(&waiting).await?;
                to_ship.sort_by_key(|order| (order.packed_at_ms, order.id.clone()));
                let refunds = db.refunds_of(&waiting).await?;
                let to_ship = to_ship.into_iter().map(|order| {
                    let contents = ParcelContents::of(&order, &refunds);
                    let (packs, weight_grams) = (contents.packs(), contents.grams(tare_grams));
                    OrderToShip {
                        packs,
                        weight_grams,
                        refunded: order.refunded(&refunds),
                        order,
                    }
                });
                let to_ship = to_ship.collect();
                Ok::<_, AppError>(ShipmentPage {
                    shipments,
                    total: db.count_shipments(group).await?,
                    attention: db.count_shipments(ShipmentGroup::Attention).await?,
                    to_ship,
                    to_ship_total: db.count_orders_to_ship().await?,
                    summary: db.shipment_summary(since_ms).await?,
                })
            })
            .await
    }

    /// The couriers that carry the order's parcel, the cheapest first, for a choice by hand.
    pub async fn courier_quotes(&self, order_id: OrderId) -> Result<Vec<CourierQuote>, AppError> {
        let courier = self.courier.clone().ok_or_else(no_partner)?;
        let found = self.db.read(async move |db| {
            let order = db.order(&order_id).await?;
            let order = order.ok_or_else(crate::orders::order_not_found)?;
            Ok::<_, AppError>((order, db.refunds_of(&[order_id]).await?))
        });
        let (order, refunds): (Order, Vec<Refund>) = found.await?;
        let pincode = Pincode::parse(&order.address.pincode)?;
        let contents = ParcelContents::of(&order, &refunds);
        let grams = contents.grams(self.settings.shipping.tare_grams);
        let quotes = courier.quotes(pincode, grams).await;
        let mut quotes = quotes.map_err(crate::shipping::partner_calls::into_app_error)?;
        quotes.sort_by_key(|quote| (quote.cost, quote.days));
        Ok(quotes)
    }

    /// Cancels a parcel that the courier does not have yet.
    pub async fn cancel_shipment(
        &self,
        admin: &User,
        id: ShipmentId,
    ) -> Result<ListedShipment, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let shipment = lock_shipment(tx, &id).await?;
                if shipment.step == ShipmentStep::Cancel && !shipment.books_again {
                    return listed(tx, &id).await;
                }
                if shipment.books_again {
                    // It is being cancelled already. No other one follows.
                    tx.set_books_again(&id, false).await?;
                } else if !shipment.is_cancellable() {
                    return Err(AppError::conflict(
                        "The courier has this parcel, or it is cancelled already.",
                    ));
                } else {
                    tx.set_shipment_step(&id, ShipmentStep::Cancel, now_ms)
                        .await?;
                }
                let (action, detail) = (AdminAction::ParcelCancelled, shipment.reference);
                shop.audit(tx, &admin, action, &shipment.order_id, detail)
                    .await?;
                listed(tx, &id).await
            })
            .await
    }

    /// Repeats the step of a parcel now.
    pub async fn retry_shipment(
        &self,
        admin: &User,
        id: ShipmentId,
    ) -> Result<ListedShipment, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let shipment = lock_shipment(tx, &id).await?;
                if !tx.schedule_shipment_now(&id, now_ms).await? {
                    return Err(AppError::conflict("This parcel needs no further step."));
                }
                let (action, detail) = (AdminAction::ParcelRetried, shipment.reference.clone());
                shop.audit(tx, &admin, action, &shipment.order_id, detail)
                    .await?;
                listed(tx, &id).await
            })
            .await
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

    /// The owner has decided about a parcel that came back or was lost.
    pub(super) async fn resolve_parcel_issues(
        &self,
        tx: &mut dyn Transaction,
        id: &ShipmentId,
    ) -> Result<(), AppError> {
        for kind in [IssueKind::ParcelReturned, IssueKind::ParcelLost] {
            tx.resolve_issue_about(kind, id, self.now_ms()).await?;
        }
        Ok(())
    }

    /// Goes on with parcels that waited for the answer to a request to cancel their order. The caller has locked the order.
    pub(crate) async fn resume_parcels_of(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        for shipment in tx.shipments_of(std::slice::from_ref(order_id)).await? {
            if shipment.is_cancellable() && shipment.step != ShipmentStep::Track {
                tx.schedule_shipment_now(&shipment.id, self.now_ms())
                    .await?;
            }
        }
        Ok(())
    }

    /// Cancels the parcels of an order that has nothing left to send, because everything was refunded, if the courier does
    /// not have them. The caller has locked the order.
    pub(crate) async fn cancel_empty_parcels_of(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        let ids = [order_id.clone()];
        let shipments = tx.shipments_of(&ids).await?;
        if !shipments.iter().any(Shipment::is_cancellable) {
            return Ok(());
        }
        let order = tx.orders_by_id(&ids).await?.pop();
        let refunds = tx.refunds_of(&ids).await?;
        if order.is_some_and(|order| order.has_packs_to_send(&refunds)) {
            return Ok(());
        }
        for shipment in shipments.iter().filter(|one| one.is_cancellable()) {
            tx.set_shipment_step(&shipment.id, ShipmentStep::Cancel, self.now_ms())
                .await?;
        }
        Ok(())
    }

    /// Cancels the parcels of an order that ends, if the courier does not have them. The caller has locked the order.
    pub(crate) async fn cancel_parcels_of(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        let ids = [order_id.clone()];
        for shipment in tx.shipments_of(&ids).await? {
            self.resolve_parcel_issues(tx, &shipment.id).await?;
            if shipment.is_cancellable() {
                let now_ms = self.now_ms();
                tx.set_shipment_step(&shipment.id, ShipmentStep::Cancel, now_ms)
                    .await?;
            }
        }
        Ok(())
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

/// Locks the order of a parcel, also a deleted one, and reads the parcel.
pub(super) async fn lock_shipment(
    tx: &mut dyn Transaction,
    id: &ShipmentId,
) -> Result<Shipment, AppError> {
    let found = tx.shipment(id).await?.ok_or_else(shipment_not_found)?;
    let mut orders = tx.orders_by_id(&[found.order_id]).await?;
    if let Some(order) = orders.pop() {
        tx.lock_user(&order.user).await?;
        tx.lock_order(&order.id).await?;
    }
    tx.shipment(id).await?.ok_or_else(shipment_not_found)
}

async fn listed(tx: &mut dyn Transaction, id: &ShipmentId) -> Result<ListedShipment, AppError> {
    let shipment = tx.shipment(id).await?.ok_or_else(shipment_not_found)?;
    let ids = [shipment.order_id.clone()];
    let order = tx.orders_by_id(&ids).await?.pop();
    let order = order.ok_or_else(crate::orders::order_not_found)?;
    let last = tx.shipments_of(&ids).await?;
    let last = last.into_iter().rfind(is_not_cancelled);
    Ok(ListedShipment {
        is_latest: last.is_some_and(|last| last.id == shipment.id),
        shipment,
        order,
    })
}

fn being_cancelled(order: &Order) -> AppError {
    AppError::conflict(format!(
        "The parcel of order {} is being cancelled. Try again in a moment.",
        mirasa_domain::order::short_id(&order.id)
    ))
}

fn no_partner() -> AppError {
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

/// A decision is about the last parcel that the courier had.
fn is_not_cancelled(shipment: &Shipment) -> bool {
    shipment.position.status != ShipmentStatus::Cancelled
}

pub(super) fn shipment_not_found() -> AppError {
    AppError::not_found("There is no such parcel")
}
