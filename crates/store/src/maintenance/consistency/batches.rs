//! Batches that do not fit the orders or the stock. `mirasa check` tells them, `mirasa repair-batches` mends them.

use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reports::consistency::{BatchExcess, OrderPacks};
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;

use crate::sql::engine::{SqlRepository, to_u32};
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct OrderPacksRow {
        order_id: OrderId,
        product_id: String,
        small: i64,
        large: i64,
    }
}

row! {
    struct ExcessRow {
        product_id: String,
        grams: i64,
    }
}

/// The packs that an order has of batches, beyond those that it has at all. A lost parcel is sent again with other packs.
const TAKEN_TWICE: &str = "select k.order_id, k.product_id,
        case when k.small > coalesce(l.small, 0) then k.small - coalesce(l.small, 0) else 0 end as small,
        case when k.large > coalesce(l.large, 0) then k.large - coalesce(l.large, 0) else 0 end as large
    from (select order_id, product_id,
            cast(sum(case when pack_grams = 50 then quantity - returned else 0 end) as bigint) as small,
            cast(sum(case when pack_grams = 100 then quantity - returned else 0 end) as bigint) as large
            from batch_packs group by order_id, product_id) k
        left join (select order_id, product_id, cast(sum(qty_50g - restocked_50g + resent_50g) as bigint) as small,
            cast(sum(qty_100g - restocked_100g + resent_100g) as bigint) as large
            from order_lines group by order_id, product_id) l on l.order_id = k.order_id and l.product_id = k.product_id
    where k.small > coalesce(l.small, 0) or k.large > coalesce(l.large, 0)
    order by k.order_id, k.product_id";

/// Batches lie in the shop, so they have no more than what is there: the stock, and the packs of orders that are not packed.
/// These are more than those to pack: packs of a cancelled or deleted order that did not go back into stock lie there, too.
const MORE_THAN_STOCK: &str = "select p.id as product_id, cast(b.grams - p.stock_grams - coalesce(h.grams, 0) as bigint) as grams
    from products p
    join (select product_id, sum(left_grams) as grams from batches where left_grams > 0 group by product_id) b on b.product_id = p.id
    left join (select l.product_id, sum(50 * (l.qty_50g - l.restocked_50g) + 100 * (l.qty_100g - l.restocked_100g)) as grams
        from orders o join order_lines l on l.order_id = o.id
        where o.holds_stock and o.packed_at is null
        and (o.payment_status = 'pending' or o.order_status not in ('shipped', 'delivered'))
        group by l.product_id) h on h.product_id = p.id
    where b.grams > p.stock_grams + coalesce(h.grams, 0) order by p.id";

impl SqlRepository<'_> {
    pub(super) async fn find_taken_twice(&mut self) -> StoreResult<Vec<OrderPacks>> {
        let rows: Vec<OrderPacksRow> = self.fetch_all(query(TAKEN_TWICE)).await?;
        let packs = |row: OrderPacksRow| OrderPacks {
            order_id: row.order_id,
            product: ProductId(row.product_id),
            packs: Packs {
                of_50g: to_u32(row.small),
                of_100g: to_u32(row.large),
            },
        };
        Ok(rows.into_iter().map(packs).collect())
    }

    pub(super) async fn find_batch_excess(&mut self) -> StoreResult<Vec<BatchExcess>> {
        let rows: Vec<ExcessRow> = self.fetch_all(query(MORE_THAN_STOCK)).await?;
        let excess = |row: ExcessRow| BatchExcess {
            product: ProductId(row.product_id),
            grams: row.grams,
        };
        Ok(rows.into_iter().map(excess).collect())
    }
}
