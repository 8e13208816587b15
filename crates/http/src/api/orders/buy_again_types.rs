//! The items of an earlier order in the cart, and what differs.

use mirasa_app::cart::Cart;
use mirasa_app::orders::ChangedItem;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::cart::types::{CartDto, CartResponse};
use crate::api::types::Rupees;

#[derive(Serialize, ToSchema)]
pub struct BuyAgainResponse {
    pub cart: CartDto,
    /// Items that are not in the cart as they were ordered, or cost more.
    pub missing: Vec<ChangedItemDto>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ChangedItem)]
#[serde(rename_all = "camelCase")]
pub struct ChangedItemDto {
    pub product_id: String,
    pub product_name: String,
    /// 50 or 100.
    pub grams: u32,
    pub ordered: u32,
    pub added: u32,
    /// `not_sold`, `sold_out`, `fewer_left`, `cart_full` or `price_increased`.
    pub difference: &'static str,
    #[schema(value_type = f64)]
    pub old_price: Rupees,
    #[schema(value_type = Option<f64>, required)]
    pub new_price: Option<Rupees>,
}

impl BuyAgainResponse {
    pub fn new(cart: Cart, changed: Vec<ChangedItem>) -> BuyAgainResponse {
        let CartResponse { cart } = cart.into();
        let missing = changed.into_iter().map(|item| ChangedItemDto {
            product_id: item.product.0,
            product_name: item.product_name,
            grams: item.size.grams(),
            ordered: item.ordered,
            added: item.added,
            difference: item.difference.as_str(),
            old_price: Rupees(item.old_price),
            new_price: item.new_price.map(Rupees),
        });
        BuyAgainResponse {
            cart,
            missing: missing.collect(),
        }
    }
}
