//! The import of a file: a report of what it would change, or the transaction that changes it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::product::{Image, Product};
use mirasa_domain::review::Rating;
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_domain::user::User;

use super::plan::{Import, ImportReport, Known, PlannedRow};
use crate::ports::images::ImageFolder;
use crate::repository::Transaction;
use crate::repository::products::ProductQueries;
use crate::{AppError, Shop};

impl Shop {
    /// Adds and changes the products of a file in one transaction, or nothing at all. With `dry_run` it only reports.
    pub async fn import_products(
        &self,
        admin: &User,
        file: Vec<u8>,
        dry_run: bool,
    ) -> Result<ImportReport, AppError> {
        let public_url = self.settings.public_url.clone();
        let reading = tokio::task::spawn_blocking(move || Import::read(&file, public_url));
        let mut import = reading.await.map_err(AppError::internal)??;
        import.images = self.image_metadata(&import).await?;
        let import = Arc::new(import);
        if dry_run {
            return self
                .db
                .read(move |db| {
                    Box::pin(async move {
                        let known = known_products(db, &import).await?;
                        Ok(import.report(import.plan(&known), false))
                    })
                })
                .await;
        }
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let report = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    // The counts are stored as changes of the current ones, so no sale may happen in between.
                    tx.lock_products(&import.ids()).await?;
                    let known = known_products(tx, &import).await?;
                    let plan = import.plan(&known);
                    let is_valid = plan.iter().all(|row| row.report.error.is_none());
                    if is_valid {
                        shop.insert_rows(tx, &admin, &plan, now_ms).await?;
                        for row in &plan {
                            shop.apply_row(tx, &admin, row, now_ms).await?;
                        }
                    }
                    Ok::<_, AppError>(import.report(plan, is_valid))
                })
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(report)
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
            let metadata = self.pictures.metadata(ImageFolder::Products, &file).await;
            if let Some(image) = metadata.map_err(AppError::internal)? {
                found.insert(file, image);
            }
        }
        Ok(found)
    }

    async fn insert_rows(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        plan: &[PlannedRow],
        now_ms: i64,
    ) -> Result<(), AppError> {
        let (mut products, mut entries) = (Vec::new(), Vec::new());
        for row in plan.iter().filter(|row| row.was.is_none()) {
            let Some(draft) = &row.draft else {
                continue;
            };
            entries.push(AuditEntry {
                id: self.ids.new_id(),
                at_ms: now_ms,
                actor: admin.email.clone(),
                action: AdminAction::ProductAdded,
                subject_id: row.id.0.clone(),
                detail: draft.details.product_name.clone(),
            });
            let product = Product {
                id: row.id.clone(),
                details: Arc::new(draft.details.clone()),
                stock: draft.stock,
                is_visible: draft.is_visible,
                trending_rank: None,
                rating: Rating::default(),
                version: 1,
                updated_at_ms: now_ms,
            };
            products.push((product, self.ids.new_id()));
        }
        tx.insert_products(&products, now_ms).await?;
        Ok(tx.insert_audit_entries(&entries).await?)
    }

    async fn apply_row(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        row: &PlannedRow,
        now_ms: i64,
    ) -> Result<(), AppError> {
        let Some(draft) = &row.draft else {
            return Ok(());
        };
        let Some(was) = &row.was else {
            if draft.trending_rank.is_some() {
                tx.set_trending_rank(&row.id, draft.trending_rank, now_ms)
                    .await?;
            }
            return Ok(());
        };
        if draft.details != *was.details {
            tx.update_details(&row.id, &draft.details, was.version, now_ms)
                .await?;
        }
        let change = Stock {
            grams: draft.stock.grams - was.stock.grams,
            pouches_50g: draft.stock.pouches_50g - was.stock.pouches_50g,
            pouches_100g: draft.stock.pouches_100g - was.stock.pouches_100g,
        };
        if change != Stock::default() {
            let ledger_id = self.ids.new_id();
            tx.adjust_stock(&row.id, change, StockAdjustment::Manual, &ledger_id, now_ms)
                .await?;
        }
        if draft.is_visible != was.is_visible {
            tx.set_visibility(&row.id, draft.is_visible, now_ms).await?;
        }
        if draft.trending_rank != was.trending_rank {
            tx.set_trending_rank(&row.id, draft.trending_rank, now_ms)
                .await?;
        }
        let fields: Vec<&str> = row
            .report
            .changes
            .iter()
            .map(|change| change.field)
            .collect();
        let detail = format!("from a file: {}", fields.join("; "));
        self.audit(tx, admin, AdminAction::ProductChanged, &row.id.0, detail)
            .await
    }
}

async fn known_products<Q: ProductQueries + ?Sized>(
    db: &mut Q,
    import: &Import,
) -> Result<Known, AppError> {
    let ids = import.ids();
    let mut known = Known::default();
    let existing = db.products_by_id(&ids).await?;
    known.products.extend(
        existing
            .into_iter()
            .map(|product| (product.id.clone(), product)),
    );
    for product in db.products_even_deleted(&ids).await? {
        if !known.products.contains_key(&product.id) {
            known.deleted.insert(product.id);
        }
    }
    Ok(known)
}
