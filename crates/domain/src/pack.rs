//! The two pack sizes, quantities and prices of packs.

use std::fmt;
use std::ops::Add;

use crate::money::Paise;

/// More than one order needs; it also keeps every sum of grams far below overflow.
pub const MAX_PACKS_PER_SIZE: u32 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PackSize {
    G50,
    G100,
}

impl PackSize {
    pub const fn grams(self) -> u32 {
        match self {
            PackSize::G50 => 50,
            PackSize::G100 => 100,
        }
    }
}

/// `100 g`, as shown after a product's name.
impl fmt::Display for PackSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} g", self.grams())
    }
}

/// The number of packs of each size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Packs {
    pub of_50g: u32,
    pub of_100g: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be a whole number from 0 to {MAX_PACKS_PER_SIZE}")]
pub struct InvalidQuantity {
    pub field: &'static str,
}

impl Packs {
    pub const ZERO: Packs = Packs {
        of_50g: 0,
        of_100g: 0,
    };

    pub const fn of_size(size: PackSize, quantity: u32) -> Packs {
        match size {
            PackSize::G50 => Packs {
                of_50g: quantity,
                of_100g: 0,
            },
            PackSize::G100 => Packs {
                of_50g: 0,
                of_100g: quantity,
            },
        }
    }

    pub fn is_empty(self) -> bool {
        self == Packs::ZERO
    }

    pub fn count(self) -> u32 {
        self.of_50g.saturating_add(self.of_100g)
    }

    pub fn grams(self) -> u64 {
        u64::from(self.of_50g) * u64::from(PackSize::G50.grams())
            + u64::from(self.of_100g) * u64::from(PackSize::G100.grams())
    }
}

impl Packs {
    /// None if there are not that many.
    pub fn checked_sub(self, fewer: Packs) -> Option<Packs> {
        Some(Packs {
            of_50g: self.of_50g.checked_sub(fewer.of_50g)?,
            of_100g: self.of_100g.checked_sub(fewer.of_100g)?,
        })
    }

    /// Without `fewer`. A count does not go below 0.
    #[must_use]
    pub fn saturating_sub(self, fewer: Packs) -> Packs {
        Packs {
            of_50g: self.of_50g.saturating_sub(fewer.of_50g),
            of_100g: self.of_100g.saturating_sub(fewer.of_100g),
        }
    }

    /// The smaller number of each size.
    #[must_use]
    pub fn min(self, other: Packs) -> Packs {
        Packs {
            of_50g: self.of_50g.min(other.of_50g),
            of_100g: self.of_100g.min(other.of_100g),
        }
    }
}

impl Add for Packs {
    type Output = Packs;
    fn add(self, more: Packs) -> Packs {
        Packs {
            of_50g: self.of_50g.saturating_add(more.of_50g),
            of_100g: self.of_100g.saturating_add(more.of_100g),
        }
    }
}

/// Packs of one size, and the price of one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizedPacks {
    pub size: PackSize,
    pub quantity: u32,
    pub price: Paise,
}

impl SizedPacks {
    pub fn total(self) -> Paise {
        self.price * self.quantity
    }
}

/// The price of one pack of each size. A size without a price is not sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Prices {
    pub of_50g: Option<Paise>,
    pub of_100g: Option<Paise>,
}

impl Prices {
    /// The packs by size, without sizes that have no packs. Their totals add up to `total`.
    pub fn by_size(self, packs: Packs) -> impl Iterator<Item = SizedPacks> {
        let sizes = [
            (PackSize::G50, packs.of_50g, self.of_50g),
            (PackSize::G100, packs.of_100g, self.of_100g),
        ];
        sizes
            .into_iter()
            .filter(|(_, quantity, _)| *quantity > 0)
            .map(|(size, quantity, price)| SizedPacks {
                size,
                quantity,
                price: price.unwrap_or_default(),
            })
    }

    /// Quantity times unit price per size, counted only where the quantity is above 0.
    pub fn total(self, packs: Packs) -> Paise {
        self.by_size(packs).map(SizedPacks::total).sum()
    }

    pub const fn of(self, size: PackSize) -> Option<Paise> {
        match size {
            PackSize::G50 => self.of_50g,
            PackSize::G100 => self.of_100g,
        }
    }

    /// The price of the smallest pack that is sold.
    pub fn first(self) -> Option<Paise> {
        self.of_50g.or(self.of_100g)
    }

    /// Whether every size with at least one pack has a price.
    pub fn has_price_for(self, packs: Packs) -> bool {
        (packs.of_50g == 0 || self.of_50g.is_some())
            && (packs.of_100g == 0 || self.of_100g.is_some())
    }
}
