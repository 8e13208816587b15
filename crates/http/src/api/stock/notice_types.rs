//! Requests for an email when a sold-out product can be bought again.

use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema, Default)]
#[serde(default)]
pub struct StockNoticeRequest {
    /// Not needed of a signed-in user: the email goes to the account's address.
    #[schema(max_length = 254)]
    pub email: String,
}

#[derive(Deserialize, ToSchema)]
pub struct StopStockNoticesRequest {
    #[schema(max_length = 100)]
    pub token: String,
}
