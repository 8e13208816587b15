//! Wishlists.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::cart::wishlist::{WishlistQueries, WishlistRepository};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;

const ADD_ITEM: &str = "insert into wishes (user_id, product_id, added_at) values ($1, $2, $3) on conflict (user_id, product_id) do nothing";

#[async_trait]
impl WishlistQueries for SqlRepository<'_> {
    async fn wishlist(&mut self, user: &UserId) -> StoreResult<Vec<ProductId>> {
        const FIND: &str =
            "select product_id from wishes where user_id = $1 order by added_at desc, product_id";
        let ids = self.fetch_all::<String>(query(FIND).bind(&user.0)).await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }
}

#[async_trait]
impl WishlistRepository for SqlRepository<'_> {
    async fn add_to_wishlist(
        &mut self,
        user: &UserId,
        product: &ProductId,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(query(ADD_ITEM).bind(&user.0).bind(&product.0).bind(now_ms))
            .await
    }

    async fn remove_from_wishlist(
        &mut self,
        user: &UserId,
        product: &ProductId,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query("delete from wishes where user_id = $1 and product_id = $2")
                .bind(&user.0)
                .bind(&product.0),
        )
        .await
    }
}
