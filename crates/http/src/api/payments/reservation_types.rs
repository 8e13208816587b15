//! Stock that unpaid orders reserve, as the console shows it.

use mirasa_app::repository::stock::Reservation;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::types::{Rupees, to_iso8601};

/// An unpaid order and what it keeps from other customers.
#[derive(Serialize, ToSchema)]
#[schema(as = Reservation)]
#[serde(rename_all = "camelCase")]
pub struct ReservationDto {
    pub order_id: String,
    pub customer_name: String,
    pub customer_email: String,
    pub packs: u32,
    pub grams: u64,
    #[schema(value_type = f64)]
    pub total_amount: Rupees,
    pub created_at: String,
    /// When it ends by itself if it is not paid.
    pub reserved_until: String,
}

impl From<Reservation> for ReservationDto {
    fn from(reservation: Reservation) -> ReservationDto {
        ReservationDto {
            order_id: reservation.order_id.0,
            customer_name: reservation.customer_name,
            customer_email: reservation.customer_email,
            packs: reservation.packs.count(),
            grams: reservation.packs.grams(),
            total_amount: Rupees(reservation.total),
            created_at: to_iso8601(reservation.created_at_ms),
            reserved_until: to_iso8601(reservation.expires_at_ms),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ReservedStockResponse {
    /// The most grams first.
    pub orders: Vec<ReservationDto>,
    /// Whether there are smaller ones that are not listed.
    pub more: bool,
}
