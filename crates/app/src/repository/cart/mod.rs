//! Carts.

pub mod discounts;
pub mod wishlist;

use async_trait::async_trait;
use mirasa_domain::cart::CartLine;
use mirasa_domain::discount::DiscountId;
use mirasa_domain::order::OrderLine;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// A cart as it is stored, without prices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredCart {
    /// In the order in which they were first added.
    pub lines: Vec<CartLine>,
    pub version: i64,
    /// The discount code that the customer has entered.
    pub discount_id: Option<DiscountId>,
}

#[async_trait]
pub trait CartQueries: Send {
    async fn cart(&mut self, user: &UserId) -> StoreResult<StoredCart>;
}

#[async_trait]
pub trait CartRepository: Send {
    /// Increments the version of the cart, by which a browser detects an outdated response, and locks the user as
    /// `lock_user` does.
    async fn increment_cart_version(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()>;
    async fn upsert_cart_line(
        &mut self,
        user: &UserId,
        product: &ProductId,
        packs: Packs,
        last_seen_prices: Prices,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn remove_cart_line(&mut self, user: &UserId, product: &ProductId) -> StoreResult<()>;
    async fn clear_cart(&mut self, user: &UserId) -> StoreResult<()>;
    /// Removes the packs of these lines from the cart. Packs that were added since the order stay.
    async fn remove_ordered_from_cart(
        &mut self,
        user: &UserId,
        lines: &[OrderLine],
    ) -> StoreResult<()>;
}
