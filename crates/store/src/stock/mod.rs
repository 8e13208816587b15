//! Changes of the stock, with their rows of the ledger.

pub(crate) mod batches;
pub(crate) mod notices;
pub(crate) mod queries;

use std::collections::BTreeMap;

use async_trait::async_trait;
use mirasa_app::repository::catalogue::ProductRepository as _;
use mirasa_app::repository::stock::{NewMovement, StockRepository, TakenAgain};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::batch::min_best_before;
use mirasa_domain::ist;
use mirasa_domain::order::{OrderId, OrderLine};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::restock::Restock;
use mirasa_domain::stock::{Stock, StockAdjustment, StockMovement};

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

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

/// Only lines whose order holds these packs are updated.
fn add_restocked<'q>(order_id: &'q OrderId, moves: &[Movement<'q>]) -> Query<'q> {
    let rows: Vec<_> = (0..moves.len())
        .map(|at| {
            let first = at * 3 + 2;
            let (second, third) = (first + 1, first + 2);
            format!("(cast(${first} as text), cast(${second} as bigint), cast(${third} as bigint))")
        })
        .collect();
    let text = format!(
        "with d (product_id, p50, p100) as (values {})
         update order_lines set restocked_50g = restocked_50g + d.p50, restocked_100g = restocked_100g + d.p100 from d
         where order_lines.order_id = $1 and order_lines.product_id = d.product_id
         and restocked_50g + d.p50 <= qty_50g and restocked_100g + d.p100 <= qty_100g
         and exists (select 1 from orders o where o.id = $1 and o.holds_stock)",
        rows.join(", ")
    );
    let add = query(text).bind(order_id);
    moves.iter().fold(add, |add, (id, _, p50, p100)| {
        add.bind(*id).bind(*p50).bind(*p100)
    })
}

const WHERE_SUFFICIENT: &str =
    "and stock_grams + d.grams >= 0 and pouches_50g + d.p50 >= 0 and pouches_100g + d.p100 >= 0
    returning products.id, stock_grams, pouches_50g, pouches_100g";

/// Takes packs out of stock, but nothing that is too old to be sent.
fn take_sellable<'q>(moves: &[Movement<'q>], now_ms: i64) -> Query<'q> {
    let placeholder = moves.len() * 4 + 2;
    let condition = format!(
        "and stock_grams + d.grams >= coalesce((select sum(b.left_grams) from batches b
         where b.product_id = products.id and b.left_grams > 0 and b.best_before < ${placeholder}), 0) {WHERE_SUFFICIENT}"
    );
    update_stock(moves, now_ms, &condition).bind(min_best_before(ist::day(now_ms)))
}

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
        order_id: &OrderId,
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
        order_id: &OrderId,
        operation_id: &str,
        restock: &Restock,
        now_ms: i64,
    ) -> StoreResult<Vec<(ProductId, Stock)>> {
        let moves: Vec<Movement<'_>> = restock
            .packs()
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
        let packs = restock.packs().iter();
        let ids: Vec<_> = packs.map(|(id, _)| id.clone()).collect();
        self.lock_products(&ids).await?;
        // The order is locked, so this fails only if a caller has read it before.
        let held = self.execute(add_restocked(order_id, &moves)).await?;
        if held < moves.len() as u64 {
            let error = anyhow::anyhow!("order {order_id} does not hold the packs to restock");
            return Err(StoreError::Broken(error));
        }
        let left: Vec<StockRow> = self
            .fetch_all(update_stock(&moves, now_ms, WHERE_SUFFICIENT))
            .await?;
        let operation = format!("{}/{operation_id}", StockMovement::Restock.as_str());
        self.write_order_ledger(order_id, &moves, StockMovement::Restock, &operation, now_ms)
            .await?;
        Ok(left.into_iter().map(StockRow::into_stock).collect())
    }

    async fn take_again(
        &mut self,
        order_id: &OrderId,
        operation_id: &str,
        packs: &[(ProductId, Packs)],
        from: TakenAgain,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>> {
        const LESS_RESTOCKED: &str = "update order_lines set restocked_50g = restocked_50g - $3, restocked_100g = restocked_100g - $4
            where order_id = $1 and product_id = $2";
        const MORE_RESENT: &str =
            "update order_lines set resent_50g = resent_50g + $3, resent_100g = resent_100g + $4
            where order_id = $1 and product_id = $2";
        let moves: Vec<Movement<'_>> = packs
            .iter()
            .map(|(id, packs)| {
                let taken = -Stock::from(*packs);
                (
                    id.0.as_str(),
                    taken.grams,
                    taken.pouches_50g,
                    taken.pouches_100g,
                )
            })
            .collect();
        let left: Vec<StockRow> = self.fetch_all(take_sellable(&moves, now_ms)).await?;
        if left.len() < moves.len() {
            return self
                .undo_partial(&moves, &left, now_ms)
                .await
                .map(|()| None);
        }
        let text = match from {
            TakenAgain::Restocked => LESS_RESTOCKED,
            TakenAgain::InsteadOfLost => MORE_RESENT,
        };
        for (id, packs) in packs {
            let change = query(text)
                .bind(order_id)
                .bind(&id.0)
                .bind(i64::from(packs.of_50g))
                .bind(i64::from(packs.of_100g));
            self.execute_deferred(change).await?;
        }
        let movement = StockMovement::SendAgain;
        let operation = format!("{}/{operation_id}", movement.as_str());
        self.write_order_ledger(order_id, &moves, movement, &operation, now_ms)
            .await?;
        Ok(Some(left.into_iter().map(StockRow::into_stock).collect()))
    }

    async fn apply_stock_movement(
        &mut self,
        order_id: &OrderId,
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
        let update = if movement.is_outgoing() {
            take_sellable(&moves, now_ms)
        } else {
            update_stock(&moves, now_ms, WHERE_SUFFICIENT)
        };
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
        order_id: &OrderId,
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
