//! The joined reads of one checkout, and idempotency keys. They stay joined: each further statement costs every checkout.

use async_trait::async_trait;
use mirasa_domain::address::SavedAddress;
use mirasa_domain::cart::CartLine;
use mirasa_domain::order::Order;
use mirasa_domain::product::Product;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// An order that the shopper has not paid yet, or that their idempotency key led to before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumableOrder {
    pub order: Order,
    /// What was asked for with the key, where it is the key's order.
    pub key_body_hash: Option<String>,
}

#[async_trait]
pub trait CheckoutRepository: Send {
    /// What a checkout starts from: one of the shopper's addresses, their pending orders, and that of the
    /// key, whatever became of it. Holds the shopper as `lock_user` does.
    async fn begin_checkout(
        &mut self,
        user: &UserId,
        address_id: &str,
        key: Option<&str>,
    ) -> StoreResult<(Option<SavedAddress>, Vec<ResumableOrder>)>;
    /// What is in the cart, with its products (None for a deleted one) held as by `lock_products`.
    async fn lock_cart_products(
        &mut self,
        user: &UserId,
    ) -> StoreResult<Vec<(CartLine, Option<Product>)>>;
    async fn insert_idempotency_key(
        &mut self,
        user: &UserId,
        key: &str,
        body_hash: &str,
        order_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn delete_idempotency_keys(&mut self, order_id: &str) -> StoreResult<()>;
}
