//! How long the stock of a product lasts, by what was sold of it.

use crate::pack::{PackSize, Packs};
use crate::product::Product;
use crate::stock::Stock;

/// Sales of this many days are the measure.
pub const SALES_DAYS: i64 = 14;

crate::text_enum! {
    /// What runs out first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Shortest {
        Spice = "spice",
        Pouches50g = "pouches50g",
        Pouches100g = "pouches100g",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cover {
    /// Whole days.
    pub days: i64,
    pub shortest: Shortest,
}

/// None if nothing was sold: then the stock lasts as long as one likes.
pub fn cover(available: Stock, sold: Packs) -> Option<Cover> {
    let sold = Stock::from(sold);
    [
        (Shortest::Spice, available.grams, sold.grams),
        (
            Shortest::Pouches50g,
            available.pouches_50g,
            sold.pouches_50g,
        ),
        (
            Shortest::Pouches100g,
            available.pouches_100g,
            sold.pouches_100g,
        ),
    ]
    .into_iter()
    .filter(|(_, _, sold)| *sold > 0)
    .map(|(shortest, left, sold)| Cover {
        days: left.max(0).saturating_mul(SALES_DAYS) / sold,
        shortest,
    })
    .min_by_key(|cover| cover.days)
}

/// Whether the owner should make or buy more: the product is for sale and sold out, or lasts less than `low_days`.
pub fn is_low(product: &Product, sold: Packs, low_days: i64) -> bool {
    let prices = product.details.prices();
    let is_sold = [PackSize::G50, PackSize::G100]
        .into_iter()
        .any(|size| prices.of(size).is_some());
    if !product.is_visible || !is_sold {
        return false;
    }
    product.packs_left() == 0
        || cover(product.sellable(), sold).is_some_and(|cover| cover.days < low_days)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STOCK: Stock = Stock {
        grams: 1_000,
        pouches_50g: 40,
        pouches_100g: 3,
    };

    #[test]
    fn what_runs_out_first_decides() {
        let cover = |of_50g, of_100g| cover(STOCK, Packs { of_50g, of_100g });
        assert_eq!(cover(0, 0), None);
        let found = |days, shortest| Some(Cover { days, shortest });
        assert_eq!(cover(14, 0), found(20, Shortest::Spice));
        assert_eq!(cover(14, 1), found(17, Shortest::Spice), "1000 · 14 / 800");
        assert_eq!(cover(0, 14), found(3, Shortest::Pouches100g));
        let empty = Stock::default();
        let sold = Packs {
            of_50g: 1,
            of_100g: 0,
        };
        assert_eq!(super::cover(empty, sold).unwrap().days, 0);
    }

    proptest! {
        /// By counting down day by day: what is sold in `days` days is there, what is sold in one more is not.
        #[test]
        fn cover_is_the_last_whole_day_with_stock(
            grams in 0_i64..100_000, p50 in 0_i64..2_000, p100 in 0_i64..2_000, of_50g in 0_u32..500, of_100g in 0_u32..500,
        ) {
            let stock = Stock { grams, pouches_50g: p50, pouches_100g: p100 };
            let sold = Stock::from(Packs { of_50g, of_100g });
            let lasts = |days: i64| {
                sold.grams * days <= grams * SALES_DAYS
                    && sold.pouches_50g * days <= p50 * SALES_DAYS
                    && sold.pouches_100g * days <= p100 * SALES_DAYS
            };
            match cover(stock, Packs { of_50g, of_100g }) {
                Some(cover) => prop_assert!(lasts(cover.days) && !lasts(cover.days + 1)),
                None => prop_assert_eq!(sold, Stock::default()),
            }
        }
    }
}
