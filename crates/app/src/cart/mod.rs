//! Carts. Every change returns the whole cart after it.

pub(crate) mod applied_discount;
pub mod discounts;
pub mod wishlist;

use std::sync::Arc;

use mirasa_domain::cart::{self, CartError, CartLine, MAX_CART_LINES, PricedCartLine};
use mirasa_domain::money::Paise;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::cart::discounts::{CartDiscount, cart_discount};
use crate::catalogue::Snapshot;
use crate::repository::cart::StoredCart;
use crate::repository::{Queries, Transaction, WorkWith};
use crate::{AppError, ErrorCode, Shop};

const CHANGED_MEANWHILE: &str =
    "The cart was changed in another tab or on another device. Please try again.";

/// A cart at current prices.
#[derive(Debug)]
pub struct Cart {
    pub lines: Vec<PricedCartLine>,
    pub discount: Option<CartDiscount>,
    /// After the discount.
    pub total: Paise,
    pub count: u32,
    pub version: i64,
    /// The catalogue that the prices are from.
    pub snapshot: Arc<Snapshot>,
}

/// A cart that a transaction has locked, and what a change of it needs.
pub(crate) struct LockedCart {
    pub user: UserId,
    pub cart: StoredCart,
    pub snapshot: Arc<Snapshot>,
    pub now_ms: i64,
}

impl Shop {
    pub async fn cart(&self, user: &UserId) -> Result<Cart, AppError> {
        let (user, now_ms, snapshot) = (user.clone(), self.now_ms(), self.catalogue.snapshot());
        self.db
            .point_read(async move |db| {
                let stored = db.cart(&user).await?;
                price_cart(db, &user, stored, snapshot, now_ms).await
            })
            .await
    }

    /// Adds packs of a product to those that are already in the cart.
    pub async fn add_to_cart(
        &self,
        user: &UserId,
        product: ProductId,
        packs: Packs,
    ) -> Result<Cart, AppError> {
        if packs.is_empty() {
            return Err(CartError::NoPacks.into());
        }
        self.modify_cart(
            user,
            None,
            async move |tx,
                        LockedCart {
                            user,
                            mut cart,
                            snapshot,
                            now_ms,
                        }| {
                let found = find_purchasable(&snapshot, &product)?;
                cart.lines = add_packs(tx, &user, cart.lines, found, packs, now_ms).await?;
                Ok(cart)
            },
        )
        .await
    }

    /// Sets the packs of one product; zero packs remove it. With `expected_version`, the update fails if the cart has
    /// changed since that version.
    pub async fn update_cart(
        &self,
        user: &UserId,
        product: ProductId,
        packs: Packs,
        expected_version: Option<i64>,
    ) -> Result<Cart, AppError> {
        if packs.is_empty() {
            return self.remove_line(user, product, expected_version).await;
        }
        self.modify_cart(
            user,
            expected_version,
            async move |tx,
                        LockedCart {
                            user,
                            mut cart,
                            snapshot,
                            now_ms,
                        }| {
                let found = find_purchasable(&snapshot, &product)?;
                let in_cart = packs_of(&cart.lines, &product).unwrap_or(Packs::ZERO);
                let grows = packs.of_50g > in_cart.of_50g || packs.of_100g > in_cart.of_100g;
                // Removing packs is always allowed, even if the rest is still more than the stock.
                if grows || in_cart.is_empty() {
                    cart::check_quantity(found, packs)?;
                }
                cart.lines = upsert_line(tx, &user, cart.lines, found, packs, now_ms).await?;
                Ok(cart)
            },
        )
        .await
    }

    pub async fn remove_from_cart(
        &self,
        user: &UserId,
        product: ProductId,
    ) -> Result<Cart, AppError> {
        self.remove_line(user, product, None).await
    }

    async fn remove_line(
        &self,
        user: &UserId,
        product: ProductId,
        expected_version: Option<i64>,
    ) -> Result<Cart, AppError> {
        self.modify_cart(
            user,
            expected_version,
            async move |tx, LockedCart { user, mut cart, .. }| {
                tx.remove_cart_line(&user, &product).await?;
                cart.lines.retain(|line| line.product != product);
                Ok(cart)
            },
        )
        .await
    }

    pub async fn clear_cart(&self, user: &UserId) -> Result<Cart, AppError> {
        self.modify_cart(
            user,
            None,
            async move |tx, LockedCart { user, cart, .. }| {
                tx.clear_cart(&user).await?;
                if cart.discount_id.is_some() {
                    tx.set_cart_discount(&user, None).await?;
                }
                Ok(StoredCart {
                    lines: Vec::new(),
                    discount_id: None,
                    ..cart
                })
            },
        )
        .await
    }

    /// `change` gets the current cart and returns the new one.
    pub(crate) async fn modify_cart(
        &self,
        user: &UserId,
        expected_version: Option<i64>,
        change: impl for<'t> AsyncFnOnce(
            &'t mut (dyn Transaction + 't),
            LockedCart,
        ) -> Result<StoredCart, AppError>
        + for<'t> WorkWith<
            't,
            dyn Transaction + 't,
            LockedCart,
            Result<StoredCart, AppError>,
        > + Clone
        + 'static,
    ) -> Result<Cart, AppError> {
        let (user, now_ms, snapshot) = (user.clone(), self.now_ms(), self.catalogue.snapshot());
        self.db
            .write(async move |tx| {
                // First, because it locks the user's row: concurrent requests of one customer run one after
                // the other.
                tx.increment_cart_version(&user, now_ms).await?;
                let cart = tx.cart(&user).await?;
                // This change has already incremented the version.
                if expected_version.is_some_and(|expected| expected != cart.version - 1) {
                    return Err(AppError::new(ErrorCode::CartChanged, CHANGED_MEANWHILE));
                }
                let locked = LockedCart {
                    user: user.clone(),
                    cart,
                    snapshot: snapshot.clone(),
                    now_ms,
                };
                let changed = change(tx, locked).await?;
                price_cart(tx, &user, changed, snapshot, now_ms).await
            })
            .await
    }
}

/// Adds packs within a transaction that has locked the cart. Returns the new lines.
pub(crate) async fn add_packs(
    tx: &mut dyn Transaction,
    user: &UserId,
    lines: Vec<CartLine>,
    product: &Product,
    packs: Packs,
    now_ms: i64,
) -> Result<Vec<CartLine>, AppError> {
    let in_cart = packs_of(&lines, &product.id);
    if in_cart.is_none() && lines.len() >= MAX_CART_LINES {
        return Err(CartError::TooManyLines.into());
    }
    let sum = in_cart.unwrap_or(Packs::ZERO) + packs;
    cart::check_quantity(product, sum)?;
    upsert_line(tx, user, lines, product, sum, now_ms).await
}

async fn upsert_line(
    tx: &mut dyn Transaction,
    user: &UserId,
    mut lines: Vec<CartLine>,
    product: &Product,
    packs: Packs,
    now_ms: i64,
) -> Result<Vec<CartLine>, AppError> {
    let line = CartLine {
        product: product.id.clone(),
        packs,
        last_seen_prices: product.details.prices(),
    };
    tx.upsert_cart_line(user, &line.product, packs, line.last_seen_prices, now_ms)
        .await?;
    match lines
        .iter_mut()
        .find(|in_cart| in_cart.product == line.product)
    {
        Some(in_cart) => *in_cart = line,
        None => lines.push(line),
    }
    Ok(lines)
}

fn packs_of(lines: &[CartLine], product: &ProductId) -> Option<Packs> {
    let line = lines.iter().find(|line| line.product == *product)?;
    Some(line.packs)
}

/// A product that can be added to a cart. The snapshot may not have the latest sales of other instances; checkout reads
/// the stock from the database.
pub(crate) fn find_purchasable<'s>(
    snapshot: &'s Snapshot,
    id: &ProductId,
) -> Result<&'s Product, AppError> {
    let found = snapshot.find_visible(id).map(|product| &**product);
    found.ok_or_else(|| CartError::ProductNotFound.into())
}

/// The stored cart at current prices. A code costs one more statement.
pub(crate) async fn price_cart(
    db: &mut dyn Queries,
    user: &UserId,
    stored: StoredCart,
    snapshot: Arc<Snapshot>,
    now_ms: i64,
) -> Result<Cart, AppError> {
    let lines: Vec<_> = stored
        .lines
        .into_iter()
        .map(|line| {
            let product = snapshot.find(&line.product).cloned();
            cart::price_line(line, product.as_deref())
        })
        .collect();
    let discount = match &stored.discount_id {
        Some(id) => cart_discount(db, user, id, &lines, &snapshot, now_ms).await?,
        None => None,
    };
    let saving = discount
        .as_ref()
        .map_or(Paise::ZERO, |discount| discount.saving());
    Ok(Cart {
        total: cart::total(&lines) - saving,
        count: cart::count(&lines),
        lines,
        discount,
        version: stored.version,
        snapshot,
    })
}
