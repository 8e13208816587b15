//! Carts.

use async_trait::async_trait;
use mirasa_domain::cart::CartLine;
use mirasa_domain::order::OrderLine;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

#[async_trait]
pub trait CartQueries: Send {
    /// The lines in the order in which they were first added, and the cart's version.
    async fn cart(&mut self, user: &UserId) -> StoreResult<(Vec<CartLine>, i64)>;
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
