//! The tracking number of a courier that is not integrated. The owner types it in.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::order_event::Actor;
use mirasa_domain::shipment::{Partner, Position, Shipment, ShipmentStatus, ShipmentStep};
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::orders::lock::read_order;
use crate::orders::{LeavingConfirmation, ensure_none_is_open};
use crate::shipping::contents::ParcelContents;
use crate::shipping::ship::not_shippable;
use crate::{AppError, ErrorCode, Shop};

const MAX_COURIER_CHARS: usize = 60;
const MAX_TRACKING_NUMBER_CHARS: usize = 60;
const MAX_TRACKING_URL_CHARS: usize = 500;

/// What the owner types in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManualTracking {
    pub courier: String,
    pub tracking_number: String,
    /// May be empty.
    pub tracking_url: String,
    pub confirmed: LeavingConfirmation,
}

impl Shop {
    /// Stores the tracking number of a courier that is not integrated, and changes it later.
    pub async fn set_manual_tracking(
        &self,
        admin: &User,
        order_id: OrderId,
        input: ManualTracking,
    ) -> Result<Order, AppError> {
        let input = input.validated()?;
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let (order, left) = self
            .db
            .write(async move |tx| {
                let mut order = shop.lock_and_read_order(tx, &order_id).await?;
                if !order.is_paid() {
                    return Err(not_shippable(&order));
                }
                let status = order.state.order_status;
                if matches!(status, OrderStatus::Cancelled | OrderStatus::Delivered) {
                    return Err(ended(&order));
                }
                let earlier = tx.shipments_of(std::slice::from_ref(&order_id)).await?;
                let mut left = Vec::new();
                let mut shipment = match earlier.iter().find(|one| one.is_current()) {
                    Some(current) if current.partner == Partner::Integrated => {
                        return Err(AppError::conflict(
                            "This order has a parcel with the delivery partner.",
                        ));
                    }
                    Some(current) => current.clone(),
                    None => {
                        let ids = std::slice::from_ref(&order_id);
                        let requests = tx.cancellation_requests_of(ids).await?;
                        ensure_none_is_open(&order_id, &requests)?;
                        let refunds = tx.refunds_of(ids).await?;
                        shop.check_another_parcel(
                            tx,
                            &mut order,
                            &earlier,
                            &refunds,
                            input.confirmed,
                        )
                        .await?;
                        left = shop
                            .take_for_another_parcel(tx, &admin, &mut order, &earlier, &refunds)
                            .await?;
                        for one in &earlier {
                            shop.resolve_parcel_issues(tx, &one.id).await?;
                        }
                        let contents = ParcelContents::of(&order, &refunds);
                        Shipment {
                            partner: Partner::Manual,
                            step: ShipmentStep::Done,
                            position: Position {
                                status: ShipmentStatus::Ready,
                                at_ms: now_ms,
                            },
                            ..shop.new_shipment(
                                Actor::Admin(admin.email.clone()),
                                &order,
                                &contents,
                                earlier.len() + 1,
                            )
                        }
                    }
                };
                let is_new = (&shipment.courier, &shipment.tracking_number)
                    != (&input.courier, &input.tracking_number);
                shipment.courier.clone_from(&input.courier);
                shipment.tracking_number.clone_from(&input.tracking_number);
                shipment.tracking_url.clone_from(&input.tracking_url);
                if earlier.iter().any(|one| one.id == shipment.id) {
                    tx.save_manual_shipment(&shipment, now_ms).await?;
                } else {
                    tx.insert_shipment(&shipment, now_ms).await?;
                }
                let detail = format!("{} {}", input.courier, input.tracking_number);
                if is_new {
                    let what = format!("Tracking number set: {detail}");
                    shop.record_parcel(tx, &admin, &order_id, what).await?;
                }
                shop.audit(tx, &admin, AdminAction::TrackingSet, &order_id, detail)
                    .await?;
                Ok::<_, AppError>((read_order(tx, &order_id).await?, left))
            })
            .await?;
        self.catalogue.apply_stock(&left);
        Ok(order)
    }
}

fn ended(order: &Order) -> AppError {
    let message = format!(
        "Order {} is {}, so it needs no tracking number.",
        short_id(&order.id),
        order.state.order_status.as_str()
    );
    AppError::new(ErrorCode::OrderNotShippable, message)
}

impl ManualTracking {
    fn validated(self) -> Result<ManualTracking, AppError> {
        let courier = validation::required("courier", &self.courier, MAX_COURIER_CHARS)?;
        let tracking_number = validation::required(
            "trackingNumber",
            &self.tracking_number,
            MAX_TRACKING_NUMBER_CHARS,
        )?;
        let tracking_url = self.tracking_url.trim().to_owned();
        let is_link = tracking_url.is_empty()
            || (tracking_url.starts_with("https://")
                && tracking_url.len() <= MAX_TRACKING_URL_CHARS
                && !tracking_url
                    .contains(|c: char| c.is_whitespace() || c.is_control() || c == '"'));
        if !is_link {
            let message = "trackingUrl must begin with https://";
            return Err(AppError::invalid(message).with_field("trackingUrl"));
        }
        Ok(ManualTracking {
            courier,
            tracking_number,
            tracking_url,
            confirmed: self.confirmed,
        })
    }
}
