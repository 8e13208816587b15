//! Products, their stock and its ledger.

use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::ports::storage::{
    ProductChange, ReadProducts, StockAdjustment, StoreError, StoreResult, WriteProducts,
};
use mirasa_domain::product::{Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::stock::Stock;

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    pub(crate) struct ProductRow {
        pub(crate) id: String,
        about: String,
        stock_grams: i64,
        pouches_50g: i64,
        pouches_100g: i64,
        is_visible: bool,
        trending_rank: Option<i64>,
        version: i64,
        updated_at: i64,
        pub(crate) deleted_at: Option<i64>,
    }
}

impl ProductRow {
    pub(crate) fn into_product(self) -> StoreResult<Product> {
        let broken = |error: anyhow::Error| {
            StoreError::Broken(error.context(format!("product {}", self.id)))
        };
        let about: ProductDetails =
            serde_json::from_str(&self.about).map_err(|error| broken(error.into()))?;
        let trending_rank = self
            .trending_rank
            .map(TrendingRank::new)
            .transpose()
            .map_err(|error| broken(error.into()))?;
        Ok(Product {
            id: ProductId(self.id),
            details: Arc::new(about),
            stock: Stock {
                grams: self.stock_grams,
                pouches_50g: self.pouches_50g,
                pouches_100g: self.pouches_100g,
            },
            is_visible: self.is_visible,
            trending_rank,
            version: self.version,
            updated_at_ms: self.updated_at,
        })
    }
}

const ALL: &str = "select * from products where deleted_at is null order by position, id";
const CHANGED: &str = "select * from products where touched_at >= $1 order by position, id";
const ONE: &str = "select * from products where id = $1 and deleted_at is null";
const INSERT: &str = "insert into products
    (id, name, about, stock_grams, pouches_50g, pouches_100g, is_visible, trending_rank, version, position, updated_at, touched_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, (select coalesce(max(position), 0) + 1 from products), $10, $10)";
const UPDATE: &str = "update products set name = $2, about = $3, version = version + 1, updated_at = $5, touched_at = $5
    where id = $1 and version = $4 and deleted_at is null";
const MOVE_STOCK: &str = "update products set stock_grams = stock_grams + $2, pouches_50g = pouches_50g + $3, pouches_100g = pouches_100g + $4,
    touched_at = $5 where id = $1";
const LEDGER: &str = "insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)";
const SHOW: &str = "update products set is_visible = $2, version = version + 1, updated_at = $3, touched_at = $3 where id = $1 and deleted_at is null";
const TAKE_RANK: &str = "update products set trending_rank = null, touched_at = $3 where trending_rank = $2 and id <> $1 and deleted_at is null";
const RANK: &str = "update products set trending_rank = $2, version = version + 1, updated_at = $3, touched_at = $3 where id = $1 and deleted_at is null";
const DELETE: &str = "update products set deleted_at = $2, touched_at = $2, trending_rank = null where id = $1 and deleted_at is null";

#[async_trait]
impl ReadProducts for SqlRepository<'_> {
    async fn all_products(&mut self) -> StoreResult<Vec<Product>> {
        let rows = self.fetch_all::<ProductRow>(query(ALL)).await?;
        rows.into_iter().map(ProductRow::into_product).collect()
    }

    async fn products_changed_since(&mut self, at_ms: i64) -> StoreResult<Vec<ProductChange>> {
        let rows = self
            .fetch_all::<ProductRow>(query(CHANGED).bind(at_ms))
            .await?;
        rows.into_iter()
            .map(|row| match row.deleted_at {
                Some(_) => Ok(ProductChange::Deleted(ProductId(row.id))),
                None => row.into_product().map(ProductChange::Upserted),
            })
            .collect()
    }

    async fn product(&mut self, id: &ProductId) -> StoreResult<Option<Product>> {
        let row = self
            .fetch_optional::<ProductRow>(query(ONE).bind(&id.0))
            .await?;
        row.map(ProductRow::into_product).transpose()
    }

    async fn product_id_taken(&mut self, id: &ProductId) -> StoreResult<bool> {
        let found = self
            .fetch_optional::<String>(query("select id from products where id = $1").bind(&id.0))
            .await?;
        Ok(found.is_some())
    }
}

#[async_trait]
impl WriteProducts for SqlRepository<'_> {
    async fn insert_product(
        &mut self,
        product: &Product,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        let about = to_json(&product.details)?;
        self.execute_deferred(
            query(INSERT)
                .bind(&product.id.0)
                .bind(&product.details.product_name)
                .bind(&about)
                .bind(product.stock.grams)
                .bind(product.stock.pouches_50g)
                .bind(product.stock.pouches_100g)
                .bind(product.is_visible)
                .bind(product.trending_rank.map(TrendingRank::get))
                .bind(product.version)
                .bind(now_ms),
        )
        .await?;
        self.write_ledger(
            ledger_id,
            &product.id,
            product.stock,
            StockAdjustment::Initial,
            now_ms,
        )
        .await
    }

    async fn update_details(
        &mut self,
        id: &ProductId,
        about: &ProductDetails,
        expected_version: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        let json = to_json(about)?;
        let done = self
            .execute(
                query(UPDATE)
                    .bind(&id.0)
                    .bind(&about.product_name)
                    .bind(&json)
                    .bind(expected_version)
                    .bind(now_ms),
            )
            .await?;
        Ok(done > 0)
    }

    async fn adjust_stock(
        &mut self,
        id: &ProductId,
        change: Stock,
        reason: StockAdjustment,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        // Waited for: who takes more than there is must hear it here.
        self.execute(
            query(MOVE_STOCK)
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

    async fn set_visibility(
        &mut self,
        id: &ProductId,
        visible: bool,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(query(SHOW).bind(&id.0).bind(visible).bind(now_ms))
            .await
    }

    async fn set_trending_rank(
        &mut self,
        id: &ProductId,
        rank: Option<TrendingRank>,
        now_ms: i64,
    ) -> StoreResult<()> {
        let rank = rank.map(TrendingRank::get);
        if rank.is_some() {
            self.execute_deferred(query(TAKE_RANK).bind(&id.0).bind(rank).bind(now_ms))
                .await?;
        }
        self.execute_deferred(query(RANK).bind(&id.0).bind(rank).bind(now_ms))
            .await
    }

    async fn delete_product(&mut self, id: &ProductId, now_ms: i64) -> StoreResult<bool> {
        let done = self.execute(query(DELETE).bind(&id.0).bind(now_ms)).await?;
        Ok(done > 0)
    }
}

impl SqlRepository<'_> {
    async fn write_ledger(
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
}

fn to_json(about: &ProductDetails) -> StoreResult<String> {
    serde_json::to_string(about).map_err(|error| StoreError::Broken(error.into()))
}
