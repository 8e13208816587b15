//! The joined reads of a checkout, and idempotency keys. The reads are joined to save statements in each checkout.

use async_trait::async_trait;
use mirasa_domain::address::{AddressId, SavedAddress};
use mirasa_domain::cart::CartLine;
use mirasa_domain::discount::DiscountId;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::product::Product;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// A pending order of the customer, or the order of their idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumableOrder {
    pub order: Order,
    /// The hash of the request that used the key, if this is the key's order.
    pub key_body_hash: Option<String>,
}

/// What a checkout begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutStart {
    pub address: Option<SavedAddress>,
    /// The discount code in the cart. None without an address, with which no order is placed.
    pub discount_id: Option<DiscountId>,
    pub orders: Vec<ResumableOrder>,
}

#[async_trait]
pub trait CheckoutRepository: Send {
    /// Reads the address, the code in the cart, the customer's pending orders, and the order of the key in any state.
    /// Locks the user as `lock_user` does.
    async fn begin_checkout(
        &mut self,
        user: &UserId,
        address_id: &AddressId,
        key: Option<&str>,
    ) -> StoreResult<CheckoutStart>;
    /// The lines of the cart with their products (None for a deleted one), locked as by `lock_products`, and with what is
    /// too old to be sold of them.
    async fn lock_cart_products(
        &mut self,
        user: &UserId,
        today: i64,
    ) -> StoreResult<Vec<(CartLine, Option<Product>)>>;
    async fn insert_idempotency_key(
        &mut self,
        user: &UserId,
        key: &str,
        body_hash: &str,
        order_id: &OrderId,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn delete_idempotency_keys(&mut self, order_id: &OrderId) -> StoreResult<()>;
}
