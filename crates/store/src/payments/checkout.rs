//! The joined reads of a checkout, and idempotency keys. The reads are joined to save statements in each checkout.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::customers::UserRepository as _;
use mirasa_app::repository::payments::checkout::{
    CheckoutRepository, CheckoutStart, ResumableOrder,
};
use mirasa_domain::address::AddressId;
use mirasa_domain::cart::CartLine;
use mirasa_domain::discount::DiscountId;
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::catalogue::ProductRow;
use crate::customers::addresses::AddressRow;
use crate::orders::row::{LINE, OrderWithLine, group_lines};
use crate::sql::engine::{SqlRepository, to_u32};
use crate::sql::query::{Query, query};
use crate::sql::row::row;
use crate::stock::batches::{TooOldRow, too_old_query};

row! {
    struct ResumableOrderRow {
        ..with_line: OrderWithLine,
        key_body_hash: Option<String>,
    }
}

row! {
    struct AddressWithCart {
        ..address: AddressRow,
        cart_discount_id: Option<DiscountId>,
    }
}

/// On PostgreSQL it also locks the user.
const ADDRESS: &str =
    "select a.*, u.cart_discount_id from addresses a join users u on u.id = a.user_id
    where a.user_id = $1 and a.id = $2 and a.deleted_at is null";

row! {
    struct CartWithProduct {
        ..product: ProductRow,
        qty_50g: i64,
        qty_100g: i64,
        seen_price_50g: Option<i64>,
        seen_price_100g: Option<i64>,
        added_at: i64,
    }
}

fn resumable_orders_query<'q>(user: &'q UserId, key: Option<&'q str>) -> Query<'q> {
    let text = format!(
        "select o.*, {LINE}, k.body_hash as key_body_hash from orders o
         left join idempotency_keys k on k.order_id = o.id and k.user_id = $1 and k.key = $2
         left join order_lines l on l.order_id = o.id
         where (o.user_id = $1 and o.payment_status = 'pending')
         or o.id = (select order_id from idempotency_keys where user_id = $1 and key = $2)
         order by o.created_at, o.id, l.line"
    );
    query(text).bind(&user.0).bind(key)
}

fn resumable_orders(rows: Vec<ResumableOrderRow>) -> StoreResult<Vec<ResumableOrder>> {
    let mut hashes: Vec<(OrderId, Option<String>)> = Vec::new();
    let mut with_lines = Vec::with_capacity(rows.len());
    for row in rows {
        hashes.push((row.with_line.order.id.clone(), row.key_body_hash));
        with_lines.push(row.with_line);
    }
    let orders = group_lines(with_lines)?;
    let resumable = orders.into_iter().map(|order| {
        let hash = hashes.iter().find(|(id, _)| *id == order.id);
        let key_body_hash = hash.and_then(|(_, hash)| hash.clone());
        ResumableOrder {
            order,
            key_body_hash,
        }
    });
    Ok(resumable.collect())
}

#[async_trait]
impl CheckoutRepository for SqlRepository<'_> {
    /// On PostgreSQL both queries are sent at once. The first locks the user, so the second reads the orders after
    /// previous checkouts of this user.
    async fn begin_checkout(
        &mut self,
        user: &UserId,
        address_id: &AddressId,
        key: Option<&str>,
    ) -> StoreResult<CheckoutStart> {
        let lock = if self.is_postgres() {
            " for update of u"
        } else {
            ""
        };
        let find = query(format!("{ADDRESS}{lock}"))
            .bind(&user.0)
            .bind(address_id);
        let found = self
            .fetch_both(find, resumable_orders_query(user, key))
            .await?;
        let (addresses, rows): (Vec<AddressWithCart>, _) = found;
        let Some(address) = addresses.into_iter().next() else {
            // Without an address the user is not locked yet.
            self.lock_user(user).await?;
            let rows = self.fetch_all(resumable_orders_query(user, key)).await?;
            return Ok(CheckoutStart {
                address: None,
                discount_id: None,
                orders: resumable_orders(rows)?,
            });
        };
        Ok(CheckoutStart {
            address: Some(address.address.into()),
            discount_id: address.cart_discount_id,
            orders: resumable_orders(rows)?,
        })
    }

    /// On PostgreSQL it locks the products, in a fixed order.
    async fn lock_cart_products(
        &mut self,
        user: &UserId,
        today: i64,
    ) -> StoreResult<Vec<(CartLine, Option<Product>)>> {
        let lock = if self.is_postgres() {
            "for update of p"
        } else {
            ""
        };
        let text = format!(
            "select p.*, l.qty_50g, l.qty_100g, l.seen_price_50g, l.seen_price_100g, l.added_at from cart_lines l
             join products p on p.id = l.product_id where l.user_id = $1 order by p.id {lock}"
        );
        let too_old = too_old_query(
            "product_id in (select product_id from cart_lines where user_id = $2)",
            today,
        );
        // A statement of its own: a subquery of the first one could be older than the stock, if the lock had to wait.
        let found = self
            .fetch_both(query(text).bind(&user.0), too_old.bind(&user.0))
            .await?;
        let (mut rows, too_old): (Vec<CartWithProduct>, Vec<TooOldRow>) = found;
        let too_old: HashMap<_, _> = too_old.into_iter().map(TooOldRow::into_grams).collect();
        self.note_locked_products(rows.iter().map(|row| row.product.id.clone()));
        // Locked in the order of their ids, returned in the order in which they were added.
        rows.sort_by_key(|row| row.added_at);
        let lines = rows.into_iter().map(|row| {
            let line = CartLine {
                product: ProductId(row.product.id.clone()),
                packs: Packs {
                    of_50g: to_u32(row.qty_50g),
                    of_100g: to_u32(row.qty_100g),
                },
                last_seen_prices: Prices {
                    of_50g: row.seen_price_50g.map(Paise::new),
                    of_100g: row.seen_price_100g.map(Paise::new),
                },
            };
            let exists = row.product.deleted_at.is_none();
            let product = exists.then(|| row.product.into_product()).transpose()?;
            let product = product.map(|product| Product {
                too_old_grams: too_old.get(&product.id).copied().unwrap_or_default(),
                ..product
            });
            Ok((line, product))
        });
        lines.collect()
    }

    async fn insert_idempotency_key(
        &mut self,
        user: &UserId,
        key: &str,
        body_hash: &str,
        order_id: &OrderId,
        now_ms: i64,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into idempotency_keys (user_id, key, body_hash, order_id, created_at) values ($1, $2, $3, $4, $5)";
        self.execute_deferred(
            query(INSERT)
                .bind(&user.0)
                .bind(key)
                .bind(body_hash)
                .bind(order_id)
                .bind(now_ms),
        )
        .await
    }

    async fn delete_idempotency_keys(&mut self, order_id: &OrderId) -> StoreResult<()> {
        self.execute_deferred(
            query("delete from idempotency_keys where order_id = $1").bind(order_id),
        )
        .await
    }
}
