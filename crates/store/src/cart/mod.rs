//! Carts.

pub(crate) mod discounts;
pub(crate) mod wishlist;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::cart::{CartQueries, CartRepository, StoredCart};
use mirasa_domain::cart::CartLine;
use mirasa_domain::discount::DiscountId;
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderLine;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::sql::engine::{SqlRepository, to_u32};
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct CartLineRow {
        product_id: Option<String>,
        qty_50g: Option<i64>,
        qty_100g: Option<i64>,
        seen_price_50g: Option<i64>,
        seen_price_100g: Option<i64>,
        cart_version: i64,
        cart_discount_id: Option<DiscountId>,
    }
}

/// Returns the version even if the cart is empty, so that one statement is enough.
const CART: &str = "select l.product_id, l.qty_50g, l.qty_100g, l.seen_price_50g, l.seen_price_100g, u.cart_version, u.cart_discount_id
    from users u left join cart_lines l on l.user_id = u.id where u.id = $1 order by l.added_at, l.product_id";

const UPSERT: &str = "insert into cart_lines (user_id, product_id, qty_50g, qty_100g, seen_price_50g, seen_price_100g, added_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (user_id, product_id) do update set qty_50g = excluded.qty_50g, qty_100g = excluded.qty_100g,
    seen_price_50g = excluded.seen_price_50g, seen_price_100g = excluded.seen_price_100g";

#[async_trait]
impl CartQueries for SqlRepository<'_> {
    async fn cart(&mut self, user: &UserId) -> StoreResult<StoredCart> {
        let rows = self
            .fetch_all::<CartLineRow>(query(CART).bind(&user.0))
            .await?;
        let version = rows.first().map_or(0, |row| row.cart_version);
        let discount_id = rows.first().and_then(|row| row.cart_discount_id.clone());
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
        Ok(StoredCart {
            lines,
            version,
            discount_id,
        })
    }
}

#[async_trait]
impl CartRepository for SqlRepository<'_> {
    async fn increment_cart_version(&mut self, user: &UserId, now_ms: i64) -> StoreResult<()> {
        const INCREMENT: &str =
            "update users set cart_version = cart_version + 1, updated_at = $2 where id = $1";
        self.execute_deferred(query(INCREMENT).bind(&user.0).bind(now_ms))
            .await
    }

    async fn upsert_cart_line(
        &mut self,
        user: &UserId,
        product: &ProductId,
        packs: Packs,
        last_seen_prices: Prices,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(UPSERT)
                .bind(&user.0)
                .bind(&product.0)
                .bind(i64::from(packs.of_50g))
                .bind(i64::from(packs.of_100g))
                .bind(last_seen_prices.of_50g.map(Paise::get))
                .bind(last_seen_prices.of_100g.map(Paise::get))
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

    /// Usually whole lines are deleted. If packs were added since the order, the line is reduced.
    async fn remove_ordered_from_cart(
        &mut self,
        user: &UserId,
        lines: &[OrderLine],
    ) -> StoreResult<()> {
        let ordered = || {
            let rows: Vec<_> = (0..lines.len())
                .map(|at| at * 3 + 2)
                .map(|at| {
                    let (small, large) = (at + 1, at + 2);
                    format!(
                        "(cast(${at} as text), cast(${small} as bigint), cast(${large} as bigint))"
                    )
                })
                .collect();
            format!(
                "with b (product_id, small, large) as (values {})",
                rows.join(", ")
            )
        };
        let bind_lines = |text: String| {
            lines.iter().fold(query(text).bind(&user.0), |text, line| {
                text.bind(&line.product.0)
                    .bind(i64::from(line.packs.of_50g))
                    .bind(i64::from(line.packs.of_100g))
            })
        };
        let whole = "delete from cart_lines where user_id = $1 and exists (select 1 from b
            where b.product_id = cart_lines.product_id and qty_50g <= b.small and qty_100g <= b.large)";
        let part = "update cart_lines set qty_50g = case when qty_50g > b.small then qty_50g - b.small else 0 end,
            qty_100g = case when qty_100g > b.large then qty_100g - b.large else 0 end
            from b where user_id = $1 and cart_lines.product_id = b.product_id";
        let ordered = ordered();
        if self.is_postgres() {
            let both = format!(
                "{ordered}, deleted as ({whole} returning product_id)
                 {part} and cart_lines.product_id not in (select product_id from deleted)"
            );
            return self.execute_deferred(bind_lines(both)).await;
        }
        let deleted = self
            .execute(bind_lines(format!("{ordered} {whole}")))
            .await?;
        if deleted >= lines.len() as u64 {
            return Ok(());
        }
        self.execute_deferred(bind_lines(format!("{ordered} {part}")))
            .await
    }
}
