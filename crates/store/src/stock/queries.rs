//! Reads the stock, its ledger, and what orders hold.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::stock::{HeldPacks, LedgerEntry, Reservation, StockQueries};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use crate::sql::engine::{SqlRepository, placeholders, to_u32};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct ReservationRow {
        id: OrderId,
        name: String,
        email: String,
        small: i64,
        large: i64,
        total: i64,
        created_at: i64,
        expires_at: i64,
    }
}

/// Pending orders have their own small index, and lines are read only for them. What has left the shop cannot be released.
const RESERVATIONS: &str = "select o.id, u.name, u.email, o.total, o.created_at, o.expires_at,
    cast(coalesce(sum(l.qty_50g), 0) as bigint) as small, cast(coalesce(sum(l.qty_100g), 0) as bigint) as large
    from orders o join users u on u.id = o.user_id left join order_lines l on l.order_id = o.id
    where o.payment_status = 'pending' and o.holds_stock and o.deleted_at is null
    and o.order_status not in ('shipped', 'delivered')
    group by o.id, u.name, u.email, o.total, o.created_at, o.expires_at
    order by coalesce(sum(l.qty_50g + 2 * l.qty_100g), 0) desc, o.created_at, o.id limit $1";

row! {
    struct HeldRow {
        product_id: String,
        unpaid_50g: i64,
        unpaid_100g: i64,
        paid_50g: i64,
        paid_100g: i64,
    }
}

row! {
    struct SoldRow {
        product_id: String,
        small: i64,
        large: i64,
    }
}

row! {
    struct LedgerRow {
        id: String,
        reason: String,
        order_id: Option<OrderId>,
        grams: i64,
        pouches_50g: i64,
        pouches_100g: i64,
        at: i64,
        note: Option<String>,
        actor: Option<String>,
        batch_number: Option<String>,
    }
}

/// Both kinds of orders have a small index of their own.
const HELD: &str = "select product_id, cast(sum(unpaid_50g) as bigint) as unpaid_50g, cast(sum(unpaid_100g) as bigint) as unpaid_100g,
    cast(sum(paid_50g) as bigint) as paid_50g, cast(sum(paid_100g) as bigint) as paid_100g from (
        select l.product_id, l.qty_50g as unpaid_50g, l.qty_100g as unpaid_100g, 0 as paid_50g, 0 as paid_100g
        from orders o join order_lines l on l.order_id = o.id where o.payment_status = 'pending' and o.holds_stock
        union all
        select l.product_id, 0, 0, l.qty_50g - l.restocked_50g, l.qty_100g - l.restocked_100g
        from orders o join order_lines l on l.order_id = o.id
        where o.payment_status = 'completed' and o.order_status = 'confirmed' and o.deleted_at is null and o.packed_at is null
    ) h";

const SOLD: &str = "select l.product_id, cast(sum(l.qty_50g - l.restocked_50g) as bigint) as small,
    cast(sum(l.qty_100g - l.restocked_100g) as bigint) as large
    from orders o join order_lines l on l.order_id = o.id
    where o.created_at >= $1 and o.deleted_at is null and o.payment_status = 'completed' and o.order_status <> 'cancelled'
    group by l.product_id";

const LEDGER_PAGE: &str = "select l.*, b.number as batch_number from stock_ledger l left join batches b on b.id = l.batch_id
    where l.product_id = $1 order by l.at desc, l.id desc limit $2 offset $3";

fn packs(of_50g: i64, of_100g: i64) -> Packs {
    Packs {
        of_50g: to_u32(of_50g),
        of_100g: to_u32(of_100g),
    }
}
#[async_trait]
impl StockQueries for SqlRepository<'_> {
    async fn held_packs(&mut self, products: Option<&[ProductId]>) -> StoreResult<Vec<HeldPacks>> {
        let products = products.map(|ids| ids.iter().map(|id| &id.0));
        let condition = match &products {
            Some(ids) if ids.len() == 0 => return Ok(Vec::new()),
            Some(ids) => format!(" where product_id in ({})", placeholders(1, ids.len())),
            None => String::new(),
        };
        let find = query(format!("{HELD}{condition} group by product_id"));
        let find = products.into_iter().flatten().fold(find, Query::bind);
        let rows: Vec<HeldRow> = self.fetch_all(find).await?;
        let held = |row: HeldRow| HeldPacks {
            product: ProductId(row.product_id),
            unpaid: packs(row.unpaid_50g, row.unpaid_100g),
            to_pack: packs(row.paid_50g, row.paid_100g),
        };
        Ok(rows.into_iter().map(held).collect())
    }

    async fn sold_packs_since(&mut self, since_ms: i64) -> StoreResult<Vec<(ProductId, Packs)>> {
        let rows: Vec<SoldRow> = self.fetch_all(query(SOLD).bind(since_ms)).await?;
        let sold = |row: SoldRow| (ProductId(row.product_id), packs(row.small, row.large));
        Ok(rows.into_iter().map(sold).collect())
    }

    async fn count_ledger(&mut self, product: &ProductId) -> StoreResult<i64> {
        const COUNT: &str = "select count(*) from stock_ledger where product_id = $1";
        self.fetch_one::<i64>(query(COUNT).bind(&product.0)).await
    }

    async fn ledger_page(
        &mut self,
        product: &ProductId,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<LedgerEntry>> {
        let find = query(LEDGER_PAGE).bind(&product.0).bind(limit).bind(offset);
        let rows: Vec<LedgerRow> = self.fetch_all(find).await?;
        let entry = |row: LedgerRow| LedgerEntry {
            id: row.id,
            reason: row.reason,
            order_id: row.order_id,
            change: Stock {
                grams: row.grams,
                pouches_50g: row.pouches_50g,
                pouches_100g: row.pouches_100g,
            },
            note: row.note.unwrap_or_default(),
            actor: row.actor,
            batch_number: row.batch_number,
            at_ms: row.at,
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    async fn has_ledger_entry(&mut self, id: &str) -> StoreResult<bool> {
        const FIND: &str = "select id from stock_ledger where id = $1";
        let found = self.fetch_optional::<String>(query(FIND).bind(id)).await?;
        Ok(found.is_some())
    }

    async fn reservations(&mut self, limit: i64) -> StoreResult<Vec<Reservation>> {
        let rows: Vec<ReservationRow> = self.fetch_all(query(RESERVATIONS).bind(limit)).await?;
        let reservation = |row: ReservationRow| Reservation {
            order_id: row.id,
            customer_name: row.name,
            customer_email: row.email,
            packs: packs(row.small, row.large),
            total: Paise::new(row.total),
            created_at_ms: row.created_at,
            expires_at_ms: row.expires_at,
        };
        Ok(rows.into_iter().map(reservation).collect())
    }
}
