//! Puts the items of an earlier order into the cart.

use mirasa_domain::cart::{self, MAX_CART_LINES};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderId, OrderLine};
use mirasa_domain::pack::{PackSize, Packs};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::user::User;

use crate::cart::{Cart, add_packs, price_cart};
use crate::{AppError, Shop};

mirasa_domain::text_enum! {
    /// Why an item differs from the earlier order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BuyAgainDifference {
        /// The product, or this pack size, is not sold any more.
        NotSold = "not_sold",
        SoldOut = "sold_out",
        /// Some packs are in the cart, and there are no more.
        FewerLeft = "fewer_left",
        /// The cart has as many products as it can hold.
        CartFull = "cart_full",
        /// All packs are in the cart, at a higher price.
        PriceIncreased = "price_increased",
    }
}

/// An item that is missing in the cart or costs more than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedItem {
    pub product: ProductId,
    pub product_name: String,
    pub size: PackSize,
    pub ordered: u32,
    pub added: u32,
    pub difference: BuyAgainDifference,
    pub old_price: Paise,
    pub new_price: Option<Paise>,
}

impl Shop {
    /// Adds as many packs of the order as the stock allows, in one transaction.
    pub async fn buy_again(
        &self,
        user: &User,
        order_id: OrderId,
    ) -> Result<(Cart, Vec<ChangedItem>), AppError> {
        let order = self.order_visible_to(user, order_id).await?;
        if order.user != user.id {
            return Err(crate::orders::order_not_found());
        }
        let (user, now_ms, snapshot) = (user.id.clone(), self.now_ms(), self.catalogue.snapshot());
        self.db
            .write(async move |tx| {
                // First, because it locks the user's row, as every change of a cart does.
                tx.increment_cart_version(&user, now_ms).await?;
                let mut stored = tx.cart(&user).await?;
                let mut lines = std::mem::take(&mut stored.lines);
                let mut changed = Vec::new();
                for line in &order.lines {
                    let product = snapshot.find_visible(&line.product);
                    let product = product.map(|product| &**product);
                    let in_cart = lines.iter().find(|one| one.product == line.product);
                    let has_room = in_cart.is_some() || lines.len() < MAX_CART_LINES;
                    let in_cart = in_cart.map_or(Packs::ZERO, |one| one.packs);
                    let packs = match product {
                        Some(product) if has_room => available(product, in_cart, line.packs),
                        _ => Packs::ZERO,
                    };
                    changed.extend(differences(line, product, packs, has_room));
                    if let Some(product) = product.filter(|_| !packs.is_empty()) {
                        lines = add_packs(tx, &user, lines, product, packs, now_ms).await?;
                    }
                }
                stored.lines = lines;
                let cart = price_cart(tx, &user, stored, snapshot, now_ms).await?;
                Ok((cart, changed))
            })
            .await
    }
}

/// The most packs, up to the wanted ones, that fit beside those in the cart.
fn available(product: &Product, in_cart: Packs, wanted: Packs) -> Packs {
    let fits = |packs: Packs| {
        product.details.prices().has_price_for(packs)
            && cart::check_quantity(product, in_cart + packs).is_ok()
    };
    let mut packs = Packs::ZERO;
    // The larger packs first: there are fewer of them in an order.
    for of_100g in (0..=wanted.of_100g).rev() {
        if fits(Packs { of_100g, ..packs }) {
            packs.of_100g = of_100g;
            break;
        }
    }
    for of_50g in (0..=wanted.of_50g).rev() {
        if fits(Packs { of_50g, ..packs }) {
            packs.of_50g = of_50g;
            break;
        }
    }
    packs
}

fn differences(
    line: &OrderLine,
    product: Option<&Product>,
    added: Packs,
    has_room: bool,
) -> Vec<ChangedItem> {
    line.items()
        .filter_map(|item| {
            let new_price = product.and_then(|product| product.details.prices().of(item.size));
            let added = match item.size {
                PackSize::G50 => added.of_50g,
                PackSize::G100 => added.of_100g,
            };
            let difference = match new_price {
                None => BuyAgainDifference::NotSold,
                Some(_) if !has_room => BuyAgainDifference::CartFull,
                Some(_) if added == 0 => BuyAgainDifference::SoldOut,
                Some(_) if added < item.quantity => BuyAgainDifference::FewerLeft,
                Some(price) if price > item.price && item.price > Paise::ZERO => {
                    BuyAgainDifference::PriceIncreased
                }
                Some(_) => return None,
            };
            Some(ChangedItem {
                product: line.product.clone(),
                product_name: line.product_name.clone(),
                size: item.size,
                ordered: item.quantity,
                added,
                difference,
                old_price: item.price,
                new_price,
            })
        })
        .collect()
}
