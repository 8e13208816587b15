//! Wishlists.

use std::sync::Arc;

use mirasa_domain::cart::CartError;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::cart::{add_packs, find_purchasable};
use crate::{AppError, ErrorCode, Shop};

/// Limits the storage that one user can fill.
const MAX_WISHLIST_ITEMS: usize = 500;

impl Shop {
    /// The products of the wishlist that are visible, last added first.
    pub async fn wishlist(&self, user: &UserId) -> Result<Vec<Arc<Product>>, AppError> {
        let user = user.clone();
        let ids = self
            .db
            .point_read(async move |db| db.wishlist(&user).await)
            .await
            .map_err(AppError::from)?;
        let snapshot = self.catalogue.snapshot();
        Ok(ids
            .iter()
            .filter_map(|id| snapshot.find_visible(id).cloned())
            .collect())
    }

    pub async fn add_to_wishlist(&self, user: &UserId, product: ProductId) -> Result<(), AppError> {
        if self.catalogue.snapshot().find_visible(&product).is_none() {
            return Err(CartError::ProductNotFound.into());
        }
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                if tx.wishlist(&user).await?.len() >= MAX_WISHLIST_ITEMS {
                    return Err(AppError::new(
                        ErrorCode::WishlistFull,
                        format!("A wishlist holds at most {MAX_WISHLIST_ITEMS} products"),
                    ));
                }
                Ok(tx.add_to_wishlist(&user, &product, now_ms).await?)
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
            .write(async move |tx| Ok(tx.remove_from_wishlist(&user, &product).await?))
            .await
    }

    /// Moves one pack, of the smallest size that is available, into the cart. Cart and wishlist change in one
    /// transaction.
    pub async fn move_to_cart(&self, user: &UserId, product: ProductId) -> Result<(), AppError> {
        let (user, now_ms, snapshot) = (user.clone(), self.now_ms(), self.catalogue.snapshot());
        self.db
            .write(async move |tx| {
                if !tx.wishlist(&user).await?.contains(&product) {
                    return Err(CartError::ProductNotFound.into());
                }
                tx.increment_cart_version(&user, now_ms).await?;
                let lines = tx.cart(&user).await?.lines;
                let found = find_purchasable(&snapshot, &product)?;
                let small = Packs {
                    of_50g: 1,
                    of_100g: 0,
                };
                let large = Packs {
                    of_50g: 0,
                    of_100g: 1,
                };
                let lines_before = lines.clone();
                if let Err(error) = add_packs(tx, &user, lines, found, small, now_ms).await {
                    add_packs(tx, &user, lines_before, found, large, now_ms)
                        .await
                        .map_err(|_| error)?;
                }
                Ok(tx.remove_from_wishlist(&user, &product).await?)
            })
            .await
    }
}
