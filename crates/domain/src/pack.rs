//! The two sizes in which everything is sold, and a number of packs of each.

use std::ops::Add;

use crate::money::Paise;

/// Nobody buys more than this of one size at once; it also keeps every sum of grams small.
pub const MOST_PACKS: u32 = 10_000;

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

/// So many packs of each size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Packs {
    pub of_50g: u32,
    pub of_100g: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be a whole number from 0 to {MOST_PACKS}")]
pub struct NotAQuantity {
    pub field: &'static str,
}

impl Packs {
    pub const NONE: Packs = Packs {
        of_50g: 0,
        of_100g: 0,
    };

    pub fn is_none(self) -> bool {
        self == Packs::NONE
    }

    pub fn count(self) -> u32 {
        self.of_50g.saturating_add(self.of_100g)
    }

    pub fn grams(self) -> u64 {
        u64::from(self.of_50g) * u64::from(PackSize::G50.grams())
            + u64::from(self.of_100g) * u64::from(PackSize::G100.grams())
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

/// What a pack of each size costs; a size without a price is not sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Prices {
    pub of_50g: Option<Paise>,
    pub of_100g: Option<Paise>,
}

impl Prices {
    /// Quantity times unit price per size, counted only where the quantity is above 0.
    pub fn total(self, packs: Packs) -> Paise {
        let of = |price: Option<Paise>, count| price.map_or(Paise::ZERO, |price| price * count);
        of(self.of_50g, packs.of_50g) + of(self.of_100g, packs.of_100g)
    }

    /// Whether every size that is wanted has a price.
    pub fn cover(self, packs: Packs) -> bool {
        (packs.of_50g == 0 || self.of_50g.is_some())
            && (packs.of_100g == 0 || self.of_100g.is_some())
    }
}
