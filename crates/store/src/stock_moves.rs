//! The goods of an order, out of stock and back, with the ledger rows that explain it.

use std::collections::BTreeMap;

use mirasa_app::ports::orders::{OrderLine, StockMovement, WriteOrders as _};
use mirasa_app::ports::storage::StoreResult;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use crate::engine::{SqlRepository, placeholders};
use crate::query::{Query, query};
use crate::row::row;

row! {
    struct StockRow {
        id: String,
        stock_grams: i64,
        pouches_50g: i64,
        pouches_100g: i64,
    }
}

/// A product's id, and by how many grams and pouches its stock changes.
type Movement<'m> = (&'m str, i64, i64, i64);

/// In the order of their products. Lines of the same product are one movement.
fn movements(lines: &[OrderLine], which: StockMovement) -> Vec<Movement<'_>> {
    let sign = if which.is_outgoing() { -1 } else { 1 };
    let mut sums = BTreeMap::<&str, (i64, i64, i64)>::new();
    for line in lines {
        let (grams, p50, p100) = sums.entry(line.product.0.as_str()).or_default();
        *grams += sign * i64::try_from(line.packs.grams()).unwrap_or(i64::MAX);
        *p50 += sign * i64::from(line.packs.of_50g);
        *p100 += sign * i64::from(line.packs.of_100g);
    }
    sums.into_iter()
        .map(|(id, (grams, p50, p100))| (id, grams, p50, p100))
        .collect()
}

/// `and` may say which of them fit.
fn update_stock<'q>(moves: &[Movement<'q>], now_ms: i64, and: &str) -> Query<'q> {
    let rows: Vec<_> = (0..moves.len())
        .map(|at| format!("(cast(${} as text), cast(${} as bigint), cast(${} as bigint), cast(${} as bigint))", at * 4 + 2, at * 4 + 3, at * 4 + 4, at * 4 + 5))
        .collect();
    let text = format!(
        "with d (product_id, grams, p50, p100) as (values {})
         update products set stock_grams = stock_grams + d.grams, pouches_50g = pouches_50g + d.p50,
         pouches_100g = pouches_100g + d.p100, touched_at = $1 from d where products.id = d.product_id {and}",
        rows.join(", ")
    );
    let update = query(text).bind(now_ms);
    moves.iter().fold(update, |update, (id, grams, p50, p100)| {
        update.bind(*id).bind(*grams).bind(*p50).bind(*p100)
    })
}

const WHERE_SUFFICIENT: &str =
    "and stock_grams + d.grams >= 0 and pouches_50g + d.p50 >= 0 and pouches_100g + d.p100 >= 0
    returning products.id, stock_grams, pouches_50g, pouches_100g";

impl SqlRepository<'_> {
    /// Nothing is waited for: the constraints of the table see to it that nothing is taken that is not there.
    pub(crate) async fn take_held_goods(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()> {
        let moves = movements(lines, StockMovement::Reserve);
        self.execute_deferred(update_stock(&moves, now_ms, ""))
            .await?;
        self.write_order_ledger(order_id, &moves, StockMovement::Reserve, now_ms)
            .await
    }

    pub(crate) async fn move_goods(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        which: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>> {
        let moves = movements(lines, which);
        let ids: Vec<_> = moves
            .iter()
            .map(|(id, ..)| ProductId((*id).to_owned()))
            .collect();
        self.lock_products(&ids).await?;
        let update = update_stock(&moves, now_ms, WHERE_SUFFICIENT);
        let left: Vec<StockRow> = self.fetch_all(update).await?;
        if left.len() < moves.len() {
            return self
                .undo_partial(&moves, &left, now_ms)
                .await
                .map(|()| None);
        }
        self.write_order_ledger(order_id, &moves, which, now_ms)
            .await?;
        let left = left.into_iter().map(|row| {
            (
                ProductId(row.id),
                Stock {
                    grams: row.stock_grams,
                    pouches_50g: row.pouches_50g,
                    pouches_100g: row.pouches_100g,
                },
            )
        });
        Ok(Some(left.collect()))
    }

    /// Undoes a move that fitted for some products only, so that the caller may go on in the same
    /// transaction.
    async fn undo_partial(
        &mut self,
        moves: &[Movement<'_>],
        moved: &[StockRow],
        now_ms: i64,
    ) -> StoreResult<()> {
        const BACK: &str = "update products set stock_grams = stock_grams - $2, pouches_50g = pouches_50g - $3, pouches_100g = pouches_100g - $4,
            touched_at = $5 where id = $1";
        for (id, grams, p50, p100) in moves
            .iter()
            .filter(|(id, ..)| moved.iter().any(|row| row.id == *id))
        {
            self.execute(
                query(BACK)
                    .bind(*id)
                    .bind(*grams)
                    .bind(*p50)
                    .bind(*p100)
                    .bind(now_ms),
            )
            .await?;
        }
        Ok(())
    }

    async fn write_order_ledger(
        &mut self,
        order_id: &str,
        moves: &[Movement<'_>],
        which: StockMovement,
        now_ms: i64,
    ) -> StoreResult<()> {
        let rows: Vec<_> = (0..moves.len())
            .map(|at| format!("({})", placeholders(at * 8 + 1, 8)))
            .collect();
        let text = format!(
            "insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at) values {}",
            rows.join(", ")
        );
        let mut insert = query(text);
        for (id, grams, p50, p100) in moves {
            // One row for each order, product and kind of movement: a second one would be a double.
            let row_id = format!("{order_id}/{}/{id}", which.as_str());
            insert = insert
                .bind(row_id)
                .bind(*id)
                .bind(which.as_str())
                .bind(order_id)
                .bind(*grams)
                .bind(*p50)
                .bind(*p100)
                .bind(now_ms);
        }
        self.execute_deferred(insert).await
    }
}
