//! Filling a cart. Every change answers with the whole cart as it stands afterwards.

use std::sync::Arc;

use mirasa_domain::cart::{self, CartRefusal, MOST_LINES, PricedLine};
use mirasa_domain::money::Paise;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::UserId;

use crate::catalogue::Snapshot;
use crate::ports::storage::Writes;
use crate::{Fault, Shop};

/// A cart priced as of now.
#[derive(Debug)]
pub struct Cart {
    pub lines: Vec<PricedLine>,
    pub total: Paise,
    pub count: u32,
    pub version: i64,
    /// The catalogue it was priced from.
    pub snapshot: Arc<Snapshot>,
}

impl Shop {
    pub async fn cart(&self, user: &UserId) -> Result<Cart, Fault> {
        let (user, snapshot) = (user.clone(), self.catalogue.now());
        self.db
            .read(move |reads| {
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
    ) -> Result<Cart, Fault> {
        if packs.is_none() {
            return Err(CartRefusal::NothingChosen.into());
        }
        self.change_cart(user, move |writes, user, now_ms| {
            Box::pin(async move { add_packs(writes, &user, &product, packs, now_ms).await })
        })
        .await
    }

    /// Sets the packs of one product; none of either size removes it.
    pub async fn update_cart(
        &self,
        user: &UserId,
        product: ProductId,
        packs: Packs,
    ) -> Result<Cart, Fault> {
        self.change_cart(user, move |writes, user, now_ms| {
            Box::pin(async move {
                if packs.is_none() {
                    return Ok(writes.remove_cart_line(&user, &product).await?);
                }
                let found = find_sellable(writes, &product).await?;
                let (lines, _) = writes.cart(&user).await?;
                let held = lines
                    .iter()
                    .find(|line| line.product == product)
                    .map_or(Packs::NONE, |line| line.packs);
                let grows = packs.of_50g > held.of_50g || packs.of_100g > held.of_100g;
                // Taking packs out is always allowed, even while what remains is more than stock has.
                if grows || held.is_none() {
                    cart::may_hold(&found, packs)?;
                }
                Ok(writes
                    .put_cart_line(&user, &product, packs, found.about.prices(), now_ms)
                    .await?)
            })
        })
        .await
    }

    pub async fn remove_from_cart(&self, user: &UserId, product: ProductId) -> Result<Cart, Fault> {
        self.change_cart(user, move |writes, user, _| {
            Box::pin(async move { Ok(writes.remove_cart_line(&user, &product).await?) })
        })
        .await
    }

    pub async fn clear_cart(&self, user: &UserId) -> Result<Cart, Fault> {
        self.change_cart(user, move |writes, user, _| {
            Box::pin(async move { Ok(writes.clear_cart(&user).await?) })
        })
        .await
    }

    async fn change_cart(
        &self,
        user: &UserId,
        change: impl for<'t> FnOnce(
            &'t mut dyn Writes,
            UserId,
            i64,
        ) -> futures::future::BoxFuture<'t, Result<(), Fault>>
        + Send
        + 'static,
    ) -> Result<Cart, Fault> {
        let (user, now_ms, snapshot) = (user.clone(), self.now_ms(), self.catalogue.now());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    writes.lock_shopper(&user).await?;
                    change(writes, user.clone(), now_ms).await?;
                    writes.bump_cart(&user, now_ms).await?;
                    let (lines, version) = writes.cart(&user).await?;
                    Ok(priced(lines, version, snapshot))
                })
            })
            .await
    }
}

/// Adds within a transaction that already holds the cart.
pub(crate) async fn add_packs(
    writes: &mut dyn Writes,
    user: &UserId,
    product: &ProductId,
    packs: Packs,
    now_ms: i64,
) -> Result<(), Fault> {
    let found = find_sellable(writes, product).await?;
    let (lines, _) = writes.cart(user).await?;
    let held = lines
        .iter()
        .find(|line| line.product == *product)
        .map(|line| line.packs);
    if held.is_none() && lines.len() >= MOST_LINES {
        return Err(CartRefusal::CartFull.into());
    }
    let wanted = held.unwrap_or(Packs::NONE) + packs;
    cart::may_hold(&found, wanted)?;
    Ok(writes
        .put_cart_line(user, product, wanted, found.about.prices(), now_ms)
        .await?)
}

/// The product as the database has it now: stock in memory may be a moment old.
async fn find_sellable(writes: &mut dyn Writes, id: &ProductId) -> Result<Product, Fault> {
    writes
        .product(id)
        .await?
        .filter(|product| product.is_visible)
        .ok_or_else(|| CartRefusal::NoSuchProduct.into())
}

fn priced(lines: Vec<cart::CartLine>, version: i64, snapshot: Arc<Snapshot>) -> Cart {
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
