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
    /// Counts a change of the cart, so that a browser can tell an old answer from a new one, and holds the
    /// shopper as `lock_user` does.
    async fn increment_cart_version(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()>;
    async fn upsert_cart_line(
        &mut self,
        user: &UserId,
        product: &ProductId,
        packs: Packs,
        seen: Prices,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn remove_cart_line(&mut self, user: &UserId, product: &ProductId) -> StoreResult<()>;
    async fn clear_cart(&mut self, user: &UserId) -> StoreResult<()>;
    /// Takes the packs of these lines out of the cart; what was added meanwhile stays.
    async fn remove_ordered_from_cart(
        &mut self,
        user: &UserId,
        lines: &[OrderLine],
    ) -> StoreResult<()>;
}
