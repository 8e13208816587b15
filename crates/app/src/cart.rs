//! Filling a cart. Every change answers with the whole cart as it stands afterwards.

use std::sync::Arc;

use mirasa_domain::cart::{self, CartError, CartLine, MAX_CART_LINES, PricedCartLine};
use mirasa_domain::money::Paise;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::catalogue::Snapshot;
use crate::ports::storage::Writes;
use crate::{AppError, Shop};

const CHANGED_MEANWHILE: &str =
    "The cart was changed in another tab or on another device. Please try again.";

/// A cart priced as of now.
#[derive(Debug)]
pub struct Cart {
    pub lines: Vec<PricedCartLine>,
    pub total: Paise,
    pub count: u32,
    pub version: i64,
    /// The catalogue it was priced from.
    pub snapshot: Arc<Snapshot>,
}

impl Shop {
    pub async fn cart(&self, user: &UserId) -> Result<Cart, AppError> {
        let (user, snapshot) = (user.clone(), self.catalogue.now());
        self.db
            .glance(move |reads| {
                Box::pin(async move {
                    let (lines, version) = reads.cart(&user).await?;
                    Ok(priced(lines, version, snapshot))
                })
            })
            .await
    }

    /// Adds packs to what the cart already holds of that product.
    pub async fn add_to_cart(
        &self,
        user: &UserId,
        product: ProductId,
        packs: Packs,
    ) -> Result<Cart, AppError> {
        if packs.is_empty() {
            return Err(CartError::NoPacks.into());
        }
        self.change_cart(user, None, move |writes, user, lines, snapshot, now_ms| {
            Box::pin(async move {
                let found = find_sellable(&snapshot, &product)?;
                add_packs(writes, &user, lines, found, packs, now_ms).await
            })
        })
        .await
    }

    /// Sets the packs of one product; none of either size removes it. With `expected_version` only
    /// if no other change of the cart came in between.
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
        self.change_cart(
            user,
            expected_version,
            move |writes, user, lines, snapshot, now_ms| {
                Box::pin(async move {
                    let found = find_sellable(&snapshot, &product)?;
                    let held = packs_of(&lines, &product).unwrap_or(Packs::ZERO);
                    let grows = packs.of_50g > held.of_50g || packs.of_100g > held.of_100g;
                    // Taking packs out is always allowed, even while what remains is more than stock has.
                    if grows || held.is_empty() {
                        cart::check_quantity(found, packs)?;
                    }
                    put(writes, &user, lines, found, packs, now_ms).await
                })
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
        self.change_cart(
            user,
            expected_version,
            move |writes, user, mut lines, _, _| {
                Box::pin(async move {
                    writes.remove_cart_line(&user, &product).await?;
                    lines.retain(|line| line.product != product);
                    Ok(lines)
                })
            },
        )
        .await
    }

    pub async fn clear_cart(&self, user: &UserId) -> Result<Cart, AppError> {
        self.change_cart(user, None, move |writes, user, _, _, _| {
            Box::pin(async move {
                writes.clear_cart(&user).await?;
                Ok(Vec::new())
            })
        })
        .await
    }

    /// `change` is given the lines as they are, and returns them as they are afterwards.
    async fn change_cart(
        &self,
        user: &UserId,
        expected_version: Option<i64>,
        change: impl for<'t> FnOnce(
            &'t mut dyn Writes,
            UserId,
            Vec<CartLine>,
            Arc<Snapshot>,
            i64,
        )
            -> futures::future::BoxFuture<'t, Result<Vec<CartLine>, AppError>>
        + Clone
        + Send
        + 'static,
    ) -> Result<Cart, AppError> {
        let (user, now_ms, snapshot) = (user.clone(), self.now_ms(), self.catalogue.now());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    // First, because it makes two tabs of one shopper take turns.
                    writes.bump_cart(&user, now_ms).await?;
                    let (lines, version) = writes.cart(&user).await?;
                    // This change has already raised the version by one.
                    if expected_version.is_some_and(|expected| expected != version - 1) {
                        return Err(AppError::conflict(CHANGED_MEANWHILE));
                    }
                    let lines = change(writes, user, lines, snapshot.clone(), now_ms).await?;
                    Ok(priced(lines, version, snapshot))
                })
            })
            .await
    }
}

/// Adds within a transaction that already holds the cart. Returns the lines as they are afterwards.
pub(crate) async fn add_packs(
    writes: &mut dyn Writes,
    user: &UserId,
    lines: Vec<CartLine>,
    product: &Product,
    packs: Packs,
    now_ms: i64,
) -> Result<Vec<CartLine>, AppError> {
    let held = packs_of(&lines, &product.id);
    if held.is_none() && lines.len() >= MAX_CART_LINES {
        return Err(CartError::TooManyLines.into());
    }
    let wanted = held.unwrap_or(Packs::ZERO) + packs;
    cart::check_quantity(product, wanted)?;
    put(writes, user, lines, product, wanted, now_ms).await
}

async fn put(
    writes: &mut dyn Writes,
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
    writes
        .put_cart_line(user, &line.product, packs, line.last_seen_prices, now_ms)
        .await?;
    match lines.iter_mut().find(|held| held.product == line.product) {
        Some(held) => *held = line,
        None => lines.push(line),
    }
    Ok(lines)
}

fn packs_of(lines: &[CartLine], product: &ProductId) -> Option<Packs> {
    let line = lines.iter().find(|line| line.product == *product)?;
    Some(line.packs)
}

/// A product that can be put into a cart. Memory may be a moment behind another instance's sale; the
/// checkout asks the database.
pub(crate) fn find_sellable<'s>(
    snapshot: &'s Snapshot,
    id: &ProductId,
) -> Result<&'s Product, AppError> {
    let found = snapshot.find_visible(id).map(|product| &**product);
    found.ok_or_else(|| CartError::ProductNotFound.into())
}

fn priced(lines: Vec<CartLine>, version: i64, snapshot: Arc<Snapshot>) -> Cart {
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| {
            let product = snapshot.find(&line.product).cloned();
            cart::price_line(line, product.as_deref())
        })
        .collect();
    Cart {
        total: cart::total(&lines),
        count: cart::count(&lines),
        lines,
        version,
        snapshot,
    }
}
