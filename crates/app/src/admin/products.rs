//! Products: added, changed, shown and hidden, deleted.

use std::sync::Arc;

use mirasa_domain::cart::CartRefusal;
use mirasa_domain::product::{Description, Picture, Product, ProductId, TrendingRank};
use mirasa_domain::stock::Stock;

use crate::ports::pictures::Drawer;
use crate::ports::storage::{StockReason, StoreError, User, Writes};
use crate::{Fault, Shop};

const MOST_STOCK: i64 = 1_000_000_000;

/// A product as its owner's form sends it.
#[derive(Debug, Clone)]
pub struct NewProduct {
    pub about: Description,
    pub stock: Stock,
    pub is_visible: bool,
    pub trending_rank: Option<TrendingRank>,
}

/// A change to a product, against what the form showed.
#[derive(Debug, Clone)]
pub struct ProductEdit {
    pub about: Description,
    pub seen_version: i64,
    /// Added to what is there now: somebody may have been buying meanwhile.
    pub stock_change: Stock,
    pub is_visible: Option<bool>,
    /// Some(None) clears the rank.
    pub trending_rank: Option<Option<TrendingRank>>,
}

fn no_such_product() -> Fault {
    Fault::from(CartRefusal::NoSuchProduct)
}

impl Shop {
    pub async fn add_product(&self, who: &User, new: NewProduct) -> Result<Product, Fault> {
        let about = self.with_pictures(new.about.checked()?, &[]).await?;
        let stock = new.stock;
        for (field, count) in counts(stock) {
            if !(0..=MOST_STOCK).contains(&count) {
                return Err(Fault::invalid(format!(
                    "{field} must be from 0 to {MOST_STOCK}"
                )));
            }
        }
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        let product = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    let id = free_id(writes, &about.product_name).await?;
                    let product = Product {
                        id: id.clone(),
                        about: Arc::new(about),
                        stock,
                        is_visible: new.is_visible,
                        trending_rank: None,
                        version: 1,
                        updated_at_ms: now_ms,
                    };
                    writes
                        .insert_product(&product, &shop.ids.id(), now_ms)
                        .await?;
                    if new.trending_rank.is_some() {
                        writes.set_rank(&id, new.trending_rank, now_ms).await?;
                    }
                    shop.audit(
                        writes,
                        &who,
                        "product added",
                        &id.0,
                        product.about.product_name.clone(),
                    )
                    .await?;
                    writes.product(&id).await?.ok_or_else(no_such_product)
                })
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(product)
    }

    pub async fn update_product(
        &self,
        who: &User,
        id: ProductId,
        edit: ProductEdit,
    ) -> Result<Product, Fault> {
        for (field, change) in counts(edit.stock_change) {
            if !(-MOST_STOCK..=MOST_STOCK).contains(&change) {
                return Err(Fault::invalid(format!(
                    "{field} must change by at most {MOST_STOCK}"
                )));
            }
        }
        let known = self
            .catalogue
            .now()
            .find(&id)
            .cloned()
            .ok_or_else(no_such_product)?;
        let about = self
            .with_pictures(edit.about.checked()?, &known.about.images)
            .await?;
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        let product = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    let was = writes.product(&id).await?.ok_or_else(no_such_product)?;
                    if !writes.update_description(&id, &about, edit.seen_version, now_ms).await? {
                        return Err(Fault::conflict("Somebody else changed this product meanwhile. Please reload and try again."));
                    }
                    let mut told = changed_fields(&was.about, &about);
                    if edit.stock_change != Stock::default() {
                        let moved = writes.move_stock(&id, edit.stock_change, StockReason::Edit, &shop.ids.id(), now_ms).await;
                        moved.map_err(below_zero)?;
                        let change = edit.stock_change;
                        told.push(format!("stock {:+} g, {:+} and {:+} pouches", change.grams, change.pouches_50g, change.pouches_100g));
                    }
                    if let Some(visible) = edit.is_visible.filter(|visible| *visible != was.is_visible) {
                        writes.set_visibility(&id, visible, now_ms).await?;
                        told.push((if visible { "shown" } else { "hidden" }).into());
                    }
                    if let Some(rank) = edit.trending_rank.filter(|rank| *rank != was.trending_rank) {
                        writes.set_rank(&id, rank, now_ms).await?;
                        told.push(rank.map_or_else(|| "rank cleared".into(), |rank| format!("rank {}", rank.get())));
                    }
                    shop.audit(writes, &who, "product changed", &id.0, told.join("; ")).await?;
                    writes.product(&id).await?.ok_or_else(no_such_product)
                })
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(product)
    }

    pub async fn toggle_visibility(&self, who: &User, id: ProductId) -> Result<bool, Fault> {
        self.product_deed(who, id, |writes, id, now_ms| {
            Box::pin(async move {
                let visible = !writes
                    .product(&id)
                    .await?
                    .ok_or_else(no_such_product)?
                    .is_visible;
                writes.set_visibility(&id, visible, now_ms).await?;
                Ok((
                    visible,
                    if visible {
                        "product shown"
                    } else {
                        "product hidden"
                    },
                    String::new(),
                ))
            })
        })
        .await
    }

    pub async fn set_trending_rank(
        &self,
        who: &User,
        id: ProductId,
        rank: Option<TrendingRank>,
    ) -> Result<(), Fault> {
        self.product_deed(who, id, move |writes, id, now_ms| {
            Box::pin(async move {
                writes.product(&id).await?.ok_or_else(no_such_product)?;
                writes.set_rank(&id, rank, now_ms).await?;
                Ok((
                    (),
                    "trending rank set",
                    rank.map_or_else(|| "none".into(), |rank| rank.get().to_string()),
                ))
            })
        })
        .await
    }

    pub async fn delete_product(&self, who: &User, id: ProductId) -> Result<(), Fault> {
        self.product_deed(who, id, |writes, id, now_ms| {
            Box::pin(async move {
                if writes.delete_product(&id, now_ms).await? {
                    Ok(((), "product deleted", String::new()))
                } else {
                    Err(no_such_product())
                }
            })
        })
        .await
    }

    /// One deed on one product: done, written down, and seen by every visitor from now on.
    async fn product_deed<T: Send + 'static>(
        &self,
        who: &User,
        id: ProductId,
        deed: impl for<'t> FnOnce(
            &'t mut dyn Writes,
            ProductId,
            i64,
        ) -> futures::future::BoxFuture<
            't,
            Result<(T, &'static str, String), Fault>,
        > + Send
        + 'static,
    ) -> Result<T, Fault> {
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        let result = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    let (result, action, detail) = deed(writes, id.clone(), now_ms).await?;
                    shop.audit(writes, &who, action, &id.0, detail).await?;
                    Ok::<_, Fault>(result)
                })
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        Ok(result)
    }

    /// Size, colour and version of each picture; alt texts that were there stay.
    async fn with_pictures(
        &self,
        mut about: Description,
        known: &[Picture],
    ) -> Result<Description, Fault> {
        for picture in &mut about.images {
            if let Some(known) = known.iter().find(|known| known.file == picture.file) {
                let alt = if picture.alt.is_empty() {
                    known.alt.clone()
                } else {
                    picture.alt.clone()
                };
                *picture = Picture {
                    alt,
                    ..known.clone()
                };
            } else if let Some(found) = self
                .pictures
                .describe(Drawer::Products, &picture.file)
                .await
                .map_err(Fault::internal)?
            {
                *picture = Picture {
                    alt: picture.alt.clone(),
                    ..found
                };
            }
        }
        Ok(about)
    }
}

/// By the names that the form has for them.
fn counts(stock: Stock) -> [(&'static str, i64); 3] {
    [
        ("stock", stock.grams),
        ("packaging_50gms", stock.pouches_50g),
        ("packaging_100gms", stock.pouches_100g),
    ]
}

fn below_zero(error: StoreError) -> Fault {
    match error {
        StoreError::Constraint(_) => Fault::conflict("There is not that much left to take away"),
        other => other.into(),
    }
}

/// The slug of the name; a second product of that name gets a number.
async fn free_id(writes: &mut dyn Writes, name: &str) -> Result<ProductId, Fault> {
    let wanted = ProductId::from_name(name);
    let mut id = wanted.clone();
    for number in 2.. {
        if !writes.product_id_taken(&id).await? {
            break;
        }
        id = ProductId(format!("{}-{number}", wanted.0));
    }
    Ok(id)
}

fn changed_fields(was: &Description, now: &Description) -> Vec<String> {
    let (Ok(serde_json::Value::Object(was)), Ok(serde_json::Value::Object(now))) =
        (serde_json::to_value(was), serde_json::to_value(now))
    else {
        return Vec::new();
    };
    now.iter()
        .filter(|(key, value)| was.get(*key) != Some(value))
        .map(|(key, _)| key.clone())
        .collect()
}
