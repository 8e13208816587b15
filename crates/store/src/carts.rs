//! Carts.

use async_trait::async_trait;
use mirasa_app::ports::storage::{ReadCarts, StoreResult, WriteCarts};
use mirasa_domain::cart::CartLine;
use mirasa_domain::money::Paise;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::engine::{SqlRepository, to_u32};
use crate::query::query;
use crate::row::row;

row! {
    struct OrderLineRow {
        product_id: Option<String>,
        qty_50g: Option<i64>,
        qty_100g: Option<i64>,
        seen_price_50g: Option<i64>,
        seen_price_100g: Option<i64>,
        cart_version: i64,
    }
}

/// The version comes along even when the cart is empty, so one statement reads it all.
const CART: &str = "select l.product_id, l.qty_50g, l.qty_100g, l.seen_price_50g, l.seen_price_100g, u.cart_version
    from users u left join cart_lines l on l.user_id = u.id where u.id = $1 order by l.added_at, l.product_id";
const PUT: &str = "insert into cart_lines (user_id, product_id, qty_50g, qty_100g, seen_price_50g, seen_price_100g, added_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (user_id, product_id) do update set qty_50g = excluded.qty_50g, qty_100g = excluded.qty_100g,
    seen_price_50g = excluded.seen_price_50g, seen_price_100g = excluded.seen_price_100g";

#[async_trait]
impl ReadCarts for SqlRepository<'_> {
    async fn cart(&mut self, user: &UserId) -> StoreResult<(Vec<CartLine>, i64)> {
        let rows = self
            .fetch_all::<OrderLineRow>(query(CART).bind(&user.0))
            .await?;
        let version = rows.first().map_or(0, |row| row.cart_version);
        let lines = rows
            .into_iter()
            .filter_map(|row| {
                Some(CartLine {
                    product: ProductId(row.product_id?),
                    packs: Packs {
                        of_50g: to_u32(row.qty_50g?),
                        of_100g: to_u32(row.qty_100g?),
                    },
                    last_seen_prices: Prices {
                        of_50g: row.seen_price_50g.map(Paise::new),
                        of_100g: row.seen_price_100g.map(Paise::new),
                    },
                })
            })
            .collect();
        Ok((lines, version))
    }
}

#[async_trait]
impl WriteCarts for SqlRepository<'_> {
    async fn lock_user(&mut self, user: &UserId) -> StoreResult<()> {
        if self.is_postgres() {
            self.fetch_optional::<String>(query(SqlRepository::FOR_UPDATE_USER).bind(&user.0))
                .await?;
        }
        Ok(())
    }

    async fn increment_cart_version(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()> {
        const BUMP: &str =
            "update users set cart_version = cart_version + 1, updated_at = $2 where id = $1";
        self.execute_deferred(query(BUMP).bind(&user.0).bind(now_ms))
            .await
    }

    async fn upsert_cart_line(
        &mut self,
        user: &UserId,
        product: &ProductId,
        packs: Packs,
        seen: Prices,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(PUT)
                .bind(&user.0)
                .bind(&product.0)
                .bind(i64::from(packs.of_50g))
                .bind(i64::from(packs.of_100g))
                .bind(seen.of_50g.map(Paise::get))
                .bind(seen.of_100g.map(Paise::get))
                .bind(now_ms),
        )
        .await
    }

    async fn remove_cart_line(&mut self, user: &UserId, product: &ProductId) -> StoreResult<()> {
        self.execute_deferred(
            query("delete from cart_lines where user_id = $1 and product_id = $2")
                .bind(&user.0)
                .bind(&product.0),
        )
        .await
    }

    async fn clear_cart(&mut self, user: &UserId) -> StoreResult<()> {
        self.execute_deferred(query("delete from cart_lines where user_id = $1").bind(&user.0))
            .await
    }
}
