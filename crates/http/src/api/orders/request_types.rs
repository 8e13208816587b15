//! What the browser sends to check out, set the status of an order or delete one.

use mirasa_app::orders::{LeavingConfirmation, SeenOrder, StatusOptions};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::orders::status_types::OrderStatusDto;
use crate::api::types::Rupees;

#[derive(Deserialize, ToSchema)]
pub struct CheckoutRequest {
    #[serde(rename = "addressId")]
    pub address_id: String,
    /// What the page showed. Compared with what will be charged, never trusted.
    #[serde(rename = "expectedTotal")]
    #[schema(value_type = Option<f64>, minimum = 0)]
    pub expected_total: Option<Rupees>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckoutResponse {
    pub redirect_url: String,
    pub merchant_order_id: String,
}

#[derive(Deserialize, ToSchema)]
pub struct OrderStatusRequest {
    #[serde(rename = "orderStatus")]
    pub order_status: OrderStatusDto,
    /// For `cancelled`: refunds everything that is left of the payment.
    #[serde(default)]
    pub refund: bool,
    /// For `cancelled`: puts the items of a paid order back into stock. If the order was sent, and its parcel has not come
    /// back, the request must show that it knows: with `cameBack`, or, if the courier does not have the parcel, with
    /// `version` or a `seenStatus` of shipped or delivered.
    #[serde(default)]
    pub restock: bool,
    /// The items were sent and are in the shop again. Those of a lost parcel are not.
    #[serde(default, rename = "cameBack")]
    pub came_back: bool,
    /// The version that the page showed: if the order has another one, nothing is changed. A request that says what it has
    /// seen must also confirm that an order leaves the shop unpaid or refunded.
    pub version: Option<i64>,
    /// The same with the status.
    #[serde(rename = "seenStatus")]
    pub seen_status: Option<OrderStatusDto>,
    /// Send packs whose money went back. Packs that are in stock again are never sent.
    #[serde(default, rename = "evenIfRefunded")]
    pub even_if_refunded: bool,
    /// Send an order that is not paid.
    #[serde(default, rename = "evenIfUnpaid")]
    pub even_if_unpaid: bool,
    /// Refund packs that were replaced, or send a cancelled replacement whose packs were replaced or refunded otherwise.
    #[serde(default, rename = "evenIfRepeated")]
    pub even_if_repeated: bool,
}

impl OrderStatusRequest {
    pub fn options(&self) -> StatusOptions {
        StatusOptions {
            seen: SeenOrder {
                version: self.version,
                status: self.seen_status.map(|status| status.0),
            },
            confirmed: LeavingConfirmation {
                even_if_refunded: self.even_if_refunded,
                even_if_unpaid: self.even_if_unpaid,
            },
            refund: self.refund,
            restock: self.restock,
            came_back: self.came_back,
            even_if_repeated: self.even_if_repeated,
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
pub struct DeleteOrderQuery {
    /// The version that the page showed: if the order has another one, nothing is changed.
    pub version: Option<i64>,
    /// Why the money of a paid order is kept. Without a reason it becomes an order issue.
    pub keep_reason: Option<String>,
}
