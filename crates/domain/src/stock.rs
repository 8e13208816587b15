//! The stock of a product: grams of spice and empty pouches.
//!
//! Both pack sizes share the grams, so a quantity is always checked as the sum of both sizes.

use std::ops::{Add, Neg, Sub};

use crate::pack::{PackSize, Packs};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Stock {
    pub grams: i64,
    pub pouches_50g: i64,
    pub pouches_100g: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InsufficientStock {
    #[error("Not enough spice stock available")]
    Spice,
    #[error("Not enough 50g packaging available")]
    Pouches50g,
    #[error("Not enough 100g packaging available")]
    Pouches100g,
}

impl Stock {
    pub fn check_available(self, packs: Packs) -> Result<(), InsufficientStock> {
        if i64::from(packs.of_50g) > self.pouches_50g {
            return Err(InsufficientStock::Pouches50g);
        }
        if i64::from(packs.of_100g) > self.pouches_100g {
            return Err(InsufficientStock::Pouches100g);
        }
        if i64::try_from(packs.grams()).map_or(true, |grams| grams > self.grams) {
            return Err(InsufficientStock::Spice);
        }
        Ok(())
    }

    /// The stock that remains after taking these packs.
    pub fn checked_sub(self, packs: Packs) -> Result<Stock, InsufficientStock> {
        self.check_available(packs)?;
        let grams = i64::try_from(packs.grams()).map_err(|_| InsufficientStock::Spice)?;
        Ok(Stock {
            grams: self.grams - grams,
            pouches_50g: self.pouches_50g - i64::from(packs.of_50g),
            pouches_100g: self.pouches_100g - i64::from(packs.of_100g),
        })
    }

    /// What is left if these grams do not count.
    #[must_use]
    pub fn without_grams(self, grams: i64) -> Stock {
        Stock {
            grams: (self.grams - grams).max(0),
            ..self
        }
    }

    pub fn is_negative(self) -> bool {
        self.grams < 0 || self.pouches_50g < 0 || self.pouches_100g < 0
    }

    /// The maximum number of packs of one size, if the other size is not ordered.
    pub fn max_packs(self, size: PackSize) -> u32 {
        let pouches = match size {
            PackSize::G50 => self.pouches_50g,
            PackSize::G100 => self.pouches_100g,
        };
        let by_spice = self.grams / i64::from(size.grams());
        u32::try_from(pouches.min(by_spice).max(0)).unwrap_or(u32::MAX)
    }

    /// The most packs of these sizes together. Small packs need less spice, so they are counted first.
    pub fn packs_left(self, sold: impl Fn(PackSize) -> bool) -> u32 {
        let mut rest = self;
        let mut packs = 0_u32;
        for size in [PackSize::G50, PackSize::G100] {
            if sold(size) {
                let count = rest.max_packs(size);
                rest.grams -= i64::from(count) * i64::from(size.grams());
                packs = packs.saturating_add(count);
            }
        }
        packs
    }
}

impl From<Packs> for Stock {
    /// What the packs consist of.
    fn from(packs: Packs) -> Stock {
        Stock {
            grams: i64::try_from(packs.grams()).unwrap_or(i64::MAX),
            pouches_50g: packs.of_50g.into(),
            pouches_100g: packs.of_100g.into(),
        }
    }
}

impl Add for Stock {
    type Output = Stock;
    fn add(self, more: Stock) -> Stock {
        Stock {
            grams: self.grams.saturating_add(more.grams),
            pouches_50g: self.pouches_50g.saturating_add(more.pouches_50g),
            pouches_100g: self.pouches_100g.saturating_add(more.pouches_100g),
        }
    }
}

impl Sub for Stock {
    type Output = Stock;
    fn sub(self, less: Stock) -> Stock {
        self + -less
    }
}

impl Neg for Stock {
    type Output = Stock;
    fn neg(self) -> Stock {
        Stock {
            grams: -self.grams,
            pouches_50g: -self.pouches_50g,
            pouches_100g: -self.pouches_100g,
        }
    }
}

crate::text_enum! {
    /// A change of stock by an order, as recorded in the ledger.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum StockMovement {
        Reserve = "hold",
        Release = "release",
        ReserveAgain = "take again",
        /// Items of a paid order go back into stock.
        Restock = "restock",
        /// Another parcel of an order takes the packs that were lost, or that went back into stock.
        SendAgain = "send again",
    }
}

impl StockMovement {
    pub const fn is_outgoing(self) -> bool {
        !matches!(self, StockMovement::Release | StockMovement::Restock)
    }
}

crate::text_enum! {
    /// A change of stock by an admin, as recorded in the ledger. The sum of the ledger's rows is the stock.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum StockAdjustment {
        Initial = "opening",
        /// With the form or the file of products.
        Manual = "edit",
        Counted = "count",
        Received = "receive",
        WrittenOff = "write off",
        /// Grams that are in stock get a batch. The rows add up to zero.
        Labelled = "batch",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn check_available_names_what_is_missing() {
        let stock = Stock {
            grams: 500,
            pouches_50g: 6,
            pouches_100g: 3,
        };
        let packs = |of_50g, of_100g| Packs { of_50g, of_100g };
        assert_eq!(stock.check_available(packs(6, 2)), Ok(()));
        assert_eq!(
            stock.check_available(packs(7, 0)),
            Err(InsufficientStock::Pouches50g)
        );
        assert_eq!(
            stock.check_available(packs(0, 4)),
            Err(InsufficientStock::Pouches100g)
        );
        assert_eq!(
            stock.check_available(packs(6, 3)),
            Err(InsufficientStock::Spice),
            "each alone fits, both together do not"
        );
        assert_eq!(
            (
                stock.max_packs(PackSize::G50),
                stock.max_packs(PackSize::G100)
            ),
            (6, 3)
        );
    }

    proptest! {
        #[test]
        fn available_packs_never_make_stock_negative(
            grams in 0_i64..100_000, p50 in 0_i64..500, p100 in 0_i64..500, of_50g in 0_u32..600, of_100g in 0_u32..600,
        ) {
            let stock = Stock { grams, pouches_50g: p50, pouches_100g: p100 };
            let packs = Packs { of_50g, of_100g };
            let left = (grams - i64::try_from(packs.grams()).unwrap(), p50 - i64::from(of_50g), p100 - i64::from(of_100g));
            let fits = left.0 >= 0 && left.1 >= 0 && left.2 >= 0;
            prop_assert_eq!(stock.check_available(packs).is_ok(), fits);
            let without = stock.checked_sub(packs).ok();
            prop_assert_eq!(without.map(|left| (left.grams, left.pouches_50g, left.pouches_100g)), fits.then_some(left));
            let max = Packs { of_50g: stock.max_packs(PackSize::G50), of_100g: 0 };
            prop_assert!(stock.check_available(max).is_ok());
        }

        #[test]
        fn packs_left_is_the_maximum_that_can_be_sold(
            grams in 0_i64..1500, p50 in 0_i64..12, p100 in 0_i64..12, sells_50g: bool, sells_100g: bool,
        ) {
            let stock = Stock { grams, pouches_50g: p50, pouches_100g: p100 };
            let is_sold = |size| match size {
                PackSize::G50 => sells_50g,
                PackSize::G100 => sells_100g,
            };
            let most = (0..12_u32)
                .flat_map(|of_50g| (0..12_u32).map(move |of_100g| Packs { of_50g, of_100g }))
                .filter(|packs| (sells_50g || packs.of_50g == 0) && (sells_100g || packs.of_100g == 0))
                .filter(|packs| stock.check_available(*packs).is_ok())
                .map(Packs::count)
                .max();
            prop_assert_eq!(Some(stock.packs_left(is_sold)), most);
        }
    }
}
