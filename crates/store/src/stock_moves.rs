//! The goods of an order, out of stock and back, with the ledger rows that explain it.

use mirasa_app::ports::orders::{OrderLine, StockMove, WriteOrders as _};
use mirasa_app::ports::storage::Stored;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use crate::engine::{Session, placeholders};
use crate::query::query;
use crate::row::row;

row! {
    struct LeftRow {
        id: String,
        stock_grams: i64,
        pouches_50g: i64,
        pouches_100g: i64,
    }
}

impl Session<'_> {
    pub(crate) async fn move_goods(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        which: StockMove,
        now_ms: i64,
    ) -> Stored<Option<Vec<(ProductId, Stock)>>> {
        let sign = if which.takes() { -1 } else { 1 };
        // Lines of the same product are one movement.
        let mut sums = std::collections::BTreeMap::<&str, (i64, i64, i64)>::new();
        for line in lines {
            let (grams, p50, p100) = sums.entry(line.product.0.as_str()).or_default();
            *grams += sign * i64::try_from(line.packs.grams()).unwrap_or(i64::MAX);
            *p50 += sign * i64::from(line.packs.of_50g);
            *p100 += sign * i64::from(line.packs.of_100g);
        }
        let moves: Vec<_> = sums
            .into_iter()
            .map(|(id, (grams, p50, p100))| (id, grams, p50, p100))
            .collect();
        let ids: Vec<_> = moves
            .iter()
            .map(|(id, ..)| ProductId((*id).to_owned()))
            .collect();
        self.lock_products(&ids).await?;
        let rows: Vec<_> = (0..moves.len())
            .map(|at| format!("(cast(${} as text), cast(${} as bigint), cast(${} as bigint), cast(${} as bigint))", at * 4 + 2, at * 4 + 3, at * 4 + 4, at * 4 + 5))
            .collect();
        let update = format!(
            "with d (product_id, grams, p50, p100) as (values {})
             update products set stock_grams = stock_grams + d.grams, pouches_50g = pouches_50g + d.p50,
             pouches_100g = pouches_100g + d.p100, touched_at = $1
             from d where products.id = d.product_id and stock_grams + d.grams >= 0 and pouches_50g + d.p50 >= 0
             and pouches_100g + d.p100 >= 0 returning products.id, stock_grams, pouches_50g, pouches_100g",
            rows.join(", ")
        );
        let mut update = query(update).bind(now_ms);
        for (id, grams, p50, p100) in &moves {
            update = update.bind(*id).bind(*grams).bind(*p50).bind(*p100);
        }
        let left: Vec<LeftRow> = self.all(update).await?;
        if left.len() < moves.len() {
            return self.put_back(&moves, &left, now_ms).await.map(|()| None);
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
    async fn put_back(
        &mut self,
        moves: &[(&str, i64, i64, i64)],
        moved: &[LeftRow],
        now_ms: i64,
    ) -> Stored<()> {
        const BACK: &str = "update products set stock_grams = stock_grams - $2, pouches_50g = pouches_50g - $3, pouches_100g = pouches_100g - $4,
            touched_at = $5 where id = $1";
        for (id, grams, p50, p100) in moves
            .iter()
            .filter(|(id, ..)| moved.iter().any(|row| row.id == *id))
        {
            self.run(
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
        moves: &[(&str, i64, i64, i64)],
        which: StockMove,
        now_ms: i64,
    ) -> Stored<()> {
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
        self.send(insert).await
    }
}
