//! Products of the catalogue.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use mirasa_app::repository::catalogue::{
    ProductChange, ProductQueries, ProductRepository, ProductUpdate,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::product::{Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::rating::Rating;
use mirasa_domain::stock::{Stock, StockAdjustment};

use crate::sql::engine::{ROWS_PER_INSERT, SqlRepository, placeholder_rows, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

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
        stars_1: i64,
        stars_2: i64,
        stars_3: i64,
        stars_4: i64,
        stars_5: i64,
        reviews_version: i64,
    }
}

impl ProductRow {
    pub(crate) fn into_product(self) -> StoreResult<Product> {
        let broken = |error: anyhow::Error| {
            StoreError::Broken(error.context(format!("product {}", self.id)))
        };
        let details: ProductDetails =
            serde_json::from_str(&self.about).map_err(|error| broken(error.into()))?;
        let trending_rank = self
            .trending_rank
            .map(TrendingRank::new)
            .transpose()
            .map_err(|error| broken(error.into()))?;
        Ok(Product {
            id: ProductId(self.id),
            details: Arc::new(details),
            stock: Stock {
                grams: self.stock_grams,
                pouches_50g: self.pouches_50g,
                pouches_100g: self.pouches_100g,
            },
            is_visible: self.is_visible,
            trending_rank,
            version: self.version,
            updated_at_ms: self.updated_at,
            too_old_grams: 0,
            rating: Rating {
                by_stars: [
                    self.stars_1,
                    self.stars_2,
                    self.stars_3,
                    self.stars_4,
                    self.stars_5,
                ],
                version: self.reviews_version,
            },
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

const SET_VISIBILITY: &str = "update products set is_visible = $2, version = version + 1, updated_at = $3, touched_at = $3 where id = $1 and deleted_at is null";

const CLEAR_RANK_OF_OTHERS: &str = "update products set trending_rank = null, touched_at = $3 where trending_rank = $2 and id <> $1 and deleted_at is null";

const SET_RANK: &str = "update products set trending_rank = $2, version = version + 1, updated_at = $3, touched_at = $3 where id = $1 and deleted_at is null";

const DELETE: &str = "update products set deleted_at = $2, touched_at = $2, trending_rank = null where id = $1 and deleted_at is null";

fn to_json(details: &ProductDetails) -> StoreResult<String> {
    serde_json::to_string(details).map_err(|error| StoreError::Broken(error.into()))
}

#[async_trait]
impl ProductQueries for SqlRepository<'_> {
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

    async fn products_even_deleted(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>> {
        self.find_products(ids, "").await
    }

    async fn products_by_id(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>> {
        self.find_products(ids, "deleted_at is null and").await
    }
}

#[async_trait]
impl ProductRepository for SqlRepository<'_> {
    async fn insert_product(
        &mut self,
        product: &Product,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        let details = to_json(&product.details)?;
        self.execute_deferred(
            query(INSERT)
                .bind(&product.id.0)
                .bind(&product.details.product_name)
                .bind(&details)
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

    async fn insert_products(
        &mut self,
        products: &[(Product, String)],
        now_ms: i64,
    ) -> StoreResult<()> {
        const LAST: &str = "select coalesce(max(position), 0) from products";
        let mut position = self.fetch_one::<i64>(query(LAST)).await?;
        for chunk in products.chunks(ROWS_PER_INSERT) {
            let text = format!(
                "insert into products (id, name, about, stock_grams, pouches_50g, pouches_100g, is_visible, version, position,
                 updated_at, touched_at) values {}",
                placeholder_rows(chunk.len(), 11)
            );
            let mut insert = query(text);
            for (product, _) in chunk {
                position += 1;
                insert = insert
                    .bind(&product.id.0)
                    .bind(&product.details.product_name)
                    .bind(to_json(&product.details)?)
                    .bind(product.stock.grams)
                    .bind(product.stock.pouches_50g)
                    .bind(product.stock.pouches_100g)
                    .bind(product.is_visible)
                    .bind(product.version)
                    .bind(position)
                    .bind(now_ms)
                    .bind(now_ms);
            }
            self.execute_deferred(insert).await?;
            let rows = chunk
                .iter()
                .map(|(product, ledger_id)| (ledger_id, &product.id, product.stock));
            self.write_ledger_rows(rows, StockAdjustment::Initial, now_ms)
                .await?;
        }
        Ok(())
    }

    async fn update_products(&mut self, updates: &[ProductUpdate], now_ms: i64) -> StoreResult<()> {
        for chunk in updates.chunks(ROWS_PER_INSERT) {
            let rows: Vec<_> = (0..chunk.len()).map(update_row).collect();
            let mut update = query(format!(
                "with u (id, name, about, is_visible, grams, p50, p100, versions) as (values {})
                 update products set name = u.name, about = u.about, is_visible = u.is_visible,
                 stock_grams = stock_grams + u.grams, pouches_50g = pouches_50g + u.p50, pouches_100g = pouches_100g + u.p100,
                 version = version + u.versions, updated_at = case when u.versions = 0 then updated_at else $1 end, touched_at = $1
                 from u where products.id = u.id",
                rows.join(", ")
            ))
            .bind(now_ms);
            for one in chunk {
                update = update
                    .bind(&one.id.0)
                    .bind(&one.details.product_name)
                    .bind(to_json(&one.details)?)
                    .bind(one.is_visible)
                    .bind(one.stock_change.grams)
                    .bind(one.stock_change.pouches_50g)
                    .bind(one.stock_change.pouches_100g)
                    .bind(i64::from(one.is_new_version));
            }
            self.execute_deferred(update).await?;
            let rows = chunk
                .iter()
                .filter(|one| one.stock_change != Stock::default())
                .map(|one| (&one.ledger_id, &one.id, one.stock_change));
            self.write_ledger_rows(rows, StockAdjustment::Manual, now_ms)
                .await?;
        }
        Ok(())
    }

    async fn update_details(
        &mut self,
        id: &ProductId,
        details: &ProductDetails,
        expected_version: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        let json = to_json(details)?;
        let done = self
            .execute(
                query(UPDATE)
                    .bind(&id.0)
                    .bind(&details.product_name)
                    .bind(&json)
                    .bind(expected_version)
                    .bind(now_ms),
            )
            .await?;
        Ok(done > 0)
    }

    async fn set_visibility(
        &mut self,
        id: &ProductId,
        visible: bool,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(query(SET_VISIBILITY).bind(&id.0).bind(visible).bind(now_ms))
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
            self.execute_deferred(
                query(CLEAR_RANK_OF_OTHERS)
                    .bind(&id.0)
                    .bind(rank)
                    .bind(now_ms),
            )
            .await?;
        }
        self.execute_deferred(query(SET_RANK).bind(&id.0).bind(rank).bind(now_ms))
            .await
    }

    async fn delete_product(&mut self, id: &ProductId, now_ms: i64) -> StoreResult<bool> {
        let done = self.execute(query(DELETE).bind(&id.0).bind(now_ms)).await?;
        Ok(done > 0)
    }

    async fn lock_products(&mut self, ids: &[ProductId]) -> StoreResult<()> {
        let mut wanted: BTreeSet<_> = ids.iter().map(|id| id.0.clone()).collect();
        if let Some(locked) = &self.products_locked {
            wanted.retain(|id| !locked.contains(id));
            if !wanted.is_empty() {
                let error = anyhow::anyhow!("products were locked before, but not {wanted:?}");
                // On both engines, so that every test finds it. In production a deadlock ends one of the transactions, which
                // is run again.
                if cfg!(debug_assertions) {
                    return Err(StoreError::Broken(error));
                }
                tracing::error!(%error, "a transaction locks products twice");
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        self.note_locked_products(wanted.iter().cloned());
        if !self.is_postgres() {
            return Ok(());
        }
        let wanted: Vec<_> = wanted.into_iter().collect();
        self.lock_all("products", &wanted).await
    }
}

/// The placeholders of a row of `update_products`. $1 is the time.
fn update_row(row: usize) -> String {
    const TYPES: [&str; 8] = [
        "text", "text", "text", "boolean", "bigint", "bigint", "bigint", "bigint",
    ];
    let cells: Vec<_> = TYPES
        .iter()
        .zip(row * TYPES.len() + 2..)
        .map(|(kind, number)| format!("cast(${number} as {kind})"))
        .collect();
    format!("({})", cells.join(", "))
}

impl SqlRepository<'_> {
    pub(crate) fn note_locked_products(&mut self, ids: impl Iterator<Item = String>) {
        self.products_locked
            .get_or_insert_with(BTreeSet::new)
            .extend(ids);
    }

    /// The id of each row, the product, and the change of its stock.
    async fn write_ledger_rows<'r>(
        &mut self,
        rows: impl Iterator<Item = (&'r String, &'r ProductId, Stock)> + Send,
        reason: StockAdjustment,
        now_ms: i64,
    ) -> StoreResult<()> {
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            return Ok(());
        }
        let text = format!(
            "insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at) values {}",
            placeholder_rows(rows.len(), 7)
        );
        let mut ledger = query(text);
        for (id, product, change) in rows {
            ledger = ledger
                .bind(id)
                .bind(&product.0)
                .bind(reason.as_str())
                .bind(change.grams)
                .bind(change.pouches_50g)
                .bind(change.pouches_100g)
                .bind(now_ms);
        }
        self.execute_deferred(ledger).await
    }

    async fn find_products(
        &mut self,
        ids: &[ProductId],
        condition: &str,
    ) -> StoreResult<Vec<Product>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from products where {condition} id in ({})",
            placeholders(1, ids.len())
        );
        let ids = ids.iter().map(|id| &id.0);
        let rows: Vec<ProductRow> = self.fetch_all(ids.fold(query(text), Query::bind)).await?;
        rows.into_iter().map(ProductRow::into_product).collect()
    }
}
