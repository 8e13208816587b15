//! Changes of the stock, with their rows of the ledger.

use std::collections::BTreeMap;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::products::ProductRepository as _;
use mirasa_app::repository::stock::{NewMovement, StockRepository};
use mirasa_domain::order::OrderLine;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment, StockMovement};

use crate::engine::{SqlRepository, placeholders};
use crate::query::{Query, query};
use crate::row::row;

const ADJUST_STOCK: &str = "update products set stock_grams = stock_grams + $2, pouches_50g = pouches_50g + $3, pouches_100g = pouches_100g + $4,
    touched_at = $5 where id = $1";

const MOVE: &str = "insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at, note, actor, batch_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

const LEDGER: &str = "insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)";

row! {
    struct StockRow {
        id: String,
        stock_grams: i64,
        pouches_50g: i64,
        pouches_100g: i64,
    }
}

impl StockRow {
    fn into_stock(self) -> (ProductId, Stock) {
        let stock = Stock {
            grams: self.stock_grams,
            pouches_50g: self.pouches_50g,
            pouches_100g: self.pouches_100g,
        };
        (ProductId(self.id), stock)
    }
}

/// The id of a product, and the change of its grams, 50 g pouches and 100 g pouches.
type Movement<'m> = (&'m str, i64, i64, i64);

/// Sorted by product. Lines of the same product are one movement.
fn movements(lines: &[OrderLine], movement: StockMovement) -> Vec<Movement<'_>> {
    let sign = if movement.is_outgoing() { -1 } else { 1 };
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

/// `condition` may restrict the products that are updated.
fn update_stock<'q>(moves: &[Movement<'q>], now_ms: i64, condition: &str) -> Query<'q> {
    let rows: Vec<_> = (0..moves.len())
        .map(|at| format!("(cast(${} as text), cast(${} as bigint), cast(${} as bigint), cast(${} as bigint))", at * 4 + 2, at * 4 + 3, at * 4 + 4, at * 4 + 5))
        .collect();
    let text = format!(
        "with d (product_id, grams, p50, p100) as (values {})
         update products set stock_grams = stock_grams + d.grams, pouches_50g = pouches_50g + d.p50,
         pouches_100g = pouches_100g + d.p100, touched_at = $1 from d where products.id = d.product_id {condition}",
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

#[async_trait]
impl StockRepository for SqlRepository<'_> {
    async fn move_stock(&mut self, movement: &NewMovement) -> StoreResult<()> {
        let change = movement.change;
        if change != Stock::default() {
            let adjust = query(ADJUST_STOCK)
                .bind(&movement.product.0)
                .bind(change.grams)
                .bind(change.pouches_50g)
                .bind(change.pouches_100g)
                .bind(movement.at_ms);
            self.execute_deferred(adjust).await?;
        }
        let insert = query(MOVE)
            .bind(&movement.id)
            .bind(&movement.product.0)
            .bind(movement.reason.as_str())
            .bind(change.grams)
            .bind(change.pouches_50g)
            .bind(change.pouches_100g)
            .bind(movement.at_ms)
            .bind(&movement.note)
            .bind(&movement.actor)
            .bind(&movement.batch_id);
        self.execute_deferred(insert).await
    }

    async fn adjust_stock(
        &mut self,
        id: &ProductId,
        change: Stock,
        reason: StockAdjustment,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        // Not deferred: the caller handles the violated constraint if the stock is not sufficient.
        self.execute(
            query(ADJUST_STOCK)
                .bind(&id.0)
                .bind(change.grams)
                .bind(change.pouches_50g)
                .bind(change.pouches_100g)
                .bind(now_ms),
        )
        .await?;
        self.write_ledger(ledger_id, id, change, reason, now_ms)
            .await
    }

    /// Deferred: a constraint of the table makes the transaction fail if the stock is not sufficient.
    async fn reserve_stock(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()> {
        let moves = movements(lines, StockMovement::Reserve);
        self.execute_deferred(update_stock(&moves, now_ms, ""))
            .await?;
        let movement = StockMovement::Reserve;
        self.write_order_ledger(order_id, &moves, movement, movement.as_str(), now_ms)
            .await
    }

    async fn restock(
        &mut self,
        order_id: &str,
        operation_id: &str,
        packs: &[(ProductId, Packs)],
        now_ms: i64,
    ) -> StoreResult<Vec<(ProductId, Stock)>> {
        const ADD_RESTOCKED: &str = "update order_lines set restocked_50g = restocked_50g + $3, restocked_100g = restocked_100g + $4
            where order_id = $1 and product_id = $2";
        let moves: Vec<Movement<'_>> = packs
            .iter()
            .map(|(id, packs)| {
                let grams = i64::try_from(packs.grams()).unwrap_or(i64::MAX);
                (
                    id.0.as_str(),
                    grams,
                    packs.of_50g.into(),
                    packs.of_100g.into(),
                )
            })
            .collect();
        if moves.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = packs.iter().map(|(id, _)| id.clone()).collect();
        self.lock_products(&ids).await?;
        let left: Vec<StockRow> = self
            .fetch_all(update_stock(&moves, now_ms, WHERE_SUFFICIENT))
            .await?;
        for (id, _, of_50g, of_100g) in &moves {
            let add = query(ADD_RESTOCKED)
                .bind(order_id)
                .bind(*id)
                .bind(*of_50g)
                .bind(*of_100g);
            self.execute_deferred(add).await?;
        }
        let operation = format!("{}/{operation_id}", StockMovement::Restock.as_str());
        self.write_order_ledger(order_id, &moves, StockMovement::Restock, &operation, now_ms)
            .await?;
        Ok(left.into_iter().map(StockRow::into_stock).collect())
    }

    async fn apply_stock_movement(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        movement: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>> {
        let moves = movements(lines, movement);
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
        self.write_order_ledger(order_id, &moves, movement, movement.as_str(), now_ms)
            .await?;
        Ok(Some(left.into_iter().map(StockRow::into_stock).collect()))
    }
}

impl SqlRepository<'_> {
    pub(crate) async fn write_ledger(
        &mut self,
        id: &str,
        product: &ProductId,
        change: Stock,
        reason: StockAdjustment,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(LEDGER)
                .bind(id)
                .bind(&product.0)
                .bind(reason.as_str())
                .bind(None::<&str>)
                .bind(change.grams)
                .bind(change.pouches_50g)
                .bind(change.pouches_100g)
                .bind(now_ms),
        )
        .await
    }

    /// Undoes a movement that was applied to some of the products only, so that the caller can continue the transaction.
    async fn undo_partial(
        &mut self,
        moves: &[Movement<'_>],
        moved: &[StockRow],
        now_ms: i64,
    ) -> StoreResult<()> {
        const UNDO: &str = "update products set stock_grams = stock_grams - $2, pouches_50g = pouches_50g - $3, pouches_100g = pouches_100g - $4,
            touched_at = $5 where id = $1";
        for (id, grams, p50, p100) in moves
            .iter()
            .filter(|(id, ..)| moved.iter().any(|row| row.id == *id))
        {
            self.execute(
                query(UNDO)
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
        movement: StockMovement,
        operation: &str,
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
            // One row for each order, product and operation: the primary key prevents a duplicate.
            let row_id = format!("{order_id}/{operation}/{id}");
            insert = insert
                .bind(row_id)
                .bind(*id)
                .bind(movement.as_str())
                .bind(order_id)
                .bind(*grams)
                .bind(*p50)
                .bind(*p100)
                .bind(now_ms);
        }
        self.execute_deferred(insert).await
    }
}
