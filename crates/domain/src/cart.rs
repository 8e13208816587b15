//! Cart lines: limits, prices and totals.

use crate::id::ProductId;
use crate::money::Paise;
use crate::pack::{MAX_PACKS_PER_SIZE, PackSize, Packs, Prices};
use crate::product::Product;
use crate::stock::InsufficientStock;

/// More than any customer needs; bounds the work for one cart.
pub const MAX_CART_LINES: usize = 100;

/// A line as it is stored, with the prices that the customer last saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartLine {
    pub product: ProductId,
    pub packs: Packs,
    pub last_seen_prices: Prices,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CartError {
    #[error("Product not found.")]
    ProductNotFound,
    #[error("Choose at least one pack")]
    NoPacks,
    #[error("{0}")]
    InsufficientStock(#[from] InsufficientStock),
    #[error("This product is not sold in that pack size")]
    PackSizeNotSold,
    #[error("At most {MAX_PACKS_PER_SIZE} packs of one size can be ordered at once")]
    TooManyPacks,
    #[error("A cart holds at most {MAX_CART_LINES} different products")]
    TooManyLines,
}

/// Checks whether the cart may hold this number of packs of the product in total.
pub fn check_quantity(product: &Product, packs: Packs) -> Result<(), CartError> {
    if !product.is_visible {
        return Err(CartError::ProductNotFound);
    }
    if packs.of_50g > MAX_PACKS_PER_SIZE || packs.of_100g > MAX_PACKS_PER_SIZE {
        return Err(CartError::TooManyPacks);
    }
    if !product.details.prices().has_price_for(packs) {
        return Err(CartError::PackSizeNotSold);
    }
    Ok(product.sellable().check_available(packs)?)
}

/// A line with current prices and limits, as the customer sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct PricedCartLine {
    pub line: CartLine,
    pub name: String,
    pub prices: Prices,
    pub total: Paise,
    pub max_50g: u32,
    pub max_100g: u32,
    pub warning: Option<CartLineWarning>,
}

/// A warning about a line, shown before checkout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CartLineWarning {
    #[error("No longer available")]
    Unavailable,
    #[error("{}", CartError::PackSizeNotSold)]
    PackSizeNotSold,
    #[error("Sold out")]
    SoldOut,
    #[error("{0}")]
    InsufficientStock(InsufficientStock),
    #[error("Price changed from {was} to {now}")]
    PriceChanged { was: Paise, now: Paise },
}

impl CartLineWarning {
    /// Whether the line cannot be ordered as it is.
    pub fn blocks_checkout(&self) -> bool {
        !matches!(self, CartLineWarning::PriceChanged { .. })
    }
}

/// Adds the current name, prices and limits to a stored line. If the product is hidden or deleted, the line stays with
/// a total of 0 and a warning.
pub fn price_line(line: CartLine, product: Option<&Product>) -> PricedCartLine {
    let Some(product) = product.filter(|product| product.is_visible) else {
        let name = product.map_or_else(
            || line.product.0.clone(),
            |product| product.details.product_name.clone(),
        );
        return PricedCartLine {
            line,
            name,
            prices: Prices::default(),
            total: Paise::ZERO,
            max_50g: 0,
            max_100g: 0,
            warning: Some(CartLineWarning::Unavailable),
        };
    };
    let prices = product.details.prices();
    let warning = if !prices.has_price_for(line.packs) {
        Some(CartLineWarning::PackSizeNotSold)
    } else if product.packs_left() == 0 {
        Some(CartLineWarning::SoldOut)
    } else if let Err(shortage) = product.sellable().check_available(line.packs) {
        Some(CartLineWarning::InsufficientStock(shortage))
    } else {
        price_change(line.packs, line.last_seen_prices, prices)
    };
    let max_packs =
        |price: Option<Paise>, size| price.map_or(0, |_| product.sellable().max_packs(size));
    PricedCartLine {
        name: product.details.product_name.clone(),
        prices,
        total: prices.total(line.packs),
        max_50g: max_packs(prices.of_50g, PackSize::G50),
        max_100g: max_packs(prices.of_100g, PackSize::G100),
        warning,
        line,
    }
}

fn price_change(packs: Packs, seen: Prices, now: Prices) -> Option<CartLineWarning> {
    let changed = |count: u32, was: Option<Paise>, now: Option<Paise>| match (was, now) {
        (Some(was), Some(now)) if count > 0 && was != now => {
            Some(CartLineWarning::PriceChanged { was, now })
        }
        _ => None,
    };
    changed(packs.of_50g, seen.of_50g, now.of_50g)
        .or_else(|| changed(packs.of_100g, seen.of_100g, now.of_100g))
}

pub fn total(lines: &[PricedCartLine]) -> Paise {
    lines.iter().map(|line| line.total).sum()
}

pub fn count(lines: &[PricedCartLine]) -> u32 {
    lines
        .iter()
        .map(|line| line.line.packs.count())
        .fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::product::ProductDetails;
    use crate::stock::Stock;

    fn goda() -> Product {
        Product {
            id: ProductId("goda-masala".into()),
            details: Arc::new(ProductDetails {
                product_name: "Goda Masala".into(),
                mrp: vec![Paise::new(6500), Paise::new(12000)],
                ..ProductDetails::default()
            }),
            stock: Stock {
                grams: 1000,
                pouches_50g: 10,
                pouches_100g: 5,
            },
            is_visible: true,
            trending_rank: None,
            version: 1,
            updated_at_ms: 0,
            too_old_grams: 0,
            rating: Default::default(),
        }
    }

    fn packs(of_50g: u32, of_100g: u32) -> Packs {
        Packs { of_50g, of_100g }
    }

    fn line(packs: Packs) -> CartLine {
        CartLine {
            product: goda().id,
            packs,
            last_seen_prices: goda().details.prices(),
        }
    }

    #[test]
    fn check_quantity_respects_stock_and_limits() {
        assert_eq!(check_quantity(&goda(), packs(10, 5)), Ok(()));
        assert_eq!(
            check_quantity(&goda(), packs(11, 0)),
            Err(InsufficientStock::Pouches50g.into())
        );
        assert_eq!(
            check_quantity(&goda(), packs(0, 6)),
            Err(InsufficientStock::Pouches100g.into())
        );
        assert_eq!(
            check_quantity(&goda(), packs(MAX_PACKS_PER_SIZE + 1, 0)),
            Err(CartError::TooManyPacks)
        );
        let hidden = Product {
            is_visible: false,
            ..goda()
        };
        assert_eq!(
            check_quantity(&hidden, packs(1, 0)),
            Err(CartError::ProductNotFound)
        );
        let mut small_only = goda();
        Arc::make_mut(&mut small_only.details).mrp.truncate(1);
        assert_eq!(
            check_quantity(&small_only, packs(0, 1)),
            Err(CartError::PackSizeNotSold)
        );
    }

    #[test]
    fn price_line_uses_current_prices_and_warns_about_changes() {
        let priced = price_line(line(packs(2, 1)), Some(&goda()));
        assert_eq!((priced.total, priced.warning), (Paise::new(25_000), None));

        let mut dearer = goda();
        Arc::make_mut(&mut dearer.details).mrp[0] = Paise::new(7000);
        let priced = price_line(line(packs(2, 0)), Some(&dearer));
        assert_eq!(priced.total, Paise::new(14_000));
        assert_eq!(
            priced.warning.unwrap().to_string(),
            "Price changed from ₹65 to ₹70"
        );

        // A cart from before an admin stopped selling that size.
        let mut small_only = goda();
        Arc::make_mut(&mut small_only.details).mrp[1] = Paise::ZERO;
        let priced = price_line(line(packs(1, 2)), Some(&small_only));
        assert_eq!(
            priced.total,
            Paise::new(6500),
            "a size that is not sold is not charged"
        );
        assert_eq!((priced.max_50g, priced.max_100g), (10, 0));
        assert!(priced.warning.as_ref().unwrap().blocks_checkout());
        assert_eq!(
            priced.warning.unwrap().to_string(),
            "This product is not sold in that pack size"
        );
        assert_eq!(
            check_quantity(&small_only, packs(0, 1)),
            Err(CartError::PackSizeNotSold)
        );

        let scarce = Product {
            stock: Stock {
                grams: 60,
                ..goda().stock
            },
            ..goda()
        };
        assert_eq!(
            price_line(line(packs(2, 0)), Some(&scarce)).warning,
            Some(CartLineWarning::InsufficientStock(InsufficientStock::Spice))
        );
        let empty = Product {
            stock: Stock::default(),
            ..goda()
        };
        assert_eq!(
            price_line(line(packs(2, 0)), Some(&empty)).warning,
            Some(CartLineWarning::SoldOut)
        );
        let gone = price_line(line(packs(2, 0)), None);
        assert_eq!(
            (gone.total, gone.warning),
            (Paise::ZERO, Some(CartLineWarning::Unavailable))
        );
    }
}
