//! The import of a file: a report of what it would change, or the transaction that changes it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::product::{Image, Product, ProductId};
use mirasa_domain::rating::Rating;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::catalogue::product_csv::columns::Draft;
use crate::catalogue::product_csv::plan::{Import, ImportReport, Known, Plan, PlannedRow};
use crate::ports::images::ImageFolder;
use crate::repository::Transaction;
use crate::repository::catalogue::{ProductQueries, ProductUpdate};
use crate::request_key::{KeyUse, RequestKey, claim_key, find_key};
use crate::runtime::failpoints::failpoint;
use crate::stock::batches::edits::LessStock;
use crate::{AppError, Shop};

impl Shop {
    /// What an import of the file would change.
    pub async fn dry_run_import(&self, file: Vec<u8>) -> Result<ImportReport, AppError> {
        let (import, plan) = self.read_import(file).await?;
        Ok(import.report(&plan.rows, false))
    }

    /// Adds and changes the products of a file in one transaction, or nothing at all. A repetition with the same key gets
    /// the first report; a file that was not applied does not use the key up.
    pub async fn import_products(
        &self,
        admin: &User,
        file: Vec<u8>,
        key: Option<&str>,
    ) -> Result<ImportReport, AppError> {
        let key = key.map(|key| RequestKey::of_bytes("import".into(), key, &file));
        let key = key.transpose()?;
        let (import, plan) = self.read_import(file).await?;
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let report = self
            .db
            .write(async move |tx| {
                // The counts are stored as changes of the current ones, so no sale may happen in between.
                tx.lock_products(&import.ids()).await?;
                // After the lock, for which a repetition waits while the first request changes the products.
                if let Some(key) = &key
                    && let KeyUse::Repeated(Some(first)) = find_key(tx, key).await?
                {
                    return serde_json::from_str(&first).map_err(AppError::internal);
                }
                let known = known_products(tx, &import).await?;
                let plan = match known == plan.known {
                    true => plan,
                    false => Arc::new(import.plan(known)),
                };
                let is_valid = plan.rows.iter().all(|row| row.report.error.is_none());
                let report = import.report(&plan.rows, is_valid);
                if !is_valid {
                    // The first request may have added the products since the key was looked for.
                    if let Some(key) = &key
                        && let KeyUse::Repeated(Some(first)) = find_key(tx, key).await?
                    {
                        return serde_json::from_str(&first).map_err(AppError::internal);
                    }
                    return Ok(report);
                }
                if let Some(key) = &key {
                    let json = serde_json::to_string(&report).map_err(AppError::internal)?;
                    // The same request may have run since the key was looked for.
                    let used = claim_key(tx, key, Some(&json), now_ms).await?;
                    if let KeyUse::Repeated(Some(first)) = used {
                        return serde_json::from_str(&first).map_err(AppError::internal);
                    }
                }
                shop.apply(tx, &admin, &plan.rows, now_ms).await?;
                failpoint("importing products");
                Ok::<_, AppError>(report)
            })
            .await?;
        failpoint("products imported");
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(report)
    }

    async fn read_import(&self, file: Vec<u8>) -> Result<(Arc<Import>, Arc<Plan>), AppError> {
        let public_url = self.settings.public_url.clone();
        let reading = tokio::task::spawn_blocking(move || Import::read(&file, public_url));
        let mut import = reading.await.map_err(AppError::internal)??;
        import.images = self.image_metadata(&import).await?;
        let import = Arc::new(import);
        let plan = Arc::new(self.plan_import(&import).await?);
        Ok((import, plan))
    }

    /// Made before the transaction, on a thread of its own: a plan of many rows takes longer than a transaction may. The
    /// transaction makes it again if a product was changed or sold meanwhile.
    async fn plan_import(&self, import: &Arc<Import>) -> Result<Plan, AppError> {
        let reading = Arc::clone(import);
        let known = self
            .db
            .read(async move |db| known_products(db, &reading).await)
            .await?;
        let import = Arc::clone(import);
        let planning = tokio::task::spawn_blocking(move || import.plan(known));
        planning.await.map_err(AppError::internal)
    }

    /// Of the images that no product has yet. An image on another host has none.
    async fn image_metadata(&self, import: &Import) -> Result<HashMap<String, Image>, AppError> {
        let snapshot = self.catalogue.snapshot();
        let images = snapshot
            .all()
            .iter()
            .flat_map(|product| &product.details.images);
        let known: HashSet<_> = images.map(|image| image.file.as_str()).collect();
        let mut found = HashMap::new();
        for file in import.image_files() {
            if known.contains(file.as_str()) || file.contains("://") {
                continue;
            }
            let metadata = self.images.metadata(ImageFolder::Products, &file).await;
            if let Some(image) = metadata.map_err(AppError::internal)? {
                found.insert(file, image);
            }
        }
        Ok(found)
    }

    /// Writes all rows with a fixed number of statements for every some hundred rows.
    async fn apply(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        plan: &[PlannedRow],
        now_ms: i64,
    ) -> Result<(), AppError> {
        let (mut products, mut updates, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for row in plan {
            let Some(draft) = &row.draft else {
                continue;
            };
            let (action, detail) = match &row.was {
                None => {
                    products.push((new_product(row, draft, now_ms), self.ids.new_id()));
                    let name = draft.details.product_name.clone();
                    (AdminAction::ProductAdded, name)
                }
                Some(was) => {
                    updates.push(update(was, draft, self.ids.new_id()));
                    let changes = row.report.changes.iter();
                    let fields: Vec<&str> = changes.map(|change| change.field.as_str()).collect();
                    let detail = format!("from a file: {}", fields.join("; "));
                    (AdminAction::ProductChanged, detail)
                }
            };
            entries.push(AuditEntry {
                id: self.ids.new_id(),
                at_ms: now_ms,
                actor: admin.email.clone(),
                action,
                subject_id: row.id.0.clone(),
                detail,
            });
        }
        tx.insert_products(&products, now_ms).await?;
        tx.update_products(&updates, now_ms).await?;
        let less: Vec<_> = plan.iter().filter_map(less_stock).collect();
        self.take_edit_from_batches(tx, admin, &less).await?;
        // One after the other, because a rank is taken from another product; there are as many ranks as places on the home page.
        for row in plan {
            if let Some(draft) = &row.draft
                && draft.trending_rank != row.was.as_ref().and_then(|was| was.trending_rank)
            {
                tx.set_trending_rank(&row.id, draft.trending_rank, now_ms)
                    .await?;
            }
        }
        Ok(tx.insert_audit_entries(&entries).await?)
    }
}

/// None if the row takes no grams away.
fn less_stock(row: &PlannedRow) -> Option<LessStock> {
    let (was, draft) = (row.was.as_ref()?, row.draft.as_ref()?);
    let less = was.stock.grams - draft.stock.grams;
    (less > 0).then(|| (was.id.clone(), was.stock, less))
}

fn new_product(row: &PlannedRow, draft: &Draft, now_ms: i64) -> Product {
    Product {
        id: row.id.clone(),
        details: Arc::new(draft.details.clone()),
        stock: draft.stock,
        is_visible: draft.is_visible,
        trending_rank: None,
        too_old_grams: 0,
        rating: Rating::default(),
        version: row.new_version,
        updated_at_ms: now_ms,
    }
}

fn update(was: &Product, draft: &Draft, ledger_id: String) -> ProductUpdate {
    let stock_change = draft.stock - was.stock;
    ProductUpdate {
        id: was.id.clone(),
        details: Arc::new(draft.details.clone()),
        is_visible: draft.is_visible,
        stock_change,
        ledger_id,
        // A change of the stock is one too: with the old version in the file it cannot be added a second time.
        is_new_version: draft.details != *was.details
            || draft.is_visible != was.is_visible
            || stock_change != Stock::default(),
    }
}

async fn known_products<Q: ProductQueries + ?Sized>(
    db: &mut Q,
    import: &Import,
) -> Result<Known, AppError> {
    let ids = import.ids();
    let mut known = Known::default();
    for product in db.products_by_id(&ids).await? {
        known.products.insert(product.id.clone(), product);
    }
    let is_missing = |id: &ProductId| !known.products.contains_key(id);
    let missing: Vec<_> = ids.into_iter().filter(is_missing).collect();
    let deleted = db.products_even_deleted(&missing).await?;
    known.deleted = deleted.into_iter().map(|product| product.id).collect();
    Ok(known)
}
