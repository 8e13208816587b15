//! Wishlists.

use async_trait::async_trait;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

#[async_trait]
pub trait WishlistQueries: Send {
    async fn wishlist(&mut self, user: &UserId) -> StoreResult<Vec<ProductId>>;
}

#[async_trait]
pub trait WishlistRepository: Send {
    async fn add_to_wishlist(
        &mut self,
        user: &UserId,
        product: &ProductId,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn remove_from_wishlist(&mut self, user: &UserId, product: &ProductId)
    -> StoreResult<()>;
}
