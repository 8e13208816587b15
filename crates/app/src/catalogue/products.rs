//! Products: add, change, show, hide, delete.

use std::sync::Arc;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::cart::CartError;
use mirasa_domain::product::{Image, Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_domain::user::User;

use crate::catalogue::product_edit::{NewProduct, ProductEdit, changed_fields, validate_stock};
use crate::ports::images::ImageFolder;
use crate::repository::{StoreError, Transaction, WorkWith};
use crate::{AppError, ErrorCode, Shop};

/// An attempt fails only if another edit of the same product is saved at the same time.
const MAX_EDIT_ATTEMPTS: u32 = 5;

fn changed_meanwhile() -> AppError {
    let text = "Somebody else changed this product meanwhile. Please reload and try again.";
    AppError::new(ErrorCode::ProductChanged, text)
}

pub(crate) fn product_not_found() -> AppError {
    AppError::from(CartError::ProductNotFound)
}

impl Shop {
    pub async fn add_product(&self, admin: &User, new: NewProduct) -> Result<Product, AppError> {
        let details = self
            .with_image_metadata(new.details.validate()?, &[])
            .await?;
        validate_stock(new.stock)?;
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let product = self
            .db
            .write(async move |tx| {
                let id = unique_product_id(tx, &details.product_name).await?;
                let product = Product {
                    id: id.clone(),
                    details: Arc::new(details),
                    stock: new.stock,
                    is_visible: new.is_visible,
                    trending_rank: None,
                    version: 1,
                    updated_at_ms: now_ms,
                    too_old_grams: 0,
                    rating: Default::default(),
                };
                tx.insert_product(&product, &shop.ids.new_id(), now_ms)
                    .await?;
                if new.trending_rank.is_some() {
                    tx.set_trending_rank(&id, new.trending_rank, now_ms).await?;
                }
                shop.audit(
                    tx,
                    &admin,
                    AdminAction::ProductAdded,
                    &id.0,
                    product.details.product_name.clone(),
                )
                .await?;
                tx.product(&id).await?.ok_or_else(product_not_found)
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(product)
    }

    /// `edit_of` makes the edit from the product in the catalogue. What the edit leaves out keeps its value.
    pub async fn update_product(
        &self,
        admin: &User,
        id: ProductId,
        edit_of: impl Fn(&Product) -> Result<ProductEdit, AppError>,
    ) -> Result<Product, AppError> {
        for _ in 0..MAX_EDIT_ATTEMPTS {
            let known = self
                .catalogue
                .snapshot()
                .find(&id)
                .cloned()
                .ok_or_else(product_not_found)?;
            let edit = edit_of(&known)?;
            edit.stock.validate()?;
            let details = self
                .with_image_metadata(edit.details.clone().validate()?, &known.details.images)
                .await?;
            let saved = self
                .save_edit(admin, id.clone(), known.version, details, edit)
                .await?;
            self.catalogue.refresh(&self.db, self.now_ms()).await?;
            if let Some(product) = saved {
                return Ok(product);
            }
        }
        Err(changed_meanwhile())
    }

    /// None if another instance has changed the product since the edit was made from it: fields that the edit leaves
    /// out would be reset to older values.
    async fn save_edit(
        &self,
        admin: &User,
        id: ProductId,
        base_version: i64,
        details: ProductDetails,
        edit: ProductEdit,
    ) -> Result<Option<Product>, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                // A new count is stored as a change of the current one, so no sale may happen in between.
                tx.lock_products(std::slice::from_ref(&id)).await?;
                let was = tx.product(&id).await?.ok_or_else(product_not_found)?;
                if edit
                    .expected_version
                    .is_some_and(|expected| expected != was.version)
                {
                    return Err(changed_meanwhile());
                }
                let is_newest = was.version == base_version;
                let version = was.version;
                if !is_newest || !tx.update_details(&id, &details, version, now_ms).await? {
                    return Ok(None);
                }
                let mut changes = changed_fields(&was.details, &details);
                let change = edit.stock.change_from(was.stock);
                if change != Stock::default() {
                    let ledger_id = shop.ids.new_id();
                    tx.adjust_stock(&id, change, StockAdjustment::Manual, &ledger_id, now_ms)
                        .await
                        .map_err(insufficient_stock)?;
                    if change.grams < 0 {
                        let edit = [(id.clone(), was.stock, -change.grams)];
                        shop.take_edit_from_batches(tx, &admin, &edit).await?;
                    }
                    changes.push(format!(
                        "stock {:+} g, {:+} and {:+} pouches",
                        change.grams, change.pouches_50g, change.pouches_100g
                    ));
                }
                if let Some(visible) = edit.is_visible.filter(|visible| *visible != was.is_visible)
                {
                    tx.set_visibility(&id, visible, now_ms).await?;
                    changes.push((if visible { "shown" } else { "hidden" }).into());
                }
                if let Some(rank) = edit.trending_rank.filter(|rank| *rank != was.trending_rank) {
                    tx.set_trending_rank(&id, rank, now_ms).await?;
                    changes.push(rank.map_or_else(
                        || "rank cleared".into(),
                        |rank| format!("rank {}", rank.get()),
                    ));
                }
                shop.audit(
                    tx,
                    &admin,
                    AdminAction::ProductChanged,
                    &id.0,
                    changes.join("; "),
                )
                .await?;
                let product = tx.product(&id).await?.ok_or_else(product_not_found)?;
                Ok(Some(product))
            })
            .await
    }

    pub async fn toggle_visibility(&self, admin: &User, id: ProductId) -> Result<bool, AppError> {
        let now_ms = self.now_ms();
        self.change_product(admin, id, async move |tx, id| {
            let visible = !tx
                .product(&id)
                .await?
                .ok_or_else(product_not_found)?
                .is_visible;
            tx.set_visibility(&id, visible, now_ms).await?;
            Ok((
                visible,
                if visible {
                    AdminAction::ProductShown
                } else {
                    AdminAction::ProductHidden
                },
                String::new(),
            ))
        })
        .await
    }

    pub async fn set_trending_rank(
        &self,
        admin: &User,
        id: ProductId,
        rank: Option<TrendingRank>,
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.change_product(admin, id, async move |tx, id| {
            tx.product(&id).await?.ok_or_else(product_not_found)?;
            tx.set_trending_rank(&id, rank, now_ms).await?;
            Ok((
                (),
                AdminAction::TrendingRankSet,
                rank.map_or_else(|| "none".into(), |rank| rank.get().to_string()),
            ))
        })
        .await
    }

    pub async fn delete_product(&self, admin: &User, id: ProductId) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.change_product(admin, id, async move |tx, id| {
            if tx.delete_product(&id, now_ms).await? {
                Ok(((), AdminAction::ProductDeleted, String::new()))
            } else {
                Err(product_not_found())
            }
        })
        .await
    }

    /// Runs one action on a product, adds it to the audit log, and refreshes the catalogue.
    async fn change_product<T: Send + 'static>(
        &self,
        admin: &User,
        id: ProductId,
        action: impl for<'t> AsyncFnOnce(
            &'t mut (dyn Transaction + 't),
            ProductId,
        ) -> Result<(T, AdminAction, String), AppError>
        + for<'t> WorkWith<
            't,
            dyn Transaction + 't,
            ProductId,
            Result<(T, AdminAction, String), AppError>,
        > + Clone
        + 'static,
    ) -> Result<T, AppError> {
        let (shop, admin) = (self.clone(), admin.clone());
        let result = self
            .db
            .write(async move |tx| {
                let (result, entry, detail) = action(tx, id.clone()).await?;
                shop.audit(tx, &admin, entry, &id.0, detail).await?;
                Ok::<_, AppError>(result)
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(result)
    }

    /// Adds the size, colour and version of each image.
    async fn with_image_metadata(
        &self,
        mut details: ProductDetails,
        known: &[Image],
    ) -> Result<ProductDetails, AppError> {
        for image in &mut details.images {
            if let Some(known) = known.iter().find(|known| known.file == image.file) {
                *image = Image {
                    alt: image.alt.clone(),
                    ..known.clone()
                };
            } else if let Some(found) = self
                .images
                .metadata(ImageFolder::Products, &image.file)
                .await
                .map_err(AppError::internal)?
            {
                *image = Image {
                    alt: image.alt.clone(),
                    ..found
                };
            }
        }
        Ok(details)
    }
}

fn insufficient_stock(error: StoreError) -> AppError {
    match error {
        StoreError::Constraint(_) => AppError::new(
            ErrorCode::InsufficientStock,
            "There is not that much left to take away",
        ),
        other => other.into(),
    }
}

/// The slug of the name, with a number if the id is taken.
async fn unique_product_id(tx: &mut dyn Transaction, name: &str) -> Result<ProductId, AppError> {
    let slug = ProductId::from_name(name);
    let mut id = slug.clone();
    for number in 2.. {
        if !tx.product_id_taken(&id).await? {
            break;
        }
        id = ProductId(format!("{}-{number}", slug.0));
    }
    Ok(id)
}
