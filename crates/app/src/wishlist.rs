//! Products somebody wants to remember.

use std::sync::Arc;

use mirasa_domain::cart::CartError;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::cart::{add_packs, find_sellable};
use crate::{AppError, Shop};

/// Enough for anybody's cravings; keeps one person from filling the disk.
const MOST_WISHES: usize = 500;

impl Shop {
    /// What can still be bought, newest wish first.
    pub async fn wishlist(&self, user: &UserId) -> Result<Vec<Arc<Product>>, AppError> {
        let user = user.clone();
        let ids = self
            .db
            .glance(move |reads| Box::pin(async move { reads.wishlist(&user).await }))
            .await
            .map_err(AppError::from)?;
        let snapshot = self.catalogue.now();
        Ok(ids
            .iter()
            .filter_map(|id| snapshot.find_visible(id).cloned())
            .collect())
    }

    pub async fn add_to_wishlist(&self, user: &UserId, product: ProductId) -> Result<(), AppError> {
        if self.catalogue.now().find_visible(&product).is_none() {
            return Err(CartError::ProductNotFound.into());
        }
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    if writes.wishlist(&user).await?.len() >= MOST_WISHES {
                        return Err(AppError::invalid(format!(
                            "A wishlist holds at most {MOST_WISHES} products"
                        )));
                    }
                    Ok(writes.add_to_wishlist(&user, &product, now_ms).await?)
                })
            })
            .await
    }

    pub async fn remove_from_wishlist(
        &self,
        user: &UserId,
        product: ProductId,
    ) -> Result<(), AppError> {
        let user = user.clone();
        self.db
            .write(move |writes| {
                Box::pin(async move { Ok(writes.remove_from_wishlist(&user, &product).await?) })
            })
            .await
    }

    /// One pack, of the smallest size that can be had, moves into the cart; both change or neither.
    pub async fn move_to_cart(&self, user: &UserId, product: ProductId) -> Result<(), AppError> {
        let (user, now_ms, snapshot) = (user.clone(), self.now_ms(), self.catalogue.now());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    if !writes.wishlist(&user).await?.contains(&product) {
                        return Err(CartError::ProductNotFound.into());
                    }
                    writes.bump_cart(&user, now_ms).await?;
                    let (lines, _) = writes.cart(&user).await?;
                    let found = find_sellable(&snapshot, &product)?;
                    let small = Packs {
                        of_50g: 1,
                        of_100g: 0,
                    };
                    let large = Packs {
                        of_50g: 0,
                        of_100g: 1,
                    };
                    let as_before = lines.clone();
                    if let Err(refused) =
                        add_packs(writes, &user, lines, found, small, now_ms).await
                    {
                        add_packs(writes, &user, as_before, found, large, now_ms)
                            .await
                            .map_err(|_| refused)?;
                    }
                    Ok(writes.remove_from_wishlist(&user, &product).await?)
                })
            })
            .await
    }
}
