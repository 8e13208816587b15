//! What buying reads and writes in one statement each: an order takes a score of statements, and every
//! one more is felt by every shopper.

use mirasa_app::ports::orders::{
    AttemptWithOrder, Order, OrderLine, PaymentAttempt, PaymentAttemptState, ResumableOrder,
};
use mirasa_app::ports::storage::{SavedAddress, StoreError, StoreResult, WriteCarts as _};
use mirasa_domain::cart::CartLine;
use mirasa_domain::money::Paise;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::engine::{SqlRepository, to_u32};
use crate::order_rows::OrderRow;
use crate::people::{ADDRESS, ADDRESS_AND_LOCK, AddressRow};
use crate::products::ProductRow;
use crate::query::{Query, query};
use crate::row::row;

row! {
    /// An order beside one of its lines: as many rows as it has lines.
    struct OrderWithLine {
        ..order: OrderRow,
        product_id: Option<String>,
        product_name: Option<String>,
        image: Option<String>,
        qty_50g: Option<i64>,
        qty_100g: Option<i64>,
        price_50g: Option<i64>,
        price_100g: Option<i64>,
        line_total: Option<i64>,
    }
}

impl OrderWithLine {
    fn take_order_line(&mut self) -> Option<OrderLine> {
        Some(OrderLine {
            product: ProductId(self.product_id.take()?),
            product_name: self.product_name.take().unwrap_or_default(),
            image: self.image.take().unwrap_or_default(),
            packs: Packs {
                of_50g: to_u32(self.qty_50g.unwrap_or_default()),
                of_100g: to_u32(self.qty_100g.unwrap_or_default()),
            },
            prices: Prices {
                of_50g: self.price_50g.map(Paise::new),
                of_100g: self.price_100g.map(Paise::new),
            },
            total: Paise::new(self.line_total.unwrap_or_default()),
        })
    }
}

/// Rows of one order stand together.
fn group_lines(rows: Vec<OrderWithLine>) -> StoreResult<Vec<Order>> {
    let mut orders: Vec<Order> = Vec::new();
    for mut row in rows {
        let line = row.take_order_line();
        if orders.last().is_none_or(|last| last.id != row.order.id) {
            orders.push(row.order.into_order()?);
        }
        if let (Some(order), Some(line)) = (orders.last_mut(), line) {
            order.lines.push(line);
        }
    }
    Ok(orders)
}

row! {
    struct OpenOrderRow {
        ..with_line: OrderWithLine,
        key_body_hash: Option<String>,
    }
}

row! {
    struct SettlingRow {
        ..with_line: OrderWithLine,
        attempt_id: String,
        attempt_amount: i64,
        attempt_state: String,
        attempt_redirect_url: Option<String>,
        attempt_expires_at: i64,
        attempt_created_at: i64,
        attempt_looked_at: i64,
        user_email: String,
        user_name: String,
        user_deleted_at: Option<i64>,
    }
}

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

const LINE: &str = "l.product_id, l.product_name, l.image, l.qty_50g, l.qty_100g, l.price_50g, l.price_100g, l.line_total";

fn open_orders_query<'q>(user: &'q UserId, key: Option<&'q str>) -> Query<'q> {
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

fn open_orders(rows: Vec<OpenOrderRow>) -> StoreResult<Vec<ResumableOrder>> {
    let mut hashes: Vec<(String, Option<String>)> = Vec::new();
    let mut with_lines = Vec::with_capacity(rows.len());
    for row in rows {
        hashes.push((row.with_line.order.id.clone(), row.key_body_hash));
        with_lines.push(row.with_line);
    }
    let orders = group_lines(with_lines)?;
    let open = orders.into_iter().map(|order| {
        let hash = hashes.iter().find(|(id, _)| *id == order.id);
        let key_body_hash = hash.and_then(|(_, hash)| hash.clone());
        ResumableOrder {
            order,
            key_body_hash,
        }
    });
    Ok(open.collect())
}

impl SqlRepository<'_> {
    /// The orders that fit, each with its lines. `from` may join more tables to `orders o`.
    async fn select_orders(
        &mut self,
        from: &str,
        fits: &str,
        value: &str,
    ) -> StoreResult<Vec<Order>> {
        let text = format!(
            "select o.*, {LINE} from orders o {from} left join order_lines l on l.order_id = o.id
             where {fits} order by o.created_at, o.id, l.line"
        );
        let rows = self
            .fetch_all::<OrderWithLine>(query(text).bind(value))
            .await?;
        group_lines(rows)
    }

    pub(crate) async fn find_order(&mut self, id: &str) -> StoreResult<Option<Order>> {
        let fits = "o.id = $1 and o.deleted_at is null";
        Ok(self.select_orders("", fits, id).await?.pop())
    }

    pub(crate) async fn find_order_by_attempt(&mut self, id: &str) -> StoreResult<Option<Order>> {
        let from = "join payment_attempts a on a.order_id = o.id";
        let found = self.select_orders(from, "a.merchant_order_id = $1", id);
        Ok(found.await?.pop())
    }

    pub(crate) async fn find_pending_orders(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        let fits = "o.user_id = $1 and o.payment_status = 'pending'";
        self.select_orders("", fits, &user.0).await
    }

    /// On PostgreSQL both are asked for at once; the second is read when the first holds the shopper.
    pub(crate) async fn find_to_check_out(
        &mut self,
        user: &UserId,
        address_id: &str,
        key: Option<&str>,
    ) -> StoreResult<(Option<SavedAddress>, Vec<ResumableOrder>)> {
        let find = if self.is_postgres() {
            ADDRESS_AND_LOCK
        } else {
            ADDRESS
        };
        let find = query(find).bind(&user.0).bind(address_id);
        let asked = self.fetch_both(find, open_orders_query(user, key)).await?;
        let (addresses, open): (Vec<AddressRow>, _) = asked;
        let Some(address) = addresses.into_iter().next() else {
            // Then nobody is held yet.
            self.lock_user(user).await?;
            let open = self.fetch_all(open_orders_query(user, key)).await?;
            return Ok((None, open_orders(open)?));
        };
        Ok((Some(address.into()), open_orders(open)?))
    }

    /// On PostgreSQL it holds the shopper, the order and the attempt, in this order as everybody does, and
    /// sees each as whoever held it before has left it.
    pub(crate) async fn find_settling(
        &mut self,
        id: &str,
        hold: bool,
    ) -> StoreResult<Option<AttemptWithOrder>> {
        let lock = if hold && self.is_postgres() {
            "for update of u, o, a"
        } else {
            ""
        };
        let text = format!(
            "select o.*, {LINE}, a.merchant_order_id as attempt_id, a.amount as attempt_amount, a.state as attempt_state,
             a.redirect_url as attempt_redirect_url, a.expires_at as attempt_expires_at, a.created_at as attempt_created_at,
             a.looked_at as attempt_looked_at, u.email as user_email, u.name as user_name, u.deleted_at as user_deleted_at
             from payment_attempts a join orders o on o.id = a.order_id join users u on u.id = o.user_id
             left join order_lines l on l.order_id = o.id where a.merchant_order_id = $1 order by l.line {lock}"
        );
        let rows = self.fetch_all::<SettlingRow>(query(text).bind(id)).await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let state = PaymentAttemptState::parse(&first.attempt_state).ok_or_else(|| {
            let state = &first.attempt_state;
            StoreError::Broken(anyhow::anyhow!("attempt {id} is {state}"))
        })?;
        let attempt = PaymentAttempt {
            merchant_order_id: first.attempt_id.clone(),
            order_id: first.with_line.order.id.clone(),
            amount: Paise::new(first.attempt_amount),
            state,
            redirect_url: first.attempt_redirect_url.clone(),
            expires_at_ms: first.attempt_expires_at,
            created_at_ms: first.attempt_created_at,
            polled_at_ms: first.attempt_looked_at,
        };
        let is_gone = first.user_deleted_at.is_some();
        let recipient = (!is_gone).then(|| (first.user_email.clone(), first.user_name.clone()));
        let order = group_lines(rows.into_iter().map(|row| row.with_line).collect())?.pop();
        Ok(order.map(|order| AttemptWithOrder {
            order,
            attempt,
            recipient,
        }))
    }

    /// On PostgreSQL it holds the products, in a fixed order.
    pub(crate) async fn find_cart_goods(
        &mut self,
        user: &UserId,
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
        let mut rows = self
            .fetch_all::<CartWithProduct>(query(text).bind(&user.0))
            .await?;
        self.products_locked = true;
        // Held in the order of their ids, told in the order in which they were put in.
        rows.sort_by_key(|row| row.added_at);
        let goods = rows.into_iter().map(|row| {
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
            let is_there = row.product.deleted_at.is_none();
            let product = is_there.then(|| row.product.into_product()).transpose()?;
            Ok((line, product))
        });
        goods.collect()
    }

    /// Only while the order waits to be paid: a newer checkout may have replaced it meanwhile.
    pub(crate) async fn show_attempt(
        &mut self,
        merchant_order_id: &str,
        redirect_url: &str,
        gateway_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<bool> {
        let lock = if self.is_postgres() {
            "for update of o"
        } else {
            ""
        };
        let text = format!(
            "with unpaid as (select o.id from orders o join payment_attempts a on a.order_id = o.id
             where a.merchant_order_id = $1 and o.payment_status = 'pending' {lock})
             update payment_attempts set state = 'open', redirect_url = $2, gateway_order_id = $3, expires_at = $4
             where merchant_order_id = $1 and state = 'opening' and order_id in (select id from unpaid)"
        );
        let changed = self
            .execute(
                query(text)
                    .bind(merchant_order_id)
                    .bind(redirect_url)
                    .bind(gateway_order_id)
                    .bind(expires_at_ms),
            )
            .await?;
        Ok(changed > 0)
    }

    /// What was bought leaves the cart; what was added meanwhile stays. Mostly all of a line goes.
    pub(crate) async fn take_bought(
        &mut self,
        user: &UserId,
        lines: &[OrderLine],
    ) -> StoreResult<()> {
        let bought = || {
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
        let of_lines = |text: String| {
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
        let bought = bought();
        if self.is_postgres() {
            let both = format!(
                "{bought}, gone as ({whole} returning product_id)
                 {part} and cart_lines.product_id not in (select product_id from gone)"
            );
            return self.execute_deferred(of_lines(both)).await;
        }
        let gone = self.execute(of_lines(format!("{bought} {whole}"))).await?;
        if gone >= lines.len() as u64 {
            return Ok(());
        }
        self.execute_deferred(of_lines(format!("{bought} {part}")))
            .await
    }
}
