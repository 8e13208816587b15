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
pub struct PackRequest {
    /// Ids of confirmed orders.
    pub orders: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct PackedResponse {
    pub orders: Vec<OrderDto>,
}
