//! What may be in a cart, and what a cart comes to.

use crate::money::Paise;
use crate::pack::{MOST_PACKS, PackSize, Packs, Prices};
use crate::product::{Product, ProductId};
use crate::stock::Shortage;

/// More different products than this are no household's cart.
pub const MOST_LINES: usize = 100;

/// A line as it is kept: the prices are those the shopper last saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartLine {
    pub product: ProductId,
    pub packs: Packs,
    pub seen: Prices,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CartRefusal {
    #[error("Product not found.")]
    NoSuchProduct,
    #[error("Choose at least one pack")]
    NothingChosen,
    #[error("{0}")]
    Short(#[from] Shortage),
    #[error("This product is not sold in that pack size")]
    NotSoldInThatSize,
    #[error("At most {MOST_PACKS} packs of one size can be ordered at once")]
    TooMany,
    #[error("A cart holds at most {MOST_LINES} different products")]
    CartFull,
}

/// May the cart hold so many packs of this product in all?
pub fn may_hold(product: &Product, packs: Packs) -> Result<(), CartRefusal> {
    if !product.is_visible {
        return Err(CartRefusal::NoSuchProduct);
    }
    if packs.of_50g > MOST_PACKS || packs.of_100g > MOST_PACKS {
        return Err(CartRefusal::TooMany);
    }
    if !product.about.prices().cover(packs) {
        return Err(CartRefusal::NotSoldInThatSize);
    }
    Ok(product.stock.can_supply(packs)?)
}

/// A line as the shopper sees it now.
#[derive(Debug, Clone, PartialEq)]
pub struct PricedLine {
    pub line: CartLine,
    pub name: String,
    pub prices: Prices,
    pub total: Paise,
    pub most_50g: u32,
    pub most_100g: u32,
    pub notice: Option<LineNotice>,
}

/// What the shopper should know before paying, not at payment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineNotice {
    #[error("No longer available")]
    Gone,
    #[error("{}", CartRefusal::NotSoldInThatSize)]
    NotSoldInThatSize,
    #[error("Sold out")]
    SoldOut,
    #[error("{0}")]
    Short(Shortage),
    #[error("Price changed from {was} to {now}")]
    PriceChanged { was: Paise, now: Paise },
}

impl LineNotice {
    /// Whether the line cannot be bought as it stands.
    pub fn blocks(&self) -> bool {
        !matches!(self, LineNotice::PriceChanged { .. })
    }
}

/// Puts today's name, price and limits beside a kept line. A product that is hidden or gone keeps its
/// line, costs nothing and says so.
pub fn price_line(line: CartLine, product: Option<&Product>) -> PricedLine {
    let Some(product) = product.filter(|product| product.is_visible) else {
        let name = product.map_or_else(
            || line.product.0.clone(),
            |product| product.about.product_name.clone(),
        );
        return PricedLine {
            line,
            name,
            prices: Prices::default(),
            total: Paise::ZERO,
            most_50g: 0,
            most_100g: 0,
            notice: Some(LineNotice::Gone),
        };
    };
    let prices = product.about.prices();
    let notice = if !prices.cover(line.packs) {
        Some(LineNotice::NotSoldInThatSize)
    } else if product.stock.is_sold_out() {
        Some(LineNotice::SoldOut)
    } else if let Err(shortage) = product.stock.can_supply(line.packs) {
        Some(LineNotice::Short(shortage))
    } else {
        price_change(line.packs, line.seen, prices)
    };
    let most = |price: Option<Paise>, size| price.map_or(0, |_| product.stock.most_of(size));
    PricedLine {
        name: product.about.product_name.clone(),
        prices,
        total: prices.total(line.packs),
        most_50g: most(prices.of_50g, PackSize::G50),
        most_100g: most(prices.of_100g, PackSize::G100),
        notice,
        line,
    }
}

fn price_change(packs: Packs, seen: Prices, now: Prices) -> Option<LineNotice> {
    let changed = |count: u32, was: Option<Paise>, now: Option<Paise>| match (was, now) {
        (Some(was), Some(now)) if count > 0 && was != now => {
            Some(LineNotice::PriceChanged { was, now })
        }
        _ => None,
    };
    changed(packs.of_50g, seen.of_50g, now.of_50g)
        .or_else(|| changed(packs.of_100g, seen.of_100g, now.of_100g))
}

pub fn total(lines: &[PricedLine]) -> Paise {
    lines.iter().map(|line| line.total).sum()
}

pub fn count(lines: &[PricedLine]) -> u32 {
    lines
        .iter()
        .map(|line| line.line.packs.count())
        .fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::product::Description;
    use crate::stock::Stock;

    fn goda() -> Product {
        Product {
            id: ProductId("goda-masala".into()),
            about: Arc::new(Description {
                product_name: "Goda Masala".into(),
                mrp: vec![Paise::new(6500), Paise::new(12000)],
                ..Description::default()
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
        }
    }

    fn packs(of_50g: u32, of_100g: u32) -> Packs {
        Packs { of_50g, of_100g }
    }

    fn line(packs: Packs) -> CartLine {
        CartLine {
            product: goda().id,
            packs,
            seen: goda().about.prices(),
        }
    }

    #[test]
    fn a_cart_holds_what_stock_allows() {
        assert_eq!(may_hold(&goda(), packs(10, 5)), Ok(()));
        assert_eq!(
            may_hold(&goda(), packs(11, 0)),
            Err(Shortage::Pouches50g.into())
        );
        assert_eq!(
            may_hold(&goda(), packs(0, 6)),
            Err(Shortage::Pouches100g.into())
        );
        assert_eq!(
            may_hold(&goda(), packs(MOST_PACKS + 1, 0)),
            Err(CartRefusal::TooMany)
        );
        let hidden = Product {
            is_visible: false,
            ..goda()
        };
        assert_eq!(
            may_hold(&hidden, packs(1, 0)),
            Err(CartRefusal::NoSuchProduct)
        );
        let mut small_only = goda();
        Arc::make_mut(&mut small_only.about).mrp.truncate(1);
        assert_eq!(
            may_hold(&small_only, packs(0, 1)),
            Err(CartRefusal::NotSoldInThatSize)
        );
    }

    #[test]
    fn a_line_is_priced_as_of_now_and_says_what_changed() {
        let priced = price_line(line(packs(2, 1)), Some(&goda()));
        assert_eq!((priced.total, priced.notice), (Paise::new(25_000), None));

        let mut dearer = goda();
        Arc::make_mut(&mut dearer.about).mrp[0] = Paise::new(7000);
        let priced = price_line(line(packs(2, 0)), Some(&dearer));
        assert_eq!(priced.total, Paise::new(14_000));
        assert_eq!(
            priced.notice.unwrap().to_string(),
            "Price changed from ₹65 to ₹70"
        );

        // A cart from before the owner stopped selling that size.
        let mut small_only = goda();
        Arc::make_mut(&mut small_only.about).mrp[1] = Paise::ZERO;
        let priced = price_line(line(packs(1, 2)), Some(&small_only));
        assert_eq!(
            priced.total,
            Paise::new(6500),
            "what is not sold costs nothing"
        );
        assert_eq!((priced.most_50g, priced.most_100g), (10, 0));
        assert!(priced.notice.as_ref().unwrap().blocks());
        assert_eq!(
            priced.notice.unwrap().to_string(),
            "This product is not sold in that pack size"
        );
        assert_eq!(
            may_hold(&small_only, packs(0, 1)),
            Err(CartRefusal::NotSoldInThatSize)
        );

        let scarce = Product {
            stock: Stock {
                grams: 60,
                ..goda().stock
            },
            ..goda()
        };
        assert_eq!(
            price_line(line(packs(2, 0)), Some(&scarce)).notice,
            Some(LineNotice::Short(Shortage::Spice))
        );
        let empty = Product {
            stock: Stock::default(),
            ..goda()
        };
        assert_eq!(
            price_line(line(packs(2, 0)), Some(&empty)).notice,
            Some(LineNotice::SoldOut)
        );
        let gone = price_line(line(packs(2, 0)), None);
        assert_eq!(
            (gone.total, gone.notice),
            (Paise::ZERO, Some(LineNotice::Gone))
        );
    }
}
