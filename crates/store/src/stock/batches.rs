//! Batches, and the packs that were filled from them.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::stock::batches::{
    BatchQueries, BatchRepository, ListedBatch, PackedBatch, RecipientRow,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::batch::{Batch, BatchId, BatchPacks, min_best_before};
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::{PackSize, Packs};
use mirasa_domain::product::ProductId;

use crate::sql::engine::{SqlRepository, placeholders, to_u32};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct BatchRow {
        id: BatchId,
        product_id: String,
        number: String,
        made_on: Option<i64>,
        best_before: i64,
        received_grams: i64,
        left_grams: i64,
        created_by: String,
        created_at: i64,
    }
}

impl From<BatchRow> for Batch {
    fn from(row: BatchRow) -> Batch {
        Batch {
            id: row.id,
            product: ProductId(row.product_id),
            number: row.number,
            made_on: row.made_on,
            best_before: row.best_before,
            received_grams: row.received_grams,
            left_grams: row.left_grams,
            created_by: row.created_by,
            created_at_ms: row.created_at,
        }
    }
}

row! {
    struct ListedRow {
        ..batch: BatchRow,
        product_name: String,
        orders: i64,
    }
}

row! {
    struct PacksRow {
        order_id: OrderId,
        product_id: String,
        batch_id: BatchId,
        pack_grams: i64,
        quantity: i64,
        number: String,
        best_before: i64,
    }
}

row! {
    struct RecipientPacksRow {
        order_id: OrderId,
        pack_grams: i64,
        quantity: i64,
        packed_at: i64,
        email: String,
    }
}

row! {
    pub(crate) struct TooOldRow {
        product_id: String,
        grams: i64,
    }
}

impl TooOldRow {
    pub(crate) fn into_grams(self) -> (ProductId, i64) {
        (ProductId(self.product_id), self.grams)
    }
}

/// Reads `TooOldRow`. The placeholders of the condition begin with $2.
pub(crate) fn too_old_query<'q>(condition: &str, today: i64) -> Query<'q> {
    let text = format!(
        "select product_id, cast(sum(left_grams) as bigint) as grams from batches
         where left_grams > 0 and best_before < $1 and {condition} group by product_id"
    );
    query(text).bind(min_best_before(today))
}

const LISTED: &str =
    "select b.*, p.name as product_name, (select count(distinct k.order_id) from batch_packs k
    where k.batch_id = b.id and k.quantity > k.returned) as orders
    from batches b join products p on p.id = b.product_id";

const RECIPIENTS: &str =
    "select k.order_id, k.pack_grams, k.quantity - k.returned as quantity, k.packed_at, u.email
    from batch_packs k join orders o on o.id = k.order_id join users u on u.id = o.user_id
    where k.batch_id = $1 and k.quantity > k.returned order by k.packed_at, k.order_id";

fn size_of(grams: i64) -> StoreResult<PackSize> {
    [PackSize::G50, PackSize::G100]
        .into_iter()
        .find(|size| i64::from(size.grams()) == grams)
        .ok_or_else(|| StoreError::Broken(anyhow::anyhow!("a pack of {grams} g")))
}

fn grams_of(packs: &BatchPacks) -> i64 {
    i64::from(packs.quantity) * i64::from(packs.size.grams())
}

#[async_trait]
impl BatchQueries for SqlRepository<'_> {
    async fn batch(&mut self, id: &BatchId) -> StoreResult<Option<Batch>> {
        let find = query("select * from batches where id = $1").bind(id);
        Ok(self
            .fetch_optional::<BatchRow>(find)
            .await?
            .map(Batch::from))
    }

    async fn listed_batches(
        &mut self,
        product: Option<&ProductId>,
        limit: i64,
    ) -> StoreResult<Vec<ListedBatch>> {
        let condition = product.map_or("", |_| "where b.product_id = $2");
        let text = format!("{LISTED} {condition} order by b.created_at desc, b.id desc limit $1");
        let find = query(text).bind(limit);
        let find = product.iter().fold(find, |find, id| find.bind(&id.0));
        let rows: Vec<ListedRow> = self.fetch_all(find).await?;
        let listed = |row: ListedRow| ListedBatch {
            batch: row.batch.into(),
            product_name: row.product_name,
            orders: row.orders,
        };
        Ok(rows.into_iter().map(listed).collect())
    }

    async fn batches_left(&mut self, products: Option<&[ProductId]>) -> StoreResult<Vec<Batch>> {
        let products = products.map(|ids| ids.iter().map(|id| &id.0));
        let condition = match &products {
            Some(ids) if ids.len() == 0 => return Ok(Vec::new()),
            Some(ids) => format!("and product_id in ({})", placeholders(1, ids.len())),
            None => String::new(),
        };
        let text = format!(
            "select * from batches where left_grams > 0 {condition} order by product_id, best_before, number"
        );
        let find = products
            .into_iter()
            .flatten()
            .fold(query(text), Query::bind);
        let rows: Vec<BatchRow> = self.fetch_all(find).await?;
        Ok(rows.into_iter().map(Batch::from).collect())
    }

    async fn too_old_grams(
        &mut self,
        products: Option<&[ProductId]>,
        today: i64,
    ) -> StoreResult<Vec<(ProductId, i64)>> {
        let products = products.map(|ids| ids.iter().map(|id| &id.0));
        let condition = match &products {
            Some(ids) if ids.len() == 0 => return Ok(Vec::new()),
            Some(ids) => format!("product_id in ({})", placeholders(2, ids.len())),
            None => "1 = 1".to_owned(),
        };
        let find = too_old_query(&condition, today);
        let find = products.into_iter().flatten().fold(find, Query::bind);
        let rows: Vec<TooOldRow> = self.fetch_all(find).await?;
        Ok(rows.into_iter().map(TooOldRow::into_grams).collect())
    }

    async fn batch_number_taken(&mut self, product: &ProductId, number: &str) -> StoreResult<bool> {
        const FIND: &str = "select id from batches where product_id = $1 and number = $2";
        let find = query(FIND).bind(&product.0).bind(number);
        Ok(self.fetch_optional::<String>(find).await?.is_some())
    }

    async fn batch_packs_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<PackedBatch>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select k.order_id, k.product_id, k.batch_id, k.pack_grams, k.quantity - k.returned as quantity, b.number, b.best_before
             from batch_packs k join batches b on b.id = k.batch_id where k.order_id in ({}) and k.quantity > k.returned
             order by k.order_id, k.product_id, k.pack_grams, b.best_before desc, b.number desc",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<PacksRow> = self.fetch_all(find).await?;
        let packed = |row: PacksRow| {
            Ok(PackedBatch {
                order_id: row.order_id,
                product: ProductId(row.product_id),
                number: row.number,
                best_before: row.best_before,
                packs: BatchPacks {
                    batch_id: row.batch_id,
                    size: size_of(row.pack_grams)?,
                    quantity: to_u32(row.quantity),
                },
            })
        };
        rows.into_iter().map(packed).collect()
    }

    async fn batch_recipients(&mut self, batch_id: &BatchId) -> StoreResult<Vec<RecipientRow>> {
        let rows: Vec<RecipientPacksRow> = self.fetch_all(query(RECIPIENTS).bind(batch_id)).await?;
        let mut recipients: Vec<RecipientRow> = Vec::new();
        let mut known = HashMap::new();
        for row in rows {
            let at = *known.entry(row.order_id.clone()).or_insert_with(|| {
                recipients.push((row.order_id, row.email, Packs::ZERO, row.packed_at));
                recipients.len() - 1
            });
            let packs = &mut recipients[at].2;
            match size_of(row.pack_grams)? {
                PackSize::G50 => packs.of_50g += to_u32(row.quantity),
                PackSize::G100 => packs.of_100g += to_u32(row.quantity),
            }
        }
        Ok(recipients)
    }
}

#[async_trait]
impl BatchRepository for SqlRepository<'_> {
    async fn insert_batch(&mut self, batch: &Batch) -> StoreResult<()> {
        const INSERT: &str = "insert into batches (id, product_id, number, made_on, best_before, received_grams, left_grams,
            created_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        self.execute_deferred(
            query(INSERT)
                .bind(&batch.id)
                .bind(&batch.product.0)
                .bind(&batch.number)
                .bind(batch.made_on)
                .bind(batch.best_before)
                .bind(batch.received_grams)
                .bind(batch.left_grams)
                .bind(&batch.created_by)
                .bind(batch.created_at_ms),
        )
        .await
    }

    async fn change_batch_grams(&mut self, batch_id: &BatchId, change: i64) -> StoreResult<()> {
        const CHANGE: &str = "update batches set left_grams = left_grams + $2 where id = $1";
        self.execute_deferred(query(CHANGE).bind(batch_id).bind(change))
            .await
    }

    async fn take_batch_packs(
        &mut self,
        order_id: &OrderId,
        product: &ProductId,
        packs: &BatchPacks,
        now_ms: i64,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into batch_packs (order_id, product_id, batch_id, pack_grams, quantity, packed_at)
            values ($1, $2, $3, $4, $5, $6)
            on conflict (order_id, product_id, batch_id, pack_grams) do update set quantity = batch_packs.quantity + excluded.quantity";
        self.change_batch_grams(&packs.batch_id, -grams_of(packs))
            .await?;
        let insert = query(INSERT)
            .bind(order_id)
            .bind(&product.0)
            .bind(&packs.batch_id)
            .bind(i64::from(packs.size.grams()))
            .bind(i64::from(packs.quantity))
            .bind(now_ms);
        self.execute_deferred(insert).await
    }

    async fn return_batch_packs(
        &mut self,
        order_id: &OrderId,
        product: &ProductId,
        packs: &BatchPacks,
    ) -> StoreResult<()> {
        const RETURN: &str = "update batch_packs set returned = returned + $5
            where order_id = $1 and product_id = $2 and batch_id = $3 and pack_grams = $4";
        let update = query(RETURN)
            .bind(order_id)
            .bind(&product.0)
            .bind(&packs.batch_id)
            .bind(i64::from(packs.size.grams()))
            .bind(i64::from(packs.quantity));
        self.execute_deferred(update).await?;
        self.change_batch_grams(&packs.batch_id, grams_of(packs))
            .await
    }
}
