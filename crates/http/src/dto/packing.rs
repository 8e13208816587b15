//! Packing of orders.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::order::OrderDto;

#[derive(Deserialize, IntoParams)]
pub struct PackingQuery {
    /// Ids of paid orders, separated by commas.
    pub orders: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackRequest {
    /// Ids of confirmed orders.
    pub orders: Vec<String>,
    /// Also packs whose money went back. Packs that are in stock again are never sent.
    #[serde(default)]
    pub even_if_refunded: bool,
}

#[derive(Serialize, ToSchema)]
pub struct PackedResponse {
    pub orders: Vec<OrderDto>,
}
