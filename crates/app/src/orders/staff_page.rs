//! What the page of an order has for staff: the order, notes, and correcting its delivery address.

use mirasa_domain::address::{Address, AddressInput, Pincode};
use mirasa_domain::audit::AdminAction;
use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::order_changes::SeenOrder;
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::order_note::{MAX_NOTE_CHARS, OrderNote};
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::orders::lock::read_order;
use crate::orders::order_not_found;
use crate::repository::customers::list::Customer;
use crate::shipping::estimates::PincodeService;
use crate::{AppError, ErrorCode, Shop};

/// The name of an address is only for its customer, who keeps it.
const ANY_ADDRESS_NAME: &str = "Delivery";

/// An order with what only staff see.
#[derive(Debug)]
pub struct StaffOrder {
    pub order: Order,
    /// Oldest first.
    pub notes: Vec<OrderNote>,
    /// Without personal data if the account is deleted.
    pub customer: Option<Customer>,
}

impl Shop {
    /// Also a deleted order.
    pub async fn staff_order(&self, id: OrderId) -> Result<StaffOrder, AppError> {
        self.db
            .read(async move |db| {
                let order = db.orders_by_id(std::slice::from_ref(&id)).await?.pop();
                let order = order.ok_or_else(order_not_found)?;
                Ok(StaffOrder {
                    notes: db.notes_of(&id).await?,
                    customer: db.customer(&order.user).await?,
                    order,
                })
            })
            .await
    }

    pub async fn add_order_note(
        &self,
        admin: &User,
        order_id: OrderId,
        text: &str,
    ) -> Result<OrderNote, AppError> {
        let note = OrderNote {
            id: self.ids.new_id(),
            order_id,
            at_ms: self.now_ms(),
            author: admin.email.clone(),
            text: validation::required_lines("text", text, MAX_NOTE_CHARS)?,
        };
        self.db
            .write(async move |tx| {
                let ids = std::slice::from_ref(&note.order_id);
                tx.orders_by_id(ids)
                    .await?
                    .pop()
                    .ok_or_else(order_not_found)?;
                tx.insert_order_note(&note).await?;
                Ok(note)
            })
            .await
    }

    /// For a paid order that is not packed: its invoice and its parcel have the new address. The partner is asked before the
    /// transaction whether it serves a new pincode, as in a checkout.
    pub async fn correct_delivery_address(
        &self,
        admin: &User,
        order_id: OrderId,
        seen: SeenOrder,
        input: AddressInput,
    ) -> Result<Order, AppError> {
        let address = Address::parse(&AddressInput {
            address_name: ANY_ADDRESS_NAME.to_owned(),
            ..input
        })?;
        self.check_pincode_is_served(&address.pincode).await?;
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let order = shop.lock_and_read_seen_order(tx, &order_id, seen).await?;
                let shipments = tx.shipments_of(std::slice::from_ref(&order_id)).await?;
                let has_parcel = shipments.iter().any(|shipment| shipment.is_current());
                check_address_can_change(&order, has_parcel)?;
                let corrected = Address {
                    address_name: order.address.address_name.clone(),
                    ..address
                };
                if corrected == order.address {
                    return Ok(order);
                }
                tx.set_order_address(&order_id, &corrected, now_ms).await?;
                let change = format!("{} → {}", in_line(&order.address), in_line(&corrected));
                let actor = Actor::Admin(admin.email.clone());
                let kind = OrderEventKind::AddressCorrected;
                shop.record_event(tx, &order_id, kind, actor, change)
                    .await?;
                // The history has the addresses. It forgets them when the account is erased.
                let action = AdminAction::AddressCorrected;
                shop.audit(tx, &admin, action, &order_id, String::new())
                    .await?;
                read_order(tx, &order_id).await
            })
            .await
    }

    async fn check_pincode_is_served(&self, pincode: &str) -> Result<(), AppError> {
        let pincode = Pincode::parse(pincode)?;
        if self.pincode_service(pincode) == PincodeService::NotAsked {
            self.ask_about_pincode(pincode).await;
        }
        if self.pincode_service(pincode) != PincodeService::NotServed {
            return Ok(());
        }
        let message = format!("Our courier does not deliver to {} yet.", pincode.get());
        Err(AppError::new(ErrorCode::PincodeNotServed, message).with_field("pincode"))
    }
}

fn check_address_can_change(order: &Order, has_parcel: bool) -> Result<(), AppError> {
    let name = short_id(&order.id);
    let refused = |why: &str| {
        let message = format!("Order {name} {why}, so its address cannot be corrected any more.");
        Err(AppError::conflict(message))
    };
    if !order.is_paid() {
        let message = format!("Order {name} is not paid. The customer can order again.");
        return Err(AppError::new(ErrorCode::OrderNotPaid, message));
    }
    if order.deleted_at_ms.is_some() {
        return refused("is deleted");
    }
    match order.state.order_status {
        OrderStatus::Shipped => return refused("is shipped"),
        OrderStatus::Delivered => return refused("is delivered"),
        OrderStatus::Cancelled => return refused("is cancelled"),
        OrderStatus::Pending | OrderStatus::Confirmed | OrderStatus::NotApplicable => {}
    }
    if order.packed_at_ms.is_some() {
        return refused("is packed");
    }
    if has_parcel {
        return refused("has a parcel");
    }
    Ok(())
}

/// For the history.
fn in_line(address: &Address) -> String {
    let parts = [
        &address.name,
        &address.phone,
        &address.line1,
        &address.line2,
        &address.city,
    ];
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(String::as_str)
        .collect();
    let (state, pincode) = (&address.state, &address.pincode);
    format!("{}, {state} {pincode}", parts.join(", "))
}
