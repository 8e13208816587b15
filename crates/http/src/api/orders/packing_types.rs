//! Packing of orders.

use mirasa_app::AppError;
use mirasa_domain::order::OrderId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::orders::types::OrderDto;
use crate::error::types::ErrorCodeDto;

#[derive(Deserialize, IntoParams)]
pub struct PackingQuery {
    /// Ids of paid orders, separated by commas.
    pub orders: String,
}

impl PackingQuery {
    pub fn ids(&self) -> Vec<OrderId> {
        let ids = self.orders.split(',').filter(|id| !id.is_empty());
        ids.map(OrderId::from).collect()
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackRequest {
    /// Ids of confirmed orders.
    pub orders: Vec<String>,
    /// What the page showed of them. One that has changed is not packed.
    #[serde(default)]
    pub seen: Vec<SeenVersionDto>,
    /// Also packs whose money went back. Packs that are in stock again are never sent.
    #[serde(default)]
    pub even_if_refunded: bool,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = SeenVersion)]
pub struct SeenVersionDto {
    pub id: String,
    pub version: i64,
}

/// An order that was not packed, and why.
#[derive(Serialize, ToSchema)]
#[schema(as = NotPacked)]
#[serde(rename_all = "camelCase")]
pub struct NotPackedDto {
    pub order_id: String,
    pub code: ErrorCodeDto,
    pub message: String,
}

impl From<(OrderId, AppError)> for NotPackedDto {
    fn from((order_id, error): (OrderId, AppError)) -> NotPackedDto {
        NotPackedDto {
            order_id: order_id.0,
            code: ErrorCodeDto(error.code),
            message: error.message,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackedResponse {
    /// Those that are packed now.
    pub orders: Vec<OrderDto>,
    pub not_packed: Vec<NotPackedDto>,
}
